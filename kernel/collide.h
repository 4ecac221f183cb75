/* SPDX-License-Identifier: MIT */
/* Shapes, and where they touch. What is handed in stays as it is; nothing is kept between calls.
 *
 * Every shape but a mesh is convex, and one thing: a core, and all that is within `radius` of it. The
 * core is spanned by corners, or by two discs or two balls across the Y axis. A sphere is one corner, a
 * capsule two; boxes and hulls are corners with faces; cylinders and cones are discs; capsules that
 * taper are balls. Compounds are several shapes of one body. A mesh is triangles, solid from both sides,
 * of a body that no force moves.
 *
 * A pose is 12 numbers: where the origin of the shape is, m, then its rotation. README.md says which
 * file does what; how it is done is derived at their heads.
 */
#ifndef OMI_COLLIDE_H
#define OMI_COLLIDE_H
#include "omi_kernel.h"

#define OMI_POINTS 16 /* of a manifold, at most; of two convex shapes 4 */

enum omi_core {
    OMI_CORNERS = 0,   /* a point, a segment, or a polytope */
    OMI_DISCS = 1,     /* a cylinder or cone */
    OMI_BALLS = 2,     /* a capsule that tapers; neither ball holds the other */
    OMI_HALF_SPACE = 3, /* all below the XZ plane, Y <= 0 */
    OMI_MESH = 4       /* triangles; meets no half-space and no other mesh */
};

typedef struct omi_shape {
    int core;               /* omi_core */
    int corners, faces;     /* of OMI_CORNERS; faces where there is a volume; of a mesh its triangles */
    int leaves;             /* of the tree of a mesh: a power of two, no less than its triangles */
    double radius;          /* m, of what is around the core */
    double half;            /* m: discs and balls are at Y = -half and half */
    double low, high;       /* m: their radii there */
    double reach;           /* m: no point is farther from the origin of the shape */
    const double *corner;   /* [corners][3] m */
    const double *normal;   /* [faces][3] unit, outwards */
    const int *face_start;  /* [faces + 1] */
    const int *face_corner; /* counter-clockwise, seen from outside; of a mesh [faces][3] */
    const int *ring_start;  /* of a mesh: [corners + 1] */
    const int *ring;        /* the corners that share a triangle with each */
    const double *tree;     /* of a mesh: [2 leaves - 1][2][3] m, boxes, lowest, then highest (mesh.c) */
} omi_shape;

typedef struct omi_manifold {
    double normal[3];           /* unit, from a to b */
    double gap;                 /* m: the distance; negative: the least way that parts them */
    int points;                 /* 0 where the gap is more than the margin */
    int id[OMI_POINTS];         /* of the features that make a point, the same from step to step */
    double at_a[OMI_POINTS][3]; /* m, world: on the surface of a */
    double at_b[OMI_POINTS][3];
    double gaps[OMI_POINTS];    /* m, along the normal, at most the margin; the first is the least, to a
                                 * millionth of the size, or to `level` of it */
    double normals[OMI_POINTS][3]; /* of each point; of two convex shapes all are one */
} omi_manifold;

/* Shapes, how far each may come, and which of them meet. */
typedef struct omi_sweep {
    int shapes, filters, aparts;
    const omi_shape *shape; /* [shapes] */
    const double *pose;     /* [shapes][12] */
    const double *way;      /* [shapes] m: shapes that are farther apart than both theirs are not near */
    const int *body;        /* [shapes] */
    const int *moves;       /* [shapes] whether forces move its body */
    const int *filter;      /* [shapes] */
    const int *meets;       /* [filters][filters] whether shapes of two filters meet */
    const int *apart;       /* [aparts][2] shapes that do not meet, the lower first, in order */
} omi_sweep;

/* Number of doubles that the functions below want as workspace. */
OMI_API int omi_collide_workspace(void);
/* Find where two shapes touch, or nearly do: are no more than margin, m, apart. Where they are
 * farther apart, the gap may be less than it is, yet more than the margin. level: of the size, places that
 * differ by less count as equally deep; 0 for as little as rounding. out->normal: a guess of it, of any length, or 0, 0, 0.
 * Returns the number of points. */
OMI_API int omi_collide(const omi_shape *a, const double *pose_a, const omi_shape *b, const double *pose_b,
                        double margin, double level, omi_manifold *out, double *work);
/* The box of a shape [2][3], grown by so many m; endless of a half-space. */
OMI_API void omi_box(const omi_shape *shape, const double *pose, double by, double *box);
/* Find which shapes are near, as pairs [most][2], the lower first: no farther apart than their ways, of two
 * bodies, one of which moves, and nothing keeps them apart. Returns how many there are; of more than most,
 * some are left out. order [shapes]: any permutation; left from step to step, it makes sorting cheap.
 * box [shapes][2][3]: room. */
OMI_API int omi_pairs(const omi_sweep *sweep, int *order, double *box, int *pairs, int most, double *work);
#endif
