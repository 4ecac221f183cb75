# SPDX-License-Identifier: GPL-3.0-or-later
"""Of every kind of finding it is decided whether something is lost."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import omi_physics_joint
from omi_physics_joint.gltf.document.members import UNHARMED
from omi_physics_joint.gltf.fresh import UNSAID
from omi_physics_joint.gltf.read import read
from omi_physics_joint.model.issue import Issue, Severity
from omi_physics_joint.model.losses import LOSSES, OF_OMI
from omi_physics_joint.model.validate import check
from omi_physics_joint.model.validate.codes import VERDICTS
from omi_physics_joint.model.wording.findings import Finding, Findings
from omi_physics_joint.robots.findings import MJCF_READ, URDF_READ, WRITTEN
from omi_physics_joint.usd.reading.findings import KINDS as STAGE_READ
from omi_physics_joint.usd.writing.losses import KINDS as STAGE_WRITTEN
from tests.model.validate.test_rules import CASES

PACKAGE = Path(omi_physics_joint.__file__).parent
TELLING = ("Issue", "_issue", "_note", "note", "report", "tell", "warn", "warning", "_warning")
"""What functions are called that take a code."""
CODE = re.compile(r"[a-z]+(-[a-z]+)+")
TABLES = {
    "mjcf": {**MJCF_READ, **WRITTEN},
    "urdf": {**URDF_READ, **WRITTEN},
    "": {**STAGE_READ, **STAGE_WRITTEN},
}
NONE_LOST = """
angle-in-degrees
animated-setting-moved went-through begins-inside body-stays constraint-on-body contacts-lacking
drive-not-a-number
drive-on-locked-axis extension-required extensions-differ node-in-no-scene
dynamic-animated dynamic-baked export-setting-not-used flat-body flat-frame foreign-drive
geometry-below held-elsewhere hull-fills-hole hull-simplified
godot-hinge-motor gravity-of-nodes gravity-taken infinite-number instance-not-moved
joint-animated joint-given-node joint-incomplete joint-muted joint-nothing-moves joint-overlaps
joint-broke joint-to-world
joint-within-body locks-hold-nothing
time-stretched
force-field legacy-body legacy-joint limit-empty mass-left-open mjcf-axis mjcf-ball mjcf-boundless
mjcf-twice mjcf-capsule mjcf-floating mjcf-held mjcf-held-now
mjcf-kept mjcf-light mjcf-massless mjcf-motor mjcf-planar mjcf-scene-gravity mjcf-standing
mjcf-stops mjcf-tapered moved-from-rest moved-since-joined opened-since-joined
negative-is-infinite newer-data no-physics not-converged
partner-of-no-joint picture-put-apart required-missing roughly-computed simulation-failed
soft-lock-gave-way static-animated static-not-said tried-in-godot turned-round
uneven-scale-above-body urdf-axis urdf-ball urdf-degrees urdf-twice
urdf-boundless urdf-capsule urdf-floating urdf-held urdf-held-now urdf-kept urdf-massless
urdf-scene-gravity urdf-standing urdf-stops urdf-tapered unknown-member usd-acceleration
usd-base-elsewhere usd-combine
usd-mass-between usd-measures-differ usd-measures-unsaid usd-measures-wrong
usd-bounds-reversed capsule-height usd-not-on-base usd-other-way usd-soft-limit usd-static
usd-subdivision usd-trigger scaled-since-joined mass-outdated rigid-body-too soft-body-too
scale-animated unit-scale z-up gravity-up center-outdated off-since-joined reset-since-joined
turned-since-joined mesh-changes scaled-since-read
"""
COUNTED = """
actuator angle articulation attribute ball body capsule collider contact drive element equality
fixed flag free geom geometry gravity instancer joint limit link material medium mesh name node
other pair or part plane point prim property root scene schema shape tendon trigger word
"""
NO_LOSS = frozenset(NONE_LOST.split())
"""What was decided to be no loss."""


def told_in_code() -> Iterator[str]:
    """Yield the codes that are written where something is found, and not in a table."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(call, ast.Call) or "loss" in [one.arg for one in call.keywords]:
                continue
            name = getattr(call.func, "attr", getattr(call.func, "id", ""))
            words = [word.value for word in call.args[:3] if isinstance(word, ast.Constant)]
            if name in TELLING and "robots" not in path.relative_to(PACKAGE).parts[0]:
                yield from (word for word in words if CODE.fullmatch(str(word)))
            if name == "say" and "Severity" in ast.unparse(call):
                yield from (f"{family}-{words[0]}" for family in ("mjcf", "urdf"))


def told_by_tables() -> Iterator[str]:
    """Yield the codes of tables of findings, as issues have them."""
    for family, kinds in TABLES.items():
        for code in kinds:
            yield f"{family}-{code}" if family else code


@pytest.mark.long
def test_every_kind_of_finding_is_decided() -> None:
    """What a reader or writer may find is a loss or none; judgements on a mechanism are none."""
    judged = set(VERDICTS)
    found = {*told_in_code(), *told_by_tables(), *UNSAID} - judged
    assert len(found) > 150
    assert sorted(found - LOSSES - NO_LOSS) == []
    assert sorted(LOSSES & (NO_LOSS | judged)) == []
    assert sorted(NO_LOSS - found) == []


def test_what_is_counted_is_a_word() -> None:
    """The same few things in all tables; a sentence by itself counts none."""
    counted = {kind.noun for kinds in TABLES.values() for kind in kinds.values()}
    words = {word for noun in counted for word in noun.split()}
    assert words == set(COUNTED.split())


def test_an_issue_knows_whether_something_is_lost() -> None:
    """Whoever makes an issue need not say it: its code does, with that of its family."""
    findings = Findings({"tendon": Finding("tendon", "{are} left out")}, "a.xml", "mjcf-")
    findings.note("tendon", "string")
    (lost,) = findings.issues()
    assert lost.loss
    assert lost.as_json()["loss"] is True
    assert not Issue(Severity.WARNING, "mjcf-light", "a", "b").loss
    assert Issue(Severity.WARNING, "mjcf-light", "a", "b", loss=True).loss


@pytest.mark.parametrize("code", sorted(OF_OMI))
def test_what_omi_cannot_say_is_lost_where_nothing_else_is_spoken(code: str) -> None:
    """The same finding is a loss in a file with OMI's extensions alone, and none beside KHR's."""
    for spoken, lost in ((("omi",), True), (("omi", "khr"), False)):
        found = check(CASES[code][0], spoken=frozenset(spoken))
        assert {one.loss for one in found if one.code == code} == {lost}


def test_errors_of_a_document_are_losses() -> None:
    """What the specification forbids is not read as it stands; what harms nothing is."""
    node = {"extensions": {"OMI_physics_body": {"motion": {"type": 7}}}}
    issues = read({"nodes": [node]}).issues
    assert {(one.code, one.loss) for one in issues} == {
        ("wrong-type", True),
        ("extension-not-declared", False),
    }
    assert "extension-not-declared" in UNHARMED
