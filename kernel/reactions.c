/* SPDX-License-Identifier: MIT */
/* Forces of joints as they are reported: of all that move bodies alike those that are least.
 *
 * Where rows follow from others, l is not unique: what has E^T l = 0 moves nothing. The solution by
 * elimination holds an arbitrary part of that, and of singular values s of E that are next to
 * nothing too much. That part is found by itself: x of
 *
 *     (E E^T + eps D) x = eps D l
 *
 * has eps / (s^2 + eps) of the part of l that belongs to s: all of what moves nothing; of what moves
 * next to nothing s^2 / eps is left, and all else stays. So l - x is of least norm. Said so,
 * and not as (E E^T + eps D) l' = E E^T l, rounding is a part of x and not of l; a second time takes
 * off what the first has left. The norm is that of D: with D the squares of the rows it is of forces
 * over inertia, and three parallel cranks bear 93 N instead of 79 N; with as much for each row it is
 * that of forces, whatever they act on. The reader of a report means the second.
 *
 * What brings in a rest pose (goals.c) is no load: l is reported less the share of g''. And where
 * rows contradict each other, singular values below the root of FELT, or below the part that comes in,
 * bear nothing: else two hinges that are out of line by rounding would break of it.
 */
#include "context.h"

/* Of the last factor: impulses or forces l as above. spare: [bodies][6] that is written over. */
void omi_least_norm(omi_context *c, double *l, double *spare) {
    const omi_island *is = c->is;
    if (!is->closed) return;
    for (int again = 0; again < 2; ++again) {
        for (int r = 0; r < is->rows; ++r) c->rhs[r] = c->factor.eps[r] * l[r];
        omi_solve(&c->factor, 0, c->rhs, 0, spare, c->factor.multiplier);
        for (int r = 0; r < is->rows; ++r) l[r] -= c->factor.multiplier[r];
    }
}

/* c->lambda of least norm of forces, whatever they act on, at the rows as evaluated. */
void omi_least_force(omi_context *c) {
    if (!c->is->closed) return;
    if (c->incoming > OMI_EPS) {
        omi_factorize(&c->factor, 0, fmin(FELT, c->incoming), 0);
        omi_least_norm(c, c->lambda, c->delta);
    }
    omi_factorize(&c->factor, 0, OMI_EPS, 1);
    omi_least_norm(c, c->lambda, c->delta);
}

/* After omi_forward_dynamics: c->lambda as joints are loaded. */
void omi_reactions(omi_context *c) {
    if (c->incoming > 0.0) {
        omi_solve(&c->factor, 0, c->goal_acc, c->rounds, c->delta, c->rhs);
        for (int r = 0; r < c->is->rows; ++r)
            if (c->active[r]) c->lambda[r] -= c->rhs[r];
    }
    omi_least_force(c);
}

/* Add what the forces c->lambda do to the connected bodies of joints in some seconds, N s, and N m s
 * about the joint frame's origin: a distance pulls at the connected origin, which is off by the gap.
 * With the elements but for drives, or without. Afterwards c->lambda is worth nothing. */
void omi_add_wrench(omi_context *c, double time, int elements, double *wrench) {
    const omi_island *is = c->is;
    for (int e = 0; e < is->elements && elements; ++e) {
        int r = is->element_row[e];
        if (!is->is_drive[e]) c->lambda[r] += c->element_force[e] * c->rows.stretch[r];
    }
    for (int r = 0; r < is->rows; ++r) {
        double *out = wrench + 6 * c->row_joint[r], push[3], about[3];
        int k = is->coordinate[r], is_angular = k >= 3 && (k < OMI_LINE || k > OMI_POINT);
        for (int i = 0; i < 3; ++i) push[i] = time * c->lambda[r] * c->rows.along[3 * r + i];
        cross(about, c->rows.gap + 3 * c->row_joint[r], push);
        for (int i = 0; i < 3; ++i) out[3 * is_angular + i] += push[i], out[3 + i] += is_angular ? 0.0 : about[i];
    }
}
