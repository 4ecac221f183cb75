/* SPDX-License-Identifier: MIT */
/* One step of Gauss collocation with three points, of order six, in maximal coordinates.
 *
 * At the stages, moments c_i of the step h, with the weights A and b of Gauss (Hairer, Lubich, Wanner
 * 2006, II.1.3):
 *
 *     V_i = V + h A_ij a_j
 *     x_i = x + h c_i v + h^2 (A A)_ij a_j                       (V and a over roots of mass)
 *     R_i = R exp(t_i),   t_i = h A_ij dexpinv(t_j) w_j          (Munthe-Kaas 1999)
 *     a_i = accelerations at (x_i, R_i, V_i)                     (dynamics.c)
 *
 * solved by fixed-point sweeps, each of which refines the a_i, from accelerations extrapolated from
 * the step before. A body that spins about a fixed axis is followed exactly, as t_i is along w.
 *
 * In trees the rows are factored in the first sweep only. Where joints close loops, the stages are
 * projected onto the rows in every sweep, poses and velocities: at dead centres, where E E^T is
 * singular, sweeps diverge otherwise. The end of the step is projected too, so joints do not come apart.
 *
 * A sweep moves bodies by a part q of what the one before it did: sweeps end where the next would
 * move them by a fifth of the tolerance. q goes with h^2 and the number n of sweeps with 1 / ln(1/q),
 * so the work per time n / h is least where d/dq of sqrt(q) ln(1/q) is 0, at q = e^-2: so long the
 * next step should be. And no longer than accelerations are near a straight line over the stages:
 * that goes with the square of h, and as a way with h^4.
 */
#include "context.h"

#define S OMI_STAGES
#define ROOT15 3.872983346207417
static const double C[S] = {0.5 - ROOT15 / 10, 0.5, 0.5 + ROOT15 / 10};
static const double A[S][S] = {{5.0 / 36, 2.0 / 9 - ROOT15 / 15, 5.0 / 36 - ROOT15 / 30},
                               {5.0 / 36 + ROOT15 / 24, 2.0 / 9, 5.0 / 36 - ROOT15 / 24},
                               {5.0 / 36 + ROOT15 / 30, 2.0 / 9 + ROOT15 / 15, 5.0 / 36}};
static const double B[S] = {5.0 / 18, 4.0 / 9, 5.0 / 18};

/* A step that asks for more costs less when it is halved; two to four do as a rule. */
#define SWEEPS 14
/* Sweeps before q tells anything: the first comes from the prediction. */
#define EARLY 2
/* Of the tolerance: what sweeps may leave. Also q, while it is not known. */
#define LEFT 0.2
/* Of the tolerance: how a sweep follows on one that has moved bodies by less is rounding.
 * Little hangs on it (README, Constants). */
#define LEAST 1e-3
/* Times what may be left: a sweep that is foretold to come so near may be the last one.
 * Little hangs on it. */
#define LAST 20.0
/* e^-2, the best q. */
#define QUICK 0.135
/* q from which sweeps do not come to an end: 0.7^14 is 0.007. Little
 * hangs on it: a tenth costs 3 % more steps and a tenth more failures. */
#define HOPELESS 0.7
/* m or rad: rows may be off by no more at the end, however coarse the tolerance; and sweeps that
 * leave no more count as settled, however fine it is. Little hangs on it. */
#define SETTLED 1e-5
/* m or rad, of islands of up to 1 m, else of their size: an end that is further off its rows is none. Newton's method takes
 * what is nearer in two rounds, 1e-3 to 1e-6 to 1e-12. Little hangs on it: a tenth costs a tenth
 * more failures. */
#define FAR 1e-3
/* Of the tolerance, if that is fine, times the size below 1 m: by which trees may be off their rows,
 * as the next step takes that off. Loops are held to HOLDS. */
#define NEAR 1e-3
/* Over the size: by which accelerations may be off a straight line, as a way, at a tolerance of 1e-6; it goes with
 * the root of that: so found on published mechanisms (benchmarks/truths), where errors stay below that. */
#define BEND 1e-2

/* What accelerations at the stages make by some weights, of one of the n numbers. */
static inline double sum_of(const double *by, const double *a, int n, int k) {
    return by[0] * a[k] + by[1] * a[n + k] + by[2] * a[2 * n + k];
}

