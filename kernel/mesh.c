/* SPDX-License-Identifier: MIT */
/* Triangles of a mesh, each a convex shape with two faces, against one other shape.
 *
 * The tree of their boxes says which are near; leaves are triangles in the order of the tree, the
 * boxes below box i are 2 i + 1 and 2 i + 2.
 *
 * A triangle alone does not know its neighbours: what slides over an even floor of many meets the edge
 * of the next one, and along n that lies in the floor. Such n is none of the mesh. A point of the mesh
 * touches along n only if the mesh goes no farther along n around it, that is, for the corners v of the
 * edge or corner that touches and their neighbours w,
 *
 *     n . (w - v) <= 0.
 *
 * That is so inside of a triangle, for n across it; at an edge for n between both of its faces, if it sticks out; and
 * nowhere else, from either side. Where n fails, the triangle's own normal is taken in its place, and of the triangle
 * only what lies before the other shape along it; and what is beyond an edge counts too where the mesh rises there, so
 * that what comes fast meets a ramp before it is in it. What falls into the very edge of a groove is at the rim of both
 * its faces: each goes on a little beneath the other there. Points are named by the other shape's corners where they
 * are, so that they stay the same from triangle to triangle; gathering.c brings those of all triangles together.
 */
#include "gathering.h"

#define WAITING 64 /* boxes that wait, at most: trees are balanced */
/* Sine: neighbours that rise less are level with it. Single precision keeps 1e-7 of the size. */
#define LEVEL 1e-5
/* Of the size of a triangle: so near to its edge is on it. A tenth changes one manifold of 900 on meshes
 * of single precision, none nine; ten times changes nothing. */
#define EDGE 1e-6
/* Of the size of the other shape: so far a triangle goes on in a groove. */
#define GROOVE 1e-2

/* Over the triangles of a mesh that are near to another shape. */
typedef struct {
    const omi_shape *mesh, *other;
    const double *pose, *at; /* theirs */
    int is_a;                /* whether the mesh is shape a */
    int waiting[WAITING], count;
    double box[6];
} walk;

/* One of them, and where it and the other shape are nearest. */
typedef struct {
    omi_shape shape;
    double corner[9], normal[6], pose[12];
    double place[3], side; /* of the other shape, axes of the mesh; on which side of the triangle that is, 1 or -1 */
    const omi_shape *mesh;
    const int *of; /* its corners, of the mesh */
    int is_a;
    omi_pair pair;
    const omi_placed *own, *other; /* of that */
    omi_nearest near;
    double *on, *off; /* its points: of the triangle, of the other shape */
} triangle;

/* Walk over what is no more than so many m away; of what meets no mesh nothing is. */
static void begin_walk(walk *w, const omi_shape *mesh, const double *pose, const omi_shape *other,
                       const double *at, double by) {
    double seen[12];
    w->mesh = mesh, w->pose = pose, w->other = other, w->at = at, w->waiting[0] = 0;
    omi_local(pose, at, seen);
    product_back(seen + 3, pose + 3, at + 3);
    w->count = mesh->faces > 0 && other->core != OMI_MESH && other->core != OMI_HALF_SPACE;
    if (w->count) omi_box(other, seen, by, w->box);
}

/* The next one, or -1. */
static int next_triangle(walk *w) {
    const omi_shape *mesh = w->mesh;
    while (w->count) {
        int at = w->waiting[--w->count], is_near = 1;
        const double *box = mesh->tree + 6 * at;
        for (int k = 0; k < 3; ++k) is_near &= w->box[k] <= box[3 + k] && box[k] <= w->box[3 + k];
        if (!is_near) continue;
        if (at >= mesh->leaves - 1) return at - mesh->leaves + 1;
        if (w->count + 2 > WAITING) continue;
        w->waiting[w->count++] = 2 * at + 2;
        w->waiting[w->count++] = 2 * at + 1;
    }
    return -1;
}

