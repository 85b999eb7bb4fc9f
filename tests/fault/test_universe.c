/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Fault universes: sizes and order of every term, what components take down, filters, canonical specs, refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/oracle/fixture.h"

static hf_universe *make(fixture *fx, const char *spec, const char *only) {
    hf_universe *u = NULL;
    fixture_ok(fx, hf_universe_new(fx->cx, fx->topo, spec, only, &u));
    return u;
}

/* ---- sizes and canonical specs ---- */

/** On the 2-ary 3-tree: 12 switches in 3 stages, 8 links above stage 0 and 8 above stage 1, 8 terminal links. */
static const struct {
    const char *spec, *only;
    uint32_t n_component;
    const char *canonical;
} sizes[] = {
    {"channels", NULL, 32, "channels"},
    {"links", NULL, 16, "links"},
    {"switches", NULL, 12, "switches"},
    {"routers", NULL, 12, "switches"},
    {"routers:stage=2+links", NULL, 20, "switches:stage=2+links"},
    {"terminal-links", NULL, 8, "terminal-links"},
    {"links+switches", NULL, 28, "links+switches"},
    {"switches+links", NULL, 28, "switches+links"},
    {"links+terminal-links", NULL, 24, "links+terminal-links"},
    {"links+channels", NULL, 48, "links+channels"},
    {"links:stage=1", NULL, 8, "links:stage=1"},
    {"links", "stage=1", 8, "links:stage=1"},
    {"links", "", 16, "links"},
    {"links:", NULL, 16, "links"},
    {"links:stage=1,stage=0", NULL, 16, "links:stage=0,stage=1"},
    {"links:stage=1,stage=1", NULL, 8, "links:stage=1"},
    {"links:stage=01", NULL, 8, "links:stage=1"},
    {"links:stage=0+links:stage=1", NULL, 16, "links:stage=0+links:stage=1"},
    {"links:stage=0,stage=1", "stage=1", 8, "links:stage=1"},
    {"links:stage=1", "stage=0,stage=1,stage=2", 8, "links:stage=1"},
    {"channels:stage=0", NULL, 16, "channels:stage=0"},
    {"switches:stage=2", NULL, 4, "switches:stage=2"},
    {"links+switches", "stage=1", 12, "links:stage=1+switches:stage=1"},
    {"links+switches", "stage=2", 4, "switches:stage=2"},
    {"links+terminal-links", "stage=0", 8, "links:stage=0"},
    {"links:stage=0+switches:stage=1", "stage=1", 4, "switches:stage=1"},
};

static void sizes_and_specs(void **state) {
    (void)state;
    fixture fx;
    fixture_open(&fx, "kary-tree:k=2,n=3", NULL, NULL);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        hf_universe *u = make(&fx, sizes[i].spec, sizes[i].only), *again = make(&fx, u->spec, NULL);
        if (u->n_component != sizes[i].n_component || strcmp(u->spec, sizes[i].canonical) != 0) {
            fail_msg("%s: %u components, \"%s\"", sizes[i].spec, u->n_component, u->spec);
        }
        assert_string_equal(again->spec, u->spec); /* a canonical spec means itself */
        assert_int_equal(again->n_component, u->n_component);
        assert_memory_equal(again->component, u->component, u->n_component * sizeof *u->component);
        hf_universe_free(again);
        hf_universe_free(u);
    }
    fixture_close(&fx);
}

/** M = 2 (n-1) k^n channels between switches. */
static void size_of_the_papers_universe(void **state) {
    (void)state;
    static const struct {
        const char *topo;
        uint32_t n;
    } cases[] = {{"kary-tree:k=2,n=3", 32}, {"kary-tree:k=4,n=3", 256}, {"kary-tree:k=3,n=2", 18}, {"kary-tree:k=8,n=4", 24576}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture fx;
        fixture_open(&fx, cases[i].topo, "channels", NULL);
        assert_int_equal(fx.universe->n_component, cases[i].n);
        fixture_close(&fx);
    }
}

/* ---- order and what fails ---- */

static uint32_t n_channel_of(const hf_universe *u, uint32_t i) { return u->channel_begin[i + 1] - u->channel_begin[i]; }

