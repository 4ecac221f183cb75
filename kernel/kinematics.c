/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values, rates, drifts and Jacobian of all rows: see solver/kinematics/coordinates.py,
 * and together.py for those of several axes. */
#include "algebra.h"
#include "context.h"

#define FLATTEST 1e-4 /* square of the part of a quaternion below which gradients stop growing */
#define SMALLEST_SINE 1e-2
#define NEAREST 1e-6   /* m: what is over a distance stops growing */
#define NOTHING 1e-30  /* a length below which there is no direction */

/* One joint at one moment. */
typedef struct {
    int first, last;      /* its rows */
    double local[15];     /* in the joint frame: t, t', what is left of t'', u, w_a x w_b */
    double own[9];        /* F_a^T */
    double relative[9];   /* F_a^T F_b */
    double to_other[9];   /* F_a^T R_b */
    double reach[3];      /* from the own centre of mass to the connected origin, body axes */
    const double *axes;   /* of both frames in their bodies */
    const double *anchor; /* connected one */
} joint_pose;

static void velocity_of(const omi_island *is, int body, const double *inverse, const double *rotation,
                        const double *velocity, const double *other, double *linear, double *spin) {
    if (body < is->bodies) {
        const double *v = velocity + 6 * body, *by = inverse + 6 * body;
        double own[3] = {v[3] * by[3], v[4] * by[4], v[5] * by[5]};
        for (int i = 0; i < 3; ++i) linear[i] = v[i] * by[i];
        turn(spin, rotation + 9 * body, own);
    } else {
        const double *v = other + 6 * (body - is->bodies);
        for (int i = 0; i < 3; ++i) {
            linear[i] = v[i];
            spin[i] = v[3 + i];
        }
    }
}

/* What acts about n of the joint frame, or along it at the connected origin, does to both bodies. */
static void enter(const joint_pose *at, int r, const double *n, int straight, omi_rows *rows) {
    double *entry = rows->entry + 12 * r, *along = rows->along + 3 * r, here[3], there[3];
    turn(here, at->axes, n);
    turn_back(there, at->to_other, n);
    turn_back(along, at->own, n);
    for (int i = 0; i < 3; ++i) {
        entry[i] = straight ? -along[i] : 0.0;
        entry[6 + i] = straight ? along[i] : 0.0;
        entry[3 + i] = -here[i];
        entry[9 + i] = there[i];
    }
    if (!straight) return;
    cross(entry + 3, here, at->reach); /* -(reach x axis) */
    cross(entry + 9, at->anchor, there);
}

static void distance_rows(const omi_island *is, const joint_pose *at, omi_rows *rows) {
    for (int r = at->first; r < at->last; ++r) {
        int k = is->coordinate[r];
        if (k >= 3) continue;
        double *entry = rows->entry + 12 * r, *along = rows->along + 3 * r;
        const double *axes = at->axes, axis[3] = {axes[k], axes[3 + k], axes[6 + k]};
        rows->value[r] = at->local[k] - is->hold[r];
        rows->rate[r] = at->local[3 + k];
        rows->drift[r] = at->local[6 + k];
        for (int i = 0; i < 3; ++i) {
            along[i] = at->own[3 * k + i];
            entry[i] = -along[i];
            entry[6 + i] = along[i];
        }
        cross(entry + 3, axis, at->reach); /* -(reach x axis) */
        cross(entry + 9, at->anchor, at->to_other + 3 * k);
    }
}

