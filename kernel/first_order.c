/* SPDX-License-Identifier: MIT */
/* A step of first order that ends whatever the rows say.
 *
 * 1. The pose at the start onto the rows, as well as they allow.
 * 2. Velocities without rows: V + h f, and spins by the implicit I w+ + h w+ x I w+ = I w.
 * 3. Velocities at the end answer for everything in the step (implicit Euler): with impulses l of
 *    rigid rows and of elements,
 *
 *        V+ = V + h f + E^T l,
 *        E V+ = g'                            locks, at the end of the step
 *        y + h y'+ = bound                    bounds that would be passed else
 *        l = h F(y + T y'+, y'+)              elements: by F's linear law, K = h (k T + d),
 *        E dV + l / K = h F(y + T y', y') / K
 *
 *    T is h, or the horizon of a stiff element if that is longer. Which bounds are met, and the
 *    modes of elements, are searched for by pivoting; in the later half of the tries nothing is let
 *    go any more, so it ends.
 * 3b. Where shapes touch, contacts bear against those velocities (bear_contacts), and bounds and modes are searched
 *    for once more with what they bear.
 * 4. Bodies go by the velocities that free forces, elements, contacts and what rigid rows answer to elements and
 *    contacts make, without all other impulses of rows; those come of the projection of the pose onto the rows.
 *    (With them, and projected back, the step would be explicit in the tension: a hanging chain of thirty links
 *    flies off. The textbook does so, in steps of 1/300 s.)
 * 5. Velocities are those that have led there, projected onto the rates of rows. What swings fast is
 *    damped and not thrown. What turns by more than half a turn in such a step comes out slower, as the way
 *    back says less; that is not looked for.
 * 6. What floats has its momenta back (momentum.c), and what nothing but weights can give energy has gained none
 *    (dissipate).
 *
 * Rows that contradict each other are met in the mean, by damping (Levenberg, Marquardt; see
 * projection.c), and never worse than before.
 */
#include "context.h"

/* What follows was tried tenfold both ways on mechanisms that contradict themselves or rest on bounds: 13, or 9 of
 * these. What is said to be elsewhere is so after 3 s. One of them is a string of five bars between two posts that are
 * 2 cm too far apart for it (test_robust.py).
 *
 * Of the squares of rows: damping at least. Singular values below 1e-4 do not count, as rows here may
 * contradict each other at any time. With a tenth the string hangs 6 mm elsewhere, with ten times 2 mm. */
#define SURE 1e-8
/* And at most, however far rows are off: what has come 10 m apart would never come together again else. Where they
 * are off by 0.3 m, 0.01 m more with ten times as much, and bodies 0.1 m elsewhere. */
#define MOST_DAMPED 1e-2
/* Searches for bounds and modes; in the first half what pulls may let go. */
#define TRIES 12
/* Rounds of a projection, and how often one that makes it worse is halved. With ten times as many rounds the string
 * hangs 1 mm elsewhere, with ten times as many halvings 19 mm; with less it is torn at one end. */
#define ITERATIONS 16
#define RETREATS 5
/* Projections, each with the bounds that the one before has passed; more change nothing. */
#define AGAIN 4
/* m or rad, and a second: bounds that are passed by less are not. Nothing hangs on it: steps of first
 * order pass bounds by far more or, as rows are met, by rounding. */
#define PASSES 1e-9
/* N s or N m s: a bound that pulls with less does not. It is rounding. */
#define PULLS 1e-12
/* m over the size, or rad, that a round may move a body: rows are linear over less. The string hangs 1 mm
 * elsewhere with ten times as much, other rows are off by less. */
#define FARTHEST 0.5
/* m: a contact that is deeper inside of something is left alone, as joints may keep it there. A
 * tenth changes no bit. */
#define DEEP 2e-3
/* kg m^2: inertia that nothing turns. What a file says so large is not multiplied any more; nothing
 * else hangs on it. */
#define BEYOND 1e300

/* Of the squares of rows that are off by so much, m or rad, in an island of a size in m. */
static double damping(double off, double size) { return fmax(SURE, fmin(MOST_DAMPED, off * off / (size * size))); }

