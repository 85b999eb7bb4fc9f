/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Routing by tables: real OpenSM tables deliver every pair in the hops that OpenSM printed; LMC, service levels and lanes; our
 *  own CSV; refusals with file and line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/routing/table/table.h"
#include "tests/oracle/fixture.h"
#include "tests/support/failing.h"
#include "tests/support/folder.h"

#define FABRICS "tests/fixtures/opensm/"

/* ---- packets ---- */

enum { LENGTH_MAX = 64 };

/* A plan without faults. */
typedef struct packet_scene {
    fixture fx;
    hf_fault_set none;
    hf_plan plan;
    hf_hop *hops;
} packet_scene;

static void open_scene(packet_scene *s, const char *topo, const char *rule) {
    fixture_open(&s->fx, topo, NULL, rule);
    fixture_plan(&s->fx, "", &s->none, &s->plan);
    void *block;
    fixture_ok(&s->fx, hf_scratch(s->fx.cx, s->plan.max_hops, sizeof *s->hops, &block));
    s->hops = block;
}

/* Follow the first hop from (at, in). \param[out] path the hops taken \return their number; 0 if the packet does not arrive */
static size_t follow(packet_scene *s, uint32_t at, hf_hop in, uint32_t destination, hf_hop *path) {
    const hf_topology *topo = s->fx.topo;
    size_t length = 0;
    while (at != topo->n_switch + destination && length < LENGTH_MAX) {
        if (hf_plan_route(&s->plan, at, in, destination, s->hops) == 0) {
            return 0;
        }
        in = path[length++] = s->hops[0];
        at = topo->to[in.channel];
    }
    return at == topo->n_switch + destination ? length : 0;
}

/* Channels from `source` to `destination` by the injection hop number `choice`. */
static size_t length_of(packet_scene *s, uint32_t source, uint32_t destination, size_t choice, hf_hop *path) {
    const uint32_t at = s->fx.topo->n_switch + source;
    const size_t n = hf_plan_route(&s->plan, at, HF_HOP_INJECTION, destination, s->hops);
    if (choice >= n) {
        return 0;
    }
    path[0] = s->hops[choice];
    const size_t rest = follow(s, s->fx.topo->to[path[0].channel], path[0], destination, path + 1);
    return rest ? rest + 1 : 0;
}

/* ---- the fabrics ---- */

static const char *const fabrics[] = {"kary-2-3.ftree",   "kary-4-3.ftree", "mesh-8x8.dor",   "mesh-8x8.minhop",
                                      "torus-4x4.minhop", "torus-4x4.lash", "torus-4x4x4.dor"};

/* Every pair arrives, both formats are one relation, and a packet takes the hops that opensm.fdbs tells. */
static void check_fabric(const char *folder) {
    packet_scene lfts, fdbs;
    char topo[200], rule[200];
    hf_hop a[LENGTH_MAX] = {{0}}, b[LENGTH_MAX] = {{0}};
    (void)snprintf(topo, sizeof topo, "file:" FABRICS "%s/ibnetdiscover.txt", folder);
    (void)snprintf(rule, sizeof rule, "table:" FABRICS "%s/opensm-lfts.dump", folder);
    open_scene(&lfts, topo, rule);
    (void)snprintf(rule, sizeof rule, "table:" FABRICS "%s/opensm.fdbs", folder);
    open_scene(&fdbs, topo, rule);
    assert_int_equal(lfts.plan.n_vc, 1);
    for (uint32_t s = 0; s < lfts.fx.topo->n_terminal; s++) {
        for (uint32_t d = 0; d < lfts.fx.topo->n_terminal; d++) {
            if (s == d) {
                continue;
            }
            const size_t length = length_of(&lfts, s, d, 0, a);
            assert_true(length >= 2);
            assert_int_equal(length_of(&fdbs, s, d, 0, b), length);
            for (size_t i = 0; i < length; i++) {
                assert_int_equal(a[i].channel, b[i].channel);
            }
        }
    }
    fixture_close(&lfts.fx);
    fixture_close(&fdbs.fx);
}

static void fabrics_deliver(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof fabrics / sizeof *fabrics; i++) {
        check_fabric(fabrics[i]);
    }
}

