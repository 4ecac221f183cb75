# SPDX-License-Identifier: GPL-3.0-or-later
"""What the solver is measured with: truths that agree, figures that notice what is wrong."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("scipy")

from benchmarks.solver.as_model import mechanism_of
from benchmarks.solver.measures import figures, judged_points
from benchmarks.solver.mechanisms import QUICK, SCENES, chain, doors, tree
from benchmarks.solver.routes import closed_forms, constrained, planar_chain
from benchmarks.solver.scene import Scene
from omi_physics_joint.model.validate import check


def brief(scene: Scene) -> Scene:
    """Return a scene that lasts a fifth of a second."""
    return replace(scene, seconds=0.2)


@pytest.mark.long
def test_two_routes_to_the_truth_of_a_chain_agree() -> None:
    """Absolute angles with a banded system, and maximal coordinates with a sparse one."""
    scene = brief(chain(3))
    path = constrained.path_of(scene)
    assert judged_points(scene, path) == pytest.approx(planar_chain.tip_path(scene), abs=1e-10)


@pytest.mark.long
def test_two_routes_to_the_truth_of_doors_agree() -> None:
    """One angle each, and maximal coordinates with hinges."""
    scene = brief(doors(4))
    path = constrained.path_of(scene)
    assert path.positions == pytest.approx(closed_forms.hinged_path(scene), abs=1e-9)


@pytest.mark.long
def test_a_true_path_has_no_error_and_a_wrong_one_has() -> None:
    """A centimetre too low at the end shows as error, separation and in the energy."""
    scene = brief(chain(2))
    path = constrained.path_of(scene)
    truth = judged_points(scene, path)
    good = figures(scene, path, truth)
    assert good.error == good.path_error == 0.0
    assert good.separation < 1e-10
    assert good.energy_gain < 1e-9
    lowered = path.positions.copy()
    lowered[-1, :, 1] += 0.01
    bad = figures(scene, replace(path, positions=lowered), truth)
    assert bad.error == pytest.approx(0.01 / scene.length)
    assert bad.separation == pytest.approx(0.01)
    assert bad.energy_gain > 1e-3


@pytest.mark.long
def test_what_blows_up_counts_as_infinitely_wrong() -> None:
    """NaN never passes for accuracy."""
    scene = brief(chain(1))
    path = constrained.path_of(scene)
    broken = path.positions.copy()
    broken[-1] = np.nan
    found = figures(scene, replace(path, positions=broken), judged_points(scene, path))
    assert found.error == found.separation == np.inf


@pytest.mark.parametrize("name", QUICK)
def test_scenes_are_sound_mechanisms(name: str) -> None:
    """What the solver is given has no error, and as many bodies and joints as the scene."""
    scene = SCENES[name]()
    mechanism = mechanism_of(scene)
    assert [issue for issue in check(mechanism) if issue.severity == "error"] == []
    assert len(list(mechanism.joints())) == len(scene.joints)
    assert sum(node.motion is not None for node in mechanism.nodes) == scene.count + 1


def test_the_tree_is_seeded() -> None:
    """Two builds are equal, and hold a joint for each of 2^10 - 1 bodies."""
    first, second = tree(), tree()
    assert first.count == len(first.joints) == 1023
    assert np.array_equal(first.positions, second.positions)