/* A triangle about its middle, so that what is measured by its size is as exact as it is small. */
static void take_triangle(const walk *w, int face, triangle *t) {
    static const int start[3] = {0, 3, 6}, order[6] = {0, 1, 2, 0, 2, 1};
    const omi_shape *mesh = t->mesh = w->mesh;
    const double *pose = w->pose;
    double middle[3];
    t->of = mesh->face_corner + 3 * face;
    t->shape = (omi_shape){.core = OMI_CORNERS, .corners = 3, .faces = 2, .corner = t->corner,
                           .normal = t->normal, .face_start = start, .face_corner = order};
    for (int i = 0; i < 3; ++i) {
        const double *c[3] = {mesh->corner + 3 * t->of[0], mesh->corner + 3 * t->of[1], mesh->corner + 3 * t->of[2]};
        middle[i] = (c[0][i] + c[1][i] + c[2][i]) / 3.0;
        for (int k = 0; k < 3; ++k) t->corner[3 * k + i] = c[k][i] - middle[i];
        t->normal[i] = mesh->normal[3 * face + i];
        t->normal[3 + i] = -t->normal[i];
    }
    for (int k = 0; k < 3; ++k)
        t->shape.reach = fmax(t->shape.reach, sqrt(dot(t->corner + 3 * k, t->corner + 3 * k)));
    turn(t->pose, pose + 3, middle);
    for (int i = 0; i < 3; ++i) t->pose[i] += pose[i];
    for (int i = 0; i < 9; ++i) t->pose[3 + i] = pose[3 + i];
    omi_local(pose, w->at, t->place);
    t->side = dot(t->normal, t->place) < dot(t->normal, middle) ? -1.0 : 1.0;
    t->is_a = w->is_a;
    t->own = w->is_a ? &t->pair.a : &t->pair.b, t->other = w->is_a ? &t->pair.b : &t->pair.a;
    t->on = w->is_a ? t->near.a : t->near.b, t->off = w->is_a ? t->near.b : t->near.a;
    if (w->is_a) omi_place(&t->shape, t->pose, w->other, w->at, &t->pair);
    else omi_place(w->other, w->at, &t->shape, t->pose, &t->pair);
}

static int is_neighbour(const omi_shape *mesh, int of, int corner) {
    for (int i = mesh->ring_start[of]; i < mesh->ring_start[of + 1]; ++i)
        if (mesh->ring[i] == corner) return 1;
    return 0;
}

/* How far the mesh rises along n from a corner of a triangle to its neighbours, as a sine; only to those
 * of another corner too, if that is one. */
static double rise(const triangle *t, int corner, int other, const double *n) {
    const omi_shape *mesh = t->mesh;
    int v = t->of[corner];
    double most = -1.0;
    for (int i = mesh->ring_start[v]; i < mesh->ring_start[v + 1]; ++i) {
        int w = mesh->ring[i];
        double way[3];
        if (other >= 0 && !is_neighbour(mesh, t->of[other], w)) continue;
        for (int k = 0; k < 3; ++k) way[k] = mesh->corner[3 * w + k] - mesh->corner[3 * v + k];
        most = fmax(most, dot(way, n) / sqrt(dot(way, way)));
    }
    return most;
}

/* Whether the mesh goes no farther along n (its axes) around the corners `on` of a triangle. */
static int is_outermost(const triangle *t, const int *on, const double *n) {
    if (on[0] && on[1] && on[2]) return 1;
    for (int i = 0; i < 3; ++i) {
        int next = (i + 1) % 3, last = (i + 2) % 3;
        if (on[i]) return rise(t, i, on[next] ? next : on[last] ? last : -1, n) <= LEVEL;
    }
    return 1;
}

