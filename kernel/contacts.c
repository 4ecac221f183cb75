/* SPDX-License-Identifier: MIT */
/* Points in which bodies touch, as rows: how far apart, along what, and how that goes on.
 *
 * A point is found where a step starts (collide.h), and followed to its end without looking again: on
 * each body it lies r off a point c of the core that goes with the body (r_a is beyond[0], c_a at[0]), along
 * the normal n for what is round about a point, across the axis e towards n for what is round about an axis,
 *
 *     p_a = c_a + r_a n  or  c_a + r_a u,    u = n - (n . e) e over its length,    gap = n . (p_b - p_a),
 *
 * with p_b = c_b - r_b n or c_b - r_b u. So a ball that rolls, a wheel on its rim and a corner on a plane are
 * exact at the end of the step, and only what is off while n itself turns is left to the next one.
 *
 * omi_find_contacts looks AHEAD times the way of a step, so nothing fast is missed; what is near only at its end
 * omi_add_passed (pushes.c) adds, and where something is deeper than it was let be (PASSED), rattle.c halves the step.
 * `inside` is the gap that may be left at the end: what begins inside comes out by OUT_IN, no slower than CREEPS and
 * no faster than OMI_PUSHED_OUT; not at all where only that would end a gain of energy (stays_inside), and by OMI_COMES_OUT where
 * contacts are soft (pushes.c). Of the step before a point has impulses by its name or its place (inherit).
 */
#include "context.h"
#include "convex.h"

/* m, and steps ahead: what is nearer is looked at. With a tenth of AHEAD what is fast passes; more is looked at for
 * nothing, and what passes closely no longer goes as without contacts. */
#define LOOKED_AT 1e-3
#define AHEAD 3.0
/* m/s, s: what is inside of another is pushed out no slower, and by its depth in so long. */
#define CREEPS 1e-3
#define OUT_IN 0.1
/* Sine of the angle to the axis of a disc, below which n is no direction across it. What leans by just that
 * is followed as a rim or as a corner: of 70 heaps 6 lie elsewhere with ten times as much, 4 with a tenth. */
#define ACROSS 1e-3
/* Cosine, 0.8 degrees, between where a point is on a rim and where that is lowest. */
#define LOWEST 0.9999
/* Of the size: places that differ by less are level where contacts are soft (turns.c), as they give way by that. As
 * level as rounding, one in twenty points of a heap came and went in each step, and it shook by 1 mm/s for good. */
#define SOFTLY_LEVEL 1e-3
/* m: what is deeper at the end of a step than its pair was let be has passed within it, beside the points that were
 * followed, as a corner of what is thrown about; the step is halved. */
#define PASSED 1e-4
/* By what a point of the step before is found again. */
enum { NAME, PLACE, SHARE };

/* Pose of a shape in the world. */
static void place(const omi_context *c, int shape, double *pose) {
    int body = c->surfaces->body[shape];
    const double *own = c->surfaces->pose + 12 * shape, *turned = c->st->rotation + 9 * body;
    turn(pose, turned, own);
    for (int i = 0; i < 3; ++i) pose[i] += c->st->position[3 * body + i];
    product(pose + 3, turned, own + 3);
}

/* m/s that any point of a shape may have. */
static double fastest(const omi_context *c, int shape) {
    const double *at = c->surfaces->pose + 12 * shape;
    double v[6], reach = c->surfaces->shape[shape].core == OMI_HALF_SPACE ? 0.0 : c->surfaces->shape[shape].reach;
    omi_find_velocity(c, c->surfaces->body[shape], c->st->rotation, c->st->velocity, v);
    return sqrt(dot(v, v)) + sqrt(dot(v + 3, v + 3)) * (reach + sqrt(dot(at, at)));
}

/* Whether a point lies across the axis where a disc or its side goes farthest along n, and not elsewhere on
 * its rim, as where the edge of a triangle ends it. way, own: from its middle, world and its own axes. */
static int is_lowest(const double *way, const double *own, const double *axis, const double *n, double sign,
                     double across) {
    double along = sign * (dot(way, n) - own[1] * dot(axis, n));
    return along > LOWEST * sqrt((own[0] * own[0] + own[2] * own[2]) * across);
}

/* The core's point of one side of a contact: at, beyond, is_rim, axis. Of balls it is where the line along n through
 * the point meets their axis; where n is all but along that, the middle of the ball at that end. */
