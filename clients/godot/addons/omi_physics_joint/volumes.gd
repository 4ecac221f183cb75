# SPDX-License-Identifier: MIT
## What shapes fill: their volume in m^3, their middle, and how hard they turn.
@tool
extends RefCounted

var volume := 0.0

## m^4 and m^5: the integrals of r and of r r^T.
var _moment := Vector3.ZERO
var _spread := Basis(Vector3.ZERO, Vector3.ZERO, Vector3.ZERO)


## Where the middle of everything that was added is; its volume is not zero.
func middle() -> Vector3:
	return _moment / volume


## The inertia about a line through a point, kg m^2 for each kg.
func turning(point: Vector3, axis: Vector3) -> float:
	var along := axis.dot(_spread * axis) - axis.dot(point) * (2.0 * _moment.dot(axis) - volume * axis.dot(point))
	var all := _spread.x.x + _spread.y.y + _spread.z.z - point.dot(2.0 * _moment - volume * point)
	return (all - along) / volume


## Adds a shape at a place.
func add(shape: Shape3D, place: Transform3D) -> void:
	if shape is BoxShape3D:
		_add(shape.size.x * shape.size.y * shape.size.z, shape.size * shape.size / 12.0, place)
	elif shape is SphereShape3D:
		_add(TAU * 2.0 / 3.0 * pow(shape.radius, 3.0), Vector3.ONE * shape.radius * shape.radius / 5.0, place)
	elif shape is CylinderShape3D:
		var across: float = shape.radius * shape.radius / 4.0
		_add(PI * shape.radius * shape.radius * shape.height, Vector3(across, shape.height * shape.height / 12.0, across), place)
	elif shape is CapsuleShape3D:
		_add_capsule(shape.radius, shape.height - 2.0 * shape.radius, place)
	elif shape is ConvexPolygonShape3D:
		_add_faces(_hull(shape), place)


## A volume about its middle, with the means of x^2, y^2 and z^2.
func _add(more: float, squares: Vector3, place: Transform3D) -> void:
	var turned := place.basis * Basis.from_scale(squares) * place.basis.transposed()
	volume += more
	_moment += more * place.origin
	_spread = _sum(_spread, _sum(turned, _square(place.origin)), more)


func _add_capsule(r: float, h: float, place: Transform3D) -> void:
	var tube := PI * r * r * h
	var ball := TAU * 2.0 / 3.0 * r * r * r
	var across := (tube * r * r / 4.0 + ball * r * r / 5.0) / (tube + ball)
	var ends := r * r / 5.0 + 0.375 * h * r + 0.25 * h * h
	_add(tube + ball, Vector3(across, (tube * h * h / 12.0 + ball * ends) / (tube + ball), across), place)


## Triangles around something, all counted one way round.
func _add_faces(faces: PackedVector3Array, place: Transform3D) -> void:
	var inside := 0.0
	var sum := Vector3.ZERO
	var spread := Basis(Vector3.ZERO, Vector3.ZERO, Vector3.ZERO)
	var first := place * faces[0]
	for i in range(0, faces.size(), 3):
		var corners := [place * faces[i], place * faces[i + 1], place * faces[i + 2]]
		var part: float = (corners[0] - first).cross(corners[1] - first).dot(corners[2] - first) / 6.0
		var all: Vector3 = first + corners[0] + corners[1] + corners[2]
		inside += part
		sum += part * all / 4.0
		spread = _sum(spread, _square(all), part / 20.0)
		for corner: Vector3 in [first] + corners:
			spread = _sum(spread, _square(corner), part / 20.0)
	volume += absf(inside)
	_moment += signf(inside) * sum
	_spread = _sum(_spread, spread, signf(inside))


static func _square(r: Vector3) -> Basis:
	return Basis(r * r.x, r * r.y, r * r.z)


static func _sum(one: Basis, other: Basis, times := 1.0) -> Basis:
	return Basis(one.x + times * other.x, one.y + times * other.y, one.z + times * other.z)


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
