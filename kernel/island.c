/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gauss collocation of one island with events inside of the step. */
#include "algebra.h"
#include "factor.h"
#include "kinematics.h"
#include "omi_kernel.h"

#define S OMI_STAGES
#define ROOT15 3.872983346207417
static const double C[S] = {0.5 - ROOT15 / 10, 0.5, 0.5 + ROOT15 / 10};
static const double A[S][S] = {{5.0 / 36, 2.0 / 9 - ROOT15 / 15, 5.0 / 36 - ROOT15 / 30},
                               {5.0 / 36 + ROOT15 / 24, 2.0 / 9, 5.0 / 36 - ROOT15 / 24},
                               {5.0 / 36 + ROOT15 / 30, 2.0 / 9 + ROOT15 / 15, 5.0 / 36}};
static const double B[S] = {5.0 / 18, 4.0 / 9, 5.0 / 18};

#define SWEEPS 14
#define HOLDS 1e-11     /* m or rad: residual of rows that needs no projection */
#define TOUCH 1e-8     /* m or rad: within it a bound is touched */
#define BENDMAX 3e-2   /* of the size or rad: bend of accelerations that a step may have */
#define MOST 20        /* steps in which a spring must be resolved */
#define PROJECTIONS 6

typedef struct {
    const omi_island *is;
    const double *other; /* velocities of others */
    double h;            /* s: length of the step that is tried */
    double *x, *rot;     /* pose of all bodies at one moment */
    double *vel, *force, *acc, *delta, *rhs, *lambda, *held, *compliance, *scaled;
    omi_rows rows;
    omi_factor factor;
    int *active, *servo, *stiff;
    /* stages */
    double *a, *stage_v, *theta, *stage_value, *stage_rate, *stage_lambda;
    double *new_a;
    /* start of a step */
    double *x0, *rot0, *v0, *value0, *guess0, *start_value, *start_rate, *end_value, *end_rate;
    int *side0, *flip;
    double *omega;
} context;

static double *take(double **at, int count) {
    double *out = *at;
    *at += count > 0 ? count : 1;
    return out;
}

static int *take_int(double **at, int count) {
    return (int *)take(at, count);
}

/* Lay out the workspace; with c = 0 only count. */
static int lay_out(const omi_island *is, context *c, double *work) {
    context none;
    double *at = work;
    int n = 6 * is->bodies, r = is->rows, all = is->bodies + is->others, e = is->elements;
    if (!c) c = &none;
    c->is = is;
    c->x = take(&at, 3 * all);
    c->rot = take(&at, 9 * all);
    c->x0 = take(&at, 3 * all);
    c->rot0 = take(&at, 9 * all);
    c->vel = take(&at, n);
    c->force = take(&at, n);
    c->acc = take(&at, n);
    c->delta = take(&at, n);
    c->v0 = take(&at, n);
    c->guess0 = take(&at, S * n + 2);
    c->a = take(&at, S * n);
    c->new_a = take(&at, S * n);
    c->stage_v = take(&at, S * n);
    c->theta = take(&at, S * 3 * is->bodies);
    c->rhs = take(&at, r);
    c->lambda = take(&at, r);
    c->held = take(&at, r);
    c->compliance = take(&at, r);
    c->scaled = take(&at, r);
    c->value0 = take(&at, r);
    c->start_value = take(&at, r);
    c->start_rate = take(&at, r);
    c->end_value = take(&at, r);
    c->end_rate = take(&at, r);
    c->stage_value = take(&at, S * r);
    c->stage_rate = take(&at, S * r);
    c->stage_lambda = take(&at, S * r);
    c->rows.value = take(&at, r);
    c->rows.rate = take(&at, r);
    c->rows.drift = take(&at, r);
    c->rows.entry = take(&at, 12 * r);
    c->factor.island = is;
    c->factor.entry = c->rows.entry;
    c->factor.epsilon = take(&at, r);
    c->factor.pivot = take(&at, 36 * is->nodes);
    c->factor.block = take(&at, 36 * is->blocks);
    c->factor.right = take(&at, 6 * is->nodes);
    c->factor.multiplier = take(&at, r);
    c->omega = take(&at, e);
    c->active = take_int(&at, r);
    c->servo = take_int(&at, r);
    c->side0 = take_int(&at, r);
    c->stiff = take_int(&at, e);
    c->flip = take_int(&at, e);
    c->factor.active = c->active;
    return (int)(at - work);
}

