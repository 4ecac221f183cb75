/* SPDX-License-Identifier: MIT */
/* The workspace of one call, and the functions that share it.
 *
 * Symbols, here and in all files, for an island of n bodies with r rows:
 *
 *     x, R       positions of centres of mass, m; rotations, world from body axes
 *     V          scaled velocities sqrt(m) v, sqrt(I) w, each squared twice a kinetic energy in J:
 *                so the mass matrix is one
 *     a, f       scaled accelerations and forces, a = f for a free body
 *     y, y', y'' values of rows, m or rad, their rates and accelerations, y'' = E a + drift
 *     E          [r][2 x 6] scaled Jacobian, y' = E V plus what the bodies of prescribed motion do
 *     l          multipliers: forces of rows, N or N m (impulses where velocities are sought); E^T l
 *                acts on the bodies; a force at an upper bound is negative, as it pushes back
 *     g          goals: what active rows are to be (goals.c)
 *     eps        proximal term of the elimination (factor.c)
 *     h          the length of a step, s
 *
 * A capital letter, c, s or u that the head of a file defines holds in that file alone. Arrays named half or angle,
 * here and in the state, are of what omi_kernel.h says; where half of a step or of a length is meant it says so.
 */
#ifndef OMI_CONTEXT_H
#define OMI_CONTEXT_H
#include "algebra.h"
#include "collide.h"
#include "factor.h"
#include "surfaces.h"

/* m or rad (and a second, for rates): a row that is off by less needs no projection, but for trees in
 * steps of sixth order (NEAR in collocation.c). Some thousand times what rounding leaves
 * at 10 m. With 1e-9 a loop leaves its dead centre by the wrong branch: what is left over a small
 * singular value is a large displacement. */
#define HOLDS 1e-11
/* m or rad: within it a bound is touched. More than HOLDS, to which events are found. Little
 * hangs on it (README, Constants). */
#define TOUCH 1e-8
/* s: in which rows meet their bounds that the rest pose violates. Long enough for the eye to see
 * that something is wrong, and for bodies not to be thrown. */
#define BRINGING_IN 0.5
/* Rounds of projection at the end of a step: Newton's method takes two; the last four are damped. More
 * change nothing; with one, what contradicts itself is tried again four times as often. */
#define PROJECTIONS 8
/* Where rows contradict each other by d, forces answer with d / s^2 for a singular value s of rows
 * of length one: below the root of this, 1e-2, they bear nothing. */
#define FELT 1e-4

/* All rows at one moment. */
typedef struct {
    double *value, *rate, *drift; /* [rows] y, y', and y'' where no body accelerates */
    double *entry;                /* [rows][2][6] E */
    double *along;                /* [rows][3] world axis along or about which a row acts */
    double *stretch;              /* [rows] rates of what springs see, over those of rows */
    double *gap;                  /* [joints][3] m, from the joint frame's origin to the connected one */
    double *half;                 /* [joints][4] quaternion x y z w that turns the joint's frame into the other one */
    double *inverse;              /* [bodies][6] of roots */
    double *spin;                 /* [joints][3] of the connected frame in the joint's, rad/s */
} omi_rows;

/* Bounds that may push soon, at most so many of an island. */
#define OMI_BOUNDS 128
/* Unknown impulses, three a contact and one a bound: of more than so many A is not made, and contacts are soft
 * (turns.c). OMI_MANY where the island has rows, as a ragdoll of 20 boxes that lies has fewer; OMI_HEAP where it has
 * none: a stack of ten has fewer, and what is exact takes 80 ms a frame for fifty points. */
#define OMI_MANY 300
#define OMI_HEAP 130
/* How many differences of impulses say what rows will bear (rattle.c): with one flights are 3.4 a step of a ragdoll that
 * hangs, with two 3.07, with four 2.95, and 3.99 with none. */
#define OMI_TREND 2
/* Soft contacts, by one law (turns.c, a = 5 and z = 30): they give way by 1 / (a (2 z + a)), and what is inside of
 * something comes out by such a part in a step, a / (2 z + a). */
