/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Groups files: what a group takes down, messages with file and line, content hashes in specs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/oracle/fixture.h"

static const char boards[] = "# boards and bundles\n"
                             "\n"
                             "board-a: s4 s5   # two switches\n"
                             "bundle.1 : s0:2, s1:3-s5:1\r\n"
                             "\tone_way:s8:0>s4:2\n"
                             "mixed: s11 s7:3 s3:2> t0";

static hf_universe *parse(fixture *fx, const char *text) {
    hf_universe *u = NULL;
    fixture_ok(fx, hf_universe_parse_groups(fx->cx, fx->topo, "boards.txt", text, strlen(text), &u));
    return u;
}

/** A file of its own for each test; removed by the caller. */
static void write_file(char *path, const char *text) {
    strcpy(path, "/tmp/holdfast-groups-XXXXXX");
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
}

/* ---- content ---- */

static void expect(const fixture *fx, const hf_universe *u, uint32_t i, const char *name, const char *channels,
                   const char *switches) {
    char text[64], list[1024] = "", down[256] = "";
    hf_universe_name(u, i, text, sizeof text);
    assert_string_equal(text, name);
    assert_int_equal(u->component[i].type, HF_COMPONENT_GROUP);
    for (uint32_t c = u->channel_begin[i]; c < u->channel_begin[i + 1]; c++) {
        hf_topology_channel_name(fx->topo, u->channel[c], text, sizeof text);
        strcat(strcat(list, " "), text);
        assert_true(c == u->channel_begin[i] || u->channel[c - 1] < u->channel[c]);
    }
    for (uint32_t s = u->switch_begin[i]; s < u->switch_begin[i + 1]; s++) {
        hf_topology_node_name(fx->topo, u->switch_list[s], text, sizeof text);
        strcat(strcat(down, " "), text);
    }
    if (channels) {
        assert_string_equal(list, channels);
    }
    assert_string_equal(down, switches);
}

static void members(void **state) {
    (void)state;
    fixture fx;
    fixture_open(&fx, "kary-tree:k=2,n=3", NULL, NULL);
    hf_universe *u = parse(&fx, boards);
    assert_int_equal(u->n_component, 4);
    assert_int_equal(u->n_group, 4);
    expect(&fx, u, 0, "board-a", NULL, " s4 s5");
    assert_int_equal(u->channel_begin[1], 16); /* two switches with four links each, none in common */
    expect(&fx, u, 1, "bundle.1", " s0:2>s4:0 s1:3>s5:1 s4:0>s0:2 s5:1>s1:3", "");
    expect(&fx, u, 2, "one_way", " s8:0>s4:2", "");
    /* s7:3 leads to s11 and fails with it: once */
    expect(&fx, u, 3, "mixed", " s3:2>s6:1 s5:3>s11:0 s7:3>s11:1 t0:0>s0:0 s11:0>s5:3 s11:1>s7:3 s0:0>t0:0", " s11");
    hf_universe_free(u);
    fixture_close(&fx);
}

/* ---- files and specs ---- */

static void from_a_file(void **state) {
    (void)state;
    fixture fx;
    fixture_open(&fx, "kary-tree:k=2,n=3", NULL, NULL);
    char path[64], spec[128], hashed[160];
    write_file(path, boards);
    (void)snprintf(spec, sizeof spec, "links+groups:%s", path);
    hf_universe *u = NULL, *again = NULL;
    fixture_ok(&fx, hf_universe_new(fx.cx, fx.topo, spec, NULL, &u));
    assert_int_equal(u->n_component, 20);
    assert_int_equal(u->component[16].type, HF_COMPONENT_GROUP);
    assert_memory_equal(u->spec, spec, strlen(spec));
    assert_int_equal(u->spec[strlen(spec)], '#');
    assert_int_equal(strlen(u->spec), strlen(spec) + 17);
    (void)snprintf(hashed, sizeof hashed, "%s", u->spec);
    fixture_ok(&fx, hf_universe_new(fx.cx, fx.topo, hashed, NULL, &again));
    assert_string_equal(again->spec, hashed);
    hf_universe_free(u);
    hf_universe_free(again);

    unlink(path); /* the same path with another content */
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("board-a: s4\n", file);
    fclose(file);
    assert_int_equal(hf_universe_new(fx.cx, fx.topo, hashed, NULL, &u), HF_EINVAL);
    assert_non_null(strstr(hf_context_message(fx.cx), "the file has changed"));
    unlink(path);
    fixture_close(&fx);
}

/** A group stays if all its members pass. */
static void filtered(void **state) {
    (void)state;
    fixture fx;
    fixture_open(&fx, "kary-tree:k=2,n=3", NULL, NULL);
    char path[64], spec[128];
    write_file(path, "a: s4 s5\nb: s4 s8\nc: s4:2 s5:3>\nd: s0:2\n");
    (void)snprintf(spec, sizeof spec, "groups:%s", path);
    hf_universe *u = NULL, *again = NULL;
    fixture_ok(&fx, hf_universe_new(fx.cx, fx.topo, spec, "stage=1", &u));
    assert_int_equal(u->n_component, 2);
    expect(&fx, u, 0, "a", NULL, " s4 s5");
    expect(&fx, u, 1, "c", " s4:2>s8:0 s5:3>s11:0 s8:0>s4:2", "");
    assert_non_null(strstr(u->spec, ",stage=1"));
    fixture_ok(&fx, hf_universe_new(fx.cx, fx.topo, u->spec, NULL, &again));
    assert_string_equal(again->spec, u->spec);
    assert_int_equal(again->n_component, 2);
    hf_universe_free(again);
    hf_universe_free(u);
    unlink(path);
    fixture_close(&fx);
}