static void find_core(const omi_context *c, int shape, const double *pose, const double *point, int side,
                      omi_contact *out) {
    const omi_shape *of = c->surfaces->shape + shape;
    int body = c->surfaces->body[shape];
    double to[3], own[3], way[3], sign = side ? -1.0 : 1.0;
    out->beyond[side] = of->radius;
    out->is_rim[side] = 0;
    if (of->core == OMI_BALLS || of->core == OMI_DISCS) {
        for (int i = 0; i < 3; ++i) way[i] = point[i] - pose[i];
        turn_back(own, pose + 3, way);
        double axis[3] = {pose[4], pose[7], pose[10]}, across = 1.0 - dot(axis, out->normal) * dot(axis, out->normal);
        if (of->core == OMI_BALLS) {
            double along = dot(axis, out->normal) * sign;
            out->beyond[side] = sqrt(own[0] * own[0] + own[2] * own[2]) / fmax(sqrt(fmax(across, 0.0)), ACROSS);
            if (fabs(along) > 1.0 - ACROSS) out->beyond[side] = of->radius + (along < 0.0 ? of->low : of->high);
        } else if (across > ACROSS * ACROSS && is_lowest(way, own, axis, out->normal, sign, across)) {
            out->is_rim[side] = 1;
            out->beyond[side] = sqrt(own[0] * own[0] + own[2] * own[2]);
            turn_back(out->axis[side], c->st->rotation + 9 * body, axis);
            for (int i = 0; i < 3; ++i) to[i] = pose[i] + own[1] * axis[i];
        }
    }
    for (int i = 0; i < 3 && !out->is_rim[side]; ++i)
        to[i] = point[i] - sign * out->beyond[side] * out->normal[i];
    for (int i = 0; i < 3; ++i) way[i] = to[i] - c->st->position[3 * body + i];
    turn_back(out->at[side], c->st->rotation + 9 * body, way);
}

/* Where a point of a contact is on one body at the state's pose, from its centre of mass, world axes. */
static void find_arm(const omi_context *c, const omi_contact *one, int side, double *arm) {
    int body = one->body[side];
    double out[3], sign = side ? -1.0 : 1.0;
    turn(arm, c->st->rotation + 9 * body, one->at[side]);
    for (int i = 0; i < 3; ++i) out[i] = one->normal[i];
    if (one->is_rim[side]) {
        double axis[3], along, size;
        turn(axis, c->st->rotation + 9 * body, one->axis[side]);
        along = dot(axis, out);
        for (int i = 0; i < 3; ++i) out[i] -= along * axis[i];
        size = fmax(sqrt(dot(out, out)), 0.5 * ACROSS);
        for (int i = 0; i < 3; ++i) out[i] /= size;
    }
    for (int i = 0; i < 3; ++i) arm[i] += sign * one->beyond[side] * out[i];
}

/* m by which both bodies are apart in a contact at the state's pose. */
double omi_contact_gap(const omi_context *c, const omi_contact *one) {
    double a[3], b[3], gap = 0.0;
    find_arm(c, one, 0, a);
    find_arm(c, one, 1, b);
    for (int i = 0; i < 3; ++i)
        gap += one->normal[i] * (c->st->position[3 * one->body[1] + i] + b[i] -
                                 c->st->position[3 * one->body[0] + i] - a[i]);
    return gap;
}

/* Scaled Jacobian of the rate at which both points part along a direction, and what bodies of
 * prescribed motion add to it. */
void omi_contact_entry(const omi_context *c, const omi_contact *one, const double *along, double *entry,
                       double *bias) {
    const omi_island *is = c->is;
    *bias = 0.0;
    for (int side = 0; side < 2; ++side) {
        int body = one->body[side];
        double arm[3], about[3], own[3], sign = side ? 1.0 : -1.0;
        find_arm(c, one, side, arm);
        cross(about, arm, along);
        if (body < is->bodies) {
            const double *by = c->rows.inverse + 6 * body;
            turn_back(own, c->st->rotation + 9 * body, about);
            for (int i = 0; i < 3; ++i) {
                entry[6 * side + i] = sign * along[i] * by[i];
                entry[6 * side + 3 + i] = sign * own[i] * by[3 + i];
            }
        } else {
            const double *u = c->other + 6 * (body - is->bodies);
            for (int i = 0; i < 6; ++i) entry[6 * side + i] = 0.0;
            *bias += sign * (dot(along, u) + dot(about, u + 3));
        }
    }
}

/* The nearest point, from one on, that may go on with what is known of an old one: by the same name, by place alone, or as
 * one with which it shares. square: of how far they are apart. */