/* Which corners of a triangle are farthest along n. */
static void find_farthest(const triangle *t, const double *n, int *on) {
    double height[3], most = -INFINITY;
    for (int i = 0; i < 3; ++i) height[i] = dot(t->corner + 3 * i, n), most = fmax(most, height[i]);
    for (int i = 0; i < 3; ++i) on[i] = height[i] >= most - LEVEL * t->shape.reach;
}

/* Along an edge's inward normal: how far a point is within it, m. */
static double within(const triangle *t, int edge, const double *point) {
    const double *from = t->corner + 3 * edge, *to = t->corner + 3 * ((edge + 1) % 3);
    double along[3], in[3], way[3];
    for (int i = 0; i < 3; ++i) along[i] = to[i] - from[i], way[i] = point[i] - from[i];
    cross(in, t->normal, along);
    return dot(in, way) / sqrt(dot(in, in));
}

/* Whether the other shape is in a groove that faces make along an edge: its place is before all of them, on the side that
 * they look to. From behind, a hull is all grooves. */
static int is_in_groove(const triangle *t, int edge) {
    const omi_shape *mesh = t->mesh;
    int v = t->of[edge], u = t->of[(edge + 1) % 3], own = t->of[(edge + 2) % 3], found = 0;
    for (int i = mesh->ring_start[v]; i < mesh->ring_start[v + 1]; ++i) {
        int w = mesh->ring[i];
        const double *to[4] = {mesh->corner + 3 * w, t->place, mesh->corner + 3 * u, mesh->corner + 3 * own};
        double way[4][3], across[3];
        if (w == own || !is_neighbour(mesh, u, w)) continue;
        for (int k = 0; k < 12; ++k) way[k / 3][k % 3] = to[k / 3][k % 3] - mesh->corner[3 * v + k % 3];
        cross(across, way[0], way[2]);
        if (dot(t->normal, way[0]) <= LEVEL * sqrt(dot(way[0], way[0])) || dot(t->normal, way[1]) <= 0.0) return 0;
        if (dot(across, way[1]) * dot(across, way[3]) <= 0.0) return 0;
        found = 1;
    }
    return found;
}

/* Let a triangle go on by so much, m, beneath those with which it makes a groove that the other shape is in, if that comes
 * to the edge (point, of the triangle, its axes): what is there has to stay before both, and is at the rim of either. Returns
 * whether there is such an edge. */
static int go_on(triangle *t, const double *point, double by) {
    int found = 0;
    for (int edge = 0; edge < 3; ++edge) {
        double *a = t->corner + 3 * edge, *b = t->corner + 3 * ((edge + 1) % 3), *c = t->corner + 3 * ((edge + 2) % 3);
        if (within(t, edge, point) > by || !is_in_groove(t, edge)) continue;
        double part = by / within(t, edge, c);
        for (int k = 0; k < 3; ++k) a[k] += part * (a[k] - c[k]), b[k] += part * (b[k] - c[k]);
        found = 1;
    }
    return found;
}

/* Whether a point (from the origin of a) lies before or behind a triangle. */
static int is_before(const triangle *t, const double *point) {
    double way[3], foot[3], out = -EDGE * t->shape.reach;
    for (int k = 0; k < 3; ++k) way[k] = point[k] - t->own->at[k];
    turn_back(foot, t->pose + 3, way);
    return within(t, 0, foot) >= out && within(t, 1, foot) >= out && within(t, 2, foot) >= out;
}

/* Of the other shape's corners before the triangle that are not in it yet the one that is least off along n, if there is
 * any: the tip of what swings down on its end. */
static void find_tip(const triangle *t, const double *n, double *tip) {
    const omi_shape *other = t->other->shape;
    double least = INFINITY, point[3];
    for (int i = 0; i < other->corners; ++i) {
        omi_world(t->other, other->corner + 3 * i, point);
        double off = dot(point, n) - dot(t->own->at, n);
        if (!(off < least) || off < other->radius - EDGE * t->shape.reach || !is_before(t, point)) continue;
        least = off;
        for (int k = 0; k < 3; ++k) tip[k] = point[k];
    }
}

