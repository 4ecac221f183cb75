/* SPDX-License-Identifier: MIT */
/* Forces in half a step of RATTLE: weights, springs, soft limits and drives.
 *
 * Elements act by their law F at both ends of a step, their damping d implicit at the second:
 *
 *     l = h/2 F(y, y')   and   l = h/2 F(y+, y'+),   E dV + l / K = h/2 F(y+, y') / K,   K = h/2 d,
 *
 * which is the trapezoidal rule, and only takes energy. One whose phase goes by more than FAST in a step
 * acts at the end alone, for all of it and as it will be a time T later, a step or the horizon of what
 * is too stiff to be followed: l = h F(y + T y'+, y'+), with K = h (T k + d); but a drive of a speed
 * alone at its largest force, which is a constant, acts at the start, too, and at the end for what is left: else what rubs
 * would bear but half of it. One to a position would change its mode in each step.
 *
 * A drive of a speed s alone that is as fast acts while positions are met, too, as a row that gives way with K = h/2 d,
 *
 *     E dV + l / K = s - y',
 *
 * and at the end as any other. Else what rubs within the step would hold back what it drives by F h / 2m.
 * And what rows are expected to bear in the step after one.
 */
#include "context.h"

/* rad in a step. */
#define FAST 1.0

/* How far ahead an element is looked at that acts at the end alone, here and at first order; what is too stiff to be followed
 * gives way no faster than elsewhere (dynamics.c). */
double omi_ahead(const omi_context *c, int e, double h) { return c->st->stiff[e] ? fmax(h, c->horizon) : h; }

static int is_fast(const omi_context *c, int e, double h) { return !(c->omega[e] * h < FAST); }

/* Whether an element is a drive of a speed that acts while positions are met. */
static int is_driving(const omi_context *c, int e, double h) {
    int r = c->is->element_row[e];
    return c->is->is_drive[e] && c->is->stiffness[e] == 0.0 && c->st->mode[e] == 1 && !c->active[r] && is_fast(c, e, h);
}

/* The factor of locks and of such drives, for steps of h seconds. */
void omi_factor_positions(omi_context *c, double h) {
    const omi_island *is = c->is;
    for (int r = 0; r < is->rows; ++r) c->holds[r] = c->active[r], c->drive_soft[r] = c->drive_rate[r] = 0.0;
    for (int e = 0; e < is->elements; ++e) {
        int r = is->element_row[e];
        double k = is_driving(c, e, h) ? 0.5 * h * is->damping[e] * c->st->scale[e] : 0.0;
        c->drive_soft[r] += k;
        c->drive_rate[r] += k * is->speed[e];
    }
    for (int r = c->are_driven = 0; r < is->rows; ++r) {
        if (!(c->drive_soft[r] > 0.0)) c->driven[r] = 0.0;
        else c->holds[r] = c->are_driven = 1, c->drive_rate[r] *= c->drive_soft[r] = 1.0 / c->drive_soft[r];
    }
    c->factor.active = c->holds;
    omi_factorize(&c->factor, c->are_driven ? c->drive_soft : 0, c->eps, 0);
    c->factor.active = c->active;
}

/* By how much rates of what is driven have to change, into c->rhs. */
void omi_find_drive_defects(omi_context *c) {
    if (!c->are_driven) return;
    for (int i = 0; i < 6 * c->is->bodies; ++i) c->delta[i] = c->vel[i] - c->start_velocity[i];
    for (int r = 0; r < c->is->rows; ++r)
        if (c->holds[r] && !c->active[r])
            c->rhs[r] = c->drive_rate[r] - c->rows.rate[r] - omi_row_rate(c, r, c->delta) - c->driven[r] * c->drive_soft[r];
}

/* The impulse of an element in its mode in half a step of h seconds, with the rate of its row; *yield: K, by how much
 * the impulse is less for each m/s or rad/s. One that is fast acts in the second half alone, for all, unless it drives
 * at a speed: by its law (is_driving), or by its largest force. */
