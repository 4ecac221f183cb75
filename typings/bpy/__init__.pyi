from typing import Any

from . import app as app
from . import props as props
from . import types as types
from . import utils as utils

context: types.Context
data: types.BlendData
ops: Any
path: Any
msgbus: Any