static omi_contact *find_heir(omi_context *c, int from, const omi_contact *old, int by, double *square) {
    omi_contact *best = 0;
    *square = INFINITY;
    for (int i = from; i < c->contacts; ++i) {
        omi_contact *one = c->contact + i;
        double way[3];
        if (one->pair != old->pair || (by == NAME && one->id != old->id) || (by != SHARE && one->goes_on)) continue;
        for (int k = 0; k < 3; ++k) way[k] = one->point[k] - old->point[k];
        if (!(dot(way, way) < *square)) continue;
        *square = dot(way, way);
        best = one;
    }
    return best;
}

/* What was known of the points of a pair in the step before, which are among those; its own begin with `from`. Of each
 * by its name, else by its place within the margin, as names of corners that lie on edges change by rounding. What
 * neither finds again hands on only the force that is reported, a share of it to the nearest. What was not near has
 * borne nothing. */
static void inherit(omi_context *c, int pair, int first, int end, int from, double margin) {
    for (int by = NAME; by <= SHARE; ++by)
        for (int i = first; i < end; ++i) {
            omi_contact *old = c->contact_before + i;
            double square;
            if (old->pair != pair || old->is_over) continue;
            omi_contact *one = find_heir(c, from, old, by, &square);
            if (!one || (by == PLACE && square > margin * margin)) continue;
            for (int k = 0; k < 3 && old->is_near; ++k) one->force[k] += old->force[k];
            old->is_over = 1;
            if (by == SHARE) continue;
            one->goes_on = 1;
            one->push = old->push, one->bore = old->bore;
            one->sticks = old->sticks;
            one->closing = old->closing;
            for (int k = 0; k < 2; ++k)
                one->rub[k] = old->rub[0] * dot(old->across[0], one->across[k]) +
                              old->rub[1] * dot(old->across[1], one->across[k]);
        }
}

/* Room for one more; where there is none that of the farthest, if that is farther than this gap. */
static omi_contact *next_contact(omi_context *c, double gap) {
    omi_contact *farthest = c->contact;
    if (c->contacts < c->most_contacts) return c->contact + c->contacts++;
    ++c->left_out;
    for (int i = 1; i < c->contacts; ++i)
        if (c->contact[i].gap > farthest->gap) farthest = c->contact + i;
    return farthest->gap > gap ? farthest : 0;
}

/* Which points of the island may touch within a step of h seconds from the state's pose. How level places are that
 * count as level goes by how many there were in the step before, as how many there are is not known yet. */
void omi_find_contacts(omi_context *c, double h) {
    const omi_surfaces *on = c->surfaces;
    omi_contact *before = c->contact;
    int count = c->contacts, is_mixed = c->left_out > 0, end = 0; /* pairs are in order, but for what is left out */
    c->contact = c->contact_before;
    c->contact_before = before;
    c->contacts = c->left_out = c->has_passed = 0;
    double level = 3 * count > omi_many(&c->near) ? SOFTLY_LEVEL : 0.0;
    for (int p = 0; on && p < on->pairs; ++p) {
        omi_manifold found;
        int a = on->pair[2 * p], b = on->pair[2 * p + 1], from = c->contacts, first = is_mixed ? 0 : end;
        double pose[2][12], margin = LOOKED_AT + AHEAD * h * (fastest(c, a) + fastest(c, b));
        place(c, a, pose[0]);
        place(c, b, pose[1]);
        for (int k = 0; k < 3; ++k) /* a guess */
            found.normal[k] = end < count && before[end].pair == p ? before[end].normal[k] : pose[1][k] - pose[0][k];
        int points = omi_collide(on->shape + a, pose[0], on->shape + b, pose[1], margin, level, &found,
                                 c->collide_work);
        for (int i = 0; i < points; ++i) {
            omi_contact *one = next_contact(c, found.gaps[i]);
            if (!one) continue;
            one->pair = p, one->id = found.id[i];
            one->body[0] = on->body[a], one->body[1] = on->body[b];
            omi_copy(one->normal, found.normals[i], 3);
            omi_copy(one->point, found.at_a[i], 3);
            omi_across(one->normal, one->across[0]); /* a fixed one, whatever else touches */
            cross(one->across[1], one->normal, one->across[0]);
            find_core(c, a, pose[0], found.at_a[i], 0, one);
            find_core(c, b, pose[1], found.at_b[i], 1, one);
            one->gap = omi_contact_gap(c, one);
            double speed = fmin(fmax(-one->gap / OUT_IN, CREEPS), OMI_PUSHED_OUT);
            one->inside = fmin(one->gap + (c->stays_inside ? 0.0 : speed * h), 0.0);
            one->mix = on->mix + 3 * (on->material[a] * on->materials + on->material[b]);
            one->push = one->rub[0] = one->rub[1] = one->closing = 0.0;
            one->sticks = 1;
            one->is_near = one->goes_on = one->is_over = one->bore = 0;
            for (int k = 0; k < 3; ++k) one->force[k] = 0.0;
        }
        double let = 0.0;
        while (end < count && (is_mixed || before[end].pair <= p)) let = fmin(let, before[end++].inside);
        inherit(c, p, first, end, c->left_out ? 0 : from, margin);
        for (int i = from; i < c->contacts; ++i) c->has_passed |= c->contact[i].gap < let - PASSED;
    }
}

