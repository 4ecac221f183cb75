# SPDX-License-Identifier: MIT
## What the bodies of a joint load it with: which soft limits could not bear that, which motors and
## springs Godot moves otherwise under it.
@tool
extends RefCounted

const Frames := preload("frames.gd")
const Layout := preload("layout.gd")
const Room := preload("room.gd")

## kg and kg m^2 that stand for infinite ones. Jolt loses a body of much larger mass and small inertia.
const ENDLESS := 1e5
const NOTICED := 0.0175
## rad/s: nothing turns faster in Godot.
const FASTEST := 47.1
const GRAVITY := 9.81
const POINT := 0.2
## rad from which a spring is noticeably weaker: its torque is that of 2 sin(x / 2), not of x.
const FAR := 0.7

## The lighter body that moves; null where none does.
var hung: RigidBody3D

var _ends: Array[RigidBody3D] = []


func _init(holder: CollisionObject3D, other: CollisionObject3D) -> void:
	for body: CollisionObject3D in [holder, other]:
		if body is RigidBody3D:
			_ends.append(body)
			if hung == null or body.mass < hung.mass:
				hung = body


## The stiffness in N/m up to which limits are rigid: such as would let the lighter body sag by more
## than its length carry no N/m but numbers of softness. 0 where all hold.
func softest(joint: Dictionary, axes: Basis, size: float) -> float:
	if hung == null or joint["drives"].any(func(drive: Dictionary) -> bool: return drive["coordinate"] < 3 and drive["stiffness"] > 0.0):
		return 0.0
	var fails := 0.0
	for axis in 3:
		var stiffness := 0.0
		for limit: Dictionary in joint["limits"]:
			if limit["first"] == 0 and axis in limit["axes"] and absf(limit["min"]) < INF and absf(limit["max"]) < INF:
				stiffness += limit["stiffness"]
		if stiffness == 0.0 or stiffness == INF:
			continue
		var load := hung.mass * absf(hung.gravity_scale) * GRAVITY * absf(axes[axis].normalized().y)
		if load / stiffness > (size if size > 0.0 else POINT):
			fails = maxf(fails, stiffness)
	return maxf(fails, Room.SOFTNESS) if fails > 0.0 else 0.0


## Infinite masses are large ones, beside which the inertias of two bodies are lost.
func endless_reasons() -> PackedStringArray:
	if _ends.size() < 2 or not _ends.all(func(body: RigidBody3D) -> bool: return body.mass >= ENDLESS):
		return []
	return ["both of its bodies have infinite mass, and Godot turns them otherwise"]


## Godot's motors have their speed at once; a damped one would fall behind its load.
func motor_reasons(rooms: Array[RefCounted], frame: Transform3D) -> PackedStringArray:
	var reasons: PackedStringArray = []
	for coordinate in 6:
		var room: Room = rooms[coordinate]
		if room.drive.is_empty() or room.is_pulled:
			continue
		var speed := absf(room.drive["speed"])
		if coordinate >= 3 and speed > FASTEST:
			reasons.append("its motor is faster than Godot lets anything turn, %s rad/s" % FASTEST)
		for body in _ends:
			if room.drive["damping"] < INF:
				var off := Frames.world_of(body) * body.center_of_mass - frame.origin
				var arm := 1.0 if coordinate < 3 else off.slide(frame.basis[coordinate % 3]).length()
				var load := body.mass * maxf(GRAVITY * arm, pow(maxf(arm, 0.05), 2.0) * speed)
				if load / room.drive["damping"] > NOTICED:
					reasons.append("its damped motor would fall behind its load; in Godot it keeps its speed, up to its largest force")
	return reasons


## Godot's angular springs pull less, the farther they are from their target.
func spring_reasons(layout: Layout) -> PackedStringArray:
	var reasons: PackedStringArray = []
	for axis in 3:
		var drive: Dictionary = layout.rooms[3 + axis].drive
		if drive.is_empty() or not layout.rooms[3 + axis].is_pulled or drive["stiffness"] <= 2.0 * Room.FAINT * drive["damping"]:
			continue
		var far := absf(drive["target"])
		for body in _ends:
			var arm := Frames.world_of(body) * body.center_of_mass - layout.frame.origin
			var load := body.mass * absf(body.gravity_scale) * GRAVITY * arm.slide(layout.frame.basis[axis]).length()
			# Let go, it swings as far beyond where it comes to rest.
			far += 2.0 * load / drive["stiffness"]
		if far > FAR:
			reasons.append("its spring is turned far from its target, where Godot's pulls less: by 4 % at 57 degrees, by 10 % at 90")
	return reasons
