/* SPDX-License-Identifier: MIT */
/* Where two shapes touch: up to four points that stand for all that is near.
 *
 * The gap belongs to one direction n (nearest.c). If a face looks along it, the other shape's patch is
 * clipped by it; if not, two edges may lie along each other; else only the nearest points touch. Of
 * several the first is the deepest, the second the farthest from it of those that are as deep,
 * or of all, and the others make the area as large as they can. How much of the size counts as level the
 * caller says: where contacts give way, which is the deepest changes from step to step, and so would all four.
 *
 * Faces of a polytope that look the same way are one: a face that is not quite flat is several triangles.
 *
 * The nearest points themselves are the first where no place that was found is as deep.
 *
 * Faces that look straight at each other and of which but a sliver is before the other graze: a box that
 * slides over a floor of tiles is as deep beside the next one as on it, or as high above. Such shapes
 * do not touch along n. What moves on meets the face below a step later.
 */
#include "gathering.h"

/* Cosine, 8 degrees: a face that leans more from n does not lie along the gap. */
#define FACING 0.99
/* Of the size: places are as deep, at the least. */
#define AS_DEEP 1e-6
/* Cosine, 0.8 degrees, of faces that graze, or are one; and sine, of lines that graze
 * (`level` is how deep counts as level). */
#define STRAIGHT 0.9999
#define LEVEL 0.014
/* Of the size, and of both faces: a sliver is narrower. A floor that single precision has 20 m off the
 * origin is level to a fifth of that. */
#define SLIVER 1e-5
#define OF_FACE 0.01
/* Of the size: places are one. */
#define ONE 1e-9

int omi_collide_workspace(void) { return (int)(sizeof(omi_gathered) / sizeof(double)) + 1; }

static double square_between(const omi_spot *p, const omi_spot *q) {
    double x = p->q[0] - q->q[0], y = p->q[1] - q->q[1];
    return x * x + y * y;
}

/* Twice the area to the left of an edge. */
static double area(const omi_spot *p, const omi_spot *q, const omi_spot *r) {
    return (q->q[0] - p->q[0]) * (r->q[1] - p->q[1]) - (q->q[1] - p->q[1]) * (r->q[0] - p->q[0]);
}

/* The deepest; of those that are as deep the one that lies farthest aslant in the plane, as along an axis two
 * corners of a box may be equal. */
static int deepest(const omi_sheet *s, double even) {
    double least = INFINITY, most = -INFINITY;
    int best = 0;
    for (int i = 0; i < s->count; ++i) least = fmin(least, s->spots[i].gap);
    for (int i = 0; i < s->count; ++i) {
        double along = s->spots[i].q[0] + 0.5 * s->spots[i].q[1];
        if (s->spots[i].gap <= least + even && along > most) most = along, best = i;
    }
    return best;
}

static int farthest(const omi_sheet *s, const omi_spot *from, double gap, double one) {
    double most = one * one;
    int best = -1;
    for (int i = 0; i < s->count; ++i)
        if (s->spots[i].gap <= gap && square_between(s->spots + i, from) > most)
            most = square_between(s->spots + i, from), best = i;
    return best;
}

/* The one that adds most to a line or triangle of those that are chosen. */
static int widest(const omi_sheet *s, const omi_spot *const *chosen, int count, double one) {
    double most = one * sqrt(square_between(chosen[0], chosen[1])), sense = 1.0;
    int best = -1, edges = count == 2 ? 1 : 3;
    if (count == 3 && area(chosen[0], chosen[1], chosen[2]) > 0.0) sense = -1.0;
    for (int i = 0; i < s->count; ++i)
        for (int e = 0; e < edges; ++e) {
            double more = area(chosen[e], chosen[(e + 1) % count], s->spots + i);
            more = count == 2 ? fabs(more) : sense * more;
            if (more > most) most = more, best = i;
        }
    return best;
}

