/* SPDX-License-Identifier: MIT */
/* Impulses of all that is near: bounds and contacts push and do not pull, and contacts rub.
 *
 * Of a contact with the impulse l along its normal and p across it, x = (l, p), and rates (w, v),
 *
 *     0 <= l,  w >= 0,  l w = 0;     |p| <= mu l,  and p against v where it slides (Coulomb; mu is given by
 * omi_solve_pushes in turns.c),
 *
 * says as much as (De Saxce and Feng 1998), with the cone K: |p| <= mu l and its dual K*,
 *
 *     x in K,   y = (w + s, v) in K*: w + s >= mu |v|,   x . y = 0,     s = mu |v|,
 *
 * and of a bound K is l >= 0. Nothing resists rolling, or spinning about n, but several points together. All rates are
 * A x + q. With P onto K, any eps > 0, the impulses x0 of before, and D one number a contact, the largest of its three
 * on the diagonal of A, so that P is Euclidean, that is
 *
 *     u = x(u),   x(u) = P(x0 - y(u) / (eps D))         and again with x0 = x (Rockafellar 1976),
 *
 * which leaves as it was what A does not tell apart, as the share of the fourth leg of a stool. Newton's
 * method on u = x(u), with T = 1 + mu n (v / |v|)^T of what slides, as s goes with v and adds to the
 * normal's row n: dy = T A du, and P' = Q L Q^T, so
 *
 *     u+ = u + du,   (1 + P' T A / (eps D)) du = r,   r = x(u) - u,      or, as du - r is within Q,
 *     du = r + Q g,  (Q^T T A Q + eps D / L) g = -Q^T T A r.
 *
 * Q has three columns for a contact that sticks (T is 1), for one that slides that along the cone, (1, mu p / |p|)
 * over its length, and that across p, whose L is mu l over |p0 - v / (eps D)|, p0 of x0, while all others are 1; for
 * a bound one, none for what is off. T^T Q are the same, but of the one along the cone the normal is left, as
 * v / |v| is -p / |p|. The first round has what stuck and slid before, and as a rule there is no other.
 *
 * Where that does not end, turns (turns.c) find what sticks; and where it does not from there, s is held (T is 1). Then
 * the x sought is the minimum of a smooth convex function,
 *
 *     F(u) = 1/2 u A u + eps/2 D |x(u)|^2,   with the slope A (u - x(u)),
 *
 * which always has one, and with it energy never rises: steps are halved where F does not become less,
 * eps goes down by steps, and s follows.
 */
#include "context.h"

/* eps. */
#define LEAST_EPS 1e-4
/* eps where s is held: so much for the first x0, then a part of that for each that follows, down to LEAST_EPS. */
#define MOST_EPS 1e-2
#define EPS_STEP 0.1
/* Rounds of Newton's method for one x0, and with s held, where more change nothing. */
#define QUICK_ROUNDS 6
#define ROUNDS 30
/* Turns where it takes more: they cost as much as two factors. */
#define TURNS_BETWEEN 60
/* How often x0 and s follow, as long as they change by more than so many times what may be left: each
 * time leaves a tenth or less. */
#define CHANGES 10.0
#define FOLLOWS 10
/* How often a step is halved, and what it is to gain of what the slope of F says: any small part does, and ten times or
 * a tenth changes no bit. */
#define BACKTRACKS 10
#define GAINS 1e-4
/* m/s and rad/s, and of the largest rate: what is left by less is rounding. */
#define RATES_MET 1e-11
#define ROUNDING 1e-13
/* Of a column: by less it is as that of the factor, which serves again; and of what was left before, to be left
 * with that. How many rounds it takes hangs on them, not where rounds end. */
#define ALIKE 1e-2
#define SERVES 0.1

/* out += up to four rows times numbers, from one place to another: so out is gone through once for all of them, and
 * what is added to it still one after the other. */
static void add_rows(const double *row, int wide, int count, const double *by, int from, int end, double *restrict out) {
    const double *at[4];
    double f[4] = {0.0};
    int any = 0;
    for (int t = 0; t < 4; ++t) at[t] = row + wide * (t < count ? t : 0);
    for (int t = 0; t < count; ++t) any |= (f[t] = by[t]) != 0.0;
    for (int k = from; k < end && any; ++k)
        out[k] = (((out[k] + at[0][k] * f[0]) + at[1][k] * f[1]) + at[2][k] * f[2]) + at[3][k] * f[3];
}