static void rotation_rows(const omi_island *is, const joint_pose *at, const double *q,
                          const omi_state *before, omi_rows *rows) {
    const double *u = at->local + 9, *twisting = at->local + 12;
    double v1[3], v2[3], vu[3], vt[3];
    double s = q[3], quarter = 0.25 * dot(u, u);
    cross(vu, q, u);
    cross(vt, q, twisting);
    for (int i = 0; i < 3; ++i) {
        v1[i] = 0.5 * (s * u[i] - vu[i]);
        v2[i] = -0.5 * (s * twisting[i] - vt[i]) - quarter * q[i];
    }
    double s1 = -0.5 * dot(q, u), s2 = 0.5 * dot(q, twisting) - quarter * s;
    for (int r = at->first; r < at->last; ++r) {
        int k = is->coordinate[r] - 3;
        if (k < 0 || k >= 3) continue;
        double c = 2.0, e = 0.0, slope[3];
        int side = is->kind[r] == OMI_FREE && before->excess[r] == 0.0 ? before->side[r] : 0;
        if (is->kind[r] == OMI_FREE && !side) {
            double inverse = 1.0 / fmax(q[k] * q[k] + s * s, FLATTEST);
            c = 2.0 * s * inverse;
            e = 2.0 * q[k] * inverse;
            double value = 2.0 * atan2(q[k], s);
            rows->value[r] = value + TURN * rint((before->value[r] - value) / TURN);
            rows->stretch[r] = 1.0;
            rows->rate[r] = c * v1[k] - e * s1;
            rows->drift[r] = c * v2[k] - e * s2 -
                             2.0 * rows->rate[r] * (q[k] * v1[k] + s * s1) * inverse;
        } else {
            double held = side > 0 ? is->high[r] : side ? is->low[r] : is->hold[r];
            if (held != 0.0) c = 2.0 * cos(0.5 * held), e = 2.0 * sin(0.5 * held);
            double part = 0.5 * (c * s + e * q[k]);
            if (side && part < 0.0) c = -c, e = -e;
            rows->stretch[r] = side ? 1.0 / fmax(fabs(part), sqrt(FLATTEST)) : 1.0;
            double x = c * q[k] - e * s, x1 = c * v1[k] - e * s1, x2 = c * v2[k] - e * s2;
            if (is->kind[r] == OMI_HELD) {
                double square = fmax(1.0 - 0.25 * x * x, FLATTEST), root = 1.0 / sqrt(square);
                rows->value[r] = is->hold[r] + 2.0 * atan2(0.5 * x, sqrt(fmax(1.0 - 0.25 * x * x, 0.0)));
                rows->rate[r] = x1 * root;
                rows->drift[r] = (x2 + 0.25 * x * x1 * x1 / square) * root;
                c *= root;
                e *= root;
            } else {
                rows->value[r] = side ? held + x : x;
                rows->rate[r] = x1;
                rows->drift[r] = x2;
            }
        }
        /* c N_k + e v / 2, N = (s - [v]) / 2 */
        int i = (k + 1) % 3, j = (k + 2) % 3;
        slope[k] = 0.5 * (c * s + e * q[k]);
        slope[i] = 0.5 * (c * q[j] + e * q[i]);
        slope[j] = 0.5 * (-c * q[i] + e * q[j]);
        enter(at, r, slope, 0, rows);
    }
}

/* Where it is, n, and 1 / d, cot a or cot(a / 2) / 2, of several axes together. */
static double direction(int coordinate, const double *gap, const double *q, double *n, double *bend) {
    if (coordinate <= OMI_POINT || coordinate == OMI_WHOLE) {
        const double *from = coordinate <= OMI_POINT ? gap : q;
        double square = 0.0, side = from == q && q[3] < 0.0 ? -1.0 : 1.0;
        for (int i = 0; i < 3; ++i) {
            n[i] = i == coordinate - OMI_LINE ? 0.0 : side * from[i];
            square += n[i] * n[i];
        }
        double size = sqrt(square);
        for (int i = 0; i < 3; ++i)
            n[i] = size > NOTHING ? n[i] / size : i == (coordinate == OMI_LINE);
        *bend = from == gap ? 1.0 / fmax(size, NEAREST) : 0.5 * fabs(q[3]) / fmax(size, SMALLEST_SINE);
        return from == gap ? size : 2.0 * atan2(size, fabs(q[3]));
    }
    int k = coordinate - OMI_CONE, i = (k + 1) % 3, j = (k + 2) % 3;
    double p = sqrt(q[i] * q[i] + q[j] * q[j]), r = sqrt(q[k] * q[k] + q[3] * q[3]);
    double a = p > NOTHING ? q[i] / p : 1.0, b = p > NOTHING ? q[j] / p : 0.0;
    double c = r > NOTHING ? q[3] / r : 1.0, e = r > NOTHING ? q[k] / r : 0.0;
    n[i] = c * a - e * b;
    n[j] = c * b + e * a;
    n[k] = 0.0;
    *bend = (r - p) * (r + p) / fmax(2.0 * p * r, SMALLEST_SINE);
    return 2.0 * atan2(p, r);
}

