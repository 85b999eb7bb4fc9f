/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The context: allocator, scratch arena of chained blocks, message of the last failure, stop flag. */
#include <holdfast/core/context.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/pages.h"
#include "src/core/print.h"

enum { MESSAGE_SIZE = 1024, ALIGN = 64, BLOCK_SIZE = 1 << 16 };

typedef struct block {
    struct block *next; /* kept for reuse after a reset */
    size_t capacity;    /* bytes behind the aligned start */
    unsigned char *start;
} block;

struct hf_context {
    hf_allocator allocator;
    block *first, *current;
    size_t used; /* bytes of the current block */
    const volatile sig_atomic_t *stop;
    struct hf_text *files; /* that are noted; NULL: none */
    const struct hf_given_rule *rule;
    const char *lent_path; /* of `lent`, NULL: none */
    const struct hf_text *lent;
    char message[MESSAGE_SIZE];
    const char *file;
    int line;
};

static void *malloc_resize(void *user, void *old, size_t size) {
    (void)user;
    return realloc(old, size);
}

static void malloc_release(void *user, void *old) {
    (void)user;
    free(old);
}

hf_context *hf_context_new(const hf_allocator *allocator) {
    static const hf_allocator standard = {malloc_resize, malloc_release, NULL};
    const hf_allocator *from = allocator ? allocator : &standard;
    hf_context *cx = from->resize(from->user, NULL, sizeof *cx);
    if (!cx) {
        return NULL;
    }
    *cx = (hf_context){.allocator = *from, .file = ""};
    return cx;
}

void hf_context_free(hf_context *cx) {
    if (!cx) {
        return;
    }
    const hf_allocator allocator = cx->allocator;
    for (block *b = cx->first, *next; b; b = next) {
        next = b->next;
        hf_release(&allocator, b);
    }
    hf_release(&allocator, cx);
}

void hf_context_note_files(hf_context *cx, struct hf_text *out) { cx->files = out; }
void hf_context_give_rule(hf_context *cx, const struct hf_given_rule *rule) { cx->rule = rule; }
const struct hf_given_rule *hf_context_given_rule(const hf_context *cx) { return cx->rule; }

void hf_context_lend_file(hf_context *cx, const char *path, const struct hf_text *text) {
    cx->lent_path = text ? path : NULL;
    cx->lent = text;
}

const struct hf_text *hf_context_lent_file(const hf_context *cx, const char *path) {
    return cx->lent_path && strcmp(cx->lent_path, path) == 0 ? cx->lent : NULL;
}

struct hf_text *hf_context_noted_files(const hf_context *cx) {
    return cx->files;
}

/* ---- messages ---- */

const char *hf_context_message(const hf_context *cx) { return cx->message; }

const char *hf_context_place(const hf_context *cx, int *line) {
    *line = cx->line;
    return cx->file;
}

void hf_context_clear(hf_context *cx) {
    cx->message[0] = 0;
    cx->file = "";
    cx->line = 0;
}

void hf_context_copy_failure(hf_context *cx, const hf_context *from) {
    memmove(cx->message, from->message, sizeof cx->message);
    cx->file = from->file;
    cx->line = from->line;
}

/* What a message quotes may be anything: it stays on one line and tells a terminal nothing. */
static void make_plain(char *text) {
    for (size_t n; *text; text += n) {
        n = hf_utf8_length(text);
        const bool is_control = n == 0 || (unsigned char)*text < ' ' || *text == 127;
        n = n ? n : 1;
        *text = (char)(*text == '\t' || *text == '\n' ? ' ' : is_control ? '?' : *text);
    }
}

hf_status hf_context_fail(hf_context *cx, hf_status code, const char *file, int line, const char *format, ...) {
    char text[MESSAGE_SIZE] = ""; /* an argument may be the old message */
    va_list list;
    va_start(list, format);
    hf_print_list(text, sizeof text, format, list);
    va_end(list);
    make_plain(text);
    memcpy(cx->message, text, sizeof text);
    cx->file = file;
    cx->line = line;
    return code;
}

void hf_context_prefix(hf_context *cx, const char *format, ...) {
    char text[2 * MESSAGE_SIZE];
    va_list list;
    va_start(list, format);
    int size = hf_print_list(text, MESSAGE_SIZE, format, list);
    va_end(list);
    size = size < 0 ? 0 : size < MESSAGE_SIZE ? size : MESSAGE_SIZE - 1;
    snprintf(text + size, sizeof text - (size_t)size, "%s", cx->message);
    text[MESSAGE_SIZE - 1] = 0;
    make_plain(text);
    memcpy(cx->message, text, MESSAGE_SIZE);
}

/* ---- stop flag ---- */

void hf_context_set_stop(hf_context *cx, const volatile sig_atomic_t *flag) { cx->stop = flag; }
bool hf_context_stopped(const hf_context *cx) { return cx->stop && __atomic_load_n(cx->stop, __ATOMIC_RELAXED) != 0; }
hf_status hf_context_go_on(hf_context *cx, const char *doing) {
    if (hf_context_stopped(cx)) {
        HF_FAIL(cx, HF_ESTOP, "stopped while %s", doing);
    }
    return HF_OK;
}

