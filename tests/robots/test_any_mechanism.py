# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever a mechanism says, a file comes of it that can be read again, or a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from omi_mechanisms import Sample, over, samples

from omi_physics_joint.model.contents import Contents
from omi_physics_joint.robots.element import parsed
from omi_physics_joint.robots.mjcf.writing.write import write_mjcf
from omi_physics_joint.robots.urdf.write import write_urdf


@pytest.mark.long
@over(30)
@given(sample=samples())
def test_any_mechanism_is_written(sample: Sample) -> None:
    """Both writers end with XML for random mechanisms of any kind, damaged ones too."""
    contents = Contents(sample.mechanism, (None,) * len(sample.mechanism.meshes))
    for write, name in ((write_mjcf, "x.xml"), (write_urdf, "x.urdf")):
        package, _ = write(contents, Path(name))
        assert parsed(package.main, name).tag in ("mujoco", "robot")
