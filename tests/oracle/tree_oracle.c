/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The slow, obvious k-ary n-tree. Labels are taken apart digit by digit; channels are found by their two ends. */
#include "tests/oracle/tree_oracle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const oracle_rule oracle_rules[] = {
    {"updown", ORACLE_UPDOWN, 0, false, false},
    {"interval", ORACLE_INTERVAL, 0, false, false},
    {"ft2ei:intervals=1", ORACLE_FT2EI, 1, true, false},
    {"ft2ei:intervals=2", ORACLE_FT2EI, 2, true, false},
    {"ft2ei:intervals=3", ORACLE_FT2EI, 3, true, false},
    {"ft2ei:intervals=unlimited", ORACLE_FT2EI, 0, true, false},
    {"ft2ei:intervals=1,propagate=no", ORACLE_FT2EI, 1, false, false},
    {"ft2ei:intervals=1,own=yes", ORACLE_FT2EI, 1, true, true},
    {"ft2ei:intervals=2,propagate=no,own=yes", ORACLE_FT2EI, 2, false, true},
};
const size_t oracle_rule_count = sizeof oracle_rules / sizeof *oracle_rules;

enum { REGISTERS_MAX = 64 };

struct oracle {
    const hf_topology *topo;
    const oracle_rule *rule;
    uint32_t k, n, n_node;
    uint32_t *between;  /* channel from node a to node b at a * n_node + b, HF_NONE: none */
    uint64_t *below;    /* per switch: the terminals below it */
    uint32_t *up;       /* [sw][j]: the node there */
    uint32_t *down;     /* [sw][terminal below it]: the next node */
    bool *failed;       /* per channel */
    uint64_t *crossing; /* destinations of minimal paths that leave switch sw by up port j over channel c: [sw][j][c] */
    uint64_t *reg;      /* [sw][j][REGISTERS_MAX] */
    uint32_t *n_reg;    /* [sw][j] */
    uint64_t *reach;    /* per terminal: terminals that some healthy path leads to */
};

static void *must(void *block) {
    if (!block) {
        fprintf(stderr, "oracle: out of memory\n");
        abort();
    }
    return block;
}

/* ---- labels ---- */

static uint32_t digit_of(const oracle *o, uint32_t label, uint32_t i) {
    while (i-- > 0) {
        label /= o->k;
    }
    return label % o->k;
}

static uint32_t with_digit(const oracle *o, uint32_t label, uint32_t i, uint32_t x) {
    uint32_t digits[32], value = 0;
    for (uint32_t d = 0; d < o->n; d++) {
        digits[d] = digit_of(o, label, d);
    }
    digits[i] = x;
    for (uint32_t d = o->n; d-- > 0;) {
        value = value * o->k + digits[d];
    }
    return value;
}

static uint32_t stage_width(const oracle *o) { return o->topo->n_switch / o->n; }
static uint32_t stage_of(const oracle *o, uint32_t sw) { return sw / stage_width(o); }
static uint32_t label_of(const oracle *o, uint32_t sw) { return sw % stage_width(o); }
static uint32_t switch_of(const oracle *o, uint32_t stage, uint32_t label) { return stage * stage_width(o) + label; }

/* p_i = o_(i-1) for i in {n-1 .. s+1} */
static bool digits_say_below(const oracle *o, uint32_t sw, uint32_t terminal) {
    for (uint32_t i = stage_of(o, sw) + 1; i < o->n; i++) {
        if (digit_of(o, terminal, i) != digit_of(o, label_of(o, sw), i - 1)) {
            return false;
        }
    }
    return true;
}

static uint32_t digits_say_up(const oracle *o, uint32_t sw, uint32_t j) {
    const uint32_t s = stage_of(o, sw);
    return switch_of(o, s + 1, with_digit(o, label_of(o, sw), s, j));
}

static uint32_t digits_say_down(const oracle *o, uint32_t sw, uint32_t terminal) {
    const uint32_t s = stage_of(o, sw);
    if (s == 0) {
        return o->topo->n_switch + terminal;
    }
    return switch_of(o, s - 1, with_digit(o, label_of(o, sw), s - 1, digit_of(o, terminal, s)));
}

