# SPDX-License-Identifier: MIT
## Physics materials, and collision filters as layers and masks.
##
## Systems of the file are layers of the project with the same names; a name that the project does not
## have takes the next layer without one, and so does a filter without systems that does not meet all.
## Layer 1 is what has no system otherwise.
@tool
extends RefCounted

const LAYERS := 32

var _filters: Array[Dictionary] = []
var _layers: Dictionary = {}


func _init(filters: Array[Dictionary]) -> void:
	_filters = filters
	var free: Array[int] = []
	var known := {}
	for layer in range(1, LAYERS + 1):
		var name: String = ProjectSettings.get_setting("layer_names/3d_physics/layer_%d" % layer, "")
		if name != "":
			known[name] = layer
		elif layer > 1:
			free.append(layer)
	var names := {}
	for filter in filters:
		for key in ["collisionSystems", "collideWithSystems", "notCollideWithSystems"]:
			for system: String in filter.get(key, []):
				names[system] = true
	var sorted := names.keys()
	sorted.sort()
	for filter in filters:
		if _is_nameless(filter):
			sorted.append(filter)
	for system: Variant in sorted:
		if known.has(system):
			_layers[system] = known[system]
		elif not free.is_empty():
			_layers[system] = free.pop_front()


## Systems that found no layer.
func left_out() -> PackedStringArray:
	var names: PackedStringArray = []
	for filter in _filters:
		for system: String in filter.get("collisionSystems", []):
			if not _layers.has(system) and system not in names:
				names.append(system)
	return names


## Whether any filter says something of this file.
func matter() -> bool:
	return not _filters.is_empty()


func layer_of(filter: Dictionary) -> int:
	if _is_nameless(filter):
		return _bit(filter)
	var bits := 0
	for system: String in filter.get("collisionSystems", []):
		bits |= _bit(system)
	return bits if bits != 0 else 1


## The layers that something meets: those of the filters that it agrees with, since two bodies meet in
## Godot if either looks for the other, and in the file if both do.
func mask_of(filter: Dictionary) -> int:
	var bits := 1 if _lets_in(filter, {}) else 0
	for other in _filters:
		if not _lets_in(filter, other) or not _lets_in(other, filter):
			continue
		if _is_nameless(other):
			bits |= _bit(other)
		for system: String in other.get("collisionSystems", []):
			if _lets_in(filter, {"collisionSystems": [system]}):
				bits |= _bit(system)
	return bits


## Friction and bounce of a body. Bounces are added: halves make the average of two.
static func material(said: Dictionary) -> PhysicsMaterial:
	var made := PhysicsMaterial.new()
	made.resource_name = said.get("name", "")
	made.friction = said.get("dynamicFriction", said.get("staticFriction", 0.6))
	made.bounce = 0.5 * clampf(said.get("restitution", 0.0), 0.0, 1.0)
	# Of two frictions Godot takes the smaller one, unless one is rough.
	made.rough = said.get("frictionCombine") == "maximum"
	return made


func _bit(system: Variant) -> int:
	return 1 << (_layers[system] - 1) if _layers.has(system) else 0


static func _is_nameless(filter: Dictionary) -> bool:
	var says := func(key: String) -> bool: return not filter.get(key, []).is_empty()
	return not says.call("collisionSystems") and (says.call("collideWithSystems") or says.call("notCollideWithSystems"))


static func _lets_in(filter: Dictionary, other: Dictionary) -> bool:
	var systems: Array = other.get("collisionSystems", [])
	var meets: Array = filter.get("collideWithSystems", [])
	if not meets.is_empty():
		return systems.any(func(system: String) -> bool: return system in meets)
	var avoids: Array = filter.get("notCollideWithSystems", [])
	return not systems.any(func(system: String) -> bool: return system in avoids)
