# SPDX-License-Identifier: MIT
## Makes Godot's joints of those of a file: the plainest node that says exactly what is meant.
@tool
extends RefCounted

const Bodies := preload("bodies.gd")
const Frames := preload("frames.gd")
const Keyed := preload("keyed.gd")
const Kinds := preload("kinds.gd")
const Layout := preload("layout.gd")
const Loads := preload("loads.gd")
const Posed := preload("posed_joint.gd")
const Reading := preload("reading.gd")
const Rebound := preload("rebound.gd")
const Room := preload("room.gd")
const Said := preload("said.gd")
const Solids := preload("solids.gd")
const Tumbling := preload("tumbling.gd")

const PUSHED := "it starts with a velocity, and what its joint does not let through Godot takes up otherwise"
const STOPS := "at its limits Godot gives back up to a quarter of the speed"

var _bodies: Bodies
var _solids: Solids
var _reading: Reading
var _keyed: Keyed
var _said: Said
var _uses: Dictionary = {}
## How many joints each body has.
var _counts: Dictionary = {}
var _tumbling := Tumbling.new()


func _init(bodies: Bodies, solids: Solids, reading: Reading, keyed: Keyed, said: Said) -> void:
	_bodies = bodies
	_solids = solids
	_reading = reading
	_keyed = keyed
	_said = said
	for index in reading.nodes.size():
		if reading.nodes[index].has("joint"):
			var connected: int = reading.nodes[index]["joint"]["connected"]
			_uses[connected] = true
			for end in [index, connected]:
				var body := reading.body_of(end)
				_counts[body] = _counts.get(body, 0) + 1


func make() -> void:
	for index in _reading.nodes.size():
		if _reading.nodes[index].has("joint"):
			_make(index, _reading.nodes[index]["joint"])
	for index: int in _reading.unread:
		_said.add('Joint "%s"' % _bodies.name_of(index), "it is left out, since %s" % _reading.unread[index])
	_tumbling.name_bodies(_bodies.made.values(), _said)
	_keyed.write()


func _make(index: int, joint: Dictionary) -> void:
	var what := 'Joint "%s"' % _bodies.name_of(index)
	var connected: int = joint["connected"]
	for end in [index, connected]:
		if _bodies.nodes[end] == null or Frames.is_flat(_bodies.worlds[end]):
			_said.add(what, "it is left out, since node %d has no place in the scene" % end)
			return
	var holder := _body(index)
	var other := _body(connected)
	if holder == other:
		_said.add(what, "it is left out, since both of its frames belong to one body")
		return
	var loads := Loads.new(holder, other)
	var softest := loads.softest(joint, _bodies.worlds[index].basis, _solids.size_of(_bodies.index_of(loads.hung)))
	var animated := _keyed.joints_of(index)
	var all := [joint]
	for moments: Array in animated.values():
		all.append_array(moments)
	var rooms := _around(all, softest)
	for room in rooms:
		for reason: String in room.reasons:
			_said.add(what, reason)
	var flip := _mirrored_axis(_around(all, 0.0))
	var frame := Frames.rigid(_bodies.worlds[index], flip)
	var second := Frames.rigid(_bodies.worlds[connected], flip)
	for reason in loads.endless_reasons() + loads.motor_reasons(rooms, frame):
		_said.add(what, reason)
	var moves := holder is RigidBody3D and not other is RigidBody3D
	var layout := Layout.new()
	if _reading.is_for_godot:
		layout.take_as_told(rooms, frame)
	else:
		layout.lay_out(rooms, frame, second, moves)
	for reason in layout.reasons + loads.spring_reasons(layout):
		_said.add(what, reason)
	var is_bounded := rooms.any(func(room: Room) -> bool: return not room.is_free and not room.is_locked)
	if is_bounded and (all.size() > 1 or _throws_back(joint, layout, holder, other)):
		_said.add_to_group(STOPS, what)
	for body: CollisionObject3D in [holder, other]:
		if body is RigidBody3D and body.linear_velocity != Vector3.ZERO:
			_said.add_to_group(PUSHED, what)
	var leads := func(room: Room) -> bool: return not room.drive.is_empty() and room.drive["stiffness"] + absf(room.drive["speed"]) > 0.0
	var turns := Array(layout.turns()).map(func(axis: int) -> Vector3: return layout.frame.basis[axis].normalized())
	_tumbling.add_joint(holder, other, turns, rooms.any(leads))
	var made := _node(layout, all, softest)
	made.exclude_nodes_from_collision = not joint["collide"]
	var can_replace := _bodies.is_mark(index) and not _uses.has(index)
	if not can_replace:
		made.name = joint["name"] if joint["name"] != "" else "Joint"
	_bodies.replace_or_add(index, holder, made, layout.frame, can_replace)
	var ends := [other, holder] if layout.is_exchanged else [holder, other]
	made.node_a = made.get_path_to(ends[0])
	made.node_b = made.get_path_to(ends[1])
	_keyed.add(index, made, animated.keys(), func(one: Dictionary) -> Dictionary: return _told(made, layout, one, softest))


