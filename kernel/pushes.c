/* SPDX-License-Identifier: MIT */
/* What pushes and does not pull: bounds and contacts that are near, and how all of them respond.
 *
 * Each has an entry e, so that e V (and the bias of what moves by itself) is the rate at which it
 * parts, and an impulse l on it does e^T l to the bodies. With P the motion that locks leave,
 *
 *     A_ij = e_i P e_j^T,   rates = e (V + dV) + A l,
 *
 * where dV takes off what locks lack, with the impulses f of other forces.
 */
#include "context.h"

#include "elementary.h"

/* m or rad, and steps ahead: bounds that are nearer are near. */
#define REACH 1e-4
#define AHEAD 3.0
/* Steps ahead for contacts: one that is passed without having been near is added, so little hangs on it. */
#define SOON 1.5
/* m or rad, and of the size: within it what is near is touched, and by more a bound is passed. Ten
 * times what rows are met by. */
#define TOUCHES 1e-9
/* Of what its bodies would yield alone: a contact that yields less is on the axis of a hinge or where a pin is,
 * but for rounding (1e-5 of a length, squared), and joints bear it. */
#define YIELDS 1e-10
/* m, and m/s: so far off is what joints bear. */
#define FAR 1.0
#define PARTS 1e3

/* m or rad to a bound, time into the step, as rows were evaluated. */
double omi_bound_gap(const omi_context *c, int row, int side, double time) {
    return side * (omi_bound(c, row, side, time) - c->rows.value[row]);
}

/* m or rad to each thing that is near, at the end of a step of h seconds, at the state's pose. */
void omi_find_gaps(omi_context *c, double h) {
    omi_pushes *p = &c->near;
    for (int i = 0; i < p->count; i += omi_numbers(p, i))
        p->gap[i] = p->row[i] >= 0 ? omi_bound_gap(c, p->row[i], p->side[i], h)
                                   : omi_contact_gap(c, c->contact + p->contact[i]) -
                                         c->contact[p->contact[i]].inside;
}

/* The rate that velocities give to one, or to what is across one; without its bias. */
double omi_push_rate(const omi_context *c, int i, const double *velocity) {
    return omi_rate(c->is, c->near.body + 2 * i, c->near.entry + 12 * i, velocity);
}

static void apply(const omi_context *c, int i, double l, double *out) {
    omi_apply(c->is, c->near.body + 2 * i, c->near.entry + 12 * i, l, out);
}

/* What impulses of all that takes part do to bodies. */
void omi_apply_pushes(const omi_context *c, const double *l, double *out) {
    for (int i = 0; i < c->near.all; ++i) apply(c, i, l[i], out);
}

static int add_bound(omi_context *c, int row, int side) {
    omi_pushes *p = &c->near;
    const int *ends = c->is->ends + 2 * c->row_joint[row];
    int i = p->count;
    if (i == p->room) return 0;
    p->row[i] = row;
    p->side[i] = side;
    p->contact[i] = -1;
    p->bias[i] = 0.0;
    for (int k = 0; k < 2; ++k) p->body[2 * i + k] = ends[k];
    for (int k = 0; k < 12; ++k) p->entry[12 * i + k] = -side * c->rows.entry[12 * row + k];
    p->pushes[i] = 0;
    p->push[i] = 0.0;
    ++p->count;
    return 1;
}

/* Add a contact that is met within so much, m, and so many seconds. 0 where there is no room. */
static int add_contact(omi_context *c, int number, double reach, double soon) {
    omi_pushes *p = &c->near;
    omi_contact *one = c->contact + number;
    int i = p->count;
    if (i + 3 > p->room) return 0;
    omi_contact_entry(c, one, one->normal, p->entry + 12 * i, p->bias + i);
    double rate = p->bias[i] + omi_rate(c->is, one->body, p->entry + 12 * i, c->st->velocity);
    if (one->gap + soon * fmin(rate, 0.0) > reach) return 1;
    one->is_near = 1;
    omi_copy(p->friction + 2 * i, one->mix, 2);
    for (int k = 0; k < 3; ++k) {
        p->row[i + k] = p->contact[i + k] = -1;
        p->side[i + k] = 0;
        p->pushes[i + k] = k > 0;
        p->push[i + k] = 0.0;
        for (int side = 0; side < 2; ++side) p->body[2 * (i + k) + side] = one->body[side];
        if (k) omi_contact_entry(c, one, one->across[k - 1], p->entry + 12 * (i + k), p->bias + i + k);
    }
    p->contact[i] = number;
    p->count += 3;
    ++p->contacts;
    return 1;
}

