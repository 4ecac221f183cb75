/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One output step of one island. */
#include "algebra.h"
#include "context.h"

#define STAYS 1e-2     /* of an output step: an event so soon after another is no advance */
#define SLOWLY 1.5     /* how much longer a step is than the last */
#define QUICKLY 2.5    /* without events, and far from too long: one step a frame after two */
#define EASILY 0.6     /* of what it might be */
#define SPRING 0.6      /* rad that a spring may turn in a step */
#define FAILURES 8      /* in a row, before a part is done at first order */
#define PART 32         /* parts of an output step */
#define CRAWLS (PART / 8)
#define STEPS 400       /* that an output step may take */
#define EVENTS 24       /* likewise, and one for each row */
#define PATIENCE 6      /* output steps at first order before more is tried */
#define ROUGH 1e-6      /* over the size: rows that are further off contradict each other */
#define GIVE 0.5           /* of an output step, in which what is too stiff gives way */
#define FRAME (1.0 / 60.0) /* s: the length of an output step before there was any */
#define LARGEST 1e30       /* m, m/s, N ... that a step may lead to */
#define MOVES 1e-3      /* m/s or rad/s; what is slower is where it would be */
#define JUMP 1e-6       /* m/s or rad/s by which what moves by itself may jump unnoticed */

int omi_workspace(const omi_island *is) {
    return omi_lay_out(is, 0, 0, 0, (double *)0) + 8;
}

/* Save or restore what a step may spoil: the state but for modes and sides. */
static void save(omi_context *c, double *at, int restore) {
    const omi_island *is = c->is;
    omi_state *st = c->st;
    int n = 6 * is->bodies, all = is->bodies + is->others;
    double *const part[] = {st->position, st->rotation, st->velocity, st->guess, st->span,
                            st->value, st->half, st->turn};
    const int count[] = {3 * all, 9 * all, n, OMI_STAGES * n, 1, is->rows, 4 * is->joints, is->joints};
    for (int i = 0; i < 8; at += count[i++])
        omi_copy(restore ? part[i] : at, restore ? at : part[i], count[i]);
}

/* Rows at the state's pose are those of the last look: what follows goes on from them. Axles have
 * turned to that angle, of those that the pose may mean, which the mean of their rates leads to. */
static void accept(omi_context *c, double time, const double *start_spin) {
    const omi_island *is = c->is;
    omi_state *st = c->st;
    omi_copy(st->value, c->rows.value, is->rows);
    omi_copy(st->half, c->rows.half, 4 * is->joints);
    st->span[2] += time;
    c->knows_rows = 1;
    for (int j = 0; j < is->joints; ++j) {
        int k = is->axle[j];
        if (k < 0) continue;
        double near = st->turn[j] + 0.5 * time * (start_spin[3 * j + k] + c->rows.spin[3 * j + k]);
        double angle = 2.0 * atan2(st->half[4 * j + k], st->half[4 * j + 3]);
        st->turn[j] = angle + TURN * rint((near - angle) / TURN);
    }
}

/* How many elements push, move and are too stiff to be followed. */
static int unfollowed(const omi_context *c) {
    int count = 0;
    for (int e = 0; e < c->is->elements; ++e)
        count += c->st->stiff[e] && c->st->mode[e] && fabs(c->rows.rate[c->is->element_row[e]]) > MOVES;
    return count;
}

/* So many steps of first order. */
static void crawl(omi_context *c, int count, double h, double *wrench, omi_report *report) {
    for (int i = 0; i < count; ++i) {
        omi_crawl(c, h, wrench);
        omi_look(c, c->st->position, c->st->rotation, c->st->velocity);
        accept(c, h, c->rows.spin);
        report->first_order++;
        report->steps++;
    }
}

/* What moves by itself may do so at another speed than before: joints pass that on at once. */
static void start_moving(omi_context *c, double *wrench) {
    omi_hold(c, c->st->side);
    omi_look(c, c->st->position, c->st->rotation, c->st->velocity);
    c->knows_rows = omi_slip(c) < JUMP;
    if (c->knows_rows) return;
    omi_momenta before;
    omi_momenta_of(c, &before);
    omi_meet_bounds(c, wrench);
    omi_give_back(c, &before);
    c->st->span[0] = 0.0;
}

