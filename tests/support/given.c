/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/given.h"

#include <stdatomic.h>
#include <string.h>

static atomic_uint n_call;

/* What a method of the network gives for one or two numbers. */
static hf_call_value ask(hf_rule_call *call, const char *name, uint32_t a, uint32_t b, size_t n) {
    const hf_call_value arguments[] = {{.kind = HF_CALL_NUMBER, .number = a}, {.kind = HF_CALL_NUMBER, .number = b}};
    hf_call_value result = {0};
    const char *wrong = hf_rule_call_net(call, name, arguments, n, &result);
    if (wrong) {
        hf_rule_call_fail(call, wrong);
    }
    return result;
}

/* The healthy hops that lead nearer to the destination under the faults: `minimal`. */
static void go_nearer(void *user, hf_rule_call *call, const char *function, const uint32_t *arguments, size_t n) {
    (void)user;
    n_call++;
    if (strcmp(function, "route") != 0) {
        return;
    }
    (void)n;
    const uint32_t at = arguments[0], goal = (uint32_t)ask(call, "switch_of", arguments[3], 0, 1).number;
    const hf_call_value way = ask(call, "healthy_distance", at, goal, 2), list = ask(call, "channels", at, 0, 1);
    if (at == goal) {
        return;
    }
    uint32_t channels[256];
    memcpy(channels, list.list, list.n * sizeof *channels);
    hf_rule_call_no_hop(call);
    for (size_t i = 0; way.kind == HF_CALL_NUMBER && i < list.n; i++) {
        const bool is_failed = ask(call, "failed", channels[i], 0, 1).number;
        const uint32_t to = (uint32_t)ask(call, "to", channels[i], 0, 1).number;
        const hf_call_value left = ask(call, "healthy_distance", to, goal, 2);
        if (!is_failed && left.kind == HF_CALL_NUMBER && left.number + 1 == way.number) {
            hf_rule_call_hop(call, channels[i], 0, HF_NONE, false);
        }
    }
}

const hf_given_rule given_nearer = {.name = "nearer", .vcs = 1, .tags = 1, .call = go_nearer};

unsigned given_calls(void) { return n_call; }