/* Let what has pushed in the last step begin with that in the next one. */
void omi_begin_pushes(omi_context *c) {
    omi_pushes *p = &c->near;
    for (int i = 0; i < p->count; i += omi_numbers(p, i)) {
        int r = p->row[i];
        if (r >= 0) {
            p->pushes[i] = c->bears[r] == p->side[i];
            p->push[i] = p->pushes[i] ? -p->side[i] * c->borne[r] : 0.0;
            continue;
        }
        const omi_contact *one = c->contact + p->contact[i];
        p->pushes[i] = one->push > 0.0;
        p->push[i] = one->push;
        for (int k = 0; k < 2; ++k) {
            p->push[i + 1 + k] = one->rub[k];
            p->pushes[i + 1 + k] = one->sticks;
        }
    }
}

/* What is touched, time into the step, and behind it what may be met in another one; 0 where there is
 * no room for all. */
int omi_find_near(omi_context *c, double h, double time) {
    omi_pushes *p = &c->near;
    double touches = TOUCHES * fmax(c->is->size, 1.0);
    p->count = p->contacts = p->known = 0;
    for (int touched = 1; touched >= 0; --touched) {
        for (int i = 0; i < c->contacts; ++i) {
            const omi_contact *one = c->contact + i;
            int is_touched = one->push > 0.0 || one->gap < touches;
            if (is_touched == touched && !add_contact(c, i, touched ? INFINITY : REACH, SOON * h)) return 0;
        }
        for (int r = 0; r < c->is->rows; ++r)
            for (int side = -1; side <= 1 && !c->active[r]; side += 2) {
                double gap = omi_bound_gap(c, r, side, time), reach = REACH + AHEAD * h * fabs(c->rows.rate[r]);
                int is_touched = c->bears[r] == side || gap < touches;
                if (is_touched != touched || !(gap < reach || touched)) continue;
                if (!add_bound(c, r, side)) return 0;
            }
        if (touched) p->touched = p->count;
    }
    omi_begin_pushes(c);
    return 1;
}

/* Bounds and contacts that are passed and were not thought near, among those that are; their number,
 * or -1 where there is no room. */
int omi_add_passed(omi_context *c, double h) {
    int before = c->near.count;
    double passed = TOUCHES * fmax(c->is->size, 1.0);
    for (int r = 0; r < c->is->rows; ++r)
        for (int side = -1; side <= 1 && !c->active[r]; side += 2) {
            int known = 0;
            for (int i = 0; i < before; ++i) known |= c->near.row[i] == r && c->near.side[i] == side;
            if (!known && omi_bound_gap(c, r, side, h) < -passed && !add_bound(c, r, side)) return -1;
        }
    for (int i = 0; i < c->contacts; ++i) {
        const omi_contact *one = c->contact + i;
        double *x = c->st->position, *rot = c->st->rotation;
        if (one->is_near || !(omi_contact_gap(c, one) - one->inside < -passed)) continue;
        c->st->position = c->x0; /* the entries are those of the start */
        c->st->rotation = c->rot0;
        int done = add_contact(c, i, INFINITY, 0.0);
        c->st->position = x;
        c->st->rotation = rot;
        if (!done) return -1;
    }
    return c->near.count - before;
}

/* Let joints bear a contact that nothing moves but rounding. */
static void bear_alone(omi_context *c, int i) {
    omi_pushes *p = &c->near;
    double *entry = p->entry + 12 * i, alone = 0.0;
    for (int k = 0; k < 12; ++k) alone += entry[k] * entry[k];
    if (p->contact[i] < 0 || !(omi_response(p, i, i) < YIELDS * alone)) return;
    for (int k = 0; k < 12; ++k) entry[k] = 0.0;
    for (int j = 0; j < p->all; ++j) p->response[p->room * i + j] = p->response[p->room * j + i] = 0.0;
    p->bias[i] = PARTS;
    p->push[i] = 0.0;
    c->contact[p->contact[i]].inside = -FAR;
}

