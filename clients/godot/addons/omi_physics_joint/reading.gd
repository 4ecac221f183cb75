# SPDX-License-Identifier: MIT
## What a glTF file says of physics, in OMI's extensions or in Khronos'.
##
## Where a node says the same part in both, OMI counts, unless Khronos' says more: a plane, bounds over several axes together. The two
## differ in defaults, in how geometry is named, and in limits over several axes: of each axis in OMI, of all together in Khronos'.
@tool
extends RefCounted

const OMI_BODY := "OMI_physics_body"
const OMI_SHAPE := "OMI_physics_shape"
const OMI_JOINT := "OMI_physics_joint"
const KHR_BODY := "KHR_physics_rigid_bodies"
const KHR_SHAPE := "KHR_implicit_shapes"

## From here on a number stands for an infinite one, which JSON cannot say.
const LARGEST := 3.4e38

## For each node of the file: "motion", "collider", "trigger" and "joint", as far as it has them.
var nodes: Array[Dictionary] = []
## Parent of each node, -1 for none.
var parents: PackedInt32Array = []
## Whether the file is spelled for Godot as it reads it without this add-on.
var is_for_godot := false
## Nodes whose joints cannot be read, and why.
var unread: Dictionary = {}
## m/s^2; NAN where the file does not say.
var gravity := NAN

var _json: Dictionary
var _pools: Dictionary = {}


func read(json: Dictionary) -> void:
	_json = json
	var extras: Variant = json.get("extras")
	is_for_godot = extras is Dictionary and extras.get("physics_target") == "godot"
	var gravitation := _dictionary(_dictionary(json, "extensions"), "OMI_physics_gravity")
	if not gravitation.is_empty():
		gravity = _number(gravitation, "gravity", 9.81)
	var items: Array = json.get("nodes", [])
	parents.resize(items.size())
	parents.fill(-1)
	for index in items.size():
		for child: int in items[index].get("children", []):
			parents[child] = index
	for index in items.size():
		var extensions := _dictionary(items[index], "extensions")
		nodes.append(_node(extensions, "/nodes/%d/extensions/" % index))
		var is_said := extensions.has(OMI_JOINT) or _dictionary(extensions, KHR_BODY).has("joint")
		if is_said and not nodes[index].has("joint"):
			var is_older := _dictionary(extensions, OMI_JOINT).has("constraints")
			unread[index] = "its form of 2023 is not read" if is_older else "it has no settings or no connected node"


## The nearest node with a motion, the node itself or above it; -1 for none.
func body_of(index: int) -> int:
	while index >= 0 and not nodes[index].has("motion"):
		index = parents[index]
	return index


## The JSON pointers below which the numbers of a joint are.
func pointers_of(index: int) -> Array:
	return nodes[index]["joint"]["source"].keys()


## A joint with other numbers than the file has.
## [param numbers]: by their JSON pointers.
func joint_with(index: int, numbers: Dictionary) -> Dictionary:
	var told := {}
	var source: Dictionary = nodes[index]["joint"]["source"]
	for at: String in source:
		told[at] = _with(source[at], at + "/", numbers)
	return _joint_of(told)


static func _with(members: Dictionary, at: String, numbers: Dictionary) -> Dictionary:
	var changed := members.duplicate(true)
	for pointer: String in numbers:
		if not pointer.begins_with(at):
			continue
		var steps := pointer.trim_prefix(at).split("/")
		var inner: Variant = changed
		for step in steps.slice(0, -1):
			if inner is Dictionary:
				inner = inner.get(step)
			elif inner is Array:
				inner = inner[int(step)] if step.is_valid_int() and int(step) < inner.size() else null
		if inner is Dictionary:
			inner[steps[-1]] = numbers[pointer]
	return changed


func _node(extensions: Dictionary, at: String) -> Dictionary:
	var node := {}
	var khr := _dictionary(extensions, KHR_BODY)
	var omi := _dictionary(extensions, OMI_BODY)
	if omi.has("motion"):
		node["motion"] = _motion(_dictionary(omi, "motion"))
	elif khr.has("motion"):
		node["motion"] = _khr_motion(_dictionary(khr, "motion"))
	# Khronos' leave a centre of mass to the shapes by saying nothing; beside that OMI's zero says nothing.
	var motion: Dictionary = node.get("motion", {})
	if khr.has("motion") and not motion.is_empty() and not _dictionary(khr, "motion").has("centerOfMass"):
		motion["has_center"] = motion["center"] != Vector3.ZERO
	for part: String in ["collider", "trigger"]:
		var more := _khr_solid(_dictionary(khr, part)) if khr.has(part) else {}
		if omi.has(part) and more.get("shape", {}).get("type") != "plane":
			node[part] = _omi_solid(_dictionary(omi, part))
		elif khr.has(part):
			node[part] = more
	if khr.has("joint"):
		node["joint"] = _joint(_dictionary(khr, "joint"), KHR_BODY, at + KHR_BODY + "/joint")
	if extensions.has(OMI_JOINT) and not _says_more(node.get("joint", {})):
		node["joint"] = _joint(_dictionary(extensions, OMI_JOINT), OMI_JOINT, at + OMI_JOINT)
	for part in ["motion", "joint"]:
		if node.has(part) and node[part].is_empty():
			node.erase(part)
	return node


