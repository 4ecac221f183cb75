/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Elimination of bodies and joints in a given order, 6 x 6 blocks: linear in trees (Baraff 1996).
 *
 * The matrix is quasi-definite, so it has a factor in every order (Vanderbei 1995): pivots of bodies
 * are positive and those of joints negative. The block of a body that goes before all its joints is
 * one: it leaves products of rows, and nothing of it is stored. Rows that follow from others are met
 * by the proximal rounds of solver/linalg/dense.py.
 */
#include "factor.h"

#include "elementary.h"

#define BLOCK 36
#define UNLIKE 1e3    /* times ``little``, where rows are not alike */
#define SMALLEST 1e-13 /* of the largest row */
/* With the usual heights known to the compiler there is no loop left. */
#define INLINE static inline __attribute__((always_inline))
#define BY_HEIGHT(n, call, ...)                                                                    \
    switch (n) {                                                                                   \
        case 3: call(__VA_ARGS__, 3); break;                                                       \
        case 5: call(__VA_ARGS__, 5); break;                                                       \
        case 6: call(__VA_ARGS__, 6); break;                                                       \
        default: call(__VA_ARGS__, n);                                                             \
    }

static int height_of(const omi_factor *f, int node) {
    return node < f->island->bodies ? 6 : f->height[node - f->island->bodies];
}

