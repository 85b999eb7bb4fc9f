/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  holdfast-check against certificates with one thing changed: it confirms those that are still right, by a second opinion made
 *  from the relation, and no others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/text.h>
#include <holdfast/store.h>

#include "src/analysis/paths/walk.h"
#include "src/check/check.h"
#include "src/core/sort.h"
#include "tests/oracle/fixture.h"
#include "tests/oracle/worms.h"

typedef struct subject {
    fixture fx;
    hf_deadlock_options options;
    hf_fault_set faults;
    hf_plan plan;
    hf_deadlock found;
    int64_t *number; /* the certificate's, to be changed */
} subject;

static void open_subject(subject *s, const char *topo, const char *rule, hf_deadlock_options options) {
    *s = (subject){.options = options};
    s->options.threads = 1;
    s->options.want_witness = true;
    fixture_open(&s->fx, topo, NULL, rule);
    fixture_plan(&s->fx, "", &s->faults, &s->plan);
    fixture_ok(&s->fx, hf_deadlock_decide(s->fx.cx, &s->plan, &s->options, &s->found));
    fixture_ok(&s->fx, hf_scratch(s->fx.cx, s->found.n_resource, sizeof *s->number, (void **)&s->number));
    for (uint32_t r = 0; r < s->found.n_resource; r++) {
        s->number[r] = s->found.number[r] == HF_NONE ? -1 : (int64_t)s->found.number[r];
    }
}

/* ---- certificates as text ---- */

static void print_node(const subject *s, const char *key, uint32_t node, hf_text *out) {
    char name[HF_NAME_SIZE];
    hf_topology_node_name(s->fx.topo, node, name, sizeof name);
    hf_text_print(out, "\"%s\": \"%s\", ", key, name);
}

static void print_hops(const subject *s, const char *key, const uint32_t *r, const hf_hop *path, uint32_t n, hf_text *out) {
    hf_text_print(out, ", \"%s\": [", key);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t channel = path ? path[i].channel : r[i] / s->found.n_vc, vc = path ? path[i].vc : r[i] % s->found.n_vc;
        char name[HF_NAME_SIZE];
        hf_topology_channel_name(s->fx.topo, channel, name, sizeof name);
        hf_text_print(out, "%s{\"channel\": \"%s\", ", i ? ", " : "", name);
        print_node(s, "from", s->fx.topo->from[channel], out);
        print_node(s, "to", s->fx.topo->to[channel], out);
        hf_text_print(out, "\"vc\": %u", vc);
        if (path) {
            hf_text_print(out, ", \"tag\": %u", path[i].tag);
        }
        hf_text_print(out, "}");
    }
    hf_text_print(out, "]");
}

/* All that the relation offers where the packet is now said to be, so that the file agrees with itself. */
static uint32_t offers(const subject *s, const hf_blocked *b, uint32_t *wait) {
    const uint32_t r = b->hold[b->n_hold - 1], at = s->fx.topo->to[r / s->found.n_vc];
    const hf_hop last = {r / s->found.n_vc, r % s->found.n_vc, b->path[b->n_path - 1].tag};
    hf_hop hops[64];
    if (hf_topology_is_terminal(s->fx.topo, at)) {
        wait[0] = b->wait[0];
        return 1;
    }
    const uint32_t n = (uint32_t)hf_plan_route(&s->plan, at, last, b->destination, hops);
    for (uint32_t i = 0; i < n; i++) {
        wait[i] = hops[i].channel * s->found.n_vc + hops[i].vc;
    }
    if (n > 1) {
        hf_sort_numbers(wait, n);
    }
    return n;
}

static void print_blocked(const subject *s, const hf_blocked *b, hf_text *out) {
    uint32_t wait[64];
    hf_text_print(out, "{\"source\": \"t%u\", \"destination\": \"t%u\"", b->source, b->destination);
    print_hops(s, "holds", b->hold, NULL, b->n_hold, out);
    print_hops(s, "waits_for", wait, NULL, offers(s, b, wait), out);
    print_hops(s, "path", NULL, b->path, b->n_path, out);
    hf_text_print(out, "}");
}

static int by_hold(const void *a, const void *b) {
    return hf_compare_numbers(((const hf_blocked *)a)->hold, ((const hf_blocked *)b)->hold);
}

static const char *conditions(const subject *s) {
    return s->found.method != HF_METHOD_BUBBLE_ESCAPE
               ? "null"
               : "[\"assumed: virtual cut-through; a packet moves where a buffer for the largest packet is free, and enters a "
                 "ring "
                 "where two are; a virtual channel has two or more\", \"assumed: a free buffer on every ring at the start\"]";
}

