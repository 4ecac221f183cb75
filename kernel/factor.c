/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Elimination of bodies and joints in a given order, 6 x 6 blocks: linear in trees (Baraff 1996).
 *
 * The matrix is quasi-definite, so it has a factor in every order (Vanderbei 1995): pivots of bodies
 * are positive and those of joints negative. Rows that follow from others are met by the proximal
 * rounds of solver/dynamics/delassus.py.
 */
#include "factor.h"

#include "elementary.h"

#define BLOCK 36
#define UNLIKE 1e3    /* times ``little``, where rows are not alike */
#define SMALLEST 1e-13 /* of the largest row */

static int height_of(const omi_island *is, int node) {
    if (node < is->bodies) return 6;
    return is->row_start[node - is->bodies + 1] - is->row_start[node - is->bodies];
}

/* P = L D L^T in place: one over D on the diagonal, L below. */
static void factor_pivot(double *p, int n) {
    double d[6];
    for (int j = 0; j < n; ++j) {
        double scaled[6];
        d[j] = p[7 * j];
        for (int k = 0; k < j; ++k) {
            scaled[k] = p[6 * j + k] * d[k];
            d[j] -= p[6 * j + k] * scaled[k];
        }
        double inverse = p[7 * j] = 1.0 / d[j];
        for (int i = j + 1; i < n; ++i) {
            double x = p[6 * i + j];
            for (int k = 0; k < j; ++k) x -= p[6 * i + k] * scaled[k];
            p[6 * i + j] = x * inverse;
        }
    }
}

/* x = P^-1 x for the six columns of a block. */
static void solve_columns(const double *restrict p, int n, double *restrict x) {
    for (int i = 1; i < n; ++i) {
        double row[6];
        for (int c = 0; c < 6; ++c) row[c] = x[6 * i + c];
        for (int k = 0; k < i; ++k)
            for (int c = 0; c < 6; ++c) row[c] -= p[6 * i + k] * x[6 * k + c];
        for (int c = 0; c < 6; ++c) x[6 * i + c] = row[c];
    }
    for (int i = n - 1; i >= 0; --i) {
        double row[6];
        for (int c = 0; c < 6; ++c) row[c] = x[6 * i + c] * p[7 * i];
        for (int k = i + 1; k < n; ++k)
            for (int c = 0; c < 6; ++c) row[c] -= p[6 * k + i] * x[6 * k + c];
        for (int c = 0; c < 6; ++c) x[6 * i + c] = row[c];
    }
}

static void solve_one(const double *p, int n, double *x) {
    for (int i = 1; i < n; ++i)
        for (int k = 0; k < i; ++k) x[i] -= p[6 * i + k] * x[k];
    for (int i = 0; i < n; ++i) x[i] *= p[7 * i];
    for (int i = n - 2; i >= 0; --i)
        for (int k = i + 1; k < n; ++k) x[i] -= p[6 * k + i] * x[k];
}

/* t -= a^T b, n rows each. */
static void subtract(double *restrict t, const double *a, const double *b, int n, int high) {
    for (int r = 0; r < high; ++r) {
        double sum[6] = {0.0};
        for (int k = 0; k < n; ++k)
            for (int c = 0; c < 6; ++c) sum[c] += a[6 * k + r] * b[6 * k + c];
        for (int c = 0; c < 6; ++c) t[6 * r + c] -= sum[c];
    }
}

