/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The fast path of campaigns with dfsssp: the tables of each set beside those without faults. All ways are made anew for a set,
 *  as those to one terminal depend on those to all before it. */
#include "src/routing/any/layered_compare.h"

typedef struct dfsssp_judge {
    hf_judge base;
    hf_allocator allocator;
    hf_context *cx; /* its arena holds what is known without faults */
    const hf_routing *routing;
    const hf_universe *universe;
    const hf_args *args;
    hf_fault_stack failed;
    hf_fault_set no_faults;
    hf_layered_compare compare;
    bool has_tables; /* without faults: where connectivity gives verdicts, they are made for the first set that is read */
    bool is_closed;  /* of the set that was read last */
} dfsssp_judge;

static hf_status push(hf_context *cx, hf_judge *base, uint32_t component) {
    return hf_fault_stack_push(cx, &((dfsssp_judge *)base)->failed, component);
}

static void pop(hf_judge *base) { (void)hf_fault_stack_pop(&((dfsssp_judge *)base)->failed); }

/* ---- sets ---- */

static hf_status make(hf_context *cx, const dfsssp_judge *j, const hf_fault_set *faults, hf_plan *plan) {
    *plan = (hf_plan){.routing = j->routing, .topo = faults->topo, .faults = faults, .args = j->args, .n_vc = 1};
    return j->routing->plan(cx, plan);
}

static bool is_refused(const dfsssp_judge *j, const hf_layered *ways) {
    return ways->needs_more || ways->n_vc > hf_layered_most(j->args);
}

static hf_status make_tables(dfsssp_judge *j) {
    hf_plan plan;
    HF_TRY(make(j->cx, j, &j->no_faults, &plan));
    if (is_refused(j, plan.state)) {
        HF_FAIL(j->cx, HF_ENOTSUP, "the ways without faults need more layers than there are");
    }
    HF_TRY(hf_layered_compare_init(j->cx, plan.state, &j->compare));
    j->has_tables = true;
    return HF_OK;
}

/* What fails in the arena of the judge fails for the caller. */
static hf_status need_tables(hf_context *cx, dfsssp_judge *j) {
    const hf_status status = j->has_tables ? HF_OK : make_tables(j);
    if (status != HF_OK) {
        hf_context_copy_failure(cx, j->cx);
        hf_context_clear(j->cx);
    }
    return status;
}

/* The ways of the present set. */
static hf_status begin(hf_context *cx, dfsssp_judge *j, hf_fault_set *faults, hf_plan *plan, hf_layered_reading *r,
                       hf_measure *out) {
    HF_TRY(need_tables(cx, j));
    HF_TRY(hf_fault_set_make(cx, j->universe, j->failed.component, j->failed.depth, faults));
    HF_TRY(make(cx, j, faults, plan));
    *r = (hf_layered_reading){.now = plan->state, .serves_all = j->compare.serves_all};
    j->is_closed = r->is_closed = faults->n_channel > 0 && is_refused(j, r->now);
    *out = (hf_measure){.live = r->is_closed ? 0 : hf_plan_live(plan)};
    return HF_OK;
}

static hf_status read_set(hf_context *cx, dfsssp_judge *j, hf_measure *out) {
    hf_fault_set faults;
    hf_plan plan;
    hf_layered_reading r;
    HF_TRY(begin(cx, j, &faults, &plan, &r, out));
    for (uint32_t row = 0; row < r.now->goals.n_row; row++) {
        hf_layered_compare_row(&j->compare, &r, row);
    }
    out->tolerated = r.serves_all && !r.is_closed;
    out->has_victims = out->has_lost_paths = true;
    out->victims = r.victims;
    out->lost_paths = r.lost;
    return hf_measures_of(j->routing)->measure(cx, &plan, out);
}

static hf_status judge_set(hf_context *cx, dfsssp_judge *j, hf_measure *out) {
    hf_fault_set faults;
    hf_plan plan;
    hf_layered_reading r;
    HF_TRY(begin(cx, j, &faults, &plan, &r, out));
    for (uint32_t row = 0; row < r.now->goals.n_row && r.serves_all; row++) {
        r.serves_all = hf_layered_compare_serves(&j->compare, r.now, row);
    }
    out->tolerated = r.serves_all && !r.is_closed;
    return HF_OK;
}

static hf_status read(hf_context *cx, hf_judge *base, hf_measure *out) {
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = read_set(cx, (dfsssp_judge *)base, out);
    hf_scratch_reset(cx, mark);
    return status;
}

static hf_status verdict(hf_context *cx, hf_judge *base, hf_measure *out) {
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = judge_set(cx, (dfsssp_judge *)base, out);
    hf_scratch_reset(cx, mark);
    return status;
}

/* As of layered-shortest. */
static hf_status surviving(hf_context *cx, hf_judge *base, bool *out) {
    (void)cx;
    *out = !((dfsssp_judge *)base)->is_closed;
    return HF_OK;
}

/* ---- making ---- */

static void release(hf_judge *base) {
    dfsssp_judge *j = (dfsssp_judge *)base;
    const hf_allocator allocator = j->allocator;
    hf_release(&allocator, j->failed.component);
    hf_context_free(j->cx);
    hf_release(&allocator, j);
}

static const hf_judge_ops ops = {
    .push = push, .pop = pop, .read = read, .verdict = verdict, .surviving = surviving, .free = release};

static hf_status fill(dfsssp_judge *j) {
    HF_TRY(hf_fault_set_make(j->cx, j->universe, NULL, 0, &j->no_faults));
    j->base.connects = hf_layered_is_enough(j->universe->topo, j->args);
    return j->base.connects ? HF_OK : make_tables(j);
}

hf_status hf_dfsssp_judge_new(hf_context *cx, const hf_universe *universe, const hf_rule *rule, hf_judge **out) {
    dfsssp_judge *j;
    HF_TRY(hf_allocate(cx, 1, sizeof *j, (void **)&j));
    *j = (dfsssp_judge){.base = {.ops = &ops},
                        .allocator = *hf_context_allocator(cx),
                        .routing = rule->routing,
                        .universe = universe,
                        .args = &rule->args};
    j->cx = hf_context_new(&j->allocator);
    if (j->cx) {
        hf_context_set_stop(j->cx, hf_context_stop_flag(cx));
    }
    const hf_status status = j->cx ? fill(j) : HF_ENOMEM;
    if (status == HF_OK) {
        *out = &j->base;
        return HF_OK;
    }
    release(&j->base);
    if (status == HF_ENOMEM) {
        HF_FAIL(cx, HF_ENOMEM, "out of memory: the ways of a judge cannot be had");
    }
    HF_FAIL(cx, HF_ENOTSUP, "\"%s\": the ways without faults cannot be had", universe->topo->spec);
}