/* Taking labels apart is slow; do it once. */
static void tabulate(oracle *o) {
    for (uint32_t sw = 0; sw < o->topo->n_switch; sw++) {
        for (uint32_t t = 0; t < o->topo->n_terminal; t++) {
            o->below[sw] |= (uint64_t)digits_say_below(o, sw, t) << t;
            o->down[sw * o->topo->n_terminal + t] = digits_say_down(o, sw, t);
        }
        for (uint32_t j = 0; j < o->k && stage_of(o, sw) + 1 < o->n; j++) {
            o->up[sw * o->k + j] = digits_say_up(o, sw, j);
        }
    }
}

static bool is_below(const oracle *o, uint32_t sw, uint32_t terminal) { return (o->below[sw] >> terminal) & 1; }
static uint32_t node_up(const oracle *o, uint32_t sw, uint32_t j) { return o->up[sw * o->k + j]; }
static uint32_t node_down(const oracle *o, uint32_t sw, uint32_t terminal) {
    return o->down[sw * o->topo->n_terminal + terminal];
}

static uint32_t channel_between(const oracle *o, uint32_t a, uint32_t b) { return o->between[a * o->n_node + b]; }

/* ---- every minimal path ---- */

static void note_crossings(oracle *o, uint64_t *crossing, uint32_t at, uint32_t terminal) {
    if (at == o->topo->n_switch + terminal) {
        return;
    }
    if (is_below(o, at, terminal)) {
        const uint32_t next = node_down(o, at, terminal);
        crossing[channel_between(o, at, next)] |= UINT64_C(1) << terminal;
        note_crossings(o, crossing, next, terminal);
        return;
    }
    for (uint32_t j = 0; j < o->k; j++) {
        const uint32_t next = node_up(o, at, j);
        crossing[channel_between(o, at, next)] |= UINT64_C(1) << terminal;
        note_crossings(o, crossing, next, terminal);
    }
}

static bool has_healthy_path(const oracle *o, uint32_t at, uint32_t terminal) {
    if (at == o->topo->n_switch + terminal) {
        return true;
    }
    const bool goes_down = is_below(o, at, terminal);
    for (uint32_t j = 0; j < (goes_down ? 1 : o->k); j++) {
        const uint32_t next = goes_down ? node_down(o, at, terminal) : node_up(o, at, j);
        if (!o->failed[channel_between(o, at, next)] && has_healthy_path(o, next, terminal)) {
            return true;
        }
    }
    return false;
}

static uint64_t count_minimal(const oracle *o, uint32_t at, uint32_t terminal) {
    if (is_below(o, at, terminal)) {
        return 1;
    }
    uint64_t sum = 0;
    for (uint32_t j = 0; j < o->k; j++) {
        sum += count_minimal(o, node_up(o, at, j), terminal);
    }
    return sum;
}

/* ---- making ---- */

static void index_channels(oracle *o) {
    memset(o->between, 0xff, (size_t)o->n_node * o->n_node * sizeof *o->between);
    for (uint32_t c = 0; c < o->topo->n_channel; c++) {
        o->between[o->topo->from[c] * o->n_node + o->topo->to[c]] = c;
    }
}

static size_t port_index(const oracle *o, uint32_t sw, uint32_t j) { return (size_t)sw * o->k + j; }

oracle *oracle_new(const hf_topology *topo, uint32_t k, uint32_t n) {
    oracle *o = must(calloc(1, sizeof *o));
    o->topo = topo;
    o->k = k;
    o->n = n;
    o->n_node = topo->n_node;
    const size_t n_port = (size_t)topo->n_switch * k;
    o->between = must(calloc((size_t)o->n_node * o->n_node, sizeof *o->between));
    o->failed = must(calloc(topo->n_channel, sizeof *o->failed));
    o->crossing = must(calloc(n_port * topo->n_channel, sizeof *o->crossing));
    o->reg = must(calloc(n_port * REGISTERS_MAX, sizeof *o->reg));
    o->n_reg = must(calloc(n_port, sizeof *o->n_reg));
    o->reach = must(calloc(topo->n_terminal, sizeof *o->reach));
    o->below = must(calloc(topo->n_switch, sizeof *o->below));
    o->up = must(calloc(n_port, sizeof *o->up));
    o->down = must(calloc((size_t)topo->n_switch * topo->n_terminal, sizeof *o->down));
    index_channels(o);
    tabulate(o);
    for (uint32_t sw = 0; sw < topo->n_switch - stage_width(o); sw++) {
        for (uint32_t j = 0; j < k; j++) {
            for (uint32_t t = 0; t < topo->n_terminal; t++) {
                if (!is_below(o, sw, t)) {
                    note_crossings(o, o->crossing + port_index(o, sw, j) * topo->n_channel, node_up(o, sw, j), t);
                }
            }
        }
    }
    return o;
}