/* out = A v of all that takes part. */
void omi_respond(const omi_pushes *p, const double *v, double *restrict out) {
    if (p->many) omi_set_motion(p, v);
    for (int i = 0; i < p->all; ++i) out[i] = p->many ? omi_push_rate(p, i, p->motion) : 0.0;
    for (int j = 0; j < p->all && !p->many; j += 4)
        add_rows(p->response + p->wide * j, p->wide, p->all - j < 4 ? p->all - j : 4, v + j, 0, p->all, out);
}

/* x(u) of one, u a part of the way along du, into p->next; and P' there. Returns its part of F. */
static double onto_cone(omi_pushes *p, int i, double eps, double part, int rubs) {
    int t = i + 1;
    double soft = eps * p->weight[i], a = p->from[i] - (p->rate[i] + part * p->search_rate[i]) / soft;
    p->grip[i] = a > 0.0 ? OMI_STICKS : OMI_OFF;
    p->next[i] = fmax(a, 0.0);
    if (p->contact[i] < 0 || !rubs) return 0.5 * soft * p->next[i] * p->next[i];
    double x[2], mu = p->mu[i];
    for (int k = 0; k < 2; ++k) x[k] = p->from[t + k] - (p->rate[t + k] + part * p->search_rate[t + k]) / soft;
    double size = sqrt(x[0] * x[0] + x[1] * x[1]), l = a, rub = 1.0;
    if (size <= mu * a) {
        p->grip[i] = OMI_STICKS;
    } else if (mu * size <= -a) {
        p->grip[i] = OMI_OFF;
        l = rub = 0.0;
    } else {
        p->grip[i] = OMI_SLIDES;
        l = (a + mu * size) / (1.0 + mu * mu);
        rub = mu * l / size;
        for (int k = 0; k < 2; ++k) p->along[2 * i + k] = x[k] / size;
    }
    p->next[i] = l;
    p->across_slope[i] = rub;
    for (int k = 0; k < 2; ++k) p->next[t + k] = rub * x[k];
    return 0.5 * soft * (l * l + rub * size * rub * size);
}

static double onto_cones(omi_pushes *p, double eps, double part, int rubs) {
    double sum = 0.0;
    for (int i = 0; i < p->all; i += omi_numbers(p, i)) sum += onto_cone(p, i, eps, part, rubs);
    return sum;
}

/* The columns of Q (of) and T^T Q (by), and eps D / L (soft): first those that are alike in both. */
static void find_columns(omi_pushes *p, double eps, int rubs, int held) {
    p->columns = 0;
    for (int i = 0; i < p->all; i += omi_numbers(p, i)) {
        double soft = eps * p->weight[i], *d = p->along + 2 * i;
        int alone = p->contact[i] < 0 || !rubs;
        if (p->grip[i] == OMI_OFF) continue;
        for (int k = 0; (alone || p->grip[i] == OMI_STICKS) && k < (alone ? 1 : 3); ++k)
            p->column[p->columns++] = (omi_column){i + k, 1, {1.0}, {1.0}, soft};
        if (!alone && p->grip[i] == OMI_SLIDES && p->across_slope[i] > 0.0)
            p->column[p->columns++] = (omi_column){i + 1, 2, {-d[1], d[0]}, {-d[1], d[0]}, soft / p->across_slope[i]};
    }
    p->even = p->columns;
    for (int i = 0; i < p->all && rubs; i += omi_numbers(p, i)) {
        double mu = p->mu[i], *d = p->along + 2 * i, size = sqrt(1.0 + mu * mu), up = 1.0 / size;
        if (p->contact[i] < 0 || p->grip[i] != OMI_SLIDES) continue;
        double x = mu * d[0] / size, y = mu * d[1] / size; /* the ray of the cone is up, x, y */
        p->column[p->columns++] =
            (omi_column){i, 3, {up, x, y}, {up, held ? x : 0.0, held ? y : 0.0}, eps * p->weight[i]};
    }
    if (held) p->even = p->columns;
}

