# SPDX-License-Identifier: GPL-3.0-or-later
"""MJCF written: contents as a model of MuJoCo, in radians, Z up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from pathlib import Path

from ....model.body import GRIP, IDENTITY_QUATERNION, Quaternion, Vector3
from ....model.contents import Contents, Package
from ....model.geometry.transform import Matrix, multiply, times, translation_of
from ....model.issue import Issue
from ....model.mechanics.masses import principal
from ....model.mechanism import GRAVITY, Mechanism
from ....model.shape import Box, Capsule, Cylinder, Plane, Shape, Sphere, type_of
from ....model.validate.burdens import is_thrown_back, parts_of_single_bodies
from ....model.validate.survey import survey_of
from ....model.wording.describe import GLTF_AXES
from ....model.wording.findings import Findings
from ...element import Element, Said, unique, xml_text
from ...exporting.links import robot_of
from ...findings import WRITTEN
from ...mesh_files import MeshFiles
from ...remarks import mimic_of
from ...robot import WORLD, Axis, Geom, Link, Loop, Robot, Spring, Surface, Way, in_axes_of
from ...surfaces import is_flat, thickened
from ...turning import quaternion_of, shifted, wxyz
from ..joints import LEAST_EFFORT
from ..start import HOME
from .actuators import Written, claimed, is_passive, write_actuators

SHOWN, HIDDEN = "2", "3"
"""Groups of geoms: what MuJoCo's viewer shows, and what it does not."""
DAMPING = 5
"""Of limits, where 1 just does not swing; what has given way comes back slower by 4 DAMPING^2."""
LIMITS = {"solreflimit": f"0.0004 {DAMPING}", "solimplimit": "0.99 0.9999 0.0001"}
LOOPS = {"solref": "0.0004 1", "solimp": "0.99 0.9999 0.0001"}
"""As hard as steps bear: MuJoCo takes two steps where that is longer. Limits and loops of ours do
not give way; what hits a limit is to stay there, so limits are damped far more than they swing."""
ARM = 0.1
"""m between the two points that a hinge is held at."""
SMALLEST, SMALLEST_PART = 1e-12, 1e-9
"""kg m^2, and as a part of the largest: a moment of inertia of what moves."""
NOTICED_PART = 1e-5
"""Of the largest moment of inertia: what it is off by is said."""
CORNERS = 4
STEP = "0.001"


def write_mjcf(contents: Contents, path: Path) -> tuple[Package, tuple[Issue, ...]]:
    """Return the files that hold contents as MJCF, and what they cannot say."""
    findings = Findings(WRITTEN, path.name, "mjcf-")
    robot = robot_of(contents, path.stem, findings, has_planes=True)
    for link in robot.links:
        if link.mass is not None and _is_changed(principal(link.mass.inertia)[0]):
            findings.note("inertia", link.name)
    meshes = MeshFiles(f"{path.stem}_meshes")
    _note_losses(robot, findings)
    _note_rebounds(contents.mechanism, findings)
    return Package(xml_text(_model(robot, meshes)).encode(), meshes.files), findings.issues()


def _note_losses(robot: Robot, findings: Findings) -> None:
    """Note what MJCF has no words for."""
    for link in robot.links:
        if not link.free and any((*link.velocity, *link.spin)):
            findings.note("velocity", link.name)
        if link.remarks.name and not (link.axes or link.free):
            findings.note("fixed-joint", link.remarks.name)
    axes = [axis for link in robot.links for axis in link.axes]
    for axis in axes:
        velocity = axis.remarks.velocity
        lost = {
            "largest-velocity": velocity is not None and velocity < MOST_EFFORT,
            "transmissions": bool(axis.remarks.transmissions),
            "safety": axis.remarks.safety is not None,
            "follows-nothing": axis.low == axis.high and mimic_of(axis.remarks) is not None,
        }
        for code in (code for code, is_lost in lost.items() if is_lost):
            findings.note(code, axis.name)


