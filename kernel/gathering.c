/* SPDX-License-Identifier: MIT */
/* Which of many points stand for all: of those whose normals are alike the deepest, and in each of some
 * directions across the one that is farthest, so a box on a thousand triangles has four points. A mesh is
 * not flat, so what is less deep counts for less: a millimetre as much as a tenth of a metre across. What turns
 * fast may meet the mesh first with what is not deep yet, as the tip of what swings down: so they are chosen once
 * more, with what is less deep by the margin counting as much as the size across.
 */
#include "gathering.h"

/* Cosine, 2.6 degrees: normals are alike. A third of it changes one manifold of 900. */
#define ALIKE 0.999
/* m/m: with a tenth of it a box shivers on hills, as points that bear give way to others beside them. */
#define DEPTH 100.0
/* Of the size: points are one; and as deep. A tenth or ten times changes one manifold of 900, or none. */
#define SAME 1e-7
#define AS_DEEP 1e-9
/* m/m: directions are turned by it, so that the corners of what lies along the axes are farthest alone. */
#define ASKEW 0.37

static omi_touch_place *deepest(omi_gathered *all, int used) {
    omi_touch_place *best = 0;
    for (int i = 0; i < all->count; ++i)
        if (all->places[i].used == used && (!best || all->places[i].gap < best->gap)) best = all->places + i;
    return best;
}

/* Whether there is a point in the same place already: two triangles meet there. */
static int is_there(const omi_manifold *out, const omi_touch_place *one, double size) {
    for (int i = 0; i < out->points; ++i) {
        double way[3];
        for (int k = 0; k < 3; ++k) way[k] = out->at_b[i][k] - one->b[k];
        if (dot(way, way) < SAME * SAME * size * size && dot(out->normals[i], one->normal) > ALIKE) return 1;
    }
    return 0;
}

/* Of points whose normals are alike keep those that stand for the rest: 8 directions, or 16 of twice. */
static void keep_some(omi_gathered *all, omi_touch_place *first, int twice) {
    double x[3], y[3], least = INFINITY;
    omi_across(first->normal, x);
    cross(y, first->normal, x);
    for (int i = 0; i < all->count; ++i) {
        omi_touch_place *one = all->places + i;
        if (one->used == OMI_FRESH && dot(one->normal, first->normal) > ALIKE) one->used = OMI_ALIKE;
    }
    first->used = OMI_ALIKE;
    for (int u = -twice; u <= twice; ++u)
        for (int v = -twice; v <= twice; ++v) {
            omi_touch_place *best = first;
            double most = -INFINITY, p = u + ASKEW * v, q = v - ASKEW * u, size = sqrt(p * p + q * q);
            if (u * u != twice * twice && v * v != twice * twice) continue;
            for (int again = 0; again <= (all->size < DEPTH * all->margin); ++again, most = -INFINITY) {
                double depth = again ? all->size / all->margin : DEPTH;
                for (int i = 0; i < all->count; ++i) {
                    omi_touch_place *one = all->places + i;
                    double far = p * dot(one->b, x) + q * dot(one->b, y) - depth * size * one->gap;
                    if (one->used >= OMI_ALIKE && far > most) most = far, best = one;
                }
                best->used = OMI_KEPT;
                least = fmin(least, best->gap);
            }
        }
    if (!(least <= first->gap + AS_DEEP * all->size)) first->used = OMI_KEPT;
    for (int i = 0; i < all->count; ++i) {
        omi_touch_place *one = all->places + i;
        if (one->used >= OMI_ALIKE) one->used = one->used == OMI_KEPT ? OMI_STAYS : OMI_GONE;
    }
}

/* Choose as many as there is room for. */
void omi_choose_places(omi_gathered *all, omi_manifold *out) {
    out->points = 0;
    for (omi_touch_place *first = deepest(all, OMI_FRESH); first; first = deepest(all, OMI_FRESH)) {
        keep_some(all, first, 1);
        for (omi_touch_place *one = deepest(all, OMI_STAYS); one; one = deepest(all, OMI_STAYS)) {
            one->used = OMI_GONE;
            if (out->points < OMI_POINTS && !is_there(out, one, all->size)) omi_put_place(out, one);
        }
    }
}

/* Make room, so that what is farthest in 16 directions is kept whatever comes. */
void omi_thin(omi_gathered *all) {
    int kept = 0;
    omi_touch_place *first;
    while ((first = deepest(all, OMI_FRESH))) keep_some(all, first, 2);
    for (int i = 0; i < all->count; ++i) {
        if (all->places[i].used != OMI_STAYS) continue;
        all->places[kept] = all->places[i];
        all->places[kept++].used = OMI_FRESH;
    }
    all->count = kept;
}
