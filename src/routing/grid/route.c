/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What the rules on grids share. */
#include "src/routing/grid/route.h"

uint32_t hf_grid_ring(const hf_topology *topo, const hf_grid *grid, uint32_t channel) {
    if (topo->link[channel] >= topo->n_switch_link) {
        return HF_NONE;
    }
    const uint32_t d = hf_grid_dimension(topo, grid, channel), first = hf_grid_move(grid, topo->from[channel], d, 0);
    return grid->wraps[d] ? hf_topology_channel_at(topo, first, topo->from_port[channel]) : HF_NONE;
}

hf_status hf_grid_accepts(hf_context *cx, const hf_topology *topo, const char *rule, unsigned on) {
    hf_grid grid;
    const bool is_grid = hf_grid_of(topo, &grid) && (!grid.is_complete || (on & HF_ON_HYPERX));
    const bool fits = is_grid && ((on & HF_ON_TORUS) || !grid.has_ring) && (!(on & HF_ON_PLANE) || grid.n == 2);
    if (!fits) {
        HF_FAIL(cx, HF_EINVAL, "routing \"%s\" is for %s, not for \"%s\"", rule,
                on & HF_ON_PLANE    ? "meshes of two dimensions"
                : on & HF_ON_HYPERX ? "meshes, tori, rings, hypercubes and HyperX"
                : on & HF_ON_TORUS  ? "meshes, tori, rings and hypercubes"
                                    : "meshes and hypercubes",
                topo->spec);
    }
    return HF_OK;
}

hf_status hf_grid_plan(hf_context *cx, hf_plan *plan, size_t state_size, hf_grid **grid) {
    void *state;
    HF_TRY(hf_scratch(cx, 1, state_size, &state));
    *grid = state;
    (void)hf_grid_of(plan->topo, *grid);
    plan->max_hops = 2 * (*grid)->n;
    plan->state = state;
    return HF_OK;
}

/* Steps in + direction from digit to digit; on a ring modulo its size. */
static uint32_t ahead(const hf_grid *grid, uint32_t from, uint32_t to, uint32_t d) {
    return to >= from ? to - from : to + grid->size[d] - from;
}

const char *const hf_grid_ties_names[] = {"balanced", "plus", "both", NULL};
const char *const hf_grid_classes_names[] = {"balanced", "plain", "crossing", NULL};

static bool is_tie(const hf_grid *grid, uint32_t from, uint32_t to, uint32_t d) {
    return grid->wraps[d] && 2 * ahead(grid, from, to, d) == grid->size[d];
}

static bool has_odd_sum(const hf_grid *grid, uint32_t sw) {
    uint32_t sum = 0;
    for (uint32_t d = 0; d < grid->n; d++) {
        sum += hf_grid_digit(grid, sw, d);
    }
    return sum % 2 != 0;
}

int hf_grid_way(const hf_grid *grid, uint32_t at, uint32_t goal, uint32_t d) {
    const uint32_t from = hf_grid_digit(grid, at, d), to = hf_grid_digit(grid, goal, d);
    if (from == to) {
        return 0;
    }
    const bool is_plus = grid->wraps[d] ? 2 * ahead(grid, from, to, d) <= grid->size[d] : to > from;
    return is_plus ? 1 : -1;
}

int hf_grid_way_round(const hf_grid *grid, hf_grid_ties ties, uint32_t at, uint32_t goal, uint32_t d) {
    const uint32_t from = hf_grid_digit(grid, at, d), to = hf_grid_digit(grid, goal, d);
    const bool is_odd = ties == HF_GRID_TIES_BALANCED && is_tie(grid, from, to, d) && has_odd_sum(grid, goal);
    return is_odd ? -1 : hf_grid_way(grid, at, goal, d);
}

/* Where a ring can have a tie, goals have to keep the parity of their sum; round a ring of odd size it changes for some. */
bool hf_grid_keeps_ties(const hf_grid *grid, const uint32_t *by) {
    bool has_tie = false, is_odd = false, is_mixed = false;
    for (uint32_t d = 0; d < grid->n; d++) {
        has_tie |= grid->wraps[d] && grid->size[d] % 2 == 0;
        is_mixed |= by[d] != 0 && grid->size[d] % 2 != 0;
        is_odd ^= by[d] % 2 != 0;
    }
    return !has_tie || (!is_odd && !is_mixed);
}

/* Has the way from digit to digit still to close the ring? */
static bool closes(uint32_t from, uint32_t to, int way) { return way > 0 ? to < from : to > from; }