#define OMI_GIVES 0.00308
#define OMI_COMES_OUT 0.0769
/* m/s: what is inside of something comes out no faster, soft or exact (contacts.c, pushes.c). */
#define OMI_PUSHED_OUT 0.2

/* A point in which two bodies touch, or nearly do: contacts.c. */
typedef struct {
    int pair, id, body[2];     /* of the surfaces; which point of them; a, b */
    double normal[3], across[2][3]; /* from a to b; both directions across it, world axes */
    double at[2][3];           /* from the centre of mass to the core's point, body axes, m */
    double beyond[2];          /* m, from there to the surface */
    int is_rim[2];             /* whether that is across an axis, and not along the normal */
    double axis[2][3];         /* body axes */
    double gap, inside;        /* m; and the gap that may be left at the end of a step, 0 or less */
    const double *mix;         /* static and dynamic friction, restitution */
    double closing;            /* m/s at which it will have met, if it does not bear already */
    double push, rub[2];       /* N s, at the start of the last step: l of rattle.c */
    int sticks;                /* whether it did not slide then */
    /* Whether: it may be met in the step; it is a point of the step before; it has been found again in the next one;
     * it bore in the last step that was taken, as push may be of one that was tried in vain. */
    int is_near, goes_on, is_over, bore;
    double point[3];           /* where it was found, on a */
    double force[3];           /* N on b, mean of the last step */
} omi_contact;

/* A column of Q (cones.c): up to three numbers from one on. */
typedef struct omi_column {
    int first, count;
    double of[3], by[3], soft;
} omi_column;

/* Which bounds and contacts push: pushes.c, cones.c. A bound has one number, a contact three: that along its normal, and
 * behind it both across. What takes part is always the first so many. */
typedef struct {
    int room;
    int count, touched; /* numbers of what is near; the first of them are touched */
    int contacts;       /* among what is near */
    int all;            /* how many of the first take part now */
    int *row, *side;    /* [room] the bound, 1 the upper and -1 the lower one; else the row is -1 */
    int *contact;       /* [room] of a normal that of the list of contacts; else -1 */
    int *body;          /* [room][2] */
    int *pushes;        /* [room] of a normal or bound whether it pushes, of what is across whether it sticks */
    double *entry;      /* [room][2][6] scaled Jacobian of the rate at which it parts */
    double *bias;       /* [room] what bodies of prescribed motion do to it */
    double *friction;   /* [room][2] static, dynamic */
    const omi_island *is;
    int *held, *part, *joined, *size; /* [bodies + others] whether joints hold a body; one of those that are joined
                                       * with it, and the next of them, all round; of that one how many they are */
    int most_moved;     /* bodies that one may move, at most */
    double *reply;      /* [room][most_moved][6] what an impulse of one does to those */
    double *motion;     /* [bodies + others][6] and what all of them do */
    double *own, *beside; /* [room] rates by their own impulses; of what is across by that along the normal */
    int known;          /* of how many replies and rates above are known */
    double softness;    /* of a response: how soft contacts are now */
    int many;           /* whether there is no A, as there are so many */
    int wide;           /* numbers in A at most */
    double *response;   /* [wide][wide] A: rates by impulses of one */
    /* [room] gap: m or rad to it, none of what is across. free_rate: m/s or rad/s at which it parts without new
     * impulses, as omi_push is told. push: N s or N m s that it bears; change: by how much the last omi_push has
     * changed that, and with_bounce what that is where contacts bounce as they would (bounce.c). */
    double *gap, *free_rate, *push, *change, *with_bounce;
    /* [room] While impulses are sought (cones.c, turns.c): base: q, rates without any of them; next: what is sought;
     * rate: A u + q, with s where it is one along a normal. shift: s. mu: as it slides or sticks. weight: D.
     * across_slope: L across p. from: x0. tried: u. search: r, then du. search_rate: A du. answer: A r. spare: g. */
    double *base, *next, *rate, *shift, *mu, *weight, *across_slope, *from, *tried, *search, *search_rate, *answer, *spare;
    double *along;      /* [room][2] the direction of p */
    int *grip;          /* [room] omi_grip */
    double *factor;     /* [wide][wide] */
    omi_column *column, *factored; /* [room] of Q; those of the factor */
    int columns, even, factored_columns, factored_even; /* the first of them are alike in Q and T Q */
} omi_pushes;

