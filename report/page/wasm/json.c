/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  JSON without jansson, printed to the same bytes. Lists grow by doubling; keys are looked for one by one, as documents of the
 *  program have few a level. */
#include "src/bridge/json.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum json_kind { OBJECT, ARRAY, TEXT, WHOLE, REAL, TRUE, FALSE, NONE } json_kind;

struct hf_json {
    json_kind kind;
    bool is_broken; /* something is missing from it */
    int64_t whole;
    double real;
    char *text;
    size_t size; /* of the text */
    hf_json **child;
    char **key; /* of an object */
    size_t n, capacity;
};

/* ---- building ---- */

static hf_json *make(json_kind kind) {
    hf_json *value = calloc(1, sizeof *value);
    if (value) {
        value->kind = kind;
    }
    return value;
}

static char *copy(const char *text, size_t size) {
    char *made = malloc(size + 1);
    if (made) {
        memcpy(made, text, size);
        made[size] = 0;
    }
    return made;
}

hf_json *hf_json_object(void) { return make(OBJECT); }
hf_json *hf_json_array(void) { return make(ARRAY); }
hf_json *hf_json_boolean(bool value) { return make(value ? TRUE : FALSE); }
hf_json *hf_json_null(void) { return make(NONE); }
hf_json *hf_json_text(const char *text) { return text ? hf_json_text_of(text, strlen(text)) : NULL; }

hf_json *hf_json_text_of(const char *text, size_t size) {
    hf_json *value = make(TEXT);
    if (value) {
        value->text = copy(text, size);
        value->size = size;
        value->is_broken = !value->text;
    }
    return value;
}

hf_json *hf_json_integer(int64_t whole) {
    hf_json *value = make(WHOLE);
    if (value) {
        value->whole = whole;
    }
    return value;
}

hf_json *hf_json_real(double real) {
    hf_json *value = make(isfinite(real) ? REAL : NONE);
    if (value) {
        value->real = real;
    }
    return value;
}

static bool grow(hf_json *parent) {
    if (parent->n < parent->capacity) {
        return true;
    }
    const size_t capacity = parent->capacity ? 2 * parent->capacity : 4;
    hf_json **child = realloc(parent->child, capacity * sizeof(hf_json *));
    parent->child = child ? child : parent->child;
    char **key = child && parent->kind == OBJECT ? realloc(parent->key, capacity * sizeof(char *)) : NULL;
    parent->key = key ? key : parent->key;
    const bool is_grown = child && (key || parent->kind == ARRAY);
    parent->capacity = is_grown ? capacity : parent->capacity;
    return is_grown;
}

void hf_json_push(hf_json *array, hf_json *value) {
    if (!array || !value || !grow(array)) {
        hf_json_free(value);
        if (array) {
            array->is_broken = true;
        }
        return;
    }
    array->child[array->n++] = value;
}

static size_t index_of(const hf_json *object, const char *key) {
    size_t i = 0;
    while (i < object->n && strcmp(object->key[i], key) != 0) {
        i++;
    }
    return i;
}

void hf_json_set(hf_json *object, const char *key, hf_json *value) {
    const size_t i = object ? index_of(object, key) : 0;
    if (object && value && i < object->n) {
        hf_json_free(object->child[i]);
        object->child[i] = value;
        return;
    }
    char *name = object && value && grow(object) ? copy(key, strlen(key)) : NULL;
    if (!name) {
        hf_json_free(value);
        if (object) {
            object->is_broken = true;
        }
        return;
    }
    object->key[object->n] = name;
    object->child[object->n++] = value;
}

void hf_json_free(hf_json *value) {
    for (size_t i = 0; value && i < value->n; i++) {
        hf_json_free(value->child[i]);
        if (value->key) {
            free(value->key[i]);
        }
    }
    if (value) {
        free(value->child);
        free(value->key);
        free(value->text);
        free(value);
    }
}

/* ---- printing ---- */

static void print_text(hf_text *out, const char *text, size_t size) {
    static const char plain[] = "\"\\\b\f\n\r\t", escaped[] = "\"\\bfnrt";
    hf_text_append(out, "\"", 1);
    for (const char *c = text; c < text + size; c++) {
        const char *special = *c ? strchr(plain, *c) : NULL;
        if (special) {
            const char two[2] = {'\\', escaped[special - plain]};
            hf_text_append(out, two, 2);
        } else if ((unsigned char)*c < ' ') {
            hf_text_print(out, "\\u%04X", (unsigned)*c);
        } else {
            hf_text_append(out, c, 1);
        }
    }
    hf_text_append(out, "\"", 1);
}

