/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Templates: texts that are built in, with names in double braces. */
#include <string.h>

#include "src/study/document/document.h"
#include "src/study/embedded.h"

const char *hf_document_text(const char *name) {
    for (size_t i = 0; i < hf_embedded_texts_count; i++) {
        if (strcmp(hf_embedded_texts[i].name, name) == 0) {
            return hf_embedded_texts[i].data;
        }
    }
    return NULL;
}

static const hf_template_value *find(const hf_template_value *value, size_t n, const char *name, size_t size) {
    for (size_t i = 0; i < n; i++) {
        if (strlen(value[i].name) == size && memcmp(value[i].name, name, size) == 0) {
            return &value[i];
        }
    }
    return NULL;
}

hf_status hf_template_fill(hf_context *cx, const char *name, const hf_template_value *value, size_t n, hf_text *out) {
    const char *at = hf_document_text(name), *open;
    if (!at) {
        HF_FAIL(cx, HF_ENOENT, "no template is called %s", name);
    }
    for (; (open = strstr(at, "{{")) != NULL; at = strstr(open, "}}") + 2) {
        const char *end = strstr(open, "}}");
        const hf_template_value *v = end ? find(value, n, open + 2, (size_t)(end - open) - 2) : NULL;
        if (!v) {
            HF_FAIL(cx, HF_EINVAL, "template %s: nothing is known of \"%.40s\"", name, open);
        }
        hf_text_append(out, at, (size_t)(open - at));
        hf_text_append(out, v->value ? v->value : "", v->value ? strlen(v->value) : 0);
    }
    hf_text_append(out, at, strlen(at));
    return hf_text_check(cx, out);
}
