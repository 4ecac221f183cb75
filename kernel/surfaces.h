/* SPDX-License-Identifier: MIT */
/* What the bodies of an island touch with. */
#ifndef OMI_SURFACES_H
#define OMI_SURFACES_H
#include "collide.h"

typedef struct {
    int pairs, materials;
    int points;             /* in which they touch at most: where there are more the farthest are left out */
    const omi_shape *shape; /* [shapes] */
    const int *body;        /* [shapes] of the island, or one of the others of its island */
    const double *pose;     /* [shapes][12] from the centre of mass, body axes (collide.h) */
    const int *material;    /* [shapes] */
    const double *mix;      /* [materials][materials][3] static, dynamic friction; restitution */
    const int *pair;        /* [pairs][2] shapes that may touch in this output step */
} omi_surfaces;

/* A point that bore something in the last substep. */
typedef struct {
    int shape[2], id, sticks;
    double point[3], force[3]; /* m; N on the second body, mean of the substep; world axes */
    double push, rub[3];       /* N s along the normal and across it, with which the next one begins */
} omi_touch_point;

/* Number of doubles that the function below wants as workspace. */
OMI_API int omi_touching_workspace(const omi_island *island, int points);
/* As omi_step, of one island that may touch something; where it does by RATTLE throughout, or at first order for most = 0. touch: so many points as are known from
 * before, in the order of the pairs, then those of now; returns their number, of which so many as there is room for were written. */
OMI_API int omi_step_touching(const omi_island *island, omi_state *state, const omi_surfaces *surfaces,
                              const double *other_velocity, double dt, double most, double tolerance,
                              double *wrench, double *work, omi_report *report, omi_touch_point *touch, int known, int room);
#endif
