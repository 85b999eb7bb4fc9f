/** \file
 *  JSON by jansson: a thin handle so that only src/bridge/json.c sees jansson.h.
 *  Building never fails half-way: a failed allocation marks the root, hf_json_print() reports it. */
#ifndef HOLDFAST_SRC_BRIDGE_JSON_H
#define HOLDFAST_SRC_BRIDGE_JSON_H

#include <holdfast/core/text.h>

/** Any JSON value; owned by the parent it was put into, or free with hf_json_free(). NULL stands for "allocation failed" and is
 * accepted everywhere. */
typedef struct hf_json hf_json;

hf_json *hf_json_object(void);
hf_json *hf_json_array(void);
hf_json *hf_json_text(const char *text);
hf_json *hf_json_text_of(const char *text, size_t size); /**< the first `size` bytes */
hf_json *hf_json_integer(int64_t value);
hf_json *hf_json_real(double value); /**< 17 significant digits; NaN and infinities become null */
hf_json *hf_json_boolean(bool value);
hf_json *hf_json_null(void);
/** Take over `value`; keys stay in the order of insertion. */
void hf_json_set(hf_json *object, const char *key, hf_json *value);
void hf_json_push(hf_json *array, hf_json *value);
void hf_json_free(hf_json *value);
/** The frame of every document of the program (docs/json.md): schema, command, program. Add what it holds. */
hf_json *hf_json_frame(const char *command);
/** Print with two-space indents and a final newline. \return HF_ENOMEM if anything failed while building. */
hf_status hf_json_print(hf_context *cx, const hf_json *value, hf_text *out);
/** The same on one line. */
hf_status hf_json_print_line(hf_context *cx, const hf_json *value, hf_text *out);

/** Parse. `file` is for messages (file, line, column). */
hf_status hf_json_parse(hf_context *cx, const char *file, const char *data, size_t size, hf_json **out);
/** Readers: borrowed children, NULL when absent or of another type. */
const hf_json *hf_json_get(const hf_json *object, const char *key);
/** The same of an object that is being built, to add to it. */
hf_json *hf_json_entry(hf_json *object, const char *key);
const hf_json *hf_json_at(const hf_json *array, size_t i);
size_t hf_json_count(const hf_json *array);
const char *hf_json_string(const hf_json *value);
bool hf_json_number(const hf_json *value, double *out);
bool hf_json_whole(const hf_json *value, int64_t *out);
bool hf_json_truth(const hf_json *value, bool *out);
bool hf_json_is_null(const hf_json *value); /**< there, and null */

enum { HF_JSON_NULL = 1, HF_JSON_TEXT = 2, HF_JSON_WHOLE = 4, HF_JSON_ARRAY = 8, HF_JSON_OBJECT = 16 };
unsigned hf_json_type(const hf_json *value); /**< HF_JSON_*; 0: a real number, a boolean, or nothing */
/** The i-th key of an object. \return NULL: it has no more. Time O(i) */
const char *hf_json_key(const hf_json *object, size_t i);

/** A field of an object: what it may be, and where it goes. */
typedef struct hf_json_field {
    const char *key;
    unsigned types;      /**< HF_JSON_*, or several of them */
    const hf_json **out; /**< borrowed */
} hf_json_field;
/** Read an object that has these `n` fields, each once, and no others. \param[in] place for messages, such as "in.json, spec".
 *  \return HF_EINVAL that names the place and the field otherwise */
hf_status hf_json_read(hf_context *cx, const char *place, const hf_json *object, const hf_json_field *field, size_t n);

#endif
