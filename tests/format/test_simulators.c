/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Networks written for simulators and read back: every family for HPCC and ibsim, fat-trees for htsim, servers for SimAI; rates,
 *  delays, names, GUIDs; and what each of them refuses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/random.h>
#include <holdfast/format.h>

#include "src/topology/multistage/draft.h"
#include "tests/conformance/specs.h"
#include "tests/oracle/fixture.h"
#include "tests/support/failing.h"

/* A network, what is written of it, and that read back; `back` is NULL where it is refused. */
typedef struct pair {
    fixture fx;
    hf_text text;
    hf_topology *back;
} pair;

static void open_pair(const char *spec, const char *format, fixture_reader read, pair *p) {
    p->back = NULL;
    fixture_open(&p->fx, spec, NULL, NULL);
    hf_text_init(p->fx.cx, &p->text);
    if (hf_format_network(p->fx.cx, p->fx.topo, format, &p->text) == HF_OK) {
        p->back = fixture_read_network(p->fx.cx, read, p->text.data);
    } else {
        assert_int_equal(p->text.size, 0);
    }
}

/* The same where it must be written. */
static void need_pair(const char *spec, const char *format, fixture_reader read, pair *p) {
    open_pair(spec, format, read, p);
    if (!p->back) {
        fail_msg("%s", hf_context_message(p->fx.cx));
    }
}

static void close_pair(pair *p) {
    hf_topology_free(p->back);
    hf_text_free(&p->text);
    fixture_close(&p->fx);
}

/* What is said of a link, or `otherwise`. */
static uint32_t value(const hf_topology *topo, const char *name, uint32_t link, uint32_t otherwise) {
    const hf_attribute *a = hf_topology_attribute(topo, name);
    return a && a->of_link[link] != HF_NONE ? a->of_link[link] : otherwise;
}

/* ---- HPCC ---- */

/* The number of a node in a file: hosts 0 .., then switches. Read back, a host may be several terminals, called "3/P2". */
static uint32_t number_of(const hf_topology *topo, uint32_t node) {
    return topo->label && topo->label[node] ? (uint32_t)strtoul(topo->label[node], NULL, 10)
           : node < topo->n_switch          ? topo->n_terminal + node
                                            : node - topo->n_switch;
}

static void expect_numbered(const hf_topology *topo, const hf_topology *back) {
    assert_int_equal(topo->n_switch, back->n_switch);
    assert_int_equal(topo->n_link, back->n_link);
    for (uint32_t l = 0; l < topo->n_link; l++) {
        const uint32_t a = topo->forward[l], b = back->forward[l];
        assert_int_equal(number_of(topo, topo->from[a]), number_of(back, back->from[b]));
        assert_int_equal(number_of(topo, topo->to[a]), number_of(back, back->to[b]));
        assert_int_equal(value(topo, "rate", l, 100000), value(back, "rate", l, HF_NONE));
        assert_int_equal(value(topo, "delay", l, 1000), value(back, "delay", l, HF_NONE));
    }
}

static const char *const with_rates[] = {"clos:tiers=2,radix=5,rates=25x100", "clos:tiers=3,radix=4,bundle=1x2,rates=10x10x10",
                                         "file:tests/fixtures/networks/htsim-two-pods.topo"};

static void all_for_hpcc(void **state) {
    (void)state;
    const size_t n_rates = sizeof with_rates / sizeof *with_rates;
    for (size_t i = 0; i < N_TOPOLOGY_SPEC + n_rates; i++) {
        pair p;
        open_pair(i < N_TOPOLOGY_SPEC ? topology_specs[i] : with_rates[i - N_TOPOLOGY_SPEC], "hpcc", hf_read_hpcc, &p);
        assert_int_equal(p.back != NULL, hf_topology_is_bidirectional(p.fx.topo));
        if (p.back && !p.fx.topo->label) {
            expect_numbered(p.fx.topo, p.back);
        } else if (p.back) {
            assert_true(p.back->n_switch == p.fx.topo->n_switch && p.back->n_link == p.fx.topo->n_link &&
                        p.back->n_terminal == p.fx.topo->n_terminal);
        }
        close_pair(&p);
    }
}