/* a_i by the polynomial of the step before, else those at the start; t_i as of constant spin. */
static void predict(omi_context *c) {
    const omi_island *is = c->is;
    const omi_state *st = c->st;
    int n = 6 * is->bodies;
    if (st->span[OMI_LAST] > 0.0) {
        for (int i = 0; i < S; ++i) {
            double p[S], unused[S];
            omi_lagrange(C, S, 1.0 + C[i] * c->h / st->span[OMI_LAST], p, unused);
            for (int k = 0; k < n; ++k) c->a[i * n + k] = sum_of(p, st->guess, n, k);
        }
    } else {
        omi_copy_pose(is, c->x, c->rot, st->position, st->rotation);
        omi_copy(c->vel, st->velocity, n);
        omi_set_goals(c, 0.0);
        omi_evaluate(c, c->x, c->rot, c->vel);
        omi_forward_dynamics(c, 0, 0);
        for (int i = 0; i < S; ++i) omi_copy(c->a + i * n, c->acc, n);
    }
    for (int i = 0; i < S; ++i)
        for (int b = 0; b < is->bodies; ++b)
            for (int k = 0; k < 3; ++k)
                c->theta[3 * (i * is->bodies + b) + k] =
                    c->h * C[i] * st->velocity[6 * b + 3 + k] * c->rows.inverse[6 * b + 3 + k];
}

/* dexpinv(t_i) w_i of a body: how fast its rotation vector changes at a stage. */
static void vector_rate(const omi_context *c, int i, int b, double *out) {
    const double *v = c->stage_v + 6 * (i * c->is->bodies + b) + 3, *by = c->rows.inverse + 6 * b + 3;
    const double w[3] = {v[0] * by[0], v[1] * by[1], v[2] * by[2]};
    rate_of_vector(out, c->theta + 3 * (i * c->is->bodies + b), w);
}

/* V_i and t_i; t_i stands on both sides, and is settled by two rounds in each sweep. */
static void stage_velocities(omi_context *c) {
    const omi_island *is = c->is;
    int n = 6 * is->bodies;
    double h = c->h;
    for (int i = 0; i < S; ++i)
        for (int k = 0; k < n; ++k)
            c->stage_v[i * n + k] = c->st->velocity[k] + h * sum_of(A[i], c->a, n, k);
    for (int again = 0; again < 2; ++again)
        for (int b = 0; b < is->bodies; ++b) {
            double rate[S][3];
            for (int i = 0; i < S; ++i) vector_rate(c, i, b, rate[i]);
            for (int i = 0; i < S; ++i)
                for (int k = 0; k < 3; ++k)
                    c->theta[3 * (i * is->bodies + b) + k] =
                        h * (A[i][0] * rate[0][k] + A[i][1] * rate[1][k] + A[i][2] * rate[2][k]);
        }
}

