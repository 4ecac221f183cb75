# SPDX-License-Identifier: MIT
## How a joint is laid out for Godot: where its node stands, what its axes are called, and which body
## comes first.
##
## Godot takes both frames of a joint from its node where the joint is loaded, counts distances as the
## file does and angles the other way. Jolt takes a rotation apart into a twist about X and a swing:
## of two free angles the locked one is called X, of three the one that spoils the others least.
@tool
extends RefCounted

const NEAR := 5e-5
const NOTICED := 0.0175

## Where the node of the joint stands.
var frame := Transform3D.IDENTITY
## Where the connected frame is, where the two cannot be one.
var other := Transform3D.IDENTITY
var is_exact := true
## Whether the body of the connected frame comes first.
var is_exchanged := false
var rooms: Array[RefCounted] = []
var reasons: PackedStringArray = []

## What each coordinate counts as zero, and by how much axes are renamed.
var _zeros: PackedFloat64Array = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
var _shift := 0
var _is_as_told := true


## Takes a joint of a file that is spelled for Godot as it stands there.
func take_as_told(all: Array[RefCounted], joint: Transform3D) -> void:
	rooms = all
	frame = joint
	other = joint
	if turns().size() >= 2:
		_name_turning(0)
	elif turns() == slides():
		_name_endless()


## Lays a joint out.
## [param all]: its rooms, of all times together; they are changed.
## [param holder_moves]: whether the body of the joint frame is dynamic and the other one is not.
func lay_out(all: Array[RefCounted], joint: Transform3D, connected: Transform3D, holder_moves: bool) -> void:
	_is_as_told = false
	rooms = all
	frame = joint
	other = joint
	_rest(joint, connected)
	_count_from_rest(rooms)
	_shift = _choose(holder_moves)
	rooms = _renamed(rooms)
	frame = _named(frame, _shift)
	other = _named(other, _shift)


## The rooms of the joint at one time, counted and called as the joint is laid out; they are changed.
func counted(all: Array[RefCounted]) -> Array[RefCounted]:
	if _is_as_told:
		return all
	_count_from_rest(all)
	return _renamed(all)


func _count_from_rest(all: Array[RefCounted]) -> void:
	for coordinate in 6:
		all[coordinate].shift(_zeros[coordinate])


func _renamed(all: Array[RefCounted]) -> Array[RefCounted]:
	var named := all.duplicate()
	for axis in 3:
		for first: int in [0, 3]:
			if (first == 3) != is_exchanged:
				all[first + axis].negate()
			named[first + (axis + _shift) % 3] = all[first + axis]
	return named


## The axes that a joint turns about.
func turns() -> Array:
	return [0, 1, 2].filter(func(axis: int) -> bool: return not rooms[3 + axis].is_locked)


## The axes that a joint slides along.
func slides() -> Array:
	return [0, 1, 2].filter(func(axis: int) -> bool: return not rooms[axis].is_locked)


func _choose(holder_moves: bool) -> int:
	var turning := turns()
	var sliding := slides()
	if turning.size() >= 2:
		var twist := _twist_axis()
		_name_turning(twist)
		is_exchanged = holder_moves and sliding.is_empty()
		return posmod(-twist, 3)
	if turning.size() == 1 and sliding.is_empty():
		return posmod((2 if _fits_hinge(turning[0]) else 1) - turning[0], 3)
	if sliding.size() == 1 and (turning.is_empty() or turning == sliding):
		is_exchanged = holder_moves and turning == sliding
		if turning == sliding:
			_name_endless()
		return posmod((0 if _fits_slider(sliding[0]) else 1) - sliding[0], 3)
	return 0


## Whether a plain hinge holds everything: nothing but a motor without a largest force.
func _fits_hinge(axis: int) -> bool:
	var room := rooms[3 + axis]
	var is_plain := rooms.all(func(one: RefCounted) -> bool: return one == room or one.drive.is_empty())
	if not is_plain or not room.is_free:
		return false
	return room.drive.is_empty() or (not room.is_pulled and room.drive["most"] == INF)


## Whether a plain slider holds everything: nothing bounds or drives it.
func _fits_slider(axis: int) -> bool:
	var is_plain := rooms.all(func(one: RefCounted) -> bool: return one.drive.is_empty())
	return is_plain and rooms[axis].is_free and rooms[3 + axis].is_locked


