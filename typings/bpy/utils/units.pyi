from typing import Any

def to_string(
    unit_system: str,
    unit_category: str,
    value: float,
    *,
    precision: int = 3,
    split_unit: bool = False,
    compatible_unit: bool = False,
) -> str: ...
def to_value(
    unit_system: str, unit_category: str, str_input: str, *, str_ref_unit: str | None = None
) -> float: ...
def __getattr__(name: str) -> Any: ...