/* opensm.fdbs tells the hops from a switch to a LID. They are those of shortest paths, which these engines take. */
static void hops_are_those_of_the_file(void **state) {
    (void)state;
    static const char *const shortest[] = {"kary-2-3.ftree", "kary-4-3.ftree", "mesh-8x8.dor", "mesh-8x8.minhop",
                                           "torus-4x4.minhop"};
    for (size_t i = 0; i < sizeof shortest / sizeof *shortest; i++) {
        packet_scene s;
        char topo[200], rule[300], path[200], *text, *line, *rest = NULL;
        hf_hop hops[LENGTH_MAX] = {{0}};
        uint32_t at = HF_NONE, checked = 0;
        size_t size;
        (void)snprintf(topo, sizeof topo, "file:" FABRICS "%s/ibnetdiscover.txt", shortest[i]);
        (void)snprintf(path, sizeof path, FABRICS "%s/opensm.fdbs", shortest[i]);
        (void)snprintf(rule, sizeof rule, "table:%s", path);
        open_scene(&s, topo, rule);
        text = folder_read(path, &size);
        for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
            unsigned long long guid;
            unsigned lid, port, n;
            if (sscanf(line, "dump_ucast_routes: Switch 0x%llx", &guid) == 1) {
                at = hf_forwarding_switch(s.fx.topo, guid);
            } else if (sscanf(line, "0x%x : %u : %u", &lid, &port, &n) == 3) {
                for (uint32_t d = 0; d < s.fx.topo->n_terminal; d++) {
                    if (s.fx.topo->lid_base[s.fx.topo->n_switch + d] == lid) {
                        const hf_hop in = {s.fx.topo->in_list[s.fx.topo->in_begin[at]], 0, 0};
                        assert_int_equal(follow(&s, at, in, d, hops), n);
                        checked++;
                    }
                }
            }
        }
        assert_int_equal(checked, s.fx.topo->n_switch * s.fx.topo->n_terminal);
        free(text);
        fixture_close(&s.fx);
    }
}

/* ---- files made here ---- */

/* Two switches a and b, joined twice; host x on a, host y (LIDs 4..7) on b. */
static const char small_net[] = "switchguid=0xa(a)\nSwitch\t4 \"S-a\"\t# \"a\" base port 0 lid 1 lmc 0\n"
                                "[1]\t\"H-10\"[1](11) \t# \"x\" lid 3 4xSDR\n[2]\t\"S-b\"[2]\t# \"b\" lid 2 4xSDR\n"
                                "[3]\t\"S-b\"[3]\t# \"b\" lid 2 4xSDR\n"
                                "switchguid=0xb(b)\nSwitch\t4 \"S-b\"\t# \"b\" base port 0 lid 2 lmc 0\n"
                                "[1]\t\"H-20\"[1](21) \t# \"y\" lid 4 4xSDR\n[2]\t\"S-a\"[2]\t# \"a\" lid 1 4xSDR\n"
                                "[3]\t\"S-a\"[3]\t# \"a\" lid 1 4xSDR\n"
                                "caguid=0x10\nCa\t1 \"H-10\"\t# \"x\"\n[1](11) \t\"S-a\"[1]\t# lid 3 lmc 0 \"a\" lid 1 4xSDR\n"
                                "caguid=0x20\nCa\t1 \"H-20\"\t# \"y\"\n[1](21) \t\"S-b\"[1]\t# lid 4 lmc 2 \"b\" lid 2 4xSDR\n";
static const char small_lfts[] = "Unicast lids [0x0-0x7] of switch Lid 1 guid 0x000000000000000a (a):\n"
                                 "  Lid  Out   Destination\n       Port     Info \n"
                                 "0x0002 002 : (Switch portguid 0xb: 'b')\n0x0003 001 : (Channel Adapter)\n"
                                 "0x0004 002\n0x0005 003\n0x0006 002\n0x0007 255\n7 valid lids dumped \n"
                                 "Unicast lids [0x0-0x7] of switch Lid 2 guid 0x000000000000000b (b):\n"
                                 "0x0001 002\n0x0003 003\n0x0004 001\n0x0005 001\n0x0006 001\n0x0007 001\n7 lids dumped\n";

/* Files of one test. */
typedef struct files {
    char folder[256], net[300], table[300], sl[300], sl2vl[300];
} files;