/* Take the triangle's own normal, to a side. Returns whether the other one's nearest point lies before it, or comes to it
 * within the margin from beyond an edge at which the mesh rises. overlaps: whether both do. */
static int take_normal(triangle *t, double side, double margin, int overlaps) {
    double n[3], way[3], foot[3], far[3], gap, radius = t->other->shape->radius;
    turn(n, t->pose + 3, t->normal);
    for (int i = 0; i < 3; ++i) n[i] *= side, t->near.n[i] = t->is_a ? n[i] : -n[i];
    omi_support(t->other, n, -1.0, far);
    if (!overlaps && !is_before(t, far)) find_tip(t, n, far);
    for (int i = 0; i < 3; ++i) way[i] = far[i] - t->own->at[i];
    gap = dot(way, n);
    for (int i = 0; i < 3; ++i) {
        t->off[i] = far[i] - radius * n[i];
        t->on[i] = far[i] - gap * n[i];
        way[i] -= gap * n[i];
    }
    t->near.gap = gap - radius;
    turn_back(foot, t->pose + 3, way);
    turn_back(way, t->pose + 3, n);
    for (int edge = 0; edge < 3; ++edge) {
        double in = within(t, edge, foot);
        if (in >= -EDGE * t->shape.reach) continue;
        if (t->near.gap < 0.0 || in < -margin || rise(t, edge, (edge + 1) % 3, way) <= LEVEL) return 0;
    }
    return 1;
}

/* Whether points may touch along n, a triangle's normal (axes of the mesh): where they all lie on one of
 * its edges, as the side of a table does that is seen from inside, it has to be one that sticks out, or a groove. */
static int is_edge_open(const triangle *t, const omi_few_places *found, const double *n) {
    for (int edge = 0; edge < 3; ++edge) {
        int all = 1, on[3] = {1, 1, 1};
        for (int i = 0; i < found->count && all; ++i) {
            double own[3];
            omi_local(t->pose, t->is_a ? found->of[i].a : found->of[i].b, own);
            all = within(t, edge, own) < EDGE * t->shape.reach;
        }
        on[(edge + 2) % 3] = 0;
        if (all && !is_outermost(t, on, n) && !is_in_groove(t, edge)) return 0;
    }
    return 1;
}

/* A name that is the same on the next triangle where the other shape's corner makes the point, or its
 * only one, by where the normal looks, in sixteenths; 37 and 2654435761 spread what is alike (Knuth). */
static int name_of(int id, int face, int is_a, const double *n) {
    unsigned int whole = (unsigned int)id;
    if (id < TWO && (id >= OF_B) == is_a) return id;
    if (id == OMI_NEAREST)
        for (int k = 0; k < 3; ++k) whole = whole * 37u + (unsigned int)(int)(16.0 * n[k] + 32.5);
    else
        whole ^= ((unsigned int)face + 1u) * 2654435761u;
    return (int)(whole & 0x7fffffffu);
}

/* Take the triangle's own normal instead of n (its axes), and find the points along it: to the side of what is left of n,
 * or where both overlap to the side on which the other shape's own place is, if what is there is no deeper than `by`: the
 * shortest way apart of what is thin leads through. Else to the less deep one, as it may lead past a rim; to the place's
 * alone if no deeper than `by` or the margin, where n is the other way. */
