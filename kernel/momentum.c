/* SPDX-License-Identifier: MIT */
/* Momenta of an island that floats: what nothing holds keeps them but for weights. Damped projections
 * and implicit steps (first_order.c) do not, so what they take is given back as a motion of all
 * bodies like one rigid body, which joints between them do not feel:
 *
 *     dv_b = dp / m + s x (x_b - x_c),   dw_b = s,   s = J^-1 dL
 *
 * with the mass m, the centre x_c, the inertia J about it, and what linear and angular momenta (about
 * the centre) lack, dp and dL. The centre itself falls by the mean of its speeds at the start and
 * the end of the step, which is exact, as weights are constant.
 */
#include "context.h"

/* Root of a mass or inertia that nothing moves: the square is all but infinite. Nothing else hangs
 * on it. */
#define FIXED 1e150

/* Whether nothing but weights acts on the island from outside. */
static int floats(const omi_context *c) {
    const omi_island *is = c->is;
    if (c->contacts) return 0;
    for (int i = 0; i < 2 * is->joints; ++i)
        if (is->ends[i] >= is->bodies) return 0;
    for (int i = 0; i < 6 * is->bodies; ++i)
        if (!(is->roots[i] < FIXED)) return 0;
    return 1;
}

/* Of the state. */
void omi_momenta_of(const omi_context *c, omi_momenta *out) {
    const omi_island *is = c->is;
    *out = (omi_momenta){0.0, {0.0}, {0.0}, {0.0}, {0.0}};
    for (int b = 0; b < is->bodies; ++b) {
        double root = is->roots[6 * b];
        out->mass += root * root;
        for (int i = 0; i < 3; ++i) {
            out->centre[i] += root * root * c->st->position[3 * b + i];
            out->linear[i] += root * c->st->velocity[6 * b + i];
        }
    }
    for (int i = 0; i < 3; ++i) out->centre[i] /= out->mass;
    for (int b = 0; b < is->bodies; ++b) {
        const double *root = is->roots + 6 * b, *v = c->st->velocity + 6 * b;
        const double *rot = c->st->rotation + 9 * b;
        double arm[3], push[3], own[3], turned[3], about[3];
        for (int i = 0; i < 3; ++i) {
            arm[i] = c->st->position[3 * b + i] - out->centre[i];
            push[i] = root[i] * v[i];
            own[i] = root[3 + i] * v[3 + i];
        }
        turn(turned, rot, own);
        cross(about, arm, push);
        for (int i = 0; i < 3; ++i) {
            out->angular[i] += turned[i] + about[i];
            for (int j = 0; j < 3; ++j) {
                double inertia = -root[0] * root[0] * arm[i] * arm[j];
                if (i == j) inertia += root[0] * root[0] * dot(arm, arm);
                for (int k = 0; k < 3; ++k)
                    inertia += rot[3 * i + k] * root[3 + k] * root[3 + k] * rot[3 * j + k];
                out->inertia[3 * i + j] += inertia;
            }
        }
    }
}

/* Add what weights do to momenta in h seconds. */
void omi_add_weight(const omi_context *c, double h, omi_momenta *to) {
    const omi_island *is = c->is;
    for (int b = 0; b < is->bodies; ++b) {
        double arm[3], push[3], about[3];
        for (int i = 0; i < 3; ++i) {
            arm[i] = c->st->position[3 * b + i] - to->centre[i];
            push[i] = h * is->roots[6 * b + i] * is->weight[6 * b + i];
            to->linear[i] += push[i];
        }
        cross(about, arm, push);
        for (int i = 0; i < 3; ++i) to->angular[i] += about[i];
    }
}

/* Move all bodies alike, so that the centre is where it falls to in h seconds. `before`: momenta at
 * the start, with what weights have added by now. */
void omi_restore_centre(omi_context *c, double h, const omi_momenta *before) {
    const omi_island *is = c->is;
    omi_momenta now, weightless = *before;
    if (!floats(c)) return;
    omi_momenta_of(c, &now);
    omi_add_weight(c, -h, &weightless);
    for (int i = 0; i < 3; ++i) {
        double speed = 0.5 * (before->linear[i] + weightless.linear[i]) / now.mass;
        double by = before->centre[i] + h * speed - now.centre[i];
        for (int b = 0; b < is->bodies; ++b) c->st->position[3 * b + i] += by;
    }
}

/* Add the motion of one rigid body that gives the island the momenta of before. */
void omi_restore_momenta(omi_context *c, const omi_momenta *before) {
    const omi_island *is = c->is;
    omi_momenta now;
    double spin[3], lost[3];
    if (!floats(c)) return;
    omi_momenta_of(c, &now);
    for (int i = 0; i < 3; ++i) lost[i] = before->angular[i] - now.angular[i];
    if (!solve_three(spin, now.inertia, lost)) return;
    for (int b = 0; b < is->bodies; ++b) {
        const double *root = is->roots + 6 * b;
        double *v = c->st->velocity + 6 * b, arm[3], way[3], own[3];
        for (int i = 0; i < 3; ++i) arm[i] = c->st->position[3 * b + i] - now.centre[i];
        cross(way, spin, arm);
        turn_back(own, c->st->rotation + 9 * b, spin);
        for (int i = 0; i < 3; ++i) {
            v[i] += root[i] * (way[i] + (before->linear[i] - now.linear[i]) / now.mass);
            v[3 + i] += root[3 + i] * own[i];
        }
    }
}
