/* SPDX-License-Identifier: MIT */
/* What pushes and does not pull: bounds and contacts that are near, and how all of them respond.
 *
 * Each has an entry e, so that e V (and the bias of what moves by itself) is the rate at which it
 * parts, and an impulse l on it does e^T l to the bodies. With P the motion that locks leave,
 *
 *     A_ij = e_i P e_j^T,   rates = e (V + dV) + A l,
 *
 * where dV takes off what locks lack, b: e_i dV = e_i f - m_i (b - E f), with the impulses m_i of
 * locks by one of i, as the system is symmetric. So a round takes one solution of it, not two.
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
    for (int i = 0; i < p->count; ++i)
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
    for (int k = 0; k < c->near.all; ++k) apply(c, c->near.item[k], l[c->near.item[k]], out);
}

static int add_bound(omi_context *c, int row, int side) {
    omi_pushes *p = &c->near;
    const int *ends = c->is->ends + 2 * c->row_joint[row];
    int i = p->count;
    if (i == p->across) return 0;
    p->row[i] = row;
    p->side[i] = side;
    p->contact[i] = p->slip[i] = -1;
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
    int i = p->count, slip = p->across + 2 * p->contacts;
    if (i == p->across) return 0;
    p->row[i] = -1;
    p->side[i] = 0;
    p->contact[i] = number;
    p->slip[i] = slip;
    omi_copy(p->friction + 2 * i, one->mix, 2);
    for (int side = 0; side < 2; ++side) p->body[2 * i + side] = one->body[side];
    omi_contact_entry(c, one, one->normal, p->entry + 12 * i, p->bias + i);
    double rate = p->bias[i] + omi_push_rate(c, i, c->st->velocity);
    if (one->gap + soon * fmin(rate, 0.0) > reach) return 1;
    one->is_near = 1;
    p->pushes[i] = 0;
    p->push[i] = 0.0;
    for (int k = 0; k < 2; ++k) {
        p->pushes[slip + k] = 1;
        p->push[slip + k] = 0.0;
        omi_contact_entry(c, one, one->across[k], p->entry + 12 * (slip + k), p->bias + slip + k);
        for (int side = 0; side < 2; ++side)
            p->body[2 * (slip + k) + side] = one->body[side];
    }
    ++p->count;
    ++p->contacts;
    return 1;
}

/* Let what has pushed in the last step begin with that in the next one. */
void omi_begin_pushes(omi_context *c) {
    omi_pushes *p = &c->near;
    for (int i = 0; i < p->count; ++i) {
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
            p->push[p->slip[i] + k] = one->rub[k];
            p->pushes[p->slip[i] + k] = one->sticks;
        }
    }
}

/* What is touched, time into the step, and behind it what may be met in another one; 0 where there is
 * no room for all. */
int omi_find_near(omi_context *c, double h, double time) {
    omi_pushes *p = &c->near;
    double touches = TOUCHES * fmax(c->is->size, 1.0);
    p->count = p->contacts = p->known = p->known_contacts = 0;
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

/* Let the first so many take part, and what is across them. */
void omi_choose_pushes(omi_context *c, int count) {
    omi_pushes *p = &c->near;
    p->solved = p->all = count;
    for (int i = 0; i < count; ++i) p->item[i] = i;
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < 2 && p->slip[i] >= 0; ++k) p->item[p->all++] = p->slip[i] + k;
}

/* Whether joints bear one that would have this response: then nothing moves it. */
static int is_borne(omi_context *c, int i, double response) {
    omi_pushes *p = &c->near;
    double *entry = p->entry + 12 * i, alone = 0.0;
    if (i >= p->across || p->row[i] >= 0) return 0;
    for (int k = 0; k < 12; ++k) alone += entry[k] * entry[k];
    if (!(response < YIELDS * alone)) return 0;
    for (int k = 0; k < 12; ++k) entry[k] = 0.0;
    p->bias[i] = PARTS;
    p->push[i] = 0.0;
    c->contact[p->contact[i]].inside = -FAR;
    return 1;
}

