/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  How many faults are tolerated, whichever they are: by the class bound, the loss of all that ends at a switch, and walks over
 *  the sets of 1, 2, ... faults. Sets are judged from the relation: a walk ends at the first that is not tolerated, long before a
 *  fast path is made. */
#include <holdfast/campaign.h>

#include <holdfast/analysis/tolerance.h>

#include "src/routing/set_judge.h"

const char *hf_tolerated_proof_name(hf_tolerated_proof proof) {
    static const char *const names[] = {"exact", "proved", "sampled"};
    return names[proof];
}

/* Only the verdict, from the relation. */
static hf_status is_tolerated(hf_context *cx, const hf_tolerated_request *r, const uint32_t *component, uint32_t f, bool *out) {
    hf_fault_set faults;
    hf_plan plan;
    hf_verdict verdict;
    const hf_mark mark = hf_scratch_mark(cx);
    HF_TRY(hf_fault_set_make(cx, r->universe, component, f, &faults));
    HF_TRY(hf_plan_make_plain(cx, r->rule, &faults, &plan));
    HF_TRY(hf_tolerance_judge(cx, &plan, r->criterion, false, &verdict));
    *out = verdict.tolerated;
    hf_scratch_reset(cx, mark);
    return HF_OK;
}

/* The class bound, where there is one: as many faults as that are proved, and its witness is not tolerated. */
static hf_status try_certificate(hf_context *cx, const hf_tolerated_request *r, hf_tolerated *out) {
    hf_bound *bound;
    bool ok = false;
    if (r->criterion->flags != 0) {
        return HF_OK;
    }
    const hf_status made = hf_bound_make(cx, r->universe, r->rule, &bound);
    if (made == HF_ENOTSUP) {
        hf_context_clear(cx);
        return HF_OK;
    }
    HF_TRY(made);
    const hf_status status = hf_bound_check(cx, r->universe, r->rule, bound, &ok);
    if (status == HF_OK && ok) {
        out->least = out->most = bound->n_class - 1;
    }
    hf_bound_free(bound);
    return status;
}

static hf_status try_cut(hf_context *cx, const hf_tolerated_request *r, hf_tolerated *out) {
    uint32_t *set, f;
    bool tolerated = true;
    HF_TRY(hf_scratch(cx, r->universe->n_component, sizeof *set, (void **)&set));
    HF_TRY(hf_cut_find(cx, r->universe, set, &f));
    HF_TRY(f > 0 && f - 1 < out->most ? is_tolerated(cx, r, set, f, &tolerated) : HF_OK);
    out->most = tolerated ? out->most : f - 1;
    return HF_OK;
}

/* ---- walks ---- */

typedef struct verdicts {
    hf_set_judge base;
    const hf_tolerated_request *request;
} verdicts;

static hf_status measure(hf_context *cx, const hf_set_judge *base, const hf_fault_set *faults, hf_measure *out) {
    *out = (hf_measure){0};
    return is_tolerated(cx, ((const verdicts *)base)->request, faults->component, faults->n_component, &out->tolerated);
}

static hf_status new_judge(hf_context *cx, void *user, const hf_universe *universe, const hf_rule *rule, hf_judge **out) {
    verdicts *j;
    (void)rule;
    HF_TRY(hf_set_judge_new(cx, universe, measure, sizeof *j, (void **)&j));
    j->request = user;
    *out = &j->base.base;
    return HF_OK;
}

static hf_status walk_size(hf_context *cx, const hf_tolerated_request *r, uint32_t f, bool *is_lost, bool *is_all) {
    const hf_inquiry inquiry = {.key = "verdict", .user = (void *)r, .judge = new_judge};
    const hf_campaign campaign = {.universe = r->universe,
                                  .rule = r->rule,
                                  .inquiry = &inquiry,
                                  .f = &f,
                                  .n_f = 1,
                                  .method = HF_METHOD_SAMPLED,
                                  .samples = r->samples,
                                  .seed = r->seed,
                                  .threads = r->threads,
                                  .until_lost = true,
                                  .progress = r->progress,
                                  .progress_user = r->progress_user};
    hf_result *result = NULL;
    const hf_status status = hf_campaign_run(cx, &campaign, &result);
    if (status == HF_OK) {
        *is_lost = result->row[0].tally.not_tolerated > 0;
        *is_all = result->row[0].method == HF_METHOD_EXHAUSTIVE;
    }
    hf_result_free(result);
    return status;
}

static hf_status walk_sizes(hf_context *cx, const hf_tolerated_request *r, hf_tolerated *out) {
    bool is_proved = true, is_lost = false, is_all = false;
    for (uint32_t f = out->least + 1; f <= out->most && f <= r->faults_most; f++) {
        HF_TRY(walk_size(cx, r, f, &is_lost, &is_all));
        if (is_lost) {
            out->most = f - 1;
            break;
        }
        out->faults = f;
        is_proved &= is_all;
        out->least = is_proved ? f : out->least;
    }
    return HF_OK;
}

hf_status hf_tolerated_find(hf_context *cx, const hf_tolerated_request *request, hf_tolerated *out) {
    bool tolerated;
    *out = (hf_tolerated){.most = request->universe->n_component};
    HF_TRY(is_tolerated(cx, request, NULL, 0, &tolerated));
    if (!tolerated) {
        HF_FAIL(cx, HF_EINVAL, "routing \"%s\" does not serve all pairs of \"%s\" even without faults", request->rule->spec,
                request->universe->topo->spec);
    }
    HF_TRY(try_certificate(cx, request, out));
    out->faults = out->least;
    if (out->least < out->most) {
        HF_TRY(try_cut(cx, request, out));
        HF_TRY(walk_sizes(cx, request, out));
    }
    out->proof = out->least == out->most     ? HF_TOLERATED_EXACT
                 : out->faults == out->least ? HF_TOLERATED_PROVED
                                             : HF_TOLERATED_SAMPLED;
    return HF_OK;
}
