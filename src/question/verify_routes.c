/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Ways that are proposed in the place of those of the rule: how many, which, and as files that routings read. */
#include <inttypes.h>
#include <stdio.h>

#include "src/core/print.h"
#include "src/question/tables.h"
#include "src/question/verify.h"

/* ---- figures ---- */

static hf_status note_result(const verify *v, const hf_reroute *r, char **note) {
    if (r->is_found) {
        HF_TRY(hf_asked_note(v->cx, note,
                             "With these ways no cycle of dependencies is left; --write-paths and --write-table write them%s.",
                             v->proof ? "; the certificate is of them" : ""));
    }
    if (r->one_more_vc && r->n_changed > 0) {
        HF_TRY(hf_asked_note(
            v->cx, note, "One more virtual channel would do instead: the same %" PRIu32 " pair%s on it, along %s present way%s.",
            r->n_changed, hf_plural(r->n_changed), r->n_changed == 1 ? "its" : "their", hf_plural(r->n_changed)));
    }
    return HF_OK;
}

static hf_status add_figures(const verify *v, const hf_reroute *r) {
    static const hf_column columns[] = {{"result", "other ways", NULL, HF_COLUMN_WORD, 6, 0},
                                        {"changed", "pairs changed", NULL, HF_COLUMN_COUNT, 6, 0},
                                        {"lower_bound", "at least needed", NULL, HF_COLUMN_COUNT, 6, 0},
                                        {"pairs", "of", NULL, HF_COLUMN_COUNT, 6, 0},
                                        {"without", "without a way", NULL, HF_COLUMN_COUNT, 6, 0},
                                        {"load_before", "busiest channel before", "pairs", HF_COLUMN_COUNT, 6, 0},
                                        {"load_after", "then", "pairs", HF_COLUMN_COUNT, 6, 0},
                                        {"one_more_vc", "one more VC would do", NULL, HF_COLUMN_FLAG, 6, HF_COLUMN_JSON}};
    char *note = NULL;
    HF_BEGIN(v->answer, "rerouted", columns);
    hf_report_cell(v->answer, hf_cell_word(!r->is_found ? "none found" : r->is_fewest ? "the fewest that do" : "they do"));
    hf_report_cell(v->answer, r->is_found ? hf_cell_count(r->n_changed) : hf_cell_none());
    hf_report_cell(v->answer, hf_cell_count(r->lower_bound));
    hf_report_cell(v->answer, hf_cell_count(r->routes.n));
    hf_report_cell(v->answer, r->is_found ? hf_cell_count(r->n_lost) : hf_cell_none());
    hf_report_cell(v->answer, hf_cell_count(r->load_before));
    hf_report_cell(v->answer, r->is_found ? hf_cell_count(r->load_after) : hf_cell_none());
    hf_report_cell(v->answer, r->is_found ? hf_cell_flag(r->one_more_vc) : hf_cell_none());
    HF_TRY(note_result(v, r, &note));
    hf_report_note(v->answer, note);
    return HF_OK;
}

/* ---- ways ---- */

static hf_status print_way(const verify *v, uint32_t n_vc, const hf_route *route, char **out) {
    const hf_topology *topo = v->scene->topo;
    char name[HF_NAME_SIZE], vc[16] = "";
    *out = NULL;
    for (uint32_t i = 0; i < route->n; i++) {
        const uint32_t channel = route->resource[i] / n_vc;
        hf_topology_node_name(topo, topo->to[channel], name, sizeof name);
        if (n_vc > 1) {
            (void)snprintf(vc, sizeof vc, "@%" PRIu32, route->resource[i] % n_vc);
        }
        HF_TRY(hf_scratch_print(v->cx, out, "%s%s%s%s", *out ? *out : "", *out ? " " : "", name, vc));
    }
    return HF_OK;
}

