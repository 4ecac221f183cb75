/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values, rates, drifts and Jacobian of all rows: see solver/kinematics/coordinates.py. */
#include "kinematics.h"

#include "algebra.h"

static void velocity_of(const omi_island *is, int body, const double *rotation,
                        const double *velocity, const double *other, double *linear, double *spin) {
    if (body < is->bodies) {
        const double *v = velocity + 6 * body, *root = is->roots + 6 * body;
        double own[3];
        for (int i = 0; i < 3; ++i) {
            linear[i] = v[i] / root[i];
            own[i] = v[3 + i] / root[3 + i];
        }
        turn(spin, rotation + 9 * body, own);
    } else {
        const double *v = other + 6 * (body - is->bodies);
        for (int i = 0; i < 3; ++i) {
            linear[i] = v[i];
            spin[i] = v[3 + i];
        }
    }
}

static void distance_rows(const omi_island *is, int joint, int first, int last, const double *local,
                          const double *own, const double *reach, const double *to_other,
                          const double *other_anchor, omi_rows *rows) {
    /* local: gap, d', pull, w_a, u, w_a x w_b in the joint frame; t'' as in the reference. */
    const double *gap = local, *speed = local + 3, *pull = local + 6, *w = local + 9;
    double about[3], both[3], turned[3];
    cross(about, w, gap);
    for (int i = 0; i < 3; ++i) both[i] = 2.0 * speed[i] - about[i];
    cross(turned, w, both);
    const double *axes = is->axes + 18 * joint;
    for (int r = first; r < last; ++r) {
        int k = is->coordinate[r];
        if (k >= 3) continue;
        double *entry = rows->entry + 12 * r, axis[3] = {axes[k], axes[3 + k], axes[6 + k]};
        const double *there = to_other + 3 * k;
        rows->value[r] = gap[k];
        rows->rate[r] = speed[k] - about[k];
        rows->drift[r] = pull[k] - turned[k];
        for (int i = 0; i < 3; ++i) {
            entry[i] = -own[3 * k + i];
            entry[6 + i] = own[3 * k + i];
        }
        cross(entry + 3, axis, reach);          /* -(reach x axis) */
        cross(entry + 9, other_anchor, there);
    }
}

static void rotation_rows(const omi_island *is, int joint, int first, int last, const double *local,
                          const double *relative, const double *to_other, omi_rows *rows) {
    const double *u = local + 12, *twisting = local + 15, *axes = is->axes + 18 * joint;
    double q[4], v1[3], v2[3], vu[3], vt[3];
    quaternion(q, relative);
    double s = q[3], quarter = 0.25 * dot(u, u);
    cross(vu, q, u);
    cross(vt, q, twisting);
    for (int i = 0; i < 3; ++i) {
        v1[i] = 0.5 * (s * u[i] - vu[i]);
        v2[i] = -0.5 * (s * twisting[i] - vt[i]) - quarter * q[i];
    }
    double s1 = -0.5 * dot(q, u), s2 = 0.5 * dot(q, twisting) - quarter * s;
    for (int r = first; r < last; ++r) {
        int k = is->coordinate[r] - 3;
        if (k < 0) continue;
        double *entry = rows->entry + 12 * r, c, e, slope[3];
        double square = q[k] * q[k] + s * s, inverse = 1.0 / fmax(square, 1e-30);
        if (is->locked[r]) {
            c = 2.0 * cos(0.5 * is->lock_angle[r]);
            e = 2.0 * sin(0.5 * is->lock_angle[r]);
            rows->value[r] = c * q[k] - e * s;
        } else {
            c = 2.0 * s * inverse;
            e = 2.0 * q[k] * inverse;
            rows->value[r] = 2.0 * atan2(q[k], s);
        }
        rows->rate[r] = c * v1[k] - e * s1;
        rows->drift[r] = c * v2[k] - e * s2;
        if (!is->locked[r]) rows->drift[r] -= 2.0 * rows->rate[r] * (q[k] * v1[k] + s * s1) * inverse;
        /* c N_k + e v / 2, N = (s - [v]) / 2 */
        int i = (k + 1) % 3, j = (k + 2) % 3;
        slope[k] = 0.5 * (c * s + e * q[k]);
        slope[i] = 0.5 * (c * q[j] + e * q[i]);
        slope[j] = 0.5 * (-c * q[i] + e * q[j]);
        double here[3], there[3];
        turn(here, axes, slope);
        turn_back(there, to_other, slope);
        for (i = 0; i < 3; ++i) {
            entry[i] = entry[6 + i] = 0.0;
            entry[3 + i] = -here[i];
            entry[9 + i] = there[i];
        }
    }
}

void omi_evaluate(const omi_island *is, const double *position, const double *rotation,
                  const double *velocity, const double *other, omi_rows *rows) {
    for (int joint = 0; joint < is->joints; ++joint) {
        int a = is->ends[2 * joint], b = is->ends[2 * joint + 1];
        int first = is->row_start[joint], last = is->row_start[joint + 1];
        const double *turn_a = rotation + 9 * a, *turn_b = rotation + 9 * b;
        const double *anchor = is->anchors + 6 * joint, *axes = is->axes + 18 * joint;
        double va[3], vb[3], wa[3], wb[3], ra[3], rb[3], sa[3], sb[3], pa[3], pb[3];
        velocity_of(is, a, rotation, velocity, other, va, wa);
        velocity_of(is, b, rotation, velocity, other, vb, wb);
        turn(ra, turn_a, anchor);
        turn(rb, turn_b, anchor + 3);
        cross(sa, wa, ra);
        cross(sb, wb, rb);
        cross(pa, wa, sa);
        cross(pb, wb, sb);
        double world[18], local[18], frame_a[9], frame_b[9], own[9], relative[9], to_other[9];
        for (int i = 0; i < 3; ++i) {
            world[i] = position[3 * b + i] + rb[i] - position[3 * a + i] - ra[i];
            world[3 + i] = vb[i] + sb[i] - va[i] - sa[i];
            world[6 + i] = pb[i] - pa[i];
            world[9 + i] = wa[i];
            world[12 + i] = wb[i] - wa[i];
        }
        cross(world + 15, wa, wb);
        product(frame_a, turn_a, axes);
        product(frame_b, turn_b, axes + 9);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) own[3 * i + j] = frame_a[3 * j + i];
        for (int k = 0; k < 6; ++k) turn(local + 3 * k, own, world + 3 * k);
        product(relative, own, frame_b);
        product(to_other, own, turn_b);
        double reach[3];
        turn_back(reach, turn_a, world);
        for (int i = 0; i < 3; ++i) reach[i] += anchor[i];
        distance_rows(is, joint, first, last, local, own, reach, to_other, anchor + 3, rows);
        rotation_rows(is, joint, first, last, local, relative, to_other, rows);
        for (int side = 0; side < 2; ++side) {
            int body = side ? b : a;
            for (int r = first; r < last; ++r)
                for (int i = 0; i < 6; ++i) {
                    double *entry = rows->entry + 12 * r + 6 * side + i;
                    *entry = body < is->bodies ? *entry / is->roots[6 * body + i] : 0.0;
                }
        }
    }
}
