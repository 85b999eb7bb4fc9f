/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that a spec names, with the hash of their content. */
#include "src/core/source.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "src/core/hash.h"

enum { HASH_DIGITS = 16 };

/* Cut "#hash" off. \return NULL if there is none */
static const char *cut_hash(char *path) {
    char *mark = strrchr(path, '#');
    if (!mark || strlen(mark + 1) != HASH_DIGITS || strspn(mark + 1, "0123456789abcdef") != HASH_DIGITS) {
        return NULL;
    }
    *mark = 0;
    return mark + 1;
}

static hf_status load(hf_context *cx, size_t limit, hf_source *s) {
    const char *expected = cut_hash(s->path);
    HF_TRY(hf_text_load(cx, s->path, limit, &s->text));
    const size_t room = strlen(s->path) + HASH_DIGITS + 2;
    HF_TRY(hf_allocate(cx, room, 1, (void **)&s->named));
    (void)snprintf(s->named, room, "%s#%016" PRIx64, s->path, hf_hash_bytes(s->text.data, s->text.size));
    if (expected && strcmp(s->named + strlen(s->path) + 1, expected) != 0) {
        HF_FAIL(cx, HF_EINVAL, "%s: the file has changed: its content has the hash %s, the spec asks for %s", s->path,
                s->named + strlen(s->path) + 1, expected);
    }
    return HF_OK;
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
