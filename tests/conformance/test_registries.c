/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What every descriptor must say, over all registries: names, summaries, sources, parameters with help and working defaults. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/oracle/fixture.h"

enum { ENTRIES_MAX = 256 };

/* The part that all descriptors share. */
typedef struct entry {
    const char *registry, *name, *summary, *source;
    const hf_param *params;
} entry;

static size_t collect(entry *out) {
    size_t n = 0;
    for (size_t i = 0; i < hf_topology_count(); i++) {
        const hf_topology_kind *d = hf_topology_kind_at(i);
        assert_non_null(d->claims);
        out[n++] = (entry){"topology", d->name, d->summary, d->source, d->params};
    }
    for (size_t i = 0; i < hf_routing_count(); i++) {
        const hf_routing *d = hf_routing_at(i);
        out[n++] = (entry){"routing", d->name, d->summary, d->source, d->params};
    }
    for (size_t i = 0; i < hf_universe_kind_count(); i++) {
        const hf_universe_kind *d = hf_universe_kind_at(i);
        out[n++] = (entry){"universe", d->name, d->summary, d->source, d->params};
    }
    for (size_t i = 0; i < hf_criterion_count(); i++) {
        const hf_criterion_kind *d = hf_criterion_at(i);
        out[n++] = (entry){"criterion", d->name, d->summary, d->source, d->params};
    }
    assert_true(n <= ENTRIES_MAX);
    return n;
}

static bool is_token(const char *name) {
    return name && *name && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(name);
}

static bool is_one_line(const char *text) { return text && *text && !strchr(text, '\n') && strlen(text) <= 160; }

static void descriptors_are_complete(void **state) {
    (void)state;
    entry list[ENTRIES_MAX];
    const size_t n = collect(list);
    assert_true(n > 0);
    for (size_t i = 0; i < n; i++) {
        if (!is_token(list[i].name) || !is_one_line(list[i].summary) || !is_one_line(list[i].source)) {
            print_error("%s \"%s\": needs a name of [a-z0-9-]+, a summary of one line and a source\n", list[i].registry,
                        list[i].name ? list[i].name : "");
            fail();
        }
        for (size_t j = 0; j < i; j++) {
            assert_true(strcmp(list[i].registry, list[j].registry) != 0 || strcmp(list[i].name, list[j].name) != 0);
        }
    }
}

static void check_param(const entry *e, const hf_param *p) {
    const bool is_number =
        p->type == HF_PARAM_UINT || p->type == HF_PARAM_COUNT || p->type == HF_PARAM_DIMS || p->type == HF_PARAM_AMOUNT;
    const bool is_whole = is_token(p->name) && is_one_line(p->help) && (!is_number || p->low <= p->high) &&
                          (p->type != HF_PARAM_WORD || (p->words && p->words[0]));
    const size_t size = p->help ? strlen(p->help) : 0;
    const bool has_stop = size > 3 && p->help[size - 1] == '.' && p->help[size - 2] != '.';
    if (!is_whole || has_stop) {
        print_error("%s %s, parameter \"%s\": needs a name, help of one line without full stop, and a range\n", e->registry,
                    e->name, p->name);
        fail();
    }
}

static void measures_say_what_they_count(void **state) {
    (void)state;
    for (size_t i = 0; i < hf_routing_count(); i++) {
        const hf_routing *r = hf_routing_at(i);
        size_t n = 0;
        while (hf_measures_of(r)->extras && hf_measures_of(r)->extras[n]) {
            n++;
        }
        assert_true(n <= HF_EXTRAS && (n == 0 || hf_measures_of(r)->notes));
        for (size_t k = 0; k < n; k++) {
            const hf_extra_note *note = &hf_measures_of(r)->notes[k];
            assert_true(is_one_line(note->meaning));
            assert_true(!note->ratio || note->over == HF_OVER_TOLERATED || (note->over < n && note->over != k));
        }
    }
}

static void parameters_have_help_and_range(void **state) {
    (void)state;
    entry list[ENTRIES_MAX];
    const size_t n = collect(list);
    for (size_t i = 0; i < n; i++) {
        for (const hf_param *p = list[i].params; p && p->name; p++) {
            check_param(&list[i], p);
            for (const hf_param *q = list[i].params; q < p; q++) {
                assert_string_not_equal(p->name, q->name);
            }
        }
    }
}

/* Text that gives the parameters without default their lowest value. */
static void lowest_args(const entry *e, char *text, size_t size) {
    size_t used = 0;
    text[0] = 0;
    for (const hf_param *p = e->params; p && p->name; p++) {
        if (p->fallback) {
            continue;
        }
        const int more =
            p->type == HF_PARAM_WORD   ? snprintf(text + used, size - used, "%s%s=%s", used ? "," : "", p->name, p->words[0])
            : p->type == HF_PARAM_BOOL ? snprintf(text + used, size - used, "%s%s=no", used ? "," : "", p->name)
            : p->type == HF_PARAM_TEXT
                ? snprintf(text + used, size - used, "%s%s=x", used ? "," : "", p->name)
                : snprintf(text + used, size - used, "%s%s=%llu", used ? "," : "", p->name, (unsigned long long)p->low);
        assert_true(more > 0 && (size_t)more < size - used);
        used += (size_t)more;
    }
}

/* Parse, print, parse, print: the second text is the first. */
static void canonical_specs_parse_to_themselves(void **state) {
    (void)state;
    fixture fx = {.cx = hf_context_new(NULL)};
    entry list[ENTRIES_MAX];
    const size_t n = collect(list);
    for (size_t i = 0; i < n; i++) {
        char text[512];
        char *once, *twice;
        hf_args args;
        size_t size;
        if (!list[i].params) {
            continue;
        }
        lowest_args(&list[i], text, sizeof text);
        fixture_ok(&fx, hf_args_parse(fx.cx, list[i].registry, list[i].name, list[i].params, text, &args));
        fixture_ok(&fx, hf_args_canonical(fx.cx, list[i].name, &args, &once));
        hf_args_free(&args);
        const char *rest = hf_spec_split(once, &size);
        assert_int_equal(size, strlen(list[i].name));
        fixture_ok(&fx, hf_args_parse(fx.cx, list[i].registry, list[i].name, list[i].params, rest, &args));
        fixture_ok(&fx, hf_args_canonical(fx.cx, list[i].name, &args, &twice));
        hf_args_free(&args);
        assert_string_equal(once, twice);
        hf_release(hf_context_allocator(fx.cx), once);
        hf_release(hf_context_allocator(fx.cx), twice);
    }
    hf_context_free(fx.cx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptors_are_complete),
        cmocka_unit_test(measures_say_what_they_count),
        cmocka_unit_test(parameters_have_help_and_range),
        cmocka_unit_test(canonical_specs_parse_to_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
