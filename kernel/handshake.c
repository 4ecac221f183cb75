/* SPDX-License-Identifier: MIT */
/* By what the caller knows that this library is the one that it expects. */
#include "collide.h"
#include "omi_kernel.h"
#include "surfaces.h"

int omi_kernel_version(void) { return OMI_KERNEL_VERSION; }
int omi_size_of(int which) {
    static const int bytes[] = {sizeof(omi_island),   sizeof(omi_state), sizeof(omi_report),   sizeof(omi_shape),
                                sizeof(omi_manifold), sizeof(omi_sweep), sizeof(omi_surfaces), sizeof(omi_touch_point)};
    return bytes[which];
}

#ifdef _WIN32
/* What Windows calls when it loads the library; C's own start, which it replaces, is not linked. */
int DllMainCRTStartup(void *library, unsigned long reason, void *reserved);
int DllMainCRTStartup(void *library, unsigned long reason, void *reserved) {
    (void)library;
    (void)reason;
    (void)reserved;
    return 1;
}
#endif

#ifdef __APPLE__
/* What clang calls there to clear a struct, freestanding or not; else the system's library has it. */
void __bzero(void *memory, unsigned long size) __attribute__((visibility("hidden")));
void __bzero(void *memory, unsigned long size) {
    for (volatile char *byte = memory; size > 0; --size) *byte++ = 0;
}
#endif
