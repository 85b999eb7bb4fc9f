/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Topology files of htsim, which has one shape: tors with equally many hosts that follow one another, pods in which every tor is
 *  joined to every agg, and cores of which each joins one agg of every pod, equally many links side by side. A network that is
 *  such a fat-tree up to the order of aggs and cores is written; of any other the first thing that is different is said. */
#include <inttypes.h>
#include <string.h>

#include <holdfast/format.h>

#include "src/format/hosts.h"

enum { TOR, AGG, CORE, TIERS };

typedef struct fat_tree {
    hf_context *cx;
    const hf_topology *topo;
    uint32_t *tier;                                                               /* of a switch */
    uint32_t n_tier, n[TIERS];                                                    /* switches of each tier */
    uint32_t down[TIERS], up[TIERS], bundle[TIERS], gbps[TIERS], delay_ns[TIERS]; /* links below a tier, but `up` */
    uint32_t *pod, n_pod, hosts_of_pod;                                           /* pods of tors and aggs */
    uint32_t *class; /* of aggs and cores: agg i of every pod leads to the cores of class i; HF_NONE: not known yet */
} fat_tree;

static hf_status refuse(const fat_tree *f, const char *why) {
    HF_FAIL(f->cx, HF_EINVAL, "\"%s\" is no fat-tree of htsim: %s", f->topo->spec, why);
}

static hf_status refuse_node(const fat_tree *f, uint32_t node, const char *why) {
    char name[HF_NAME_SIZE];
    hf_topology_node_name(f->topo, node, name, sizeof name);
    HF_FAIL(f->cx, HF_EINVAL, "\"%s\" is no fat-tree of htsim: %s %s", f->topo->spec, name, why);
}

/* ---- tiers ---- */

static uint32_t degree(const hf_topology *topo, uint32_t v) { return topo->out_begin[v + 1] - topo->out_begin[v]; }
static uint32_t neighbour(const hf_topology *topo, uint32_t v, uint32_t i) {
    return topo->to[topo->out_list[topo->out_begin[v] + i]];
}

static hf_status check_hosts(const fat_tree *f) {
    const hf_topology *topo = f->topo;
    for (uint32_t v = topo->n_switch; v < topo->n_node; v++) {
        if (degree(topo, v) != 1 || neighbour(topo, v, 0) >= topo->n_switch) {
            return refuse_node(f, v, "does not hang on one switch by one link");
        }
    }
    return topo->n_terminal ? HF_OK : refuse(f, "it has no hosts");
}

/* One more than the lowest tier beside it, where that is known. */
static void lift(const fat_tree *f, uint32_t tier) {
    for (uint32_t v = 0; v < f->topo->n_switch; v++) {
        for (uint32_t i = 0; i < degree(f->topo, v) && f->tier[v] == HF_NONE; i++) {
            const uint32_t to = neighbour(f->topo, v, i);
            const bool is_above = tier == TOR ? to >= f->topo->n_switch : to < f->topo->n_switch && f->tier[to] == tier - 1;
            f->tier[v] = is_above ? tier : HF_NONE;
        }
    }
}

static hf_status find_tiers(fat_tree *f) {
    const hf_topology *topo = f->topo;
    HF_TRY(hf_scratch(f->cx, topo->n_switch, sizeof *f->tier, (void **)&f->tier));
    memset(f->tier, 0xff, topo->n_switch * sizeof *f->tier); /* HF_NONE */
    for (uint32_t tier = TOR; tier < TIERS; tier++) {
        lift(f, tier);
    }
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        if (f->tier[v] == HF_NONE) {
            return refuse_node(f, v, "is not in one of three tiers above the hosts");
        }
        f->n[f->tier[v]]++;
    }
    f->n_tier = f->n[CORE] ? 3 : 2;
    return f->n[AGG] ? HF_OK : refuse(f, "it has one tier of switches; need two or three");
}

/* ---- links ---- */

