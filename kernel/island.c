/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One output step of one island. */
#include "algebra.h"
#include "context.h"

#define SPRING 0.6      /* rad that a spring may turn in a step */
#define FAILURES 8      /* in a row, before a part is done at first order */
#define PART 32         /* parts of an output step */
#define STEPS 400       /* that an output step may take */
#define EVENTS 24       /* likewise, and one for each row */
#define PATIENCE 6      /* output steps at first order before more is tried */
#define ROUGH 1e-6      /* over the size: rows that are further off contradict each other */
#define GIVE 0.5           /* of an output step, in which what is too stiff gives way */
#define FRAME (1.0 / 60.0) /* s: the length of an output step before there was any */
#define LARGEST 1e30       /* m, m/s, N ... that a step may lead to */
#define JUMP 1e-6       /* m/s or rad/s by which what moves by itself may jump unnoticed */

int omi_workspace(const omi_island *is) {
    return omi_lay_out(is, 0, (double *)0) + 8;
}

static void keep(omi_context *c) {
    const omi_island *is = c->is;
    const omi_state *st = c->st;
    int n = 6 * is->bodies, all = is->bodies + is->others;
    omi_copy(c->x0, st->position, 3 * all);
    omi_copy(c->rot0, st->rotation, 9 * all);
    omi_copy(c->v0, st->velocity, n);
    omi_copy(c->guess0, st->guess, OMI_STAGES * n);
    c->guess0[OMI_STAGES * n] = st->span[0];
}

static void go_back(omi_context *c) {
    const omi_island *is = c->is;
    omi_state *st = c->st;
    int n = 6 * is->bodies, all = is->bodies + is->others;
    omi_copy(st->position, c->x0, 3 * all);
    omi_copy(st->rotation, c->rot0, 9 * all);
    omi_copy(st->velocity, c->v0, n);
    omi_copy(st->guess, c->guess0, OMI_STAGES * n);
    st->span[0] = c->guess0[OMI_STAGES * n];
}

/* Rows at the state's pose are those of the last look: what follows goes on from them. */
static void accept(omi_context *c, double time) {
    const omi_island *is = c->is;
    omi_copy(c->st->value, c->rows.value, is->rows);
    omi_copy(c->st->half, c->rows.half, 4 * is->joints);
    c->st->span[2] += time;
}

static void crawl(omi_context *c, double h, double *wrench, omi_report *report) {
    omi_crawl(c, h, wrench);
    omi_look(c, c->st->position, c->st->rotation, c->st->velocity);
    accept(c, h);
    report->first_order++;
    report->steps++;
}

static void take_wrench(omi_context *c, double *wrench) {
    for (int i = 0; i < 6 * c->is->joints; ++i) wrench[i] += c->wrench[i];
}

/* What moves by itself may do so at another speed than before: joints pass that on at once. */
static void start_moving(omi_context *c, double *wrench) {
    const omi_island *is = c->is;
    double worst = 0.0;
    omi_hold(c, c->st->side);
    omi_look(c, c->st->position, c->st->rotation, c->st->velocity);
    for (int r = 0; r < is->rows; ++r)
        if (c->active[r]) worst = fmax(worst, fabs(c->rows.rate[r] - c->held_rate[r]));
    if (worst < JUMP) return;
    omi_momenta before;
    int is_afloat = omi_momenta_of(c, &before);
    omi_meet_bounds(c, wrench);
    if (is_afloat) omi_give_back(c, &before);
    c->st->span[0] = 0.0;
}

static double longest(const omi_context *c, double h) {
    for (int e = 0; e < c->is->elements; ++e)
        if (!c->stiff[e] && c->st->mode[e] && c->omega[e] > 0.0) h = fmin(h, SPRING / c->omega[e]);
    return h;
}

/* Save or restore what numbers a step may spoil. */
static void save(omi_context *c, int restore) {
    const omi_island *is = c->is;
    omi_state *st = c->st;
    int all = is->bodies + is->others;
    double *const part[] = {st->position, st->rotation, st->velocity, st->value, st->half};
    const int count[] = {3 * all, 9 * all, 6 * is->bodies, is->rows, 4 * is->joints};
    double *at = c->saved;
    for (int i = 0; i < 5; ++i) {
        if (restore)
            omi_copy(part[i], at, count[i]);
        else
            omi_copy(at, part[i], count[i]);
        at += count[i];
    }
}