static hf_status put_way(const verify *v, uint32_t n_vc, const hf_route *route) {
    char *text;
    HF_TRY(print_way(v, n_vc, route, &text));
    hf_report_cell(v->answer, hf_cell_word(text));
    return HF_OK;
}

static hf_status add_ways(const verify *v, const hf_reroute *r) {
    static const hf_column columns[] = {{"source", "from", NULL, HF_COLUMN_WORD, 6, 0},
                                        {"destination", "to", NULL, HF_COLUMN_WORD, 6, 0},
                                        {"way", "way", NULL, HF_COLUMN_WORD, 6, 0},
                                        {"before", "before", NULL, HF_COLUMN_WORD, 6, 0}};
    HF_BEGIN(v->answer, "routes", columns);
    for (uint32_t p = 0; p < r->routes.n; p++) {
        const hf_route *route = &r->routes.of[p];
        char from[HF_NAME_SIZE], to[HF_NAME_SIZE];
        if (!route->is_new || route->n == 0) {
            continue;
        }
        hf_topology_terminal_name(v->scene->topo, route->source, from, sizeof from);
        hf_topology_terminal_name(v->scene->topo, route->destination, to, sizeof to);
        hf_report_cell(v->answer, hf_cell_word(from));
        hf_report_cell(v->answer, hf_cell_word(to));
        HF_TRY(put_way(v, r->routes.n_vc, route));
        HF_TRY(put_way(v, r->routes.n_vc, &r->old[p]));
    }
    return HF_OK;
}

hf_status hf_verify_routes(const verify *v) {
    const hf_reroute *r = v->row->reroute;
    HF_TRY(add_figures(v, r));
    return r->is_found && r->n_changed > 0 ? add_ways(v, r) : HF_OK;
}

/* ---- files ---- */

static const hf_routes *routes_of(const verify *v) {
    const verify_row *row = v->is_single ? v->row : NULL;
    return row && row->reroute && row->reroute->is_found         ? &row->reroute->routes
           : row && row->layers && row->layers->upper != HF_NONE ? &row->layers->routes
                                                                 : NULL;
}

hf_status hf_verify_print_paths(const void *user, hf_text *out) {
    const verify *v = user;
    if (routes_of(v)) {
        hf_routes_print_paths(v->scene->topo, routes_of(v), out);
    }
    return HF_OK;
}

hf_status hf_verify_print_table(const void *user, hf_text *out) {
    const verify *v = user;
    if (routes_of(v)) {
        hf_routes_print_table(v->scene->topo, routes_of(v), out);
    }
    return HF_OK;
}

/* ---- what is proved of them ---- */

static hf_status prove(verify *v, const char *path) {
    verify_proof *p = v->proof;
    char *spec;
    HF_TRY(hf_verify_print_paths(v, &p->ways));
    HF_TRY(hf_text_check(v->cx, &p->ways));
    HF_TRY(hf_routes_spec(v->cx, path, &spec));
    hf_context_lend_file(v->cx, path, &p->ways);
    const hf_status status = hf_rule_init(v->cx, spec, v->scene->topo, &p->rule);
    hf_context_lend_file(v->cx, NULL, NULL);
    HF_TRY(status);
    HF_TRY(hf_plan_make(v->cx, &p->rule, v->row->faults, &p->plan));
    return hf_deadlock_decide(v->cx, &p->plan, &v->options, &p->deadlock);
}

hf_status hf_verify_prove_ways(verify *v, const char *path) {
    const hf_reroute *r = v->row->reroute;
    if (!r || !r->is_found || !path || v->options.bubble) {
        return HF_OK;
    }
    HF_TRY(hf_scratch(v->cx, 1, sizeof *v->proof, (void **)&v->proof));
    hf_text_init(v->cx, &v->proof->ways);
    return prove(v, path);
}

void hf_verify_free_proof(verify *v) {
    if (v->proof) {
        hf_rule_free(&v->proof->rule);
        hf_text_free(&v->proof->ways);
    }
}