/* Numbers, hosts with several links, rates and delays are those of the file. */
static void files_stay(void **state) {
    (void)state;
    static const char *const files[] = {"file:tests/fixtures/networks/hpcc-leaf-spine.txt",
                                        "file:tests/fixtures/networks/simai-two-servers.txt"};
    for (size_t i = 0; i < 2; i++) {
        pair p;
        need_pair(files[i], "hpcc", hf_read_hpcc, &p);
        assert_int_equal(p.back->n_terminal, p.fx.topo->n_terminal);
        expect_numbered(p.fx.topo, p.back);
        for (uint32_t v = 0; v < p.back->n_node; v++) {
            assert_string_equal(p.fx.topo->label[v], p.back->label[v]);
        }
        close_pair(&p);
    }
}

/* A delay of 0 is one, beside others and alone; none at all is 1 us. */
static void delays(void **state) {
    (void)state;
#define NODE_LINK(a, b)                                                                                                          \
    "{\"nodes\": [{\"id\": 0}, {\"id\": 1, \"kind\": \"host\"}, {\"id\": 2, \"kind\": \"host\"}], "                              \
    "\"links\": [{\"source\": 1, \"target\": 0" a "}, {\"source\": 2, \"target\": 0" b "}]}"
#define HPCC(a, b) "3 1 2\n0\n1 0 100Gbps " a " 0\n2 0 100Gbps " b " 0\n"
    static const struct {
        fixture_reader read;
        const char *text, *hpcc;
    } cases[] = {
        {hf_read_hpcc, HPCC("0ns", "0"), HPCC("0ns", "0ns")},
        {hf_read_hpcc, HPCC("0s", "500ns"), HPCC("0ns", "500ns")},
        {hf_read_node_link, NODE_LINK("", ""), HPCC("1us", "1us")},
        {hf_read_node_link, NODE_LINK(", \"delay\": 0", ""), HPCC("0ns", "1us")},
        {hf_read_node_link, NODE_LINK(", \"rate\": 100000", ", \"delay\": 7"), HPCC("1us", "7ns")},
    };
    hf_context *cx = hf_context_new(NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hf_text text;
        hf_topology *topo = fixture_read_network(cx, cases[i].read, cases[i].text);
        hf_text_init(cx, &text);
        assert_int_equal(hf_format_hpcc(cx, topo, &text), HF_OK);
        assert_string_equal(text.data, cases[i].hpcc);
        hf_text_free(&text);
        hf_topology_free(topo);
    }
    hf_context_free(cx);
}

/* Tiers of which one says a delay of 0, and one none. */
static void delays_of_tiers(void **state) {
    (void)state;
    static const char head[] = "Nodes 4\nTiers 2\nPodsize 4\n"
                               "Tier 0\nDownlink_speed_Gbps 100\nRadix_Down 2\nRadix_Up 2\nDownlink_Latency_ns 0\n"
                               "Tier 1\nDownlink_speed_Gbps 100\nRadix_Down 2\n";
    hf_context *cx = hf_context_new(NULL);
    hf_text text;
    hf_topology *topo = fixture_read_network(cx, hf_read_htsim, head);
    hf_text_init(cx, &text);
    assert_int_equal(hf_format_htsim(cx, topo, &text), HF_OK);
    const char *second = strstr(text.data, "Tier 1");
    assert_non_null(second);
    assert_true(strstr(text.data, "Downlink_Latency_ns 0\n") < second);
    assert_non_null(strstr(text.data, "Downlink_Latency_ns 0\n"));
    assert_non_null(strstr(second, "Downlink_Latency_ns 1000\n"));
    hf_text_free(&text);
    hf_topology_free(topo);
    hf_context_free(cx);
}

