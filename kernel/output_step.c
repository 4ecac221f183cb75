/* SPDX-License-Identifier: MIT */
/* One output step of one island: how long steps are, what is done again, when first order goes on.
 *
 *     classify elements; pass on what jumps (kinematic bodies)
 *     until the output step is over:
 *         steps of order six (collocation.c), each up to the first event (events.c) in it,
 *         where bounds are touched (touching.c) and modes of elements change;
 *         where events do not lead on: what is left by RATTLE (rattle.c)
 *         where that does not go on: a part at first order (first_order.c)
 *
 * Events do not lead on where more than STANDING in a row were no advance, and beyond so many EVENTS;
 * bounds go on by RATTLE for CHATTERS then. First order goes on where FAILURES tries in a row failed,
 * or one shorter than SHORTEST, rows contradict each other after a step, RATTLE does not settle, and
 * beyond STEPS steps.
 * It takes a PARTth of the output step; then order six is tried again, of the length of two such
 * parts. After the fifth part, and beyond STEPS or EVENTS, the rest of the output step goes at first
 * order; after the fifth so do the next PATIENCE output steps. Then order six begins again.
 *
 * That ends, whatever constants and callers say: a try fails (FAILURES in a row at most), is a step
 * (STEPS) or an event (EVENTS), or has no length beside what is left, and first order goes on.
 *
 * A step is as long as (1) sweeps and accelerations say (collocation.c), (2) the phase of a spring that is followed
 * goes by SPRING rad, or a twist by less than half a turn, (3) the caller says; what is left is divided evenly. A step
 * that does not settle is done again, shorter by SHORTER, and the next is longer by SLOWLY or QUICKLY at most
 * (advance); of RATTLE steps are halved and doubled (omi_rattle).
 */
#include "context.h"

/* A step is at most SLOWLY times as long as the last; or, while the output step had no event, as much longer as
 * EASILY of the ratio that omi_integrate proposes, but QUICKLY times at most: so that two steps lead from a start to
 * one a frame. Ten times EASILY meets a soft stop 22 times less exactly; a tenth of it or of QUICKLY costs 5 % more
 * steps, ten times QUICKLY changes nothing. */
#define SLOWLY 1.5
#define QUICKLY 2.5
#define EASILY 0.6
/* rad by which the phase of a spring may go in a step: of order six, to 1e-6 of its amplitude. */
#define SPRING 0.6
/* Of an output step: an event so soon after another is no advance; more than so many in a row are chatter, as of a ball
 * that comes to rest. Of STANDING it hangs how many events nonsense takes before it goes on at first order, three times
 * as many with ten times of it, half as many with a tenth; no known motion gets there. */
#define STAYS 1e-2
#define STANDING 6
/* Failures in a row; each step is such a part of the one before or less, so a twentieth by then. */
#define FAILURES 8
#define SHORTER 0.7
/* Of the length that is foretold for the next step: a little less is not tried in vain. */
#define CAREFUL 0.9
/* Of an output step: where one so short fails, and not for events, rows are about to contradict each other, as of
 * bars that are drawn straight and still farther. Velocities grow beyond all bounds there while shorter steps are
 * found, and would tear apart what goes on at first order; ten times and a tenth do as well. */
#define SHORTEST 1e-3
/* Parts of an output step, of which one goes at first order where others do not. */
#define PART 32
/* After more of them than this in an output step the rest goes so, in this many, and PATIENCE output
 * steps more: what contradicts itself does so for long, and tries cost the most: a tenth of PATIENCE
 * takes twice as many tries, ten times half as many. */
#define FIRST_ORDER_STEPS (PART / 8)
#define PATIENCE 6
/* That an output step may take; events likewise, and one for each row. Nonsense alone gets there. */
#define STEPS 400
#define EVENTS 24
/* rad that a twist turns in a step at most: with half a turn and more it would count one too few. */
#define NOT_HALF_A_TURN 2.5
/* Over the size: rows that are further off after a step contradict each other. */
#define ROUGH 1e-6
/* Scaled velocities, m, N and so on, in sum, that a step may lead to: any number does that nothing sound reaches. */
#define LARGEST 1e30
/* m/s or rad/s: an element that is slower is where it would be if it were followed. */
#define MOVES 1e-3
/* m/s or rad/s by which a prescribed motion may jump unnoticed. Little hangs on it. */
#define JUMP 1e-6
/* s for which bounds go on by RATTLE once they have chattered: what chatters does so for long. */
#define CHATTERS 0.1
/* Of an output step: what is left by less is rounding; an event so soon is at once. */
#define NO_TIME 1e-12
#define AT_ONCE 1e-9