/* Choose up to four of the places, the first of which is there if `chosen` has it. */
static int choose(const omi_sheet *s, double size, double even, const omi_spot **chosen, int count) {
    double one = ONE * size;
    if (s->count == 0) return count;
    if (count == 0) chosen[count++] = s->spots + deepest(s, even);
    int next = farthest(s, chosen[0], chosen[0]->gap + even, one);
    if (next < 0) next = farthest(s, chosen[0], INFINITY, one);
    while (next >= 0) {
        chosen[count++] = s->spots + next;
        next = count < FEW ? widest(s, chosen, count, one) : -1;
    }
    return count;
}

/* How wide a polygon is across its longest diagonal, as good as; how long a line is. */
static double width(const double *q, int stride, int count, int is_line) {
    double most = 0.0, wide = 0.0, way[2] = {0.0, 0.0};
    for (int i = 1; i < count; ++i) {
        double x = q[stride * i] - q[0], y = q[stride * i + 1] - q[1];
        if (x * x + y * y > most) most = x * x + y * y, way[0] = x, way[1] = y;
    }
    most = sqrt(most);
    if (is_line || !(most > 0.0)) return most;
    double low = 0.0, high = 0.0;
    for (int i = 1; i < count; ++i) {
        wide = ((q[stride * i] - q[0]) * way[1] - (q[stride * i + 1] - q[1]) * way[0]) / most;
        low = fmin(low, wide);
        high = fmax(high, wide);
    }
    return high - low;
}

static int looks_straight(const omi_patch *p) {
    double slope = p->slope[0] * p->slope[0] + p->slope[1] * p->slope[1];
    return p->kind == OMI_FACE ? p->facing > STRAIGHT : p->kind == OMI_SIDE && slope < LEVEL * LEVEL;
}

/* Whether of two patches but a sliver lies before the other, or they miss each other by no more. */
static int graze(const omi_sheet *s, double size, double gap) {
    const omi_patch *a = &s->a, *b = &s->b;
    int is_line = a->kind == OMI_SIDE || b->kind == OMI_SIDE;
    if (!looks_straight(a) || !looks_straight(b)) return 0;
    double least = fmin(width(a->q[0], 2, a->count, a->kind == OMI_SIDE),
                        width(b->q[0], 2, b->count, b->kind == OMI_SIDE));
    double facing = a->kind == OMI_FACE ? a->facing : b->facing, sliver = fmin(SLIVER * size, OF_FACE * least);
    if (!s->count) return fmax(gap, 0.0) * sqrt(fmax(1.0 - facing * facing, 0.0)) < sliver;
    return width(s->spots[0].q, sizeof(omi_spot) / sizeof(double), s->count, is_line) < sliver;
}

/* Note what was clipped, with its gap; returns how many places are noted then. */
static int note_spots(omi_sheet *s, int count) {
    for (int i = 0; i < s->count && count < SPOTS; ++i) {
        omi_spot *to = s->found + count++;
        *to = s->spots[i];
        to->low = omi_height(&s->a, to->q);
        to->gap = omi_height(&s->b, to->q) - to->low;
    }
    return count;
}

/* The next face of a polytope that looks the same way as one of them; else, and of what is none, -1. */
static int next_face(const omi_placed *p, const omi_patch *of, int first, int face) {
    const omi_shape *shape = p->shape;
    if (of->kind != OMI_FACE) return -1;
    while (++face < shape->faces)
        if (dot(shape->normal + 3 * face, shape->normal + 3 * first) > STRAIGHT) return face;
    return -1;
}