void oracle_free(oracle *o) {
    if (o) {
        free(o->between);
        free(o->below);
        free(o->up);
        free(o->down);
        free(o->failed);
        free(o->crossing);
        free(o->reg);
        free(o->n_reg);
        free(o->reach);
        free(o);
    }
}

/* ---- registers as masks ---- */

static uint64_t everything(const oracle *o) {
    return o->topo->n_terminal == 64 ? UINT64_MAX : (UINT64_C(1) << o->topo->n_terminal) - 1;
}

static uint32_t size_of(uint64_t mask) { return (uint32_t)__builtin_popcountll(mask); }

static bool has(uint64_t mask, uint32_t x) { return (mask >> x) & 1; }

/* Lower bound of a mask that is one cyclic run. */
static uint32_t run_start(const oracle *o, uint64_t mask) {
    const uint32_t n = o->topo->n_terminal;
    for (uint32_t x = 0; x < n; x++) {
        if (has(mask, x) && !has(mask, (x + n - 1) % n)) {
            return x;
        }
    }
    return 0;
}

/* The circle from the start of run a to the end of run b. */
static uint64_t from_to(const oracle *o, uint64_t a, uint64_t b) {
    const uint32_t n = o->topo->n_terminal, end = (run_start(o, b) + size_of(b) - 1) % n;
    uint64_t mask = 0;
    for (uint32_t x = run_start(o, a);; x = (x + 1) % n) {
        mask |= UINT64_C(1) << x;
        if (x == end) {
            return mask;
        }
    }
}

/* The smaller of the two runs that hold both; the one that starts at the lower LIB when they are equal. */
static uint64_t enclose(const oracle *o, uint64_t a, uint64_t b) {
    const bool a_first = run_start(o, a) < run_start(o, b);
    const uint64_t first = a_first ? from_to(o, a, b) : from_to(o, b, a);
    const uint64_t second = a_first ? from_to(o, b, a) : from_to(o, a, b);
    return size_of(first) <= size_of(second) ? first : second;
}

uint64_t oracle_excluded(const oracle *o, uint32_t sw, uint32_t j) {
    uint64_t mask = 0;
    for (uint32_t i = 0; i < o->n_reg[port_index(o, sw, j)]; i++) {
        mask |= oracle_register(o, sw, j, i);
    }
    return mask;
}

uint32_t oracle_register_count(const oracle *o, uint32_t sw, uint32_t j) { return o->n_reg[port_index(o, sw, j)]; }

uint64_t oracle_register(const oracle *o, uint32_t sw, uint32_t j, uint32_t i) {
    return o->reg[port_index(o, sw, j) * REGISTERS_MAX + i];
}

/* Unite `add` with everything that it meets, in the lowest of those registers, or else in register `home` (a new one if it is
 * past the end). */
static void settle(uint64_t *reg, uint32_t *count, uint64_t add, uint32_t home) {
    uint64_t kept[REGISTERS_MAX + 1];
    uint32_t n = 0, place = HF_NONE;
    for (uint32_t i = 0; i < *count; i++) {
        if ((reg[i] & add) || i == home) {
            add |= reg[i];
            if (place == HF_NONE) {
                place = n++;
            }
        } else {
            kept[n++] = reg[i];
        }
    }
    if (place == HF_NONE) {
        place = n++;
    }
    kept[place] = add;
    memcpy(reg, kept, n * sizeof *reg);
    *count = n;
}

static void insert(const oracle *o, uint64_t *reg, uint32_t *count, uint64_t add) {
    const uint32_t limit = o->rule->intervals;
    uint64_t all = 0;
    for (uint32_t i = 0; i < *count; i++) {
        all |= reg[i];
    }
    if ((all & add) || limit == 0 || *count < limit) {
        settle(reg, count, add, HF_NONE);
        return;
    }
    uint32_t best = 0, best_cost = UINT32_MAX;
    for (uint32_t i = 0; i < *count; i++) {
        const uint32_t cost = size_of(enclose(o, reg[i], add)) - size_of(reg[i]);
        if (cost < best_cost) {
            best = i;
            best_cost = cost;
        }
    }
    settle(reg, count, enclose(o, reg[best], add), best);
}

