# SPDX-License-Identifier: GPL-3.0-or-later
# Writes what our add-on makes of glTF files, before anything moves.
# Words after "--": the file of results, and the glTF files.
extends SceneTree

const ADDON := "res://addons/omi_physics_joint/physics_import.gd"
const FILLED := "res://addons/omi_physics_joint/volumes.gd"
const DIRECTIONS := [Vector3.RIGHT, Vector3.UP, Vector3.BACK, Vector3(0.48, 0.6, 0.64)]
const LATER := 0.5
const WARNINGS := "omi_physics_joint_warnings"
const POSES := [Animation.TYPE_POSITION_3D, Animation.TYPE_ROTATION_3D, Animation.TYPE_SCALE_3D]

var scene: Node
var found := {}


## Once the root is there, which scenes are put below.
func _process(_delta: float) -> bool:
	var words := OS.get_cmdline_user_args()
	var script: GDScript = load(ADDON)
	if script == null or not script.can_instantiate():
		return true
	GLTFDocument.register_gltf_document_extension(script.new(), true)
	var results := {}
	for file in words.slice(1):
		results[file] = _built(file)
	var out := FileAccess.open(words[0], FileAccess.WRITE)
	out.store_string(JSON.stringify(results, "", true, true))
	out.close()
	return true


func _built(file: String) -> Dictionary:
	found = {"nodes": [], "bodies": {}, "joints": {}, "animations": {}, "warnings": []}
	var state := GLTFState.new()
	var document := GLTFDocument.new()
	if document.append_from_file(file, state) != OK:
		return {}
	scene = document.generate_scene(state)
	found["warnings"] = state.get_additional_data(WARNINGS)
	_look(scene)
	root.add_child(scene)
	for joint: Joint3D in scene.find_children("*", "Generic6DOFJoint3D", true, false):
		if joint.get_script() != null:
			found["joints"][String(joint.name)]["engine"] = _engine(joint)
	for body: AnimatableBody3D in scene.find_children("*", "AnimatableBody3D", true, false):
		if body.get_script() != null:
			body._physics_process(LATER)
			found["bodies"][String(body.name)]["later"] = _plain(_world(body))
	scene.free()
	return found


func _look(node: Node) -> void:
	var owner := "" if node == scene or node.owner == scene else " without an owner"
	var metas := "" if node.get_meta_list().filter(func(name: String) -> bool: return name == "filtered").is_empty() else " marked"
	found["nodes"].append([String(scene.get_path_to(node)), node.get_class() + owner + metas, _plain(_world(node))])
	if node is CollisionObject3D:
		found["bodies"][String(node.name)] = _body(node)
	if node is Joint3D:
		found["joints"][String(node.name)] = _joint(node)
	if node is AnimationPlayer:
		for name in node.get_animation_list():
			found["animations"][name] = _animation(node, node.get_animation(name))
	for child in node.get_children():
		_look(child)


func _body(body: CollisionObject3D) -> Dictionary:
	var told := {"class": body.get_class(), "world": _plain(_world(body)), "layers": [body.collision_layer, body.collision_mask]}
	for property in ["mass", "gravity_scale", "inertia", "linear_velocity", "angular_velocity", "center_of_mass_mode", "sync_to_physics"]:
		told[property] = _plain(body.get(property))
	if body is RigidBody3D:
		told["center"] = _plain(_world(body) * body.center_of_mass)
		told["turning"] = _turning(body)
	var material: PhysicsMaterial = body.get("physics_material_override")
	if material != null:
		told["material"] = _plain([material.resource_name, material.friction, material.bounce, material.rough, material.absorbent])
	told["shapes"] = {}
	for child in body.get_children():
		if child is CollisionShape3D:
			told["shapes"][String(child.name)] = _shape(child)
	return told


## How hard what its shapes fill turns about some directions of the scene; nothing where that is not known.
func _turning(body: RigidBody3D) -> Array:
	var fill: RefCounted = load(FILLED).new()
	for child in body.get_children():
		if child is CollisionShape3D:
			fill.add(child.shape, child.transform)
	var back := _world(body).basis.inverse()
	var look := func(direction: Vector3) -> float: return body.mass * fill.turning(body.center_of_mass, back * direction)
	return [] if fill.volume == 0.0 else DIRECTIONS.map(look)


