/* SPDX-License-Identifier: MIT */
/* One island of a mechanism, stepped by Gauss collocation in maximal coordinates.
 *
 * README.md says what is where and how a step goes; what each file does is derived at its head, but
 * for the rows of joints, which solver/kinematics derives. Nothing here allocates, keeps anything
 * between calls, or needs a C library. Matrices are row-major; rotations turn body axes into world
 * axes; "scaled" velocities are sqrt(m) v in world axes, then sqrt(I) w in body axes. SI units.
 */
#ifndef OMI_KERNEL_H
#define OMI_KERNEL_H

#define OMI_KERNEL_VERSION 12
#define OMI_STAGES 3

#ifdef _WIN32
#define OMI_API __declspec(dllexport)
#else
#define OMI_API __attribute__((visibility("default")))
#endif

/* What a row of a rotation is, with q = (v, s) the relative quaternion, i the axis, phi the angle at which it is held
 * and c + i e = exp(i phi / 2): solver/kinematics derives them. */
enum omi_kind {
    OMI_FREE = 0, /* a distance, a twist 2 atan2(v_i, s), or several axes together */
    OMI_LOCK = 1, /* held rigidly: a distance less its lock, or 2 (c v_i - e s) */
    OMI_HELD = 2  /* a twist that is held softly: phi + 2 asin(c v_i - e s) */
};

/* Coordinates of several axes together: distance from the axes X, Y, Z (6 to 8) and from the origin
 * (9), angle between both axes X, Y, Z (10 to 12), whole angle (13). */
enum omi_together { OMI_LINE = 6, OMI_POINT = 9, OMI_CONE = 10, OMI_WHOLE = 13 };

/* What does not change: the caller's arrays. */
typedef struct {
    int bodies; /* that forces move; they come first */
    int others; /* that move by themselves or stand still; they follow */
    int joints, rows, elements;
    int closed;  /* whether joints close loops, so that rows may follow from others */
    double size; /* m, of the island: what its errors are measured by */
    const double *roots;      /* [bodies][6] roots of mass (three times) and principal inertia */
    const double *weight;     /* [bodies][6] scaled weights, world axes */
    const int *ends;          /* [joints][2] joint's own body, connected body */
    const double *anchors;    /* [joints][2][3] from the centres of mass, body axes, m */
    const double *axes;       /* [joints][2][9] axes of frames as columns, body axes */
    const int *axle;          /* [joints] the one axis it turns about if no row is its, else -1 */
    const int *row_start;     /* [joints + 1] */
    const int *coordinate;    /* [rows] 0 to 2 distances, 3 to 5 rotations, then omi_together */
    const int *kind;          /* [rows] omi_kind */
    const double *hold;       /* [rows] m or rad where OMI_LOCK or OMI_HELD holds, else 0 */
    const double *low, *high; /* [rows] rigid bounds of rows that are no locks, else infinite */
    /* Springs, soft limits, drives. */
    const int *element_row; /* [elements] */
    const int *is_drive;    /* [elements] else a spring or soft limit */
    const int *one_sided;   /* [elements] a soft limit with a range */
    const int *accelerates; /* [elements] stiffness and damping are times the inertia they move */
    const double *stiffness, *damping, *soft_low, *soft_high; /* [elements] */
    const double *target, *speed, *max_force;                 /* [elements] */
    /* Elimination: nodes are bodies (0 ...) and joints (bodies ...), see factor.c. */
    int nodes, blocks;
    const int *order;       /* [nodes] */
    const int *later_start; /* [nodes + 1] by place in the order */
    const int *later_node;  /* [blocks] neighbours that are eliminated later, in that order */
    const int *update;      /* for each two of them, in order: the block between them */
} omi_island;

/* Length of the last step, 0 for none, s; length to try next, s; age since all began, s; how many output
 * steps still go at first order before order six is tried again (a number); and for how many s bounds still are
 * met by steps of RATTLE. */
enum omi_span { OMI_LAST, OMI_NEXT, OMI_AGE, OMI_WAIT, OMI_CHATTER, OMI_SPANS };

/* What a retry or a checkpoint must restore. */
typedef struct {
    double *position; /* [bodies + others][3] */
    double *rotation; /* [bodies + others][9] */
    double *velocity; /* [bodies][6] scaled */
    double *value;    /* [rows] of twists: unwrapped */
    double *half;     /* [joints][4] quaternion x y z w of the connected frame, continued */
    double *angle;    /* [joints] rad about axles, over all turns */
    double *excess;   /* [rows] m or rad by which a rigid row was violated at first, with sign */
    double *guess;    /* [OMI_STAGES][bodies][6] scaled accelerations of the last step */
    double *span;     /* [OMI_SPANS] s, by omi_span; OMI_WAIT is a number */
    int *side;        /* [rows] 1 at the upper bound, -1 at the lower one, 0 free */
    int *mode;        /* [elements] 0 nothing, 1 or -1 its law (of that side), 3 or -3 its most; there is no 2 */
    double *scale;    /* [elements] what stiffness and damping are times: 1, or the inertia that a
                       * drive that accelerates moves; kg or kg m^2, found at the start of a step */
    int *stiff;       /* [elements] 1 where it is too stiff to be followed; likewise */
} omi_state;

typedef struct {
    int steps;       /* that were taken */
    int events;      /* bounds met or left, elements that changed */
    int first_order; /* steps of first order among them */
    int substeps;    /* steps of RATTLE among them */
    int retries;     /* steps that were tried again, shorter: no failure of the output step */
    int unfollowed;  /* elements that push, move and are too stiff to be followed, most in a step of
                      * sixth order */
    int done;        /* 0 where the output step failed: the state is as it was, slower */
    int left_out;    /* points of contact for which there was no room where it ended */
    double gap;      /* m or rad, how far rigid rows are off at the end */
} omi_report;

OMI_API int omi_kernel_version(void);
/* Bytes of a struct: island, state, report, shape, manifold, sweep, surfaces, touch_point. */
OMI_API int omi_size_of(int which);
/* Number of doubles that the functions below want as workspace: of islands that are built alike the
 * most that any of them wants, as each bound takes room. */
OMI_API int omi_workspace(const omi_island *island);
/* All of these take so many islands that are built alike, one after another. Each is computed by
 * itself: nothing depends on the others. other_velocity: [count][others][6] world axes.
 *
 * Prepare states of which position, rotation and velocity are set (and value, half, and angle within
 * half a turn, where continued): all else follows. Velocities that joints do not allow are taken out. */
OMI_API void omi_begin(const omi_island *island, omi_state *state, int count,
                       const double *other_velocity, int continued, double *work);
/* Advance by dt seconds, at constant other_velocity. most: s, no step is longer; 0 for one step of
 * first order. wrench: [count][joints][6] impulses of joints without drives on the connected body,
 * N s and N m s about the joint frame's origin, world axes. Returns the largest gap over the size of
 * an island, 1 m at least; infinity where one could not be done. */
OMI_API double omi_step(const omi_island *island, omi_state *state, int count,
                        const double *other_velocity, double dt, double most, double tolerance,
                        double *wrench, double *work, omi_report *report);
/* Unit quaternions [count][4] x y z w, w >= 0, of rotations [count][9]. */
OMI_API void omi_quaternions(const double *rotation, int count, double *out);
#endif
