/* SPDX-License-Identifier: MIT */
/* Rows evaluated at a pose and velocities: values, rates, drifts, Jacobian.
 *
 * Derived in solver/kinematics/coordinates.py, those of several axes in together.py; this follows
 * them joint by joint. Names: a is the joint's own body and b the connected one, F_a and F_b their
 * frames, d the way between the origins in the world, t = F_a^T d, q = (v, s) the relative rotation
 * and u the relative spin, all in F_a; r_a and r_b the ways from the centres of mass to the frames'
 * origins, w_a and w_b the spins, in the world. A row with the direction n has
 *
 *     y' = n . t',    drift = n . F_a^T (w_b x (w_b x r_b) - w_a x (w_a x r_a)
 *                                        - w_a x (2 d' - w_a x d))             distances
 *     y' = n . u,     drift from q' = u o q / 2 and                            rotations
 *                     q'' = u' o q / 2 - |u|^2 q / 4, u' = -w_a x w_b where no body accelerates
 *
 * and entries along n, or about it, over the roots of mass and inertia.
 */
#include "context.h"

/* Square of the part of a quaternion below which gradients stop growing: within a degree of half a
 * turn about an axis across, where there is no twist. */
#define FLATTEST 1e-4
/* The next three keep finite what is divided by next to nothing, where a direction is all but lost:
 * mechanisms pass there and do not stay. Of cot a, and of cot(a / 2) for
 * several axes together. */
#define SMALLEST_SINE 1e-2
/* m, of what is over a distance. */
#define NEAREST 1e-6
/* m or 1: a length below which there is no direction. */
#define NOTHING 1e-30

/* One joint at one moment. */
typedef struct {
    int first, last;      /* its rows */
    int is_still;         /* whether values are all that is asked for */
    double local[15];     /* in F_a: t, t', drift of t, u, w_a x w_b */
    double own[9];        /* F_a^T */
    double to_other[9];   /* F_a^T R_b */
    double lever[3];      /* from the own centre of mass to the connected origin, body axes */
    const double *axes;   /* of both frames in their bodies */
    const double *anchor; /* connected one */
    const double *q;      /* x y z w, nearer to that before than -q */
    double q1[4], q2[4];  /* q', and q'' where no body accelerates */
} joint_pose;

/* One end of it, world axes: velocity v and spin w of the body, way r to its frame, w x r, w x (w x r). */
typedef struct {
    double v[6], arm[3], once[3], twice[3];
} joint_end;

/* m/s and rad/s of a body, world axes. */
void omi_find_velocity(const omi_context *c, int body, const double *rotation, const double *velocity, double *out) {
    int others = body - c->is->bodies;
    double own[6];
    for (int i = 0; i < 6; ++i)
        own[i] = others < 0 ? velocity[6 * body + i] * c->rows.inverse[6 * body + i] : c->other[6 * others + i];
    omi_copy(out, own, 6);
    if (others < 0) turn(out + 3, rotation + 9 * body, own + 3);
}

static void find_end(const omi_context *c, int body, const double *anchor, const double *rotation,
                     const double *velocity, joint_end *out) {
    turn(out->arm, rotation + 9 * body, anchor);
    if (!velocity) return;
    omi_find_velocity(c, body, rotation, velocity, out->v);
    cross(out->once, out->v + 3, out->arm);
    cross(out->twice, out->v + 3, out->once);
}

/* Entries of a row along a direction at the connected origin: in the world (rows->along), in both bodies (here, there).
 * Not scaled yet. */
static void set_straight(const joint_pose *at, int r, const double *here, const double *there, omi_rows *rows) {
    double *entry = rows->entry + 12 * r, *along = rows->along + 3 * r;
    for (int i = 0; i < 3; ++i) entry[i] = -along[i], entry[6 + i] = along[i];
    cross(entry + 3, here, at->lever); /* -(lever x axis) */
    cross(entry + 9, at->anchor, there);
}

