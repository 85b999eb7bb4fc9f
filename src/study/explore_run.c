/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Running an exploration: designs out of the store, or by threads that take them as they come free; the front. */
#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include "src/core/jobs.h"
#include "src/core/number.h"
#include "src/study/explore.h"

const char *hf_design_verdict_name(hf_design_verdict verdict) {
    static const char *const names[] = {"kept", "number of terminals", "cost", "tolerance", "deadlock"};
    return names[verdict];
}

const char *hf_tolerance_proof_name(hf_tolerance_proof proof) {
    static const char *const names[] = {"exact", "proved", "sampled", "unknown"};
    return names[proof];
}

/* ---- designs in the store ---- */

/* Files may change behind their names: what depends on one is not kept. */
static bool names_file(const char *text) {
    static const char *const kinds[] = {"file:", "lua:", "table:", "groups:", "permutation:", "matrix:", NULL};
    for (size_t i = 0; kinds[i]; i++) {
        if (strstr(text, kinds[i])) {
            return true;
        }
    }
    return false;
}

/* \param[out] key NULL: not to be kept */
static hf_status make_key(hf_context *cx, const hf_exploration *e, const hf_planned *p, char **key) {
    *key = NULL;
    if (names_file(p->topology) || names_file(p->routing) || names_file(e->universe) || names_file(e->traffic) ||
        names_file(e->reference)) {
        return HF_OK;
    }
    return hf_scratch_print(cx, key,
                            "explore|%s|%s|%s|%s|%s|%s|%s|sets %" PRIu64 "|faults %" PRIu32 "|seed %" PRIu64 "|terminals %" PRIu32
                            "..%" PRIu32 "|cost %a|tolerance %" PRIu32 "|deadlock %d",
                            hf_build_code(), p->topology, p->routing, e->universe, e->criterion.spec, e->traffic, e->reference,
                            e->sets, e->faults_most, e->seed, e->terminals_least, e->terminals_most, e->cost_most,
                            e->tolerance_least, e->allows_deadlocks);
}

static hf_status keep(hf_context *cx, const hf_exploration_options *options, const char *key, const hf_design *d) {
    char *text;
    if (!options->store || !key) {
        return HF_OK;
    }
    HF_TRY(hf_scratch_print(
        cx, &text, "%" PRIu32 " %" PRIu32 " %" PRIu32 " %a %a %" PRIu32 " %" PRIu32 " %" PRIu32 " %u %u %u %d %s %s",
        d->n_terminal, d->n_switch, d->n_link, d->cost, d->throughput, d->tolerance, d->least, d->most, (unsigned)d->proof,
        (unsigned)d->verdict, (unsigned)d->deadlock, d->needs_bubbles, d->topology, d->routing));
    return hf_store_note(cx, options->store, key, text);
}

static bool take_number(const char **at, double *out) {
    hf_slice rest = hf_slice_of(*at);
    const bool is_right = hf_take_noted(&rest, out) && hf_take_text(&rest, " ");
    *at = rest.text;
    return is_right;
}

/* What keep() wrote. \return HF_ESTORE if it is something else */
static hf_status read_note(hf_context *cx, const char *text, hf_design *d) {
    enum { NUMBERS = 12 };
    double value[NUMBERS];
    const char *at = text;
    for (size_t i = 0; i < NUMBERS; i++) {
        if (!take_number(&at, &value[i])) {
            HF_FAIL(cx, HF_ESTORE, "a stored design is damaged; run `holdfast store verify`");
        }
    }
    const char *blank = strchr(at, ' ');
    if (!blank || value[8] > HF_TOLERANCE_UNKNOWN || value[9] > HF_DESIGN_DEADLOCK || value[10] > HF_DEADLOCK_UNKNOWN) {
        HF_FAIL(cx, HF_ESTORE, "a stored design is damaged; run `holdfast store verify`");
    }
    *d = (hf_design){.n_terminal = (uint32_t)value[0],
                     .n_switch = (uint32_t)value[1],
                     .n_link = (uint32_t)value[2],
                     .cost = value[3],
                     .throughput = value[4],
                     .tolerance = (uint32_t)value[5],
                     .least = (uint32_t)value[6],
                     .most = (uint32_t)value[7],
                     .proof = (hf_tolerance_proof)value[8],
                     .verdict = (hf_design_verdict)value[9],
                     .deadlock = (hf_deadlock_answer)value[10],
                     .needs_bubbles = value[11] != 0,
                     .from_store = true};
    char *topology;
    HF_TRY(hf_scratch_print(cx, &topology, "%.*s", (int)(blank - at), at));
    HF_TRY(hf_duplicate(cx, topology, &d->topology));
    return hf_duplicate(cx, blank + 1, &d->routing);
}

/* ---- evaluating ---- */

