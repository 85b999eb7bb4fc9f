/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Files that a spec names, with the hash of their content. */
#include "src/core/source.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/core/content.h"

enum { HASH_DIGITS = 16, PIECE = 1 << 18 };

/* Cut "#hash" off. \return NULL if there is none */
static const char *cut_hash(char *path) {
    char *mark = strrchr(path, '#');
    if (!mark || strlen(mark + 1) != HASH_DIGITS || strspn(mark + 1, "0123456789abcdef") != HASH_DIGITS) {
        return NULL;
    }
    *mark = 0;
    return mark + 1;
}

/* \param[in] expected the hash that the spec asks for, NULL: any */
static hf_status name_content(hf_context *cx, const char *path, uint64_t hash, const char *expected, char **named) {
    const size_t room = strlen(path) + HASH_DIGITS + 2;
    HF_TRY(hf_allocate(cx, room, 1, (void **)named));
    (void)snprintf(*named, room, "%s#%016" PRIx64, path, hash);
    if (expected && strcmp(*named + strlen(path) + 1, expected) != 0) {
        HF_FAIL(cx, HF_EINVAL, "%s: the file has changed: its content has the hash %s, the spec asks for %s", path,
                *named + strlen(path) + 1, expected);
    }
    return HF_OK;
}

/* ---- whole ---- */

static hf_status load(hf_context *cx, size_t limit, hf_source *s) {
    const char *expected = cut_hash(s->path);
    HF_TRY(hf_text_load(cx, s->path, limit, &s->text));
    return name_content(cx, s->path, hf_content_of(s->text.data, s->text.size), expected, &s->named);
}

hf_status hf_source_load(hf_context *cx, const char *name, size_t limit, hf_source *out) {
    *out = (hf_source){0};
    hf_text_init(cx, &out->text);
    HF_TRY(hf_duplicate(cx, name, &out->path));
    const hf_status status = load(cx, limit, out);
    if (status != HF_OK) {
        hf_source_free(out);
    }
    return status;
}

void hf_source_free(hf_source *source) {
    const hf_allocator allocator = source->text.allocator;
    if (!allocator.release) {
        return;
    }
    hf_release(&allocator, source->path);
    hf_release(&allocator, source->named);
    hf_text_free(&source->text);
    *source = (hf_source){0};
}

/* ---- line by line ---- */

typedef struct feed {
    hf_context *cx;
    int file;
    size_t limit;
    char *piece;
    size_t room, total;
    hf_content content;
    int error; /* of reading */
    bool is_out_of_memory, is_over;
} feed;

/* Fill the piece behind its first `size` bytes. \return bytes */
static size_t fill(feed *f, size_t size) {
    size_t n = 0;
    while (!f->is_over && size + n < f->room) {
        const ssize_t got = read(f->file, f->piece + size + n, f->room - size - n);
        f->error = got < 0 && errno != EINTR ? errno : 0;
        n += got > 0 ? (size_t)got : 0;
        f->is_over = got == 0 || f->error || f->total + n > f->limit;
    }
    f->total += n;
    hf_content_more(&f->content, f->piece + size, n);
    return n;
}

/* What is left goes to the front of the piece; a line that fills all of it makes it larger. */
static bool more(hf_lines *r) {
    feed *f = r->feed;
    const size_t left = (size_t)(r->stop - r->next);
    memmove(f->piece, r->next, left);
    if (left == f->room && !f->is_over) {
        void *piece = f->piece;
        f->is_out_of_memory = hf_resize(f->cx, 2 * f->room, 1, &piece) != HF_OK;
        f->piece = piece;
        f->is_over |= f->is_out_of_memory;
        f->room *= f->is_out_of_memory ? 1 : 2;
    }
    const size_t n = fill(f, left);
    r->next = f->piece;
    r->stop = f->piece + left + n;
    return n > 0;
}

static hf_status check_feed(const feed *f, const char *path) {
    if (f->is_out_of_memory) {
        HF_FAIL(f->cx, HF_ENOMEM, "out of memory: a line of \"%s\" cannot be held", path);
    }
    if (f->error) {
        HF_FAIL(f->cx, HF_EIO, "\"%s\" cannot be read: %s", path, strerror(f->error));
    }
    if (f->total > f->limit) {
        HF_FAIL(f->cx, HF_ERANGE, "\"%s\" is larger than %zu bytes", path, f->limit);
    }
    return HF_OK;
}

static hf_status read_lines(feed *f, const char *path, const char *expected, hf_lines_reader *read_all, void *user,
                            char **named) {
    hf_lines lines;
    hf_lines_start(f->cx, path, f->piece, fill(f, 0), &lines);
    lines.more = more;
    lines.feed = f;
    const hf_status status = read_all(&lines, user);
    while (!f->is_over) {
        (void)fill(f, 0);
    }
    HF_TRY(check_feed(f, path));
    const uint64_t hash = hf_content_hash(&f->content);
    if (hf_context_noted_files(f->cx)) {
        hf_text_print(hf_context_noted_files(f->cx), "%s#%016" PRIx64 "\n", path, hash);
    }
    HF_TRY(name_content(f->cx, path, hash, expected, named));
    return status;
}

/* What is going to stand in the file. */
static hf_status read_lent(hf_context *cx, const char *path, const hf_text *text, const char *expected, hf_lines_reader *read_all,
                           void *user, char **named) {
    hf_lines lines;
    hf_lines_start(cx, path, text->data, text->size, &lines);
    HF_TRY(read_all(&lines, user));
    return name_content(cx, path, hf_content_of(text->data, text->size), expected, named);
}

static hf_status read_file(hf_context *cx, char *path, size_t limit, hf_lines_reader *read_all, void *user, char **named) {
    const char *expected = cut_hash(path);
    if (hf_context_lent_file(cx, path)) {
        return read_lent(cx, path, hf_context_lent_file(cx, path), expected, read_all, user, named);
    }
    feed f = {.cx = cx, .limit = limit, .room = PIECE, .file = open(path, O_RDONLY | O_CLOEXEC)};
    if (f.file < 0) {
        HF_FAIL(cx, errno == ENOENT ? HF_ENOENT : HF_EIO, "\"%s\" cannot be read: %s", path, strerror(errno));
    }
    hf_content_start(&f.content);
    void *piece = NULL;
    hf_status status = hf_resize(cx, f.room, 1, &piece);
    if (status == HF_OK) {
        f.piece = piece;
        status = read_lines(&f, path, expected, read_all, user, named);
    }
    hf_release(hf_context_allocator(cx), f.piece);
    (void)close(f.file);
    return status;
}

hf_status hf_source_read(hf_context *cx, const char *name, size_t limit, hf_lines_reader *read_all, void *user, char **named) {
    char *path;
    *named = NULL;
    HF_TRY(hf_duplicate(cx, name, &path));
    const hf_status status = read_file(cx, path, limit, read_all, user, named);
    hf_release(hf_context_allocator(cx), path);
    if (status != HF_OK) {
        hf_release(hf_context_allocator(cx), *named);
        *named = NULL;
    }
    return status;
}
