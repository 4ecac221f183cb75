# SPDX-License-Identifier: GPL-3.0-or-later
"""Identities of the small matrices."""

from __future__ import annotations

from math import cos, pi, sin, sqrt
from random import Random

import pytest

from omi_physics_joint.model.body import Vector3
from omi_physics_joint.model.geometry.transform import (
    IDENTITY,
    IDENTITY_ROTATION,
    Matrix,
    apply,
    compose,
    cross,
    determinant,
    difference,
    dot,
    inverse,
    linear_part,
    matrix_from,
    multiply,
    normalized,
    quaternion_from_rotation,
    rotation_angle,
    rotation_from_quaternion,
    singular_values,
    translation_of,
    transpose,
)
from tests.model.building import (
    determinant_of,
    is_rotation,
    random_parent,
    random_quaternion,
    random_rigid,
    random_vector,
    turn,
)

SEEDS = range(20)


@pytest.mark.parametrize("seed", SEEDS)
def test_inverse_undoes_from_both_sides(seed: int) -> None:
    """A matrix times its inverse is the identity, whatever side it stands on."""
    matrix = random_parent(Random(seed), mirrored=seed % 2 == 1)
    assert difference(multiply(matrix, inverse(matrix)), IDENTITY) < 1e-11
    assert difference(multiply(inverse(matrix), matrix), IDENTITY) < 1e-11


def test_inverse_of_flat_matrix_is_refused() -> None:
    """A matrix that flattens space has no inverse and says so."""
    with pytest.raises(ZeroDivisionError):
        inverse(compose(scale=(1.0, 0.0, 1.0)))


@pytest.mark.parametrize("seed", SEEDS)
def test_multiply_is_one_map_after_another(seed: int) -> None:
    """The product maps a point as the right factor and then the left one do."""
    random = Random(seed)
    a, b, point = random_parent(random), random_parent(random), random_vector(random)

    def mapped(matrix: Matrix, p: Vector3) -> Vector3:
        x, y, z = apply(linear_part(matrix), p)
        tx, ty, tz = translation_of(matrix)
        return (x + tx, y + ty, z + tz)

    assert mapped(multiply(a, b), point) == pytest.approx(mapped(a, mapped(b, point)))


@pytest.mark.parametrize("seed", SEEDS)
def test_quaternion_and_rotation_are_the_same_turn(seed: int) -> None:
    """Quaternion to rotation and back gives the same quaternion, up to its sign."""
    q = random_quaternion(Random(seed))
    back = quaternion_from_rotation(rotation_from_quaternion(q))
    assert back[3] >= 0.0
    assert abs(sum(x * y for x, y in zip(q, back, strict=True))) == pytest.approx(1.0, abs=1e-14)


@pytest.mark.parametrize("axis", range(3))
def test_half_turns_survive_as_quaternions(axis: int) -> None:
    """Half a turn, where w is zero, comes out as that turn and not as none."""
    rotation = linear_part(turn(axis, pi))
    again = rotation_from_quaternion(quaternion_from_rotation(rotation))
    assert difference(again, rotation) < 1e-15


def test_quaternion_of_any_length_is_the_same_rotation() -> None:
    """A quaternion need not have length one."""
    long = rotation_from_quaternion((0.2, -0.4, 0.6, 0.8))
    short = rotation_from_quaternion((0.1, -0.2, 0.3, 0.4))
    assert difference(long, short) < 1e-15
    assert is_rotation(long)


@pytest.mark.parametrize("axis", range(3))
def test_positive_turn_follows_the_right_hand(axis: int) -> None:
    """A positive angle takes the next axis towards the one after it."""
    following = IDENTITY_ROTATION[(axis + 1) % 3]
    expected = [0.0, 0.0, 0.0]
    expected[(axis + 1) % 3], expected[(axis + 2) % 3] = cos(0.3), sin(0.3)
    assert apply(linear_part(turn(axis, 0.3)), following) == pytest.approx(expected)


def test_compose_scales_then_turns_then_moves() -> None:
    """A node scales first, turns second and moves last, as glTF wants it."""
    quarter_about_z = (0.0, 0.0, sqrt(0.5), sqrt(0.5))
    matrix = compose((10.0, 0.0, 0.0), quarter_about_z, (2.0, 1.0, 1.0))
    assert apply(linear_part(matrix), (1.0, 0.0, 0.0)) == pytest.approx((0.0, 2.0, 0.0))
    assert translation_of(matrix) == (10.0, 0.0, 0.0)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("mirrored", [False, True])
def test_singular_values_rebuild_the_matrix(seed: int, mirrored: bool) -> None:
    """Two rotations and three scales give the matrix back; a mirror shows in one scale."""
    linear = linear_part(random_parent(Random(seed), mirrored=mirrored))
    u, values, v = singular_values(linear)
    scaled = tuple(tuple(row[j] * values[j] for j in range(3)) for row in u)
    assert difference(multiply(scaled, transpose(v)), linear) < 1e-13
    assert is_rotation(u)
    assert is_rotation(v)
    assert sum(value < 0.0 for value in values) == mirrored


def test_singular_values_of_far_apart_scales_stay_exact() -> None:
    """A thin sheet, a million times longer than thick, is taken apart without loss."""
    linear = multiply(
        linear_part(compose(rotation=(0.1, 0.2, 0.3, 0.9), scale=(1e3, 1.0, 1e-3))),
        linear_part(turn(1, 0.7)),
    )
    _, values, _ = singular_values(linear)
    assert sorted(values) == pytest.approx([1e-3, 1.0, 1e3], rel=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_determinant_is_the_volume(seed: int) -> None:
    """The determinant agrees with Sarrus' rule, also in sign."""
    matrix = random_parent(Random(seed), mirrored=seed % 2 == 1)
    assert determinant(linear_part(matrix)) == pytest.approx(determinant_of(matrix))


def test_cross_product_is_right_handed_and_square_to_both() -> None:
    """X cross Y is Z, and the product has no part along its factors."""
    assert cross((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)) == (0.0, 0.0, 1.0)
    a, b = (1.0, 2.0, 3.0), (-2.0, 0.5, 1.0)
    assert dot(cross(a, b), a) == pytest.approx(0.0)
    assert dot(cross(a, b), b) == pytest.approx(0.0)


def test_normalized_keeps_direction_and_leaves_zero() -> None:
    """A vector comes to length one; the zero vector stays what it is."""
    assert normalized((3.0, 0.0, 4.0)) == pytest.approx((0.6, 0.0, 0.8))
    assert normalized((0.0, 0.0, 0.0)) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("value", [1e-9, 1e-4, 1.0, 3.0, pi])
def test_rotation_angle_is_exact_also_when_small(value: float) -> None:
    """The angle of a turn is read back to full relative precision."""
    assert rotation_angle(linear_part(turn(1, value))) == pytest.approx(value, rel=1e-7)


@pytest.mark.parametrize("seed", SEEDS)
def test_parts_make_the_whole(seed: int) -> None:
    """Linear part and translation put together are the matrix again."""
    matrix = random_rigid(Random(seed))
    assert matrix_from(linear_part(matrix), translation_of(matrix)) == matrix
