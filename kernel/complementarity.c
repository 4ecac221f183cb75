/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What pushes and does not pull: with the response A, symmetric and at least semi-definite, of n
 * contacts or bounds to impulses l >= 0 on them, and the rates q at which they part without them,
 *
 *     w = A l + q >= 0,   l >= 0,   l w = 0.
 *
 * Block principal pivoting (Kostreva 1978; Judice and Pires 1994): of a set F of those that push,
 *
 *     A_FF l_F = -q_F,   l = 0 and w = A l + q outside of it,
 *
 * and all that are wrong, l < 0 within F or w < 0 outside, change their place at once. Where that has
 * not made fewer of them for PATIENCE rounds, only the last one does (Murty 1974), which comes to an
 * end for every positive definite A. F goes on from the last time: as a rule a round or two do. What
 * A says next to nothing of, as the fourth leg of a stool, bears a share that eps D chooses.
 */
#include "context.h"

#include "elementary.h"

#define PATIENCE 4
/* Of the diagonal of A. */
#define SHARES 1e-11
/* Of the largest rate: rounding. */
#define ROUNDING 1e-13

/* l_F by Cholesky's factor of A_FF + eps D into `lower`, which has room for all of A. */
static void solve_pushing(const omi_pushes *p, const double *q, double *l) {
    int *chosen = p->chosen, m = 0;
    for (int k = 0; k < p->all; ++k)
        if (p->pushes[p->item[k]]) chosen[m++] = p->item[k];
    for (int i = 0; i < m; ++i) {
        const double *row = p->response + p->room * chosen[i];
        double *own = p->lower + p->room * i, sum;
        for (int j = 0; j <= i; ++j) {
            const double *other = p->lower + p->room * j;
            sum = i == j ? row[chosen[j]] * (1.0 + SHARES) + 1e-300 : row[chosen[j]];
            for (int k = 0; k < j; ++k) sum -= own[k] * other[k];
            own[j] = i == j ? sqrt(fmax(sum, SHARES * row[chosen[i]] + 1e-300)) : sum / other[j];
        }
        sum = -q[chosen[i]];
        for (int k = 0; k < i; ++k) sum -= own[k] * l[chosen[k]];
        l[chosen[i]] = sum / own[i];
    }
    for (int i = m - 1; i >= 0; --i) {
        double sum = l[chosen[i]];
        for (int k = i + 1; k < m; ++k) sum -= p->lower[p->room * k + i] * l[chosen[k]];
        l[chosen[i]] = sum / p->lower[p->room * i + i];
    }
}

/* The rates w of all that takes part, by p->base and impulses. */
void omi_find_push_rates(omi_pushes *p, const double *l) {
    for (int k = 0; k < p->all; ++k) {
        int i = p->item[k];
        p->rate[i] = p->base[i];
        for (int j = 0; j < p->all; ++j)
            p->rate[i] += p->response[p->room * i + p->item[j]] * l[p->item[j]];
    }
}

/* l in p->next, and w in p->rate; p->pushes is F, before and after. What is across contacts takes part
 * as it is: in F it sticks (w = 0), else its l is given. 0 where it comes to no end. */
int omi_complement(omi_pushes *p) {
    int fewest = p->solved + 1, patience = PATIENCE;
    double slack = 0.0, *given = p->given;
    for (int k = 0; k < p->all; ++k) {
        int i = p->item[k];
        given[i] = p->base[i];
        slack = fmax(slack, ROUNDING * fabs(p->base[i]));
        for (int j = p->solved; j < p->all; ++j)
            if (!p->pushes[p->item[j]])
                given[i] += p->response[p->room * i + p->item[j]] * p->next[p->item[j]];
    }
    for (int round = 0; round < 4 * p->solved + 4; ++round) {
        int wrong = 0, last = -1;
        for (int i = 0; i < p->solved; ++i) p->next[i] = 0.0;
        solve_pushing(p, given, p->next);
        omi_find_push_rates(p, p->next);
        for (int i = 0; i < p->solved; ++i) {
            p->wrong[i] = p->pushes[i] ? p->next[i] < 0.0 : p->rate[i] < -slack;
            if (p->wrong[i]) ++wrong, last = i;
        }
        if (!wrong) return 1;
        int all = wrong < fewest || patience-- > 0;
        if (wrong < fewest) fewest = wrong, patience = PATIENCE;
        for (int i = 0; i < p->solved; ++i)
            if (p->wrong[i] && (all || i == last)) p->pushes[i] = !p->pushes[i];
    }
    return 0;
}