static void exclude(oracle *o, uint32_t sw, uint32_t j, uint64_t add);

/* What all up ports of a switch exclude, and it is not below it, goes to the ports that lead here, run by run. */
static void propagate(oracle *o, uint32_t sw) {
    const uint32_t n = o->topo->n_terminal, s = stage_of(o, sw);
    uint64_t common = 0;
    for (uint32_t t = 0; t < n; t++) {
        bool by_all = !is_below(o, sw, t);
        for (uint32_t j = 0; j < o->k && by_all; j++) {
            by_all = has(oracle_excluded(o, sw, j), t);
        }
        common |= (uint64_t)by_all << t;
    }
    for (uint32_t x = 0; x < n && s > 0; x++) {
        if (!has(common, x) || has(common, (x + n - 1) % n)) {
            continue;
        }
        uint64_t run = 0;
        for (uint32_t y = x; has(common, y); y = (y + 1) % n) {
            run |= UINT64_C(1) << y;
        }
        for (uint32_t d = 0; d < o->k; d++) {
            const uint32_t lower = switch_of(o, s - 1, with_digit(o, label_of(o, sw), s - 1, d));
            exclude(o, lower, digit_of(o, label_of(o, sw), s - 1), run);
        }
    }
}

static void exclude(oracle *o, uint32_t sw, uint32_t j, uint64_t add) {
    const uint64_t before = oracle_excluded(o, sw, j);
    const size_t p = port_index(o, sw, j);
    insert(o, o->reg + p * REGISTERS_MAX, &o->n_reg[p], add);
    if (o->rule->propagate && oracle_excluded(o, sw, j) != before) {
        propagate(o, sw);
    }
}

static void set_registers(oracle *o, uint32_t channel) {
    const uint32_t a = o->topo->from[channel], b = o->topo->to[channel];
    if (a >= o->topo->n_switch || b >= o->topo->n_switch) {
        return;
    }
    if (stage_of(o, a) < stage_of(o, b)) {
        exclude(o, a, digit_of(o, label_of(o, b), stage_of(o, a)), everything(o));
        return;
    }
    /* all switches one stage below that send anything down the failed channel, each by the port that leads there */
    for (uint32_t label = 0; label < stage_width(o); label++) {
        const uint32_t sw = switch_of(o, stage_of(o, a) - 1, label);
        for (uint32_t j = 0; j < o->k; j++) {
            uint64_t add = o->crossing[port_index(o, sw, j) * o->topo->n_channel + channel];
            if (o->rule->own && sw == b && node_up(o, sw, j) == a) {
                for (uint32_t t = 0; t < o->topo->n_terminal; t++) {
                    add |= (uint64_t)(is_below(o, a, t) && node_down(o, a, t) == b) << t;
                }
            }
            if (add) {
                exclude(o, sw, j, add);
            }
        }
    }
}

static void find_reach(oracle *o) {
    const hf_topology *topo = o->topo;
    bool *seen = must(calloc(o->n_node, sizeof *seen));
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        memset(seen, 0, o->n_node * sizeof *seen);
        seen[topo->n_switch + t] = true;
        for (bool grew = true; grew;) {
            grew = false;
            for (uint32_t c = 0; c < topo->n_channel; c++) {
                const uint32_t a = topo->from[c], b = topo->to[c];
                const bool may_leave = a < topo->n_switch || a == topo->n_switch + t;
                if (!o->failed[c] && seen[a] && may_leave && !seen[b]) {
                    seen[b] = grew = true;
                }
            }
        }
        o->reach[t] = 0;
        for (uint32_t u = 0; u < topo->n_terminal; u++) {
            o->reach[t] |= (uint64_t)seen[topo->n_switch + u] << u;
        }
    }
    free(seen);
}

void oracle_fail(oracle *o, const oracle_rule *rule, const uint32_t *channel, size_t count) {
    o->rule = rule;
    memset(o->failed, 0, o->topo->n_channel * sizeof *o->failed);
    memset(o->n_reg, 0, (size_t)o->topo->n_switch * o->k * sizeof *o->n_reg);
    for (size_t i = 0; i < count; i++) {
        o->failed[channel[i]] = true;
    }
    for (size_t i = 0; i < count && rule->kind == ORACLE_FT2EI; i++) {
        set_registers(o, channel[i]);
    }
    find_reach(o);
}

