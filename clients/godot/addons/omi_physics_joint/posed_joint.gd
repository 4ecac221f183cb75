# SPDX-License-Identifier: MIT
## A generic joint that says what Godot's own nodes cannot: two frames that are apart where it is loaded,
## and bodies that collide at times.
##
## Godot takes both frames from the joint's node. Where the rest pose cannot be counted into the limits,
## the joint is made once more with the frame of its second body where it belongs. Setting
## exclude_nodes_from_collision makes a joint anew in the pose of that moment, from which it would count
## then: so that is told to the engine alone.
extends Generic6DOFJoint3D

## The frame of the second body, in the axes of this node.
@export var second_frame := Transform3D.IDENTITY
## Whether its bodies collide.
@export var bodies_collide := false:
	set(value):
		if value != bodies_collide:
			bodies_collide = value
			_tell_collision()

## Whether the engine takes it that they do; at first Godot has told it of its own property.
var _has_told := false


func _ready() -> void:
	_has_told = not exclude_nodes_from_collision
	var first := get_node_or_null(node_a) as PhysicsBody3D
	var second := get_node_or_null(node_b) as PhysicsBody3D
	if first == null or second == null:
		return
	if second_frame != Transform3D.IDENTITY:
		_make(first, second)
	_tell_collision()


func _make(first: PhysicsBody3D, second: PhysicsBody3D) -> void:
	var joint := get_rid()
	var frame := global_transform
	PhysicsServer3D.joint_make_generic_6dof(
		joint,
		first.get_rid(), first.global_transform.affine_inverse() * frame,
		second.get_rid(), second.global_transform.affine_inverse() * (frame * second_frame)
	)
	for axis in 3:
		var letter := "xyz"[axis]
		for param in PARAM_MAX:
			PhysicsServer3D.generic_6dof_joint_set_param(joint, axis, param, call("get_param_" + letter, param))
		for flag in FLAG_MAX:
			PhysicsServer3D.generic_6dof_joint_set_flag(joint, axis, flag, call("get_flag_" + letter, flag))


## The engine keeps count of what is told, so nothing is told twice.
func _tell_collision() -> void:
	if is_node_ready() and bodies_collide != _has_told:
		_has_told = bodies_collide
		PhysicsServer3D.joint_disable_collisions_between_bodies(get_rid(), not bodies_collide)
