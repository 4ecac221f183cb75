/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "context.h"

#include "algebra.h"

#ifndef OMI_GAP /* the fuzz puts memory behind each part that nobody may touch */
#define OMI_GAP(end, counting) (end)
#endif

/* Lay out the workspace; with c = 0 only count. */
int omi_lay_out(const omi_island *is, omi_context *c, omi_state *st, const double *other,
                double *work) {
    omi_context none;
    double *at = work;
    int n = 6 * is->bodies, r = is->rows, m = is->joints, e = is->elements, s = OMI_STAGES;
    int all = is->bodies + is->others, state = 12 * all + (1 + s) * n + 1 + r + 5 * m, count = !c;
    int factors = is->closed ? 1 : s;
    if (count) c = &none;
    const struct { double **part; int count; } parts[] = {
        {&c->x, 3 * all}, {&c->rot, 9 * all}, {&c->x0, 3 * all}, {&c->rot0, 9 * all},
        {&c->vel, n}, {&c->force, n}, {&c->acc, n}, {&c->delta, n}, {&c->rows.inverse, n},
        {&c->a, s * n}, {&c->new_a, s * n}, {&c->stage_v, s * n}, {&c->theta, s * n / 2},
        {&c->rhs, r}, {&c->lambda, r}, {&c->compliance, r}, {&c->load, r}, {&c->held, r},
        {&c->held_rate, r}, {&c->held_acc, r}, {&c->rows.value, r}, {&c->rows.rate, r},
        {&c->rows.drift, r}, {&c->rows.stretch, r}, {&c->rows.entry, 12 * r}, {&c->rows.along, 3 * r},
        {&c->start_value, r}, {&c->start_rate, r}, {&c->end_value, r}, {&c->end_rate, r},
        {&c->stage_value, s * r}, {&c->stage_rate, s * r}, {&c->stage_lambda, s * r},
        {&c->stage_multiplier, s * r}, {&c->factor.little, r}, {&c->factor.multiplier, r},
        {&c->rows.gap, 3 * m}, {&c->rows.half, 4 * m}, {&c->rows.spin, 3 * m},
        {&c->start_spin, 3 * m}, {&c->wrench, 6 * m}, {&c->factor.right, 6 * is->nodes},
        {&c->pivots, factors * 36 * is->nodes}, {&c->blocks, factors * 36 * is->blocks},
        {&c->element_force, e}, {&c->omega, e}, {&c->saved, state}, {&c->tried, state},
    };
    const struct { int **part; int count; } flags[] = {
        {&c->active, r}, {&c->servo, r}, {&c->row_joint, r}, {&c->touched, r}, {&c->factor.slot, r},
        {&c->flip, e}, {&c->factor.met, is->nodes}, {&c->factor.height, m},
    };
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; at = OMI_GAP(at + parts[i++].count, count))
        *parts[i].part = at;
    for (unsigned i = 0; i < sizeof flags / sizeof *flags; at = OMI_GAP(at + flags[i++].count, count))
        *flags[i].part = (int *)at;
    if (count) return (int)(at - work);
    c->is = is;
    c->st = st;
    c->other = other;
    c->size = is->size;
    c->little = is->closed ? OMI_LITTLE : 0.0;
    c->rounds = is->closed ? 2 : 0;
    c->factor.island = is;
    c->factor.entry = c->rows.entry;
    c->factor.active = c->active;
    c->factor.pivot = c->pivots;
    c->factor.block = c->blocks;
    for (int i = 0; i < n; ++i) c->rows.inverse[i] = 1.0 / is->roots[i];
    for (int node = 0; node < is->nodes; ++node) c->factor.met[node] = node >= is->bodies;
    for (int place = 0; place < is->nodes; ++place)
        for (int i = is->later_start[place]; i < is->later_start[place + 1]; ++i)
            if (is->order[place] >= is->bodies && is->later_node[i] < is->bodies)
                c->factor.met[is->later_node[i]] = 1;
    for (int joint = 0; joint < m; ++joint) {
        for (int i = is->row_start[joint]; i < is->row_start[joint + 1]; ++i)
            c->row_joint[i] = joint, c->rows.stretch[i] = 1.0;
        for (int i = 0; i < 4; ++i) c->rows.half[4 * joint + i] = i == 3;
    }
    return 0;
}