/* Find the places along the gap that are within the margin. Returns 0 where the shapes graze. */
static int find_spots(const omi_pair *pair, const omi_nearest *near, double margin, omi_sheet *s) {
    int count = 0;
    s->count = 0;
    omi_find_patch(&pair->a, near->n, 1.0, -1, &s->a);
    omi_find_patch(&pair->b, near->n, -1.0, -1, &s->b);
    int is_flat = s->a.facing > FACING || s->b.facing > FACING, of_a = s->a.face, of_b = s->b.face;
    if (!is_flat) {
        omi_take_edge(&s->a, near->n, 1.0);
        omi_take_edge(&s->b, near->n, -1.0);
    }
    if (s->a.kind == OMI_TIP || s->b.kind == OMI_TIP) return 1;
    if (!is_flat) {
        omi_lay(s, near->a, near->n);
        if (s->a.kind == OMI_SIDE && s->b.kind == OMI_SIDE) omi_clip_lines(s);
        count = note_spots(s, 0);
    }
    for (int more = is_flat, i = next_face(&pair->a, &s->a, of_a, -1); more; more = i >= 0) {
        if (i >= 0 && s->a.face != i) omi_find_patch(&pair->a, near->n, 1.0, i, &s->a);
        for (int again = 1, j = next_face(&pair->b, &s->b, of_b, -1); again; again = j >= 0) {
            if (j >= 0 && s->b.face != j) omi_find_patch(&pair->b, near->n, -1.0, j, &s->b);
            omi_lay(s, near->a, near->n);
            omi_clip(s);
            count = note_spots(s, count);
            if (j >= 0) j = next_face(&pair->b, &s->b, of_b, j);
        }
        if (i >= 0) i = next_face(&pair->a, &s->a, of_a, i);
    }
    s->count = count;
    for (int i = 0; i < count; ++i) s->spots[i] = s->found[i];
    if (is_flat && graze(s, pair->size, near->gap)) return 0;
    for (int i = s->count = 0; i < count; ++i)
        if (s->found[i].gap <= margin) s->spots[s->count++] = s->found[i];
    return 1;
}

void omi_put_place(omi_manifold *out, const omi_touch_place *from) {
    int i = out->points++;
    for (int k = 0; k < 3; ++k) {
        out->normals[i][k] = from->normal[k];
        out->at_a[i][k] = from->a[k];
        out->at_b[i][k] = from->b[k];
    }
    out->gaps[i] = from->gap;
    out->id[i] = from->id;
}

/* The points by which two shapes touch whose nearest ones are known; has_nearest: whether these may be
 * among them. */
void omi_find_places(const omi_pair *pair, const omi_nearest *near, double margin, double level, int has_nearest,
                     omi_few_places *out, omi_sheet *s) {
    const omi_spot *chosen[FEW];
    omi_spot nearest = {{0.0, 0.0}, near->gap, 0.0, OMI_NEAREST, 0};
    int count = out->count = 0;
    if (!(near->gap <= margin) || !find_spots(pair, near, margin, s)) return;
    double least = INFINITY;
    for (int i = 0; i < s->count; ++i) least = fmin(least, s->spots[i].gap);
    if (has_nearest && !(least <= near->gap + AS_DEEP * pair->size)) chosen[count++] = &nearest;
    count = choose(s, pair->size, fmax(level, AS_DEEP) * pair->size, chosen, count);
    for (int i = 0; i < count; ++i) {
        const omi_spot *c = chosen[i];
        omi_touch_place *place = out->of + out->count++;
        place->gap = c->gap;
        place->id = c->id;
        place->used = OMI_FRESH;
        for (int k = 0; k < 3; ++k) {
            double on = s->origin[k] + c->q[0] * s->x[k] + c->q[1] * s->y[k];
            place->normal[k] = near->n[k];
            place->a[k] = pair->base[k] + (c == &nearest ? near->a[k] : on + c->low * s->n[k]);
            place->b[k] = pair->base[k] + (c == &nearest ? near->b[k] : on + (c->low + c->gap) * s->n[k]);
        }
    }
}

int omi_collide(const omi_shape *a, const double *pose_a, const omi_shape *b, const double *pose_b,
                double margin, double level, omi_manifold *out, double *work) {
    omi_room *room = (omi_room *)work;
    omi_pair pair;
    omi_nearest near;
    omi_few_places found;
    if (a->core == OMI_MESH || b->core == OMI_MESH)
        return omi_collide_mesh(a, pose_a, b, pose_b, margin, level, out, work);
    omi_place(a, pose_a, b, pose_b, &pair);
    omi_find_nearest(&pair, margin, out->normal, &near, &room->polytope);
    omi_find_places(&pair, &near, margin, level, 1, &found, &room->sheet);
    for (int i = 0; i < 3; ++i) out->normal[i] = near.n[i];
    out->gap = near.gap;
    for (int i = out->points = 0; i < found.count; ++i) omi_put_place(out, found.of + i);
    return out->points;
}
