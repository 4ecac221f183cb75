# SPDX-License-Identifier: MIT
## What animations of a glTF file do with numbers of joints (KHR_animation_pointer).
##
## Godot's own way (GLTFObjectModelProperty) leads each number to one property by one formula. Settings
## that joints share are another number in each of them, and flags follow from several numbers: so the
## channels are taken out before Godot reads them, and become tracks when the joints are there.
@tool
extends RefCounted

const POINTER := "KHR_animation_pointer"
const PHYSICS := [
	"OMI_physics_joint", "OMI_physics_body", "OMI_physics_shape", "OMI_physics_gravity",
	"KHR_physics_rigid_bodies", "KHR_implicit_shapes",
]
const KEYED := [
	"min", "max", "stiffness", "damping", "maxForce", "positionTarget", "velocityTarget", "enableCollision",
]
## Name of an animation that has none.
const UNNAMED := "Joint Settings"
## Straight pieces that a curved stretch between two keys becomes.
const FINE := 8
## s by which what holds until a step ends before it.
const BEFORE := 1e-3
## How a number is read, by its type: what reads it, of how many bytes, and what is 1 if normalized.
const COMPONENTS := {
	5120: [&"decode_s8", 1, 127.0],
	5121: [&"decode_u8", 1, 255.0],
	5122: [&"decode_s16", 2, 32767.0],
	5123: [&"decode_u16", 2, 65535.0],
	5125: [&"decode_u32", 4, 4294967295.0],
	5126: [&"decode_float", 4, 1.0],
}

## Names that Godot has given to animations which do anything with joints.
var names: Array[String] = []
## What is animated and not read: texts for warnings, by pointer.
var unread: Dictionary = {}

## For each of them: channels by pointer, with "times", "values" and "is_stepped".
var _animations: Array[Dictionary] = []
var _channels: Array[Dictionary] = []


## Takes the channels that lead into physics out of a file, before Godot reads them.
func take(json: Dictionary) -> void:
	var items: Array = json.get("animations", [])
	for number in items.size():
		var animation: Dictionary = items[number]
		var others := []
		for channel: Dictionary in animation.get("channels", []):
			var pointer := _pointer(channel)
			if pointer == "":
				others.append(channel)
				continue
			var sampler := _item(animation, "samplers", int(channel.get("sampler", -1)))
			_channels.append({"animation": number, "pointer": pointer, "sampler": sampler})
		if others.size() < animation.get("channels", []).size():
			animation["channels"] = others
			animation.get_or_add("name", UNNAMED)


## Reads the keys, when the buffers are there.
func read(state: GLTFState) -> void:
	for channel in _channels:
		var pointer: String = channel["pointer"]
		if not _is_of_joint(pointer):
			unread[pointer] = "it is animated, which is not imported"
			continue
		var keys := _keys(state, channel["sampler"])
		if keys.is_empty():
			unread[pointer] = "its keys cannot be read"
			continue
		var name := state.animations[channel["animation"]].resource_name
		var at := names.find(name)
		if at < 0:
			at = names.size()
			names.append(name)
			_animations.append({})
		_animations[at].get_or_add(pointer, keys)


## The moments at which an animation does something below some pointers, in s: its keys, and just
## before steps.
func times(animation: int, below: Array) -> PackedFloat64Array:
	var found := {}
	for pointer: String in _animations[animation]:
		if not below.any(func(above: String) -> bool: return pointer.begins_with(above + "/")):
			continue
		var keys: Dictionary = _animations[animation][pointer]
		for at in keys["times"].size():
			var time: float = keys["times"][at]
			found[time] = true
			if keys["is_stepped"] and at > 0:
				found[maxf(time - BEFORE, 0.5 * (time + keys["times"][at - 1]))] = true
	var sorted := found.keys()
	sorted.sort()
	return PackedFloat64Array(sorted)