int omi_workspace(const omi_island *is) {
    return lay_out(is, 0, (double *)0) + 8;
}

static void copy(double *to, const double *from, int count) {
    for (int i = 0; i < count; ++i) to[i] = from[i];
}

/* Twists stay on the turn on which they were. */
static void evaluate(context *c, const double *x, const double *rot, const double *v,
                     const double *near) {
    const omi_island *is = c->is;
    omi_evaluate(is, x, rot, v, c->other, &c->rows);
    for (int r = 0; r < is->rows; ++r)
        if (is->coordinate[r] >= 3 && !is->locked[r])
            c->rows.value[r] += 2 * OMI_PI * rint((near[r] - c->rows.value[r]) / (2 * OMI_PI));
}

static void choose_active(context *c, const int *side) {
    const omi_island *is = c->is;
    for (int r = 0; r < is->rows; ++r) {
        c->active[r] = is->locked[r] || side[r] != 0;
        c->held[r] = side[r] > 0 ? is->high[r] : side[r] < 0 ? is->low[r] : 0.0;
    }
}

/* Force of an element at a coordinate, without regard to its largest. */
static double law(const omi_island *is, int e, int mode, double value, double rate) {
    double k = is->stiffness[e], d = is->damping[e];
    if (!is->one_sided[e]) return -k * (value - is->target[e]) - d * (rate - is->speed[e]);
    if (mode == 0) mode = value > is->soft_high[e] ? 1 : value < is->soft_low[e] ? -1 : 0;
    if (mode == 0) return 0.0;
    return -k * (value - (mode > 0 ? is->soft_high[e] : is->soft_low[e])) - d * rate;
}

/* What an element does there: 0 nothing, 1 or -1 its law (of that side), 3 or -3 its largest force. */
static int wanted(const omi_island *is, int e, double value, double rate) {
    if (is->one_sided[e]) {
        int side = value > is->soft_high[e] ? 1 : value < is->soft_low[e] ? -1 : 0;
        return side && law(is, e, side, value, rate) * side < 0.0 ? side : 0;
    }
    double force = law(is, e, 1, value, rate);
    return force > is->max_force[e] ? 3 : force < -is->max_force[e] ? -3 : 1;
}

/* Scaled accelerations into c->acc, multipliers into c->lambda, at the pose c->x, c->rot. The
 * velocity c->vel is made to fit the rows first where loops are closed. */
