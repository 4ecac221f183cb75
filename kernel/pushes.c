/* SPDX-License-Identifier: MIT */
/* What pushes and does not pull: bounds and contacts that are near, and how all of them respond.
 *
 * Each has an entry e, so that e V (and the bias of what moves by itself) is the rate at which it
 * parts, and an impulse l on it does e^T l to the bodies. With P the motion that locks leave,
 *
 *     A_ij = e_i P e_j^T,   rates = e (V + dV) + A l,
 *
 * where dV takes off what locks lack, with the impulses f of other forces. P e^T, the reply of bodies, is that of those
 * alone which joints connect with the two that touch; what acts on others has no part in a rate, so A is made of it,
 * and of very many is not made at all (turns.c).
 */
#include "context.h"

/* m or rad, and steps ahead: bounds that are nearer are near. One that is passed all the same is added, so little
 * hangs on either. */
#define IS_NEAR 1e-4
#define AHEAD 3.0
/* Steps ahead for contacts. One that is passed is added here, too, so little hangs on it but for what contradicts
 * itself on a floor. */
#define SOON 1.5
/* m or rad, and of the size: within it what is near is touched, and by more a bound is passed. Ten
 * times what rows are met by. */
#define TOUCHES 1e-9
/* Of what its bodies would yield alone: a contact that yields less is on the axis of a hinge or where a pin is,
 * but for rounding (1e-5 of a length, squared), and joints bear it. Ten times or a tenth changes no bit: else it
 * yields far more. */
#define YIELDS 1e-10
/* m, and m/s: so far off is taken to be a contact that joints bear, and so fast to part, so that it never pushes. Any
 * number does that is beyond all real ones. */
#define NEVER_PUSHES 1e3

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

/* What impulses of all that takes part do to bodies. */
void omi_apply_pushes(const omi_context *c, const double *l, double *out) {
    for (int i = 0; i < c->near.all; ++i) omi_apply(c->is, c->near.body + 2 * i, c->near.entry + 12 * i, l[i], out);
}

/* One number more, with nothing known of what it bears. */
static void add_number(omi_pushes *p, int row, int side, int contact, const int *body) {
    int i = p->count++;
    p->row[i] = row, p->side[i] = side, p->contact[i] = contact;
    for (int k = 0; k < 2; ++k) p->body[2 * i + k] = body[k];
    p->pushes[i] = omi_is_across(p, i);
    p->push[i] = 0.0;
}

static int add_bound(omi_context *c, int row, int side) {
    omi_pushes *p = &c->near;
    int i = p->count;
    if (i == p->room) return 0;
    for (int k = 0; k < 12; ++k) p->entry[12 * i + k] = -side * c->rows.entry[12 * row + k];
    p->bias[i] = 0.0;
    add_number(p, row, side, -1, c->is->ends + 2 * c->row_joint[row]);
    return 1;
}

/* Add a contact that is met within so much, m, and so many seconds. 0 where there is no room. */
static int add_contact(omi_context *c, int number, double within, double soon) {
    omi_pushes *p = &c->near;
    omi_contact *one = c->contact + number;
    int i = p->count;
    if (i + 3 > p->room) return 0;
    omi_contact_entry(c, one, one->normal, p->entry + 12 * i, p->bias + i);
    double rate = p->bias[i] + omi_rate(c->is, one->body, p->entry + 12 * i, c->st->velocity);
    if (one->gap + soon * fmin(rate, 0.0) > within) return 1;
    one->is_near = 1;
    omi_copy(p->friction + 2 * i, one->mix, 2);
    for (int k = 0; k < 3; ++k) {
        add_number(p, -1, 0, k ? -1 : number, one->body);
        if (k) omi_contact_entry(c, one, one->across[k - 1], p->entry + 12 * (i + k), p->bias + i + k);
    }
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
            p->push[i] = p->pushes[i] ? fmax(-p->side[i] * c->borne[r], 0.0) : 0.0;
            continue;
        }
        const omi_contact *one = c->contact + p->contact[i];
        p->pushes[i] = one->push > 0.0;
        p->push[i] = one->push;
        omi_copy(p->push + i + 1, one->rub, 2);
        p->pushes[i + 1] = p->pushes[i + 2] = one->sticks;
    }
}

/* Decide whether so much is near that contacts are soft (turns.c), and how they come out then: where a step starts or
 * ends, and where what is passed makes it so. What takes part of it may be less, and is met by the same law. */
static void find_whether_many(omi_context *c, double h) {
    omi_pushes *p = &c->near;
    if (p->many || !(p->many = p->count > omi_many(p)) || c->stays_inside) return;
    for (omi_contact *one = c->contact; one < c->contact + c->contacts; ++one)
        if (one->gap < 0.0) one->inside = one->gap + fmin(-OMI_COMES_OUT * one->gap, OMI_PUSHED_OUT * h);
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
            if (is_touched == touched && !add_contact(c, i, touched ? INFINITY : IS_NEAR, SOON * h)) return 0;
        }
        for (int r = 0; r < c->is->rows; ++r)
            for (int side = -1; side <= 1 && !c->active[r]; side += 2) {
                double gap = omi_bound_gap(c, r, side, time), within = IS_NEAR + AHEAD * h * fabs(c->rows.rate[r]);
                int is_touched = c->bears[r] == side || gap < touches;
                if (is_touched != touched || !(gap < within || touched)) continue;
                if (!add_bound(c, r, side)) return 0;
            }
        if (touched) p->touched = p->count;
    }
    omi_begin_pushes(c);
    p->many = 0;
    find_whether_many(c, h);
    return 1;
}