/* P = L D L^T in place: one over D on the diagonal, L below. */
INLINE void factor_pivot(double *p, int n) {
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

/* x = P^-1 x for the columns of a block. */
INLINE void solve_columns(const double *restrict p, double *restrict x, int width, int n) {
    for (int i = 1; i < n; ++i)
        for (int k = 0; k < i; ++k)
            for (int c = 0; c < width; ++c) x[6 * i + c] -= p[6 * i + k] * x[6 * k + c];
    for (int i = n - 1; i >= 0; --i) {
        for (int c = 0; c < width; ++c) x[6 * i + c] *= p[7 * i];
        for (int k = i + 1; k < n; ++k)
            for (int c = 0; c < width; ++c) x[6 * i + c] -= p[6 * k + i] * x[6 * k + c];
    }
}

/* t -= a^T b, n rows each. */
INLINE void subtract(double *restrict t, const double *restrict a, const double *restrict b,
                     int high, int width, int n) {
    for (int r = 0; r < high; ++r)
        for (int k = 0; k < n; ++k)
            for (int c = 0; c < width; ++c) t[6 * r + c] -= a[6 * k + r] * b[6 * k + c];
}

/* t -= a b^T for rows of joints at a body. */
static void subtract_rows(double *t, const double *const *a, int high, const double *const *b,
                          int width) {
    for (int i = 0; i < high; ++i)
        for (int j = 0; j < width; ++j) {
            const double *x = a[i], *y = b[j];
            t[6 * i + j] -= (x[0] * y[0] + x[1] * y[1] + x[2] * y[2]) +
                            (x[3] * y[3] + x[4] * y[4] + x[5] * y[5]);
        }
}

/* The active rows of a joint where it is on a body. */
static int rows_at(const omi_factor *f, int joint, int body, const double **row) {
    int side = f->island->ends[2 * joint] != body;
    for (int i = 0; i < f->height[joint]; ++i)
        row[i] = f->entry + 12 * f->row[f->island->row_start[joint] + i] + 6 * side;
    return f->height[joint];
}

/* Active rows, and what is added to their diagonal. */
static void choose_rows(omi_factor *f, double little, int is_even) {
    const omi_island *is = f->island;
    double most = 0.0, least = INFINITY;
    for (int joint = 0; joint < is->joints; ++joint) {
        int *row = f->row + is->row_start[joint];
        f->height[joint] = 0;
        for (int r = is->row_start[joint]; r < is->row_start[joint + 1]; ++r) {
            double own = 0.0;
            if (f->active[r]) row[f->height[joint]++] = r;
            for (int k = 0; k < 12 && f->active[r] && little > 0.0; ++k)
                own += f->entry[12 * r + k] * f->entry[12 * r + k];
            f->little[r] = own;
            most = fmax(most, own);
            if (own > 0.0) least = fmin(least, own);
        }
    }
    double even = fmax(fmin(little * most, UNLIKE * little * least), SMALLEST * most);
    for (int r = 0; r < is->rows; ++r)
        f->little[r] = is_even && f->little[r] > 0.0 ? even : little * f->little[r];
}

/* The matrix, without what bodies that go before their joints will leave. */
static void fill(omi_factor *f, const double *compliance) {
    const omi_island *is = f->island;
    for (int i = 0; i < BLOCK * is->nodes; ++i) f->pivot[i] = 0.0;
    for (int i = 0; i < BLOCK * is->blocks; ++i) f->block[i] = 0.0;
    for (int joint = 0; joint < is->joints; ++joint)
        for (int i = 0; i < f->height[joint]; ++i) {
            int r = f->row[is->row_start[joint] + i];
            f->pivot[BLOCK * (is->bodies + joint) + 7 * i] =
                -f->little[r] - (compliance ? compliance[r] : 0.0);
        }
    for (int place = 0; place < is->nodes; ++place) {
        int node = is->order[place], is_body = node < is->bodies;
        if (is_body && !f->met[node]) continue;
        for (int i = 0; is_body && i < 6; ++i) f->pivot[BLOCK * node + 7 * i] = 1.0;
        for (int at = is->later_start[place]; at < is->later_start[place + 1]; ++at) {
            int other = is->later_node[at], body = is_body ? node : other;
            int joint = (is_body ? other : node) - is->bodies;
            double *b = f->block + BLOCK * at;
            const double *row[6];
            if (joint < 0 || body >= is->bodies) continue;
            if (is->ends[2 * joint] != body && is->ends[2 * joint + 1] != body) continue;
            int n = rows_at(f, joint, body, row);
            for (int i = 0; i < n; ++i)
                for (int k = 0; k < 6; ++k) b[is_body ? 6 * k + i : 6 * i + k] = row[i][k];
        }
    }
}

static const int *eliminate_plain(omi_factor *f, int place, const int *update) {
    const omi_island *is = f->island;
    int body = is->order[place], first = is->later_start[place];
    for (int j = first; j < is->later_start[place + 1]; ++j) {
        const double *own[6], *before[6];
        int later = is->later_node[j], width = rows_at(f, later - is->bodies, body, own);
        for (int i = first; i < j; ++i) {
            int high = rows_at(f, is->later_node[i] - is->bodies, body, before);
            subtract_rows(f->block + BLOCK * *update++, before, high, own, width);
        }
        subtract_rows(f->pivot + BLOCK * later, own, width, own, width);
    }
    return update;
}

INLINE void eliminate(omi_factor *f, int place, const int *update, int n) {
    const omi_island *is = f->island;
    int first = is->later_start[place];
    double *p = f->pivot + BLOCK * is->order[place];
    factor_pivot(p, n);
    for (int j = first; j < is->later_start[place + 1]; ++j) {
        double *b = f->block + BLOCK * j, scaled[BLOCK];
        double *later = f->pivot + BLOCK * is->later_node[j];
        int width = height_of(f, is->later_node[j]);
        /* Those before hold W_i = P^-1 B_i already: B_i^T P^-1 B_j = W_i^T B_j. */
        for (int i = first; i < j; ++i)
            subtract(f->block + BLOCK * *update++, f->block + BLOCK * i, b,
                     height_of(f, is->later_node[i]), 6, n);
        for (int i = 0; i < 6 * n; ++i) scaled[i] = b[i];
        if (width == 3) {
            solve_columns(p, scaled, 3, n);
            subtract(later, scaled, b, 3, 3, n);
        } else {
            solve_columns(p, scaled, 6, n);
            subtract(later, scaled, b, width, 6, n);
        }
        for (int i = 0; i < 6 * n; ++i) b[i] = scaled[i];
    }
}

void omi_factorize(omi_factor *f, const double *compliance, double little, int is_even) {
    const omi_island *is = f->island;
    const int *update = is->update;
    choose_rows(f, little, is_even);
    fill(f, compliance);
    for (int place = 0; place < is->nodes; ++place) {
        int node = is->order[place];
        if (node < is->bodies && !f->met[node]) {
            update = eliminate_plain(f, place, update);
            continue;
        }
        int count = is->later_start[place + 1] - is->later_start[place];
        BY_HEIGHT(height_of(f, node), eliminate, f, place, update)
        update += count * (count - 1) / 2;
    }
}

INLINE void forward(const omi_factor *f, int place, int n) {
    const omi_island *is = f->island;
    double *x = f->right + 6 * is->order[place];
    const double *p = f->pivot + BLOCK * is->order[place];
    for (int at = is->later_start[place]; at < is->later_start[place + 1]; ++at) {
        double *other = f->right + 6 * is->later_node[at];
        const double *w = f->block + BLOCK * at;
        for (int k = 0; k < n; ++k)
            for (int c = 0; c < 6; ++c) other[c] -= w[6 * k + c] * x[k];
    }
    for (int i = 1; i < n; ++i)
        for (int k = 0; k < i; ++k) x[i] -= p[6 * i + k] * x[k];
    for (int i = 0; i < n; ++i) x[i] *= p[7 * i];
    for (int i = n - 2; i >= 0; --i)
        for (int k = i + 1; k < n; ++k) x[i] -= p[6 * k + i] * x[k];
}

INLINE void backward(const omi_factor *f, int place, int n) {
    const omi_island *is = f->island;
    double *x = f->right + 6 * is->order[place];
    for (int at = is->later_start[place]; at < is->later_start[place + 1]; ++at) {
        const double *y = f->right + 6 * is->later_node[at];
        const double *w = f->block + BLOCK * at;
        for (int k = 0; k < n; ++k, w += 6)
            x[k] -= (w[0] * y[0] + w[1] * y[1] + w[2] * y[2]) +
                    (w[3] * y[3] + w[4] * y[4] + w[5] * y[5]);
    }
}

static int is_plain(const omi_factor *f, int node) {
    return node < f->island->bodies && !f->met[node];
}

static void substitute(omi_factor *f) {
    const omi_island *is = f->island;
    for (int place = 0; place < is->nodes; ++place)
        if (!is_plain(f, is->order[place]))
            BY_HEIGHT(height_of(f, is->order[place]), forward, f, place)
    for (int place = is->nodes - 1; place >= 0; --place)
        if (!is_plain(f, is->order[place]))
            BY_HEIGHT(height_of(f, is->order[place]), backward, f, place)
}

void omi_solve(omi_factor *f, const double *force, const double *rhs, int rounds, double *out,
               double *multiplier) {
    const omi_island *is = f->island;
    double *x = f->right;
    for (int r = 0; r < is->rows; ++r) multiplier[r] = 0.0;
    for (int round = 0; round <= rounds; ++round) {
        for (int i = 0; i < 6 * is->nodes; ++i) x[i] = 0.0;
        for (int i = 0; force && i < 6 * is->bodies; ++i) x[i] = force[i];
        for (int joint = 0; joint < is->joints; ++joint)
            for (int i = 0; i < f->height[joint]; ++i) {
                int r = f->row[is->row_start[joint] + i];
                double sum = (rhs ? rhs[r] : 0.0) + f->little[r] * multiplier[r];
                for (int side = 0; force && side < 2; ++side) {
                    int body = is->ends[2 * joint + side];
                    const double *e = f->entry + 12 * r + 6 * side, *y = force + 6 * body;
                    if (is_plain(f, body))
                        sum -= (e[0] * y[0] + e[1] * y[1] + e[2] * y[2]) +
                               (e[3] * y[3] + e[4] * y[4] + e[5] * y[5]);
                }
                x[6 * (is->bodies + joint) + i] = sum;
            }
        substitute(f);
        for (int joint = 0; joint < is->joints; ++joint)
            for (int i = 0; i < f->height[joint]; ++i)
                multiplier[f->row[is->row_start[joint] + i]] = -x[6 * (is->bodies + joint) + i];
    }
    /* Large multipliers that cancel: what they do together is exact only as what each does. */
    for (int i = 0; i < 6 * is->bodies; ++i) out[i] = force ? force[i] : 0.0;
    omi_add_forces(f, multiplier, out);
}

void omi_add_forces(const omi_factor *f, const double *multiplier, double *out) {
    const omi_island *is = f->island;
    for (int joint = 0; joint < is->joints; ++joint)
        for (int side = 0; side < 2; ++side) {
            int body = is->ends[2 * joint + side];
            for (int i = 0; body < is->bodies && i < f->height[joint]; ++i) {
                int r = f->row[is->row_start[joint] + i];
                for (int k = 0; k < 6; ++k)
                    out[6 * body + k] += multiplier[r] * f->entry[12 * r + 6 * side + k];
            }
        }
}