static void write_files(files *f, const char *net, const char *table, const char *sl, const char *sl2vl) {
    folder_open(f->folder, sizeof f->folder);
    folder_write(folder_file(f->folder, "net", f->net, sizeof f->net), net, strlen(net));
    folder_write(folder_file(f->folder, "table", f->table, sizeof f->table), table, strlen(table));
    folder_write(folder_file(f->folder, "sl", f->sl, sizeof f->sl), sl, strlen(sl));
    folder_write(folder_file(f->folder, "sl2vl", f->sl2vl, sizeof f->sl2vl), sl2vl, strlen(sl2vl));
}

static void open_files(files *f, packet_scene *s, const char *more) {
    char topo[400], rule[1200];
    (void)snprintf(topo, sizeof topo, "file:%s", f->net);
    (void)snprintf(rule, sizeof rule, "table:%s%s", f->table, more);
    open_scene(s, topo, rule);
}

/* A source chooses one of the four LIDs of y; the last one leads nowhere. */
static void lmc_gives_paths(void **state) {
    (void)state;
    files f;
    packet_scene s;
    hf_hop path[LENGTH_MAX] = {{0}};
    write_files(&f, small_net, small_lfts, "", "");
    open_files(&f, &s, "");
    assert_int_equal(s.plan.max_hops, 4);
    static const uint32_t port[] = {2, 3, 2};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(length_of(&s, 0, 1, i, path), 3);
        assert_int_equal(s.fx.topo->from_port[path[1].channel], port[i]);
        assert_int_equal(path[1].tag, i);
    }
    assert_int_equal(length_of(&s, 0, 1, 3, path), 0);
    assert_int_equal(length_of(&s, 1, 0, 0, path), 3);
    assert_int_equal(s.fx.topo->from_port[path[1].channel], 3);
    fixture_close(&s.fx);
    folder_close(f.folder);
}

/* From x, LID 4 has level 0, LID 5 level 1, LID 6 level 2 which the adapter drops; switch a moves level 1 to lane 3. */
static void levels_and_lanes(void **state) {
    (void)state;
    static const char *const sl[] = {
        "# of ibdmchk\n0x0000000000000011 5 1\n0x0000000000000010 6 2\n",
        "Channel Adapter 0x0000000000000011, base LID 3, \"x\"\n# LID : SL\n0x0005 : 1\n0x0006 : 2\n"};
    static const char *const sl2vl[] = {
        "0x000000000000000a 1 3 0x03 0x23 0x45 0x67 0x89 0xab 0xcd 0xef\n"
        "0x0000000000000011 0 0 0x01 0xf3 0x45 0x67 0x89 0xab 0xcd 0xef\n",
        "Switch 0x000000000000000a, base LID 1, \"a\"\n#in out : 0 1 2\n#----\n"
        "1   3   : 0  3  2  3  4  5  6  7  8  9  10 11 12 13 14 15\n#----\n\n"
        "Channel Adapter 0x0000000000000011, base LID 3, \"x\"\n0   0   : 0  1  15 3  4  5  6  7  8  9  10 11 12 13 14 15\n"};
    for (size_t form = 0; form < 2; form++) {
        files f;
        packet_scene s;
        hf_hop path[LENGTH_MAX] = {{0}};
        char more[700];
        write_files(&f, small_net, small_lfts, sl[form], sl2vl[form]);
        (void)snprintf(more, sizeof more, ",sl=%s", f.sl);
        open_files(&f, &s, more);
        assert_int_equal(s.plan.n_vc, 3);
        assert_int_equal(length_of(&s, 0, 1, 2, path), 3);
        assert_int_equal(path[0].vc, 2);
        fixture_close(&s.fx);
        (void)snprintf(more, sizeof more, ",sl=%s,sl2vl=%s", f.sl, f.sl2vl);
        open_files(&f, &s, more);
        assert_int_equal(s.plan.n_vc, 4);
        assert_int_equal(hf_plan_route(&s.plan, 2, HF_HOP_INJECTION, 1, s.hops), 3); /* LID 6 is dropped */
        assert_int_equal(length_of(&s, 0, 1, 1, path), 3);
        assert_int_equal(path[0].vc, 1);
        assert_int_equal(path[1].vc, 3);
        assert_int_equal(path[2].vc, 1);
        fixture_close(&s.fx);
        folder_close(f.folder);
    }
}

