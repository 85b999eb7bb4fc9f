/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The fast path of campaigns with layered-shortest: the ways of each set, of which only those that the faults touch are made
 *  anew (layered_change.c), against those without faults. There is one way a pair; it is kept if every channel is the same and
 *  the layer, too. Where terminals have one channel each way the touched ways are counted, and those of what is cut off; else
 *  the rows are compared. */
#include <string.h>

#include "src/routing/any/layered_compare.h"
#include "src/routing/any/layered_count.h"

typedef struct layered_judge {
    hf_judge base;
    hf_allocator allocator;
    hf_context *cx; /* its arena holds what is known without faults */
    const hf_routing *routing;
    const hf_universe *universe;
    const hf_args *args;
    hf_fault_stack failed;
    hf_fault_set no_faults;
    hf_layered free;
    hf_laying laying;
    hf_layered_change change;
    uint64_t *used;    /* by channel: rows of which it is on a way */
    uint64_t *touched; /* rows, of one set */
    hf_layered_compare compare;
    bool is_closed; /* of the set that was read last */
    uint32_t live;  /* without faults */
    bool counts;    /* touched ways are counted */
    hf_layered_count count;
} layered_judge;

static hf_status push(hf_context *cx, hf_judge *base, uint32_t component) {
    return hf_fault_stack_push(cx, &((layered_judge *)base)->failed, component);
}

static void pop(hf_judge *base) { (void)hf_fault_stack_pop(&((layered_judge *)base)->failed); }

static hf_plan plan_of(const layered_judge *j, const hf_fault_set *faults) {
    return (hf_plan){.routing = j->routing, .topo = faults->topo, .faults = faults, .args = j->args, .n_vc = 1};
}

static bool cuts_terminals(const hf_fault_set *faults) {
    bool cuts = false;
    for (uint32_t i = 0; i < faults->n_channel && !cuts; i++) {
        cuts = faults->topo->link[faults->channel[i]] >= faults->topo->n_switch_link;
    }
    return cuts;
}

static void read_rows(const layered_judge *j, hf_layered_reading *r, bool is_all) {
    for (uint32_t row = 0; row < r->now->goals.n_row && is_all; row++) {
        hf_layered_compare_row(&j->compare, r, row);
    }
    for (uint32_t i = 0; i < j->change.n_row && !is_all; i++) {
        hf_layered_compare_row(&j->compare, r, j->change.row[i]);
    }
}

/* ---- sets ---- */

/* Find the rows that faults may touch, and their ways. */
static void change_rows(layered_judge *j, const hf_fault_set *faults) {
    const uint32_t n_row = j->free.goals.n_row;
    const size_t words = hf_words(n_row);
    memset(j->touched, 0, words * sizeof *j->touched);
    for (uint32_t i = 0; i < faults->n_channel; i++) {
        (void)hf_bits_or(j->touched, j->used + faults->channel[i] * words, words);
    }
    hf_layered_change_begin(&j->change, faults);
    for (size_t row = hf_bits_next(j->touched, n_row, 0); row < n_row; row = hf_bits_next(j->touched, n_row, row + 1)) {
        hf_layered_change_row(&j->change, (uint32_t)row);
    }
}

static hf_status lay(hf_context *cx, layered_judge *j) {
    const hf_status status = hf_layered_change_lay(cx, j->cx, &j->change);
    if (status != HF_OK && hf_context_message(j->cx)[0]) {
        hf_context_copy_failure(cx, j->cx);
        hf_context_clear(j->cx);
    }
    return status;
}

/* The ways of the present set. \param[in] is_laid do layers matter? */
static hf_status begin(hf_context *cx, layered_judge *j, bool is_laid, hf_fault_set *faults, hf_layered_reading *r,
                       hf_measure *out) {
    HF_TRY(hf_fault_set_make(cx, j->universe, j->failed.component, j->failed.depth, faults));
    change_rows(j, faults);
    HF_TRY(is_laid ? lay(cx, j) : HF_OK);
    const hf_layered *now = &j->change.now;
    const hf_plan plan = plan_of(j, faults);
    *r = (hf_layered_reading){.now = now, .serves_all = j->compare.serves_all};
    j->is_closed = r->is_closed = faults->n_channel > 0 && (now->needs_more || now->n_vc > j->change.most);
    *out = (hf_measure){.live = r->is_closed ? 0 : cuts_terminals(faults) ? hf_plan_live(&plan) : j->live};
    return HF_OK;
}

static hf_status read_set(hf_context *cx, layered_judge *j, hf_measure *out) {
    hf_fault_set faults;
    hf_layered_reading r;
    HF_TRY(begin(cx, j, true, &faults, &r, out));
    const bool cuts = cuts_terminals(&faults);
    if (j->counts && !r.is_closed && !j->change.is_laid_anew) {
        r.lost = hf_layered_count_lost(&j->count, &j->change, &r.serves_all);
    } else {
        read_rows(j, &r, cuts || r.is_closed || j->change.is_laid_anew);
    }
    out->tolerated = r.serves_all && !r.is_closed;
    out->has_victims = out->has_lost_paths = true;
    out->victims = r.victims;
    out->lost_paths = r.lost;
    hf_layered_change_measure(&j->change, out);
    return HF_OK;
}