static void servers(void **state) {
    (void)state;
    static const struct {
        const char *spec, *head;
    } nets[] = {{"rails:hosts=3,accelerators=2,unit=2,spines=1,relay=no", "14 2 3 5 16 NONE\n6 7 8 "},
                {"rails:hosts=2,accelerators=4,planes=2,spines=0,relay=no", "18 4 2 8 24 NONE\n8 9 "},
                {"file:tests/fixtures/networks/simai-two-servers.txt", NULL}};
    for (size_t i = 0; i < 3; i++) {
        pair p;
        need_pair(nets[i].spec, "simai", hf_read_hpcc, &p);
        if (nets[i].head && strncmp(p.text.data, nets[i].head, strlen(nets[i].head)) != 0) {
            fail_msg("%s", p.text.data);
        }
        expect_numbered(p.fx.topo, p.back);
        close_pair(&p);
    }
}

/* ---- ibsim ---- */

static uint32_t lowest_port(const hf_topology *topo, uint32_t begin, uint32_t end) {
    uint32_t least = 1;
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        if (topo->from[c] >= begin && topo->from[c] < end) {
            least = topo->from_port[c] < least ? topo->from_port[c] : least;
        }
    }
    return least;
}

/* Ports lead to the same ports, one higher where there is a port 0. */
static void expect_ports(const hf_topology *topo, const hf_topology *back) {
    const uint32_t at_switch = 1 - lowest_port(topo, 0, topo->n_switch),
                   at_host = 1 - lowest_port(topo, topo->n_switch, topo->n_node);
    assert_int_equal(topo->n_switch, back->n_switch);
    assert_int_equal(topo->n_channel, back->n_channel);
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        if (topo->from[c] >= topo->n_switch) {
            continue;
        }
        const uint32_t b = hf_topology_channel_at(back, topo->from[c], topo->from_port[c] + at_switch);
        assert_int_not_equal(b, HF_NONE);
        const bool is_host = topo->to[c] >= topo->n_switch;
        assert_int_equal(back->to_port[b], topo->to_port[c] + (is_host ? at_host : at_switch));
        assert_true(is_host || back->to[b] == topo->to[c]);
        assert_true(!is_host || topo->label || strtoul(back->label[back->to[b]] + 1, NULL, 10) == topo->to[c] - topo->n_switch);
    }
}

static void all_for_ibsim(void **state) {
    (void)state;
    for (size_t i = 0; i < N_TOPOLOGY_SPEC; i++) {
        pair p;
        open_pair(topology_specs[i], "ibsim", hf_read_ibnet, &p);
        assert_int_equal(p.back != NULL, hf_topology_is_bidirectional(p.fx.topo));
        if (p.back) {
            expect_ports(p.fx.topo, p.back);
        }
        close_pair(&p);
    }
}

static void fabrics_stay(void **state) {
    (void)state;
    static const char *const files[] = {"file:tests/fixtures/opensm/kary-2-3.ftree/ibnetdiscover.txt",
                                        "file:tests/fixtures/networks/ibsim-two-leaves.net"};
    for (size_t i = 0; i < 2; i++) {
        pair p;
        need_pair(files[i], "ibsim", hf_read_ibnet, &p);
        expect_ports(p.fx.topo, p.back);
        assert_int_equal(p.back->n_terminal, p.fx.topo->n_terminal);
        for (uint32_t v = 0; v < p.back->n_node; v++) {
            assert_string_equal(p.fx.topo->label[v], p.back->label[v]);
            assert_int_equal(p.fx.topo->lid_base ? p.fx.topo->lid_base[v] : 0, p.back->lid_base ? p.back->lid_base[v] : 0);
            assert_true((p.fx.topo->node_guid ? p.fx.topo->node_guid[v] : 0) == (p.back->node_guid ? p.back->node_guid[v] : 0));
        }
        close_pair(&p);
    }
}

/* ---- htsim ---- */

enum { FEW = 64 };

