/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/oracle/repairs.h"

#include <string.h>

#include <holdfast/core/bitset.h>

uint32_t repairs_class(const repairs *r, uint32_t from, uint32_t to) {
    for (uint32_t i = 0; i < r->n_dependency; i++) {
        if (r->from[i] == from && r->to[i] == to) {
            return r->class_of[i];
        }
    }
    return HF_NONE;
}

static uint32_t dependency(repairs *r, uint32_t from, uint32_t to) {
    for (uint32_t i = 0; i < r->n_dependency; i++) {
        if (r->from[i] == from && r->to[i] == to) {
            return i;
        }
    }
    r->from[r->n_dependency] = from;
    r->to[r->n_dependency] = to;
    r->class_of[r->n_dependency] = r->n_dependency;
    return r->n_dependency++;
}

/* The hops of one state; then those of where they lead. */
static bool follow(repairs *r, uint32_t d, uint32_t state, bool *met) {
    const hf_topology *topo = r->plan->topo;
    const bool is_injection = state >= r->n_resource;
    const uint32_t n_vc = r->plan->n_vc, at = is_injection ? topo->n_switch + state - r->n_resource : topo->to[state / n_vc];
    const hf_hop in = is_injection ? HF_HOP_INJECTION : (hf_hop){state / n_vc, state % n_vc, 0};
    hf_hop hops[64];
    if (met[state] || (!is_injection && hf_topology_is_terminal(topo, at))) {
        return true;
    }
    met[state] = true;
    const size_t n = hf_plan_route(r->plan, at, in, d, hops);
    for (size_t i = 0; i < n; i++) {
        if (hf_bit_test(r->plan->faults->channel_set, hops[i].channel)) {
            continue;
        }
        if (r->n_hop[d][state] == REPAIRS_HOPS || r->n_dependency == REPAIRS_DEPENDENCIES || hops[i].tag) {
            return false;
        }
        const uint32_t to = hops[i].channel * n_vc + hops[i].vc;
        r->hop[d][state][r->n_hop[d][state]++] = (repairs_hop){.to = to,
                                                               .dependency = is_injection ? HF_NONE : dependency(r, state, to),
                                                               .is_end = topo->to[hops[i].channel] == topo->n_switch + d};
        if (!follow(r, d, to, met)) {
            return false;
        }
    }
    return true;
}

bool repairs_make(const hf_plan *plan, repairs *out) {
    const uint32_t n = plan->topo->n_terminal;
    memset(out, 0, sizeof *out);
    out->plan = plan;
    out->n_resource = plan->topo->n_channel * plan->n_vc;
    if (n > REPAIRS_TERMINALS || out->n_resource + n > REPAIRS_STATES || plan->max_hops > 64) {
        return false;
    }
    for (uint32_t d = 0; d < n; d++) {
        bool met[REPAIRS_STATES] = {false};
        for (uint32_t s = 0; s < n; s++) {
            if (s != d && hf_plan_is_live(plan, s) && hf_plan_is_live(plan, d) && !follow(out, d, out->n_resource + s, met)) {
                return false;
            }
        }
    }
    out->n_class = out->n_dependency;
    return true;
}

static bool is_open(const repairs *r, const repairs_hop *h, const bool *is_forbidden) {
    const uint32_t class = h->dependency == HF_NONE ? HF_NONE : r->class_of[h->dependency];
    return !h->is_withheld && (class == HF_NONE || !is_forbidden[class]);
}

/* From where does some way lead to d? Again and again over all, until nothing changes. */
static void find_good(const repairs *r, const bool *is_forbidden, uint32_t d, bool *good) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t v = 0; v < r->n_resource + r->plan->topo->n_terminal; v++) {
            for (uint32_t i = 0; i < r->n_hop[d][v] && !good[v]; i++) {
                const repairs_hop *h = &r->hop[d][v][i];
                good[v] = is_open(r, h, is_forbidden) && (h->is_end || good[h->to]);
                changed |= good[v];
            }
        }
    }
}

/* Follow what is offered. \return false: a packet is stuck */
static bool walk(const repairs *r, const bool *is_forbidden, uint32_t d, const bool *good, uint32_t v, bool *met, bool *is_used) {
    bool any = false;
    if (met[v]) {
        return true;
    }
    met[v] = true;
    for (uint32_t i = 0; i < r->n_hop[d][v]; i++) {
        const repairs_hop *h = &r->hop[d][v][i];
        if (!is_open(r, h, is_forbidden) || (good && !h->is_end && !good[h->to])) {
            continue;
        }
        any = true;
        if (h->dependency != HF_NONE) {
            is_used[h->dependency] = true;
        }
        if (!h->is_end && !walk(r, is_forbidden, d, good, h->to, met, is_used)) {
            return false;
        }
    }
    return any;
}

/* Take out dependencies that lead to where no other one begins, until none is left, or only cycles and what leads to them. */
static bool has_cycle(const repairs *r, bool *is_used) {
    uint32_t left = 0;
    for (bool changed = true; changed;) {
        changed = false;
        left = 0;
        for (uint32_t a = 0; a < r->n_dependency; a++) {
            bool goes_on = false;
            for (uint32_t b = 0; b < r->n_dependency && is_used[a] && !goes_on; b++) {
                goes_on = is_used[b] && r->from[b] == r->to[a];
            }
            changed |= is_used[a] && !goes_on;
            is_used[a] &= goes_on;
            left += is_used[a];
        }
    }
    return left > 0;
}

bool repairs_hold(const repairs *r, const bool *is_forbidden, bool ahead) {
    const uint32_t n = r->plan->topo->n_terminal;
    bool is_used[REPAIRS_DEPENDENCIES] = {false};
    for (uint32_t d = 0; d < n; d++) {
        bool good[REPAIRS_STATES] = {false}, met[REPAIRS_STATES] = {false};
        if (ahead) {
            find_good(r, is_forbidden, d, good);
        }
        for (uint32_t s = 0; s < n; s++) {
            const bool is_pair = s != d && hf_plan_is_live(r->plan, s) && hf_plan_is_live(r->plan, d);
            if (is_pair && !walk(r, is_forbidden, d, ahead ? good : NULL, r->n_resource + s, met, is_used)) {
                return false;
            }
        }
    }
    return !has_cycle(r, is_used);
}

/* All sets of k classes from `next` on beside those that are forbidden. */
static bool try_all(const repairs *r, bool *is_forbidden, uint32_t next, uint32_t k, bool ahead, size_t *tries) {
    if (k == 0) {
        *tries -= *tries > 0;
        return repairs_hold(r, is_forbidden, ahead);
    }
    for (uint32_t c = next; c + k <= r->n_class && *tries > 0; c++) {
        is_forbidden[c] = true;
        const bool found = try_all(r, is_forbidden, c + 1, k - 1, ahead, tries);
        is_forbidden[c] = false;
        if (found) {
            return true;
        }
    }
    return false;
}

uint32_t repairs_fewest(const repairs *r, bool ahead, size_t tries, bool *is_known) {
    bool is_forbidden[REPAIRS_DEPENDENCIES] = {false};
    for (uint32_t k = 0; k <= r->n_class; k++) {
        *is_known = true;
        if (try_all(r, is_forbidden, 0, k, ahead, &tries)) {
            return k;
        }
        if (tries == 0) {
            *is_known = false;
            return k;
        }
    }
    return HF_NONE;
}