void omi_copy(double *to, const double *from, int count) {
    for (int i = 0; i < count; ++i) to[i] = from[i];
}

/* What is left after some seconds of the step of what was violated at first: s = 1 - 10 u^3 +
 * 15 u^4 - 6 u^5, which begins and ends without speed and acceleration; its rates as well. */
static double left(const omi_context *c, double time, double *s1, double *s2) {
    double u = (c->st->span[2] + time) / BRINGING_IN;
    *s1 = *s2 = 0.0;
    if (u >= 1.0) return 0.0;
    *s1 = -30.0 * u * u * (1.0 - u) * (1.0 - u) / BRINGING_IN;
    *s2 = -60.0 * u * (1.0 - u) * (1.0 - 2.0 * u) / (BRINGING_IN * BRINGING_IN);
    return 1.0 - u * u * u * (10.0 - u * (15.0 - 6.0 * u));
}

/* Where a bound is after some seconds of the step: one that was violated at first comes in. */
double omi_bound(const omi_context *c, int r, int side, double time) {
    double s1, s2, excess = c->st->excess[r], bound = side > 0 ? c->is->high[r] : c->is->low[r];
    return excess * side > 0.0 ? bound + excess * left(c, time, &s1, &s2) : bound;
}

void omi_hold(omi_context *c, const int *side) {
    const omi_island *is = c->is;
    for (int r = 0; r < is->rows; ++r) c->active[r] = is->kind[r] == OMI_LOCK || side[r] != 0;
    omi_hold_at(c, 0.0);
}

/* The bound that a value is beyond by more than so much: 1 for the upper one, -1, or 0 for none. */
int omi_beyond(const omi_context *c, int r, double value, double time, double by) {
    if (value > omi_bound(c, r, 1, time) + by) return 1;
    return value < omi_bound(c, r, -1, time) - by ? -1 : 0;
}

/* Whether a row follows a bound that comes in, until it is there: else it would fly on. What moves
 * away when all begins, where the bound has neither speed nor acceleration, is let go. */
int omi_comes_in(const omi_context *c, int r) {
    const omi_state *st = c->st;
    return c->is->kind[r] != OMI_LOCK && st->excess[r] * st->side[r] > 0.0 && st->span[2] < BRINGING_IN;
}

/* What active rows are held at after some seconds of the step. */
void omi_hold_at(omi_context *c, double time) {
    const omi_island *is = c->is;
    double s1, s2, s = left(c, time, &s1, &s2);
    c->off = 0.0;
    for (int r = 0; r < is->rows; ++r) {
        int side = c->st->side[r], lock = is->kind[r] == OMI_LOCK;
        double excess = lock || c->st->excess[r] * side > 0.0 ? c->st->excess[r] : 0.0;
        c->held[r] = excess * s + (lock || !side ? 0.0 : side > 0 ? is->high[r] : is->low[r]);
        c->held_rate[r] = excess * s1;
        c->held_acc[r] = excess * s2;
        if (s > 0.0) c->off = fmax(c->off, excess * excess / (c->size * c->size));
    }
}

/* Move a pose by a scaled displacement. */
void omi_displace(const omi_island *is, double *x, double *rot, const double *by) {
    for (int b = 0; b < is->bodies; ++b) {
        double t[3], step[9], out[9];
        for (int i = 0; i < 3; ++i) {
            x[3 * b + i] += by[6 * b + i] / is->roots[6 * b + i];
            t[i] = by[6 * b + 3 + i] / is->roots[6 * b + 3 + i];
        }
        exponential(step, t);
        product(out, rot + 9 * b, step);
        omi_copy(rot + 9 * b, out, 9);
    }
}

void omi_carry(const omi_context *c, const double *x0, const double *rot0, double *x, double *rot,
               double time) {
    const omi_island *is = c->is;
    for (int b = is->bodies; b < is->bodies + is->others; ++b) {
        const double *u = c->other + 6 * (b - is->bodies);
        double t[3], step[9], out[9];
        for (int k = 0; k < 3; ++k) {
            x[3 * b + k] = x0[3 * b + k] + time * u[k];
            t[k] = time * u[3 + k];
        }
        exponential(step, t);
        product(out, step, rot0 + 9 * b);
        omi_copy(rot + 9 * b, out, 9);
    }
}

