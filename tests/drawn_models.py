# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawn models of MuJoCo and robots of ROS as people write them, faults among them.

Each is drawn from its number alone, with what we never write: classes, frames in frames, degrees
and radians, axes that are no unit, words of every kind for one turn.
"""

from __future__ import annotations

from tests.drawn_parts import DrawnParts

NAMES = ("arm", "leg", "hand", "foot", "tail", "rod")
TAGS = (
    "motor",
    *("position", "velocity", "general") * 2,
    "damper",
    "muscle",
    "intvelocity",
    "adhesion",
)
TETRAHEDRON = 'vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 0 3 2 1 2 3"'


class DrawnText(DrawnParts):
    """Draws elements of XML."""

    def several(self, count: int, low: float, high: float) -> str:
        """Return numbers."""
        return " ".join(f"{self.number(low, high)}" for _ in range(count))

    def said(self, part: float, **values: object) -> str:
        """Return some of these attributes; "_" at the end is left out, "true" of what is so."""
        return "".join(
            f' {name.rstrip("_")}="{str(value).lower() if isinstance(value, bool) else value}"'
            for name, value in values.items()
            if self.chance(part)
        )

    def range(self, reach: float) -> str:
        """Return two numbers that rise, or do not where it is odd."""
        low, high = sorted((self.number(-reach, reach), self.number(-reach, reach)))
        ways = (f"{low} {high}", f"{low} {high}", f"0 {abs(high)}", f"{-abs(low)} 0", "0 0")
        return f"{high} {low}" if self.odd(0.3) else self.random.choice(ways)

    def axis(self) -> str:
        """Return a direction, more often along an axis."""
        along = self.random.choice(("1 0 0", "0 2 0", "0 0 1", "-1 0 0", "0 -1 0", "0 0 -1"))
        return self.maybe(0.6, along, self.several(3, -1.0, 1.0))


class DrawnModel(DrawnText):
    """Draws one model of MuJoCo."""

    def __init__(self, number: int) -> None:
        super().__init__(8000 + number)
        self.is_radian = self.chance(0.5)
        self.degrees = 1.0 if self.is_radian else 57.0
        self.bodies: list[str] = []
        self.joints: list[str] = []
        self.geoms: list[str] = []
        self.sites: list[str] = []
        self.places, self.speeds, self.led = 0, 0, 0
        self.classes = ("soft", "inner")

    def turned(self) -> str:
        """Return how something is turned, in one of all words, or not."""
        quaternion = " ".join(f"{one:.4f}" for one in self.turn())
        ways = (
            *("", "", f' quat="{quaternion}"', f' euler="{self.several(3, -0.9, 0.9)}"'),
            f' axisangle="{self.several(3, 0.1, 1.0)} {self.number(-1.0, 1.0) * self.degrees:.3f}"',
            *(' xyaxes="0 1 0 -1 0.5 0"', f' zaxis="{self.axis()}"'),
        )
        return self.random.choice(ways)

    def pose(self, part: float = 0.7, reach: float = 0.6) -> str:
        """Return where something is."""
        return self.said(part, pos=self.several(3, -reach, reach)) + self.turned()

    def of_class(self) -> str:
        """Return a class, seldom."""
        return self.said(0.15, class_=self.random.choice(self.classes))

    def geom(self) -> str:
        """Return a geom of any kind."""
        kind = self.random.choice(
            ("sphere", "capsule", "cylinder", "box", "ellipsoid", "mesh", "plane", "capsule")
        )
        name = f"geom{len(self.geoms)}"
        size = (
            f' size="{self.several(3 if kind in ("box", "ellipsoid", "plane") else 2, 0.05, 0.5)}"'
        )
        if kind in ("capsule", "cylinder", "box") and self.chance(0.4):
            size = f' fromto="{self.several(6, -0.5, 0.5)}" size="{self.number(0.02, 0.2)}"'
        if kind == "mesh":
            size = f' mesh="{self.random.choice(("wedge", "shell", "wedge", "none", "bad"))}"'
        said = self.said(0.5, name=name)
        if said:
            self.geoms.append(name)
        said += self.said(
            0.2,
            density=self.number(100.0, 2000.0),
            mass=self.number(0.1, 3.0),
            friction=self.random.choice(("0.5", "0.8 0.1 0.2")),
            contype=self.random.choice((0, 1, 2, 3)),
            conaffinity=self.random.choice((0, 1, 2)),
            group=self.random.choice((0, 2, 3, 5)),
            shellinertia=self.chance(0.5),
        )
        return f'<geom type="{kind}"{size}{said}{self.pose(0.5)}{self.of_class()}/>'

    def joint(self) -> str:
        """Return a joint that turns, slides or does both as a ball."""
        kind = self.random.choice(("hinge", "hinge", "slide", "ball", ""))
        name = f"joint{len(self.joints)}"
        self.joints.append(name)
        self.places += 4 if kind == "ball" else 1
        self.speeds += 3 if kind == "ball" else 1
        reach = 1.5 if kind == "slide" else 1.5 * self.degrees
        said = f' name="{name}"' + self.said(0.7, axis=self.axis())
        said += self.said(0.5, range=self.range(reach), pos=self.several(3, -0.2, 0.2))
        said += self.said(
            0.2,
            limited=self.random.choice(("true", "false", "auto")),
            stiffness=self.number(1.0, 90.0),
            damping=self.number(0.1, 9.0),
            armature=self.number(0.01, 0.5),
            frictionloss=self.number(0.1, 2.0),
            ref=self.number(-0.5, 0.5) * self.degrees * self.chance(0.9),
            springref=self.number(-0.5, 0.5) * self.degrees,
            springdamper="0.5 1",
            actuatorfrcrange=self.range(40.0),
        )
        kind = f' type="{kind}"' if kind else ""
        return f"<joint{kind}{said}{self.of_class()}/>"

    def inertial(self) -> str:
        """Return what a body weighs."""
        full = self.chance(0.3)
        a, b, c = (self.number(0.3, 0.5) for _ in range(3))
        moments = (
            f'fullinertia="{a} {b} {c} 0.02 0.03 0.01"' if full else f'diaginertia="{a} {b} {c}"'
        )
        turned = "" if full else self.turned()
        place = self.several(3, -0.3, 0.3)
        return f'<inertial pos="{place}" mass="{self.number(0.5, 5.0)}" {moments}{turned}/>'

    def inside(self, depth: int, *, is_world: bool = False) -> str:
        """Return what is in a body or a frame."""
        found = [self.geom() for _ in range(self.random.choice((0, 1, 1, 2)))]
        if self.chance(0.3):
            self.sites.append(f"site{len(self.sites)}")
            found.append(f'<site name="{self.sites[-1]}"{self.pose()}/>')
        if self.chance(0.1):
            found.append(self.random.choice(("<camera/>", "<light/>", "<composite/>")))
        if depth > 0 and self.chance(0.3):
            child = self.said(0.3, childclass=self.random.choice(self.classes))
            inner = self.inside(depth - 1, is_world=is_world)
            found.append(f"<frame{child}{self.pose()}>{inner}</frame>")
        for _ in range(self.random.choice((1, 2) if is_world else (0, 1, 1, 2)) if depth else 0):
            found.append(self.body(depth - 1, is_world=is_world))
        return "".join(found)

    def body(self, depth: int, *, is_world: bool) -> str:
        """Return a body with what is in it."""
        name = f"{self.random.choice(NAMES)}{len(self.bodies)}"
        said = self.said(0.85, name=name)
        if said:
            self.bodies.append(name)
        said += self.said(0.15, childclass=self.random.choice(self.classes))
        said += self.said(0.1, gravcomp=self.number(0.1, 1.0))
        moves = ""
        if is_world and self.chance(0.2):
            moves = self.random.choice(("<freejoint/>", '<joint type="free" damping="1"/>'))
            self.places, self.speeds = self.places + 7, self.speeds + 6
        elif is_world and self.chance(0.15):
            said += ' mocap="true"'
            self.led += 1
        else:
            moves = "".join(self.joint() for _ in range(self.random.choice((0, 1, 1, 1, 2, 3))))
        weighed = self.inertial() if self.chance(0.4) else ""
        return f"<body{said}{self.pose()}>{moves}{weighed}{self.inside(depth)}</body>"

    def equality(self) -> str:
        """Return an equality of any kind."""
        tag = self.random.choice(("connect", "weld", "joint", "joint", "weld", "tendon"))
        said = self.said(0.1, active=self.chance(0.5)) + self.said(0.5, name="held")
        if tag == "joint":
            said += f' joint1="{self.random.choice((*self.joints, "none"))}"'
            said += self.said(0.7, joint2=self.random.choice((*self.joints, "none")))
            curve = self.maybe(0.8, "", " 0.5")
            said += self.said(0.7, polycoef=f"{self.several(2, -0.9, 0.9)}{curve}")
        elif self.sites and self.chance(0.3):
            one, other = (self.random.choice(self.sites) for _ in range(2))
            said += f' site1="{one}" site2="{other}"'
        else:
            one, other = (self.random.choice((*self.bodies, "none")) for _ in range(2))
            said += f' body1="{one}"' + self.said(0.8, body2=other)
            said += self.said(0.7, anchor=self.several(3, -0.4, 0.4))
            relative = " ".join(f"{x:.4f}" for x in self.maybe(0.8, self.turn(), (0.0,) * 4))
            said += self.said(0.4, relpose=f"{self.several(3, -0.4, 0.4)} {relative}")
        return f"<{tag}{said}/>"

    def actuator(self) -> str:
        """Return what pulls at a joint."""
        tag = self.random.choice(TAGS)
        joint = self.random.choice((*self.joints, *self.joints, "none"))
        said = self.said(0.6, name=f"{tag} one") + f' joint="{joint}"'
        said += self.said(
            0.35,
            kp=self.number(1.0, 90.0),
            kv=self.number(0.1, 9.0),
            gear=self.random.choice((2, -3, "0.5 0 0 0 0 0", 0)),
            forcerange=self.range(30.0),
            forcelimited=self.chance(0.6),
            ctrlrange=self.range(3.0),
            ctrllimited=self.chance(0.6),
            gainprm=self.several(1, 1.0, 30.0),
            biastype=self.random.choice(("affine", "none")),
            biasprm=f"{self.number(-1.0, 1.0)} {self.number(-9.0, 2.0)} {self.number(-2.0, 0.5)}",
            dampratio=self.random.choice((0, 1)),
        )
        return f"<{tag}{said}{self.of_class()}/>"

    def key(self, name: str) -> str:
        """Return a key frame."""
        places, speeds = self.places + self.odd(0.3), self.speeds
        said = self.said(0.7, qpos=self.several(places, -0.5, 0.9))
        said += self.said(0.5, qvel=self.several(speeds, -2.0, 2.0))
        said += self.said(0.8, ctrl=self.several(3, -2.0, 2.0))
        said += self.said(0.5, mpos=self.several(3 * self.led, -1.0, 1.0))
        said += self.said(0.5, mquat=self.several(4 * self.led, 0.1, 1.0))
        return f'<key name="{name}"{said}/>'

    def defaults(self) -> str:
        """Return classes in classes."""
        damping, friction = self.number(0.1, 2.0), self.number(0.1, 1.0)
        joint = self.said(0.6, damping=damping, axis="0 1 0", limited=self.chance(0.5))
        geom = self.said(0.5, friction=friction, density=self.number(50.0, 900.0), group=1)
        general = self.said(0.5, kp=7, gainprm=5, ctrllimited=self.chance(0.5))
        return (
            f"<default><joint{joint}/><geom{geom}/><general{general}/>"
            f'<default class="soft"><joint stiffness="{self.number(1.0, 30.0)}"/>'
            f'<position kp="{self.number(1.0, 30.0)}"/><geom contype="2"/>'
            f'<default class="inner"><joint armature="0.25" damping="{self.number(1.0, 3.0)}"/>'
            f"<geom{self.said(0.6, type='box', size='0.1 0.2 0.3', mass=0.5)}/>"
            f"</default></default></default>"
        ) + self.maybe(0.5, '<default><joint damping="0.75"/><geom density="70"/></default>', "")

    def text(self) -> str:
        """Return the model."""
        compiler = self.said(
            0.25,
            autolimits=self.chance(0.5),
            eulerseq=self.random.choice(("xyz", "ZYX", "zxz", "XYZ")),
            boundmass=self.number(0.1, 1.0),
            boundinertia=self.number(0.01, 0.2),
            balanceinertia=self.chance(0.7),
            inertiafromgeom=self.random.choice(("auto", "true", "false")),
            inertiagrouprange=self.random.choice(("0 1", "1 5")),
            settotalmass=self.number(2.0, 20.0),
            exactmeshinertia=self.chance(0.5),
        )
        compiler += ' angle="radian"' if self.is_radian else self.said(0.5, angle="degree")
        option = self.said(0.4, gravity=self.several(3, -9.0, 9.0))
        option += self.said(0.1, density=1.2, viscosity=0.1, wind="1 0 0")
        flag = self.said(0.15, gravity="disable", filterparent="disable")
        flag = self.maybe(0.5, f"<flag{flag}/>", "")
        rule = self.random.choice(("legacy", "shell", "convex", "exact"))
        refs = self.said(0.4, scale="0.5 -0.25 1", refpos="0.1 0 0", refquat="0.8 0 0.6 0")
        parts = [
            f"<compiler{compiler}/><option{option}>{flag}</option>{self.defaults()}",
            f'<asset><mesh name="wedge" {TETRAHEDRON} inertia="{rule}"{refs}/>'
            f'<mesh name="shell" {TETRAHEDRON} inertia="shell"/>'
            f'<mesh name="bad" {TETRAHEDRON.replace("0 3 2", "0 -1 2")}/></asset>',
            f"<worldbody>{self.inside(3, is_world=True)}</worldbody>",
        ]
        if self.chance(0.4):
            one, other = (self.random.choice((*self.bodies, "world")) for _ in range(2))
            parts.append(f'<contact><exclude body1="{one}" body2="{other}"/></contact>')
        equalities = "".join(self.equality() for _ in range(self.random.choice((0, 1, 2, 3))))
        actuators = "".join(self.actuator() for _ in range(self.random.choice((0, 2, 3, 4))))
        parts += [f"<equality>{equalities}</equality>", f"<actuator>{actuators}</actuator>"]
        if self.chance(0.5):
            keys = (self.key(name) for name in self.random.sample(("home", "other"), 2))
            parts.append(f"<keyframe>{''.join(keys)}</keyframe>")
        parts += self.maybe(0.1, ["<tendon><fixed name='string'/></tendon><sensor/>"], [])
        name = self.said(0.7, model="drawn")
        return f"<mujoco{name}>{''.join(parts)}</mujoco>"


class DrawnRobot(DrawnText):
    """Draws one robot of ROS."""

    def __init__(self, number: int) -> None:
        super().__init__(9000 + number)

    def origin(self, part: float = 0.7) -> str:
        """Return where something is."""
        said = self.said(0.7, xyz=self.several(3, -0.6, 0.6), rpy=self.several(3, -1.5, 1.5))
        return self.maybe(part, f"<origin{said}/>", "")

    def geometry(self, kind: str) -> str:
        """Return what a link shows or collides with."""
        shape = self.random.choice(
            (
                f'<box size="{self.several(3, 0.1, 1.0)}"/>',
                f'<sphere radius="{self.number(0.1, 0.5)}"/>',
                f'<cylinder radius="{self.number(0.1, 0.5)}" length="{self.number(0.2, 1.0)}"/>',
                f'<capsule radius="{self.number(0.1, 0.5)}" length="{self.number(0.2, 1.0)}"/>',
                *('<mesh filename="package://none/a.stl"/>', "<cone/>", ""),
            )
        )
        name = self.said(0.4, name=f"a {kind}")
        return f"<{kind}{name}>{self.origin()}<geometry>{shape}</geometry></{kind}>"

    def link(self, name: str) -> str:
        """Return a link."""
        found = [self.geometry("visual") for _ in range(self.random.choice((0, 0, 1, 2)))]
        found += [self.geometry("collision") for _ in range(self.random.choice((0, 1, 1, 2)))]
        if self.chance(0.7):
            a, b, c = (self.number(0.3, 0.5) for _ in range(3))
            mass = self.random.choice((self.number(0.2, 5.0), self.number(0.2, 5.0), 0.0))
            inertia = f'ixx="{a}" iyy="{b}" izz="{c}"'
            inertia += self.said(0.6, ixy=0.02, ixz=-0.03, iyz=0.01)
            found.append(
                f'<inertial>{self.origin()}<mass value="{mass}"/><inertia {inertia}/></inertial>'
            )
        return f'<link name="{name}">{"".join(found)}</link>'

    def joint(self, parent: str, child: str, names: list[str]) -> str:
        """Return a joint."""
        kinds = ("revolute", "revolute", "continuous", "prismatic", "fixed", "planar", "floating")
        kind = self.random.choice(("screw", *kinds) if self.is_odd else kinds)
        name = f"joint_{child}" if self.chance(0.9) else child
        low, high = self.maybe(0.9, self.range(1.5), "-1e10 0.5").split()
        limit = self.said(0.8, lower=low, upper=high)
        limit += self.said(0.6, effort=self.random.choice((0, 20, 1e9)), velocity=3)
        said = [self.maybe(0.8, f"<limit{limit}/>", ""), self.origin()]
        said += [self.maybe(0.7, f'<axis xyz="{self.axis()}"/>', "")]
        dynamics = self.said(0.6, damping=self.number(0.1, 5.0), friction=self.number(0.1, 2.0))
        said += [self.maybe(0.4, f"<dynamics{dynamics}/>", "")]
        if names and self.chance(0.2):
            leader = self.random.choice(names)
            mimic = self.said(0.6, multiplier=self.number(-2.0, 2.0), offset=0.25)
            said.append(f'<mimic joint="{leader}"{mimic}/>')
        if self.chance(0.1):
            said.append('<safety_controller soft_lower_limit="-0.5" k_velocity="3"/>')
        names.append(name)
        ends = f'<parent link="{parent}"/><child link="{child}"/>'
        return f'<joint name="{name}" type="{kind}">{ends}{"".join(said)}</joint>'

    def text(self) -> str:
        """Return the robot, its elements in any order."""
        count = self.random.randrange(2, 7)
        links = ["world" if self.chance(0.2) else "base", *(f"link{i}" for i in range(1, count))]
        names: list[str] = []
        found = [self.link(one) for one in links]
        for at in range(1, count):
            if self.chance(0.92):
                above = "none" if self.odd(0.1) else links[self.random.randrange(at)]
                found.append(self.joint(above, links[at], names))
        if names and self.chance(0.3):
            joint = self.random.choice(names)
            ratio = "<mechanicalReduction>50</mechanicalReduction>"
            found.append(
                f'<transmission name="drive"><type>simple</type><joint name="{joint}"/>'
                f'<actuator name="motor">{ratio}</actuator></transmission>'
            )
        if self.chance(0.2):
            found.append(self.random.choice(("<gazebo/>", '<material name="red"/>', "<sensor/>")))
        self.random.shuffle(found)
        name = self.said(0.8, name="drawn")
        return f"<robot{name}>{''.join(found)}</robot>"


def drawn_model(number: int) -> str:
    """Return a model of MuJoCo."""
    return DrawnModel(number).text()


def drawn_robot(number: int) -> str:
    """Return a robot of ROS."""
    return DrawnRobot(number).text()
