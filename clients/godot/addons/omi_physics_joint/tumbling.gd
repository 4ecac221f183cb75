# SPDX-License-Identifier: MIT
## Finds bodies that turn about changing axes, which Godot moves without gyroscopic forces.
##
## A body needs none that turns alike about all axes, that nothing but gravity pulls at its middle, that
## has no joint and spins about one of its own axes, or that joints lead from what stands still, or turns
## by itself, and whose axes are all parallel.
@tool
extends RefCounted

const Frames := preload("frames.gd")

## Part of the inertia that turns a body aside, from which it is said.
const ASIDE := 5e-4
const EVEN := 1e-3
## Sine of the angle between axes up to which they are one.
const PARALLEL := 1e-3
const REASON := "what tumbles does so otherwise, since Godot lets nothing wobble as it spins"

## Each joint: its two bodies, the axes that it turns about, and whether it moves them by itself.
var _joints: Array[Dictionary] = []


func add_joint(first: CollisionObject3D, second: CollisionObject3D, turns: Array, drives: bool) -> void:
	_joints.append({"ends": [first, second], "turns": turns, "drives": drives})


## Names the bodies that tumble otherwise in Godot.
func name_bodies(bodies: Array, said: RefCounted) -> void:
	var still := []
	for joint in _joints:
		still.append_array(joint["ends"].filter(func(body: Node) -> bool: return not body is RigidBody3D))
	var guided := _guided(still)
	var starts: Array = bodies.filter(func(body: Node) -> bool: return body is RigidBody3D and _is_thrown(body))
	for joint in _joints:
		if joint["drives"] or _holds(joint):
			starts.append_array(joint["ends"].filter(func(body: Node) -> bool: return body is RigidBody3D))
	for body: Node in _reached(starts, func(joint: Dictionary) -> bool: return _is_loose(joint)):
		if body is RigidBody3D and not guided.has(body) and not _is_even(body):
			said.add_to_group(REASON, 'Body "%s"' % body.name)


## Bodies that joints lead to from what stands still, whose axes are all parallel on a way there.
func _guided(still: Array) -> Dictionary:
	var about := {}
	for body: Node in still:
		var spin: Variant = body.get("angular_velocity")
		about[body] = (Frames.world_of(body).basis * spin).normalized() if spin is Vector3 else Vector3.ZERO
	var ahead := about.keys()
	while not ahead.is_empty():
		var body: Node = ahead.pop_front()
		for joint in _joints:
			if not body in joint["ends"] or joint["turns"].size() > 1:
				continue
			var axis: Vector3 = Vector3.ZERO if joint["turns"].is_empty() else joint["turns"][0]
			for other: Node in joint["ends"]:
				if not about.has(other) and about[body].cross(axis).length() <= PARALLEL:
					about[other] = axis if about[body] == Vector3.ZERO else about[body]
					ahead.append(other)
	return about


## Bodies that joints of a kind lead to from some.
func _reached(starts: Array, leads: Callable) -> Dictionary:
	var found := {}
	var ahead := starts.duplicate()
	while not ahead.is_empty():
		var body: Node = ahead.pop_back()
		if found.has(body):
			continue
		found[body] = true
		for joint in _joints:
			if body in joint["ends"] and leads.call(joint):
				ahead.append_array(joint["ends"])
	return found


static func _is_loose(joint: Dictionary) -> bool:
	return joint["ends"].all(func(body: Node) -> bool: return body is RigidBody3D)


## Whether a joint keeps a body from falling freely: what is at its other end falls otherwise.
static func _holds(joint: Dictionary) -> bool:
	var ends: Array = joint["ends"]
	return not _is_loose(joint) or ends[0].gravity_scale != ends[1].gravity_scale


func _is_thrown(body: RigidBody3D) -> bool:
	if _joints.any(func(joint: Dictionary) -> bool: return body in joint["ends"]):
		return body.angular_velocity != Vector3.ZERO or body.linear_velocity != Vector3.ZERO
	var axes := Frames.world_of(body).basis.orthonormalized()
	var spin := (axes.inverse() * body.angular_velocity).normalized()
	var about := _inertia_of(body) * spin
	return spin.cross(about).length() > ASIDE * spin.dot(about)


## The inertia of a body about its own axes, or what is as uneven as that, as far as its shapes let
## know.
static func _inertia_of(body: RigidBody3D) -> Vector3:
	if body.inertia != Vector3.ZERO:
		return body.inertia
	var box := AABB()
	for child in body.get_children():
		if child is CollisionShape3D and child.shape != null:
			var inner: AABB = child.transform * child.shape.get_debug_mesh().get_aabb()
			box = inner if box.size == Vector3.ZERO else box.merge(inner)
	return box.size + (box.get_center() - body.center_of_mass).abs()


## Whether a body turns alike about all axes.
static func _is_even(body: RigidBody3D) -> bool:
	var inertia := _inertia_of(body)
	var most: float = inertia[inertia.max_axis_index()]
	return most - inertia[inertia.min_axis_index()] <= EVEN * most
