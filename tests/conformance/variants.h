/** \file
 *  Every rule of the registry with every value of its parameters taken one at a time, for tests that go over them. */
#ifndef HOLDFAST_TESTS_CONFORMANCE_VARIANTS_H
#define HOLDFAST_TESTS_CONFORMANCE_VARIANTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/routing.h>

#include "src/routing/lanes.h"
#include "tests/conformance/specs.h"

enum { VARIANTS_MAX = 64, SPEC_SIZE = 160 };

static size_t add_variant(char spec[][SPEC_SIZE], size_t n, const char *rule, const char *name, const char *value) {
    assert_true(n < VARIANTS_MAX);
    (void)snprintf(spec[n], SPEC_SIZE, "%s:%s=%s", rule, name, value);
    return n + 1;
}

/* Rules that need a file, with one, or a program (fixture.c gives it). */
static const char *const with_files[] = {
    "given:nearer",
    "lua:studies/examples/adaptive-escape.lua",
    "lua:studies/examples/deadlock.lua",
    "lua:studies/examples/torus-dateline.lua",
    "paths:tests/fixtures/paths/ring-5.txt",
    "table:tests/fixtures/opensm/kary-2-3.ftree/opensm-lfts.dump",
};

static bool needs_file(const hf_routing *routing) {
    return routing->params->name && routing->params->type == HF_PARAM_TEXT && !routing->params->fallback;
}

static size_t list_files(const hf_routing *routing, char spec[][SPEC_SIZE]) {
    const size_t size = strlen(routing->name);
    size_t n = 0;
    for (size_t i = 0; i < sizeof with_files / sizeof *with_files; i++) {
        if (strncmp(with_files[i], routing->name, size) == 0 && with_files[i][size] == ':') {
            (void)snprintf(spec[n++], SPEC_SIZE, "%s", with_files[i]);
        }
    }
    assert_true(n > 0);
    return n;
}

static size_t list_variants(const hf_routing *routing, char spec[][SPEC_SIZE]) {
    size_t n = 0;
    char number[32];
    if (needs_file(routing)) {
        return list_files(routing, spec);
    }
    (void)snprintf(spec[n++], SPEC_SIZE, "%s", routing->name);
    for (size_t i = 0; i < N_RULE_SPEC; i++) {
        size_t size;
        (void)hf_spec_split(rule_specs[i], &size);
        if (strlen(routing->name) == size && strncmp(rule_specs[i], routing->name, size) == 0) {
            (void)snprintf(spec[n++], SPEC_SIZE, "%s", rule_specs[i]);
        }
    }
    for (const hf_param *p = routing->params; p && p->name; p++) {
        if (strcmp(p->help, hf_lanes_params->help) == 0) {
            continue; /* test_lanes.c has them */
        }
        if (p->type == HF_PARAM_BOOL) {
            n = add_variant(spec, n, routing->name, p->name, strcmp(p->fallback, "yes") == 0 ? "no" : "yes");
        }
        for (size_t w = 0; p->type == HF_PARAM_WORD && p->words[w]; w++) {
            n = add_variant(spec, n, routing->name, p->name, p->words[w]);
        }
        if (p->type == HF_PARAM_COUNT) {
            n = add_variant(spec, n, routing->name, p->name, "unlimited");
        }
        for (uint64_t v = p->low; (p->type == HF_PARAM_COUNT || p->type == HF_PARAM_UINT) && v <= p->high && v < p->low + 3;
             v++) {
            (void)snprintf(number, sizeof number, "%llu", (unsigned long long)v);
            n = add_variant(spec, n, routing->name, p->name, number);
        }
    }
    return n;
}

#endif
