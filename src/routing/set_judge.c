/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "src/routing/set_judge.h"

static hf_status push(hf_context *cx, hf_judge *base, uint32_t component) {
    return hf_fault_stack_push(cx, &((hf_set_judge *)base)->failed, component);
}

static void pop(hf_judge *base) { hf_fault_stack_pop(&((hf_set_judge *)base)->failed); }

static hf_status look(hf_context *cx, const hf_set_judge *judge, hf_set_measure *at_set, hf_measure *out) {
    const hf_mark mark = hf_scratch_mark(cx);
    hf_fault_set faults;
    hf_status status = hf_fault_set_make(cx, judge->universe, judge->failed.component, judge->failed.depth, &faults);
    if (status == HF_OK) {
        status = at_set(cx, judge, &faults, out);
    }
    hf_scratch_reset(cx, mark);
    return status;
}

static hf_status read(hf_context *cx, hf_judge *base, hf_measure *out) {
    const hf_set_judge *judge = (const hf_set_judge *)base;
    return look(cx, judge, judge->measure, out);
}

static hf_status verdict(hf_context *cx, hf_judge *base, hf_measure *out) {
    const hf_set_judge *judge = (const hf_set_judge *)base;
    bool knows = false;
    HF_TRY(judge->recall ? judge->recall(cx, judge, &knows, out) : HF_OK);
    return knows ? HF_OK : look(cx, judge, judge->decide ? judge->decide : judge->measure, out);
}

static void release(hf_judge *base) {
    hf_set_judge *judge = (hf_set_judge *)base;
    const hf_allocator allocator = judge->allocator;
    if (judge->drop) {
        judge->drop(judge);
    }
    hf_release(&allocator, judge->failed.component);
    hf_release(&allocator, judge);
}

static const hf_judge_ops ops = {.push = push, .pop = pop, .read = read, .verdict = verdict, .free = release, .sheds = true};

hf_status hf_set_judge_new(hf_context *cx, const hf_universe *universe, hf_set_measure *measure_set, size_t size, void **out) {
    HF_TRY(hf_allocate(cx, 1, size, out));
    *(hf_set_judge *)*out = (hf_set_judge){
        .base = {.ops = &ops}, .allocator = *hf_context_allocator(cx), .universe = universe, .measure = measure_set};
    return HF_OK;
}
