# SPDX-License-Identifier: MIT
## Makes bodies of the nodes of a file: in their place, without scale, beside dynamic ones.
@tool
extends RefCounted

const Frames := preload("frames.gd")
const Loads := preload("loads.gd")
const Reading := preload("reading.gd")
const Said := preload("said.gd")
const Tracks := preload("tracks.gd")
const Moving := preload("moving_body.gd")

## Body of each node that is one, by its index in the file.
var made: Dictionary = {}
## Scene node of each node of the file.
var nodes: Array[Node3D] = []
## Where each stood in the file.
var worlds: Array[Transform3D] = []
var root: Node

var _reading: Reading
var _said: Said
var _tracks: Tracks


func _init(state: GLTFState, scene: Node, reading: Reading, said: Said) -> void:
	root = scene
	_reading = reading
	_said = said
	_tracks = Tracks.new(scene)
	var seen := {}
	for index in reading.nodes.size():
		# Of a mesh that is the root of the scene Godot has made another node by now.
		var found: Variant = state.get_scene_node(index)
		var node: Node3D = (found if is_instance_valid(found) or found == null else scene) as Node3D
		if node == null or seen.has(node) or node is Skeleton3D:
			node = null
		seen[node] = true
		nodes.append(node)
		worlds.append(Transform3D.IDENTITY if node == null else Frames.world_of(node))


## Makes all bodies, without shapes.
func make() -> void:
	_infer_static()
	if not is_nan(_reading.gravity) and absf(_reading.gravity - 9.81) > 0.02:
		_said.add("Gravity of the file", "it is %s m/s^2: set Default Gravity in the project settings" % _reading.gravity)
	for index in _from_the_top():
		if _reading.nodes[index].has("motion"):
			_make_body(index)


## Gives all new nodes to the scene, and animations the paths to what they move.
func finish() -> void:
	_own(root)
	_tracks.follow()


## The name of a node of the file, for warnings.
func name_of(index: int) -> String:
	return "node %d" % index if nodes[index] == null else String(nodes[index].name)


## Puts a new node in place of one that is only a mark, or below a parent.
func replace_or_add(index: int, parent: Node, node: Node3D, world: Transform3D, can_replace: bool) -> void:
	if can_replace:
		node.name = nodes[index].name
		var mark := nodes[index]
		mark.name = String(mark.name) + "Mark"
		mark.get_parent().remove_child(mark)
		_tracks.move(mark, node)
		mark.queue_free()
		nodes[index] = node
	_put(parent, node, world)


## Puts a node below a parent, at a pose of the scene.
func put(parent: Node, node: Node3D, world: Transform3D) -> void:
	_put(parent, node, world)


## The index of a body in the file; -1 for none.
func index_of(body: Node) -> int:
	var index: Variant = made.find_key(body)
	return -1 if index == null else index


## Whether a node is only a mark: of no other use than to be where it is.
func is_mark(index: int) -> bool:
	var node := nodes[index]
	return node != null and node != root and node.get_class() == "Node3D" and node.get_child_count() == 0


## All nodes, each behind the one above it; files have them in any order.
func _from_the_top() -> Array[int]:
	var found: Array[int] = []
	var below := {}
	for index in _reading.parents.size():
		below.get_or_add(_reading.parents[index], []).append(index)
	var ahead: Array = below.get(-1, [])
	while not ahead.is_empty():
		var index: int = ahead.pop_front()
		found.append(index)
		ahead.append_array(below.get(index, []))
	return found


## Colliders and joints that no body is above of belong to what stands still.
func _infer_static() -> void:
	for index in _reading.nodes.size():
		if _reading.nodes[index].has("collider") and _reading.body_of(index) < 0:
			var top := index
			var above := _reading.parents[index]
			while above >= 0:
				if _reading.nodes[above].has("collider"):
					top = above
				above = _reading.parents[above]
			_reading.nodes[top]["motion"] = {"type": "static"}


func _make_body(index: int) -> void:
	var motion: Dictionary = _reading.nodes[index]["motion"]
	var node := nodes[index]
	var what := 'Body "%s"' % name_of(index)
	if node == null:
		_said.add(what, "a bone of a skeleton cannot be a body in Godot")
		return
	if Frames.is_flat(worlds[index]):
		_said.add(what, "a scale of zero leaves no directions")
		return
	var frame := Frames.rigid(worlds[index])
	var body: CollisionObject3D
	match motion["type"]:
		"static":
			body = StaticBody3D.new()
		"kinematic":
			body = _kinematic(motion, frame)
		_:
			if _is_moved_by_nothing(motion):
				body = _kinematic(motion, frame)
			else:
				var own := frame
				if motion["inertia"] != Vector3.ZERO:
					frame.basis *= Basis(motion["orientation"])
				body = _rigid(motion, frame, own, what)
	_place(index, body, frame)
	made[index] = body


## Whether neither force nor torque moves a body.
static func _is_moved_by_nothing(motion: Dictionary) -> bool:
	if motion["mass"] != INF:
		return false
	var inertia: Vector3 = motion["inertia"]
	return motion["linear"] != Vector3.ZERO or inertia == Vector3.ZERO or inertia == Vector3.INF