/* ---- our own tables ---- */

#define HEADER "switch,in-port,in-vc,destination,out-port,out-vc\n"
#define TAGGED "switch,in-port,in-vc,destination,out-port,out-vc,source,in-tag\n"

static void csv_rows(void **state) {
    (void)state;
    files f;
    packet_scene s;
    write_files(&f, "0 1\n1 2\n2 0\n",
                "# a ring of three, t0 to t1 both ways round\n" HEADER "s0, *, *, t1, 0, 0\n"
                "s0,*,*,t1,1,1\ns0,2,*,t1,1,1\ns2,*,1,t1,0,1\ns2,*,0,t1,1,0\nt2,*,*,t1,0,1\n",
                "", "");
    open_files(&f, &s, "");
    const hf_topology *topo = s.fx.topo;
    assert_int_equal(s.plan.n_vc, 2);
    assert_int_equal(s.plan.max_hops, 3);
    assert_int_equal(hf_plan_route(&s.plan, topo->n_switch, HF_HOP_INJECTION, 1, s.hops), 1); /* t0 has no rows */
    const hf_hop in = s.hops[0];
    assert_int_equal(in.vc, 0);
    assert_int_equal(hf_plan_route(&s.plan, 0, in, 1, s.hops), 2); /* the third row repeats the second */
    assert_int_equal(s.hops[0].channel, hf_topology_channel_at(topo, 0, 0));
    assert_int_equal(s.hops[1].channel, hf_topology_channel_at(topo, 0, 1));
    assert_int_equal(s.hops[1].vc, 1);
    const hf_hop round = s.hops[1];
    assert_int_equal(hf_plan_route(&s.plan, 2, round, 1, s.hops), 1);
    assert_int_equal(s.hops[0].channel, hf_topology_channel_at(topo, 2, 0));
    assert_int_equal(hf_plan_route(&s.plan, 1, s.hops[0], 1, s.hops), 1); /* s1 has no rows and delivers */
    assert_int_equal(topo->to[s.hops[0].channel], topo->n_switch + 1);
    assert_int_equal(hf_plan_route(&s.plan, topo->n_switch + 2, HF_HOP_INJECTION, 1, s.hops), 1);
    assert_int_equal(s.hops[0].vc, 1);
    assert_int_equal(hf_plan_route(&s.plan, 0, in, 2, s.hops), 0); /* nothing for t2 at s0 */
    fixture_close(&s.fx);
    folder_close(f.folder);
}

/* Next hops by names in quotes; all links to the next hop; a switch as destination stands for its terminals. */
static void next_hops(void **state) {
    (void)state;
    files f;
    packet_scene s;
    hf_hop path[LENGTH_MAX];
    write_files(&f, "\"leaf 1\",spine\n\"leaf 1\",spine\nspine,leaf2\n",
                "switch,destination,next-hop\n\"leaf 1\",leaf2,spine\nspine, leaf2, leaf2\n"
                "spine,t0,\"leaf 1\" # back\nleaf2,t0,spine\nleaf2,leaf2,spine\n",
                "", "");
    open_files(&f, &s, "");
    assert_int_equal(s.plan.n_vc, 1);
    assert_int_equal(length_of(&s, 0, 2, 0, path), 4); /* t0 "leaf 1" spine leaf2 t2 */
    assert_int_equal(hf_plan_route(&s.plan, 0, path[0], 2, s.hops), 2);
    assert_int_equal(length_of(&s, 2, 0, 0, path), 4);
    assert_int_equal(hf_plan_route(&s.plan, 1, path[1], 0, s.hops), 2);
    assert_int_equal(length_of(&s, 0, 1, 0, path), 0); /* no rows for the terminal of the spine */
    fixture_close(&s.fx);
    folder_close(f.folder);
}

/* On a ring of four: whoever comes from t0 goes one way round, all others the other; a header that has passed s2 is marked, and
 * marked packets change to the second virtual channel. */
