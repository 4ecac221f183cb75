# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares articulations with Newton (PyPI ``newton``, with ``warp-lang``: 590 MB installed).

    python -m benchmarks.newton.run [--keep]

Every scene becomes a model of its ``ModelBuilder``. It must have the same layout; ``eval_fk`` must
put bodies where ``poses_of`` does, ``eval_ik`` read coordinates as ``coordinates_of`` does, also
where bodies stand as no joint allows, and velocities of bodies must be those of joints. What
Newton says is kept with ``--keep`` for ``tests/model/articulation/test_as_newton.py``, which needs
no Newton. Exit code 1 where anything differs by more than 1e-5.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

import warp as wp

import newton

from .as_newton import AsNewton, pose_of
from .judging import judged
from .posed import poses_of
from .samples import FILE, question
from .scenes import SCENES

MOST = 1e-5
DIGITS = 7


def main() -> int:
    """Ask, print what differs, and keep the answers."""
    parser = argparse.ArgumentParser(description="Articulations as Newton has them.")
    parser.add_argument("--keep", action="store_true", help="write down what Newton says")
    arguments = parser.parse_args()
    wp.config.quiet = True
    answers = {name: asked(name) for name in SCENES}
    worst = 0.0
    for name, answer in answers.items():
        found = judged(question(name), answer)
        worst = max(worst, *found.values())
        print(f"{name:12}", " ".join(f"{what} {gap:.1e}" for what, gap in found.items()))
    print(f"Newton {newton.__version__}, Warp {wp.__version__}: at most {worst:.1e} apart")
    if arguments.keep:
        lines = (f' "{name}": {json.dumps(answer)}' for name, answer in answers.items())
        FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    return worst > MOST


def asked(name: str) -> dict[str, Any]:
    """Return what Newton says of a scene."""
    asking = question(name)
    model = AsNewton(asking.mechanism, asking.articulations)
    loops = [0.0] * sum(loop.counts.q for one in asking.articulations for loop in one.loops)
    still = [0.0] * sum(loop.counts.qd for one in asking.articulations for loop in one.loops)
    poses, motions = model.poses([*asking.joint_q, *loops], [*asking.joint_qd, *still])
    ours = poses_of(asking.articulations, asking.joint_q)
    read = model.coordinates({body: pose_of(pose) for body, pose in ours.items()})
    anywhere = {body: pose_of(pose) for body, pose in asking.anywhere.items()}
    projected = model.coordinates(anywhere)
    count = len(asking.joint_q)
    return {
        **model.layout(),
        "poses": [rounded(pose) for pose in poses.values()],
        "motions": [rounded(motion) for motion in motions.values()],
        "read": rounded(read[:count]),
        "projected": rounded(projected[:count]),
    }


def rounded(values: list[float]) -> list[float]:
    """Return numbers with the digits that single precision has."""
    return [round(value, DIGITS) for value in values]


if __name__ == "__main__":
    raise SystemExit(main())
