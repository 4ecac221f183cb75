/* SPDX-License-Identifier: MIT */
/* The gap of two shapes: the largest separation s(n), of whatever directions are worth a try.
 *
 * distance.c finds n of cores that are apart, overlap.c that of cores that touch. Both have seen points
 * of the cores only. What the features there say is exact, so it is tried too: normals of faces, and
 * directions at which features of both shapes are nearest to each other.
 *
 * With p the point of the difference that belongs to n, s = p . n, and its derivative for a tangent t
 * is p . t, since the farthest point itself is stationary. Its second derivative for tangents t, u is
 * - (H_a + H_b)(t, u) - (p . n) t . u, with H the curvatures of support.c. So Newton's method climbs to
 * where a corner, rim or ball of one is nearest to one of the other.
 *
 * Along an edge of direction e, n . e = 0; along the side between two discs or balls, n . axis is its
 * slope. There s has a crease, as two corners or rims are as far, and n stays in it: with one such
 * condition n . e = c, n = c e + k m goes round a circle of radius k = sqrt(1 - c^2), where
 * s'' = - (H_a + H_b)(t, t) - p . m / k; two of them leave two directions.
 *
 * As a rule it is the normal of a face, one that is known from the step before. Let p be the point of the other shape that
 * goes farthest against it. Inside, p has to leave by some face, so the way is no less than to the nearest one. Outside,
 * the distance is no more than from p to its foot, if that is on the shape. s(n) says as much where that face is the
 * nearest, or the foot on it, and all the rest is left out then.
 */
#include "convex.h"

/* Newton doubles the digits each time, and six are there. */
#define CLIMBS 6
/* Of the size: the distance of distance.c is taken instead of the best s(n) where it is no more than this above that,
 * as between corners that are so near that their direction is lost. A tenth is off by 2e-9 of the size, ten times by
 * nothing (README, Constants). */
#define DOUBT 1e-8
/* Of the size: how near overlap.c has to come to curved shapes; the rest is climbed. */
#define COARSE 1e-6
/* Of the size: a point and its foot on a face that are farther than this from the points that overlap.c has found are
 * others, of many that are as deep. With COARSE those are off by less. */
#define NEARBY 1e-2
/* Directions are one where the sine between them, squared, is less. A tenth or ten times moves no gap;
 * with none a gap is off by a fiftieth of the size. */
#define PARALLEL 1e-12

/* n . e = c */
typedef struct {
    double e[3], c;
} crease;

static int consider(const omi_pair *pair, const double *n, double bonus, omi_nearest *best) {
    double gap = omi_separation(pair, n);
    if (!(gap + bonus > best->gap)) return 0;
    best->gap = gap;
    for (int i = 0; i < 3; ++i) best->n[i] = n[i];
    return 1;
}

/* Creases of a shape where a simplex is: between its corners, or along its side. Returns how many. */
static int list_creases(const omi_placed *p, const omi_simplex *s, int is_b, crease *out) {
    const omi_shape *shape = p->shape;
    int count = 0;
    if (shape->core != OMI_CORNERS) {
        double slope = omi_slope(shape);
        if (!(fabs(slope) < 1.0)) return 0;
        for (int i = 0; i < 3; ++i) out->e[i] = p->rotation[3 * i + 1];
        out->c = is_b ? -slope : slope;
        return 1;
    }
    for (int i = 0; i < s->count && count < 3; ++i)
        for (int j = 0; j < i && count < 3; ++j) {
            int from = s->vertex[i].in[is_b], to = s->vertex[j].in[is_b];
            double edge[3];
            if (from == to) continue;
            for (int k = 0; k < 3; ++k) edge[k] = shape->corner[3 * to + k] - shape->corner[3 * from + k];
            turn(out[count].e, p->rotation, edge);
            out[count].c = 0.0;
            count += omi_unit(out[count].e);
        }
    return count;
}

/* The direction in two creases that is nearest to n; 0 where there is none. */
static int cross_creases(const crease *one, const crease *other, double *n) {
    double normal[3], cosine = dot(one->e, other->e);
    cross(normal, one->e, other->e);
    double sine = dot(normal, normal);
    if (!(sine > PARALLEL)) return 0;
    double f = (one->c - cosine * other->c) / sine, g = (other->c - cosine * one->c) / sine;
    double left = (1.0 - f * one->c - g * other->c) / sine;
    if (!(left >= 0.0)) return 0;
    double h = dot(n, normal) < 0.0 ? -sqrt(left) : sqrt(left);
    for (int i = 0; i < 3; ++i) n[i] = f * one->e[i] + g * other->e[i] + h * normal[i];
    return omi_unit(n);
}