/* A of what takes part, by the factor, with the entries as they are; again, or where it is not known. */
void omi_find_responses(omi_context *c, int again) {
    omi_pushes *p = &c->near;
    if (again) p->known = p->known_contacts = 0;
    for (int k = 0; k < p->all; ++k) {
        int i = p->item[k];
        if (i < p->across ? i < p->known : i < p->across + 2 * p->known_contacts) continue;
        for (int n = 0; n < 6 * c->is->bodies; ++n) c->applied[n] = 0.0;
        apply(c, i, 1.0, c->applied);
        omi_solve(&c->factor, c->applied, 0, c->rounds, c->acc, p->borne + i * c->is->rows);
        if (is_borne(c, i, omi_push_rate(c, i, c->acc))) {
            for (int n = 0; n < 6 * c->is->bodies; ++n) c->acc[n] = 0.0;
            for (int n = 0; n < c->is->rows; ++n) p->borne[i * c->is->rows + n] = 0.0;
        }
        for (int n = 0; n < p->all; ++n) {
            int j = p->item[n];
            p->response[p->room * i + j] = p->response[p->room * j + i] = omi_push_rate(c, j, c->acc);
        }
    }
    p->known = p->solved;
    p->known_contacts = p->contacts;
}

/* Solve for the change of velocities that takes off what locks lack, c->rhs, and for which all that
 * takes part is left at no less than zero: p->gap says how it parts without that, and p->push what
 * pushes, and acts already or is to begin with; what is across contacts changes only where it rubs.
 * Into c->delta, and the impulses of rows into c->lambda; c->force, of other forces, is spoilt. */
void omi_push(omi_context *c, int rubs, int acts) {
    omi_pushes *p = &c->near;
    const omi_island *is = c->is;
    for (int r = 0; r < is->rows && p->all; ++r)
        c->load[r] = c->active[r] ? c->rhs[r] - omi_row_rate(c, r, c->force) : 0.0;
    for (int k = 0; k < p->all; ++k) {
        int i = p->item[k];
        const double *borne = p->borne + i * is->rows;
        p->base[i] = p->gap[i] + omi_push_rate(c, i, c->force);
        for (int r = 0; r < is->rows; ++r) p->base[i] -= borne[r] * c->load[r];
        for (int j = 0; j < p->all && acts; ++j)
            p->base[i] -= omi_response(p, i, p->item[j]) * p->push[p->item[j]];
    }
    omi_solve_pushes(p, rubs);
    for (int k = 0; k < p->all; ++k) {
        int i = p->item[k];
        p->rate[i] = p->next[i] - (acts ? p->push[i] : 0.0);
        p->push[i] = p->next[i];
    }
    omi_apply_pushes(c, p->rate, c->force);
    omi_solve(&c->factor, c->force, c->rhs, c->rounds, c->delta, c->lambda);
    for (int i = 0; i < p->solved; ++i)
        if (p->row[i] >= 0) c->lambda[p->row[i]] -= p->side[i] * p->rate[i];
}

/* Add the impulses of a contact to what it bears on the second body, N. */
void omi_add_contact_force(omi_context *c, int i, double over) {
    const omi_pushes *p = &c->near;
    omi_contact *one = c->contact + p->contact[i];
    for (int k = 0; k < 3; ++k)
        one->force[k] += over * (p->push[i] * one->normal[k] + p->push[p->slip[i]] * one->across[0][k] +
                                 p->push[p->slip[i] + 1] * one->across[1][k]);
}

/* What a contact has borne in h seconds, for the step after. */
void omi_note_contact(omi_context *c, int i, double h) {
    const omi_pushes *p = &c->near;
    omi_contact *one = c->contact + p->contact[i];
    one->push = p->push[i];
    one->sticks = p->pushes[p->slip[i]];
    for (int k = 0; k < 3; ++k) one->force[k] = 0.0;
    for (int k = 0; k < 2; ++k) one->rub[k] = p->push[p->slip[i] + k];
    omi_add_contact_force(c, i, 1.0 / h);
}