/* Does anybody who goes the shorter way come to `to` after closing the ring? */
static bool is_behind(const hf_grid *grid, uint32_t to, uint32_t d, int way) {
    const uint32_t reach = grid->size[d] / 2;
    return way > 0 ? to < reach : to >= grid->size[d] - reach;
}

uint32_t hf_grid_first_open(const hf_grid *grid, uint32_t at, uint32_t goal) {
    uint32_t d = 0;
    while (d < grid->n && hf_grid_digit(grid, at, d) == hf_grid_digit(grid, goal, d)) {
        d++;
    }
    return d;
}

uint32_t hf_grid_dor_vcs(const hf_grid *grid) { return grid->has_ring ? 2 : 1; }

hf_hop hf_grid_dor_hop(const hf_topology *topo, const hf_grid *grid, const hf_grid_line *line, uint32_t at, uint32_t goal) {
    const uint32_t d = hf_grid_first_open(grid, at, goal);
    const uint32_t from = hf_grid_digit(grid, at, d), to = hf_grid_digit(grid, goal, d);
    const int way = hf_grid_way_round(grid, line->ties, at, goal, d);
    const bool is_high = line->classes != HF_GRID_CLASSES_NONE && grid->has_ring && !closes(from, to, way) &&
                         (line->classes == HF_GRID_CLASSES_PLAIN || is_behind(grid, to, d, way));
    return (hf_hop){hf_grid_channel(topo, grid, at, d, way), is_high, 0};
}

static size_t add_hops(uint32_t channel, uint32_t first, uint32_t n_vc, hf_hop *hops) {
    for (uint32_t i = 0; i < n_vc; i++) {
        hops[i] = (hf_hop){channel, first + i, 0};
    }
    return n_vc;
}

/* The class in which a packet that came by `in` along dimension d was last; HF_NONE if it enters the dimension. */
static uint32_t last_class(const hf_topology *topo, const hf_grid *grid, uint32_t lanes, hf_hop in, uint32_t d, uint32_t first) {
    const bool is_entering =
        hf_topology_is_terminal(topo, topo->from[in.channel]) || in.vc < first || hf_grid_dimension(topo, grid, in.channel) != d;
    return is_entering ? HF_NONE : in.vc - first >= lanes;
}

typedef struct span {
    uint32_t lo, hi;
} span;

/* The dateline classes for the next hop. */
static span classes_for(const hf_topology *topo, const hf_grid *grid, const hf_grid_line *line, hf_hop in, uint32_t d,
                        uint32_t first, bool will_close) {
    if (line->classes == HF_GRID_CLASSES_NONE) {
        return (span){0, 0};
    }
    const uint32_t last = last_class(topo, grid, line->lanes, in, d, first);
    if (line->classes == HF_GRID_CLASSES_CROSSING) {
        const uint32_t class = last == HF_NONE ? will_close : last;
        return (span){class, class};
    }
    const uint32_t lo = last != HF_NONE && (last > 0 || hf_grid_is_wrap(topo, grid, in.channel));
    return (span){lo, line->classes == HF_GRID_CLASSES_BALANCED && !will_close ? 1 : lo};
}

size_t hf_grid_line_hops(const hf_topology *topo, const hf_grid *grid, const hf_grid_line *line, uint32_t at, hf_hop in,
                         uint32_t goal, uint32_t d, uint32_t first, hf_hop *hops) {
    const uint32_t from = hf_grid_digit(grid, at, d), to = hf_grid_digit(grid, goal, d);
    const int nearer = hf_grid_way_round(grid, line->ties, at, goal, d);
    const int n_way = line->ties == HF_GRID_TIES_BOTH && is_tie(grid, from, to, d) ? 2 : 1;
    size_t count = 0;
    for (int i = 0; i < n_way; i++) {
        const int way = i ? -nearer : nearer;
        const span class = classes_for(topo, grid, line, in, d, first, closes(from, to, way));
        count += add_hops(hf_grid_channel(topo, grid, at, d, way), first + class.lo * line->lanes,
                          (class.hi - class.lo + 1) * line->lanes, hops + count);
    }
    return count;
}

size_t hf_grid_minimal_hops(const hf_topology *topo, const hf_grid *grid, uint32_t at, uint32_t goal, uint32_t first,
                            uint32_t n_vc, hf_hop *hops) {
    size_t count = 0;
    for (uint32_t d = 0; d < grid->n; d++) {
        const uint32_t from = hf_grid_digit(grid, at, d), to = hf_grid_digit(grid, goal, d);
        if (from == to) {
            continue;
        }
        const int way = hf_grid_way(grid, at, goal, d);
        count += add_hops(hf_grid_channel(topo, grid, at, d, way), first, n_vc, hops + count);
        if (is_tie(grid, from, to, d)) {
            count += add_hops(hf_grid_channel(topo, grid, at, d, -way), first, n_vc, hops + count);
        }
    }
    return count;
}

