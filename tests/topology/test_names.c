/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Names of switches, terminals, links and channels: written, read back, and refused with a message that helps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/oracle/fixture.h"

static void check(fixture *fx, const char *name, char type, uint32_t id) {
    char found = 0;
    uint32_t at = HF_NONE;
    fixture_ok(fx, hf_topology_parse_name(fx->cx, fx->topo, name, strlen(name), &found, &at));
    if (found != type || at != id) {
        fail_msg("%s: read as %c %u, not %c %u", name, found, at, type, id);
    }
}

static void round_trip(void **state) {
    (void)state;
    fixture fx;
    fixture_open(&fx, "kary-tree:k=3,n=3", NULL, NULL);
    const hf_topology *topo = fx.topo;
    char name[64];
    for (uint32_t v = 0; v < topo->n_node; v++) {
        const bool is_terminal = hf_topology_is_terminal(topo, v);
        hf_topology_node_name(topo, v, name, sizeof name);
        check(&fx, name, is_terminal ? 't' : 's', is_terminal ? v - topo->n_switch : v);
    }
    for (uint32_t l = 0; l < topo->n_link; l++) {
        hf_topology_link_name(topo, l, name, sizeof name);
        check(&fx, name, 'l', l);
    }
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        hf_topology_channel_name(topo, c, name, sizeof name);
        check(&fx, name, 'c', c);
    }
    fixture_close(&fx);
}

/** Short forms, and a link named from its upper end. */
static void other_forms(void **state) {
    (void)state;
    fixture fx;
    fixture_open(&fx, "kary-tree:k=2,n=3", NULL, NULL);
    const hf_topology *topo = fx.topo;
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        char name[64], from[16], to[16];
        hf_topology_node_name(topo, topo->from[c], from, sizeof from);
        hf_topology_node_name(topo, topo->to[c], to, sizeof to);
        (void)snprintf(name, sizeof name, "%s:%u", from, topo->from_port[c]);
        check(&fx, name, 'l', topo->link[c]);
        (void)snprintf(name, sizeof name, "%s:%u>", from, topo->from_port[c]);
        check(&fx, name, 'c', c);
        (void)snprintf(name, sizeof name, "%s:%u-%s:%u", from, topo->from_port[c], to, topo->to_port[c]);
        check(&fx, name, 'l', topo->link[c]);
    }
    fixture_close(&fx);
}

static void texts(void **state) {
    (void)state;
    fixture fx;
    fixture_open(&fx, "kary-tree:k=2,n=4", NULL, NULL);
    const hf_topology *topo = fx.topo;
    char name[64];
    hf_topology_channel_name(topo, hf_topology_channel_at(topo, 18, 1), name, sizeof name);
    assert_string_equal(name, "s18:1>s10:3");
    hf_topology_link_name(topo, topo->link[hf_topology_channel_at(topo, 18, 1)], name, sizeof name);
    assert_string_equal(name, "s10:3-s18:1");
    hf_topology_link_name(topo, topo->n_switch_link + 5, name, sizeof name);
    assert_string_equal(name, "t5:0-s2:1");
    fixture_close(&fx);
}

static void refusals(void **state) {
    (void)state;
    static const struct {
        const char *name;
        hf_status status;
        const char *message;
    } bad[] = {
        {"", HF_EINVAL, "is not a name"},
        {"x5", HF_EINVAL, "write a switch as s8"},
        {"s", HF_EINVAL, "is not a name"},
        {"s1x", HF_EINVAL, "is not a name"},
        {"s1:", HF_EINVAL, "is not a name"},
        {"s1:2>s", HF_EINVAL, "is not a name"},
        {"s1:2-", HF_EINVAL, "is not a name"},
        {"s1:2=s5:0", HF_EINVAL, "is not a name"},
        {"s0:2-s4:0x", HF_EINVAL, "is not a name"},
        {"s12", HF_ENOENT, "its switches are s0..s11"},
        {"t8", HF_ENOENT, "its terminals are t0..t7"},
        {"s99999999999999999999", HF_ENOENT, "its switches are s0..s11"},
        {"s4294967296", HF_ENOENT, "its switches are s0..s11"},
        {"s0:4", HF_ENOENT, "the ports of s0 are 0..3"},
        {"s11:2", HF_ENOENT, "the ports of s11 are 0..1"},
        {"t0:1", HF_ENOENT, "the ports of t0 are 0..0"},
        {"s0:2-s5:0", HF_ENOENT, "did you mean \"s0:2-s4:0\"?"},
        {"s0:2>s4:1", HF_ENOENT, "did you mean \"s0:2>s4:0\"?"},
        {"s0:2-s44:0", HF_ENOENT, "its switches are s0..s11"},
    };
    fixture fx;
    fixture_open(&fx, "kary-tree:k=2,n=3", NULL, NULL);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char type;
        uint32_t id;
        const hf_status status = hf_topology_parse_name(fx.cx, fx.topo, bad[i].name, strlen(bad[i].name), &type, &id);
        if (status != bad[i].status || !strstr(hf_context_message(fx.cx), bad[i].message)) {
            fail_msg("%s: %s: %s", bad[i].name, hf_status_text(status), hf_context_message(fx.cx));
        }
    }
    fixture_close(&fx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),
        cmocka_unit_test(other_forms),
        cmocka_unit_test(texts),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