/* An output step under way. */
typedef struct {
    double dt, most, tolerance; /* s; s, no step is longer; m or rad */
    double rest, h;             /* s that are left; s that the next step should take */
    int failures, standing;     /* in a row; events that are no advance, in a row */
    double tau, took, ratio;    /* of the step that was tried: its part up to an event, 2 where there
                                 * is none; s; and by how much it should have been longer */
    double *wrench;             /* [joints][6] */
    omi_report *report;
} progress;

/* Save or restore what a step may spoil: the state, but for what elements are (scale, stiff). */
void omi_copy_state(omi_context *c, double *at, int restore) {
    const omi_island *is = c->is;
    omi_state *st = c->st;
    int n = 6 * is->bodies, all = is->bodies + is->others;
    double *const part[] = {st->position, st->rotation, st->velocity, st->guess, st->span,
                            st->value, st->half, st->angle};
    const int count[] = {3 * all, 9 * all, n, OMI_STAGES * n, OMI_SPANS, is->rows, 4 * is->joints, is->joints};
    for (int i = 0; i < 8; at += count[i++])
        omi_copy(restore ? part[i] : at, restore ? at : part[i], count[i]);
    for (int i = 0; i < is->rows; ++i, ++at)
        if (restore) st->side[i] = (int)*at; else *at = st->side[i];
    for (int i = 0; i < is->elements; ++i, ++at)
        if (restore) st->mode[i] = (int)*at; else *at = st->mode[i];
}

/* Go on from the state's pose, at which rows were evaluated, some time after the last. The angle of an axle, a hinge
 * that no row counts, is of all angle + 2 pi k the one nearest to the old angle + time x the mean of its rates at start
 * and end (at first order of that at the end): so whole turns count. With a limit or a drive it is the value of a row:
 * twist_row in kinematics.c. */
void omi_accept(omi_context *c, double time, const double *start_spin) {
    const omi_island *is = c->is;
    omi_state *st = c->st;
    omi_copy(st->value, c->rows.value, is->rows);
    omi_copy(st->half, c->rows.half, 4 * is->joints);
    st->span[OMI_AGE] += time;
    c->rows_are_current = 1;
    for (int j = 0; j < is->joints; ++j) {
        int k = is->axle[j];
        if (k < 0) continue;
        double near = st->angle[j] + 0.5 * time * (start_spin[3 * j + k] + c->rows.spin[3 * j + k]);
        double angle = 2.0 * atan2(st->half[4 * j + k], st->half[4 * j + 3]);
        st->angle[j] = angle + TURN * rint((near - angle) / TURN);
    }
}

/* Take note of how many elements push, move and are too stiff to be followed: after any step the most.
 * A drive at its most pushes with just that, and one of a speed that has it is there: both are exact. */
void omi_note_unfollowed(const omi_context *c, omi_report *report) {
    int count = 0;
    for (int e = 0; e < c->is->elements; ++e) {
        double still = c->is->stiffness[e] > 0.0 ? 0.0 : c->is->speed[e], rate = c->rows.rate[c->is->element_row[e]];
        count += c->st->stiff[e] && (c->st->mode[e] == 1 || c->st->mode[e] == -1) && fabs(rate - still) > MOVES;
    }
    if (count > report->unfollowed) report->unfollowed = count;
}

/* So many steps of first order, of h seconds each. */
static void first_order(omi_context *c, progress *p, int count, double h) {
    for (int i = 0; i < count; ++i) {
        omi_first_order(c, h, p->wrench);
        omi_evaluate(c, c->st->position, c->st->rotation, c->st->velocity);
        omi_accept(c, h, c->rows.spin);
        p->report->first_order++;
        p->report->steps++;
    }
}

/* A prescribed motion may begin at another speed than it had: joints pass that on at once. */
static void follow_prescribed(omi_context *c, double *wrench) {
    omi_activate(c, 0.0);
    omi_evaluate(c, c->st->position, c->st->rotation, c->st->velocity);
    c->rows_are_current = omi_rate_residual(c) < JUMP;
    if (c->rows_are_current) return;
    omi_momenta before;
    omi_momenta_of(c, &before);
    omi_touch(c, wrench);
    omi_restore_momenta(c, &before);
    c->st->span[OMI_LAST] = 0.0;
}

/* The longest step that springs which are followed allow, and twists, whose turns are told from
 * where they were, s. */
static double step_limit(const omi_context *c, double h) {
    for (int r = 0; r < c->is->rows; ++r)
        if (c->is->kind[r] == OMI_FREE && c->is->coordinate[r] >= 3 && c->is->coordinate[r] < OMI_LINE)
            h = fmin(h, NOT_HALF_A_TURN / fmax(fabs(c->rows.rate[r]), 1.0));
    for (int e = 0; e < c->is->elements; ++e)
        if (!c->st->stiff[e] && c->st->mode[e] && c->omega[e] > 0.0) h = fmin(h, SPRING / c->omega[e]);
    return h;
}