static void rows_together(const omi_island *is, const joint_pose *at, const double *q, omi_rows *rows) {
    const double *speed = at->local + 3, *u = at->local + 9, *twisting = at->local + 12;
    double n[3], bend;
    for (int r = at->first; r < at->last; ++r) {
        int coordinate = is->coordinate[r], straight = coordinate <= OMI_POINT;
        if (coordinate < OMI_LINE) continue;
        rows->value[r] = direction(coordinate, at->local, q, n, &bend) - is->hold[r];
        double rate = rows->rate[r] = dot(n, straight ? speed : u), square = -rate * rate;
        if (coordinate >= OMI_CONE && coordinate < OMI_WHOLE) {
            int k = coordinate - OMI_CONE, i = (k + 1) % 3, j = (k + 2) % 3;
            double m = n[j] * u[i] - n[i] * u[j];
            rows->drift[r] = m * (m * bend - u[k]) - dot(n, twisting);
        } else {
            for (int i = 0; i < 3; ++i) {
                double part = !straight ? u[i] : i == coordinate - OMI_LINE ? 0.0 : speed[i];
                square += part * part;
            }
            rows->drift[r] = square * bend - dot(n, twisting);
            if (straight) rows->drift[r] = square * bend + dot(n, at->local + 6);
        }
        enter(at, r, n, straight, rows);
    }
}

static void joint_rows(omi_context *c, int joint, const double *position, const double *rotation,
                       const double *velocity) {
    const omi_island *is = c->is;
    omi_rows *rows = &c->rows;
    int a = is->ends[2 * joint], b = is->ends[2 * joint + 1];
    const double *turn_a = rotation + 9 * a, *turn_b = rotation + 9 * b;
    const double *anchor = is->anchors + 6 * joint;
    double va[3], vb[3], wa[3], wb[3], ra[3], rb[3], sa[3], sb[3], pa[3], pb[3];
    double world[15], frame_a[9], about[3], both[3], turned[3];
    joint_pose at;
    at.first = is->row_start[joint];
    at.last = is->row_start[joint + 1];
    at.axes = is->axes + 18 * joint;
    at.anchor = anchor + 3;
    velocity_of(is, a, rows->inverse, rotation, velocity, c->other, va, wa);
    velocity_of(is, b, rows->inverse, rotation, velocity, c->other, vb, wb);
    turn(ra, turn_a, anchor);
    turn(rb, turn_b, anchor + 3);
    cross(sa, wa, ra);
    cross(sb, wb, rb);
    cross(pa, wa, sa);
    cross(pb, wb, sb);
    for (int i = 0; i < 3; ++i) {
        world[i] = position[3 * b + i] + rb[i] - position[3 * a + i] - ra[i];
        world[3 + i] = vb[i] + sb[i] - va[i] - sa[i];
        world[9 + i] = wb[i] - wa[i];
        rows->gap[3 * joint + i] = world[i];
    }
    cross(about, wa, world);
    for (int i = 0; i < 3; ++i) {
        both[i] = 2.0 * world[3 + i] - about[i];
        world[3 + i] -= about[i];
    }
    cross(turned, wa, both);
    for (int i = 0; i < 3; ++i) world[6 + i] = pb[i] - pa[i] - turned[i];
    cross(world + 12, wa, wb);
    product(frame_a, turn_a, at.axes);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) at.own[3 * i + j] = frame_a[3 * j + i];
    for (int k = 0; k < 5; ++k) turn(at.local + 3 * k, at.own, world + 3 * k);
    product(at.to_other, at.own, turn_b);
    turn_back(at.reach, turn_a, world);
    for (int i = 0; i < 3; ++i) {
        at.reach[i] += anchor[i];
        rows->spin[3 * joint + i] = at.local[9 + i];
    }
    distance_rows(is, &at, rows);
    if (at.last > at.first && is->coordinate[at.last - 1] >= 3) {
        double *q = rows->half + 4 * joint;
        const double *before = c->st->half + 4 * joint;
        product(at.relative, at.to_other, at.axes + 9);
        quaternion(q, at.relative);
        if (dot(q, before) + q[3] * before[3] < 0.0)
            for (int i = 0; i < 4; ++i) q[i] = -q[i];
        rotation_rows(is, &at, q, c->st, rows);
        if (is->coordinate[at.last - 1] >= OMI_LINE) rows_together(is, &at, q, rows);
    }
    for (int side = 0; side < 2; ++side) {
        int body = side ? b : a;
        static const double none[6] = {0.0};
        const double *by = body < is->bodies ? rows->inverse + 6 * body : none;
        for (int r = at.first; r < at.last; ++r)
            for (int i = 0; i < 6; ++i) rows->entry[12 * r + 6 * side + i] *= by[i];
    }
}

void omi_look(omi_context *c, const double *x, const double *rot, const double *v) {
    for (int joint = 0; joint < c->is->joints; ++joint) joint_rows(c, joint, x, rot, v);
}
