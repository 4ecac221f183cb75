# SPDX-License-Identifier: MIT
## Keeps animations on what they move while nodes get other places in a scene.
@tool
extends RefCounted

const POSES := [Animation.TYPE_POSITION_3D, Animation.TYPE_ROTATION_3D]

var _root: Node
## Node and type of each track: [animation, track, node, names behind it].
var _tracks: Array[Array] = []
var _moved: Dictionary = {}
var _posed: Dictionary = {}


func _init(root: Node) -> void:
	_root = root
	for player: AnimationPlayer in root.find_children("*", "AnimationPlayer", true, false):
		for name in player.get_animation_list():
			var animation := player.get_animation(name)
			for track in animation.get_track_count():
				var path := animation.track_get_path(track)
				var node := root.get_node_or_null(NodePath(path.get_concatenated_names()))
				if node != null:
					_tracks.append([animation, track, node, path.get_concatenated_subnames()])


## Has tracks of one node move another one; only place and turn, if [param only_poses].
func move(from: Node, to: Node, only_poses := false) -> void:
	if only_poses:
		_posed[from] = to
	else:
		_moved[from] = to


## Writes the paths that nodes have now.
func follow() -> void:
	for entry in _tracks:
		var animation: Animation = entry[0]
		var node: Node = _moved.get(entry[2], entry[2])
		if animation.track_get_type(entry[1]) in POSES:
			node = _posed.get(entry[2], node)
		var path := String(_root.get_path_to(node))
		if entry[3] != "":
			path += ":" + String(entry[3])
		animation.track_set_path(entry[1], NodePath(path))