/* Channels of the shortest ways from terminal s, and how many such ways there are. */
static void ways_from(const hf_topology *topo, uint32_t s, uint32_t *distance, uint64_t *ways) {
    uint32_t queue[4 * FEW], n = 1;
    assert_true(topo->n_node <= 4 * FEW);
    memset(distance, 0xff, topo->n_node * sizeof *distance);
    memset(ways, 0, topo->n_node * sizeof *ways);
    queue[0] = topo->n_switch + s;
    distance[queue[0]] = 0;
    ways[queue[0]] = 1;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t v = queue[i];
        for (uint32_t k = topo->out_begin[v]; k < topo->out_begin[v + 1]; k++) {
            const uint32_t to = topo->to[topo->out_list[k]];
            if (distance[to] == HF_NONE) {
                distance[to] = distance[v] + 1;
                queue[n++] = to;
            }
            ways[to] += distance[to] == distance[v] + 1 ? ways[v] : 0;
        }
    }
}

/* The same ways between the same hosts, with the same switches, links and sum of rates. */
static void expect_tree(const hf_topology *topo, const hf_topology *back) {
    uint32_t here[4 * FEW], there[4 * FEW];
    uint64_t a[4 * FEW], b[4 * FEW], rates = 0, delays = 0;
    assert_int_equal(topo->n_switch, back->n_switch);
    assert_int_equal(topo->n_terminal, back->n_terminal);
    assert_int_equal(topo->n_link, back->n_link);
    for (uint32_t s = 0; s < topo->n_terminal; s++) {
        ways_from(topo, s, here, a);
        ways_from(back, s, there, b);
        for (uint32_t t = 0; t < topo->n_terminal; t++) {
            assert_int_equal(here[topo->n_switch + t], there[topo->n_switch + t]);
            assert_true(a[topo->n_switch + t] == b[topo->n_switch + t]);
        }
    }
    for (uint32_t l = 0; l < topo->n_link; l++) {
        rates += value(topo, "rate", l, 100000) - (uint64_t)value(back, "rate", l, HF_NONE);
        delays += value(topo, "delay", l, 1000) - (uint64_t)value(back, "delay", l, HF_NONE);
    }
    assert_true(rates == 0 && delays == 0);
}

static void fat_trees(void **state) {
    (void)state;
    static const char *const specs[] = {"kary-tree:k=2,n=2",
                                        "kary-tree:k=3,n=2",
                                        "kary-tree:k=2,n=3",
                                        "clos:tiers=2,radix=4,bundle=2",
                                        "clos:tiers=3,radix=4",
                                        "clos:tiers=3,radix=4,pods=2",
                                        "clos:tiers=3,radix=4,bundle=1x2",
                                        "clos:tiers=2,radix=8,oversubscription=3",
                                        "clos:tiers=2,radix=4,rates=40x40",
                                        "xgft:h=2,m=2x3,w=1x2"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        pair p;
        need_pair(specs[i], "htsim", hf_read_htsim, &p);
        expect_tree(p.fx.topo, p.back);
        close_pair(&p);
    }
}

/* Whatever is written is the network; and most families are not written. */
static void all_for_htsim(void **state) {
    (void)state;
    size_t written = 0;
    for (size_t i = 0; i < N_TOPOLOGY_SPEC; i++) {
        pair p;
        open_pair(topology_specs[i], "htsim", hf_read_htsim, &p);
        if (p.back) {
            expect_tree(p.fx.topo, p.back);
            written++;
        } else {
            assert_true(strstr(hf_context_message(p.fx.cx), "is no fat-tree of htsim: ") ||
                        !hf_topology_is_bidirectional(p.fx.topo));
        }
        close_pair(&p);
    }
    assert_true(written >= 6 && written < N_TOPOLOGY_SPEC / 2);
}

