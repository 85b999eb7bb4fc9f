/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/oracle/strata.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/combination.h>

static bool holds(fixture *fx, const char *spec, hf_component what) {
    hf_universe *u;
    bool found = false;
    fixture_ok(fx, hf_universe_new(fx->cx, fx->topo, spec, NULL, &u));
    for (uint32_t i = 0; i < u->n_component; i++) {
        found |= u->component[i].type == what.type && u->component[i].id == what.id;
    }
    hf_universe_free(u);
    return found;
}

uint32_t strata_class(fixture *fx, const hf_strata *strata, uint32_t component) {
    uint32_t class = HF_NONE, n = 0;
    for (uint32_t c = 0; c < strata->n_class; c++) {
        if (holds(fx, strata->name[c], fx->universe->component[component])) {
            class = c;
            n++;
        }
    }
    assert_int_equal(n, 1);
    return class;
}

void strata_word(fixture *fx, const hf_strata *strata, const uint32_t *set, uint32_t f, uint32_t *word) {
    memset(word, 0, STRATA_CLASSES * sizeof *word);
    for (uint32_t k = 0; k < f; k++) {
        word[strata_class(fx, strata, set[k])]++;
    }
}

static int compare(const uint32_t *a, const uint32_t *b) {
    for (int c = 0; c < STRATA_CLASSES; c++) {
        if (a[c] != b[c]) {
            return a[c] < b[c] ? -1 : 1;
        }
    }
    return 0;
}

static void add(strata_counts *out, const uint32_t *word) {
    uint32_t at = 0;
    while (at < out->n && compare(out->word[at], word) < 0) {
        at++;
    }
    if (at == out->n || compare(out->word[at], word) != 0) {
        assert_true(out->n < STRATA_WORDS);
        memmove(out->word + at + 1, out->word + at, (out->n - at) * sizeof *out->word);
        memmove(out->sets + at + 1, out->sets + at, (out->n - at) * sizeof *out->sets);
        memcpy(out->word[at], word, sizeof *out->word);
        out->sets[at] = 0;
        out->n++;
    }
    out->sets[at]++;
    out->all++;
}

void strata_count(fixture *fx, const hf_strata *strata, uint32_t f, strata_counts *out) {
    const uint32_t m = fx->universe->n_component;
    uint32_t set[64], class[64], word[STRATA_CLASSES];
    uint64_t all;
    assert_true(m <= 64 && hf_binomial(m, f, &all));
    for (uint32_t i = 0; i < m; i++) {
        class[i] = strata_class(fx, strata, i);
    }
    memset(out, 0, sizeof *out);
    for (uint64_t rank = 0; rank < all; rank++) {
        hf_lex_unrank(m, f, rank, set);
        memset(word, 0, sizeof word);
        for (uint32_t k = 0; k < f; k++) {
            word[class[set[k]]]++;
        }
        add(out, word);
    }
}
