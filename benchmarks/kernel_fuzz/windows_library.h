/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads the kernel of Windows into a program of Linux on the same processor.
 *
 * The library needs nothing of a system, so this is all that Windows does with it: its sections are
 * put where they belong in memory, addresses in them are moved by where that is, and functions are
 * found by name. They take their arguments by Microsoft's convention. Layout: PE/COFF specification,
 * "Optional Header Data Directories", ".reloc" and ".edata".
 */
#ifndef WINDOWS_LIBRARY_H
#define WINDOWS_LIBRARY_H

#include <sys/mman.h>

#define WINDOWS __attribute__((ms_abi))

static struct {
    int(WINDOWS *workspace)(const omi_island *);
    void(WINDOWS *begin)(const omi_island *, omi_state *, int, const double *, int, double *);
    double(WINDOWS *step)(const omi_island *, omi_state *, int, const double *, double, double, double,
                          double *, double *, omi_report *);
    void(WINDOWS *quaternions)(const double *, int, double *);
} windows;

#define omi_workspace windows.workspace
#define omi_begin windows.begin
#define omi_step windows.step
#define omi_quaternions windows.quaternions

static uint32_t word(const char *at) {
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

/* Return the address of a function, 0 where there is none of this name. */
static void *exported(const char *image, const char *directories, const char *name) {
    const char *table = image + word(directories);
    for (uint32_t i = 0; i < word(table + 24); ++i) {
        if (strcmp(image + word(image + word(table + 32) + 4 * i), name)) continue;
        uint16_t place;
        memcpy(&place, image + word(table + 36) + 2 * i, sizeof place);
        return (void *)(image + word(image + word(table + 28) + 4 * place));
    }
    return 0;
}

/* Move each address in the image by where it lies. */
static void relocate(char *image, const char *directories, uint64_t by) {
    char *block = image + word(directories + 40), *end = block + word(directories + 44);
    for (; block < end; block += word(block + 4))
        for (uint32_t i = 8; i < word(block + 4); i += 2) {
            uint16_t entry;
            memcpy(&entry, block + i, sizeof entry);
            if (entry >> 12 != 10) continue;
            char *at = image + word(block) + (entry & 0xfff);
            uint64_t address;
            memcpy(&address, at, sizeof address);
            address += by;
            memcpy(at, &address, sizeof address);
        }
}

static int load_windows_library(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) return 0;
    static char bytes[1 << 20];
    if (!fread(bytes, 1, sizeof bytes, file)) return 0;
    fclose(file);
    const char *header = bytes + word(bytes + 0x3c), *optional = header + 24;
    uint16_t sections, before;
    uint64_t base;
    memcpy(&sections, header + 6, sizeof sections);
    memcpy(&before, header + 20, sizeof before);
    memcpy(&base, optional + 24, sizeof base);
    char *image = mmap(0, word(optional + 56), PROT_READ | PROT_WRITE | PROT_EXEC,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (image == MAP_FAILED) return 0;
    for (int i = 0; i < sections; ++i) {
        const char *section = optional + before + 40 * i;
        uint32_t there = word(section + 8), stored = word(section + 16);
        memcpy(image + word(section + 12), bytes + word(section + 20), stored < there ? stored : there);
    }
    const char *directories = optional + 112;
    relocate(image, directories, (uint64_t)image - base);
    *(void **)&windows.workspace = exported(image, directories, "omi_workspace");
    *(void **)&windows.begin = exported(image, directories, "omi_begin");
    *(void **)&windows.step = exported(image, directories, "omi_step");
    *(void **)&windows.quaternions = exported(image, directories, "omi_quaternions");
    return windows.workspace && windows.begin && windows.step && windows.quaternions;
}
#endif
