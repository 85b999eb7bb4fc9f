/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/folder.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

void folder_open(char *path, size_t size) {
    const char *base = getenv("TMPDIR");
    snprintf(path, size, "%s/holdfast-test-XXXXXX", base && *base ? base : "/tmp");
    assert_non_null(mkdtemp(path));
}

void folder_close(const char *path) {
    DIR *list = opendir(path);
    for (struct dirent *entry; list && (entry = readdir(list)) != NULL;) {
        char file[1024];
        (void)unlink(folder_file(path, entry->d_name, file, sizeof file));
    }
    if (list) {
        closedir(list);
    }
    (void)rmdir(path);
}

const char *folder_file(const char *folder, const char *name, char *text, size_t size) {
    const int n = snprintf(text, size, "%s/%s", folder, name);
    assert_true(n > 0 && (size_t)n < size);
    return text;
}

char *folder_read(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    const long end = ftell(file);
    assert_true(end >= 0);
    rewind(file);
    char *data = calloc(1, (size_t)end + 1);
    assert_non_null(data);
    *size = fread(data, 1, (size_t)end, file);
    assert_int_equal(*size, end);
    fclose(file);
    return data;
}

void folder_write(const char *path, const char *data, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

bool folder_same(const char *path, const char *data, size_t size) {
    size_t now;
    char *read = folder_read(path, &now);
    const bool same = now == size && memcmp(read, data, size) == 0;
    free(read);
    return same;
}
