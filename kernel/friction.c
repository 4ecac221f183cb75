/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Impulses of all that is near: normals and bounds push, and what is across them rubs.
 *
 * Of a contact with the impulse l >= 0 along its normal and p across it, with rates w and v,
 *
 *     0 <= l,  w >= 0,  l w = 0;     |p| <= mu l,  and p against v where it slides (Coulomb):
 *     p = P(p - r v),  P onto the disc of radius mu l,  for any r > 0 (De Saxce and Feng 1998).
 *
 * Normals, bounds and what sticks are solved at once for the p of what slides (complementarity.c), so
 * that a tonne on a kilogramme costs no more than two kilogrammes; then it is seen what slides, and how
 * far. Where that changes for ROUNDS, all go round by turns, a contact's three numbers together, until
 * no rate changes by SLIPS (Jourdan, Alart, Jean 1998: Gauss and Seidel's method). What sticks does so
 * to the static coefficient, and what has come away from it bears the dynamic one.
 */
#include "context.h"

#include "elementary.h"

/* With 8 and 10 a box at 0.99 of its angle creeps by 5e-3 mm/s instead of 1e-4; with 16 and 40 it takes
 * twice as long and creeps as little. */
#define ROUNDS 3
#define SWEEPS 40
/* m/s and rad/s. */
#define SLIPS 1e-7
/* Rounds of a contact's own fixed point. */
#define OWN 3

/* Change an impulse, and all rates with it; returns by how much its own rate changes. */
static double change(omi_pushes *p, int i, double by) {
    if (by == 0.0) return 0.0;
    p->next[i] += by;
    for (int k = 0; k < p->all; ++k) p->rate[p->item[k]] += p->response[p->room * p->item[k] + i] * by;
    return fabs(by) * p->response[(p->room + 1) * i];
}

/* Impulses across a contact whose normal bears l. */
static double rub(omi_pushes *p, int first, double l, const double *friction) {
    double most = 0.0, *at = p->response + (p->room + 1) * first;
    double a = at[0], b = at[1], d = at[p->room + 1], mean = 0.5 * (a + d);
    double step = 1.0 / (mean + sqrt(0.25 * (a - d) * (a - d) + b * b) + 1e-300);
    double determinant = a * d - b * b, *x = p->next + first, *v = p->rate + first, by[2];
    if (determinant > 1e-12 * mean * mean) {
        by[0] = (b * v[1] - d * v[0]) / determinant;
        by[1] = (b * v[0] - a * v[1]) / determinant;
        double square = (x[0] + by[0]) * (x[0] + by[0]) + (x[1] + by[1]) * (x[1] + by[1]);
        if (square <= friction[0] * l * friction[0] * l)
            return fmax(change(p, first, by[0]), change(p, first + 1, by[1]));
    }
    for (int round = 0; round < OWN; ++round) {
        double y[2] = {x[0] - step * v[0], x[1] - step * v[1]}, size = sqrt(y[0] * y[0] + y[1] * y[1]);
        double part = size > friction[0] * l ? friction[1] * l / fmax(size, 1e-300) : 1.0;
        by[0] = part * y[0] - x[0];
        by[1] = part * y[1] - x[1];
        double moved = fmax(change(p, first, by[0]), change(p, first + 1, by[1]));
        most = fmax(most, moved);
        if (moved < SLIPS) break;
    }
    return most;
}

/* One turn over all; returns the largest change of a rate. */
static double sweep(omi_pushes *p) {
    double most = 0.0;
    for (int i = 0; i < p->solved; ++i) {
        double own = p->response[(p->room + 1) * i];
        if (own > 0.0) most = fmax(most, change(p, i, fmax(-p->next[i], -p->rate[i] / own)));
        if (p->slip[i] >= 0) most = fmax(most, rub(p, p->slip[i], p->next[i], p->friction + 2 * i));
    }
    return most;
}

/* Which contacts stick, after normals and what sticks were solved for; impulses of what slides. Returns
 * whether anything changed. */
static int find_sticking(omi_pushes *p) {
    int changed = 0;
    for (int i = 0; i < p->solved; ++i) {
        int t = p->slip[i];
        if (t < 0) continue;
        double l = p->next[i], *x = p->next + t, still = p->friction[2 * i] * l, slides = p->friction[2 * i + 1] * l;
        double *at = p->response + (p->room + 1) * t, step = 1.0 / (at[0] + at[p->room + 1] + 1e-300);
        int sticks = p->pushes[t];
        double y[2] = {x[0] - (sticks ? 0.0 : step * p->rate[t]), x[1] - (sticks ? 0.0 : step * p->rate[t + 1])};
        double size = sqrt(y[0] * y[0] + y[1] * y[1]);
        p->pushes[t] = p->pushes[t + 1] = size <= still * (sticks ? 1.0 + 1e-9 : 1.0 - 1e-9) && l > 0.0;
        changed |= p->pushes[t] != sticks;
        if (p->pushes[t]) continue;
        for (int k = 0; k < 2; ++k) {
            double now = size > 0.0 ? slides * y[k] / size : 0.0;
            changed |= fabs(now - x[k]) * at[0] > SLIPS;
            x[k] = now;
        }
    }
    return changed;
}

/* Impulses into p->next, from those in it, of all that takes part; p->base: rates without any of them.
 * 0 where normals come to no end; turns that do not are taken as they are. */
int omi_solve_pushes(omi_pushes *p) {
    for (int round = 0; round < ROUNDS; ++round) {
        if (!omi_complement(p)) return 0;
        if (p->all == p->solved || !find_sticking(p)) return 1;
    }
    omi_find_push_rates(p, p->next);
    for (int turn = 0; turn < SWEEPS && !(sweep(p) < SLIPS); ++turn) {}
    return 1;
}
