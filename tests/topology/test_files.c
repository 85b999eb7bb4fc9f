/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Networks from files: what each format says becomes of it, names and ports as in the file, refusals with file and line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/format.h>

#include "src/topology/multistage/draft.h"
#include "tests/oracle/fixture.h"
#include "tests/support/failing.h"
#include "tests/support/folder.h"

#define FABRICS "tests/fixtures/opensm/"

/* ---- a topology from a text ---- */

typedef struct scene {
    fixture fx;
    char folder[256], path[512], spec[640];
} scene;

static void open_text(scene *s, const char *name, const char *text, const char *more) {
    *s = (scene){.fx.cx = NULL};
    folder_open(s->folder, sizeof s->folder);
    folder_write(folder_file(s->folder, name, s->path, sizeof s->path), text, strlen(text));
    (void)snprintf(s->spec, sizeof s->spec, "file:%s%s", s->path, more);
    s->fx.cx = hf_context_new(NULL);
    assert_non_null(s->fx.cx);
}

static void close_text(scene *s) {
    hf_topology_free(s->fx.topo);
    hf_context_free(s->fx.cx);
    folder_close(s->folder);
}

static const hf_topology *read_text(scene *s, const char *name, const char *text, const char *more) {
    open_text(s, name, text, more);
    fixture_ok(&s->fx, hf_topology_new(s->fx.cx, s->spec, &s->fx.topo));
    return s->fx.topo;
}

static void expect_names(const hf_topology *topo, const char *links, const char *labels) {
    char text[HF_NAME_SIZE], all[2048] = "";
    for (uint32_t l = 0; l < topo->n_link; l++) {
        hf_topology_link_name(topo, l, text, sizeof text);
        strcat(strcat(all, l ? " " : ""), text);
    }
    assert_string_equal(all, links);
    all[0] = 0;
    for (uint32_t v = 0; topo->label && v < topo->n_node; v++) {
        strcat(strcat(all, v ? " " : ""), topo->label[v] ? topo->label[v] : "-");
    }
    assert_string_equal(all, labels);
}

/* ---- anynet ---- */

static void anynet(void **state) {
    (void)state;
    scene s;
    const hf_topology *topo = read_text(&s, "net",
                                        "# three routers\n"
                                        "router 2 node 3 node 2 router 1\r\n"
                                        "\n"
                                        "router 0 node 0 router 1 15 router 2\n"
                                        "router 1 node 1 router 0 5\n",
                                        "");
    assert_int_equal(topo->n_switch, 3);
    assert_int_equal(topo->n_terminal, 4);
    expect_names(topo,
                 "router2:2-router1:0 router0:1-router1:1 router0:2-router2:3 node0:0-router0:0 "
                 "node1:0-router1:2 node2:0-router2:1 node3:0-router2:0",
                 "router0 router1 router2 node0 node1 node2 node3");
    const hf_attribute *latency = hf_topology_attribute(topo, "latency");
    assert_non_null(latency);
    assert_int_equal(latency->of_link[0], HF_NONE);
    assert_int_equal(latency->of_link[1], 15);
    assert_null(topo->lid_base);
    close_text(&s);
}

/* ---- edge lists ---- */

static void edges(void **state) {
    (void)state;
    scene s;
    const hf_topology *topo = read_text(&s, "net", "% by number\n10 2\n2, 1 0.5\n10 1\n1 10\n", ",terminals=2");
    assert_int_equal(topo->n_switch, 3);
    assert_int_equal(topo->n_terminal, 6);
    assert_int_equal(topo->n_switch_link, 4); /* two between 1 and 10 */
    assert_string_equal(topo->label[0], "1");
    assert_string_equal(topo->label[2], "10");
    assert_int_equal(topo->terminal_switch[5], 2);
    close_text(&s);
    topo = read_text(&s, "net", "b a\na c\n", "");
    assert_string_equal(topo->label[0], "b");
    assert_string_equal(topo->label[2], "c");
    assert_null(topo->label[3]);
    close_text(&s);
}