static void accelerate(context *c, const double *near, const int *mode) {
    const omi_island *is = c->is;
    int n = 6 * is->bodies, softer = 0;
    evaluate(c, c->x, c->rot, c->vel, near);
    for (int r = 0; r < is->rows; ++r) c->servo[r] = 0;
    if (is->closed) {
        double worst = 0.0;
        for (int r = 0; r < is->rows; ++r)
            if (c->active[r]) worst = fmax(worst, fabs(c->rows.rate[r]));
        if (worst > HOLDS) {
            omi_factorize(&c->factor, 0);
            for (int r = 0; r < is->rows; ++r) c->rhs[r] = -c->rows.rate[r];
            omi_solve(&c->factor, 0, c->rhs, 0, c->delta, c->lambda);
            for (int i = 0; i < n; ++i) c->vel[i] += c->delta[i];
            evaluate(c, c->x, c->rot, c->vel, near);
        }
    }
    for (int b = 0; b < is->bodies; ++b) {
        const double *root = is->roots + 6 * b, *v = c->vel + 6 * b;
        double w[3], l[3], g[3];
        for (int i = 0; i < 3; ++i) {
            w[i] = v[3 + i] / root[3 + i];
            l[i] = v[3 + i] * root[3 + i];
            c->force[6 * b + i] = is->weight[6 * b + i];
        }
        cross(g, l, w);
        for (int i = 0; i < 3; ++i)
            c->force[6 * b + 3 + i] = g[i] / root[3 + i] + is->weight[6 * b + 3 + i];
    }
    for (int r = 0; r < is->rows; ++r) {
        c->scaled[r] = 0.0; /* explicit force */
        c->compliance[r] = 0.0;
        c->rhs[r] = 0.0;
    }
    for (int e = 0; e < is->elements; ++e) {
        int r = is->element_row[e], m = mode[e];
        if (!m || c->active[r]) continue;
        double value = c->rows.value[r], rate = c->rows.rate[r];
        if (m == 3 || m == -3)
            c->scaled[r] += m > 0 ? is->max_force[e] : -is->max_force[e];
        else if (!c->stiff[e])
            c->scaled[r] += law(is, e, m, value, rate);
        else {
            /* Where it would be after a step: implicit, so no step is too long for it. */
            c->servo[r] = softer = 1;
            c->compliance[r] += is->stiffness[e] * c->h * c->h + is->damping[e] * c->h;
            c->rhs[r] += law(is, e, m, value + c->h * rate, rate);
        }
    }
    for (int r = 0; r < is->rows; ++r) {
        if (c->scaled[r] != 0.0)
            for (int side = 0; side < 2; ++side)
                for (int joint = 0; joint < is->joints; ++joint) {
                    if (r < is->row_start[joint] || r >= is->row_start[joint + 1]) continue;
                    int body = is->ends[2 * joint + side];
                    if (body < is->bodies)
                        for (int k = 0; k < 6; ++k)
                            c->force[6 * body + k] += c->scaled[r] * c->rows.entry[12 * r + 6 * side + k];
                }
        if (c->servo[r]) {
            double k = fmax(c->compliance[r], 1e-300);
            c->rhs[r] = c->rhs[r] / k - c->rows.drift[r];
            c->compliance[r] = 1.0 / k;
            c->active[r] = 1;
        } else {
            c->rhs[r] = -c->rows.drift[r];
            c->compliance[r] = 0.0;
        }
    }
    omi_factorize(&c->factor, softer ? c->compliance : 0);
    omi_solve(&c->factor, c->force, c->rhs, softer ? 0 : 2, c->acc, c->lambda);
    for (int r = 0; r < is->rows; ++r)
        if (c->servo[r]) c->active[r] = 0;
}

/* Move a pose by a scaled displacement. */
static void displace(const omi_island *is, double *x, double *rot, const double *by) {
    for (int b = 0; b < is->bodies; ++b) {
        double t[3], step[9], out[9];
        for (int i = 0; i < 3; ++i) {
            x[3 * b + i] += by[6 * b + i] / is->roots[6 * b + i];
            t[i] = by[6 * b + 3 + i] / is->roots[6 * b + 3 + i];
        }
        exponential(step, t);
        product(out, rot + 9 * b, step);
        copy(rot + 9 * b, out, 9);
    }
}

static double residual(context *c) {
    double worst = 0.0;
    for (int r = 0; r < c->is->rows; ++r)
        if (c->active[r]) worst = fmax(worst, fabs(c->rows.value[r] - c->held[r]));
    return worst;
}

/* Bring a pose onto the rows: at most so many times. Returns what was off at first. */
static double fit(context *c, double *x, double *rot, const double *v, const double *near,
                  int rounds, int proximal) {
    const omi_island *is = c->is;
    double first = 0.0;
    for (int round = 0; round <= rounds; ++round) {
        evaluate(c, x, rot, v, near);
        double off = residual(c);
        if (round == 0) first = off;
        if (off < HOLDS || round == rounds) break;
        omi_factorize(&c->factor, 0);
        for (int r = 0; r < is->rows; ++r) c->rhs[r] = c->held[r] - c->rows.value[r];
        omi_solve(&c->factor, 0, c->rhs, proximal, c->delta, c->lambda);
        displace(is, x, rot, c->delta);
    }
    return first;
}