static void csv_tags_and_sources(void **state) {
    (void)state;
    files f;
    packet_scene s;
    hf_hop path[LENGTH_MAX];
    write_files(&f, "0 1\n1 2\n2 3\n3 0\n",
                "switch,in-port,in-vc,destination,out-port,out-vc,out-tag,source,in-tag\n"
                "s0,*,*,t3,0,0,*,t0,*\ns1,*,*,t3,1,0,1,t0,0\ns2,*,*,t3,1,1,*,*,1\ns2,*,*,t3,1,0,*,*,0\n"
                "s1,*,*,t3,0,0,*,t1,*\ns0,*,*,t3,1,0,*,t1,0\n",
                "", "");
    open_files(&f, &s, "");
    assert_int_equal(s.plan.n_vc, 2);
    assert_int_equal(length_of(&s, 0, 3, 0, path), 5); /* t0 s0 s1 s2 s3 t3 */
    const uint32_t vcs[] = {0, 0, 0, 1, 0}, tags[] = {0, 0, 1, 1, 1};
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(path[i].vc, vcs[i]);
        assert_int_equal(path[i].tag, tags[i]);
    }
    assert_int_equal(length_of(&s, 1, 3, 0, path), 4); /* t1 s1 s0 s3 t3 */
    assert_int_equal(path[1].tag, 1 * 2 + 0);
    assert_int_equal(length_of(&s, 2, 3, 0, path), 3); /* from t2 with tag 0 */
    assert_int_equal(length_of(&s, 1, 2, 0, path), 0); /* no rows for t2 */
    fixture_close(&s.fx);
    folder_close(f.folder);
}

/* ---- adaptive routing ---- */

/* Ports of the shortest ways from a switch to a terminal. */
static uint32_t list_ports(packet_scene *minimal, uint32_t sw, uint32_t terminal, uint32_t *port) {
    hf_hop hops[LENGTH_MAX] = {{0}};
    assert_true(minimal->plan.max_hops <= LENGTH_MAX);
    const uint32_t n = (uint32_t)hf_plan_route(&minimal->plan, sw, (hf_hop){0, 0, 0}, terminal, hops);
    for (uint32_t i = 0; i < n; i++) {
        port[i] = minimal->fx.topo->from_port[hops[i].channel];
    }
    return n;
}

/* A file of ibdiagnet with the shortest ways as groups: one for each LID, in two sub groups where there are several ports. In
 * plane 1 every LID has the last of them alone. */
static void print_far(packet_scene *minimal, hf_text *out) {
    const hf_topology *topo = minimal->fx.topo;
    uint32_t port[LENGTH_MAX] = {0}, n;
    hf_text_print(out, "# made by the test\nFile version: 1\n");
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        hf_text_print(
            out, "\nSwitch 0x%016llx\nAR enabled: 1, en_sl: 0xffff\n\nGroups Definition:\nGroup\tSub Group\tWHBF\tPorts\n-----\n",
            (unsigned long long)topo->node_guid[v]);
        for (uint32_t t = 0; t < topo->n_terminal; t++) {
            n = list_ports(minimal, v, t, port);
            for (uint32_t half = 0; half < (n > 1 ? 2u : 1u); half++) {
                hf_text_print(out, "%u\t%u\t0\t", (unsigned)(t + 1), (unsigned)half);
                for (uint32_t i = half; i<n; i += n> 1 ? 2 : 1) {
                    hf_text_print(out, "%u,", (unsigned)port[i]);
                }
                hf_text_print(out, "\n");
            }
        }
        for (uint32_t plane = 0; plane < 2; plane++) {
            hf_text_print(out, "\nLFT Definition:\nPLFT_NUM: %u, top: 0xbfff\nLID\tStatic Port\tLid State\tGroup\n-----\n",
                          (unsigned)plane);
            for (uint32_t t = 0; t < topo->n_terminal; t++) {
                n = list_ports(minimal, v, t, port);
                hf_text_print(out, "0x%04x\t%u\t%s\t%u\n", (unsigned)topo->lid_base[topo->n_switch + t],
                              (unsigned)(plane            ? port[n - 1]
                                         : t % 2 && n > 1 ? 255
                                                          : port[0]),
                              plane || n == 1 ? "Static"
                              : t % 3         ? "Free"
                                              : "HBF",
                              (unsigned)(plane || n == 1 ? 0 : t + 1));
            }
        }
    }
}

