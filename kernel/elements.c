/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Springs, soft limits and drives. */
#include "context.h"

#include "elementary.h"

#define MOST 20.0 /* steps in an output step, in each of which a spring turns by a radian */
#define LEAST 1e-6 /* of what bodies yield that are alone: less is not accelerated */

/* Force of an element at a coordinate: by its law, or its largest. */
double omi_law(const omi_context *c, int e, int mode, double value, double rate) {
    const omi_island *is = c->is;
    double k = is->stiffness[e] * c->st->scale[e], d = is->damping[e] * c->st->scale[e];
    if (mode == 3 || mode == -3) return mode > 0 ? is->max_force[e] : -is->max_force[e];
    if (!is->one_sided[e]) return -k * (value - is->target[e]) - d * (rate - is->speed[e]);
    return -k * (value - (mode > 0 ? is->soft_high[e] : is->soft_low[e])) - d * rate;
}

int omi_wanted(const omi_context *c, int e, double value, double rate, double then, double later) {
    const omi_island *is = c->is;
    if (c->st->mode[e] == 3 || c->st->mode[e] == -3) then = value, later = rate;
    int side = value > is->soft_high[e] ? 1 : value < is->soft_low[e] ? -1 : 0;
    if (is->kind[is->element_row[e]] == OMI_LOCK) return 0;
    if (is->one_sided[e]) return side && omi_law(c, e, side, then, later) * side < 0.0 ? side : 0;
    double force = omi_law(c, e, 1, then, later);
    return force > is->max_force[e] ? 3 : force < -is->max_force[e] ? -3 : 1;
}

/* Rates of the elements by the inertia that they move with all locks enforced, and whether each is
 * too stiff to be followed. */
void omi_judge(omi_context *c, double dt) {
    const omi_island *is = c->is;
    int n = 6 * is->bodies;
    if (!is->elements) return;
    for (int r = 0; r < is->rows; ++r) c->active[r] = is->kind[r] == OMI_LOCK;
    omi_look(c, c->st->position, c->st->rotation, c->st->velocity);
    omi_factorize(&c->factor, 0, c->little, 0);
    for (int e = 0; e < is->elements; ++e) {
        int r = is->element_row[e];
        const double *entry = c->rows.entry + 12 * r;
        for (int i = 0; i < n; ++i) c->force[i] = 0.0;
        omi_push(is, c->row_joint[r], entry, 1.0, c->force);
        double own = 0.0, moved = 0.0, square = c->rows.stretch[r] * c->rows.stretch[r];
        for (int k = 0; k < 12; ++k) own += entry[k] * entry[k] * square;
        omi_solve(&c->factor, c->force, 0, c->rounds, c->delta, c->lambda);
        for (int i = 0; i < n; ++i) moved += c->force[i] * c->delta[i] * square;
        moved = fmax(moved, 1e-12 * own);
        double least = LEAST * own;
        c->st->scale[e] = is->accelerates[e] ? moved / fmax(moved * moved + least * least, 1e-300) : 1.0;
        c->omega[e] = fmax(sqrt(is->stiffness[e] * c->st->scale[e] * moved),
                           is->damping[e] * c->st->scale[e] * moved);
        c->st->stiff[e] = !(c->omega[e] * dt <= MOST);
    }
}