/* Two links of a fat-tree change ends: refused, or the network still. As links of HPCC, whose order of hosts stays. */
static void swapped_links(void **state) {
    (void)state;
    size_t refused = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        fixture fx;
        hf_text text, topo_text;
        hf_random random;
        fixture_open(&fx, seed % 2 ? "clos:tiers=3,radix=4" : "clos:tiers=3,radix=4,bundle=1x2", NULL, NULL);
        hf_random_init(&random, seed, HF_PURPOSE_TEST, 17);
        const uint32_t x = (uint32_t)hf_random_below(&random, fx.topo->n_switch_link);
        const uint32_t y = (uint32_t)hf_random_below(&random, fx.topo->n_switch_link);
        hf_text_init(fx.cx, &text);
        hf_text_init(fx.cx, &topo_text);
        hf_text_print(&text, "%u %u %u\n", fx.topo->n_node, fx.topo->n_switch, fx.topo->n_link);
        for (uint32_t v = 0; v < fx.topo->n_switch; v++) {
            hf_text_print(&text, "%u ", fx.topo->n_terminal + v);
        }
        for (uint32_t l = 0; l < fx.topo->n_link; l++) {
            const uint32_t upper = l == x ? y : l == y ? x : l;
            hf_text_print(&text, "\n%u %u 100Gbps 1us 0", number_of(fx.topo, fx.topo->from[fx.topo->forward[l]]),
                          number_of(fx.topo, fx.topo->to[fx.topo->forward[upper]]));
        }
        hf_topology *net = fixture_read_network(fx.cx, hf_read_hpcc, text.data);
        if (hf_format_htsim(fx.cx, net, &topo_text) == HF_OK) {
            hf_topology *back = fixture_read_network(fx.cx, hf_read_htsim, topo_text.data);
            expect_tree(net, back);
            hf_topology_free(back);
        } else {
            refused++;
        }
        hf_topology_free(net);
        hf_text_free(&text);
        hf_text_free(&topo_text);
        fixture_close(&fx);
    }
    assert_true(refused > 20 && refused < 60);
}

/* ---- refusals ---- */

/* \param[in] message a part of what the refusal says; NULL: the network is written */
static void expect_written(hf_context *cx, const hf_topology *topo, const char *format, const char *message) {
    hf_text text;
    hf_text_init(cx, &text);
    const hf_status status = hf_format_network(cx, topo, format, &text);
    if ((status == HF_OK) != !message || (message && !strstr(hf_context_message(cx), message))) {
        fail_msg("%s: %s", topo->spec, status == HF_OK ? text.data : hf_context_message(cx));
    }
    assert_true(status == HF_OK || text.size == 0);
    hf_text_free(&text);
}

/* A file of HPCC, and what another format says of its network. */
typedef struct nearly {
    const char *text, *message;
} nearly;

static void expect_all(const nearly *cases, size_t n, const char *format) {
    hf_context *cx = hf_context_new(NULL);
    for (size_t i = 0; i < n; i++) {
        hf_topology *topo = fixture_read_network(cx, hf_read_hpcc, cases[i].text);
        expect_written(cx, topo, format, cases[i].message);
        hf_topology_free(topo);
    }
    hf_context_free(cx);
}