/* Velocities onto the rows, at the pose of the last evaluation of it. */
static void fit_velocity(context *c, const double *x, const double *rot, double *v,
                         const double *near, double *impulse) {
    const omi_island *is = c->is;
    evaluate(c, x, rot, v, near);
    omi_factorize(&c->factor, 0);
    for (int r = 0; r < is->rows; ++r) c->rhs[r] = -c->rows.rate[r];
    omi_solve(&c->factor, 0, c->rhs, 2, c->delta, c->lambda);
    for (int i = 0; i < 6 * is->bodies; ++i) v[i] += c->delta[i];
    if (impulse)
        for (int r = 0; r < is->rows; ++r) impulse[r] += c->lambda[r];
}

/* One step of length h from state to state; 0 if the sweeps do not settle. */
static int collocate(context *c, omi_state *st, double h, double tolerance, omi_report *report) {
    const omi_island *is = c->is;
    int n = 6 * is->bodies, all = is->bodies + is->others;
    c->h = h;
    choose_active(c, st->side);
    if (st->span[0] > 0.0) {
        double p[S];
        for (int i = 0; i < S; ++i) {
            double t = 1.0 + C[i] * h / st->span[0];
            for (int j = 0; j < S; ++j) {
                p[j] = 1.0;
                for (int k = 0; k < S; ++k)
                    if (k != j) p[j] *= (t - C[k]) / (C[j] - C[k]);
            }
            for (int k = 0; k < n; ++k)
                c->a[i * n + k] = p[0] * st->guess[k] + p[1] * st->guess[n + k] + p[2] * st->guess[2 * n + k];
        }
    } else {
        copy(c->x, st->position, 3 * all);
        copy(c->rot, st->rotation, 9 * all);
        copy(c->vel, st->velocity, n);
        accelerate(c, st->value, st->mode);
        for (int i = 0; i < S; ++i) copy(c->a + i * n, c->acc, n);
    }
    for (int i = 0; i < S; ++i)
        for (int b = 0; b < is->bodies; ++b)
            for (int k = 0; k < 3; ++k)
                c->theta[3 * (i * is->bodies + b) + k] = h * C[i] * st->velocity[6 * b + 3 + k] / is->roots[6 * b + 3 + k];
    double off = 0.0;
    int sweep;
    for (sweep = 0; sweep < SWEEPS; ++sweep) {
        for (int i = 0; i < S; ++i)
            for (int k = 0; k < n; ++k)
                c->stage_v[i * n + k] = st->velocity[k] + h * (A[i][0] * c->a[k] + A[i][1] * c->a[n + k] + A[i][2] * c->a[2 * n + k]);
        for (int again = 0; again < 2; ++again)
            for (int b = 0; b < is->bodies; ++b) {
                double rate[S][3], w[3];
                for (int i = 0; i < S; ++i) {
                    for (int k = 0; k < 3; ++k) w[k] = c->stage_v[i * n + 6 * b + 3 + k] / is->roots[6 * b + 3 + k];
                    rate_of_vector(rate[i], c->theta + 3 * (i * is->bodies + b), w);
                }
                for (int i = 0; i < S; ++i)
                    for (int k = 0; k < 3; ++k)
                        c->theta[3 * (i * is->bodies + b) + k] = h * (A[i][0] * rate[0][k] + A[i][1] * rate[1][k] + A[i][2] * rate[2][k]);
            }
        off = 0.0;
        for (int i = 0; i < S; ++i) {
            for (int b = 0; b < is->bodies; ++b) {
                double step[9];
                for (int k = 0; k < 3; ++k) {
                    double sum = 0.0;
                    for (int j = 0; j < S; ++j) {
                        double aa = A[i][0] * A[0][j] + A[i][1] * A[1][j] + A[i][2] * A[2][j];
                        sum += aa * c->a[j * n + 6 * b + k];
                    }
                    c->x[3 * b + k] = st->position[3 * b + k] + (h * C[i] * st->velocity[6 * b + k] + h * h * sum) / is->roots[6 * b + k];
                }
                exponential(step, c->theta + 3 * (i * is->bodies + b));
                product(c->rot + 9 * b, st->rotation + 9 * b, step);
            }
            for (int b = is->bodies; b < all; ++b) {
                const double *u = c->other + 6 * (b - is->bodies);
                double t[3], step[9];
                for (int k = 0; k < 3; ++k) {
                    c->x[3 * b + k] = st->position[3 * b + k] + h * C[i] * u[k];
                    t[k] = h * C[i] * u[3 + k];
                }
                exponential(step, t);
                product(c->rot + 9 * b, step, st->rotation + 9 * b);
            }
            copy(c->vel, c->stage_v + i * n, n);
            if (is->closed) fit(c, c->x, c->rot, c->vel, st->value, 1, 0);
            accelerate(c, st->value, st->mode);
            copy(c->new_a + i * n, c->acc, n);
            copy(c->stage_value + i * is->rows, c->rows.value, is->rows);
            copy(c->stage_rate + i * is->rows, c->rows.rate, is->rows);
            copy(c->stage_lambda + i * is->rows, c->lambda, is->rows);
        }
        for (int i = 0; i < S; ++i)
            for (int k = 0; k < n; ++k) {
                double d = fabs(c->new_a[i * n + k] - c->a[i * n + k]) / is->roots[k];
                off = d > off || d != d ? d : off;
            }
        off *= h * h;
        copy(c->a, c->new_a, S * n);
        if (!(off < 1e3)) return 0;
        if (off < tolerance) break;
    }
    report->sweeps += sweep < SWEEPS ? sweep + 1 : SWEEPS;
    if (off > 1e-5) return 0;
    /* The end. */
    for (int b = 0; b < is->bodies; ++b) {
        double sum[3] = {0, 0, 0}, rate[3], w[3], step[9], out[9];
        for (int i = 0; i < S; ++i) {
            for (int k = 0; k < 3; ++k) w[k] = c->stage_v[i * n + 6 * b + 3 + k] / is->roots[6 * b + 3 + k];
            rate_of_vector(rate, c->theta + 3 * (i * is->bodies + b), w);
            for (int k = 0; k < 3; ++k) sum[k] += h * B[i] * rate[k];
        }
        exponential(step, sum);
        product(out, st->rotation + 9 * b, step);
        orthonormalize(out);
        copy(st->rotation + 9 * b, out, 9);
        for (int k = 0; k < 3; ++k) {
            double bb = 0.0;
            for (int j = 0; j < S; ++j) bb += (B[0] * A[0][j] + B[1] * A[1][j] + B[2] * A[2][j]) * c->a[j * n + 6 * b + k];
            st->position[3 * b + k] += (h * st->velocity[6 * b + k] + h * h * bb) / is->roots[6 * b + k];
        }
    }
    for (int b = is->bodies; b < all; ++b) {
        const double *u = c->other + 6 * (b - is->bodies);
        double t[3], step[9], out[9];
        for (int k = 0; k < 3; ++k) {
            st->position[3 * b + k] += h * u[k];
            t[k] = h * u[3 + k];
        }
        exponential(step, t);
        product(out, step, st->rotation + 9 * b);
        copy(st->rotation + 9 * b, out, 9);
    }
    for (int k = 0; k < n; ++k) {
        st->velocity[k] += h * (B[0] * c->a[k] + B[1] * c->a[n + k] + B[2] * c->a[2 * n + k]);
        st->guess[k] = c->a[k];
        st->guess[n + k] = c->a[n + k];
        st->guess[2 * n + k] = c->a[2 * n + k];
    }
    st->span[0] = h;
    double drift = fit(c, st->position, st->rotation, st->velocity, st->value, PROJECTIONS, 2);
    report->drift = fmax(report->drift, drift);
    double bend = 0.0; /* how far the accelerations are from a straight line, as a way */
    for (int b = 0; b < is->bodies; ++b)
        for (int k = 0; k < 6; ++k)
            bend = fmax(bend, fabs(c->a[6 * b + k] - 2 * c->a[n + 6 * b + k] + c->a[2 * n + 6 * b + k]) / is->roots[6 * b + k] / (k < 3 ? is->size : 1.0));
    if (h * h * bend > BENDMAX) return 0;
    fit_velocity(c, st->position, st->rotation, st->velocity, st->value, 0);
    evaluate(c, st->position, st->rotation, st->velocity, st->value);
    copy(c->end_value, c->rows.value, is->rows);
    copy(c->end_rate, c->rows.rate, is->rows);
    report->gap = residual(c);
    return 1;
}