/* Sources are looked at only where distances have changed. */
static void serve_rows(const layered_judge *j, hf_layered_reading *r, bool is_all) {
    for (uint32_t row = 0; row < r->now->goals.n_row && is_all && r->serves_all; row++) {
        r->serves_all = hf_layered_compare_serves(&j->compare, r->now, row);
    }
    for (uint32_t i = 0; i < j->change.n_row && !is_all && r->serves_all; i++) {
        r->serves_all = !j->change.is_farther[i] || hf_layered_compare_serves(&j->compare, r->now, j->change.row[i]);
    }
}

static hf_status judge_set(hf_context *cx, layered_judge *j, hf_measure *out) {
    hf_fault_set faults;
    hf_layered_reading r;
    HF_TRY(begin(cx, j, !j->base.connects, &faults, &r, out));
    if (j->counts) {
        (void)hf_layered_count_lost(&j->count, &j->change, &r.serves_all);
    } else {
        serve_rows(j, &r, cuts_terminals(&faults));
    }
    out->tolerated = r.serves_all && !r.is_closed;
    return HF_OK;
}

static hf_status read(hf_context *cx, hf_judge *base, hf_measure *out) {
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = read_set(cx, (layered_judge *)base, out);
    hf_layered_change_undo(&((layered_judge *)base)->change);
    hf_scratch_reset(cx, mark);
    return status;
}

static hf_status verdict(hf_context *cx, hf_judge *base, hf_measure *out) {
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = judge_set(cx, (layered_judge *)base, out);
    hf_layered_change_undo(&((layered_judge *)base)->change);
    hf_scratch_reset(cx, mark);
    return status;
}

/* The rule finds a way wherever there is one, but where the ways need too many layers: then nobody is in service. */
static hf_status surviving(hf_context *cx, hf_judge *base, bool *out) {
    (void)cx;
    *out = !((layered_judge *)base)->is_closed;
    return HF_OK;
}

/* ---- making ---- */

static void release(hf_judge *base) {
    layered_judge *j = (layered_judge *)base;
    const hf_allocator allocator = j->allocator;
    hf_release(&allocator, j->failed.component);
    hf_context_free(j->cx);
    hf_release(&allocator, j);
}

static const hf_judge_ops ops = {
    .push = push, .pop = pop, .read = read, .verdict = verdict, .surviving = surviving, .free = release};

/* The channels to a terminal on several switches are on ways of its row, too. */
static hf_status find_used(layered_judge *j) {
    const hf_topology *topo = j->universe->topo;
    const size_t words = hf_words(j->free.goals.n_row);
    HF_TRY(hf_scratch(j->cx, words, sizeof *j->touched, (void **)&j->touched));
    HF_TRY(hf_scratch(j->cx, topo->n_channel * words, sizeof *j->used, (void **)&j->used));
    for (uint32_t row = 0; row < j->free.goals.n_row; row++) {
        const uint32_t *next = j->free.next + (size_t)row * topo->n_switch, goal = j->free.goals.goal[row];
        for (uint32_t v = 0; v < topo->n_switch; v++) {
            if (next[v] != HF_NONE) {
                hf_bit_set(j->used + next[v] * words, row);
            }
        }
        for (uint32_t i = topo->in_begin[goal]; hf_topology_is_terminal(topo, goal) && i < topo->in_begin[goal + 1]; i++) {
            hf_bit_set(j->used + topo->in_list[i] * words, row);
        }
    }
    return HF_OK;
}

static hf_status find_ways(layered_judge *j) {
    HF_TRY(hf_fault_set_make(j->cx, j->universe, NULL, 0, &j->no_faults));
    const hf_plan plan = plan_of(j, &j->no_faults);
    const uint32_t n_table = 3; /* those of the set, and what is compared with */
    HF_TRY(hf_layered_whole(j->cx, &plan, n_table, &j->free, &j->laying));
    HF_TRY(hf_layered_change_init(j->cx, &j->free, &j->laying, j->args, &j->change));
    if (j->free.needs_more || j->free.n_vc > j->change.most) {
        HF_FAIL(j->cx, HF_ENOTSUP, "the ways without faults need more layers than there are");
    }
    j->live = hf_plan_live(&plan);
    return find_used(j);
}

static hf_status fill(layered_judge *j) {
    const hf_topology *topo = j->universe->topo;
    HF_TRY(find_ways(j));
    HF_TRY(hf_layered_compare_init(j->cx, &j->free, &j->compare));
    j->counts = hf_layered_count_fits(topo);
    HF_TRY(j->counts ? hf_layered_count_init(j->cx, &j->free, &j->compare.members, &j->count) : HF_OK);
    j->base.connects = hf_layered_is_enough(topo, j->args);
    return HF_OK;
}

hf_status hf_layered_judge_new(hf_context *cx, const hf_universe *universe, const hf_rule *rule, hf_judge **out) {
    layered_judge *j;
    HF_TRY(hf_allocate(cx, 1, sizeof *j, (void **)&j));
    *j = (layered_judge){.base = {.ops = &ops},
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
