/* SPDX-License-Identifier: MIT */
/* Three numbers, six numbers, nine numbers. */
#ifndef OMI_ALGEBRA_H
#define OMI_ALGEBRA_H
#include "elementary.h"

#define TURN (2.0 * OMI_PI) /* rad */
#define SHORT 0.6           /* rad^2: up to it the series below are exact to rounding */

static inline void cross(double *out, const double *a, const double *b) {
    double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
    out[0] = x;
    out[1] = y;
}
static inline double dot(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static inline double dot_six(const double *a, const double *b) {
    return (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) + (a[3] * b[3] + a[4] * b[4] + a[5] * b[5]);
}
static inline void add_six(double *restrict to, const double *restrict own, double by) {
    to[0] += own[0] * by, to[1] += own[1] * by, to[2] += own[2] * by;
    to[3] += own[3] * by, to[4] += own[4] * by, to[5] += own[5] * by;
}
/* out = m v, out = m^T v; out is not v. */
static inline void turn(double *out, const double *m, const double *v) {
    for (int i = 0; i < 3; ++i) out[i] = m[3 * i] * v[0] + m[3 * i + 1] * v[1] + m[3 * i + 2] * v[2];
}
static inline void turn_back(double *out, const double *m, const double *v) {
    for (int i = 0; i < 3; ++i) out[i] = m[i] * v[0] + m[3 + i] * v[1] + m[6 + i] * v[2];
}
static inline void product(double *out, const double *a, const double *b) {
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            out[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
}
/* a^T b */
static inline void product_back(double *out, const double *a, const double *b) {
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            out[3 * i + j] = a[i] * b[j] + a[3 + i] * b[3 + j] + a[6 + i] * b[6 + j];
}
/* The rotation by a rotation vector (Rodrigues). */
static inline void exponential(double *out, const double *x) {
    double square = dot(x, x), angle = sqrt(square), s, c;
    if (square > SHORT) {
        s = sin(angle) / angle;
        c = (1.0 - cos(angle)) / square;
    } else {
        s = 1.0 + square * rest_of_sine(square);
        c = 0.5 - square * rest_of_cosine(square);
    }
    out[0] = 1.0 - c * (x[1] * x[1] + x[2] * x[2]);
    out[4] = 1.0 - c * (x[0] * x[0] + x[2] * x[2]);
    out[8] = 1.0 - c * (x[0] * x[0] + x[1] * x[1]);
    out[1] = c * x[0] * x[1] - s * x[2];
    out[3] = c * x[0] * x[1] + s * x[2];
    out[2] = c * x[0] * x[2] + s * x[1];
    out[6] = c * x[0] * x[2] - s * x[1];
    out[5] = c * x[1] * x[2] - s * x[0];
    out[7] = c * x[1] * x[2] + s * x[0];
}
/* What a rotation is after one more about its own axes, by a rotation vector. */
static inline void turn_on(double *out, const double *rotation, const double *by) {
    double step[9], turned[9];
    exponential(step, by);
    product(turned, rotation, step);
    for (int i = 0; i < 9; ++i) out[i] = turned[i];
}
/* The rate of a rotation vector t that turns with w, body axes: the inverse of the differential of
 * the exponential, w + t x w / 2 + f t x (t x w). */
static inline void rate_of_vector(double *out, const double *t, const double *w) {
    static const double of[] = {3617.0 / 10670622842880000.0, 1.0 / 74724249600.0,
                                691.0 / 1307674368000.0, 1.0 / 47900160.0, 1.0 / 1209600.0,
                                1.0 / 30240.0, 1.0 / 720.0, 1.0 / 12.0};
    double once[3], twice[3], square = dot(t, t), half = 0.5 * sqrt(square);
    double f = square > SHORT ? (1.0 - half * cos(half) / sin(half)) / square : polynomial(of, 8, square);
    cross(once, t, w);
    cross(twice, t, once);
    for (int i = 0; i < 3; ++i) out[i] = w[i] + 0.5 * once[i] + f * twice[i];
}
/* One Newton step towards the nearest rotation. */
static inline void orthonormalize(double *m) {
    double gram[9], out[9];
    product_back(gram, m, m);
    for (int i = 0; i < 9; ++i) gram[i] *= -0.5;
    for (int i = 0; i < 9; i += 4) gram[i] += 1.5;
    product(out, m, gram);
    for (int i = 0; i < 9; ++i) m[i] = out[i];
}
/* Unit quaternion x y z w, w >= 0, of a rotation (Shepperd 1978). */
static inline void quaternion(double *q, const double *m) {
    double d[4] = {1.0 + m[0] - m[4] - m[8], 1.0 - m[0] + m[4] - m[8], 1.0 - m[0] - m[4] + m[8],
                   1.0 + m[0] + m[4] + m[8]};
    int best = 0;
    for (int i = 1; i < 4; ++i)
        if (d[i] > d[best]) best = i;
    double s = 0.5 * sqrt(d[best]), f = 0.25 / s;
    switch (best) {
        case 0: q[0] = s; q[1] = f * (m[1] + m[3]); q[2] = f * (m[2] + m[6]); q[3] = f * (m[7] - m[5]); break;
        case 1: q[1] = s; q[0] = f * (m[1] + m[3]); q[2] = f * (m[5] + m[7]); q[3] = f * (m[2] - m[6]); break;
        case 2: q[2] = s; q[0] = f * (m[2] + m[6]); q[1] = f * (m[5] + m[7]); q[3] = f * (m[3] - m[1]); break;
        default: q[3] = s; q[0] = f * (m[7] - m[5]); q[1] = f * (m[2] - m[6]); q[2] = f * (m[3] - m[1]);
    }
    if (q[3] < 0.0)
        for (int i = 0; i < 4; ++i) q[i] = -q[i];
}
/* The rotation vector, at most half a turn, of a rotation. */
static inline void logarithm(double *out, const double *m) {
    double q[4];
    quaternion(q, m);
    double sine = sqrt(dot(q, q)), f = sine > 1e-9 ? 2.0 * atan2(sine, q[3]) / sine : 2.0;
    for (int i = 0; i < 3; ++i) out[i] = f * q[i];
}
/* m x = b for rows of m that are not in one plane (Cramer); 0 where they are. */
static inline int solve_three(double *x, const double *m, const double *b) {
    double row[3], sum[3] = {0.0, 0.0, 0.0}, determinant = 0.0;
    for (int i = 0; i < 3; ++i) {
        cross(row, m + 3 * ((i + 1) % 3), m + 3 * ((i + 2) % 3));
        if (i == 0) determinant = dot(m, row);
        for (int k = 0; k < 3; ++k) sum[k] += b[i] * row[k];
    }
    for (int k = 0; k < 3; ++k) x[k] = sum[k] / determinant;
    return fabs(determinant) > 0.0;
}
#endif
