# SPDX-License-Identifier: MIT
## What Godot does otherwise with an import: one warning for each joint or body, and one for all that
## have a reason in common which only matters now and then.
@tool
extends RefCounted

var texts: PackedStringArray = []

var _reasons: Dictionary = {}
var _groups: Dictionary = {}


## Remembers why something is not as the file says. [param what] names it, as in [code]Joint "Hinge"[/code].
func add(what: String, reason: String) -> void:
	_append(_reasons, what, reason)


## Remembers that something is one of those with a reason.
func add_to_group(reason: String, what: String) -> void:
	_append(_groups, reason, what)


## Warns of everything that was remembered.
func warn() -> void:
	for what: String in _reasons:
		_warn("%s: %s." % [what, "; ".join(_reasons[what])])
	for reason: String in _groups:
		_warn("%s: %s." % [", ".join(_groups[reason]), reason])


func _warn(text: String) -> void:
	texts.append(text)
	push_warning("glTF physics: " + text)


static func _append(lists: Dictionary, key: String, text: String) -> void:
	var list: PackedStringArray = lists.get_or_add(key, PackedStringArray())
	if text not in list:
		list.append(text)
	lists[key] = list