def _note_rebounds(mechanism: Mechanism, findings: Findings) -> None:
    """Note the joints whose bounds may be struck so fast that what they give back is noticed."""
    survey = survey_of(mechanism, GLTF_AXES)
    parts = parts_of_single_bodies(survey)
    for ends in survey.joints:
        is_bounded = any(span.is_bounded for span in survey.within[ends.joint.settings])
        moves = any(map(survey.is_dynamic, ends.bodies))
        if is_bounded and moves and is_thrown_back(survey, ends, parts, 0.25 / DAMPING**2):
            findings.note("stops", survey.name(ends.index))


def _model(robot: Robot, meshes: MeshFiles) -> Element:
    root = Element("mujoco", {"model": robot.name})
    root.add("compiler", angle="radian", autolimits="true", meshdir=meshes.folder)
    gravity = (0.0, 0.0, -GRAVITY) if robot.gravity is None else robot.gravity
    root.add("option", timestep=STEP, integrator="implicitfast", gravity=gravity)
    defaults = root.add("default")
    defaults.add("joint", **LIMITS)
    defaults.add("equality", **LOOPS)
    defaults.add("geom", friction=_friction(GRIP.dynamic_friction))
    assets = root.add("asset")
    world = root.add("worldbody")
    geom_names: set[str] = set()
    _write_geoms(world, robot.geoms, meshes, geom_names)
    written, bodies = _write_bodies(world, robot, meshes, geom_names)
    _write_contacts(root, robot)
    _write_loops(root, robot, bodies)
    _write_followers(root, written)
    controls = write_actuators(root.add("actuator"), written)
    _write_key(root, written, controls)
    for name in meshes.names:
        # Nothing weighs by its mesh; so a mesh without a volume is no error.
        assets.add("mesh", name=name, file=f"{name}.stl", inertia="shell")
    root.children = [one for one in root.children if one.children or one.attributes]
    return root


def _write_bodies(
    world: Element, robot: Robot, meshes: MeshFiles, geom_names: set[str]
) -> tuple[list[Written], dict[int, Element]]:
    """Write all links, and return their joints in MuJoCo's order, and all elements."""
    joints: list[Written] = []
    names: set[str] = set()
    children: dict[int, list[int]] = {}
    places = _places(robot)
    for index in sorted(range(len(robot.links)), key=places.__getitem__):
        children.setdefault(robot.links[index].parent, []).append(index)
    elements: dict[int, Element] = {WORLD: world}
    waiting = children.get(WORLD, [])[::-1]
    while waiting:
        index = waiting.pop()
        waiting += children.get(index, [])[::-1]
        link = robot.links[index]
        body = elements[link.parent].add("body", name=link.name, **_pose(link.placed))
        body.say(mocap="true" if link.led else None, gravcomp=1.0 - link.gravity or None)
        elements[index] = body
        joints += write_joints(body, index, link, names)
        if link.mass is not None:
            moments, turn = principal(link.mass.inertia)
            inertial = body.add("inertial", pos=link.mass.centre, quat=_quat(turn))
            inertial.say(mass=link.mass.mass, diaginertia=_possible(moments))
        _write_geoms(body, link.geoms, meshes, geom_names)
    return joints, elements


def _places(robot: Robot) -> list[float]:
    """Return where each link is in the order of a file: that of its joint, else of those below."""
    own: list[float] = []
    for link in robot.links:
        said = [link.remarks, *(axis.remarks for axis in link.axes)]
        own.append(min((one.number for one in said if one.number is not None), default=inf))
    found = own.copy()
    for index in reversed(range(len(found))):
        above = robot.links[index].parent
        if above != WORLD and own[above] == inf:
            found[above] = min(found[above], found[index])
    return found


def _possible(diagonal: Vector3) -> Vector3:
    """Return moments that MuJoCo takes: none zero, none larger than the other two together."""
    least = max(SMALLEST, SMALLEST_PART * max(diagonal))
    a, b, c = (max(part, least) for part in diagonal)
    most = (1.0 - SMALLEST_PART) * (a + b + c - max(a, b, c))
    return (min(a, most), min(b, most), min(c, most)) if max(a, b, c) > most else (a, b, c)


def _is_changed(diagonal: Vector3) -> bool:
    """Return whether the moments that MuJoCo takes are others, rounding aside."""
    pairs = zip(diagonal, _possible(diagonal), strict=True)
    return any(abs(one - other) > NOTICED_PART * max(diagonal) for one, other in pairs)


