/* SPDX-License-Identifier: MIT */
/* Patches: what of a shape lies along the gap, seen along n in a plane. Derived in patches.c. */
#ifndef OMI_PATCHES_H
#define OMI_PATCHES_H
#include "convex.h"

#define FACE_CORNERS 64 /* of a face, at most; of faces with more, so many of its corners */
#define SPOTS 160       /* two such faces clipped, or one by a disc */

#define OF_B 16384      /* of names: from there on those of b, */
#define TWO 32768       /* and from there those of two edges (clipping.c) */

/* A point, a line, a polygon, a disc, a half-space; in that order, as the greater one clips (omi_clip). */
enum omi_patch_kind { OMI_TIP, OMI_SIDE, OMI_FACE, OMI_CAP, OMI_GROUND };

typedef struct {
    int kind, count, face;
    double facing;    /* cosine of the angle between n and the face; 0 where it is none */
    double normal[3]; /* of the face, to the side of n */
    double centre[3], radius;      /* of a disc; a point of an endless one */
    double point[FACE_CORNERS][3]; /* of a line or polygon, on the surface */
    int name[FACE_CORNERS];
    const double *rotation; /* of the shape */
    /* Seen in the plane: */
    double middle[2], q[FACE_CORNERS][2]; /* polygons run counter-clockwise */
    double height, slope[2];              /* along n from the plane: height + slope . q */
} omi_patch;

/* A place in the plane, and what it is made of. */
typedef struct {
    double q[2], gap, low; /* low: where it is on a, along n from the plane */
    int id, edge; /* edge: name of the one that begins here */
} omi_spot;

typedef struct {
    omi_patch a, b;
    double origin[3], x[3], y[3], normal[3], n[3]; /* the plane, from the origin of shape a */
    int count;
    omi_spot spots[SPOTS], clipped[SPOTS], found[SPOTS];
} omi_sheet;

/* patches.c */
void omi_find_patch(const omi_placed *p, const double *n, double sign, int face, omi_patch *out);
void omi_take_edge(omi_patch *p, const double *n, double sign);
void omi_lay(omi_sheet *sheet, const double *origin, const double *n);
static inline double omi_height(const omi_patch *p, const double *q) {
    return p->height + p->slope[0] * q[0] + p->slope[1] * q[1];
}

/* What two convex shapes are met in: their nearest points first, then what lies along the gap. */
typedef union {
    omi_polytope polytope;
    omi_sheet sheet;
} omi_room;

/* A point of a manifold, world; used: gathering.h. */
typedef struct {
    double normal[3], a[3], b[3], gap;
    int id, used;
} omi_touch_place;

#define FEW 4 /* points of two convex shapes, at most */
typedef struct {
    omi_touch_place of[FEW];
    int count;
} omi_few_places;

/* manifold.c */
#define OMI_NEAREST 0x7fffffff /* the name of the nearest points */
void omi_put_place(omi_manifold *out, const omi_touch_place *from);
void omi_find_places(const omi_pair *pair, const omi_nearest *near, double margin, double level, int has_nearest,
                     omi_few_places *out, omi_sheet *s);

/* clipping.c */
void omi_clip(omi_sheet *sheet);
void omi_clip_lines(omi_sheet *sheet);
#endif