static void channels_in_order(void **state) {
    (void)state;
    fixture fx;
    fixture_open(&fx, "kary-tree:k=2,n=3", "channels", NULL);
    const hf_universe *u = fx.universe;
    for (uint32_t i = 0; i < 32; i++) { /* 16 forward, then the 16 backward ones of the same links */
        const uint32_t channel = i < 16 ? fx.topo->forward[i] : fx.topo->backward[i - 16];
        assert_int_equal(u->component[i].type, HF_COMPONENT_CHANNEL);
        assert_int_equal(u->component[i].id, channel);
        assert_int_equal(n_channel_of(u, i), 1);
        assert_int_equal(u->channel[u->channel_begin[i]], channel);
        assert_int_equal(u->switch_begin[i + 1], 0);
    }
    fixture_close(&fx);
}

static void links_take_both_channels(void **state) {
    (void)state;
    fixture fx;
    fixture_open(&fx, "kary-tree:k=2,n=3", "links+terminal-links", NULL);
    const hf_universe *u = fx.universe;
    for (uint32_t i = 0; i < u->n_component; i++) {
        assert_int_equal(u->component[i].type, HF_COMPONENT_LINK);
        assert_int_equal(u->component[i].id, i);
        assert_int_equal(n_channel_of(u, i), 2);
        assert_int_equal(u->channel[u->channel_begin[i]], fx.topo->forward[i]);
        assert_int_equal(u->channel[u->channel_begin[i] + 1], fx.topo->backward[i]);
    }
    fixture_close(&fx);
}

static void switches_take_all_their_channels(void **state) {
    (void)state;
    fixture fx;
    fixture_open(&fx, "kary-tree:k=3,n=3", "switches", NULL);
    const hf_universe *u = fx.universe;
    for (uint32_t i = 0; i < u->n_component; i++) {
        uint32_t at = u->channel_begin[i];
        for (uint32_t c = 0; c < fx.topo->n_channel; c++) {
            if (fx.topo->from[c] == i || fx.topo->to[c] == i) {
                assert_true(at < u->channel_begin[i + 1]);
                assert_int_equal(u->channel[at++], c); /* in channel order */
            }
        }
        assert_int_equal(at, u->channel_begin[i + 1]);
        assert_int_equal(u->switch_begin[i + 1] - u->switch_begin[i], 1);
        assert_int_equal(u->switch_list[u->switch_begin[i]], i);
    }
    assert_int_equal(n_channel_of(u, 0), 12); /* 3 terminals, 3 up links */
    assert_int_equal(n_channel_of(u, 26), 6); /* top stage */
    fixture_close(&fx);
}

static void names(void **state) {
    (void)state;
    fixture fx;
    fixture_open(&fx, "kary-tree:k=2,n=3", "channels+links+switches+terminal-links", NULL);
    static const struct {
        uint32_t component;
        const char *name;
    } some[] = {{0, "s0:2>s4:0"}, {16, "s4:0>s0:2"}, {32, "s0:2-s4:0"}, {47, "s7:3-s11:1"}, {48, "s0"}, {60, "t0:0-s0:0"}};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        char name[64];
        hf_universe_name(fx.universe, some[i].component, name, sizeof name);
        assert_string_equal(name, some[i].name);
    }
    fixture_close(&fx);
}

/* ---- refusals ---- */

