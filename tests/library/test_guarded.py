# SPDX-License-Identifier: GPL-3.0-or-later
"""What a system says of a file becomes a sentence that names the file."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path

import pytest

from omi_physics_joint.library.guarded import guarded
from omi_physics_joint.model.contents import ContentsError


@pytest.mark.parametrize(
    "does",
    [
        Path.read_bytes,
        Path.iterdir,
        lambda path: path.write_bytes(b""),
        lambda path: path.mkdir(),
        lambda path: path.rename("other"),
    ],
    ids=["read", "list", "write", "make", "rename"],
)
def test_a_file_that_cannot_be_opened_is_named(
    does: Callable[[Path], object], tmp_path: Path
) -> None:
    """Whatever was to be done with it, and why it was not."""
    path = tmp_path / "no" / "door.glb"
    with pytest.raises(ContentsError) as raised, guarded():
        list(does(path))  # type: ignore[call-overload]
    assert str(raised.value).startswith(f"{path} cannot be read or written: ")


@pytest.mark.parametrize(
    "error", [OSError(errno.ENOSPC, "No space left"), OSError("No space left")]
)
def test_where_no_file_is_known_it_is_the_file(error: OSError) -> None:
    """The reason stands there all the same."""
    said = r"^The file cannot be read or written: No space left\.$"
    with pytest.raises(ContentsError, match=said), guarded():
        raise error