static double curvature(const omi_pair *pair, const omi_vertex *at, const double *n, const double *s,
                        const double *t) {
    return omi_curvature(&pair->a, at->in[0], n, s, t) + omi_curvature(&pair->b, at->in[1], n, s, t);
}

/* One step along a crease; 0 at its top, or where it has none. */
static int climb_crease(const omi_pair *pair, const crease *in, double *n) {
    double m[3], t[3], k = sqrt(1.0 - in->c * in->c), along = dot(n, in->e);
    omi_vertex at;
    for (int i = 0; i < 3; ++i) m[i] = n[i] - along * in->e[i];
    if (!(dot(m, m) > PARALLEL) || !omi_unit(m)) return 0;
    for (int i = 0; i < 3; ++i) n[i] = in->c * in->e[i] + k * m[i];
    cross(t, in->e, m);
    omi_vertex_along(pair, n, &at);
    double bend = curvature(pair, &at, n, t, t) + dot(at.w, m) / k;
    double step = dot(at.w, t) / bend;
    if (!(bend > 0.0) || !(fabs(step) < 1.0)) return 0;
    for (int i = 0; i < 3; ++i) m[i] += step / k * t[i];
    omi_unit(m);
    for (int i = 0; i < 3; ++i) n[i] = in->c * in->e[i] + k * m[i];
    return fabs(step) > ROUNDED;
}

/* One step over a smooth part. */
static int climb(const omi_pair *pair, double *n) {
    double t[3], u[3];
    omi_vertex at;
    omi_across(n, t);
    cross(u, n, t);
    omi_vertex_along(pair, n, &at);
    double p = dot(at.w, n), x = dot(at.w, t), y = dot(at.w, u);
    double xx = curvature(pair, &at, n, t, t) + p, xy = curvature(pair, &at, n, t, u);
    double yy = curvature(pair, &at, n, u, u) + p, whole = xx * yy - xy * xy;
    if (!(xx > 0.0 && whole > 0.0)) return 0;
    double f = (yy * x - xy * y) / whole, g = (xx * y - xy * x) / whole;
    if (!(f * f + g * g < 1.0)) return 0;
    for (int i = 0; i < 3; ++i) n[i] += f * t[i] + g * u[i];
    return omi_unit(n) && f * f + g * g > ROUNDED * ROUNDED;
}

/* How far two points, w from one to the other, are from facing each other along n; off: how. */
static double aside(const double *w, const double *n, double *off) {
    double along = dot(w, n);
    for (int i = 0; i < 3; ++i) off[i] = w[i] - along * n[i];
    return sqrt(dot(off, off));
}

static double aside_of(const omi_simplex *s, const double *n) {
    double w[3], off[3];
    for (int i = 0; i < 3; ++i) {
        w[i] = 0.0;
        for (int k = 0; k < s->count; ++k) w[i] += s->weight[k] * s->vertex[k].w[i];
    }
    return aside(w, n, off);
}

/* Take the points where n meets both shapes, those in a crease moved along it until they face each
 * other, unless those that there are face each other better. */
static void take_points(const omi_pair *pair, const crease *a, const crease *b, omi_nearest *best) {
    double g[3] = {0.0, 0.0, 0.0}, h[3] = {0.0, 0.0, 0.0}, off[3], *n = best->n;
    omi_vertex at;
    omi_vertex_along(pair, n, &at);
    aside(at.w, n, off);
    if (a) aside(a->e, n, g);
    if (b) aside(b->e, n, h);
    omi_unit(g);
    omi_unit(h);
    double cosine = dot(g, h), x = dot(off, g), y = dot(off, h), rest = 1.0 - cosine * cosine;
    double by_a = (x - cosine * y) / rest, by_b = (cosine * x - y) / rest;
    if (!(rest > PARALLEL)) return;
    for (int i = 0; i < 3; ++i) at.a[i] += by_a * g[i], at.w[i] += by_b * h[i] - by_a * g[i];
    if (!(aside(at.w, n, off) < aside_of(&best->simplex, n))) return;
    best->simplex.count = 1;
    best->simplex.weight[0] = 1.0;
    best->simplex.vertex[0] = at;
}