typedef struct crew {
    const hf_exploration *e;
    const hf_exploration_options *options;
    hf_designs *designs;
    atomic_size_t done;
} crew;

static hf_status evaluate(hf_context *cx, void *user, size_t i) {
    crew *c = user;
    hf_design *d = &c->designs->design[i];
    char *key, *text = NULL;
    bool is_accepted = false;
    hf_status status;
    if (hf_context_stopped(cx)) {
        HF_FAIL(cx, HF_ESTOP, "stopped");
    }
    HF_TRY(make_key(cx, c->e, &c->e->planned[i], &key));
#pragma omp critical(hf_explore_store)
    status =
        c->options->store && key && !c->options->again ? hf_store_recall(cx, c->options->store, key, &text, &is_accepted) : HF_OK;
    HF_TRY(status);
    if (text) {
        HF_TRY(read_note(cx, text, d));
        d->is_accepted = is_accepted;
    } else {
        HF_TRY(hf_design_evaluate(cx, c->e, &c->e->planned[i], d));
    }
#pragma omp critical(hf_explore_store)
    {
        status = text ? HF_OK : keep(cx, c->options, key, d);
        if (status == HF_OK && c->options->tell) {
            c->options->tell(c->options->tell_user, atomic_fetch_add(&c->done, 1) + 1, c->designs->n, d);
        }
    }
    return status;
}

static hf_status name_design(hf_context *cx, const hf_exploration *e, size_t i, hf_status status) {
    const hf_planned *p = &e->planned[i];
    if (status != HF_OK && status != HF_ESTOP) {
        hf_context_prefix(cx, "%s, line %" PRIu32 ", design %s with %s: ", e->frame.file, p->line, p->topology, p->routing);
    }
    return status;
}

static hf_status evaluate_all(hf_context *cx, crew *c) {
    size_t failed;
    const hf_status status = hf_jobs_do(cx, c->e->n_planned, c->options->threads, evaluate, c, &failed);
    return failed < c->e->n_planned ? name_design(cx, c->e, failed, status) : status;
}

/* ---- the front ---- */

static bool beats(const hf_design *a, const hf_design *b) {
    const bool is_as_good = a->cost <= b->cost && a->throughput >= b->throughput && a->tolerance >= b->tolerance;
    return is_as_good && (a->cost < b->cost || a->throughput > b->throughput || a->tolerance > b->tolerance);
}

void hf_designs_mark_front(hf_design *design, size_t n) {
    for (size_t i = 0; i < n; i++) {
        design[i].on_front = design[i].verdict == HF_DESIGN_KEPT;
        for (size_t k = 0; k < n && design[i].on_front; k++) {
            design[i].on_front = design[k].verdict != HF_DESIGN_KEPT || !beats(&design[k], &design[i]);
        }
    }
}

/* Every design is built once before the first is evaluated: a mistake in the last costs no time. */
static hf_status check_designs(hf_context *cx, const hf_exploration *e) {
    for (size_t i = 0; i < e->n_planned; i++) {
        const hf_planned *p = &e->planned[i];
        hf_topology *topo;
        hf_rule rule;
        hf_status status = hf_topology_new(cx, p->topology, &topo);
        if (status == HF_OK) {
            status = hf_rule_init(cx, p->routing, topo, &rule);
            if (status == HF_OK) {
                hf_rule_free(&rule);
            }
            hf_topology_free(topo);
        }
        HF_TRY(name_design(cx, e, i, status));
    }
    return HF_OK;
}

hf_status hf_exploration_run(hf_context *cx, const hf_exploration *e, const hf_exploration_options *options, hf_designs **out) {
    crew c = {.e = e, .options = options};
    const hf_mark mark = hf_scratch_mark(cx);
    HF_TRY(check_designs(cx, e));
    HF_TRY(hf_allocate(cx, 1, sizeof *c.designs, (void **)&c.designs));
    c.designs->allocator = *hf_context_allocator(cx);
    hf_status status = hf_allocate(cx, e->n_planned, sizeof *c.designs->design, (void **)&c.designs->design);
    if (status == HF_OK) {
        c.designs->n = e->n_planned;
        status = evaluate_all(cx, &c);
    }
    hf_scratch_reset(cx, mark);
    if (status != HF_OK) {
        hf_designs_free(c.designs);
        return status;
    }
    hf_designs_mark_front(c.designs->design, c.designs->n);
    *out = c.designs;
    return HF_OK;
}

void hf_designs_free(hf_designs *designs) {
    if (!designs) {
        return;
    }
    const hf_allocator allocator = designs->allocator;
    for (size_t i = 0; i < designs->n; i++) {
        hf_release(&allocator, designs->design[i].topology);
        hf_release(&allocator, designs->design[i].routing);
    }
    hf_release(&allocator, designs->design);
    hf_release(&allocator, designs);
}
