/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The criteria of tolerance: descriptors and their registry. What they mean is done in tolerance.c and judge.c. */
#include <holdfast/analysis.h>

#include <string.h>

static const hf_criterion criterion_all_pairs = {
    .name = "all-pairs",
    .summary = "Every ordered pair of terminals is served and no path of the plan meets a fault",
    .source = "gomez2010, 3.4",
    .flags = 0,
};

static const hf_criterion criterion_connected = {
    .name = "connected",
    .summary = "The healthy network is strongly connected between terminals, whatever the routing",
    .source = "none; reachability",
    .flags = HF_CRITERION_CONNECTED,
};

static const hf_criterion criterion_surviving = {
    .name = "surviving",
    .summary = "Every ordered pair that a healthy path still connects is served, and none of its paths meets a fault",
    .source = "none; all-pairs, restricted to what can survive",
    .flags = HF_CRITERION_SURVIVING,
};

static const hf_criterion criterion_switches_connected = {
    .name = "switches-connected",
    .summary = "The switches that have not failed are strongly connected, whatever the routing; verdicts only, many sets at once",
    .source = "none; reachability",
    .flags = HF_CRITERION_SWITCHES,
};

static const hf_criterion *const criterion_list[] = {
#define X(name) &criterion_##name,
#include "src/analysis/criterion.def"
#undef X
};
enum { N_CRITERION = sizeof criterion_list / sizeof *criterion_list };

size_t hf_criterion_count(void) { return N_CRITERION; }

const hf_criterion *hf_criterion_at(size_t i) { return i < N_CRITERION ? criterion_list[i] : NULL; }

hf_status hf_criterion_find(hf_context *cx, const char *name, const hf_criterion **out) {
    const char *names[N_CRITERION + 1] = {NULL};
    for (size_t i = 0; i < N_CRITERION; i++) {
        names[i] = criterion_list[i]->name;
        if (strcmp(names[i], name) == 0) {
            *out = criterion_list[i];
            return HF_OK;
        }
    }
    return hf_spec_unknown(cx, "criterion", name, strlen(name), names);
}
