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
    int *slot;             /* [rows] where their numbers are in right, -1 where they are not active */
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
/* Add what a force on a row of a joint does to bodies: its entries [2][6]. */
static inline void omi_push(const omi_island *is, int joint, const double *entry, double force,
                            double *out) {
    for (int side = 0; side < 2; ++side) {
        int body = is->ends[2 * joint + side];
        for (int k = 0; body < is->bodies && k < 6; ++k)
            out[6 * body + k] += force * entry[6 * side + k];
    }
}
/* The same of all rows; those that are not active bear nothing. */
void omi_add_forces(const omi_factor *factor, const double *multiplier, double *out);
#endif
