/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What include/holdfast/topology.h promises, for small instances of every listed family: numbers of links and channels,
 *  adjacency, names, closed forms, drawings, and what happens when memory runs out. */
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/format/xml.h"

#include <holdfast/format.h>

#include "tests/conformance/specs.h"
#include "tests/oracle/wiring.h"
#include "tests/support/failing.h"

static bool reads_a_file(const hf_topology_kind *kind) {
    for (const hf_param *p = kind->params; p && p->name; p++) {
        if (p->type == HF_PARAM_TEXT && !p->fallback) {
            return true;
        }
    }
    return false;
}

static void every_family_has_a_line(void **state) {
    (void)state;
    for (size_t i = 0; i < hf_topology_count(); i++) {
        const hf_topology_kind *kind = hf_topology_kind_at(i);
        bool found = reads_a_file(kind);
        for (size_t s = 0; s < N_TOPOLOGY_SPEC; s++) {
            found |= strncmp(topology_specs[s], kind->name, strlen(kind->name)) == 0;
        }
        if (!found) {
            fail_msg("%s has no line in tests/conformance/specs.h", kind->name);
        }
        assert_non_null(kind->place);
    }
}

/* ---- one topology ---- */

/** Links that lead in, by terminal, then those that only lead out, by terminal; each terminal has the same number of either. */
static void check_terminal_order(const hf_topology *topo) {
    const uint32_t n = topo->n_link - topo->n_switch_link;
    uint32_t n_in = 0;
    for (uint32_t i = 0; i < n; i++) {
        n_in += hf_topology_is_terminal(topo, topo->from[topo->n_switch_link + i]);
    }
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t l = topo->n_switch_link + i, node = i < n_in ? topo->from[l] : topo->to[l];
        const uint32_t each = (i < n_in ? n_in : n - n_in) / topo->n_terminal, at = i < n_in ? i : i - n_in;
        assert_int_equal(node, topo->n_switch + at / each);
    }
}

static void check_links(const hf_topology *topo) {
    uint32_t n_backward = 0;
    for (uint32_t l = 0; l < topo->n_link; l++) {
        const uint32_t f = topo->forward[l], b = topo->backward[l];
        const bool leads_in = hf_topology_is_terminal(topo, topo->from[f]),
                   leads_out = hf_topology_is_terminal(topo, topo->to[f]);
        assert_int_equal(f, l);
        assert_int_equal(leads_in || leads_out, l >= topo->n_switch_link);
        assert_false(leads_in && leads_out);
        assert_true(!leads_out || b == HF_NONE);
        assert_int_not_equal(topo->from[f], topo->to[f]);
        if (b != HF_NONE) {
            assert_int_equal(b, topo->n_link + n_backward++);
            assert_true(topo->from[b] == topo->to[f] && topo->to[b] == topo->from[f]);
            assert_true(topo->from_port[b] == topo->to_port[f] && topo->to_port[b] == topo->from_port[f]);
        }
    }
    check_terminal_order(topo);
    assert_int_equal(topo->n_channel, topo->n_link + n_backward);
}

static void check_ports(const hf_topology *topo) {
    for (uint32_t v = 0; v < topo->n_node; v++) {
        uint32_t before = 0;
        for (uint32_t i = topo->out_begin[v]; i < topo->out_begin[v + 1]; i++) {
            const uint32_t port = topo->from_port[topo->out_list[i]];
            assert_true(port >= before);
            assert_true(hf_topology_is_terminal(topo, v) || port < topo->n_port_max);
            before = port + 1;
        }
        assert_true(!hf_topology_is_terminal(topo, v) || topo->out_begin[v + 1] > topo->out_begin[v]);
    }
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        assert_true(topo->terminal_switch[t] < topo->n_switch);
    }
}

static void check_coordinates(const hf_topology *topo) {
    for (uint32_t a = 0; topo->n_coord > 0 && !hf_topology_attribute(topo, "stage") && a < topo->n_switch; a++) {
        for (uint32_t b = 0; b < a; b++) {
            const size_t n = topo->n_coord;
            assert_memory_not_equal(topo->coord + a * n, topo->coord + b * n, n * sizeof *topo->coord);
        }
    }
    for (size_t i = 0; i < topo->n_attribute; i++) {
        for (size_t j = 0; j < i; j++) {
            assert_string_not_equal(topo->attribute[i].name, topo->attribute[j].name);
        }
    }
}

