/* SPDX-License-Identifier: MIT */
/* Impulses of many points by turns: each for itself with the others as they are (Jourdan, Alart, Jean 1998: Gauss and
 * Seidel's method). Each is changed to where it takes most energy, so turns may be cut off: what is left rubs a
 * little less or more than it should. How all that takes part is solved for hangs on how many numbers it has, three a
 * contact and one a bound:
 *
 *     numbers      in an island that has rows                          in one that has none
 *     to 130       exact, at once by Newton's method (cones.c)         exact, at once
 *     to 160       exact, at once                                      soft, by turns alone
 *     to 300       turns, normals and bounds exactly, turns            soft, by turns alone
 *     more         soft, by turns alone                                soft, by turns alone
 *
 * 160 is LARGE (and without friction all that is exact goes at once); 130 and 300 are OMI_HEAP and OMI_MANY of
 * context.h. pushes.c decides whether contacts are soft, omi_solve_pushes the rest. At once, too, turns find what sticks where Newton's method does not.
 *
 * Where contacts are soft, A is not made: each turn needs only what an impulse does to the bodies that it
 * moves. Turns that are cut off leave a wall shaking, as what one step is off by is a speed in the next. So contacts
 * are soft then, as if a spring and damper held them (Catto 2014), taken implicitly, of w = a / h and the damping
 * ratio z. With an impulse l, its own response A and its gap g,
 *
 *     rate = -a / (2 z + a) g / h - A l / (a (2 z + a)),     a = 5, z = 30:
 *
 * ten cubes of 0.5 m sink by 0.09 mm in all, and heaps come to rest. With a = pi/2 and z = 10 a gram below a
 * kilogramme sinks by 17 mm; with a tenth of what is soft now a tower of ten shakes. Impulses of the whole step meet
 * the rates at its end without that law: what pushed apart too much is taken back, so no energy comes of it.
 */
#include "context.h"

/* More numbers, where they are not soft, go by turns: at once 21 boxes in a pyramid took 11 s a frame, and so 0.05. */
#define LARGE 160
/* Turns before and after the solution of what pushes, where there is one. What is soft takes as many for the end of a
 * step, and twice as many for its way: ten times as many leave a heap no quieter; with ten a gram sinks twice as deep. */
#define TURNS 12

/* What impulses of all that takes part do to bodies, into p->motion; to what no force moves none. */
void omi_set_motion(const omi_pushes *p, const double *l) {
    for (int k = 0; k < 6 * (p->is->bodies + p->is->others); ++k) p->motion[k] = 0.0;
    for (int i = 0; i < p->all; i += omi_numbers(p, i)) omi_add_replies(p, i, omi_numbers(p, i), l + i, p->motion);
}

/* omi_push_rate of p->motion, in which what no force moves has none, so it need not be asked for. */
static double rate_of(const omi_pushes *p, int i) {
    const double *entry = p->entry + 12 * i, *of = p->motion;
    const int *body = p->body + 2 * i;
    return p->base[i] + (dot_six(entry, of + 6 * body[0]) + dot_six(entry + 6, of + 6 * body[1]));
}

/* One turn over all, or over what is not across contacts; returns the largest change of a rate. */
static double take_turn(omi_pushes *p, int rubs) {
    double most = 0.0;
    for (int i = 0, count; i < p->all; i += count) {
        double soft = p->contact[i] >= 0 ? p->softness * p->own[i] : 0.0, own = p->own[i] + soft, by[3] = {0.0};
        count = omi_numbers(p, i);
        if (own > 0.0) by[0] = fmax(-p->next[i], -(rate_of(p, i) + soft * p->next[i]) / own);
        if (count > 1 && rubs) {
            double l = p->mu[i] * (p->next[i] + by[0]), step = 1.0 / (p->own[i + 1] + p->own[i + 2] + 1e-300), x[3];
            for (int k = 1; k < 3; ++k)
                x[k] = l > 0.0 ? p->next[i + k] - step * (rate_of(p, i + k) + by[0] * p->beside[i + k]) : 0.0;
            double size = sqrt(x[1] * x[1] + x[2] * x[2]), part = size > l ? l / size : 1.0;
            for (int k = 1; k < 3; ++k) by[k] = part * x[k] - p->next[i + k];
        }
        if (by[0] == 0.0 && by[1] == 0.0 && by[2] == 0.0) continue;
        omi_add_replies(p, i, rubs ? count : 1, by, p->motion);
        for (int k = 0; k < count; ++k) p->next[i + k] += by[k], most = fmax(most, fabs(by[k]) * p->own[i + k]);
    }
    return most;
}

/* So many turns from the impulses in p->next at most, until rates change by less; returns whether those did not do. */
int omi_take_turns(omi_pushes *p, int most, double settled, int rubs) {
    int turns = 0;
    omi_set_motion(p, p->next);
    while (turns < most && !(take_turn(p, rubs) < settled)) ++turns;
    return turns;
}

/* Where many rub: all by turns, and what pushes at once between them. */
static void solve_by_turns(omi_pushes *p, int rubs) {
    double part = omi_part_that_serves(p);
    for (int i = 0; i < p->all; ++i) p->next[i] *= part;
    if (!omi_take_turns(p, p->softness > 0.0 ? 2 * TURNS : TURNS, OMI_SLIPS, rubs) || p->many) return;
    omi_solve_at_once(p, 0);
    omi_take_turns(p, TURNS, OMI_SLIPS, 1);
}

/* Impulses into p->next, from p->push, of all that takes part; p->base: rates without any of them. What
 * is across contacts changes only where it rubs: with its static friction where the contact stuck when it was last
 * solved for, in the step or the round before, else with its dynamic one. What sticks now is noted for the next. */
void omi_solve_pushes(omi_pushes *p, int rubs, enum omi_acts acts) {
    p->softness = p->many && acts == OMI_ACTS ? OMI_GIVES : 0.0;
    for (int i = 0; i < p->all; ++i) p->next[i] = (acts == OMI_ACTS_HALF ? 2.0 : 1.0) * p->push[i];
    for (int i = 0; i < p->all; i += omi_numbers(p, i))
        if (p->contact[i] >= 0) p->mu[i] = p->friction[2 * i + !p->pushes[i + 1]];
    int turns = p->many || (rubs && p->all > LARGE);
    if (turns) solve_by_turns(p, rubs);
    else omi_solve_at_once(p, rubs);
    for (int i = 0; i < p->all; i += omi_numbers(p, i)) {
        double most = p->mu[i] * p->next[i], *x = p->next + i + 1;
        p->pushes[i] = p->next[i] > 0.0;
        if (p->contact[i] < 0 || !rubs) continue;
        /* What turns have cut to the cone slides, but for rounding. */
        int sticks = turns ? x[0] * x[0] + x[1] * x[1] < most * most * (1.0 - 1e-9) : p->grip[i] == OMI_STICKS;
        p->pushes[i + 1] = p->pushes[i + 2] = sticks;
    }
}