## Whether a joint has bounds on several axes together, which OMI's cannot say.
static func _says_more(joint: Dictionary) -> bool:
	return joint.get("limits", []).any(func(limit: Dictionary) -> bool:
		return limit["together"] and not (limit["min"] <= 0.0 and limit["max"] == 0.0))


func _motion(motion: Dictionary) -> Dictionary:
	if motion.get("type") not in ["static", "kinematic", "dynamic"]:
		return {}
	return _moved(motion, motion["type"], _number(motion, "mass", 1.0), _vector(motion, "inertiaDiagonal"))


func _khr_motion(motion: Dictionary) -> Dictionary:
	var mass := _number(motion, "mass", 1.0)
	var inertia := _vector(motion, "inertiaDiagonal")
	if motion.has("inertiaDiagonal"):
		for axis in 3:
			inertia[axis] = INF if inertia[axis] == 0.0 else inertia[axis]
	var type := "kinematic" if motion.get("isKinematic", false) else "dynamic"
	return _moved(motion, type, INF if mass == 0.0 else mass, inertia)


func _moved(motion: Dictionary, type: String, mass: float, inertia: Vector3) -> Dictionary:
	var turn: Array = motion.get("inertiaOrientation", [0.0, 0.0, 0.0, 1.0])
	var orientation := Quaternion(turn[0], turn[1], turn[2], turn[3])
	return {
		"type": type,
		"mass": mass,
		"center": _vector(motion, "centerOfMass"),
		"has_center": true,
		"inertia": inertia,
		"orientation": orientation.normalized() if orientation.length() > 0.0 else Quaternion(),
		"linear": _vector(motion, "linearVelocity"),
		"angular": _vector(motion, "angularVelocity"),
		"gravity": _number(motion, "gravityFactor", 1.0),
	}


func _omi_solid(solid: Dictionary) -> Dictionary:
	var shape: Variant = _pooled(OMI_SHAPE, "shapes", solid, "shape")
	var found := _solid(solid, OMI_BODY)
	if shape != null:
		found["shape"] = _omi_shape(shape)
	return found


func _khr_solid(solid: Dictionary) -> Dictionary:
	var found := _solid(solid, KHR_BODY)
	var geometry := _dictionary(solid, "geometry")
	var shape: Variant = _pooled(KHR_SHAPE, "shapes", geometry, "shape")
	if shape != null:
		found["shape"] = _khr_shape(shape)
		return found
	var mesh := int(geometry.get("mesh", -1))
	if mesh < 0 and geometry.has("node"):
		mesh = _mesh_below(int(geometry["node"]))
	if mesh >= 0:
		found["shape"] = {"type": "convex" if geometry.get("convexHull", false) else "trimesh", "mesh": mesh}
	return found


func _solid(solid: Dictionary, extension: String) -> Dictionary:
	var found := {"nodes": solid.get("nodes", [])}
	for key in ["physicsMaterial", "collisionFilter"]:
		var item: Variant = _pooled(extension, key + "s", solid, key)
		if item != null:
			found[key] = item
	return found


func _omi_shape(shape: Dictionary) -> Dictionary:
	var type: String = shape.get("type", "")
	var block := _dictionary(shape, type)
	if type in ["convex", "trimesh"]:
		return {"type": type, "mesh": int(block.get("mesh", -1))}
	var tall := 2.0 if type == "cylinder" else 1.0
	var found := _sized(type, block, 1.0, 0.5, tall)
	# Until September 2024 there was one radius, and the height of a capsule was its whole height.
	var is_older := block.has("radius") and not (block.has("radiusBottom") or block.has("radiusTop"))
	if type == "capsule" and block.has("height") and (is_older or is_for_godot):
		found["height"] = maxf(found["height"] - found["bottom"] - found["top"], 0.0)
	return found


func _khr_shape(shape: Dictionary) -> Dictionary:
	var type: String = shape.get("type", "")
	return _sized(type, _dictionary(shape, type), 1.0, 0.25 if type != "sphere" else 0.5, 0.5)


