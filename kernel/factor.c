/* SPDX-License-Identifier: MIT */
/* Accelerations and forces of rows, by elimination of bodies and joints in 6 x 6 blocks.
 *
 * a and the forces l of active rows are the saddle point
 *
 *     [ 1   E^T ] [  a ]   [ f ]
 *     [ E  -C   ] [ -l ] = [ b ],    C = compliance + eps D,
 *
 * whose graph is that of the mechanism: bodies and joints are nodes, and a joint has blocks of E with
 * its two bodies. It is quasi-definite, so there is a factor L D L^T in every order (Vanderbei 1995);
 * the order, and which blocks fill in, comes with the island (ordering_of in solver/reading/ordering.py), and of a
 * tree takes time in proportion to its size (Baraff 1996). With P the block of a node when it is
 * eliminated, and B_i its blocks with those neighbours that are left,
 *
 *     W_i = P^-1 B_i,    what is left between i and j loses B_i^T W_j.
 *
 * Pivots of bodies are positive and those of joints negative. The block of a body that goes before
 * all its joints is one: it leaves products of rows, and nothing of it is stored.
 *
 * Rows that follow from others make E E^T singular, and rows at a dead centre make it nearly so. Which they are is
 * not asked for here on purpose (solver/diagnosis names them, for Check); both are met by a proximal method
 * (Carpentier, Budhiraja, Mansard 2021): with D the squares of the rows, solve with b + eps D l on the right again
 * and again, beginning at l = 0. What rows agree on converges in one or two rounds; what has no singular value above
 * the root of eps stays out. So nothing is divided by next to nothing, nothing needs a rank, and momentum says where
 * a mechanism goes from a dead centre. Cut singular values would have forces jump where one crosses the cut.
 * Redundant rows and contradictory ones are the same here. They are told apart by what is left of them once poses are
 * projected: rows that agree are met, rows that contradict each other stay off (omi_residual in goals.c, by ROUGH in
 * output_step.c), and the step goes on at first order. Of their forces reactions.c takes off what moves nothing.
 */
#include "factor.h"

#include "algebra.h"

#define BLOCK 36
/* Where D is even but rows are not alike, it is eps of the largest square and at most so many times
 * eps of the smallest: with more, light bodies would bear nothing. Motions do not hang on it. */
#define UNLIKE 1e3
/* Of the largest square: what rounding of the factor asks for. */
#define SMALLEST 1e-13
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
        for (int k = 0; k < j; ++k) scaled[k] = p[6 * j + k] * d[k], d[j] -= p[6 * j + k] * scaled[k];
        double inverse = p[7 * j] = 1.0 / d[j];
        for (int i = j + 1; i < n; ++i) {
            double x = p[6 * i + j];
            for (int k = 0; k < j; ++k) x -= p[6 * i + k] * scaled[k];
            p[6 * i + j] = x * inverse;
        }
    }
}

/* x = P^-1 x for the columns of a block. */
INLINE void solve_columns(const double *restrict p, double *restrict x, int width, int stride,
                          int n) {
    for (int i = 1; i < n; ++i)
        for (int k = 0; k < i; ++k)
            for (int c = 0; c < width; ++c) x[stride * i + c] -= p[6 * i + k] * x[stride * k + c];
    for (int i = n - 1; i >= 0; --i) {
        for (int c = 0; c < width; ++c) x[stride * i + c] *= p[7 * i];
        for (int k = i + 1; k < n; ++k)
            for (int c = 0; c < width; ++c) x[stride * i + c] -= p[6 * k + i] * x[stride * k + c];
    }
}

/* t -= a^T b, n rows each; rows of t and b are a stride apart. */
INLINE void subtract(double *restrict t, const double *restrict a, const double *restrict b,
                     int high, int width, int stride, int n) {
    for (int r = 0; r < high; ++r)
        for (int k = 0; k < n; ++k)
            for (int c = 0; c < width; ++c) t[stride * r + c] -= a[6 * k + r] * b[stride * k + c];
}

