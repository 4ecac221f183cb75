from collections.abc import Iterator
from typing import Any, ClassVar, Generic, TypeVar

_Block = TypeVar("_Block")

class bpy_struct:
    bl_rna: ClassVar[Any]
    id_data: Any
    def __getattr__(self, name: str) -> Any: ...
    def __setattr__(self, name: str, value: Any) -> None: ...
    def __getitem__(self, key: Any) -> Any: ...
    def __setitem__(self, key: Any, value: Any) -> None: ...
    def __delitem__(self, key: Any) -> None: ...
    def __contains__(self, key: object) -> bool: ...

class _Registered(type):
    """Add-ons put properties of their own on these classes."""

    def __getattr__(cls, name: str) -> Any: ...
    def __setattr__(cls, name: str, value: Any) -> None: ...
    def __delattr__(cls, name: str) -> None: ...

class ID(bpy_struct, metaclass=_Registered):
    name: str
    name_full: str
    session_uid: int
    is_editable: bool
    users: int
    use_fake_user: bool

class PropertyGroup(bpy_struct):
    name: str

class NodeTree(ID):
    bl_idname: str

class Object(ID):
    mode: str
    def visible_get(self, *, view_layer: Any = ..., viewport: Any = ...) -> bool: ...

class Scene(ID): ...
class Collection(ID): ...
class Mesh(ID): ...
class Action(ID): ...
class Screen(ID): ...

class WindowManager(ID):
    def invoke_confirm(self, operator: Operator, event: Event, **words: str) -> set[str]: ...
    def invoke_props_dialog(
        self, operator: Operator, width: int = 300, **words: str
    ) -> set[str]: ...

class WorkSpace(ID): ...

class Operator(bpy_struct):
    bl_idname: Any
    bl_label: Any
    bl_options: Any
    layout: UILayout
    def report(self, type: set[str], message: str) -> None: ...
    @classmethod
    def poll_message_set(cls, message: str, *args: object) -> None: ...

class Macro(bpy_struct):
    bl_idname: Any
    bl_label: Any
    bl_options: Any
    @classmethod
    def define(cls, operator: str) -> Any: ...

class Panel(bpy_struct):
    layout: UILayout

class AddonPreferences(bpy_struct):
    layout: UILayout

class Menu(bpy_struct):
    layout: UILayout

class Header(bpy_struct):
    layout: UILayout

class UIList(bpy_struct):
    layout: UILayout

class Gizmo(bpy_struct):
    __slots__: Any

class GizmoGroup(bpy_struct): ...

class Context(bpy_struct):
    mode: str
    window_manager: WindowManager

class UILayout(bpy_struct):
    def row(self, **options: Any) -> UILayout: ...
    def column(self, **options: Any) -> UILayout: ...
    def box(self) -> UILayout: ...
    def split(self, **options: Any) -> UILayout: ...

class Blocks(bpy_struct, Generic[_Block]):
    """The data-blocks of one kind in the file."""

    def __getitem__(self, key: Any) -> _Block: ...
    def __iter__(self) -> Iterator[_Block]: ...
    def __len__(self) -> int: ...
    def get(self, key: Any, default: None = None) -> _Block | None: ...
    def new(self, *arguments: Any, **options: Any) -> _Block: ...

class BlendData(bpy_struct):
    objects: Blocks[Object]
    meshes: Blocks[Mesh]
    node_groups: Blocks[Any]
    collections: Blocks[Collection]
    scenes: Blocks[Scene]
    actions: Blocks[Action]

class Event(bpy_struct): ...
class OperatorProperties(bpy_struct): ...
class WorkSpaceTool: ...

def __getattr__(name: str) -> Any: ...
