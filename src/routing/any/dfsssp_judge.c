/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The fast path of campaigns with dfsssp: the tables of each set beside those without faults. All ways are made anew for a set,
 *  as those to one terminal depend on those to all before it. */
#include "src/routing/any/layered_judge.h"

typedef struct dfsssp_judge {
    hf_layered_judge base;
    bool has_tables; /* without faults: where connectivity gives verdicts, they are made for the first set that is read */
} dfsssp_judge;

static hf_status make(hf_context *cx, const hf_layered_judge *j, const hf_fault_set *faults, const hf_layered **out) {
    hf_plan plan = hf_layered_judge_plan(j, faults);
    HF_TRY(j->routing->plan(cx, &plan));
    *out = plan.state;
    return HF_OK;
}

static hf_status make_tables(dfsssp_judge *j) {
    const hf_layered *whole;
    HF_TRY(make(j->base.cx, &j->base, &j->base.no_faults, &whole));
    if (hf_layered_judge_refuses(&j->base, whole)) {
        HF_FAIL(j->base.cx, HF_ENOTSUP, "the ways without faults need more layers than there are");
    }
    HF_TRY(hf_layered_compare_init(j->base.cx, whole, &j->base.compare));
    j->has_tables = true;
    return HF_OK;
}

static hf_status change(hf_context *cx, hf_layered_judge *base, const hf_fault_set *faults, bool is_laid,
                        const hf_layered **now) {
    dfsssp_judge *j = (dfsssp_judge *)base;
    (void)is_laid;
    HF_TRY(hf_layered_judge_pass(cx, base, j->has_tables ? HF_OK : make_tables(j)));
    return make(cx, base, faults, now);
}

static void read(hf_layered_judge *base, bool cuts, hf_layered_reading *r) {
    (void)cuts;
    hf_layered_judge_read_all(base, r);
}

static void serve(hf_layered_judge *base, bool cuts, hf_layered_reading *r) {
    (void)cuts;
    hf_layered_judge_serve_all(base, r);
}

static hf_status fill(hf_layered_judge *base) { return base->base.connects ? HF_OK : make_tables((dfsssp_judge *)base); }

static const hf_layered_judging how = {
    .size = sizeof(dfsssp_judge), .fill = fill, .change = change, .read = read, .serve = serve};

hf_status hf_dfsssp_judge_new(hf_context *cx, const hf_universe *universe, const hf_rule *rule, hf_judge **out) {
    return hf_layered_judge_make(cx, universe, rule, &how, out);
}
