/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  DOT and GraphML: every node and link once with its name, ports and attributes; GraphML well-formed with every key declared. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/format/xml.h"

#include <holdfast/format.h>

#include "tests/oracle/fixture.h"

typedef hf_status (*writer)(hf_context *cx, const hf_topology *topo, hf_text *out);

static const char *const trees[] = {"kary-tree:k=2,n=1", "kary-tree:k=2,n=3", "kary-tree:k=3,n=3", "kary-tree:k=12,n=2"};
enum { N_TREE = sizeof trees / sizeof *trees };

static void open_written(fixture *fx, const char *topo, writer write, hf_text *text) {
    fixture_open(fx, topo, NULL, NULL);
    hf_text_init(fx->cx, text);
    fixture_ok(fx, write(fx->cx, fx->topo, text));
}

static void close_written(fixture *fx, hf_text *text) {
    hf_text_free(text);
    fixture_close(fx);
}

static void once(const hf_text *text, const char *format, const char *name) {
    char what[512];
    (void)snprintf(what, sizeof what, format, name);
    if (count_of(text->data, what) != 1) {
        fail_msg("%s occurs %zu times", what, count_of(text->data, what));
    }
}

static void every_name_once(const hf_topology *topo, const hf_text *text, const char *node_format, const char *link_format) {
    char name[HF_NAME_SIZE];
    for (uint32_t v = 0; v < topo->n_node; v++) {
        hf_topology_node_name(topo, v, name, sizeof name);
        once(text, node_format, name);
    }
    for (uint32_t l = 0; l < topo->n_link; l++) {
        hf_topology_link_name(topo, l, name, sizeof name);
        once(text, link_format, name);
    }
}

/* ---- DOT ---- */

static void dot(void **state) {
    (void)state;
    for (size_t i = 0; i < N_TREE; i++) {
        fixture fx;
        hf_text text;
        open_written(&fx, trees[i], hf_format_dot, &text);
        every_name_once(fx.topo, &text, "\n  %s [shape=", " [id=\"%s\",");
        assert_int_equal(count_of(text.data, " -- "), fx.topo->n_link);
        assert_int_equal(count_of(text.data, " -> "), 0);
        assert_int_equal(count_of(text.data, "rank=same"), fx.topo->kind->diameter(fx.topo) / 2 + 1);
        assert_int_equal(count_of(text.data, "{"), count_of(text.data, "}"));
        close_written(&fx, &text);
    }
}

static void dot_of_the_paper(void **state) {
    (void)state;
    fixture fx;
    hf_text text;
    open_written(&fx, "kary-tree:k=2,n=4", hf_format_dot, &text);
    assert_memory_equal(text.data, "graph \"kary-tree:k=2,n=4\" {\n", 28);
    assert_int_equal(count_of(text.data, "  s18 [shape=box, label=\"s18\\n<2,010>\", stage=2];\n"), 1);
    assert_int_equal(count_of(text.data, "  s10 -- s18 [id=\"s10:3-s18:1\", tailport_number=3, headport_number=1];\n"), 1);
    assert_int_equal(count_of(text.data, "  t5 -- s2 [id=\"t5:0-s2:1\", tailport_number=0, headport_number=1];\n"), 1);
    close_written(&fx, &text);
}

/* ---- GraphML ---- */

/** Every key that is used is declared for what it is used on. */
static void check_keys(const hf_text *text) {
    const char *graph = strstr(text->data, "<graph ");
    assert_non_null(graph);
    for (const char *at = strstr(graph, "<data key=\""); at; at = strstr(at + 1, "<data key=\"")) {
        char key[64] = "", declared[96];
        const char *start = at + strlen("<data key=\"");
        memcpy(key, start, (size_t)(strchr(start, '"') - start));
        (void)snprintf(declared, sizeof declared, "<key id=\"%s\" for=", key);
        const char *declaration = strstr(text->data, declared);
        assert_true(declaration && declaration < graph);
    }
}

static void graphml(void **state) {
    (void)state;
    for (size_t i = 0; i < N_TREE; i++) {
        fixture fx;
        hf_text text;
        open_written(&fx, trees[i], hf_format_graphml, &text);
        const hf_topology *topo = fx.topo;
        assert_xml(text.data);
        check_keys(&text);
        every_name_once(topo, &text, "<node id=\"%s\">", "<data key=\"link\">%s</data>");
        assert_int_equal(count_of(text.data, "<edge id="), topo->n_link);
        assert_int_equal(count_of(text.data, "<data key=\"kind\">switch</data>"), topo->n_switch);
        assert_int_equal(count_of(text.data, "<data key=\"kind\">terminal</data>"), topo->n_terminal);
        assert_int_equal(count_of(text.data, "<data key=\"node_attribute0\">"), topo->n_switch); /* stage */
        assert_int_equal(count_of(text.data, "<data key=\"edge_attribute0\">"), topo->n_switch_link);
        assert_int_equal(count_of(text.data, "<data key=\"coordinate"), topo->n_switch * topo->n_coord);
        assert_int_equal(count_of(text.data, "<data key=\"both_ways\">true</data>"), topo->n_link);
        assert_int_equal(count_of(text.data, "edgedefault=\"undirected\""), 1);
        close_written(&fx, &text);
    }
}

