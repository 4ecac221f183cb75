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

static weighted nearer(weighted a, weighted b) { return b.square < a.square ? b : a; }

/* Of two corners i, j. */
static weighted nearest_of_edge(const omi_simplex *s, int i, int j) {
    const double *p = s->vertex[i].w, *q = s->vertex[j].w;
    double edge[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]}, square = dot(edge, edge);
    double t = square > 0.0 ? fmin(fmax(-dot(p, edge) / square, 0.0), 1.0) : 0.0;
    weighted out = {{0.0}, {p[0] + t * edge[0], p[1] + t * edge[1], p[2] + t * edge[2]}, 0.0};
    out.weight[j] = t;
    out.weight[i] = 1.0 - t;
    out.square = dot(out.v, out.v);
    return out;
}

/* Of three corners. */
static weighted nearest_of_triangle(const omi_simplex *s, const int *c) {
    const double *p[3] = {s->vertex[c[0]].w, s->vertex[c[1]].w, s->vertex[c[2]].w};
    double e[3], f[3], normal[3], part[3], of[3];
    for (int i = 0; i < 3; ++i) e[i] = p[1][i] - p[0][i], f[i] = p[2][i] - p[0][i];
    cross(normal, e, f);
    for (int i = 0; i < 3; ++i) {
        cross(part, p[(i + 1) % 3], p[(i + 2) % 3]);
        of[i] = dot(part, normal);
    }
    double sum = of[0] + of[1] + of[2];
    weighted best = nearest_of_edge(s, c[0], c[1]), foot = {.square = 0.0};
    for (int i = 1; i < 3; ++i) best = nearer(best, nearest_of_edge(s, c[i], c[(i + 1) % 3]));
    if (!(of[0] > 0.0 && of[1] > 0.0 && of[2] > 0.0)) return best;
    for (int i = 0; i < 3; ++i) foot.weight[c[i]] = of[i] / sum;
    for (int i = 0; i < 3; ++i)
        foot.v[i] = of[0] / sum * p[0][i] + of[1] / sum * p[1][i] + of[2] / sum * p[2][i];
    foot.square = dot(foot.v, foot.v);
    return nearer(best, foot);
}

/* Of four corners, by the faces that the origin is in front of; all four where it is in front of none,
 * and v is 0. Where they are as good as flat, so that no side is inside, by all faces. */
static weighted nearest_of_tetrahedron(const omi_simplex *s) {
    static const int face[4][4] = {{1, 2, 3, 0}, {0, 3, 2, 1}, {0, 1, 3, 2}, {0, 2, 1, 3}};
    weighted best = {.square = INFINITY};
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
        best = nearer(best, nearest_of_triangle(s, face[i]));
    }
    double sum = volume[0] + volume[1] + volume[2] + volume[3];
    for (int i = 0; i < 4 && is_inside; ++i) best.weight[i] = volume[i] / sum;
    return best;
}

/* The point of a simplex that is nearest to the origin; corners that it does not need leave. */
void omi_nearest_of(omi_simplex *s, double *v) {
    static const int all[3] = {0, 1, 2};
    const double *only = s->vertex[0].w;
    weighted best = {{1.0}, {only[0], only[1], only[2]}, 0.0};
    int kept = 0;
    if (s->count == 2) best = nearest_of_edge(s, 0, 1);
    if (s->count == 3) best = nearest_of_triangle(s, all);
    if (s->count == 4) best = nearest_of_tetrahedron(s);
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
