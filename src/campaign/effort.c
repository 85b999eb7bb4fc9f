/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reconfiguration over all fault sets of a size, or a sample: the routing's own figures, lowest, mean and highest. */
#include <holdfast/campaign.h>

#include <string.h>

static size_t count_efforts(const hf_routing *routing) {
    size_t n = 0;
    while (routing->efforts && routing->efforts->quantities[n].phase) {
        n++;
    }
    return n;
}

/** Of one quantity over the sets of a range. */
typedef struct sums {
    hf_u128 sum;
    uint64_t sets, lowest, highest;
} sums;

typedef struct run {
    const hf_effort_request *request;
    size_t n_effort;
    uint32_t f;
} run;

static void add(sums *s, const sums *more) {
    s->lowest = s->sets == 0 || (more->sets > 0 && more->lowest < s->lowest) ? more->lowest : s->lowest;
    s->highest = more->highest > s->highest ? more->highest : s->highest;
    s->sum += more->sum;
    s->sets += more->sets;
}

static void merge(void *user, void *to, const void *from) {
    const run *r = user;
    for (size_t i = 0; i < r->n_effort; i++) {
        add((sums *)to + i, (const sums *)from + i);
    }
}

static hf_status look(hf_context *cx, void *user, void *state, uint64_t index, const uint32_t *set, void *tally) {
    (void)state;
    const run *r = user;
    hf_fault_set faults;
    hf_plan plan;
    hf_effort_costs costs = r->request->costs;
    uint64_t *value;
    costs.simulates = index < r->request->simulated;
    HF_TRY(hf_scratch(cx, r->n_effort, sizeof *value, (void **)&value));
    for (size_t i = 0; i < r->n_effort; i++) {
        value[i] = HF_EFFORT_UNKNOWN;
    }
    HF_TRY(hf_fault_set_make(cx, r->request->universe, set, r->f, &faults));
    HF_TRY(hf_plan_make(cx, r->request->rule, &faults, &plan));
    HF_TRY(plan.routing->efforts->effort(cx, &plan, &costs, value));
    for (size_t i = 0; i < r->n_effort; i++) {
        if (value[i] != HF_EFFORT_UNKNOWN) {
            add((sums *)tally + i, &(sums){value[i], 1, value[i], value[i]});
        }
    }
    return HF_OK;
}

static hf_status fill_row(hf_context *cx, const hf_effort_request *request, size_t n_effort, hf_effort_row *row) {
    run r = {.request = request, .n_effort = n_effort, .f = row->f};
    const hf_set_walk walk = {.sets = hf_sets_of(request->universe->n_component, row->f, request->samples, request->seed),
                              .tally_size = n_effort * sizeof(sums),
                              .user = &r,
                              .look = look,
                              .merge = merge,
                              .threads = request->threads,
                              .progress = request->progress,
                              .progress_user = request->progress_user};
    sums *all;
    HF_TRY(hf_scratch(cx, n_effort, sizeof *all, (void **)&all));
    HF_TRY(hf_set_walk_run(cx, &walk, all));
    row->is_exact = walk.sets.is_all;
    row->sets = walk.sets.n;
    for (size_t i = 0; i < n_effort; i++) {
        const double mean = all[i].sets ? (double)all[i].sum / (double)all[i].sets : 0;
        row->value[i] = (hf_effort_value){all[i].sets, all[i].lowest, all[i].highest, mean};
    }
    return HF_OK;
}

static hf_status fill(hf_context *cx, const hf_effort_request *request, hf_effort_result *result) {
    const uint32_t m = request->universe->n_component;
    HF_TRY(hf_allocate(cx, request->n_f, sizeof *result->row, (void **)&result->row));
    result->n_row = request->n_f;
    for (size_t i = 0; i < request->n_f; i++) {
        hf_effort_row *row = &result->row[i];
        row->f = request->f[i];
        if (row->f > m) {
            HF_FAIL(cx, HF_EINVAL, "%u faults are more than the %u components of \"%s\"", row->f, m, request->universe->spec);
        }
        HF_TRY(hf_allocate(cx, result->n_effort, sizeof *row->value, (void **)&row->value));
        HF_TRY(fill_row(cx, request, result->n_effort, row));
    }
    return HF_OK;
}

hf_status hf_effort_run(hf_context *cx, const hf_effort_request *request, hf_effort_result **out) {
    const hf_routing *routing = request->rule->routing;
    if (!routing->efforts) {
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
    const hf_effort *e = &routing->efforts->quantities[i];
    if (f != 1 || strcmp(universe->spec, "links") != 0) {
        return NULL;
    }
    for (const hf_effort_published *p = routing->efforts->published; p && p->topology; p++) {
        if (strcmp(p->topology, topo->spec) == 0 && strcmp(p->phase, e->phase) == 0 && strcmp(p->quantity, e->quantity) == 0) {
            return p;
        }
    }
    return NULL;
}
