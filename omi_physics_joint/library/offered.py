# SPDX-License-Identifier: GPL-3.0-or-later
"""What the package offers to other Python, and what commands are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from numbers import Real
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from ..gltf.animated.animation import read_tracks
from ..gltf.animated.keyed import read_channels
from ..gltf.dialects import Spoken, spoken_by
from ..gltf.document.files import Document, document_of
from ..gltf.document.files import load as load_gltf
from ..gltf.document.members import Place
from ..gltf.document.packing import missing_files, packed
from ..gltf.fresh import contents_of, fresh_document
from ..gltf.read import Reading, read_document
from ..gltf.respelling import none_written, respelled
from ..gltf.source import MeshReader
from ..model.body import Vector3
from ..model.contents import ContentsError
from ..model.issue import Issue, Severity, worst_first
from ..model.mechanics.islands import with_loops_alone
from ..model.mechanism import EARTH, Mechanism
from ..model.readers import IN_STEPS, USUAL, Reader
from ..model.validate import check as judged_of
from ..model.validate.survey import SCENE
from ..model.wording.words import metric
from .arguments import count, flag, is_a, is_one_of, number, vector
from .converted import Converted
from .formats import GLTF, READABLE, Choices, format_of, why_unreadable
from .guarded import guarded
from .motion import MOST_FRAMES, SOFT_LOCKS, STEPS

if TYPE_CHECKING:
    from .motion.recorded_motion import RecordedMotion

Source = str | PathLike[str] | bytes | Document
"""A path, the bytes of a .glb or .gltf, or what ``load`` has returned."""
HAS_NUMPY = find_spec("numpy") is not None
"""Whether what loads it can be asked; all else is done without."""
NOT_TRIED: tuple[frozenset[int], tuple[Issue, ...]] = (frozenset(), ())
MOST_POSES = 5_000_000
"""Frames times bodies of one run; beyond this it would not fit into memory."""
BEYOND = "Its numbers are beyond what can be computed"


def load(source: Source, choices: Choices | None = None) -> Document:
    """Return a file of any format as a glTF document.

    Args:
        source: Its path, or the bytes of a .glb or .gltf (files that these name are looked for in
            the present folder), or what this has returned before.
        choices: How robots and stages are read.

    Raises:
        ContentsError: the file cannot be read.
    """
    if isinstance(source, Document):
        return source
    _can_be_read(source, choices)
    with guarded():
        if isinstance(source, bytes):
            return document_of(source, Path())
        path = Path(source).expanduser()
        why, form = why_unreadable(path), format_of(path)
        if why:
            raise ContentsError(why)
        if form is None:
            return load_gltf(path)
        contents, issues = form.read(path, choices or Choices())
        document, missing = fresh_document(contents, path)
        # Nodes of the document have other numbers than those of the contents.
        unread = tuple(replace(one, node=None) for one in (*issues, *missing))
        return replace(document, unread=unread)


def read(source: Source | Reading, choices: Choices | None = None) -> Reading:
    """Return what a file says of physics, and an issue for all that is not so in it.

    Args:
        source: What ``load`` takes, or what this has returned before.
        choices: How robots and stages are read.

    Raises:
        ContentsError: the file cannot be read.
    """
    if isinstance(source, Reading):
        return source
    _can_be_read(source, choices, Reading)
    with guarded():
        return read_document(load(source, choices))


def check(
    source: Source | Reading, readers: Iterable[Reader | str] = (), *, tries: bool = False
) -> tuple[Issue, ...]:
    """Return what of a file cannot be read, what is wrong in it, and what readers do otherwise.

    Args:
        source: What ``read`` takes, or has returned.
        readers: Of whom to speak; of none: of the usual ones.
        tries: Whether it is moved as Godot moves it, to see what of that is true of it.

    Raises:
        ContentsError: the file cannot be read.
        ValueError: there is no such reader.
    """
    _can_be_read(source, None, Reading)
    named = (readers,) if isinstance(readers, str) else tuple(readers)
    for one in named:
        is_one_of("readers", one, list(Reader))
    who = frozenset(map(Reader, named)) or USUAL
    with guarded():
        reading = read(source)
        mechanism, document, about = reading.mechanism, reading.document, reading.audience
        right, tried = _tried(document, mechanism) if tries and who & IN_STEPS else NOT_TRIED
        judged = judged_of(
            mechanism, target=about.target, readers=who, spoken=frozenset(about.spoken), right=right
        )
        found = faults_of(mechanism, [*judged, *tried])
        meshes = (mesh for at in range(len(mechanism.nodes)) for mesh in mechanism.meshes_of(at))
        issues = (*reading.issues, *MeshReader(document).unread(meshes), *found)
        if any(one.code == "urdf-degrees" for one in issues):  # it is said already
            issues = tuple(one for one in issues if one.code != "angle-in-degrees")
        return pointed(issues, mechanism, document.path)


def convert(
    source: Source,
    output: str | PathLike[str],
    dialect: str = "both",
    choices: Choices | None = None,
) -> Converted:
    """Return a file in the format that the name of another says, and what that cannot say.

    From glTF to glTF the physics is spelled anew, and all else is as it was. Nothing is written
    before ``write`` is called on it.

    Args:
        source: What ``load`` takes; the path of a robot or a stage says more than its document.
        output: The file that is to be.
        dialect: Extensions of glTF: "omi", "khr" or "both".
        choices: How robots and stages are read and written.

    Raises:
        ContentsError: the file cannot be read, or be in that format.
        ValueError: there is no such dialect.
    """
    is_one_of("dialect", dialect, ("both", *Spoken))
    place, spoken = Path(output).expanduser(), spoken_by(dialect)
    _can_be_read(source, choices)
    choices = choices or Choices()
    with guarded():
        path = Path(source).expanduser() if isinstance(source, str | PathLike) else Path()
        before = format_of(path)
        after = format_of(place)
        if after is None and place.suffix.lower() not in GLTF:
            *names, last = READABLE
            raise ContentsError(f"{place} must be named {', '.join(names)} or {last}.")
        if after is not None:  # without glTF on the way, which cannot say all
            document = Document({}, path) if before else load(source)
            contents, found = before.read(path, choices) if before else contents_of(document)
            package, lost = after.write(contents, place, choices)
            faults = _faults(contents.mechanism, document.path)
            none = none_written(contents.mechanism)
            return Converted(place, package, (*found, *none, *lost, *faults), document)
        document = load(source, choices)
        channels, unheard = read_channels(document)
        result = respelled(document.json, spoken, channels, partial(_weighed, document))
        faults = _faults(result.mechanism, document.path)
        missing = missing_files(document)
        issues = (*missing, *document.unread, *result.issues, *unheard, *faults)
        return Converted(place, packed(document, result.json, place), issues, document)


def simulate(  # noqa: PLR0913 - the words of the command
    source: Source | Reading,
    *,
    seconds: float = 5.0,
    fps: float = 60.0,
    gravity: Vector3 | None = None,
    steps: Literal["exact", "godot"] = "exact",
    soft_locks: Literal["automatic", "literal", "rigid"] = "automatic",
    substeps: int | None = None,
    accuracy: float = 1e-6,
    beside: bool = False,
    contacts: bool = False,
    floor: float | bool = False,
    progress: Callable[[float], None] = lambda _: None,
) -> RecordedMotion:
    """Return what the joints of a file do; bodies collide with ``contacts``.

    Args:
        source: What ``read`` takes, or has returned.
        seconds: How long, in s.
        fps: Frames a second.
        gravity: In m/s^2, Y up; None: the file's, else that of the Earth.
        steps: "exact", or "godot": as Godot with Jolt takes them.
        soft_locks: Whether limits with a stiffness are springs ("literal"), rigid ("rigid"), or
            rigid where they cannot hold the weight that they carry ("automatic").
        substeps: Steps of a frame at least; None: as many as the accuracy needs.
        accuracy: How far a step may be off, in m or rad.
        beside: With steps of Godot: whether the exact motion is simulated too, to say how far
            joints go from it.
        contacts: Whether bodies touch as colliders say; never without the compiled solver, and
            not for steps of Godot, which have none.
        floor: With contacts: what catches all that no joint holds, in no file, m along Y; True is
            zero, or where the lowest collider begins if that is lower.
        progress: Called after every frame with the simulated time, in s.

    Raises:
        ContentsError: the file cannot be read or simulated, or NumPy is missing.
        ValueError: these are no frames, or an argument is none of its choices, no finite number,
            or for another that is not given.
        TypeError: an argument is of another type.
    """
    _can_be_read(source, None, Reading)
    frames, fps = _frames(seconds, fps)
    is_one_of("steps", steps, STEPS)
    is_one_of("soft_locks", soft_locks, SOFT_LOCKS)
    if not callable(progress):
        raise TypeError(f"progress must be what can be called, not {progress!r:.80}.")
    contacts, beside = flag("contacts", contacts), flag("beside", beside)
    pull = None if gravity is None else vector("gravity", gravity)
    height = floor if isinstance(floor, bool) else number("floor", floor)
    for is_wrong, why in (
        (contacts and steps == "godot", "contacts: steps of Godot have none."),
        (height is not False and not contacts, "floor is for contacts: else all falls through it."),
        (beside and steps == "exact", "beside is for steps of Godot: nothing else is compared."),
    ):
        if is_wrong:
            raise ValueError(why)
    substeps, accuracy = count("substeps", substeps), number("accuracy", accuracy, least=0.0)
    with guarded():
        from ..solver import Floor, Options, SoftLocks, Steps
        from .motion.from_file import kinematic_motions, measured_mechanism
        from .motion.recorded_motion import RecordedMotion

        reading = read(source)
        mechanism = reading.mechanism
        bodies = sum(node.motion is not None for node in mechanism.nodes)
        if bodies * frames > MOST_POSES:
            message = f"{bodies} bodies in {frames} frames are more than {MOST_POSES} poses."
            raise ContentsError(message)
        locks, taken = SoftLocks(soft_locks), Steps(steps)
        pull = pull or mechanism.gravity or EARTH
        ground = None if height is False else Floor(None if height is True else height)
        options = Options(pull, locks, substeps, accuracy, taken, contacts=contacts, floor=ground)
        tracks, unheard = read_tracks(reading.document)
        with _computed():
            motions = kinematic_motions(mechanism, tracks, fps, frames)
            mechanism, unmeasured = measured_mechanism(
                reading.document, mechanism, touching=options.contacts
            )
            unseen = _unseen(mechanism, pull, contacts=contacts)
            found = (*reading.issues, *unheard, *unmeasured, *unseen)
            motion = RecordedMotion(mechanism, options, fps, motions, found, beside=beside)
    for frame in range(frames):
        with guarded(), _computed():
            motion.advance()
            if not motion.is_finite:
                raise ContentsError(f"{BEYOND}, from frame {frame + 1} on.")
        progress((frame + 1) / fps)  # whatever that raises is the caller's own
    return motion


def _frames(seconds: float, fps: float) -> tuple[int, float]:
    """Return how many frames a run has, and of how many a second.

    Raises:
        TypeError: these are no numbers.
        ValueError: they are too few or too many.
    """
    for name, value in (("seconds", seconds), ("fps", fps)):
        is_a(name, value, "a number", Real)
    seconds, fps = float(seconds), float(fps)
    frames = seconds * fps if seconds > 0.0 else 0.0
    if not 0.0 < frames <= MOST_FRAMES or not round(frames):
        raise ValueError(f"{seconds} s at {fps} frames a second are no 1 to {MOST_FRAMES} frames.")
    return round(frames), fps


def _unseen(mechanism: Mechanism, gravity: Vector3, *, contacts: bool) -> list[Issue]:
    """Return what nobody would see in a run: which way is down, jumps at first, what is not met."""
    codes = {"rest-outside-limits", *["body-without-collider"] * contacts}
    judged = judged_of(mechanism, readers=frozenset((Reader.SPEC,)))
    found = [one for one in judged if one.code in codes]
    x, y, z = gravity
    if y > -max(abs(x), abs(z)):
        what = f"Gravity points {'upwards' if y > 0.0 else 'sideways'}: Y is up here."
        fix = "Give it along -Y, unless it is meant so."
        found.append(Issue(Severity.HINT, "gravity-up", SCENE, what, fix))
    return found


@contextmanager
def _computed() -> Iterator[None]:
    """Have numbers go beyond what can be computed; what comes of it is looked at."""
    import numpy as np

    try:
        with np.errstate(all="ignore"):
            yield
    except (ArithmeticError, ValueError) as error:  # also of linear algebra
        raise ContentsError(f"{BEYOND} ({error}).") from error


def _can_be_read(source: object, choices: object = None, *others: type) -> None:
    """Refuse what nobody could read, and choices that are none.

    Raises:
        TypeError: it is so.
    """
    what = "a path, bytes, or what load" + " or read" * bool(others) + " has returned"
    is_a("source", source, what, str, PathLike, bytes, Document, *others)
    is_a("choices", choices, "Choices", Choices, type(None))


def faults_of(mechanism: Mechanism, judged: Sequence[Issue]) -> list[Issue]:
    """Return what was judged of a mechanism, and with NumPy what the solver says of it at rest."""
    if not HAS_NUMPY or with_loops_alone(mechanism) is None:
        return worst_first(judged)
    from ..solver import lock_issues  # takes longer to load than most files to check

    return worst_first([*judged, *lock_issues(mechanism, metric)])


def _tried(document: Document, mechanism: Mechanism) -> tuple[frozenset[int], tuple[Issue, ...]]:
    """Return which nodes move right as Godot moves them, and what is to be said of others."""
    if not HAS_NUMPY:
        return NOT_TRIED
    from .motion.from_file import kinematic_motions, measured_mechanism
    from .motion.trying import FRAMES, tried_in_godot

    motions = kinematic_motions(mechanism, read_tracks(document)[0], FRAMES, 2 * FRAMES)
    found = tried_in_godot(measured_mechanism(document, mechanism)[0], metric, motions)
    return found.right, found.issues


def pointed(issues: Iterable[Issue], mechanism: Mechanism, path: Path) -> tuple[Issue, ...]:
    """Return issues, those of nodes with their places in the file that was read.

    In glTF it is a pointer, since names may repeat there.
    """
    form, found = format_of(path), list(issues)
    named = form.places(path) if form and any(one.node is not None for one in found) else None
    for at, issue in enumerate(found):
        if issue.node is not None:
            node = mechanism.nodes[issue.node]
            pointer = str(Place(f"/nodes/{issue.node}", node.name))
            if issue.where in (node.name, mechanism.name_of(issue.node), pointer):
                found[at] = replace(issue, where=named(node) if named else pointer)
    return tuple(found)


def _faults(mechanism: Mechanism, path: Path) -> tuple[Issue, ...]:
    """Return what is wrong with what was read, whoever reads it, and where that is in the file.

    Hints are for those who make a mechanism, not for those who pass it on.
    """
    judged = judged_of(
        mechanism, readers=frozenset((Reader.SPEC,)), spoken=frozenset((Spoken.KHR,))
    )
    found = faults_of(mechanism, judged)
    return pointed((one for one in found if one.severity is not Severity.HINT), mechanism, path)


def _weighed(document: Document, mechanism: Mechanism) -> Mechanism:
    """Return a mechanism of a document that knows where the mass of its bodies is."""
    from .motion.from_file import measured_mechanism

    return measured_mechanism(document, mechanism)[0]
