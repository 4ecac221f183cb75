/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A step of first order that ends whatever the rows say: see solver/integrator/crawl.py.
 *
 * Velocities at the end of the step answer for everything in it: springs are where they will be
 * then, bounds are not passed, and gyroscopic torques are those of the new spin. The pose is brought
 * onto the rows afterwards, as well as they allow, and velocities are those that lead there: so what
 * swings fast is damped and not thrown (implicit Euler).
 */
#include "algebra.h"
#include "context.h"

#define SURE 1e-8 /* part of the square of each row: singular values below 1e-4 do not count */
#define TRIES 12
#define FITS 16
#define HALVINGS 5
#define AGAIN 4
#define PASSES 1e-9 /* m or rad, and a second */
#define FARTHEST 0.5 /* m over size, or rad, that a fit may move a body at once */

/* New spins without torque from outside: w + h J^-1 (I w x w), J the slope of I w + h w x I w. */
static void turn_freely(const omi_island *is, double *velocity, double h) {
    for (int b = 0; b < is->bodies; ++b) {
        const double *root = is->roots + 6 * b + 3;
        double *v = velocity + 6 * b + 3, w[3], l[3], g[3], m[9], inertia[3], d[3];
        for (int i = 0; i < 3; ++i) {
            inertia[i] = root[i] * root[i];
            w[i] = v[i] / root[i];
            l[i] = inertia[i] * w[i];
        }
        if (!(inertia[0] < 1e300 && inertia[1] < 1e300 && inertia[2] < 1e300)) continue;
        cross(g, l, w);
        /* m = I + h ([w] I - [I w]) */
        for (int i = 0; i < 3; ++i) {
            int j = (i + 1) % 3, k = (i + 2) % 3;
            m[4 * i] = inertia[i];
            m[3 * i + j] = h * (l[k] - w[k] * inertia[j]);
            m[3 * i + k] = h * (w[j] * inertia[k] - l[j]);
        }
        if (!solve_three(d, m, g)) continue;
        for (int i = 0; i < 3; ++i) v[i] += root[i] * h * d[i];
    }
}

static double give(const omi_context *c, int e) {
    return c->st->stiff[e] ? fmax(c->h, c->give) : c->h; /* in which an element gives way */
}

/* What elements do at the end of the step: implicit rows, or impulses where they are at their most
 * or lie on a rigid row. c->end_rate: what the implicit ones would do if rates stayed as they are;
 * their force then is that less compliance times the change of the rate. */
static int soft_rows(omi_context *c, double h) {
    const omi_island *is = c->is;
    int implicit = 0;
    for (int r = 0; r < is->rows; ++r) {
        c->servo[r] = 0;
        c->load[r] = c->compliance[r] = c->end_rate[r] = 0.0;
    }
    for (int e = 0; e < is->elements; ++e) {
        int r = is->element_row[e], mode = c->st->mode[e];
        double rate = c->rows.rate[r], value = c->rows.value[r];
        if (!mode) continue;
        if (mode == 3 || mode == -3) {
            c->load[r] += h * omi_law(c, e, mode, value, rate);
        } else if (c->active[r]) {
            double force = omi_law(c, e, mode, value, c->held_rate[r]);
            c->load[r] += h * fmax(-is->max_force[e], fmin(is->max_force[e], force));
        } else {
            c->servo[r] = implicit = 1;
            double time = give(c, e);
            c->compliance[r] += (is->stiffness[e] * time + is->damping[e]) * h * c->st->scale[e];
            c->end_rate[r] += h * omi_law(c, e, mode, value + time * rate, rate);
        }
    }
    return implicit;
}

/* The rate at which a bound would be reached just at the end of the step; what it has come over
 * goes along with it. */
static double way_left(const omi_context *c, int r, int side, double h) {
    double end = omi_bound(c, r, side, h), left = (end - c->rows.value[r]) / h;
    return left * side < 0.0 ? (end - omi_bound(c, r, side, 0.0)) / h : left;
}

/* By how much the rates of rigid rows have to change, into c->rhs. */
static void missing_rates(omi_context *c, double h) {
    for (int r = 0; r < c->is->rows; ++r) {
        double wanted = c->touched[r] ? way_left(c, r, c->touched[r], h) : c->held_rate[r];
        c->rhs[r] = wanted - c->rows.rate[r];
    }
}

/* Changes of velocity into c->delta, impulses on rows into c->lambda. */
static void solve_velocities(omi_context *c, double h, double little) {
    const omi_island *is = c->is;
    for (int i = 0; i < 6 * is->bodies; ++i) c->force[i] = 0.0;
    for (int r = 0; r < is->rows; ++r)
        c->active[r] = is->kind[r] == OMI_LOCK || c->touched[r];
    int implicit = soft_rows(c, h);
    missing_rates(c, h);
    for (int r = 0; r < is->rows; ++r) {
        if (c->load[r] != 0.0)
            omi_push(is, c->row_joint[r], c->rows.entry + 12 * r, c->load[r], c->force);
        if (!c->servo[r]) continue;
        c->active[r] = 1;
        c->compliance[r] = 1.0 / fmax(c->compliance[r], 1e-300);
        c->rhs[r] = c->end_rate[r] * c->compliance[r];
    }
    omi_factorize(&c->factor, implicit ? c->compliance : 0, little, 0);
    omi_solve(&c->factor, c->force, c->rhs, 1, c->delta, c->lambda);
    omi_least_norm(c, c->acc);
}

