/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Descriptors of meshes: the fixture, single meshes link by link against the generators, refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/topology/multistage/draft.h"
#include "tests/oracle/fixture.h"

static uint32_t device(const hf_topology *topo, const char *name) {
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        if (strcmp(topo->label[v], name) == 0) {
            return v;
        }
    }
    fail_msg("no device %s", name);
    return 0;
}

static uint32_t links(const hf_topology *topo, uint32_t a, uint32_t b) {
    uint32_t n = 0;
    for (uint32_t i = topo->out_begin[a]; i < topo->out_begin[a + 1]; i++) {
        n += topo->to[topo->out_list[i]] == b;
    }
    return n;
}

static void two_boards(void **state) {
    (void)state;
    static const struct {
        const char *a, *b;
        uint32_t n;
    } list[] = {{"M0D0", "M0D1", 2}, {"M0D0", "M0D3", 2}, {"M0D0", "M0D4", 2}, {"M0D0", "M0D6", 2}, {"M0D0", "M0D2", 0},
                {"M1D1", "M1D5", 2}, {"M1D0", "M1D6", 2}, {"M0D3", "M1D0", 3}, {"M0D7", "M1D4", 1}, {"M0D3", "M1D4", 0}};
    fixture fx;
    fixture_open(&fx, "file:tests/fixtures/networks/two-boards.textproto", NULL, NULL);
    assert_int_equal(fx.topo->n_switch, 16);
    assert_int_equal(fx.topo->n_switch_link, 2 * 2 * (8 + 4 + 1) + 4);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        assert_int_equal(links(fx.topo, device(fx.topo, list[i].a), device(fx.topo, list[i].b)), list[i].n);
    }
    fixture_close(&fx);
}

/* ---- the generators ---- */

static hf_topology *read(hf_context *cx, const char *text) {
    hf_draft draft;
    hf_args args = {0};
    hf_topology *topo = NULL;
    hf_draft_init(cx, "input", &draft);
    if (hf_read_meshes(cx, text, strlen(text), &draft) != HF_OK || hf_draft_add_terminals(cx, &draft, 1) != HF_OK ||
        hf_draft_build(cx, &draft, &hf_topology_file, &args, &topo) != HF_OK) {
        fail_msg("%s\n%s", hf_context_message(cx), text);
    }
    hf_draft_free(&draft);
    return topo;
}

/* The last dimension is the fastest in both. */
static void as_the_generators(void **state) {
    (void)state;
    static const struct {
        const char *grid, *dims, *types;
        uint32_t links;
    } list[] = {{"mesh:dims=4x3", "4, 3", "LINE, LINE", 1},
                {"torus:dims=4x3", "4, 3", "RING, RING", 1},
                {"torus:dims=5", "5", "RING", 1},
                {"mesh:dims=2x3x4", "2, 3, 4", "", 1},
                {"torus:dims=3x3x4", "3, 3, 4", "RING, RING, RING", 1},
                {"mesh:dims=2x2", "2, 2", "RING, RING", 1},
                {"mesh:dims=3x2", "3, 2", "LINE, LINE", 4},
                {"mesh:dims=1", "1", "RING", 1}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        fixture fx;
        char text[400];
        fixture_open(&fx, list[i].grid, NULL, NULL);
        (void)snprintf(
            text, sizeof text,
            "mesh_descriptors { name: \"m\" device_topology { dims: [ %s ] dim_types: [%s] } channels { count: %u } }\n"
            "top_level_instance { mesh { mesh_descriptor: \"m\" mesh_id: 7 } }",
            list[i].dims, list[i].types, list[i].links);
        hf_topology *topo = read(fx.cx, text);
        assert_int_equal(topo->n_switch, fx.topo->n_switch);
        assert_int_equal(topo->n_switch_link, fx.topo->n_switch_link * list[i].links);
        for (uint32_t a = 0; a < topo->n_switch; a++) {
            for (uint32_t b = 0; b < topo->n_switch; b++) {
                if (links(topo, a, b) != links(fx.topo, a, b) * list[i].links) {
                    fail_msg("%s: %u links from %u to %u", list[i].grid, links(topo, a, b), a, b);
                }
            }
        }
        hf_topology_free(topo);
        fixture_close(&fx);
    }
}

#define MESH "mesh_descriptors { name: \"m\" device_topology { dims: [ 2, 3 ] } }\n"
#define TOP "top_level_instance { mesh { mesh_descriptor: \"m\" } }\n"

static void refusals(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"", "no top_level_instance"},
        {MESH, "no top_level_instance"},
        {TOP, "line 1: mesh_descriptor \"m\" is not described"},
        {MESH "top_level_instance { mesh { mesh_descriptor: \"n\" } }", "line 2: mesh_descriptor \"n\" is not described"},
        {"mesh_descriptors {\n  name: \"m\"\n", "the message that begins on line 1 has no end"},
        {MESH TOP "}", "line 3: need the name of a field"},
        {MESH "name\n}", "need a colon or {"},
        {MESH "dims: [ 2 3 ]", "need a comma or ]"},
        {"mesh_descriptors { name: \"m\" }\n" TOP, "line 1: a mesh needs device_topology"},
        {"mesh_descriptors { name: \"m\" device_topology { dims: [ 0 ] } }\n" TOP, "line 1: \"0\" is not right"},
        {"mesh_descriptors { name: \"m\" device_topology { dims: [ 999, 999 ] } }\n" TOP, "65536 devices"},
        {"mesh_descriptors { name: \"m\" device_topology { dims: [ 2 ] dim_types: [ TORUS ] } }\n" TOP, "\"TORUS\" is not right"},
        {"mesh_descriptors { name: \"m\" device_topology { dims: [ 2 ] dim_types: [ RING, RING ] } }\n" TOP, "each of 1 dims"},
        {"mesh_descriptors { name: \"m\" device_topology { dims: [ 2 ] } express_connections { src: 0 dst: 2 } }\n" TOP,
         "express_connections needs dst, a number up to 1"},
        {MESH "graph_descriptors { name: \"g\" instances { mesh { mesh_descriptor: \"m\" mesh_id: 0 } }\n connections { nodes { "
              "mesh { "
              "mesh_id: 0 } } nodes { mesh { mesh_id: 1 } } } }\ntop_level_instance { graph { graph_descriptor: \"g\" } }",
         "line 3: a connection needs mesh { mesh_id: ... device_id: ... }"},
        {MESH
         "graph_descriptors { name: \"g\" instances { graph { graph_id: 0 } } }\ntop_level_instance { graph { graph_descriptor: "
         "\"g\" } }",
         "line 2: only meshes are read"},
        {MESH "graph_descriptors { name: \"g\" instances { mesh { mesh_descriptor: \"m\" mesh_id: 0 } } instances { mesh { "
              "mesh_descriptor: \"m\" mesh_id: 0 } } }\ntop_level_instance { graph { graph_descriptor: \"g\" } }",
         "line 2: mesh_id 0 is of two instances"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        fixture_refuses_network(hf_read_meshes, bad[i].text, bad[i].message);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_boards),
        cmocka_unit_test(as_the_generators),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