/* Values of the Lagrange polynomial through the start, the stages and the end. */
static void between(const context *c, int r, double t, double *value, double *rate, double *lambda) {
    const double node[5] = {0.0, C[0], C[1], C[2], 1.0};
    const double *v[5] = {c->start_value, c->stage_value, c->stage_value + c->is->rows,
                          c->stage_value + 2 * c->is->rows, c->end_value};
    const double *u[5] = {c->start_rate, c->stage_rate, c->stage_rate + c->is->rows,
                          c->stage_rate + 2 * c->is->rows, c->end_rate};
    *value = *rate = *lambda = 0.0;
    for (int j = 0; j < 5; ++j) {
        double p = 1.0;
        for (int k = 0; k < 5; ++k)
            if (k != j) p *= (t - node[k]) / (node[j] - node[k]);
        *value += p * v[j][r];
        *rate += p * u[j][r];
    }
    for (int j = 0; j < S; ++j) {
        double p = 1.0;
        for (int k = 0; k < S; ++k)
            if (k != j) p *= (t - C[k]) / (C[j] - C[k]);
        *lambda += p * c->stage_lambda[j * c->is->rows + r];
    }
}

#define PULL 1e-9
/* Whether anything is no longer as it was at the start of the step; flips of elements are noted. */
static int differs(context *c, const omi_state *st, double t) {
    const omi_island *is = c->is;
    int found = 0;
    double value, rate, lambda;
    for (int r = 0; r < is->rows; ++r) {
        if (is->locked[r] || (is->low[r] < -1e300 && is->high[r] > 1e300)) continue;
        between(c, r, t, &value, &rate, &lambda);
        if (st->side[r] ? lambda * st->side[r] > PULL
                        : value > is->high[r] + HOLDS || value < is->low[r] - HOLDS)
            found = 1;
    }
    for (int e = 0; e < is->elements; ++e) {
        int r = is->element_row[e], mode = st->mode[e], want;
        c->flip[e] = mode;
        if (is->locked[r] || st->side[r]) continue;
        between(c, r, t, &value, &rate, &lambda);
        want = wanted(is, e, value, rate);
        if (c->stiff[e] && (mode == 1 || mode == -1)) {
            if (is->one_sided[e])
                want = lambda * mode <= 0.0 ? mode : 0;
            else
                want = lambda > is->max_force[e] ? 3 : lambda < -is->max_force[e] ? -3 : 1;
        }
        if (want != mode) {
            c->flip[e] = want;
            found = 1;
        }
    }
    return found;
}

