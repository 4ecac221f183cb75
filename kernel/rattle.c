/* SPDX-License-Identifier: MIT */
/* Many bounds at once: steps of RATTLE (Andersen 1983) with inequalities, of fixed length in time.
 *
 * Where bounds chatter there is no next event to go to: a ragdoll meets a hundred in a second. So steps h are short, of
 * order two, and what bounds do is found for all of them at once. From the pose (x, R), with all forces in f but
 * gyroscopic torques, and impulses l and n of its start and its end,
 *
 *     V' = V + h/2 f + E^T l                                       E at the start
 *     x+ = x + h v',   R+ = R exp(t),   t = h I^-1 exp(-t/2) I w'  angular momentum is kept
 *     locks are 0 and bounds are not passed at the end, l of bounds pushes only:
 *                                                y+ = g,   0 <= l, gap+ >= 0, l gap+ = 0
 *     V+ = V" + h/2 f + E^T n,   V" is V' with spins carried on, I w" = exp(-t) I w';
 *                                locks have the rates of their goals, and bounds that are touched
 *                                are not approached: they stop what hits them, as in touching.c
 *
 * Contacts are bounds that rub as well, by Coulomb's law (cones.c): in l against the mean of how they slip at the
 * start and at the end of the step, in n against how they slip with V+; and they bounce in n (bounce.c).
 *
 * Between both halves of forces the angular momentum R I w of a body stays as it is, whatever t is, since R+ = R exp(t)
 * takes back what exp(-t) turns. The equation for t, an implicit midpoint, is its own inverse at -h. Gyroscopic torques
 * are nothing else than that turning of I w. l is found by Newton's method with the slope h E E^T of the start: the
 * factor of locks alone serves all rounds, and the bounds near enough to be met are a small dense problem on its
 * responses (cones.c). The factor at the end is that of the next step's start. A step in which that does not settle is
 * halved (HALVINGS times at most), and the next one doubled again once one is done; so is one in which something deep
 * was not seen (PASSED, contacts.c), or, where bodies may touch and no element gives way, that gains energy (RISES). The
 * shortest is without pushing out then, but of what was not seen: what joints hold inside of another stays. Positions
 * answer for the locks, so they do not come apart, nothing has to be projected, momenta of what floats are kept, and
 * energy has no trend: only impacts, friction and damping take it.
 *
 * Of very many, contacts are soft (turns.c): l is found once, and then only locks are met; in the end l + n, the
 * impulse of the whole step, meets the rates.
 *
 * Elements act as forces at both ends, their damping implicit at the second (trapezoidal: it only takes). One whose
 * phase goes by more than FAST in a step acts at the end alone, by its law a step ahead; but a drive of a speed is in
 * the factor of locks, as a row that gives way (kicks.c).
 */
#include "context.h"

/* s: 16 in a frame of 1/60. A ragdoll that hangs is some 2 mm off after a second. */
#define SUBSTEP (1.0 / 960.0)
/* s: where bodies touch, too, and order two counts for less. */
#define SUBSTEP_TOUCHING (1.0 / 480.0)
/* Rounds of Newton's method with the slope of the start: the error shrinks by h w in each, w the spins of bodies in
 * rad/s, so ten do, and two more what was added meanwhile. */
#define ROUNDS 12
/* m or rad, and a part of the size: how well rows are met. */
#define MET 1e-10
/* The same, of what is apart before a step: RATTLE leaves less by far, and first order what it cannot hold by more. Ten
 * times or a tenth moves no heap. */
#define APART 1e-6
/* Rounds in which friction is solved for, too; what is left of it then is of second order. */
#define RUBS 2
#define SETTLES 0.3 /* of what was left: a round after the third that leaves more does not settle */
#define HALVINGS 6 /* of one step, at most */
#define ADDINGS 8 /* times bounds are added that were not thought near: once did wherever it was tried */
#define MODES 6 /* rounds in which elements find their modes */
/* Of the time asked for: what is left by less is rounding; steps that are no longer never end, and none is taken. */
#define NO_TIME 1e-12
/* A step is not taken whose impulses of rows and contacts give more energy than this part of the kinetic one and of
 * what half a kick gives to what rests, beside what pushes out and what bodies of prescribed motion give (bounce.c): it
 * has turned too far for E of its start. */
#define RISES 2e-5
/* So many times that is accepted in the shortest step; beyond, the rest goes at first order. What jams gives far more,
 * so ten times or a tenth moves one heap of 70; with ten times grams joined to tons gain energy (4528 of the fuzz). */