/* Whether bounds or elements are otherwise than was assumed; they are changed. */
static int reconsider(omi_context *c, double h, int may_let_go) {
    const omi_island *is = c->is;
    int changed = 0;
    for (int r = 0; r < is->rows; ++r) {
        if (is->kind[r] == OMI_LOCK || omi_comes_in(c, r)) continue;
        if (c->touched[r]) {
            if (may_let_go && c->lambda[r] * c->touched[r] > 1e-12) c->touched[r] = 0, changed = 1;
            continue;
        }
        double rate = c->rows.rate[r] + omi_pull(c, r, c->delta);
        for (int side = -1; side <= 1; side += 2)
            if ((rate - way_left(c, r, side, h)) * side > PASSES) c->touched[r] = side, changed = 1;
    }
    for (int e = 0; e < is->elements; ++e) {
        int r = is->element_row[e], mode = c->st->mode[e], want;
        double rate = c->touched[r] ? 0.0 : c->rows.rate[r] + omi_pull(c, r, c->delta);
        double value = c->rows.value[r] + give(c, e) * rate;
        want = omi_wanted(c, e, value, rate, value, rate);
        c->element_force[e] = mode ? omi_law(c, e, mode, value, rate) : 0.0;
        if (want == mode || (!may_let_go && want == 0)) continue;
        c->st->mode[e] = want;
        changed = 1;
    }
    return changed;
}

/* The pose onto the rows as well as can be: never worse than before. Returns how far it is off. */
static double fit_well(omi_context *c, double *x, double *rot, const double *v) {
    const omi_island *is = c->is;
    int n = 6 * is->bodies, all = is->bodies + is->others, halvings = 0;
    double best = INFINITY;
    for (int round = 0; round <= FITS; ++round) {
        omi_look(c, x, rot, v);
        double off = omi_residual(c), most = 0.0;
        if (off < best) {
            if (off < HOLDS || round == FITS) return off;
            best = off;
            halvings = 0;
            omi_copy(c->x, x, 3 * all);
            omi_copy(c->rot, rot, 9 * all);
            double little = fmax(SURE, off * off / (c->size * c->size));
            omi_bring(c, little, c->held, c->rows.value, 1);
            for (int i = 0; i < n; ++i)
                most = fmax(most, fabs(c->delta[i]) / is->roots[i] / (i % 6 < 3 ? c->size : 1.0));
            most = most > FARTHEST ? FARTHEST / most : 1.0;
        } else {
            omi_copy(x, c->x, 3 * all);
            omi_copy(rot, c->rot, 9 * all);
            if (++halvings > HALVINGS || round == FITS) break;
            most = 0.5;
        }
        for (int i = 0; i < n; ++i) c->delta[i] *= most;
        omi_displace(is, x, rot, c->delta);
    }
    omi_look(c, x, rot, v);
    return omi_residual(c);
}

/* The velocities that lead from one pose to another in h seconds. */
static void chord(const omi_context *c, const double *x0, const double *rot0, double h) {
    const omi_island *is = c->is;
    for (int b = 0; b < is->bodies; ++b) {
        double step[9], way[3];
        product_back(step, rot0 + 9 * b, c->st->rotation + 9 * b);
        logarithm(way, step);
        for (int i = 0; i < 3; ++i) {
            const double *root = is->roots + 6 * b;
            double *v = c->st->velocity + 6 * b;
            v[i] = root[i] * (c->st->position[3 * b + i] - x0[3 * b + i]) / h;
            v[3 + i] = root[3 + i] * way[i] / h;
        }
    }
}

/* Which bounds and elements hold at the end of the step; velocities then are c->delta more. */
static void meet_rows(omi_context *c, double h, double little) {
    const omi_island *is = c->is;
    for (int r = 0; r < is->rows; ++r) c->touched[r] = omi_comes_in(c, r) ? c->st->side[r] : 0;
    for (int i = 0; i < 6 * is->bodies; ++i) c->delta[i] = 0.0;
    reconsider(c, h, 0);
    for (int round = 0; round < TRIES; ++round) {
        solve_velocities(c, h, little);
        if (!reconsider(c, h, round < TRIES / 2)) break;
    }
}

/* Velocities with what elements make of them, but without what rigid rows make of the rest: where
 * those lead to, rows pull back. */
static void let_fall(omi_context *c, double h, double little) {
    const omi_island *is = c->is;
    int any = 0;
    for (int r = 0; r < is->rows; ++r) {
        any |= c->servo[r] || c->load[r] != 0.0;
        if (c->servo[r]) c->active[r] = 0;
    }
    if (!any) return;
    missing_rates(c, h);
    for (int i = 0; i < 6 * is->bodies; ++i) c->st->velocity[i] += c->delta[i];
    omi_factorize(&c->factor, 0, little, 0);
    omi_solve(&c->factor, 0, c->rhs, 1, c->delta, c->lambda);
    for (int i = 0; i < 6 * is->bodies; ++i) c->st->velocity[i] -= c->delta[i];
}