/* A first line is a header, or a link. */
static void edges_with_header(void **state) {
    (void)state;
    static const struct {
        const char *text, *more;
        uint32_t n_switch, n_link;
        const char *header, *first; /* the label of s0 */
    } cases[] = {
        {"source,target\na,b\nb,c\n", "", 3, 2, "source,target", "a"},
        {"# made by hand\n\nfrom,to\n0,1\n1,2\n", "", 3, 2, "from,to", "0"},
        {"src;dst;capacity\na;b;10\nb;c;40\n", "", 3, 2, "src;dst;capacity", "a"},
        {"\"Source\",\"Target\"\n\"rack 1\",\"rack 2\"\n\"rack 2\",\"c,d\"\n", "", 3, 2, "\"Source\",\"Target\"", "rack 1"},
        {"Source Node;Target Node\na;b\n", "", 2, 1, "Source Node;Target Node", "a"},
        {"link_id,from_switch,to_switch,gbps\n7,a,b,100\n8,b,c,100\n", "", 3, 2, "link_id,from_switch,to_switch,gbps", "a"},
        {"switch_a\tswitch_b\nx\ty\n", "", 2, 1, "switch_a\tswitch_b", "x"},
        {"Node1,Node2\r\nx,y\r\n", "", 2, 1, "Node1,Node2", "x"},
        {"endpoint 2,endpoint 1\nx,y\n", "", 2, 1, "endpoint 2,endpoint 1", "x"},
        {"u v\nx y\n", "", 2, 1, "u v", "x"},
        {"left end,right end\n5,7\n", "", 2, 1, "left end,right end", "5"},
        {"\xEF\xBB\xBFsource,target\na,b\n", "", 2, 1, "source,target", "a"},
        {"\xEF\xBB\xBF"
         "0 1\n1 2\n",
         "", 3, 2, NULL, "0"},
        /* names of switches */
        {"source,target\ntarget,c\n", "", 3, 2, NULL, "source"},
        {"source target\n", "", 2, 1, NULL, "source"},
        {"core,edge\na,b\nb,core\n", "", 4, 3, NULL, "core"},
        {"a b\nc d\n", "", 4, 2, NULL, "a"},
        {"core 0\n0 1\n", "", 3, 2, NULL, "core"},
        {"source,sink2\n3,b\n", "", 4, 2, NULL, "source"},
        {"a;b\nb;c\n", "", 3, 2, NULL, "a"},
        /* as asked for */
        {"source,target\na,b\n", ",header=no", 4, 2, NULL, "source"},
        {"source,target\n", ",header=no", 2, 1, NULL, "source"},
        {"x,y\na,b\n", ",header=yes", 2, 1, "x,y", "a"},
        {"id,to,from\n1,a,b\n2,from,a\n", ",header=yes", 3, 2, "id,to,from", "a"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scene s;
        const hf_topology *topo = read_text(&s, "net", cases[i].text, cases[i].more);
        assert_int_equal(topo->n_switch, cases[i].n_switch);
        assert_int_equal(topo->n_switch_link, cases[i].n_link);
        assert_string_equal(topo->label[0], cases[i].first);
        assert_true((topo->header != NULL) == (cases[i].header != NULL));
        if (topo->header) {
            assert_string_equal(topo->header, cases[i].header);
        }
        close_text(&s);
    }
}

/* ---- GraphML: what holdfast writes comes back ---- */

static void expect_same_network(const hf_topology *a, const hf_topology *b) {
    assert_int_equal(a->n_switch, b->n_switch);
    assert_int_equal(a->n_terminal, b->n_terminal);
    assert_int_equal(a->n_switch_link, b->n_switch_link);
    assert_int_equal(a->n_channel, b->n_channel);
    assert_memory_equal(a->from, b->from, a->n_channel * sizeof *a->from);
    assert_memory_equal(a->to, b->to, a->n_channel * sizeof *a->to);
    assert_memory_equal(a->from_port, b->from_port, a->n_channel * sizeof *a->from_port);
    assert_memory_equal(a->to_port, b->to_port, a->n_channel * sizeof *a->to_port);
}

static void graphml_comes_back(void **state) {
    (void)state;
    static const char *const specs[] = {"kary-tree:k=2,n=3", "kary-tree:k=3,n=2", "torus:dims=3x4", "mesh:dims=2x3"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        fixture fx;
        hf_text text;
        scene s;
        fixture_open(&fx, specs[i], NULL, NULL);
        hf_text_init(fx.cx, &text);
        fixture_ok(&fx, hf_format_graphml(fx.cx, fx.topo, &text));
        expect_same_network(read_text(&s, "net.graphml", text.data, ""), fx.topo);
        close_text(&s);
        hf_text_free(&text);
        fixture_close(&fx);
    }
}

#define GRAPH(direction, body)                                                                                                   \
    "<graphml><key id=\"p\" for=\"edge\" attr.name=\"source_port\" attr.type=\"int\"/>"                                          \
    "<key id=\"k\" for=\"node\" attr.name=\"kind\" attr.type=\"string\"/>"                                                       \
    "<graph edgedefault=\"" direction "\"><node id=\"a\"/><node id=\"b\"/>" body "</graph></graphml>"

/* Of a directed graph, edges that lie side by side are one link, others one channel each. */
static void directed_graphs(void **state) {
    (void)state;
    scene s;
    const hf_topology *topo = read_text(&s, "net",
                                        GRAPH("directed", "<edge source=\"a\" target=\"b\"/><edge source=\"b\" target=\"a\"/>"
                                                          "<edge source=\"a\" target=\"b\"/>"),
                                        "");
    expect_names(topo, "a:0-b:0 a:1-b:1 t0:0-a:2 t1:0-b:2", "a b - -");
    assert_int_not_equal(topo->backward[0], HF_NONE);
    assert_int_equal(topo->backward[1], HF_NONE);
    close_text(&s);
}

/* ---- ibnetdiscover ---- */

static void fabrics(void **state) {
    (void)state;
    static const struct {
        const char *folder;
        uint32_t n_switch, n_terminal, n_switch_link, diameter;
    } cases[] = {
        {"kary-2-3.ftree", 12, 8, 16, 6},     {"kary-4-3.ftree", 48, 64, 128, 6},  {"mesh-8x8.dor", 64, 64, 112, 16},
        {"mesh-8x8.minhop", 64, 64, 112, 16}, {"torus-4x4.minhop", 16, 16, 32, 6}, {"torus-4x4.lash", 16, 16, 32, 6},
        {"torus-4x4x4.dor", 64, 64, 192, 8},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture fx;
        char spec[160];
        hf_topology_figures figures;
        (void)snprintf(spec, sizeof spec, "file:" FABRICS "%s/ibnetdiscover.txt", cases[i].folder);
        fixture_open(&fx, spec, NULL, NULL);
        assert_int_equal(fx.topo->n_switch, cases[i].n_switch);
        assert_int_equal(fx.topo->n_terminal, cases[i].n_terminal);
        assert_int_equal(fx.topo->n_switch_link, cases[i].n_switch_link);
        fixture_ok(&fx, hf_topology_measure(fx.cx, fx.topo, &figures));
        assert_int_equal(figures.diameter, cases[i].diameter);
        fixture_close(&fx);
    }
}

static uint32_t node_called(fixture *fx, const char *name, char want) {
    char type;
    uint32_t id;
    fixture_ok(fx, hf_topology_parse_name(fx->cx, fx->topo, name, strlen(name), &type, &id));
    assert_int_equal(type, want);
    return id;
}

/* Addresses, ports and names of the first and last lines of a real file. */
static void one_fabric(void **state) {
    (void)state;
    fixture fx;
    fixture_open(&fx, "file:" FABRICS "kary-2-3.ftree/ibnetdiscover.txt", NULL, NULL);
    const hf_topology *topo = fx.topo;
    assert_string_equal(topo->label[0], "S3"); /* the first of the file */
    assert_int_equal(topo->lid_base[0], 6);
    assert_true(topo->node_guid[0] == 0x200003);
    const uint32_t h7 = node_called(&fx, "H7", 't');
    assert_int_equal(h7, 0);
    assert_int_equal(topo->lid_base[topo->n_switch], 20);
    assert_int_equal(topo->lmc[topo->n_switch], 0);
    assert_true(topo->node_guid[topo->n_switch] == 0x10000e && topo->port_guid[topo->n_switch] == 0x10000f);
    char text[HF_NAME_SIZE];
    hf_topology_channel_name(topo, node_called(&fx, "S3:4>", 'c'), text, sizeof text);
    assert_string_equal(text, "S3:4>S7:2"); /* S7 is the third switch of the file */
    assert_int_equal(node_called(&fx, "S3:4-S7:2", 'l'), node_called(&fx, "s2:2", 'l'));
    assert_int_equal(node_called(&fx, "H7:1>S3:2", 'c'), topo->n_switch_link + h7);
    fixture_close(&fx);
}

/* An adapter with two ports and an LMC: two terminals with LIDs of their own. */
static void adapters_with_two_ports(void **state) {
    (void)state;
    static const char text[] = "switchguid=0xa(a)\n"
                               "Switch\t8 \"S-a\"\t\t# \"leaf\" base port 0 lid 3 lmc 0\n"
                               "[2][ext 1]\t\"H-b\"[1](c) \t\t# \"host\" lid 4 4xSDR\n"
                               "[7]\t\"H-b\"[2](d) \t\t# \"host\" lid 8 4xSDR\n"
                               "\n"
                               "caguid=0xb\n"
                               "Ca\t2 \"H-b\"\t\t# \"host\"\n"
                               "[1](c) \t\"S-a\"[2]\t\t# lid 4 lmc 2 \"leaf\" lid 3 4xSDR\n"
                               "[2](d) \t\"S-a\"[7]\t\t# lid 8 lmc 1 \"leaf\" lid 3 4xSDR\n";
    scene s;
    const hf_topology *topo = read_text(&s, "net", text, "");
    expect_names(topo, "host/P1:1-leaf:2 host/P2:2-leaf:7", "leaf host/P1 host/P2");
    assert_int_equal(topo->lid_base[1], 4);
    assert_int_equal(topo->lmc[1], 2);
    assert_int_equal(topo->lid_base[2], 8);
    assert_int_equal(topo->lmc[2], 1);
    assert_true(topo->port_guid[2] == 0xd && topo->node_guid[2] == 0xb);
    close_text(&s);
}

/* ---- names ---- */

static void labels_as_names(void **state) {
    (void)state;
    scene s;
    char type;
    uint32_t id;
    (void)read_text(&s, "net", "s1 spine-1\nspine-1 s0\ns1x s0\n", "");
    assert_int_equal(node_called(&s.fx, "s1", 's'), 0); /* a label wins over a number */
    assert_int_equal(node_called(&s.fx, "=s1", 's'), 1);
    assert_int_equal(node_called(&s.fx, "spine-1", 's'), 1);
    assert_int_equal(node_called(&s.fx, "s1x", 's'), 3);
    assert_int_equal(node_called(&s.fx, "spine-1:1-s2:0", 'l'), 1);
    assert_int_equal(hf_topology_parse_name(s.fx.cx, s.fx.topo, "spine", 5, &type, &id), HF_EINVAL);
    assert_int_equal(hf_topology_parse_name(s.fx.cx, s.fx.topo, "s9", 2, &type, &id), HF_ENOENT);
    close_text(&s);
}

/* ---- refusals ---- */

static void refusals(void **state) {
    (void)state;
    static const struct {
        const char *text, *more, *message;
    } cases[] = {
        {"", "", "there is no switch in it"},
        {"router 0 node 0\nrouter x\n", "", "line 2: \"x\" is not the number of a router"},
        {"router 0 node 0\nrouter 1\n", "", "line 2: nothing hangs on router 1"},
        {"router 0 node 0 rooter 1\n", "", "line 1: \"rooter\" is not a latency in cycles"},
        {"router 0 node 0 node 1 7 8\n", "", "line 1: \"8\" is neither \"router\" nor \"node\""},
        {"router 0 node\n", "", "line 1: the line ends where the number of a node is expected"},
        {"node 0 node 1\n", "", "line 1: node 0 is linked to node 1"},
        {"router 0 node 0\nrouter 1 node 0\n", "", "line 2: node 0 hangs on router 0 and on router 1"},
        {"a b\nc\n", "", "line 2: \"c\" is not a link"},
        {"# cables\nsource,target\n\n", "", "line 2: \"source,target\" names columns, and no link stands below; say header=no"},
        {"rack 1,rack 2\n", "", "line 1: \"rack 1\" has a blank, and the line has a separator"},
        {"core,rack 1\n", "", "line 1: \"rack 1\" has a blank, and the line has a separator"},
        {"a,b\n\"c,d\n", "", "line 2: the quotes before \"c,d\" do not end"},
        {"\"a\"b,c\n", "", "line 1: \"b,c\" stands behind the quotes"},
        {"a,b\n,c\n", "", "line 2: \",c\" is not a link"},
        {"router 0 node 0\n", ",header=yes", "header=yes is for edge lists; this file is read as anynet"},
        {"<graphml>", "", "line 1: "},
        {"<graphml><graph edgedefault=\"undirected\"><node id=\"a\"/><edge source=\"a\" target=\"b\"/></graph></graphml>", "",
         "edges join 2 nodes, but only 1 are declared"},
        {"a b\n", ",format=graphml", "line 1: "},
        {GRAPH("directed", "<edge source=\"a\" target=\"b\"><data key=\"p\">-1</data></edge>"), "",
         "edge 0 has source_port = -1"},
        {GRAPH("directed", "<node id=\"c\"><data key=\"k\">hub</data></node>"), "", "node \"c\" is of kind \"hub\""},
        {GRAPH("directed", "<node id=\"c\"><data key=\"k\">terminal</data></node>"), "", "terminal \"c\" hangs on no switch"},
        {GRAPH("undirected", "<edge source=\"a\" target=\"b\"><data key=\"p\">1</data></edge>"
                             "<edge source=\"a\" target=\"b\"><data key=\"p\">1</data></edge>"),
         "", "port 1 of \"a\" has a link already"},
        {"switchguid=1\nSwitch 8 \"S-a\" # \"a\" lid 1 lmc 0\n[1] \"S-b\"[2]\n", "",
         "line 3: port 1 leads to port 2 of \"S-b\", but nothing"},
        {"Switch 8 \"S-a\" # \"a\" lid 1 lmc 0\n[9] \"S-b\"[2]\n", "",
         "line 2: there is no port 9; the node has the ports 1 to 8"},
        {"Switch 8 \"S-a\" # \"a\" lid 99999 lmc 0\n", "", "line 1: \"99999\" is not a LID"},
        {"Switch 8 \"S-a\" # \"a\" lid 9 lmc 8\n", "", "line 1: \"8\" is not an LMC"},
        {"Switch 8 \"S-a\" # \"a\"\nSwitch 8 \"S-a\" # \"a\"\n", "", "line 2: \"S-a\" is described twice, first on line 1"},
        {"Switch 8 S-a\n", "", "line 1: \"Switch 8 S-a\" is not of ibnetdiscover or ibsim"},
        {"switchguid=0xzz\n", "", "line 1: \"0xzz\" is not a GUID"},
        {"[1] \"S-b\"[2]\n", ",format=ibnetdiscover", "line 1: \"[1] \"S-b\"[2]\": a port before any"},
        {"Switch 8 \"S-a\" # \"a\"\n[1] \"S-a\"[2]\n[1] \"S-a\"[2]\n", "", "line 3: port 1 is there already, on line 2"},
        {"a b\n", "#0123456789abcdef", "the file has changed: its content has the hash"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture_refuses_file("file", cases[i].text, cases[i].more, cases[i].message);
    }
}

static void missing_file(void **state) {
    (void)state;
    fixture fx = {.cx = hf_context_new(NULL)};
    assert_int_equal(hf_topology_new(fx.cx, "file:/nowhere/at/all", &fx.topo), HF_ENOENT);
    assert_int_equal(hf_topology_new(fx.cx, "file:tests", &fx.topo), HF_EIO);
    assert_int_equal(hf_topology_new(fx.cx, "file", &fx.topo), HF_EINVAL);
    hf_context_free(fx.cx);
}

/* The canonical spec names the content, and builds the same network again. */
static void specs_name_the_content(void **state) {
    (void)state;
    scene s;
    hf_topology *again = NULL;
    const hf_topology *topo = read_text(&s, "net", "a b\n", "");
    assert_non_null(strchr(topo->spec, '#'));
    fixture_ok(&s.fx, hf_topology_new(s.fx.cx, topo->spec, &again));
    assert_string_equal(again->spec, topo->spec);
    hf_topology_free(again);
    folder_write(s.path, "a b\nb c\n", 8);
    assert_int_equal(hf_topology_new(s.fx.cx, topo->spec, &again), HF_EINVAL);
    close_text(&s);
}

static hf_status build_and_free(hf_context *cx, void *spec) {
    hf_topology *topo = NULL;
    const hf_status status = hf_topology_new(cx, spec, &topo);
    hf_topology_free(topo);
    return status;
}

static void allocations_fail(void **state) {
    (void)state;
    static const char *const texts[] = {"router 0 node 0 router 1 7\n", "a b\nb c\n",
                                        GRAPH("directed", "<edge source=\"a\" target=\"b\"/>")};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        scene s;
        open_text(&s, "net", texts[i], "");
        assert_true(failing_sweep(texts[i], build_and_free, s.spec) > 10);
        close_text(&s);
    }
    assert_true(failing_sweep("fabric", build_and_free, "file:" FABRICS "kary-2-3.ftree/ibnetdiscover.txt") > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(anynet),
        cmocka_unit_test(edges),
        cmocka_unit_test(edges_with_header),
        cmocka_unit_test(graphml_comes_back),
        cmocka_unit_test(directed_graphs),
        cmocka_unit_test(fabrics),
        cmocka_unit_test(one_fabric),
        cmocka_unit_test(adapters_with_two_ports),
        cmocka_unit_test(labels_as_names),
        cmocka_unit_test(refusals),
        cmocka_unit_test(missing_file),
        cmocka_unit_test(specs_name_the_content),
        cmocka_unit_test(allocations_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