void omi_factorize(omi_factor *f, const double *compliance, double little, int is_even) {
    const omi_island *is = f->island;
    double most = 0.0, least = INFINITY;
    for (int r = 0; r < is->rows; ++r) {
        double own = 0.0;
        for (int k = 0; k < 12; ++k) own += f->entry[12 * r + k] * f->entry[12 * r + k];
        f->little[r] = f->active[r] ? own : 0.0;
        most = fmax(most, f->little[r]);
        if (f->little[r] > 0.0) least = fmin(least, own);
    }
    double even = fmax(fmin(little * most, UNLIKE * little * least), SMALLEST * most);
    for (int r = 0; r < is->rows; ++r)
        f->little[r] = is_even && f->little[r] > 0.0 ? even : little * f->little[r];
    for (int i = 0; i < BLOCK * is->nodes; ++i) f->pivot[i] = 0.0;
    for (int node = 0; node < is->bodies; ++node) {
        for (int i = 0; i < 6; ++i) f->pivot[BLOCK * node + 7 * i] = 1.0;
        f->met[node] = 0;
    }
    for (int joint = 0; joint < is->joints; ++joint)
        for (int r = is->row_start[joint]; r < is->row_start[joint + 1]; ++r) {
            double *p = f->pivot + BLOCK * (is->bodies + joint) + 7 * (r - is->row_start[joint]);
            *p = -f->little[r] - (compliance ? compliance[r] : 0.0);
            if (!f->active[r]) *p = -1.0;
        }
    for (int i = 0; i < BLOCK * is->blocks; ++i) f->block[i] = 0.0;
    /* E into the blocks of whichever of body and joint goes first. */
    for (int place = 0; place < is->nodes; ++place) {
        int node = is->order[place];
        for (int at = is->later_start[place]; at < is->later_start[place + 1]; ++at) {
            int other = is->later_node[at];
            int joint = (node < is->bodies ? other : node) - is->bodies;
            int body = node < is->bodies ? node : other;
            if (joint < 0 || body >= is->bodies) continue;
            double *b = f->block + BLOCK * at;
            for (int side = 0; side < 2; ++side) {
                if (is->ends[2 * joint + side] != body) continue;
                for (int r = is->row_start[joint]; r < is->row_start[joint + 1]; ++r) {
                    if (!f->active[r]) continue;
                    int row = r - is->row_start[joint];
                    for (int k = 0; k < 6; ++k) {
                        double e = f->entry[12 * r + 6 * side + k];
                        if (node < is->bodies)
                            b[6 * k + row] += e;
                        else
                            b[6 * row + k] += e;
                    }
                }
            }
        }
    }
    const int *update = is->update;
    for (int place = 0; place < is->nodes; ++place) {
        int node = is->order[place], n = height_of(is, node), first = is->later_start[place];
        /* The block of a body that no node before has changed is one. */
        int plain = node < is->bodies && !f->met[node];
        if (!plain) factor_pivot(f->pivot + BLOCK * node, n);
        for (int j = first; j < is->later_start[place + 1]; ++j) {
            double *b = f->block + BLOCK * j, scaled[BLOCK];
            int later = is->later_node[j], width = height_of(is, later);
            /* Those before hold W_i = P^-1 B_i already: B_i^T P^-1 B_j = W_i^T B_j. */
            for (int i = first; i < j; ++i)
                subtract(f->block + BLOCK * *update++, f->block + BLOCK * i, b, n,
                         height_of(is, is->later_node[i]));
            if (later < is->bodies) f->met[later] = 1;
            if (plain) {
                subtract(f->pivot + BLOCK * later, b, b, n, width);
                continue;
            }
            for (int i = 0; i < 6 * n; ++i) scaled[i] = b[i];
            solve_columns(f->pivot + BLOCK * node, n, scaled);
            subtract(f->pivot + BLOCK * later, scaled, b, n, width);
            for (int i = 0; i < 6 * n; ++i) b[i] = scaled[i];
        }
    }
}

static void substitute(omi_factor *f) {
    const omi_island *is = f->island;
    double *x = f->right;
    for (int place = 0; place < is->nodes; ++place) {
        int node = is->order[place], n = height_of(is, node);
        for (int at = is->later_start[place]; at < is->later_start[place + 1]; ++at) {
            int other = is->later_node[at], width = height_of(is, other);
            const double *w = f->block + BLOCK * at;
            for (int c = 0; c < width; ++c) {
                double sum = 0.0;
                for (int k = 0; k < n; ++k) sum += w[6 * k + c] * x[6 * node + k];
                x[6 * other + c] -= sum;
            }
        }
        if (node >= is->bodies || f->met[node]) solve_one(f->pivot + BLOCK * node, n, x + 6 * node);
    }
    for (int place = is->nodes - 1; place >= 0; --place) {
        int node = is->order[place], n = height_of(is, node);
        for (int at = is->later_start[place]; at < is->later_start[place + 1]; ++at) {
            int other = is->later_node[at], width = height_of(is, other);
            const double *w = f->block + BLOCK * at;
            for (int k = 0; k < n; ++k) {
                double sum = 0.0;
                for (int c = 0; c < width; ++c) sum += w[6 * k + c] * x[6 * other + c];
                x[6 * node + k] -= sum;
            }
        }
    }
}

void omi_solve(omi_factor *f, const double *force, const double *rhs, int rounds, double *out,
               double *multiplier) {
    const omi_island *is = f->island;
    for (int r = 0; r < is->rows; ++r) multiplier[r] = 0.0;
    for (int round = 0; round <= rounds; ++round) {
        double *x = f->right;
        for (int i = 0; i < 6 * is->bodies; ++i) x[i] = force ? force[i] : 0.0;
        for (int joint = 0; joint < is->joints; ++joint)
            for (int r = is->row_start[joint]; r < is->row_start[joint + 1]; ++r) {
                double *at = x + 6 * (is->bodies + joint) + r - is->row_start[joint];
                *at = f->active[r] && rhs ? rhs[r] : 0.0;
                *at += f->little[r] * multiplier[r];
            }
        substitute(f);
        for (int joint = 0; joint < is->joints; ++joint)
            for (int r = is->row_start[joint]; r < is->row_start[joint + 1]; ++r)
                multiplier[r] = f->active[r]
                                    ? -x[6 * (is->bodies + joint) + r - is->row_start[joint]]
                                    : 0.0;
        for (int i = 0; i < 6 * is->bodies; ++i) out[i] = x[i];
    }
    if (!is->closed) return;
    /* Large multipliers that cancel: what they do together is exact only as what each does. */
    for (int i = 0; i < 6 * is->bodies; ++i) out[i] = force ? force[i] : 0.0;
    for (int joint = 0; joint < is->joints; ++joint)
        for (int side = 0; side < 2; ++side) {
            int body = is->ends[2 * joint + side];
            for (int r = is->row_start[joint]; body < is->bodies && r < is->row_start[joint + 1]; ++r)
                for (int k = 0; k < 6; ++k)
                    out[6 * body + k] += multiplier[r] * f->entry[12 * r + 6 * side + k];
        }
}