static double moving(const omi_context *c) {
    double sum = 0.0;
    for (int i = 0; i < 6 * c->is->bodies; ++i) sum += 0.5 * c->st->velocity[i] * c->st->velocity[i];
    return sum;
}

/* With what weights have not worked yet. */
static double energy_of(const omi_context *c, double sum) {
    const omi_island *is = c->is;
    for (int b = 0; b < is->bodies; ++b)
        for (int k = 0; k < 3; ++k)
            sum -= is->weight[6 * b + k] * is->roots[6 * b + k] * c->st->position[3 * b + k];
    return sum;
}

/* Whether nothing but weights can give the island energy. */
static int is_left_alone(const omi_context *c) {
    const omi_island *is = c->is;
    if (is->elements) return 0;
    for (int i = 0; i < 6 * is->others; ++i)
        if (c->other[i] != 0.0) return 0;
    for (int r = 0; r < is->rows; ++r)
        if (c->st->excess[r] != 0.0 && c->st->span[2] < BRINGING_IN) return 0;
    return 1;
}

/* Rows that the pose was brought onto have given what no weight has: velocities lose it again, but
 * for what momenta ask for. */
static void lose(omi_context *c, double before, const omi_momenta *momenta) {
    int n = 6 * c->is->bodies;
    double all = moving(c), more = energy_of(c, all) - before;
    if (!(more > 0.0)) return;
    omi_copy(c->acc, c->st->velocity, n);
    for (int i = 0; i < n; ++i) c->st->velocity[i] = 0.0;
    omi_give_back(c, momenta);
    double inner = all - moving(c), part = sqrt(fmax(1.0 - more / fmax(inner, 1e-300), 0.0));
    for (int i = 0; i < n; ++i) c->st->velocity[i] += part * (c->acc[i] - c->st->velocity[i]);
}

void omi_crawl(omi_context *c, double h, double *wrench) {
    const omi_island *is = c->is;
    omi_state *st = c->st;
    int n = 6 * is->bodies, all = is->bodies + is->others;
    omi_momenta before;
    omi_momenta_of(c, &before);
    int alone = is_left_alone(c);
    double energy = energy_of(c, moving(c));
    c->h = h;
    omi_hold(c, st->side);
    double off = fit_well(c, st->position, st->rotation, st->velocity);
    double little = fmax(SURE, fmin(1e-2, off * off / (c->size * c->size)));
    omi_copy(c->x0, st->position, 3 * all);
    omi_copy(c->rot0, st->rotation, 9 * all);
    turn_freely(is, st->velocity, h);
    for (int i = 0; i < n; ++i) st->velocity[i] += h * is->weight[i];
    omi_add_weight(c, h, &before);
    for (int r = 0; r < is->rows; ++r) st->side[r] = omi_comes_in(c, r) ? st->side[r] : 0;
    omi_hold_at(c, h);
    omi_look(c, st->position, st->rotation, st->velocity);
    meet_rows(c, h, little);
    let_fall(c, h, little);
    /* What is brought in, or moves next to nothing, is no load. */
    omi_hold_at(c, 0.0);
    solve_velocities(c, h, fmax(little, FELT));
    for (int r = 0; r < is->rows; ++r) c->lambda[r] = c->servo[r] ? 0.0 : c->lambda[r] / h;
    omi_wrench(c, h, 1, wrench);
    for (int i = 0; i < n; ++i) c->delta[i] = h * st->velocity[i];
    omi_carry(c, st->position, st->rotation, st->position, st->rotation, h);
    omi_displace(is, st->position, st->rotation, c->delta);
    for (int b = 0; b < is->bodies; ++b) orthonormalize(st->rotation + 9 * b);
    /* Rows pull bodies over bounds that were not met before. */
    for (int again = 0, passed = 1; again < AGAIN && passed; ++again) {
        for (int r = passed = 0; r < is->rows; ++r) {
            st->side[r] = is->kind[r] == OMI_LOCK ? 0 : c->touched[r];
            c->active[r] = is->kind[r] == OMI_LOCK || c->touched[r];
        }
        omi_hold_at(c, h);
        fit_well(c, st->position, st->rotation, st->velocity);
        for (int r = 0; r < is->rows; ++r) {
            int side = omi_beyond(c, r, c->rows.value[r], h, PASSES);
            if (side && !c->active[r]) c->touched[r] = side, passed = 1;
        }
    }
    chord(c, c->x0, c->rot0, h);
    omi_look(c, st->position, st->rotation, st->velocity);
    omi_bring(c, little, c->held_rate, c->rows.rate, 1);
    for (int i = 0; i < n; ++i) st->velocity[i] += c->delta[i];
    omi_keep_centre(c, h, &before);
    omi_give_back(c, &before);
    if (alone) lose(c, energy, &before);
    st->span[0] = 0.0;
}
