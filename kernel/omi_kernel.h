/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One island of a mechanism, stepped by Gauss collocation in maximal coordinates.
 *
 * The mathematics stands above the NumPy reference (solver/kinematics, dynamics, integrator); this
 * follows it row by row. Nothing here allocates, keeps anything between calls, or needs a library.
 * Matrices are row-major; rotations turn body axes into world axes.
 */
#ifndef OMI_KERNEL_H
#define OMI_KERNEL_H

#define OMI_KERNEL_VERSION 1
#define OMI_STAGES 3

#ifdef _WIN32
#define OMI_API __declspec(dllexport)
#else
#define OMI_API __attribute__((visibility("default")))
#endif

enum omi_result { OMI_OK = 0, OMI_STUCK = 1 };

/* What does not change: the caller's arrays. */
typedef struct {
    int bodies;  /* that forces move; they come first */
    int others;  /* that move by themselves or stand still; they follow */
    int joints, rows, elements;
    int closed;  /* whether joints close loops, so that rows may follow from others */
    double size; /* m, of the island: what its errors are measured by */
    const double *roots;        /* [bodies][6] roots of mass (three times) and principal inertia */
    const double *weight;       /* [bodies][6] scaled weights and constant forces, world axes */
    const int *ends;            /* [joints][2] */
    const double *anchors;      /* [joints][2][3] from the centres of mass, body axes, m */
    const double *axes;         /* [joints][2][9] axes of frames as columns, body axes */
    const int *row_start;       /* [joints + 1] */
    const int *coordinate;      /* [rows] 0 to 2 distances, 3 to 5 rotations */
    const int *locked;          /* [rows] */
    const double *lock_angle;   /* [rows] rad */
    const double *low, *high;   /* [rows] rigid bounds of rows that are no locks */
    /* Springs, soft limits, drives. */
    const int *element_row;     /* [elements] */
    const int *one_sided;       /* [elements] a soft limit with a range */
    const double *stiffness, *damping, *soft_low, *soft_high; /* [elements] */
    const double *target, *speed, *max_force;                 /* [elements] */
    /* Elimination: nodes are bodies (0 ...) and joints (bodies ...), see solver/linalg. */
    int nodes, blocks;
    const int *order;           /* [nodes] */
    const int *later_start;     /* [nodes + 1] by place in the order */
    const int *later_node;      /* [blocks] neighbours that are eliminated later, in that order */
    const int *update;          /* for each two of them, in order: the block between them */
} omi_island;

/* What a retry or a checkpoint must restore. */
typedef struct {
    double *position;  /* [bodies + others][3] */
    double *rotation;  /* [bodies + others][9] */
    double *velocity;  /* [bodies][6] scaled: world axes, then body axes */
    double *value;     /* [rows] unwrapped */
    double *guess;     /* [OMI_STAGES][bodies][6] scaled accelerations of the last step */
    double *span;      /* [2] s: length of that step, 0 for none; length to try next */
    int *side;         /* [rows] 1 at the upper bound, -1 at the lower one, 0 free */
    int *mode;         /* [elements] */
} omi_state;

typedef struct {
    int steps, events, failures, sweeps;
    double drift, gap;
} omi_report;

/* What the caller's description of all this must agree with; sizes in bytes. */
OMI_API int omi_kernel_version(void);
OMI_API int omi_island_size(void);
OMI_API int omi_state_size(void);
OMI_API int omi_report_size(void);

OMI_API int omi_workspace(const omi_island *island);
/* other_velocity: [others][6] world axes, constant during the step. impulse: [rows] N s. */
OMI_API int omi_step(const omi_island *island, omi_state *state, const double *other_velocity,
                     double dt, double tolerance, double *impulse, double *work,
                     omi_report *report);
#endif