/* A figure that all of a tier share. */
static bool agree(uint32_t *all, uint32_t one, bool is_first) {
    *all = is_first ? one : *all;
    return *all == one;
}

/* Links of a switch up and down, and how many side by side to a neighbour above. */
static hf_status count_links(fat_tree *f, uint32_t v, bool is_first) {
    const uint32_t tier = f->tier[v];
    uint32_t up = 0, down = 0;
    for (uint32_t i = 0; i < degree(f->topo, v); i++) {
        const uint32_t to = neighbour(f->topo, v, i), above = to < f->topo->n_switch ? f->tier[to] : HF_NONE;
        up += above == tier + 1;
        down += above == HF_NONE ? tier == TOR : above + 1 == tier;
        if (above == tier) {
            return refuse_node(f, v, "is joined to a switch of its own tier");
        }
    }
    return !agree(&f->down[tier], down, is_first) ? refuse_node(f, v, "has another number of links down than others of its tier")
           : !agree(&f->up[tier], up, is_first)   ? refuse_node(f, v, "has another number of links up than others of its tier")
                                                  : HF_OK;
}

/* Links of v to one of its neighbours, and whether it is the first of these. */
static uint32_t links_between(const hf_topology *topo, uint32_t v, uint32_t i, bool *is_first) {
    uint32_t n = 0;
    *is_first = true;
    for (uint32_t k = 0; k < degree(topo, v); k++) {
        const bool is_same = neighbour(topo, v, k) == neighbour(topo, v, i);
        n += is_same;
        *is_first &= !is_same || k >= i;
    }
    return n;
}

static hf_status count_bundles(fat_tree *f, uint32_t v) {
    for (uint32_t i = 0; i < degree(f->topo, v); i++) {
        const uint32_t to = neighbour(f->topo, v, i);
        bool is_first;
        if (to < f->topo->n_switch && f->tier[to] == f->tier[v] + 1 &&
            !agree(&f->bundle[f->tier[to]], links_between(f->topo, v, i, &is_first), f->bundle[f->tier[to]] == 0)) {
            return refuse_node(f, v, "has another number of links side by side than others of its tier");
        }
    }
    return HF_OK;
}

/* A whole number that all links below a tier share. */
static hf_status read_links(fat_tree *f, const char *name, uint32_t unit, uint32_t (*value_of)(const hf_topology *, uint32_t),
                            uint32_t *of_tier) {
    bool is_known[TIERS] = {false};
    for (uint32_t l = 0; l < f->topo->n_link; l++) {
        const uint32_t from = f->topo->from[f->topo->forward[l]], to = f->topo->to[f->topo->forward[l]];
        const uint32_t x = from < f->topo->n_switch ? f->tier[from] : TOR, y = to < f->topo->n_switch ? f->tier[to] : TOR;
        const uint32_t tier = x > y ? x : y;
        const uint32_t value = value_of(f->topo, l);
        if (value % unit != 0 || !agree(&of_tier[tier], value / unit, !is_known[tier])) {
            char link[HF_NAME_SIZE];
            hf_topology_link_name(f->topo, l, link, sizeof link);
            HF_FAIL(f->cx, HF_EINVAL, "\"%s\" is no fat-tree of htsim: %s has a %s of %" PRIu32 "; need %s", f->topo->spec, link,
                    name, value, value % unit ? "whole Gbit/s" : "one for all links below a tier");
        }
        is_known[tier] = true;
    }
    return HF_OK;
}

static hf_status find_links(fat_tree *f) {
    bool is_known[TIERS] = {false};
    for (uint32_t v = 0; v < f->topo->n_switch; v++) {
        HF_TRY(count_links(f, v, !is_known[f->tier[v]]));
        HF_TRY(count_bundles(f, v));
        is_known[f->tier[v]] = true;
    }
    HF_TRY(read_links(f, "rate", 1000, hf_hosts_rate_mbps, f->gbps));
    return read_links(f, "delay", 1, hf_hosts_delay_ns, f->delay_ns);
}

/* ---- order ---- */

