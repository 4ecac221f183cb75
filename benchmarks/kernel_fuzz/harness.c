/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps the islands of a file, as harness_input.py writes it, with the sanitizers watching.
 *
 * Each array is a piece of memory of its own and just as long as it has to be, so that one element
 * too far is seen. Which field it belongs to, the file says by the place in the struct: nothing here
 * knows the fields. Prints a line for each island: seed, calls, how many of them could not be done,
 * whether all is finite and what is constant is as it was, and a hash of all that was written.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "omi_kernel.h"
#ifdef OMI_WINDOWS_LIBRARY
#include "windows_library.h"
#endif

typedef struct {
    int64_t owner; /* 0 island, 1 state, 2 the velocities of others */
    int64_t place; /* of the pointer in its struct */
    int64_t doubles, bytes;
} array_head;

typedef struct {
    int64_t seed, frames, arrays, island_size, state_size;
    double dt, tolerance;
} island_head;

#define MOST 64

typedef struct {
    array_head head[MOST];
    void *data[MOST], *before[MOST];
    int count;
} pieces;

static void fetch(void *to, size_t size, FILE *file) {
    if (size && fread(to, size, 1, file) != 1) {
        fprintf(stderr, "the file ends too early\n");
        exit(2);
    }
}

static int all_finite(const double *numbers, size_t count) {
    for (size_t i = 0; i < count; ++i)
        if (!isfinite(numbers[i])) return 0;
    return 1;
}

static void fetch_pieces(pieces *all, omi_island *island, omi_state *state, const double **other,
                         FILE *file) {
    for (int i = 0; i < all->count; ++i) {
        array_head *head = all->head + i;
        fetch(head, sizeof *head, file);
        size_t size = (size_t)head->bytes;
        all->data[i] = malloc(size);
        all->before[i] = malloc(size);
        fetch(all->data[i], size, file);
        memcpy(all->before[i], all->data[i], size);
        char *owner = head->owner == 0 ? (char *)island : head->owner == 1 ? (char *)state : (char *)other;
        memcpy(owner + head->place, all->data + i, sizeof(void *));
    }
}

/* FNV-1a over bytes, after what was hashed before. */
static uint64_t hashed(uint64_t hash, const void *bytes, size_t count) {
    for (size_t i = 0; i < count; ++i)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static int is_sound(const pieces *all) {
    for (int i = 0; i < all->count; ++i) {
        size_t size = (size_t)all->head[i].bytes;
        if (all->head[i].owner != 1) {
            if (memcmp(all->data[i], all->before[i], size)) return 0;
        } else if (all->head[i].doubles && !all_finite(all->data[i], size / sizeof(double)))
            return 0;
    }
    return 1;
}

static int run(const island_head *head, FILE *file) {
    omi_island island;
    omi_state state;
    omi_report report;
    const double *other = 0;
    pieces all = {.count = (int)head->arrays};
    if (head->island_size != sizeof island || head->state_size != sizeof state || all.count > MOST) {
        fprintf(stderr, "the file is not for these structs\n");
        exit(2);
    }
    fetch(&island, sizeof island, file);
    fetch(&state, sizeof state, file);
    fetch_pieces(&all, &island, &state, &other, file);
    size_t bears = 6 * (size_t)island.joints;
    size_t turns = 4 * (size_t)(island.bodies + island.others);
    double *work = malloc((size_t)omi_workspace(&island) * sizeof(double));
    double *wrench = malloc(bears * sizeof(double));
    double *quaternions = malloc(turns * sizeof(double));
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    int stuck = 0, sound = 1;
    printf("%lld ", (long long)head->seed);
    fflush(stdout);
    /* Begun, stepped, continued as joints that change do it, stepped once more, relaxed. */
    int call = 0, last = (int)head->frames + 3;
    for (; call <= last && sound; ++call) {
        if (call == 0 || call == last - 2) {
            omi_begin(&island, &state, 1, other, call != 0, work);
            sound = is_sound(&all);
            for (int i = 0; i < all.count; ++i) hash = hashed(hash, all.data[i], (size_t)all.head[i].bytes);
            continue;
        }
        omi_step(&island, &state, 1, other, head->dt, call == last ? 0.0 : head->dt,
                 head->tolerance, wrench, work, &report);
        stuck += !report.done;
        const int counts[] = {report.steps, report.events, report.first_order, report.retries,
                              report.unfollowed, report.done};
        hash = hashed(hashed(hash, counts, sizeof counts), &report.gap, sizeof report.gap);
        hash = hashed(hash, wrench, bears * sizeof *wrench);
        for (int i = 0; i < all.count; ++i) hash = hashed(hash, all.data[i], (size_t)all.head[i].bytes);
        omi_quaternions(state.rotation, island.bodies + island.others, quaternions);
        sound = is_sound(&all) && all_finite(wrench, bears) && all_finite(&report.gap, 1) &&
                all_finite(quaternions, turns);
    }
    printf("%d %d %d %016llx\n", call, stuck, sound, (unsigned long long)hash);
    fflush(stdout);
    for (int i = 0; i < all.count; ++i) {
        free(all.data[i]);
        free(all.before[i]);
    }
    free(work);
    free(wrench);
    free(quaternions);
    return sound;
}

int main(int count, char **words) {
    FILE *file = count >= 2 ? fopen(words[1], "rb") : 0;
#ifdef OMI_WINDOWS_LIBRARY
    if (count != 3 || !load_windows_library(words[2])) return 2;
#endif
    island_head head;
    int sound = 1;
    if (!file) return 2;
    while (fread(&head, sizeof head, 1, file) == 1) sound &= run(&head, file);
    fclose(file);
    return sound ? 0 : 1;
}
