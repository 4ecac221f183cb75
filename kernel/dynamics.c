/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accelerations at a moment. */
#include "algebra.h"
#include "context.h"

/* Weights and gyroscopic torques. */
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

/* Forces of elements. Those that are too stiff to be followed are rows: with the row's value y, the
 * force is where it would be after the time T to come, law(y + T y' + T^2 y'', y' + T y''), so
 * nothing in it is faster than T, and it only ever takes energy away. */
static int elements(omi_context *c) {
    const omi_island *is = c->is;
    double time = c->give;
    int implicit = 0;
    for (int r = 0; r < is->rows; ++r) {
        c->load[r] = c->compliance[r] = c->rhs[r] = 0.0;
        c->servo[r] = 0;
    }
    for (int e = 0; e < is->elements; ++e) {
        int r = is->element_row[e], mode = c->st->mode[e];
        double value = c->rows.value[r], rate = c->rows.rate[r];
        c->element_force[e] = 0.0;
        if (!mode) continue;
        if (mode == 3 || mode == -3 || !c->st->stiff[e] || c->active[r])
            c->element_force[e] = omi_law(c, e, mode, value, rate);
        else {
            c->servo[r] = implicit = 1;
            c->compliance[r] += (is->stiffness[e] * time * time + is->damping[e] * time) * c->st->scale[e];
            c->rhs[r] += omi_law(c, e, mode, value + time * rate, rate);
        }
        c->load[r] += c->element_force[e] * c->rows.stretch[r];
    }
    return implicit;
}

/* Forces of implicit elements, now that accelerations are known. */
static void follow_up(omi_context *c) {
    const omi_island *is = c->is;
    double time = c->give;
    for (int e = 0; e < is->elements; ++e) {
        int r = is->element_row[e], mode = c->st->mode[e];
        if (!c->servo[r] || !c->st->stiff[e] || (mode != 1 && mode != -1)) continue;
        double bent = c->rows.drift[r] + omi_pull(c, r, c->acc);
        double rate = c->rows.rate[r] + time * bent;
        c->element_force[e] = omi_law(c, e, mode, c->rows.value[r] + time * rate, rate);
    }
}

/* What the last multipliers leave of the rows, by the factor of nearby. */
static void correct(omi_context *c, double *multiplier) {
    const omi_island *is = c->is;
    omi_copy(c->acc, c->force, 6 * is->bodies);
    omi_add_forces(&c->factor, multiplier, c->acc);
    for (int r = 0; r < is->rows; ++r)
        if (c->active[r]) c->rhs[r] -= omi_pull(c, r, c->acc) + c->compliance[r] * multiplier[r];
    omi_solve(&c->factor, 0, c->rhs, 0, c->delta, c->factor.multiplier);
    for (int i = 0; i < 6 * is->bodies; ++i) c->acc[i] += c->delta[i];
    for (int r = 0; r < is->rows; ++r) c->lambda[r] = multiplier[r] + c->factor.multiplier[r];
}

void omi_accelerate(omi_context *c, double *multiplier, int again) {
    const omi_island *is = c->is;
    int is_factored = is->closed && omi_slip(c) > HOLDS;
    if (is_factored) {
        omi_bring(c, c->little, c->held_rate, c->rows.rate, 0);
        for (int i = 0; i < 6 * is->bodies; ++i) c->vel[i] += c->delta[i];
        omi_look(c, c->x, c->rot, c->vel);
    }
    free_forces(c);
    int implicit = elements(c);
    for (int r = 0; r < is->rows; ++r) {
        if (c->load[r] != 0.0)
            omi_push(is, c->row_joint[r], c->rows.entry + 12 * r, c->load[r], c->force);
        if (c->servo[r]) {
            double k = fmax(c->compliance[r], 1e-300);
            c->rhs[r] = c->rhs[r] / k - c->rows.drift[r];
            c->compliance[r] = 1.0 / k;
            c->active[r] = 1;
        } else {
            c->rhs[r] = c->held_acc[r] - c->rows.drift[r];
        }
    }
    if (again) {
        correct(c, multiplier);
    } else {
        if (!is_factored || implicit)
            omi_factorize(&c->factor, implicit ? c->compliance : 0, c->little, 0);
        omi_solve(&c->factor, c->force, c->rhs, c->rounds, c->acc, c->lambda);
        omi_least_norm(c, c->delta);
    }
    if (multiplier) omi_copy(multiplier, c->lambda, is->rows);
    if (!implicit) return;
    follow_up(c);
    for (int r = 0; r < is->rows; ++r)
        if (c->servo[r]) {
            c->active[r] = 0;
            c->lambda[r] = 0.0;
        }
}

void omi_joint_loads(omi_context *c) {
    if (c->off > 0.0) {
        omi_solve(&c->factor, 0, c->held_acc, c->rounds, c->delta, c->rhs);
        for (int r = 0; r < c->is->rows; ++r)
            if (c->active[r]) c->lambda[r] -= c->rhs[r];
    }
    omi_share_evenly(c);
}