static double worst(const omi_context *c, const double *is, const double *wanted) {
    double most = 0.0;
    for (int r = 0; r < c->is->rows; ++r) {
        double off = c->active[r] ? fabs(is[r] - wanted[r]) : 0.0;
        most = off > most || off != off ? off : most;
    }
    return most;
}
double omi_residual(const omi_context *c) { return worst(c, c->rows.value, c->held); }
double omi_slip(const omi_context *c) { return worst(c, c->rows.rate, c->held_rate); }

static void bring(omi_context *c, const double *wanted, const double *are, int rounds) {
    for (int r = 0; r < c->is->rows; ++r) c->rhs[r] = wanted[r] - are[r];
    omi_solve(&c->factor, 0, c->rhs, rounds, c->delta, c->lambda);
}

void omi_bring(omi_context *c, double little, const double *wanted, const double *are, int rounds) {
    omi_factorize(&c->factor, 0, little, 0);
    bring(c, wanted, are, rounds);
}

double omi_fit(omi_context *c, double *x, double *rot, const double *v, int rounds, int undamped,
               int proximal) {
    double off = omi_residual(c);
    for (int round = 0; round < rounds && !(off < HOLDS); ++round) {
        int damped = round >= undamped;
        double little = c->little;
        /* Rows that contradict each other are met as well as can be (Levenberg, Marquardt). */
        if (damped) little = fmax(OMI_LITTLE, off * off / (c->size * c->size));
        if (c->is->closed || damped || !c->is_factored) omi_factorize(&c->factor, 0, little, 0);
        bring(c, c->held, c->rows.value, damped ? 0 : proximal);
        c->is_factored = 1;
        omi_displace(c->is, x, rot, c->delta);
        omi_look(c, x, rot, v);
        off = omi_residual(c);
    }
    return off;
}

void omi_fit_velocity(omi_context *c, double *v) {
    if (c->is->closed || !c->is_factored) omi_factorize(&c->factor, 0, c->little, 0);
    bring(c, c->held_rate, c->rows.rate, c->rounds);
    for (int i = 0; i < 6 * c->is->bodies; ++i) v[i] += c->delta[i];
    for (int r = 0; r < c->is->rows; ++r) c->rows.rate[r] += omi_pull(c, r, c->delta);
}

/* What moves nothing is found by itself and taken off, twice: see solver/linalg/elimination.py. */
void omi_least_norm(omi_context *c, double *spare) {
    const omi_island *is = c->is;
    if (!is->closed) return;
    for (int again = 0; again < 2; ++again) {
        for (int r = 0; r < is->rows; ++r) c->rhs[r] = c->factor.little[r] * c->lambda[r];
        omi_solve(&c->factor, 0, c->rhs, 0, spare, c->factor.multiplier);
        for (int r = 0; r < is->rows; ++r) c->lambda[r] -= c->factor.multiplier[r];
    }
}

void omi_share_evenly(omi_context *c) {
    if (!c->is->closed) return;
    if (c->off > OMI_LITTLE) {
        omi_factorize(&c->factor, 0, fmin(FELT, c->off), 0);
        omi_least_norm(c, c->delta);
    }
    omi_factorize(&c->factor, 0, OMI_LITTLE, 1);
    omi_least_norm(c, c->delta);
}

void omi_wrench(omi_context *c, double time, int elements, double *wrench) {
    const omi_island *is = c->is;
    for (int e = 0; e < is->elements && elements; ++e) {
        int r = is->element_row[e];
        if (!is->is_drive[e]) c->lambda[r] += c->element_force[e] * c->rows.stretch[r];
    }
    for (int r = 0; r < is->rows; ++r) {
        double *out = wrench + 6 * c->row_joint[r], push[3], about[3];
        int k = is->coordinate[r], turns = k >= 3 && (k < OMI_LINE || k > OMI_POINT);
        for (int i = 0; i < 3; ++i) push[i] = time * c->lambda[r] * c->rows.along[3 * r + i];
        cross(about, c->rows.gap + 3 * c->row_joint[r], push);
        for (int i = 0; i < 3; ++i) {
            out[3 * turns + i] += push[i];
            out[3 + i] += turns ? 0.0 : about[i];
        }
    }
}
