# SPDX-License-Identifier: MIT
## Which of Godot's joints says exactly what a joint leaves and drives, and in which properties.
@tool
extends RefCounted

const Layout := preload("layout.gd")
const Room := preload("room.gd")

const PIN := &"PinJoint3D"
const HINGE := &"HingeJoint3D"
const SLIDER := &"SliderJoint3D"
const GENERIC := &"Generic6DOFJoint3D"


## The plainest class of Godot's that holds some rooms, laid out.
static func plainest(layout: Layout, rooms: Array[RefCounted]) -> StringName:
	var slides := layout.slides()
	var turns := layout.turns()
	var is_driven := rooms.any(func(room: Room) -> bool: return not room.drive.is_empty())
	var holds_zero := rooms.all(func(room: Room) -> bool: return not room.is_locked or room.low == 0.0)
	if layout.is_exact and holds_zero:
		if slides.is_empty() and not is_driven and rooms.slice(3).all(func(room: Room) -> bool: return room.is_free):
			return PIN
		if slides.is_empty() and turns == [2] and rooms[5].is_free and not _is_sprung(rooms):
			return HINGE
		if slides == [0] and turns.is_empty() and not is_driven and rooms[0].is_free:
			return SLIDER
	return GENERIC


## What a joint of a class is told, by the names of its properties.
static func properties(kind: StringName, rooms: Array[RefCounted]) -> Dictionary:
	match kind:
		HINGE:
			return _of_hinge(rooms[5])
		SLIDER:
			# A lower bound above the upper one is none.
			return {"linear_limit/lower_distance": 1.0, "linear_limit/upper_distance": -1.0}
		GENERIC:
			var found := {}
			for axis in 3:
				found.merge(_of_axis("linear_%s_" + "xyz"[axis], "distance", rooms[axis]))
				found.merge(_of_axis("angular_%s_" + "xyz"[axis], "angle", rooms[3 + axis]))
			return found
	return {}


static func _is_sprung(rooms: Array[RefCounted]) -> bool:
	for coordinate in 6:
		if not rooms[coordinate].drive.is_empty() and (coordinate != 5 or rooms[5].is_pulled or rooms[5].drive["most"] < INF):
			return true
	return false


static func _of_hinge(room: Room) -> Dictionary:
	if room.drive.is_empty():
		return {"motor/enable": false}
	return {
		"motor/enable": true,
		"motor/target_velocity": room.drive["speed"],
		"motor/max_impulse": room.drive["most"],
	}


static func _of_axis(words: String, bound: String, room: Room) -> Dictionary:
	var limit := words % "limit" + "/"
	var motor := words % "motor" + "/"
	var spring := words % "spring" + "/"
	var found := {
		limit + "enabled": not room.is_free,
		motor + "enabled": not room.drive.is_empty() and not room.is_pulled,
		spring + "enabled": room.is_pulled,
	}
	if not room.is_free:
		found[limit + "lower_" + bound] = room.low
		found[limit + "upper_" + bound] = room.high
	if room.is_pulled:
		found[spring + "equilibrium_point"] = room.drive["target"]
		found[spring + "stiffness"] = room.drive["stiffness"]
		found[spring + "damping"] = room.drive["damping"]
	elif not room.drive.is_empty():
		found[motor + "target_velocity"] = room.drive["speed"]
		found[motor + "force_limit"] = room.drive["most"]
	return found