/* When in (0, 1] of the step something changes first; 2 if nothing does. */
static double first_event(context *c, const omi_state *st) {
    const int parts = 16;
    double low = 0.0, high = 0.0;
    int k;
    for (k = 1; k <= parts; ++k) {
        low = high;
        high = (double)k / parts;
        if (differs(c, st, high)) break;
    }
    if (k > parts) return 2.0;
    for (int i = 0; i < 45; ++i) {
        double middle = 0.5 * (low + high);
        if (differs(c, st, middle))
            high = middle;
        else
            low = middle;
    }
    differs(c, st, high);
    return high;
}

/* Bounds that are touched stop what goes on into them (restitution zero), and bear what presses;
 * none of them pulls. */
static void meet_bounds(context *c, omi_state *st, double *impulse) {
    const omi_island *is = c->is;
    int n = 6 * is->bodies, rows = is->rows, *touched = c->side0;
    evaluate(c, st->position, st->rotation, st->velocity, st->value);
    for (int r = 0; r < rows; ++r) {
        double v = c->rows.value[r];
        touched[r] = is->locked[r] ? 0 : v >= is->high[r] - TOUCH ? 1 : v <= is->low[r] + TOUCH ? -1 : 0;
        c->active[r] = is->locked[r] || (touched[r] && (touched[r] * c->rows.rate[r] > 1e-9 || st->side[r]));
        c->held[r] = 0.0;
    }
    for (int phase = 0; phase < 2; ++phase) {
        for (int round = 0; round < 4 * rows + 4; ++round) {
            int changed = 0;
            double *acc = c->delta;
            if (phase == 0) {
                evaluate(c, st->position, st->rotation, st->velocity, st->value);
                omi_factorize(&c->factor, 0);
                for (int r = 0; r < rows; ++r) c->rhs[r] = -c->rows.rate[r];
                omi_solve(&c->factor, 0, c->rhs, 2, acc, c->lambda);
            } else {
                copy(c->x, st->position, 3 * (is->bodies + is->others));
                copy(c->rot, st->rotation, 9 * (is->bodies + is->others));
                copy(c->vel, st->velocity, n);
                accelerate(c, st->value, st->mode);
                acc = c->acc;
            }
            for (int r = 0; r < rows; ++r)
                if (touched[r] && c->active[r] && c->lambda[r] * touched[r] > 1e-12) {
                    c->active[r] = 0;
                    changed = 1;
                }
            if (changed) continue;
            for (int joint = 0; joint < is->joints; ++joint)
                for (int r = is->row_start[joint]; r < is->row_start[joint + 1]; ++r) {
                    if (!touched[r] || c->active[r]) continue;
                    double x = phase ? c->rows.drift[r] : c->rows.rate[r];
                    if (phase && fabs(c->rows.rate[r]) > 1e-6) continue;
                    for (int side = 0; side < 2; ++side) {
                        int body = is->ends[2 * joint + side];
                        for (int k = 0; body < is->bodies && k < 6; ++k)
                            x += c->rows.entry[12 * r + 6 * side + k] * acc[6 * body + k];
                    }
                    if (x * touched[r] > (phase ? 1e-9 : 1e-7)) c->active[r] = changed = 1;
                }
            if (!changed) break;
        }
        if (phase == 0) {
            for (int i = 0; i < n; ++i) st->velocity[i] += c->delta[i];
            for (int r = 0; r < rows; ++r) impulse[r] += c->lambda[r];
            evaluate(c, st->position, st->rotation, st->velocity, st->value);
            for (int r = 0; r < rows; ++r)
                c->active[r] = is->locked[r] || (touched[r] && fabs(c->rows.rate[r]) < 1e-6);
        }
    }
    for (int r = 0; r < rows; ++r) st->side[r] = c->active[r] && !is->locked[r] ? touched[r] : 0;
}

