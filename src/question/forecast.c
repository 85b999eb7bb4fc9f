/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What the answer to a question would take. */
#include <holdfast/question.h>

#include <inttypes.h>

#include "src/core/print.h"

const hf_column hf_forecast_columns[] = {{"f", "f", NULL, HF_COLUMN_COUNT, 6, 0},
                                         {"method", "method", NULL, HF_COLUMN_WORD, 6, 0},
                                         {"what", "what", "sets|samples|orders|orbits|states", HF_COLUMN_WORD, 6, 0},
                                         {"left", "left", NULL, HF_COLUMN_REAL, 10, 0},
                                         {"looked_at", "looked at", NULL, HF_COLUMN_REAL, 4, 0},
                                         {"rate", "a second and core", "1/s", HF_COLUMN_REAL, 3, 0},
                                         {"core_hours", "core hours", "h", HF_COLUMN_REAL, 3, 0},
                                         {"seconds", "s here", "s", HF_COLUMN_REAL, 3, 0},
                                         {"seconds_on_nodes", "s on all nodes", "s", HF_COLUMN_REAL, 3, 0},
                                         {"bytes", "bytes", "B", HF_COLUMN_REAL, 3, 0},
                                         {0}};

/* What several rows come to. */
typedef struct cost {
    double core_s, here_s, nodes_s, bytes;
} cost;

static cost cost_of(const hf_forecast_row *row, uint32_t nodes) {
    const double core_s = row->core_s + row->start_s;
    return (cost){.core_s = core_s,
                  .here_s = row->start_s + row->core_s / row->threads,
                  .nodes_s = row->start_s + row->core_s / row->threads / (row->is_shared ? nodes : 1),
                  .bytes = row->bytes};
}

static void put_cost(hf_report *answer, const cost *c, uint32_t nodes) {
    hf_report_cell(answer, hf_cell_real(c->core_s / 3600));
    hf_report_cell(answer, hf_cell_real(c->here_s));
    hf_report_cell(answer, nodes > 1 ? hf_cell_real(c->nodes_s) : hf_cell_none());
    hf_report_cell(answer, c->bytes > 0 ? hf_cell_real(c->bytes) : hf_cell_none());
}

static void put_row(hf_report *answer, const hf_forecast_row *row, uint32_t nodes) {
    const cost c = cost_of(row, nodes);
    const bool is_timed = row->core_s > 0 && row->left > 0;
    hf_report_cell(answer, row->f == HF_NONE ? hf_cell_none() : hf_cell_count(row->f));
    hf_report_cell(answer, hf_cell_word(hf_method_name(row->method)));
    hf_report_cell(answer, hf_cell_word(row->what));
    hf_report_cell(answer, row->left > 0 ? hf_cell_real(row->left) : hf_cell_none());
    hf_report_cell(answer, row->looked > 0 ? hf_cell_real(row->looked) : hf_cell_none());
    hf_report_cell(answer, is_timed ? hf_cell_real(row->left / row->core_s) : hf_cell_none());
    put_cost(answer, &c, nodes);
}

/* All rows together, where there are several. */
static void put_sum(hf_report *answer, const hf_forecast *forecast, uint32_t nodes) {
    cost sum = {0};
    double left = 0, looked = 0;
    for (size_t i = 0; i < forecast->n_row; i++) {
        const cost c = cost_of(&forecast->row[i], nodes);
        sum = (cost){sum.core_s + c.core_s, sum.here_s + c.here_s, sum.nodes_s + c.nodes_s, sum.bytes + c.bytes};
        left += forecast->row[i].left;
        looked += forecast->row[i].looked;
    }
    hf_report_cell(answer, hf_cell_none());
    hf_report_cell(answer, hf_cell_word("all"));
    hf_report_cell(answer, hf_cell_word(forecast->row[0].what));
    hf_report_cell(answer, hf_cell_real(left));
    hf_report_cell(answer, hf_cell_real(looked));
    hf_report_cell(answer, sum.core_s > 0 ? hf_cell_real(left / sum.core_s) : hf_cell_none());
    put_cost(answer, &sum, nodes);
}

static hf_status put_rows(hf_context *cx, const hf_forecast *forecast, uint32_t nodes, hf_report *answer) {
    size_t n = 0;
    char *note;
    while (hf_forecast_columns[n].key) {
        n++;
    }
    hf_report_table_begin(answer, "plan", hf_forecast_columns, n);
    for (size_t i = 0; i < forecast->n_row; i++) {
        put_row(answer, &forecast->row[i], nodes);
    }
    if (forecast->n_row > 1) {
        put_sum(answer, forecast, nodes);
    }
    const uint32_t threads = forecast->row[forecast->n_row - 1].threads;
    HF_TRY(hf_scratch_print(cx, &note,
                            "Measured on this machine at random places, with %" PRIu32 " thread%s: processor time. Bytes: of the "
                            "store, or of memory where nothing is walked.",
                            threads, hf_plural(threads)));
    hf_report_note(answer, note);
    return HF_OK;
}

hf_status hf_question_measure(hf_context *cx, const hf_question *question, const hf_argument *arguments, size_t n,
                              const hf_conduct *conduct, hf_forecast *forecast, hf_report *asked) {
    hf_conduct planned = *conduct;
    planned.forecast = forecast;
    const hf_status status = question->walks ? hf_question_ask(cx, question, NULL, NULL, arguments, n, &planned, asked) : HF_OK;
    if (status != HF_OK && (status != HF_ESTOP || !forecast->n_row || hf_context_stopped(cx))) {
        return status;
    }
    if (!forecast->n_row) {
        HF_FAIL(cx, HF_EINVAL, "%s walks over no fault sets here: there is nothing to plan", question->name);
    }
    hf_context_clear(cx);
    return HF_OK;
}

hf_status hf_question_forecast(hf_context *cx, const hf_question *question, const hf_argument *arguments, size_t n,
                               const hf_conduct *conduct, uint32_t nodes, double seconds, hf_report *answer) {
    hf_forecast forecast = {.seconds = seconds};
    hf_report asked;
    char *title;
    HF_TRY(hf_question_measure(cx, question, arguments, n, conduct, &forecast, &asked));
    HF_TRY(hf_scratch_print(cx, &title, "plan of %s: %s", question->name, asked.title ? asked.title : ""));
    hf_report_begin(cx, title, "plan", answer);
    for (size_t i = 0; i < asked.n_argument; i++) {
        hf_report_argument_as(answer, asked.argument[i].name, asked.argument[i].value, asked.argument_kind[i]);
    }
    return put_rows(cx, &forecast, nodes, answer);
}