/* Whether all that is moved is a number, and none that is absurd. */
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
        omi_copy_state(c, c->output_start, 1);
        for (int i = 0; i < 6 * is->bodies; ++i) st->velocity[i] *= 0.5;
        for (int i = 0; i < 6 * is->joints; ++i) wrench[i] = 0.0;
        st->span[OMI_LAST] = st->span[OMI_NEXT] = 0.0;
    }
    omi_activate(c, 0.0);
    omi_copy(c->rows.value, st->value, is->rows);
    report->gap = omi_residual(c);
}

static int has_many_events(const omi_context *c, const progress *p) {
    return p->report->events > EVENTS + c->is->rows;
}

/* Whether there were so many steps or events that the rest is to be short. */
static int has_enough(const omi_context *c, const progress *p) {
    return p->report->steps > STEPS || has_many_events(c, p);
}

/* Try a step of p->h seconds, and up to the first event in it if there is one. The state is at the
 * end then, or still at the start where the event is at once. Returns 0 where it cannot be done, with the state as it was. */
static int try_step(omi_context *c, progress *p) {
    const omi_state *st = c->st;
    omi_copy_state(c, c->step_start, 0);
    omi_activate(c, 0.0);
    c->h = p->took = p->h;
    if (!c->rows_are_current) omi_evaluate(c, st->position, st->rotation, st->velocity);
    c->rows_are_current = 0;
    omi_copy(c->start_value, c->rows.value, c->is->rows);
    omi_copy(c->start_rate, c->rows.rate, c->is->rows);
    omi_copy(c->start_spin, c->rows.spin, 3 * c->is->joints);
    int done = omi_integrate(c, p->h, p->tolerance, &p->ratio);
    p->tau = done ? omi_locate_event(c) : 2.0;
    if (p->tau <= 1.0) {
        p->took = p->tau * p->h > AT_ONCE * p->dt ? p->tau * p->h : 0.0;
        omi_copy_state(c, c->step_start, 1);
        p->report->events++;
        done = !(p->took > 0.0) || omi_integrate(c, p->took, p->tolerance, &p->ratio);
    }
    if (!done) omi_copy_state(c, c->step_start, 1);
    return done;
}

/* Take over a step that was done; 0 where its rows contradict each other, with the state as it was. */
static int keep(omi_context *c, progress *p) {
    omi_set_goals(c, p->took);
    if (omi_residual(c) > ROUGH * c->is->size) {
        omi_copy_state(c, c->step_start, 1);
        return 0;
    }
    for (int i = 0; i < 6 * c->is->joints; ++i) p->wrench[i] += c->wrench[i];
    omi_accept(c, p->took, c->start_spin);
    p->report->steps++;
    omi_note_unfollowed(c, p->report);
    return 1;
}

/* Steps of RATTLE for what is left, as far as they go. */
static void go_by_rattle(omi_context *c, progress *p) {
    p->rest -= omi_rattle(c, p->rest, p->most, p->wrench, p->report);
    if (!(p->rest > NO_TIME * p->dt)) p->rest = 0.0;
    c->rows_are_current = 0;
}

/* Steps of sixth order as far as they go. Where time is left, some of it is to go at first order. */
static void advance(omi_context *c, progress *p) {
    omi_state *st = c->st;
    p->h = st->span[OMI_NEXT] > 0.0 ? fmin(st->span[OMI_NEXT], p->most) : p->most;
    p->failures = p->standing = 0;
    while (p->rest > NO_TIME * p->dt) {
        p->h = step_limit(c, p->h);
        p->h = p->rest / ceil(p->rest / p->h - 1e-9);
        if (p->failures >= FAILURES || p->standing > STANDING || has_enough(c, p)) break;
        if (!try_step(c, p)) {
            p->failures++;
            p->report->retries++;
            if (p->tau > 1.0 && !p->standing && p->h < SHORTEST * p->dt) break;
            /* The step up to an event says nothing of how long one may be; one that was not settled does. */
            p->h *= p->tau <= 1.0 ? 0.5 : fmin(SHORTER, p->ratio);
            /* Now and then without regard to the step before; known motions do not need it. */
            if (p->tau > 1.0 && p->failures % 3 == 0) st->span[OMI_LAST] = 0.0;
            continue;
        }
        p->failures = 0;
        if (p->took > 0.0 ? !keep(c, p) : p->tau > 1.0) break;
        p->standing = p->tau <= 1.0 && p->took < STAYS * p->dt ? p->standing + 1 : 0;
        if (p->tau <= 1.0) {
            for (int e = 0; e < c->is->elements; ++e) st->mode[e] = c->flip[e];
            omi_touch(c, p->wrench);
            c->rows_are_current = 0;
            st->span[OMI_LAST] = 0.0;
        }
        p->rest -= p->took;
        double leap = p->report->events ? 0.0 : fmin(QUICKLY, EASILY * p->ratio);
        p->h = fmin(p->most, p->h * fmax(leap, fmin(SLOWLY, fmax(0.5, CAREFUL * p->ratio))));
    }
    st->span[OMI_NEXT] = p->h;
}

