/* SPDX-License-Identifier: MIT */
/* Impulses of many points by turns: each for itself with the others as they are (Jourdan, Alart, Jean 1998: Gauss and
 * Seidel's method), then normals and bounds at once (cones.c), and by turns again. A turn takes a product for each
 * number of A that is not 0, a factor many more, and Newton's method many factors. Each impulse is changed to
 * where it takes most energy, so turns may be cut off: what is left rubs a little less or more than it
 * should, and what pushes is met by the rounds of RATTLE in which nothing rubs. Of few points turns find
 * what sticks where Newton's method does not.
 */
#include "context.h"

#include "elementary.h"

/* More numbers go by turns: a pyramid of 21 boxes took 11 s a frame at once, and takes 0.05 so. */
#define LARGE 160
/* Turns before and after the solution of what pushes. Once: thrice took twice the time in a heap of 100 boxes. */
#define TURNS 15

/* Change an impulse, and all rates with it; returns by how much its own rate changes. */
static double change(omi_pushes *p, int i, double by) {
    if (by == 0.0) return 0.0;
    p->next[i] += by;
    omi_add_row(p, i, by, p->rate);
    return fabs(by) * omi_response(p, i, i);
}

/* One turn over all, or over what is not across contacts; returns the largest change of a rate. */
static double take_turn(omi_pushes *p, int rubs) {
    double most = 0.0;
    for (int i = 0; i < p->all; i += omi_numbers(p, i)) {
        int t = i + 1;
        double own = omi_response(p, i, i);
        if (own > 0.0) most = fmax(most, change(p, i, fmax(-p->next[i], -p->rate[i] / own)));
        if (p->contact[i] < 0 || !rubs) continue;
        double l = p->mu[i] * p->next[i], both = omi_response(p, t, t) + omi_response(p, t + 1, t + 1);
        double step = 1.0 / (both + 1e-300), x[2];
        for (int k = 0; k < 2; ++k) x[k] = p->next[t + k] - step * p->rate[t + k];
        double size = sqrt(x[0] * x[0] + x[1] * x[1]), part = size > l ? l / size : 1.0;
        for (int k = 0; k < 2; ++k) most = fmax(most, change(p, t + k, part * x[k] - p->next[t + k]));
    }
    return most;
}

/* So many turns from the impulses in p->next at most, until rates change by less; returns how many it took. */
int omi_take_turns(omi_pushes *p, int most, double settled, int rubs) {
    int turns = 0;
    omi_respond(p, p->next, p->rate);
    for (int i = 0; i < p->all; ++i) p->rate[i] += p->base[i];
    while (turns < most && !(take_turn(p, rubs) < settled)) ++turns;
    return turns;
}

/* Where many rub: all by turns, normals and bounds at once, and all by turns. */
static void solve_by_turns(omi_pushes *p) {
    double part = omi_part_that_serves(p);
    for (int i = 0; i < p->all; ++i) p->next[i] *= part;
    if (omi_take_turns(p, TURNS, OMI_SLIPS, 1)) {
        omi_solve_at_once(p, 0);
        omi_take_turns(p, TURNS, OMI_SLIPS, 1);
    }
    for (int i = 0; i < p->all; i += omi_numbers(p, i)) {
        int t = i + 1;
        if (p->contact[i] < 0) continue;
        double most = p->mu[i] * p->next[i], square = p->next[t] * p->next[t] + p->next[t + 1] * p->next[t + 1];
        p->mode[i] = square < most * most * (1.0 - 1e-9) ? OMI_STICKS : OMI_SLIDES;
    }
}

/* Impulses into p->next, from p->push, of all that takes part; p->base: rates without any of them. What
 * is across contacts changes only where it rubs. */
void omi_solve_pushes(omi_pushes *p, int rubs) {
    omi_copy(p->next, p->push, p->all);
    if (rubs && p->all > LARGE) solve_by_turns(p);
    else omi_solve_at_once(p, rubs);
    for (int i = 0; i < p->all; i += omi_numbers(p, i)) {
        p->pushes[i] = p->next[i] > 0.0;
        if (p->contact[i] >= 0 && rubs) p->pushes[i + 1] = p->pushes[i + 2] = p->mode[i] == OMI_STICKS;
    }
}
