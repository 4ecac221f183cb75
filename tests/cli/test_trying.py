# SPDX-License-Identifier: GPL-3.0-or-later
"""Check by trying: what Check says of Godot is left out where Godot moves this file right."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks.godot.body_cases import pair
from benchmarks.godot.building import LEVEL, Case, at, bar, body, driven_hinge, turn
from benchmarks.godot.cases import chosen
from benchmarks.godot.documents import write
from omi_physics_joint.cli.command import main
from omi_physics_joint.gltf.dialects import Spoken
from omi_physics_joint.library.motion import trying
from omi_physics_joint.library.motion.trying import Tried, tried_in_godot
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.settings.recipes import hinge
from omi_physics_joint.model.target import Target
from omi_physics_joint.model.validate import check
from omi_physics_joint.model.wording.words import metric

pytestmark = pytest.mark.long
JOINT, BAR = 2, 1
CLOSER = Drive(Freedom.ANGULAR, DriveMode.FORCE, 2, position_target=0.0, stiffness=1.0)
HANGING = bar(replace(hinge(2, -0.6, 0.35), drives=(CLOSER,)), place=at(0.0, -0.5))
"""Rests between its bounds, where its spring leaves it."""


@pytest.fixture(autouse=True)
def for_half_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is tried for a quarter of the time for which users try it."""
    monkeypatch.setattr(trying, "SECONDS", 0.5)


def said(mechanism: Mechanism, tried: Tried | None = None) -> set[str]:
    """Return what Check says of Godot, tried or not."""
    right = tried.right if tried else frozenset()
    return {one.code for one in check(mechanism, right=right) if one.code.startswith("godot-")}


def test_a_joint_is_right_where_both_of_its_bodies_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of two that goes elsewhere takes the joint's hints with it."""
    for wrong, right in (((False, False), {0, 1, 2}), ((True, False), {1}), ((True, True), set())):
        monkeypatch.setattr(trying, "SECONDS", 0.05)
        monkeypatch.setattr(trying, "_is_elsewhere", lambda *_, wrong=wrong: np.array(wrong))
        assert tried_in_godot(pair(hinge(2), at(0.5)).mechanism, metric).right == right


def test_bounds_that_nothing_strikes_are_no_stops() -> None:
    """A bar that hangs still has bounds, of which trying says nothing."""
    parts: list[float] = []
    tried = tried_in_godot(HANGING.mechanism, metric, done=parts.append)
    assert parts == sorted(parts)
    assert parts[-1] == 1.0
    assert "godot-stops" in said(HANGING.mechanism)
    assert "godot-stops" not in said(HANGING.mechanism, tried)
    assert {BAR, JOINT} <= tried.right
    assert tried.issues == ()


@pytest.mark.parametrize(
    ("case", "code", "seconds"),
    [
        (chosen(["hinge, wide bounds, Z"])["hinge, wide bounds, Z"], "godot-stops", 1.0),
        (
            bar(driven_hinge(2, position_target=0.3, stiffness=50.0, damping=5.0, max_force=3.0)),
            "godot-spring-force",
            0.5,
        ),
        (chosen(["spring from afar"])["spring from afar"], "godot-far-spring", 0.5),
        (chosen(["behind two hinges"])["behind two hinges"], "godot-tumbling", 2.0),
    ],
)
def test_what_is_so_in_this_file_stands(
    case: Case, code: str, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What Godot moves otherwise is said as before, and where it ends."""
    monkeypatch.setattr(trying, "SECONDS", seconds)
    tried = tried_in_godot(case.mechanism, metric)
    assert code in said(case.mechanism, tried)
    (hint,) = tried.issues
    assert hint.code == "tried-in-godot"
    assert f"after {seconds:g} s" in hint.message


def test_the_command_line_tries_where_it_is_asked_to(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """``check --try`` of a file; and nothing is tried for a reader whose steps nobody has."""
    path = tmp_path / "hanging.gltf"
    write(HANGING, path, Target.SPECIFIED, tuple(Spoken))
    for words, stops in ((), True), (("--try",), False):
        main(["check", str(path), *words])
        assert ("gives back up to a quarter" in capsys.readouterr().out) == stops
    main(["check", str(path), "--reader", "babylon", "--try"])
    assert "gives back up to half" in capsys.readouterr().out


def test_settings_stay_named_where_one_of_their_joints_is_wrong() -> None:
    """Of two bars with the same bounds one hangs still, and one strikes them."""
    nodes = [*HANGING.mechanism.nodes]
    first = len(nodes)
    for node in bar(hinge(2), turn(2, 0.0)).mechanism.nodes:
        joint = node.joint and type(node.joint)(0, first + 3)
        parent = None if node.parent is None else first + node.parent
        nodes.append(type(node)(f"Other {node.name}", parent, node.world, node.motion, joint=joint))
    both = Mechanism(tuple(nodes), HANGING.mechanism.settings, HANGING.mechanism.shapes)
    right = tried_in_godot(both, metric).right
    assert JOINT in right
    assert first + JOINT not in right
    (stops,) = (one for one in check(both, right=right) if one.code == "godot-stops")
    assert "'Other Joint'" in stops.message
    assert "'Joint'" not in stops.message


def test_keys_and_gravity_of_the_file_count() -> None:
    """A servo whose keys move it is tried with them; without gravity nothing falls onto a stop."""
    keyed = chosen(["keyed servo, Z"])["keyed servo, Z"].mechanism
    assert tried_in_godot(keyed, metric).right
    falling = bar(hinge(2, -0.6, 0.35), LEVEL[2], motion=body()).mechanism
    still = Mechanism(falling.nodes, falling.settings, falling.shapes, gravity=(0.0, 0.0, 0.0))
    assert JOINT in tried_in_godot(still, metric).right
