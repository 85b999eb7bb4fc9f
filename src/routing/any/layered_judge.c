/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "src/routing/any/layered_judge.h"

static hf_status push(hf_context *cx, hf_judge *base, uint32_t component) {
    return hf_fault_stack_push(cx, &((hf_layered_judge *)base)->failed, component);
}

static void pop(hf_judge *base) { (void)hf_fault_stack_pop(&((hf_layered_judge *)base)->failed); }

hf_plan hf_layered_judge_plan(const hf_layered_judge *j, const hf_fault_set *faults) {
    return (hf_plan){.routing = j->routing, .topo = faults->topo, .faults = faults, .args = j->args, .n_vc = 1};
}

bool hf_layered_judge_refuses(const hf_layered_judge *j, const hf_layered *ways) {
    return ways->needs_more || ways->n_vc > hf_layered_most(j->args);
}

hf_status hf_layered_judge_pass(hf_context *cx, hf_layered_judge *j, hf_status status) {
    if (status != HF_OK && hf_context_message(j->cx)[0]) {
        hf_context_copy_failure(cx, j->cx);
        hf_context_clear(j->cx);
    }
    return status;
}

/* ---- sets ---- */

static bool cuts_terminals(const hf_fault_set *faults) {
    bool cuts = false;
    for (uint32_t i = 0; i < faults->n_channel && !cuts; i++) {
        cuts = faults->topo->link[faults->channel[i]] >= faults->topo->n_switch_link;
    }
    return cuts;
}

void hf_layered_judge_read_all(const hf_layered_judge *j, hf_layered_reading *r) {
    for (uint32_t row = 0; row < r->now->goals.n_row; row++) {
        hf_layered_compare_row(&j->compare, r, row);
    }
}

void hf_layered_judge_serve_all(const hf_layered_judge *j, hf_layered_reading *r) {
    for (uint32_t row = 0; row < r->now->goals.n_row && r->serves_all; row++) {
        r->serves_all = hf_layered_compare_serves(&j->compare, r->now, row);
    }
}

static hf_status measure(hf_context *cx, const hf_layered_judge *j, const hf_plan *plan, const hf_layered_reading *r,
                         hf_measure *out) {
    out->has_victims = out->has_lost_paths = true;
    out->victims = r->victims;
    out->lost_paths = r->lost;
    if (j->how->measure) {
        j->how->measure(j, out);
        return HF_OK;
    }
    return hf_measures_of(j->routing)->measure(cx, plan, out);
}

static hf_status judge_set(hf_context *cx, hf_layered_judge *j, bool measures, hf_measure *out) {
    hf_fault_set faults;
    const hf_layered *now;
    HF_TRY(hf_fault_set_make(cx, j->universe, j->failed.component, j->failed.depth, &faults));
    HF_TRY(j->how->change(cx, j, &faults, measures || !j->base.connects, &now));
    const bool cuts = cuts_terminals(&faults);
    hf_plan plan = hf_layered_judge_plan(j, &faults);
    plan.state = now;
    j->is_closed = faults.n_channel > 0 && hf_layered_judge_refuses(j, now);
    hf_layered_reading r = {.now = now, .serves_all = j->compare.serves_all, .is_closed = j->is_closed};
    *out = (hf_measure){.live = r.is_closed ? 0 : cuts ? hf_plan_live(&plan) : j->live};
    if (measures) {
        j->how->read(j, cuts, &r);
    } else {
        j->how->serve(j, cuts, &r);
    }
    out->tolerated = r.serves_all && !r.is_closed;
    return measures ? measure(cx, j, &plan, &r, out) : HF_OK;
}

static hf_status judge(hf_context *cx, hf_layered_judge *j, bool measures, hf_measure *out) {
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = judge_set(cx, j, measures, out);
    if (j->how->undo) {
        j->how->undo(j);
    }
    hf_scratch_reset(cx, mark);
    return status;
}

static hf_status read(hf_context *cx, hf_judge *base, hf_measure *out) { return judge(cx, (hf_layered_judge *)base, true, out); }

static hf_status verdict(hf_context *cx, hf_judge *base, hf_measure *out) {
    return judge(cx, (hf_layered_judge *)base, false, out);
}

/* The rules find a way wherever there is one, but where the ways need too many layers: then nobody is in service. */
static hf_status surviving(hf_context *cx, hf_judge *base, bool *out) {
    (void)cx;
    *out = !((hf_layered_judge *)base)->is_closed;
    return HF_OK;
}

/* ---- making ---- */

static void release(hf_judge *base) {
    hf_layered_judge *j = (hf_layered_judge *)base;
    const hf_allocator allocator = j->allocator;
    hf_release(&allocator, j->failed.component);
    hf_context_free(j->cx);
    hf_release(&allocator, j);
}

static const hf_judge_ops ops = {
    .push = push, .pop = pop, .read = read, .verdict = verdict, .surviving = surviving, .free = release};

static hf_status fill(hf_layered_judge *j) {
    HF_TRY(hf_fault_set_make(j->cx, j->universe, NULL, 0, &j->no_faults));
    const hf_plan plan = hf_layered_judge_plan(j, &j->no_faults);
    j->live = hf_plan_live(&plan);
    j->base.connects = hf_layered_is_enough(j->universe->topo, j->args);
    return j->how->fill(j);
}

hf_status hf_layered_judge_make(hf_context *cx, const hf_universe *universe, const hf_rule *rule, const hf_layered_judging *how,
                                hf_judge **out) {
    hf_layered_judge *j;
    HF_TRY(hf_allocate(cx, 1, how->size, (void **)&j));
    *j = (hf_layered_judge){.base = {.ops = &ops},
                            .how = how,
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
