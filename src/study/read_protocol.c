/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keys of protocol cells. Each program that a cell goes over is read once here, so that a wrong one is refused with its line.
 */
#include <string.h>

#include <holdfast/protocol.h>

#include "src/study/job.h"
#include "src/study/read.h"

/* The i-th of the values behind "name="; size 0 behind the last. */
static const char *value_at(const char *values, size_t i, size_t *size) {
    const char *at = values;
    for (; i > 0 && *at; i--) {
        at += strcspn(at, ",");
        at += *at == ',';
    }
    *size = strcspn(at, ",");
    return at;
}

hf_status hf_study_program(hf_context *cx, const hf_study_cell *cell, size_t i, char **spec, char **what) {
    *spec = *what = NULL;
    if (!cell->over) {
        return i > 0 ? HF_OK : hf_scratch_print(cx, spec, "%s", cell->program);
    }
    const size_t name = strcspn(cell->over, "=");
    size_t size;
    const char *value = value_at(cell->over + name + 1, i, &size);
    if (size == 0) {
        return HF_OK;
    }
    HF_TRY(hf_scratch_print(cx, what, "%.*s=%.*s", (int)name, cell->over, (int)size, value));
    return hf_scratch_print(cx, spec, "%s%s%s", cell->program, strchr(cell->program, ':') ? "," : ":", *what);
}

static hf_status check_over(const hf_study_reader *r, const char *over) {
    const size_t name = strcspn(over, "="), size = strlen(over);
    if (name == 0 || name + 1 >= size || over[name + 1] == ',' || over[size - 1] == ',' || strstr(over, ",,")) {
        HF_STUDY_FAIL_AT(r, HF_KEY_OVER, "\"%s\" is not right; need a parameter and its values, such as constant=1,2,4", over);
    }
    return HF_OK;
}

static hf_status check_programs(const hf_study_reader *r, const hf_study_cell *cell) {
    char *spec, *what;
    size_t i = 0;
    do {
        hf_benchmark_options program;
        hf_messaging messaging;
        HF_TRY(hf_study_program(r->cx, cell, i++, &spec, &what));
        if (spec) {
            const hf_status status = hf_messaging_parse(r->cx, spec, &program, &messaging);
            HF_TRY(hf_study_at_key(r, cell->over ? HF_KEY_OVER : HF_KEY_PROGRAM, status));
        }
    } while (spec);
    return HF_OK;
}

hf_status hf_study_read_protocol(const hf_study_reader *r, hf_study_cell *cell) {
    if (cell->kind != HF_STUDY_PROTOCOL) {
        return HF_OK;
    }
    HF_TRY(hf_study_need(r, HF_KEY_PROGRAM, &cell->program));
    cell->over = r->texts->value[HF_KEY_OVER];
    HF_TRY(cell->over ? check_over(r, cell->over) : HF_OK);
    const hf_mark mark = hf_scratch_mark(r->cx);
    const hf_status status = check_programs(r, cell);
    hf_scratch_reset(r->cx, mark);
    return status;
}
