/* SPDX-License-Identifier: MIT */
/* How deep two cores overlap, and along which way they part (van den Bergen 2001, "expanding polytope").
 *
 * It is how deep the origin is within the difference of the cores: the least support of the difference,
 * over all directions. A polytope within the difference grows: where the nearest of its faces is
 * not yet one of the difference, the point of it that is farthest along the face's normal joins, the
 * faces that it sees go, and a fan from their rim to it closes the gap.
 *
 * Distances of faces from the origin are counted along normals that point outwards, so they are
 * negative where the origin is not in the polytope, or, by rounding or truly, not in the difference:
 * it grows towards the origin all the same, and what is found goes through nought without a jump.
 * Faces too narrow to have a normal close the polytope and are never grown or seen.
 *
 * A difference that is flat, a line or a point (spheres and capsules have such cores) is parted across.
 */
#include "convex.h"

/* Of the size: a face that is less within the difference is one of it. This, NARROW, SEEN and COPLANAR
 * are above rounding and below all that is measured: a tenth or ten times changes no bit of 4,500 pairs
 * of shapes (README, Constants); without GROWN, SEEN or COPLANAR rounding decides. */
#define GROWN 1e-12
/* Of the size: a face or difference that is narrower is flat (add_face, span). And least square of a direction of
 * length 1 less what lies along a line (part_across): without it capsules on one line part by more than twice the way. */
#define NARROW 1e-11
/* Of the size: a point that is less in front of a face is in it. */
#define SEEN 1e-14
/* Of the size: faces are as near. */
#define COPLANAR 1e-9

static void add_face(omi_polytope *p, int i, int j, int k) {
    omi_facet *f = p->faces + p->count++;
    const double *w = p->vertex[i].w;
    double e[3], g[3], n[3];
    for (int x = 0; x < 3; ++x) e[x] = p->vertex[j].w[x] - w[x], g[x] = p->vertex[k].w[x] - w[x];
    cross(n, e, g);
    double longest = sqrt(fmax(dot(e, e), dot(g, g)));
    int is_wide = dot(n, n) > NARROW * NARROW * p->size * p->size * longest * longest && omi_unit(n);
    *f = is_wide ? (omi_facet){{n[0], n[1], n[2]}, dot(n, w), {i, j, k}} : (omi_facet){{0.0}, INFINITY, {i, j, k}};
}

/* Where the rim has an edge of a face the other way round; -1 where it has not. */
static int find_edge(const omi_polytope *p, const omi_facet *f, int side) {
    int i = f->corner[side], j = f->corner[(side + 1) % 3];
    for (int e = 0; e < p->edges; ++e)
        if (p->rim[e][0] == j && p->rim[e][1] == i) return e;
    return -1;
}

/* Take a face away: its edges are of the rim, but for those of faces that have gone too. */
static void remove_face(omi_polytope *p, int at) {
    const omi_facet *f = p->faces + at;
    for (int side = 0; side < 3; ++side) {
        int e = find_edge(p, f, side);
        int *to = p->rim[e < 0 ? p->edges++ : e];
        const int *from = p->rim[p->edges - 1];
        to[0] = e < 0 ? f->corner[side] : from[0];
        to[1] = e < 0 ? f->corner[(side + 1) % 3] : from[1];
        p->edges -= e >= 0;
    }
    p->faces[at] = p->faces[--p->count];
}

/* Let the last vertex join, which a face sees; 0 where there is no room. What it sees hangs together,
 * whatever rounding says of faces that are far away. */
static int grow(omi_polytope *p, int seen) {
    const double *w = p->vertex[p->points].w;
    p->edges = 0;
    remove_face(p, seen);
    for (int i = 0; i < p->count; ++i) {
        const omi_facet *f = p->faces + i;
        if (!(dot(f->n, w) - f->d > SEEN * p->size)) continue;
        if (find_edge(p, f, 0) < 0 && find_edge(p, f, 1) < 0 && find_edge(p, f, 2) < 0) continue;
        if (p->edges + 3 > 3 * OMI_ROOM) return 0;
        remove_face(p, i);
        i = -1; /* others may hang together with it */
    }
    if (p->count + p->edges > 2 * OMI_ROOM) return 0;
    for (int e = 0; e < p->edges; ++e) add_face(p, p->rim[e][0], p->rim[e][1], p->points);
    ++p->points;
    return 1;
}

/* How far a vertex is from what the first `count` span: a point, a line (t: its direction), a plane (t: its normal). */
static double off(const omi_polytope *p, const double *w, int count, const double *t) {
    double d[3], across[3];
    for (int i = 0; i < 3; ++i) d[i] = w[i] - p->vertex[0].w[i];
    if (count == 1) return sqrt(dot(d, d));
    if (count == 3) return fabs(dot(d, t));
    cross(across, d, t);
    return sqrt(dot(across, across));
}

/* Span a tetrahedron, from the vertex along n. Returns how many vertices there are that do not lie in a plane, on a line or in
 * one point; t: the normal of that plane, or the direction of that line. */
