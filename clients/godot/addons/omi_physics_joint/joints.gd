# SPDX-License-Identifier: MIT
## Makes Godot's joints of those of a file: the plainest node that says exactly what is meant.
@tool
extends RefCounted

const Bodies := preload("bodies.gd")
const Frames := preload("frames.gd")
const Layout := preload("layout.gd")
const Posed := preload("posed_joint.gd")
const Reading := preload("reading.gd")
const Room := preload("room.gd")
const Said := preload("said.gd")
const Solids := preload("solids.gd")
const Tumbling := preload("tumbling.gd")

const NOTICED := 0.0175
const FASTEST := 47.1
const GRAVITY := 9.81
const POINT := 0.2
const PUSHED := "it starts with a velocity, and what its joint does not let through Godot takes up otherwise"
const STOPS := "at its limits Godot gives back up to a quarter of the speed"

var _bodies: Bodies
var _solids: Solids
var _reading: Reading
var _said: Said
var _uses: Dictionary = {}
var _tumbling := Tumbling.new()


func _init(bodies: Bodies, solids: Solids, reading: Reading, said: Said) -> void:
	_bodies = bodies
	_solids = solids
	_reading = reading
	_said = said
	for node in reading.nodes:
		if node.has("joint"):
			_uses[node["joint"]["connected"]] = true


func make() -> void:
	for index in _reading.nodes.size():
		if _reading.nodes[index].has("joint"):
			_make(index, _reading.nodes[index]["joint"])
	for index: int in _reading.unread:
		_said.add('Joint "%s"' % _bodies.name_of(index), "it is left out, since %s" % _reading.unread[index])
	_tumbling.name_bodies(_bodies.made.values(), _said)


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
	var flip := _mirrored_axis(Room.all_of(joint, 0.0))
	var rooms := Room.all_of(joint, _softest(index, joint, holder, other))
	for room in rooms:
		for reason: String in room.reasons:
			_said.add(what, reason)
	var frame := Frames.rigid(_bodies.worlds[index], flip)
	var second := Frames.rigid(_bodies.worlds[connected], flip)
	_name_motors(rooms, what, frame, [holder, other])
	var moves := holder is RigidBody3D and not other is RigidBody3D
	var layout: Layout = Layout.as_told(rooms, frame)
	if not _reading.is_for_godot:
		layout.lay_out(rooms, frame, second, moves)
	for reason in layout.reasons:
		_said.add(what, reason)
	if rooms.any(func(room: Room) -> bool: return not room.is_free and not room.is_locked):
		_said.add_to_group(STOPS, what)
	for body: CollisionObject3D in [holder, other]:
		if body is RigidBody3D and body.linear_velocity != Vector3.ZERO:
			_said.add_to_group(PUSHED, what)
	var leads := func(room: Room) -> bool: return not room.drive.is_empty() and room.drive["stiffness"] + absf(room.drive["speed"]) > 0.0
	_tumbling.add_joint(holder, other, layout.turns().size(), rooms.any(leads))
	var made := _node(layout)
	made.exclude_nodes_from_collision = not joint["collide"]
	var can_replace := _bodies.is_mark(index) and not _uses.has(index)
	if not can_replace:
		made.name = joint["name"] if joint["name"] != "" else "Joint"
	_bodies.replace_or_add(index, holder, made, layout.frame, can_replace)
	var ends := [other, holder] if layout.is_exchanged else [holder, other]
	made.node_a = made.get_path_to(ends[0])
	made.node_b = made.get_path_to(ends[1])


## The body that a node belongs to. What has none is held by the world, as by a body that stands still.
func _body(index: int) -> CollisionObject3D:
	var owner := _reading.body_of(index)
	if owner >= 0:
		return _bodies.made.get(owner)
	var anchor := StaticBody3D.new()
	anchor.name = String(_bodies.nodes[index].name) + "World"
	_bodies.put(_bodies.root, anchor, Frames.rigid(_bodies.worlds[index]))
	return anchor


