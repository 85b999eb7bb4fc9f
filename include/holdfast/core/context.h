/** \file
 *  The context: one per thread, first argument of everything that can fail or allocate.
 *  It holds the allocator, a scratch arena, the message of the last failure and the stop flag.
 *  There is no other hidden state. */
#ifndef HOLDFAST_CONTEXT_H
#define HOLDFAST_CONTEXT_H

#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <holdfast/core/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** "No such id", for every uint32_t id of the library. */
#define HF_NONE UINT32_MAX

/** Where memory comes from. `user` is handed back to each call.
 *  `resize` behaves like realloc (old may be NULL); a size is never 0. `release` takes NULL. */
typedef struct hf_allocator {
    void *(*resize)(void *user, void *old, size_t size);
    void (*release)(void *user, void *old);
    void *user;
} hf_allocator;

typedef struct hf_context hf_context;

/** Make a context. \param[in] allocator copied; NULL means malloc. \return NULL when out of memory. Free with
 * hf_context_free(). */
hf_context *hf_context_new(const hf_allocator *allocator);
void hf_context_free(hf_context *cx);

/** The message of the last failure ("" if none): one sentence that names place, value and rule. Borrowed from `cx`. */
const char *hf_context_message(const hf_context *cx);
/** Source file and line where the last failure was noticed, for bug reports. Borrowed; "" and 0 if none. */
const char *hf_context_place(const hf_context *cx, int *line);
/** Drop the message. */
void hf_context_clear(hf_context *cx);
/** Copy message and place from another context (a worker's, to the caller's). */
void hf_context_copy_failure(hf_context *cx, const hf_context *from);
/** Write the message and return `code`; use HF_FAIL. Truncates at 1023 bytes. */
__attribute__((format(printf, 5, 6))) hf_status hf_context_fail(hf_context *cx, hf_status code, const char *file, int line,
                                                                const char *format, ...);
/** Put a prefix before the message of a failure that is being passed on ("study a.yaml, line 3: ..."). */
__attribute__((format(printf, 2, 3))) void hf_context_prefix(hf_context *cx, const char *format, ...);

/** Watch `flag`: when it becomes non-zero, long calls return HF_ESTOP at the next safe point. NULL: none. */
void hf_context_set_stop(hf_context *cx, const volatile sig_atomic_t *flag);
bool hf_context_stopped(const hf_context *cx);
/** For loops that may last. \return HF_OK, or HF_ESTOP with "stopped while DOING" when the flag is set */
hf_status hf_context_go_on(hf_context *cx, const char *doing);
/** The flag being watched, to hand it to workers' contexts. */
const volatile sig_atomic_t *hf_context_stop_flag(const hf_context *cx);

/** hf_text of core/text.h. */
struct hf_text;
/** Note every file that is read from now on: a line "PATH#hash" each, the hash that of its content. \param[in] out NULL: no
 * more */
void hf_context_note_files(hf_context *cx, struct hf_text *out);
/** Where they are noted; NULL: nowhere. */
struct hf_text *hf_context_noted_files(const hf_context *cx);

/** From now on a spec that names the file `path` reads this text in the place of what is there: it is going to be written. Of
 * specs whose files are read line by line, as those of routings are. \param[in] text borrowed; NULL: no more */
void hf_context_lend_file(hf_context *cx, const char *path, const struct hf_text *text);
/** The text lent for that path; NULL: none. */
const struct hf_text *hf_context_lent_file(const hf_context *cx, const char *path);

/** hf_given_rule of routing/given.h. */
struct hf_given_rule;
/** The rule that the routing "given" means from now on. \param[in] rule borrowed; NULL: none */
void hf_context_give_rule(hf_context *cx, const struct hf_given_rule *rule);
/** The one that was given last; NULL: none. */
const struct hf_given_rule *hf_context_given_rule(const hf_context *cx);

/** The allocator in use (never NULL); long-lived objects copy it so that they can be freed without a context. */
const hf_allocator *hf_context_allocator(const hf_context *cx);

/** Zeroed heap memory for `count` objects of `size` bytes. Free with hf_release().
 *  \return HF_ENOMEM with the figure in the message if it cannot be had or count * size overflows. count 0 gives a valid
 *  block. */
hf_status hf_allocate(hf_context *cx, size_t count, size_t size, void **out);
/** Grow or shrink *block to `count` objects of `size` bytes; new bytes are not zeroed. *block is unchanged on failure. */
hf_status hf_resize(hf_context *cx, size_t count, size_t size, void **block);
void hf_release(const hf_allocator *allocator, void *block);
/** A heap copy of `text`. Free with hf_release(). */
hf_status hf_duplicate(hf_context *cx, const char *text, char **out);

/** Zeroed scratch memory in the arena of `cx`, aligned to 64 bytes; lives until the mark before it is reset. */
hf_status hf_scratch(hf_context *cx, size_t count, size_t size, void **out);
/** printf into the arena. */
__attribute__((format(printf, 3, 4))) hf_status hf_scratch_print(hf_context *cx, char **out, const char *format, ...);
__attribute__((format(printf, 3, 0))) hf_status hf_scratch_print_list(hf_context *cx, char **out, const char *format,
                                                                      va_list list);

/** A place in the arena. Take one before the work on one fault set, reset to it after: nothing else to free. */
typedef struct hf_mark {
    void *block;
    size_t used;
} hf_mark;
hf_mark hf_scratch_mark(const hf_context *cx);
void hf_scratch_reset(hf_context *cx, hf_mark mark);

#ifdef __cplusplus
}
#endif
#endif
