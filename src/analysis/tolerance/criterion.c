/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The criteria of tolerance: descriptors, their registry and their argument. What they mean is done in tolerance.c and
 *  judge.c. */
#include <holdfast/analysis/tolerance.h>

#include <inttypes.h>
#include <stdio.h>

#include "src/core/registry.h"

enum { LIVE_LEAST = 2 }; /* fewer terminals have nobody to talk to */

static const hf_param params[] = {
    {.name = "live",
     .type = HF_PARAM_AMOUNT,
     .fallback = "2",
     .low = LIVE_LEAST,
     .high = HF_NONE - 1,
     .help = "terminals that must be in service at least, or their share of all: with fewer a set is not tolerated"},
    {0},
};

static const hf_criterion_kind criterion_all_pairs = {
    .name = "all-pairs",
    .summary = "Every ordered pair of terminals is served and no path of the plan meets a fault",
    .source = "gomez2010, 3.4",
    .flags = 0,
    .params = params,
};

static const hf_criterion_kind criterion_connected = {
    .name = "connected",
    .summary = "The healthy network is strongly connected between terminals, whatever the routing",
    .source = "none; reachability",
    .flags = HF_CRITERION_CONNECTED,
    .params = params,
};

static const hf_criterion_kind criterion_surviving = {
    .name = "surviving",
    .summary = "Every ordered pair that a healthy path still connects is served, and none of its paths meets a fault",
    .source = "none; all-pairs, restricted to what can survive",
    .flags = HF_CRITERION_SURVIVING,
    .params = params,
};

static const hf_criterion_kind criterion_switches_connected = {
    .name = "switches-connected",
    .summary = "The switches that have not failed are strongly connected, whatever the routing; verdicts only, many sets at once",
    .source = "none; reachability",
    .flags = HF_CRITERION_SWITCHES,
    .params = params,
};

static const void *const entries[] = {
#define X(name) &criterion_##name,
#include "src/analysis/tolerance/criterion.def"
#undef X
};
static const hf_registry registry = HF_REGISTRY("criterion", entries);

size_t hf_criterion_count(void) { return registry.n; }
const hf_criterion_kind *hf_criterion_at(size_t i) { return hf_registry_at(&registry, i); }

hf_status hf_criterion_init(hf_context *cx, const char *spec, hf_criterion *out) {
    hf_args args;
    char *canonical;
    const char *text;
    const hf_criterion_kind *kind = hf_registry_of_spec(cx, &registry, spec, &text);
    if (!kind) {
        return HF_ENOENT;
    }
    HF_TRY(hf_args_parse(cx, "criterion", kind->name, kind->params, text, &args));
    const hf_value *live = hf_args_get(&args, "live");
    *out = (hf_criterion){.name = kind->name, .flags = kind->flags, .live = live->number, .live_is_share = live->is_share};
    const hf_status status = hf_args_canonical(cx, kind->name, &args, &canonical);
    hf_args_free(&args);
    HF_TRY(status);
    (void)snprintf(out->spec, sizeof out->spec, "%s", canonical);
    hf_release(hf_context_allocator(cx), canonical);
    return HF_OK;
}

hf_status hf_criterion_least(hf_context *cx, const hf_criterion *criterion, const hf_topology *topo, uint32_t *out) {
    const bool by_switches = (criterion->flags & HF_CRITERION_SWITCHES) && topo->n_terminal < LIVE_LEAST;
    const uint32_t n = by_switches ? topo->n_switch : topo->n_terminal;
    const uint64_t share = ((uint64_t)n * criterion->live + HF_SHARE_ALL - 1) / HF_SHARE_ALL;
    const uint64_t least = !criterion->live_is_share ? criterion->live : share > LIVE_LEAST ? share : LIVE_LEAST;
    if (least > n && least > LIVE_LEAST) {
        HF_FAIL(cx, HF_EINVAL, "criterion \"%s\" asks for more terminals in service than \"%s\" has; need live <= %" PRIu32,
                criterion->spec, topo->spec, n);
    }
    *out = least > n ? 0 : (uint32_t)least;
    return HF_OK;
}
