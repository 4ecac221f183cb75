# SPDX-License-Identifier: GPL-3.0-or-later
"""A plugin of pytest that notes which lines of the package each test reaches, in what time.

It uses sys.monitoring, where each line is reported once a test and costs nothing afterwards. What
other processes run is not seen, nor what is read as text, so it is noted which tests do that.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from types import CodeType
from typing import Any

import pytest

PACKAGE = os.path.join(os.getcwd(), "omi_physics_joint") + os.sep
OUTPUT = "OMI_REACH"
"""Environment variable: where the JSON goes."""
MONITORING: Any = vars(sys).get("monitoring")
"""sys.monitoring, from Python 3.12 on."""
TOOL = 4
"""A number that neither debuggers nor coverage nor profilers take."""


class Tracer:
    """Notes lines by test. Parameters of one test function count as one test."""

    def __init__(self) -> None:
        self.reached: dict[str, set[str]] = {}
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()
        self.unseen: set[str] = set()
        self._lines: set[str] = set()
        self._is_unseen = False
        sys.addaudithook(self._heard)
        MONITORING.use_tool_id(TOOL, "omi_mutants")
        MONITORING.register_callback(TOOL, MONITORING.events.LINE, self._note)
        MONITORING.set_events(TOOL, MONITORING.events.LINE)

    def _note(self, code: CodeType, line: int) -> Any:  # noqa: ANN401 - as sys.monitoring has it
        if code.co_filename.startswith(PACKAGE):
            self._lines.add(f"{code.co_filename[len(PACKAGE) :]}:{line}")
        return MONITORING.DISABLE

    def _heard(self, event: str, given: tuple[Any, ...]) -> None:
        reads = event == "open" and given[1] == "r" and str(given[0]).startswith(PACKAGE)
        self._is_unseen |= reads or event == "subprocess.Popen"

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Run one test and keep what it reached."""
        self._lines, self._is_unseen = set(), False
        MONITORING.restart_events()
        start = time.monotonic()
        done = yield
        name = item.nodeid.partition("[")[0]
        self.seconds[name] = self.seconds.get(name, 0.0) + time.monotonic() - start
        self.reached.setdefault(name, set()).update(self._lines)
        if self._is_unseen:
            self.unseen.add(name.partition("::")[0])
        return done

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note what fails without any fault: it can notice nothing."""
        if report.failed:
            self.failed.add(report.nodeid.partition("[")[0])

    def pytest_sessionfinish(self) -> None:
        """Write it all down."""
        by_line: dict[str, list[str]] = {}
        for name in self.reached.keys() - self.failed:
            for line in self.reached[name]:
                by_line.setdefault(line, []).append(name)
        with open(os.environ[OUTPUT], "w", encoding="utf-8") as file:
            found = {"seconds": self.seconds, "tests": by_line, "unseen": [*self.unseen]}
            json.dump(found, file)


def pytest_configure(config: pytest.Config) -> None:
    """Begin to listen."""
    config.pluginmanager.register(Tracer(), "omi_tracer")