/* Rates of the springs, rad/s, by the inertia that they move with all rigid rows enforced. */
static void judge_springs(context *c, omi_state *st, double dt) {
    const omi_island *is = c->is;
    int n = 6 * is->bodies;
    if (!is->elements) return;
    choose_active(c, st->side);
    evaluate(c, st->position, st->rotation, st->velocity, st->value);
    omi_factorize(&c->factor, 0);
    for (int r = 0; r < is->rows; ++r) c->rhs[r] = 0.0;
    for (int e = 0; e < is->elements; ++e) {
        int r = is->element_row[e];
        double own = 0.0, moved = 0.0;
        for (int i = 0; i < n; ++i) c->force[i] = 0.0;
        for (int joint = 0; joint < is->joints; ++joint) {
            if (r < is->row_start[joint] || r >= is->row_start[joint + 1]) continue;
            for (int side = 0; side < 2; ++side) {
                int body = is->ends[2 * joint + side];
                for (int k = 0; body < is->bodies && k < 6; ++k) {
                    c->force[6 * body + k] += c->rows.entry[12 * r + 6 * side + k];
                    own += c->rows.entry[12 * r + 6 * side + k] * c->rows.entry[12 * r + 6 * side + k];
                }
            }
        }
        omi_solve(&c->factor, c->force, c->rhs, 2, c->delta, c->lambda);
        for (int i = 0; i < n; ++i) moved += c->force[i] * c->delta[i];
        moved = fmax(moved, 1e-12 * own);
        c->omega[e] = fmax(sqrt(is->stiffness[e] * moved), is->damping[e] * moved);
        c->stiff[e] = c->omega[e] * dt > MOST;
    }
}