static int span(const omi_pair *pair, const double *n, omi_polytope *p, double *t) {
    double axes[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    omi_vertex_along(pair, n, p->vertex);
    for (p->points = 1; p->points < 4; ++p->points) {
        const double *first = p->vertex[0].w;
        int ways = 4 - p->points;
        if (p->points == 2) {
            omi_across(t, axes[0]);
            cross(axes[1], axes[0], t);
        }
        if (p->points == 3)
            for (int i = 0; i < 3; ++i) axes[0][i] = t[i];
        omi_vertex *new = p->vertex + p->points, *try = new + 1;
        double best = NARROW * pair->size;
        int is_found = 0;
        for (int way = 0; way < 2 * ways; ++way) {
            double d[3], far;
            for (int i = 0; i < 3; ++i) d[i] = way % 2 ? -axes[way / 2][i] : axes[way / 2][i];
            omi_vertex_along(pair, d, try);
            far = off(p, try->w, p->points, t);
            if (!(far > best)) continue;
            best = far;
            is_found = 1;
            *new = *try;
        }
        if (!is_found) break;
        double e[3], g[3];
        for (int i = 0; i < 3; ++i) e[i] = new->w[i] - first[i], g[i] = p->vertex[1].w[i] - first[i];
        if (p->points == 1)
            for (int i = 0; i < 3; ++i) t[i] = e[i];
        if (p->points == 2) cross(t, g, e);
        if (p->points < 3) omi_unit(t);
    }
    return p->points;
}

/* Begin with a simplex of distance.c, if it is a tetrahedron around the origin and not flat; t: the normal of the first
 * three. What span finds is larger, but takes twelve more points than this. */
static int recall(const omi_simplex *s, omi_polytope *p, double *t) {
    double e[3], g[3];
    if (s->count < 4) return 0;
    for (int i = 0; i < 4; ++i) p->vertex[i] = s->vertex[i];
    for (int i = 0; i < 3; ++i) e[i] = s->vertex[1].w[i] - s->vertex[0].w[i], g[i] = s->vertex[2].w[i] - s->vertex[0].w[i];
    cross(t, e, g);
    p->points = 4;
    return omi_unit(t) && off(p, s->vertex[3].w, 3, t) > COPLANAR * p->size;
}

/* Faces of the tetrahedron, outwards; t: the normal of the first three. */
static void begin(omi_polytope *p, const double *t) {
    double d[3];
    for (int i = 0; i < 3; ++i) d[i] = p->vertex[3].w[i] - p->vertex[0].w[i];
    int is_behind = dot(d, t) < 0.0, j = is_behind ? 1 : 2, k = 3 - j;
    p->count = 0;
    add_face(p, 0, j, k);
    add_face(p, 0, k, 3);
    add_face(p, k, j, 3);
    add_face(p, j, 0, 3);
}

/* The simplex of the nearest point: of the faces in one plane, the one that the foot of the origin is in. */
static void hand_over(const omi_polytope *p, double least, omi_simplex *s) {
    double best = INFINITY, v[3];
    const omi_facet *nearest = p->faces;
    for (int pass = 0; pass < 2; ++pass)
        for (int i = 0; i < p->count; ++i) {
            const omi_facet *f = p->faces + i;
            if (pass ? f != nearest : f->d > least + COPLANAR * p->size) continue;
            s->count = 3;
            for (int k = 0; k < 3; ++k) s->vertex[k] = p->vertex[f->corner[k]];
            omi_nearest_of(s, v);
            if (dot(v, v) < best) best = dot(v, v), nearest = f;
        }
}

/* What is flat parts across: all of it lies in a plane (t: its normal), on a line (t), or in a point. Of a guess
 * that is along that line rounding alone is left across it, which is no direction. */
static void part_across(int spanned, const double *t, double *n) {
    double along = dot(n, t);
    for (int i = 0; i < 3; ++i) {
        if (spanned == 3) n[i] = along < 0.0 ? -t[i] : t[i];
        if (spanned == 2) n[i] -= along * t[i];
    }
    if (dot(n, n) < NARROW || !omi_unit(n)) omi_across(t, n);
}

/* Find n, along which cores that touch or overlap part with the least way, and the simplex there, to
 * `within` m. n holds a guess, which says to which side what is flat parts, and s what distance.c
 * has found; of what is flat no simplex is left. */
void omi_overlap(const omi_pair *pair, double within, omi_simplex *s, double *n, omi_polytope *p) {
    double t[3] = {0.0, 1.0, 0.0}, least, way = INFINITY;
    int grows = 1;
    p->size = pair->size;
    int spanned = recall(s, p, t) ? 4 : span(pair, n, p, t);
    if (spanned < 4) {
        s->count = 0;
        part_across(spanned, t, n);
        return;
    }
    begin(p, t);
    while (grows) {
        omi_facet *f = p->faces;
        for (int i = 1; i < p->count; ++i)
            if (p->faces[i].d < f->d) f = p->faces + i;
        least = f->d;
        omi_vertex *new = p->vertex + p->points;
        for (int i = 0; i < 3; ++i) t[i] = -f->n[i];
        omi_vertex_along(pair, t, new);
        double height = -dot(new->w, t);
        if (height < way)
            for (int i = 0; i < 3; ++i) n[i] = t[i];
        way = fmin(way, height);
        grows = way - least > within && height - least > GROWN * pair->size && p->points + 2 < OMI_ROOM &&
                grow(p, (int)(f - p->faces));
    }
    hand_over(p, least, s);
}