## Puts the rest pose into the limits. Let T be the connected frame in the joint frame, T0 the same at
## rest, and G what Godot counts. With the node at the joint frame T = G T0, at the connected one T = T0 G.
func _rest(joint: Transform3D, connected: Transform3D) -> void:
	var pose := joint.affine_inverse() * connected
	var turn := pose.basis.get_rotation_quaternion()
	var place := pose.origin
	var is_turned := Vector3(turn.x, turn.y, turn.z).length() > 0.5 * NEAR
	if place.length() <= NEAR and not is_turned:
		return
	var about := _axis_of(turn) if is_turned else -1
	var values := _coordinates(place, turn)
	var matter := _angles_matter()
	var turning := turns()
	var sliding := slides()
	var adds := not is_turned or not matter or turning.is_empty() or turning == [about]
	var fits_joint := adds
	if place.length() > NEAR and not turning.is_empty():
		var across := place
		across[turning[0]] = 0.0
		fits_joint = adds and turning.size() == 1 and across.length() <= NEAR
	if fits_joint or (adds and (not is_turned or sliding.is_empty() or (about >= 0 and sliding == [about]))):
		frame = joint if fits_joint else connected
		other = frame
		for coordinate in (6 if matter else 3):
			_zeros[coordinate] = _snapped(rooms[coordinate], values[coordinate])
		return
	is_exact = false
	other = connected


func _angles_matter() -> bool:
	return rooms.slice(3).any(func(room: RefCounted) -> bool: return not room.is_free or not room.drive.is_empty())


static func _axis_of(turn: Quaternion) -> int:
	var vector := Vector3(turn.x, turn.y, turn.z)
	var axis := vector.abs().max_axis_index()
	vector[axis] = 0.0
	return axis if vector.length() <= NEAR else -1


## Distances, and the twist about each axis; of a locked one how far it is from there.
func _coordinates(place: Vector3, turn: Quaternion) -> PackedFloat64Array:
	var values: PackedFloat64Array = [place.x, place.y, place.z]
	for axis in 3:
		var v: float = [turn.x, turn.y, turn.z][axis]
		var room := rooms[3 + axis]
		if room.is_locked:
			var half: float = 0.5 * room.low
			var sine := clampf(cos(half) * v - sin(half) * turn.w, -1.0, 1.0)
			var cosine := cos(half) * turn.w + sin(half) * v
			values.append(room.low + 2.0 * asin(sine if cosine >= 0.0 else -sine))
			continue
		var angle := wrapf(2.0 * atan2(v, turn.w), -PI, PI)
		for turned in [angle + TAU, angle - TAU]:
			if absf(room.low) < INF and absf(room.high) < INF and _beyond(room, turned) < _beyond(room, angle):
				angle = turned
		values.append(angle)
	return values


static func _beyond(room: RefCounted, value: float) -> float:
	return maxf(maxf(room.low - value, value - room.high), 0.0)


static func _snapped(room: RefCounted, value: float) -> float:
	return room.low if room.is_locked and absf(room.low - value) <= 10.0 * NEAR else value


static func _named(world: Transform3D, shift: int) -> Transform3D:
	var basis := Basis()
	for axis in 3:
		basis[(axis + shift) % 3] = world.basis[axis]
	return Transform3D(basis, world.origin)


func _twist_axis() -> int:
	var errors := [0, 1, 2].map(_swing_error)
	return errors.find(errors.min())


## How far Godot's angles are off at the ends of their ranges, in rad, if an axis is called X.
func _swing_error(twist: int) -> float:
	var worst := 0.0
	for axis in 3:
		var room := rooms[3 + axis]
		if axis == twist or (room.is_free and room.drive.is_empty()):
			continue
		for own: float in _tangents(room):
			for across: float in _tangents(rooms[3 + 3 - axis - twist]):
				for about: float in _tangents(rooms[3 + twist]):
					for swing: float in [absf(own) - absf(across * about), absf(own) + absf(across * about)]:
						worst = maxf(worst, absf(2.0 * atan(swing / (1.0 + about * about)) - 2.0 * atan(absf(own))))
	return worst


static func _tangents(room: RefCounted) -> Array:
	return [room.low, room.high].map(func(bound: float) -> float: return tan(0.5 * clampf(bound, -0.5 * PI, 0.5 * PI)))


func _name_turning(twist: int) -> void:
	if not _angles_matter():
		return
	var driven := rooms.slice(3).any(func(room: RefCounted) -> bool: return not room.drive.is_empty())
	var off := _swing_error(twist)
	if driven or not rooms[3 + twist].is_free:
		for axis in turns():
			if axis != twist:
				off = maxf(off, 0.5 * minf(maxf(absf(rooms[3 + axis].low), absf(rooms[3 + axis].high)), PI))
	if off > NOTICED:
		reasons.append("it turns about several axes, which Godot measures and holds otherwise, at the ends by up to %.0f degrees" % rad_to_deg(off))


func _name_endless() -> void:
	for axis: int in turns():
		if maxf(absf(rooms[3 + axis].low), absf(rooms[3 + axis].high)) > PI:
			reasons.append("it slides along and turns about one axis without an end, which Godot no longer holds past half a turn")