/* Add to what is near the bounds and contacts that are passed and were not thought near; how many, or -1 where there
 * is no room. */
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
        c->st->position = c->x0, c->st->rotation = c->rot0; /* the entries are those of the start */
        int done = add_contact(c, i, INFINITY, 0.0);
        c->st->position = x, c->st->rotation = rot;
        if (!done) return -1;
    }
    find_whether_many(c, h);
    return c->near.count - before;
}

/* How many bodies an impulse on one end moves, from *first all round; what moves by both ends counts once. */
static int find_moved(const omi_pushes *p, int i, int end, int *first) {
    *first = p->part[p->body[2 * i + end]];
    return end && *first == p->part[p->body[2 * i]] ? 0 : p->size[*first];
}

/* to += what impulses on one and those behind it do to bodies: as their entries say, where no joint is. */
void omi_add_replies(const omi_pushes *p, int i, int count, const double *by, double *restrict to) {
    const double *own = p->reply + 6 * p->most_moved * i, *entry = p->entry + 12 * i;
    const int *body = p->body + 2 * i;
    for (int end = 0; end < 2 && !p->is->joints; ++end)
        for (int k = 0; k < count && body[end] < p->is->bodies; ++k)
            add_six(to + 6 * body[end], entry + 12 * k + 6 * end, by[k]);
    if (!p->is->joints) return;
    for (int end = 0, moved; end < 2; ++end)
        for (int n = find_moved(p, i, end, &moved); n--; moved = p->joined[moved], own += 6)
            for (int k = 0; k < count; ++k) add_six(to + 6 * moved, own + 6 * p->most_moved * k, by[k]);
}

/* What an impulse of a bound does, or of a contact to a body that nothing holds. */
static void find_reply(omi_context *c, int i) {
    omi_pushes *p = &c->near;
    double *own = p->reply + 6 * p->most_moved * i, *force = c->columns;
    if (p->row[i] >= 0) {
        for (int k = 0; k < 6 * c->is->bodies; ++k) force[k] = 0.0;
        omi_apply(c->is, p->body + 2 * i, p->entry + 12 * i, 1.0, force);
        omi_solve(&c->factor, force, 0, c->rounds, c->acc, c->columns + 36 * c->is->bodies);
    }
    for (int end = 0, body; end < 2; ++end)
        for (int n = find_moved(p, i, end, &body); n--; body = p->joined[body])
            for (int k = 0; k < 6; ++k)
                *own++ = p->row[i] >= 0 ? c->acc[6 * body + k] : p->held[body] ? 0.0 : p->entry[12 * i + 6 * end + k];
}

/* And of contacts to what is joined with a body: what six unit impulses on it do is found once, and all its contacts
 * are sums of that. */
static void add_joined(omi_context *c, int body, int from) {
    omi_pushes *p = &c->near;
    int found = 0, first = p->part[body];
    for (int end = 2 * from; end < 2 * p->all; ++end) {
        int i = end / 2, before = p->part[p->body[2 * i]], other = first;
        double *own = p->reply + 6 * (p->most_moved * i + (before == first ? 0 : p->size[before]));
        if (p->body[end] != body || p->row[i] >= 0) continue;
        if (!found++) omi_solve_body(&c->factor, body, c->rounds, c->columns);
        for (int n = p->size[first]; n--; other = p->joined[other])
            for (int k = 6 * other; k < 6 * other + 6; ++k)
                *own++ += dot_six(c->columns + 6 * k, p->entry + 6 * end);
    }
}

/* Let joints bear a contact that nothing moves but rounding: it has no part in anything any more. */
static void bear_alone(omi_context *c, int i) {
    omi_pushes *p = &c->near;
    double *entry = p->entry + 12 * i, alone = 0.0, back = -1.0;
    for (int k = 0; k < 12; ++k) alone += entry[k] * entry[k];
    if (p->contact[i] < 0 || !(p->own[i] < YIELDS * alone)) return;
    omi_add_replies(p, i, 1, &back, p->motion);
    for (int k = 0; k < 12; ++k) entry[k] = 0.0;
    for (int k = 0; k < 6 * p->most_moved; ++k) p->reply[6 * p->most_moved * i + k] = 0.0;
    p->own[i] = p->push[i] = 0.0;
    p->bias[i] = NEVER_PUSHES;
    c->contact[p->contact[i]].inside = -NEVER_PUSHES;
}