/* Whether the factor that is there is of such columns: to first order of what is left it serves as well. */
static int is_alike(const omi_pushes *p) {
    if (p->columns != p->factored_columns) return 0;
    for (int i = 0; i < p->columns; ++i) {
        const omi_column *a = p->column + i, *b = p->factored + i;
        if (a->first != b->first || a->count != b->count || fabs(a->soft - b->soft) > ALIKE * b->soft) return 0;
        for (int k = 0; k < a->count; ++k)
            if (fabs(a->of[k] - b->of[k]) + fabs(a->by[k] - b->by[k]) > ALIKE) return 0;
    }
    return 1;
}

/* Take up to four earlier rows, from j on, off row i of the factor. */
static void take_off(const omi_pushes *p, int i, int j, double *restrict own) {
    int count = i - j < 4 ? i - j : 4, is_even = i < p->even;
    const double *row = p->factor + p->wide * j;
    double back[4];
    for (int t = 0; t < count; ++t) {
        back[t] = -(is_even ? row[p->wide * t + i] : own[j + t]) * p->spare[j + t];
        if (is_even) continue;
        own[j + t] = -back[t];
        for (int k = j + t + 1; k < j + count; ++k) own[k] += back[t] * row[p->wide * t + k];
    }
    add_rows(row, p->wide, count, back, is_even ? i : j + count, p->columns, own);
}

/* The factor of Q^T T A Q + eps D / L into p->factor, lower times upper; of what is symmetric the upper only, as the
 * lower is that transposed, over its pivots. Without T, as A takes energy, pivots are no less than eps D / L but by
 * rounding: half of it is the least. */
static void factor_columns(omi_pushes *p) {
    int m = p->factored_columns = p->columns;
    p->factored_even = p->even;
    for (int i = 0; i < m; ++i) {
        const omi_column *a = p->column + i;
        double *own = p->factor + p->wide * i;
        for (int k = 0; k < p->all; ++k) p->spare[k] = 0.0;
        add_rows(p->response + p->wide * a->first, p->wide, a->count, a->by, 0, p->all, p->spare);
        for (int k = i < p->even ? i : 0; k < m; ++k) {
            const omi_column *b = p->column + k;
            own[k] = i == k ? a->soft : 0.0;
            for (int s = 0; s < b->count; ++s) own[k] += b->of[s] * p->spare[b->first + s];
        }
        p->factored[i] = *a;
    }
    for (int i = 0; i < m; ++i) {
        double *restrict own = p->factor + p->wide * i, least = 0.5 * p->column[i].soft;
        for (int j = 0; j < i; j += 4) take_off(p, i, j, own);
        if (fabs(own[i]) < least) own[i] = least;
        p->spare[i] = 1.0 / own[i];
    }
}

/* g by the factor, from A r. */
static void solve_columns(omi_pushes *p, const double *answer, double *g) {
    int m = p->columns;
    for (int i = 0; i < m; ++i) {
        g[i] = 0.0;
        for (int r = 0; r < p->column[i].count; ++r) g[i] -= p->column[i].by[r] * answer[p->column[i].first + r];
    }
    for (int i = 0; i < m; ++i) {
        const double *row = p->factor + p->wide * i;
        int even = p->factored_even;
        double inverse = 1.0 / row[i];
        for (int k = 0; k < i && i >= even; ++k) g[i] -= row[k] * g[k];
        for (int k = i + 1; k < even; ++k) g[k] -= row[k] * inverse * g[i];
    }
    for (int i = m - 1; i >= 0; --i) {
        const double *row = p->factor + p->wide * i;
        for (int k = i + 1; k < m; ++k) g[i] -= row[k] * g[k];
        g[i] /= row[i];
    }
}

/* s as rates say; returns by how much it changes most. */
static double set_shifts(omi_pushes *p, int rubs) {
    double most = 0.0;
    for (int i = 0; i < p->all; i += omi_numbers(p, i)) {
        int t = i + 1;
        double s = 0.0;
        if (rubs && p->contact[i] >= 0) s = p->mu[i] * sqrt(p->rate[t] * p->rate[t] + p->rate[t + 1] * p->rate[t + 1]);
        most = fmax(most, fabs(s - p->shift[i]));
        p->rate[i] += s - p->shift[i];
        p->shift[i] = s;
    }
    return most;
}

/* How far to go along du as F says, from F and its slope along it. */
static double part_to_go(omi_pushes *p, double eps, double before, double gain, int rubs) {
    double first = 0.0, second = 0.0, part = 1.0;
    for (int i = 0; i < p->all; ++i) {
        first += p->search[i] * (p->rate[i] - p->base[i] - p->shift[i]);
        second += 0.5 * p->search[i] * p->search_rate[i];
    }
    for (int halving = 0; halving < BACKTRACKS; ++halving, part *= 0.5) {
        double now = onto_cones(p, eps, part, rubs) + part * (first + part * second);
        if (now <= before + GAINS * part * gain + ROUNDING * fabs(before)) break;
    }
    return part;
}

