from typing import Any

from . import handlers as handlers

background: bool
version: tuple[int, int, int]
version_string: str
timers: Any
tempdir: str
online_access: bool

def is_job_running(job_type: str, /) -> bool: ...
def __getattr__(name: str) -> Any: ...
