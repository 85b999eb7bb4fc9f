/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The keys of studies. */
#include "src/study/keys.h"

#include <inttypes.h>
#include <string.h>

#include <holdfast/core/spec.h>

typedef struct key_info {
    const char *name;
    unsigned where;
} key_info;
static const key_info keys[] = {
#define KEY_INFO(name, key, where) [HF_KEY_##name] = {key, where},
    HF_STUDY_KEYS(KEY_INFO)
#undef KEY_INFO
};

const char *hf_study_key_name(hf_study_key key) { return keys[key].name; }

static bool needs_grids(hf_study_key key, unsigned where) {
    return key == HF_KEY_NAMES || key == HF_KEY_GRID || key == HF_KEY_EXCEPT || key == HF_KEY_SKIP ||
           (key == HF_KEY_CELLS && where == HF_IN_CELL);
}

hf_status hf_study_key_find(hf_context *cx, const char *name, unsigned where, bool has_grids, hf_study_key *out) {
    const char *near[HF_KEY_COUNT + 1], *place = where & HF_IN_STUDY   ? "of a study"
                                                 : where & HF_IN_FRONT ? "of a front"
                                                 : where & HF_IN_PIVOT ? "of a pivot"
                                                 : where & HF_IN_PLOT  ? "of a plot"
                                                                       : "of a cell";
    size_t n = 0;
    for (size_t i = 0; i < HF_KEY_COUNT; i++) {
        if (!(keys[i].where & where)) {
            continue;
        }
        if (strcmp(name, keys[i].name) == 0) {
            if (!has_grids && needs_grids((hf_study_key)i, where)) {
                HF_FAIL(cx, HF_EINVAL, "\"%s\" is of schema 2; this file says another", name);
            }
            *out = (hf_study_key)i;
            return HF_OK;
        }
        near[n++] = keys[i].name;
    }
    near[n] = NULL;
    const char *meant = hf_spec_nearest(name, strlen(name), near);
    if (meant) {
        HF_FAIL(cx, HF_EINVAL, "\"%.80s\" is no key %s; did you mean \"%s\"?", name, place, meant);
    }
    HF_FAIL(cx, HF_EINVAL, "\"%.80s\" is no key %s (docs/studies.md lists the keys)", name, place);
}
