/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Parameters and specs: "name:key=value,..." parsed against the parameters of a
 *  descriptor. */
#include <holdfast/core/spec.h>

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "src/core/number.h"
#include "src/core/registry.h"

const hf_param hf_no_params[] = {{0}};

const hf_value *hf_args_get(const hf_args *args, const char *name) {
    for (size_t i = 0; i < args->count; i++) {
        if (strcmp(args->params[i].name, name) == 0) {
            return &args->value[i];
        }
    }
    assert(false && "a parameter that the descriptor does not have");
    return NULL;
}

void hf_args_free(hf_args *args) {
    hf_release(&args->allocator, args->storage);
    args->storage = NULL;
}

/* ---- values ---- */

typedef struct parser {
    hf_context *cx;
    const char *what, *name; /* what NULL: an option of the command line */
    hf_args *args;
    char *free_text; /* next free byte of args->storage; NULL: texts are borrowed */
} parser;

/* The largest value of a parameter; UINT64_MAX stands for what does not fit, and for "unlimited". */
static uint64_t highest(const hf_param *param) { return param->high == UINT64_MAX ? UINT64_MAX - 1 : param->high; }

/* The word that a COUNT has for no limit. */
static const char *no_limit(const hf_param *param) { return param->words ? param->words[0] : "unlimited"; }

/* Every message begins with: topology "kary-tree": */
static hf_status refuse_range(parser *p, const hf_param *param, hf_slice value, uint64_t number) {
    const int n = (int)(value.size < 80 ? value.size : 80);
    char unlimited[40] = "";
    if (param->type == HF_PARAM_COUNT) {
        (void)snprintf(unlimited, sizeof unlimited, " or %.30s", no_limit(param));
    } else if (param->type == HF_PARAM_AMOUNT) {
        (void)snprintf(unlimited, sizeof unlimited, ", or a share such as 50%%");
    }
    if (!p->what) {
        HF_FAIL(p->cx, HF_ERANGE, "--%s=%.*s is out of range; need %" PRIu64 " to %" PRIu64 "%s", param->name, n, value.text,
                param->low, param->high, unlimited);
    }
    if (param->high == UINT64_MAX && number < param->low) {
        HF_FAIL(p->cx, HF_ERANGE, "%s \"%s\": %s=%.*s is out of range; need %s >= %" PRIu64 "%s", p->what, p->name, param->name,
                n, value.text, param->name, param->low, unlimited);
    }
    HF_FAIL(p->cx, HF_ERANGE, "%s \"%s\": %s=%.*s is out of range; need %" PRIu64 " <= %s <= %" PRIu64 "%s", p->what, p->name,
            param->name, n, value.text, param->low, param->name, highest(param), unlimited);
}

static hf_status refuse_form(parser *p, const hf_param *param, hf_slice value, const char *need) {
    const int n = (int)(value.size < 80 ? value.size : 80);
    if (!p->what) {
        HF_FAIL(p->cx, HF_EINVAL, "--%s=%.*s is not right; need %s", param->name, n, value.text, need);
    }
    HF_FAIL(p->cx, HF_EINVAL, "%s \"%s\": %s=\"%.*s\" is not right; need %s", p->what, p->name, param->name, n, value.text, need);
}

/* Decimal digits only. \return false if malformed; what does not fit becomes UINT64_MAX. */
static bool read_digits(hf_slice text, uint64_t *out) {
    bool fits;
    return hf_take_digits(&text, 10, out, &fits) && text.size == 0;
}

static hf_status read_number(parser *p, const hf_param *param, hf_slice text, uint64_t *out) {
    if (param->type == HF_PARAM_COUNT && hf_slice_is(text, no_limit(param))) {
        *out = HF_UNLIMITED;
        return HF_OK;
    }
    if (!read_digits(text, out)) {
        char need[128], to[40] = "";
        if (param->high != UINT64_MAX) {
            (void)snprintf(to, sizeof to, " to %" PRIu64, param->high);
        }
        const bool is_count = param->type == HF_PARAM_COUNT;
        (void)snprintf(need, sizeof need, "a whole number from %" PRIu64 "%s%s%.30s", param->low, to, is_count ? ", or " : "",
                       is_count ? no_limit(param) : "");
        return refuse_form(p, param, text, need);
    }
    return *out < param->low || *out > highest(param) ? refuse_range(p, param, text, *out) : HF_OK;
}

