/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One step of Gauss collocation with three points, order six: see solver/integrator/collocation.py. */
#include "algebra.h"
#include "context.h"

#define S OMI_STAGES
#define ROOT15 3.872983346207417
static const double C[S] = {0.5 - ROOT15 / 10, 0.5, 0.5 + ROOT15 / 10};
static const double A[S][S] = {{5.0 / 36, 2.0 / 9 - ROOT15 / 15, 5.0 / 36 - ROOT15 / 30},
                               {5.0 / 36 + ROOT15 / 24, 2.0 / 9, 5.0 / 36 - ROOT15 / 24},
                               {5.0 / 36 + ROOT15 / 30, 2.0 / 9 + ROOT15 / 15, 5.0 / 36}};
static const double B[S] = {5.0 / 18, 4.0 / 9, 5.0 / 18};

#define SWEEPS 14
#define EARLY 2       /* sweeps before errors tell how fast they settle */
#define LEFT 0.2      /* of the tolerance: what sweeps may leave; what a sweep leaves, at first */
#define LEAST 1e-3    /* of the tolerance: how a sweep follows on less tells nothing */
#define LAST 20.0     /* times what may be left: with so much before it a sweep may be the last */
#define QUICK 0.135   /* e^-2 */
#define HOPELESS 0.7  /* of the error before that is left */
#define SETTLED 1e-5  /* m or rad: what may be left at all */
#define FAR 1e-3      /* m or rad: an end that is further off its rows is none */
#define NEAR 1e-3     /* of the tolerance, if that is fine: by which trees may be off their rows */
#define BEND 1e-2     /* m or rad that accelerations may be off a straight line, as a way */

/* Accelerations of the stages, from those of the step before or from the start alone. */
static void predict(omi_context *c) {
    const omi_island *is = c->is;
    const omi_state *st = c->st;
    int n = 6 * is->bodies, all = is->bodies + is->others;
    if (st->span[0] > 0.0) {
        for (int i = 0; i < S; ++i) {
            double p[S], unused[S];
            omi_lagrange(C, S, 1.0 + C[i] * c->h / st->span[0], p, unused);
            for (int k = 0; k < n; ++k)
                c->a[i * n + k] =
                    p[0] * st->guess[k] + p[1] * st->guess[n + k] + p[2] * st->guess[2 * n + k];
        }
    } else {
        omi_copy(c->x, st->position, 3 * all);
        omi_copy(c->rot, st->rotation, 9 * all);
        omi_copy(c->vel, st->velocity, n);
        omi_hold_at(c, 0.0);
        omi_look(c, c->x, c->rot, c->vel);
        omi_accelerate(c, 0, 0);
        for (int i = 0; i < S; ++i) omi_copy(c->a + i * n, c->acc, n);
    }
    for (int i = 0; i < S; ++i)
        for (int b = 0; b < is->bodies; ++b)
            for (int k = 0; k < 3; ++k)
                c->theta[3 * (i * is->bodies + b) + k] =
                    c->h * C[i] * st->velocity[6 * b + 3 + k] * c->rows.inverse[6 * b + 3 + k];
}

/* How fast the rotation vector of a body changes at a stage. */
static void stage_rate(const omi_context *c, int i, int b, double *out) {
    const double *v = c->stage_v + 6 * (i * c->is->bodies + b) + 3, *by = c->rows.inverse + 6 * b + 3;
    const double w[3] = {v[0] * by[0], v[1] * by[1], v[2] * by[2]};
    rate_of_vector(out, c->theta + 3 * (i * c->is->bodies + b), w);
}

