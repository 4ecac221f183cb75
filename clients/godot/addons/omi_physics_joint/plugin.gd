# SPDX-License-Identifier: MIT
## Has the editor import physics joints of glTF files.
@tool
extends EditorPlugin

var _import: OMIPhysicsJointImport


func _enter_tree() -> void:
	_import = OMIPhysicsJointImport.new()
	GLTFDocument.register_gltf_document_extension(_import, true)


func _exit_tree() -> void:
	GLTFDocument.unregister_gltf_document_extension(_import)
