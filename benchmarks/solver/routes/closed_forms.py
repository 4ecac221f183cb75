# SPDX-License-Identifier: GPL-3.0-or-later
"""Truths with one unknown each: doors and pendulums, the sprung slider, and closed loops."""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from ..linkages import Loop
from ..rotations import about, turned
from ..scene import GRAVITY, Array, Scene


def hinged_path(scene: Scene) -> Array:
    """Return the centres of bodies that each hang on one hinge: I theta'' = -V'(theta)."""
    axes = np.array([joint.axis for joint in scene.joints])
    anchors = np.array([joint.anchor for joint in scene.joints])
    arms = scene.positions - anchors
    along = turned(scene.rotations * [-1.0, -1.0, -1.0, 1.0], axes)
    lever = (arms**2).sum(-1) - ((arms * axes).sum(-1)) ** 2
    inertia = (scene.inertias() * along**2).sum(-1) + scene.masses * lever

    def carried(angle: Array) -> Array:
        return turned(about(axes, angle), arms)

    def rate(_: float, state: Array) -> Array:
        angle, spin = np.split(state, 2)
        lift = np.cross(axes, carried(angle))[:, 1]
        return np.concatenate([spin, -scene.masses * GRAVITY * lift / inertia])

    times = np.arange(scene.frames + 1) / scene.fps
    start = np.zeros(2 * scene.count)
    solution = solve_ivp(rate, (0.0, times[-1]), start, "DOP853", times, rtol=1e-12, atol=1e-13)
    angles = solution.y[: scene.count].T
    return np.stack([anchors + carried(angle) for angle in angles])


def slider_path(scene: Scene) -> Array:
    """Return the centre of a damped spring and mass that gravity pulls from its rest."""
    (joint,) = scene.joints
    mass = scene.masses[0]
    decay = joint.damping / (2.0 * mass)
    swing = np.sqrt(joint.stiffness / mass - decay**2)
    times = np.arange(scene.frames + 1) / scene.fps
    fading = np.exp(-decay * times) * (
        np.cos(swing * times) + decay / swing * np.sin(swing * times)
    )
    sag = -mass * GRAVITY / joint.stiffness * (1.0 - fading)
    return (np.array(joint.axis) * sag[:, None])[:, None] + scene.positions


def loop_path(scene: Scene, loop: Loop) -> Array:
    """Return the centres of crank, coupler and rocker from the angle of the crank alone.

    With T = m(theta) theta'^2 / 2 the motion is m theta'' = -V' - m' theta'^2 / 2. The coupler does
    not spin about its own length: it starts at rest and its ends are ball joints or hinges across.
    """
    rocker_start = [0.0]

    def places(angle: float) -> Array:
        tip = loop.crank_foot + _turn(loop.crank_axis, angle, loop.crank_tip - loop.crank_foot)
        arm = loop.rocker_tip - loop.rocker_foot
        length = np.linalg.norm(loop.rocker_tip - loop.crank_tip)

        def excess(phi: float) -> float:
            end = loop.rocker_foot + _turn(loop.rocker_axis, phi, arm)
            return float(((end - tip) ** 2).sum() - length**2)

        phi = _root_near(excess, rocker_start[0])
        end = loop.rocker_foot + _turn(loop.rocker_axis, phi, arm)
        return np.array([phi, *tip, *end])

    def mass_and_height(angle: float) -> tuple[float, float]:
        step = 1e-4
        here = places(angle)
        # Fourth-order differences of the geometry: errors near 1e-13.
        slope = (
            8.0 * (places(angle + step) - places(angle - step))
            - (places(angle + 2.0 * step) - places(angle - 2.0 * step))
        ) / (12.0 * step)
        return _mass_and_height(scene, loop, here, slope)

    def rate(_: float, state: Array) -> Array:
        angle, spin = state
        rocker_start[0] = places(angle)[0]
        step = 2e-3
        mass, _height = mass_and_height(angle)
        samples = [mass_and_height(angle + k * step) for k in (-2, -1, 1, 2)]
        weights = np.array([1.0, -8.0, 8.0, -1.0]) / (12.0 * step)
        mass_slope, height_slope = weights @ np.array(samples)
        return np.array([spin, (-GRAVITY * height_slope - 0.5 * mass_slope * spin**2) / mass])

    times = np.arange(scene.frames + 1) / scene.fps
    solution = solve_ivp(rate, (0.0, times[-1]), [0.0, 0.0], "DOP853", times, rtol=1e-9, atol=1e-10)
    rocker_start[0] = 0.0
    centres = []
    for angle in solution.y[0]:
        here = places(angle)
        rocker_start[0] = here[0]
        tip, end = here[1:4], here[4:7]
        centres.append([(loop.crank_foot + tip) / 2, (tip + end) / 2, (loop.rocker_foot + end) / 2])
    return np.array(centres)


def _mass_and_height(scene: Scene, loop: Loop, here: Array, slope: Array) -> tuple[float, float]:
    """Return the generalised mass of the loop, and the sum of masses times heights."""
    crank, coupler, rocker = scene.masses
    inertia = scene.inertias()[:, 1]  # across a rod; Y and Z are alike
    tip, end = here[1:4], here[4:7]
    tip_speed, end_speed, rocker_rate = slope[1:4], slope[4:7], slope[0]
    across = end_speed - tip_speed
    length_squared = ((end - tip) ** 2).sum()
    mass = crank * (tip_speed**2).sum() / 4.0 + inertia[0]
    mass += coupler * (((tip_speed + end_speed) / 2.0) ** 2).sum()
    mass += inertia[1] * (across**2).sum() / length_squared
    mass += rocker * (end_speed**2).sum() / 4.0 + inertia[2] * rocker_rate**2
    height = crank * (loop.crank_foot + tip)[1] + coupler * (tip + end)[1]
    height += rocker * (loop.rocker_foot + end)[1]
    return float(mass), float(height / 2.0)


def _turn(axis: Array, angle: float, v: Array) -> Array:
    return turned(about(axis, np.array(angle)), v)


def _root_near(function: object, guess: float) -> float:
    """Return the root of a function of an angle that lies nearest to a guess."""
    assert callable(function)
    width = 1e-3
    while width < 1.5:
        low, high = guess - width, guess + width
        if function(low) * function(high) <= 0.0:
            return float(brentq(function, low, high, xtol=1e-15, rtol=1e-15))
        width *= 1.6
    message = "the loop does not close"
    raise ValueError(message)
