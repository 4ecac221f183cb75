/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Included before the kernel that the fuzz watches: between the parts of its workspace lies memory
 * that AddressSanitizer lets nobody touch, so that running from one part into the next is seen. */
#ifndef GAPS_H
#define GAPS_H

#include <sanitizer/asan_interface.h>

enum { GAP = 16 }; /* doubles */

#define OMI_GAP(end, counting) gap_behind(end, counting)

/* Return where the next part begins; where parts are only counted there is no memory. */
static inline double *gap_behind(double *end, int counting) {
    if (!counting) ASAN_POISON_MEMORY_REGION(end, GAP * sizeof *end);
    return end + GAP;
}
#endif
