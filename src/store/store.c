/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results store: opening it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "src/store/schema.h"

/* ---- opening ---- */

/* Make the folders of `path`. */
static hf_status make_folder(hf_context *cx, const char *path) {
    char *copy;
    HF_TRY(hf_duplicate(cx, path, &copy));
    hf_status status = HF_OK;
    for (char *slash = strchr(copy + 1, '/'); slash && status == HF_OK; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        if (mkdir(copy, 0777) != 0 && errno != EEXIST) {
            status = hf_context_fail(cx, HF_ESTORE, __FILE__, __LINE__, "store \"%s\": folder \"%s\" cannot be made: %s", path,
                                     copy, strerror(errno));
        }
        *slash = '/';
    }
    hf_release(hf_context_allocator(cx), copy);
    return status;
}

/* What is there must be a plain file that its owner lets be written; root would be let past by the system. */
static hf_status check_file(hf_context *cx, const char *path, bool write, bool *exists) {
    struct stat about;
    *exists = stat(path, &about) == 0;
    if (!*exists && !write) {
        HF_FAIL(cx, HF_ESTORE, "store \"%s\" cannot be read: %s", path, strerror(errno));
    }
    if (*exists && !S_ISREG(about.st_mode)) {
        HF_FAIL(cx, HF_ESTORE, "store \"%s\" is not a plain file; name another one with --store", path);
    }
    if (*exists && write && (about.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0) {
        HF_FAIL(cx, HF_ESTORE, "store \"%s\" is read-only; make it writable, or use --store none", path);
    }
    return HF_OK;
}

hf_status hf_store_open(hf_context *cx, const char *path, hf_store_mode mode, hf_store **out) {
    const bool write = mode == HF_STORE_WRITE;
    bool exists;
    HF_TRY(check_file(cx, path, write, &exists));
    if (!exists) {
        HF_TRY(make_folder(cx, path));
    }
    hf_store *store;
    HF_TRY(hf_allocate(cx, 1, sizeof *store, (void **)&store));
    store->allocator = *hf_context_allocator(cx);
    store->is_writable = write;
    store->sound_at = -1;
    hf_status status;
    HF_TRY_DONE(hf_duplicate(cx, path, &store->path));
    HF_TRY_DONE(hf_sql_open(cx, path, write, &store->sql));
    HF_TRY_DONE(hf_schema_prepare(cx, store));
    *out = store;
    return HF_OK;
done:
    hf_store_close(store);
    return status;
}

void hf_store_close(hf_store *store) {
    if (store) {
        const hf_allocator allocator = store->allocator;
        hf_sql_close(store->sql);
        hf_release(&allocator, store->path);
        hf_release(&allocator, store);
    }
}
