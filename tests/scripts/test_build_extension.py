# SPDX-License-Identifier: GPL-3.0-or-later
"""What the zip of the extension is made of, without Blender's tool that makes it."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_only_our_own_kernels_go_into_the_zip(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wheels of the package, and of others, may lie beside them."""
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    import build_extension
    from kernel_wheels import PROJECT

    taken: list[str] = []
    monkeypatch.setattr(
        build_extension, "build", lambda *words: taken.extend(one.name for one in words[3])
    )
    own = f"{PROJECT}-0.1.0.7-py3-none-win_amd64.whl"
    for name in (own, "numpy-2.0-cp313-win_amd64.whl", "omi_physics_joint-0.1.0-py3-none-any.whl"):
        (tmp_path / name).touch()
    words = ["build_extension.py", "--wheels", str(tmp_path), "--tool", "none"]
    monkeypatch.setattr("sys.argv", words)
    assert build_extension.main() == 0
    assert taken == [own]
