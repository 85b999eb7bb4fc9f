/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The results store: opening it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

static bool is_read_only(const char *path, const struct stat *about) {
    return (about->st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0 || access(path, W_OK) != 0;
}

/* The nearest folder above that is there: what is made, is made in it. */
static hf_status check_folder(hf_context *cx, const char *path, char *folder) {
    struct stat about;
    char *slash;
    do {
        slash = strrchr(folder, '/');
        slash = slash == folder ? slash + 1 : slash;
        if (slash) {
            *slash = 0;
        } else {
            memcpy(folder, ".", 2);
        }
    } while (stat(folder, &about) != 0 && slash);
    if (S_ISDIR(about.st_mode) && is_read_only(folder, &about)) {
        HF_FAIL(cx, HF_ESTORE,
                "store \"%s\": its folder \"%s\" is read-only; name another file with --store, or use --store none", path,
                folder);
    }
    return HF_OK;
}

hf_status hf_store_check_writable(hf_context *cx, const char *path) {
    struct stat about;
    char *folder;
    if (stat(path, &about) == 0 && S_ISREG(about.st_mode) && is_read_only(path, &about)) {
        HF_FAIL(cx, HF_ESTORE, "store \"%s\" is read-only; make it writable, or use --store none", path);
    }
    const hf_mark mark = hf_scratch_mark(cx);
    HF_TRY(hf_scratch_print(cx, &folder, "%s ", path));
    const hf_status status = check_folder(cx, path, folder);
    hf_scratch_reset(cx, mark);
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
    return *exists && write ? hf_store_check_writable(cx, path) : HF_OK;
}

hf_status hf_store_open(hf_context *cx, const char *path, hf_store_mode mode, hf_store **out) {
    const bool write = mode == HF_STORE_WRITE;
    bool exists;
    HF_TRY(check_file(cx, path, write, &exists));
    if (!exists) {
        HF_TRY(hf_store_check_writable(cx, path));
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
        hf_release(&allocator, store->accept);
        hf_release(&allocator, store);
    }
}

/* ---- codes of other programs ---- */

static bool is_code(const char *text) {
    return strspn(text, "0123456789abcdef") == HF_STORE_CODE && (text[HF_STORE_CODE] == 0 || text[HF_STORE_CODE] == ',');
}

hf_status hf_store_accept(hf_context *cx, hf_store *store, const char *codes) {
    for (const char *at = codes; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (!is_code(at)) {
            HF_FAIL(
                cx, HF_EINVAL,
                "--accept=%s is not right; need codes of 16 hexadecimal digits, as `holdfast store export` and --version tell "
                "them, commas between",
                codes);
        }
    }
    return hf_duplicate(cx, codes, &store->accept);
}

const char *hf_store_accepts(const hf_store *store, size_t i) {
    const size_t at = i * (HF_STORE_CODE + 1);
    return store->accept && at < strlen(store->accept) ? store->accept + at : NULL;
}

const char *hf_store_accepted(const hf_store *store, uint64_t *n) {
    *n = store->n_accepted;
    return store->n_accepted ? store->accept : NULL;
}
