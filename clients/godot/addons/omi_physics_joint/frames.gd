# SPDX-License-Identifier: MIT
## Rigid frames of nodes that may be scaled, mirrored or sheared.
@tool
extends RefCounted

const FLAT := 1e-9
const NEAR := 1e-4


## The pose of a node in the scene it belongs to, which need not be in a tree.
static func world_of(node: Node) -> Transform3D:
	var world := Transform3D.IDENTITY
	while node != null:
		if node is Node3D:
			world = node.transform * world
		node = node.get_parent()
	return world


static func is_flat(world: Transform3D) -> bool:
	return absf(_even(world.basis).determinant()) < FLAT


static func is_rigid(world: Transform3D) -> bool:
	var basis := world.basis
	var off := absf(basis.x.dot(basis.y)) + absf(basis.y.dot(basis.z)) + absf(basis.z.dot(basis.x))
	for axis in 3:
		off += absf(basis[axis].length() - 1.0)
	return off < NEAR and basis.determinant() > 0.0


## The right-handed frame without scale and shear that a node stands for. A mirrored one has one axis
## turned back.
static func rigid(world: Transform3D, mirrored_axis := 2) -> Transform3D:
	var basis := world.basis
	if basis.determinant() < 0.0:
		basis[mirrored_axis] = -basis[mirrored_axis]
	basis = _even(basis)
	# The mean of a matrix and its inverse transposed tends to the nearest rotation.
	for i in 12:
		var other := basis.inverse().transposed()
		basis = Basis(
			0.5 * (basis.x + other.x), 0.5 * (basis.y + other.y), 0.5 * (basis.z + other.z)
		)
	return Transform3D(basis.orthonormalized(), world.origin)


static func _even(basis: Basis) -> Basis:
	return Basis(basis.x.normalized(), basis.y.normalized(), basis.z.normalized())
