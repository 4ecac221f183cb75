/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef OMI_FACTOR_H
#define OMI_FACTOR_H
#include "omi_kernel.h"

/* The saddle point matrix [1 E^T; E -eps] of bodies and joints, factored block by block. */
typedef struct {
    const omi_island *island;
    const double *entry;   /* [rows][2][6] */
    const int *active;     /* [rows] */
    double *epsilon;       /* [rows] what is on the diagonal, positive */
    double *pivot;         /* [nodes][36] */
    double *block;         /* [blocks][36] */
    double *right;         /* [nodes][6] */
    double *multiplier;    /* [rows] */
} omi_factor;

void omi_factorize(omi_factor *factor, const double *compliance);
/* Solve a = force + E^T l, E a - eps l = rhs for a [bodies][6] and l [rows]; proximal rounds take
 * eps out again where rows follow from others. force may be 0. */
void omi_solve(omi_factor *factor, const double *force, const double *rhs, int rounds, double *out,
               double *multiplier);
#endif