static double element_impulse(const omi_context *c, int e, double h, double rate, int at_end, double *yield) {
    const omi_island *is = c->is;
    int mode = c->st->mode[e], r = is->element_row[e], law = mode == 1 || mode == -1, fast = is_fast(c, e, h);
    if (!at_end) c->acted[e] = fast && (law || !mode || is->stiffness[e] > 0.0) ? 0.0 : 0.5 * h;
    double time = !at_end ? c->acted[e] : is_driving(c, e, h) ? 0.5 * h : h - c->acted[e];
    double ahead = fast && law ? omi_ahead(c, e, h) : 0.0;
    *yield = 0.0;
    if (!mode) return 0.0;
    double impulse = time * omi_element_force(c, e, mode, c->rows.value[r] + ahead * rate, rate);
    if (law && at_end && !c->active[r])
        *yield = time * (is->stiffness[e] * ahead + is->damping[e]) * c->st->scale[e];
    return c->active[r] ? fmax(-time * is->max_force[e], fmin(time * is->max_force[e], impulse)) : impulse;
}

/* What forces do in half a step of h seconds, into c->force, and c->rhs at its end: rows that give way
 * are active there, with c->compliance; c->end_rate is where their impulses are summed. Returns whether there are
 * such. */
int omi_half_kick(omi_context *c, double h, int at_end) {
    const omi_island *is = c->is;
    int yields = 0;
    for (int i = 0; i < 6 * is->bodies; ++i) c->force[i] = 0.5 * h * is->weight[i];
    for (int r = 0; r < is->rows; ++r) {
        c->active[r] &= !c->implicit_row[r];
        c->rhs[r] = c->goal_rate[r] - c->rows.rate[r];
        c->compliance[r] = c->end_rate[r] = c->implicit_row[r] = 0;
    }
    for (int e = 0; e < is->elements; ++e) {
        int r = is->element_row[e];
        double yield, impulse = element_impulse(c, e, h, c->rows.rate[r], at_end, &yield);
        if (yield > 0.0) {
            c->implicit_row[r] = yields = 1;
            c->compliance[r] += yield;
            c->end_rate[r] += impulse;
        } else if (impulse != 0.0) {
            impulse *= c->rows.stretch[r];
            omi_apply_row(c, r, impulse, c->force);
        }
    }
    for (int r = 0; r < is->rows; ++r) {
        if (!c->implicit_row[r]) continue;
        c->active[r] = 1;
        c->compliance[r] = 1.0 / c->compliance[r];
        c->rhs[r] = c->end_rate[r] * c->compliance[r];
    }
    return yields;
}

/* Impulses of springs and soft limits in half a step, which joints report as their own. */
void omi_note_elements(omi_context *c, double h, int at_end) {
    for (int e = 0; e < c->is->elements; ++e) {
        int r = c->is->element_row[e];
        double yield, impulse = element_impulse(c, e, h, c->rows.rate[r], at_end, &yield);
        if (!c->is->is_drive[e]) c->impulse[r] += c->rows.stretch[r] * impulse;
    }
}

/* Modes of elements as they should be with c->delta; whether any is another. From its largest force one
 * way to that the other way (3 and -3) it goes by its law (1) first, past which a stiff drive would go by itself. */
int omi_change_modes(omi_context *c, double h) {
    int changed = 0;
    for (int e = 0; e < c->is->elements; ++e) {
        int r = c->is->element_row[e], fast = is_fast(c, e, h);
        double rate = c->rows.rate[r] + omi_row_rate(c, r, c->delta);
        double then = c->rows.value[r] + (fast ? omi_ahead(c, e, h) * rate : 0.0);
        int mode = omi_element_mode(c, e, then, rate, then, rate);
        if (mode * c->st->mode[e] == -9) mode = 1;
        changed |= mode != c->st->mode[e];
        c->st->mode[e] = mode;
    }
    return changed;
}

/* Begin a step of so many seconds with what rows will bear if that goes on as it did in steps of h since anything
 * else began to bear: by its differences backwards (Newton), as one that hangs swings. */
void omi_expect_impulses(omi_context *c, double h, double next, int is_steady) {
    int rows = c->is->rows;
    for (int r = 0; r < rows; ++r) is_steady &= (c->borne[r] != 0.0) == (c->trend[r] != 0.0);
    c->steady = is_steady ? c->steady + 1 : 0;
    for (int r = 0; r < rows; ++r) {
        double change = c->borne[r] / h;
        c->borne[r] *= next / h, c->driven[r] *= next / h;
        for (int k = 0; k < OMI_TREND; ++k) {
            double before = c->trend[rows * k + r];
            c->trend[rows * k + r] = change;
            change -= before;
            if (k < c->steady) c->borne[r] += change * next;
        }
    }
    omi_begin_pushes(c);
}