/* The same of one along n of the joint frame, or about it. */
static void set_entry(const joint_pose *at, int r, const double *n, int straight, omi_rows *rows) {
    double *entry = rows->entry + 12 * r, here[3], there[3];
    turn(here, at->axes, n);
    turn_back(there, at->to_other, n);
    turn_back(rows->along + 3 * r, at->own, n);
    if (straight) set_straight(at, r, here, there, rows);
    for (int i = 0; i < 3 && !straight; ++i) {
        entry[i] = entry[6 + i] = 0.0;
        entry[3 + i] = -here[i];
        entry[9 + i] = there[i];
    }
}

static void distance_rows(const omi_island *is, const joint_pose *at, omi_rows *rows) {
    for (int r = at->first; r < at->last; ++r) {
        int k = is->coordinate[r];
        if (k >= 3) continue;
        const double *axes = at->axes, axis[3] = {axes[k], axes[3 + k], axes[6 + k]};
        rows->value[r] = at->local[k] - is->hold[r];
        if (at->is_still) continue;
        rows->rate[r] = at->local[3 + k];
        rows->drift[r] = at->local[6 + k];
        omi_copy(rows->along + 3 * r, at->own + 3 * k, 3);
        set_straight(at, r, axis, at->to_other + 3 * k, rows);
    }
}

static inline void find_rates(joint_pose *at) {
    const double *q = at->q, *u = at->local + 9, *twisting = at->local + 12;
    double vu[3], vt[3], s = q[3], quarter = 0.25 * dot(u, u);
    cross(vu, q, u);
    cross(vt, q, twisting);
    for (int i = 0; i < 3; ++i) {
        at->q1[i] = 0.5 * (s * u[i] - vu[i]);
        at->q2[i] = -0.5 * (s * twisting[i] - vt[i]) - quarter * q[i];
    }
    at->q1[3] = -0.5 * dot(q, u);
    at->q2[3] = 0.5 * dot(q, twisting) - quarter * s;
}

/* A twist 2 atan2(v_k, s), on the turn of the one before, so over all turns (of a hinge without a row of its own:
 * omi_accept in output_step.c). c, e: its gradient is c v_k' - e s'. */
static inline void twist_row(const joint_pose *at, int k, int r, double before, omi_rows *rows,
                             double *c, double *e) {
    const double *q = at->q, *q1 = at->q1, *q2 = at->q2;
    double s = q[3], inverse = 1.0 / fmax(q[k] * q[k] + s * s, FLATTEST);
    *c = 2.0 * s * inverse;
    *e = 2.0 * q[k] * inverse;
    double value = 2.0 * atan2(q[k], s);
    rows->value[r] = value + TURN * rint((before - value) / TURN);
    rows->stretch[r] = 1.0;
    if (at->is_still) return;
    rows->rate[r] = *c * q1[k] - *e * q1[3];
    rows->drift[r] = *c * q2[k] - *e * q2[3] -
                     2.0 * rows->rate[r] * (q[k] * q1[k] + s * q1[3]) * inverse;
}

/* A lock x = 2 (c v_k - e s), c + i e = exp(i held / 2); the code has both times 2. At the bound of a side it is that
 * bound and x, and where it is held softly hold + 2 asin(x / 2). With (v_k, s) = p (sin(phi / 2), cos(phi / 2))
 * x is 2 p sin((phi - held) / 2), and `part` is p cos((phi - held) / 2): its slope along phi. So at a bound the twist,
 * which springs see, goes 1 / part times as fast as the row (stretch). Where part is less than 0, q is the other one of q
 * and -q, as after a whole turn, and both signs are turned. */
