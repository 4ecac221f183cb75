/* SPDX-License-Identifier: MIT */
/* What of a shape lies along the gap: a face, an edge or side, or but a tip.
 *
 * A patch is what looks most along n: a polygon, a disc, a straight line, endless, or a point. Seen
 * along n in one plane for both shapes, each patch is flat: at a place q of the plane it lies at
 * height + slope . q along n. So where both are, the gap is the difference of two linear functions,
 * and the least one is at a corner of what both cover, or where a rim is lowest. Which
 * places of a rim are taken: add_rim in clipping.c.
 *
 * The plane is that of a disc where there is one, so that its rim is a circle; else it lies across n.
 * Its axes are those of a shape, so that what is chosen by them stays from step to step.
 */
#include "patches.h"

/* Cosine: of faces that are steeper to n there is an edge, and lines that are are but tips. With a tenth 2 pairs of 900
 * have a place more. */
#define STEEP 0.3

static void push_point(omi_patch *out, const omi_placed *p, const double *local, int name,
                       const double *n, double by) {
    double *to = out->point[out->count];
    omi_world(p, local, to);
    for (int i = 0; i < 3; ++i) to[i] += by * n[i];
    out->name[out->count++] = name;
}

/* What a line is along n. */
static int line_or_tip(const double *from, const double *to, const double *n) {
    double line[3];
    for (int i = 0; i < 3; ++i) line[i] = to[i] - from[i];
    double square = dot(line, line), rise = dot(line, n);
    return square > 0.0 && rise * rise <= (1.0 - STEEP * STEEP) * square ? OMI_SIDE : OMI_TIP;
}

/* Of a polytope: its face, or the line between two corners. */
static void find_of_corners(const omi_placed *p, const double *n, double sign, int face, omi_patch *out) {
    const omi_shape *shape = p->shape;
    if (face < 0) face = omi_facing(p, n, sign, out->normal);
    else turn(out->normal, p->rotation, shape->normal + 3 * face);
    out->face = face;
    out->facing = sign * dot(out->normal, n);
    if (face >= 0) {
        const int *corner = shape->face_corner + shape->face_start[face];
        int count = shape->face_start[face + 1] - shape->face_start[face];
        int taken = count < FACE_CORNERS ? count : FACE_CORNERS;
        out->kind = OMI_FACE;
        for (int i = 0; i < taken; ++i) {
            int at = corner[(sign > 0.0 ? i : taken - 1 - i) * count / taken];
            push_point(out, p, shape->corner + 3 * at, at, n, sign * shape->radius);
        }
        if (out->facing > STEEP) return;
        omi_take_edge(out, n, sign);
    }
    out->facing = 0.0;
    if (shape->corners != 2) return;
    out->kind = OMI_SIDE;
    for (int i = 0; i < 2; ++i) push_point(out, p, shape->corner + 3 * i, i, n, sign * shape->radius);
}

/* Of two discs or balls: one of the discs, or the line between them. */
static void find_of_turned(const omi_placed *p, const double *n, double sign, omi_patch *out) {
    const omi_shape *shape = p->shape;
    double d[3], slope = omi_slope(shape);
    turn_back(d, p->rotation, n);
    double along = sign * d[1], across = sqrt(d[0] * d[0] + d[2] * d[2]);
    int cap = shape->core == OMI_DISCS ? omi_facing(p, n, sign, out->normal) : -1;
    if (cap >= 0 && fabs(along) >= slope * along + sqrt(fmax(1.0 - slope * slope, 0.0)) * across) {
        const double centre[3] = {0.0, cap ? shape->half : -shape->half, 0.0};
        out->kind = OMI_CAP;
        out->facing = fabs(along);
        out->radius = cap ? shape->high : shape->low;
        out->name[0] = cap;
        omi_world(p, centre, out->centre);
        for (int i = 0; i < 3; ++i) out->centre[i] += sign * shape->radius * n[i];
        return;
    }
    out->kind = OMI_SIDE;
    for (int i = 0; i < 2; ++i) {
        double r = i ? shape->high : shape->low, by = sign * (shape->core == OMI_BALLS ? r : 0.0);
        double f = shape->core == OMI_DISCS && across > 0.0 ? sign * r / across : 0.0;
        const double end[3] = {f * d[0], i ? shape->half : -shape->half, f * d[2]};
        push_point(out, p, end, i, n, by + sign * shape->radius);
    }
}

