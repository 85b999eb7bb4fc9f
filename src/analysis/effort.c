/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reconfiguration over all fault sets of a size, or a sample: the routing's own figures, lowest, mean and highest. */
#include <holdfast/effort.h>

#include <string.h>

#include <holdfast/combination.h>

static size_t count_efforts(const hf_routing *routing) {
    size_t n = 0;
    while (routing->efforts && routing->efforts[n].phase) {
        n++;
    }
    return n;
}

typedef struct run {
    hf_context *cx;
    const hf_effort_request *request;
    const hf_effort_result *result;
    hf_effort_row *row;
    uint32_t *set;
    uint64_t *value;
} run;

static void take(const run *r) {
    for (size_t i = 0; i < r->result->n_effort; i++) {
        hf_effort_value *v = &r->row->value[i];
        const uint64_t x = r->value[i];
        if (x == HF_EFFORT_UNKNOWN) {
            continue;
        }
        v->lowest = v->sets == 0 || x < v->lowest ? x : v->lowest;
        v->highest = x > v->highest ? x : v->highest;
        v->sets++;
        v->mean += ((double)x - v->mean) / (double)v->sets;
    }
}

static hf_status look_at(run *r, uint64_t index) {
    hf_fault_set faults;
    hf_plan plan;
    hf_effort_costs costs = r->request->costs;
    costs.simulates = index < r->request->simulated;
    for (size_t i = 0; i < r->result->n_effort; i++) {
        r->value[i] = HF_EFFORT_UNKNOWN;
    }
    HF_TRY(hf_fault_set_make(r->cx, r->request->universe, r->set, r->row->f, &faults));
    HF_TRY(hf_plan_make(r->cx, r->request->rule, &faults, &plan));
    HF_TRY(plan.routing->effort(r->cx, &plan, &costs, r->value));
    take(r);
    return HF_OK;
}

static hf_status fill_row(run *r) {
    const uint32_t m = r->request->universe->n_component, f = r->row->f;
    uint64_t all;
    r->row->is_exact = hf_binomial(m, f, &all) && all <= r->request->samples;
    r->row->sets = r->row->is_exact ? all : r->request->samples;
    for (uint64_t i = 0; i < r->row->sets; i++) {
        if (r->row->is_exact) {
            hf_lex_unrank(m, f, i, r->set);
        } else {
            hf_fault_sample(r->request->seed, m, f, i, r->set);
        }
        if (hf_context_stopped(r->cx)) {
            HF_FAIL(r->cx, HF_ESTOP, "stopped");
        }
        const hf_mark mark = hf_scratch_mark(r->cx);
        const hf_status status = look_at(r, i);
        hf_scratch_reset(r->cx, mark);
        HF_TRY(status);
    }
    return HF_OK;
}

static hf_status fill(hf_context *cx, const hf_effort_request *request, hf_effort_result *result) {
    const uint32_t m = request->universe->n_component;
    run r = {.cx = cx, .request = request, .result = result};
    HF_TRY(hf_allocate(cx, request->n_f, sizeof *result->row, (void **)&result->row));
    result->n_row = request->n_f;
    HF_TRY(hf_scratch(cx, m, sizeof *r.set, (void **)&r.set));
    HF_TRY(hf_scratch(cx, result->n_effort, sizeof *r.value, (void **)&r.value));
    for (size_t i = 0; i < request->n_f; i++) {
        r.row = &result->row[i];
        r.row->f = request->f[i];
        if (r.row->f > m) {
            HF_FAIL(cx, HF_EINVAL, "%u faults are more than the %u components of \"%s\"", r.row->f, m, request->universe->spec);
        }
        HF_TRY(hf_allocate(cx, result->n_effort, sizeof *r.row->value, (void **)&r.row->value));
        HF_TRY(fill_row(&r));
    }
    return HF_OK;
}

hf_status hf_effort_run(hf_context *cx, const hf_effort_request *request, hf_effort_result **out) {
    const hf_routing *routing = request->rule->routing;
    if (!routing->effort) {
        HF_FAIL(cx, HF_ENOTSUP, "routing \"%s\" has no model of its reconfiguration; immunet and ft2ei have one", routing->name);
    }
    hf_effort_result *result;
    HF_TRY(hf_allocate(cx, 1, sizeof *result, (void **)&result));
    result->allocator = *hf_context_allocator(cx);
    result->n_effort = count_efforts(routing);
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = fill(cx, request, result);
    hf_scratch_reset(cx, mark);
    if (status != HF_OK) {
        hf_effort_free(result);
        return status;
    }
    *out = result;
    return HF_OK;
}

void hf_effort_free(hf_effort_result *result) {
    if (!result) {
        return;
    }
    const hf_allocator allocator = result->allocator;
    for (size_t i = 0; i < result->n_row; i++) {
        hf_release(&allocator, result->row[i].value);
    }
    hf_release(&allocator, result->row);
    hf_release(&allocator, result);
}

const hf_effort_published *hf_effort_find_published(const hf_topology *topo, const hf_universe *universe,
                                                    const hf_routing *routing, size_t i, uint32_t f) {
    const hf_effort *e = &routing->efforts[i];
    if (f != 1 || strcmp(universe->spec, "links") != 0) {
        return NULL;
    }
    for (const hf_effort_published *p = routing->efforts_published; p && p->topology; p++) {
        if (strcmp(p->topology, topo->spec) == 0 && strcmp(p->phase, e->phase) == 0 && strcmp(p->quantity, e->quantity) == 0) {
            return p;
        }
    }
    return NULL;
}