static void refusals(void **state) {
    (void)state;
    static const struct {
        const char *spec, *format, *message;
    } cases[] = {
        {"omega:k=2,n=3", "hpcc", "has one direction; files of HPCC have links of both ways"},
        {"omega:k=2,n=3", "ibsim", "has one direction; nets of ibsim have links of both ways"},
        {"omega:k=2,n=3", "htsim", "has one direction; files of htsim have links of both ways"},
        {"complete:n=300", "ibsim", "would have port 300; nets of ibsim have ports up to 254"},
        {"kary-tree:k=2,n=1", "htsim", "it has one tier of switches; need two or three"},
        {"kary-tree:k=2,n=4", "htsim", "is not in one of three tiers above the hosts"},
        {"rails:hosts=2,accelerators=2,relay=no", "htsim", "does not hang on one switch by one link"},
        {"dragonfly-plus:p=1,leaves=2,spines=1,h=2", "htsim", "is joined to a switch of its own tier"},
        {"clos:tiers=2,radix=5,rates=25x100", "htsim", "4 links of 25 Gbit/s down and 1 of 100 up; need a whole number of times"},
        {"xgft:h=2,m=2x2,w=1x3", "htsim", "2 links of 100 Gbit/s down and 3 of 100 up; need a whole number of times"},
        {"file:tests/fixtures/networks/htsim-two-pods.topo", "htsim", "4 links of 100 Gbit/s down and 2 of 200 up"},
        {"kary-tree:k=2,n=2", "simai", "is not made of servers: t0 has no inner switch; "},
        {"rails:hosts=2,accelerators=2,relay=yes", "simai", "is not made of servers: t0 has no inner switch; "},
        {"kary-tree:k=2,n=2", "ns3",
         "no format of networks is called \"ns3\"; there are: graphml, node-link, anynet, hpcc, simai, htsim, "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture fx;
        fixture_open(&fx, cases[i].spec, NULL, NULL);
        expect_written(fx.cx, fx.topo, cases[i].format, cases[i].message);
        fixture_close(&fx);
    }
}

/* A file that is no fat-tree, by one thing each. */
static void nearly_fat_trees(void **state) {
    (void)state;
#define TWO_LEAVES "0 4 100Gbps 1us 0\n1 4 100Gbps 1us 0\n2 5 100Gbps 1us 0\n3 5 100Gbps 1us 0\n"
    static const nearly cases[] = {
        {"8 4 8\n4 5 6 7\n" TWO_LEAVES "4 6 100Gbps 1us 0\n4 7 100Gbps 1us 0\n5 6 100Gbps 1us 0\n5 7 50Gbps 1us 0\n",
         "5:3-7:1 has a rate of 50000; need one for all links below a tier"},
        {"8 4 8\n4 5 6 7\n" TWO_LEAVES "4 6 100Gbps 1us 0\n4 7 100Gbps 1us 0\n5 6 100Gbps 2us 0\n5 7 100Gbps 1us 0\n",
         "5:2-6:1 has a delay of 2000; need one for all links below a tier"},
        {"8 4 8\n4 5 6 7\n" TWO_LEAVES "4 6 2500Mbps 1us 0\n4 7 100Gbps 1us 0\n5 6 100Gbps 1us 0\n5 7 100Gbps 1us 0\n",
         "4:2-6:0 has a rate of 2500; need whole Gbit/s"},
        {"8 4 8\n4 5 6 7\n" TWO_LEAVES "4 6 100Gbps 1us 0\n4 6 100Gbps 1us 0\n5 6 100Gbps 1us 0\n5 7 100Gbps 1us 0\n",
         "has another number of links"},
        {"8 4 7\n4 5 6 7\n" TWO_LEAVES "4 6 100Gbps 1us 0\n5 6 100Gbps 1us 0\n5 7 100Gbps 1us 0\n",
         "5 has another number of links up than others of its tier"},
        {"8 4 8\n4 5 6 7\n0 4 1Gbps 1us 0\n2 4 1Gbps 1us 0\n1 5 1Gbps 1us 0\n3 5 1Gbps 1us 0\n"
         "4 6 1Gbps 1us 0\n4 7 1Gbps 1us 0\n5 6 1Gbps 1us 0\n5 7 1Gbps 1us 0\n",
         "1 is not at the switch of the host before; hosts of a switch follow one another"},
        {"8 4 8\n4 5 6 7\n" TWO_LEAVES "4 6 1Gbps 1us 0\n4 6 1Gbps 1us 0\n5 7 1Gbps 1us 0\n5 7 1Gbps 1us 0\n",
         "two tiers are one pod"},
        /* Four pods of a tor and two aggs; one core joins both aggs of pods 0 and 3, the other those of 1 and 2: 0 + 0 + 3 + 3 is
         * as much as 0 + 1 + 2 + 3. */
        {"22 14 24\n8 9 10 11 12 13 14 15 16 17 18 19 20 21\n0 8 1Gbps 1us 0\n1 8 1Gbps 1us 0\n2 9 1Gbps 1us 0\n3 9 1Gbps 1us 0\n"
         "4 10 1Gbps 1us 0\n5 10 1Gbps 1us 0\n6 11 1Gbps 1us 0\n7 11 1Gbps 1us 0\n8 12 1Gbps 1us 0\n8 13 1Gbps 1us 0\n9 14 1Gbps "
         "1us 0\n"
         "9 15 1Gbps 1us 0\n10 16 1Gbps 1us 0\n10 17 1Gbps 1us 0\n11 18 1Gbps 1us 0\n11 19 1Gbps 1us 0\n12 20 1Gbps 1us 0\n13 20 "
         "1Gbps 1us 0\n"
         "18 20 1Gbps 1us 0\n19 20 1Gbps 1us 0\n14 21 1Gbps 1us 0\n15 21 1Gbps 1us 0\n16 21 1Gbps 1us 0\n17 21 1Gbps 1us 0\n",
         "20 joins two aggs of one pod"},
    };
    expect_all(cases, sizeof cases / sizeof *cases, "htsim");
}

/* Hosts 0 to 3, of which 4 (and 5) join some, and 6 all; what is no row of servers, by one thing each. */
static void nearly_servers(void **state) {
    (void)state;
#define L(a, b) a " " b " 1Gbps 1us 0\n"
#define ALL L("0", "6") L("1", "6") L("2", "6") L("3", "6")
    static const nearly cases[] = {
        {"7 3 8\n4 5 6\n" L("0", "4") L("1", "4") L("2", "5") L("3", "5") ALL, NULL},
        {"7 3 8\n4 5 6\n" L("0", "4") L("1", "4") L("0", "5") L("1", "5") ALL, ": 5 is a second inner switch of its hosts; "},
        {"7 3 7\n4 5 6\n" L("0", "4") L("1", "4") L("2", "5") ALL, ": 2 has no inner switch; "},
        {"7 3 7\n4 5 6\n" L("0", "4") L("1", "4") L("2", "4") L("0", "6") L("1", "6") L("2", "6") L("3", "5"),
         ": 3 is of a smaller group than the first host; "},
    };
    expect_all(cases, sizeof cases / sizeof *cases, "simai");
}

typedef struct written {
    const char *format, *spec;
} written;

static hf_status write_one(hf_context *cx, void *user) {
    const written *of = user;
    hf_topology *topo = NULL;
    hf_text text;
    hf_text_init(cx, &text);
    hf_status status = hf_topology_new(cx, of->spec, &topo);
    status = status == HF_OK ? hf_format_network(cx, topo, of->format, &text) : status;
    hf_text_free(&text);
    hf_topology_free(topo);
    return status;
}

static void allocations_fail(void **state) {
    (void)state;
    static const char clos[] = "clos:tiers=3,radix=4", servers[] = "rails:hosts=2,accelerators=2,unit=2,spines=1,relay=no";
    written all[] = {{"hpcc", clos}, {"htsim", clos}, {"ibsim", clos}, {"simai", servers}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        assert_true(failing_sweep(all[i].format, write_one, &all[i]) > 10);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_for_hpcc),     cmocka_unit_test(files_stay),       cmocka_unit_test(servers),
        cmocka_unit_test(all_for_ibsim),    cmocka_unit_test(fabrics_stay),     cmocka_unit_test(fat_trees),
        cmocka_unit_test(all_for_htsim),    cmocka_unit_test(swapped_links),    cmocka_unit_test(refusals),
        cmocka_unit_test(nearly_fat_trees), cmocka_unit_test(nearly_servers),   cmocka_unit_test(delays),
        cmocka_unit_test(delays_of_tiers),  cmocka_unit_test(allocations_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
