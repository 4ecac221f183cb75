# SPDX-License-Identifier: GPL-3.0-or-later
# Loads glTF files one after the other, lets physics run, and writes where their bodies are.
# Words after "--": the file of results, how many steps, how many a second, and the glTF files.
# Whichever of the two add-ons the project has reads them.
extends SceneTree

const READERS := ["OMIPhysicsJointImport", "GLTFDocumentExtensionOMIPhysicsJoint"]
const WARNINGS := "omi_physics_joint_warnings"

var results := {}
var files: PackedStringArray
var steps := 0
var target := ""
var file := ""
var scene: Node = null
var bodies: Array[PhysicsBody3D] = []
var done := 0


func _initialize() -> void:
	var words := OS.get_cmdline_user_args()
	target = words[0]
	steps = int(words[1])
	Engine.physics_ticks_per_second = int(words[2])
	files = words.slice(3)
	for known in ProjectSettings.get_global_class_list():
		if String(known["class"]) in READERS:
			var script: GDScript = load(known["path"])
			if script == null or not script.can_instantiate():
				quit(1)
				return
			GLTFDocument.register_gltf_document_extension(script.new(), true)
	physics_frame.connect(_before_step)


func _next() -> void:
	if scene != null:
		scene.queue_free()
	scene = null
	bodies.clear()
	if files.is_empty():
		var out := FileAccess.open(target, FileAccess.WRITE)
		out.store_string(JSON.stringify(results))
		out.close()
		quit()
		return
	file = files[0]
	files.remove_at(0)
	results[file] = {"joints": [], "start": {}, "end": {}, "warnings": [], "tracks": []}
	var document := GLTFDocument.new()
	var state := GLTFState.new()
	if document.append_from_file(file, state) == OK:
		scene = document.generate_scene(state)
		var said: Variant = state.get_additional_data(WARNINGS)
		if said != null:
			results[file]["warnings"] = said
	if scene != null:
		root.add_child.call_deferred(scene)
		_play.call_deferred()


func _before_step() -> void:
	if scene == null:
		_next()
	elif not scene.is_inside_tree():
		return
	elif bodies.is_empty():
		# The scene came in behind the last signal and before the step after it.
		_collect(scene)
		done = 1
		results[file]["start"] = _poses()
	else:
		done += 1
		if done == steps:
			results[file]["end"] = _poses()
			_next()


## Has animations begin with the first step, which takes what is keyed at its end, as all others do.
func _play() -> void:
	for player: AnimationPlayer in scene.find_children("*", "AnimationPlayer", true, false):
		results[file]["tracks"] = _tracks(player)
		player.play(player.get_animation_list()[0])
		player.advance(0.0)
		player.advance(1.0 / Engine.physics_ticks_per_second)


static func _tracks(player: AnimationPlayer) -> PackedStringArray:
	var paths: PackedStringArray = []
	var animation := player.get_animation(player.get_animation_list()[0])
	for track in animation.get_track_count():
		paths.append(String(animation.track_get_path(track)))
	return paths


func _collect(node: Node) -> void:
	if node is PhysicsBody3D:
		bodies.append(node)
	if node is RigidBody3D:
		node.can_sleep = false
	if node is Joint3D:
		results[file]["joints"].append(node.get_class())
	for child in node.get_children():
		_collect(child)


func _poses() -> Dictionary:
	var poses := {}
	for body in bodies:
		var pose := body.global_transform
		if pose.is_finite() and absf(pose.basis.determinant()) > 1e-12:
			var at := pose.origin
			var turn := pose.basis.get_rotation_quaternion()
			poses[String(body.name)] = [at.x, at.y, at.z, turn.x, turn.y, turn.z, turn.w]
	return poses
