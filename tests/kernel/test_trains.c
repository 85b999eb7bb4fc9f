/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Trains: a network that runs for some cycles at once, where bodies of packets may move as trains, is after them in every lane,
 *  queue and channel what one is that runs a cycle at a time, where none does; and has counted what the slow twin has. Over
 * random routers, packets of all lengths, several threads, and faults that come behind. A failure prints the seed of its router.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/kernel/trains.h"
#include "tests/oracle/fixture.h"
#include "tests/oracle/router.h"
#include "tests/oracle/slow_kernel.h"
#include "tests/support/kernel_books.h"
#include "tests/support/share.h"

enum { ROUTERS = 300, STOPS = 5, LONGEST_RUN = 150, LONGEST_PACKET = 40 };
enum { LONGER_ROUTERS = 20, LONGER = 20, FEWEST_FLITS = HF_ALARMS + 200 }; /* where trains are cut, and alarms ring early */

typedef struct network {
    const char *topo, *rule;
    bool has_rings;
} network;

static const network networks[] = {
    {"mesh:dims=3x3", "dor", false},
    {"mesh:dims=3x3", "west-first", false},
    {"torus:dims=4x3", "dor", true},
    {"ring:n=4", "minimal", false},
    {"hypercube:n=3", "minimal", false},
    {"kary-tree:k=2,n=3", "updown", false},
    {"kary-tree:k=3,n=2", "updown", false},
    {"kary-tree:k=2,n=4", "updown", false},
    {"kary-tree:k=3,n=2", "destro", false},
    {"kary-tree:k=2,n=3", "det-lin", false},
    {"hyperx:dims=2x3,terminals=2", "minimal", false},
    {"ruft:k=2,n=3", "ruft", false},
};

/* Whose links may fail while packets flow. */
static const network faulty = {"kary-tree:k=2,n=3", "ft2ei", false};

typedef struct scene {
    uint64_t seed;
    fixture fx;
    hf_fault_set none;
    hf_plan plan;
    hf_traffic *traffic;
    hf_kernel_options o;
    double load;
    uint32_t stop[STOPS]; /* cycles of each run */
} scene;

static bool can_have_trains(const hf_kernel_options *o) {
    return o->contention == HF_CONTENTION_WAIT && o->switching != HF_SWITCHING_WORMHOLE && o->speedup <= 1;
}

/* As oracle_router_draw(), with longer packets. */
static void draw_router(scene *s, hf_random *r, bool has_rings, bool is_tree) {
    hf_kernel_options *o = &s->o;
    do {
        *o = oracle_router_draw(r, has_rings, is_tree);
    } while (!can_have_trains(o));
    const uint32_t longer = oracle_between(r, 1, LONGEST_PACKET / o->packet_length);
    o->packet_length *= longer;
    o->buffer = o->buffer * longer + oracle_between(r, 0, 2);
    o->output_queue *= longer;
    o->routing_delay *= oracle_between(r, 1, 5);
    o->crossbar_delay *= oracle_between(r, 1, 8);
    o->link_delay *= oracle_between(r, 1, 3);
    if (is_tree && oracle_toss(r)) {
        o->choose_once = true;
        o->free = (hf_free)oracle_between(r, HF_FREE_ROOM, HF_FREE_IDLE_CREDITS);
    }
}

/* \param[in] at NULL: any */
static void open_scene(scene *s, uint64_t seed, const network *at) {
    hf_random random;
    *s = (scene){.seed = seed};
    hf_random_init(&random, seed, HF_PURPOSE_TEST, 31);
    const uint32_t row = oracle_between(&random, 0, sizeof networks / sizeof *networks - 1);
    at = at ? at : &networks[row];
    draw_router(s, &random, at->has_rings, strncmp(at->topo, "kary", 4) == 0);
    s->load = oracle_between(&random, 1, 10) / 10.0;
    for (int i = 0; i < STOPS; i++) {
        s->stop[i] = oracle_between(&random, 10, LONGEST_RUN);
    }
    fixture_open(&s->fx, at->topo, "links", at->rule);
    fixture_plan_set(&s->fx, NULL, 0, &s->none, &s->plan);
    fixture_ok(&s->fx, hf_traffic_new(s->fx.cx, s->fx.topo, "uniform", &s->traffic));
}

