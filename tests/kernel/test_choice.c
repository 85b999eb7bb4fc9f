/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Headers that choose once: every choice of a loaded network is made again, slowly, from what the switch looked like. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/kernel/kernel.h"
#include "tests/oracle/fixture.h"

enum { PACKET = 16, CYCLES = 6000, TREES = 3, PACKETS = 4096 };

static const hf_selection functions[] = {HF_SELECT_CYCLIC, HF_SELECT_FIRST, HF_SELECT_CREDITS,  HF_SELECT_SSP,     HF_SELECT_SDP,
                                         HF_SELECT_SOP,    HF_SELECT_SADP,  HF_SELECT_ADAP_LIN, HF_SELECT_BALANCED};

typedef struct run {
    fixture fx;
    hf_traffic *traffic;
    hf_fault_set none;
    hf_plan plan;
    hf_kernel *k;
    uint32_t arity, width;
    bool *free;       /* by channel, when headers choose: nobody sends into it, and a packet fits */
    uint32_t *credit; /* by channel, when headers choose */
    bool *chooses;    /* by lane, in this cycle */
    uint32_t *choice; /* by lane: the channel it waits for */
    uint32_t *last;   /* by switch: up port chosen last, from 0 */
    uint64_t *routed; /* by switch: when its routing unit is free */
    uint32_t *dealt;  /* by channel: headers that have chosen it */
    struct {
        uint64_t at;      /* routed behind others, from that cycle on; 0: in front */
        uint32_t lane;    /* where it came */
        uint32_t channel; /* chosen there; HF_NONE: not yet */
        uint64_t number;  /* of the arrival */
    } early[PACKETS];     /* by packet */
    uint64_t n_early, n_arrival;
    uint64_t n_choice, n_other, n_full;
} run;

static void open_run(run *r, uint32_t arity, uint32_t stages, uint32_t queue, hf_selection selection, hf_free what,
                     bool is_early) {
    char topo[32];
    hf_kernel_options o = hf_kernel_usual();
    memset(r, 0, sizeof *r);
    (void)snprintf(topo, sizeof topo, "kary-tree:k=%u,n=%u", arity, stages);
    o.switching = HF_SWITCHING_VCT;
    o.packet_length = PACKET;
    o.buffer = 2 * PACKET;
    o.output_queue = queue;
    o.one_routing_unit = o.choose_once = true;
    o.selection = selection;
    o.free = what;
    o.route_early = is_early;
    o.routing_delay = is_early ? 5 : 1;
    fixture_open(&r->fx, topo, NULL, "updown");
    fixture_plan(&r->fx, "", &r->none, &r->plan);
    fixture_ok(&r->fx, hf_traffic_new(r->fx.cx, r->fx.topo, "uniform", &r->traffic));
    fixture_ok(&r->fx, hf_kernel_new(r->fx.cx, &r->plan, &o, &r->k));
    fixture_ok(&r->fx, hf_kernel_offer(r->k, r->traffic, 1, 7));
    r->arity = arity;
    r->width = r->fx.topo->n_switch / stages;
    r->free = calloc(r->k->n_resource, sizeof *r->free);
    r->credit = calloc(r->k->n_resource, sizeof *r->credit);
    r->chooses = calloc(r->k->n_lane, sizeof *r->chooses);
    r->choice = calloc(r->k->n_lane, sizeof *r->choice);
    r->last = calloc(r->fx.topo->n_switch, sizeof *r->last);
    r->routed = calloc(r->fx.topo->n_switch, sizeof *r->routed);
    r->dealt = calloc(r->fx.topo->n_channel, sizeof *r->dealt);
    assert_true(r->free && r->credit && r->chooses && r->choice && r->last && r->routed && r->dealt);
    for (uint32_t v = 0; v < r->fx.topo->n_switch; v++) {
        r->last[v] = arity - 1;
    }
}

static void close_run(run *r) {
    free(r->free);
    free(r->credit);
    free(r->chooses);
    free(r->choice);
    free(r->last);
    free(r->routed);
    free(r->dealt);
    hf_traffic_free(r->traffic);
    fixture_close(&r->fx);
}

static bool waits(const hf_kernel *k, uint32_t lane) { return k->port[k->lane[lane].port].waiting >> k->lane[lane].bit & 1; }

/* What headers will see in the next cycle; credits that come in at its start count. */
static void look(run *r) {
    const hf_kernel *k = r->k;
    for (uint32_t q = 0; q < k->n_resource; q++) {
        r->credit[q] = k->credit[q];
    }
    for (uint32_t i = 0; i < k->wheel[0][k->now].n_credit; i++) {
        r->credit[k->wheel[0][k->now].credits[i]]++;
    }
    for (uint32_t q = 0; q < k->n_resource; q++) {
        const uint32_t room = k->queue ? k->o.output_queue - k->queue[q].count : r->credit[q];
        const bool has_credits =
            k->o.free == HF_FREE_CREDITS || k->o.free == HF_FREE_IDLE_CREDITS ? r->credit[q] >= PACKET : true;
        const bool is_idle = k->queue && k->o.free >= HF_FREE_IDLE ? k->queue[q].count == 0 : true;
        r->free[q] = k->owner[q] == HF_NONE && room >= PACKET && has_credits && is_idle;
    }
    for (uint32_t lane = 0; lane < k->n_resource; lane++) {
        const hf_lane *l = &k->lane[lane];
        r->chooses[lane] = waits(k, lane) && l->slot == HF_NONE && l->ready <= k->counts.cycle;
    }
}