static int is_sound(const omi_context *c, const double *wrench) {
    const omi_island *is = c->is;
    double sum = 0.0;
    for (int i = 0; i < 6 * is->bodies; ++i) sum += fabs(c->st->velocity[i]);
    for (int i = 0; i < 3 * is->bodies; ++i) sum += fabs(c->st->position[i]);
    for (int i = 0; i < 9 * is->bodies; ++i) sum += fabs(c->st->rotation[i]);
    for (int i = 0; i < 6 * is->joints; ++i) sum += fabs(wrench[i]);
    return sum < LARGEST;
}

/* What went wrong is as if it had not been tried, and slower. */
static int finish(omi_context *c, double *wrench, omi_report *report) {
    const omi_island *is = c->is;
    omi_state *st = c->st;
    int well = is_sound(c, wrench);
    if (!well) {
        save(c, 1);
        for (int i = 0; i < 6 * is->bodies; ++i) st->velocity[i] *= 0.5;
        for (int i = 0; i < 6 * is->joints; ++i) wrench[i] = 0.0;
        st->span[0] = st->span[1] = 0.0;
    }
    omi_hold(c, st->side);
    omi_look(c, st->position, st->rotation, st->velocity);
    report->gap = omi_residual(c);
    return well;
}

/* Steps of sixth order as far as they go. Returns the time that is left: of that, some is to be
 * done at first order. */
static double go(omi_context *c, double rest, double dt, double most, double tolerance,
                 double *wrench, omi_report *report) {
    omi_state *st = c->st;
    double h = st->span[1] > 0.0 ? fmin(st->span[1], most) : most;
    int failures = 0, standing = 0;
    while (rest > 1e-12 * dt) {
        double ratio, tau, took;
        h = longest(c, h);
        h = rest / ceil(rest / h - 1e-9);
        if (failures >= FAILURES || standing > 6 || report->steps > STEPS) break;
        if (report->events > EVENTS + c->is->rows) break;
        keep(c);
        omi_hold(c, st->side);
        c->h = h;
        omi_look(c, st->position, st->rotation, st->velocity);
        omi_copy(c->start_value, c->rows.value, c->is->rows);
        omi_copy(c->start_rate, c->rows.rate, c->is->rows);
        int done = omi_collocate(c, h, tolerance, &ratio);
        if (!done) {
            go_back(c);
            failures++;
            report->failures++;
            h *= fmin(0.7, ratio);
            if (failures % 3 == 0) st->span[0] = 0.0;
            continue;
        }
        tau = omi_first_event(c);
        took = h;
        if (tau <= 1.0) {
            took = tau * h;
            go_back(c);
            report->events++;
            if (took > 1e-9 * dt) {
                if (!omi_collocate(c, took, tolerance, &ratio)) {
                    go_back(c);
                    failures++;
                    report->failures++;
                    h *= 0.5;
                    continue;
                }
            } else {
                took = 0.0;
            }
        }
        failures = 0;
        if (took > 0.0) {
            omi_hold_at(c, took);
            if (omi_residual(c) > ROUGH * c->size) {
                go_back(c);
                break;
            }
            take_wrench(c, wrench);
            accept(c, took);
            report->steps++;
        }
        if (tau <= 1.0) {
            standing = took < 1e-4 * dt ? standing + 1 : 0;
            for (int e = 0; e < c->is->elements; ++e) st->mode[e] = c->flip[e];
            omi_meet_bounds(c, wrench);
            st->span[0] = 0.0;
        } else {
            standing = 0;
        }
        rest -= took;
        h = fmin(most, h * fmin(1.5, fmax(0.5, 0.9 * ratio)));
    }
    st->span[1] = h;
    return rest;
}

