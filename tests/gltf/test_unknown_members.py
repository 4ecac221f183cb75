# SPDX-License-Identifier: GPL-3.0-or-later
"""Members that the specifications do not name are kept, at every level, and written back."""

from __future__ import annotations

import copy
import json
from math import inf, nan
from typing import Any

from omi_documents import codes, door

from omi_physics_joint.gltf.document.json_text import members_of, merged, text_of
from omi_physics_joint.gltf.document.new_nodes import Numbering
from omi_physics_joint.gltf.read import read
from omi_physics_joint.gltf.write import patched, spell
from omi_physics_joint.model.mechanism import Mechanism

EXTRA: dict[str, Any] = {"X_flag": [1, {"b": 2.5, "a": None}], "extras": {"note": "kept"}}


def everywhere() -> dict[str, Any]:
    """Return the door with unknown members in every object of our extensions."""
    gltf = door()
    extensions = gltf["extensions"]
    extensions["OMI_physics_body"] = {
        "physicsMaterials": [{"name": "Ice", "staticFriction": 0.1, **EXTRA}],
        "collisionFilters": [{"name": "All", "collisionSystems": ["a"], **EXTRA}],
    }
    for extension in extensions.values():
        extension.update(EXTRA)
    settings = extensions["OMI_physics_joint"]["physicsJoints"][0]
    settings["drives"] = [{"type": "angular", "mode": "force", "axis": 2, **EXTRA}]
    settings.update(EXTRA)
    for limit in settings["limits"]:
        limit.update(EXTRA)
    shape = extensions["OMI_physics_shape"]["shapes"][0]
    shape |= {"name": "Panel", **EXTRA}
    shape["box"].update(EXTRA)
    collider = {"shape": 0, "physicsMaterial": 0, "collisionFilter": 0, **EXTRA}
    door_body = gltf["nodes"][2]["extensions"]["OMI_physics_body"]
    door_body.update({"collider": collider, "trigger": {"shape": 0, **EXTRA}, **EXTRA})
    door_body["motion"].update(EXTRA)
    gltf["nodes"][3]["extensions"]["OMI_physics_joint"].update(EXTRA)
    return gltf


def written(mechanism: Mechanism, gltf: dict[str, Any]) -> dict[str, Any]:
    """Return the document with the mechanism written into it."""
    same = {i: i for i in range(len(mechanism.nodes))}
    return patched(gltf, spell(mechanism, Numbering(same, {})))


def test_unknown_members_survive_at_every_level() -> None:
    """A document full of unknown members is written back exactly as it was."""
    gltf = everywhere()
    before = copy.deepcopy(gltf)
    reading = read(gltf)
    assert reading.issues == ()
    assert gltf == before
    assert written(reading.mechanism, gltf) == before


def test_unknown_members_are_kept_as_canonical_text() -> None:
    """The text is sorted and compact, and names the block of a shape."""
    mechanism = read(everywhere()).mechanism
    text = '{"X_flag":[1,{"a":null,"b":2.5}],"extras":{"note":"kept"}}'
    joint = mechanism.nodes[3].joint
    assert joint is not None
    assert joint.unknown == text
    assert mechanism.settings[0].limits[0].unknown == text
    assert mechanism.unknown["OMI_physics_body"] == text
    assert mechanism.shapes[0].unknown == '{"X_flag":[1,{"a":null,"b":2.5}],"box":' + text + (
        ',"extras":{"note":"kept"}}'
    )


def test_empty_extras_and_extensions_are_nothing() -> None:
    """An exporter's empty extras leave no trace."""
    gltf = door()
    empty: dict[str, Any] = {"extras": {}, "extensions": {}}
    gltf["extensions"]["OMI_physics_joint"].update(empty)
    gltf["nodes"][3]["extensions"]["OMI_physics_joint"].update(empty)
    gltf["nodes"][2]["extensions"]["OMI_physics_body"]["motion"].update(empty)
    assert read(gltf) == read(door())


def test_unknown_infinities_are_dropped_with_an_issue() -> None:
    """What JSON cannot hold is listed, the rest is kept, and writing works."""
    gltf = door()
    joint = gltf["nodes"][3]["extensions"]["OMI_physics_joint"]
    joint |= {"X_bad": {"deep": [inf]}, "X_worse": nan, "X_good": 1, "X_huge": 10**5000}
    reading = read(gltf)
    assert codes(reading) == ["unknown-not-kept"] * 3
    found = reading.mechanism.nodes[3].joint
    assert found is not None
    assert found.unknown == '{"X_good":1}'
    json.dumps(written(reading.mechanism, gltf), allow_nan=False)


def test_foreign_drives_that_cannot_be_kept_are_listed() -> None:
    """A foreign drive that holds an infinity is left out with a warning."""
    gltf = door()
    gltf["extensions"]["OMI_physics_joint"]["physicsJoints"][0]["drives"] = [
        {"type": "X_muscle", "mode": "force", "axis": 0, "X_pull": inf}
    ]
    reading = read(gltf)
    assert codes(reading) == ["unknown-not-kept"]
    assert reading.mechanism.settings[0].foreign_drives == ()


def test_deeply_nested_unknown_members_are_dropped_with_an_issue() -> None:
    """Nesting beyond what Python can write ends in an issue, not in a recursion error."""
    deep: Any = 1
    for _ in range(100_000):
        deep = [deep]
    gltf = door()
    gltf["nodes"][3]["extensions"]["OMI_physics_joint"]["X_deep"] = deep
    assert codes(read(gltf)) == ["unknown-not-kept"]


def test_known_members_win_over_unknown_ones() -> None:
    """Kept text never overwrites what the model says."""
    assert merged({"min": 1.0}, '{"min":2,"X":3}') == {"min": 1.0, "X": 3}


def test_damaged_text_counts_as_none() -> None:
    """Text that is no JSON object, or holds an infinity, cannot break writing."""
    assert members_of("{broken") == {}
    assert members_of("[1]") == {}
    assert members_of('{"a": Infinity, "b": 1}') == {"b": 1}


def test_canonical_text_has_no_negative_zero() -> None:
    """-0.0 is 0.0 in kept text, at any depth."""
    assert text_of({"a": [-0.0, {"b": -0.0}]}) == '{"a":[0.0,{"b":0.0}]}'


def test_what_may_be_a_slip_is_named_and_what_is_a_vendors_own_is_not() -> None:
    """At every level; names with a prefix, extras and extensions are anybody's."""
    slips = json.loads(json.dumps(everywhere()).replace("X_flag", "xFlag"))
    places = [one.where.split(" ")[0] for one in read(slips).issues]
    assert len(places) == 17
    assert {one.rpartition("/")[2] for one in places} == {"xFlag"}
    assert {one.code for one in read(slips).issues} == {"unknown-member"}
    assert written(read(slips).mechanism, slips) == slips