typedef struct {
    const omi_island *is;
    omi_state *st;
    const double *other; /* [others][6] m/s and rad/s of bodies of prescribed motion, world axes */
    double h;            /* s: length of the step that is tried */
    double horizon;      /* s ahead, at which the law of a stiff element is taken (dynamics.c) */
    double eps;          /* OMI_EPS where joints close loops, else 0 */
    int rounds;          /* proximal ones after the first: 2 where joints close loops, else 0 */
    double incoming;     /* square of the largest excess that is being brought in, over the size */
    /* One moment. */
    double *x, *rot, *vel;       /* pose of all bodies, V */
    omi_rows rows;               /* as of the last omi_evaluate */
    int rows_are_current;        /* whether they are those of the state */
    double *force, *acc, *delta; /* [bodies][6] f, a, and what a projection adds */
    double *rhs, *lambda;        /* [rows] of the linear systems; l */
    double *compliance, *load;   /* [rows] of implicit elements, first K, then 1 / K; forces of the others */
    double *goal, *goal_rate, *goal_acc; /* [rows] g, g', g'' */
    double *element_force;               /* [elements] N or N m */
    omi_factor factor;
    double *pivots, *blocks;    /* those of the factor: one set for each stage in trees, else one */
    int is_factored;            /* whether the factor is of a pose nearby, which will do in trees */
    int *active, *implicit_row; /* [rows] that are rigid now; that are implicit elements */
    int *row_joint;             /* [rows] */
    /* Elements. */
    double *omega; /* [elements] rad/s: how fast each is */
    double *acted; /* [elements] s: how long each has acted where a step of RATTLE starts */
    int *flip;     /* [elements] modes at the event that was found */
    /* A step: start, stages, end. */
    double *a, *new_a, *stage_v, *theta; /* [stages][bodies][6], theta [3]: rotation vectors */
    double *stage_value, *stage_rate, *stage_lambda, *stage_multiplier; /* [stages][rows] */
    /* [rows] of order six; in other steps impulses of implicit elements are summed in end_rate */
    double *start_value, *start_rate, *end_value, *end_rate;
    double *wrench;             /* [joints][6] impulses of the step */
    double *x0, *rot0;          /* pose that a step of first order or of RATTLE starts from */
    double *start_spin;         /* [joints][3] rad/s */
    int *touched;               /* [rows] side of the bound that is touched (touching.c), or that is met by the end
                                 * of a step of first order; else, and of locks, 0 */
    double *output_start, *step_start; /* states to go back to: of the output step, of a step in it */
    omi_pushes near;
    const omi_surfaces *surfaces; /* 0 where nothing touches */
    omi_contact *contact, *contact_before; /* [most_contacts] */
    int most_contacts, left_out; /* left_out: for how many there was no room when they were looked for */
    int contacts;
    int stays_inside;    /* whether nothing is pushed out that is inside of another, for the rest of the call */
    int has_passed;      /* whether anything is deeper in another than its pair was let be (contacts.c) */
    double *collide_work;
    double *trend;       /* [OMI_TREND][rows] by second, in the step before: borne, and how it and that had changed */
    int steady;          /* how many steps there are of which that is known, since anything else began to bear */
    double *borne;       /* [rows] impulses at the start of a step of RATTLE */
    double *start_velocity; /* [bodies][6] V before the first half kick */
    double *columns;     /* [nodes][6][6] what impulses on one body do */
    int *holds, are_driven; /* [rows] that are rigid, or driven while positions are met (kicks.c); if any is */
    double *driven, *drive_soft, *drive_rate; /* [rows] N s or N m s that drives bear then; 1 / K; what rate
                                                     * they seek */
    double *impulse, *start_impulse; /* [rows] of all steps of RATTLE in a call; those before the last step */
    int is_guessed;      /* whether impulses of locks are known from the step of RATTLE before */
    int *bears;          /* [rows] the side of the bound that has pushed in that one, or 0 */
} omi_context;