/* Whether anything may be met within dt seconds, as bodies move past each other now: as fast as they do
 * in the nearest point, and farther off by what turns one about the other. Without weights: what falls into something
 * meanwhile omi_is_inside notices. */
int omi_may_touch(omi_context *c, double dt) {
    omi_find_contacts(c, dt);
    for (int i = 0; i < c->contacts; ++i) {
        const omi_contact *one = c->contact + i;
        const double *along[3] = {one->normal, one->across[0], one->across[1]};
        double square = 0.0, v[2][6], spin_square = 0.0, reach = INFINITY;
        for (int k = 0; k < 3; ++k) {
            double entry[12], rate;
            omi_contact_entry(c, one, along[k], entry, &rate);
            rate += omi_rate(c->is, one->body, entry, c->st->velocity);
            square += rate * rate;
        }
        for (int side = 0; side < 2; ++side) {
            omi_find_velocity(c, one->body[side], c->st->rotation, c->st->velocity, v[side]);
            reach = fmin(reach, c->surfaces->shape[c->surfaces->pair[2 * one->pair + side]].reach);
        }
        for (int k = 3; k < 6; ++k) spin_square += (v[1][k] - v[0][k]) * (v[1][k] - v[0][k]);
        if (one->gap < LOOKED_AT + dt * (sqrt(square) + 2.0 * reach * sqrt(spin_square))) return 1;
    }
    c->contacts = 0;
    return 0;
}

/* Whether anything is in something else. */
int omi_is_inside(omi_context *c) {
    omi_find_contacts(c, 0.0);
    for (int i = 0; i < c->contacts; ++i)
        if (c->contact[i].gap < 0.0) return 1;
    c->contacts = 0;
    return 0;
}

/* The contacts that bore something in the last step, as many as there is room for; their number. */
int omi_list_contacts(const omi_context *c, omi_touch_point *out, int room) {
    int count = 0;
    for (int i = 0; i < c->contacts; ++i) {
        const omi_contact *one = c->contact + i;
        double arm[3];
        if (dot(one->force, one->force) == 0.0 || count++ >= room) continue;
        omi_touch_point *to = out + count - 1;
        find_arm(c, one, 0, arm);
        *to = (omi_touch_point){.id = one->id, .sticks = one->sticks, .push = one->push};
        for (int k = 0; k < 3; ++k) {
            to->point[k] = c->st->position[3 * one->body[0] + k] + arm[k];
            to->force[k] = one->force[k];
            to->rub[k] = one->rub[0] * one->across[0][k] + one->rub[1] * one->across[1][k];
            if (k < 2) to->shape[k] = c->surfaces->pair[2 * one->pair + k];
        }
    }
    return count;
}

/* Contacts as they were listed in the last output step, for those that the first step finds. */
void omi_recall_contacts(omi_context *c, const omi_touch_point *from, int count) {
    const omi_surfaces *on = c->surfaces;
    for (int i = 0; i < count && c->contacts < c->most_contacts; ++i) {
        omi_contact *one = c->contact + c->contacts;
        for (one->pair = 0; one->pair < on->pairs; ++one->pair)
            if (on->pair[2 * one->pair] == from[i].shape[0] && on->pair[2 * one->pair + 1] == from[i].shape[1]) break;
        if (one->pair == on->pairs) continue;
        ++c->contacts;
        one->id = from[i].id, one->sticks = from[i].sticks;
        one->push = from[i].push, one->closing = 0.0;
        one->is_near = 1, one->is_over = 0, one->bore = one->push > 0.0;
        omi_copy(one->point, from[i].point, 3);
        double size = sqrt(dot(from[i].rub, from[i].rub));
        one->rub[0] = size, one->rub[1] = 0.0;
        for (int k = 0; k < 3; ++k) {
            one->force[k] = one->normal[k] = from[i].force[k]; /* near enough for a guess */
            one->across[0][k] = size > 0.0 ? from[i].rub[k] / size : 0.0;
            one->across[1][k] = 0.0;
        }
    }
}
