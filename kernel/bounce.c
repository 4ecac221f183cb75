/* SPDX-License-Identifier: MIT */
/* How what is touched parts at the end of a step of RATTLE.
 *
 * A contact is to part with e times the rate u at which it was met, from u^2 = w^2 + 2 g d with the rate w at the start
 * of the step, its gap d then and the acceleration g with which weights close it: u is `closing` (omi_note_pushes in
 * pushes.c), 0 of what bore before or is no faster than weights make it in a step, as that lies and does not bounce. Of
 * one contact that takes energy. Of several at once it may give some (Newton's law of restitution), so of velocities V1
 * with it and V0 without there is no more than a share s:
 *
 *     1/2 |V0 + s (V1 - V0)|^2 <= T + W + L0 + s (L1 - L0),   0 <= s <= 1,
 *
 * T the kinetic energy at the start of the step, W the work of weights in it, or what V0 has if it is more. L is the
 * work of bodies of prescribed motion in all of the step, as a bat gives energy to a ball (L0 and L1 differ by what the
 * impulses at its end do): of the rate E V + b of a row or contact b is what they do to it, so an impulse l gives -b l,
 * with which it is the same in the frame of the bat. The work of springs and drives is left out: it goes with h, and an
 * impact does not. With D = V1 - V0 that is
 *
 *     s^2 |D|^2 + 2 s (V0 . D - L1 + L0) <= 2 (T + W + L0 - 1/2 |V0|^2).
 */
#include "context.h"

/* Of an energy: rounding, and what half a kick is off. Ten times or a tenth moves no heap. */
#define EXACT 1e-9

/* Rates at which what is touched parts before the second half of forces: bounds from how they go
 * themselves, contacts from how they are to bounce, if they are. */
void omi_set_rates(omi_context *c, double h, int bounces) {
    omi_pushes *p = &c->near;
    for (int i = 0; i < p->all; ++i) {
        int r = p->row[i];
        p->free_rate[i] = p->bias[i] + omi_push_rate(p, i, c->st->velocity);
        if (r >= 0)
            p->free_rate[i] += p->side[i] * (omi_bound(c, r, p->side[i], h) - omi_bound(c, r, p->side[i], 0.0)) / h;
        else if (p->contact[i] >= 0 && bounces)
            p->free_rate[i] -= c->contact[p->contact[i]].mix[2] * c->contact[p->contact[i]].closing;
    }
}

/* J that bodies have at one velocity, or at the sum of two. */
double omi_kinetic_energy(const omi_context *c, const double *v, const double *more) {
    double sum = 0.0;
    for (int i = 0; i < 6 * c->is->bodies; ++i) {
        double own = more ? v[i] + more[i] : v[i];
        sum += 0.5 * own * own;
    }
    return sum;
}

/* J that bodies of prescribed motion give with impulses on rows, evaluated at V, and on what takes part; none where
 * nothing touches, as nobody asks then. */
double omi_work_of_others(const omi_context *c, const double *v, const double *on_rows, const double *l) {
    double sum = 0.0;
    if (!c->surfaces) return 0.0;
    for (int r = 0; r < c->is->rows; ++r) sum -= on_rows[r] * (c->rows.rate[r] - omi_row_rate(c, r, v));
    for (int i = 0; i < c->near.all; ++i) sum -= l[i] * c->near.bias[i];
    return sum;
}

/* Work of weights in the step, J. */
static double work_of_weights(const omi_context *c) {
    const omi_island *is = c->is;
    double sum = 0.0;
    for (int i = 0; i < 3 * is->bodies; ++i) {
        int k = 6 * (i / 3) + i % 3;
        sum += is->weight[k] * is->roots[k] * (c->st->position[i] - c->x0[i]);
    }
    return sum;
}

/* Take c->delta, c->lambda and impulses of contacts back as far as those that bounce give energy. led_at_start: J that
 * bodies of prescribed motion have given with the impulses at the start of the step. */
void omi_limit_bounce(omi_context *c, double h, double led_at_start) {
    omi_pushes *p = &c->near;
    int n = 6 * c->is->bodies, bounces = 0;
    double *with = c->a, *without = c->new_a, *lambda = c->stage_lambda; /* scratch of collocation.c */
    for (int i = 0; i < p->touched; ++i)
        bounces |= p->contact[i] >= 0 && c->contact[p->contact[i]].mix[2] * c->contact[p->contact[i]].closing > 0.0;
    if (!bounces) return;
    for (int i = 0; i < n; ++i) with[i] = c->st->velocity[i] + c->delta[i];
    double most = omi_kinetic_energy(c, c->start_velocity, 0) + work_of_weights(c) + led_at_start;
    double led_with = omi_work_of_others(c, c->st->velocity, c->lambda, p->change);
    if (omi_kinetic_energy(c, with, 0) <= (most + led_with) * (1.0 + EXACT)) return;
    omi_copy(lambda, c->lambda, c->is->rows);
    omi_copy(p->with_bounce, p->change, p->all);
    omi_half_kick(c, h, 1);
    omi_set_rates(c, h, 0);
    omi_begin_pushes(c);
    omi_push(c, 1, p->many ? OMI_ACTS_HALF : OMI_BEGINS);
    for (int i = 0; i < n; ++i) without[i] = c->st->velocity[i] + c->delta[i], with[i] -= without[i];
    double led_without = omi_work_of_others(c, c->st->velocity, c->lambda, p->change), along = led_without - led_with;
    double more = fmax(most + led_without - omi_kinetic_energy(c, without, 0), 0.0), square = 0.0;
    for (int i = 0; i < n; ++i) along += without[i] * with[i], square += with[i] * with[i];
    double share = (sqrt(along * along + 2.0 * square * more) - along) / fmax(square, 1e-300);
    share = fmax(fmin(share, 1.0), 0.0);
    for (int i = 0; i < n; ++i) c->delta[i] += share * with[i];
    for (int r = 0; r < c->is->rows; ++r) c->lambda[r] += share * (lambda[r] - c->lambda[r]);
    for (int i = 0; i < p->all; ++i) p->change[i] += share * (p->with_bounce[i] - p->change[i]);
}