/* "12.5%" in thousandths of a percent. */
static bool read_share(hf_slice text, uint64_t *out) {
    return hf_take_scaled(&text, 3, out) && hf_slice_is(text, "%") && *out > 0 && *out <= HF_SHARE_ALL;
}

static hf_status read_amount(parser *p, const hf_param *param, hf_slice text, hf_value *value) {
    value->is_share = text.size > 0 && text.text[text.size - 1] == '%';
    if (value->is_share) {
        return read_share(text, &value->number)
                   ? HF_OK
                   : refuse_form(p, param, text, "a share above 0% and up to 100%, with at most 3 decimals");
    }
    if (!read_digits(text, &value->number)) {
        return refuse_form(p, param, text, "a whole number, or a share such as 50%");
    }
    return value->number < param->low || value->number > highest(param) ? refuse_range(p, param, text, value->number) : HF_OK;
}

static hf_status read_dims(parser *p, const hf_param *param, hf_slice text, hf_value *value) {
    value->number = 0;
    for (size_t i = 0; i <= text.size;) {
        size_t end = i;
        while (end < text.size && text.text[end] != 'x') {
            end++;
        }
        if (value->number == HF_DIMS_MAX) {
            return refuse_form(p, param, text, "at most 16 sizes");
        }
        uint64_t *size = &value->dims[value->number++];
        if (!read_digits((hf_slice){text.text + i, end - i}, size)) {
            return refuse_form(p, param, text, "sizes joined by x, such as 8x8");
        }
        if (*size < param->low || *size > highest(param)) {
            return refuse_range(p, param, text, *size);
        }
        i = end + 1;
    }
    return HF_OK;
}

static hf_status read_real(parser *p, const hf_param *param, hf_slice text, double *out) {
    const double low = (double)param->low, high = (double)param->high;
    const bool is_above = param->flags & HF_PARAM_ABOVE, is_below = param->flags & HF_PARAM_BELOW;
    hf_slice at = text;
    if (!hf_take_real(&at, out) || at.size > 0) {
        return refuse_form(p, param, text, "a number");
    }
    if (*out < low || *out > high || (is_above && *out == low) || (is_below && *out == high)) {
        char need[96];
        (void)snprintf(need, sizeof need, "a number %s %.15g%s %.15g", is_above ? "above" : "from", low,
                       is_below   ? " to below"
                       : is_above ? ", at most"
                                  : " to",
                       high);
        return refuse_form(p, param, text, need);
    }
    return HF_OK;
}

static hf_status read_word(parser *p, const hf_param *param, hf_slice text, hf_value *value) {
    static const char *const yes_no[] = {"no", "yes", NULL};
    const char *const *words = param->type == HF_PARAM_BOOL ? yes_no : param->words;
    value->number = hf_words_find(words, text);
    if (words[value->number]) {
        return HF_OK;
    }
    char list[256];
    size_t used = (size_t)snprintf(list, sizeof list, "%s", p->what ? "one of " : "");
    for (size_t i = 0; words[i] && used < sizeof list - 1; i++) {
        const char *before = i == 0 ? "" : words[i + 1] || p->what ? ", " : " or ";
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", before, words[i]);
    }
    return refuse_form(p, param, text, list);
}