/* The patch of a shape that looks along n times sign, or a face of it by its number. */
void omi_find_patch(const omi_placed *p, const double *n, double sign, int face, omi_patch *out) {
    out->kind = OMI_TIP;
    out->count = 0;
    out->facing = 0.0;
    out->rotation = p->rotation;
    if (p->shape->core == OMI_HALF_SPACE) {
        out->kind = OMI_GROUND;
        out->facing = 1.0;
        omi_facing(p, n, sign, out->normal);
        for (int i = 0; i < 3; ++i) out->centre[i] = p->at[i];
    } else if (p->shape->core == OMI_CORNERS)
        find_of_corners(p, n, sign, face, out);
    else
        find_of_turned(p, n, sign, out);
    for (int i = 0; i < 3; ++i) out->normal[i] *= sign;
    if (out->kind == OMI_SIDE) out->kind = line_or_tip(out->point[0], out->point[1], n);
}

/* Where faces do not lie along the gap: the edge of a polygon that does, or its tip. */
void omi_take_edge(omi_patch *p, const double *n, double sign) {
    int best = -1, next;
    double most = -INFINITY;
    if (p->kind == OMI_CAP) p->kind = OMI_TIP;
    if (p->kind != OMI_FACE) return;
    for (int i = 0; i < p->count; ++i) {
        double height = sign * (dot(p->point[i], n) + dot(p->point[(i + 1) % p->count], n));
        if (height > most) most = height, best = i;
    }
    next = (best + 1) % p->count;
    p->kind = line_or_tip(p->point[best], p->point[next], n);
    double ends[6];
    int name = p->name[best];
    for (int i = 0; i < 6; ++i) ends[i] = p->point[i < 3 ? best : next][i % 3];
    for (int i = 0; i < 6; ++i) p->point[i / 3][i % 3] = ends[i];
    p->name[1] = p->name[next];
    p->name[0] = name;
    p->count = 2;
}

/* See a point along n; returns its height. */
static double see(const omi_sheet *sheet, const double *point, double *q) {
    double d[3];
    for (int i = 0; i < 3; ++i) d[i] = point[i] - sheet->origin[i];
    double height = dot(d, sheet->normal) / dot(sheet->n, sheet->normal);
    for (int i = 0; i < 3; ++i) d[i] -= height * sheet->n[i];
    q[0] = dot(d, sheet->x);
    q[1] = dot(d, sheet->y);
    return height;
}

static void lay_patch(const omi_sheet *sheet, omi_patch *p) {
    double first = 0.0, last = 0.0;
    for (int i = 0; i < p->count; ++i) {
        last = see(sheet, p->point[i], p->q[i]);
        if (i == 0) first = last;
    }
    p->height = p->slope[0] = p->slope[1] = 0.0;
    if (p->kind == OMI_TIP) return;
    if (p->kind == OMI_SIDE) {
        double x = p->q[1][0] - p->q[0][0], y = p->q[1][1] - p->q[0][1], f = (last - first) / (x * x + y * y);
        p->slope[0] = f * x;
        p->slope[1] = f * y;
        p->height = first - p->slope[0] * p->q[0][0] - p->slope[1] * p->q[0][1];
        return;
    }
    double up = dot(p->normal, sheet->n), d[3];
    if (p->kind != OMI_FACE) see(sheet, p->centre, p->middle);
    const double *on = p->kind == OMI_FACE ? p->point[0] : p->centre;
    for (int i = 0; i < 3; ++i) d[i] = on[i] - sheet->origin[i];
    p->height = dot(d, p->normal) / up;
    p->slope[0] = -dot(sheet->x, p->normal) / up;
    p->slope[1] = -dot(sheet->y, p->normal) / up;
}

/* Choose the plane, through a point, and see both patches in it. */
void omi_lay(omi_sheet *sheet, const double *origin, const double *n) {
    const omi_patch *a = &sheet->a, *b = &sheet->b;
    int b_leads = b->kind == OMI_CAP && (a->kind != OMI_CAP || b->facing > a->facing);
    const omi_patch *lead = b_leads ? b : a;
    int is_disc = lead->kind == OMI_CAP;
    double most = -1.0;
    for (int i = 0; i < 3; ++i) {
        sheet->origin[i] = origin[i];
        sheet->n[i] = n[i];
        sheet->normal[i] = is_disc ? lead->normal[i] : n[i];
    }
    for (int axis = 0; axis < 3; ++axis) {
        double column[3], across[3], square;
        for (int i = 0; i < 3; ++i) column[i] = lead->rotation[3 * i + axis];
        cross(across, sheet->normal, column);
        square = dot(across, across);
        if (!(square > most + 1e-3)) continue; /* sines squared: of even ones the first */
        most = square;
        for (int i = 0; i < 3; ++i) sheet->y[i] = across[i];
    }
    omi_unit(sheet->y);
    cross(sheet->x, sheet->y, sheet->normal);
    lay_patch(sheet, &sheet->a);
    lay_patch(sheet, &sheet->b);
}