static double longest(const omi_context *c, double h) {
    for (int e = 0; e < c->is->elements; ++e)
        if (!c->st->stiff[e] && c->st->mode[e] && c->omega[e] > 0.0) h = fmin(h, SPRING / c->omega[e]);
    return h;
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
static void finish(omi_context *c, double *wrench, omi_report *report) {
    const omi_island *is = c->is;
    omi_state *st = c->st;
    report->done = is_sound(c, wrench);
    if (!report->done) {
        save(c, c->saved, 1);
        for (int i = 0; i < 6 * is->bodies; ++i) st->velocity[i] *= 0.5;
        for (int i = 0; i < 6 * is->joints; ++i) wrench[i] = 0.0;
        st->span[0] = st->span[1] = 0.0;
    }
    omi_hold(c, st->side);
    omi_copy(c->rows.value, st->value, is->rows);
    report->gap = omi_residual(c);
}

/* Steps of sixth order as far as they go. Returns the time that is left: of that, some is to be
 * done at first order. */
static double go(omi_context *c, double rest, double dt, double most, double tolerance,
                 double *wrench, omi_report *report) {
    omi_state *st = c->st;
    double h = st->span[1] > 0.0 ? fmin(st->span[1], most) : most;
    int failures = 0, standing = 0;
    while (rest > 1e-12 * dt) {
        double ratio;
        h = longest(c, h);
        h = rest / ceil(rest / h - 1e-9);
        if (failures >= FAILURES || standing > 6 || report->steps > STEPS) break;
        if (report->events > EVENTS + c->is->rows) break;
        save(c, c->tried, 0);
        omi_hold(c, st->side);
        c->h = h;
        if (!c->knows_rows) omi_look(c, st->position, st->rotation, st->velocity);
        c->knows_rows = 0;
        omi_copy(c->start_value, c->rows.value, c->is->rows);
        omi_copy(c->start_rate, c->rows.rate, c->is->rows);
        omi_copy(c->start_spin, c->rows.spin, 3 * c->is->joints);
        int done = omi_collocate(c, h, tolerance, &ratio);
        double took = h, tau = done ? omi_first_event(c) : 2.0;
        if (tau <= 1.0) {
            took = tau * h > 1e-9 * dt ? tau * h : 0.0;
            save(c, c->tried, 1);
            report->events++;
            done = !(took > 0.0) || omi_collocate(c, took, tolerance, &ratio);
        }
        if (!done) {
            save(c, c->tried, 1);
            failures++;
            report->failures++;
            h *= tau <= 1.0 ? 0.5 : fmin(0.7, ratio);
            if (tau > 1.0 && failures % 3 == 0) st->span[0] = 0.0;
            continue;
        }
        failures = 0;
        if (took > 0.0) {
            omi_hold_at(c, took);
            if (omi_residual(c) > ROUGH * c->size) {
                save(c, c->tried, 1);
                break;
            }
            for (int i = 0; i < 6 * c->is->joints; ++i) wrench[i] += c->wrench[i];
            accept(c, took, c->start_spin);
            report->steps++;
            int lost = unfollowed(c);
            if (lost > report->unfollowed) report->unfollowed = lost;
        }
        if (tau <= 1.0) {
            standing = took < STAYS * dt ? standing + 1 : 0;
            for (int e = 0; e < c->is->elements; ++e) st->mode[e] = c->flip[e];
            omi_meet_bounds(c, wrench);
            c->knows_rows = 0;
            st->span[0] = 0.0;
        } else {
            standing = 0;
        }
        rest -= took;
        double leap = report->events ? 0.0 : fmin(QUICKLY, EASILY * ratio);
        h = fmin(most, h * fmax(leap, fmin(SLOWLY, fmax(0.5, 0.9 * ratio))));
    }
    st->span[1] = h;
    return rest;
}

/* All of an output step, or for most = 0 a step of first order. */
static void step(omi_context *c, double dt, double most, double tolerance, double *wrench,
                 omi_report *report) {
    const omi_island *is = c->is;
    omi_state *st = c->st;
    *report = (omi_report){0};
    for (int i = 0; i < 6 * is->joints; ++i) wrench[i] = 0.0;
    most = fmin(most, dt);
    c->give = GIVE * dt;
    save(c, c->saved, 0);
    omi_judge(c, dt);
    int crawls = most <= 0.0 ? 1 : st->span[3] > 0.0 ? CRAWLS : 0;
    double rest = crawls ? 0.0 : dt;
    if (crawls > 1) st->span[3] -= 1.0;
    if (crawls)
        crawl(c, crawls, dt / crawls, wrench, report);
    else
        start_moving(c, wrench);
    while (rest > 1e-12 * dt) {
        rest = go(c, rest, dt, most, tolerance, wrench, report);
        if (!(rest > 1e-12 * dt)) break;
        double part = fmin(rest, dt / PART);
        crawl(c, 1, part, wrench, report);
        rest -= part;
        st->span[1] = 2.0 * part;
        if (report->first_order > CRAWLS) st->span[3] = PATIENCE;
        if (report->steps > STEPS || report->first_order > CRAWLS ||
            report->events > EVENTS + is->rows) {
            if (rest > 0.0) crawl(c, CRAWLS, rest / CRAWLS, wrench, report);
            rest = 0.0;
        }
    }
    finish(c, wrench, report);
}

double omi_step(const omi_island *is, omi_state *st, int count, const double *other, double dt,
                double most, double tolerance, double *wrench, double *work, omi_report *report) {
    double worst = 0.0;
    for (int i = 0; i < count; ++i) {
        omi_context c;
        omi_lay_out(is + i, &c, st + i, other + 6 * i * is->others, work);
        step(&c, dt, most, tolerance, wrench + 6 * i * is->joints, report + i);
        double gap = report[i].done ? report[i].gap / fmax(c.size, 1.0) : INFINITY;
        worst = gap > worst || gap != gap ? gap : worst;
    }
    return worst;
}

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
            if (off < least - 1e-9) {
                least = off;
                c->rows.value[r] = v;
            }
        }
    }
}

