# SPDX-License-Identifier: MIT
## Where Godot throws a body back from a bound, so far that it is noticed.
##
## What has stopped a body at a bound comes once more in the next step, and each of ten passes leaves of
## it the part that the other rows of the joint share: m r^2 / (I + m r^2) of a body on a pivot. What can
## strike is known of a body that one joint leads one way, from what stands still: it has no more than
## its energy at rest. Check says the same of files.
@tool
extends RefCounted

const Frames := preload("frames.gd")
const Layout := preload("layout.gd")
const Loads := preload("loads.gd")
const Room := preload("room.gd")
const Solids := preload("solids.gd")

const PASSES := 10.0
## rad and m by which a body is noticed to be elsewhere.
const ANGLE := 0.0175
const WAY := 0.005
## s that what nothing pulls back may go on.
const SECONDS := 2.0
const LOOKS := 32
## m by which a body may seem to climb.
const ROUNDED := 1e-6

var _turns: bool
var _axis: Vector3
var _low: float
var _high: float
var _arm: Vector3


## Whether a joint is of a kind that nobody knows of how fast its body strikes.
static func is_unknown(joint: Dictionary, layout: Layout, holder: Node, other: Node) -> bool:
	var free := layout.rooms.filter(func(room: Room) -> bool: return not room.is_locked)
	var moving := [holder, other].filter(func(body: Node) -> bool: return body is RigidBody3D)
	var still := [holder, other].filter(func(body: Node) -> bool: return body is StaticBody3D and not body is AnimatableBody3D)
	return (
		free.size() != 1 or moving.size() != 1 or still.size() != 1 or not layout.is_exact
		or joint["limits"].any(func(limit: Dictionary) -> bool: return limit["stiffness"] < INF)
		or joint["drives"].any(_leads)
	)


static func _leads(drive: Dictionary) -> bool:
	var pulls: bool = not is_nan(drive["target"]) and drive["stiffness"] > 0.0
	var runs: bool = not is_nan(drive["speed"]) and drive["speed"] != 0.0 and drive["damping"] > 0.0
	return drive["most"] > 0.0 and (pulls or runs)


## Whether a body is thrown back by a joint with one free coordinate, which is counted from rest.
## [param side]: 1.0 for the body that the coordinate is the pose of, as Godot counts, -1.0 for the other.
func throws_back(layout: Layout, body: RigidBody3D, solids: Solids, side: float) -> bool:
	var at := range(6).filter(func(one: int) -> bool: return not layout.rooms[one].is_locked)[0] as int
	_turns = at >= 3
	_axis = layout.frame.basis[at % 3].normalized() * side
	_low = minf(layout.rooms[at].low, 0.0)
	_high = maxf(layout.rooms[at].high, 0.0)
	var world := Frames.world_of(body)
	_arm = (world * body.center_of_mass - layout.frame.origin).slide(_axis)
	var shared := body.mass * _arm.length_squared()
	var whole := shared + solids.inertia_of(body, _axis if _turns else _arm.cross(_axis).normalized())
	var spin := body.angular_velocity
	var energy := 0.5 * body.mass * body.linear_velocity.length_squared()
	energy += 0.5 * solids.inertia_of(body, spin)
	var far := maxf(_arm.length(), (world.origin - layout.frame.origin).slide(_axis).length())
	var noticed := minf(ANGLE, WAY / maxf(far, WAY)) if _turns else WAY
	var left := pow(shared / whole, PASSES) if whole > 0.0 else 0.0
	return _strikes(left, whole if _turns else body.mass, body.mass * body.gravity_scale * Loads.GRAVITY, energy, noticed)


func _strikes(left: float, inertia: float, weight: float, energy: float, noticed: float) -> bool:
	for end: Array in [[_low, noticed], [_high, -noticed]]:
		if absf(end[0]) == INF or _high - _low <= noticed:
			continue
		var climbs := range(LOOKS + 1).map(func(i: int) -> float: return weight * (_lift(end[0] * i / LOOKS) - ROUNDED))
		if climbs.max() > energy:
			continue
		var speed := left * sqrt(2.0 * maxf(energy - weight * _lift(end[0]), 0.0) / inertia)
		var held := weight * (_lift(end[0] + end[1]) - _lift(end[0]))
		if speed * SECONDS > noticed and 0.5 * inertia * speed * speed > held:
			return true
	return false


func _lift(value: float) -> float:
	return _arm.rotated(_axis, value).y - _arm.y if _turns else _axis.y * value