func _sized(type: String, block: Dictionary, size: float, radius: float, height: float) -> Dictionary:
	var either := _number(block, "radius", radius)
	return {
		"type": type,
		"size": _vector(block, "size", Vector3.ONE * size),
		"radius": either,
		"bottom": _number(block, "radiusBottom", either),
		"top": _number(block, "radiusTop", either),
		"height": _number(block, "height", height),
		"x": _number(block, "sizeX", 0.0),
		"z": _number(block, "sizeZ", 0.0),
	}


func _mesh_below(index: int) -> int:
	var items: Array = _json.get("nodes", [])
	var ahead := [index]
	while not ahead.is_empty():
		var next: int = ahead.pop_front()
		if next < 0 or next >= items.size():
			continue
		if items[next].has("mesh"):
			return int(items[next]["mesh"])
		ahead.append_array(items[next].get("children", []))
	return -1


## A joint; "source" is where its numbers stand: its own and those of its settings, by JSON pointer.
func _joint(joint: Dictionary, extension: String, at: String) -> Dictionary:
	var settings: Variant = _pooled(extension, "physicsJoints", joint, "joint")
	var connected := int(joint.get("connectedNode", -1))
	if settings == null or connected < 0 or connected >= parents.size():
		return {}
	return _joint_of({at: joint, "/extensions/%s/physicsJoints/%d" % [extension, int(joint["joint"])]: settings})


func _joint_of(source: Dictionary) -> Dictionary:
	var joint: Dictionary = source.values()[0]
	var settings: Dictionary = source.values()[1]
	var is_khr: bool = KHR_BODY in source.keys()[1]
	var limits: Array[Dictionary] = []
	for limit: Dictionary in settings.get("limits", []):
		limits.append_array(_limits(limit, is_khr))
	var drives: Array[Dictionary] = []
	for drive: Dictionary in settings.get("drives", []):
		if drive.get("type") in ["linear", "angular"] and int(drive.get("axis", -1)) in [0, 1, 2]:
			drives.append(_drive(drive))
	return {
		"name": settings.get("name", ""),
		"connected": int(joint["connectedNode"]),
		"collide": bool(joint.get("enableCollision", false)),
		"limits": limits,
		"drives": drives,
		"source": source,
	}


## Bounds of axes of one kind each; "first" is 0 for distances and 3 for angles.
func _limits(limit: Dictionary, is_together: bool) -> Array[Dictionary]:
	var found: Array[Dictionary] = []
	for kind in [["linearAxes", 0], ["angularAxes", 3]]:
		var axes: Array = limit.get(kind[0], [])
		if axes.is_empty():
			continue
		found.append({
			"first": kind[1],
			"axes": axes.map(func(axis: float) -> int: return int(axis)),
			"min": _number(limit, "min", -INF),
			"max": _number(limit, "max", INF),
			"stiffness": _positive(limit, "stiffness", INF),
			"damping": maxf(_number(limit, "damping", 0.0), 0.0),
			"together": is_together and axes.size() > 1,
		})
	return found


func _drive(drive: Dictionary) -> Dictionary:
	return {
		"coordinate": int(drive["axis"]) + (3 if drive["type"] == "angular" else 0),
		"by_acceleration": drive.get("mode") == "acceleration",
		"most": _positive(drive, "maxForce", INF),
		"target": _number(drive, "positionTarget", NAN),
		"speed": _number(drive, "velocityTarget", NAN),
		"stiffness": maxf(_number(drive, "stiffness", 0.0), 0.0),
		"damping": maxf(_number(drive, "damping", 0.0), 0.0),
	}


func _pooled(extension: String, pool: String, owner: Dictionary, key: String) -> Variant:
	var items: Variant = _dictionary(_dictionary(_json, "extensions"), extension).get(pool)
	var at := int(owner.get(key, -1))
	if items is Array and at >= 0 and at < items.size() and items[at] is Dictionary:
		return items[at]
	return null


func _positive(members: Dictionary, key: String, standard: float) -> float:
	var value := _number(members, key, standard)
	return INF if value < 0.0 else value


func _number(members: Dictionary, key: String, standard: float) -> float:
	var value: Variant = members.get(key)
	return _meant(value) if value is float or value is int else standard


func _vector(members: Dictionary, key: String, standard := Vector3.ZERO) -> Vector3:
	var value: Variant = members.get(key)
	if not value is Array or value.size() != 3:
		return standard
	return Vector3(_meant(value[0]), _meant(value[1]), _meant(value[2]))


static func _meant(value: float) -> float:
	return value if absf(value) < LARGEST else INF * signf(value)


func _dictionary(members: Dictionary, key: String) -> Dictionary:
	var value: Variant = members.get(key)
	return value if value is Dictionary else {}
