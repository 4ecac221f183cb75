/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef OMI_KINEMATICS_H
#define OMI_KINEMATICS_H
#include "omi_kernel.h"

/* All rows at one moment. */
typedef struct {
    double *value, *rate, *drift; /* [rows] */
    double *entry;                /* [rows][2][6] scaled */
} omi_rows;

/* position, rotation: of all bodies; velocity: [bodies][6] scaled; other: [others][6] world. */
void omi_evaluate(const omi_island *island, const double *position, const double *rotation,
                  const double *velocity, const double *other, omi_rows *rows);
#endif