static void graphml_of_the_paper(void **state) {
    (void)state;
    fixture fx;
    hf_text text;
    open_written(&fx, "kary-tree:k=2,n=4", hf_format_graphml, &text);
    once(&text, "%s",
         "<node id=\"s18\">\n      <data key=\"name\">s18</data>\n      <data key=\"kind\">switch</data>\n"
         "      <data key=\"x\">4.5</data>\n      <data key=\"y\">3</data>\n"
         "      <data key=\"coordinate0\">0</data>\n");
    assert_non_null(strstr(text.data, "source=\"s10\" target=\"s18\">\n      <data key=\"link\">s10:3-s18:1</data>\n"
                                      "      <data key=\"source_port\">3</data>\n      <data key=\"target_port\">1</data>\n"));
    assert_non_null(strstr(text.data, "<key id=\"coordinate0\" for=\"node\" attr.name=\"o2\" attr.type=\"int\"/>"));
    close_written(&fx, &text);
}

/* ---- a network with unidirectional links and a grid ---- */

static hf_position on_a_grid(const hf_topology *topo, uint32_t node) {
    if (hf_topology_is_terminal(topo, node)) {
        const uint32_t sw = node - topo->n_switch, row = sw / 2;
        return (hf_position){sw % 2 + 0.4, row - 0.4};
    }
    const uint32_t row = node / 2;
    return (hf_position){node % 2, row};
}
static const hf_topology_kind grid = {
    .name = "grid", .summary = "", .source = "", .claims = "", .params = hf_no_params, .place = on_a_grid};

/** Two by two switches; three links both ways, one from 2 to 3 only. */
static hf_topology *build_grid(hf_context *cx) {
    static const char *const axes[] = {"y", "x"};
    const hf_args args = {.params = hf_no_params, .allocator = *hf_context_allocator(cx)};
    hf_topology *topo;
    assert_int_equal(hf_topology_start(cx, &grid, &args, 4, 4, 4, 4, 2, axes, &topo), HF_OK);
    for (uint32_t v = 0; v < 4; v++) {
        topo->coord[2 * v] = v / 2;
        topo->coord[2 * v + 1] = v % 2;
    }
    hf_topology_add_link(topo, 0, 1, 1, 1, true);
    hf_topology_add_link(topo, 0, 2, 2, 1, true);
    hf_topology_add_link(topo, 1, 2, 3, 1, true);
    hf_topology_add_link(topo, 2, 2, 3, 2, false);
    for (uint32_t t = 0; t < 4; t++) {
        hf_topology_add_link(topo, 4 + t, 0, t, 0, true);
    }
    assert_int_equal(hf_topology_finish(cx, topo), HF_OK);
    return topo;
}

static void other_networks(void **state) {
    (void)state;
    hf_context *cx = hf_context_new(NULL);
    hf_topology *topo = build_grid(cx);
    hf_text text;
    hf_text_init(cx, &text);
    assert_int_equal(hf_format_graphml(cx, topo, &text), HF_OK);
    assert_xml(text.data);
    assert_int_equal(count_of(text.data, "edgedefault=\"directed\""), 1);
    assert_int_equal(count_of(text.data, "<data key=\"both_ways\">false</data>"), 1);
    hf_text_free(&text);
    hf_text_init(cx, &text);
    assert_int_equal(hf_format_dot(cx, topo, &text), HF_OK);
    assert_int_equal(count_of(text.data, " -> "), 8);
    assert_int_equal(count_of(text.data, "dir=both"), 7);
    hf_text_free(&text);
    hf_fault_set set;
    hf_text_init(cx, &text);
    assert_int_equal(hf_fault_set_parse(cx, topo, NULL, "s2:2> s0:1", &set), HF_OK);
    assert_int_equal(hf_format_svg(cx, topo, &(hf_marks){.faults = &set}, &text), HF_OK);
    assert_xml(text.data);
    assert_int_equal(count_of(text.data, "<line class=\"link\""), 6);
    assert_int_equal(count_of(text.data, "<title>failed link: s2:2-s3:2</title>"), 1); /* its only channel */
    assert_int_equal(count_of(text.data, ">&lt;1,0&gt;</text>"), 1);
    assert_int_equal(count_of(text.data, "stage"), 0);
    hf_text_free(&text);
    hf_topology_free(topo);
    hf_context_free(cx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dot),
        cmocka_unit_test(dot_of_the_paper),
        cmocka_unit_test(graphml),
        cmocka_unit_test(graphml_of_the_paper),
        cmocka_unit_test(other_networks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
