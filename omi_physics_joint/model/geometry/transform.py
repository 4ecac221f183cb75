# SPDX-License-Identifier: GPL-3.0-or-later
"""Small matrices and quaternions in plain Python, in double precision.

A ``Matrix`` is 4 x 4, row-major, and maps column vectors: ``multiply(world_from_a, a_from_b)``.
A ``Rotation`` is its upper left 3 x 3. Quaternions are (x, y, z, w).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, cos, hypot, sin, sqrt

from ..body import IDENTITY_QUATERNION, ZERO, Quaternion, Vector3

AXES = range(3)

Matrix = tuple[tuple[float, ...], ...]
Rotation = tuple[tuple[float, ...], ...]

IDENTITY: Matrix = (
    (1.0, 0.0, 0.0, 0.0),
    (0.0, 1.0, 0.0, 0.0),
    (0.0, 0.0, 1.0, 0.0),
    (0.0, 0.0, 0.0, 1.0),
)
IDENTITY_ROTATION: Rotation = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
ONE: Vector3 = (1.0, 1.0, 1.0)
UNITS: tuple[Vector3, Vector3, Vector3] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
"""Directions of the axes."""
SMALLEST_SQUARE = 1e-280
"""Square of the length of a quaternion below which its digits are lost."""
SQUARE = 1e-15
"""Cosine of two columns below which there is nothing left to turn."""


def multiply(a: Matrix, b: Matrix) -> Matrix:
    """Return the product of two 3 x 3, or of two affine 4 x 4.

    Written out, since an export composes thousands: four times as fast as loops over the elements.
    """
    if len(b) == len(AXES):
        (b00, b01, b02), (b10, b11, b12), (b20, b21, b22) = b
        return tuple(
            (x * b00 + y * b10 + z * b20, x * b01 + y * b11 + z * b21, x * b02 + y * b12 + z * b22)
            for x, y, z in a
        )
    (b00, b01, b02, b03), (b10, b11, b12, b13), (b20, b21, b22, b23), _ = b
    rows = tuple(
        (
            x * b00 + y * b10 + z * b20,
            x * b01 + y * b11 + z * b21,
            x * b02 + y * b12 + z * b22,
            x * b03 + y * b13 + z * b23 + w,
        )
        for x, y, z, w in a[:3]
    )
    return (*rows, (0.0, 0.0, 0.0, 1.0))


def transpose(a: Matrix) -> Matrix:
    """Return the transpose."""
    return tuple(zip(*a, strict=True))


def linear_part(matrix: Matrix) -> Rotation:
    """Return the upper left 3 x 3."""
    return (tuple(matrix[0][:3]), tuple(matrix[1][:3]), tuple(matrix[2][:3]))


def translation_of(matrix: Matrix) -> Vector3:
    """Return the position of the origin."""
    return (matrix[0][3], matrix[1][3], matrix[2][3])


def matrix_from(linear: Rotation, translation: Vector3) -> Matrix:
    """Return the 4 x 4 of a linear part and a translation."""
    (a, b, c), (x, y, z) = linear, translation
    return ((*a, x), (*b, y), (*c, z), (0.0, 0.0, 0.0, 1.0))


def apply(linear: Rotation, vector: Sequence[float]) -> Vector3:
    """Return a 3 x 3 times a vector."""
    return (dot(linear[0], vector), dot(linear[1], vector), dot(linear[2], vector))


def cross(a: Sequence[float], b: Sequence[float]) -> Vector3:
    """Return the cross product."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def dot(a: Sequence[float], b: Sequence[float]) -> float:
    """Return the dot product of two vectors of three."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def plus(a: Vector3, b: Vector3) -> Vector3:
    """Return the sum of two vectors."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def minus(a: Vector3, b: Vector3) -> Vector3:
    """Return the difference of two vectors."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def times(v: Vector3, factor: float) -> Vector3:
    """Return a vector times a number."""
    return (v[0] * factor, v[1] * factor, v[2] * factor)


def normalized(a: Sequence[float]) -> Vector3:
    """Return the vector at length one, or the zero vector as it is."""
    length = sqrt(dot(a, a))
    if length == 0.0:
        return ZERO
    return (a[0] / length, a[1] / length, a[2] / length)


def determinant(linear: Rotation) -> float:
    """Return the determinant of a 3 x 3."""
    return dot(linear[0], cross(linear[1], linear[2]))


def inverse(matrix: Matrix) -> Matrix:
    """Return the inverse of an affine matrix.

    Raises:
        ZeroDivisionError: the linear part is singular.
    """
    rows = linear_part(matrix)
    scale = 1.0 / determinant(rows)
    columns = (cross(rows[1], rows[2]), cross(rows[2], rows[0]), cross(rows[0], rows[1]))
    linear = tuple((a * scale, b * scale, c * scale) for a, b, c in zip(*columns, strict=True))
    x, y, z = apply(linear, translation_of(matrix))
    return matrix_from(linear, (-x, -y, -z))


def rotation_from_quaternion(q: Quaternion) -> Rotation:
    """Return the 3 x 3 of a quaternion of any length but zero."""
    x, y, z, w = q
    square = x * x + y * y + z * z + w * w
    if square < SMALLEST_SQUARE:
        most = max(map(abs, q))
        return rotation_from_quaternion((x / most, y / most, z / most, w / most))
    s = 2.0 / square
    return (
        (1.0 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)),
        (s * (x * y + z * w), 1.0 - s * (x * x + z * z), s * (y * z - x * w)),
        (s * (x * z - y * w), s * (y * z + x * w), 1.0 - s * (x * x + y * y)),
    )


def off_line(point: Vector3, origin: Vector3, along: Vector3) -> float:
    """Return how far a point is from a line through another, along a direction of length one."""
    return hypot(*cross(minus(point, origin), along))


def rotation_about(axis: Vector3, angle: float) -> Rotation:
    """Return the rotation about a direction of length one by an angle in rad."""
    s = sin(0.5 * angle)
    return rotation_from_quaternion((s * axis[0], s * axis[1], s * axis[2], cos(0.5 * angle)))


def quaternion_from_rotation(r: Rotation) -> Quaternion:
    """Return the unit quaternion of a rotation, with w >= 0 (Shepperd's method)."""
    trace = r[0][0] + r[1][1] + r[2][2]
    candidates = (r[0][0], r[1][1], r[2][2], trace)
    largest = candidates.index(max(candidates))
    if largest == 3:
        q = (r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1], 1.0 + trace)
    else:
        i, j, k = largest, (largest + 1) % 3, (largest + 2) % 3
        parts = [0.0, 0.0, 0.0, r[k][j] - r[j][k]]
        parts[i] = 1.0 + r[i][i] - r[j][j] - r[k][k]
        parts[j] = r[j][i] + r[i][j]
        parts[k] = r[k][i] + r[i][k]
        q = (parts[0], parts[1], parts[2], parts[3])
    length = sqrt(sum(c * c for c in q))
    if length == 0.0:
        return IDENTITY_QUATERNION
    sign = -length if q[3] < 0.0 else length
    return (q[0] / sign, q[1] / sign, q[2] / sign, q[3] / sign)