int omi_step(const omi_island *is, omi_state *st, const double *other, double dt, double tolerance,
             double *impulse, double *work, omi_report *report) {
    context context_, *c = &context_;
    int n = 6 * is->bodies, all = is->bodies + is->others, rows = is->rows;
    double rest = dt, least = dt / 2000, h;
    lay_out(is, c, work);
    c->other = other;
    report->steps = report->events = report->failures = report->sweeps = 0;
    report->drift = report->gap = 0.0;
    for (int r = 0; r < rows; ++r) impulse[r] = 0.0;
    judge_springs(c, st, dt);
    h = st->span[1] > 0.0 ? fmin(st->span[1], dt) : dt;
    while (rest > 1e-12 * dt) {
        double tau, took;
        for (int e = 0; e < is->elements; ++e)
            if (!c->stiff[e] && st->mode[e] && c->omega[e] > 0.0) h = fmin(h, 0.6 / c->omega[e]);
        h = rest / ceil(rest / h - 1e-9);
        if (report->steps + report->failures > 400) return OMI_STUCK;
        copy(c->x0, st->position, 3 * all);
        copy(c->rot0, st->rotation, 9 * all);
        copy(c->v0, st->velocity, n);
        copy(c->guess0, st->guess, S * n);
        c->guess0[S * n] = st->span[0];
        c->h = h;
        choose_active(c, st->side);
        evaluate(c, st->position, st->rotation, st->velocity, st->value);
        copy(c->start_value, c->rows.value, rows);
        copy(c->start_rate, c->rows.rate, rows);
        int done = collocate(c, st, h, tolerance, report);
        tau = done ? first_event(c, st) : 2.0;
        took = h;
        if (!done || tau <= 1.0) {
            copy(st->position, c->x0, 3 * all);
            copy(st->rotation, c->rot0, 9 * all);
            copy(st->velocity, c->v0, n);
            copy(st->guess, c->guess0, S * n);
            st->span[0] = c->guess0[S * n];
        }
        if (!done) {
            report->failures++;
            h *= 0.5;
            if (h < least) return OMI_STUCK;
            if (report->failures % 4 == 0) st->span[0] = 0.0;
            continue;
        }
        report->steps++;
        if (tau <= 1.0) {
            report->events++;
            took = tau * h;
            if (took > 1e-9 * dt) {
                if (!collocate(c, st, took, tolerance, report)) {
                    report->failures++;
                    copy(st->position, c->x0, 3 * all);
                    copy(st->rotation, c->rot0, 9 * all);
                    copy(st->velocity, c->v0, n);
                    st->span[0] = 0.0;
                    h *= 0.5;
                    if (h < least) return OMI_STUCK;
                    continue;
                }
                copy(st->value, c->end_value, rows);
                for (int r = 0; r < rows; ++r)
                    for (int i = 0; i < S; ++i) impulse[r] += took * B[i] * c->stage_lambda[i * rows + r];
            } else
                took = 0.0;
            for (int e = 0; e < is->elements; ++e) st->mode[e] = c->flip[e];
            meet_bounds(c, st, impulse);
            st->span[0] = 0.0;
        } else {
            copy(st->value, c->end_value, rows);
            for (int r = 0; r < rows; ++r)
                for (int i = 0; i < S; ++i) impulse[r] += h * B[i] * c->stage_lambda[i * rows + r];
        }
        rest -= took;
        h = fmin(dt, report->failures ? 1.5 * h : dt);
    }
    st->span[1] = h;
    return OMI_OK;
}