static double dot_six(const double *a, const double *b) {
    return (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) + (a[3] * b[3] + a[4] * b[4] + a[5] * b[5]);
}

/* Add to row i of A, up to its diagonal, what c->acc does, which one of its impulses causes. */
static void add_response(omi_context *c, int i) {
    omi_pushes *p = &c->near;
    double *row = p->response + p->room * i;
    for (const int *end = p->moved, *last = end + p->moves; end < last && *end < 2 * (i + 1); ++end)
        row[*end / 2] += dot_six(p->entry + 6 * *end, c->acc + 6 * p->body[*end]);
}

/* Which ends an impulse moves: those of bodies that do something by it, [bodies][size] by. */
static void find_moved(omi_context *c, const double *by, int size) {
    omi_pushes *p = &c->near;
    p->moves = 0;
    for (int body = 0; body < c->is->bodies; ++body) c->reached[body] = !omi_is_zero(by + size * body, size);
    for (int end = 0; end < 2 * p->all; ++end)
        if (p->body[end] < c->is->bodies && c->reached[p->body[end]]) p->moved[p->moves++] = end;
}

/* Add to A what impulses of contacts on one body do, of what takes part from one number on: many share it. */
static void add_body(omi_context *c, int body, int first) {
    omi_pushes *p = &c->near;
    int found = 0, bodies = c->is->bodies;
    for (int end = 2 * first; end < 2 * p->all; ++end) {
        if (p->body[end] != body || p->row[end / 2] >= 0) continue;
        if (!found++) {
            omi_solve_body(&c->factor, body, c->rounds, c->columns);
            find_moved(c, c->columns, 36);
        }
        for (int other = 0; other < bodies; ++other)
            for (int k = 6 * other; c->reached[other] && k < 6 * other + 6; ++k)
                c->acc[k] = dot_six(c->columns + 6 * k, p->entry + 6 * end);
        add_response(c, end / 2);
    }
}

/* Add to A what the impulse of a bound does. */
static void add_bound_response(omi_context *c, int i) {
    int bodies = c->is->bodies;
    double *force = c->columns, *borne = c->columns + 36 * bodies;
    for (int k = 0; k < 6 * bodies; ++k) force[k] = 0.0;
    apply(c, i, 1.0, force);
    omi_solve(&c->factor, force, 0, c->rounds, c->acc, borne);
    find_moved(c, c->acc, 6);
    add_response(c, i);
}

/* Say that row i of A is not 0 at j, which comes after all that was said of it. */
static void note_run(omi_pushes *p, int i, int j) {
    int *run = p->run + 2 * OMI_RUNS * i, *found = p->runs + i;
    if (!*found || (run[2 * *found - 1] < j && *found < OMI_RUNS)) run[2 * (*found)++] = j;
    run[2 * *found - 1] = j + 1;
}

/* The upper half of A from the lower one, and where rows are not 0: bodies without joints are not reached by what
 * touches others, so of 100 boxes in a heap nine tenths of A are. */
static void mirror(omi_pushes *p) {
    for (int i = 0; i < p->all; ++i) {
        p->runs[i] = 0;
        for (int j = 0; j <= i; ++j) {
            double own = omi_response(p, i, j);
            if (own == 0.0) continue;
            p->response[p->room * j + i] = own;
            note_run(p, i, j);
            if (j < i) note_run(p, j, i);
        }
    }
}

/* A of what takes part, by the factor, with the entries as they are; again, or where it is not known. */
void omi_find_responses(omi_context *c, int again) {
    omi_pushes *p = &c->near;
    int first = again ? 0 : p->known;
    for (int i = 0; i < p->all; ++i)
        for (int j = i < first ? first : 0; j < p->all; ++j) p->response[p->room * i + j] = 0.0;
    for (int i = first; i < p->all; ++i)
        if (p->row[i] >= 0) add_bound_response(c, i);
    for (int body = 0; body < c->is->bodies; ++body) add_body(c, body, first);
    mirror(p);
    for (int i = first; i < p->all; ++i) bear_alone(c, i);
    p->known = p->all;
    p->factored_columns = 0;
}