/* ---- packets ---- */

/* Does the rule send a packet for `terminal` from `at` to the neighbour `next`? */
static bool is_offered(const oracle *o, uint32_t at, uint32_t next, uint32_t j, uint32_t terminal) {
    const bool is_healthy = !o->failed[channel_between(o, at, next)];
    switch (o->rule->kind) {
    case ORACLE_UPDOWN:
        return is_healthy && has_healthy_path(o, next, terminal);
    case ORACLE_INTERVAL:
        return true;
    default:
        return is_healthy && (at >= o->topo->n_switch || is_below(o, at, terminal) || !has(oracle_excluded(o, at, j), terminal));
    }
}

static void walk_on(const oracle *o, uint32_t at, uint32_t terminal, oracle_pair *pair);

static bool try_hop(const oracle *o, uint32_t at, uint32_t next, uint32_t j, uint32_t terminal, oracle_pair *pair) {
    if (!is_offered(o, at, next, j, terminal)) {
        return false;
    }
    if (o->failed[channel_between(o, at, next)]) {
        pair->is_unsafe = true;
    } else {
        walk_on(o, next, terminal, pair);
    }
    return true;
}

static void walk_on(const oracle *o, uint32_t at, uint32_t terminal, oracle_pair *pair) {
    if (at == o->topo->n_switch + terminal) {
        pair->complete++;
        return;
    }
    bool goes_on = false;
    if (is_below(o, at, terminal)) {
        goes_on = try_hop(o, at, node_down(o, at, terminal), 0, terminal, pair);
    } else {
        for (uint32_t j = 0; j < o->k; j++) {
            goes_on |= try_hop(o, at, node_up(o, at, j), j, terminal, pair);
        }
    }
    pair->is_unsafe |= !goes_on;
}

oracle_pair oracle_walk(const oracle *o, uint32_t source, uint32_t destination) {
    oracle_pair pair = {0};
    (void)try_hop(o, o->topo->n_switch + source, source / o->k, 0, destination, &pair);
    return pair;
}

bool oracle_reaches(const oracle *o, uint32_t source, uint32_t destination) { return has(o->reach[source], destination); }

static uint64_t count_victims(const oracle *o) {
    uint64_t victims = 0;
    for (uint32_t sw = 0; sw < o->topo->n_switch; sw++) {
        for (uint32_t t = 0; t < o->topo->n_terminal; t++) {
            const bool goes_down = is_below(o, sw, t);
            for (uint32_t j = 0; j < (goes_down ? 1 : o->k); j++) {
                const uint32_t next = goes_down ? node_down(o, sw, t) : node_up(o, sw, j);
                victims +=
                    !o->failed[channel_between(o, sw, next)] && has_healthy_path(o, next, t) && !is_offered(o, sw, next, j, t);
            }
        }
    }
    return victims;
}

/* Terminals with a channel that has not failed. */
static uint32_t oracle_in_service(const oracle *o) {
    const hf_topology *topo = o->topo;
    uint32_t n = 0;
    for (uint32_t t = topo->n_switch; t < topo->n_node; t++) {
        bool any = false;
        for (uint32_t c = 0; c < topo->n_channel; c++) {
            any |= (topo->from[c] == t || topo->to[c] == t) && !o->failed[c];
        }
        n += any;
    }
    return n;
}

oracle_measure oracle_measure_all(oracle *o) {
    oracle_measure m = {.all_pairs = true, .connected = true, .surviving = true, .victims = count_victims(o)};
    for (uint32_t p = 0; p < o->topo->n_terminal; p++) {
        for (uint32_t q = 0; q < o->topo->n_terminal; q++) {
            if (p == q) {
                continue;
            }
            const oracle_pair pair = oracle_walk(o, p, q);
            const bool is_good = pair.complete > 0 && !pair.is_unsafe;
            m.all_pairs &= is_good;
            m.surviving &= is_good || !oracle_reaches(o, p, q);
            m.connected &= oracle_reaches(o, p, q);
            m.lost_paths += count_minimal(o, p / o->k, q) - pair.complete;
        }
    }
    m.surviving &= oracle_in_service(o) >= 2;
    return m;
}