static void begin(omi_context *c, int continued) {
    const omi_island *is = c->is;
    omi_state *st = c->st;
    double violated = continued ? 1e-6 : 1e-9; /* m or rad: what presses may lie beyond a bound */
    for (int i = 0; i < 4; ++i) st->span[i] = 0.0;
    for (int r = 0; r < is->rows; ++r) {
        st->excess[r] = 0.0;
        st->side[r] = 0;
        if (!continued) st->value[r] = is->kind[r] == OMI_LOCK ? 0.0 : is->hold[r];
    }
    for (int i = 0; !continued && i < 4 * is->joints; ++i) st->half[i] = i % 4 == 3;
    for (int i = 0; !continued && i < is->joints; ++i) st->turn[i] = 0.0;
    omi_look(c, st->position, st->rotation, st->velocity);
    if (!continued) choose_turns(c);
    accept(c, 0.0, c->rows.spin);
    for (int r = 0; r < is->rows; ++r) {
        double v = st->value[r];
        double off = is->kind[r] == OMI_LOCK ? v : v > is->high[r] ? v - is->high[r] : fmin(v - is->low[r], 0.0);
        if (fabs(off) > violated) st->excess[r] = off;
        if (is->kind[r] != OMI_LOCK && st->excess[r] != 0.0) st->side[r] = off > 0.0 ? 1 : -1;
    }
    c->give = GIVE * FRAME;
    omi_judge(c, FRAME);
    for (int e = 0; e < is->elements; ++e) {
        double value = c->rows.value[is->element_row[e]], rate = c->rows.rate[is->element_row[e]];
        double then = c->st->stiff[e] ? value + c->give * rate : value;
        st->mode[e] = 0;
        st->mode[e] = omi_wanted(c, e, value, rate, then, rate);
    }
    if (!continued) omi_meet_bounds(c, 0);
}

void omi_begin(const omi_island *is, omi_state *st, int count, const double *other, int continued,
               double *work) {
    for (int i = 0; i < count; ++i) {
        omi_context c;
        omi_lay_out(is + i, &c, st + i, other + 6 * i * is->others, work);
        begin(&c, continued);
    }
}

void omi_quaternions(const double *rotation, int count, double *out) {
    for (int i = 0; i < count; ++i) quaternion(out + 4 * i, rotation + 9 * i);
}