def _solid(surface: Surface, shape: Shape | None, plates: dict[int, Surface]) -> Surface:
    """Return a mesh that MuJoCo takes: of four points, and with a hull where it collides."""
    flat = len(set(surface.points)) < CORNERS or (shape is not None and is_flat(surface))
    if not flat:
        return surface
    if id(surface) not in plates:
        plates[id(surface)] = thickened(surface)
    return plates[id(surface)]


def _write_geoms(body: Element, geoms: Sequence[Geom], meshes: MeshFiles, names: set[str]) -> None:
    """Write geoms; those of links weigh nothing, since links say what they weigh."""
    plates: dict[int, Surface] = {}
    for geom in geoms:
        name = unique(geom.name or "geom", names)
        shape, surface = geom.shape, geom.surface
        element = body.add("geom", name=name, **_pose(geom.pose))
        if surface is not None:
            element.say(type="mesh", mesh=meshes.name(_solid(surface, shape, plates)))
        elif shape is not None:
            element.say(type=type_of(shape), size=_size(shape))
        if shape is None:
            element.say(contype="0", conaffinity="0")
        friction = None if geom.friction is None else _friction(geom.friction)
        mass = None if isinstance(shape, Plane) else "0"
        element.say(friction=friction, group=SHOWN if geom.shown else HIDDEN, mass=mass)


def _friction(sliding: float) -> Vector3:
    """Return friction of what slides, with MuJoCo's own of what spins and rolls."""
    return (sliding, 0.005, 0.0001)


def _size(shape: Shape) -> tuple[float, ...]:
    """Return the size of what is no mesh: halves, but for radii."""
    if isinstance(shape, Box):
        return times(shape.size, 0.5)
    if isinstance(shape, Plane):
        sides = (shape.size_x, shape.size_z)
        return (*(0.0 if side == inf else 0.5 * side for side in sides), 1.0)
    if isinstance(shape, Capsule | Cylinder):
        return (shape.radius_bottom, 0.5 * shape.height)
    return (shape.radius,) if isinstance(shape, Sphere) else ()


def _pose(pose: Matrix) -> dict[str, Said]:
    """Return a pose as attributes, without what is nothing."""
    place = translation_of(pose)
    return {"pos": place if any(place) else None, "quat": _quat(quaternion_of(pose))}


def _quat(turn: Quaternion) -> Quaternion | None:
    return None if turn == IDENTITY_QUATERNION else wxyz(turn)


def _write_contacts(root: Element, robot: Robot) -> None:
    """Write which bodies do not meet: filters, loops, and joints to what stands still."""
    pairs = {tuple(sorted(pair)) for pair in robot.apart}
    pairs |= {tuple(sorted((loop.one, loop.other))) for loop in robot.loops if loop.apart}
    for index, link in enumerate(robot.links):
        if link.axes and not link.meets_parent:
            pairs.add(tuple(sorted((index, link.parent))))
    names = {WORLD: "world"} | {index: link.name for index, link in enumerate(robot.links)}
    contact = root.add("contact")
    for one, other in sorted(pairs):
        contact.add("exclude", body1=names[one], body2=names[other])


def _write_loops(root: Element, robot: Robot, bodies: Mapping[int, Element]) -> None:
    """Write joints beside the tree: a hinge is held at two points."""
    equality = root.add("equality")
    names: set[str] = set()
    for loop in robot.loops:
        for number, (one, other) in enumerate(_held(loop)):
            name = unique(loop.name if not number else f"{loop.name} axis", names)
            sites = []
            for side, (link, pose) in enumerate(((loop.one, one), (loop.other, other)), start=1):
                sites.append(f"{name} {side}")
                bodies[link].add("site", name=sites[-1], **_pose(pose))
            tag = "connect" if loop.turns else "weld"
            equality.add(tag, name=name, site1=sites[0], site2=sites[1])


