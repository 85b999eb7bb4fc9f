/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  JSON by jansson. An hf_json is a json_t; a failed allocation is NULL and
 *  leaves a mark in whatever it should have gone into. */
#include "src/bridge/json.h"

#include <math.h>
#include <string.h>

#include <jansson.h>

/* A key that no document uses: put into an object or array to say that
 * something is missing from it. */
static const char broken[] = "\x01"
                             "out of memory";

static json_t *to_json(hf_json *value) { return (json_t *)(void *)value; }
static const json_t *to_const(const hf_json *value) { return (const json_t *)(const void *)value; }
static hf_json *of_json(json_t *value) { return (hf_json *)(void *)value; }
static const hf_json *of_const(const json_t *value) { return (const hf_json *)(const void *)value; }

hf_json *hf_json_object(void) { return of_json(json_object()); }
hf_json *hf_json_array(void) { return of_json(json_array()); }
hf_json *hf_json_text(const char *text) { return of_json(json_string(text)); }
hf_json *hf_json_text_of(const char *text, size_t size) { return of_json(json_stringn(text, size)); }
hf_json *hf_json_integer(int64_t value) { return of_json(json_integer(value)); }
hf_json *hf_json_real(double value) { return of_json(isfinite(value) ? json_real(value) : json_null()); }
hf_json *hf_json_boolean(bool value) { return of_json(json_boolean(value)); }
hf_json *hf_json_null(void) { return of_json(json_null()); }

void hf_json_set(hf_json *object, const char *key, hf_json *value) {
    if (object && (!value || json_object_set_new(to_json(object), key, to_json(value)) != 0)) {
        json_object_set_new(to_json(object), broken, json_true());
    }
}

void hf_json_push(hf_json *array, hf_json *value) {
    if (array && (!value || json_array_append_new(to_json(array), to_json(value)) != 0)) {
        json_array_append_new(to_json(array), json_string(broken));
    }
}

void hf_json_free(hf_json *value) { json_decref(to_json(value)); }

static int append(const char *data, size_t size, void *user) {
    hf_text *text = user;
    hf_text_append(text, data, size);
    return text->failed ? -1 : 0;
}

static hf_status print(hf_context *cx, const hf_json *value, size_t form, hf_text *out) {
    const size_t start = out->size;
    const size_t flags = form | JSON_REAL_PRECISION(17) | JSON_ENCODE_ANY;
    const bool failed = !value || json_dump_callback(to_const(value), append, out, flags) != 0;
    /* The mark is printed with its control character escaped. */
    if (failed || (out->data && strstr(out->data + start, "\\u0001out of memory"))) {
        HF_FAIL(cx, HF_ENOMEM, "out of memory while writing JSON");
    }
    hf_text_append(out, "\n", 1);
    return hf_text_check(cx, out);
}

hf_status hf_json_print(hf_context *cx, const hf_json *value, hf_text *out) { return print(cx, value, JSON_INDENT(2), out); }
hf_status hf_json_print_line(hf_context *cx, const hf_json *value, hf_text *out) { return print(cx, value, 0, out); }

hf_status hf_json_parse(hf_context *cx, const char *file, const char *data, size_t size, hf_json **out) {
    json_error_t error;
    json_t *value = json_loadb(data, size, JSON_REJECT_DUPLICATES, &error);
    if (!value) {
        HF_FAIL(cx, HF_EINVAL, "%s, line %d, column %d: %s", file, error.line, error.column, error.text);
    }
    *out = of_json(value);
    return HF_OK;
}

const hf_json *hf_json_get(const hf_json *object, const char *key) {
    return object ? of_const(json_object_get(to_const(object), key)) : NULL;
}
hf_json *hf_json_entry(hf_json *object, const char *key) {
    return object ? of_json(json_object_get(to_json(object), key)) : NULL;
}
const hf_json *hf_json_at(const hf_json *array, size_t i) { return array ? of_const(json_array_get(to_const(array), i)) : NULL; }
size_t hf_json_count(const hf_json *array) { return array ? json_array_size(to_const(array)) : 0; }
const char *hf_json_string(const hf_json *value) { return value ? json_string_value(to_const(value)) : NULL; }

bool hf_json_number(const hf_json *value, double *out) {
    if (!value || !json_is_number(to_const(value))) {
        return false;
    }
    *out = json_number_value(to_const(value));
    return true;
}

bool hf_json_whole(const hf_json *value, int64_t *out) {
    if (!value || !json_is_integer(to_const(value))) {
        return false;
    }
    *out = json_integer_value(to_const(value));
    return true;
}

bool hf_json_truth(const hf_json *value, bool *out) {
    if (!value || !json_is_boolean(to_const(value))) {
        return false;
    }
    *out = json_is_true(to_const(value));
    return true;
}

bool hf_json_is_null(const hf_json *value) { return value && json_is_null(to_const(value)); }

unsigned hf_json_type(const hf_json *value) {
    switch (value ? json_typeof(to_const(value)) : JSON_REAL) {
    case JSON_NULL:
        return HF_JSON_NULL;
    case JSON_STRING:
        return HF_JSON_TEXT;
    case JSON_INTEGER:
        return HF_JSON_WHOLE;
    case JSON_ARRAY:
        return HF_JSON_ARRAY;
    case JSON_OBJECT:
        return HF_JSON_OBJECT;
    default:
        return 0;
    }
}

const char *hf_json_key(const hf_json *object, size_t i) {
    json_t *o = (json_t *)to_const(object);
    void *at = json_object_iter(o);
    while (at && i-- > 0) {
        at = json_object_iter_next(o, at);
    }
    return at ? json_object_iter_key(at) : NULL;
}
