# SPDX-License-Identifier: GPL-3.0-or-later
"""Random robots as text: trees of every joint, about any axis, with and without springs."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

AXES = ("1 0 0", "0 1 0", "0 0 1", "-1 0 0", "0 -1 0", "0 0 -1")


def urdf(seed: int, *, floats: bool) -> str:
    """Return a robot of ROS of 4 to 9 links; its joints stand in any order that has parents first.

    Args:
        seed: of the dice.
        floats: whether its root weighs something.
    """
    dice = Random(seed)
    count = dice.randint(4, 9)
    names = [f"link_{i}" for i in range(count)]
    lines = ["<robot name='random'>", _link(names[0], dice, weighs=floats)]
    lines += [_link(name, dice, weighs=True) for name in names[1:]]
    for i in range(1, count):
        # The last ones have names that links have too, as many files do.
        name = names[i] if i > count - 2 else f"j{dice.randrange(10**6)}"
        lines.append(_joint(name, names[dice.randrange(i)], names[i], dice, is_fixed=i % 5 == 3))
        lines += [_transmission(name)] if dice.random() < 0.4 else []
    return "\n".join([*lines, "</robot>"])


def _transmission(joint: str) -> str:
    return (
        f"<transmission name='of {joint}'><type>transmission_interface/SimpleTransmission</type>"
        f"<joint name='{joint}'><hardwareInterface>a &amp; b</hardwareInterface></joint>"
        f"<actuator name='motor'><mechanicalReduction>-50</mechanicalReduction></actuator>"
        f"</transmission>"
    )


def _link(name: str, dice: Random, *, weighs: bool) -> str:
    if not weighs:
        return f"<link name='{name}'/>"
    size, place = dice.uniform(0.01, 0.1), " ".join(f"{dice.uniform(-0.2, 0.2):.4f}" for _ in "xyz")
    return (
        f"<link name='{name}'><inertial><origin xyz='{place}'/>"
        f"<mass value='{dice.uniform(0.2, 5):.4f}'/><inertia ixx='{size:.4f}' ixy='0' ixz='0' "
        f"iyy='{1.2 * size:.4f}' iyz='0' izz='{1.1 * size:.4f}'/></inertial></link>"
    )


def direction(dice: Random) -> str:
    """Return an axis of the frame, or an oblique one."""
    if dice.random() < 0.6:
        return dice.choice(AXES)
    return " ".join(f"{dice.uniform(-1, 1):.6f}" for _ in range(3))


def _joint(name: str, parent: str, child: str, dice: Random, *, is_fixed: bool) -> str:
    kind = "fixed" if is_fixed else dice.choice(("revolute", "continuous", "prismatic"))
    turn = dice.choice(("0 0 0", "1.5707963 0 0", "0 0 -1.5707963", "0.3 -0.7 2.1"))
    place = " ".join(f"{dice.uniform(-0.5, 0.5):.4f}" for _ in "xyz")
    low, high = dice.choice(((-1.0, 2.0), (-0.25, 0.75), (0.0, 1.2), (-2.0, 0.0), (0.0, 0.0)))
    effort = dice.choice(("12.5", "12.5", "0"))
    inside = f"<limit lower='{low}' upper='{high}' effort='{effort}' velocity='3.25'/>"
    if dice.random() < 0.5:
        damping, friction = dice.choice((0.0, 0.3)), dice.choice((0.0, 0.7))
        inside += f"<dynamics damping='{damping}' friction='{friction}'/>"
    if dice.random() < 0.3:
        inside += "<safety_controller k_velocity='2.5' soft_upper_limit='0.5'/>"
    if dice.random() < 0.3 and low < high:  # MJCF holds a joint, or has it follow
        inside += f"<mimic joint='{name}' multiplier='-0.5' offset='0.25'/>"
    return (
        f"<joint name='{name}' type='{kind}'><origin xyz='{place}' rpy='{turn}'/>"
        f"<parent link='{parent}'/><child link='{child}'/><axis xyz='{direction(dice)}'/>"
        f"{'' if kind == 'fixed' else inside}</joint>"
    )


def mjcf(seed: int) -> str:
    """Return a model of MuJoCo of a few bodies with none to three joints each."""
    dice = Random(seed)
    lines = ["<mujoco><compiler angle='radian'/><worldbody>"]
    names = iter(dice.sample(range(10**6), 60))
    for tree in range(dice.randint(1, 2)):
        depth = dice.randint(2, 4)
        stands = tree > 0 and dice.random() < 0.5  # on a body that does not move, behind the first
        lines.append("<body name='stand' pos='1 0 0'>" if stands else "")
        for i in range(depth):
            place = " ".join(f"{dice.uniform(-0.5, 0.5):.4f}" for _ in "xyz")
            turn = dice.choice(("1 0 0 0", "0.7071068 0 0.7071068 0", "0.5 0.5 -0.5 0.5"))
            lines.append(f"<body name='b{tree}{i}' pos='{place}' quat='{turn}'>")
            free = f"<joint type='free' name='j{next(names)}'/>"
            lines.append(free if tree and not i and not stands else _stack(names, dice))
            lines.append("<geom size='0.05 0.06 0.07' type='box' mass='1.5'/>")
        lines.append("</body>" * (depth + stands))
    return "\n".join([*lines, "</worldbody></mujoco>"])


def _stack(names: Iterator[int], dice: Random) -> str:
    kinds = dice.choice((["hinge"], ["slide"], ["ball"], ["hinge", "hinge"], ["slide"] * 3, []))
    if kinds == [] or dice.random() < 0.3:  # a plane root: slides one way round and a hinge
        axes = dice.sample(AXES[:3], 3)
        kinds = ["slide", "slide", "hinge"]
    else:
        axes = dice.sample(AXES[:3], 3) if len(kinds) == 3 else [direction(dice) for _ in kinds]
    found = []
    for kind, axis in zip(kinds, axes, strict=False):
        said = "" if kind == "ball" else f"axis='{axis}' {dice.choice(('', RANGE))}"
        spring = dice.choice(("", "damping='0.2'", "stiffness='3' springref='0.1' damping='0.4'"))
        said += "" if kind == "ball" else f" {spring} armature='0.01'"
        found.append(f"<joint name='j{next(names)}' type='{kind}' {said}/>")
    return "".join(found)


RANGE = "range='-0.4 1.1'"
