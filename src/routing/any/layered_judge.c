/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The fast path of campaigns with layered-shortest: the ways of each set, of which only those that the faults touch are made
 *  anew (layered_change.c), against those without faults. There is one way a pair; it is kept if every channel is the same and
 *  the layer, too. Where terminals have one channel each way the touched ways are counted, and those of what is cut off; else
 *  the rows are compared. */
#include <string.h>

#include "src/core/rows.h"
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
    uint32_t *passing; /* n_row rows of n_switch: terminals whose ways without faults go on from there */
    hf_rows members;   /* terminals by their rows */
    bool serves_all;
    bool is_closed; /* of the set that was read last */
    uint8_t *mark;  /* n_switch */
    uint32_t *way;  /* n_switch */
    uint32_t live;  /* without faults */
    bool counts;    /* touched ways are counted */
    hf_layered_count count;
} layered_judge;

/* What one set adds up to. */
typedef struct reading {
    const hf_topology *topo;
    const hf_layered *now;
    uint64_t lost, victims;
    bool serves_all;
    bool is_closed; /* the ways need more layers than there are: none is offered */
} reading;

static hf_status push(hf_context *cx, hf_judge *base, uint32_t component) {
    return hf_fault_stack_push(cx, &((layered_judge *)base)->failed, component);
}

static void pop(hf_judge *base) { (void)hf_fault_stack_pop(&((layered_judge *)base)->failed); }

static hf_plan plan_of(const layered_judge *j, const hf_fault_set *faults) {
    return (hf_plan){.routing = j->routing, .topo = faults->topo, .faults = faults, .args = j->args, .n_vc = 1};
}

/* ---- one row ---- */

static const uint32_t *next_of(const layered_judge *j, const hf_layered *ways, uint32_t row) {
    return ways->next + (size_t)row * j->universe->topo->n_switch;
}

/* Is the rest of the fault-free way from `v` the same now? */
static bool is_same(const layered_judge *j, const reading *r, uint32_t row, uint32_t v) {
    enum { UNKNOWN, SAME, OTHER };
    const uint32_t *then = next_of(j, &j->free, row), *now = next_of(j, r->now, row);
    uint32_t n = 0;
    while (j->mark[v] == UNKNOWN && then[v] != HF_NONE && then[v] == now[v]) {
        j->way[n++] = v;
        v = r->topo->to[then[v]];
    }
    if (j->mark[v] == UNKNOWN) {
        j->mark[v] = then[v] == now[v] ? SAME : OTHER;
    }
    while (n > 0) {
        j->mark[j->way[--n]] = j->mark[v];
    }
    return j->mark[v] == SAME;
}

static uint32_t end_of(const layered_judge *j, const reading *r, uint32_t row, uint32_t v) {
    const uint32_t *then = next_of(j, &j->free, row);
    while (then[v] != HF_NONE) {
        v = r->topo->to[then[v]];
    }
    return v;
}

/* Is the whole way of a source as it was, but for the channel to the destination? \param[in] c its first channel without
 * faults */
static bool is_kept(const layered_judge *j, const reading *r, uint32_t row, uint32_t c) {
    const uint32_t v = r->topo->to[c];
    const size_t place = (size_t)row * r->topo->n_switch + v;
    return is_same(j, r, row, v) && (j->free.next[place] == HF_NONE || j->free.vc[place] == r->now->vc[place]);
}

/* ---- victims ---- */

/* Does the way of the destination itself, as a source, go on from `v`? */
static bool passes(const layered_judge *j, const reading *r, uint32_t row, uint32_t terminal, uint32_t v) {
    const uint32_t *then = next_of(j, &j->free, row), c = hf_layered_first(&j->free, r->topo->n_switch + terminal, row);
    uint32_t at = c == HF_NONE ? HF_NONE : r->topo->to[c];
    while (at != HF_NONE && at != v && then[at] != HF_NONE) {
        at = r->topo->to[then[at]];
    }
    return at == v;
}

static void add_victims(const layered_judge *j, reading *r, uint32_t row, uint32_t v) {
    for (uint32_t i = j->members.begin[row]; i < j->members.begin[row + 1]; i++) {
        const uint32_t own = passes(j, r, row, j->members.item[i], v);
        const bool is_reached = j->passing[(size_t)row * r->topo->n_switch + v] > own;
        r->victims += is_reached && !hf_goals_is_cut_off(&r->now->goals, j->members.item[i]);
    }
}

