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
#include "tests/support/folder.h"

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

/* ---- names of files ---- */

static void open_labels(fixture *fx, const char *folder, const char *text, size_t size) {
    char path[512], spec[640];
    folder_write(folder_file(folder, "net.json", path, sizeof path), text, size);
    (void)snprintf(spec, sizeof spec, "file:%s", path);
    fixture_open(fx, spec, NULL, NULL);
}

/* What a node is called, and what finds it. */
static void labels(void **state) {
    (void)state;
    static const char net[] =
        "{\"nodes\": [{\"id\": \"leaf-1\"}, {\"id\": \"rack 1, U2\"}, {\"id\": \"s0\"}, {\"id\": \"a\\u0022b\"}, "
        "{\"id\": \"leaf-1:0\"}, {\"id\": \"t0\"}, {\"id\": \"s3\"}], \"links\": [{\"source\": \"leaf-1\", "
        "\"target\": \"rack 1, U2\"}, {\"source\": \"a\\u0022b\", \"target\": \"leaf-1:0\"}]}";
    static const struct {
        const char *name;
        char type;
        uint32_t id;
    } found[] = {{"leaf-1", 's', 0},
                 {"rack 1, U2", 's', 1},
                 {"\"rack 1, U2\"", 's', 1},
                 {"s0", 's', 2},
                 {"=s0", 's', 0},
                 {"=s3", 's', 3},
                 {"s1", 's', 1},
                 {"s4", 's', 4},
                 {"\"leaf-1\":0", 'l', 0},
                 {"leaf-1:0", 's', 4},
                 {"t0", 's', 5},
                 {"=t0", 't', 0},
                 {"s3", 's', 6},
                 {"t6", 't', 6},
                 {"leaf-1:0-\"rack 1, U2\":0", 'l', 0},
                 {"=s3:0>\"leaf-1:0\":0", 'c', 1},
                 {"\"rack 1, U2\":0>", 'c', 9}};
    static const char *const called[] = {"leaf-1", "\"rack 1, U2\"", "s0", "=s3", "\"leaf-1:0\"", "t0", "s3", "=t0", "t1"};
    char folder[256];
    fixture fx;
    folder_open(folder, sizeof folder);
    open_labels(&fx, folder, net, sizeof net - 1);
    for (size_t i = 0; i < sizeof found / sizeof *found; i++) {
        check(&fx, found[i].name, found[i].type, found[i].id);
    }
    for (uint32_t v = 0; v < sizeof called / sizeof *called; v++) {
        char name[HF_NAME_SIZE];
        hf_topology_node_name(fx.topo, v, name, sizeof name);
        assert_string_equal(name, called[v]);
    }
    fixture_close(&fx);
    folder_close(folder);
}

/* Of any letters; or a number, or what reads as a port, link or channel of nodes that are called by numbers. */
static size_t put_label(char *text) {
    static const char letters[] = "st013 ,:>-=a#@\xc3";
    if (rand() % 2) {
        const int form = rand() % 6, a = rand() % 3, b = rand() % 3;
        return (size_t)(form < 2   ? sprintf(text, "%d", a)
                        : form < 4 ? sprintf(text, "%d:%d", a, b)
                                   : sprintf(text, "%d:%d%c%d:%d", a, rand() % 2, form == 4 ? '>' : '-', b, rand() % 2));
    }
    const size_t n = rand() % 8 ? 1 + (size_t)rand() % 4 : 1 + (size_t)rand() % 90;
    for (size_t i = 0; i < n; i++) {
        text[i] = letters[(size_t)rand() % (sizeof letters - 2)];
    }
    return n;
}

/* Every name that is written is read back, alone and in a list, whatever the labels; GraphML has any, several times too. */
static void random_labels(void **state) {
    (void)state;
    for (unsigned seed = 1; seed <= 300; seed++) {
        char text[8192], folder[256], name[HF_NAME_SIZE];
        fixture fx;
        hf_text list;
        srand(seed);
        print_message("seed %u\n", seed); /* the last one of a failure is its own */
        char *at = text + sprintf(text, "<graphml><key id=\"n\" for=\"node\" attr.name=\"name\" attr.type=\"string\"/>"
                                        "<graph edgedefault=\"undirected\">");
        const int n = 2 + rand() % 6;
        for (int v = 0; v < n; v++) {
            char label[100];
            const int size = (int)put_label(label);
            at += sprintf(at, "<node id=\"n%d\"><data key=\"n\">", v);
            for (int i = 0; i < size; i++) {
                at += label[i] == '>' ? sprintf(at, "&gt;") : sprintf(at, "%c", label[i]);
            }
            at += sprintf(at, "</data></node>");
        }
        for (int v = 1; v < n; v++) {
            at += sprintf(at, "<edge source=\"n%d\" target=\"n%d\"/>", rand() % v, v);
        }
        at += sprintf(at, "</graph></graphml>");
        folder_open(folder, sizeof folder);
        open_labels(&fx, folder, text, (size_t)(at - text));
        hf_text_init(fx.cx, &list);
        for (uint32_t v = 0; v < fx.topo->n_node; v++) {
            hf_topology_node_name(fx.topo, v, name, sizeof name);
            const bool is_terminal = hf_topology_is_terminal(fx.topo, v);
            check(&fx, name, is_terminal ? 't' : 's', is_terminal ? v - fx.topo->n_switch : v);
        }
        for (uint32_t c = 0; c < fx.topo->n_channel; c++) {
            hf_topology_channel_name(fx.topo, c, name, sizeof name);
            check(&fx, name, 'c', c);
            hf_topology_link_name(fx.topo, fx.topo->link[c], name, sizeof name);
            check(&fx, name, 'l', fx.topo->link[c]);
            hf_text_print(&list, "%s%s", c ? rand() % 2 ? "," : " " : "", name);
        }
        hf_fault_set all;
        fixture_ok(&fx, hf_fault_set_parse(fx.cx, fx.topo, NULL, list.data, &all));
        assert_int_equal(all.n_channel, fx.topo->n_channel);
        hf_text_free(&list);
        fixture_close(&fx);
        folder_close(folder);
    }
}

/* By GUID of a port or node, in hexadecimal. */
static void guids(void **state) {
    (void)state;
    fixture fx;
    fixture_open(&fx, "file:tests/fixtures/opensm/kary-2-3.ftree/ibnetdiscover.txt", NULL, NULL);
    check(&fx, "0x200003", 's', 0);
    check(&fx, "S3", 's', 0);
    check(&fx, "0x10000f", 't', 0);
    check(&fx, "0x200003:4", 'l', fx.topo->link[hf_topology_channel_at(fx.topo, 0, 4)]);
    fixture_close(&fx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip), cmocka_unit_test(other_forms),   cmocka_unit_test(texts), cmocka_unit_test(refusals),
        cmocka_unit_test(labels),     cmocka_unit_test(random_labels), cmocka_unit_test(guids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
