/* SPDX-License-Identifier: MIT */
/* When inside of a step something changes: a bound is passed (its row becomes active), or a row at a bound
 * pulls (it is active no longer); an element begins, ends, or comes to its largest force or from it.
 *
 * Values and rates of rows follow the polynomial of degree four through start, stages and end,
 * forces the one through the stages. The first change is sought on a grid of the step, and bisected;
 * the step is then taken again to just there (output_step.c), where touching.c says what bears.
 */
#include "context.h"

#define S OMI_STAGES
#define NODES 5
/* Of a step: what begins and ends within one is not seen, as little as it does there. Two or 160
 * parts leave all known motions as they are. */
#define PARTS 16
/* Of a part: to 2^-49 of the step, where rounding begins; more changes nothing, and with four a soft
 * stop is met 16 % less exactly. */
#define BISECTIONS 45
/* Of the largest force at that moment: rounding of forces that cancel. */
#define PULL 1e-9
static const double NODE[NODES] = {0.0, 0.11270166537925831, 0.5, 0.8872983346207417, 1.0};

/* Lagrange's polynomials of some nodes at a moment, and their slopes. */
void omi_lagrange(const double *node, int count, double t, double *out, double *slope) {
    for (int j = 0; j < count; ++j) {
        out[j] = 1.0;
        slope[j] = 0.0;
        for (int k = 0; k < count; ++k) {
            if (k == j) continue;
            double width = node[j] - node[k];
            slope[j] = (slope[j] * (t - node[k]) + out[j]) / width;
            out[j] *= (t - node[k]) / width;
        }
    }
}

static int is_watched(const omi_context *c, int r) {
    return c->is->kind[r] != OMI_LOCK && (c->is->low[r] > -INFINITY || c->is->high[r] < INFINITY);
}

/* Value or rate of a row at a moment: p are the polynomials there. */
static double interpolated(const double *p, const double *start, const double *stage,
                           const double *end, int rows, int r) {
    return p[0] * start[r] + p[1] * stage[r] + p[2] * stage[rows + r] + p[3] * stage[2 * rows + r] +
           p[4] * end[r];
}

/* The mode that an element should have. One that is too stiff to be followed is implicit, so it is
 * asked about where it goes within its horizon (dynamics.c); on a row at its bound it goes nowhere. */
static int mode_at(omi_context *c, int e, const double *p, const double *slope) {
    int r = c->is->element_row[e], rows = c->is->rows;
    double value = interpolated(p, c->start_value, c->stage_value, c->end_value, rows, r);
    double rate = interpolated(p, c->start_rate, c->stage_rate, c->end_rate, rows, r);
    if (!c->st->stiff[e] || c->st->side[r]) return omi_element_mode(c, e, value, rate, value, rate);
    double bent = interpolated(slope, c->start_rate, c->stage_rate, c->end_rate, rows, r) / c->h;
    double later = rate + c->horizon * bent;
    return omi_element_mode(c, e, value, rate, value + c->horizon * later, later);
}

/* Whether anything is no longer as at the start of the step; modes of elements go to c->flip. */
static int changes_at(omi_context *c, double t, double pull) {
    const omi_island *is = c->is;
    const int *side = c->st->side;
    double p[NODES], slope[NODES], q[S], unused[S];
    int found = 0;
    omi_lagrange(NODE, NODES, t, p, slope);
    omi_lagrange(NODE + 1, S, t, q, unused);
    for (int r = 0; r < is->rows; ++r) {
        if (!is_watched(c, r)) continue;
        if (side[r]) {
            double force = 0.0;
            for (int s = 0; s < S; ++s) force += q[s] * c->stage_lambda[s * is->rows + r];
            if (force * side[r] > pull && !omi_is_brought_in(c, r)) found = 1;
        } else {
            double value = interpolated(p, c->start_value, c->stage_value, c->end_value, is->rows, r);
            if (omi_side_beyond(c, r, value, t * c->h, HOLDS)) found = 1;
        }
    }
    for (int e = 0; e < is->elements; ++e) {
        c->flip[e] = mode_at(c, e, p, slope);
        if (c->flip[e] != c->st->mode[e]) found = 1;
    }
    return found;
}

/* The force above which a bound counts as pulling, N or N m: a part of the largest there, 1e-12 at least. */
double omi_pull_limit(const double *force, int count) {
    double most = 0.0;
    for (int i = 0; i < count; ++i) most = fmax(most, fabs(force[i]));
    return 1e-12 + PULL * most;
}

/* When in (0, 1] of the step something changes first; 2 if nothing does. */
double omi_locate_event(omi_context *c) {
    const omi_island *is = c->is;
    double low = 0.0, high = 0.0;
    int watched = is->elements;
    for (int r = 0; r < is->rows && !watched; ++r) watched = is_watched(c, r);
    if (!watched) return 2.0;
    double pull = omi_pull_limit(c->stage_lambda, S * is->rows);
    do {
        if (high >= 1.0) return 2.0;
        low = high;
        high += 1.0 / PARTS;
    } while (!changes_at(c, high, pull));
    for (int i = 0; i < BISECTIONS; ++i) {
        double middle = 0.5 * (low + high);
        *(changes_at(c, middle, pull) ? &high : &low) = middle;
    }
    changes_at(c, high, pull);
    return high;
}
