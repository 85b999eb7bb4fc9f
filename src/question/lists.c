/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Parameters that say several others: "buffer=16,flow=bubble", or a value for each of a few, "1,1,2". The command
 *  line, a study and a call of C have one reader. */
#include <string.h>

#include "src/core/registry.h"
#include "src/question/ask.h"

bool hf_asked_is_list(const hf_param *param) { return param->each || (param->lists && !param->words); }

/* ---- of parameters by name ---- */

static hf_status refuse_name(hf_context *cx, const hf_question *question, hf_slice name) {
    const char *names[HF_ASKED_MAX + 1] = {NULL};
    const hf_param *p;
    for (size_t i = 0; i < HF_ASKED_MAX && (p = hf_question_param(question, i)) != NULL; i++) {
        names[i] = p->name;
    }
    return hf_spec_unknown(cx, "parameter", name.text, name.size, names);
}

/* One NAME=VALUE, or a word of the parameter itself, which is read as without a list. */
static hf_status read_item(hf_context *cx, const hf_question *question, const char *what, const hf_param *param, hf_slice item,
                           bool is_first, hf_argument *out) {
    const char *equals = memchr(item.text, '=', item.size);
    const hf_slice name = {item.text, equals ? (size_t)(equals - item.text) : item.size};
    char *said, *value;
    hf_value read;
    if (equals ? equals == item.text || equals + 1 == item.text + item.size : !(is_first && param->words)) {
        HF_FAIL(cx, HF_EINVAL, "\"%.*s\" is not right; need NAME=VALUE", (int)item.size, item.text);
    }
    HF_TRY(hf_scratch_print(cx, &said, "%.*s", (int)name.size, name.text));
    const hf_param *p = equals ? hf_question_param_named(question, said) : param;
    if (!p || (p->lists && p != param)) {
        return refuse_name(cx, question, name);
    }
    HF_TRY(hf_scratch_print(cx, &value, "%.*s", equals ? (int)(item.size - name.size) - 1 : (int)item.size,
                            equals ? equals + 1 : item.text));
    *out = (hf_argument){p->name, value};
    return equals ? hf_param_read(cx, what, question->name, p, value, &read) : HF_OK;
}

hf_status hf_asked_read_list(hf_context *cx, const hf_question *question, const char *what, const hf_param *param,
                             const char *text, hf_argument *out, size_t most, size_t *n) {
    const size_t first = *n;
    for (const char *at = *text ? text : NULL; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        hf_argument item = {NULL, NULL};
        HF_TRY(read_item(cx, question, what, param, (hf_slice){at, strcspn(at, ",")}, at == text, &item));
        if (hf_asked_value(out + first, *n - first, item.name)) {
            HF_FAIL(cx, HF_EINVAL, "%s is given twice", item.name);
        }
        if (*n == most) {
            HF_FAIL(cx, HF_ERANGE, "more than %zu arguments", most);
        }
        out[(*n)++] = item;
    }
    return HF_OK;
}

/* A message names the list. */
static hf_status of_list(hf_context *cx, const char *what, const hf_param *param, hf_status status) {
    if (status != HF_OK) {
        hf_context_prefix(cx, "%s%s: ", what ? "" : "--", param->name);
    }
    return status;
}

static hf_status add_list(hf_context *cx, const hf_question *question, const char *what, const hf_param *param, const char *text,
                          hf_argument *all, size_t *n) {
    return of_list(cx, what, param, hf_asked_read_list(cx, question, what, param, text, all, HF_ASKED_MAX, n));
}

hf_status hf_asked_unlist(hf_context *cx, const hf_question *question, const char *what, const hf_argument **arguments,
                          size_t *n) {
    hf_argument *all;
    size_t n_all = 0, kept;
    HF_TRY(hf_scratch(cx, HF_ASKED_MAX, sizeof *all, (void **)&all));
    for (size_t i = 0; i < *n; i++) {
        const hf_param *p = hf_question_param_named(question, (*arguments)[i].name);
        if (!p || !p->lists) {
            all[n_all++] = (*arguments)[i];
        }
    }
    const size_t n_own = n_all;
    for (size_t i = 0; i < *n; i++) {
        const hf_param *p = hf_question_param_named(question, (*arguments)[i].name);
        const size_t first = n_all;
        HF_TRY(p && p->lists ? add_list(cx, question, what, p, (*arguments)[i].value, all, &n_all) : HF_OK);
        kept = first;
        for (size_t k = first; k < n_all; k++) {
            all[kept] = all[k];
            kept += !hf_asked_value(all, n_own, all[k].name);
        }
        n_all = kept;
    }
    *arguments = all;
    *n = n_all;
    return HF_OK;
}

/* ---- a value for each ---- */

/* What the values of a list are, as arguments of the parameters that were not given themselves. */
static hf_status spread(hf_context *cx, const hf_question *question, const hf_param *p, const char *what, const char *text,
                        hf_argument *arguments, size_t *n) {
    size_t n_value = 1;
    for (const char *at = strchr(text, ','); at; at = strchr(at + 1, ',')) {
        n_value++;
    }
    if (n_value < p->low || n_value > p->high) {
        HF_FAIL(cx, HF_EINVAL, "%s%s=%s is not right; need %s", what ? "" : "--", p->name, text, p->help);
    }
    for (size_t i = 0; p->each[i]; i++) {
        char *value = NULL;
        const size_t size = strcspn(text, ",");
        const hf_param *of = hf_question_param_named(question, p->each[i]);
        HF_TRY(hf_scratch_print(cx, &value, "%.*s", (int)size, text));
        hf_value read;
        HF_TRY(i < n_value ? of_list(cx, what, p, hf_param_read(cx, what, question->name, of, value, &read)) : HF_OK);
        if (!hf_asked_value(arguments, *n, p->each[i])) {
            arguments[(*n)++] = (hf_argument){p->each[i], i < n_value ? value : of->fallback};
        }
        text += size + (text[size] == ',');
    }
    return HF_OK;
}

hf_status hf_asked_spread(hf_context *cx, const hf_question *question, const char *what, const hf_argument **arguments,
                          size_t *n) {
    hf_argument *all;
    const hf_param *p;
    size_t n_all = *n;
    HF_TRY(hf_scratch(cx, HF_ASKED_MAX, sizeof *all, (void **)&all));
    memcpy(all, *arguments, n_all * sizeof *all);
    for (size_t i = 0; (p = hf_question_param(question, i)) != NULL; i++) {
        const char *text = p->each ? hf_asked_value(all, *n, p->name) : NULL;
        HF_TRY(text ? spread(cx, question, p, what, text, all, &n_all) : HF_OK);
    }
    *arguments = all;
    *n = n_all;
    return HF_OK;
}
