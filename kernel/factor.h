/* SPDX-License-Identifier: MIT */
/* The linear systems of rows: see factor.c. */
#ifndef OMI_FACTOR_H
#define OMI_FACTOR_H
#include "omi_kernel.h"

typedef struct {
    const omi_island *island;
    const double *entry;   /* [rows][2][6] E, of both bodies of the joint */
    const int *active;     /* [rows] */
    double *eps;           /* [rows] eps D of the rows that are active */
    int *has_pivot;        /* [nodes] 0 for bodies that go before all their joints */
    int *height;           /* [joints] how many of their rows are active */
    int *slot;             /* [rows] where their numbers are in right, -1 where they are not active */
    double *pivot;         /* [nodes][36] */
    double *block;         /* [blocks][36] */
    double *right;         /* [nodes][6] */
    double *multiplier;    /* [rows] */
} omi_factor;

/* Square of the singular value, of rows of length one, below which a row counts as redundant. Loops
 * are closed to 1e-11 (HOLDS), so the singular values of redundant rows are that small: far below its root, 1e-5. */
#define OMI_EPS 1e-10

/* compliance: [rows] of implicit rows, or 0. eps: 0 in trees, where no row follows from others.
 * is_even: D is the same for each row, so that multipliers are of least norm, whatever they act on. */
void omi_factorize(omi_factor *factor, const double *compliance, double eps, int is_even);
/* a = force + E^T l into out, [bodies][6]; l with E a + compliance l = rhs into multiplier, [rows].
 * rounds: proximal ones after the first. force and rhs may be 0. */
void omi_solve(omi_factor *factor, const double *force, const double *rhs, int rounds, double *out,
               double *multiplier);
/* What six unit forces on a body do: column k of block b of columns, [nodes][6][6], is the acceleration of body b by the
 * kth of them. The blocks of joints are scratch. */
void omi_solve_body(omi_factor *factor, int body, int rounds, double *columns);
/* Add e^T l of one row e between two bodies: what a force on it does to both of them. */
static inline void omi_apply(const omi_island *is, const int *ends, const double *entry, double force,
                             double *out) {
    for (int side = 0; side < 2; ++side)
        for (int k = 0; ends[side] < is->bodies && k < 6; ++k)
            out[6 * ends[side] + k] += force * entry[6 * side + k];
}
/* The rate e V of one row at scaled velocities. */
static inline double omi_rate(const omi_island *is, const int *ends, const double *entry,
                              const double *velocity) {
    double rate = 0.0;
    for (int i = 0; i < 12; ++i)
        if (ends[i / 6] < is->bodies) rate += entry[i] * velocity[6 * ends[i / 6] + i % 6];
    return rate;
}
/* E^T l of all rows of joints; those that are not active bear nothing. */
void omi_apply_all(const omi_factor *factor, const double *multiplier, double *out);
#endif