/* Hosts by tor: tor i is the switch of host i down[TOR]. */
static uint32_t tor_at(const fat_tree *f, uint32_t i) { return f->topo->terminal_switch[i * f->down[TOR]]; }

static hf_status check_order(const fat_tree *f) {
    for (uint32_t t = 0; t < f->topo->n_terminal; t++) {
        if (f->topo->terminal_switch[t] != tor_at(f, t / f->down[TOR])) {
            return refuse_node(f, f->topo->n_switch + t,
                               "is not at the switch of the host before; hosts of a switch follow one another");
        }
    }
    return HF_OK;
}

/* Every tor of a pod is joined to the same aggs, and those to no other; tors of a pod follow one another. */
static hf_status find_pods(fat_tree *f) {
    const hf_topology *topo = f->topo;
    const uint32_t aggs = f->up[TOR] / f->bundle[AGG], tors = f->down[AGG] / f->bundle[AGG];
    HF_TRY(hf_scratch(f->cx, topo->n_switch, sizeof *f->pod, (void **)&f->pod));
    memset(f->pod, 0xff, topo->n_switch * sizeof *f->pod); /* HF_NONE */
    for (uint32_t i = 0; i < f->n[TOR]; i++) {
        const uint32_t v = tor_at(f, i);
        f->pod[v] = i / tors;
        for (uint32_t k = 0; k < degree(topo, v); k++) {
            const uint32_t to = neighbour(topo, v, k);
            if (to < topo->n_switch && f->pod[to] == HF_NONE) {
                f->pod[to] = f->pod[v];
            } else if (to < topo->n_switch && f->pod[to] != f->pod[v]) {
                return refuse_node(f, v,
                                   "shares a switch above with some of the tors that it should be a pod with, and not with all");
            }
        }
    }
    f->n_pod = f->n[TOR] / tors;
    f->hosts_of_pod = tors * f->down[TOR];
    const bool fits = f->n[TOR] == f->n_pod * tors && f->n[AGG] == f->n_pod * aggs;
    return !fits                             ? refuse(f, "its pods are of different sizes")
           : f->n_tier == 2 && f->n_pod != 1 ? refuse(f, "two tiers are one pod; here not all tors share their switches above")
                                             : HF_OK;
}

/* Classes are numbered by the aggs of the first pod; an agg of another has that of its first core. */
static void spread_class(const fat_tree *f, uint32_t agg, uint32_t *next) {
    const hf_topology *topo = f->topo;
    for (uint32_t i = 0; i < degree(topo, agg) && f->class[agg] == HF_NONE; i++) {
        const uint32_t to = neighbour(topo, agg, i);
        f->class[agg] = to < topo->n_switch && f->tier[to] == CORE ? f->class[to] : HF_NONE;
    }
    f->class[agg] = f->class[agg] == HF_NONE ? (*next)++ : f->class[agg];
    for (uint32_t i = 0; i < degree(topo, agg); i++) {
        const uint32_t to = neighbour(topo, agg, i);
        if (to < topo->n_switch && f->tier[to] == CORE && f->class[to] == HF_NONE) {
            f->class[to] = f->class[agg];
        }
    }
}

/* A core is joined to one agg of every pod, of its own class each. \param joined by pod: the last core that was seen to join it
 */
static hf_status check_core(const fat_tree *f, uint32_t core, uint32_t *joined) {
    const hf_topology *topo = f->topo;
    uint32_t n = 0;
    for (uint32_t i = 0; i < degree(topo, core); i++) {
        const uint32_t agg = neighbour(topo, core, i);
        bool is_first;
        (void)links_between(topo, core, i, &is_first);
        if (f->class[agg] != f->class[core]) {
            return refuse_node(f, core, "joins aggs of which some lead to other cores, too");
        }
        if (is_first && joined[f->pod[agg]] == core) {
            return refuse_node(f, core, "joins two aggs of one pod");
        }
        if (is_first) {
            joined[f->pod[agg]] = core;
            n++;
        }
    }
    return n == f->n_pod ? HF_OK : refuse_node(f, core, "does not join one agg of every pod");
}