/* Take the point of one shape that is farthest along the normal of a face of the other, and its foot on
 * that face, if it is near to the points that there are: else more than a point is as far. */
static void take_foot(const omi_pair *pair, int face_is_a, omi_nearest *best) {
    double gap = best->gap + pair->radii, change = 0.0;
    omi_simplex *s = &best->simplex;
    omi_vertex at;
    omi_vertex_along(pair, best->n, &at);
    for (int i = 0; i < 3; ++i) {
        double was = 0.0;
        if (face_is_a) at.a[i] += at.w[i] - gap * best->n[i];
        at.w[i] = gap * best->n[i];
        for (int k = 0; k < s->count; ++k) was += s->weight[k] * s->vertex[k].a[i];
        change += (at.a[i] - was) * (at.a[i] - was);
    }
    if (!(change < NEARBY * NEARBY * pair->size * pair->size)) return;
    s->count = 1;
    s->weight[0] = 1.0;
    s->vertex[0] = at;
}

/* Whether the gap is that along the face of one shape that looks most along a guess, or more than `far` along it. */
static int is_by_face(const omi_pair *pair, const double *guess, int of_b, double far, omi_nearest *out) {
    const omi_placed *p = of_b ? &pair->b : &pair->a;
    const omi_shape *shape = p->shape;
    omi_vertex *at = out->simplex.vertex;
    double normal[3], way[3], own[3], sign = of_b ? -1.0 : 1.0;
    int face = shape->core == OMI_CORNERS ? omi_facing(p, guess, sign, normal) : -1;
    if (face < 0) return 0;
    for (int i = 0; i < 3; ++i) out->n[i] = sign * normal[i];
    omi_vertex_along(pair, out->n, at);
    double d = dot(at->w, out->n), below = fmin(d - (pair->radii - shape->radius), 0.0);
    out->gap = d - pair->radii;
    out->simplex.count = 1;
    out->simplex.weight[0] = 1.0;
    for (int i = 0; i < 3; ++i) {
        if (!of_b) at->a[i] += at->w[i] - d * out->n[i];
        at->w[i] = d * out->n[i];
        way[i] = at->a[i] + (of_b ? at->w[i] : 0.0) + below * normal[i] - p->at[i];
    }
    turn_back(own, p->rotation, way);
    for (int i = 0; i < shape->faces && out->gap <= far; ++i) {
        const double *on = shape->corner + 3 * shape->face_corner[shape->face_start[i]], *of = shape->normal + 3 * i;
        if (i != face && dot(of, own) - dot(of, on) > below + ROUNDED * pair->size) return 0;
    }
    return 1;
}

/* Try all that curved shapes and crossing edges may be nearest by. */
static void refine(const omi_pair *pair, int is_curved, omi_nearest *best) {
    crease a[3], b[3];
    double start[3] = {best->n[0], best->n[1], best->n[2]}, even = ROUNDED * pair->size;
    int in_a = list_creases(&pair->a, &best->simplex, 0, a);
    int in_b = list_creases(&pair->b, &best->simplex, 1, b);
    for (int i = 0; i <= in_a; ++i)
        for (int j = 0; j <= in_b; ++j) {
            double n[3] = {start[0], start[1], start[2]};
            const crease *of_a = i < in_a ? a + i : 0, *of_b = j < in_b ? b + j : 0;
            int goes_on = 1;
            if (!(of_a && of_b) && !is_curved) continue;
            if (of_a && of_b && !cross_creases(of_a, of_b, n)) continue;
            for (int k = 0; k < CLIMBS && goes_on && !(of_a && of_b); ++k)
                goes_on = of_a ? climb_crease(pair, of_a, n)
                          : of_b ? climb_crease(pair, of_b, n)
                                 : climb(pair, n);
            if (consider(pair, n, even, best)) take_points(pair, of_a, of_b, best);
        }
}

