/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a fuzz target over files and over all files of folders, where libFuzzer is not at hand. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t runs;

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
    /* An exact copy, so that a sanitizer sees reads past the end. */
    uint8_t *exact = malloc(size ? size : 1);
    if (exact) {
        memcpy(exact, data, size);
        LLVMFuzzerTestOneInput(exact, size);
        runs++;
    }
    free(exact);
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
    for (int i = 1; i < argc; i++) {
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