static void go_along(omi_pushes *p, double part) {
    for (int i = 0; i < p->all; ++i) {
        p->tried[i] += part * p->search[i];
        p->rate[i] += part * p->search_rate[i];
        p->search_rate[i] = 0.0;
    }
}

static double largest(const omi_pushes *p, const double *of) {
    double most = 0.0;
    for (int i = 0; i < p->all; ++i) most = fabs(of[i]) < INFINITY ? fmax(most, fabs(of[i])) : INFINITY;
    return most;
}

/* r = x(u) - u into p->search, A r into p->answer; returns the largest rate of it, and F less 1/2 u A u. */
static double find_residual(omi_pushes *p, double eps, int rubs, double *before) {
    *before = onto_cones(p, eps, 0.0, rubs);
    for (int i = 0; i < p->all; ++i) p->search[i] = rubs || !omi_is_across(p, i) ? p->next[i] - p->tried[i] : 0.0;
    omi_respond(p, p->search, p->answer);
    return largest(p, p->answer);
}

static int is_off(const omi_pushes *p, int i) { return !omi_is_across(p, i) && p->grip[i] == OMI_OFF; }

/* The same where what sticks and slides is known: y itself, but for what is off. */
static void expect_residual(omi_pushes *p, int held) {
    for (int i = 0; i < p->all; ++i) p->search[i] = is_off(p, i) ? -p->tried[i] : 0.0;
    omi_respond(p, p->search, p->answer);
    for (int i = 0; i < p->all; ++i) p->answer[i] += p->rate[i] - (held ? 0.0 : p->shift[i]);
}

/* u for one x0, from that in p->tried with its rates and grips, into p->next. 0 where it is not found. It is
 * found where x(u) - u changes rates by less than is to be left; or where a whole step did so, as x(u) has rates over
 * eps D, and so their rounding 1 / eps times as large. */
static int solve_for(omi_pushes *p, double eps, int rounds, double settled, int rubs, int held) {
    int done = 0;
    double last = INFINITY, left = INFINITY;
    for (int round = 0;; ++round) {
        double before = 0.0, gain = 0.0, was = left;
        if (round) {
            left = find_residual(p, eps, rubs, &before);
            done = left < (done ? settled / LEAST_EPS : settled);
            if (done || round == rounds || !(largest(p, p->rate) < INFINITY)) break;
        } else {
            expect_residual(p, held);
        }
        find_columns(p, eps, rubs, held);
        if (!is_alike(p) || left > SERVES * was) factor_columns(p);
        solve_columns(p, p->answer, p->spare);
        for (const omi_column *own = p->column; own < p->column + p->columns; ++own)
            for (int r = 0; r < own->count; ++r) p->search[own->first + r] += own->of[r] * p->spare[own - p->column];
        omi_respond(p, p->search, p->search_rate);
        for (int i = 0; i < p->all; ++i) gain -= p->answer[i] * p->search[i];
        double way = largest(p, p->search_rate);
        done = round && way < settled;
        double part = round > 2 && way > 0.5 * last ? 0.5 : 1.0; /* it goes to and fro */
        if (held) part = round ? part_to_go(p, eps, before, gain, rubs) : 1.0;
        last = way;
        done &= part == 1.0;
        go_along(p, part);
        if (!held) set_shifts(p, rubs);
    }
    for (int i = 0; i < p->all; ++i) {
        if (!is_off(p, i)) p->next[i] = p->tried[i];
        if (!omi_is_across(p, i)) p->next[i] = fmax(p->next[i], 0.0);
    }
    return done;
}

/* Let x0 be what has been found, and s what rates say; returns by how much rates change by that. */
static double follow(omi_pushes *p, int rubs) {
    for (int i = 0; i < p->all; ++i) p->search[i] = p->next[i] - p->from[i], p->from[i] = p->tried[i] = p->next[i];
    omi_respond(p, p->search, p->answer);
    double most = largest(p, p->answer);
    omi_respond(p, p->from, p->rate);
    for (int i = 0; i < p->all; ++i) p->rate[i] += p->base[i] + p->shift[i];
    return fmax(most, set_shifts(p, rubs));
}

