/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "src/routing/set_judge.h"

static hf_status push(hf_context *cx, hf_judge *base, uint32_t component) {
    return hf_fault_stack_push(cx, &((hf_set_judge *)base)->failed, component);
}

static void pop(hf_judge *base) { hf_fault_stack_pop(&((hf_set_judge *)base)->failed); }

static hf_status measure(hf_context *cx, const hf_set_judge *judge, hf_measure *out) {
    hf_fault_set faults;
    HF_TRY(hf_fault_set_make(cx, judge->universe, judge->failed.component, judge->failed.depth, &faults));
    return judge->measure(cx, judge, &faults, out);
}

static hf_status read(hf_context *cx, hf_judge *base, hf_measure *out) {
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = measure(cx, (hf_set_judge *)base, out);
    hf_scratch_reset(cx, mark);
    return status;
}

static void release(hf_judge *base) {
    hf_set_judge *judge = (hf_set_judge *)base;
    const hf_allocator allocator = judge->allocator;
    hf_release(&allocator, judge->failed.component);
    hf_release(&allocator, judge);
}

static const hf_judge_ops ops = {.push = push, .pop = pop, .read = read, .free = release, .sheds = true};

hf_status hf_set_judge_new(hf_context *cx, const hf_universe *universe, hf_set_measure *measure_set, size_t size, void **out) {
    HF_TRY(hf_allocate(cx, 1, size, out));
    *(hf_set_judge *)*out = (hf_set_judge){
        .base = {.ops = &ops}, .allocator = *hf_context_allocator(cx), .universe = universe, .measure = measure_set};
    return HF_OK;
}
