/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "src/core/call.h"

#include <inttypes.h>
#include <stdio.h>

void hf_call_begin(hf_call *call, const char *prefix, const char *name) {
    call->prefix = prefix;
    call->name = name;
    call->n = call->next = call->held = 0;
    call->result = (hf_call_value){0};
    call->error[0] = 0;
    call->failure = HF_OK;
}

bool hf_call_has_more(const hf_call *call) { return call->next < call->n; }

/* An argument as its language would print it. */
static const char *print(const hf_call_value *v, char *out, size_t size) {
    if (v->kind == HF_CALL_NUMBER) {
        (void)snprintf(out, size, "%" PRId64, v->number);
        return out;
    }
    return v->text ? v->text : "nothing";
}

bool hf_call_take(hf_call *call, const char *what, uint32_t count, uint32_t *out) {
    static const hf_call_value missing = {0};
    const hf_call_value *v = hf_call_has_more(call) ? &call->argument[call->next++] : &missing;
    char number[32];
    *out = (uint32_t)v->number;
    if (v->kind == HF_CALL_NUMBER && v->number >= 0 && v->number < (int64_t)count) {
        return true;
    }
    const char *given = print(v, number, sizeof number);
    if (count == 0) {
        (void)snprintf(call->error, sizeof call->error, "%s%s(): %s is not %s; there are none", call->prefix, call->name, given,
                       what);
        return false;
    }
    (void)snprintf(call->error, sizeof call->error, "%s%s(): %s is not %s; need a whole number from 0 to %" PRIu32, call->prefix,
                   call->name, given, what, count - 1);
    return false;
}

bool hf_call_take_text(hf_call *call, const char *what, const char **out) {
    const hf_call_value *v = hf_call_has_more(call) ? &call->argument[call->next++] : NULL;
    if (!v || v->kind != HF_CALL_TEXT) {
        (void)snprintf(call->error, sizeof call->error, "%s%s(): need %s, a text", call->prefix, call->name, what);
        return false;
    }
    *out = v->text;
    return true;
}

void hf_call_give(hf_call *call, uint32_t value) { call->result = (hf_call_value){.kind = HF_CALL_NUMBER, .number = value}; }

void hf_call_give_truth(hf_call *call, bool value) { call->result = (hf_call_value){.kind = HF_CALL_TRUTH, .number = value}; }

void hf_call_give_text(hf_call *call, const char *text) { call->result = (hf_call_value){.kind = HF_CALL_TEXT, .text = text}; }

void hf_call_give_list(hf_call *call, const uint32_t *list, size_t n) {
    call->result = (hf_call_value){.kind = HF_CALL_LIST, .list = list, .n = n};
}
