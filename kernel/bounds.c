/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bounds and elements that begin or end inside of a step: see solver/integrator/events.py. */
#include "context.h"

#include "elementary.h"

#define S OMI_STAGES
#define NODES 5
#define PARTS 16
#define HALVINGS 45
#define PULL 1e-9 /* of the largest force */
#define STILL 1e-6 /* m/s or rad/s */
static const double NODE[NODES] = {0.0, 0.11270166537925831, 0.5, 0.8872983346207417, 1.0};

void omi_lagrange(const double *node, int count, double t, double *out, double *slope) {
    for (int j = 0; j < count; ++j) {
        out[j] = 1.0;
        slope[j] = 0.0;
        for (int k = 0; k < count; ++k) {
            if (k == j) continue;
            double width = node[j] - node[k];
            slope[j] = (slope[j] * (t - node[k]) + out[j]) / width;
            out[j] *= (t - node[k]) / width;
        }
    }
}

static int is_watched(const omi_context *c, int r) {
    return c->is->kind[r] != OMI_LOCK && (c->is->low[r] > -INFINITY || c->is->high[r] < INFINITY);
}

/* Value or rate of a row at a moment: p are the polynomials there. */
static double at(const double *p, const double *start, const double *stage, const double *end,
                 int rows, int r) {
    return p[0] * start[r] + p[1] * stage[r] + p[2] * stage[rows + r] + p[3] * stage[2 * rows + r] +
           p[4] * end[r];
}

static int element_wants(omi_context *c, int e, const double *p, const double *slope) {
    int r = c->is->element_row[e], rows = c->is->rows;
    double value = at(p, c->start_value, c->stage_value, c->end_value, rows, r);
    double rate = at(p, c->start_rate, c->stage_rate, c->end_rate, rows, r);
    if (!c->st->stiff[e] || c->st->side[r]) return omi_wanted(c, e, value, rate, value, rate);
    double bent = at(slope, c->start_rate, c->stage_rate, c->end_rate, rows, r) / c->h;
    double later = rate + c->give * bent;
    return omi_wanted(c, e, value, rate, value + c->give * later, later);
}

/* Whether anything is no longer as at the start of the step; flips of elements are noted. */
static int differs(omi_context *c, double t, double pull) {
    const omi_island *is = c->is;
    const int *side = c->st->side;
    double p[NODES], slope[NODES], q[S], unused[S];
    int found = 0;
    omi_lagrange(NODE, NODES, t, p, slope);
    omi_lagrange(NODE + 1, S, t, q, unused);
    for (int r = 0; r < is->rows; ++r) {
        if (!is_watched(c, r)) continue;
        if (side[r]) {
            double force = 0.0;
            for (int s = 0; s < S; ++s) force += q[s] * c->stage_lambda[s * is->rows + r];
            if (force * side[r] > pull && !omi_comes_in(c, r)) found = 1;
        } else {
            double value = at(p, c->start_value, c->stage_value, c->end_value, is->rows, r);
            if (omi_beyond(c, r, value, t * c->h, HOLDS)) found = 1;
        }
    }
    for (int e = 0; e < is->elements; ++e) {
        c->flip[e] = element_wants(c, e, p, slope);
        if (c->flip[e] != c->st->mode[e]) found = 1;
    }
    return found;
}

static double largest(const double *x, int count) {
    double most = 0.0;
    for (int i = 0; i < count; ++i) most = fmax(most, fabs(x[i]));
    return most;
}

/* When in (0, 1] of the step something changes first; 2 if nothing does. */
double omi_first_event(omi_context *c) {
    const omi_island *is = c->is;
    double low = 0.0, high = 0.0;
    int watched = is->elements;
    for (int r = 0; r < is->rows && !watched; ++r) watched = is_watched(c, r);
    if (!watched) return 2.0;
    double pull = 1e-12 + PULL * largest(c->stage_lambda, S * is->rows);
    do {
        if (high >= 1.0) return 2.0;
        low = high;
        high += 1.0 / PARTS;
    } while (!differs(c, high, pull));
    for (int i = 0; i < HALVINGS; ++i) {
        double middle = 0.5 * (low + high);
        *(differs(c, middle, pull) ? &high : &low) = middle;
    }
    differs(c, high, pull);
    return high;
}