/* The active rows, and eps D. */
static void select_rows(omi_factor *f, double eps, int is_even) {
    const omi_island *is = f->island;
    double most = 0.0, least = INFINITY;
    for (int joint = 0; joint < is->joints; ++joint) {
        f->height[joint] = 0;
        for (int r = is->row_start[joint]; r < is->row_start[joint + 1]; ++r) {
            double own = 0.0;
            f->slot[r] = f->active[r] ? 6 * (is->bodies + joint) + f->height[joint]++ : -1;
            for (int k = 0; k < 12 && f->active[r] && eps > 0.0; ++k)
                own += f->entry[12 * r + k] * f->entry[12 * r + k];
            f->eps[r] = own;
            most = fmax(most, own);
            if (own > 0.0) least = fmin(least, own);
        }
    }
    double even = fmax(fmin(eps * most, UNLIKE * eps * least), SMALLEST * most);
    for (int r = 0; r < is->rows; ++r)
        f->eps[r] = is_even && f->eps[r] > 0.0 ? even : eps * f->eps[r];
}

/* The matrix of the saddle point, not eliminated yet. */
static void assemble(omi_factor *f, const double *compliance) {
    const omi_island *is = f->island;
    for (int i = 0; i < BLOCK * is->nodes; ++i) f->pivot[i] = 0.0;
    for (int i = 0; i < BLOCK * is->blocks; ++i) f->block[i] = 0.0;
    for (int i = 0; i < 6 * is->bodies; ++i) f->pivot[BLOCK * (i / 6) + 7 * (i % 6)] = 1.0;
    for (int r = 0; r < is->rows; ++r)
        if (f->slot[r] >= 0)
            f->pivot[BLOCK * (f->slot[r] / 6) + 7 * (f->slot[r] % 6)] =
                -f->eps[r] - (compliance ? compliance[r] : 0.0);
    /* E into the blocks of whichever of body and joint goes first. */
    for (int place = 0; place < is->nodes; ++place)
        for (int at = is->later_start[place]; at < is->later_start[place + 1]; ++at) {
            int node = is->order[place], other = is->later_node[at], is_body = node < is->bodies;
            int joint = (is_body ? other : node) - is->bodies, body = is_body ? node : other;
            if (joint < 0 || body >= is->bodies) continue;
            int side = is->ends[2 * joint + 1] == body, first = 6 * (is->bodies + joint);
            for (int r = is->row_start[joint]; r < is->row_start[joint + 1]; ++r)
                for (int k = 0, i = f->slot[r] - first; f->slot[r] >= 0 && k < 6; ++k)
                    f->block[BLOCK * at + (is_body ? 6 * k + i : 6 * i + k)] =
                        f->entry[12 * r + 6 * side + k];
        }
}

/* Eliminate one node. update: the blocks between its neighbours, pair by pair. */
INLINE void eliminate(omi_factor *f, int place, const int *update, int n) {
    const omi_island *is = f->island;
    int first = is->later_start[place], has_pivot = f->has_pivot[is->order[place]];
    double *p = f->pivot + BLOCK * is->order[place];
    if (has_pivot) factor_pivot(p, n);
    for (int j = first; j < is->later_start[place + 1]; ++j) {
        double *b = f->block + BLOCK * j, *later = f->pivot + BLOCK * is->later_node[j];
        double before[BLOCK];
        int width = height_of(f, is->later_node[j]);
        /* Those before hold W_i = P^-1 B_i already: B_i^T P^-1 B_j = W_i^T B_j. */
        for (int i = first; i < j; ++i)
            subtract(f->block + BLOCK * *update++, f->block + BLOCK * i, b,
                     height_of(f, is->later_node[i]), 6, 6, n);
        for (int i = 0; i < 6 * n; ++i) before[i] = b[i];
        if (width == 3) {
            if (has_pivot) solve_columns(p, b, 3, 6, n);
            subtract(later, b, before, 3, 3, 6, n);
        } else {
            if (has_pivot) solve_columns(p, b, 6, 6, n);
            subtract(later, b, before, width, 6, 6, n);
        }
    }
}

void omi_factorize(omi_factor *f, const double *compliance, double eps, int is_even) {
    const omi_island *is = f->island;
    const int *update = is->update;
    select_rows(f, eps, is_even);
    assemble(f, compliance);
    for (int place = 0; place < is->nodes; ++place) {
        int node = is->order[place];
        int count = is->later_start[place + 1] - is->later_start[place];
        BY_HEIGHT(height_of(f, node), eliminate, f, place, update)
        update += count * (count - 1) / 2;
    }
}

static int is_zero(const double *x, int count) {
    while (count && *x == 0.0) ++x, --count;
    return !count;
}

