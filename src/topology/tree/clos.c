/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The folded Clos network that data centres and clusters are built as: tiers of switches of one radix, hosts below the first.
 *
 *  A switch below the top has d ports down and u up, d + u <= radix, so that d times the rate below is `oversubscription` times u
 *  times the rate above; the top has all its ports down. Two switches of neighbouring tiers are joined by `bundle` links side by
 *  side. It is the XGFT(tiers; d_1, d_2 / b_2, ..., radix / b_n; 1, u_1 / b_2, ...) with bundles as parallel links, number by
 *  number; with tiers=3 and nothing else it is the fat-tree of [alfares2008]: radix^3 / 4 hosts. `pods` leaves out switches below
 *  the top. */
#include <inttypes.h>

#include "src/topology/tree/tree.h"
#include "src/topology/uniform.h"

enum { TIERS_MAX = 8 };

/** Number i of a list, whose last one stands for those behind it. */
static uint64_t entry(const hf_args *args, const char *name, uint32_t i) {
    const hf_value *list = hf_args_get(args, name);
    return list->dims[i < list->number ? i : list->number - 1];
}

/** Rate of the links below a tier, Gbit/s; all alike where none is said. */
static uint64_t rate_of(const hf_args *args, uint32_t tier) {
    const uint64_t rate = entry(args, "rates", tier - 1);
    return rate ? rate : 1;
}

/** Ports up of a switch of a tier below the top: whole parts of its radix; 0 if there are none. */
static uint64_t ports_up(const hf_args *args, uint32_t tier) {
    const uint64_t radix = hf_args_get(args, "radix")->number, over = entry(args, "oversubscription", tier - 1);
    const uint64_t above = rate_of(args, tier + 1) * over, below = rate_of(args, tier);
    return radix * below / (above + below); /* d below = over u above */
}

static uint64_t ports_down(const hf_args *args, uint32_t tier) {
    return hf_args_get(args, "tiers")->number == tier
               ? hf_args_get(args, "radix")->number
               : ports_up(args, tier) * rate_of(args, tier + 1) * entry(args, "oversubscription", tier - 1) / rate_of(args, tier);
}

/** Links side by side from a tier to the next. */
static uint64_t bundle_of(const hf_args *args, uint32_t tier) { return entry(args, "bundle", tier - 1); }

static hf_xgft shape_of(const hf_args *args) {
    const uint64_t pods = hf_args_get(args, "pods")->number;
    hf_xgft t = {.h = (uint32_t)hf_args_get(args, "tiers")->number};
    for (uint32_t l = 1; l <= t.h; l++) {
        t.p[l] = l > 1 ? bundle_of(args, l - 1) : 1;
        t.w[l] = l > 1 ? ports_up(args, l - 1) / t.p[l] : 1;
        t.m[l] = ports_down(args, l) / t.p[l];
    }
    t.m[t.h] = pods ? pods : t.m[t.h];
    return t;
}

static void shape_as_tree(const hf_args *args, hf_xgft *out) { *out = shape_of(args); }

/* ---- checks ---- */

static hf_status check_list(hf_context *cx, const hf_args *args, const char *name, uint64_t most) {
    const uint64_t n = hf_args_get(args, name)->number;
    if (n != 1 && n != most) {
        HF_FAIL(cx, HF_EINVAL, "topology \"clos\": %s has %" PRIu64 " numbers; need 1, or %" PRIu64 " from the hosts up", name, n,
                most);
    }
    return HF_OK;
}

static uint64_t common_divisor(uint64_t a, uint64_t b) { return b ? common_divisor(b, a % b) : a; }

