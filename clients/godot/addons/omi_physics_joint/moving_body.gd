# SPDX-License-Identifier: MIT
## A kinematic body that keeps the velocities of its file, in its own axes at the start.
extends AnimatableBody3D

## m/s, in the axes of the body where it starts.
@export var linear_velocity := Vector3.ZERO
## rad/s, likewise.
@export var angular_velocity := Vector3.ZERO

var _start: Transform3D
var _time := 0.0


func _ready() -> void:
	_start = global_transform
	# Nobody moves for a step what comes in within it; joints are made where it starts.
	if Engine.is_in_physics_frame():
		_physics_process.call_deferred(1.0 / Engine.physics_ticks_per_second)


func _physics_process(delta: float) -> void:
	_time += delta
	var turn := angular_velocity * _time
	var turned := Basis(turn.normalized(), turn.length()) if turn != Vector3.ZERO else Basis.IDENTITY
	global_transform = Transform3D(_start.basis * turned, _start * (linear_velocity * _time))