/* "msg+ack": a bit for each. Where a list has its commas elsewhere, they stand for the plus. */
static hf_status read_words(parser *p, const hf_param *param, hf_slice text, hf_value *value) {
    hf_slice at = text;
    char list[160], need[256];
    bool is_known = hf_slice_is(text, "none"), is_over = is_known;
    while (!is_over) {
        size_t size = 0;
        while (size < at.size && at.text[size] != '+' && at.text[size] != ',') {
            size++;
        }
        const size_t word = hf_words_find(param->words, (hf_slice){at.text, size});
        is_known = param->words[word] != NULL;
        value->number |= is_known ? UINT64_C(1) << word : 0;
        is_over = !is_known || size == at.size;
        at = is_over ? at : (hf_slice){at.text + size + 1, at.size - size - 1};
    }
    if (is_known) {
        return HF_OK;
    }
    for (size_t i = 0, used = 0; param->words[i] && used < sizeof list; i++) {
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", param->words[i]);
    }
    (void)snprintf(need, sizeof need, "none, or some of %s with + between", list);
    return refuse_form(p, param, text, need);
}

static hf_status read_value(parser *p, const hf_param *param, hf_slice text, hf_value *value) {
    *value = (hf_value){0};
    switch (param->type) {
    case HF_PARAM_UINT:
    case HF_PARAM_COUNT:
        return read_number(p, param, text, &value->number);
    case HF_PARAM_DIMS:
        return read_dims(p, param, text, value);
    case HF_PARAM_AMOUNT:
        return read_amount(p, param, text, value);
    case HF_PARAM_BOOL:
    case HF_PARAM_WORD:
        return read_word(p, param, text, value);
    case HF_PARAM_WORDS:
        return read_words(p, param, text, value);
    case HF_PARAM_REAL:
        return read_real(p, param, text, &value->real);
    case HF_PARAM_TEXT:
        break;
    }
    if (text.size == 0) {
        return refuse_form(p, param, text, "some text");
    }
    if (!p->free_text) {
        value->text = text.text;
        char name[64];
        (void)snprintf(name, sizeof name, "%s%s", p->what ? "" : "--", param->name);
        return param->accepts ? param->accepts(p->cx, name, text.text) : HF_OK;
    }
    memcpy(p->free_text, text.text, text.size);
    p->free_text[text.size] = 0;
    value->text = p->free_text;
    p->free_text += text.size + 1;
    return HF_OK;
}

hf_status hf_param_read(hf_context *cx, const char *what, const char *name, const hf_param *param, const char *text,
                        hf_value *out) {
    parser p = {.cx = cx, .what = what, .name = name};
    return read_value(&p, param, (hf_slice){text, strlen(text)}, out);
}

/* ---- one spec ---- */

/* \param[in] is_bare nothing stands behind it: a value, as like as not */
static hf_status refuse_parameter(parser *p, hf_slice key, bool is_bare) {
    const char *names[HF_PARAM_MAX + 1] = {NULL};
    for (size_t i = 0; i < p->args->count; i++) {
        names[i] = p->args->params[i].name;
    }
    const int n = (int)(key.size < 80 ? key.size : 80);
    if (p->args->count == 0) {
        HF_FAIL(p->cx, HF_EINVAL, "%s \"%s\" takes no parameters; \"%.*s\" is too much", p->what, p->name, n, key.text);
    }
    if (is_bare && !hf_spec_nearest(key.text, key.size, names)) {
        HF_FAIL(p->cx, HF_EINVAL, "%s \"%s\": \"%.*s\" has no name in front; need one as in %s=%.*s, see `holdfast describe %s`",
                p->what, p->name, n, key.text, names[0], n, key.text, p->name);
    }
    (void)hf_spec_unknown(p->cx, "parameter", key.text, key.size, names);
    hf_context_prefix(p->cx, "%s \"%s\": ", p->what, p->name);
    return HF_EINVAL;
}

static hf_slice key_of(hf_slice text) {
    const char *equals = memchr(text.text, '=', text.size);
    return (hf_slice){text.text, equals ? (size_t)(equals - text.text) : text.size};
}

/* Index of the parameter called `key`; the count of parameters if there is none. */
static size_t find_parameter(const hf_args *args, hf_slice key) {
    size_t i = 0;
    while (i < args->count && !hf_slice_is(key, args->params[i].name)) {
        i++;
    }
    return i;
}