/* Where no way is offered any more, not even the last channel of one. */
static void add_last_victims(const layered_judge *j, reading *r, uint32_t row, uint32_t v) {
    for (uint32_t i = j->members.begin[row]; i < j->members.begin[row + 1]; i++) {
        const uint32_t own = passes(j, r, row, j->members.item[i], v), last = hf_layered_last(&j->free, v, j->members.item[i]);
        const bool is_reached = j->passing[(size_t)row * r->topo->n_switch + v] > own;
        r->victims += is_reached && last != HF_NONE && !hf_goals_is_failed(&r->now->goals, last);
    }
}

/* Where nobody is served: channels that were taken, are healthy and lead on as short as before. Else a switch keeps such a
 * channel. */
static void find_victims(const layered_judge *j, reading *r, uint32_t row) {
    const uint32_t n = r->topo->n_switch, *then = next_of(j, &j->free, row);
    const uint16_t *was = j->free.distance + (size_t)row * n, *is = r->now->distance + (size_t)row * n;
    for (uint32_t v = 0; v < n; v++) {
        const uint32_t c = then[v];
        if (c != HF_NONE && !hf_goals_is_failed(&r->now->goals, c) && is[r->topo->to[c]] + 1 == was[v]) {
            add_victims(j, r, row, v);
        }
        if (c == HF_NONE && was[v] == 0) {
            add_last_victims(j, r, row, v);
        }
    }
}

/* ---- all rows ---- */

/* What becomes of the way of one source to one destination. */
typedef struct fate {
    bool was, is_kept;
} fate;

static fate fate_of(const layered_judge *j, const reading *r, uint32_t row, uint32_t destination, uint32_t source) {
    const uint32_t node = r->topo->n_switch + source;
    const uint32_t then = hf_layered_first(&j->free, node, row), now = hf_layered_first(r->now, node, row);
    fate f = {.was = then != HF_NONE};
    f.is_kept = f.was && !r->is_closed && then == now && is_kept(j, r, row, then);
    if (f.is_kept && hf_topology_is_terminal(r->topo, j->free.goals.goal[row])) {
        const uint32_t end = end_of(j, r, row, r->topo->to[then]);
        f.is_kept = hf_layered_last(&j->free, end, destination) == hf_layered_last(r->now, end, destination);
    }
    return f;
}

/* Is every pair of the row's destinations served as long as the ways are offered? */
static bool serves_row(const layered_judge *j, const reading *r, uint32_t row) {
    const uint32_t n = r->topo->n_terminal;
    uint32_t unserved = 0;
    bool serves = true;
    for (uint32_t s = 0; s < n; s++) {
        unserved += hf_layered_first(r->now, r->topo->n_switch + s, row) == HF_NONE;
    }
    for (uint32_t i = j->members.begin[row]; i < j->members.begin[row + 1] && n > 1; i++) {
        const bool lacks_own = hf_layered_first(r->now, r->topo->n_switch + j->members.item[i], row) == HF_NONE;
        serves &= !hf_goals_is_cut_off(&r->now->goals, j->members.item[i]) && unserved == lacks_own;
    }
    return serves;
}

/* All destinations of a row have the same ways; each is left out as its own source. */
static void read_row(const layered_judge *j, reading *r, uint32_t row) {
    const uint32_t begin = j->members.begin[row], n = r->topo->n_terminal;
    uint64_t were = 0, kept = 0;
    memset(j->mark, 0, r->topo->n_switch);
    for (uint32_t s = 0; s < n; s++) {
        const fate f = fate_of(j, r, row, j->members.item[begin], s);
        were += f.was;
        kept += f.is_kept;
    }
    for (uint32_t i = begin; i < j->members.begin[row + 1]; i++) {
        const fate own = fate_of(j, r, row, j->members.item[begin], j->members.item[i]);
        const bool is_cut = hf_goals_is_cut_off(&r->now->goals, j->members.item[i]);
        r->lost += were - own.was - (is_cut ? 0 : kept - own.is_kept);
    }
    r->serves_all = serves_row(j, r, row) && r->serves_all;
    if (r->is_closed) {
        find_victims(j, r, row);
    }
}

static bool cuts_terminals(const hf_fault_set *faults) {
    bool cuts = false;
    for (uint32_t i = 0; i < faults->n_channel && !cuts; i++) {
        cuts = faults->topo->link[faults->channel[i]] >= faults->topo->n_switch_link;
    }
    return cuts;
}