/* Velocities of the stages, and their rotation vectors from the start (Munthe-Kaas 1999). */
static void stage_velocities(omi_context *c) {
    const omi_island *is = c->is;
    int n = 6 * is->bodies;
    double h = c->h;
    for (int i = 0; i < S; ++i)
        for (int k = 0; k < n; ++k)
            c->stage_v[i * n + k] =
                c->st->velocity[k] +
                h * (A[i][0] * c->a[k] + A[i][1] * c->a[n + k] + A[i][2] * c->a[2 * n + k]);
    for (int again = 0; again < 2; ++again)
        for (int b = 0; b < is->bodies; ++b) {
            double rate[S][3];
            for (int i = 0; i < S; ++i) stage_rate(c, i, b, rate[i]);
            for (int i = 0; i < S; ++i)
                for (int k = 0; k < 3; ++k)
                    c->theta[3 * (i * is->bodies + b) + k] =
                        h * (A[i][0] * rate[0][k] + A[i][1] * rate[1][k] + A[i][2] * rate[2][k]);
        }
}

/* Positions from the start of the step after some time, by the weights of accelerations. */
static void move(const omi_context *c, double time, const double *by, double *x) {
    const omi_island *is = c->is;
    int n = 6 * is->bodies;
    double twice[S];
    for (int j = 0; j < S; ++j)
        twice[j] = c->h * c->h * (by[0] * A[0][j] + by[1] * A[1][j] + by[2] * A[2][j]);
    for (int b = 0; b < is->bodies; ++b)
        for (int k = 0; k < 3; ++k) {
            double way = time * c->st->velocity[6 * b + k];
            for (int j = 0; j < S; ++j) way += twice[j] * c->a[j * n + 6 * b + k];
            x[3 * b + k] = c->st->position[3 * b + k] + way * c->rows.inverse[6 * b + k];
        }
}

static void stage_pose(omi_context *c, int i) {
    const omi_island *is = c->is;
    const omi_state *st = c->st;
    move(c, c->h * C[i], A[i], c->x);
    for (int b = 0; b < is->bodies; ++b) {
        double step[9];
        exponential(step, c->theta + 3 * (i * is->bodies + b));
        product(c->rot + 9 * b, st->rotation + 9 * b, step);
    }
    omi_carry(c, st->position, st->rotation, c->x, c->rot, c->h * C[i]);
    omi_copy(c->vel, c->stage_v + 6 * i * is->bodies, 6 * is->bodies);
}

/* One sweep: new accelerations at all stages; forces of joints, if it tells. In trees later sweeps
 * go on with the factors of the first. Returns by how much they move bodies, m or rad. */
static double sweep(omi_context *c, int is_first, int tells) {
    const omi_island *is = c->is;
    int n = 6 * is->bodies, rows = is->rows;
    double off = 0.0;
    stage_velocities(c);
    for (int i = 0; i < 6 * is->joints; ++i) c->wrench[i] = 0.0;
    for (int i = 0; i < S; ++i) {
        stage_pose(c, i);
        omi_hold_at(c, c->h * C[i]);
        omi_look(c, c->x, c->rot, c->vel);
        if (is->closed) omi_fit(c, c->x, c->rot, c->vel, 1, 1, 0);
        if (!is->closed) {
            c->factor.pivot = c->pivots + 36 * i * is->nodes;
            c->factor.block = c->blocks + 36 * i * is->blocks;
        }
        omi_accelerate(c, c->stage_multiplier + i * rows, !is->closed && !is_first);
        omi_copy(c->new_a + i * n, c->acc, n);
        omi_copy(c->stage_value + i * rows, c->rows.value, rows);
        omi_copy(c->stage_rate + i * rows, c->rows.rate, rows);
        omi_copy(c->stage_lambda + i * rows, c->lambda, rows);
        if (!tells) continue;
        omi_joint_loads(c);
        omi_wrench(c, c->h * B[i], 1, c->wrench);
    }
    for (int i = 0; i < S; ++i)
        for (int k = 0; k < n; ++k) {
            double d = fabs(c->new_a[i * n + k] - c->a[i * n + k]) * c->rows.inverse[k];
            off = d > off || d != d ? d : off;
        }
    omi_copy(c->a, c->new_a, S * n);
    return off * c->h * c->h;
}