/* Would this text, as a first argument, be read as "key=value"? */
static bool is_named(const hf_args *args, hf_slice text) {
    const hf_slice key = key_of(text);
    return key.size < text.size && find_parameter(args, key) < args->count;
}

static bool takes_positional(const hf_args *args) { return args->count && (args->params[0].flags & HF_PARAM_POSITIONAL); }

/* One "key=value", or a first argument without a key. */
static hf_status read_argument(parser *p, hf_slice text, bool is_first) {
    bool *seen = p->args->given;
    if (is_first && takes_positional(p->args) && !is_named(p->args, text)) {
        seen[0] = true;
        return read_value(p, &p->args->params[0], text, &p->args->value[0]);
    }
    const hf_slice key = key_of(text);
    const size_t i = find_parameter(p->args, key);
    if (i == p->args->count) {
        return refuse_parameter(p, key, key.size == text.size);
    }
    const char *name = p->args->params[i].name;
    if (key.size == text.size) {
        HF_FAIL(p->cx, HF_EINVAL, "%s \"%s\": parameter %s has no value; write %s=...", p->what, p->name, name, name);
    }
    if (seen[i]) {
        HF_FAIL(p->cx, HF_EINVAL, "%s \"%s\": parameter %s is given twice", p->what, p->name, name);
    }
    seen[i] = true;
    const hf_slice value = {text.text + key.size + 1, text.size - key.size - 1};
    return read_value(p, &p->args->params[i], value, &p->args->value[i]);
}

static hf_status read_all(parser *p, const char *text) {
    for (size_t at = 0, size = strlen(text); size && at <= size;) {
        const char *comma = memchr(text + at, ',', size - at);
        const size_t end = comma ? (size_t)(comma - text) : size;
        if (end == at) {
            HF_FAIL(p->cx, HF_EINVAL, "%s \"%s\": a parameter is missing before or after a comma in \"%s\"", p->what, p->name,
                    text);
        }
        HF_TRY(read_argument(p, (hf_slice){text + at, end - at}, at == 0));
        at = end + 1;
    }
    for (size_t i = 0; i < p->args->count; i++) {
        const hf_param *param = &p->args->params[i];
        if (p->args->given[i]) {
            continue;
        }
        if (!param->fallback) {
            HF_FAIL(p->cx, HF_EINVAL, "%s \"%s\": parameter %s is missing (%s)", p->what, p->name, param->name, param->help);
        }
        HF_TRY(read_value(p, param, (hf_slice){param->fallback, strlen(param->fallback)}, &p->args->value[i]));
    }
    return HF_OK;
}

hf_status hf_args_parse(hf_context *cx, const char *what, const char *name, const hf_param *params, const char *text,
                        hf_args *out) {
    *out = (hf_args){.params = params, .allocator = *hf_context_allocator(cx)};
    size_t room = strlen(text) + 1;
    while (params && params[out->count].name) {
        assert(out->count < HF_PARAM_MAX);
        room += params[out->count].fallback ? strlen(params[out->count].fallback) + 1 : 1;
        out->count++;
    }
    HF_TRY(hf_allocate(cx, room, 1, (void **)&out->storage));
    parser p = {cx, what, name, out, out->storage};
    const hf_status status = read_all(&p, text);
    if (status != HF_OK) {
        hf_args_free(out);
    }
    return status;
}

/* ---- canonical form ---- */

/* "50%", "12.5%". */
static size_t share_text(uint64_t share, char *text, size_t size) {
    int decimals = 3;
    uint64_t rest = share % 1000;
    for (; decimals > 0 && rest % 10 == 0; decimals--) {
        rest /= 10;
    }
    return decimals > 0 ? (size_t)snprintf(text, size, "%" PRIu64 ".%0*" PRIu64 "%%", share / 1000, decimals, rest)
                        : (size_t)snprintf(text, size, "%" PRIu64 "%%", share / 1000);
}

/* Appended to a text of `used` bytes; `text` NULL: only counted. */
static size_t append_word(char *text, size_t size, size_t used, const char *before, const char *word) {
    return used + (size_t)snprintf(text ? text + used : NULL, text ? size - used : 0, "%s%s", before, word);
}

