# SPDX-License-Identifier: GPL-3.0-or-later
"""The page "From your own script": what stands on it is run as it stands."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from omi_physics_joint import Mechanism, read

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/manual/script.md").read_text("utf-8")
IN_BLENDER, WITHOUT = PAGE.split("\n## Without Blender\n")
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def limits_of(mechanism: Mechanism) -> list[tuple[float, float]]:
    """Return the bounds of the only joint that are no locks, in the axes of glTF."""
    ((_, _, joint),) = mechanism.joints()
    limits = mechanism.settings_of(joint).limits
    return [(round(one.min, 3), round(one.max, 3)) for one in limits if not one.is_lock]


def test_its_scripts_for_blender_make_doors(
    zip_with_kernel: Path, run_inside: Callable[..., Any], tmp_path: Path
) -> None:
    """Both, one after the other, in an empty profile with the add-on from the zip."""
    blocks = BLOCK.findall(IN_BLENDER)
    assert [block.startswith("# make_door.py\n") for block in blocks] == [True, False]
    script = tmp_path / "make_door.py"
    script.write_text("\n".join(blocks), "utf-8")
    found = run_inside("install_and_run.py", zip=zip_with_kernel, file=script)
    assert found["issues"] == []
    first, second = (read(tmp_path / name) for name in ("door.glb", "slow_door.glb"))
    assert limits_of(first.mechanism) == [(-1.92, 0.0)]
    assert limits_of(second.mechanism) == [(-1.92, 0.349)]
    assert len(first.dialects) == 2
    (settings,) = second.mechanism.settings
    assert [drive.damping for drive in settings.drives] == [2.0]
    masses = {second.mechanism.name_of(at): one.mass for at, one in second.mechanism.motions()}
    assert masses["Door"] == 12.0


def test_the_properties_that_it_names_are_there(
    zip_with_kernel: Path, run_inside: Callable[..., Any]
) -> None:
    """Each row of its table names properties of what it says."""
    rows = re.findall(r"^\| `([\w.]+)` \| (.*) \|$", IN_BLENDER, re.MULTILINE)
    named = {where: re.findall(r"`([\w.]+)`", words) for where, words in rows}
    assert len(named) == 5
    found = run_inside("properties_named.py", zip=zip_with_kernel, named=json.dumps(named))
    assert found == {where: [] for where in named}


def test_its_script_without_blender_says_what_doors_do(tmp_path: Path) -> None:
    """In a folder with a door, a drawer and a file that is none."""
    for name in ("door", "drawer"):
        shutil.copy(ROOT / f"examples/glb/{name}.glb", tmp_path)
    (tmp_path / "none.glb").write_bytes(b"")
    (block,) = BLOCK.findall(WITHOUT)
    script = tmp_path / "check_doors.py"
    script.write_text(f"import sys\nsys.path.insert(0, {str(ROOT)!r})\n{block}", "utf-8")
    done = subprocess.run(
        [sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "door.glb: Door Hinge turns by 60 degrees" in done.stdout
    assert "none.glb: The file is cut off" in done.stdout
    assert (tmp_path / "drawer.urdf").is_file()