/* context.c */
void omi_open(omi_context *c, const omi_island *is, omi_state *st, const omi_surfaces *on,
              const double *other, double *work);
void omi_copy(double *to, const double *from, int count);
void omi_copy_pose(const omi_island *is, double *x, double *rot, const double *x0, const double *rot0);

/* goals.c */
void omi_activate(omi_context *c, double time);
void omi_set_goals(omi_context *c, double time);
int omi_is_brought_in(const omi_context *c, int row);
double omi_bound(const omi_context *c, int row, int side, double time);
int omi_side_beyond(const omi_context *c, int row, double value, double time, double by);
double omi_residual(const omi_context *c);
double omi_rate_residual(const omi_context *c);

/* kinematics.c */
void omi_find_velocity(const omi_context *c, int body, const double *rotation, const double *velocity, double *out);
void omi_evaluate(omi_context *c, const double *x, const double *rot, const double *v);

/* projection.c */
void omi_displace(const omi_island *is, double *x, double *rot, const double *by);
void omi_prescribe(const omi_context *c, const double *x0, const double *rot0, double *x, double *rot,
                   double time);
void omi_project(omi_context *c, double eps, const double *wanted, const double *are, int rounds);
double omi_project_pose(omi_context *c, double *x, double *rot, const double *v, int rounds,
                        int undamped, int proximal);
void omi_project_velocity(omi_context *c, double *v);

/* reactions.c */
void omi_least_norm(omi_context *c, double *l, double *spare);
void omi_least_force(omi_context *c);
void omi_reactions(omi_context *c);
void omi_add_wrench(omi_context *c, double time, int elements, double *wrench);

/* Rate of a row, E V, at scaled velocities of bodies; with accelerations, y'' less its drift. */
static inline double omi_row_rate(const omi_context *c, int row, const double *velocity) {
    return omi_rate(c->is, c->is->ends + 2 * c->row_joint[row], c->rows.entry + 12 * row, velocity);
}
/* Add what a force on a row does to bodies. */
static inline void omi_apply_row(const omi_context *c, int row, double force, double *out) {
    omi_apply(c->is, c->is->ends + 2 * c->row_joint[row], c->rows.entry + 12 * row, force, out);
}

/* elements.c */
double omi_element_force(const omi_context *c, int element, int mode, double value, double rate);
int omi_element_mode(const omi_context *c, int element, double value, double rate, double then,
                     double later);
void omi_classify_elements(omi_context *c, double dt);

/* dynamics.c */
void omi_forward_dynamics(omi_context *c, double *multiplier, int again);

/* collocation.c */
int omi_integrate(omi_context *c, double h, double tolerance, double *ratio);

/* events.c */
void omi_lagrange(const double *node, int count, double t, double *out, double *slope);
double omi_locate_event(omi_context *c);
double omi_pull_limit(const double *force, int count);

/* touching.c */
void omi_touch(omi_context *c, double *wrench);

/* momentum.c */
typedef struct {
    double mass, centre[3], linear[3], angular[3], inertia[9]; /* angular: about the centre */
} omi_momenta;
void omi_momenta_of(const omi_context *c, omi_momenta *out);
void omi_add_weight(const omi_context *c, double h, omi_momenta *to);
void omi_restore_centre(omi_context *c, double h, const omi_momenta *before);
void omi_restore_momenta(omi_context *c, const omi_momenta *before);

/* first_order.c */
void omi_first_order(omi_context *c, double h, double *wrench);

