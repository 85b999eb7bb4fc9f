/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measurements and faults as a study writes them: the groups of the kernel, and what only a cell says. */
#include "src/study/read.h"

#include <inttypes.h>

static const hf_param measure_params[] = {
    {.name = "cycles",
     .type = HF_PARAM_UINT,
     .fallback = "0",
     .high = UINT64_C(1000000000000000000),
     .unit = "cycles",
     .help = "at which work with an end is given up; 0: never",
     HF_FIELD(hf_study_simulation, work.cycle_limit)},
    {0},
};

static const hf_param repair_params[] = {
    {.name = "fault",
     .type = HF_PARAM_UINT,
     .fallback = "2000",
     .low = 1,
     .high = 1000000000,
     .unit = "cycles",
     .help = "cycle of the fault",
     HF_FIELD(hf_study_reconfiguration, fault)},
    {.name = "every",
     .type = HF_PARAM_UINT,
     .fallback = "0",
     .high = 1000000000,
     .unit = "cycles",
     .help = "to the next fault; 0: at once",
     HF_FIELD(hf_study_reconfiguration, every)},
    {.name = "cycles",
     .type = HF_PARAM_UINT,
     .fallback = "10000",
     .low = 1,
     .high = 1000000000,
     .unit = "cycles",
     .help = "of the run",
     HF_FIELD(hf_study_reconfiguration, cycles)},
    {0},
};

static hf_status read_group(hf_context *cx, const hf_group *group, const char *text, void *object, char **canonical) {
    HF_TRY(hf_group_read(cx, group, text, object));
    return hf_group_write(cx, group, object, canonical);
}

hf_status hf_study_router_parse(hf_context *cx, const char *text, hf_study_simulation *out) {
    return read_group(cx, &hf_router_group, text, &out->options.kernel, &out->router);
}

hf_status hf_study_measure_parse(hf_context *cx, const char *text, hf_study_simulation *out) {
    hf_param params[HF_PARAM_MAX + 1] = {{0}};
    hf_params_add(params, hf_measurement_group.params, offsetof(hf_study_simulation, options));
    hf_params_add(params, measure_params, 0);
    return read_group(cx, &(hf_group){.name = hf_measurement_group.name, .params = params}, text, out, &out->measure);
}

hf_status hf_study_reconfiguration_parse(hf_context *cx, const char *text, hf_study_simulation *out) {
    hf_param params[HF_PARAM_MAX + 1] = {{0}};
    hf_study_reconfiguration *r = &out->reconfiguration;
    hf_params_add(params, repair_params, 0);
    hf_params_add(params, hf_reconfiguration_group.params, offsetof(hf_study_reconfiguration, options));
    HF_TRY(read_group(cx, &(hf_group){.name = "repair", .params = params}, text, r, &out->reconfiguration_text));
    if (r->fault >= r->cycles) {
        HF_FAIL(cx, HF_EINVAL, "fault=%" PRIu64 " is not before the end, cycles=%" PRIu64, r->fault, r->cycles);
    }
    return HF_OK;
}
