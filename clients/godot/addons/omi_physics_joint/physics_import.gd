# SPDX-License-Identifier: MIT
## Imports the bodies and joints of a glTF file.
##
## The editor uses it by itself while the plugin is on. Games that load glTF files register it first:
## [codeblock]
## GLTFDocument.register_gltf_document_extension(OMIPhysicsJointImport.new(), true)
## [/codeblock]
## What Godot cannot hold is said once for each joint and body, as a warning. The texts are also in
## the GLTFState: [code]state.get_additional_data("omi_physics_joint_warnings")[/code].
@tool
class_name OMIPhysicsJointImport
extends GLTFDocumentExtension

const Reading := preload("reading.gd")
const Bodies := preload("bodies.gd")
const Joints := preload("joints.gd")
const Keyed := preload("keyed.gd")
const Pointers := preload("pointers.gd")
const Solids := preload("solids.gd")
const Said := preload("said.gd")

const KEY := "omi_physics_joint"
const KEYS := "omi_physics_joint_keys"
const WARNINGS := "omi_physics_joint_warnings"
const TOLD := ["OMI_physics_body", "OMI_physics_joint", "KHR_physics_rigid_bodies"]
const OURS := ["OMI_physics_body", "OMI_physics_joint", "KHR_physics_rigid_bodies", "OMI_physics_shape", "KHR_implicit_shapes"]


func _get_supported_extensions() -> PackedStringArray:
	return PackedStringArray(OURS)


func _import_preflight(state: GLTFState, extensions: PackedStringArray) -> Error:
	var used := false
	for extension in TOLD:
		used = used or extension in extensions
	if not used:
		return ERR_SKIP
	var reading := Reading.new()
	reading.read(state.json)
	state.set_additional_data(KEY, reading)
	var pointers := Pointers.new()
	pointers.take(state.json)
	state.set_additional_data(KEYS, pointers)
	# Godot's own reader of bodies would make them a second time.
	for node: Dictionary in state.json.get("nodes", []):
		for extension in TOLD:
			if node.get("extensions") is Dictionary:
				node["extensions"].erase(extension)
	return OK


func _import_post(state: GLTFState, root: Node) -> Error:
	var reading: Reading = state.get_additional_data(KEY)
	if reading == null:
		return OK
	var said := Said.new()
	var bodies := Bodies.new(state, root, reading, said)
	bodies.make()
	var solids := Solids.new(state, bodies, reading, said)
	solids.make()
	var pointers: Pointers = state.get_additional_data(KEYS)
	pointers.read(state)
	for pointer: String in pointers.unread:
		said.add('Number "%s"' % pointer, pointers.unread[pointer])
	Joints.new(bodies, solids, reading, Keyed.new(root, reading, pointers), said).make()
	bodies.finish()
	said.warn()
	state.set_additional_data(WARNINGS, said.texts)
	state.set_additional_data(KEY, null)
	state.set_additional_data(KEYS, null)
	return OK