def _write_followers(root: Element, written: Sequence[Written]) -> None:
    """Write joints that follow another or are held, counted from where both rest."""
    equality = next(root.all("equality"))
    joints = {one.axis.name: one for one in written if one.axis is not None}
    for name, one in joints.items():
        assert one.axis is not None
        axis, mimic = one.axis, mimic_of(one.axis.remarks)
        if axis.low == axis.high:
            coefficients = (axis.low - axis.rest, 0.0, 0.0, 0.0, 0.0)
            equality.add("joint", name=f"{name} held", joint1=one.name, polycoef=coefficients)
        elif mimic is not None and (leader := joints.get(mimic.joint)) is not None:
            rest = leader.axis.rest if leader.axis is not None else 0.0
            offset = mimic.offset - axis.rest + mimic.multiplier * rest
            coefficients = (offset, mimic.multiplier, 0.0, 0.0, 0.0)
            element = equality.add("joint", name=f"{name} follows", polycoef=coefficients)
            element.say(joint1=one.name, joint2=leader.name)


def _held(loop: Loop) -> list[tuple[Matrix, Matrix]]:
    """Return the poses that a loop brings together: of a hinge two points of its axis."""
    pairs = [(loop.pose, loop.other_pose)]
    if loop.about is not None:
        way = shifted(times(in_axes_of(loop.pose, loop.about), ARM))
        pairs.append((multiply(loop.pose, way), multiply(loop.other_pose, way)))
    return pairs


def _write_key(root: Element, written: Sequence[Written], controls: Sequence[float]) -> None:
    """Write the pose that the robot starts in, where that is not what MuJoCo starts with."""
    place = [value for one in written for value in one.places]
    speed = [value for one in written for value in one.speeds]
    is_turned = any(any(one.axis.turn[:3]) for one in written if one.axis is not None)
    if not (any(speed) or any(controls) or is_turned):
        return
    key = root.add("keyframe").add("key", name=HOME, qpos=place)
    key.say(qvel=speed if any(speed) else None, ctrl=controls if any(controls) else None)


ENDLESS = 1e6
"""m or rad: a bound that is never reached."""
MOST_EFFORT = 1e9
"""N or N m: from here on a largest force is none."""


def write_joints(body: Element, index: int, link: Link, names: set[str]) -> list[Written]:
    """Write the joints of a link, and return them."""
    if link.free:
        name = unique(link.remarks.name or f"{link.name} free", names)
        body.add("freejoint", name=name)
        places = (*translation_of(link.placed), *wxyz(quaternion_of(link.placed)))
        spin = in_axes_of(link.placed, link.spin)
        return [Written(name, None, places, (*link.velocity, *spin))]
    found: list[Written] = []
    for axis, rates in zip(link.axes, link.rates_by_axis(), strict=True):
        name = unique(axis.name or f"{link.name} joint {index}", names)
        springs, kept = claimed(axis)
        body.add("joint", name=name, type=axis.way.value, **_said(axis, springs))
        start = wxyz(axis.turn) if axis.way is Way.BALL else (axis.value,)
        found.append(Written(name, axis, start, rates, springs, kept))
    return found


def _said(axis: Axis, springs: Sequence[Spring]) -> dict[str, Said]:
    anchor = axis.anchor if axis.way is not Way.SLIDE and any(axis.anchor) else None
    remarks = axis.remarks
    most = inf if remarks.effort is None else max(remarks.effort, LEAST_EFFORT)
    own: dict[str, Said] = {
        "pos": anchor,
        "armature": remarks.armature,
        "frictionloss": sum(one.max_force for one in axis.springs if one.is_dry) or None,
        "actuatorfrcrange": None if most >= MOST_EFFORT else (-most, most),
    }
    if axis.way is Way.BALL:
        del own["actuatorfrcrange"]
        return {**own, "range": (0.0, axis.high) if axis.high < inf else None}
    bounds = (max(axis.low, -ENDLESS), min(axis.high, ENDLESS))
    is_bounded = axis.low < axis.high and (axis.low, axis.high) != (-inf, inf)
    spring = next(filter(is_passive, springs), Spring())
    return {
        **own,
        "axis": axis.direction,
        "ref": axis.rest or None,
        "range": bounds if is_bounded else None,
        "stiffness": spring.stiffness or None,
        "springref": (spring.target or 0.0) if spring.stiffness else None,
        "damping": spring.damping or None,
    }
