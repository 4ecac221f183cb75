# SPDX-License-Identifier: GPL-3.0-or-later
"""Which words robots' files have where, and what slips of the pen are said of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..model.wording.findings import Findings
from .element import Element

Words = Mapping[str, frozenset[str]]
"""By element: its attributes, and the elements in it with "<" before; of others none is judged."""
NAMED = ("link", "body", "joint", "freejoint", "geom")
"""Elements of which no two of a kind have one name."""
FULL_TURN = 6.3
"""rad, rounded up: who says more for where something is means degrees."""


def judged(root: Element, words: Words, findings: Findings, *, strict: bool) -> Iterator[Element]:
    """Yield the elements whose words are known, and note slips in them.

    Where a format is strict, all other words are slips; else those that it has elsewhere, since
    people add their own.
    """
    somewhere = {word.lstrip("<") for some in words.values() for word in some}
    names: set[tuple[str, str]] = set()
    waiting = [root]
    while waiting:
        element = waiting.pop()
        own = words.get(element.tag)
        if own is None:
            continue
        yield element
        name = (element.tag.removeprefix("free"), element.text("name"))
        if element.tag in NAMED and name[1]:
            if name in names:
                findings.note("twice", name[1], name)
            names.add(name)
        for word in (*element.attributes, *(f"<{child.tag}" for child in element.children)):
            bare = word.lstrip("<")
            if word in own or bare.startswith("xml"):
                continue
            if strict or bare.lower() in somewhere:
                place = f"{bare} in {element.tag}, line {element.line}"
                findings.note("slip", place, (element.tag, word))
            else:
                findings.note("left-out", bare, bare)
        waiting += reversed(element.children)


def _known(**words: str) -> Words:
    """Return words by element of texts that list them."""
    return {tag: frozenset(text.split()) for tag, text in words.items()}


_INSIDE = """ <body <frame <inertial <joint <freejoint <geom <site <camera <light <plugin <flexcomp
 <attach <composite <replicate name childclass user pos quat axisangle euler xyaxes zaxis """
MJCF_WORDS = _known(
    mujoco="""model <compiler <option <size <visual <statistic <default <extension <custom <asset
        <worldbody <contact <deformable <equality <tendon <actuator <sensor <keyframe <include""",
    compiler="""alignfree angle assetdir autolimits balanceinertia boundinertia boundmass conflict
        convexhull coordinate discardvisual eulerseq exactmeshinertia fitaabb fusestatic
        inertiafromgeom inertiagrouprange meshdir passthrough savecanonical savecompiled
        saveinertial settotalmass strippath texturedir usethread <lengthrange""",
    worldbody=_INSIDE,
    body="fuse gravcomp mocap simple sleep" + _INSIDE,
    frame=_INSIDE,
    inertial="mass diaginertia fullinertia pos quat axisangle euler xyaxes zaxis",
    freejoint="align group name",
    joint="""actuatorfrclimited actuatorfrcrange actuatorgravcomp armature axis class damping
        frictionloss group limited margin name pos range ref solimpfriction solimplimit
        solreffriction solreflimit springdamper springref springyield stiffness type user""",
    geom="""adhesion axisangle castshadow class conaffinity condim contype density euler fitscale
        fluidcoef fluidshape friction fromto gap group hfield margin mass material mesh name pos
        priority quat rgba shellinertia size solimp solmix solref surfacevel type user xyaxes zaxis
        <plugin""",
)
"""Source: ``mj_printSchema`` of MuJoCo 4.0, and what 2.3 had besides."""
URDF_WORDS = _known(
    robot="name version <link <joint <material <transmission",
    link="name type <inertial <visual <collision",
    inertial="<origin <mass <inertia",
    mass="value",
    inertia="ixx ixy ixz iyy iyz izz",
    visual="name <origin <geometry <material",
    collision="name <origin <geometry <material",
    origin="xyz rpy quat_xyzw",
    joint="""name type <origin <parent <child <axis <calibration <dynamics <limit <mimic
        <safety_controller""",
    parent="link",
    child="link",
    axis="xyz",
    dynamics="damping friction",
    limit="lower upper effort velocity acceleration deceleration jerk",
    mimic="joint multiplier offset",
)
"""Source: the XML specifications of urdf."""
