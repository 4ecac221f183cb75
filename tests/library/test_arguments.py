# SPDX-License-Identifier: GPL-3.0-or-later
"""A wrong call is told by its argument, and is no fault of a file or of ours."""

from __future__ import annotations

from dataclasses import replace
from math import inf, nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from omi_physics_joint import Choices, ContentsError, check, convert, load, read, simulate
from omi_physics_joint.model.body import Vector3

ROOT = Path(__file__).resolve().parents[2]
DOOR = ROOT / "examples/glb/door.glb"
READING = read(DOOR)
NO_NUMBERS = ("0", None, [1.0], 1j)
NOT_FINITE = (nan, inf, -inf, np.float32(nan))


@pytest.mark.parametrize(
    ("name", "wrong", "error"),
    [
        *(("floor", one, TypeError) for one in ("0", None, [1.0], 1j)),
        *(("floor", one, ValueError) for one in NOT_FINITE),
        *(("accuracy", one, TypeError) for one in NO_NUMBERS),
        *(("accuracy", one, ValueError) for one in (*NOT_FINITE, 0.0, -1.0)),
        *(("substeps", one, TypeError) for one in ("2", 2.5, nan, [2])),
        *(("substeps", one, ValueError) for one in (0, -3)),
        *(("gravity", one, TypeError) for one in (-9.81, True, ("0", "1", "2"), "abc")),
        *(("gravity", one, ValueError) for one in ((0.0, -9.81), (0.0, 1.0, nan), (inf, 0.0, 0.0))),
        *((name, one, TypeError) for one in NO_NUMBERS for name in ("seconds", "fps")),
        *((name, "jolt", ValueError) for name in ("steps", "soft_locks")),
        *((name, "no", TypeError) for name in ("contacts", "beside")),
        *(("progress", one, TypeError) for one in (None, 3, "yes")),
    ],
)
def test_arguments_of_simulate_are_named(name: str, wrong: Any, error: type[Exception]) -> None:
    """Numbers are finite; who gives none, or none of the choices, hears of which argument."""
    with pytest.raises(error, match=name if error is TypeError else f"{name} must be"):
        simulate(READING, **{"seconds": 0.1, name: wrong})


def test_numbers_of_numpy_are_numbers() -> None:
    """Of any of its types, and three of them in an array."""
    words: dict[str, Any] = {"seconds": np.float32(0.1), "fps": np.int64(20)}
    words |= {"gravity": np.array([0.0, -5.0, 0.0]), "substeps": np.int32(2)}
    words |= {"floor": np.float32(0.0), "contacts": True, "accuracy": np.float64(1e-6)}
    assert len(simulate(READING, **words).times) == 3


@pytest.mark.parametrize(
    "wrong", [[DOOR], bytearray(b"glTF"), None, 7, convert(DOOR, "out.urdf")], ids=type
)
def test_what_is_no_source_is_named_by_each(wrong: Any) -> None:
    """Whichever function is called; a reading is one of those that judge and move."""
    for call in (load, read, check, simulate, lambda one: convert(one, "out.urdf")):
        with pytest.raises(TypeError, match="source must be a path"):
            call(wrong)
    for call in (load, lambda one: convert(one, "out.urdf")):
        with pytest.raises(TypeError, match="source must be a path"):
            call(READING)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"contacts": True, "steps": "godot"}, "steps of Godot have none"),
        ({"floor": 0.0}, "floor is for contacts"),
        ({"floor": True}, "floor is for contacts"),
        ({"beside": True}, "beside is for steps of Godot"),
    ],
)
def test_what_another_argument_makes_meaningless_is_refused(given: Any, said: str) -> None:
    """As the command line refuses it: nothing that was asked for is passed over."""
    with pytest.raises(ValueError, match=said):
        simulate(READING, seconds=0.1, **given)


def test_choices_that_are_none_are_named() -> None:
    """Where they are made, and where something else is given for them."""
    with pytest.raises(ValueError, match="dialect must be one of both, omi and khr, not 'KHR'"):
        convert(DOOR, "out.glb", dialect="KHR")
    with pytest.raises(ContentsError, match="This is a folder"):
        check(".")
    assert check(READING, "unity") == check(READING, ["unity"])
    with pytest.raises(ValueError, match="are no 1 to"):
        simulate(READING, seconds=0.005)
    with pytest.raises(ValueError, match="base must be one of file, fixed and floating"):
        Choices(base="Floating")
    with pytest.raises(TypeError, match="packages must be a list"):
        Choices(packages="my=/tmp")
    wrong: Any = {"base": "fixed"}
    for call in (load, read, lambda one, two: convert(one, "out.urdf", choices=two)):
        with pytest.raises(TypeError, match="choices must be Choices"):
            call(DOOR, wrong)


@pytest.mark.parametrize("error", [KeyError, ValueError, OSError, ContentsError, ZeroDivisionError])
def test_what_progress_raises_goes_through(error: type[Exception]) -> None:
    """It is the caller's own way to stop, whatever its class."""
    raised = error("enough")

    def stop(_: float) -> None:
        raise raised

    with pytest.raises(error) as caught:
        simulate(READING, seconds=0.1, progress=stop)
    assert caught.value is raised


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ((0.5, 1.0, 0.0), "tuple of Python"),
        ([0.5, np.float32(1.0), 0.0], "float32 of Python"),
        (np.float32(1.0), "float32 of Python"),
        (np.zeros(3), "ndarray of Python"),
        ([0.5, None, 0.0], "an array of 3"),
        (True, "a boolean"),
    ],
)
def test_what_json_has_not_is_named_in_a_document(wrong: Any, said: str) -> None:
    """A script that changes a document may put anything into it."""
    document = load(DOOR)
    nodes = [dict(node) for node in document.json["nodes"]]
    nodes[0]["translation"] = wrong
    changed = replace(document, json={**document.json, "nodes": nodes})
    assert any(said in one.message for one in read(changed).issues)


@pytest.mark.parametrize(
    ("gravity", "said"),
    [
        ((0.0, 0.0, -9.81), "Gravity points sideways: Y is up here."),
        ((9.81, -1.0, 0.0), "Gravity points sideways: Y is up here."),
        ((0.0, 9.81, 0.0), "Gravity points upwards: Y is up here."),
        ((0.0, -9.81, 0.0), ""),
        ((3.0, -4.0, 3.0), ""),
        ((0.0, 0.0, 0.0), ""),
    ],
)
def test_gravity_along_the_axes_of_others_is_said(gravity: Vector3, said: str) -> None:
    """Blender, ROS and MuJoCo have Z up; on a slope, and with none, nothing is said."""
    motion = simulate(READING, seconds=0.1, gravity=gravity)
    told = [one.message for one in motion.issues if one.code == "gravity-up"]
    assert told == [said] * bool(said)
