# SPDX-License-Identifier: GPL-3.0-or-later
"""From poses of a mechanism to transforms of objects: the way back over the seam, frame by frame.

A solver moves rigid frames in glTF axes. What an object shows is that frame times whatever scale
and shear it has at rest, in Blender's axes, under parents that may move themselves.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from bpy.types import Object
from mathutils import Matrix as BlenderMatrix
from numpy.typing import NDArray

from ....drawing import layout
from ....model.body import MotionType
from ....model.geometry.frames import is_flat, rigid_frame
from ....model.geometry.transform import IDENTITY, linear_part
from ....model.issue import Issue, Severity
from ....model.mechanism import Mechanism
from ....model.wording.words import listed
from ....solver.kinematics.rotation import matrix_of
from ..animation import drivers_of
from ..placed import PlacedObject
from .transforms import Kept, keep

Array = NDArray[np.float64]

BLENDER_FROM_GLTF: Array = np.eye(4)
BLENDER_FROM_GLTF[:3, :3] = layout.BLENDER_FROM_GLTF
"""4 x 4: a point of the model in Blender's world."""
UNEVEN = 1e-3
"""Part by which scales may differ before a body below looks sheared."""
STANDS = 1e-7
"""Change of a matrix (m, or parts of one) below which an object stands."""


@dataclass(frozen=True, slots=True)
class MovedBody:
    """An object that moves as a body."""

    node: int
    object: Object
    above: int | None
    """Number of the one that carries it through its parents, which then comes first."""


def constrained(index: int, body: Object) -> Iterator[Issue]:
    """Yield a warning where constraints or drivers move a body that joints move too."""
    pulls = ["constraints"] * any(not constraint.mute for constraint in body.constraints)
    pulls += ["drivers"] * bool(drivers_of(body))
    if pulls:
        what = f"It has {listed(pulls)}, which move it away from where the joints put it."
        fix = f"Mute its {listed(pulls)} to see what the joints alone do."
        yield Issue(Severity.WARNING, "constraint-on-body", body.name, what, fix, index)


