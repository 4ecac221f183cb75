# SPDX-License-Identifier: GPL-3.0-or-later
"""Keeps standard output, and where that is wanted standard error, clean while Blender works."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

STDOUT, STDERR = 1, 2


@contextmanager
def stdout_to_stderr() -> Iterator[None]:
    """Send what anything writes to file descriptor 1 to descriptor 2 instead, until the end.

    So also goes what C code has printed before and still holds back: all that C code prints is
    noise here, and Blender's banner is held back so when standard output is no terminal. Where a
    process has no such descriptors there is nothing to keep clean.
    """
    with _given_back(STDOUT) as is_there:
        if is_there:
            _flush_python()
            with suppress(OSError):
                os.dup2(STDERR, STDOUT)
            _flush_c()
        yield


@contextmanager
def silenced() -> Iterator[None]:
    """Let nothing come to file descriptor 2 until the end, as far as there is one."""
    with _given_back(STDERR) as is_there:
        if is_there:
            _flush_python()
            _lead_nowhere(STDERR)
        yield


def say_amid(words: str) -> None:
    """Write a line to standard error from a handler of signals, which may interrupt a line."""
    try:
        print(words, file=sys.stderr, flush=True)
    except RuntimeError:  # the stream is in the middle of writing, and cannot be entered again
        with suppress(OSError):
            os.write(STDERR, f"{words}\n".encode())


def _lead_nowhere(descriptor: int) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)


@contextmanager
def _given_back(descriptor: int) -> Iterator[bool]:
    """Have a file descriptor lead at the end to where it leads now; False where there is none."""
    try:
        saved = os.dup(descriptor)
    except OSError:
        yield False
        return
    try:
        yield True
    finally:
        flushed()
        os.dup2(saved, descriptor)
        os.close(saved)


def open_what_is_closed() -> None:
    """Lead standard streams that are closed nowhere: the next files would take their numbers."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def forget_what_cannot_be_printed() -> None:
    """Lead streams nowhere that are full: Python would try again at its end, and exit with 120."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            _lead_nowhere(stream.fileno())


def accept_any_text() -> None:
    """Let names be printed that the terminal has no characters for: escaped, not refused."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def is_on_terminal() -> bool:
    """Return whether people see standard error at once."""
    try:
        return sys.stderr.isatty()
    except (AttributeError, ValueError):  # no stream at all, or a closed one
        return False


def flushed() -> None:
    """Let out what Python and C code have printed and still hold back."""
    _flush_python()
    _flush_c()


def _flush_python() -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):  # closed, or none at all
            stream.flush()


def _flush_c() -> None:
    with suppress(OSError, TypeError, AttributeError):  # no such library on this system
        ctypes.CDLL("ucrtbase" if os.name == "nt" else None).fflush(None)
