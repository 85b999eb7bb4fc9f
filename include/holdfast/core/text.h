/** \file
 *  A growing text: everything that is printed, saved or read whole goes through one. */
#ifndef HOLDFAST_TEXT_H
#define HOLDFAST_TEXT_H

#include <holdfast/core/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A growing text. After a failed append the text stays as it was and `failed` is set: append freely, ask once. */
typedef struct hf_text {
    char *data; /**< final 0 kept; NULL until the first append */
    size_t size, capacity;
    bool failed;
    hf_allocator allocator;
} hf_text;
void hf_text_init(hf_context *cx, hf_text *text);
__attribute__((format(printf, 2, 3))) void hf_text_print(hf_text *text, const char *format, ...);
void hf_text_append(hf_text *text, const char *data, size_t size);
/** Append `data` escaped for XML text and attributes. */
void hf_text_xml(hf_text *text, const char *data);
/** Append text for a paragraph of LaTeX: its special characters escaped. */
void hf_text_latex(hf_text *text, const char *data);
/** Append text as a word of a shell: in quotes where it needs them. */
void hf_text_shell(hf_text *text, const char *data);
void hf_text_free(hf_text *text);
/** HF_OK, or HF_ENOMEM with a message when an append failed. */
hf_status hf_text_check(hf_context *cx, const hf_text *text);
/** Write to PATH by a temporary file beside it, fsync and rename: never half-written. "-" is not special. */
hf_status hf_text_save(hf_context *cx, const hf_text *text, const char *path);
/** Read a whole file (at most `limit` bytes) into the text. \return HF_ENOENT, HF_EIO, HF_ERANGE. */
hf_status hf_text_load(hf_context *cx, const char *path, size_t limit, hf_text *text);

#ifdef __cplusplus
}
#endif
#endif