/* The hops at every switch are those of the shortest ways; in plane 1 the last of them. */
static void adaptive_groups(void **state) {
    (void)state;
    static const char *const nets[] = {"kary-2-3.ftree", "torus-4x4.minhop"};
    for (size_t i = 0; i < 2; i++) {
        char folder[256], file[300], net[200], rule[400];
        packet_scene minimal, far[2];
        (void)snprintf(net, sizeof net, "file:" FABRICS "%s/ibnetdiscover.txt", nets[i]);
        open_scene(&minimal, net, "minimal");
        folder_open(folder, sizeof folder);
        folder_file(folder, "ibdiagnet2.far", file, sizeof file);
        hf_text text;
        hf_text_init(minimal.fx.cx, &text);
        print_far(&minimal, &text);
        folder_write(file, text.data, text.size);
        hf_text_free(&text);
        for (int plane = 0; plane < 2; plane++) {
            (void)snprintf(rule, sizeof rule, "table:%s,plane=%d", file, plane);
            open_scene(&far[plane], net, rule);
        }
        for (uint32_t v = 0; v < minimal.fx.topo->n_switch; v++) {
            for (uint32_t t = 0; t < minimal.fx.topo->n_terminal; t++) {
                uint32_t port[LENGTH_MAX] = {0}, last[LENGTH_MAX] = {0};
                const uint32_t n = list_ports(&minimal, v, t, port);
                assert_int_equal(list_ports(&far[1], v, t, last), 1);
                assert_int_equal(last[0], port[n - 1]);
                assert_int_equal(list_ports(&far[0], v, t, last), n);
                for (uint32_t p = 0; p < n; p++) {
                    bool found = false;
                    for (uint32_t q = 0; q < n; q++) {
                        found |= last[q] == port[p];
                    }
                    assert_true(found);
                }
            }
        }
        fixture_close(&far[0].fx);
        fixture_close(&far[1].fx);
        fixture_close(&minimal.fx);
        folder_close(folder);
    }
}

/* ---- refusals ---- */

#define FAR "File version: 1\nSwitch 0xa\nGroups Definition:\n"

