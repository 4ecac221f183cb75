/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When two shapes that move come near to each other: conservative advancement (Mirtich 1996).
 *
 * At a moment the shapes are apart by s along n. With v, w constant, a point of a body at r from its
 * centre of mass has no more speed along n than v . n + |w x n| |r|, as r only turns about w. So for
 * (s - within) over the sum of both these speeds nothing comes within; then one looks again. Each look
 * is at a true distance, so no moment is passed, however fast it turns.
 */
#include "convex.h"

/* Looks, at most: it comes nearer by more than half each time, unless it grazes. */
#define LOOKS 100
/* Of the distance that is asked for, and of the size: as near. */
#define NEARLY 0.01
#define SIZED 1e-6

/* A pose after some time. */
static void move(const double *pose, const double *motion, double time, double *out) {
    double by[3], turned[9], arm[3];
    for (int i = 0; i < 3; ++i) by[i] = motion[6 + i] * time, arm[i] = pose[i] - motion[i];
    exponential(turned, by);
    turn(out, turned, arm);
    for (int i = 0; i < 3; ++i) out[i] += motion[i] + motion[3 + i] * time;
    product(out + 3, turned, pose + 3);
}

/* How fast no point of a shape turns along n faster. */
static double turning(const omi_shape *shape, const double *pose, const double *motion, const double *n) {
    double arm[3], across[3];
    for (int i = 0; i < 3; ++i) arm[i] = pose[i] - motion[i];
    cross(across, motion + 6, n);
    return sqrt(dot(across, across)) * (sqrt(dot(arm, arm)) + shape->reach);
}

double omi_meet(const omi_shape *a, const double *pose_a, const double *motion_a, const omi_shape *b,
                const double *pose_b, const double *motion_b, double dt, double within, double *normal,
                double *work) {
    double time = 0.0, at_a[12], at_b[12], near = NEARLY * within + SIZED * (a->reach + b->reach);
    omi_pair pair;
    omi_nearest nearest;
    for (int i = 0; i < LOOKS && time <= dt; ++i) {
        move(pose_a, motion_a, time, at_a);
        move(pose_b, motion_b, time, at_b);
        omi_place(a, at_a, b, at_b, &pair);
        omi_find_nearest(&pair, INFINITY, &nearest, work);
        for (int k = 0; k < 3; ++k) normal[k] = nearest.n[k];
        if (!(nearest.gap > within + near)) return time;
        double speed = dot(motion_a + 3, normal) - dot(motion_b + 3, normal) +
                       turning(a, pose_a, motion_a, normal) + turning(b, pose_b, motion_b, normal);
        if (!(speed * (dt - time) > nearest.gap - within)) return INFINITY;
        time += (nearest.gap - within) / speed;
    }
    return time;
}