static inline void lock_row(const joint_pose *at, int k, int r, double held, int side, int is_soft,
                            omi_rows *rows, double *c, double *e) {
    const double *q = at->q, *q1 = at->q1, *q2 = at->q2;
    double s = q[3];
    *c = held != 0.0 ? 2.0 * cos(0.5 * held) : 2.0;
    *e = held != 0.0 ? 2.0 * sin(0.5 * held) : 0.0;
    double part = 0.5 * (*c * s + *e * q[k]);
    if (side && part < 0.0) *c = -*c, *e = -*e;
    rows->stretch[r] = side ? 1.0 / fmax(fabs(part), sqrt(FLATTEST)) : 1.0;
    double x = *c * q[k] - *e * s;
    rows->value[r] = side ? held + x : x;
    if (is_soft) rows->value[r] = held + 2.0 * atan2(0.5 * x, sqrt(fmax(1.0 - 0.25 * x * x, 0.0)));
    if (at->is_still) return;
    double x1 = *c * q1[k] - *e * q1[3], x2 = *c * q2[k] - *e * q2[3];
    rows->rate[r] = x1;
    rows->drift[r] = x2;
    if (!is_soft) return;
    double square = fmax(1.0 - 0.25 * x * x, FLATTEST), root = 1.0 / sqrt(square);
    rows->rate[r] = x1 * root;
    rows->drift[r] = (x2 + 0.25 * x * x1 * x1 / square) * root;
    *c *= root;
    *e *= root;
}

static void rotation_rows(const omi_island *is, joint_pose *at, const omi_state *before,
                          omi_rows *rows) {
    const double *q = at->q;
    if (!at->is_still) find_rates(at);
    for (int r = at->first; r < at->last; ++r) {
        int k = is->coordinate[r] - 3;
        if (k < 0 || k >= 3) continue;
        double c, e, slope[3];
        int is_free = is->kind[r] == OMI_FREE;
        int side = is_free && before->excess[r] == 0.0 ? before->side[r] : 0;
        double held = side > 0 ? is->high[r] : side ? is->low[r] : is->hold[r];
        if (is_free && !side)
            twist_row(at, k, r, before->value[r], rows, &c, &e);
        else
            lock_row(at, k, r, held, side, is->kind[r] == OMI_HELD, rows, &c, &e);
        if (at->is_still) continue;
        /* c N_k + e v / 2, N = (s - [v]) / 2 */
        int i = (k + 1) % 3, j = (k + 2) % 3;
        slope[k] = 0.5 * (c * q[3] + e * q[k]);
        slope[i] = 0.5 * (c * q[j] + e * q[i]);
        slope[j] = 0.5 * (-c * q[i] + e * q[j]);
        set_entry(at, r, slope, 0, rows);
    }
}