static void refusals(void **state) {
    (void)state;
    static const char ring[] = "0 1\n1 2\n2 0\n";
    static const struct {
        const char *net, *table, *sl, *sl2vl, *message;
    } cases[] = {
        {ring, "hello\n", NULL, NULL, "not a table that is known"},
        {ring, small_lfts, NULL, NULL, "a table by LID needs a topology with LIDs"},
        {ring, HEADER, NULL, NULL, "no row in it"},
        {ring, "switch,out\n", NULL, NULL, "line 1: the first line must be the header"},
        {ring, HEADER "s0,*,*,t1,0\n", NULL, NULL, "line 2: the line has 5 fields; need 6"},
        {ring, "switch,in-port,in-vc,destination,out-port,out-vc,tag\n", NULL, NULL,
         "which source, in-tag and out-tag may follow"},
        {ring, "switch,in-port,in-vc,destination,out-port,out-vc,source,source\n", NULL, NULL, "line 1: the first line must be"},
        {ring, TAGGED "s0,*,*,t1,0,0,s1,0\n", NULL, NULL, "line 2: the source \"s1\" is a switch"},
        {ring, TAGGED "s0,*,*,t1,0,0,*,65536\n", NULL, NULL,
         "line 2: \"65536\" is not a tag; need a number from 0 to 65535 or *"},
        {ring, HEADER "s9,*,*,t1,0,0\n", NULL, NULL, "line 2: \"s9\" is not in"},
        {ring, "switch,destination,next-hop\ns0,t1\n", NULL, NULL, "line 2: the line has 2 fields; need 3"},
        {ring, "switch,destination,next-hop\ns0,t1,t1\n", NULL, NULL, "line 2: no link leads from s0 to t1; need a neighbour"},
        {ring, "switch,destination,next-hop\ns0,s0,s1\n", NULL, NULL, "no row in it"},
        {ring, HEADER "s0,*,*,s1,0,0\n", NULL, NULL, "line 2: the destination \"s1\" is a switch"},
        {ring, HEADER "s0:1,*,*,t1,0,0\n", NULL, NULL, "line 2: \"s0:1\" is not a node"},
        {ring, HEADER "s0,7,*,t1,0,0\n", NULL, NULL, "line 2: nothing comes in at port 7 of s0"},
        {ring, HEADER "s0,*,*,t1,7,0\n", NULL, NULL, "line 2: nothing goes out at port 7 of s0"},
        {ring, HEADER "s0,*,x,t1,0,0\n", NULL, NULL, "line 2: \"x\" is not a virtual channel"},
        {ring, HEADER "s0,*,*,t1,0,*\n", NULL, NULL, "line 2: \"*\" is not a virtual channel"},
        {ring, HEADER "s0,*,*,t1,0,0\n", "", NULL, "service levels go with tables by LID"},
        {small_net, "Unicast lids of guid 0xff\n", NULL, NULL, "line 1: the switch with GUID 0xff is not in the topology"},
        {small_net, "Unicast lids of guid zz\n", NULL, NULL, "line 1: \"zz\" is not a GUID"},
        {small_net, "Unicast lids\n", NULL, NULL, "line 1: no GUID of a switch"},
        {small_net, "Unicast lids of guid 0xa\n0x0003 x\n", NULL, NULL, "line 2: \"x\" is not an output port"},
        {small_net, "Unicast lids of guid 0xa\n0x0033 1\n", NULL, NULL, "line 2: LID 0x0033 is not in the topology"},
        {small_net, "Unicast lids of guid 0xa\n0x0003 1\n0x0003 2\n", NULL, NULL, "line 3: LID 0x0003 has port 1 already"},
        {small_net, "Unicast lids of guid 0xa\n0x0003 1\n", NULL, NULL, "no table for switch s1 (GUID 0xb)"},
        {small_net, "Unicast lids of guid 0xa\nhello\n", NULL, NULL, "line 2: \"hello\" is not of a forwarding table"},
        {small_net, "dump_ucast_routes: Switch 0xa\n0x0003 001\n", NULL, NULL, "line 2: no \":\" behind LID 0x0003"},
        {small_net, "dump_ucast_routes: Switch 0xa\n0x10000 : 001\n", NULL, NULL, "line 2: \"0x10000\" is not a LID"},
        {small_net, FAR "1 0 0 2,3,\nhello\n", NULL, NULL, "line 5: \"hello\" is not of ibdiagnet2.far"},
        {small_net, FAR "1 0\n", NULL, NULL, "line 4: group 1 ends here; need group, sub group, WHBF and ports"},
        {small_net, FAR "1 0 0 2,255\n", NULL, NULL, "line 4: \"255\" is not a port; need 1 to 254"},
        {small_net, FAR "1 0 0 2,\nLFT Definition:\n0x0003 1 Free 2\n", NULL, NULL, "line 6: group 2 of LID 0x0003 is not among"},
        {small_net, FAR "LFT Definition:\n0x0003 1 Open 0\n", NULL, NULL, "line 5: LID 0x0003 has no state behind its port"},
        {small_net, FAR "LFT Definition:\nPLFT_NUM: 8\n", NULL, NULL, "line 5: PLFT_NUM needs a number from 0 to 7"},
        {small_net, FAR "LFT Definition:\n0x0003 1 Static 0\n", NULL, NULL, "no table for switch s1 (GUID 0xb)"},
        {small_net, small_lfts, "0xff 3 1\n", NULL, "line 1: GUID 0xff is not in the topology"},
        {small_net, small_lfts, "0x11 99 1\n", NULL, "line 1: LID 99 is not in the topology"},
        {small_net, small_lfts, "0x11 4 16\n", NULL, "line 1: \"16\" is not a service level"},
        {small_net, small_lfts, "0x0004 : 1\n", NULL, "line 1: a service level for \"0x0004\" before any source"},
        {small_net, small_lfts, NULL, "1 3 : 0\n", "line 1: \"1 3 : 0\" before any switch or adapter"},
        {small_net, small_lfts, NULL, "0xa 1 3 0x01\n", "line 1: need eight bytes"},
        {small_net, small_lfts, NULL, "Switch 0xa, x\n1 3 : 0 16\n", "line 2: \"16\" is not a virtual lane"},
        {small_net, small_lfts, NULL, "Switch nothing\n", "line 1: \"Switch nothing\" names no GUID"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        files f;
        fixture fx = {.cx = NULL};
        char topo[400], rule[1200];
        write_files(&f, cases[i].net, cases[i].table, cases[i].sl ? cases[i].sl : "", cases[i].sl2vl ? cases[i].sl2vl : "");
        (void)snprintf(topo, sizeof topo, "file:%s", f.net);
        (void)snprintf(rule, sizeof rule, "table:%s%s%s%s%s", f.table, cases[i].sl ? ",sl=" : "", cases[i].sl ? f.sl : "",
                       cases[i].sl2vl ? ",sl2vl=" : "", cases[i].sl2vl ? f.sl2vl : "");
        fixture_open(&fx, topo, NULL, NULL);
        const hf_status status = hf_rule_init(fx.cx, rule, fx.topo, &fx.rule);
        if ((status != HF_EINVAL && status != HF_ENOENT) || !strstr(hf_context_message(fx.cx), cases[i].message) ||
            !strstr(hf_context_message(fx.cx), f.folder)) {
            print_error("case %zu: status %d, message \"%s\", wanted \"%s\"\n", i, (int)status, hf_context_message(fx.cx),
                        cases[i].message);
            fail();
        }
        fixture_close(&fx);
        folder_close(f.folder);
    }
}

/* The spec names the content of all files. */
static void specs_name_the_content(void **state) {
    (void)state;
    files f;
    packet_scene s;
    char more[700];
    hf_rule again;
    write_files(&f, small_net, small_lfts, "0x11 5 1\n", "");
    (void)snprintf(more, sizeof more, ",sl=%s", f.sl);
    open_files(&f, &s, more);
    fixture_ok(&s.fx, hf_rule_init(s.fx.cx, s.fx.rule.spec, s.fx.topo, &again));
    assert_string_equal(again.spec, s.fx.rule.spec);
    hf_rule_free(&again);
    folder_write(f.sl, "0x11 5 2\n", 9);
    assert_int_equal(hf_rule_init(s.fx.cx, s.fx.rule.spec, s.fx.topo, &again), HF_EINVAL);
    fixture_close(&s.fx);
    folder_close(f.folder);
}

typedef struct sweep {
    char topo[400], rule[1200];
} sweep;

static hf_status open_and_free(hf_context *cx, void *user) {
    const sweep *w = user;
    hf_topology *topo = NULL;
    hf_rule rule = {0};
    hf_status status = hf_topology_new(cx, w->topo, &topo);
    if (status == HF_OK) {
        status = hf_rule_init(cx, w->rule, topo, &rule);
    }
    if (status == HF_OK) {
        hf_rule_free(&rule);
    }
    hf_topology_free(topo);
    return status;
}

static void allocations_fail(void **state) {
    (void)state;
    files f;
    sweep w;
    write_files(&f, small_net, small_lfts, "0x11 5 1\n", "0xa 1 3 0x03 0x23 0x45 0x67 0x89 0xab 0xcd 0xef\n");
    (void)snprintf(w.topo, sizeof w.topo, "file:%s", f.net);
    (void)snprintf(w.rule, sizeof w.rule, "table:%s,sl=%s,sl2vl=%s", f.table, f.sl, f.sl2vl);
    assert_true(failing_sweep("lfts", open_and_free, &w) > 10);
    folder_close(f.folder);
    write_files(&f, "0 1\n", HEADER "s0,*,*,t1,0,0\n", "", "");
    (void)snprintf(w.topo, sizeof w.topo, "file:%s", f.net);
    (void)snprintf(w.rule, sizeof w.rule, "table:%s", f.table);
    assert_true(failing_sweep("csv", open_and_free, &w) > 10);
    folder_close(f.folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fabrics_deliver),  cmocka_unit_test(hops_are_those_of_the_file),
        cmocka_unit_test(lmc_gives_paths),  cmocka_unit_test(levels_and_lanes),
        cmocka_unit_test(csv_rows),         cmocka_unit_test(csv_tags_and_sources),
        cmocka_unit_test(next_hops),        cmocka_unit_test(adaptive_groups),
        cmocka_unit_test(refusals),         cmocka_unit_test(specs_name_the_content),
        cmocka_unit_test(allocations_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