static hf_status check_cores(fat_tree *f) {
    const hf_topology *topo = f->topo;
    uint32_t next = 0, *joined;
    HF_TRY(hf_scratch(f->cx, f->n_pod, sizeof *joined, (void **)&joined));
    memset(joined, 0xff, f->n_pod * sizeof *joined); /* HF_NONE */
    HF_TRY(hf_scratch(f->cx, topo->n_switch, sizeof *f->class, (void **)&f->class));
    memset(f->class, 0xff, topo->n_switch * sizeof *f->class); /* HF_NONE */
    for (uint32_t pod = 0; pod < f->n_pod; pod++) {
        for (uint32_t v = 0; v < topo->n_switch; v++) {
            if (f->tier[v] == AGG && f->pod[v] == pod) {
                spread_class(f, v, &next);
            }
        }
    }
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        HF_TRY(f->tier[v] == CORE ? check_core(f, v, joined) : HF_OK);
    }
    return next * f->n_pod == f->n[AGG] ? HF_OK : refuse(f, "its pods do not lead to the same cores");
}

/* htsim reckons the switches above by rates: radix down over radix up, rounded down, is the oversubscription. */
static hf_status check_oversubscription(const fat_tree *f) {
    for (uint32_t tier = 0; tier + 1 < f->n_tier; tier++) {
        const uint64_t over = f->down[tier] / f->up[tier];
        if (over == 0 || (uint64_t)f->down[tier] * f->gbps[tier] != over * f->up[tier] * f->gbps[tier + 1]) {
            HF_FAIL(f->cx, HF_EINVAL,
                    "\"%s\" is no fat-tree of htsim: switches of tier %" PRIu32 " have %" PRIu32 " links of %" PRIu32
                    " Gbit/s down and %" PRIu32 " of %" PRIu32 " up; need a whole number of times as much down",
                    f->topo->spec, tier, f->down[tier], f->gbps[tier], f->up[tier], f->gbps[tier + 1]);
        }
    }
    return HF_OK;
}

static hf_status recognise(fat_tree *f) {
    HF_TRY(hf_hosts_both_ways(f->cx, f->topo, "files of htsim"));
    HF_TRY(check_hosts(f));
    HF_TRY(find_tiers(f));
    HF_TRY(find_links(f));
    HF_TRY(check_order(f));
    HF_TRY(find_pods(f));
    HF_TRY(f->n_tier > CORE ? check_cores(f) : HF_OK);
    return check_oversubscription(f);
}

/* ---- the text ---- */

static void write_tier(const fat_tree *f, uint32_t tier, hf_text *out) {
    hf_text_print(out, "\nTier %" PRIu32 "\nDownlink_speed_Gbps %" PRIu32 "\nRadix_Down %" PRIu32 "\n", tier, f->gbps[tier],
                  f->down[tier]);
    if (tier + 1 < f->n_tier) {
        hf_text_print(out, "Radix_Up %" PRIu32 "\nOversubscribed %" PRIu32 "\n", f->up[tier], f->down[tier] / f->up[tier]);
    }
    if (f->bundle[tier] > 1) {
        hf_text_print(out, "Bundle %" PRIu32 "\n", f->bundle[tier]);
    }
    hf_text_print(out, "Downlink_Latency_ns %" PRIu32 "\n", f->delay_ns[tier]);
}

hf_status hf_format_htsim(hf_context *cx, const hf_topology *topo, hf_text *out) {
    fat_tree f = {.cx = cx, .topo = topo};
    HF_TRY(recognise(&f));
    hf_text_print(out, "Nodes %" PRIu32 "\nTiers %" PRIu32 "\nPodsize %" PRIu32 "\n", topo->n_terminal, f.n_tier, f.hosts_of_pod);
    for (uint32_t tier = 0; tier < f.n_tier; tier++) {
        write_tier(&f, tier, out);
    }
    return hf_text_check(cx, out);
}
