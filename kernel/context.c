/* SPDX-License-Identifier: MIT */
/* The parts of the workspace, one behind the other in memory that the caller hands in. */
#include "context.h"

#ifndef OMI_GAP /* the fuzz puts memory behind each part that nobody may touch */
#define OMI_GAP(end, counting) (end)
#endif

/* Lay out the workspace, of an island that touches in so many points at most; return how many doubles it
 * takes. Without work they are only counted. */
static int lay_out(const omi_island *is, int contacts, omi_context *c, double *work) {
    double *at = work, *listed[2], *columns[2];
    int n = 6 * is->bodies, r = is->rows, m = is->joints, e = is->elements, s = OMI_STAGES;
    int all = is->bodies + is->others, state = 12 * all + (1 + s) * n + OMI_SPANS + 2 * r + e + 5 * m;
    int factors = is->closed ? 1 : s, bounds = 0;
    for (int i = 0; i < r; ++i)
        if (is->kind[i] != OMI_LOCK) bounds += (is->low[i] > -INFINITY) + (is->high[i] < INFINITY);
    if (bounds > OMI_BOUNDS) bounds = OMI_BOUNDS;
    int near = bounds + 3 * contacts, wide = near < OMI_MANY ? near : OMI_MANY;
    int most_moved = 2 * (m + 1) < is->bodies ? 2 * (m + 1) : is->bodies;
    const struct { double **part; int count; } parts[] = {
        {&c->x, 3 * all}, {&c->rot, 9 * all}, {&c->x0, 3 * all}, {&c->rot0, 9 * all},
        {&c->vel, n}, {&c->force, n}, {&c->acc, n}, {&c->delta, n}, {&c->rows.inverse, n},
        {&c->a, s * n}, {&c->new_a, s * n}, {&c->stage_v, s * n}, {&c->theta, s * n / 2},
        {&c->rhs, r}, {&c->lambda, r}, {&c->compliance, r}, {&c->load, r}, {&c->goal, r},
        {&c->goal_rate, r}, {&c->goal_acc, r}, {&c->rows.value, r}, {&c->rows.rate, r},
        {&c->rows.drift, r}, {&c->rows.stretch, r}, {&c->rows.entry, 12 * r}, {&c->rows.along, 3 * r},
        {&c->start_value, r}, {&c->start_rate, r}, {&c->end_value, r}, {&c->end_rate, r},
        {&c->stage_value, s * r}, {&c->stage_rate, s * r}, {&c->stage_lambda, s * r},
        {&c->stage_multiplier, s * r}, {&c->factor.eps, r}, {&c->factor.multiplier, r},
        {&c->rows.gap, 3 * m}, {&c->rows.half, 4 * m}, {&c->rows.spin, 3 * m},
        {&c->start_spin, 3 * m}, {&c->wrench, 6 * m}, {&c->factor.right, 6 * is->nodes},
        {&c->pivots, factors * 36 * is->nodes}, {&c->blocks, factors * 36 * is->blocks},
        {&c->element_force, e}, {&c->omega, e}, {&c->acted, e}, {&c->output_start, state}, {&c->step_start, state},
        {&c->impulse, r}, {&c->borne, r}, {&c->trend, OMI_TREND * r}, {&c->driven, r}, {&c->drive_soft, r}, {&c->drive_rate, r}, {&c->start_impulse, r},
        {&c->start_velocity, n}, {&c->columns, contacts || bounds ? 36 * is->nodes : 0}, {&c->near.entry, 12 * near}, {&c->near.bias, near},
        {&c->near.friction, 2 * near}, {&c->near.response, wide * wide}, {&c->near.factor, wide * wide},
        {&c->near.reply, 6 * near * most_moved}, {&c->near.motion, 6 * all}, {&c->near.own, near}, {&c->near.beside, near},
        {&c->near.gap, near}, {&c->near.free_rate, near}, {&c->near.change, near}, {&c->near.with_bounce, near}, {&c->near.base, near}, {&c->near.rate, near},
        {&c->near.push, near}, {&c->near.next, near}, {&c->near.spare, near},
        {&c->near.shift, near}, {&c->near.mu, near}, {&c->near.weight, near}, {&c->near.across_slope, near}, {&c->near.from, near}, {&c->near.tried, near}, {&c->near.search, near}, {&c->near.search_rate, near}, {&c->near.answer, near}, {&c->near.along, 2 * near},
        {&columns[0], near * (int)(sizeof(omi_column) / sizeof(double))}, {&columns[1], near * (int)(sizeof(omi_column) / sizeof(double))}, {&c->collide_work, contacts ? omi_collide_workspace() : 0},
        {&listed[0], contacts * (int)(sizeof(omi_contact) / sizeof(double))}, {&listed[1], contacts * (int)(sizeof(omi_contact) / sizeof(double))},
    };
    const struct { int **part; int count; } flags[] = {
        {&c->active, r}, {&c->implicit_row, r}, {&c->row_joint, r}, {&c->touched, r},
        {&c->factor.slot, r}, {&c->flip, e}, {&c->factor.has_pivot, is->nodes}, {&c->factor.height, m},
        {&c->near.row, near}, {&c->near.side, near}, {&c->near.contact, near}, {&c->near.body, 2 * near}, {&c->near.pushes, near}, {&c->near.grip, near},
        {&c->holds, r}, {&c->near.held, all}, {&c->near.part, all}, {&c->near.joined, all}, {&c->near.size, all}, {&c->bears, r},
    };
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; at = OMI_GAP(at + parts[i++].count, !work))
        *parts[i].part = at;
    for (unsigned i = 0; i < sizeof flags / sizeof *flags; at = OMI_GAP(at + flags[i++].count, !work))
        *flags[i].part = (int *)at;
    c->near.room = near, c->near.wide = wide, c->near.most_moved = most_moved, c->most_contacts = contacts;
    c->near.column = (omi_column *)columns[0], c->near.factored = (omi_column *)columns[1];
    c->contact = (omi_contact *)listed[0], c->contact_before = (omi_contact *)listed[1];
    return (int)(at - work);
}