static omi_few_places *meet_face(triangle *t, double level, double by, double *n, omi_gathered *all) {
    omi_few_places *one = all->found, *other = one + 1;
    double margin = all->margin, along = dot(t->normal, n), side = along < 0.0 ? -1.0 : 1.0;
    int overlaps = t->near.gap < 0.0, turns = overlaps && t->side * along < 0.0;
    int touches = take_normal(t, side *= turns ? -1.0 : 1.0, margin, overlaps);
    omi_find_places(&t->pair, &t->near, margin, level, touches, one, &all->room.sheet);
    double gap = one->count ? one->of[0].gap : -INFINITY; /* their deepest come first */
    if (overlaps && (turns || one->count) && gap < -by) {
        touches = take_normal(t, -side, margin, 1);
        omi_find_places(&t->pair, &t->near, margin, level, touches, other, &all->room.sheet);
        if (other->count && other->of[0].gap > gap) one = other, side = -side;
        else if (turns && gap < -fmax(by, margin)) one->count = 0;
    }
    for (int i = 0; i < 3; ++i) n[i] = side * t->normal[i];
    return one;
}

/* Where one triangle and the other shape touch. */
static void meet_triangle(const walk *w, int face, double level, omi_gathered *all) {
    triangle t;
    omi_few_places *found = all->found;
    double n[3], point[3], margin = all->margin, by = GROOVE * w->other->reach;
    int on[3];
    take_triangle(w, face, &t);
    omi_find_nearest(&t.pair, margin, 0, &t.near, &all->room.polytope);
    if (!(t.near.gap <= margin)) return;
    omi_local(t.pose, t.on, point);
    if (t.near.gap < by && go_on(&t, point, by)) omi_find_nearest(&t.pair, margin, 0, &t.near, &all->room.polytope);
    turn_back(n, t.pose + 3, t.near.n);
    for (int i = 0; i < 3; ++i) n[i] *= t.is_a ? 1.0 : -1.0;
    find_farthest(&t, n, on);
    int is_flat = on[0] && on[1] && on[2], turns = is_flat && t.near.gap < 0.0 && t.side * dot(t.normal, n) < 0.0;
    int is_own = !turns && is_outermost(&t, on, n), is_face = !is_own || is_flat;
    if (is_own) omi_find_places(&t.pair, &t.near, margin, level, 1, found, &all->room.sheet);
    else found = meet_face(&t, level, by, n, all);
    if (is_face && !is_edge_open(&t, found, n)) return;
    for (omi_touch_place *one = found->of; one < found->of + found->count; ++one) {
        one->id = name_of(one->id, face, t.is_a, n);
        all->places[all->count++] = *one;
    }
}

/* omi_collide of shapes one of which is a mesh. */
int omi_collide_mesh(const omi_shape *a, const double *pose_a, const omi_shape *b, const double *pose_b,
                     double margin, double level, omi_manifold *out, double *work) {
    omi_gathered *all = (omi_gathered *)work;
    walk w;
    w.is_a = a->core == OMI_MESH;
    if (w.is_a) begin_walk(&w, a, pose_a, b, pose_b, margin);
    else begin_walk(&w, b, pose_b, a, pose_a, margin);
    all->count = 0, all->size = w.other->reach, all->margin = margin;
    out->gap = INFINITY;
    for (int face = next_triangle(&w); face >= 0; face = next_triangle(&w)) {
        if (all->count + FEW > SPOTS) omi_thin(all);
        if (all->count + FEW > SPOTS) break; /* normals that look all ways */
        meet_triangle(&w, face, level, all);
    }
    omi_choose_places(all, out);
    if (!out->points) return 0;
    out->gap = out->gaps[0];
    for (int k = 0; k < 3; ++k) out->normal[k] = out->normals[0][k];
    return out->points;
}

/* Whether a mesh and a shape are no more than so many m apart. */
int omi_is_mesh_near(const omi_shape *mesh, const double *pose, const omi_shape *other, const double *at,
                     double far, omi_polytope *room) {
    walk w;
    w.is_a = 1;
    begin_walk(&w, mesh, pose, other, at, far);
    for (int face = next_triangle(&w); face >= 0; face = next_triangle(&w)) {
        triangle t;
        take_triangle(&w, face, &t);
        omi_find_nearest(&t.pair, far, 0, &t.near, room);
        if (t.near.gap <= far) return 1;
    }
    return 0;
}