/* Value, n, and the bend 1 / d, cot a or cot(a / 2) / 2, of several axes together. */
static double direction(int coordinate, const double *gap, const double *q, double *n, double *bend) {
    if (coordinate <= OMI_POINT || coordinate == OMI_WHOLE) {
        const double *from = coordinate <= OMI_POINT ? gap : q;
        double square = 0.0, side = from == q && q[3] < 0.0 ? -1.0 : 1.0;
        for (int i = 0; i < 3; ++i) n[i] = i == coordinate - OMI_LINE ? 0.0 : side * from[i], square += n[i] * n[i];
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

static void rows_together(const omi_island *is, const joint_pose *at, omi_rows *rows) {
    const double *speed = at->local + 3, *u = at->local + 9, *twisting = at->local + 12;
    double n[3], bend;
    for (int r = at->first; r < at->last; ++r) {
        int coordinate = is->coordinate[r], straight = coordinate <= OMI_POINT;
        if (coordinate < OMI_LINE) continue;
        rows->value[r] = direction(coordinate, at->local, at->q, n, &bend) - is->hold[r];
        if (at->is_still) continue;
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
            rows->drift[r] = square * bend + (straight ? dot(n, at->local + 6) : -dot(n, twisting));
        }
        set_entry(at, r, n, straight, rows);
    }
}

/* How the ends move against each other: the vectors of at->local, in world axes and then in F_a. */
static void find_motion(const joint_end *a, const joint_end *b, const double *x_a,
                               const double *x_b, double *gap, joint_pose *at) {
    double world[15], about[3], both[3], turned[3];
    for (int i = 0; i < 3; ++i) gap[i] = world[i] = x_b[i] + b->arm[i] - x_a[i] - a->arm[i];
    turn(at->local, at->own, world);
    if (at->is_still) return;
    for (int i = 0; i < 3; ++i) {
        world[3 + i] = b->v[i] + b->once[i] - a->v[i] - a->once[i];
        world[9 + i] = b->v[3 + i] - a->v[3 + i];
    }
    cross(about, a->v + 3, world);
    for (int i = 0; i < 3; ++i) both[i] = 2.0 * world[3 + i] - about[i], world[3 + i] -= about[i];
    cross(turned, a->v + 3, both);
    for (int i = 0; i < 3; ++i) world[6 + i] = b->twice[i] - a->twice[i] - turned[i];
    cross(world + 12, a->v + 3, b->v + 3);
    for (int k = 1; k < 5; ++k) turn(at->local + 3 * k, at->own, world + 3 * k);
}

/* Entries over the roots of mass and inertia; 0 for bodies that no force moves. */
static void scale_entries(const omi_island *is, const int *ends, const joint_pose *at, omi_rows *rows) {
    static const double none[6] = {0.0};
    for (int side = 0; side < 2; ++side) {
        const double *by = ends[side] < is->bodies ? rows->inverse + 6 * ends[side] : none;
        for (int r = at->first; r < at->last; ++r)
            for (int i = 0; i < 6; ++i) rows->entry[12 * r + 6 * side + i] *= by[i];
    }
}

static void joint_rows(omi_context *c, int joint, const double *position, const double *rotation,
                       const double *velocity) {
    const omi_island *is = c->is;
    omi_rows *rows = &c->rows;
    const int *ends = is->ends + 2 * joint;
    const double *rot_a = rotation + 9 * ends[0], *rot_b = rotation + 9 * ends[1];
    const double *anchor = is->anchors + 6 * joint, *before = c->st->half + 4 * joint;
    double *gap = rows->gap + 3 * joint, *q = rows->half + 4 * joint, frame_a[9], relative[9];
    joint_end a, b;
    joint_pose at;
    at.first = is->row_start[joint];
    at.last = is->row_start[joint + 1];
    at.axes = is->axes + 18 * joint;
    at.anchor = anchor + 3;
    at.q = q;
    at.is_still = !velocity;
    find_end(c, ends[0], anchor, rotation, velocity, &a);
    find_end(c, ends[1], anchor + 3, rotation, velocity, &b);
    product(frame_a, rot_a, at.axes);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) at.own[3 * i + j] = frame_a[3 * j + i];
    find_motion(&a, &b, position + 3 * ends[0], position + 3 * ends[1], gap, &at);
    product(at.to_other, at.own, rot_b);
    if (velocity) turn_back(at.lever, rot_a, gap);
    for (int i = 0; i < 3 && velocity; ++i) at.lever[i] += anchor[i], rows->spin[3 * joint + i] = at.local[9 + i];
    distance_rows(is, &at, rows);
    if (at.last > at.first && is->coordinate[at.last - 1] >= 3) {
        product(relative, at.to_other, at.axes + 9);
        quaternion(q, relative);
        if (dot(q, before) + q[3] * before[3] < 0.0)
            for (int i = 0; i < 4; ++i) q[i] = -q[i];
        rotation_rows(is, &at, c->st, rows);
        if (is->coordinate[at.last - 1] >= OMI_LINE) rows_together(is, &at, rows);
    }
    if (velocity) scale_entries(is, ends, &at, rows);
}

/* The rows at a pose of all bodies and at scaled velocities, into c->rows; without velocities their values
 * only. Quaternions and twists go on from those of the state, which says at which bounds twists press. */
void omi_evaluate(omi_context *c, const double *x, const double *rot, const double *v) {
    for (int joint = 0; joint < c->is->joints; ++joint) joint_rows(c, joint, x, rot, v);
}