/* m/s and rad/s: rates of what rubs are found so well. */
#define OMI_SLIPS 1e-7
enum omi_grip { OMI_OFF, OMI_SLIDES, OMI_STICKS };
/* What is known of impulses, p->push. OMI_BEGINS: a first guess of all that is sought. OMI_ACTS: rates have it already,
 * and the sum is sought. OMI_ACTS_HALF: it is l of rattle.c, rates have it, and l + n is sought, guessed as 2 l. */
enum omi_acts { OMI_BEGINS, OMI_ACTS, OMI_ACTS_HALF };

/* The rate that velocities give to one, or to what is across one; without its bias. */
static inline double omi_push_rate(const omi_pushes *p, int i, const double *velocity) {
    return omi_rate(p->is, p->body + 2 * i, p->entry + 12 * i, velocity);
}
/* Of how many numbers there is no A. */
static inline int omi_many(const omi_pushes *p) { return p->is->rows ? OMI_MANY : OMI_HEAP; }
/* Whether a number is across a contact; how many numbers a bound or contact has. */
static inline int omi_is_across(const omi_pushes *p, int i) { return p->row[i] < 0 && p->contact[i] < 0; }
static inline int omi_numbers(const omi_pushes *p, int i) { return p->contact[i] < 0 ? 1 : 3; }

/* pushes.c */
void omi_add_replies(const omi_pushes *p, int i, int count, const double *by, double *restrict to);

/* cones.c */
void omi_respond(const omi_pushes *p, const double *v, double *restrict out);
double omi_part_that_serves(omi_pushes *p);
void omi_solve_at_once(omi_pushes *p, int rubs);

/* turns.c */
void omi_set_motion(const omi_pushes *p, const double *l);
int omi_take_turns(omi_pushes *p, int most, double settled, int rubs);
void omi_solve_pushes(omi_pushes *p, int rubs, enum omi_acts acts);

/* contacts.c */
void omi_find_contacts(omi_context *c, double h);
int omi_list_contacts(const omi_context *c, omi_touch_point *out, int room);
int omi_may_touch(omi_context *c, double dt);
int omi_is_inside(omi_context *c);
void omi_recall_contacts(omi_context *c, const omi_touch_point *from, int count);
double omi_contact_gap(const omi_context *c, const omi_contact *one);
void omi_contact_entry(const omi_context *c, const omi_contact *one, const double *along, double *entry,
                       double *bias);

/* pushes.c */
double omi_bound_gap(const omi_context *c, int row, int side, double time);
int omi_find_near(omi_context *c, double h, double time);
int omi_add_passed(omi_context *c, double h);
void omi_find_gaps(omi_context *c, double h);
void omi_add_contact_force(omi_context *c, int i, const double *l, double over);
void omi_note_contact(omi_context *c, int i, double h);
double omi_note_pushes(omi_context *c, double h);
void omi_apply_pushes(const omi_context *c, const double *l, double *out);
void omi_begin_pushes(omi_context *c);
void omi_find_responses(omi_context *c, int again);
void omi_push(omi_context *c, int rubs, enum omi_acts acts);

/* kicks.c */
double omi_ahead(const omi_context *c, int e, double h);
void omi_expect_impulses(omi_context *c, double h, double next, int is_steady);
void omi_factor_positions(omi_context *c, double h);
void omi_find_drive_defects(omi_context *c);
int omi_half_kick(omi_context *c, double h, int at_end);
void omi_note_elements(omi_context *c, double h, int at_end);
int omi_change_modes(omi_context *c, double h);

/* bounce.c */
void omi_set_rates(omi_context *c, double h, int bounces);
double omi_kinetic_energy(const omi_context *c, const double *v, const double *more);
double omi_work_of_others(const omi_context *c, const double *v, const double *on_rows, const double *l);
void omi_limit_bounce(omi_context *c, double h, double led_at_start);

/* rattle.c */
double omi_rattle(omi_context *c, double time, double most, double *wrench, omi_report *report);

/* output_step.c */
void omi_copy_state(omi_context *c, double *at, int restore);
void omi_accept(omi_context *c, double time, const double *start_spin);
void omi_note_unfollowed(const omi_context *c, omi_report *report);
#endif
