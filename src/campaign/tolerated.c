/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many faults are tolerated, whichever they are: by the class bound, the loss of all that ends at a switch, and walks over
 * the sets of 1, 2, ... faults. Sets are judged from the relation: a walk ends at the first that is not tolerated, long before a
 * fast path is made. */
#include <holdfast/campaign.h>

#include <holdfast/analysis/tolerance.h>

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
    HF_TRY(hf_plan_make(cx, r->rule, &faults, &plan));
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

typedef struct sizes {
    const hf_tolerated_request *request;
    uint32_t f; /* at work */
} sizes;

/* Tallies say whether a set was lost. */
static hf_status look(hf_context *cx, void *user, void *state, uint64_t i, const uint32_t *set, void *tally) {
    (void)state;
    (void)i;
    const sizes *s = user;
    bool tolerated;
    HF_TRY(is_tolerated(cx, s->request, set, s->f, &tolerated));
    *(bool *)tally |= !tolerated;
    return HF_OK;
}

static void merge(void *user, void *to, const void *from) {
    (void)user;
    *(bool *)to |= *(const bool *)from;
}

static bool decides(void *user, const void *tally) {
    (void)user;
    return *(const bool *)tally;
}

static hf_status walk_sizes(hf_context *cx, const hf_tolerated_request *r, hf_tolerated *out) {
    sizes s = {r, out->least + 1};
    bool is_proved = true, is_lost = false;
    for (; s.f <= out->most && s.f <= r->faults_most; s.f++) {
        const hf_set_walk walk = {.sets = hf_sets_of(r->universe->n_component, s.f, r->samples, r->seed),
                                  .tally_size = sizeof is_lost,
                                  .user = &s,
                                  .look = look,
                                  .merge = merge,
                                  .decides = decides,
                                  .threads = r->threads};
        HF_TRY(hf_set_walk_run(cx, &walk, &is_lost));
        if (is_lost) {
            out->most = s.f - 1;
            break;
        }
        out->faults = s.f;
        is_proved &= walk.sets.is_all;
        out->least = is_proved ? s.f : out->least;
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
