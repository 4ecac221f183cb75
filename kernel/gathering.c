/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which of many points stand for all: those whose normals are alike go by four, as those of two faces do, so
 * a box on a thousand triangles has four points.
 */
#include "gathering.h"

/* Cosine, 8 degrees: normals are alike. */
#define ALIKE 0.99

static void put(omi_manifold *out, const omi_touch_place *from) {
    int i = out->points++;
    for (int k = 0; k < 3; ++k) {
        out->normals[i][k] = from->normal[k];
        out->at_a[i][k] = from->a[k];
        out->at_b[i][k] = from->b[k];
    }
    out->gaps[i] = from->gap;
    out->id[i] = from->id;
}

static void copy_place(omi_touch_place *to, const omi_touch_place *from) {
    for (int k = 0; k < 3; ++k) {
        to->normal[k] = from->normal[k];
        to->a[k] = from->a[k];
        to->b[k] = from->b[k];
    }
    to->gap = from->gap;
    to->id = from->id;
}

static omi_touch_place *deepest(omi_gathered *all) {
    omi_touch_place *best = 0;
    for (int i = 0; i < all->count; ++i)
        if (!all->places[i].used && (!best || all->places[i].gap < best->gap)) best = all->places + i;
    return best;
}

/* Of all places choose those that stand for the rest: of normals that are alike up to four. */
void omi_choose_places(omi_gathered *all, omi_manifold *out) {
    omi_sheet *s = (omi_sheet *)all->rest;
    const omi_spot *chosen[FEW];
    out->points = 0;
    while (out->points + FEW <= OMI_POINTS) {
        const omi_touch_place *first = deepest(all);
        double x[3], y[3];
        if (!first) return;
        omi_across(first->normal, x);
        cross(y, first->normal, x);
        s->count = 0;
        for (int i = 0; i < all->count; ++i) {
            omi_touch_place *one = all->places + i;
            double way[3];
            if (one->used || (one != first && !(dot(one->normal, first->normal) > ALIKE))) continue;
            for (int k = 0; k < 3; ++k) way[k] = one->b[k] - first->b[k];
            omi_spot *to = s->spots + s->count++;
            to->q[0] = dot(way, x);
            to->q[1] = dot(way, y);
            to->gap = one->gap;
            to->id = i;
            one->used = OMI_GONE;
        }
        int count = omi_choose_spots(s, all->size, chosen, 0);
        for (int i = 0; i < count; ++i) put(out, all->places + chosen[i]->id);
    }
}

/* Make room: of normals that are alike go on with the deepest place, and with those that are farthest in
 * 16 directions across, so that the corners of what touches are kept whatever comes. */
void omi_thin(omi_gathered *all) {
    int kept = 0;
    for (;;) {
        omi_touch_place *first = deepest(all);
        double x[3], y[3];
        if (!first) break;
        omi_across(first->normal, x);
        cross(y, first->normal, x);
        for (int i = 0; i < all->count; ++i) {
            omi_touch_place *one = all->places + i;
            if (!one->used && dot(one->normal, first->normal) > ALIKE) one->used = OMI_ALIKE;
        }
        first->used = OMI_KEPT;
        for (int u = -2; u <= 2; ++u)
            for (int v = -2; v <= 2; ++v) {
                omi_touch_place *best = first;
                double most = -INFINITY;
                for (int i = 0; i < all->count && (u * u == 4 || v * v == 4); ++i) {
                    omi_touch_place *one = all->places + i;
                    double along = u * dot(one->b, x) + v * dot(one->b, y);
                    if (one->used < OMI_ALIKE || !(along > most)) continue;
                    most = along;
                    best = one;
                }
                best->used = OMI_KEPT;
            }
        for (int i = 0; i < all->count; ++i) {
            omi_touch_place *one = all->places + i;
            if (one->used >= OMI_ALIKE) one->used = one->used == OMI_KEPT ? OMI_STAYS : OMI_GONE;
        }
    }
    for (int i = 0; i < all->count; ++i) {
        if (all->places[i].used != OMI_STAYS) continue;
        copy_place(all->places + kept, all->places + i);
        all->places[kept++].used = OMI_FRESH;
    }
    all->count = kept;
}