static void close_scene(scene *s) {
    hf_traffic_free(s->traffic);
    fixture_close(&s->fx);
}

static hf_kernel *new_kernel(const scene *s) {
    hf_kernel *k;
    fixture_ok(&s->fx, hf_kernel_new(s->fx.cx, &s->plan, &s->o, &k));
    fixture_ok(&s->fx, hf_kernel_offer(k, s->traffic, s->load, s->seed));
    return k;
}

static void differs(const scene *s, const char *what) {
    fail_msg("router %u, %s, %s: %s", (unsigned)s->seed, s->fx.topo->spec, s->fx.rule.spec, what);
}

/* ---- what a kernel holds ---- */

static uint64_t mix(uint64_t sum, uint64_t x) { return (sum ^ x) * UINT64_C(0x9e3779b97f4a7c15) ^ (sum >> 29); }

/* Of flits and credits of one cycle: in any order. */
static uint64_t sum_slot(const hf_slot *slot) {
    uint64_t sum = slot->n_train + slot->n_return;
    for (uint32_t i = 0; i < slot->n_flit; i++) {
        sum += mix(slot->flits[i].lane, slot->flits[i].flit);
    }
    for (uint32_t i = 0; i < slot->n_credit; i++) {
        sum += mix(slot->credits[i], 7);
    }
    return sum;
}

static uint64_t sum_lane(const hf_kernel *k, uint32_t lane) {
    const hf_lane *l = &k->lane[lane];
    const hf_port *p = &k->port[l->port];
    const uint64_t waits = p->waiting >> l->bit & 1, moves = p->moving >> l->bit & 1;
    uint64_t sum = mix(mix(mix(mix(1, l->count), l->out), l->packet), waits << 1 | moves);
    sum = mix(sum, waits ? mix(l->slot == HF_NONE, l->ready) : 0);
    for (uint32_t i = 0; lane < k->n_resource && i < l->count; i++) {
        sum = mix(sum, hf_kernel_flit_in(k, lane, i));
    }
    if (lane < k->n_resource) {
        sum = mix(mix(sum, k->credit[lane]), k->owner[lane]);
    }
    for (uint32_t i = 0; lane < k->n_resource && k->queue && i < k->queue[lane].n_run; i++) {
        const hf_queued *run = hf_kernel_queue_at(k, lane, i);
        for (uint32_t j = 0; j < run->n; j++) {
            sum = mix(sum, run->flit);
        }
    }
    return sum;
}

static uint64_t sum_of(const hf_kernel *k) {
    uint64_t sum = k->present;
    for (uint32_t lane = 0; lane < k->n_lane; lane++) {
        sum = mix(sum, sum_lane(k, lane));
    }
    for (uint32_t i = 0; i < k->n_slot; i++) {
        sum = mix(sum, sum_slot(&k->wheel[0][hf_kernel_slot_in(k, i)]));
    }
    return sum;
}

/* ---- a cycle at a time ---- */

static void run_by_cycles(const scene *s, hf_kernel *k, uint32_t cycles) {
    for (uint32_t i = 0; i < cycles; i++) {
        fixture_ok(&s->fx, hf_kernel_run(k, 1));
    }
}

static void hold_together(const scene *s, hf_kernel *one, hf_kernel *all) {
    if (memcmp(hf_kernel_read(one), hf_kernel_read(all), sizeof(hf_kernel_counts)) != 0) {
        differs(s, "other counts than a cycle at a time");
    }
    if (sum_of(one) != sum_of(all)) {
        differs(s, "other lanes, queues or channels than a cycle at a time");
    }
}

static void check_books(const scene *s, hf_kernel *all) {
    bool is_whole = false;
    fixture_ok(&s->fx, kernel_is_whole(all, &is_whole));
    if (!is_whole) {
        differs(s, "the books do not add up");
    }
}

/* What runs a cycle at a time writes down every flit. \return could there be trains? */
static bool hold_to_cycles(const scene *s) {
    hf_kernel *one = new_kernel(s), *all = new_kernel(s);
    one->trains = NULL;
    for (int i = 0; i < STOPS; i++) {
        run_by_cycles(s, one, s->stop[i]);
        fixture_ok(&s->fx, hf_kernel_run(all, s->stop[i]));
        hold_together(s, one, all);
        check_books(s, all);
    }
    return all->trains != NULL;
}

