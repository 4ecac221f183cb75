/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef OMI_KINEMATICS_H
#define OMI_KINEMATICS_H
#include "omi_kernel.h"

/* All rows at one moment. */
typedef struct {
    double *value, *rate, *drift; /* [rows] */
    double *entry;                /* [rows][2][6] scaled */
    double *along;                /* [rows][3] world axis along or about which a row acts */
    double *stretch;              /* [rows] rates of what springs see, over those of rows */
    double *gap;                  /* [joints][3] from the joint frame's origin to the connected one */
    double *half;                 /* [joints][4] */
    double *inverse;              /* [bodies][6] of roots */
    double *spin;                 /* [joints][3] of the connected frame in the joint's, rad/s */
} omi_rows;
#endif