static void read_rows(const layered_judge *j, reading *r, bool is_all) {
    for (uint32_t row = 0; row < r->now->goals.n_row && is_all; row++) {
        read_row(j, r, row);
    }
    for (uint32_t i = 0; i < j->change.n_row && !is_all; i++) {
        read_row(j, r, j->change.row[i]);
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
static hf_status begin(hf_context *cx, layered_judge *j, bool is_laid, hf_fault_set *faults, reading *r, hf_measure *out) {
    HF_TRY(hf_fault_set_make(cx, j->universe, j->failed.component, j->failed.depth, faults));
    change_rows(j, faults);
    HF_TRY(is_laid ? lay(cx, j) : HF_OK);
    const hf_layered *now = &j->change.now;
    const hf_plan plan = plan_of(j, faults);
    *r = (reading){.topo = faults->topo, .now = now, .serves_all = j->serves_all};
    j->is_closed = r->is_closed = faults->n_channel > 0 && (now->needs_more || now->n_vc > j->change.most);
    *out = (hf_measure){.live = r->is_closed ? 0 : cuts_terminals(faults) ? hf_plan_live(&plan) : j->live};
    return HF_OK;
}

static hf_status read_set(hf_context *cx, layered_judge *j, hf_measure *out) {
    hf_fault_set faults;
    reading r;
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
static void serve_rows(const layered_judge *j, reading *r, bool is_all) {
    for (uint32_t row = 0; row < r->now->goals.n_row && is_all && r->serves_all; row++) {
        r->serves_all = serves_row(j, r, row);
    }
    for (uint32_t i = 0; i < j->change.n_row && !is_all && r->serves_all; i++) {
        r->serves_all = !j->change.is_farther[i] || serves_row(j, r, j->change.row[i]);
    }
}

static hf_status judge_set(hf_context *cx, layered_judge *j, hf_measure *out) {
    hf_fault_set faults;
    reading r;
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

static void count_passing(layered_judge *j, uint32_t row) {
    const hf_topology *topo = j->universe->topo;
    const uint32_t *next = next_of(j, &j->free, row);
    for (uint32_t s = 0; s < topo->n_terminal; s++) {
        const uint32_t c = hf_layered_first(&j->free, topo->n_switch + s, row);
        for (uint32_t v = c == HF_NONE ? HF_NONE : topo->to[c]; v != HF_NONE;
             v = next[v] == HF_NONE ? HF_NONE : topo->to[next[v]]) {
            j->passing[(size_t)row * topo->n_switch + v]++;
        }
    }
}

/* The channels to a terminal on several switches are on ways of its row, too. */
static hf_status find_used(layered_judge *j) {
    const hf_topology *topo = j->universe->topo;
    const size_t words = hf_words(j->free.goals.n_row);
    HF_TRY(hf_scratch(j->cx, words, sizeof *j->touched, (void **)&j->touched));
    HF_TRY(hf_scratch(j->cx, topo->n_channel * words, sizeof *j->used, (void **)&j->used));
    for (uint32_t row = 0; row < j->free.goals.n_row; row++) {
        const uint32_t *next = next_of(j, &j->free, row), goal = j->free.goals.goal[row];
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
    const uint32_t n_table = 3; /* those of the set, and `passing` */
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
    HF_TRY(hf_scratch(j->cx, (size_t)j->free.goals.n_row * topo->n_switch, sizeof *j->passing, (void **)&j->passing));
    HF_TRY(hf_scratch(j->cx, topo->n_switch, sizeof *j->mark, (void **)&j->mark));
    HF_TRY(hf_scratch(j->cx, topo->n_switch, sizeof *j->way, (void **)&j->way));
    HF_TRY(hf_rows_of(j->cx, j->free.goals.n_row, NULL, topo->n_terminal, j->free.goals.row, &j->members));
    reading r = {.topo = topo, .now = &j->free, .serves_all = true};
    for (uint32_t row = 0; row < j->free.goals.n_row; row++) {
        count_passing(j, row);
        r.serves_all = serves_row(j, &r, row) && r.serves_all;
    }
    j->serves_all = r.serves_all;
    j->counts = hf_layered_count_fits(topo);
    HF_TRY(j->counts ? hf_layered_count_init(j->cx, &j->free, &j->members, &j->count) : HF_OK);
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