func _node(layout: Layout) -> Joint3D:
	var rooms := layout.rooms
	var slides := layout.slides()
	var turns := layout.turns()
	var is_driven := rooms.any(func(room: Room) -> bool: return not room.drive.is_empty())
	var holds_zero := rooms.all(func(room: Room) -> bool: return not room.is_locked or room.low == 0.0)
	if layout.is_exact and holds_zero:
		if slides.is_empty() and not is_driven and rooms.slice(3).all(func(room: Room) -> bool: return room.is_free):
			return PinJoint3D.new()
		if slides.is_empty() and turns == [2] and rooms[5].is_free and not _is_sprung(rooms):
			return _hinge(rooms[5])
		if slides == [0] and turns.is_empty() and not is_driven and rooms[0].is_free:
			return _slider(rooms[0])
	return _generic(layout)


static func _is_sprung(rooms: Array[RefCounted]) -> bool:
	for coordinate in 6:
		if not rooms[coordinate].drive.is_empty() and (coordinate != 5 or rooms[5].is_pulled or rooms[5].drive["most"] < INF):
			return true
	return false


static func _hinge(room: Room) -> HingeJoint3D:
	var hinge := HingeJoint3D.new()
	if not room.drive.is_empty():
		hinge.set_flag(HingeJoint3D.FLAG_ENABLE_MOTOR, true)
		hinge.set_param(HingeJoint3D.PARAM_MOTOR_TARGET_VELOCITY, room.drive["speed"])
		hinge.set_param(HingeJoint3D.PARAM_MOTOR_MAX_IMPULSE, room.drive["most"])
	return hinge


static func _slider(_room: Room) -> SliderJoint3D:
	var slider := SliderJoint3D.new()
	# A lower bound above the upper one is none.
	slider.set_param(SliderJoint3D.PARAM_LINEAR_LIMIT_LOWER, 1.0)
	slider.set_param(SliderJoint3D.PARAM_LINEAR_LIMIT_UPPER, -1.0)
	return slider


static func _generic(layout: Layout) -> Generic6DOFJoint3D:
	var generic := Generic6DOFJoint3D.new()
	for coordinate in 6:
		if coordinate < 3:
			_set_linear(generic, "xyz"[coordinate], layout.rooms[coordinate])
		else:
			_set_angular(generic, "xyz"[coordinate - 3], layout.rooms[coordinate])
	if not layout.is_exact:
		generic.set_script(Posed)
		var second := layout.frame.affine_inverse() * layout.other
		if layout.is_exchanged:
			layout.frame = layout.other
			second = second.affine_inverse()
		generic.set("second_frame", second)
	return generic


static func _set_linear(generic: Generic6DOFJoint3D, letter: String, room: Room) -> void:
	var flag := "set_flag_" + letter
	var param := "set_param_" + letter
	generic.call(flag, Generic6DOFJoint3D.FLAG_ENABLE_LINEAR_LIMIT, not room.is_free)
	if not room.is_free:
		generic.call(param, Generic6DOFJoint3D.PARAM_LINEAR_LOWER_LIMIT, room.low)
		generic.call(param, Generic6DOFJoint3D.PARAM_LINEAR_UPPER_LIMIT, room.high)
	if room.drive.is_empty():
		return
	if room.is_pulled:
		generic.call(flag, Generic6DOFJoint3D.FLAG_ENABLE_LINEAR_SPRING, true)
		generic.call(param, Generic6DOFJoint3D.PARAM_LINEAR_SPRING_EQUILIBRIUM_POINT, room.drive["target"])
		generic.call(param, Generic6DOFJoint3D.PARAM_LINEAR_SPRING_STIFFNESS, room.drive["stiffness"])
		generic.call(param, Generic6DOFJoint3D.PARAM_LINEAR_SPRING_DAMPING, room.drive["damping"])
	else:
		generic.call(flag, Generic6DOFJoint3D.FLAG_ENABLE_LINEAR_MOTOR, true)
		generic.call(param, Generic6DOFJoint3D.PARAM_LINEAR_MOTOR_TARGET_VELOCITY, room.drive["speed"])
		generic.call(param, Generic6DOFJoint3D.PARAM_LINEAR_MOTOR_FORCE_LIMIT, room.drive["most"])


