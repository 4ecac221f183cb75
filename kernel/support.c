/* SPDX-License-Identifier: MIT */
/* What algorithms ask of a shape: how far it reaches, and how it is curved and faced there.
 *
 * The point of a core that is farthest along a vector d is a corner; of a disc of radius r about an
 * axis it is the centre and r u, where u is the direction of d across the axis; of a ball the centre
 * and r d / |d| (van den Bergen, Collision Detection in Interactive 3D Environments, 2003, 4.3).
 *
 * Between two discs or balls there is a side of straight lines. It is farthest along n all along a
 * line where n . axis is the slope of the side,
 *
 *     discs: (low - high) / sqrt((2 half)^2 + (low - high)^2),    balls: (low - high) / (2 half).
 *
 * How fast the farthest point goes as n turns is the second derivative of the support, for unit n and
 * tangents s, t: of a disc r (s . q)(t . q) / |n across the axis|, where q is the direction of its rim;
 * of a ball r s . t; of a corner nothing.
 */
#include "convex.h"

/* Of the size: edges of which the ends are as little less far in sum are as far; and cosine: faces that look so little
 * along n look across it. Ten times takes other edges of needles; a tenth changes nothing, as single precision 20 m off
 * the origin leans by less. */
#define FARTHEST 1e-4

void omi_place(const omi_shape *a, const double *pose_a, const omi_shape *b, const double *pose_b,
               omi_pair *pair) {
    const double at[3] = {pose_b[0] - pose_a[0], pose_b[1] - pose_a[1], pose_b[2] - pose_a[2]};
    pair->a = (omi_placed){a, pose_a + 3, {0.0}};
    pair->b = (omi_placed){b, pose_b + 3, {at[0], at[1], at[2]}};
    for (int i = 0; i < 3; ++i) pair->base[i] = pose_a[i];
    pair->size = a->reach + b->reach, pair->radii = a->radius + b->radius;
}

static int farthest_corner(const omi_shape *shape, const double *d) {
    int best = 0;
    double most = dot(shape->corner, d);
    for (int i = 1; i < shape->corners; ++i) {
        double along = dot(shape->corner + 3 * i, d);
        if (along > most) most = along, best = i;
    }
    return best;
}

/* The point of a core that is farthest along a vector, times sign; which corner, disc or ball it is of. */
int omi_support(const omi_placed *p, const double *along, double sign, double *out) {
    const omi_shape *shape = p->shape;
    double d[3];
    turn_back(d, p->rotation, along);
    for (int i = 0; i < 3; ++i) d[i] *= sign;
    if (shape->core == OMI_CORNERS) {
        int corner = farthest_corner(shape, d);
        omi_world(p, shape->corner + 3 * corner, out);
        return corner;
    }
    int is_ball = shape->core == OMI_BALLS;
    double length = sqrt(d[0] * d[0] + d[2] * d[2] + (is_ball ? d[1] * d[1] : 0.0));
    int upper = shape->half * d[1] + shape->high * length > shape->low * length - shape->half * d[1];
    double r = length > 0.0 ? (upper ? shape->high : shape->low) / length : 0.0;
    const double local[3] = {r * d[0], (upper ? shape->half : -shape->half) + (is_ball ? r * d[1] : 0.0), r * d[2]};
    omi_world(p, local, out);
    return upper;
}

/* The point of the difference that is farthest against n: where b begins, less where a ends. */
void omi_vertex_along(const omi_pair *pair, const double *n, omi_vertex *out) {
    double b[3];
    out->in[0] = omi_support(&pair->a, n, 1.0, out->a);
    out->in[1] = omi_support(&pair->b, n, -1.0, b);
    for (int i = 0; i < 3; ++i) out->w[i] = b[i] - out->a[i];
}

/* s(n), with the radii. */
double omi_separation(const omi_pair *pair, const double *n) {
    omi_vertex vertex;
    omi_vertex_along(pair, n, &vertex);
    return dot(vertex.w, n) - pair->radii;
}

/* n . axis where n looks out of the side between two discs or balls. */
double omi_slope(const omi_shape *shape) {
    double fall = shape->low - shape->high, long_ = 2.0 * shape->half;
    return fall / (shape->core == OMI_BALLS ? long_ : sqrt(long_ * long_ + fall * fall));
}

/* Second derivative of the support at a unit vector, for two tangents: m. */
double omi_curvature(const omi_placed *p, int at, const double *n, const double *s, const double *t) {
    const omi_shape *shape = p->shape;
    double radius = at ? shape->high : shape->low, d[3], q[3];
    if (shape->core == OMI_CORNERS) return 0.0;
    if (shape->core == OMI_BALLS) return radius * dot(s, t);
    turn_back(d, p->rotation, n);
    double across = sqrt(d[0] * d[0] + d[2] * d[2]);
    if (!(across > 0.0)) return 0.0;
    for (int i = 0; i < 3; ++i)
        q[i] = (p->rotation[3 * i] * d[2] - p->rotation[3 * i + 2] * d[0]) / across;
    return radius / across * dot(s, q) * dot(t, q);
}

/* The face of the edge that is farthest along n times sign, of several the one that looks most along it, with its normal,
 * world axes; -1 where there is none. Of discs: 0 the one below, 1 the one above. Of what is thin another face may look
 * more along n, as the end of a needle does that lies on its edge. */
int omi_facing(const omi_placed *p, const double *n, double sign, double *normal) {
    const omi_shape *shape = p->shape;
    double d[3], most = 0.0, high = -INFINITY, even = FARTHEST * shape->reach, local[3] = {0.0, 1.0, 0.0};
    int best = shape->core == OMI_HALF_SPACE ? 0 : -1;
    turn_back(d, p->rotation, n);
    for (int i = 0; i < 3; ++i) d[i] *= sign;
    if (shape->core == OMI_DISCS) {
        best = d[1] > 0.0, local[1] = best ? 1.0 : -1.0;
        if (!((best ? shape->high : shape->low) > 0.0)) return -1;
    }
    for (int i = 0; i < shape->faces; ++i) {
        double along = dot(shape->normal + 3 * i, d), first = -INFINITY, next = -INFINITY;
        for (int k = shape->face_start[i]; along > FARTHEST && k < shape->face_start[i + 1]; ++k) {
            double at = dot(shape->corner + 3 * shape->face_corner[k], d);
            next = fmax(next, fmin(at, first)), first = fmax(first, at);
        }
        if (along > most ? first + next < high - even : first + next <= high + even) continue;
        most = along, best = i, high = first + next;
    }
    for (int i = 0; i < 3 && shape->faces && best >= 0; ++i) local[i] = shape->normal[3 * best + i];
    turn(normal, p->rotation, local);
    return best;
}