static void print_certificate(const subject *s, hf_text *out) {
    const hf_deadlock *d = &s->found;
    hf_blocked sorted[64];
    hf_text_print(out, "{\"schema\": 1, \"command\": \"verify\", \"program\": {\"name\": \"holdfast\", \"version\": \"%s\"}, ",
                  hf_build_version());
    hf_text_print(out, "\"spec\": {\"topology\": \"%s\", \"routing\": \"%s\", \"switching\": \"%s\", \"flow\": \"%s\", ",
                  s->fx.topo->spec, s->fx.rule.spec, hf_switching_name(s->options.switching),
                  s->options.bubble ? "bubble" : "credit");
    hf_text_print(out, "\"timing\": \"%s\", \"choose\": \"always\", \"universe\": null, \"failed\": null}, ",
                  hf_timing_name(s->options.timing));
    hf_text_print(out, "\"certificate\": {\"verdict\": \"%s\", \"method\": \"%s\", \"vcs\": %u, \"conditions\": %s, ",
                  hf_deadlock_answer_name(d->answer), hf_deadlock_method_name(d->method), d->n_vc, conditions(s));
    hf_text_print(out, "\"serves\": %s, ", d->answer == HF_DEADLOCK_FREE ? "\"some\"" : "null");
    hf_text_print(out, "\"escape\": %s, \"numbers\": %s", d->escape.is_declared ? "\"declared\"" : "null",
                  d->answer == HF_DEADLOCK_FREE ? "[" : "null");
    for (uint32_t r = 0, end; r < d->n_resource && d->answer == HF_DEADLOCK_FREE; r = end) {
        for (end = r + 1; end < d->n_resource && s->number[end] == s->number[r]; end++) {
        }
        hf_text_print(out, "%s%lld, %u", r ? ", " : "", (long long)s->number[r], end - r);
    }
    hf_text_print(out, "%s, \"blocked\": [", d->answer == HF_DEADLOCK_FREE ? "]" : "");
    assert_true(d->n_blocked <= 64);
    for (uint32_t b = 0; b < d->n_blocked; b++) {
        sorted[b] = d->blocked[b];
    }
    qsort(sorted, d->n_blocked, sizeof *sorted, by_hold);
    for (uint32_t b = 0; b < d->n_blocked; b++) {
        hf_text_print(out, b ? ", " : "");
        print_blocked(s, &sorted[b], out);
    }
    hf_text_print(out, "]}}\n");
}

static bool is_confirmed(const subject *s) {
    hf_text text;
    check c = {.cx = hf_context_new(NULL), .file = "in.json"};
    hf_text_init(s->fx.cx, &text);
    print_certificate(s, &text);
    const hf_status status = check_certificate(&c, text.data, text.size);
    assert_true(status == HF_OK || status == HF_EINVAL);
    assert_true(status == HF_OK || hf_context_message(c.cx)[0]);
    hf_context_free(c.cx);
    hf_text_free(&text);
    return status == HF_OK && c.outcome == CHECK_CONFIRMED;
}

/* ---- a second opinion about numbers ---- */

typedef struct opinion {
    const subject *s;
    hf_walk walk;
    hf_hop *hops, *own;
    uint32_t *stamp, *queue;
} opinion;

static int64_t number_of(const opinion *o, hf_hop hop) { return o->s->number[hop.channel * o->s->plan.n_vc + hop.vc]; }

static bool is_ring(const opinion *o, hf_hop a, hf_hop b) {
    const hf_plan *plan = &o->s->plan;
    const uint32_t ring = o->s->options.bubble ? plan->routing->ring(plan, a.channel, a.vc) : HF_NONE;
    return ring != HF_NONE && ring == plan->routing->ring(plan, b.channel, b.vc);
}

static bool rises(const opinion *o, hf_hop in, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const int64_t to = number_of(o, o->hops[i]);
        const bool injected = in.channel == HF_NONE;
        if (to < 0 || (!injected && is_ring(o, in, o->hops[i]) && to != number_of(o, in)) ||
            (!injected && !is_ring(o, in, o->hops[i]) && to <= number_of(o, in))) {
            return false;
        }
    }
    return true;
}

static bool sinks(const opinion *o, hf_hop in, size_t count) {
    bool any = in.channel == HF_NONE || count == 0;
    for (size_t i = 0; i < count && !any; i++) {
        any = number_of(o, o->hops[i]) >= 0 && number_of(o, o->hops[i]) < number_of(o, in);
    }
    return any;
}

static bool is_escape(const opinion *o, hf_hop hop, size_t n_own) {
    bool is = o->s->fx.topo->link[hop.channel] >= o->s->fx.topo->n_switch_link;
    for (size_t i = 0; i < n_own; i++) {
        is |= o->own[i].channel == hop.channel && o->own[i].vc == hop.vc;
    }
    return is;
}

