# SPDX-License-Identifier: GPL-3.0-or-later
"""Transmissions of URDF: which motors drive which joints, for ros_control. They are kept as XML.

Each goes along with the first of its joints that moves, whose name is said anew; the name of others
stays. Source: "URDF transmissions" of the ROS wiki; those of PR2 have the same two elements.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from ...model.wording.findings import Findings
from ..element import Element, XmlError, parsed, xml_text
from ..remarks import number_in
from ..robot import Link, axes_by_name, with_axes

TAG = "transmission"


def with_transmissions(root: Element, links: Sequence[Link], findings: Findings) -> list[Link]:
    """Return links whose joints have the transmissions of a file."""
    axes = axes_by_name(links)
    for number, element in enumerate(root.all(TAG)):
        joint = next((one for one in element.all("joint") if one.text("name") in axes), None)
        if joint is None:
            findings.note("left-out", TAG)
            continue
        name = joint.attributes.pop("name")
        findings.note("kept", name, name)
        remarks = axes[name].remarks
        said = {"number": number, "xml": xml_text(element).partition("\n")[2]}
        kept = [*(remarks.transmissions or ()), said]
        axes[name] = replace(axes[name], remarks=replace(remarks, transmissions=kept))
    return with_axes(links, axes)


def kept_for(name: str, transmissions: Iterable[Any]) -> list[tuple[float, Element]]:
    """Return the place and the element of transmissions that were kept with a joint."""
    found: list[tuple[float, Element]] = []
    for said in transmissions:
        text = said.get("xml") if isinstance(said, dict) else None
        if not isinstance(text, str):
            continue
        try:
            element = parsed(text.encode("utf-8", "replace"), TAG)
        except XmlError:
            continue
        own = next((one for one in element.all("joint") if not one.text("name")), None)
        if element.tag == TAG and own is not None:
            own.attributes = {"name": name, **own.attributes}
            found.append((number_in(said, "number"), element))
    return found
