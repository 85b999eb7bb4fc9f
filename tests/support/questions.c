/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/questions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* What must be said, for any question that asks for it. */
static const hf_argument usual[] = {{"topology", "kary-tree:k=2,n=2"},
                                    {"routing", "ft2ei"},
                                    {"universe", "links"},
                                    {"traffic", "uniform"},
                                    {"faults", "0..2"},
                                    {"rate", "1e-3/h"},
                                    {"load", "0.1"},
                                    {"fault-at", "500:random=1"},
                                    {"barrier", "messages=2,tasks=2"},
                                    {"generate", "100"},
                                    {"program", "add"},
                                    {"cycles", "3000"},
                                    {"search", "yes"},
                                    {"orders", "20"},
                                    {"pair", "0,1"},
                                    {"against", "ring:n=3"},
                                    {"connectivity", "yes"},
                                    {"enumerate", "yes"},
                                    {"harm", "2"},
                                    {"layers", "yes"},
                                    {"mtbf-hours", "6.5"},
                                    {"down-cycles", "760"},
                                    {"clock-mhz", "250"}};
/* What need not be said, but makes the answer come soon. */
static const hf_argument quick[] = {{"benchmark", "add"}, {"nodes", "16"}, {"messages", "1"}};
enum { N_USUAL = sizeof usual / sizeof *usual, N_QUICK = sizeof quick / sizeof *quick };

static const char *find_value(const hf_argument *list, size_t n, const char *name) {
    for (size_t i = 0; i < n; i++) {
        if (strcmp(list[i].name, name) == 0) {
            return list[i].value;
        }
    }
    return NULL;
}

const char *example_usual(const char *name) { return find_value(usual, N_USUAL, name); }

void example_add(const hf_question *q, example *e, const char *name) {
    const char *value = example_usual(name);
    if (!value) {
        fail_msg("%s: say here what \"%s\" is usually", q->name, name);
    }
    e->argument[e->n++] = (hf_argument){name, value};
}

/* The first of a list with blanks between. */
static const char *first_of(const hf_question *q, const char *list) {
    const hf_param *p;
    size_t i = 0;
    while ((p = hf_question_param(q, i)) != NULL &&
           !(strncmp(p->name, list, strlen(p->name)) == 0 && strcspn(list, " ") == strlen(p->name))) {
        i++;
    }
    assert_non_null(p);
    return p->name;
}

example example_of(const hf_question *q) {
    example e = {.n = 0};
    const hf_param *p;
    if (q->one_of) {
        example_add(q, &e, first_of(q, q->one_of));
    }
    for (size_t i = 0; (p = hf_question_param(q, i)) != NULL; i++) {
        if (hf_question_requires(q, i)) {
            example_add(q, &e, p->name);
        }
    }
    e.n_required = e.n;
    for (size_t i = 0; (p = hf_question_param(q, i)) != NULL; i++) {
        const char *value = find_value(quick, N_QUICK, p->name);
        if (value) {
            e.argument[e.n++] = (hf_argument){p->name, value};
        }
    }
    return e;
}

bool example_at(const hf_question *q, size_t i, example *e) {
    *e = example_of(q);
    if (i == 0) {
        return true;
    }
    const char *given = q->forms ? q->forms[i - 1].given : NULL;
    if (!given || !example_usual(given)) {
        const hf_param *p = given ? hf_question_param_named(q, given) : NULL;
        assert_true(!p || (p->unit && strcmp(p->unit, "file") == 0)); /* say above what others are usually */
        return false;
    }
    for (size_t k = 0; k < e->n && q->one_of && strstr(q->one_of, given); k++) {
        if (strstr(q->one_of, e->argument[k].name)) {
            e->argument[k] = e->argument[--e->n];
        }
    }
    example_add(q, e, given);
    return true;
}

size_t example_forms(const hf_question *q) {
    size_t n = 0;
    while (q->forms && q->forms[n].given) {
        n++;
    }
    return n + 1;
}