static void by_cycles(void **state) {
    (void)state;
    uint32_t with_trains = 0;
    for (uint64_t seed = 1; seed <= ROUTERS; seed += share_step()) {
        scene s;
        open_scene(&s, seed, NULL);
        with_trains += hold_to_cycles(&s);
        close_scene(&s);
    }
    assert_true(with_trains > ROUTERS / share_step() / 2);
}

/* Packets that are longer than any train, and headers that are routed for longer than an alarm can wait. */
static void lengthen(scene *s) {
    const uint32_t longer = FEWEST_FLITS / s->o.packet_length + 1;
    s->o.packet_length *= longer;
    s->o.buffer *= longer;
    s->o.output_queue *= longer;
    s->o.routing_delay += s->seed % 4 == 0 ? HF_ALARMS + 10 : 0;
    for (int i = 0; i < STOPS; i++) {
        s->stop[i] *= LONGER;
    }
}

static void longer_than_trains(void **state) {
    (void)state;
    uint32_t with_trains = 0;
    for (uint64_t seed = ROUTERS + 1; seed <= ROUTERS + LONGER_ROUTERS; seed += share_step()) {
        scene s;
        open_scene(&s, seed, NULL);
        lengthen(&s);
        with_trains += hold_to_cycles(&s);
        close_scene(&s);
    }
    assert_true(with_trains > LONGER_ROUTERS / share_step() / 2);
}

/* ---- the twin ---- */

static bool has_twin(const scene *s) {
    const hf_kernel_options *o = &s->o;
    const bool is_known = o->selection == HF_SELECT_CYCLIC || o->selection == HF_SELECT_FIRST ||
                          o->selection == HF_SELECT_CREDITS || o->selection == HF_SELECT_BALANCED;
    return is_known && !o->choose_once && !o->one_routing_unit;
}

static void hold_to_twin(const scene *s, hf_kernel *k) {
    hf_messages messages;
    uint32_t cycles = 0;
    for (int i = 0; i < STOPS; i++) {
        cycles += s->stop[i];
    }
    const hf_generation g = {.plan = &s->plan,
                             .traffic = s->traffic,
                             .load = s->load,
                             .packet_length = s->o.packet_length,
                             .seed = s->seed,
                             .cycles = cycles};
    fixture_ok(&s->fx, hf_messages_generate(s->fx.cx, &g, &messages));
    slow_kernel *slow = slow_kernel_new(&s->plan, &s->o, &messages, s->seed);
    for (int i = 0; i < STOPS; i++) {
        fixture_ok(&s->fx, hf_kernel_run(k, s->stop[i]));
        for (uint32_t c = 0; c < s->stop[i]; c++) {
            slow_kernel_step(slow);
        }
        hf_kernel_counts a = *hf_kernel_read(k);
        const hf_kernel_counts b = slow_kernel_read(slow);
        a.generated = 0; /* the twin does not count them */
        if (memcmp(&a, &b, sizeof a) != 0) {
            differs(s, "other counts than the twin");
        }
    }
    slow_kernel_free(slow);
    hf_messages_free(&messages);
}

static void by_twin(void **state) {
    (void)state;
    uint32_t n = 0;
    for (uint64_t seed = 1; seed <= ROUTERS; seed += share_step()) {
        scene s;
        open_scene(&s, seed, NULL);
        if (has_twin(&s) && seed % 3 == 0) {
            n++;
            hold_to_twin(&s, new_kernel(&s));
        }
        close_scene(&s);
    }
    assert_true(n > 0);
}

/* ---- several threads, and faults ---- */

static void by_threads(void **state) {
    (void)state;
    uint32_t in_parts = 0;
    for (uint64_t seed = 1; seed <= ROUTERS; seed += 5 * share_step()) {
        scene s;
        open_scene(&s, seed, NULL);
        s.o.one_routing_unit = s.o.route_early = false;
        s.o.reorder = 0;
        hf_kernel *one = new_kernel(&s), *several = new_kernel(&s);
        hf_kernel_threads(several, 2 + seed % 2);
        for (int i = 0; i < STOPS; i++) {
            fixture_ok(&s.fx, hf_kernel_run(one, s.stop[i]));
            fixture_ok(&s.fx, hf_kernel_run(several, s.stop[i]));
            if (memcmp(hf_kernel_read(one), hf_kernel_read(several), sizeof(hf_kernel_counts)) != 0) {
                differs(&s, "several threads count otherwise");
            }
        }
        in_parts += several->n_part > 1;
        close_scene(&s);
    }
    assert_true(in_parts > 0);
}