## Whether the body of a joint may strike a bound so fast that what Godot gives back is noticed.
func _throws_back(joint: Dictionary, layout: Layout, holder: CollisionObject3D, other: CollisionObject3D) -> bool:
	var body: CollisionObject3D = holder if holder is RigidBody3D else other
	if Rebound.is_unknown(joint, layout, holder, other) or _counts[_bodies.index_of(body)] > 1:
		return true
	# The value is the pose of the other body, and Godot counts angles the other way.
	var turns := layout.slides().is_empty()
	return Rebound.new().throws_back(layout, body, _solids, 1.0 if (body == holder) == turns else -1.0)


static func _around(joints: Array, softest: float) -> Array[RefCounted]:
	var times: Array[Array] = []
	for joint: Dictionary in joints:
		times.append(Room.all_of(joint, softest))
	return Room.around(times)


## The body that a node belongs to. What has none is held by the world, as by a body that stands still.
func _body(index: int) -> CollisionObject3D:
	var owner := _reading.body_of(index)
	if owner >= 0:
		return _bodies.made.get(owner)
	var anchor := StaticBody3D.new()
	anchor.name = String(_bodies.nodes[index].name) + "World"
	_bodies.put(_bodies.root, anchor, Frames.rigid(_bodies.worlds[index]))
	return anchor


## The node that says a joint at all of its times, as it is at the first.
func _node(layout: Layout, all: Array, softest: float) -> Joint3D:
	var kinds := {}
	for joint: Dictionary in all:
		kinds[Kinds.plainest(layout, layout.counted(Room.all_of(joint, softest)))] = true
	var meets := all.any(func(joint: Dictionary) -> bool: return joint["collide"] != all[0]["collide"])
	var kind: StringName = kinds.keys()[0] if kinds.size() == 1 and not meets else Kinds.GENERIC
	var made: Joint3D = ClassDB.instantiate(kind)
	if meets or not layout.is_exact:
		made.set_script(Posed)
		var second := layout.frame.affine_inverse() * layout.other
		if layout.is_exchanged and not layout.is_exact:
			layout.frame = layout.other
			second = second.affine_inverse()
		made.set("second_frame", Transform3D.IDENTITY if layout.is_exact else second)
	var told := _told(made, layout, all[0], softest)
	for property: String in told:
		made.set(property, told[property])
	return made


## The properties of a node that say a joint.
static func _told(node: Joint3D, layout: Layout, joint: Dictionary, softest: float) -> Dictionary:
	var told := Kinds.properties(node.get_class(), layout.counted(Room.all_of(joint, softest)))
	if node.get_script() == Posed:
		told["bodies_collide"] = joint["collide"]
	return told


## The axis of a mirrored frame that is turned back: the one for which the joint moves as its mirror
## image does, as far as its ranges and drives are lopsided.
static func _mirrored_axis(rooms: Array[RefCounted]) -> int:
	var lopsided := rooms.map(func(room: Room) -> int:
		var leads: bool = not room.drive.is_empty() and (room.drive["target"] != 0.0 or room.drive["speed"] != 0.0)
		return 1 if room.low != -room.high or leads else 0)
	var best := 2
	var fewest := 9
	for axis in [2, 1, 0]:
		var wrong: int = lopsided[axis] + lopsided[3] + lopsided[4] + lopsided[5] - lopsided[3 + axis]
		if wrong < fewest:
			fewest = wrong
			best = axis
	return best