static const struct {
    const char *spec, *only;
    hf_status status;
    const char *message;
} bad[] = {
    {"link", NULL, HF_ENOENT, "no fault universe is called \"link\"; did you mean \"links\"?"},
    {"linsk", NULL, HF_ENOENT, "did you mean \"links\"?"},
    {"terminals", NULL, HF_ENOENT, "terminals"},
    {"", NULL, HF_EINVAL, "a term is missing"},
    {"links+", NULL, HF_EINVAL, "a term is missing"},
    {"+links", NULL, HF_EINVAL, "a term is missing"},
    {"links++switches", NULL, HF_EINVAL, "a term is missing"},
    {"links+links", NULL, HF_EINVAL, "holds s0:2-s4:0 twice"},
    {"links+switches+links:stage=1", NULL, HF_EINVAL, "holds s4:2-s8:0 twice"},
    {"channels:stage=1+channels", NULL, HF_EINVAL, "twice"},
    {"links:stag=1", NULL, HF_ENOENT, "did you mean \"stage\"?"},
    {"links:colour=1", NULL, HF_ENOENT, "no attribute is called \"colour\""},
    {"links:stage", NULL, HF_EINVAL, "need stage=NUMBER"},
    {"links:stage=", NULL, HF_EINVAL, "need stage=NUMBER"},
    {"links:stage=x", NULL, HF_EINVAL, "need stage=NUMBER"},
    {"links:stage=-1", NULL, HF_EINVAL, "need stage=NUMBER"},
    {"links:stage=3", NULL, HF_EINVAL, "need 0 <= stage <= 2"},
    {"links:stage=4294967296", NULL, HF_EINVAL, "need 0 <= stage <= 2"},
    {"links:stage=4294967295", NULL, HF_EINVAL, "need 0 <= stage <= 2"},
    {"links:stage=1,", NULL, HF_EINVAL, "missing before or after a comma"},
    {"links:,stage=1", NULL, HF_EINVAL, "missing before or after a comma"},
    {"links:stage=2", NULL, HF_EINVAL, "is empty"},
    {"terminal-links", "stage=0", HF_EINVAL, "with only \"stage=0\" of \"kary-tree:k=2,n=3\" is empty"},
    {"links:stage=0", "stage=1", HF_EINVAL, "is empty"},
    {"links", "stag=1", HF_ENOENT, "did you mean \"stage\"?"},
    {"links", "stage=1,,stage=0", HF_EINVAL, "comma"},
    {"groups", NULL, HF_EINVAL, "write groups:PATH"},
    {"groups:", NULL, HF_EINVAL, "write groups:PATH"},
    {"groups:/nowhere/to be found", NULL, HF_ENOENT, "/nowhere/to be found"},
    {"groups:/tmp", NULL, HF_EIO, "/tmp"},
};

static void refusals(void **state) {
    (void)state;
    fixture fx;
    fixture_open(&fx, "kary-tree:k=2,n=3", NULL, NULL);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        hf_universe *u = NULL;
        const hf_status status = hf_universe_new(fx.cx, fx.topo, bad[i].spec, bad[i].only, &u);
        if (status != bad[i].status || !strstr(hf_context_message(fx.cx), bad[i].message)) {
            fail_msg("%s: %s: %s", bad[i].spec, hf_status_text(status), hf_context_message(fx.cx));
        }
        assert_null(u);
    }
    fixture_close(&fx);
}

/** One switch, no links between switches. */
static void no_links(void **state) {
    (void)state;
    fixture fx;
    fixture_open(&fx, "kary-tree:k=4,n=1", "switches+terminal-links", NULL);
    assert_int_equal(fx.universe->n_component, 5);
    hf_universe *u = NULL;
    assert_int_equal(hf_universe_new(fx.cx, fx.topo, "links", NULL, &u), HF_EINVAL);
    assert_non_null(strstr(hf_context_message(fx.cx), "\"links\" of \"kary-tree:k=4,n=1\" is empty"));
    fixture_close(&fx);
}

static void registry(void **state) {
    (void)state;
    static const char *const expected[] = {"channels", "links", "switches", "routers", "terminal-links", "chips", "groups"};
    assert_int_equal(hf_universe_kind_count(), 7);
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(hf_universe_kind_at(i)->name, expected[i]);
        assert_true(hf_universe_kind_at(i)->summary[0] && hf_universe_kind_at(i)->source[0]);
    }
    assert_null(hf_universe_kind_at(7));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_and_specs),
        cmocka_unit_test(size_of_the_papers_universe),
        cmocka_unit_test(channels_in_order),
        cmocka_unit_test(links_take_both_channels),
        cmocka_unit_test(switches_take_all_their_channels),
        cmocka_unit_test(names),
        cmocka_unit_test(refusals),
        cmocka_unit_test(no_links),
        cmocka_unit_test(registry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