#define SOARS 10.0
/* rad: what a round that has moved a rotation by less leaves is rounding: each leaves some |t| times what it moved. */
#define TURNED 1e-13
#define BEYOND 1e150 /* root of kg m^2: what nothing turns, as FIXED in momentum.c */

/* Whether anything turns a body about each of its axes. */
static int can_turn(const double *root) { return root[0] < BEYOND && root[1] < BEYOND && root[2] < BEYOND; }

/* The rotation vector of a body in h seconds, from its angular momentum l in body axes at the start:
 * I t / h = exp(-t/2) l, by Newton's method with the slope I / h - [l'] / 2, from one nearby. */
static void turn_freely(const double *root, double h, const double *v, double *t) {
    double inertia[3], l[3], by_half[9], middle[3], slope[9], off[3], by[3];
    for (int i = 0; i < 3; ++i) inertia[i] = root[i] * root[i], l[i] = root[i] * v[i];
    for (int i = 0; i < 3 && !can_turn(root); ++i) t[i] = h * v[i] / root[i];
    for (int round = 0; round < 8 && can_turn(root); ++round) {
        const double half_way[3] = {0.5 * t[0], 0.5 * t[1], 0.5 * t[2]};
        double most = 0.0;
        exponential(by_half, half_way);
        turn_back(middle, by_half, l);
        for (int i = 0; i < 3; ++i) {
            int j = (i + 1) % 3, k = (i + 2) % 3;
            off[i] = middle[i] - inertia[i] * t[i] / h;
            slope[4 * i] = inertia[i] / h;
            slope[3 * i + j] = 0.5 * middle[k];
            slope[3 * i + k] = -0.5 * middle[j];
        }
        if (!solve_three(by, slope, off)) return;
        for (int i = 0; i < 3; ++i) t[i] += by[i], most = fmax(most, fabs(by[i]));
        if (most < TURNED) return;
    }
}

/* Bodies of the state where velocities lead from c->x0, c->rot0 in h seconds; c->theta their ways. */
static void fly(omi_context *c, double h, const double *velocity) {
    const omi_island *is = c->is;
    omi_state *st = c->st;
    for (int b = 0; b < is->bodies; ++b) {
        double *t = c->theta + 3 * b;
        for (int k = 0; k < 3; ++k)
            st->position[3 * b + k] = c->x0[3 * b + k] + h * velocity[6 * b + k] * c->rows.inverse[6 * b + k];
        turn_freely(is->roots + 6 * b + 3, h, velocity + 6 * b + 3, t);
        turn_on(st->rotation + 9 * b, c->rot0 + 9 * b, t);
        orthonormalize(st->rotation + 9 * b);
    }
    omi_prescribe(c, c->x0, c->rot0, st->position, st->rotation, h);
}

/* Velocities of the flight, c->vel, as they are at its end: spins about axes that have turned. */
static void carry(omi_context *c) {
    const omi_island *is = c->is;
    for (int b = 0; b < is->bodies; ++b) {
        const double *root = is->roots + 6 * b + 3, *v = c->vel + 6 * b + 3;
        double turned[9], l[3] = {root[0] * v[0], root[1] * v[1], root[2] * v[2]}, own[3];
        exponential(turned, c->theta + 3 * b);
        turn_back(own, turned, l);
        for (int k = 0; k < 3; ++k) {
            c->st->velocity[6 * b + k] = c->vel[6 * b + k];
            c->st->velocity[6 * b + 3 + k] = can_turn(root) ? own[k] / root[k] : v[k];
        }
    }
}

/* Where a step starts (time 0) or ends (time h): contacts, the factor of its locks, what is near for h seconds from
 * there on, and A. */
static int factor_near(omi_context *c, double h, double time) {
    omi_activate(c, time);
    c->are_driven = 0;
    if (time > 0.0) omi_factorize(&c->factor, 0, c->eps, 0);
    else omi_factor_positions(c, h);
    omi_find_contacts(c, h);
    if (!omi_find_near(c, h, time)) return 0;
    c->near.all = c->near.count;
    omi_find_responses(c, 1);
    return 1;
}

/* How far rows are off at the end of the flight: locks, and what pushes or is passed, but where that is soft. */
static double off_by(omi_context *c, double h) {
    omi_pushes *p = &c->near;
    double off = omi_residual(c);
    omi_find_gaps(c, h);
    for (int i = 0; i < p->count && !p->many; i += omi_numbers(p, i))
        off = fmax(off, p->push[i] > 0.0 ? fabs(p->gap[i]) : -p->gap[i]);
    return off;
}

