# SPDX-License-Identifier: MIT
## Has animations of a scene change joints as the keys of the file do.
##
## A joint is read anew at each moment that has a key, so that what moves is what the add-on would make
## of a file that said so. What differs becomes a track of the joint's property; flags and steps are
## held, all else goes straight, and there are more moments where that would be wrong.
@tool
extends RefCounted

const Pointers := preload("pointers.gd")
const Reading := preload("reading.gd")

const SAME := 1e-6
## Largest number that a track may hold, since blending would make infinity none.
const ENDLESS := 1e9
## How often a stretch between two keys is halved at most.
const HALVINGS := 7

var _root: Node
var _reading: Reading
var _pointers: Pointers
## Node, animation and samples of each joint.
var _joints: Array[Dictionary] = []


func _init(root: Node, reading: Reading, pointers: Pointers) -> void:
	_root = root
	_reading = reading
	_pointers = pointers


## The joints that animations make of one: a list for each animation that changes it, by its number.
func joints_of(index: int) -> Dictionary:
	var found := {}
	for animation in _pointers.names.size():
		var times := _pointers.times(animation, _reading.pointers_of(index))
		if not times.is_empty():
			found[animation] = Array(times).map(func(time: float) -> Dictionary: return at(index, animation, time))
	return found


## A joint as it is at a time of an animation.
func at(index: int, animation: int, time: float) -> Dictionary:
	return _reading.joint_with(index, _pointers.numbers(animation, time))


## Remembers what animations do with a joint.
## [param told]: the properties of the node, from a joint as the file says it.
func add(index: int, node: Joint3D, animations: Array, told: Callable) -> void:
	for animation: int in animations:
		var look := func(time: float) -> Dictionary: return told.call(at(index, animation, time))
		var times := _pointers.times(animation, _reading.pointers_of(index))
		var samples: Array[Dictionary] = []
		for time in times:
			var sample: Dictionary = look.call(time)
			if not samples.is_empty():
				samples.append_array(_between(samples[-1]["time"], samples[-1]["values"], time, sample, look, HALVINGS))
			samples.append({"time": time, "values": sample})
		_joints.append({"node": node, "animation": animation, "samples": samples})


## Writes the tracks, when all nodes have their places.
func write() -> void:
	for one in _joints:
		var player := _player()
		var animation := _animation(player, _pointers.names[one["animation"]])
		var samples: Array[Dictionary] = one["samples"]
		var path := String(player.get_node(player.root_node).get_path_to(one["node"]))
		for property: String in _properties(samples):
			_track(animation, "%s:%s" % [path, property], property, one["node"], samples)
		animation.length = maxf(animation.length, samples[-1]["time"])


## The moments within a stretch at which it is not straight.
static func _between(
	from: float, first: Dictionary, to: float, last: Dictionary, look: Callable, halvings: int
) -> Array[Dictionary]:
	var found: Array[Dictionary] = []
	if halvings == 0 or to - from <= 2.0 * Pointers.BEFORE:
		return found
	var middle := 0.5 * (from + to)
	var values: Dictionary = look.call(middle)
	if _is_straight(first, values, last):
		return found
	found.append_array(_between(from, first, middle, values, look, halvings - 1))
	found.append({"time": middle, "values": values})
	found.append_array(_between(middle, values, to, last, look, halvings - 1))
	return found


static func _is_straight(first: Dictionary, middle: Dictionary, last: Dictionary) -> bool:
	if first.keys() != middle.keys() or middle.keys() != last.keys():
		return false
	for property: String in middle:
		if middle[property] is bool:
			if middle[property] != first[property]:
				return false
		elif not _is_same(middle[property], 0.5 * (first[property] + last[property])):
			return false
	return true


static func _is_same(one: Variant, other: Variant) -> bool:
	if one is bool or other is bool:
		return one == other
	return one == other or absf(one - other) <= SAME * maxf(absf(one), 1.0)


static func _properties(samples: Array[Dictionary]) -> Array:
	var found := {}
	for sample in samples:
		found.merge(sample["values"])
	return found.keys()


func _track(animation: Animation, path: String, property: String, node: Joint3D, samples: Array[Dictionary]) -> void:
	var values := []
	for sample in samples:
		var had: Variant = node.get(property) if values.is_empty() else values[-1]
		var value: Variant = sample["values"].get(property, had)
		values.append(value if value is bool else clampf(value, -ENDLESS, ENDLESS))
	if values.all(func(value: Variant) -> bool: return _is_same(value, node.get(property))):
		return
	if not node.get(property) is bool and not is_finite(node.get(property)):
		node.set(property, values[0])
	var is_held := values[0] is bool or _is_held(samples, values)
	var track := animation.add_track(Animation.TYPE_VALUE)
	animation.track_set_path(track, NodePath(path))
	animation.track_set_interpolation_type(track, Animation.INTERPOLATION_NEAREST if is_held else Animation.INTERPOLATION_LINEAR)
	animation.value_track_set_update_mode(track, Animation.UPDATE_DISCRETE if is_held else Animation.UPDATE_CONTINUOUS)
	for i in values.size():
		if not is_held or i == 0 or values[i] != values[i - 1]:
			animation.track_insert_key(track, samples[i]["time"], values[i])


## Whether values only change at once: between a step and just before it.
static func _is_held(samples: Array[Dictionary], values: Array) -> bool:
	for i in range(1, values.size()):
		if values[i] != values[i - 1] and samples[i]["time"] - samples[i - 1]["time"] > 1.5 * Pointers.BEFORE:
			return false
	return true


## The player that Godot's importer has made, or one like it. Joints are set in the physics step.
func _player() -> AnimationPlayer:
	var players := _root.find_children("*", "AnimationPlayer", false, false)
	var player: AnimationPlayer = players[0] if not players.is_empty() else AnimationPlayer.new()
	if players.is_empty():
		player.name = "AnimationPlayer"
		_root.add_child(player, true)
	player.callback_mode_process = AnimationMixer.ANIMATION_CALLBACK_MODE_PROCESS_PHYSICS
	return player


static func _animation(player: AnimationPlayer, name: String) -> Animation:
	if player.has_animation(name):
		return player.get_animation(name)
	if not player.has_animation_library(""):
		player.add_animation_library("", AnimationLibrary.new())
	var library := player.get_animation_library("")
	var animation := Animation.new()
	animation.length = 0.0
	library.add_animation(name, animation)
	return animation
