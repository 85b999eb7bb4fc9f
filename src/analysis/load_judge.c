/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The judge of campaigns over load: every fault set is planned and its load found on its own. */
#include <math.h>

#include <holdfast/load.h>

typedef struct judge {
    hf_judge base;
    hf_allocator allocator;
    const hf_universe *universe;
    const hf_rule *rule;
    const hf_traffic *traffic;
    hf_split split;
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

static hf_status find(hf_context *cx, const judge *j, hf_load **out) {
    hf_fault_set faults;
    hf_plan plan;
    HF_TRY(hf_fault_set_make(cx, j->universe, j->component, j->depth, &faults));
    HF_TRY(hf_plan_make(cx, j->rule, &faults, &plan));
    return hf_load_find(cx, &plan, j->traffic, j->split, out);
}

static uint64_t in_units(double value) { return (uint64_t)llround(value / HF_LOAD_EXTRA_UNIT); }

static hf_status read(hf_context *cx, hf_judge *base, hf_measure *out) {
    hf_load *load;
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = find(cx, (judge *)base, &load);
    if (status == HF_OK) {
        *out = (hf_measure){.tolerated = load->lost == 0};
        out->extra[HF_LOAD_MAX] = in_units(load->max_load);
        out->extra[HF_LOAD_ALL] = in_units(fmax(load->max_load, load->terminal_load));
        out->extra[HF_LOAD_SATURATION] = in_units(load->saturation);
        out->extra[HF_LOAD_LOST] = in_units(load->lost);
        hf_load_free(load);
    }
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

hf_status hf_load_judge_new(hf_context *cx, const hf_universe *universe, const hf_rule *rule, const hf_traffic *traffic,
                            hf_split split, hf_judge **out) {
    judge *j;
    HF_TRY(hf_allocate(cx, 1, sizeof *j, (void **)&j));
    *j = (judge){.base = {&ops},
                 .allocator = *hf_context_allocator(cx),
                 .universe = universe,
                 .rule = rule,
                 .traffic = traffic,
                 .split = split};
    *out = &j->base;
    return HF_OK;
}
