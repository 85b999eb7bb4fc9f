/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Parameters that fill a struct. */
#include <assert.h>
#include <string.h>

#include <holdfast/core/spec.h>

void hf_param_store(const hf_param *param, const hf_value *value, void *object) {
    char *field = (char *)object + param->offset;
    const uint8_t byte = (uint8_t)value->number;
    const uint32_t word = (uint32_t)value->number;
    const void *from = param->values                  ? (const char *)param->values + value->number * param->size
                       : param->type == HF_PARAM_TEXT ? (const void *)&value->text
                       : param->type == HF_PARAM_REAL ? (const void *)&value->real
                       : param->size == sizeof byte   ? (const void *)&byte
                       : param->size == sizeof word   ? (const void *)&word
                                                      : (const void *)&value->number;
    assert(param->values || param->size == 0 || param->size == 1 || param->size == 4 || param->size == 8);
    memcpy(field, from, param->size);
}

/* Defaults are right: reading them does not fail. What has none is NULL or 0. */
static void default_of(const hf_param *param, hf_value *out) {
    if (!param->fallback) {
        *out = (hf_value){.text = NULL};
        return;
    }
    const hf_status status = hf_param_read(NULL, NULL, NULL, param, param->fallback, out);
    assert(status == HF_OK);
    (void)status;
}

void hf_param_load(const hf_param *param, const void *object, hf_value *out) {
    const char *field = (const char *)object + param->offset;
    uint8_t byte = 0;
    uint32_t word = 0;
    default_of(param, out);
    if (param->values) {
        for (uint64_t i = 0; param->words[i]; i++) {
            out->number = memcmp(field, (const char *)param->values + i * param->size, param->size) == 0 ? i : out->number;
        }
    } else if (param->type == HF_PARAM_TEXT && param->size > 0) {
        memcpy(&out->text, field, sizeof out->text);
    } else if (param->type == HF_PARAM_REAL) {
        memcpy(&out->real, field, sizeof out->real);
    } else if (param->size == sizeof byte) {
        memcpy(&byte, field, sizeof byte);
        out->number = byte;
    } else if (param->size == sizeof word) {
        memcpy(&word, field, sizeof word);
        out->number = word;
    } else if (param->size == sizeof out->number) {
        memcpy(&out->number, field, sizeof out->number);
    }
}

void hf_group_defaults(const hf_group *group, void *object) {
    for (const hf_param *p = group->params; p->name; p++) {
        hf_value value;
        default_of(p, &value);
        hf_param_store(p, &value, object);
    }
}

hf_status hf_group_read(hf_context *cx, const hf_group *group, const char *text, void *object) {
    hf_args args;
    HF_TRY(hf_args_parse(cx, group->name, group->name, group->params, text, &args));
    hf_group_defaults(group, object);
    if (group->base) {
        group->base(args.value[0].number, object);
    }
    for (size_t i = 0; i < args.count; i++) {
        if (args.given[i]) {
            hf_param_store(&group->params[i], &args.value[i], object);
        }
    }
    if (group->settle) {
        group->settle(args.given, object);
    }
    hf_args_free(&args);
    return HF_OK;
}

hf_status hf_group_write(hf_context *cx, const hf_group *group, const void *object, char **out) {
    hf_args args = {.params = group->params};
    for (; group->params[args.count].name; args.count++) {
        hf_param_load(&group->params[args.count], object, &args.value[args.count]);
    }
    return hf_args_canonical(cx, group->name, &args, out);
}
