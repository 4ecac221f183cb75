# SPDX-License-Identifier: MIT
## What shapes fill: their volume in m^3, and their middle.
@tool
extends RefCounted

## Area vectors of a closed mesh add up to so small a part of its area.
const CLOSED := 1e-4

var volume := 0.0
## m^4: the sum of all middles, each times its volume.
var moment := Vector3.ZERO


## Where the middle of everything that was added is; its volume is not zero.
func middle() -> Vector3:
	return moment / volume


## Adds a shape at a place.
func add(shape: Shape3D, place: Transform3D) -> void:
	if shape is BoxShape3D:
		_add(shape.size.x * shape.size.y * shape.size.z, place.origin)
	elif shape is SphereShape3D:
		_add(TAU * 2.0 / 3.0 * pow(shape.radius, 3.0), place.origin)
	elif shape is CylinderShape3D:
		_add(PI * shape.radius * shape.radius * shape.height, place.origin)
	elif shape is CapsuleShape3D:
		_add(PI * shape.radius * shape.radius * (shape.height - shape.radius * 2.0 / 3.0), place.origin)
	elif shape is ConvexPolygonShape3D:
		_add_faces(_hull(shape), place)


## Adds what triangles enclose, at a place; what is open counts as its hull.
func add_mesh(triangles: PackedVector3Array, hull: ConvexPolygonShape3D, place: Transform3D) -> void:
	var area := 0.0
	var sum := Vector3.ZERO
	for i in range(0, triangles.size(), 3):
		var across := (triangles[i + 1] - triangles[i]).cross(triangles[i + 2] - triangles[i])
		area += across.length()
		sum += across
	_add_faces(triangles if sum.length() <= CLOSED * area else _hull(hull), place)


func _add(more: float, where: Vector3) -> void:
	volume += more
	moment += more * where


## Triangles that enclose something, all counted one way round.
func _add_faces(faces: PackedVector3Array, place: Transform3D) -> void:
	var inside := 0.0
	var sum := Vector3.ZERO
	for i in range(0, faces.size(), 3):
		var part := (faces[i] - faces[0]).cross(faces[i + 1] - faces[0]).dot(faces[i + 2] - faces[0]) / 6.0
		inside += part
		sum += part * (faces[0] + faces[i] + faces[i + 1] + faces[i + 2]) / 4.0
	if inside != 0.0:
		_add(absf(inside), place * (sum / inside))


## The triangles of a convex shape, from the edges that Godot draws of it: the edges at a corner follow
## each other round the way out, and each leads on to the one beside the one that came.
static func _hull(shape: ConvexPolygonShape3D) -> PackedVector3Array:
	var lines: PackedVector3Array = shape.get_debug_mesh().surface_get_arrays(0)[Mesh.ARRAY_VERTEX]
	var beside := {}
	var middle := Vector3.ZERO
	for i in lines.size():
		beside.get_or_add(lines[i], {})[lines[i ^ 1]] = true
		middle += lines[i] / lines.size()
	var next := {}
	for corner: Vector3 in beside:
		var out := (corner - middle).normalized()
		var others: Array = beside[corner].keys()
		var first: Vector3 = (others[0] - corner).slide(out)
		others.sort_custom(func(a: Vector3, b: Vector3) -> bool:
			return first.signed_angle_to((a - corner).slide(out), out) < first.signed_angle_to((b - corner).slide(out), out))
		for i in others.size():
			next[[others[i], corner]] = others[(i + 1) % others.size()]
	var faces: PackedVector3Array = []
	while not next.is_empty():
		var edge: Array = next.keys()[0]
		var first: Vector3 = edge[0]
		while next.has(edge):
			var ahead := [edge[1], next[edge]]
			next.erase(edge)
			faces.append_array([first, edge[0], edge[1]])
			edge = ahead
	return faces