/* The end of the coordinates in dimension d that are like `to`, seen from `from`: the next bound above it. */
static uint32_t end_of_like(const hf_grid *grid, uint32_t from, uint32_t to, uint32_t d) {
    if (grid->is_complete) {
        return to + 1;
    }
    const uint32_t size = grid->size[d], half = size / 2, tie = from >= half ? from - half : from + half;
    const uint32_t bounds[] = {from, from + 1, tie, tie + 1, half, size - half};
    uint32_t end = size;
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        end = bounds[i] > to && bounds[i] < end ? bounds[i] : end;
    }
    return end;
}

uint32_t hf_grid_run_to(const hf_topology *topo, const hf_grid *grid, uint32_t at, uint32_t destination) {
    if (hf_topology_is_terminal(topo, at)) {
        return HF_NONE;
    }
    const uint32_t p = hf_uniform_terminals(topo), goal = destination / p, to = hf_grid_digit(grid, goal, 0);
    if (goal == at) {
        return destination + 1;
    }
    return (goal - to + end_of_like(grid, hf_grid_digit(grid, at, 0), to, 0)) * p;
}

uint32_t hf_grid_run(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination) {
    (void)in;
    return hf_grid_run_to(plan->topo, plan->state, at, destination);
}

/* Place of a digit in the dimension taken last. */
static uint32_t last_rank(uint32_t digit, uint32_t size) { return digit / 2 + (digit % 2 ? (size + 1) / 2 : 0); }

/* Place of a switch among those that differ from it in order[first] and later dimensions alone, and how many they are. */
static uint32_t rank_of(const hf_grid *grid, const uint32_t *order, uint32_t first, uint32_t sw, uint32_t *count) {
    uint32_t rank = 0;
    *count = 1;
    for (uint32_t i = first; i < grid->n; i++) {
        const uint32_t size = grid->size[order[i]], digit = hf_grid_digit(grid, sw, order[i]);
        rank = rank * size + (i + 1 < grid->n ? digit : last_rank(digit, size));
        *count *= size;
    }
    return rank;
}

void hf_grid_order(const hf_topology *topo, const hf_grid *grid, const uint32_t *order, uint32_t *terminals) {
    const uint32_t p = hf_uniform_terminals(topo);
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        uint32_t count;
        terminals[rank_of(grid, order, 0, t / p, &count) * p + t % p] = t;
    }
}

/* Switches from `goal` on that are treated alike at `at`, which lies elsewhere. */
static uint32_t switches_along(const hf_grid *grid, const uint32_t *order, uint32_t at, uint32_t goal) {
    uint32_t i = 0, count;
    while (hf_grid_digit(grid, at, order[i]) == hf_grid_digit(grid, goal, order[i])) {
        i++;
    }
    const uint32_t d = order[i], from = hf_grid_digit(grid, at, d), to = hf_grid_digit(grid, goal, d);
    const uint32_t like = end_of_like(grid, from, to, d) - to;
    if (i + 1 == grid->n) {
        return (like + 1) / 2; /* every second digit */
    }
    const uint32_t rank = rank_of(grid, order, i + 1, goal, &count), last = order[grid->n - 1], size = grid->size[last];
    if (is_tie(grid, from, to, d)) { /* digits of one parity in the last dimension */
        const uint32_t digit = hf_grid_digit(grid, goal, last);
        return (digit % 2 ? size : (size + 1) / 2) - last_rank(digit, size);
    }
    return like * count - rank;
}

uint32_t hf_grid_along(const hf_topology *topo, const hf_grid *grid, const uint32_t *order, uint32_t at, uint32_t destination) {
    if (hf_topology_is_terminal(topo, at)) {
        return HF_NONE;
    }
    const uint32_t p = hf_uniform_terminals(topo), goal = destination / p;
    return goal == at ? 1 : switches_along(grid, order, at, goal) * p - destination % p;
}

uint32_t hf_grid_line_arrival(const hf_topology *topo, const hf_grid *grid, const hf_grid_line *line, hf_hop in) {
    if (line->classes == HF_GRID_CLASSES_NONE || hf_topology_is_terminal(topo, topo->from[in.channel])) {
        return 0;
    }
    const uint32_t d = hf_grid_dimension(topo, grid, in.channel), class = in.vc >= line->lanes;
    if (line->classes == HF_GRID_CLASSES_CROSSING) {
        return 1 + 2 * d + class;
    }
    return class > 0 || hf_grid_is_wrap(topo, grid, in.channel) ? 1 + d : 0;
}
