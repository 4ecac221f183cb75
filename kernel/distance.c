/* SPDX-License-Identifier: MIT */
/* The distance of two cores that do not overlap (Gilbert, Johnson, Keerthi 1988).
 *
 * It is that of their difference, the set of all points of b less one of a, from the origin. Of this
 * convex set only supports are known. So the nearest point v of the hull of up to four of its points
 * is found, the point of the difference that is farthest against v joins them, and those that v does
 * not need leave. As w . v / |v| is a lower bound and |v| an upper one, it is known how much may yet
 * be gained; for corners it ends with nothing.
 *
 * The nearest point of a simplex is the best of those of its parts, a triangle's own plane going before
 * its edges where the foot of the origin is within. v is the weighted sum of corners, so it is a point
 * of the difference whatever rounding did to the weights.
 */
#include "convex.h"

/* Points of curved cores that join, at most; most pairs want less than ten. */
#define JOINING 100
/* Of |v|^2: it ends where |v|^2 - w . v, by which v might still be shortened, is no more than this. Less than rounding
 * leaves is never seen. */
#define GAINED 1e-15
/* Of how far corners are from the origin: a fourth corner that is lower than this above the plane of the other three
 * makes a flat simplex, which has no inside. */
#define LOST 1e-14

/* A point of a simplex, by the weights of its corners; how far it is from the origin, squared. */
typedef struct {
    double weight[4], v[3], square;
} weighted;

/* Take the nearest point of two corners i, j, if that is nearer than the best one. */
static void try_edge(const omi_simplex *s, int i, int j, weighted *best) {
    const double *p = s->vertex[i].w, *q = s->vertex[j].w;
    double edge[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]}, square = dot(edge, edge);
    double t = square > 0.0 ? fmin(fmax(-dot(p, edge) / square, 0.0), 1.0) : 0.0;
    const double v[3] = {p[0] + t * edge[0], p[1] + t * edge[1], p[2] + t * edge[2]};
    if (!(dot(v, v) < best->square)) return;
    *best = (weighted){{0.0}, {v[0], v[1], v[2]}, dot(v, v)};
    best->weight[j] = t;
    best->weight[i] = 1.0 - t;
}

/* Of three corners. */
static void try_triangle(const omi_simplex *s, const int *c, weighted *best) {
    const double *p[3] = {s->vertex[c[0]].w, s->vertex[c[1]].w, s->vertex[c[2]].w};
    double e[3], f[3], normal[3], part[3], of[3], v[3];
    for (int i = 0; i < 3; ++i) e[i] = p[1][i] - p[0][i], f[i] = p[2][i] - p[0][i];
    cross(normal, e, f);
    for (int i = 0; i < 3; ++i) {
        try_edge(s, c[i], c[(i + 1) % 3], best);
        cross(part, p[(i + 1) % 3], p[(i + 2) % 3]);
        of[i] = dot(part, normal);
    }
    double sum = of[0] + of[1] + of[2];
    if (!(of[0] > 0.0 && of[1] > 0.0 && of[2] > 0.0)) return;
    for (int i = 0; i < 3; ++i) of[i] /= sum;
    for (int i = 0; i < 3; ++i) v[i] = of[0] * p[0][i] + of[1] * p[1][i] + of[2] * p[2][i];
    if (!(dot(v, v) < best->square)) return;
    *best = (weighted){{0.0}, {v[0], v[1], v[2]}, dot(v, v)};
    for (int i = 0; i < 3; ++i) best->weight[c[i]] = of[i];
}

/* Of four corners, by the faces that the origin is in front of; all four where it is in front of none,
 * and v is 0. Where they are as good as flat, so that no side is inside, by all faces. */
static void try_tetrahedron(const omi_simplex *s, weighted *best) {
    static const int face[4][4] = {{1, 2, 3, 0}, {0, 3, 2, 1}, {0, 1, 3, 2}, {0, 2, 1, 3}};
    double volume[4], far = 0.0;
    int is_inside = 1;
    for (int i = 0; i < 4; ++i) far = fmax(far, dot(s->vertex[i].w, s->vertex[i].w));
    for (int i = 0; i < 4; ++i) {
        double e[3], f[3], g[3], normal[3];
        const double *p = s->vertex[face[i][0]].w;
        for (int k = 0; k < 3; ++k) {
            e[k] = s->vertex[face[i][1]].w[k] - p[k];
            f[k] = s->vertex[face[i][2]].w[k] - p[k];
            g[k] = s->vertex[face[i][3]].w[k] - p[k];
        }
        cross(normal, e, f);
        double inwards = dot(normal, g), doubt = LOST * sqrt(far * dot(e, e) * dot(f, f));
        volume[i] = -dot(normal, p) * (inwards > 0.0 ? 1.0 : -1.0);
        if (volume[i] > 0.0 && fabs(inwards) > doubt) continue;
        is_inside = 0;
        try_triangle(s, face[i], best);
    }
    double sum = volume[0] + volume[1] + volume[2] + volume[3];
    for (int i = 0; i < 4 && is_inside; ++i) best->weight[i] = volume[i] / sum;
}

/* The point of a simplex that is nearest to the origin; corners that it does not need leave. */
void omi_nearest_of(omi_simplex *s, double *v) {
    static const int all[3] = {0, 1, 2};
    weighted best = {.square = INFINITY};
    int kept = 0;
    if (s->count == 1) try_edge(s, 0, 0, &best);
    if (s->count == 2) try_edge(s, 0, 1, &best);
    if (s->count == 3) try_triangle(s, all, &best);
    if (s->count == 4) try_tetrahedron(s, &best);
    for (int i = 0; i < 3; ++i) v[i] = best.v[i];
    for (int i = 0; i < s->count; ++i) {
        if (!(best.weight[i] > 0.0)) continue;
        s->vertex[kept] = s->vertex[i];
        s->weight[kept++] = best.weight[i];
    }
    s->count = kept;
}

static int is_among(const omi_simplex *s, const omi_vertex *new) {
    for (int i = 0; i < s->count; ++i) {
        const double *w = s->vertex[i].w;
        if (w[0] == new->w[0] && w[1] == new->w[1] && w[2] == new->w[2]) return 1;
    }
    return 0;
}

/* The distance of the cores, 0 where they overlap or the size says that they touch; v: from the
 * nearest point of a to that of b. Ends early where they are farther apart than `far`, with a lower
 * bound. The simplex is what v needs. */
double omi_core_distance(const omi_pair *pair, double far, omi_simplex *s, double *v) {
    static const double any[3] = {1.0, 0.0, 0.0};
    double none = 1e-30 + ROUNDED * ROUNDED * pair->size * pair->size, square = INFINITY;
    s->count = 1;
    omi_vertex_along(pair, dot(pair->b.at, pair->b.at) > none ? pair->b.at : any, s->vertex);
    for (int i = 0; i < JOINING; ++i) {
        omi_nearest_of(s, v);
        double now = dot(v, v);
        if (s->count == 4 || s->count == 0 || !(now > none)) return 0.0;
        if (!(now < square)) break;
        square = now;
        omi_vertex *new = s->vertex + s->count;
        omi_vertex_along(pair, v, new);
        double along = dot(new->w, v);
        if (along > 0.0 && along * along > far * far * square) return along / sqrt(square);
        if (square - along <= GAINED * square || is_among(s, new)) break;
        ++s->count;
    }
    return sqrt(dot(v, v));
}