def compose(
    translation: Vector3 = ZERO, rotation: Quaternion = IDENTITY_QUATERNION, scale: Vector3 = ONE
) -> Matrix:
    """Return the matrix of a glTF node: translation, then rotation, then scale."""
    r = rotation_from_quaternion(rotation)
    u, v, w = scale
    return matrix_from(tuple((a * u, b * v, c * w) for a, b, c in r), translation)


def singular_values(linear: Rotation) -> tuple[Rotation, Vector3, Rotation]:
    """Return (u, s, v) with linear = u diag(s) v^T, u and v rotations.

    One-sided Jacobi: columns of ``linear v`` are turned pairwise until they are orthogonal. A
    negative determinant shows as one negative value in s, never as a reflection in u or v.

    Raises:
        ZeroDivisionError: linear is singular.
    """
    columns = [list(column) for column in transpose(linear)]
    v = [list(row) for row in IDENTITY_ROTATION]  # rows are the columns of v
    for _ in range(60):
        largest = 0.0
        for p, q in ((0, 1), (0, 2), (1, 2)):
            alpha, beta = dot(columns[p], columns[p]), dot(columns[q], columns[q])
            gamma = dot(columns[p], columns[q])
            largest = max(largest, abs(gamma) / sqrt(alpha * beta))
            if gamma == 0.0:
                continue
            zeta = (beta - alpha) / (2.0 * gamma)
            t = (1.0 if zeta >= 0.0 else -1.0) / (abs(zeta) + sqrt(1.0 + zeta * zeta))
            c = 1.0 / sqrt(1.0 + t * t)
            s = c * t
            for pair in (columns, v):
                pair[p], pair[q] = (
                    [c * x - s * y for x, y in zip(pair[p], pair[q], strict=True)],
                    [s * x + c * y for x, y in zip(pair[p], pair[q], strict=True)],
                )
        if largest < SQUARE:
            break
    values = [sqrt(dot(column, column)) for column in columns]
    u = [[x / value for x in column] for column, value in zip(columns, values, strict=True)]
    if determinant(tuple(tuple(row) for row in u)) < 0.0:
        values[2] = -values[2]
        u[2] = [-x for x in u[2]]
    u_matrix = transpose(tuple(tuple(row) for row in u))
    v_matrix = transpose(tuple(tuple(row) for row in v))
    return u_matrix, (values[0], values[1], values[2]), v_matrix


def difference(a: Matrix, b: Matrix) -> float:
    """Return the largest absolute difference of two matrices' elements."""
    return max(
        abs(x - y)
        for row_a, row_b in zip(a, b, strict=True)
        for x, y in zip(row_a, row_b, strict=True)
    )


def rotation_angle(r: Rotation) -> float:
    """Return the angle of a rotation in rad, exact also when it is small."""
    x, y, z, w = quaternion_from_rotation(r)
    return 2.0 * atan2(sqrt(x * x + y * y + z * z), w)
