# SPDX-License-Identifier: MIT
## Gives bodies their shapes, surfaces and filters, and what follows from shapes.
@tool
extends RefCounted

const Bodies := preload("bodies.gd")
const Frames := preload("frames.gd")
const Reading := preload("reading.gd")
const Said := preload("said.gd")
const Shapes := preload("shapes.gd")
const Surfaces := preload("surfaces.gd")
const Volumes := preload("volumes.gd")

const SMALLEST := 0.05

var _state: GLTFState
var _bodies: Bodies
var _reading: Reading
var _said: Said
var _surfaces: Surfaces
var _sizes: Dictionary = {}
## What the shapes fill of each body that forces move, in its axes.
var _fills: Dictionary = {}


func _init(state: GLTFState, bodies: Bodies, reading: Reading, said: Said) -> void:
	_state = state
	_bodies = bodies
	_reading = reading
	_said = said
	_surfaces = Surfaces.new(_filters())


## Adds all colliders and triggers.
func make() -> void:
	for name in _surfaces.left_out():
		_said.add('Collision system "%s"' % name, "all 32 layers of the project have other names")
	for index: int in _bodies.made:
		if _bodies.made[index] is RigidBody3D:
			_fills[index] = Volumes.new()
	for index in _reading.nodes.size():
		if _reading.nodes[index].has("collider"):
			_add_collider(index)
		if _reading.nodes[index].has("trigger"):
			_add_trigger(index)
	for index: int in _fills:
		if not _reading.nodes[index]["motion"]["has_center"]:
			_center(index)
		_weigh(index)


## Length in m of the longest side of a body's shapes; 0 where it has none.
func size_of(index: int) -> float:
	return _sizes.get(index, 0.0)


## The inertia of a body that forces move about a line through its centre of mass, kg m^2; 0 if nobody knows.
func inertia_of(body: RigidBody3D, direction: Vector3) -> float:
	var axis := Frames.world_of(body).basis.inverse() * direction
	if body.inertia != Vector3.ZERO:
		return axis.dot(body.inertia * axis)
	var fill: Volumes = _fills[_bodies.index_of(body)]
	return 0.0 if fill.volume == 0.0 else body.mass * fill.turning(body.center_of_mass, axis)


func _filters() -> Array[Dictionary]:
	var found: Array[Dictionary] = []
	for node in _reading.nodes:
		for part in ["collider", "trigger"]:
			if node.has(part) and node[part].has("collisionFilter") and node[part]["collisionFilter"] not in found:
				found.append(node[part]["collisionFilter"])
	return found


func _add_collider(index: int) -> void:
	var collider: Dictionary = _reading.nodes[index]["collider"]
	var owner := _reading.body_of(index)
	if not _bodies.made.has(owner):
		return
	var body: CollisionObject3D = _bodies.made[owner]
	var what := 'Body "%s"' % body.name
	var said: Dictionary = collider.get("physicsMaterial", {})
	var material := Surfaces.material(said)
	var had: PhysicsMaterial = body.get("physics_material_override")
	if had != null and (had.friction != material.friction or had.bounce != material.bounce):
		_said.add(what, "its shapes have several materials, and Godot has one for each body")
	body.set("physics_material_override", material)
	for key in ["frictionCombine", "restitutionCombine"]:
		if said.get(key, "average") not in ["average", "minimum", "maximum"]:
			_said.add(what, "Godot multiplies no friction and no bounce of two materials")
	_layer(body, collider, what)
	_add_shape(index, collider, body, what)


func _add_trigger(index: int) -> void:
	var trigger: Dictionary = _reading.nodes[index]["trigger"]
	if _bodies.nodes[index] == null:
		return
	var area := Area3D.new()
	area.name = String(_bodies.nodes[index].name) + "Trigger"
	_layer(area, trigger, 'Trigger "%s"' % _bodies.name_of(index))
	_bodies.put(_bodies.nodes[index], area, Frames.rigid(_bodies.worlds[index]))
	_add_shape(index, trigger, area, 'Trigger "%s"' % _bodies.name_of(index))
	for part: float in trigger["nodes"]:
		var at := int(part)
		if at >= 0 and at < _bodies.nodes.size():
			for kind in ["trigger", "collider"]:
				if _reading.nodes[at].has(kind):
					_add_shape(at, _reading.nodes[at][kind], area, 'Trigger "%s"' % _bodies.name_of(index))