/* Change velocities of the flight by what rows and pushes answer, and impulses at the start, of locks and of drives. */
static void correct(omi_context *c, int rubs) {
    for (int i = 0; i < 6 * c->is->bodies; ++i) c->force[i] = 0.0;
    omi_push(c, rubs, OMI_ACTS);
    for (int i = 0; i < 6 * c->is->bodies; ++i) c->vel[i] += c->delta[i];
    for (int r = 0; r < c->is->rows; ++r)
        if (c->active[r]) c->borne[r] += c->lambda[r];
        else if (c->are_driven && c->holds[r]) c->driven[r] += c->lambda[r];
}

/* Impulses at the start for which locks have the rates of their goals there, and nothing that pushes is passed,
 * where none are known from the step before: a flight without them may lead so far that the slope of the start
 * says little. What rubs is as it was. */
static void guess(omi_context *c, double h) {
    const omi_island *is = c->is;
    omi_pushes *p = &c->near;
    for (int i = 0; i < 6 * is->bodies; ++i) c->delta[i] = c->vel[i] - c->start_velocity[i];
    for (int r = 0; r < is->rows; ++r) c->rhs[r] = c->goal_rate[r] - c->rows.rate[r] - omi_row_rate(c, r, c->delta);
    omi_find_drive_defects(c);
    omi_find_gaps(c, h);
    for (int i = 0; i < p->count; ++i)
        p->free_rate[i] = (omi_is_across(p, i) ? 0.0 : p->gap[i] / h) + p->bias[i] + omi_push_rate(p, i, c->vel);
    correct(c, 0);
}

/* Rates across contacts, the mean of those of the start and of the end: where a wheel touches goes on
 * meanwhile, and a coin that rolls on its rim would gain 19 % of its energy in 5 s by those of the start. */
static void find_slips(omi_context *c) {
    omi_pushes *p = &c->near;
    carry(c);
    for (int i = 0; i < p->count; i += omi_numbers(p, i))
        for (int k = 0, t = i + 1; p->contact[i] >= 0 && k < 2; ++k, ++t) {
            const omi_contact *one = c->contact + p->contact[i];
            double entry[12], later, now = p->bias[t] + omi_push_rate(p, t, c->vel);
            omi_contact_entry(c, one, one->across[k], entry, &later);
            later += omi_rate(c->is, one->body, entry, c->st->velocity);
            p->free_rate[t] = 0.5 * (now + later);
        }
}

/* In how many rounds friction is solved for: one where contacts are soft, by as many turns as two would take (turns.c). */
static int most_rubs(const omi_pushes *p) { return p->many ? 1 : RUBS; }

/* Fly with the impulses at the start with which locks and bounds are met at the end, and with which
 * nothing is passed; velocities with them into c->vel. 0 where that does not settle. That is judged after one round
 * with friction or drives at the earliest. */
static int meet(omi_context *c, double h) {
    omi_pushes *p = &c->near;
    double met = MET * fmax(c->is->size, 1.0), off = INFINITY;
    int added = 0, rubs = p->contacts ? most_rubs(p) : 0;
    omi_set_goals(c, h);
    omi_copy(c->vel, c->st->velocity, 6 * c->is->bodies);
    for (int r = 0; r < c->is->rows; ++r)
        if (!c->active[r]) c->borne[r] = 0.0;
    omi_apply_all(&c->factor, c->borne, c->vel);
    if (c->are_driven) omi_apply_all(&c->factor, c->driven, c->vel);
    omi_apply_pushes(c, p->push, c->vel);
    if (!c->is_guessed) guess(c, h);
    c->is_guessed = 1;
    for (int round = 0; round < ROUNDS; ++round, rubs -= rubs > 0) {
        double before = off;
        fly(c, h, c->vel);
        omi_evaluate(c, c->st->position, c->st->rotation, 0);
        off = off_by(c, h);
        if (off < met && rubs < most_rubs(p) && (round || !c->are_driven)) {
            int more = omi_add_passed(c, h);
            if (more == 0) break;
            if (more < 0 || ++added > ADDINGS) return 0;
            p->all = p->count;
            omi_find_responses(c, 0);
            omi_find_gaps(c, h);
            off = INFINITY;
            rubs = p->contacts ? most_rubs(p) : 0;
            round = 0; /* were this the last one, what was added would count as met */
        } else if (round == ROUNDS - 1 || !(off < INFINITY) || (round > 3 && off > SETTLES * before)) {
            return 0;
        }
        for (int r = 0; r < c->is->rows; ++r) c->rhs[r] = (c->goal[r] - c->rows.value[r]) / h;
        omi_find_drive_defects(c);
        for (int i = 0; i < p->count; i += omi_numbers(p, i)) p->free_rate[i] = p->gap[i] / h;
        if (rubs) find_slips(c);
        else if (p->many) p->all = 0; /* what pushes stays as it is while locks are met */
        correct(c, rubs > 0);
    }
    omi_least_norm(c, c->borne, c->acc); /* each round adds to what moves nothing */
    for (int i = 0; i < p->count; ++i)
        if (p->row[i] >= 0 && p->push[i] > 0.0) c->borne[p->row[i]] -= p->side[i] * p->push[i];
    return 1;
}

