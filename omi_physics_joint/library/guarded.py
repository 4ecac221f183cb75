# SPDX-License-Identifier: GPL-3.0-or-later
"""The one guard around what reads and writes files: whatever is raised there becomes a sentence.

Commands and Blender's importers alike go through it, so that no file of a stranger ends in a
traceback, and a fault of ours names its place, to be reported with the file.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..files.inputs import InputError, bounded
from ..model.contents import ContentsError
from ..model.wording.words import one_line

PACKAGE = Path(__file__).parents[1]
NO_NUMPY = "This takes NumPy, which this Python has not: run `pip install numpy`."
LONGEST = 200
"""Characters of what an exception says."""
faults_pass = False
"""Whether faults of ours are raised as they are: tests want to see them."""


@contextmanager
def guarded() -> Iterator[None]:
    """Bound what reading costs, and turn whatever is raised into what a user can be told.

    Raises:
        ContentsError: something was raised.
    """
    try:
        with bounded():
            yield
    except ContentsError:
        raise
    except InputError as error:
        raise ContentsError(str(error)) from None
    except RecursionError as error:
        raise ContentsError("The file is nested too deeply.") from error
    except MemoryError as error:
        raise ContentsError("The file takes more memory than there is.") from error
    except OSError as error:
        what = error.filename or "The file"
        reason = error.strerror or str(error)
        raise ContentsError(f"{what} cannot be read or written: {reason}.") from error
    except Exception as error:
        if isinstance(error, ImportError) and error.name == "numpy":
            raise ContentsError(NO_NUMPY) from error
        if faults_pass:
            raise
        raise ContentsError(_fault(error)) from error


def _fault(error: Exception) -> str:
    """Return a sentence that says where in our own code something went wrong."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [one for one in frames if Path(one.filename).is_relative_to(PACKAGE)]
    last = (own or frames)[-1]
    place = Path(last.filename)
    name = place.relative_to(PACKAGE) if own else place.name
    said = one_line(f"{type(error).__name__}: {error}")[:LONGEST]
    return (
        f"This file meets a fault of this program ({said}, {name} line {last.lineno}): please "
        "report it with the file."
    )
