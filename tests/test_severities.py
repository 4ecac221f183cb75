# SPDX-License-Identifier: GPL-3.0-or-later
"""How bad what readers and writers of stages and robots find is: all that is no warning by name."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from omi_physics_joint.model.issue import Severity
from omi_physics_joint.model.wording.findings import Finding
from omi_physics_joint.robots.findings import EITHER_READ, MJCF_READ, URDF_READ, WRITTEN
from omi_physics_joint.usd.reading.findings import KINDS as STAGE_READ
from omi_physics_joint.usd.writing.losses import KINDS as STAGE_WRITTEN

OF_ROBOTS = "floating held kept left-out standing"
ERRORS = {
    "stage read": "usd-flat-body usd-pose usd-target-missing",
    "MJCF read": "made",
}
"""What is not there afterwards, or stands where nobody put it, though the file seems to say it."""
HINTS = {
    "stage read": "usd-articulation-root usd-collision-disabled usd-excluded-from-articulation "
    "usd-foreign usd-mass-between usd-not-physics usd-points-many usd-several-scenes "
    "usd-subdivision",
    "stage written": "usd-acceleration usd-soft-limit usd-static",
    "either read": OF_ROBOTS,
    "MJCF read": f"{OF_ROBOTS} bounds inactive light motor planar",
    "URDF read": OF_ROBOTS,
    "robot written": "capsule drive friction held-now meets scene-gravity stops",
}
"""What moves as before, or was never meant to move."""
TABLES: dict[str, Mapping[str, Finding]] = {
    "stage read": STAGE_READ,
    "stage written": STAGE_WRITTEN,
    "either read": EITHER_READ,
    "MJCF read": MJCF_READ,
    "URDF read": URDF_READ,
    "robot written": WRITTEN,
}


@pytest.mark.parametrize("table", TABLES)
def test_what_is_no_warning_is_known_by_name(table: str) -> None:
    """Errors end a strict run, and hints end none: neither is so by chance."""
    for severity, said in ((Severity.ERROR, ERRORS), (Severity.HINT, HINTS)):
        found = {code for code, one in TABLES[table].items() if one.severity is severity}
        assert found == {*said.get(table, "").split()}
