# SPDX-License-Identifier: MIT
## A generic joint whose two frames are apart where it is loaded.
##
## Godot takes both from the joint's node. Where the rest pose cannot be counted into the limits, the
## joint is made once more with the frame of its second body where it belongs.
extends Generic6DOFJoint3D

## The frame of the second body, in the axes of this node.
@export var second_frame := Transform3D.IDENTITY


func _ready() -> void:
	var first := get_node_or_null(node_a) as PhysicsBody3D
	var second := get_node_or_null(node_b) as PhysicsBody3D
	if first == null or second == null:
		return
	var joint := get_rid()
	var frame := global_transform
	PhysicsServer3D.joint_make_generic_6dof(
		joint,
		first.get_rid(), first.global_transform.affine_inverse() * frame,
		second.get_rid(), second.global_transform.affine_inverse() * (frame * second_frame)
	)
	PhysicsServer3D.joint_disable_collisions_between_bodies(joint, exclude_nodes_from_collision)
	for axis in 3:
		var letter := "xyz"[axis]
		for param in PARAM_MAX:
			PhysicsServer3D.generic_6dof_joint_set_param(joint, axis, param, call("get_param_" + letter, param))
		for flag in FLAG_MAX:
			PhysicsServer3D.generic_6dof_joint_set_flag(joint, axis, flag, call("get_flag_" + letter, flag))