/* A link fails in a network that was full of trains. */
static void faults(void **state) {
    (void)state;
    uint64_t hit = 0;
    for (uint64_t seed = 1; seed <= ROUTERS; seed += 9 * share_step()) {
        scene s;
        hf_fault_set set;
        hf_plan plan;
        const uint32_t link = (uint32_t)seed % 5;
        hf_kernel_reconfiguration result;
        const hf_reconfiguration_options repair = hf_reconfiguration_usual();
        open_scene(&s, seed, &faulty);
        fixture_plan_set(&s.fx, &link, 1, &set, &plan);
        hf_kernel *k[2] = {new_kernel(&s), new_kernel(&s)};
        run_by_cycles(&s, k[0], s.stop[0]);
        fixture_ok(&s.fx, hf_kernel_run(k[1], s.stop[0]));
        for (int i = 0; i < 2; i++) {
            const hf_kernel_fault fault = {s.stop[0] + 5, &set, &plan};
            fixture_ok(&s.fx, hf_kernel_schedule(k[i], &fault, 1, &repair));
            fixture_ok(&s.fx, hf_kernel_run(k[i], 100));
        }
        hold_together(&s, k[0], k[1]);
        check_books(&s, k[1]);
        hf_kernel_reconfigurations(k[1], &result);
        hit += result.hit;
        close_scene(&s);
    }
    assert_true(hit > 0);
}

/* ---- packets placed by hand ---- */

/* A deadlock without one of its packets, so that the others move: they begin in buffers and lie in output queues. */
static const network cyclic[] = {
    {"torus:dims=4x5", "dor", false}, {"mesh:dims=3x3", "minimal", false}, {"ring:n=7", "dor", false}};

/* Of the packet, the buffer and the output queue, in flits; in which packets end at borders of buffers, and in which not. */
static const uint32_t lengths[][3] = {{16, 20, 40}, {16, 16, 16}, {16, 20, 20}, {8, 20, 60},
                                      {5, 12, 33},  {16, 20, 0},  {16, 40, 40}};

static void hold_placed(const network *at, const uint32_t length[3], hf_switching switching) {
    scene s = {.o = hf_kernel_usual()};
    hf_deadlock answer;
    hf_kernel *k[2];
    fixture_open(&s.fx, at->topo, NULL, at->rule);
    fixture_plan(&s.fx, "", &s.none, &s.plan);
    s.o.switching = switching;
    s.o.packet_length = length[0];
    s.o.buffer = length[1];
    s.o.output_queue = length[2];
    const hf_deadlock_options how = {.switching = switching, .want_witness = true};
    fixture_ok(&s.fx, hf_deadlock_decide(s.fx.cx, &s.plan, &how, &answer));
    for (int i = 0; i < 2; i++) {
        fixture_ok(&s.fx, hf_kernel_new(s.fx.cx, &s.plan, &s.o, &k[i]));
    }
    assert_non_null(k[1]->trains);
    k[0]->trains = NULL;
    for (int i = 0; i < 2; i++) {
        fixture_ok(&s.fx, hf_kernel_place(k[i], answer.blocked, answer.n_blocked - 1));
    }
    for (int run = 0; run < 10; run++) {
        run_by_cycles(&s, k[0], 40);
        fixture_ok(&s.fx, hf_kernel_run(k[1], 40));
        hold_together(&s, k[0], k[1]);
    }
    assert_true(hf_kernel_read(k[0])->delivered > 0);
    fixture_close(&s.fx);
}

static void placed(void **state) {
    (void)state;
    for (size_t a = 0; a < sizeof cyclic / sizeof *cyclic; a++) {
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
            hold_placed(&cyclic[a], lengths[i], HF_SWITCHING_VCT);
            hold_placed(&cyclic[a], lengths[i], HF_SWITCHING_SAF);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_cycles), cmocka_unit_test(longer_than_trains),
        cmocka_unit_test(by_twin),   cmocka_unit_test(by_threads),
        cmocka_unit_test(faults),    cmocka_unit_test(placed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
