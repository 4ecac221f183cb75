/* SPDX-License-Identifier: MIT */
/* What follows of poses and velocities before there was a step: coordinates, what is violated, what
 * elements do. An island that is continued (its joints have changed on the way) knows its coordinates
 * but for rounding, and keeps its velocities; else those that joints do not allow are taken out.
 *
 * What is off by more than VIOLATED is an excess, and is brought in (goals.c); it is held at its side
 * from the start. What presses on a bound when it is continued may lie beyond it by PRESSED.
 */
#include "context.h"

/* m or rad: over what mending leaves (solver/reading/mending). Nothing hangs on it: mended poses are
 * off by 1e-12, others by 1e-8 and more, as files are in single precision. */
#define VIOLATED 1e-9
#define PRESSED 1e-6 /* m or rad */
#define FRAME (1.0 / 60.0) /* s: the length of an output step before there was any */

static double outside(double value, double low, double high) {
    return fmax(fmax(low - value, value - high), 0.0);
}

/* Twists begin on the turn on which they are least outside of their ranges. */
static void choose_turns(omi_context *c) {
    const omi_island *is = c->is;
    for (int r = 0; r < is->rows; ++r) {
        double value = c->rows.value[r], least = INFINITY;
        if (is->kind[r] != OMI_FREE || is->coordinate[r] < 3 || is->coordinate[r] >= OMI_LINE) continue;
        for (int turns = 0; turns < 3; ++turns) {
            double v = value + TURN * (turns == 2 ? -1.0 : turns);
            double off = outside(v, is->low[r], is->high[r]);
            for (int e = 0; e < is->elements; ++e)
                if (is->element_row[e] == r && is->one_sided[e])
                    off += outside(v, is->soft_low[e], is->soft_high[e]);
            if (off < least - 1e-9) { /* rad, which is rounding: of even ones the first */
                least = off;
                c->rows.value[r] = v;
            }
        }
    }
}

/* What locks and bounds are violated by, and the sides of the bounds. */
static void find_excess(omi_context *c, double violated) {
    const omi_island *is = c->is;
    omi_state *st = c->st;
    for (int r = 0; r < is->rows; ++r) {
        double v = st->value[r];
        double beyond = v > is->high[r] ? v - is->high[r] : fmin(v - is->low[r], 0.0);
        double off = is->kind[r] == OMI_LOCK ? v : beyond;
        st->excess[r] = fabs(off) > violated ? off : 0.0;
        st->side[r] = is->kind[r] == OMI_LOCK || st->excess[r] == 0.0 ? 0 : off > 0.0 ? 1 : -1;
    }
}

static void begin(omi_context *c, int continued) {
    const omi_island *is = c->is;
    omi_state *st = c->st;
    for (int i = 0; i < OMI_SPANS; ++i) st->span[i] = 0.0;
    for (int r = 0; r < is->rows; ++r) {
        st->excess[r] = st->side[r] = 0;
        if (!continued) st->value[r] = is->kind[r] == OMI_LOCK ? 0.0 : is->hold[r];
    }
    for (int i = 0; !continued && i < 4 * is->joints; ++i) st->half[i] = i % 4 == 3;
    for (int i = 0; !continued && i < is->joints; ++i) st->angle[i] = 0.0;
    omi_evaluate(c, st->position, st->rotation, st->velocity);
    if (!continued) choose_turns(c);
    omi_accept(c, 0.0, c->rows.spin);
    find_excess(c, continued ? PRESSED : VIOLATED);
    omi_classify_elements(c, FRAME);
    for (int e = 0; e < is->elements; ++e) {
        double value = c->rows.value[is->element_row[e]], rate = c->rows.rate[is->element_row[e]];
        double then = st->stiff[e] ? value + c->horizon * rate : value;
        st->mode[e] = 0;
        st->mode[e] = omi_element_mode(c, e, value, rate, then, rate);
    }
    if (!continued) omi_touch(c, 0);
}

void omi_begin(const omi_island *is, omi_state *st, int count, const double *other, int continued,
               double *work) {
    for (int i = 0; i < count; ++i) {
        omi_context c;
        omi_open(&c, is + i, st + i, 0, other + 6 * i * is->others, work);
        begin(&c, continued);
    }
}

void omi_quaternions(const double *rotation, int count, double *out) {
    for (int i = 0; i < count; ++i) quaternion(out + 4 * i, rotation + 9 * i);
}