/* "msg+ack", or none. */
static size_t words_text(const hf_param *param, uint64_t bits, char *text, size_t size) {
    size_t used = 0;
    for (size_t i = 0; param->words[i]; i++) {
        used = bits >> i & 1 ? append_word(text, size, used, used ? "+" : "", param->words[i]) : used;
    }
    return used ? used : append_word(text, size, 0, "", "none");
}

static size_t value_text(const hf_param *param, const hf_value *value, char *text, size_t size) {
    switch (param->type) {
    case HF_PARAM_BOOL:
        return (size_t)snprintf(text, size, "%s", value->number ? "yes" : "no");
    case HF_PARAM_WORD:
        return (size_t)snprintf(text, size, "%s", param->words[value->number]);
    case HF_PARAM_WORDS:
        return words_text(param, value->number, text, size);
    case HF_PARAM_TEXT:
        return (size_t)snprintf(text, size, "%s", value->text);
    case HF_PARAM_REAL:
        return (size_t)snprintf(text, size, "%.15g", value->real);
    case HF_PARAM_DIMS: {
        size_t used = 0;
        for (size_t i = 0; i < value->number; i++) {
            used +=
                (size_t)snprintf(text ? text + used : NULL, text ? size - used : 0, "%s%" PRIu64, i ? "x" : "", value->dims[i]);
        }
        return used;
    }
    case HF_PARAM_AMOUNT:
        if (value->is_share) {
            return share_text(value->number, text, size);
        }
        break;
    case HF_PARAM_UINT:
    case HF_PARAM_COUNT:
        break;
    }
    if (value->number == HF_UNLIMITED && param->type == HF_PARAM_COUNT) {
        return (size_t)snprintf(text, size, "%s", no_limit(param));
    }
    return (size_t)snprintf(text, size, "%" PRIu64, value->number);
}

hf_status hf_param_text(hf_context *cx, const hf_param *param, const hf_value *value, char **out) {
    *out = NULL;
    if (param->type == HF_PARAM_TEXT && !value->text) {
        return HF_OK;
    }
    const size_t size = value_text(param, value, NULL, 0);
    HF_TRY(hf_scratch(cx, size + 1, 1, (void **)out));
    (void)value_text(param, value, *out, size + 1);
    return HF_OK;
}

/* Is the value what its default says? Compared as canonical texts; a default of
 * several forms does not occur. */
static bool is_default(const hf_param *param, const hf_value *value) {
    char text[512];
    return param->fallback && value_text(param, value, text, sizeof text) < sizeof text && strcmp(text, param->fallback) == 0;
}

/* The positional parameter goes without its name, unless its text would then be taken for another parameter. */
static bool is_name_written(const hf_args *args, size_t i, const char *value) {
    return i > 0 || !takes_positional(args) || is_named(args, (hf_slice){value, strlen(value)});
}

hf_status hf_args_canonical(hf_context *cx, const char *name, const hf_args *args, char **out) {
    size_t room = strlen(name) + 2;
    for (size_t i = 0; i < args->count; i++) {
        room += strlen(args->params[i].name) + value_text(&args->params[i], &args->value[i], NULL, 0) + 2;
    }
    char *text;
    HF_TRY(hf_allocate(cx, room, 1, (void **)&text));
    size_t used = (size_t)snprintf(text, room, "%s", name);
    char separator = ':';
    for (size_t i = 0; i < args->count; i++) {
        const hf_param *param = &args->params[i];
        if (is_default(param, &args->value[i]) && !(param->flags & HF_PARAM_SHOWN)) {
            continue;
        }
        text[used++] = separator;
        separator = ',';
        const size_t size = value_text(param, &args->value[i], text + used, room - used);
        if (is_name_written(args, i, text + used)) {
            used += (size_t)snprintf(text + used, room - used, "%s=", param->name);
            value_text(param, &args->value[i], text + used, room - used);
        }
        used += size;
    }
    *out = text;
    return HF_OK;
}
