/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The judge of campaigns over solid faults: every set is planned and measured; the measure finds out whether every pair in
 * service is delivered, so the relation need not be walked a second time. */
#include "src/routing/solid_route.h"

typedef struct judge {
    hf_judge base;
    hf_allocator allocator;
    const hf_universe *universe;
    const hf_routing *routing;
    const hf_args *args;
    uint32_t *component; /* the stack */
    uint32_t depth, capacity;
} judge;

static hf_status push(hf_context *cx, hf_judge *base, uint32_t component) {
    judge *j = (judge *)base;
    if (j->depth == j->capacity) {
        const uint32_t capacity = 2 * j->capacity + 16;
        HF_TRY(hf_resize(cx, capacity, sizeof *j->component, (void **)&j->component));
        j->capacity = capacity;
    }
    j->component[j->depth++] = component;
    return HF_OK;
}

static void pop(hf_judge *base) { ((judge *)base)->depth--; }

static hf_status measure(hf_context *cx, const judge *j, hf_measure *out) {
    hf_fault_set faults;
    HF_TRY(hf_fault_set_make(cx, j->universe, j->component, j->depth, &faults));
    hf_plan plan = {.routing = j->routing, .topo = faults.topo, .faults = &faults, .args = j->args};
    HF_TRY(j->routing->plan(cx, &plan));
    return hf_solid_measure(cx, &plan, out);
}

static hf_status read(hf_context *cx, hf_judge *base, hf_measure *out) {
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = measure(cx, (judge *)base, out);
    hf_scratch_reset(cx, mark);
    return status;
}

static void release(hf_judge *base) {
    judge *j = (judge *)base;
    const hf_allocator allocator = j->allocator;
    hf_release(&allocator, j->component);
    hf_release(&allocator, j);
}

static const hf_judge_ops ops = {.push = push, .pop = pop, .read = read, .free = release};

hf_status hf_solid_judge_new(hf_context *cx, const hf_routing *routing, const hf_universe *universe, const hf_args *args,
                             hf_judge **out) {
    judge *j;
    HF_TRY(hf_allocate(cx, 1, sizeof *j, (void **)&j));
    *j = (judge){.base = {&ops}, .allocator = *hf_context_allocator(cx), .universe = universe, .routing = routing, .args = args};
    *out = &j->base;
    return HF_OK;
}