const volatile sig_atomic_t *hf_context_stop_flag(const hf_context *cx) { return cx->stop; }

/* ---- heap ---- */

const hf_allocator *hf_context_allocator(const hf_context *cx) { return &cx->allocator; }

static hf_status out_of_memory(hf_context *cx, size_t count, size_t size) {
    HF_FAIL(cx, HF_ENOMEM, "out of memory: %zu objects of %zu bytes (%.1f MiB) cannot be had", count, size,
            (double)count * (double)size / (1 << 20));
}

hf_status hf_resize(hf_context *cx, size_t count, size_t size, void **old) {
    if (size && count > SIZE_MAX / 2 / size) {
        return out_of_memory(cx, count, size);
    }
    void *fresh = cx->allocator.resize(cx->allocator.user, *old, count && size ? count * size : 1);
    if (!fresh) {
        return out_of_memory(cx, count, size);
    }
    *old = fresh;
    return HF_OK;
}

hf_status hf_allocate(hf_context *cx, size_t count, size_t size, void **out) {
    void *fresh = NULL;
    HF_TRY(hf_resize(cx, count, size, &fresh));
    memset(fresh, 0, count * size);
    *out = fresh;
    return HF_OK;
}

void hf_release(const hf_allocator *allocator, void *old) {
    if (old) {
        allocator->release(allocator->user, old);
    }
}

hf_status hf_duplicate(hf_context *cx, const char *text, char **out) {
    const size_t size = strlen(text) + 1;
    void *fresh = NULL;
    HF_TRY(hf_resize(cx, size, 1, &fresh));
    memcpy(fresh, text, size);
    *out = fresh;
    return HF_OK;
}

/* ---- arena ---- */

/* Sizes grow in steps of a quarter, so that a block of a little more can serve again. */
static size_t block_capacity(size_t need) {
    size_t capacity = BLOCK_SIZE;
    while (capacity < need) {
        capacity += capacity / 4 / ALIGN * ALIGN;
    }
    return capacity;
}

static hf_status add_block(hf_context *cx, size_t need, block **out) {
    const size_t capacity = block_capacity(need);
    void *memory = NULL;
    HF_TRY(hf_resize(cx, capacity + sizeof(block) + ALIGN, 1, &memory));
    hf_pages_large(memory, capacity);
    block *b = memory;
    const uintptr_t start = ((uintptr_t)(b + 1) + ALIGN - 1) & ~(uintptr_t)(ALIGN - 1);
    *b = (block){NULL, capacity, (unsigned char *)start};
    *out = b;
    return HF_OK;
}

/* Where the link to the first block behind the current one stands. */
static block **behind(hf_context *cx) { return cx->current ? &cx->current->next : &cx->first; }

/* Take the first kept block that is large enough out of the chain behind the current one; NULL if there is none. A new block is
 * made only when no kept one fits, so repeated work of the same needs stops asking for memory. */
static block *take_kept(hf_context *cx, size_t need) {
    for (block **link = behind(cx); *link; link = &(*link)->next) {
        block *found = *link;
        if (found->capacity >= need) {
            *link = found->next;
            return found;
        }
    }
    return NULL;
}

/* Make room for `need` bytes: in the current block, or in another put behind it. */
static hf_status make_room(hf_context *cx, size_t need) {
    if (cx->current && cx->current->capacity - cx->used >= need) {
        return HF_OK;
    }
    block *next = take_kept(cx, need);
    if (!next) {
        HF_TRY(add_block(cx, need, &next));
    }
    block **link = behind(cx);
    next->next = *link;
    *link = next;
    cx->current = next;
    cx->used = 0;
    return HF_OK;
}

hf_status hf_scratch(hf_context *cx, size_t count, size_t size, void **out) {
    if (size && count > SIZE_MAX / 4 / size) {
        return out_of_memory(cx, count, size);
    }
    const size_t need = (count * size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    HF_TRY(make_room(cx, need));
    *out = memset(cx->current->start + cx->used, 0, need);
    cx->used += need;
    return HF_OK;
}

hf_status hf_scratch_print_list(hf_context *cx, char **out, const char *format, va_list list) {
    va_list again;
    va_copy(again, list);
    const int length = hf_print_list(NULL, 0, format, list);
    const size_t size = (size_t)(length < 0 ? 0 : length) + 1;
    void *text = NULL;
    const hf_status status = hf_scratch(cx, size, 1, &text);
    if (status == HF_OK) {
        hf_print_list(text, size, format, again);
        *out = text;
    }
    va_end(again);
    return status;
}

hf_status hf_scratch_print(hf_context *cx, char **out, const char *format, ...) {
    va_list list;
    va_start(list, format);
    const hf_status status = hf_scratch_print_list(cx, out, format, list);
    va_end(list);
    return status;
}

hf_mark hf_scratch_mark(const hf_context *cx) { return (hf_mark){cx->current, cx->used}; }

void hf_scratch_reset(hf_context *cx, hf_mark mark) {
    cx->current = mark.block;
    cx->used = mark.used;
}
