/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Runs a fuzz target over files and over all files of folders, and over mutants of them, where libFuzzer is not at hand:
 *      fuzz_NAME [--mutants N] [--seed S] FILE...
 *  What breaks names the mutant: the same numbers make it again. */
#include <dirent.h>
#include <limits.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"

enum { MUTANT_MAX = 1 << 15 };

static size_t runs;
static unsigned long n_mutant, seed = 1;
static const char *current = "";
static unsigned long current_seed; /* 0: the file as it is */

__attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)(void));

/* What is running, told when it breaks. Written before each run, as a handler of signals may only write. */
static char note[PATH_MAX + 64];
static size_t note_size;

static void make_note(void) {
    const int size = current_seed ? snprintf(note, sizeof note, "with --mutants 1 --seed %lu %s\n", current_seed, current)
                                  : snprintf(note, sizeof note, "with %s\n", current);
    note_size = (size_t)size < sizeof note ? (size_t)size : sizeof note - 1;
}

static void tell(void) { (void)!write(STDERR_FILENO, note, note_size); }

static void tell_signal(int signal_number) {
    tell();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* On an exact copy, so that a sanitizer sees reads past the end. */
static void run(const uint8_t *data, size_t size) {
    uint8_t *exact = malloc(size ? size : 1);
    expect(exact != NULL, "memory");
    memcpy(exact, data, size);
    make_note();
    LLVMFuzzerTestOneInput(exact, size);
    runs++;
    free(exact);
}

static void run_mutants(const uint8_t *data, size_t size) {
    uint8_t *mutant = malloc(MUTANT_MAX);
    expect(mutant != NULL, "memory");
    for (unsigned long i = 0; i < n_mutant && size <= MUTANT_MAX; i++) {
        current_seed = seed + i;
        memcpy(mutant, data, size);
        run(mutant, LLVMFuzzerCustomMutator(mutant, size, MUTANT_MAX, (unsigned)current_seed));
    }
    free(mutant);
}

static void run_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(1);
    }
    size_t size = 0, capacity = 1 << 16;
    uint8_t *data = malloc(capacity);
    while (data && (size += fread(data + size, 1, capacity - size, file)) == capacity) {
        capacity *= 2;
        data = realloc(data, capacity);
    }
    fclose(file);
    if (!data) {
        perror(path);
        exit(1);
    }
    current = path;
    current_seed = 0;
    run(data, size);
    run_mutants(data, size);
    free(data);
}

static void run_folder(const char *path) {
    DIR *folder = opendir(path);
    if (!folder) {
        perror(path);
        exit(1);
    }
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char name[4096];
        if (entry->d_name[0] != '.') {
            snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
            run_file(name);
        }
    }
    closedir(folder);
}

int main(int argc, char **argv) {
    if (__sanitizer_set_death_callback) {
        __sanitizer_set_death_callback(tell);
    }
    signal(SIGABRT, tell_signal);
    signal(SIGSEGV, tell_signal);
    for (int i = 1; i < argc; i++) {
        if (i + 1 < argc && (strcmp(argv[i], "--mutants") == 0 || strcmp(argv[i], "--seed") == 0)) {
            *(argv[i][2] == 'm' ? &n_mutant : &seed) = strtoul(argv[i + 1], NULL, 10);
            i++;
            continue;
        }
        struct stat about;
        if (stat(argv[i], &about) == 0 && S_ISDIR(about.st_mode)) {
            run_folder(argv[i]);
        } else {
            run_file(argv[i]);
        }
    }
    printf("%zu inputs\n", runs);
    return runs > 0 ? 0 : 1;
}