/* The part of what is in p->next that takes most energy, one at most: none takes none, so energy never rises by it. */
double omi_part_that_serves(omi_pushes *p) {
    double first = 0.0, second = 0.0;
    omi_respond(p, p->next, p->answer);
    for (int i = 0; i < p->all; ++i) first -= p->next[i] * p->base[i], second += p->next[i] * p->answer[i];
    return first <= 0.0 ? 0.0 : first < second ? first / second : 1.0;
}

/* What is in p->next into x0, or the part of it that serves where s is held, which is 0 else; and D, the scales of rows. */
static void begin(omi_pushes *p, int rubs, int held) {
    double most = 0.0;
    for (int i = 0; i < p->all; ++i) most = fmax(most, p->own[i]), p->shift[i] = 0.0;
    for (int i = 0; i < p->all; i += omi_numbers(p, i)) {
        p->weight[i] = fmax(p->own[i], 1e-12 * most); /* what yields nothing, but for rounding */
        for (int t = i + 1; t < i + omi_numbers(p, i) && rubs; ++t) p->weight[i] = fmax(p->weight[i], p->own[t]);
    }
    double part = held && rubs ? omi_part_that_serves(p) : 1.0;
    for (int i = 0; i < p->all; ++i) p->from[i] = p->next[i] *= part;
    follow(p, rubs);
    for (int i = 0; i < p->all; ++i) p->search_rate[i] = 0.0;
}

/* What was off, stuck and slid before; what was off and is approached sticks. Of what slides, v is
 * against p, so L is |p| over |p| + |v| / (eps D), with |v| = s / mu. */
static void recall_grips(omi_pushes *p) {
    for (int i = 0; i < p->all; i += omi_numbers(p, i)) {
        const double *x = p->from + i;
        p->grip[i] = x[0] > 0.0 || p->grip[i] != OMI_OFF ? OMI_STICKS : OMI_OFF;
        double size = p->contact[i] < 0 ? 0.0 : sqrt(x[1] * x[1] + x[2] * x[2]);
        if (p->grip[i] == OMI_OFF || !(size > 0.0) || p->pushes[i + 1]) continue;
        p->grip[i] = OMI_SLIDES;
        for (int k = 0; k < 2; ++k) p->along[2 * i + k] = x[1 + k] / size;
        p->across_slope[i] = size / (size + p->shift[i] / fmax(p->mu[i] * LEAST_EPS * p->weight[i], 1e-300));
    }
}

/* Impulses from those in p->next: they stay where they are met already, else by Newton's method for one x0 after the
 * other; where that has no end for the first time by turns, from then on with s held. */
void omi_solve_at_once(omi_pushes *p, int rubs) {
    double settled = rubs && p->contacts ? OMI_SLIPS : RATES_MET, eps = MOST_EPS, changed = INFINITY, before;
    int failures = 0;
    for (int i = 0; i < p->all; ++i) settled = fmax(settled, ROUNDING * fabs(p->base[i]));
    begin(p, rubs, 0);
    if (find_residual(p, LEAST_EPS, rubs, &before) < settled / LEAST_EPS) changed = 0.0;
    else recall_grips(p);
    for (int i = 0; i < p->all && changed == 0.0; i += omi_numbers(p, i)) /* what is off may not begin with an old impulse: it would have to touch to push */
        for (int k = 0; is_off(p, i) && k < (rubs ? omi_numbers(p, i) : 1); ++k) p->from[i + k] = 0.0;
    for (int round = 0; round < FOLLOWS && changed > CHANGES * settled; ++round) {
        if (!solve_for(p, LEAST_EPS, QUICK_ROUNDS, settled, rubs, 0)) {
            int held = failures++ > 0;
            omi_copy(p->next, p->from, p->all);
            if (!held) omi_take_turns(p, TURNS_BETWEEN, settled, rubs);
            begin(p, rubs, held);
            if (held) recall_grips(p);
            else find_residual(p, LEAST_EPS, rubs, &before);
            if (!held) continue;
            if (!solve_for(p, eps, ROUNDS, settled, rubs, 1)) break;
            eps = fmax(eps * EPS_STEP, LEAST_EPS);
        }
        changed = follow(p, rubs);
    }
    omi_copy(p->next, p->from, p->all);
}