/* Of one right side, or of six: right is [nodes][6][count]. */
INLINE void forward(const omi_factor *f, double *right, int count, int place, int n) {
    const omi_island *is = f->island;
    double *x = right + 6 * count * is->order[place];
    for (int at = is->later_start[place]; at < is->later_start[place + 1]; ++at)
        subtract(right + 6 * count * is->later_node[at], f->block + BLOCK * at, x, 6, count, count, n);
    if (f->has_pivot[is->order[place]])
        solve_columns(f->pivot + BLOCK * is->order[place], x, count, count, n);
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

void omi_solve(omi_factor *f, const double *force, const double *rhs, int rounds, double *out,
               double *multiplier) {
    const omi_island *is = f->island;
    double *x = f->right;
    for (int r = 0; r < is->rows; ++r) multiplier[r] = 0.0;
    for (int round = 0; round <= rounds; ++round) {
        for (int i = 0; i < 6 * is->nodes; ++i) x[i] = 0.0;
        for (int i = 0; force && i < 6 * is->bodies; ++i) x[i] = force[i];
        for (int r = 0; r < is->rows; ++r)
            if (f->slot[r] >= 0)
                x[f->slot[r]] = (rhs ? rhs[r] : 0.0) + f->eps[r] * multiplier[r];
        for (int place = 0; place < is->nodes; ++place)
            if (!is_zero(x + 6 * is->order[place], 6))
                BY_HEIGHT(height_of(f, is->order[place]), forward, f, f->right, 1, place)
        for (int place = is->nodes - 1; place >= 0; --place)
            if (f->has_pivot[is->order[place]])
                BY_HEIGHT(height_of(f, is->order[place]), backward, f, place)
        for (int r = 0; r < is->rows; ++r)
            if (f->slot[r] >= 0) multiplier[r] = -x[f->slot[r]];
    }
    /* Large multipliers that cancel: what they do together is exact only as what each does. */
    for (int i = 0; i < 6 * is->bodies; ++i) out[i] = force ? force[i] : 0.0;
    omi_apply_all(f, multiplier, out);
}

/* Of six right sides. */
INLINE void backward_columns(const omi_factor *f, double *columns, int place, int n) {
    const omi_island *is = f->island;
    double *restrict x = columns + BLOCK * is->order[place];
    for (int at = is->later_start[place]; at < is->later_start[place + 1]; ++at) {
        const double *restrict y = columns + BLOCK * is->later_node[at], *w = f->block + BLOCK * at;
        int high = height_of(f, is->later_node[at]);
        for (int k = 0; k < n; ++k)
            for (int r = 0; r < high; ++r)
                for (int c = 0; c < 6; ++c) x[6 * k + c] -= w[6 * k + r] * y[6 * r + c];
    }
}

void omi_solve_body(omi_factor *f, int body, int rounds, double *columns) {
    const omi_island *is = f->island;
    for (int i = 0; i < BLOCK * is->nodes; ++i) columns[i] = 0.0;
    for (int round = 0; round <= rounds; ++round) {
        for (int i = 0; i < BLOCK * is->bodies; ++i) columns[i] = 0.0;
        for (int i = 0; i < BLOCK; i += 7) columns[BLOCK * body + i] = 1.0;
        for (int r = 0; r < is->rows; ++r)
            for (int k = 0; k < 6 && f->slot[r] >= 0; ++k) columns[6 * f->slot[r] + k] *= -f->eps[r];
        for (int place = 0; place < is->nodes; ++place)
            if (!is_zero(columns + BLOCK * is->order[place], BLOCK))
                BY_HEIGHT(height_of(f, is->order[place]), forward, f, columns, 6, place)
        for (int place = is->nodes - 1; place >= 0; --place)
            BY_HEIGHT(height_of(f, is->order[place]), backward_columns, f, columns, place)
    }
}

void omi_apply_all(const omi_factor *f, const double *multiplier, double *out) {
    const omi_island *is = f->island;
    for (int joint = 0; joint < is->joints; ++joint) {
        const int *ends = is->ends + 2 * joint;
        double sum[12] = {0.0};
        for (int r = is->row_start[joint]; r < is->row_start[joint + 1]; ++r)
            for (int k = 0; k < 12; ++k) sum[k] += multiplier[r] * f->entry[12 * r + k];
        for (int end = 0; end < 2; ++end)
            if (ends[end] < is->bodies) add_six(out + 6 * ends[end], sum + 6 * end, 1.0);
    }
}