/* The exponent has neither a plus nor zeros in front. */
static void print_real(hf_text *out, double value) {
    char number[40];
    (void)snprintf(number, sizeof number, "%.17g", value);
    const char *exponent = strchr(number, 'e');
    const int size = exponent ? (int)(exponent - number) : (int)strlen(number);
    hf_text_print(out, strpbrk(number, ".e") ? "%.*s" : "%.*s.0", size, number);
    if (exponent) {
        hf_text_print(out, "e%d", (int)strtol(exponent + 1, NULL, 10));
    }
}

static void break_line(hf_text *out, int depth) {
    if (depth >= 0) {
        hf_text_print(out, "\n%*s", 2 * depth, "");
    }
}

static bool print_value(hf_text *out, const hf_json *value, int depth);

/* \param[in] depth negative: on one line */
static bool print_children(hf_text *out, const hf_json *value, int depth) {
    const bool is_object = value->kind == OBJECT;
    const int below = depth < 0 ? depth : depth + 1;
    bool is_whole = true;
    hf_text_append(out, is_object ? "{" : "[", 1);
    for (size_t i = 0; i < value->n; i++) {
        hf_text_print(out, "%s", i == 0 ? "" : depth < 0 ? ", " : ",");
        break_line(out, below);
        if (is_object) {
            print_text(out, value->key[i], strlen(value->key[i]));
            hf_text_append(out, ": ", 2);
        }
        is_whole = print_value(out, value->child[i], below) && is_whole;
    }
    if (value->n > 0) {
        break_line(out, depth);
    }
    hf_text_append(out, is_object ? "}" : "]", 1);
    return is_whole;
}

/* \return false: something is missing from it */
static bool print_value(hf_text *out, const hf_json *value, int depth) {
    if (value->is_broken) {
        return false;
    }
    switch (value->kind) {
    case OBJECT:
    case ARRAY:
        return print_children(out, value, depth);
    case TEXT:
        print_text(out, value->text, value->size);
        return true;
    case WHOLE:
        hf_text_print(out, "%lld", (long long)value->whole);
        return true;
    case REAL:
        print_real(out, value->real);
        return true;
    case TRUE:
    case FALSE:
        hf_text_print(out, "%s", value->kind == TRUE ? "true" : "false");
        return true;
    case NONE:
        break;
    }
    hf_text_print(out, "null");
    return true;
}

static hf_status print(hf_context *cx, const hf_json *value, int depth, hf_text *out) {
    if (!value || !print_value(out, value, depth)) {
        HF_FAIL(cx, HF_ENOMEM, "out of memory while writing JSON");
    }
    hf_text_append(out, "\n", 1);
    return hf_text_check(cx, out);
}

hf_status hf_json_print(hf_context *cx, const hf_json *value, hf_text *out) { return print(cx, value, 0, out); }
hf_status hf_json_print_line(hf_context *cx, const hf_json *value, hf_text *out) { return print(cx, value, -1, out); }

/* ---- reading ---- */

enum { DEPTH_MAX = 512 };

typedef struct reader {
    const char *start, *at, *end;
    const char *wrong; /* NULL: nothing so far */
} reader;

static hf_json *refuse(reader *r, const char *wrong, hf_json *value) {
    r->wrong = r->wrong ? r->wrong : wrong;
    hf_json_free(value);
    return NULL;
}

static int peek(reader *r) {
    while (r->at < r->end && strchr(" \t\r\n", *r->at) && *r->at) {
        r->at++;
    }
    return r->at < r->end ? (unsigned char)*r->at : -1;
}

static bool take(reader *r, const char *word) {
    const size_t size = strlen(word);
    if ((size_t)(r->end - r->at) < size || memcmp(r->at, word, size) != 0) {
        return false;
    }
    r->at += size;
    return true;
}

static bool take_hex(reader *r, unsigned *out) {
    char digits[5] = "";
    char *rest;
    if (r->end - r->at < 4) {
        return false;
    }
    memcpy(digits, r->at, 4);
    *out = (unsigned)strtoul(digits, &rest, 16);
    r->at += 4;
    return *rest == 0 && strspn(digits, "0123456789abcdefABCDEF") == 4;
}

