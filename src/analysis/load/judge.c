/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The judge of campaigns over load: every fault set is planned and its load found on its own. */
#include <math.h>

#include <holdfast/analysis/load.h>

#include "src/analysis/load/load.h"
#include "src/routing/set_judge.h"

typedef struct judge {
    hf_set_judge set;
    const hf_rule *rule;
    const hf_traffic *traffic;
    hf_split split;
    uint64_t reach;
} judge;

static uint64_t in_units(double value) { return (uint64_t)llround(value / HF_LOAD_EXTRA_UNIT); }

static hf_status find(hf_context *cx, const hf_set_judge *set, const hf_fault_set *faults, hf_measure *out) {
    const judge *j = (const judge *)set;
    hf_plan plan;
    hf_load *load;
    HF_TRY(hf_plan_make_plain(cx, j->rule, faults, &plan));
    HF_TRY(hf_load_find(cx, &plan, j->traffic, j->split, &load));
    *out = (hf_measure){.tolerated = load->lost == 0};
    out->extra[HF_LOAD_MAX] = in_units(load->max_load);
    out->extra[HF_LOAD_ALL] = in_units(fmax(load->max_load, load->terminal_load));
    out->extra[HF_LOAD_SATURATION] = in_units(load->saturation);
    out->extra[HF_LOAD_LOST] = in_units(load->lost);
    out->tolerated = j->reach ? out->extra[HF_LOAD_MAX] < j->reach : out->tolerated;
    hf_load_free(load);
    return HF_OK;
}

/* Something is sent: the least that a channel of its source may carry of it. */
static double least_flow(const hf_topology *topo, const hf_traffic *traffic) {
    double least = INFINITY;
    for (uint32_t s = 0; s < traffic->n_terminal; s++) {
        const uint32_t v = topo->n_switch + s, n_link = topo->out_begin[v + 1] - topo->out_begin[v];
        for (uint32_t d = 0; d < traffic->n_terminal; d++) {
            const uint64_t weight = hf_traffic_weight(traffic, s, d);
            least = weight && n_link ? fmin(least, (double)weight / n_link / (double)traffic->denominator) : least;
        }
    }
    return least;
}

double hf_load_most(const hf_topology *topo, const hf_rule *rule, const hf_traffic *traffic, unsigned extra) {
    const bool is_minimal = hf_rule_traits(rule) & HF_ROUTING_MINIMAL;
    const hf_tempo tempo = hf_topology_tempo(topo);
    double most = 1, slowest = 1; /* of a share; cycles of a flit */
    for (uint32_t c = 0; tempo.rate && c < topo->n_channel; c++) {
        slowest = fmax(slowest, hf_tempo_cycles(&tempo, c));
    }
    if (extra == HF_LOAD_MAX || extra == HF_LOAD_ALL) {
        most = is_minimal ? slowest * hf_traffic_total(traffic) / (double)traffic->denominator : INFINITY;
    } else if (extra == HF_LOAD_SATURATION) {
        most = 1 / least_flow(topo, traffic);
    }
    return most / HF_LOAD_EXTRA_UNIT;
}

hf_status hf_load_judge_new(hf_context *cx, const hf_universe *universe, const hf_rule *rule, const hf_traffic *traffic,
                            hf_split split, uint64_t reach, hf_judge **out) {
    judge *j;
    HF_TRY(hf_set_judge_new(cx, universe, find, sizeof *j, (void **)&j));
    j->rule = rule;
    j->traffic = traffic;
    j->split = split;
    j->reach = reach;
    *out = &j->set.base;
    return HF_OK;
}
