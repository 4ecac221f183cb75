/* SPDX-License-Identifier: MIT */
/* Two shapes, and what the files of collision share.
 *
 * Symbols, in all of them, for shapes a and b:
 *
 *     n       a unit vector, from a to b
 *     h(n)    support: how far a shape reaches along n
 *     s(n)    separation along n, - h_a(n) - h_b(-n): how far b is beyond a, less than 0 if they overlap
 *     w       a point of the difference of the cores, b - a
 *     size    m, of both shapes together: what errors are measured by
 *
 * The gap is the largest s(n) of all n, whether the shapes are apart or not. So each n is a lower
 * bound, however it was found, and of several the best is taken.
 *
 * All lengths are in world axes, from the origin of a: what is far from the world's origin loses nothing.
 */
#ifndef OMI_CONVEX_H
#define OMI_CONVEX_H
#include "algebra.h"
#include "collide.h"

/* Of the size: shapes whose cores are nearer are touching. The direction between their nearest points
 * has lost too many digits there, and is found from features. */
#define TOUCHING 1e-6
/* Of the size: what rounding leaves of lengths. */
#define ROUNDED 1e-15

typedef struct {
    const omi_shape *shape;
    const double *rotation;
    double at[3]; /* of its origin, from that of a */
} omi_placed;

typedef struct {
    omi_placed a, b;
    double size;
    double radii;   /* m, both together */
    double base[3]; /* m, world: the origin of a */
} omi_pair;

/* A point of the difference of the cores: it is w, of a and a + w. */
typedef struct {
    double w[3], a[3];
    int in[2]; /* which corner, disc or ball of a and of b */
} omi_vertex;

typedef struct {
    int count;
    omi_vertex vertex[4];
    double weight[4]; /* of the point that is nearest to the origin */
} omi_simplex;

typedef struct {
    double n[3], gap;     /* of the shapes, with their radii */
    double a[3], b[3];    /* the nearest points, or deepest, on the surfaces */
    omi_simplex simplex;  /* of the cores, there */
} omi_nearest;

/* What grows in overlap.c: a closed surface of triangles has less than twice as many faces as points. */
#define OMI_ROOM 128

typedef struct {
    double n[3], d; /* outwards; from the origin */
    int corner[3];
} omi_facet;

typedef struct {
    omi_vertex vertex[OMI_ROOM];
    omi_facet faces[2 * OMI_ROOM];
    int rim[3 * OMI_ROOM][2];
    int points, count, edges;
    double size;
} omi_polytope;

static inline void omi_world(const omi_placed *p, const double *local, double *out) {
    turn(out, p->rotation, local);
    for (int i = 0; i < 3; ++i) out[i] += p->at[i];
}
/* Where a point is in the axes of a pose. */
static inline void omi_local(const double *pose, const double *point, double *out) {
    const double way[3] = {point[0] - pose[0], point[1] - pose[1], point[2] - pose[2]};
    turn_back(out, pose + 3, way);
}
/* A unit vector across another, which need not be one. */
static inline void omi_across(const double *v, double *out) {
    int axis = fabs(v[0]) <= fabs(v[1]) && fabs(v[0]) <= fabs(v[2]) ? 0 : fabs(v[1]) <= fabs(v[2]) ? 1 : 2;
    double unit[3] = {axis == 0, axis == 1, axis == 2};
    cross(out, v, unit);
    double length = sqrt(dot(out, out));
    for (int i = 0; i < 3; ++i) out[i] = length > 0.0 ? out[i] / length : axis == (i + 2) % 3;
}
/* 0 where it has no direction. */
static inline int omi_unit(double *v) {
    double length = sqrt(dot(v, v));
    if (!(length > 0.0)) return 0;
    for (int i = 0; i < 3; ++i) v[i] /= length;
    return 1;
}

/* support.c */
void omi_place(const omi_shape *a, const double *pose_a, const omi_shape *b, const double *pose_b,
               omi_pair *pair);
int omi_support(const omi_placed *p, const double *along, double sign, double *out);
void omi_vertex_along(const omi_pair *pair, const double *n, omi_vertex *out);
double omi_separation(const omi_pair *pair, const double *n);
double omi_slope(const omi_shape *shape);
double omi_curvature(const omi_placed *p, int at, const double *n, const double *s, const double *t);
int omi_facing(const omi_placed *p, const double *n, double sign, double *normal);

/* distance.c */
void omi_nearest_of(omi_simplex *s, double *v);
double omi_core_distance(const omi_pair *pair, double far, omi_simplex *s, double *v);

/* overlap.c */
void omi_overlap(const omi_pair *pair, double within, omi_simplex *s, double *n, omi_polytope *p);

/* nearest.c */
void omi_find_nearest(const omi_pair *pair, double far, const double *guess, omi_nearest *out, omi_polytope *room);

/* mesh.c */
int omi_collide_mesh(const omi_shape *a, const double *pose_a, const omi_shape *b, const double *pose_b,
                     double margin, double level, omi_manifold *out, double *work);
int omi_is_mesh_near(const omi_shape *mesh, const double *pose, const omi_shape *other, const double *at,
                     double far, omi_polytope *room);
#endif