/* J, which are asked for where something may touch. */
static double energy_at(const omi_context *c, const double *v, const double *more) {
    return c->surfaces ? omi_kinetic_energy(c, v, more) : 0.0;
}

/* The second half of forces, and velocities that rows allow, at the state's pose, where rows were evaluated: bounds
 * that are touched are not approached any more. next: s, of the step after, for which the factor is made. led: J that
 * bodies of prescribed motion have given before. Returns J that rows and contacts give beside those, 0 where elements
 * give way with them. */
static double finish_step(omi_context *c, double h, double next, double led) {
    omi_pushes *p = &c->near;
    int yields = 0;
    double before_push = 0.0;
    for (int r = 0; r < c->is->rows; ++r) c->implicit_row[r] = 0;
    p->all = p->touched;
    for (int round = 0; round < MODES; ++round) {
        yields |= omi_half_kick(c, h, 1);
        if (yields) {
            omi_factorize(&c->factor, c->compliance, c->eps, 0);
            omi_find_responses(c, 1);
        }
        omi_set_rates(c, h, 1);
        before_push = energy_at(c, c->st->velocity, c->force);
        omi_push(c, 1, p->many ? OMI_ACTS_HALF : OMI_BEGINS);
        if (!omi_change_modes(c, h)) break;
        omi_begin_pushes(c); /* the next round begins where this one did */
    }
    omi_limit_bounce(c, h, led);
    before_push += omi_work_of_others(c, c->st->velocity, c->lambda, p->change);
    double has = energy_at(c, c->st->velocity, c->delta);
    for (int i = 0; i < 6 * c->is->bodies; ++i) c->st->velocity[i] += c->delta[i];
    for (int r = 0; r < c->is->rows; ++r) {
        c->rows.rate[r] += omi_row_rate(c, r, c->delta);
        if (!c->implicit_row[r]) c->impulse[r] += c->lambda[r];
        c->active[r] &= !c->implicit_row[r];
    }
    omi_note_elements(c, h, 1);
    for (int i = 0; i < p->touched; ++i)
        if (p->contact[i] >= 0) omi_add_contact_force(c, i, p->change, 1.0 / h);
    omi_begin_pushes(c);
    p->all = p->count;
    if (!yields) return has - before_push;
    omi_factor_positions(c, next);
    omi_find_responses(c, 1);
    return 0.0;
}

/* Bounds that are brought in keep their sides, and are held; all others are free to leave. */
static void free_bounds(omi_context *c) {
    for (int r = 0; r < c->is->rows; ++r)
        if (!omi_is_brought_in(c, r)) c->st->side[r] = 0;
}

/* One step of h seconds from the state's pose, where all is known, and what is to be known for the next one; 0 where it
 * has passed something (the shortest step and soft contacts may), -1 where rows and contacts contradict each other or
 * it would give energy: nothing comes out of another then. */