func _shape(node: CollisionShape3D) -> Dictionary:
	var shape := node.shape
	var told := {"class": shape.get_class(), "world": _plain(_world(node))}
	for property in ["size", "radius", "height"]:
		told[property] = _plain(shape.get(property))
	var points: PackedVector3Array = []
	if shape is ConvexPolygonShape3D:
		points = shape.points
	elif shape is ConcavePolygonShape3D:
		points = shape.get_faces()
	told["points"] = Array(points).map(func(point: Vector3) -> Array: return _plain(_world(node) * point))
	return told


func _joint(joint: Joint3D) -> Dictionary:
	var told := {"class": joint.get_class(), "world": _plain(_world(joint)), "apart": joint.exclude_nodes_from_collision}
	told["ends"] = [joint.node_a, joint.node_b].map(func(path: NodePath) -> String: return String(joint.get_node(path).name))
	told["below"] = String(joint.get_parent().name)
	for property in ["second_frame", "bodies_collide"]:
		told[property] = _plain(joint.get(property))
	told["properties"] = {}
	for property in joint.get_property_list():
		if "/" in property["name"]:
			told["properties"][property["name"]] = _plain(joint.get(property["name"]))
	return told


## What the engine has of a joint that a script makes and its node has not, and whether its bodies collide:
## as it is loaded, once that is changed, and changed back.
func _engine(joint: Generic6DOFJoint3D) -> Dictionary:
	var rid := joint.get_rid()
	var others := []
	for axis: int in 3:
		for param: int in Generic6DOFJoint3D.PARAM_MAX:
			var told: float = joint.call("get_param_" + "xyz"[axis], param)
			if not is_equal_approx(PhysicsServer3D.generic_6dof_joint_get_param(rid, axis, param), told):
				others.append("param %d of %d" % [param, axis])
		for flag: int in Generic6DOFJoint3D.FLAG_MAX:
			if PhysicsServer3D.generic_6dof_joint_get_flag(rid, axis, flag) != joint.call("get_flag_" + "xyz"[axis], flag):
				others.append("flag %d of %d" % [flag, axis])
	var collides := []
	for change in 3:
		collides.append(not PhysicsServer3D.joint_is_disabled_collisions_between_bodies(rid))
		joint.bodies_collide = not joint.bodies_collide
	return {"others": others, "collides": collides}


func _animation(player: AnimationPlayer, animation: Animation) -> Dictionary:
	var tracks := []
	for track in animation.get_track_count():
		var path := animation.track_get_path(track)
		var node := player.get_node(player.root_node).get_node_or_null(NodePath(path.get_concatenated_names()))
		var name := "nobody" if node == null else String(node.name)
		var keys := []
		for key in animation.track_get_key_count(track):
			keys.append([animation.track_get_key_time(track, key), _plain(animation.track_get_key_value(track, key))])
		var type := animation.track_get_type(track)
		var update := animation.value_track_get_update_mode(track) if type == Animation.TYPE_VALUE else -1
		tracks.append({
			"node": name, "property": String(path.get_concatenated_subnames()), "keys": keys,
			"how": [type, animation.track_get_interpolation_type(track), update],
		})
	return {"length": animation.length, "in_step": player.callback_mode_process, "tracks": tracks}


static func _world(node: Node) -> Transform3D:
	var world := Transform3D.IDENTITY
	while node != null:
		if node is Node3D:
			world = node.transform * world
		node = node.get_parent()
	return world


## Values as JSON can say them.
static func _plain(value: Variant) -> Variant:
	match typeof(value):
		TYPE_FLOAT:
			return value if is_finite(value) else str(value)
		TYPE_VECTOR3:
			return [_plain(value.x), _plain(value.y), _plain(value.z)]
		TYPE_QUATERNION:
			return [value.x, value.y, value.z, value.w]
		TYPE_TRANSFORM3D:
			return [_plain(value.basis.x), _plain(value.basis.y), _plain(value.basis.z), _plain(value.origin)]
		TYPE_ARRAY:
			return value.map(_plain)
	return value
