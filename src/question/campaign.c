/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Campaigns made of what was asked. */
#include "src/question/campaign.h"

#include <inttypes.h>

hf_status hf_asked_campaign_init(hf_context *cx, const hf_asked *asked, const hf_campaign_params *params, hf_report *answer,
                                 hf_asked_campaign *out) {
    const hf_scene *scene = asked->scene;
    const bool is_sampled = params->method == HF_METHOD_SAMPLED;
    char *components, *samples;
    *out = (hf_asked_campaign){.allocator = *hf_context_allocator(cx),
                               .answer = answer,
                               .is_auto = params->method == HF_METHOD_AUTO && !params->orders,
                               .why = "",
                               .campaign = {.universe = scene->universe,
                                            .rule = &scene->rule,
                                            .method = params->method == HF_METHOD_AUTO ? HF_METHOD_EXHAUSTIVE : params->method,
                                            .samples = params->samples,
                                            .seed = params->seed,
                                            .order = params->order,
                                            .threads = asked->conduct->threads,
                                            .use_relation = params->use_relation,
                                            .verdicts = params->verdicts,
                                            .progress = asked->conduct->progress,
                                            .progress_user = asked->conduct->progress_user}};
    if (params->part) {
        HF_TRY(hf_campaign_read_part(cx, params->part, &out->campaign.part, &out->campaign.n_part));
    }
    if (params->strata) {
        HF_TRY(hf_strata_new(cx, scene->universe, params->strata, &out->campaign.strata));
        hf_report_argument(answer, "strata", out->campaign.strata->by);
    }
    HF_TRY(hf_scratch_print(cx, &components, "%" PRIu32, scene->universe->n_component));
    hf_report_argument_as(answer, "components", components, HF_COLUMN_COUNT);
    HF_TRY(hf_scratch_print(cx, &samples, "%" PRIu64, params->samples));
    hf_report_argument_as(answer, "samples", is_sampled ? samples : NULL, HF_COLUMN_COUNT);
    if (params->orders && params->method != HF_METHOD_SPECTRUM) {
        out->campaign.method = HF_METHOD_SAMPLED;
        out->campaign.samples = params->orders;
        out->campaign.n_f = 1;
        HF_TRY(hf_allocate(cx, 1, sizeof *out->f, (void **)&out->f));
        *out->f = scene->universe->n_component;
    } else {
        HF_TRY(hf_campaign_parse_shares(cx, params->faults, scene->universe->n_component, &out->f, &out->campaign.n_f));
    }
    out->campaign.f = out->f;
    return HF_OK;
}

/* Those that the words of its parameter name. */
static unsigned methods_of(const hf_question *question) {
    const hf_param *method = hf_question_param_named(question, "method");
    unsigned methods = 0;
    for (unsigned m = 0; method && method->words[m]; m++) {
        methods |= hf_method_bit((hf_method)m);
    }
    return methods;
}

hf_status hf_asked_campaign_choose(hf_context *cx, const hf_asked *asked, bool walks, double memory, hf_asked_campaign *run,
                                   hf_choice *out) {
    const unsigned exact = hf_method_bit(HF_METHOD_COUNTED) | hf_method_bit(HF_METHOD_ORBITS), all = methods_of(asked->question);
    hf_campaign *c = &run->campaign;
    char *number, *why;
    HF_TRY(hf_campaign_check_faults(cx, c));
    HF_TRY(hf_campaign_choose(cx, c, walks ? all & ~exact : all, memory, out));
    run->is_auto = false;
    c->method = out->method;
    HF_TRY(hf_scratch_print(cx, &why, "%s", out->why));
    hf_report_argument(run->answer, "method", hf_method_name(c->method));
    hf_report_argument(run->answer, "method_why", why);
    if (c->method == HF_METHOD_SAMPLED) {
        HF_TRY(hf_scratch_print(cx, &number, "%" PRIu64, c->samples));
        hf_report_argument_as(run->answer, "samples", number, HF_COLUMN_COUNT);
    }
    if (c->method != HF_METHOD_EXHAUSTIVE) {
        HF_TRY(hf_scratch_print(cx, &why, "Method %s: %s.", hf_method_name(c->method), out->why));
        run->why = why;
    }
    return HF_OK;
}

hf_status hf_asked_campaign_explain(hf_context *cx, const hf_asked_campaign *run) {
    hf_report_table *t = &run->answer->table[0];
    char *note;
    if (*run->why) {
        HF_TRY(hf_scratch_print(cx, &note, "%s%s%s", run->why, t->note ? " " : "", t->note ? t->note : ""));
        t->note = note;
    }
    return HF_OK;
}

hf_status hf_asked_campaign_settle(hf_context *cx, const hf_asked *asked, hf_asked_campaign *run) {
    hf_choice choice;
    return run->is_auto ? hf_asked_campaign_choose(cx, asked, false, 0, run, &choice) : HF_OK;
}

hf_status hf_asked_campaign_run(hf_context *cx, const hf_asked *asked, hf_asked_campaign *run) {
    HF_TRY(hf_asked_campaign_settle(cx, asked, run));
    HF_TRY(hf_campaign_check(cx, &run->campaign));
    run->campaign.forecast = asked->conduct->forecast;
    if (asked->conduct->keep && !run->campaign.forecast) {
        HF_TRY(asked->conduct->keep(cx, asked->conduct->keep_user, &run->campaign));
    }
    return hf_campaign_run(cx, &run->campaign, &run->result);
}

void hf_asked_campaign_free(hf_asked_campaign *run) {
    hf_result_free(run->result);
    hf_release(&run->allocator, run->f);
    run->result = NULL;
    run->f = NULL;
}

hf_status hf_asked_campaign_word(hf_context *cx, const hf_campaign *campaign, const hf_row *row, char **out) {
    *out = NULL;
    if (row->is_exact && campaign->n_part > 1) {
        return hf_scratch_print(cx, out, "exact, part %" PRIu32 " of %" PRIu32, campaign->part, campaign->n_part);
    }
    return row->is_exact ? hf_scratch_print(cx, out, "exact") : HF_OK;
}

hf_status hf_asked_campaign_names(hf_context *cx, const hf_universe *universe, const uint32_t *component, size_t n,
                                  const char *separator, char **out) {
    hf_text text;
    hf_text_init(cx, &text);
    for (size_t i = 0; i < n; i++) {
        char name[HF_NAME_SIZE];
        hf_universe_name(universe, component[i], name, sizeof name);
        hf_text_print(&text, "%s%s", i ? separator : "", name);
    }
    hf_text_append(&text, "", 0);
    hf_status status = hf_text_check(cx, &text);
    status = status == HF_OK ? hf_scratch_print(cx, out, "%s", text.data) : status;
    hf_text_free(&text);
    return status;
}