/* Headers that come in at the start of the next cycle: behind others they are routed at once, one after the other. */
static void look_at_arrivals(run *r) {
    const hf_kernel *k = r->k;
    const hf_slot *slot = &k->wheel[0][k->now];
    for (uint32_t i = 0; i < slot->n_flit; i++) {
        const hf_event e = slot->flits[i];
        const hf_lane *l = &k->lane[e.lane];
        if (l->node >= k->topo->n_switch || !(e.flit & HF_FLIT_HEAD)) {
            continue;
        }
        const uint32_t packet = e.flit >> HF_FLIT_SHIFT;
        uint64_t *free = &r->routed[l->node];
        assert_true(packet < PACKETS);
        *free = (*free > k->counts.cycle ? *free : k->counts.cycle) + k->o.routing_delay;
        r->early[packet].at = k->o.route_early && l->count > 0 ? *free : 0;
        r->early[packet].lane = e.lane;
        r->early[packet].channel = HF_NONE;
        r->early[packet].number = r->n_arrival++;
    }
}

static uint32_t digit(uint32_t number, uint32_t i, uint32_t base) {
    return i == 0 ? number % base : digit(number / base, i - 1, base);
}

static uint32_t preferred(const run *r, uint32_t node, const hf_packet *p) {
    const uint32_t stage = node / r->width, b = r->arity;
    switch (r->k->o.selection) {
    case HF_SELECT_CYCLIC:
        return (r->last[node] + 1) % b;
    case HF_SELECT_SSP:
        return digit(node % r->width, stage, b);
    case HF_SELECT_SDP:
        return digit(p->destination, 0, b);
    case HF_SELECT_SOP:
        return digit(p->source, 0, b);
    case HF_SELECT_SADP:
        return digit(p->destination, stage, b);
    case HF_SELECT_ADAP_LIN:
        return digit(p->source, stage, b);
    default:
        return 0;
    }
}

/* The channel on up port i of a switch, from 0. */
static uint32_t up(const run *r, uint32_t node, uint32_t i) {
    const hf_topology *topo = r->fx.topo;
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        if (topo->from[c] == node && topo->from_port[c] == r->arity + i) {
            return c;
        }
    }
    fail_msg("switch %u has no up port %u", node, i);
    return HF_NONE;
}

static bool is_better(const run *r, uint32_t c, uint32_t best) {
    return r->k->o.selection == HF_SELECT_CREDITS    ? r->credit[c] > r->credit[best]
           : r->k->o.selection == HF_SELECT_BALANCED ? r->dealt[c] < r->dealt[best]
                                                     : false;
}

/* Among the free ports, or all if there is none: the first from the preferred one on, or the one with most credits, or that
 * fewest have chosen. */
static uint32_t expected(run *r, uint32_t node, const hf_packet *p) {
    const uint32_t start = preferred(r, node, p);
    uint32_t n_free = 0, best = HF_NONE;
    for (uint32_t i = 0; i < r->arity; i++) {
        n_free += r->free[up(r, node, i)];
    }
    for (uint32_t i = 0; i < r->arity; i++) {
        const uint32_t c = up(r, node, (start + i) % r->arity);
        const bool suits = n_free == 0 || r->free[c];
        best = suits && (best == HF_NONE || is_better(r, c, best)) ? c : best;
    }
    r->dealt[best]++;
    r->n_choice++;
    r->n_full += n_free == 0;
    r->n_other += best != up(r, node, start);
    return best;
}

/* Does a header that has come behind others get its turn in the next cycle, and go up? */
static bool chooses_behind(const run *r, uint32_t p) {
    const hf_kernel *k = r->k;
    const uint32_t lane = r->early[p].lane, node = k->lane[lane].node, stage = node / r->width;
    if (r->early[p].at == 0 || r->early[p].at != k->counts.cycle || k->lane[lane].packet == p) {
        return false;
    }
    bool is_below = true; /* the digits above those that the switch's subtree spans */
    for (uint32_t i = stage + 1; i < k->tree.n; i++) {
        is_below = is_below && digit(k->packet[p].destination, i, r->arity) == digit(node % r->width, i - 1, r->arity);
    }
    return !is_below;
}

/* Headers that are routed in the next cycle behind others choose by what it finds, in the order in which they came. */
static void choose_behind(run *r) {
    uint32_t next;
    do {
        next = HF_NONE;
        for (uint32_t p = 0; p < PACKETS && p < r->k->n_packet; p++) {
            const bool is_left = r->early[p].channel == HF_NONE && chooses_behind(r, p);
            next = is_left && (next == HF_NONE || r->early[p].number < r->early[next].number) ? p : next;
        }
        if (next != HF_NONE) {
            r->early[next].channel = expected(r, r->k->lane[r->early[next].lane].node, &r->k->packet[next]);
            r->n_early++;
        }
    } while (next != HF_NONE);
}