class MovedBodies:
    """The objects that the dynamic bodies of a mechanism move, from the pose that it was read in.

    Nothing is written before ``write``; ``rest`` is what was there when this was made.
    """

    def __init__(
        self, placed: Sequence[PlacedObject], mechanism: Mechanism, also: Collection[int] = ()
    ) -> None:
        """Find the objects of dynamic bodies, and of nodes that are also moved, or held."""
        self.issues: list[Issue] = []
        self._also = also
        nodes = [i for i in range(len(placed)) if self._moves(i, placed[i], mechanism)]
        number = {node: k for k, node in enumerate(nodes)}
        self.bodies = tuple(
            MovedBody(
                node,
                placed[node].owner,
                next((number[a] for a in list(mechanism.ancestry(node))[1:] if a in number), None),
            )
            for node in nodes
        )
        self.nodes = tuple(nodes)
        self.rest: tuple[Kept, ...] = keep(body.object for body in self.bodies)
        """The transforms when this was made, body by body."""
        self._shape = self._shapes(mechanism)
        self._space = np.array([_parent_space(body.object) for body in self.bodies])
        self._space = self._space.reshape(-1, 4, 4)
        self._below = [k for k, body in enumerate(self.bodies) if body.above is not None]
        self._carried = self._carried_spaces()
        self._written: Array | None = None

    def _moves(self, index: int, node: PlacedObject, mechanism: Mechanism) -> bool:
        """Whether a node is a body that can be moved; say so where it is one and cannot."""
        motion = mechanism.nodes[index].motion
        if node.object is None or motion is None:
            return False
        if motion.type is not MotionType.DYNAMIC and index not in self._also:
            return False
        where = node.object.name
        above = node.object.parent
        kind = "a collection instance" if node.instance is not None else ""
        if above is not None and above.instance_type in {"VERTS", "FACES"}:
            kind = f"what {above.name} shows of it"
        if kind:
            what = f"It is part of {kind}, whose parts cannot move on their own here."
            fix = "Make the instance real (Object > Apply) to see it move; it is exported anyway."
            self._note(index, "instance-not-moved", where, what, fix)
            return False
        world = mechanism.nodes[index].world
        if not np.isfinite(np.array(world)).all():
            message = "Its location, rotation or scale is not a valid number, so it cannot move."
            fix = "Enter it again."
            self.issues.append(Issue(Severity.ERROR, "pose-number", where, message, fix, index))
            return False
        if is_flat(linear_part(world)):
            return False  # the solver has an issue for it
        self.issues += constrained(index, node.object)
        return True

    def _note(self, index: int, code: str, where: str, message: str, fix: str) -> None:
        self.issues.append(Issue(Severity.WARNING, code, where, message, fix, index))

    def _shapes(self, mechanism: Mechanism) -> Array:
        """Return what follows the rigid frame in an object's matrix: (n, 4, 4), Blender's axes."""
        worlds = [mechanism.nodes[node].world for node in self.nodes]
        frames = np.array([rigid_frame(world) for world in worlds]).reshape(-1, 4, 4)
        shapes = np.linalg.solve(frames, np.array(worlds).reshape(-1, 4, 4))
        return np.asarray(shapes @ BLENDER_FROM_GLTF.T)

    def _carried_spaces(self) -> Array:
        """Return the spaces of those under other bodies that are moved, as those see them."""
        carried = self._space.copy()
        for k, body in enumerate(self.bodies):
            if body.above is None:
                continue
            above = np.array(self.bodies[body.above].object.matrix_world)
            carried[k] = np.linalg.solve(above, self._space[k])
            lengths = np.linalg.norm(self._space[k][:3, :3], axis=0)
            if lengths.max() > (1.0 + UNEVEN) * lengths.min():
                what = "It is under a body that is scaled unevenly, which shears it while it turns."
                fix = "Apply the scale of the body above (Object > Apply > Scale)."
                self._note(body.node, "uneven-scale-above-body", body.object.name, what, fix)
        return carried

    def worlds(self, positions: Array, rotations: Array) -> Array:
        """Return world matrices of the objects in Blender's axes: (n, 4, 4).

        Args:
            positions: (n, 3) origins of the rigid frames of ``nodes``, m, glTF axes.
            rotations: (n, 4) x y z w, of length one.
        """
        frames = np.zeros((len(self.bodies), 4, 4))
        frames[:, 3, 3] = 1.0
        frames[:, :3, 3] = positions
        frames[:, :3, :3] = matrix_of(rotations)
        return np.asarray(BLENDER_FROM_GLTF @ frames @ self._shape)

    def bases(self, positions: Array, rotations: Array, spaces: Array | None = None) -> Array:
        """Return the matrices of the objects below their parents: (n, 4, 4). See ``worlds``.

        The spaces are what ``parent_spaces`` was at that moment; None is what it was last.
        """
        worlds = self.worlds(positions, rotations)
        spaces = self._space if spaces is None else spaces
        if self._below:
            spaces = spaces.copy()
            for k in self._below:
                spaces[k] = worlds[self.bodies[k].above] @ self._carried[k]
        return np.asarray(np.linalg.solve(spaces, worlds)) if len(worlds) else worlds

    def write(self, positions: Array, rotations: Array, *, only_moved: bool = False) -> None:
        """Move the objects; the view layer is not updated yet. See ``worlds``.

        With ``only_moved`` those are left alone that stand where they were written last, which
        spares Blender their evaluation; of use where nobody else moves them in between.

        Raises:
            ReferenceError: an object was deleted.
        """
        local = self.bases(positions, rotations)
        moved = np.ones(len(local), bool)
        if only_moved and self._written is not None:
            moved = np.abs(local - self._written).max((1, 2)) > STANDS
            local = np.where(moved[:, None, None], local, self._written)
        self._written = local
        for row, matrix in zip(np.flatnonzero(moved).tolist(), local[moved].tolist(), strict=True):
            self.bodies[row].object.matrix_basis = BlenderMatrix(matrix)

    def parent_spaces(self) -> Array:
        """Return where the parents are now that no moved body carries: (n, 4, 4)."""
        spaces = self._space.copy()
        for k, body in enumerate(self.bodies):
            if body.above is None and body.object.parent is not None:
                spaces[k] = _parent_space(body.object)
        return spaces

    def follow_parents(self) -> None:
        """Look again where parents are that no moved body carries: they may be animated."""
        self._space = self.parent_spaces()

    def rows_of(self, body_nodes: Sequence[int]) -> NDArray[np.intp]:
        """Return the row of each body in a list of nodes, such as a simulation's."""
        row = {node: k for k, node in enumerate(body_nodes)}
        return np.array([row[node] for node in self.nodes], dtype=np.intp)


def _parent_space(obj: Object) -> Array:
    """Return the matrix that takes an object's basis to the world."""
    if obj.parent is None:
        return np.array(IDENTITY)
    if obj.parent_type == "OBJECT":
        space: Array = np.array(obj.parent.matrix_world) @ np.array(obj.matrix_parent_inverse)
        return space
    return np.array(obj.matrix_world) @ np.linalg.inv(np.array(obj.matrix_basis))