static hf_status check_tier(hf_context *cx, const hf_args *args, uint32_t tier) {
    const uint64_t radix = hf_args_get(args, "radix")->number, up = ports_up(args, tier), bundle = bundle_of(args, tier);
    const uint64_t over = entry(args, "oversubscription", tier - 1), above = over * rate_of(args, tier + 1);
    const uint64_t below = rate_of(args, tier), common = common_divisor(above, below);
    if (over == 0 || bundle == 0) {
        HF_FAIL(cx, HF_EINVAL,
                "topology \"clos\": tier %" PRIu32 " has an oversubscription of %" PRIu64 " and a bundle of %" PRIu64
                "; need 1 or more",
                tier, over, bundle);
    }
    if (up == 0 || radix * below % (above + below) != 0) {
        HF_FAIL(cx, HF_EINVAL,
                "topology \"clos\": the %" PRIu64 " ports of a switch of tier %" PRIu32 " cannot be parted %" PRIu64 ":%" PRIu64
                " into those down and up; need a radix that %" PRIu64 " divides",
                radix, tier, above / common, below / common, (above + below) / common);
    }
    if (up % bundle != 0 || ports_down(args, tier + 1) % bundle != 0) {
        HF_FAIL(cx, HF_EINVAL,
                "topology \"clos\": bundle=%" PRIu64 " does not divide the %" PRIu64 " ports up of tier %" PRIu32
                " and the %" PRIu64 " down of tier %" PRIu32,
                bundle, up, tier, ports_down(args, tier + 1), tier + 1);
    }
    return HF_OK;
}

static hf_status check(hf_context *cx, const hf_args *args) {
    const uint64_t tiers = hf_args_get(args, "tiers")->number, pods = hf_args_get(args, "pods")->number;
    HF_TRY(check_list(cx, args, "rates", tiers));
    HF_TRY(check_list(cx, args, "oversubscription", tiers > 1 ? tiers - 1 : 1));
    HF_TRY(check_list(cx, args, "bundle", tiers > 1 ? tiers - 1 : 1));
    for (uint32_t tier = 1; tier < tiers; tier++) {
        HF_TRY(check_tier(cx, args, tier));
    }
    const uint64_t most = ports_down(args, (uint32_t)tiers) / (tiers > 1 ? bundle_of(args, (uint32_t)tiers - 1) : 1);
    if (pods > most) {
        HF_FAIL(cx, HF_ERANGE, "topology \"clos\": pods=%" PRIu64 " is out of range; a switch of the top has room for %" PRIu64,
                pods, most);
    }
    return HF_OK;
}

static hf_status build(hf_context *cx, const hf_args *args, hf_topology **out) {
    uint32_t rate[TIERS_MAX];
    HF_TRY(check(cx, args));
    const hf_xgft t = shape_of(args);
    for (uint32_t l = 0; l < t.h; l++) {
        rate[l] = (uint32_t)rate_of(args, l + 1) * HF_MBIT_OF_GBIT;
    }
    return hf_xgft_build(cx, &hf_topology_clos, args, &t, entry(args, "rates", 0) ? rate : NULL, out);
}

static const hf_param params[] = {
    {.name = "tiers",
     .type = HF_PARAM_UINT,
     .low = 1,
     .high = TIERS_MAX,
     .flags = HF_PARAM_SHOWN,
     .help = "tiers of switches above the hosts"},
    {.name = "radix", .type = HF_PARAM_UINT, .low = 1, .high = HF_TERMINALS_MAX, .help = "ports of a switch"},
    {.name = "oversubscription",
     .type = HF_PARAM_DIMS,
     .fallback = "1",
     .low = 1,
     .high = HF_TERMINALS_MAX,
     .help = "rate down over rate up of a switch of tier 1, 2, ..., below the top; one number is all of them"},
    {.name = "bundle",
     .type = HF_PARAM_DIMS,
     .fallback = "1",
     .low = 1,
     .high = HF_TERMINALS_MAX,
     .help = "links side by side from a switch of tier 1, 2, ... to each above it that it is joined to"},
    HF_PARAM_RATES("rates of the links below tier 1, 2, ...; 0: none is said, and all are alike"),
    {.name = "pods",
     .type = HF_PARAM_UINT,
     .fallback = "0",
     .low = 0,
     .high = HF_TERMINALS_MAX,
     .help = "parts below the top; 0 stands for as many as it has room for"},
    {0},
};

const hf_topology_kind hf_topology_clos = {
    .name = "clos",
    .summary = "folded Clos network: tiers of switches of one radix, with oversubscription, bundles and rates",
    .source = "alfares2008; ohring1995",
    .claims = "without oversubscription 2 (radix/2)^tiers hosts; diameter 2 tiers channels",
    .params = params,
    .tree = shape_as_tree,
    .build = build,
    .place = hf_xgft_place,
    .diameter = hf_xgft_diameter,
    .mean_distance = hf_xgft_mean_distance,
};