func _kinematic(motion: Dictionary, frame: Transform3D) -> AnimatableBody3D:
	var body: AnimatableBody3D = AnimatableBody3D.new()
	if motion["linear"] != Vector3.ZERO or motion["angular"] != Vector3.ZERO:
		body.set_script(Moving)
		# Files for Godot say velocities in the axes of the world, and that of the centre of mass.
		var turn := frame.basis.inverse() if _reading.is_for_godot else Basis.IDENTITY
		var arm: Vector3 = motion["center"] if _reading.is_for_godot else Vector3.ZERO
		body.angular_velocity = turn * motion["angular"]
		body.linear_velocity = turn * motion["linear"] - body.angular_velocity.cross(arm)
		body.sync_to_physics = false
	return body


func _rigid(motion: Dictionary, frame: Transform3D, own: Transform3D, what: String) -> RigidBody3D:
	var body := RigidBody3D.new()
	if motion["mass"] <= 0.0:
		_said.add(what, "its mass is not positive; 1 kg is taken")
	# No force moves what has infinite mass, and it turns where it is. Jolt fails at joints of bodies
	# whose axes it locks.
	body.mass = minf(motion["mass"], Loads.ENDLESS) if motion["mass"] > 0.0 else 1.0
	body.gravity_scale = motion["gravity"] if motion["mass"] < INF else 0.0
	body.center_of_mass_mode = RigidBody3D.CENTER_OF_MASS_MODE_CUSTOM
	body.inertia = motion["inertia"].min(Vector3.ONE * Loads.ENDLESS)
	# Godot wants velocities in the axes of the world, and that of the centre of mass.
	var turn := Basis.IDENTITY if _reading.is_for_godot else own.basis
	body.linear_velocity = turn * motion["linear"]
	body.angular_velocity = turn * motion["angular"]
	center(body, frame, own.basis * motion["center"])
	if motion["angular"].length() > Loads.FASTEST:
		_said.add(what, "it starts faster than Godot lets anything turn, %s rad/s" % Loads.FASTEST)
	return body


## Puts the centre of mass of a body that stands somewhere, [param arm] from there in the world.
func center(body: RigidBody3D, frame: Transform3D, arm: Vector3) -> void:
	body.center_of_mass = frame.basis.inverse() * arm
	if not _reading.is_for_godot:
		body.linear_velocity += body.angular_velocity.cross(arm)


## Puts a body where its node is. The node goes below it, unless the body takes its place.
func _place(index: int, body: CollisionObject3D, frame: Transform3D) -> void:
	var node := nodes[index]
	var parent := node.get_parent()
	var above := _topmost_moving(index) if body is RigidBody3D or _is_below_dynamic(index) else null
	if above != null:
		parent = above.get_parent()
	if node == root:
		_place_below_root(body, frame)
		return
	var place := node.get_index() if parent == node.get_parent() else -1
	body.name = node.name
	node.name = String(node.name) + ("Mesh" if is_mesh(node) else "Node")
	var children := node.get_children()
	node.get_parent().remove_child(node)
	_put(parent, body, frame)
	if place >= 0:
		parent.move_child(body, place)
	_tracks.move(node, body, true)
	var is_own := Frames.is_rigid(worlds[index])
	if is_own:
		for child in children:
			node.remove_child(child)
			_put(body, child, worlds[index] * child.transform if child is Node3D else Transform3D.IDENTITY)
	if is_own and node.get_class() == "Node3D":
		_tracks.move(node, body)
		node.queue_free()
		nodes[index] = body
	else:
		_put(body, node, worlds[index])


## The root of a scene stays what it is; the body and everything else goes below.
func _place_below_root(body: CollisionObject3D, frame: Transform3D) -> void:
	var mesh := root.duplicate(0) as Node3D if is_mesh(root) else null
	body.name = String(root.name) + "Body"
	var children := root.get_children()
	var world: Transform3D = (root as Node3D).transform
	_put(root, body, frame)
	for child in children:
		if child is Node3D:
			root.remove_child(child)
			_put(body, child, world * child.transform)
	if mesh != null:
		for child in mesh.get_children():
			mesh.remove_child(child)
			child.free()
		mesh.name = String(root.name) + "Mesh"
		_put(body, mesh, world)
		root.set("mesh", null)


## The topmost body above a node that moves; null for none. A dynamic body goes beside it, since Godot
## would move it along with what is above, and once more by physics; so does what stands below one.
func _topmost_moving(index: int) -> Node:
	var found: Node = null
	var above := _reading.parents[index]
	while above >= 0:
		if made.has(above) and not is_still(made[above]):
			found = made[above]
		above = _reading.parents[above]
	return found


## Whether a body that no force moves stands below one that forces move: that would drag it along.
func _is_below_dynamic(index: int) -> bool:
	var above := _reading.parents[index]
	while above >= 0:
		if made.get(above) is RigidBody3D:
			return true
		above = _reading.parents[above]
	return false


static func is_still(body: Node) -> bool:
	return body is StaticBody3D and not body is AnimatableBody3D


static func is_mesh(node: Node) -> bool:
	return node is MeshInstance3D or node is ImporterMeshInstance3D


func _put(parent: Node, node: Node, world: Transform3D) -> void:
	node.owner = null
	parent.add_child(node, true)
	if node is Node3D:
		node.transform = Frames.world_of(parent).affine_inverse() * world
		if Frames.is_rigid(node.transform):
			node.transform = node.transform.orthonormalized()


func _own(node: Node) -> void:
	for child in node.get_children():
		if child.owner == null:
			child.owner = root
		if child.has_meta("filtered"):
			child.remove_meta("filtered")
		_own(child)