/* Solve for the change of velocities that takes off what locks lack, c->rhs, and for which all that
 * takes part is left at no less than zero: p->gap says how it parts without that, and p->push what
 * pushes, and acts already or is to begin with; what is across contacts changes only where it rubs.
 * Into c->delta, and the impulses of rows into c->lambda; c->force, of other forces, is spoilt. */
void omi_push(omi_context *c, int rubs, int acts) {
    omi_pushes *p = &c->near;
    if (p->all) omi_solve(&c->factor, c->force, c->rhs, c->rounds, c->acc, c->lambda);
    omi_respond(p, p->push, p->answer);
    for (int i = 0; i < p->all; ++i)
        p->base[i] = p->gap[i] + omi_push_rate(c, i, c->acc) - (acts ? p->answer[i] : 0.0);
    omi_solve_pushes(p, rubs);
    for (int i = 0; i < p->all; ++i) {
        p->rate[i] = p->next[i] - (acts ? p->push[i] : 0.0);
        p->push[i] = p->next[i];
    }
    omi_apply_pushes(c, p->rate, c->force);
    omi_solve(&c->factor, c->force, c->rhs, c->rounds, c->delta, c->lambda);
    for (int i = 0; i < p->all; ++i)
        if (p->row[i] >= 0) c->lambda[p->row[i]] -= p->side[i] * p->rate[i];
}

/* Add the impulses of a contact to what it bears on the second body, N. */
void omi_add_contact_force(omi_context *c, int i, double over) {
    const omi_pushes *p = &c->near;
    omi_contact *one = c->contact + p->contact[i];
    for (int k = 0; k < 3; ++k)
        one->force[k] += over * (p->push[i] * one->normal[k] + p->push[i + 1] * one->across[0][k] +
                                 p->push[i + 2] * one->across[1][k]);
}

/* What a contact has borne in h seconds, for the step after. */
void omi_note_contact(omi_context *c, int i, double h) {
    const omi_pushes *p = &c->near;
    omi_contact *one = c->contact + p->contact[i];
    one->push = p->push[i];
    one->sticks = p->pushes[i + 1];
    for (int k = 0; k < 3; ++k) one->force[k] = 0.0;
    for (int k = 0; k < 2; ++k) one->rub[k] = p->push[i + 1 + k];
    omi_add_contact_force(c, i, 1.0 / h);
}

/* What bounds and contacts have borne, for the step after; and how fast contacts were met. Returns J that it
 * takes to push out what is inside of another. */
double omi_note_pushes(omi_context *c, double h) {
    omi_pushes *p = &c->near;
    double given = 0.0;
    for (int r = 0; r < c->is->rows; ++r) c->bears[r] = 0, c->impulse[r] += c->borne[r];
    for (int i = 0; i < p->count; i += omi_numbers(p, i)) {
        if (p->row[i] >= 0) {
            if (p->push[i] > 0.0) c->bears[p->row[i]] = p->side[i];
            continue;
        }
        omi_contact *one = c->contact + p->contact[i];
        double rate = p->bias[i] + omi_push_rate(c, i, c->start_velocity), falls = 0.0;
        for (int k = 0; k < 12; ++k)
            if (p->body[2 * i + k / 6] < c->is->bodies)
                falls -= p->entry[12 * i + k] * c->is->weight[6 * p->body[2 * i + k / 6] + k % 6];
        double square = rate * rate + 2.0 * falls * fmax(one->gap, 0.0);
        one->closing = one->push > 0.0 || rate >= 0.0 || square < falls * h * falls * h ? 0.0 : sqrt(square);
        omi_note_contact(c, i, h);
        double speed = (one->inside - one->gap) / h;
        if (one->push > 0.0 && one->gap < 0.0) given += 0.5 * speed * speed / omi_response(p, i, i);
    }
    return given;
}