static void two_files(void **state) {
    (void)state;
    fixture fx;
    fixture_open(&fx, "kary-tree:k=2,n=3", NULL, NULL);
    char a[64], b[64], spec[256];
    write_file(a, "x: s1\ny: s2\n");
    write_file(b, "z: s3 s4:2\n");
    hf_universe *u = NULL;
    (void)snprintf(spec, sizeof spec, "groups:%s+switches:stage=2+groups:%s", a, b);
    fixture_ok(&fx, hf_universe_new(fx.cx, fx.topo, spec, NULL, &u));
    assert_int_equal(u->n_component, 7);
    expect(&fx, u, 0, "x", NULL, " s1");
    expect(&fx, u, 6, "z", NULL, " s3");
    hf_universe_free(u);
    u = NULL;
    (void)snprintf(spec, sizeof spec, "groups:%s+groups:%s", a, a);
    assert_int_equal(hf_universe_new(fx.cx, fx.topo, spec, NULL, &u), HF_EINVAL);
    assert_non_null(strstr(hf_context_message(fx.cx), "line 1: group \"x\" is there already"));
    unlink(a);
    unlink(b);
    fixture_close(&fx);
}

/* ---- refusals ---- */

static void refusals(void **state) {
    (void)state;
    static const struct {
        const char *text;
        hf_status status;
        const char *message;
    } bad[] = {
        {"", HF_EINVAL, "boards.txt: no group in it"},
        {"# nothing\n\n", HF_EINVAL, "boards.txt: no group in it"},
        {"a: s1\n\nb s2\n", HF_EINVAL, "boards.txt, line 3: \"b s2\" is not a group; write NAME: member"},
        {"a", HF_EINVAL, "boards.txt, line 1: \"a\" is not a group"},
        {": s1\n", HF_EINVAL, "boards.txt, line 1: \": s1\" is not a group"},
        {"a b: s1\n", HF_EINVAL, "line 1"},
        {"a: s1\na: s2\n", HF_EINVAL, "boards.txt, line 2: group \"a\" is there already"},
        {"a: s1\nb:\n", HF_EINVAL, "boards.txt, line 2: group \"b\" has no members"},
        {"a: # s1\n", HF_EINVAL, "boards.txt, line 1: group \"a\" has no members"},
        {"a: s1\nb: s99\n", HF_ENOENT, "boards.txt, line 2: \"s99\" is not in \"kary-tree:k=2,n=3\"; its switches are s0..s11"},
        {"a: s0:9\n", HF_ENOENT, "boards.txt, line 1: \"s0:9\""},
        {"a: s0:2-s5:0\n", HF_ENOENT, "did you mean \"s0:2-s4:0\"?"},
        {"a: s1 banana\n", HF_EINVAL, "boards.txt, line 1: \"banana\" is not a name; write a switch as s8"},
        {"a: s1 s2 s1\n", HF_EINVAL, "boards.txt, line 1: s1 is in group \"a\" twice"},
        {"a: s0:2 s4:0\n", HF_EINVAL, "boards.txt, line 1: s0:2-s4:0 is in group \"a\" twice"},
        {"a: t0 t0:0\n", HF_EINVAL, "t0:0-s0:0 is in group \"a\" twice"},
        {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa: s1", HF_EINVAL, "is longer than 63 letters"},
    };
    fixture fx;
    fixture_open(&fx, "kary-tree:k=2,n=3", NULL, NULL);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        hf_universe *u = NULL;
        const hf_status status = hf_universe_parse_groups(fx.cx, fx.topo, "boards.txt", bad[i].text, strlen(bad[i].text), &u);
        if (status != bad[i].status || !strstr(hf_context_message(fx.cx), bad[i].message)) {
            fail_msg("%s: %s: %s", bad[i].text, hf_status_text(status), hf_context_message(fx.cx));
        }
        assert_null(u);
    }
    fixture_close(&fx);
}

/** A file is read by its size, not to a final 0. */
static void bytes_without_an_end(void **state) {
    (void)state;
    fixture fx;
    fixture_open(&fx, "kary-tree:k=2,n=3", NULL, NULL);
    char *data = malloc(5);
    assert_non_null(data);
    memcpy(data, "a: s1", 5);
    hf_universe *u = NULL;
    fixture_ok(&fx, hf_universe_parse_groups(fx.cx, fx.topo, "bytes", data, 5, &u));
    expect(&fx, u, 0, "a", NULL, " s1");
    hf_universe_free(u);
    memcpy(data, "a: \0s", 5);
    assert_int_equal(hf_universe_parse_groups(fx.cx, fx.topo, "bytes", data, 5, &u), HF_EINVAL);
    free(data);
    fixture_close(&fx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members),   cmocka_unit_test(from_a_file), cmocka_unit_test(filtered),
        cmocka_unit_test(two_files), cmocka_unit_test(refusals),    cmocka_unit_test(bytes_without_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
