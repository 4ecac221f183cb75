/* SPDX-License-Identifier: MIT */
/* Which rows are active, what they are to be, and how far they are from it.
 *
 * Locks are active always, bounds while their side is 1 (the upper one) or -1, as touching.c sets it. The goal g of an
 * active row is 0 for a lock, the bound for a bound. What the rest pose violates by an excess e0 is brought in along a
 * quintic, which begins and ends without speed and acceleration, so that nothing is thrown; with u = t / BRINGING_IN
 * and t the age of the simulation in s
 *
 *     g = bound + e0 s(u),           s = 1 - 10 u^3 + 15 u^4 - 6 u^5,
 *     ds/du = -30 u^2 (1 - u)^2,     d^2s/du^2 = -60 u (1 - u) (1 - 2 u).
 *
 * A row that is beyond its bound at first follows the bound until it is there: with the speed that it
 * has gained it would fly on. What moves away when all begins, where g has neither speed nor
 * acceleration, is let go (touching.c).
 */
#include "context.h"

/* The part s of an excess that is left so many seconds into the step, and its first and second derivative by
 * time. */
static double excess_left(const omi_context *c, double time, double *s1, double *s2) {
    double u = (c->st->span[OMI_AGE] + time) / BRINGING_IN;
    *s1 = *s2 = 0.0;
    if (u >= 1.0) return 0.0;
    *s1 = -30.0 * u * u * (1.0 - u) * (1.0 - u) / BRINGING_IN;
    *s2 = -60.0 * u * (1.0 - u) * (1.0 - 2.0 * u) / (BRINGING_IN * BRINGING_IN);
    return 1.0 - u * u * u * (10.0 - u * (15.0 - 6.0 * u));
}

/* Where a bound is at some seconds into the step. */
double omi_bound(const omi_context *c, int r, int side, double time) {
    double s1, s2, excess = c->st->excess[r], bound = side > 0 ? c->is->high[r] : c->is->low[r];
    return excess * side > 0.0 ? bound + excess * excess_left(c, time, &s1, &s2) : bound;
}

/* The side whose bound a value is beyond by more than so much, 1 or -1; 0 for none. */
int omi_side_beyond(const omi_context *c, int r, double value, double time, double by) {
    if (value > omi_bound(c, r, 1, time) + by) return 1;
    return value < omi_bound(c, r, -1, time) - by ? -1 : 0;
}

/* Whether a row follows a bound that is still being brought in. */
int omi_is_brought_in(const omi_context *c, int r) {
    int violates = c->is->kind[r] != OMI_LOCK && c->st->excess[r] * c->st->side[r] > 0.0;
    return violates && c->st->span[OMI_AGE] < BRINGING_IN;
}

/* Let locks and the bounds at which the state is be active; goals at some seconds into the step. */
void omi_activate(omi_context *c, double time) {
    const omi_island *is = c->is;
    for (int r = 0; r < is->rows; ++r) c->active[r] = is->kind[r] == OMI_LOCK || c->st->side[r] != 0;
    omi_set_goals(c, time);
}

/* Goals at some seconds into the step, by the sides of the state. */
void omi_set_goals(omi_context *c, double time) {
    const omi_island *is = c->is;
    double s1, s2, s = excess_left(c, time, &s1, &s2);
    c->incoming = 0.0;
    for (int r = 0; r < is->rows; ++r) {
        int side = c->st->side[r], lock = is->kind[r] == OMI_LOCK;
        double excess = lock || c->st->excess[r] * side > 0.0 ? c->st->excess[r] : 0.0;
        c->goal[r] = excess * s + (lock || !side ? 0.0 : side > 0 ? is->high[r] : is->low[r]);
        c->goal_rate[r] = excess * s1;
        c->goal_acc[r] = excess * s2;
        if (s > 0.0) c->incoming = fmax(c->incoming, excess * excess / (c->is->size * c->is->size));
    }
}

static double largest(const omi_context *c, const double *are, const double *wanted) {
    double most = 0.0;
    for (int r = 0; r < c->is->rows; ++r) {
        double off = c->active[r] ? fabs(are[r] - wanted[r]) : 0.0;
        most = off > most || off != off ? off : most;
    }
    return most;
}
/* By how much the worst active row is off, m or rad, and its rate, m/s or rad/s. */
double omi_residual(const omi_context *c) { return largest(c, c->rows.value, c->goal); }
double omi_rate_residual(const omi_context *c) { return largest(c, c->rows.rate, c->goal_rate); }
