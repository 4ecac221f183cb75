# SPDX-License-Identifier: GPL-3.0-or-later
"""All lines of a joint that stand still in its frame: they depend on its settings and its size."""

from __future__ import annotations

from functools import lru_cache

from ..model.joint import JointSettings
from ..model.settings.spans import spans_of
from ..model.settings.together import together_in
from .bounds import is_free_pin, is_held
from .marks.discs_and_cones import draw_together, shared_spans
from .marks.frame_marks import pin_mark, weld_mark
from .marks.motors import draw_drive
from .marks.sliding import draw_slides
from .marks.turning import draw_turn
from .marks.two_angles import draw_swing, swing_axis
from .strokes import Pen, Sketch, without_axes


@lru_cache(maxsize=1024)
def limits_sketch(settings: JointSettings, size: float) -> Sketch:
    """Return what the limits of a joint leave, in the joint frame; welds and free pins have marks.

    Settings are in glTF's axes, the size is the display radius in m.
    """
    spans, together = spans_of(settings.limits), together_in(settings.limits)
    if all(is_held(span) for span in spans):
        return weld_mark(size)
    if is_free_pin(settings):
        return pin_mark(size)
    pen = Pen()
    for one in together:
        draw_together(pen, one, size)
    shared = shared_spans(spans, together)
    draw_slides(pen, spans[:3], size, shared)
    turning = [span for span in spans[3:] if not is_held(span)]
    pointing = swing_axis(spans[3:])
    if pointing is not None:
        draw_swing(pen, spans[3:], pointing, size)
    for span in turning:
        if span not in shared:
            draw_turn(pen, span, size, alone=len(turning) == 1)
    is_sole = len({span.axis for span in spans if not is_held(span)}) == 1
    return without_axes(pen.sketch()) if is_sole else pen.sketch()


@lru_cache(maxsize=1024)
def drives_sketch(settings: JointSettings, size: float) -> Sketch:
    """Return the flags and motors of a joint's drives, in the joint frame."""
    pen = Pen()
    for drive in settings.drives:
        draw_drive(pen, drive, size)
    return pen.sketch()