static int step(omi_context *c, double h, double next, int is_last) {
    const omi_island *is = c->is;
    omi_state *st = c->st;
    double most = energy_at(c, st->velocity, 0);
    for (int r = 0; r < is->rows; ++r) c->implicit_row[r] = 0;
    omi_copy(c->start_velocity, st->velocity, 6 * is->bodies);
    omi_half_kick(c, h, 0);
    most = RISES * (most + energy_at(c, c->force, 0));
    omi_note_elements(c, h, 0);
    for (int i = 0; i < 6 * is->bodies; ++i) st->velocity[i] += c->force[i];
    omi_copy_pose(is, c->x0, c->rot0, st->position, st->rotation);
    omi_copy(c->start_spin, c->rows.spin, 3 * is->joints);
    double gain = -energy_at(c, st->velocity, 0);
    if (!meet(c, h)) return -1;
    c->near.all = c->near.count;
    double led = omi_work_of_others(c, c->start_velocity, c->borne, c->near.push);
    gain = c->are_driven ? 0.0 : gain + energy_at(c, c->vel, 0) - led;
    most += omi_note_pushes(c, h);
    carry(c);
    omi_evaluate(c, st->position, st->rotation, st->velocity);
    if (!factor_near(c, h, h) || (c->has_passed && !is_last && !c->near.many)) return 0;
    gain += finish_step(c, h, next, led);
    if (c->surfaces && gain > most * (is_last ? SOARS : 1.0)) return -1;
    omi_accept(c, h, c->start_spin);
    free_bounds(c);
    for (int i = 0; i < c->contacts; ++i) c->contact[i].bore = c->contact[i].push > 0.0;
    return 1;
}

/* Nothing is known of the step before. */
static void clear_guesses(omi_context *c) {
    for (int r = 0; r < c->is->rows; ++r) c->borne[r] = c->driven[r] = c->trend[r] = 0.0;
    for (int i = 0; i < 3 * c->is->bodies; ++i) c->theta[i] = 0.0;
    c->is_guessed = c->steady = 0;
}

/* Evaluate and factor where the state is. */
static int open_step(omi_context *c, double h) {
    free_bounds(c);
    omi_evaluate(c, c->st->position, c->st->rotation, c->st->velocity);
    return factor_near(c, h, 0.0);
}

/* Bring together what is apart, as first order leaves what it cannot hold: within a step that would be fast.
 * Returns whether it is. */
static int join(omi_context *c) {
    omi_state *st = c->st;
    double most = APART * c->is->size;
    omi_activate(c, 0.0);
    omi_evaluate(c, st->position, st->rotation, st->velocity);
    if (!(omi_residual(c) > most)) return 1;
    omi_copy_pose(c->is, c->x0, c->rot0, st->position, st->rotation);
    c->is_factored = 0;
    double off = omi_project_pose(c, st->position, st->rotation, st->velocity, PROJECTIONS, PROJECTIONS, c->rounds);
    c->is_factored = 0;
    if (off < most) return 1;
    omi_copy_pose(c->is, st->position, st->rotation, c->x0, c->rot0);
    return 0;
}

/* Go on by some time as far as it goes, and return how far. most: s, no step is longer. wrench: [joints][6], impulses
 * are added. The next step after one that was halved and done is twice as long, and begins with twice the impulses. */
double omi_rattle(omi_context *c, double time, double most, double *wrench, omi_report *report) {
    const omi_island *is = c->is;
    double full = time / ceil(time / fmin(c->surfaces ? SUBSTEP_TOUCHING : SUBSTEP, most) - 1e-9), h = full, rest = time;
    c->factor.entry = c->rows.entry;
    for (int r = 0; r < is->rows; ++r) c->bears[r] = c->st->side[r], c->impulse[r] = 0.0;
    clear_guesses(c);
    int halvings = 0, ready = full > NO_TIME * time && join(c) && open_step(c, h);
    while (rest > NO_TIME * time && ready && halvings <= HALVINGS) {
        if (rest < h * (1.0 + 1e-9)) h = rest;
        int grows = h < full && rest - h > h;
        double left = rest - h, next = grows ? 2.0 * h : h;
        if (left < next * (1.0 - 1e-9)) next = left > NO_TIME * time ? left : full;
        omi_copy_state(c, c->step_start, 0);
        omi_copy(c->start_impulse, c->impulse, is->rows);
        int done = step(c, h, next, halvings == HALVINGS);
        if (done > 0) {
            if (!c->surfaces) omi_note_unfollowed(c, report);
            omi_expect_impulses(c, h, next, h == full && next == h && !c->near.contacts);
            rest = left, h = next, halvings -= grows, report->steps++, report->substeps++;
            continue;
        }
        c->stays_inside |= done < 0 && halvings == HALVINGS - 1;
        omi_copy_state(c, c->step_start, 1);
        omi_copy(c->impulse, c->start_impulse, is->rows);
        clear_guesses(c);
        report->retries++, ++halvings, h *= 0.5;
        ready = open_step(c, h);
    }
    omi_copy(c->lambda, c->impulse, is->rows);
    omi_least_force(c);
    omi_add_wrench(c, 1.0, 0, wrench);
    c->st->span[OMI_LAST] = 0.0;
    return time - rest;
}