static func _set_angular(generic: Generic6DOFJoint3D, letter: String, room: Room) -> void:
	var flag := "set_flag_" + letter
	var param := "set_param_" + letter
	generic.call(flag, Generic6DOFJoint3D.FLAG_ENABLE_ANGULAR_LIMIT, not room.is_free)
	if not room.is_free:
		generic.call(param, Generic6DOFJoint3D.PARAM_ANGULAR_LOWER_LIMIT, room.low)
		generic.call(param, Generic6DOFJoint3D.PARAM_ANGULAR_UPPER_LIMIT, room.high)
	if room.drive.is_empty():
		return
	if room.is_pulled:
		generic.call(flag, Generic6DOFJoint3D.FLAG_ENABLE_ANGULAR_SPRING, true)
		generic.call(param, Generic6DOFJoint3D.PARAM_ANGULAR_SPRING_EQUILIBRIUM_POINT, room.drive["target"])
		generic.call(param, Generic6DOFJoint3D.PARAM_ANGULAR_SPRING_STIFFNESS, room.drive["stiffness"])
		generic.call(param, Generic6DOFJoint3D.PARAM_ANGULAR_SPRING_DAMPING, room.drive["damping"])
	else:
		generic.call(flag, Generic6DOFJoint3D.FLAG_ENABLE_MOTOR, true)
		generic.call(param, Generic6DOFJoint3D.PARAM_ANGULAR_MOTOR_TARGET_VELOCITY, room.drive["speed"])
		generic.call(param, Generic6DOFJoint3D.PARAM_ANGULAR_MOTOR_FORCE_LIMIT, room.drive["most"])


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


## The stiffness in N/m up to which limits are rigid: such as would let the lighter body sag by more
## than its length carry no N/m but numbers of softness. 0 where all hold.
func _softest(index: int, joint: Dictionary, holder: CollisionObject3D, other: CollisionObject3D) -> float:
	var hung: RigidBody3D = holder as RigidBody3D
	if other is RigidBody3D and (hung == null or other.mass < hung.mass):
		hung = other
	if hung == null or joint["drives"].any(func(drive: Dictionary) -> bool: return drive["coordinate"] < 3 and drive["stiffness"] > 0.0):
		return 0.0
	var size := _solids.size_of(_bodies.index_of(hung))
	var fails := 0.0
	for axis in 3:
		var stiffness := 0.0
		for limit: Dictionary in joint["limits"]:
			if limit["first"] == 0 and axis in limit["axes"] and absf(limit["min"]) < INF and absf(limit["max"]) < INF:
				stiffness += limit["stiffness"]
		if stiffness == 0.0 or stiffness == INF:
			continue
		var load := hung.mass * absf(hung.gravity_scale) * GRAVITY * absf(_bodies.worlds[index].basis[axis].normalized().y)
		if load / stiffness > (size if size > 0.0 else POINT):
			fails = maxf(fails, stiffness)
	return maxf(fails, Room.SOFTNESS) if fails > 0.0 else 0.0


## Godot's motors have their speed at once; a damped one would fall behind its load.
func _name_motors(rooms: Array[RefCounted], what: String, frame: Transform3D, ends: Array) -> void:
	for coordinate in 6:
		var room: Room = rooms[coordinate]
		if room.drive.is_empty() or room.is_pulled:
			continue
		var speed := absf(room.drive["speed"])
		if coordinate >= 3 and speed > FASTEST:
			_said.add(what, "its motor is faster than Godot lets anything turn, %s rad/s" % FASTEST)
		for body: CollisionObject3D in ends:
			if body is RigidBody3D and room.drive["damping"] < INF:
				var arm := 1.0
				if coordinate >= 3:
					arm = maxf(Frames.world_of(body).origin.distance_to(frame.origin), 0.05)
				var load := maxf(body.mass * GRAVITY * arm, body.mass * arm * arm * speed)
				if load / room.drive["damping"] > NOTICED:
					_said.add(what, "its damped motor would fall behind its load; in Godot it keeps its speed, up to its largest force")
