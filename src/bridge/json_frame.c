/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What is common to documents in JSON, whatever library holds them. */
#include <stdio.h>
#include <string.h>

#include <holdfast/core/build.h>

#include "src/bridge/json.h"

hf_json *hf_json_frame(const char *command) {
    hf_json *root = hf_json_object(), *program = hf_json_object();
    hf_json_set(root, "schema", hf_json_integer(1));
    hf_json_set(root, "command", hf_json_text(command));
    hf_json_set(program, "name", hf_json_text("holdfast"));
    hf_json_set(program, "version", hf_json_text(hf_build_version()));
    hf_json_set(root, "program", program);
    return root;
}

static void name_types(unsigned types, char *text, size_t size) {
    static const char *const names[] = {"null", "text", "a whole number", "an array", "an object"};
    size_t used = 0;
    text[0] = 0;
    for (unsigned i = 0; i < 5 && used < size; i++) {
        if (types >> i & 1) {
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? " or " : "", names[i]);
        }
    }
}

static bool is_field(const char *key, const hf_json_field *field, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (strcmp(key, field[i].key) == 0) {
            return true;
        }
    }
    return false;
}

hf_status hf_json_read(hf_context *cx, const char *place, const hf_json *object, const hf_json_field *field, size_t n) {
    char need[96];
    if (hf_json_type(object) != HF_JSON_OBJECT) {
        HF_FAIL(cx, HF_EINVAL, "%s is not right; need an object", place);
    }
    for (size_t i = 0; i < n; i++) {
        const hf_json *value = hf_json_get(object, field[i].key);
        name_types(field[i].types, need, sizeof need);
        if (!value) {
            HF_FAIL(cx, HF_EINVAL, "%s: the field \"%s\" is missing; need %s", place, field[i].key, need);
        }
        if (!(hf_json_type(value) & field[i].types)) {
            HF_FAIL(cx, HF_EINVAL, "%s: the field \"%s\" is of a wrong type; need %s", place, field[i].key, need);
        }
        *field[i].out = value;
    }
    const char *key;
    for (size_t i = 0; (key = hf_json_key(object, i)) != NULL; i++) {
        if (!is_field(key, field, n)) {
            HF_FAIL(cx, HF_EINVAL, "%s: the field \"%.60s\" is unknown, and nothing unknown is confirmed", place, key);
        }
    }
    return HF_OK;
}
