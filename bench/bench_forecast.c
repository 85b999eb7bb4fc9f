/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What `holdfast plan` says that a question takes, and what it then takes, as CSV: seconds of a core, and their ratio. */

#include <holdfast/holdfast.h>

#include "bench/bench.h"

enum { ARGUMENTS_MOST = 10 };

typedef struct forecast_case {
    const char *name, *question;
    hf_argument argument[ARGUMENTS_MOST];
} forecast_case;

static const forecast_case cases[] = {
    {"forecast-all-sets",
     "tolerance",
     {{"topology", "kary-tree:k=4,n=3"},
      {"routing", "ft2ei"},
      {"universe", "links"},
      {"faults", "0..4"},
      {"method", "exhaustive"}}},
    {"forecast-sampled",
     "tolerance",
     {{"topology", "torus:dims=8x8"},
      {"routing", "updown-graph"},
      {"universe", "links"},
      {"faults", "4,8,16"},
      {"samples", "40000"}}},
    {"forecast-orbits",
     "tolerance",
     {{"topology", "kary-tree:k=4,n=3"},
      {"routing", "ft2ei:intervals=unlimited"},
      {"universe", "links"},
      {"faults", "7"},
      {"method", "orbits"}}},
    {"forecast-counted",
     "tolerance",
     {{"topology", "torus:dims=6x6"},
      {"routing", "minimal"},
      {"universe", "links"},
      {"criterion", "connected"},
      {"faults", "0..72"},
      {"method", "counted"}}},
    {"forecast-verify",
     "verify",
     {{"topology", "torus:dims=8x8"},
      {"routing", "immunet"},
      {"switching", "vct"},
      {"flow", "bubble"},
      {"universe", "links"},
      {"faults", "2"},
      {"method", "orbits"}}},
};

static double core_seconds(hf_context *cx, const forecast_case *c, size_t n) {
    static const hf_conduct conduct = {0};
    const hf_question *question;
    hf_report answer;
    must_in(cx, hf_question_find(cx, c->question, &question), c->name);
    must_in(cx, hf_question_forecast(cx, question, c->argument, n, &conduct, 1, 2, &answer), c->name);
    const hf_report_table *table = &answer.table[0];
    size_t hours = 0;
    while (strcmp(table->column[hours].key, "core_hours") != 0) {
        hours++;
    }
    return 3600 * table->cell[table->n_cell - table->n_column + hours].value;
}

static void run_case(const forecast_case *c) {
    hf_context *cx = hf_context_new(NULL);
    hf_report answer;
    size_t n = 0;
    while (n < ARGUMENTS_MOST && c->argument[n].name) {
        n++;
    }
    const double forecast_s = core_seconds(cx, c, n), from_s = cpu_now_s();
    must_in(cx, hf_ask(cx, c->question, c->argument, n, &answer), c->name);
    const double taken_s = cpu_now_s() - from_s;
    printf("%s,%s,%.4g,%.4g,%.3f,%s,%s\n", c->name, c->question, forecast_s, taken_s, forecast_s / taken_s, hf_build_version(),
           hf_build_commit());
    hf_context_free(cx);
}

int main(int argc, char **argv) {
    printf("name,question,forecast_core_s,taken_core_s,ratio,version,commit\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (is_asked(cases[i].name, argc, argv, 1)) {
            run_case(&cases[i]);
        }
    }
    return 0;
}