/* The points of the simplex, on the surfaces. */
static void place_points(const omi_pair *pair, omi_nearest *out) {
    for (int i = 0; i < 3; ++i) {
        out->a[i] = out->b[i] = 0.0;
        for (int k = 0; k < out->simplex.count; ++k) {
            const omi_vertex *at = out->simplex.vertex + k;
            out->a[i] += out->simplex.weight[k] * at->a[i];
            out->b[i] += out->simplex.weight[k] * (at->a[i] + at->w[i]);
        }
        out->a[i] += pair->a.shape->radius * out->n[i];
        out->b[i] -= pair->b.shape->radius * out->n[i];
    }
}

/* Of a half-space and what is not one the direction is known. */
static void of_half_space(const omi_pair *pair, omi_nearest *out) {
    int is_a = pair->a.shape->core == OMI_HALF_SPACE;
    const omi_placed *plane = is_a ? &pair->a : &pair->b, *other = is_a ? &pair->b : &pair->a;
    double sign = is_a ? 1.0 : -1.0, point[3], *on, *under;
    for (int i = 0; i < 3; ++i) out->n[i] = sign * plane->rotation[3 * i + 1], out->a[i] = out->b[i] = 0.0;
    out->gap = INFINITY;
    if (other->shape->core == OMI_HALF_SPACE) return;
    omi_support(other, out->n, -sign, point);
    out->gap = sign * (dot(point, out->n) - dot(plane->at, out->n)) - pair->radii;
    on = is_a ? out->b : out->a;
    under = is_a ? out->a : out->b;
    for (int i = 0; i < 3; ++i) {
        on[i] = point[i] - sign * other->shape->radius * out->n[i];
        under[i] = on[i] - sign * out->gap * out->n[i];
    }
}

/* Gap, direction and points of two shapes, from the origin of a. Where the gap is more than `far`, m,
 * a lower bound that is more too will do. guess: a direction, as of the step before, or 0. */
void omi_find_nearest(const omi_pair *pair, double far, const double *guess, omi_nearest *out, omi_polytope *room) {
    double v[3], n[3] = {pair->b.at[0], pair->b.at[1], pair->b.at[2]}, normal[3];
    int is_curved = pair->a.shape->core != OMI_CORNERS || pair->b.shape->core != OMI_CORNERS;
    if (pair->a.shape->core == OMI_HALF_SPACE || pair->b.shape->core == OMI_HALF_SPACE) {
        of_half_space(pair, out);
        return;
    }
    if (guess && (is_by_face(pair, guess, 1, far, out) || is_by_face(pair, guess, 0, far, out))) {
        place_points(pair, out);
        return;
    }
    double d = omi_core_distance(pair, far + pair->radii, &out->simplex, v);
    int touches = !(d > TOUCHING * pair->size);
    if (d > 0.0)
        for (int i = 0; i < 3; ++i) n[i] = v[i];
    if (!omi_unit(n)) n[1] = 1.0;
    out->gap = -INFINITY;
    for (int i = 0; i < 3; ++i) out->n[i] = n[i];
    consider(pair, n, 0.0, out);
    if (touches) {
        omi_simplex deep; /* whole, it would be copied by the C library */
        for (deep.count = 0; deep.count < out->simplex.count; ++deep.count) deep.vertex[deep.count] = out->simplex.vertex[deep.count];
        omi_overlap(pair, is_curved ? COARSE * pair->size : 0.0, &deep, n, room);
        if (consider(pair, n, 0.0, out) && deep.count && out->gap + pair->radii < 0.0) {
            out->simplex.count = deep.count;
            for (int i = 0; i < deep.count; ++i) {
                out->simplex.vertex[i] = deep.vertex[i];
                out->simplex.weight[i] = deep.weight[i];
            }
        }
    }
    if (out->gap <= far && (touches || is_curved)) refine(pair, is_curved, out);
    for (int i = 0; i < 2 && out->gap <= far; ++i)
        if (omi_facing(i ? &pair->b : &pair->a, out->n, i ? -1.0 : 1.0, normal) >= 0) {
            for (int k = 0; k < 3; ++k) normal[k] *= i ? -1.0 : 1.0;
            if (consider(pair, normal, ROUNDED * pair->size, out) && is_curved) take_foot(pair, i == 0, out);
        }
    if (!is_curved && d > 0.0 && out->gap + pair->radii > d - DOUBT * pair->size && out->gap <= far)
        out->gap = d - pair->radii;
    place_points(pair, out);
}
