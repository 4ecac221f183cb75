/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef OMI_FACTOR_H
#define OMI_FACTOR_H
#include "omi_kernel.h"

/* The saddle point matrix [1 E^T; E -eps] of bodies and joints, factored block by block. */
typedef struct {
    const omi_island *island;
    const double *entry;   /* [rows][2][6] */
    const int *active;     /* [rows] */
    double *little;        /* [rows] what is added to the diagonal, and taken out again */
    int *met;              /* [nodes] 0 for bodies that go before all their joints */
    int *height;           /* [joints] how many of their rows are active */
    int *row;              /* [rows] which: those of a joint begin where its rows do */
    double *pivot;         /* [nodes][36] */
    double *block;         /* [blocks][36] */
    double *right;         /* [nodes][6] */
    double *multiplier;    /* [rows] */
} omi_factor;

/* Rows that may follow from others, and singular values that are smaller than this. */
#define OMI_LITTLE 1e-10

/* compliance: [rows] added to the diagonal for good, or 0. little: as a part of the square of each
 * row, at least what rounding asks for where joints close loops. */
/* is_even: as much for each row, so that multipliers are of least norm, whatever they act on. */
void omi_factorize(omi_factor *factor, const double *compliance, double little, int is_even);
/* Solve a = force + E^T l, E a + compliance l = rhs for a [bodies][6] and l [rows]; proximal rounds
 * take ``little`` out again. force and rhs may be 0. */
void omi_solve(omi_factor *factor, const double *force, const double *rhs, int rounds, double *out,
               double *multiplier);
/* Add what forces on active rows do to bodies. */
void omi_add_forces(const omi_factor *factor, const double *multiplier, double *out);
#endif