int omi_workspace(const omi_island *is) { return omi_touching_workspace(is, 0); }

int omi_touching_workspace(const omi_island *is, int points) {
    omi_context none;
    return lay_out(is, points, &none, 0) + 8;
}

/* A body has a pivot to be stored if a joint goes before it: else its block is one (factor.c). */
static void find_pivots(const omi_island *is, int *has_pivot) {
    for (int node = 0; node < is->nodes; ++node) has_pivot[node] = node >= is->bodies;
    for (int place = 0; place < is->nodes; ++place)
        for (int i = is->later_start[place]; i < is->later_start[place + 1]; ++i)
            if (is->order[place] >= is->bodies && is->later_node[i] < is->bodies)
                has_pivot[is->later_node[i]] = 1;
}

/* Which bodies that forces move are joined, each round to the next. */
static void find_parts(const omi_island *is, omi_pushes *p) {
    p->is = is;
    for (int body = 0; body < is->bodies + is->others; ++body)
        p->held[body] = 0, p->size[body] = body < is->bodies, p->part[body] = p->joined[body] = body;
    for (int joint = 0; joint < is->joints; ++joint) {
        int a = is->ends[2 * joint], b = is->ends[2 * joint + 1], from = p->part[b], last = p->joined[a], body = b;
        p->held[a] = p->held[b] = 1;
        if (a >= is->bodies || b >= is->bodies || p->part[a] == from) continue;
        p->size[p->part[a]] += p->size[from];
        do p->part[body] = p->part[a];
        while ((body = p->joined[body]) != b);
        p->joined[a] = p->joined[b];
        p->joined[b] = last;
    }
}

/* Begin a call for one island: workspace, and what follows from constants. */
void omi_open(omi_context *c, const omi_island *is, omi_state *st, const omi_surfaces *on,
              const double *other, double *work) {
    lay_out(is, on ? on->points : 0, c, work);
    c->is = is, c->st = st, c->other = other, c->surfaces = on;
    c->contacts = c->left_out = c->stays_inside = 0;
    c->eps = is->closed ? OMI_EPS : 0.0, c->rounds = is->closed ? 2 : 0;
    c->factor.island = is;
    c->factor.entry = c->rows.entry, c->factor.active = c->active;
    c->factor.pivot = c->pivots, c->factor.block = c->blocks;
    find_pivots(is, c->factor.has_pivot);
    find_parts(is, &c->near);
    for (int i = 0; i < 6 * is->bodies; ++i) c->rows.inverse[i] = 1.0 / is->roots[i];
    for (int joint = 0; joint < is->joints; ++joint) {
        for (int i = is->row_start[joint]; i < is->row_start[joint + 1]; ++i)
            c->row_joint[i] = joint, c->rows.stretch[i] = 1.0;
        for (int i = 0; i < 4; ++i) c->rows.half[4 * joint + i] = i == 3;
    }
}

void omi_copy(double *to, const double *from, int count) {
    for (int i = 0; i < count; ++i) to[i] = from[i];
}
void omi_copy_pose(const omi_island *is, double *x, double *rot, const double *x0, const double *rot0) {
    omi_copy(x, x0, 3 * (is->bodies + is->others));
    omi_copy(rot, rot0, 9 * (is->bodies + is->others));
}
