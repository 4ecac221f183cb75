# SPDX-License-Identifier: GPL-3.0-or-later
"""Which findings are losses, by their codes.

Something is lost where a reader or writer of files leaves out what it was given, or puts something
in its place that holds or moves otherwise. What is spelled in another way, what is wrong in the
source itself, and what programs that read our files do otherwise, is no loss.
"""

_ROBOT_FAMILIES = ("mjcf", "urdf")
_OF_ROBOTS = """
actuator ball-spring bounds damping-ratio equality filter-time fitted flag fluid force-range
free-resists geom geometry inactive joint key-frame left-out made mesh mimic misplaced not-played
pair shell slip spring-damper tendon tree

acceleration actuators animated apart armature asleep ball-bounds ball-drive break combine drive
elsewhere filter fixed-joint follows-nothing free friction gravity inertia infinite keys kinematic
largest-velocity loop mass meets muted number plane safety soft spring start surface together
transmissions trigger two-turns unknown velocity
"""
"""What MJCF and URDF say that is not read, and what they cannot say."""

_OTHERS = """
animated-nowhere animation-left-out animation-not-read body-on-bone dialects-disagree file-missing
mesh-not-read mesh-too-far physics-not-read unknown-not-kept members-left-out breaking-not-said
muted-not-said sleep-not-said pose-not-said collider-not-said gravity-not-said joint-not-said
motion-not-said name-not-said node-not-said place-not-said trigger-not-said motion-not-followed
contacts-left-out scenes-in-one

urdf-motor

usd-animated-pose usd-approximation usd-articulation-pairs usd-articulation-root
usd-collision-disabled usd-decomposition usd-drive-ignored usd-excluded-from-articulation
usd-file-missing usd-filter usd-flat-body usd-flat-joint usd-foreign usd-joint-resistance
usd-joint-state usd-joint-type usd-keys-ignored usd-mass-not-computed usd-mesh usd-no-bodies-joined
usd-not-composed usd-not-physics usd-number usd-oval-cone usd-point-instancer usd-points-many
usd-pose usd-prim-unread usd-scene-gravity usd-several-scenes usd-several-targets
usd-shape usd-shape-size usd-sheared usd-subset-materials usd-target-missing usd-uneven-scale
usd-variant-missing

usd-foreign-drive usd-gravity-factor usd-infinite-mass usd-instanced usd-joint-left-out
usd-keys-not-read usd-not-square usd-plane usd-round-limit usd-several-drives usd-several-limits
usd-led-elsewhere usd-unknown

body-left-out body-lost-in-export body-not-led driver-not-run frame-not-placed gravity-without-shape
image-missing import-failed joint-on-geometry joint-without-partner gravities-differ
joint-without-settings keyed-physics left-out-of-export library-missing lost-to-gpu-instances
mesh-not-exported modifiers-left-out node-not-imported partner-left-out settings-damaged
shape-keys-left-out shape-mesh-unreadable shape-without-mesh trigger-part-missing
"""
LOSSES = frozenset(_OTHERS.split()).union(
    f"{family}-{code}" for family in _ROBOT_FAMILIES for code in _OF_ROBOTS.split()
)
"""What is always a loss. Errors of glTF documents that are read are losses besides."""
OF_OMI = frozenset(("limit-together", "plane-as-box"))
"""What OMI's extensions cannot say and Khronos' can: losses where a file has OMI's alone."""