/* Does the number rise from a held resource of number `held`, reached by `in`? Inside a ring it stays. */
static bool rises_to(const opinion *o, hf_hop in, int64_t held, hf_hop hop) {
    const int64_t to = number_of(o, hop);
    return to >= 0 && (held < 0 || (is_ring(o, in, hop) ? to == held : to > held));
}

/* Escape hops from every state that can be reached from `first` over others; with bubbles, from `first` alone. */
static bool extends(const opinion *o, uint32_t first) {
    const hf_walk *w = &o->walk;
    const hf_plan *plan = &o->s->plan;
    const int64_t held = first < plan->topo->n_terminal ? -1 : number_of(o, w->in[first]);
    uint32_t tail = 0;
    o->queue[tail++] = first;
    o->stamp[first] = first + 1;
    for (uint32_t head = 0; head < tail; head++) {
        const uint32_t u = o->queue[head];
        const size_t count = hf_plan_route(plan, w->at[u], w->in[u], w->destination, o->hops);
        const size_t n_own = plan->routing->escape(plan, w->at[u], w->in[u], w->destination, o->own);
        bool any = false;
        for (size_t i = 0; i < count; i++) {
            const uint32_t to = w->edge[w->edge_begin[u] + i];
            if (is_escape(o, o->hops[i], n_own)) {
                any = true;
                if (!rises_to(o, w->in[first], held, o->hops[i])) {
                    return false;
                }
            } else if (!o->s->options.bubble && to < w->n_state && o->stamp[to] != first + 1) {
                o->stamp[to] = first + 1;
                o->queue[tail++] = to;
            }
        }
        if (!any) {
            return false;
        }
    }
    return true;
}

static bool holds_for(const opinion *o) {
    const hf_walk *w = &o->walk;
    for (uint32_t u = 0; u < w->n_state; u++) {
        if (u == w->destination) {
            continue; /* it sends nothing to itself */
        }
        const size_t count = hf_plan_route(&o->s->plan, w->at[u], w->in[u], w->destination, o->hops);
        const hf_deadlock_method method = o->s->found.method;
        if (!(method == HF_METHOD_ESCAPE || method == HF_METHOD_BUBBLE_ESCAPE ? extends(o, u)
              : method == HF_METHOD_FIXPOINT                                  ? sinks(o, w->in[u], count)
                                                                              : rises(o, w->in[u], count))) {
            return false;
        }
    }
    return true;
}

static bool still_holds(subject *s) {
    opinion o = {.s = s};
    hf_context *cx = s->fx.cx;
    const hf_mark mark = hf_scratch_mark(cx);
    bool holds = true;
    fixture_ok(&s->fx, hf_walk_init(cx, s->fx.topo, &o.walk));
    fixture_ok(&s->fx, hf_scratch(cx, s->plan.max_hops, sizeof *o.hops, (void **)&o.hops));
    fixture_ok(&s->fx, hf_scratch(cx, s->plan.max_hops, sizeof *o.own, (void **)&o.own));
    for (uint32_t d = 0; d < s->fx.topo->n_terminal && holds; d++) {
        fixture_ok(&s->fx, hf_walk_explore(cx, &o.walk, &s->plan, d));
        fixture_ok(&s->fx, hf_scratch(cx, o.walk.n_state, sizeof *o.stamp, (void **)&o.stamp));
        fixture_ok(&s->fx, hf_scratch(cx, o.walk.n_state, sizeof *o.queue, (void **)&o.queue));
        holds = holds_for(&o);
    }
    hf_scratch_reset(cx, mark);
    return holds;
}

/* ---- numbers, one changed ---- */

static const struct row {
    const char *topo, *rule;
    hf_switching switching;
    bool bubble;
    hf_deadlock_method method;
} rows[] = {
    {"mesh:dims=3x3", "dor", HF_SWITCHING_WORMHOLE, false, HF_METHOD_ACYCLIC},
    {"torus:dims=3x4", "dor:vcs=2,dateline=yes", HF_SWITCHING_WORMHOLE, false, HF_METHOD_ACYCLIC},
    {"mesh:dims=2x2", "valiant", HF_SWITCHING_WORMHOLE, false, HF_METHOD_ACYCLIC},
    {"kary-tree:k=2,n=2", "updown", HF_SWITCHING_SAF, false, HF_METHOD_ACYCLIC},
    {"ring:n=5", "dor", HF_SWITCHING_VCT, true, HF_METHOD_BUBBLE},
    {"mesh:dims=3x2", "duato", HF_SWITCHING_WORMHOLE, false, HF_METHOD_ESCAPE},
    {"mesh:dims=3x2", "duato", HF_SWITCHING_SAF, false, HF_METHOD_FIXPOINT},
    {"torus:dims=3x3", "adaptive-bubble", HF_SWITCHING_VCT, true, HF_METHOD_BUBBLE_ESCAPE},
    {"torus:dims=3x3", "immunet", HF_SWITCHING_VCT, true, HF_METHOD_BUBBLE_ESCAPE},
};

