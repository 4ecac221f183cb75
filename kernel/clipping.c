/* SPDX-License-Identifier: MIT */
/* What two patches both cover, by its corners: two polygons (Sutherland, Hodgman 1974), a polygon or
 * line and a disc, two discs.
 *
 * The rim of a disc has no corners. It gives four places: where it is lowest on the other patch,
 * opposite, and beside. So a wheel that leans has the one that it rolls on, and a disc that stands has
 * four, the first of which moves to where it begins to tip. Where another patch is wholly or
 * partly within a disc, its own corners and where it crosses the rim are places as well.
 *
 * Names: corners are 2 i, edges 2 i + 1, places of a rim RIM and up; those of b have OF_B on them (patches.h). What
 * two edges make has both names, from TWO on.
 */
#include "patches.h"

#define RIM 8192
/* Of the length that is clipped: on the edge is within it. A tenth or ten times changes no bit. */
#define ON 1e-12
/* m/m: a disc that leans less is even, and has its places where its shape has its axes.
 * A tenth or ten times moves the places of what leans by just that along the same rim. */
#define EVEN 1e-9
/* m/m: rims that lean less lie on each other, but for its square. */
#define LYING 1e-4
/* Sine of the angle up to which lines lie along each other. */
#define ALONG 0.01

static void push(omi_sheet *s, double x, double y, int id, int edge) {
    if (s->count >= SPOTS) return;
    s->spots[s->count++] = (omi_spot){.q = {x, y}, .id = id, .edge = edge};
}

static int names_of(const omi_sheet *s, const omi_patch *p) { return p == &s->b ? OF_B : 0; }

/* Begin with the corners of a line or polygon. */
static void begin(omi_sheet *s, const omi_patch *p) {
    for (int i = 0; i < p->count; ++i) {
        int name = (2 * p->name[i] % RIM) + names_of(s, p);
        push(s, p->q[i][0], p->q[i][1], name, name + 1);
    }
}

/* How far a place is within an edge of a polygon, times the length of the edge; its square length. */
static double within(const omi_patch *p, int edge, const double *q, double *square) {
    const double *from = p->q[edge], *to = p->q[(edge + 1) % p->count];
    double x = to[0] - from[0], y = to[1] - from[1];
    *square = x * x + y * y;
    return x * (q[1] - from[1]) - y * (q[0] - from[0]);
}

/* Lay the places aside, into s->clipped, for those that are kept of them; returns how many there are. */
static int lay_aside(omi_sheet *s) {
    int count = s->count;
    for (int i = 0; i < count; ++i) s->clipped[i] = s->spots[i];
    s->count = 0;
    return count;
}

/* Keep what is within one edge of a polygon. */
static void clip_by_edge(omi_sheet *s, const omi_patch *by, int edge, int is_closed) {
    int count = lay_aside(s), name = (2 * by->name[edge] % RIM) + 1 + names_of(s, by);
    for (int i = 0; i < count; ++i) {
        const omi_spot *p = s->clipped + i, *q = s->clipped + (i + 1) % count;
        double square, d = within(by, edge, p->q, &square), e = within(by, edge, q->q, &square);
        int is_in = d >= -ON * square, is_next_in = e >= -ON * square;
        if (is_in) push(s, p->q[0], p->q[1], p->id, p->edge);
        if (is_in == is_next_in || (i + 1 == count && !is_closed)) continue;
        double t = d / (d - e);
        push(s, p->q[0] + t * (q->q[0] - p->q[0]), p->q[1] + t * (q->q[1] - p->q[1]),
             (p->edge + 1) * TWO + name, is_in ? name : p->edge);
    }
}

static int is_in_polygon(const omi_patch *p, const double *q) {
    double square;
    for (int i = 0; i < p->count; ++i)
        if (within(p, i, q, &square) < -ON * square) return 0;
    return 1;
}

/* Square of the length that a step in the plane has on a patch. */
static double square_on(const omi_sheet *s, const omi_patch *p, double x, double y) {
    double up = p->slope[0] * x + p->slope[1] * y;
    return x * x + y * y + up * up + 2.0 * up * (x * dot(s->x, s->n) + y * dot(s->y, s->n));
}

static int is_in_disc(const omi_sheet *s, const omi_patch *p, const double *q) {
    double square = square_on(s, p, q[0] - p->middle[0], q[1] - p->middle[1]);
    return square <= p->radius * p->radius * (1.0 + ON);
}

