/* SPDX-License-Identifier: MIT */
/* Which shapes are near: sweep and prune along X (Baraff 1992), then their gap.
 *
 * Boxes in the order in which they begin along X: each can overlap only those that begin before it
 * ends. The order is sorted by insertion, since it changes little from step to step. A half-space
 * has a box without end, and that of a mesh may hold everything, so boxes alone are not enough.
 */
#include "convex.h"

void omi_box(const omi_shape *shape, const double *pose, double by, double *box) {
    omi_placed p = {shape, pose + 3, {pose[0], pose[1], pose[2]}};
    for (int i = 0; i < 6; ++i) {
        const double sign = i < 3 ? -1.0 : 1.0, axis[3] = {i % 3 == 0, i % 3 == 1, i % 3 == 2};
        double point[3], corner[3];
        box[i] = sign * INFINITY;
        if (shape->core == OMI_HALF_SPACE) continue;
        if (shape->core == OMI_MESH) { /* the corner of the box around it that is farthest along the axis */
            for (int k = 0; k < 3; ++k) corner[k] = shape->tree[(sign * pose[3 + i % 3 * 3 + k] > 0.0 ? 3 : 0) + k];
            omi_world(&p, corner, point);
        } else {
            omi_support(&p, axis, sign, point);
        }
        box[i] = point[i % 3] + sign * (shape->radius + by);
    }
}

static int is_kept_apart(const omi_sweep *s, int first, int second) {
    int low = 0, high = s->aparts;
    while (low < high) {
        int at = low + (high - low) / 2, off = s->apart[2 * at] - first;
        if (!off) off = s->apart[2 * at + 1] - second;
        if (!off) return 1;
        if (off < 0) low = at + 1;
        else high = at;
    }
    return 0;
}

static int are_near(const omi_sweep *s, int i, int j, omi_polytope *room) {
    const omi_shape *a = s->shape + i, *b = s->shape + j;
    const double *at = s->pose + 12 * i, *bt = s->pose + 12 * j;
    double far = s->way[i] + s->way[j];
    omi_pair pair;
    omi_nearest near;
    if (a->core == OMI_MESH) return omi_is_mesh_near(a, at, b, bt, far, room);
    if (b->core == OMI_MESH) return omi_is_mesh_near(b, bt, a, at, far, room);
    omi_place(a, at, b, bt, &pair);
    omi_find_nearest(&pair, far, pair.b.at, &near, room);
    return near.gap <= far;
}

/* Of two shapes whose boxes overlap along X, the lower one first. */
static int are_worth_a_query(const omi_sweep *s, const double *box, int i, int j, omi_polytope *room) {
    const double *p = box + 6 * i, *q = box + 6 * j;
    for (int k = 1; k < 3; ++k)
        if (p[k] > q[3 + k] || q[k] > p[3 + k]) return 0;
    return s->body[i] != s->body[j] && (s->moves[i] || s->moves[j]) &&
           s->meets[s->filters * s->filter[i] + s->filter[j]] && !is_kept_apart(s, i, j) &&
           are_near(s, i, j, room);
}

int omi_pairs(const omi_sweep *s, int *order, double *box, int *pairs, int most, double *work) {
    int count = 0;
    for (int i = 0; i < s->shapes; ++i) omi_box(s->shape + i, s->pose + 12 * i, s->way[i], box + 6 * i);
    for (int i = 1; i < s->shapes; ++i) {
        int at = i, one = order[i];
        for (; at > 0 && box[6 * one] < box[6 * order[at - 1]]; --at) order[at] = order[at - 1];
        order[at] = one;
    }
    for (int i = 0; i < s->shapes; ++i)
        for (int j = i + 1; j < s->shapes && box[6 * order[j]] <= box[6 * order[i] + 3]; ++j) {
            int first = order[i] < order[j] ? order[i] : order[j], second = order[i] + order[j] - first;
            if (!are_worth_a_query(s, box, first, second, (omi_polytope *)work)) continue;
            if (count < most) pairs[2 * count] = first, pairs[2 * count + 1] = second;
            ++count;
        }
    return count;
}