/* Pose and velocity at the end of the step, before they are brought onto the rows. */
static void arrive(omi_context *c) {
    const omi_island *is = c->is;
    omi_state *st = c->st;
    int n = 6 * is->bodies;
    double h = c->h;
    move(c, h, B, st->position);
    for (int b = 0; b < is->bodies; ++b) {
        double sum[3] = {0, 0, 0}, rate[3], step[9], out[9];
        for (int i = 0; i < S; ++i) {
            stage_rate(c, i, b, rate);
            for (int k = 0; k < 3; ++k) sum[k] += h * B[i] * rate[k];
        }
        exponential(step, sum);
        product(out, st->rotation + 9 * b, step);
        orthonormalize(out);
        omi_copy(st->rotation + 9 * b, out, 9);
    }
    omi_carry(c, st->position, st->rotation, st->position, st->rotation, h);
    for (int k = 0; k < n; ++k)
        st->velocity[k] += h * (B[0] * c->a[k] + B[1] * c->a[n + k] + B[2] * c->a[2 * n + k]);
    omi_copy(st->guess, c->a, S * n);
    st->span[0] = h;
}

/* How far the accelerations of the stages are off a straight line, as a way, m or rad. */
static double bend(const omi_context *c) {
    const omi_island *is = c->is;
    int n = 6 * is->bodies;
    double worst = 0.0;
    for (int b = 0; b < is->bodies; ++b)
        for (int k = 0; k < 6; ++k) {
            int at = 6 * b + k;
            double d = fabs(c->a[at] - 2 * c->a[n + at] + c->a[2 * n + at]) * c->rows.inverse[at];
            worst = fmax(worst, k < 3 ? d / c->size : d);
        }
    return worst * c->h * c->h;
}

/* Pose and velocity of the end onto the rows, if they are not near enough; 0 if they are far. */
static int settle(omi_context *c, double enough) {
    omi_state *st = c->st;
    omi_look(c, st->position, st->rotation, st->velocity);
    c->is_factored = 0;
    double off = omi_residual(c);
    if (!(off < FAR * fmax(c->size, 1.0))) return 0;
    if (off > enough)
        omi_fit(c, st->position, st->rotation, st->velocity, PROJECTIONS, 4, c->rounds);
    if (omi_slip(c) > enough) omi_fit_velocity(c, st->velocity);
    return 1;
}

int omi_collocate(omi_context *c, double h, double tolerance, double *ratio) {
    const omi_island *is = c->is;
    omi_state *st = c->st;
    double off = INFINITY, before, part = LEFT, eased = 10.0;
    int went = 0, told = 0;
    c->h = h;
    *ratio = 0.5;
    omi_hold(c, st->side);
    predict(c);
    while (went++ < SWEEPS && !(part * off < LEFT * tolerance && told)) {
        before = off;
        /* Least norms in loops cost a factor: they are sought in what may be the last sweep. */
        told = !is->closed || part * part * before < LAST * LEFT * tolerance || went == SWEEPS;
        off = sweep(c, went == 1, told);
        if (!(off < 1e3)) return 0;
        if (went > 1) part = fmin(off / fmax(before, LEAST * tolerance), 1.0);
        /* By how much longer a step should be for sweeps to settle with the least work: where each
         * takes the error to the part e^-2, for that goes with the square of the step. */
        if (went > EARLY) eased = sqrt(QUICK / fmax(part, 1e-3));
        /* It would not come to an end: better to begin again, shorter. */
        if (went > EARLY + 1 && part > HOPELESS && off > SETTLED) {
            *ratio = fmin(0.5, eased);
            return 0;
        }
    }
    if (!(part * off < fmax(SETTLED, tolerance))) return 0;
    double bent = bend(c), most = BEND * sqrt(tolerance / 1e-6);
    *ratio = fmin(eased, sqrt(sqrt(most / fmax(bent, 1e-3 * most))));
    if (bent > most) return 0;
    arrive(c);
    omi_hold_at(c, h);
    /* Small islands are held to their own size, as they are where steps are judged. */
    double near = NEAR * fmin(tolerance, SETTLED) * fmin(c->size, 1.0);
    if (!settle(c, is->closed ? HOLDS : near)) {
        *ratio = 0.5;
        return 0;
    }
    omi_copy(c->end_value, c->rows.value, is->rows);
    omi_copy(c->end_rate, c->rows.rate, is->rows);
    return 1;
}