static void numbers_one_changed(void **state) {
    (void)state;
    uint32_t refuted = 0, proofs = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        subject s;
        open_subject(&s, rows[i].topo, rows[i].rule,
                     (hf_deadlock_options){.switching = rows[i].switching, .bubble = rows[i].bubble});
        assert_int_equal(s.found.method, rows[i].method);
        assert_true(is_confirmed(&s) && still_holds(&s));
        for (uint32_t change = 0; change < 2 * s.found.n_resource; change++) {
            const uint32_t r = change / 2;
            s.number[r] += change % 2 ? 1 : -1;
            if (is_confirmed(&s)) {
                print_error("%s, %s: with %lld at %u it is confirmed\n", rows[i].topo, rows[i].rule, (long long)s.number[r], r);
                fail();
            }
            refuted++;
            proofs += s.number[r] >= -1 && still_holds(&s); /* numbers that would do, but are not the ones */
            s.number[r] -= change % 2 ? 1 : -1;
        }
        fixture_close(&s.fx);
    }
    print_message("%u changes refuted, %u of them rise or sink as they should\n", refuted, proofs);
    assert_true(refuted > 100 && proofs > 20);
}

/* ---- deadlocks, one thing changed ---- */

static void compare_deadlock(const subject *s, uint32_t *confirmed, uint32_t *refuted) {
    bool right = worms_refute(&s->plan, s->found.blocked, s->found.n_blocked) == NULL;
    for (uint32_t b = 0; b < s->found.n_blocked; b++) {
        right &= s->found.blocked[b].source != s->found.blocked[b].destination;
    }
    const bool said = is_confirmed(s), may_be_open = s->options.timing == HF_TIMING_LOCKSTEP;
    if (said != right && (said || !may_be_open)) {
        hf_text text;
        hf_text_init(s->fx.cx, &text);
        print_certificate(s, &text);
        print_error("%s%s\n", text.data, said ? "is confirmed" : "is refuted");
        fail();
    }
    *confirmed += said;
    *refuted += !said;
}

/* Every field takes every other value. */
static void change_packet(subject *s, hf_blocked *b, uint32_t *confirmed, uint32_t *refuted) {
    uint32_t *const field[] = {&b->source, &b->destination, &b->hold[0], &b->path[b->n_path - 1].channel, &b->path[0].channel};
    for (size_t i = 0; i < sizeof field / sizeof *field; i++) {
        const uint32_t was = *field[i], end = i < 2 ? s->fx.topo->n_terminal : s->fx.topo->n_channel;
        for (*field[i] = 0; *field[i] < end; ++*field[i]) {
            compare_deadlock(s, confirmed, refuted);
        }
        *field[i] = was;
    }
    const uint32_t was = b->hold[0];
    for (uint32_t c = 0; c < s->fx.topo->n_channel; c++) {
        b->hold[0] = b->path[b->n_path - 1].channel = c; /* both, so that they agree */
        compare_deadlock(s, confirmed, refuted);
    }
    b->hold[0] = b->path[b->n_path - 1].channel = was;
}

static void deadlocks_one_changed(void **state) {
    (void)state;
    static const struct {
        const char *topo, *rule;
        hf_timing timing;
    } stuck[] = {
        {"ring:n=4", "dor:ties=plus", HF_TIMING_ANY},
        {"mesh:dims=2x2", "minimal", HF_TIMING_ANY},
        {"mesh:dims=3x3", "minimal", HF_TIMING_ANY},
        {"file:studies/examples/oblivious-cycle.anynet", "lua:studies/examples/oblivious-cycle.lua", HF_TIMING_LOCKSTEP}};
    uint32_t confirmed = 0, refuted = 0;
    for (size_t i = 0; i < sizeof stuck / sizeof *stuck; i++) {
        subject s;
        open_subject(&s, stuck[i].topo, stuck[i].rule, (hf_deadlock_options){.timing = stuck[i].timing});
        assert_int_equal(s.found.answer, HF_DEADLOCK_FOUND);
        for (uint32_t b = 0; b < s.found.n_blocked; b++) {
            change_packet(&s, &s.found.blocked[b], &confirmed, &refuted);
        }
        s.found.n_blocked--;
        compare_deadlock(&s, &confirmed, &refuted);
        fixture_close(&s.fx);
    }
    print_message("%u changes refuted, %u leave a deadlock\n", refuted, confirmed);
    assert_true(refuted > 100 && confirmed > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_one_changed), cmocka_unit_test(deadlocks_one_changed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
