# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints of MuJoCo's models: which have bounds, and which of one body are one joint of ours."""

from __future__ import annotations

from math import inf, radians
from pathlib import Path

import pytest
from robot_models import read

from omi_physics_joint.model.settings.spans import spans_of

X, BACK, Z, ASKEW = "1 0 0", "-1 0 0", "0 0 1", "0.6 0 0.8"


def model(joints: str, compiler: str = "") -> str:
    """Return a model of one body with some joints."""
    body = f"<body><geom size='0.1'/>{joints}</body>"
    return f"<mujoco><compiler {compiler}/><worldbody>{body}</worldbody></mujoco>"


@pytest.mark.parametrize(
    ("said", "compiler", "bounded"),
    [
        ("range='-30 60'", "", True),
        ("range='-30 60'", "autolimits='false'", False),
        ("range='-30 60' limited='true'", "autolimits='false'", True),
        ("range='-30 60' limited='false'", "", False),
        ("range='0 0'", "", False),
        ("limited='false'", "", False),
        ("", "", False),
    ],
)
def test_a_joint_has_bounds_where_it_or_the_model_says_so(
    said: str, compiler: str, bounded: bool, tmp_path: Path
) -> None:
    """A range that is switched off is none."""
    contents, _ = read(model(f"<joint {said}/>", compiler), tmp_path)
    (settings,) = contents.mechanism.settings
    (span,) = (span for span in spans_of(settings.limits) if not span.is_locked)
    wanted = (radians(-30.0), radians(60.0)) if bounded else (-inf, inf)
    assert (span.low, span.high) == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("said", "soft"),
    [
        ("solreflimit='.2 .3'", True),
        ("solreflimit='.2'", True),
        ("solreflimit='.02 .5'", True),
        ("solreflimit='-1000 -50'", True),
        ("solimplimit='.1 .2 .5'", True),
        ("margin='.1'", True),
        ("solreflimit='.02 1' solimplimit='.9 .95 .001' margin='0'", False),
        ("solreflimit='.004'", False),
        ("solreflimit='-1e6 -1e3'", False),
        ("solreflimit='0.0004 5' solimplimit='0.99 0.9999 0.0001'", False),
        ("solimplimit='0 .99 .01'", False),
    ],
)
@pytest.mark.parametrize("bounds", ["range='-10 10'", ""])
def test_bounds_that_give_way_are_named_as_read_rigid(
    said: str, soft: bool, bounds: str, tmp_path: Path
) -> None:
    """Softer than MuJoCo's own, on the joint or in its class; harder ones are well."""
    for text in (
        model(f"<joint {bounds} {said}/>"),
        f"<mujoco><default><joint {said}/></default>{model(f'<joint {bounds}/>')[8:]}",
    ):
        found = [one for one in read(text, tmp_path)[1] if one.code == "mjcf-bounds"]
        assert len(found) == (soft and bool(bounds))
        assert all(one.loss for one in found)


@pytest.mark.parametrize(
    ("kinds", "count"),
    [
        ([("slide", X), ("slide", Z)], 1),
        ([("slide", X), ("slide", ASKEW)], 2),
        ([("slide", X), ("hinge", X)], 1),
        ([("slide", X), ("hinge", Z)], 1),
        ([("slide", X), ("hinge", ASKEW)], 2),
        ([("slide", X), ("hinge", BACK)], 2),
        ([("slide", BACK), ("hinge", X)], 2),
        ([("slide", BACK), ("hinge", BACK)], 1),
        ([("slide", Z), ("hinge", BACK)], 1),
        ([("slide", X), ("slide", Z), ("hinge", ASKEW)], 2),
        ([("hinge", X), ("slide", X)], 2),
        ([("hinge", X), ("hinge", Z)], 2),
        ([("slide", X), ("slide", Z), ("ball", X)], 1),
        ([("slide", X), ("slide", ASKEW), ("ball", X)], 2),
    ],
)
def test_joints_of_one_body_are_one_where_axes_are_square(
    kinds: list[tuple[str, str]], count: int, tmp_path: Path
) -> None:
    """Slides, then what turns: a joint of ours has its angles about the axes it slides along."""
    joints = "".join(f"<joint type='{kind}' axis='{axis}'/>" for kind, axis in kinds)
    contents, _ = read(model(joints), tmp_path)
    assert len(list(contents.mechanism.joints())) == count


@pytest.mark.parametrize(
    ("tie", "said"),
    [
        ("<weld body1='a'/>", ["1 root (b) floats"]),
        ("<connect body1='b' anchor='0 0 0'/>", ["1 root (a) floats"]),
        ("<weld body1='a' body2='b'/>", ["2 roots (a and b) float"]),
    ],
)
def test_what_an_equality_holds_in_the_world_does_not_float(
    tie: str, said: list[str], tmp_path: Path
) -> None:
    """Two that are tied to each other float all the same."""
    one = "<body name='{0}' pos='0 {1} 0'><freejoint/><geom size='0.1'/></body>"
    bodies = "".join(map(one.format, "ab", "01"))
    text = f"<mujoco><worldbody>{bodies}</worldbody><equality>{tie}</equality></mujoco>"
    _, issues = read(text, tmp_path)
    found = [one.message for one in issues if one.code == "mjcf-floating"]
    assert [message.split(":")[0] for message in found] == said