/* All of an output step; for most = 0 one step of first order. */
static void output_step(omi_context *c, progress *p) {
    omi_state *st = c->st;
    *p->report = (omi_report){0};
    for (int i = 0; i < 6 * c->is->joints; ++i) p->wrench[i] = 0.0;
    omi_copy_state(c, c->output_start, 0);
    omi_classify_elements(c, p->dt);
    int at_first_order = p->most <= 0.0 ? 1 : st->span[OMI_WAIT] > 0.0 ? FIRST_ORDER_STEPS : 0;
    int chattered = !at_first_order && st->span[OMI_CHATTER] > 0.0;
    p->rest = at_first_order ? 0.0 : p->dt;
    if (at_first_order > 1) st->span[OMI_WAIT] -= 1.0;
    if (at_first_order) first_order(c, p, at_first_order, p->dt / at_first_order);
    else if (!chattered) follow_prescribed(c, p->wrench);
    if (chattered) go_by_rattle(c, p);
    while (p->rest > NO_TIME * p->dt) {
        advance(c, p);
        if (!(p->rest > NO_TIME * p->dt)) break;
        if (p->standing > STANDING || has_many_events(c, p)) { /* no event leads on */
            st->span[OMI_CHATTER] = CHATTERS;
            go_by_rattle(c, p);
            chattered = 1;
            if (p->rest == 0.0) break;
        }
        double part = fmin(p->rest, p->dt / PART);
        first_order(c, p, 1, part);
        p->rest -= part;
        st->span[OMI_NEXT] = 2.0 * part;
        int too_often = p->report->first_order > FIRST_ORDER_STEPS;
        if (too_often) st->span[OMI_WAIT] = PATIENCE;
        if (!too_often && !has_enough(c, p)) continue;
        if (p->rest > 0.0) first_order(c, p, FIRST_ORDER_STEPS, p->rest / FIRST_ORDER_STEPS);
        p->rest = 0.0;
    }
    /* RATTLE leaves bounds without sides: which of them bear, order six is to know. */
    if (chattered && (st->span[OMI_CHATTER] -= p->dt) <= 0.0) omi_touch(c, p->wrench);
    finish(c, p->wrench, p->report);
}

double omi_step(const omi_island *is, omi_state *st, int count, const double *other, double dt,
                double most, double tolerance, double *wrench, double *work, omi_report *report) {
    double worst = 0.0;
    for (int i = 0; i < count; ++i) {
        omi_context c;
        progress p = {.dt = dt, .most = fmin(most, dt), .tolerance = tolerance,
                      .wrench = wrench + 6 * i * is->joints, .report = report + i};
        omi_open(&c, is + i, st + i, 0, other + 6 * i * is->others, work);
        output_step(&c, &p);
        double gap = report[i].done ? report[i].gap / fmax(is[i].size, 1.0) : INFINITY;
        worst = gap > worst || gap != gap ? gap : worst;
    }
    return worst;
}

/* Where nothing is known to touch, and nothing may be met, it goes as without contacts (order six); if that ends in
 * something, as a joint may throw a body into it, all of it is done again by RATTLE, and at first order what is left of
 * that. */
int omi_step_touching(const omi_island *is, omi_state *st, const omi_surfaces *surfaces, const double *other,
                      double dt, double most, double tolerance, double *wrench, double *work, omi_report *report,
                      omi_touch_point *touch, int known, int room) {
    omi_context c;
    progress p = {.dt = dt, .most = fmin(most, dt), .tolerance = tolerance, .wrench = wrench, .report = report};
    omi_open(&c, is, st, surfaces, other, work);
    if (!known && !omi_may_touch(&c, dt)) {
        output_step(&c, &p);
        if (!omi_is_inside(&c)) return 0;
        omi_copy_state(&c, c.output_start, 1);
    }
    *report = (omi_report){0};
    for (int i = 0; i < 6 * is->joints; ++i) wrench[i] = 0.0;
    omi_copy_state(&c, c.output_start, 0);
    c.contacts = 0;
    omi_recall_contacts(&c, touch, known);
    omi_classify_elements(&c, dt);
    int parts = p.most > 0.0 ? FIRST_ORDER_STEPS : 1;
    double rest = p.most > 0.0 ? dt - omi_rattle(&c, dt, p.most, wrench, report) : dt;
    if (rest > NO_TIME * dt) first_order(&c, &p, parts, rest / parts);
    finish(&c, wrench, report);
    report->left_out = c.left_out;
    return omi_list_contacts(&c, touch, room);
}
