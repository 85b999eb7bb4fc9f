/** \file
 *  Reading a text in memory line by line and word by word, and messages that name file and line. */
#ifndef HOLDFAST_SRC_CORE_LINES_H
#define HOLDFAST_SRC_CORE_LINES_H

#include <inttypes.h>
#include <string.h>

#include <holdfast/core/context.h>

/** Some bytes of a text, borrowed; not ended by 0. */
typedef struct hf_slice {
    const char *text;
    size_t size;
} hf_slice;

static inline hf_slice hf_slice_of(const char *text) { return (hf_slice){text, strlen(text)}; }
bool hf_slice_same(hf_slice a, hf_slice b);
bool hf_slice_is(hf_slice a, const char *text);
static inline bool hf_slice_begins(hf_slice a, const char *text) {
    const size_t size = strlen(text);
    return a.size >= size && memcmp(a.text, text, size) == 0;
}
/** For "%.*s" in messages: the size, at most 80 bytes. */
static inline int hf_slice_shown(hf_slice a) { return (int)(a.size < 80 ? a.size : 80); }
#define HF_SLICE(a) hf_slice_shown(a), (a).text

/** A text while it is read: in memory, or in pieces. A slice of pieces lasts until the next line. */
typedef struct hf_lines {
    hf_context *cx;
    const char *file;        /**< for messages */
    uint32_t line;           /**< number of the current line, from 1 */
    const char *begin;       /**< of the current line, blanks and all: columns count from there */
    const char *at, *end;    /**< what is left of it */
    const char *next, *stop; /**< the lines after it */
    /** NULL: what stands before `stop` is all. Else put more of the text behind it; `next` and `stop` may move. \return false:
     * there is no more */
    bool (*more)(struct hf_lines *r);
    void *feed; /**< what `more` takes it from */
} hf_lines;

/** Start before the first line. The mark that some programs write before UTF-8 is left out. */
void hf_lines_start(hf_context *cx, const char *file, const char *data, size_t size, hf_lines *out);
/** Go to the next line; blanks at both ends are left out. \return false behind the last one */
bool hf_lines_next(hf_lines *r);
/** Before the line that hf_lines_next() went to, which is the next one again. */
static inline void hf_lines_again(hf_lines *r) {
    r->next = r->begin;
    r->line--;
}
/** Go to the next line with something in it, "#" and what stands behind it cut off as a comment. */
bool hf_lines_next_text(hf_lines *r);
/** What is left of the line. */
static inline hf_slice hf_lines_rest(const hf_lines *r) { return (hf_slice){r->at, (size_t)(r->end - r->at)}; }
void hf_lines_blanks(hf_lines *r);
/** The next word, up to a blank. \return false at the end of the line */
bool hf_lines_word(hf_lines *r, hf_slice *out);
/** The next word, up to a blank or `separator`; those before it are skipped. */
bool hf_lines_item(hf_lines *r, char separator, hf_slice *out);
/** The next name, as hf_lines_item(), which may have blanks and separators in quotes. */
bool hf_lines_name(hf_lines *r, char separator, hf_slice *out);
/** What stands before the next `mark`, and skip the mark. \return false, and nothing is skipped, if there is none */
bool hf_lines_until(hf_lines *r, char mark, hf_slice *out);
/** Skip blanks and then `mark`. \return whether it was there */
bool hf_lines_skip(hf_lines *r, char mark);
/** The next word as a number in base 10. \param[in] what for the message. \return HF_EINVAL if it is none in [low, high] */
hf_status hf_lines_number(hf_lines *r, const char *what, uint64_t low, uint64_t high, uint64_t *out);

/** HF_EINVAL if something is left of the line. \param[in] need what should stand there, for the message */
hf_status hf_lines_end(hf_lines *r, const char *need);
/** Put file and line before the message of a failure. \return the status */
hf_status hf_lines_prefix(const hf_lines *r, hf_status status);

#define HF_LINE_FAIL(r, code, format, ...)                                                                                       \
    HF_FAIL((r)->cx, (code), "%s, line %" PRIu32 ": " format, (r)->file, (r)->line, __VA_ARGS__)

#endif
