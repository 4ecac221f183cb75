/* SPDX-License-Identifier: MIT */
/* Accelerations and forces at a moment.
 *
 *     a = f + E^T (l + F),    E a = b,    b = g'' - drift
 *
 * for active rows, with weights and gyroscopic torques I w x w in f, and forces F of elements: the equations of index
 * 1, as rows are met in their second derivatives (drift is derived in solver/kinematics). An element that is too stiff
 * to be followed (elements.c says which) is implicit: a row with compliance 1 / K. Its force is that of the law F where
 * the row would be after a horizon T, F(y + T y' + T^2 y'', y' + T y''); so with K = k T^2 + d T
 *
 *     y'' + l / K = F(y + T y', y') / K:
 *
 * nothing in it is faster than T, and as of implicit Euler it only ever takes energy away. T is a
 * part of the output step and not of the step, whatever its length: else a step that an event
 * shortens has another law, and a ball comes back from a soft limit nine times as fast.
 *
 * Where joints close loops, velocities are projected onto the rates of the rows first: sweeps of the
 * collocation diverge otherwise. In trees E changes little from one sweep to the next. With the
 * multipliers l and the factor S of E E^T + compliance from the first one, whatever E and f are now,
 *
 *     r = b - E (f + E^T (l + F)) - compliance l,    S dl = r,    l <- l + dl
 *
 * leaves of r the part by which S has changed since, and the first equation holds as it stands.
 */
#include "context.h"

/* Weights and gyroscopic torques into c->force. */
static void free_forces(omi_context *c) {
    const omi_island *is = c->is;
    for (int b = 0; b < is->bodies; ++b) {
        const double *root = is->roots + 6 * b, *v = c->vel + 6 * b, *weight = is->weight + 6 * b;
        double w[3], l[3], g[3];
        for (int i = 0; i < 3; ++i) {
            w[i] = v[3 + i] * c->rows.inverse[6 * b + 3 + i];
            l[i] = v[3 + i] * root[3 + i];
            c->force[6 * b + i] = weight[i];
        }
        cross(g, l, w);
        for (int i = 3; i < 6; ++i)
            c->force[6 * b + i] = g[i - 3] * c->rows.inverse[6 * b + i] + weight[i];
    }
}

/* Forces of elements that are followed, into c->load; of implicit ones K into c->compliance and
 * F(y + T y', y') into c->rhs. Returns whether there are implicit ones. On a row that is rigid
 * now nothing gives way: there the law is as good as any other. */
static int element_loads(omi_context *c) {
    const omi_island *is = c->is;
    double time = c->horizon;
    int implicit = 0;
    for (int r = 0; r < is->rows; ++r) c->load[r] = c->compliance[r] = c->rhs[r] = 0.0, c->implicit_row[r] = 0;
    for (int e = 0; e < is->elements; ++e) {
        int r = is->element_row[e], mode = c->st->mode[e];
        double value = c->rows.value[r], rate = c->rows.rate[r];
        c->element_force[e] = 0.0;
        if (!mode) continue;
        if (mode == 3 || mode == -3 || !c->st->stiff[e] || c->active[r])
            c->element_force[e] = omi_element_force(c, e, mode, value, rate);
        else {
            c->implicit_row[r] = implicit = 1;
            c->compliance[r] += (is->stiffness[e] * time * time + is->damping[e] * time) * c->st->scale[e];
            c->rhs[r] += omi_element_force(c, e, mode, value + time * rate, rate);
        }
        c->load[r] += c->element_force[e] * c->rows.stretch[r];
    }
    return implicit;
}

/* The right side b of rows, and what elements do to bodies; implicit rows are active from here on. */
static void right_side(omi_context *c) {
    for (int r = 0; r < c->is->rows; ++r) {
        if (c->load[r] != 0.0) omi_apply_row(c, r, c->load[r], c->force);
        if (c->implicit_row[r]) {
            double k = fmax(c->compliance[r], 1e-300);
            c->rhs[r] = c->rhs[r] / k - c->rows.drift[r];
            c->compliance[r] = 1.0 / k;
            c->active[r] = 1;
        } else {
            c->rhs[r] = c->goal_acc[r] - c->rows.drift[r];
        }
    }
}

/* Forces of implicit elements, now that accelerations are known; their rows are not counted with
 * those of joints, which would report them twice. */
static void implicit_forces(omi_context *c) {
    const omi_island *is = c->is;
    double time = c->horizon;
    for (int e = 0; e < is->elements; ++e) {
        int r = is->element_row[e], mode = c->st->mode[e];
        if (!c->implicit_row[r] || !c->st->stiff[e] || (mode != 1 && mode != -1)) continue;
        double bent = c->rows.drift[r] + omi_row_rate(c, r, c->acc);
        double rate = c->rows.rate[r] + time * bent;
        c->element_force[e] = omi_element_force(c, e, mode, c->rows.value[r] + time * rate, rate);
    }
    for (int r = 0; r < is->rows; ++r)
        if (c->implicit_row[r]) c->active[r] = 0, c->lambda[r] = 0.0;
}

/* The equations for dl above, from the multipliers nearby. */
static void refine_multipliers(omi_context *c, const double *multiplier) {
    const omi_island *is = c->is;
    omi_copy(c->acc, c->force, 6 * is->bodies);
    omi_apply_all(&c->factor, multiplier, c->acc);
    for (int r = 0; r < is->rows; ++r)
        if (c->active[r]) c->rhs[r] -= omi_row_rate(c, r, c->acc) + c->compliance[r] * multiplier[r];
    omi_solve(&c->factor, 0, c->rhs, 0, c->delta, c->factor.multiplier);
    for (int i = 0; i < 6 * is->bodies; ++i) c->acc[i] += c->delta[i];
    for (int r = 0; r < is->rows; ++r) c->lambda[r] = multiplier[r] + c->factor.multiplier[r];
}

/* Accelerations into c->acc and forces of rigid rows into c->lambda, at the moment c->x, c->rot,
 * c->vel, at which rows were evaluated. multiplier: [rows] of all rows, or 0; again: those of a
 * moment nearby are in it, and c->factor is from there. */
void omi_forward_dynamics(omi_context *c, double *multiplier, int again) {
    const omi_island *is = c->is;
    int is_projected = is->closed && omi_rate_residual(c) > HOLDS;
    if (is_projected) {
        omi_project(c, c->eps, c->goal_rate, c->rows.rate, 0);
        for (int i = 0; i < 6 * is->bodies; ++i) c->vel[i] += c->delta[i];
        omi_evaluate(c, c->x, c->rot, c->vel);
    }
    free_forces(c);
    int implicit = element_loads(c);
    right_side(c);
    if (again) {
        refine_multipliers(c, multiplier);
    } else {
        if (!is_projected || implicit)
            omi_factorize(&c->factor, implicit ? c->compliance : 0, c->eps, 0);
        omi_solve(&c->factor, c->force, c->rhs, c->rounds, c->acc, c->lambda);
        omi_least_norm(c, c->lambda, c->delta);
    }
    if (multiplier) omi_copy(multiplier, c->lambda, is->rows);
    if (implicit) implicit_forces(c);
}
