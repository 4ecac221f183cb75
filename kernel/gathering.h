/* SPDX-License-Identifier: MIT */
/* Points in which one shape touches the triangles of a mesh, until some of them are chosen. */
#ifndef OMI_GATHERING_H
#define OMI_GATHERING_H
#include "patches.h"

/* What becomes of a place: OMI_GONE and OMI_STAYS in what was looked at, the others in what is. */
enum { OMI_FRESH, OMI_GONE, OMI_STAYS, OMI_ALIKE, OMI_KEPT };

typedef struct {
    omi_touch_place places[SPOTS];
    int count;
    double size, margin;
    omi_few_places found[2]; /* of a triangle, to both sides */
    omi_room room;
} omi_gathered;

/* gathering.c */
void omi_thin(omi_gathered *all);
void omi_choose_places(omi_gathered *all, omi_manifold *out);
#endif