static void check_figures(const fixture *fx) {
    const hf_topology *topo = fx->topo;
    hf_topology_figures figures;
    fixture_ok(fx, hf_topology_measure(fx->cx, topo, &figures));
    assert_true(figures.is_strongly_connected);
    if (topo->kind->diameter && topo->kind->diameter(topo) != HF_NONE) {
        assert_int_equal(topo->kind->diameter(topo), figures.diameter);
    }
    if (topo->kind->mean_distance) {
        assert_true(fabs(topo->kind->mean_distance(topo) - figures.mean_distance) < 1e-9);
    }
}

/* What an outline says is what was built; without closed forms it is what was built. */
static void check_outline(const fixture *fx) {
    const hf_topology *topo = fx->topo;
    hf_topology *outline;
    fixture_ok(fx, hf_topology_outline(fx->cx, topo->spec, &outline));
    assert_int_equal(hf_topology_is_outline(outline), topo->kind->counts != NULL);
    assert_string_equal(outline->spec, topo->spec);
    assert_true(outline->kind == topo->kind && outline->n_switch == topo->n_switch && outline->n_terminal == topo->n_terminal);
    assert_true(outline->n_node == topo->n_node && outline->n_switch_link == topo->n_switch_link);
    assert_true(outline->n_link == topo->n_link && outline->n_channel == topo->n_channel);
    assert_true(hf_topology_ends_most(outline) == hf_topology_ends_most(topo));
    hf_topology_free(outline);
}

/* An outline too large to number is refused as the network is. */
static void outlines_end_where_ids_do(void **state) {
    (void)state;
    static const char *const large[] = {"kary-tree:k=64,n=6", "kary-tree:k=2,n=64", "ruft:k=64,n=31", "ruft:k=16,n=8"};
    hf_context *cx = hf_context_new(NULL);
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        hf_topology *topo = NULL;
        assert_int_equal(hf_topology_outline(cx, large[i], &topo), HF_ERANGE);
        assert_null(topo);
    }
    hf_topology *most;
    assert_int_equal(hf_topology_outline(cx, "kary-tree:k=32,n=5", &most), HF_OK);
    assert_true(most->n_terminal == 33554432 && most->n_channel == 335544320);
    hf_topology_free(most);
    hf_context_free(cx);
}

/* No two keys of a kind of element have one name. */
static void check_keys(const char *graphml) {
    char seen[32][64];
    size_t n = 0;
    for (const char *at = strstr(graphml, " for=\""); at; at = strstr(at + 1, " for=\"")) {
        assert_true(n < 32);
        (void)snprintf(seen[n], sizeof seen[n], "%.*s", (int)(strstr(at, " attr.type") - at), at);
        for (size_t i = 0; i < n; i++) {
            assert_string_not_equal(seen[i], seen[n]);
        }
        n++;
    }
    assert_int_equal(n, count_of(graphml, "<key "));
}

static void check_drawings(const fixture *fx) {
    hf_status (*const writer[])(hf_context *, const hf_topology *, hf_text *) = {hf_format_dot, hf_format_graphml};
    hf_text text;
    for (int i = 0; i < 3; i++) {
        hf_text_init(fx->cx, &text);
        fixture_ok(fx, i < 2 ? writer[i](fx->cx, fx->topo, &text) : hf_format_svg(fx->cx, fx->topo, NULL, &text));
        if (i == 1) {
            check_keys(text.data);
        }
        if (i > 0) {
            assert_xml(text.data);
        }
        hf_text_free(&text);
    }
}

static void families_keep_their_promises(void **state) {
    (void)state;
    for (size_t s = 0; s < N_TOPOLOGY_SPEC; s++) {
        fixture fx;
        fixture_open(&fx, topology_specs[s], NULL, NULL);
        check_links(fx.topo);
        check_ports(fx.topo);
        check_coordinates(fx.topo);
        check_figures(&fx);
        check_outline(&fx);
        check_drawings(&fx);
        places_check(fx.topo);
        fixture_close(&fx);
    }
}

/* ---- memory ---- */

static hf_status build(hf_context *cx, void *user) {
    hf_topology *topo = NULL;
    hf_text text;
    hf_text_init(cx, &text);
    hf_status status = hf_topology_new(cx, user, &topo);
    if (status == HF_OK) {
        status = hf_format_svg(cx, topo, NULL, &text);
    }
    hf_text_free(&text);
    hf_topology_free(topo);
    return status;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    for (size_t s = 0; s < N_TOPOLOGY_SPEC; s++) {
        char spec[96];
        (void)snprintf(spec, sizeof spec, "%s", topology_specs[s]);
        assert_true(failing_sweep(spec, build, spec) > 10);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_family_has_a_line),
        cmocka_unit_test(families_keep_their_promises),
        cmocka_unit_test(outlines_end_where_ids_do),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