static void put_utf8(hf_text *out, unsigned code) {
    const unsigned n = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned lead[] = {0, 0xC0, 0xE0, 0xF0};
    char c = (char)(lead[n] | code >> 6 * n);
    hf_text_append(out, &c, 1);
    for (unsigned i = n; i-- > 0;) {
        c = (char)(0x80 | (code >> 6 * i & 0x3F));
        hf_text_append(out, &c, 1);
    }
}

/* \uXXXX, or two of them for what is beyond the first plane. */
static bool take_code(reader *r, hf_text *out) {
    unsigned code, low;
    if (!take_hex(r, &code) || code == 0 || (code >= 0xDC00 && code < 0xE000)) {
        return false;
    }
    if (code >= 0xD800 && code < 0xDC00) {
        if (!take(r, "\\u") || !take_hex(r, &low) || low < 0xDC00 || low > 0xDFFF) {
            return false;
        }
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    put_utf8(out, code);
    return true;
}

static bool take_escape(reader *r, hf_text *out) {
    static const char escaped[] = "\"\\/bfnrt", plain[] = "\"\\/\b\f\n\r\t";
    const char c = r->at < r->end ? *r->at++ : 0;
    const char *special = c ? strchr(escaped, c) : NULL;
    if (special) {
        hf_text_append(out, plain + (special - escaped), 1);
        return true;
    }
    return c == 'u' && take_code(r, out);
}

/* Behind the opening quote. */
static bool take_text(reader *r, hf_text *out) {
    while (r->at < r->end && *r->at != '"') {
        if ((unsigned char)*r->at < ' ') {
            return false;
        }
        if (*r->at == '\\') {
            r->at++;
            if (!take_escape(r, out)) {
                return false;
            }
        } else {
            hf_text_append(out, r->at++, 1);
        }
    }
    return take(r, "\"") && !out->failed;
}

static hf_json *read_number(reader *r) {
    char number[400], *rest;
    const size_t size = strspn(r->at, "+-0123456789.eE");
    const char *digit = r->at + (*r->at == '-');
    if (size == 0 || size >= sizeof number || *digit < '0' || *digit > '9' ||
        (*digit == '0' && digit[1] >= '0' && digit[1] <= '9')) {
        return refuse(r, "invalid token", NULL);
    }
    memcpy(number, r->at, size);
    number[size] = 0;
    errno = 0;
    hf_json *value = strpbrk(number, ".eE") ? hf_json_real(strtod(number, &rest)) : hf_json_integer(strtoll(number, &rest, 10));
    if (*rest || errno == ERANGE) {
        return refuse(r, errno == ERANGE ? "number out of range" : "invalid token", value);
    }
    r->at += size;
    return value;
}

static hf_json *read_value(hf_context *cx, reader *r, int depth);

static bool read_key(hf_context *cx, reader *r, hf_text *key) {
    hf_text_init(cx, key);
    return peek(r) == '"' && take(r, "\"") && take_text(r, key) && peek(r) == ':' && take(r, ":");
}

static hf_json *read_children(hf_context *cx, reader *r, int depth, json_kind kind) {
    const char closing = kind == OBJECT ? '}' : ']';
    hf_json *value = make(kind);
    r->at++;
    for (bool is_first = true; peek(r) != closing; is_first = false) {
        hf_text key = {0};
        if (!is_first && (peek(r) != ',' || !take(r, ","))) {
            return refuse(r, "a comma or the end of the list is missing", value);
        }
        const bool has_key = kind == ARRAY || read_key(cx, r, &key);
        const bool is_new = kind == ARRAY || (has_key && !hf_json_get(value, key.data ? key.data : ""));
        hf_json *child = has_key && is_new ? read_value(cx, r, depth + 1) : NULL;
        if (child && kind == OBJECT) {
            hf_json_set(value, key.data ? key.data : "", child);
        } else if (child) {
            hf_json_push(value, child);
        }
        if (kind == OBJECT) {
            hf_text_free(&key);
        }
        if (!child) {
            return refuse(r, !has_key ? "a key is not right" : is_new ? "a value is not right" : "duplicate object key", value);
        }
    }
    r->at++;
    return value;
}

static hf_json *read_text(hf_context *cx, reader *r) {
    hf_text text;
    hf_text_init(cx, &text);
    r->at++;
    hf_json *value = take_text(r, &text) ? hf_json_text_of(text.data ? text.data : "", text.size) : NULL;
    hf_text_free(&text);
    return value ? value : refuse(r, "a text is not right", NULL);
}

static hf_json *read_value(hf_context *cx, reader *r, int depth) {
    if (depth > DEPTH_MAX) {
        return refuse(r, "maximum parsing depth reached", NULL);
    }
    switch (peek(r)) {
    case '{':
        return read_children(cx, r, depth, OBJECT);
    case '[':
        return read_children(cx, r, depth, ARRAY);
    case '"':
        return read_text(cx, r);
    case 't':
        return take(r, "true") ? hf_json_boolean(true) : refuse(r, "invalid token", NULL);
    case 'f':
        return take(r, "false") ? hf_json_boolean(false) : refuse(r, "invalid token", NULL);
    case 'n':
        return take(r, "null") ? hf_json_null() : refuse(r, "invalid token", NULL);
    case -1:
        return refuse(r, "the file ends too soon", NULL);
    default:
        return read_number(r);
    }
}

/* \param[in] data ends with a 0 behind its `size` bytes */
static hf_status parse(hf_context *cx, const char *file, const char *data, size_t size, hf_json **out) {
    reader r = {data, data, data + size, NULL};
    hf_json *value = read_value(cx, &r, 0);
    if (value && (value->kind > ARRAY || peek(&r) >= 0)) {
        value = refuse(&r, value->kind > ARRAY ? "'[' or '{' expected" : "end of file expected", value);
    }
    if (!value) {
        int line = 1, column = 0;
        for (const char *at = data; at < r.at; at++) {
            column = *at == '\n' ? 0 : column + 1;
            line += *at == '\n';
        }
        HF_FAIL(cx, HF_EINVAL, "%s, line %d, column %d: %s", file, line, column, r.wrong ? r.wrong : "out of memory");
    }
    *out = value;
    return HF_OK;
}

hf_status hf_json_parse(hf_context *cx, const char *file, const char *data, size_t size, hf_json **out) {
    char *ended = copy(data, size);
    if (!ended) {
        HF_FAIL(cx, HF_ENOMEM, "out of memory while reading JSON");
    }
    const hf_status status = parse(cx, file, ended, size, out);
    free(ended);
    return status;
}

/* ---- looking ---- */

hf_json *hf_json_entry(hf_json *object, const char *key) {
    const size_t i = object && object->kind == OBJECT ? index_of(object, key) : 0;
    return object && i < object->n && object->kind == OBJECT ? object->child[i] : NULL;
}

const hf_json *hf_json_get(const hf_json *object, const char *key) { return hf_json_entry((hf_json *)object, key); }

const hf_json *hf_json_at(const hf_json *array, size_t i) {
    return array && array->kind == ARRAY && i < array->n ? array->child[i] : NULL;
}

size_t hf_json_count(const hf_json *array) { return array && array->kind == ARRAY ? array->n : 0; }
const char *hf_json_string(const hf_json *value) { return value && value->kind == TEXT ? value->text : NULL; }

bool hf_json_number(const hf_json *value, double *out) {
    if (!value || (value->kind != REAL && value->kind != WHOLE)) {
        return false;
    }
    *out = value->kind == REAL ? value->real : (double)value->whole;
    return true;
}

bool hf_json_whole(const hf_json *value, int64_t *out) {
    if (!value || value->kind != WHOLE) {
        return false;
    }
    *out = value->whole;
    return true;
}

bool hf_json_truth(const hf_json *value, bool *out) {
    if (!value || (value->kind != TRUE && value->kind != FALSE)) {
        return false;
    }
    *out = value->kind == TRUE;
    return true;
}

bool hf_json_is_null(const hf_json *value) { return value && value->kind == NONE; }

unsigned hf_json_type(const hf_json *value) {
    static const unsigned type[] = {[OBJECT] = HF_JSON_OBJECT,
                                    [ARRAY] = HF_JSON_ARRAY,
                                    [TEXT] = HF_JSON_TEXT,
                                    [WHOLE] = HF_JSON_WHOLE,
                                    [REAL] = 0,
                                    [TRUE] = 0,
                                    [FALSE] = 0,
                                    [NONE] = HF_JSON_NULL};
    return value ? type[value->kind] : 0;
}

const char *hf_json_key(const hf_json *object, size_t i) {
    return object && object->kind == OBJECT && i < object->n ? object->key[i] : NULL;
}
