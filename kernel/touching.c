/* SPDX-License-Identifier: MIT */
/* Bounds that are touched: velocities after the impact, and which of them bear afterwards.
 *
 * These are bounds of joints; contacts of shapes are in contacts.c and pushes.c. Restitution is zero. With impulses l
 * of touched bounds that push off them, and rates c at which rows leave them, measured from how the bounds themselves
 * go,
 *
 *     l >= 0,   c >= 0,   l c = 0,    V+ = V + E^T l        (signs by the side)
 *
 * is a linear complementarity problem. It is solved by pivoting (Murty 1974, all at once where more
 * than one is wrong): what pulls leaves the active set, and if nothing does, what would be passed
 * enters it. The same is done with forces and accelerations for what is at rest there. The number of
 * pivots is bounded; what goes round in circles is left as it is, and is an event again at once,
 * until output_step.c goes on by RATTLE, or at first order.
 */
#include "context.h"

/* With ten times what follows or a tenth ragdolls, chains at their limits and four-bars are the same
 * to 1e-9 m after 3 s: it is far below what bodies have, and above rounding.
 *
 * m/s or rad/s: a bound that is left more slowly is rested on. */
#define STILL 1e-6
/* m/s or rad/s: what comes to a bound as fast hits it, and what passes it as fast afterwards is hit. */
#define APPROACHES 1e-9
#define PASSES_BY 1e-7
/* m/s^2 or rad/s^2: what would pass a bound as fast presses. It is rounding: weights are far more. */
#define PRESSES 1e-9

/* Take touched bounds that pull out of the active ones; whether there were any. */
static int release_pulling(omi_context *c) {
    const omi_island *is = c->is;
    double pull = omi_pull_limit(c->lambda, is->rows);
    int changed = 0;
    for (int r = 0; r < is->rows; ++r)
        if (c->touched[r] && c->active[r] && c->lambda[r] * c->touched[r] > pull &&
            !(c->st->span[OMI_AGE] > 0.0 && omi_is_brought_in(c, r)))
            c->active[r] = 0, changed = 1;
    return changed;
}

/* Put touched bounds that rates or accelerations would pass into the active ones: `change` of bodies
 * on top of `base`, beyond `own` of the bound itself. at_rest: only what is still. */
static int add_passed(omi_context *c, const double *change, const double *base, const double *own,
                   double slack, int at_rest) {
    const omi_island *is = c->is;
    int changed = 0;
    for (int r = 0; r < is->rows; ++r) {
        if (!c->touched[r] || c->active[r]) continue;
        if (at_rest && fabs(c->rows.rate[r] - c->goal_rate[r]) > STILL) continue;
        double x = base[r] - own[r] + omi_row_rate(c, r, change);
        if (x * c->touched[r] > slack) c->active[r] = changed = 1;
    }
    return changed;
}

/* The touched bounds; active are those that are hit or rested on. */
static void find_touched(omi_context *c) {
    const omi_island *is = c->is;
    omi_state *st = c->st;
    omi_evaluate(c, st->position, st->rotation, st->velocity);
    for (int r = 0; r < is->rows; ++r) {
        int lock = is->kind[r] == OMI_LOCK;
        c->touched[r] = lock ? 0 : omi_side_beyond(c, r, c->rows.value[r], 0.0, -TOUCH);
        c->active[r] = lock || (c->touched[r] && st->side[r]);
        st->side[r] = c->touched[r]; /* of all, as goals go by sides, and each may be active in a while */
    }
    omi_set_goals(c, 0.0);
    for (int r = 0; r < is->rows; ++r)
        if (c->touched[r] * (c->rows.rate[r] - c->goal_rate[r]) > APPROACHES) c->active[r] = 1;
}

/* Velocities after the impact into the state; impulses of joints, if they are asked for. */
static void impact(omi_context *c, double *wrench) {
    const omi_island *is = c->is;
    for (int round = 0; round < 4 * is->rows + 4; ++round) {
        omi_project(c, c->eps, c->goal_rate, c->rows.rate, c->rounds);
        if (release_pulling(c)) continue;
        if (!add_passed(c, c->delta, c->rows.rate, c->goal_rate, PASSES_BY, 0)) break;
    }
    for (int i = 0; i < 6 * is->bodies; ++i) c->st->velocity[i] += c->delta[i];
    if (!wrench) return;
    omi_least_force(c);
    omi_add_wrench(c, 1.0, 0, wrench);
}

/* Which of the touched bounds bear, by forces and accelerations: those that are active then. */
static void find_bearing(omi_context *c) {
    const omi_island *is = c->is;
    const omi_state *st = c->st;
    omi_evaluate(c, st->position, st->rotation, st->velocity);
    for (int r = 0; r < is->rows; ++r)
        c->active[r] = is->kind[r] == OMI_LOCK ||
                       (c->touched[r] && fabs(c->rows.rate[r] - c->goal_rate[r]) < STILL);
    omi_copy_pose(is, c->x, c->rot, st->position, st->rotation);
    for (int round = 0; round < 4 * is->rows + 4; ++round) {
        omi_copy(c->vel, st->velocity, 6 * is->bodies);
        omi_evaluate(c, c->x, c->rot, c->vel);
        omi_forward_dynamics(c, 0, 0);
        if (!release_pulling(c) && !add_passed(c, c->acc, c->rows.drift, c->goal_acc, PRESSES, 1)) break;
    }
}

/* Let bounds that are touched stop what goes on into them, and say which of them bear from here on:
 * velocities and sides of the state. wrench: [joints][6] to which impulses are added, or 0. */
void omi_touch(omi_context *c, double *wrench) {
    find_touched(c);
    impact(c, wrench);
    find_bearing(c);
    for (int r = 0; r < c->is->rows; ++r)
        c->st->side[r] = c->active[r] ? c->touched[r] : 0;
}
