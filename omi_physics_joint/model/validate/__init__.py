# SPDX-License-Identifier: GPL-3.0-or-later
"""One validator for .blend and .gltf alike: what is wrong with a mechanism, and what to do."""

from __future__ import annotations

from dataclasses import replace

from ..issue import Issue, worst_first
from ..losses import OF_OMI
from ..mechanism import Mechanism
from ..readers import USUAL, Reader
from ..target import Target
from ..wording.describe import BLENDER_AXES, GLTF_AXES, AxisWords
from .bodies import body_issues
from .burdens import burden_issues
from .codes import SEVERITIES
from .engines import engine_issues
from .frames import frame_issues
from .joints import joint_issues
from .settings import narrow_issues, settings_issues, together_issues
from .survey import BOTH, KHR, SCENE, survey_of
from .unintended import intent_issues

__all__ = ["BLENDER_AXES", "GLTF_AXES", "SCENE", "SEVERITIES", "AxisWords", "check"]

_RULES = (
    joint_issues,
    settings_issues,
    together_issues,
    narrow_issues,
    frame_issues,
    body_issues,
    engine_issues,
    intent_issues,
    burden_issues,
)


def check(
    mechanism: Mechanism,
    *,
    axis_names: AxisWords = GLTF_AXES,
    target: Target = Target.SPECIFIED,
    readers: frozenset[Reader] = USUAL,
    spoken: frozenset[str] = BOTH,
    right: frozenset[int] = frozenset(),
) -> tuple[Issue, ...]:
    """Return all that can be said against a mechanism, errors first; never raises.

    Args:
        mechanism: In glTF axes (Y up), its indices within range.
        axis_names: What to call these axes in messages: ``BLENDER_AXES`` for who works in Blender.
        target: For whom a file is, or will be, written; the mechanism is as specified either way.
        readers: Of whom to speak besides: what they do otherwise with what is specified.
        spoken: Which families of extensions the file has, or will have.
        right: Nodes of joints and bodies that trying found to move right, see ``STEPPED``.

    Returns:
        Issues whose ``where`` is the name of a node, of joint settings or of another resource, or
        ``SCENE``. ``node`` is the node itself, or the first node that uses the resource.
    """
    survey = survey_of(mechanism, axis_names, target, readers, spoken, right)
    lost = OF_OMI if KHR not in spoken else ()
    found = (issue for rule in _RULES for issue in rule(survey))
    return tuple(replace(one, loss=True) if one.code in lost else one for one in worst_first(found))