/* Let go of touched bounds that pull; whether there were any. */
static int let_go(omi_context *c) {
    const omi_island *is = c->is;
    double pull = 1e-12 + PULL * largest(c->lambda, is->rows);
    int changed = 0;
    for (int r = 0; r < is->rows; ++r)
        if (c->touched[r] && c->active[r] && c->lambda[r] * c->touched[r] > pull &&
            !(c->st->span[2] > 0.0 && omi_comes_in(c, r)))
            c->active[r] = 0, changed = 1;
    return changed;
}

/* Hold touched bounds that a change of velocity, or the accelerations, would pass, as the bounds
 * themselves go. */
static int hold_on(omi_context *c, const double *change, const double *base, const double *own,
                   double slack, int at_rest) {
    const omi_island *is = c->is;
    int changed = 0;
    for (int r = 0; r < is->rows; ++r) {
        if (!c->touched[r] || c->active[r]) continue;
        if (at_rest && fabs(c->rows.rate[r] - c->held_rate[r]) > STILL) continue;
        double x = base[r] - own[r] + omi_pull(c, r, change);
        if (x * c->touched[r] > slack) c->active[r] = changed = 1;
    }
    return changed;
}

/* Velocities after the impact on the bounds that are touched: none is passed, none pulls. */
static void stop_at_bounds(omi_context *c, double *wrench) {
    const omi_island *is = c->is;
    omi_state *st = c->st;
    for (int round = 0; round < 4 * is->rows + 4; ++round) {
        omi_bring(c, c->little, c->held_rate, c->rows.rate, c->rounds);
        if (let_go(c)) continue;
        if (!hold_on(c, c->delta, c->rows.rate, c->held_rate, 1e-7, 0)) break;
    }
    for (int i = 0; i < 6 * is->bodies; ++i) st->velocity[i] += c->delta[i];
    if (!wrench) return;
    omi_share_evenly(c);
    omi_wrench(c, 1.0, 0, wrench);
}

/* Bounds that are touched stop what goes on into them (restitution zero), and bear what presses. */
void omi_meet_bounds(omi_context *c, double *wrench) {
    const omi_island *is = c->is;
    omi_state *st = c->st;
    int all = is->bodies + is->others;
    omi_look(c, st->position, st->rotation, st->velocity);
    for (int r = 0; r < is->rows; ++r) {
        int lock = is->kind[r] == OMI_LOCK;
        c->touched[r] = lock ? 0 : omi_beyond(c, r, c->rows.value[r], 0.0, -TOUCH);
        c->active[r] = lock || (c->touched[r] && st->side[r]);
        st->side[r] = c->touched[r];
    }
    omi_hold_at(c, 0.0);
    for (int r = 0; r < is->rows; ++r)
        if (c->touched[r] * (c->rows.rate[r] - c->held_rate[r]) > 1e-9) c->active[r] = 1;
    stop_at_bounds(c, wrench);
    omi_look(c, st->position, st->rotation, st->velocity);
    for (int r = 0; r < is->rows; ++r)
        c->active[r] = is->kind[r] == OMI_LOCK ||
                       (c->touched[r] && fabs(c->rows.rate[r] - c->held_rate[r]) < STILL);
    omi_copy(c->x, st->position, 3 * all);
    omi_copy(c->rot, st->rotation, 9 * all);
    for (int round = 0; round < 4 * is->rows + 4; ++round) {
        omi_copy(c->vel, st->velocity, 6 * is->bodies);
        omi_look(c, c->x, c->rot, c->vel);
        omi_accelerate(c, 0, 0);
        if (!let_go(c) && !hold_on(c, c->acc, c->rows.drift, c->held_acc, 1e-9, 1)) break;
    }
    for (int r = 0; r < is->rows; ++r)
        st->side[r] = c->active[r] && is->kind[r] != OMI_LOCK ? c->touched[r] : 0;
}