int omi_step(const omi_island *is, omi_state *st, const double *other, double dt, double most,
             double tolerance, double *wrench, double *work, omi_report *report) {
    omi_context context, *c = &context;
    double rest = dt;
    omi_lay_out(is, c, work);
    c->st = st;
    c->other = other;
    *report = (omi_report){0, 0, 0, 0, 0.0};
    for (int i = 0; i < 6 * is->joints; ++i) wrench[i] = 0.0;
    most = fmin(most, dt);
    c->give = GIVE * dt;
    save(c, 0);
    omi_judge(c, dt);
    if (st->span[3] > 0.0) {
        st->span[3] -= 1.0;
        for (int i = 0; i < PART / 8; ++i) crawl(c, dt / (PART / 8), wrench, report);
        rest = 0.0;
    } else {
        start_moving(c, wrench);
    }
    while (rest > 1e-12 * dt) {
        rest = go(c, rest, dt, most, tolerance, wrench, report);
        if (!(rest > 1e-12 * dt)) break;
        double part = fmin(rest, dt / PART);
        crawl(c, part, wrench, report);
        rest -= part;
        st->span[1] = 2.0 * part;
        if (report->first_order > PART / 8) st->span[3] = PATIENCE;
        if (report->steps > STEPS || report->first_order > PART / 8 ||
            report->events > EVENTS + is->rows) {
            for (int i = 0; i < PART / 8 && rest > 0.0; ++i) crawl(c, rest / (PART / 8), wrench, report);
            rest = 0.0;
        }
    }
    return finish(c, wrench, report);
}

static double outside(double value, double low, double high) {
    return fmax(fmax(low - value, value - high), 0.0);
}

/* Twists begin on the turn on which they are least outside of their ranges. */
static void choose_turns(omi_context *c) {
    const omi_island *is = c->is;
    for (int r = 0; r < is->rows; ++r) {
        double value = c->rows.value[r], least = INFINITY;
        if (is->kind[r] != OMI_FREE || is->coordinate[r] < 3) continue;
        for (int turns = 0; turns < 3; ++turns) {
            double v = value + TURN * (turns == 2 ? -1.0 : turns);
            double off = outside(v, is->low[r], is->high[r]);
            for (int e = 0; e < is->elements; ++e)
                if (is->element_row[e] == r && is->one_sided[e])
                    off += outside(v, is->soft_low[e], is->soft_high[e]);
            if (off < least - 1e-9) {
                least = off;
                c->rows.value[r] = v;
            }
        }
    }
}

void omi_begin(const omi_island *is, omi_state *st, const double *other, int continued,
               double *work) {
    omi_context context, *c = &context;
    double violated = continued ? 1e-6 : 1e-9; /* m or rad: what presses may lie beyond a bound */
    omi_lay_out(is, c, work);
    c->st = st;
    c->other = other;
    for (int i = 0; i < 4; ++i) st->span[i] = 0.0;
    for (int r = 0; r < is->rows; ++r) {
        st->excess[r] = 0.0;
        st->side[r] = 0;
        if (!continued) st->value[r] = is->kind[r] == OMI_LOCK ? 0.0 : is->hold[r];
    }
    if (!continued)
        for (int i = 0; i < 4 * is->joints; ++i) st->half[i] = i % 4 == 3;
    omi_look(c, st->position, st->rotation, st->velocity);
    if (!continued) choose_turns(c);
    accept(c, 0.0);
    for (int r = 0; r < is->rows; ++r) {
        double v = st->value[r];
        double off = is->kind[r] == OMI_LOCK ? v : v > is->high[r] ? v - is->high[r] : fmin(v - is->low[r], 0.0);
        if (fabs(off) > violated) st->excess[r] = off;
        if (is->kind[r] != OMI_LOCK && st->excess[r] != 0.0) st->side[r] = off > 0.0 ? 1 : -1;
    }
    c->give = GIVE * FRAME;
    omi_judge(c, FRAME);
    for (int e = 0; e < is->elements; ++e) {
        int r = is->element_row[e];
        st->mode[e] = c->stiff[e] ? omi_wanted_then(c, e, c->rows.value[r], c->rows.rate[r], 0.0)
                                  : omi_wanted(c, e, c->rows.value[r], c->rows.rate[r]);
    }
    if (!continued) omi_meet_bounds(c, 0);
}

int omi_relax(const omi_island *is, omi_state *st, const double *other, double dt, double *wrench,
              double *work, omi_report *report) {
    omi_context context, *c = &context;
    omi_lay_out(is, c, work);
    c->st = st;
    c->other = other;
    *report = (omi_report){0, 0, 0, 0, 0.0};
    for (int i = 0; i < 6 * is->joints; ++i) wrench[i] = 0.0;
    c->give = GIVE * dt;
    save(c, 0);
    omi_judge(c, dt);
    crawl(c, dt, wrench, report);
    return finish(c, wrench, report);
}