/* Positions some time after the start: x + time v + h^2 (by A)_j a_j, by the weights of a moment. */
static void place(const omi_context *c, double time, const double *by, double *x) {
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

/* Pose and velocities of a stage into c->x, c->rot, c->vel. */
static void stage_pose(omi_context *c, int i) {
    const omi_island *is = c->is;
    const omi_state *st = c->st;
    place(c, c->h * C[i], A[i], c->x);
    for (int b = 0; b < is->bodies; ++b)
        turn_on(c->rot + 9 * b, st->rotation + 9 * b, c->theta + 3 * (i * is->bodies + b));
    omi_prescribe(c, st->position, st->rotation, c->x, c->rot, c->h * C[i]);
    omi_copy(c->vel, c->stage_v + 6 * i * is->bodies, 6 * is->bodies);
}

/* Accelerations at one stage, and all that is known there. In trees later sweeps go on with the
 * factors of the first. */
static void refine_stage(omi_context *c, int i, int is_first) {
    const omi_island *is = c->is;
    int n = 6 * is->bodies, rows = is->rows;
    stage_pose(c, i);
    omi_set_goals(c, c->h * C[i]);
    omi_evaluate(c, c->x, c->rot, c->vel);
    if (is->closed) {
        omi_project_pose(c, c->x, c->rot, c->vel, 1, 1, 0);
    } else {
        c->factor.pivot = c->pivots + 36 * i * is->nodes;
        c->factor.block = c->blocks + 36 * i * is->blocks;
    }
    omi_forward_dynamics(c, c->stage_multiplier + i * rows, !is->closed && !is_first);
    omi_copy(c->new_a + i * n, c->acc, n);
    omi_copy(c->stage_value + i * rows, c->rows.value, rows);
    omi_copy(c->stage_rate + i * rows, c->rows.rate, rows);
    omi_copy(c->stage_lambda + i * rows, c->lambda, rows);
}

/* One sweep: new accelerations at all stages; forces of joints, if they are asked for. Returns by how
 * much they move bodies, m or rad. */
static double refine(omi_context *c, int is_first, int with_reactions) {
    int n = 6 * c->is->bodies;
    double moved = 0.0;
    stage_velocities(c);
    for (int i = 0; i < 6 * c->is->joints; ++i) c->wrench[i] = 0.0;
    for (int i = 0; i < S; ++i) {
        refine_stage(c, i, is_first);
        if (!with_reactions) continue;
        omi_reactions(c);
        omi_add_wrench(c, c->h * B[i], 1, c->wrench);
    }
    for (int i = 0; i < S; ++i)
        for (int k = 0; k < n; ++k) {
            double d = fabs(c->new_a[i * n + k] - c->a[i * n + k]) * c->rows.inverse[k];
            moved = d > moved || d != d ? d : moved;
        }
    omi_copy(c->a, c->new_a, S * n);
    return moved * c->h * c->h;
}

/* The end of the step into the state, before it is projected onto the rows. */
static void finish(omi_context *c) {
    const omi_island *is = c->is;
    omi_state *st = c->st;
    int n = 6 * is->bodies;
    double h = c->h;
    place(c, h, B, st->position);
    for (int b = 0; b < is->bodies; ++b) {
        double sum[3] = {0, 0, 0}, rate[3];
        for (int i = 0; i < S; ++i) {
            vector_rate(c, i, b, rate);
            for (int k = 0; k < 3; ++k) sum[k] += h * B[i] * rate[k];
        }
        turn_on(st->rotation + 9 * b, st->rotation + 9 * b, sum);
        orthonormalize(st->rotation + 9 * b);
    }
    omi_prescribe(c, st->position, st->rotation, st->position, st->rotation, h);
    for (int k = 0; k < n; ++k) st->velocity[k] += h * sum_of(B, c->a, n, k);
    omi_copy(st->guess, c->a, S * n);
    st->span[OMI_LAST] = h;
}

/* How far accelerations are off a straight line, as a way: h^2 |a_1 - 2 a_2 + a_3|, over the size or
 * in rad. */
static double curvature(const omi_context *c) {
    int n = 6 * c->is->bodies;
    double worst = 0.0;
    for (int i = 0; i < n; ++i) {
        double d = fabs(c->a[i] - 2 * c->a[n + i] + c->a[2 * n + i]) * c->rows.inverse[i];
        worst = fmax(worst, i % 6 < 3 ? d / c->is->size : d);
    }
    return worst * c->h * c->h;
}

/* The end of the step onto the rows, where it is not near enough; 0 if it is far. */
static int project_end(omi_context *c, double enough) {
    omi_state *st = c->st;
    omi_evaluate(c, st->position, st->rotation, st->velocity);
    c->is_factored = 0;
    double off = omi_residual(c);
    if (!(off < FAR * fmax(c->is->size, 1.0))) return 0;
    if (off > enough)
        omi_project_pose(c, st->position, st->rotation, st->velocity, PROJECTIONS, 4, c->rounds);
    if (omi_rate_residual(c) > enough) omi_project_velocity(c, st->velocity);
    return 1;
}

/* Sweeps until they settle; 0 where they do not. *ratio: by how much the step should be longer. */
static int settle(omi_context *c, double tolerance, double *ratio) {
    double moved = INFINITY, before, q = LEFT, eased = 10.0; /* any above 4.2, where QUICKLY of output_step.c cuts */
    int went = 0, has_reactions = 0;
    while (went++ < SWEEPS && !(q * moved < LEFT * tolerance && has_reactions)) {
        before = moved;
        /* Reactions of loops cost two more factors: they are found in what may be the last sweep. */
        has_reactions = !c->is->closed || q * q * before < LAST * LEFT * tolerance || went == SWEEPS;
        moved = refine(c, went == 1, has_reactions);
        if (!(moved < 1e3)) return 0; /* m or rad: there is no return from there */
        if (went > 1) q = fmin(moved / fmax(before, LEAST * tolerance), 1.0);
        if (went > EARLY) eased = sqrt(QUICK / fmax(q, 1e-3)); /* 12 at most */
        if (went > EARLY + 1 && q > HOPELESS && moved > SETTLED) {
            *ratio = fmin(0.5, eased);
            return 0;
        }
    }
    if (!(q * moved < fmax(SETTLED, tolerance))) return 0;
    double bent = curvature(c), most = BEND * sqrt(tolerance / 1e-6);
    *ratio = fmin(eased, sqrt(sqrt(most / fmax(bent, 1e-3 * most)))); /* 5.6 at most */
    return !(bent > most);
}

/* Take one step of h seconds from the state; 0 where it cannot be done, and the state is spoilt.
 * tolerance: m or rad. *ratio: by how much the step should have been longer. */
int omi_integrate(omi_context *c, double h, double tolerance, double *ratio) {
    const omi_island *is = c->is;
    c->h = h;
    *ratio = 0.5;
    omi_activate(c, 0.0);
    predict(c);
    if (!settle(c, tolerance, ratio)) return 0;
    finish(c);
    omi_set_goals(c, h);
    /* Small islands are held to their own size, as they are where steps are judged (output_step.c). */
    double near = NEAR * fmin(tolerance, SETTLED) * fmin(c->is->size, 1.0);
    if (!project_end(c, is->closed ? HOLDS : near)) {
        *ratio = 0.5;
        return 0;
    }
    omi_copy(c->end_value, c->rows.value, is->rows);
    omi_copy(c->end_rate, c->rows.rate, is->rows);
    return 1;
}
