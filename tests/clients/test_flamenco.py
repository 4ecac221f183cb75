# SPDX-License-Identifier: GPL-3.0-or-later
"""The job type for Flamenco, run by node on a stand-in of the API that it gives to scripts."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from night_project import WHOLE, Run, written

from omi_physics_joint.cli.outcome import FailOn
from omi_physics_joint.cli.parser import parsed
from omi_physics_joint.library.formats import READABLE

HERE = Path(__file__).resolve().parent
SCRIPT = HERE.parents[1] / "clients/flamenco/omi_physics_export.js"
MEMBERS = {"key", "type", "subtype", "choices", "propargs", "description", "label", "default"}
MEMBERS |= {"eval", "evalInfo", "visible", "required", "editable"}
"""What a setting may say, by the schema AvailableJobSetting of Flamenco's API."""
TYPES = {"string": str, "int32": int, "float": float, "bool": bool}


@pytest.fixture
def compiled(tmp_path: Path) -> Any:
    """A function that has node make tasks of settings; those that are left out have defaults."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")

    def compile_job(**settings: object) -> dict[str, Any]:
        place = tmp_path / "settings.json"
        for _ in range(2):  # first for the defaults
            place.write_text(json.dumps({"tasks": 0, **settings}), "utf-8")
            words = [node, HERE / "flamenco_author.js", SCRIPT, place]
            done = subprocess.run(words, capture_output=True, text=True, check=True)
            answer: dict[str, Any] = json.loads(done.stdout)
            known = answer["type"]["settings"]
            settings = {one["key"]: one["default"] for one in known if "default" in one} | settings
        return answer

    return compile_job


def test_settings_are_what_flamenco_knows(compiled: Any) -> None:
    """Each has a type, a default of that type or what it is found by, and words to read."""
    job_type = compiled(scenes="/s", output_dir="/o")["type"]
    assert set(job_type) == {"label", "description", "settings"}
    settings = {one["key"]: one for one in job_type["settings"]}
    for one in settings.values():
        assert set(one) <= MEMBERS
        assert type(one.get("default", TYPES[one["type"]]())) is TYPES[one["type"]]
        assert ("default" in one) != ("eval" in one)
        assert one["default"] in one["choices"] if "choices" in one else one["description"]
        compile(one.get("eval", "0"), one["key"], "eval")
    assert sorted(settings["format"]["choices"]) == sorted(one[1:] for one in READABLE)
    assert settings["fail_on"]["choices"] == [one.value for one in FailOn]


@pytest.mark.long
def test_every_task_is_a_call_of_the_command(compiled: Any) -> None:
    """One for each part, which Blender gets and our command line understands as it was meant."""
    settings = {"strict": True, "fail_on": "loss", "run_scripts": True, "format": "gltf"}
    settings |= {"scenes": "/farm/a night", "output_dir": "/farm/out", "tasks": 3, "jobs": 2}
    tasks = compiled(**settings, more_words="--dialect khr --ignore 'godot-*'")["tasks"]
    assert [one["name"] for one in tasks] == [f"export-{part}-of-3" for part in (1, 2, 3)]
    for number, task in enumerate(tasks, 1):
        assert task["type"] == "blender"
        (command,) = task["commands"]
        assert (command["name"], command["parameters"]["exe"]) == ("exec", "{blender}")
        words = command["parameters"]["args"]
        assert words[:3] == ["-b", "--command", "omi_physics_joint"]
        asked = parsed(words[3:], "blender")
        assert (asked.shard, asked.jobs, asked.timeout) == ((number, 3), 2, 600.0)
        assert (asked.files, asked.output_dir) == ([Path("/farm/a night")], Path("/farm/out"))
        assert asked.report == Path(f"/farm/out/night_{number}.jsonl")
        assert (asked.strict, asked.fail_on, asked.scripts) == (True, "loss", "allow")
        assert (asked.format, asked.dialect, asked.ignore) == ("gltf", "khr", ["godot-*"])
    assert "--strict" not in compiled(scenes="/s", output_dir="/o")["tasks"][0]["commands"][0]


@pytest.mark.long
def test_the_tasks_export_the_whole_folder(compiled: Any, project: Path, run: Run) -> None:
    """Run as a worker of Flamenco runs them, one after the other, they leave nothing out."""
    out = project / "build"
    answer = compiled(scenes=str(project / "scenes"), output_dir=str(out), tasks=2)
    for task in answer["tasks"]:
        parameters = task["commands"][0]["parameters"]
        run(parameters["exe"].replace("{blender}", "blender"), *parameters["args"], cwd=project)
    assert written(out) == WHOLE
    lines = [json.loads(line) for part in (1, 2) for line in (out / f"night_{part}.jsonl").open()]
    assert sum(one["kind"] == "file" for one in lines) == len(WHOLE)