static void check_lane(run *r, uint32_t lane) {
    const hf_kernel *k = r->k;
    const hf_lane *l = &k->lane[lane];
    const bool is_waiting = waits(k, lane);
    const uint32_t channel = is_waiting ? hf_lane_hop(k, lane, 0).channel : l->out;
    if (k->topo->from_port[channel] < r->arity) {
        r->choice[lane] = channel; /* downwards there is nothing to choose */
    }
    if (r->chooses[lane] && k->topo->from_port[channel] >= r->arity) {
        const uint32_t before =
            r->early[l->packet].lane == lane && r->early[l->packet].at ? r->early[l->packet].channel : HF_NONE;
        r->choice[lane] = before != HF_NONE ? before : expected(r, l->node, &k->packet[l->packet]);
        r->last[l->node] = k->topo->from_port[r->choice[lane]] - r->arity;
    }
    assert_int_equal(channel, r->choice[lane]);
    assert_true(!is_waiting || l->n_hop == 1);
}

static void step(run *r) {
    hf_kernel *k = r->k;
    look(r);
    look_at_arrivals(r);
    choose_behind(r);
    fixture_ok(&r->fx, hf_kernel_run(k, 1));
    for (uint32_t lane = 0; lane < k->n_resource; lane++) {
        const hf_lane *l = &k->lane[lane];
        const bool is_routed = waits(k, lane) ? l->slot != HF_NONE : l->out != HF_NONE;
        if (l->node < k->topo->n_switch && is_routed) {
            check_lane(r, lane);
        }
    }
}

static void choices(void **state) {
    (void)state;
    static const uint32_t shape[TREES][2] = {{2, 3}, {3, 2}, {4, 2}};
    for (size_t s = 0; s < sizeof functions / sizeof *functions; s++) {
        for (int i = 0; i < 2 * TREES; i++) {
            run r;
            open_run(&r, shape[i / 2][0], shape[i / 2][1], i % 2 ? 2 * PACKET : 0, functions[s], HF_FREE_ROOM, false);
            for (uint32_t c = 0; c < CYCLES; c++) {
                step(&r);
            }
            assert_true(r.n_choice > 1000 && r.n_other > 100 && r.n_full > 100);
            close_run(&r);
        }
    }
}

/* What counts as free, and headers that choose behind others; `cyclic` hangs on who chooses first. */
static void choices_of_others(void **state) {
    (void)state;
    uint64_t n_early = 0;
    for (size_t s = 1; s < sizeof functions / sizeof *functions; s++) {
        for (int i = 0; i < 8; i++) {
            run r;
            open_run(&r, i % 3 ? 2 : 3, i % 3 ? 3 : 2, 2 * PACKET, functions[s], (hf_free)(i % 4), i >= 4);
            for (uint32_t c = 0; c < CYCLES; c++) {
                step(&r);
            }
            assert_true(r.n_choice > 500 && r.n_other > 50);
            n_early += r.n_early;
            assert_true((r.n_early > 50) == (i >= 4));
            close_run(&r);
        }
    }
    assert_true(n_early > 10000);
}

static void refused(void **state) {
    (void)state;
    static const struct {
        const char *topo, *rule;
        hf_selection selection;
        hf_contention contention;
        hf_status status;
        const char *message;
    } cases[] = {
        {"mesh:dims=3x3", "dor", HF_SELECT_CYCLIC, HF_CONTENTION_WAIT, HF_ENOTSUP, "choosing once is for k-ary n-trees"},
        {"kary-tree:k=2,n=2", "updown", HF_SELECT_ESCAPE_LAST, HF_CONTENTION_WAIT, HF_EINVAL, "does not wait for the escape"},
        {"kary-tree:k=2,n=2", "updown", HF_SELECT_FIRST, HF_CONTENTION_DROP, HF_EINVAL, "which choose always"},
        {"kary-tree:k=2,n=2", "updown", HF_SELECT_UNBLOCKED, HF_CONTENTION_WAIT, HF_EINVAL,
         "selection unblocked needs drop or circuit"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture fx;
        hf_fault_set none;
        hf_plan plan;
        hf_kernel *k;
        hf_kernel_options o = hf_kernel_usual();
        o.selection = cases[i].selection;
        o.contention = cases[i].contention;
        o.outstanding = 1;
        o.choose_once = true;
        fixture_open(&fx, cases[i].topo, NULL, cases[i].rule);
        fixture_plan(&fx, "", &none, &plan);
        assert_int_equal(hf_kernel_new(fx.cx, &plan, &o, &k), cases[i].status);
        assert_non_null(strstr(hf_context_message(fx.cx), cases[i].message));
        fixture_close(&fx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(choices), cmocka_unit_test(choices_of_others), cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