## The numbers that an animation changes, by pointer, as they are at a time.
func numbers(animation: int, time: float) -> Dictionary:
	var found := {}
	for pointer: String in _animations[animation]:
		found[pointer] = _at(_animations[animation][pointer], time)
	return found


static func _at(keys: Dictionary, time: float) -> float:
	var times_of: PackedFloat64Array = keys["times"]
	var values: PackedFloat64Array = keys["values"]
	var after := times_of.bsearch(time, false)
	if after == 0 or after == times_of.size():
		return values[maxi(after - 1, 0)]
	var before := after - 1
	if keys["is_stepped"]:
		return values[before]
	return lerpf(values[before], values[after], (time - times_of[before]) / (times_of[after] - times_of[before]))


static func _pointer(channel: Dictionary) -> String:
	var target: Dictionary = channel.get("target", {})
	if target.get("path") != "pointer":
		return ""
	var pointer: String = target.get("extensions", {}).get(POINTER, {}).get("pointer", "")
	var steps := pointer.split("/")
	return pointer if PHYSICS.any(func(name: String) -> bool: return name in steps) else ""


static func _is_of_joint(pointer: String) -> bool:
	var steps := pointer.split("/")
	return steps[-1] in KEYED and ("physicsJoints" in steps or steps[-1] == "enableCollision")


func _keys(state: GLTFState, sampler: Dictionary) -> Dictionary:
	var times_of := _scalars(state, int(sampler.get("input", -1)))
	var values := _scalars(state, int(sampler.get("output", -1)))
	var interpolation: String = sampler.get("interpolation", "LINEAR")
	var each := 3 if interpolation == "CUBICSPLINE" else 1
	if times_of.is_empty() or values.size() != each * times_of.size():
		return {}
	if each == 3:
		return _straightened(times_of, values)
	return {"times": times_of, "values": values, "is_stepped": interpolation == "STEP"}


## A curve as straight pieces. Each key has a slope before it, its value, and a slope behind it.
static func _straightened(times_of: PackedFloat64Array, values: PackedFloat64Array) -> Dictionary:
	var all: PackedFloat64Array = [times_of[0]]
	var found: PackedFloat64Array = [values[1]]
	for at in times_of.size() - 1:
		var length := times_of[at + 1] - times_of[at]
		var from := values[3 * at + 1]
		var to := values[3 * at + 4]
		for piece in range(1, FINE + 1):
			var part := float(piece) / FINE
			all.append(times_of[at] + length * part)
			found.append(bezier_interpolate(
				from, from + length * values[3 * at + 2] / 3.0, to - length * values[3 * at + 3] / 3.0, to, part
			))
	return {"times": all, "values": found, "is_stepped": false}


## The numbers of an accessor; none where it cannot be read.
static func _scalars(state: GLTFState, index: int) -> PackedFloat64Array:
	var found: PackedFloat64Array = []
	var accessor := _item(state.json, "accessors", index)
	var view := _item(state.json, "bufferViews", int(accessor.get("bufferView", -1)))
	var buffer := int(view.get("buffer", -1))
	var component: Array = COMPONENTS.get(int(accessor.get("componentType", 0)), [])
	if accessor.get("type") != "SCALAR" or accessor.has("sparse") or component.is_empty():
		return found
	if buffer < 0 or buffer >= state.buffers.size():
		return found
	var data: PackedByteArray = state.buffers[buffer]
	var decode := Callable.create(data, component[0])
	var at := int(view.get("byteOffset", 0)) + int(accessor.get("byteOffset", 0))
	var stride := int(view.get("byteStride", component[1]))
	var count := int(accessor.get("count", 0))
	if at < 0 or count < 1 or at + (count - 1) * stride + component[1] > data.size():
		return found
	for number in count:
		var value := float(decode.call(at + number * stride))
		found.append(value / component[2] if accessor.get("normalized", false) else value)
	return found


static func _item(json: Dictionary, list: String, index: int) -> Dictionary:
	var items: Array = json.get(list, [])
	return items[index] if index >= 0 and index < items.size() else {}
