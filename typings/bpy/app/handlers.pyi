from collections.abc import Callable
from typing import Any, TypeVar

_Function = TypeVar("_Function", bound=Callable[..., Any])

def persistent(function: _Function, /) -> _Function: ...
def __getattr__(name: str) -> list[Callable[..., Any]]: ...
