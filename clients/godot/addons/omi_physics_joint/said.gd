# SPDX-License-Identifier: MIT
## What Godot does otherwise with an import: one warning for each joint or body.
@tool
extends RefCounted

var texts: PackedStringArray = []

var _reasons: Dictionary = {}


## Remembers why something is not as the file says. [param what] names it, as in [code]Joint "Hinge"[/code].
func add(what: String, reason: String) -> void:
	var reasons: PackedStringArray = _reasons.get_or_add(what, PackedStringArray())
	if reason not in reasons:
		reasons.append(reason)
	_reasons[what] = reasons


## Warns of everything that was remembered.
func warn() -> void:
	for what: String in _reasons:
		texts.append("%s: %s." % [what, "; ".join(_reasons[what])])
		push_warning("glTF physics: " + texts[-1])
