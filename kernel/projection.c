/* SPDX-License-Identifier: MIT */
/* Poses and velocities onto the active rows, in the metric of inertia.
 *
 * The least scaled change D with E D = g - y (to first order) is
 *
 *     D = E^T l,   E E^T l = g - y,
 *
 * one Newton step of a projection (Hairer, Lubich, Wanner 2006, IV.4); scaled, it is least in the
 * sum of m dx^2 + I dphi^2, so light bodies give way to heavy ones. Velocities are linear in it and
 * take one. Rows that contradict each other make the step diverge: from a given round on the
 * square of the residual, over the size, takes the place of eps as damping (Levenberg 1944,
 * Marquardt 1963, with the residual as the parameter: Yamashita, Fukushima 2001).
 */
#include "context.h"

/* Move bodies of a pose by scaled displacements, rotations about body axes. */
void omi_displace(const omi_island *is, double *x, double *rot, const double *by) {
    for (int b = 0; b < is->bodies; ++b) {
        double t[3];
        for (int i = 0; i < 3; ++i) {
            x[3 * b + i] += by[6 * b + i] / is->roots[6 * b + i];
            t[i] = by[6 * b + 3 + i] / is->roots[6 * b + 3 + i];
        }
        turn_on(rot + 9 * b, rot + 9 * b, t);
    }
}

/* Put the others, whose motion is prescribed, where their constant velocities lead in some time. */
void omi_prescribe(const omi_context *c, const double *x0, const double *rot0, double *x, double *rot,
                   double time) {
    const omi_island *is = c->is;
    for (int b = is->bodies; b < is->bodies + is->others; ++b) {
        const double *u = c->other + 6 * (b - is->bodies);
        double t[3], step[9], out[9];
        for (int k = 0; k < 3; ++k) x[3 * b + k] = x0[3 * b + k] + time * u[k], t[k] = time * u[3 + k];
        exponential(step, t);
        product(out, step, rot0 + 9 * b);
        omi_copy(rot + 9 * b, out, 9);
    }
}

static void project(omi_context *c, const double *wanted, const double *are, int rounds) {
    for (int r = 0; r < c->is->rows; ++r) c->rhs[r] = wanted[r] - are[r];
    omi_solve(&c->factor, 0, c->rhs, rounds, c->delta, c->lambda);
}

/* Into c->delta: what takes the active rows, as evaluated, from what they are to what is wanted.
 * Into c->lambda: the multipliers that do it. */
void omi_project(omi_context *c, double eps, const double *wanted, const double *are, int rounds) {
    omi_factorize(&c->factor, 0, eps, 0);
    project(c, wanted, are, rounds);
}

/* A pose, which was evaluated, onto the goals in some rounds at most; those after `undamped` are
 * damped. Returns the residual. In trees the factor of where it began is good enough throughout. */
double omi_project_pose(omi_context *c, double *x, double *rot, const double *v, int rounds,
                        int undamped, int proximal) {
    double off = omi_residual(c);
    for (int round = 0; round < rounds && !(off < HOLDS); ++round) {
        int damped = round >= undamped;
        double eps = damped ? fmax(OMI_EPS, off * off / (c->is->size * c->is->size)) : c->eps;
        if (c->is->closed || damped || !c->is_factored) omi_factorize(&c->factor, 0, eps, 0);
        project(c, c->goal, c->rows.value, damped ? 0 : proximal);
        c->is_factored = 1;
        omi_displace(c->is, x, rot, c->delta);
        omi_evaluate(c, x, rot, v);
        off = omi_residual(c);
    }
    return off;
}

/* Velocities, at which rows were evaluated, onto the rates of the goals. */
void omi_project_velocity(omi_context *c, double *v) {
    if (c->is->closed || !c->is_factored) omi_factorize(&c->factor, 0, c->eps, 0);
    project(c, c->goal_rate, c->rows.rate, c->rounds);
    for (int i = 0; i < 6 * c->is->bodies; ++i) v[i] += c->delta[i];
    for (int r = 0; r < c->is->rows; ++r) c->rows.rate[r] += omi_row_rate(c, r, c->delta);
}
