/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Regions of a network that few components cut off: from each switch on, the neighbour is taken in that leaves the fewest
 *  channels out of the region. */
#include <holdfast/analysis/weakest.h>

#include <string.h>

typedef struct region {
    const hf_universe *universe;
    const hf_topology *topo;
    uint32_t *taker;            /* n_channel: the lowest component that is no switch and takes it down, HF_NONE: none */
    uint32_t *carries;          /* n_switch: terminals */
    bool *is_in;                /* n_switch */
    uint32_t *member;           /* n_switch: in the order of taking in */
    uint32_t n, out, terminals; /* switches, channels to switches outside, terminals of the region */
    bool *is_taken;             /* n_component: scratch */
} region;

static hf_status open_region(hf_context *cx, const hf_universe *u, region *r) {
    *r = (region){.universe = u, .topo = u->topo};
    HF_TRY(hf_scratch(cx, u->topo->n_channel, sizeof *r->taker, (void **)&r->taker));
    HF_TRY(hf_scratch(cx, u->topo->n_switch, sizeof *r->carries, (void **)&r->carries));
    HF_TRY(hf_scratch(cx, u->topo->n_switch, sizeof *r->is_in, (void **)&r->is_in));
    HF_TRY(hf_scratch(cx, u->topo->n_switch, sizeof *r->member, (void **)&r->member));
    HF_TRY(hf_scratch(cx, u->n_component, sizeof *r->is_taken, (void **)&r->is_taken));
    memset(r->taker, 0xff, u->topo->n_channel * sizeof *r->taker);
    for (uint32_t i = u->n_component; i-- > 0;) {
        for (uint32_t k = u->channel_begin[i]; k < u->channel_begin[i + 1] && u->component[i].type != HF_COMPONENT_SWITCH; k++) {
            r->taker[u->channel[k]] = i;
        }
    }
    for (uint32_t t = 0; t < u->topo->n_terminal; t++) {
        r->carries[u->topo->terminal_switch[t]]++;
    }
    return HF_OK;
}

/* Channels out of the region once the switch is in it. */
static uint32_t out_with(const region *r, uint32_t sw) {
    const hf_topology *topo = r->topo;
    uint32_t out = r->out;
    for (uint32_t i = topo->out_begin[sw]; i < topo->out_begin[sw + 1]; i++) {
        const uint32_t to = topo->to[topo->out_list[i]];
        out += !hf_topology_is_terminal(topo, to) && !r->is_in[to];
    }
    for (uint32_t i = topo->in_begin[sw]; i < topo->in_begin[sw + 1]; i++) {
        const uint32_t from = topo->from[topo->in_list[i]];
        out -= !hf_topology_is_terminal(topo, from) && r->is_in[from];
    }
    return out;
}

static void take_in(region *r, uint32_t sw) {
    r->out = out_with(r, sw);
    r->is_in[sw] = true;
    r->member[r->n++] = sw;
    r->terminals += r->carries[sw];
}

/* The neighbour that leaves fewest channels out, the lowest of several; HF_NONE: there is none. */
static uint32_t next_of(const region *r) {
    const hf_topology *topo = r->topo;
    uint32_t best = HF_NONE, fewest = 0;
    for (uint32_t m = 0; m < r->n; m++) {
        for (uint32_t i = topo->out_begin[r->member[m]]; i < topo->out_begin[r->member[m] + 1]; i++) {
            const uint32_t w = topo->to[topo->out_list[i]];
            if (hf_topology_is_terminal(topo, w) || r->is_in[w]) {
                continue;
            }
            const uint32_t out = out_with(r, w);
            if (best == HF_NONE || out < fewest || (out == fewest && w < best)) {
                best = w;
                fewest = out;
            }
        }
    }
    return best;
}

/* The components on the channels out of the region. \return false: some channel cannot fail, or they are more than f */
static bool cut_off(region *r, uint32_t f, uint32_t *set, uint32_t *n) {
    const hf_topology *topo = r->topo;
    bool fits = true;
    *n = 0;
    for (uint32_t m = 0; m < r->n; m++) {
        for (uint32_t i = topo->out_begin[r->member[m]]; i < topo->out_begin[r->member[m] + 1] && fits; i++) {
            const uint32_t c = topo->out_list[i], x = r->taker[c];
            if (hf_topology_is_terminal(topo, topo->to[c]) || r->is_in[topo->to[c]] || (x != HF_NONE && r->is_taken[x])) {
                continue;
            }
            fits = x != HF_NONE && *n < f;
            if (fits) {
                r->is_taken[x] = true;
                set[(*n)++] = x;
            }
        }
    }
    for (uint32_t i = 0; i < *n; i++) {
        r->is_taken[set[i]] = false;
    }
    return fits && *n > 0;
}

static void clear(region *r) {
    for (uint32_t m = 0; m < r->n; m++) {
        r->is_in[r->member[m]] = false;
    }
    r->n = r->out = r->terminals = 0;
}

hf_status hf_weakest_region(hf_context *cx, const hf_universe *universe, uint32_t f, uint32_t *set, uint32_t *n) {
    enum { STARTS = 64, SLACK = 3, SIZE_MOST = 256 };
    const hf_topology *topo = universe->topo;
    const uint32_t step = topo->n_switch / STARTS + 1;
    uint64_t most = 0;
    uint32_t *found, n_found;
    region r;
    HF_TRY(hf_scratch(cx, (size_t)f + 1, sizeof *found, (void **)&found));
    HF_TRY(open_region(cx, universe, &r));
    *n = 0;
    for (uint32_t start = 0; start < topo->n_switch; start += step) {
        for (uint32_t sw = start; sw != HF_NONE && 2 * r.terminals <= topo->n_terminal && r.n < SIZE_MOST; sw = next_of(&r)) {
            take_in(&r, sw);
            const uint64_t apart = (uint64_t)r.terminals * (topo->n_terminal - r.terminals);
            if (apart > most && cut_off(&r, f, found, &n_found)) {
                most = apart;
                *n = n_found;
                memcpy(set, found, n_found * sizeof *set);
            }
            if (r.out > (uint64_t)SLACK * f) {
                break;
            }
        }
        clear(&r);
    }
    return HF_OK;
}