/* Of the corners and edges there are, keep what is within a disc. */
static void clip_by_disc(omi_sheet *s, const omi_patch *by, int is_closed) {
    int count = lay_aside(s), name = RIM + 8 + names_of(s, by);
    for (int i = 0; i < count; ++i) {
        const omi_spot *p = s->clipped + i, *q = s->clipped + (i + 1) % count;
        double x = q->q[0] - p->q[0], y = q->q[1] - p->q[1];
        double u = p->q[0] - by->middle[0], v = p->q[1] - by->middle[1];
        double square = x * x + y * y, half = (x * u + y * v) / square;
        double left = half * half - (u * u + v * v - by->radius * by->radius) / square;
        if (is_in_disc(s, by, p->q)) push(s, p->q[0], p->q[1], p->id, p->edge);
        if (!(left > 0.0) || (i + 1 == count && !is_closed)) continue;
        for (int k = 0; k < 2; ++k) {
            double t = -half + (k ? 1.0 : -1.0) * sqrt(left);
            if (t > 0.0 && t < 1.0)
                push(s, p->q[0] + t * x, p->q[1] + t * y, (p->edge + 1) * TWO + name + k, p->edge);
        }
    }
}

/* The four places of a rim, as far as the other patch is there. */
static void add_rim(omi_sheet *s, const omi_patch *p, const omi_patch *other) {
    double sign = p == &s->b ? -1.0 : 1.0;
    double x = sign * (p->slope[0] - other->slope[0]), y = sign * (p->slope[1] - other->slope[1]);
    double length = sqrt(x * x + y * y);
    if (length > EVEN)
        x /= length, y /= length;
    else
        x = 1.0, y = 0.0;
    for (int k = 0; k < 4; ++k) {
        const double to[4][2] = {{x, y}, {-y, x}, {-x, -y}, {y, -x}};
        double r = p->radius / sqrt(square_on(s, p, to[k][0], to[k][1]));
        const double q[2] = {p->middle[0] + r * to[k][0], p->middle[1] + r * to[k][1]};
        if (other->kind == OMI_FACE && !is_in_polygon(other, q)) continue;
        if (other->kind == OMI_CAP && !is_in_disc(s, other, q)) continue;
        push(s, q[0], q[1], RIM + k + names_of(s, p), 0);
    }
}

/* Where two rims cross that lie on each other. */
static void cross_rims(omi_sheet *s) {
    const omi_patch *a = &s->a, *b = &s->b;
    double x = b->middle[0] - a->middle[0], y = b->middle[1] - a->middle[1], square = x * x + y * y;
    double lean = fmax(fabs(a->slope[0] - b->slope[0]), fabs(a->slope[1] - b->slope[1]));
    if (!(square > 0.0 && lean < LYING)) return;
    double f = 0.5 + 0.5 * (a->radius * a->radius - b->radius * b->radius) / square;
    double left = a->radius * a->radius / square - f * f;
    if (!(left > 0.0)) return;
    for (int k = 0; k < 2; ++k) {
        double g = (k ? 1.0 : -1.0) * sqrt(left);
        push(s, a->middle[0] + f * x - g * y, a->middle[1] + f * y + g * x, RIM + 8 + k, 0);
    }
}

/* The places of two patches, one of which at least lies along the gap. */
void omi_clip(omi_sheet *s) {
    const omi_patch *a = &s->a, *b = &s->b;
    int a_is_first = a->kind < b->kind; /* lines, then polygons, discs, what is endless */
    const omi_patch *first = a_is_first ? a : b, *by = a_is_first ? b : a;
    int is_closed = first->kind == OMI_FACE;
    s->count = 0;
    if (first->kind == OMI_SIDE || is_closed) begin(s, first);
    if (by->kind == OMI_FACE)
        for (int i = 0; i < by->count && s->count; ++i) clip_by_edge(s, by, i, is_closed);
    if (by->kind == OMI_CAP && first->kind != OMI_CAP) clip_by_disc(s, by, is_closed);
    if (by->kind == OMI_CAP && first->kind != OMI_SIDE) add_rim(s, by, first);
    if (first->kind == OMI_CAP) add_rim(s, first, by);
    if (first->kind == OMI_CAP && by->kind == OMI_CAP) cross_rims(s);
}

/* Two lines that lie along each other: where both are. */
void omi_clip_lines(omi_sheet *s) {
    const omi_patch *a = &s->a, *b = &s->b;
    double x = a->q[1][0] - a->q[0][0], y = a->q[1][1] - a->q[0][1], square = x * x + y * y;
    double u = b->q[1][0] - b->q[0][0], v = b->q[1][1] - b->q[0][1], t[4], low = 0.0, high = 1.0;
    s->count = 0;
    if (fabs(x * v - y * u) > ALONG * sqrt(square * (u * u + v * v))) return;
    for (int i = 0; i < 2; ++i) t[i] = (x * (b->q[i][0] - a->q[0][0]) + y * (b->q[i][1] - a->q[0][1])) / square;
    low = fmax(low, fmin(t[0], t[1]));
    high = fmin(high, fmax(t[0], t[1]));
    if (!(low < high)) return;
    push(s, a->q[0][0] + low * x, a->q[0][1] + low * y, low > 0.0 ? OF_B : 0, 0);
    push(s, a->q[0][0] + high * x, a->q[0][1] + high * y, high < 1.0 ? OF_B + 2 : 2, 0);
}
