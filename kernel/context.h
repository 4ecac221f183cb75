/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of one call share: the workspace, and rows at a moment. */
#ifndef OMI_CONTEXT_H
#define OMI_CONTEXT_H
#include "factor.h"
#include "kinematics.h"

#define HOLDS 1e-11      /* m or rad: residual of rows that needs no projection */
#define TOUCH 1e-8       /* m or rad: within it a bound is touched */
#define BRINGING_IN 0.5  /* s: in which rows are met that the rest pose violates */
#define PROJECTIONS 8
#define FELT 1e-4 /* where joints may contradict: singular values below its root bear nothing */

typedef struct {
    const omi_island *is;
    omi_state *st;
    const double *other; /* [others][6] velocities */
    double h;            /* s: length of the step that is tried */
    double give;         /* s: in which what is too stiff to be followed gives way */
    double size;         /* m */
    double little;       /* OMI_LITTLE where joints close loops, else 0 */
    int rounds;          /* proximal ones, likewise */
    double off;          /* square of the largest excess that comes in, over the size */
    /* One moment. */
    double *x, *rot, *vel; /* pose of all bodies, scaled velocities */
    omi_rows rows;
    int knows_rows;      /* whether they are those of the state */
    double *force, *acc, *delta; /* [bodies][6] scaled */
    double *rhs, *lambda, *compliance, *load; /* [rows]; load: explicit forces of elements */
    double *held, *held_rate, *held_acc;      /* [rows] what active rows are held at */
    double *element_force;                    /* [elements] */
    omi_factor factor;
    double *pivots, *blocks; /* [stages] of the factor, in trees */
    int is_factored;     /* where the fit began: in trees good enough for what is left */
    int *active, *servo; /* [rows]; servo: implicit rows of stiff elements */
    int *row_joint;
    /* Elements. */
    double *omega; /* [elements] rad/s */
    int *flip;
    /* A step. */
    double *a, *new_a, *stage_v, *theta;
    double *stage_value, *stage_rate, *stage_lambda, *stage_multiplier;
    double *start_value, *start_rate, *end_value, *end_rate;
    double *wrench; /* [joints][6] impulses of the step */
    double *x0, *rot0, *start_spin;
    int *touched;
    double *saved, *tried; /* states at the beginning of the output step, and of a step within it */
} omi_context;

int omi_lay_out(const omi_island *is, omi_context *c, omi_state *st, const double *other,
                double *work);
void omi_copy(double *to, const double *from, int count);

/* What rows are active by locks and sides, and what they are held at, some time into the step. */
void omi_hold(omi_context *c, const int *side);
void omi_hold_at(omi_context *c, double time);
/* Whether a bound is being brought in, and is held meanwhile. */
int omi_comes_in(const omi_context *c, int row);
double omi_bound(const omi_context *c, int row, int side, double time);
int omi_beyond(const omi_context *c, int row, double value, double time, double by);

/* kinematics.c: the rows at a pose of all bodies and scaled velocities. Quaternions and twists are
 * continued from those of the state, which says at which bounds rows press. */
void omi_look(omi_context *c, const double *x, const double *rot, const double *v);
void omi_displace(const omi_island *is, double *x, double *rot, const double *by);
/* Move bodies that move by themselves. */
void omi_carry(const omi_context *c, const double *x0, const double *rot0, double *x, double *rot,
               double time);
/* By how much the worst active row is off, and its rate. */
double omi_residual(const omi_context *c);
double omi_slip(const omi_context *c);
/* Bring a pose, of the last look, onto the active rows in some rounds; damped ones after so many. */
double omi_fit(omi_context *c, double *x, double *rot, const double *v, int rounds, int undamped,
               int proximal);
/* Into c->delta: what brings the active rows of the last look from what they are to what is wanted. */
void omi_bring(omi_context *c, double little, const double *wanted, const double *are, int rounds);
/* Velocities onto the active rows, where the last look was; it must have been at them. */
void omi_fit_velocity(omi_context *c, double *v);
/* Multipliers of least norm that move bodies as those in c->lambda, with the last factor. */
void omi_least_norm(omi_context *c, double *spare);
/* The same whatever rows act on: least norm of forces, and not of forces over inertia. Where rows
 * are off, what next to nothing follows from is no load. */
void omi_share_evenly(omi_context *c);
/* Rate that scaled velocities of bodies give a row. */
static inline double omi_pull(const omi_context *c, int row, const double *velocity) {
    const int *ends = c->is->ends + 2 * c->row_joint[row];
    const double *entry = c->rows.entry + 12 * row;
    double rate = 0.0;
    for (int i = 0; i < 12; ++i)
        if (ends[i / 6] < c->is->bodies) rate += entry[i] * velocity[6 * ends[i / 6] + i % 6];
    return rate;
}
/* Add what the forces c->lambda do to the connected bodies of joints in some time; they are lost.
 * With elements, but for drives, or without. */
void omi_wrench(omi_context *c, double time, int elements, double *wrench);

/* elements.c */
double omi_law(const omi_context *c, int element, int mode, double value, double rate);
/* What an element does there. A soft limit pushes only out of its range, and never pulls. One that
 * gives way in the time to come, see dynamics.c, goes by where the coordinate would be then, and its
 * rate; a drive at its most stays there until its law asks for less where the coordinate is. */
int omi_wanted(const omi_context *c, int element, double value, double rate, double then, double later);
void omi_judge(omi_context *c, double dt);

/* dynamics.c: accelerations into c->acc, forces of rigid rows into c->lambda, at the moment c->x,
 * c->rot, c->vel of the last look; the velocity is made to fit the rows first where loops are closed.
 * multiplier: [rows] of all rows, or 0; again: in it are those nearby, where c->factor is from. */
void omi_accelerate(omi_context *c, double *multiplier, int again);
/* Forces of rows at that moment that are loads of joints, into c->lambda. */
void omi_joint_loads(omi_context *c);

/* collocation.c: one step from the state; 0 if the sweeps do not settle. *ratio: by how much the
 * step should have been longer. */
int omi_collocate(omi_context *c, double h, double tolerance, double *ratio);

/* bounds.c: Lagrange's polynomials of some nodes, and their slopes; when things change. */
void omi_lagrange(const double *node, int count, double t, double *out, double *slope);
double omi_first_event(omi_context *c);
void omi_meet_bounds(omi_context *c, double *wrench);

/* momentum.c */
typedef struct {
    double mass, centre[3], linear[3], angular[3], inertia[9]; /* angular: about the centre */
} omi_momenta;
void omi_momenta_of(const omi_context *c, omi_momenta *out);
/* What weights add to them in h seconds. */
void omi_add_weight(const omi_context *c, double h, omi_momenta *to);
/* Where an island floats. */
void omi_keep_centre(omi_context *c, double h, const omi_momenta *before);
void omi_give_back(omi_context *c, const omi_momenta *before);

/* crawl.c: one step of first order that always ends. */
void omi_crawl(omi_context *c, double h, double *wrench);
#endif