func _layer(body: CollisionObject3D, solid: Dictionary, what: String) -> void:
	if not _surfaces.matter():
		return
	var filter: Dictionary = solid.get("collisionFilter", {})
	var layer := _surfaces.layer_of(filter)
	var mask := _surfaces.mask_of(filter)
	if body.has_meta("filtered") and (body.collision_layer != layer or body.collision_mask != mask):
		_said.add(what, "its shapes have several collision filters, and Godot has one for each body")
	body.set_meta("filtered", true)
	body.collision_layer = layer
	body.collision_mask = mask


func _add_shape(index: int, solid: Dictionary, body: CollisionObject3D, what: String) -> void:
	if not solid.has("shape") or _bodies.nodes[index] == null or Frames.is_flat(_bodies.worlds[index]):
		return
	var shape: Dictionary = solid["shape"]
	var collision := CollisionShape3D.new()
	collision.name = String(_bodies.nodes[index].name) + "Shape"
	var frame := Frames.rigid(_bodies.worlds[index])
	if Shapes.is_of_mesh(shape):
		var mesh := _mesh(shape["mesh"])
		if mesh != null:
			var convex: bool = shape["type"] == "convex"
			if not convex and not Bodies.is_still(body) and body is PhysicsBody3D:
				_said.add(what, "its triangles move; Godot gets their convex hull")
				convex = true
			collision.shape = Shapes.meshed(mesh, frame.affine_inverse() * _bodies.worlds[index], convex)
	else:
		collision.shape = Shapes.sized(shape, _bodies.worlds[index].basis.get_scale().abs())
	if collision.shape == null:
		_said.add(what, "a shape of it cannot be read")
		collision.free()
		return
	_bodies.put(body, collision, frame)
	var box := collision.shape.get_debug_mesh().get_aabb() if not collision.shape is WorldBoundaryShape3D else AABB()
	var owner := _bodies.index_of(body)
	_sizes[owner] = maxf(size_of(owner), box.get_longest_axis_size())
	if _fills.has(owner):
		_fills[owner].add(collision.shape, collision.transform)


## A centre of mass that the file leaves to the shapes, or else to the box around the meshes.
func _center(index: int) -> void:
	var body: RigidBody3D = _bodies.made[index]
	var frame := Frames.world_of(body)
	if _fills[index].volume > 0.0:
		_bodies.center(body, frame, frame.basis * _fills[index].middle())
	elif size_of(index) == 0.0:
		_bodies.center(body, frame, frame.basis * _bounds(body, Transform3D.IDENTITY).get_center())


func _mesh(index: int) -> Mesh:
	if index < 0 or index >= _state.meshes.size():
		return null
	return _state.meshes[index].mesh.get_mesh()


## What has no shape has the inertia of the box around its meshes, or of a ball of 0.1 m.
func _weigh(index: int) -> void:
	var body: RigidBody3D = _bodies.made[index]
	var what := 'Body "%s"' % body.name
	if size_of(index) > 0.0:
		if size_of(index) < SMALLEST:
			_said.add(what, "it is only %s m long, and Godot gives so small a body too much inertia" % snappedf(size_of(index), 0.0001))
		return
	if body.inertia != Vector3.ZERO:
		return
	var box := _bounds(body, Transform3D.IDENTITY)
	var x := box.size.x * box.size.x
	var y := box.size.y * box.size.y
	var z := box.size.z * box.size.z
	if x + y + z == 0.0:
		body.inertia = Vector3.ONE * 0.4 * body.mass * 0.01
		return
	var arm := box.get_center() - body.center_of_mass
	body.inertia = body.mass * (
		Vector3(y + z, x + z, x + y) / 12.0
		+ Vector3(arm.y * arm.y + arm.z * arm.z, arm.x * arm.x + arm.z * arm.z, arm.x * arm.x + arm.y * arm.y)
	)


func _bounds(node: Node, place: Transform3D) -> AABB:
	var box := AABB()
	if Bodies.is_mesh(node) and node.get("mesh") != null:
		var mesh: Variant = node.get("mesh")
		box = place * (mesh.get_mesh() as Mesh if mesh is ImporterMesh else mesh as Mesh).get_aabb()
	for child in node.get_children():
		if child is Node3D and not child is CollisionObject3D:
			var inner := _bounds(child, place * child.transform)
			if inner.size != Vector3.ZERO:
				box = inner if box.size == Vector3.ZERO else box.merge(inner)
	return box