/* Spins after h seconds without torque from outside, by one round of Newton's method:
 * w + h J^-1 (I w x w), J = I + h ([w] I - [I w]) the slope of I w + h w x I w. */
static void free_rotation(const omi_island *is, double *velocity, double h) {
    for (int b = 0; b < is->bodies; ++b) {
        const double *root = is->roots + 6 * b + 3;
        double *v = velocity + 6 * b + 3, w[3], l[3], g[3], m[9], inertia[3], d[3];
        for (int i = 0; i < 3; ++i) {
            inertia[i] = root[i] * root[i];
            w[i] = v[i] / root[i];
            l[i] = inertia[i] * w[i];
        }
        if (!(inertia[0] < BEYOND && inertia[1] < BEYOND && inertia[2] < BEYOND)) continue;
        cross(g, l, w);
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

/* What elements do in the step: implicit rows, K into c->compliance (whose inverse takes its place later) and h F(y +
 * T y', y') into c->end_rate, which nothing else uses here; or impulses into c->load where they are at their largest
 * force or on a rigid row. */
static int element_rows(omi_context *c, double h) {
    const omi_island *is = c->is;
    int implicit = 0;
    for (int r = 0; r < is->rows; ++r) c->implicit_row[r] = 0, c->load[r] = c->compliance[r] = c->end_rate[r] = 0.0;
    for (int e = 0; e < is->elements; ++e) {
        int r = is->element_row[e], mode = c->st->mode[e];
        double rate = c->rows.rate[r], value = c->rows.value[r];
        if (!mode) continue;
        if (mode == 3 || mode == -3) {
            c->load[r] += h * omi_element_force(c, e, mode, value, rate);
        } else if (c->active[r]) {
            double force = omi_element_force(c, e, mode, value, c->goal_rate[r]);
            c->load[r] += h * fmax(-is->max_force[e], fmin(is->max_force[e], force));
        } else {
            c->implicit_row[r] = implicit = 1;
            double time = omi_ahead(c, e, h);
            c->compliance[r] += (is->stiffness[e] * time + is->damping[e]) * h * c->st->scale[e];
            c->end_rate[r] += h * omi_element_force(c, e, mode, value + time * rate, rate);
        }
    }
    return implicit;
}

/* The rate at which a bound would be reached just at the end of the step; what has come over it goes
 * along with it. */
static double rate_to_bound(const omi_context *c, int r, int side, double h) {
    double end = omi_bound(c, r, side, h), left = (end - c->rows.value[r]) / h;
    return left * side < 0.0 ? (end - omi_bound(c, r, side, 0.0)) / h : left;
}

/* By how much rates of rigid rows have to change, into c->rhs. */
static void rate_defects(omi_context *c, double h) {
    for (int r = 0; r < c->is->rows; ++r) {
        double wanted = c->touched[r] ? rate_to_bound(c, r, c->touched[r], h) : c->goal_rate[r];
        c->rhs[r] = wanted - c->rows.rate[r];
    }
}

/* dV into c->delta, impulses l into c->lambda. */
static void solve_velocities(omi_context *c, double h, double eps) {
    const omi_island *is = c->is;
    for (int i = 0; i < 6 * is->bodies; ++i) c->force[i] = 0.0;
    for (int r = 0; r < is->rows; ++r)
        c->active[r] = is->kind[r] == OMI_LOCK || c->touched[r];
    int implicit = element_rows(c, h);
    rate_defects(c, h);
    for (int r = 0; r < is->rows; ++r) {
        if (c->load[r] != 0.0) omi_apply_row(c, r, c->load[r], c->force);
        if (!c->implicit_row[r]) continue;
        c->active[r] = 1;
        c->compliance[r] = 1.0 / fmax(c->compliance[r], 1e-300);
        c->rhs[r] = c->end_rate[r] * c->compliance[r];
    }
    omi_factorize(&c->factor, implicit ? c->compliance : 0, eps, 0);
    omi_solve(&c->factor, c->force, c->rhs, 1, c->delta, c->lambda);
    omi_least_norm(c, c->lambda, c->acc);
}

/* Change bounds and modes that are otherwise than was assumed; whether there were any. */
static int update_active(omi_context *c, double h, int may_let_go) {
    const omi_island *is = c->is;
    int changed = 0;
    for (int r = 0; r < is->rows; ++r) {
        if (is->kind[r] == OMI_LOCK || omi_is_brought_in(c, r)) continue;
        if (c->touched[r]) {
            if (may_let_go && c->lambda[r] * c->touched[r] > PULLS) c->touched[r] = 0, changed = 1;
            continue;
        }
        double rate = c->rows.rate[r] + omi_row_rate(c, r, c->delta);
        for (int side = -1; side <= 1; side += 2)
            if ((rate - rate_to_bound(c, r, side, h)) * side > PASSES) c->touched[r] = side, changed = 1;
    }
    for (int e = 0; e < is->elements; ++e) {
        int r = is->element_row[e], mode = c->st->mode[e], want;
        double rate = c->touched[r] ? 0.0 : c->rows.rate[r] + omi_row_rate(c, r, c->delta);
        double value = c->rows.value[r] + omi_ahead(c, e, h) * rate;
        want = omi_element_mode(c, e, value, rate, value, rate);
        c->element_force[e] = mode ? omi_element_force(c, e, mode, value, rate) : 0.0;
        if (want == mode || (!may_let_go && want == 0)) continue;
        c->st->mode[e] = want;
        changed = 1;
    }
    return changed;
}

/* The pose onto the rows as well as can be: a round that does not bring rows nearer is halved, from
 * where it was best. Returns the residual. */
static double project_damped(omi_context *c, double *x, double *rot, const double *v) {
    const omi_island *is = c->is;
    int n = 6 * is->bodies, halvings = 0;
    double best = INFINITY;
    for (int round = 0; round <= ITERATIONS; ++round) {
        omi_evaluate(c, x, rot, v);
        double off = omi_residual(c), most = 0.0;
        if (off < best) {
            if (off < HOLDS || round == ITERATIONS) return off;
            best = off;
            halvings = 0;
            omi_copy_pose(is, c->x, c->rot, x, rot);
            omi_project(c, damping(off, is->size), c->goal, c->rows.value, 1);
            for (int i = 0; i < n; ++i)
                most = fmax(most, fabs(c->delta[i]) / is->roots[i] / (i % 6 < 3 ? is->size : 1.0));
            most = most > FARTHEST ? FARTHEST / most : 1.0;
        } else {
            omi_copy_pose(is, x, rot, c->x, c->rot);
            if (++halvings > RETREATS || round == ITERATIONS) break;
            most = 0.5;
        }
        for (int i = 0; i < n; ++i) c->delta[i] *= most;
        omi_displace(is, x, rot, c->delta);
    }
    omi_evaluate(c, x, rot, v);
    return omi_residual(c);
}

/* The velocities that have led from the pose at the start in h seconds. */
static void secant_velocity(const omi_context *c, double h) {
    const omi_island *is = c->is;
    for (int b = 0; b < is->bodies; ++b) {
        double turned[9], way[3];
        product_back(turned, c->rot0 + 9 * b, c->st->rotation + 9 * b);
        logarithm(way, turned);
        for (int i = 0; i < 3; ++i) {
            const double *root = is->roots + 6 * b;
            double *v = c->st->velocity + 6 * b;
            v[i] = root[i] * (c->st->position[3 * b + i] - c->x0[3 * b + i]) / h;
            v[3 + i] = root[3 + i] * way[i] / h;
        }
    }
}

/* Bounds and modes at the end of the step, and dV in c->delta. */
static void search_active(omi_context *c, double h, double eps) {
    const omi_island *is = c->is;
    for (int r = 0; r < is->rows; ++r) c->touched[r] = c->st->side[r];
    for (int i = 0; i < 6 * is->bodies; ++i) c->delta[i] = 0.0;
    update_active(c, h, 0);
    for (int round = 0; round < TRIES; ++round) {
        solve_velocities(c, h, eps);
        if (!update_active(c, h, round < TRIES / 2)) break;
    }
}

/* Velocities of point 4: those with all impulses, less what rigid rows would answer to free forces alone. */
static void remove_reactions(omi_context *c, double h, double eps) {
    const omi_island *is = c->is;
    int any = 0;
    for (int r = 0; r < is->rows; ++r) {
        any |= c->implicit_row[r] || c->load[r] != 0.0;
        if (c->implicit_row[r]) c->active[r] = 0;
    }
    if (!any) return;
    rate_defects(c, h);
    for (int i = 0; i < 6 * is->bodies; ++i) c->st->velocity[i] += c->delta[i];
    omi_factorize(&c->factor, 0, eps, 0);
    omi_solve(&c->factor, 0, c->rhs, 1, c->delta, c->lambda);
    for (int i = 0; i < 6 * is->bodies; ++i) c->st->velocity[i] -= c->delta[i];
}

/* J, from the kinetic energy: with the potential one of weights. */
static double energy_with(const omi_context *c, double sum) {
    const omi_island *is = c->is;
    for (int b = 0; b < is->bodies; ++b)
        for (int k = 0; k < 3; ++k)
            sum -= is->weight[6 * b + k] * is->roots[6 * b + k] * c->st->position[3 * b + k];
    return sum;
}

/* Whether nothing but weights can give the island energy. */
static int is_conservative(const omi_context *c) {
    const omi_island *is = c->is;
    if (is->elements) return 0;
    for (int i = 0; i < 6 * is->others; ++i)
        if (c->other[i] != 0.0) return 0;
    for (int r = 0; r < is->rows; ++r)
        if (c->st->excess[r] != 0.0 && c->st->span[OMI_AGE] < BRINGING_IN) return 0;
    return 1;
}

/* Projections have given energy that no weight has: velocities lose it again, but for the part that
 * momenta ask for. */
static void dissipate(omi_context *c, double before, const omi_momenta *momenta) {
    int n = 6 * c->is->bodies;
    double all = omi_kinetic_energy(c, c->st->velocity, 0), more = energy_with(c, all) - before;
    if (!(more > 0.0)) return;
    omi_copy(c->acc, c->st->velocity, n);
    for (int i = 0; i < n; ++i) c->st->velocity[i] = 0.0;
    omi_restore_momenta(c, momenta);
    double inner = all - omi_kinetic_energy(c, c->st->velocity, 0), part = sqrt(fmax(1.0 - more / fmax(inner, 1e-300), 0.0));
    for (int i = 0; i < n; ++i) c->st->velocity[i] += part * (c->acc[i] - c->st->velocity[i]);
}

/* Impulses of joints: l again, without what brings in locks or what contradictions bear (reactions.c). */
static void bear(omi_context *c, double h, double eps, double *wrench) {
    omi_set_goals(c, 0.0);
    solve_velocities(c, h, fmax(eps, FELT));
    for (int r = 0; r < c->is->rows; ++r) c->lambda[r] = c->implicit_row[r] ? 0.0 : c->lambda[r] / h;
    omi_add_wrench(c, h, 1, wrench);
}

/* Move bodies by their velocities, and back onto the rows. Those may pull them over bounds that were
 * not met before: these are met as well. */
static void move(omi_context *c, double h) {
    const omi_island *is = c->is;
    omi_state *st = c->st;
    for (int i = 0; i < 6 * is->bodies; ++i) c->delta[i] = h * st->velocity[i];
    omi_prescribe(c, st->position, st->rotation, st->position, st->rotation, h);
    omi_displace(is, st->position, st->rotation, c->delta);
    for (int b = 0; b < is->bodies; ++b) orthonormalize(st->rotation + 9 * b);
    for (int again = 0, passed = 1; again < AGAIN && passed; ++again) {
        for (int r = passed = 0; r < is->rows; ++r) st->side[r] = c->touched[r];
        omi_activate(c, h);
        project_damped(c, st->position, st->rotation, st->velocity);
        for (int r = 0; r < is->rows; ++r) {
            int side = omi_side_beyond(c, r, c->rows.value[r], h, PASSES);
            if (side && !c->active[r]) c->touched[r] = side, passed = 1;
        }
    }
}

/* Velocities with the impulses of contacts with which none is passed by the end of the step, by the factor
 * and the changes dV of all other rows; and with what rows answer to those, as else a light body that holds a
 * heavy one would be thrown by them. Returns whether there are any. */
static int bear_contacts(omi_context *c, double h, double *wrench) {
    omi_pushes *p = &c->near;
    int n = 6 * c->is->bodies;
    omi_find_contacts(c, h);
    for (omi_contact *one = c->contact; one < c->contact + c->contacts; ++one) {
        if (one->gap > -DEEP) continue;
        one->gap = INFINITY;
        one->push = one->force[0] = one->force[1] = one->force[2] = 0.0;
    }
    if (!omi_find_near(c, h, h) || !p->contacts) return 0;
    p->all = p->count;
    omi_find_responses(c, 1);
    for (int i = 0; i < n; ++i) c->acc[i] = c->st->velocity[i] + c->delta[i], c->force[i] = 0.0;
    for (int r = 0; r < c->is->rows; ++r) c->rhs[r] = 0.0;
    omi_find_gaps(c, h);
    for (int i = 0; i < p->all; ++i)
        p->free_rate[i] = p->bias[i] + omi_push_rate(p, i, c->acc) + (omi_is_across(p, i) ? 0.0 : p->gap[i] / h);
    omi_push(c, 1, OMI_BEGINS);
    for (int i = 0; i < p->count; ++i)
        if (p->row[i] >= 0) p->push[i] = 0.0;
    for (int i = 0; i < n; ++i) c->force[i] = 0.0;
    omi_apply_pushes(c, p->push, c->force);
    omi_solve(&c->factor, c->force, 0, c->rounds, c->delta, c->lambda);
    omi_add_wrench(c, 1.0, 0, wrench);
    for (int i = 0; i < n; ++i) c->st->velocity[i] += c->delta[i];
    for (int i = 0; i < p->count; ++i)
        if (p->contact[i] >= 0) omi_note_contact(c, i, h);
    omi_evaluate(c, c->st->position, c->st->rotation, c->st->velocity);
    return 1;
}

/* Go on by h seconds. wrench: [joints][6] to which impulses are added. */
void omi_first_order(omi_context *c, double h, double *wrench) {
    const omi_island *is = c->is;
    omi_state *st = c->st;
    omi_momenta before;
    omi_momenta_of(c, &before);
    int alone = is_conservative(c);
    double energy = energy_with(c, omi_kinetic_energy(c, c->st->velocity, 0));
    omi_activate(c, 0.0);
    double eps = damping(project_damped(c, st->position, st->rotation, st->velocity), is->size);
    omi_copy_pose(is, c->x0, c->rot0, st->position, st->rotation);
    free_rotation(is, st->velocity, h);
    for (int i = 0; i < 6 * is->bodies; ++i) st->velocity[i] += h * is->weight[i];
    omi_add_weight(c, h, &before);
    for (int r = 0; r < is->rows; ++r) st->side[r] = omi_is_brought_in(c, r) ? st->side[r] : 0;
    omi_set_goals(c, h);
    omi_evaluate(c, st->position, st->rotation, st->velocity);
    search_active(c, h, eps);
    if (c->surfaces && bear_contacts(c, h, wrench)) search_active(c, h, eps);
    remove_reactions(c, h, eps);
    bear(c, h, eps, wrench);
    move(c, h);
    secant_velocity(c, h);
    omi_evaluate(c, st->position, st->rotation, st->velocity);
    omi_project(c, eps, c->goal_rate, c->rows.rate, 1);
    for (int i = 0; i < 6 * is->bodies; ++i) st->velocity[i] += c->delta[i];
    omi_restore_centre(c, h, &before);
    omi_restore_momenta(c, &before);
    if (alone) dissipate(c, energy, &before);
    st->span[OMI_LAST] = 0.0;
}
