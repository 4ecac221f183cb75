# SPDX-License-Identifier: MIT
## One coordinate of a joint: what its limits leave, and what drives it, in the words of Jolt.
##
## In Jolt every limit is rigid, and a drive is either a motor, rigid up to its largest force, or a
## spring with damping. So a soft lock becomes a spring, a damper a spring that hardly pulls, and a
## damped linear motor a weak spring to a far place.
@tool
extends RefCounted

const FAINT := 1e-4
const SOFTNESS := 2.0

## Bounds in m or rad.
var low := -INF
var high := INF
## "target", "speed", "stiffness", "damping" and "most"; empty for none.
var drive: Dictionary = {}
## Why this coordinate is not as the file says.
var reasons: PackedStringArray = []

var _rigid_low := -INF
var _rigid_high := INF
var _limits: Array[Dictionary] = []
var _is_angular := false
var _way := ""


var is_free: bool:
	get:
		return low == -INF and high == INF

var is_locked: bool:
	get:
		return low == high

## Whether it is led to a place, and not only damped.
var is_pulled: bool:
	get:
		return not drive.is_empty() and drive["speed"] == 0.0


## The six coordinates of a joint, distances first.
## [param held]: N/m up to which soft limits are rigid, since they could not bear their load.
static func all_of(joint: Dictionary, held: float) -> Array[RefCounted]:
	var rooms: Array[RefCounted] = []
	for coordinate in 6:
		var room := new()
		room._is_angular = coordinate >= 3
		room._way = ("about " if coordinate >= 3 else "along ") + "XYZ"[coordinate % 3]
		room._read(joint, coordinate, held)
		rooms.append(room)
	return rooms


## What a joint leaves and drives at any of several times.
static func around(times: Array[Array]) -> Array[RefCounted]:
	var found: Array[RefCounted] = []
	for coordinate in 6:
		var all := times.map(func(rooms: Array[RefCounted]) -> RefCounted: return rooms[coordinate])
		var room := new()
		room.low = all.map(func(one: RefCounted) -> float: return one.low).min()
		room.high = all.map(func(one: RefCounted) -> float: return one.high).max()
		for one: RefCounted in all:
			if not one.drive.is_empty() and (room.drive.is_empty() or absf(one.drive["speed"]) > absf(room.drive["speed"])):
				room.drive = one.drive.duplicate()
			for reason: String in one.reasons:
				if reason not in room.reasons:
					room.reasons.append(reason)
		found.append(room)
	return found


## Counts from another zero.
func shift(zero: float) -> void:
	low -= zero
	high -= zero
	if not drive.is_empty():
		drive["target"] -= zero


## Counts the other way.
func negate() -> void:
	var other := low
	low = 0.0 - high
	high = 0.0 - other
	if not drive.is_empty():
		drive["target"] = 0.0 - drive["target"]
		drive["speed"] = 0.0 - drive["speed"]


func _read(joint: Dictionary, coordinate: int, held: float) -> void:
	var first := 3 if _is_angular else 0
	for limit: Dictionary in joint["limits"]:
		if limit["first"] == first and (coordinate - first) in limit["axes"]:
			_take(limit, held)
	for one: Dictionary in joint["drives"]:
		if one["coordinate"] == coordinate:
			drive = one.duplicate()
	# Strengths pull to nothing without a target; the damping of a spring counts from speed zero.
	var acts := false
	if not drive.is_empty():
		var pulls: bool = not is_nan(drive["target"]) and drive["stiffness"] > 0.0
		var damps: bool = drive["damping"] > 0.0 and not (is_nan(drive["target"]) and is_nan(drive["speed"]))
		acts = drive["most"] > 0.0 and (pulls or damps)
	if not acts or _rigid_low == _rigid_high:
		drive = {}
	var soft := _limits.filter(func(limit: Dictionary) -> bool: return limit["stiffness"] < INF)
	if drive.is_empty():
		if soft.size() == 1 and _limits.size() == 1 and _is_lock(soft[0]):
			_become_spring(soft[0])
			return
	else:
		_drive()
	if not soft.is_empty():
		reasons.append("its limit %s gives way, and is rigid in Godot" % _way)
	if _is_angular:
		for bound in [low, high]:
			if absf(bound) > PI + 1e-4 and absf(bound) < INF:
				reasons.append("its limits %s go beyond half a turn, which Godot cannot count" % _way)


func _take(said: Dictionary, held: float) -> void:
	var limit := said.duplicate()
	if limit["stiffness"] > 0.0 and limit["stiffness"] <= held:
		limit["stiffness"] = INF
	if limit["together"] and not (limit["min"] <= 0.0 and limit["max"] == 0.0):
		_apart(limit)
	var new_low := maxf(low, limit["min"])
	var new_high := minf(high, limit["max"])
	if new_low > new_high or limit["min"] > limit["max"]:
		reasons.append("its limits %s contradict each other" % _way)
		return
	_limits.append(limit)
	low = new_low
	high = new_high
	if limit["stiffness"] == INF:
		_rigid_low = maxf(_rigid_low, limit["min"])
		_rigid_high = minf(_rigid_high, limit["max"])


## The largest bounds of each axis by itself within one bound over several axes together.
func _apart(limit: Dictionary) -> void:
	var count: int = limit["axes"].size()
	var most: float = limit["max"]
	reasons.append("one bound over several axes together (%s) became one of each axis, inside it" % _way)
	if limit["min"] > 0.0:
		reasons.append("its least distance from the middle is lost")
	if limit["first"] == 0:
		most /= sqrt(count)
	elif most >= PI:
		most = INF
	else:
		most = 2.0 * atan(tan(most / 2.0) / sqrt(count))
	limit["min"] = -most
	limit["max"] = most


static func _is_lock(limit: Dictionary) -> bool:
	return limit["min"] == limit["max"] and limit["stiffness"] > 0.0


func _become_spring(lock: Dictionary) -> void:
	drive = {
		"target": lock["min"], "speed": 0.0, "stiffness": lock["stiffness"],
		"damping": lock["damping"], "most": INF,
	}
	low = -INF
	high = INF


func _drive() -> void:
	var speed: float = 0.0 if is_nan(drive["speed"]) else drive["speed"]
	var pulls: bool = not is_nan(drive["target"]) and drive["stiffness"] > 0.0
	if drive["by_acceleration"]:
		reasons.append("its drive %s is by acceleration, and Godot knows forces only" % _way)
	if pulls or speed == 0.0:
		if speed != 0.0:
			reasons.append("its spring %s has a speed, which Godot drops" % _way)
		if drive["most"] < INF:
			reasons.append("its drive %s has a largest force, which Godot ignores where it pulls or brakes" % _way)
	if pulls:
		drive["speed"] = 0.0
	elif speed == 0.0:
		drive["target"] = 0.0
		drive["speed"] = 0.0
		drive["stiffness"] = FAINT * drive["damping"]
	elif not _is_angular and drive["most"] == INF:
		drive["target"] = speed / FAINT
		drive["speed"] = 0.0
		drive["stiffness"] = FAINT * drive["damping"]
	else:
		drive["target"] = 0.0
		drive["stiffness"] = 0.0
