# SPDX-License-Identifier: MIT
## Collision shapes of Godot from those of a file.
@tool
extends RefCounted

const SIDES := 32
const RINGS := 8
const THIN := 0.01
const ENDLESS := 1000.0


static func is_of_mesh(shape: Dictionary) -> bool:
	return shape["type"] in ["convex", "trimesh"]


## A shape as large as it stands under a scale; null where its type is not known. What is round stays
## so and takes the largest scale across it.
static func sized(shape: Dictionary, scale: Vector3) -> Shape3D:
	match shape["type"]:
		"box":
			return _box(shape["size"] * scale)
		"sphere":
			var sphere := SphereShape3D.new()
			sphere.radius = shape["radius"] * scale[scale.max_axis_index()]
			return sphere
		"plane":
			if shape["x"] <= 0.0 and shape["z"] <= 0.0:
				return WorldBoundaryShape3D.new()
			var x: float = shape["x"] * scale.x if shape["x"] > 0.0 else ENDLESS
			return _box(Vector3(x, THIN, shape["z"] * scale.z if shape["z"] > 0.0 else ENDLESS))
		"capsule", "cylinder":
			return _round(shape, maxf(scale.x, scale.z), scale.y)
	return null


## The shape of a mesh, with its points moved by [param place]; null where it has none.
static func meshed(mesh: Mesh, place: Transform3D, is_convex: bool) -> Shape3D:
	var faces := mesh.get_faces()
	if faces.is_empty():
		return null
	for i in faces.size():
		faces[i] = place * faces[i]
	if not is_convex:
		var triangles := ConcavePolygonShape3D.new()
		triangles.set_faces(faces)
		return triangles
	var corners := {}
	for point in faces:
		corners[point] = true
	return _hull(PackedVector3Array(corners.keys()))


static func _box(size: Vector3) -> BoxShape3D:
	var box := BoxShape3D.new()
	box.size = size.abs()
	return box


static func _round(shape: Dictionary, wider: float, higher: float) -> Shape3D:
	var bottom: float = shape["bottom"] * wider
	var top: float = shape["top"] * wider
	var height: float = shape["height"] * higher
	if not is_equal_approx(bottom, top):
		return _hull(_tapered(bottom, top, height, shape["type"] == "capsule"))
	if shape["type"] == "cylinder":
		var cylinder := CylinderShape3D.new()
		cylinder.radius = bottom
		cylinder.height = height
		return cylinder
	var capsule := CapsuleShape3D.new()
	capsule.radius = bottom
	capsule.height = height + 2.0 * bottom
	return capsule


## Points around a cylinder or capsule with two radii. Rings are a little wider than the radius, so
## that what they enclose has the volume of the round shape.
static func _tapered(bottom: float, top: float, height: float, has_caps: bool) -> PackedVector3Array:
	var points: PackedVector3Array = []
	var wider := sqrt((TAU / SIDES) / sin(TAU / SIDES))
	for end in [[-0.5 * height, bottom, -1.0], [0.5 * height, top, 1.0]]:
		for ring in (RINGS if has_caps else 1):
			var up := 0.5 * PI * ring / RINGS
			for side in SIDES:
				var angle := TAU * side / SIDES
				var far: float = end[1] * cos(up) * wider
				var high: float = end[0] + end[2] * end[1] * sin(up)
				points.append(Vector3(far * cos(angle), high, far * sin(angle)))
		if has_caps:
			points.append(Vector3(0.0, end[0] + end[2] * end[1], 0.0))
	return points


static func _hull(points: PackedVector3Array) -> ConvexPolygonShape3D:
	var hull := ConvexPolygonShape3D.new()
	hull.points = points
	return hull