/* How what takes part responds, by the factor, with the entries as they are; again, or where it is not known. */
void omi_find_responses(omi_context *c, int again) {
    omi_pushes *p = &c->near;
    int first = again ? 0 : p->known;
    for (int i = first; i < p->all && c->is->joints; ++i) find_reply(c, i);
    for (int body = 0; body < c->is->bodies; ++body)
        if (p->held[body]) add_joined(c, body, first);
    const double one = 1.0, back = -1.0;
    for (int k = 0; k < 6 * c->is->bodies; ++k) p->motion[k] = 0.0;
    for (int i = first; i < p->all; ++i) {
        omi_add_replies(p, i, 1, &one, p->motion);
        p->own[i] = omi_push_rate(p, i, p->motion);
        for (int k = 1; k < omi_numbers(p, i); ++k) p->beside[i + k] = omi_push_rate(p, i + k, p->motion);
        bear_alone(c, i);
        for (int j = 0; j <= i && !p->many; ++j)
            p->response[p->wide * i + j] = p->response[p->wide * j + i] = omi_push_rate(p, j, p->motion);
        omi_add_replies(p, i, 1, &back, p->motion);
    }
    p->known = p->all;
    p->factored_columns = 0;
}

/* Solve for the change of velocities that takes off what locks lack, c->rhs, and for which all that takes part is left
 * at no less than zero: p->free_rate says how it parts without that, and acts (omi_acts) what p->push is, which becomes
 * what is sought; what is across contacts changes only where it rubs. Into c->delta, and the impulses of rows into
 * c->lambda; c->force, of other forces, is spoilt. */
void omi_push(omi_context *c, int rubs, enum omi_acts acts) {
    omi_pushes *p = &c->near;
    if (p->all) omi_solve(&c->factor, c->force, c->rhs, c->rounds, c->acc, c->lambda);
    omi_respond(p, p->push, p->answer);
    for (int i = 0; i < p->all; ++i)
        p->base[i] = p->free_rate[i] + omi_push_rate(p, i, c->acc) - (acts ? p->answer[i] : 0.0);
    omi_solve_pushes(p, rubs, acts);
    for (int i = 0; i < p->all; ++i) p->change[i] = p->next[i] - (acts ? p->push[i] : 0.0), p->push[i] = p->next[i];
    omi_apply_pushes(c, p->change, c->force);
    omi_solve(&c->factor, c->force, c->rhs, c->rounds, c->delta, c->lambda);
    for (int i = 0; i < p->all; ++i)
        if (p->row[i] >= 0) c->lambda[p->row[i]] -= p->side[i] * p->change[i];
}

/* Add impulses l of a contact to what it bears on the second body, N. */
void omi_add_contact_force(omi_context *c, int i, const double *l, double over) {
    omi_contact *one = c->contact + c->near.contact[i];
    for (int k = 0; k < 3; ++k)
        one->force[k] += over * (l[i] * one->normal[k] + l[i + 1] * one->across[0][k] + l[i + 2] * one->across[1][k]);
}

/* What a contact has borne in h seconds, for the step after. */
void omi_note_contact(omi_context *c, int i, double h) {
    const omi_pushes *p = &c->near;
    omi_contact *one = c->contact + p->contact[i];
    one->push = p->push[i];
    one->sticks = p->pushes[i + 1];
    for (int k = 0; k < 3; ++k) one->force[k] = 0.0;
    for (int k = 0; k < 2; ++k) one->rub[k] = p->push[i + 1 + k];
    omi_add_contact_force(c, i, p->push, 1.0 / h);
}

/* What bounds and contacts have borne, for the step after; and how fast contacts were met (bounce.c): not at all what
 * was no faster than weights make it in the step, as that lies there. Returns J that it takes to push out what is
 * inside of another. */
double omi_note_pushes(omi_context *c, double h) {
    omi_pushes *p = &c->near;
    double to_push_out = 0.0;
    for (int r = 0; r < c->is->rows; ++r) c->bears[r] = 0, c->impulse[r] += c->borne[r];
    for (int i = 0; i < p->count; i += omi_numbers(p, i)) {
        if (p->row[i] >= 0) {
            if (p->push[i] > 0.0) c->bears[p->row[i]] = p->side[i];
            continue;
        }
        omi_contact *one = c->contact + p->contact[i];
        double rate = p->bias[i] + omi_push_rate(p, i, c->start_velocity), falls = 0.0;
        for (int k = 0; k < 12; ++k)
            if (p->body[2 * i + k / 6] < c->is->bodies)
                falls -= p->entry[12 * i + k] * c->is->weight[6 * p->body[2 * i + k / 6] + k % 6];
        double square = rate * rate + 2.0 * falls * fmax(one->gap, 0.0);
        /* What bore already, parts, or is no faster than weights make it within a step lies, and does not bounce. */
        one->closing = one->bore || rate >= 0.0 || square < falls * h * falls * h ? 0.0 : sqrt(square);
        omi_note_contact(c, i, h);
        double speed = (one->inside - one->gap) / h;
        if (one->push > 0.0 && one->gap < 0.0) to_push_out += 0.5 * speed * speed / p->own[i];
    }
    return to_push_out;
}
