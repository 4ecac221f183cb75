/* SPDX-License-Identifier: MIT */
/* Springs, soft limits and drives: forces along rows by a law, and how fast each acts.
 *
 * With the value y of its row, stiffness k in N/m or N m, damping d, both times a scale z,
 *
 *     F = -k z (y - target) - d z (y' - speed)       drives, at most max_force, and springs
 *     F = -k z (y - bound) - d z y'                  soft limits with a range (one_sided): beyond a
 *                                                    bound, and only back to it: damping never holds
 *                                                    what comes back
 *
 * What an element does is its mode: 0 nothing, 1 its law or -1 that of its lower side, 3 or -3 its
 * largest force. Within a step modes are constant, and their changes are events (events.c).
 *
 * It moves with the mobility b = e P e^T, 1/kg or 1/(kg m^2), with its entry e and the projection
 * P = 1 - E^T (E E^T)^-1 E onto what locks allow: 1 / b is the inertia of what moves, all locks enforced.
 * By its law it then oscillates, or creeps, at
 *
 *     omega = max(sqrt(k z b), d z b)      rad/s
 *
 * and is followed up to MOST rad in an output step. What is stiffer is implicit (dynamics.c).
 * z is 1; but a drive that accelerates has z = b / (b^2 + (LEAST e e^T)^2): the inertia 1 / b, save
 * for what all but cannot move, which would be pushed by infinite forces.
 */
#include "context.h"

/* rad in an output step: 33 steps of 0.6 rad (output_step.c); faster ones cost more than they show. */
#define MOST 20.0
/* Of an output step: horizon of the law of what is too stiff. Half a frame is not seen. */
#define HORIZON 0.5
/* Of what its bodies yield that are alone: none is pushed as if it were a million times as heavy. */
#define LEAST 1e-6
/* Of the same: what rounding leaves where nothing yields. */
#define NOTHING_MOVES 1e-12

/* Force of an element in a mode but 0, N or N m. */
double omi_element_force(const omi_context *c, int e, int mode, double value, double rate) {
    const omi_island *is = c->is;
    double k = is->stiffness[e] * c->st->scale[e], d = is->damping[e] * c->st->scale[e];
    if (mode == 3 || mode == -3) return mode > 0 ? is->max_force[e] : -is->max_force[e];
    if (!is->one_sided[e]) return -k * (value - is->target[e]) - d * (rate - is->speed[e]);
    return -k * (value - (mode > 0 ? is->soft_high[e] : is->soft_low[e])) - d * rate;
}

/* The mode that an element should have at a value and a rate. Beyond which bound a soft limit is, is
 * told where it is; whether it pushes, of one that is implicit, by the value `then` and the rate
 * `later` that there would be a horizon later. A drive at its largest force stays there until its law
 * asks for less at the value: callers that look ahead give that of then. */
int omi_element_mode(const omi_context *c, int e, double value, double rate, double then, double later) {
    const omi_island *is = c->is;
    if (c->st->mode[e] == 3 || c->st->mode[e] == -3) then = value, later = rate;
    int side = value > is->soft_high[e] ? 1 : value < is->soft_low[e] ? -1 : 0;
    if (is->kind[is->element_row[e]] == OMI_LOCK) return 0;
    if (is->one_sided[e])
        return side && omi_element_force(c, e, side, then, later) * side < 0.0 ? side : 0;
    double force = omi_element_force(c, e, 1, then, later);
    return force > is->max_force[e] ? 3 : force < -is->max_force[e] ? -3 : 1;
}

/* Scales, rates, what is too stiff to be followed, and its horizon, for output steps of dt seconds. */
void omi_classify_elements(omi_context *c, double dt) {
    const omi_island *is = c->is;
    int n = 6 * is->bodies;
    c->horizon = HORIZON * dt;
    if (!is->elements) return;
    for (int r = 0; r < is->rows; ++r) c->active[r] = is->kind[r] == OMI_LOCK;
    omi_evaluate(c, c->st->position, c->st->rotation, c->st->velocity);
    omi_factorize(&c->factor, 0, c->eps, 0);
    for (int e = 0; e < is->elements; ++e) {
        int r = is->element_row[e];
        const double *entry = c->rows.entry + 12 * r;
        for (int i = 0; i < n; ++i) c->force[i] = 0.0;
        omi_apply_row(c, r, 1.0, c->force);
        double own = 0.0, moved = 0.0, square = c->rows.stretch[r] * c->rows.stretch[r];
        for (int k = 0; k < 12; ++k) own += entry[k] * entry[k] * square;
        omi_solve(&c->factor, c->force, 0, c->rounds, c->delta, c->lambda);
        for (int i = 0; i < n; ++i) moved += c->force[i] * c->delta[i] * square;
        moved = fmax(moved, NOTHING_MOVES * own);
        double least = LEAST * own;
        double scale = is->accelerates[e] ? moved / fmax(moved * moved + least * least, 1e-300) : 1.0;
        c->omega[e] = fmax(sqrt(is->stiffness[e] * scale * moved), is->damping[e] * scale * moved);
        c->st->scale[e] = scale;
        c->st->stiff[e] = !(c->omega[e] * dt <= MOST);
    }
}
