/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What commands over campaigns share: their options, the store, the run. */
#include "src/cli/campaign.h"

#include <stdio.h>
#include <string.h>

#include "src/core/print.h"

static hf_status read_word(const cli *c, const char *name, const char *a, const char *b, int *out) {
    const char *text = cli_value_or(c, name, a);
    *out = strcmp(text, b) == 0;
    if (!*out && strcmp(text, a) != 0) {
        HF_FAIL(c->cx, HF_EINVAL, "--%s=%s is not right; need %s or %s", name, text, a, b);
    }
    return HF_OK;
}

static hf_status read_part(const cli *c, hf_campaign *campaign) {
    const char *text = cli_value(c, "part");
    return text ? hf_campaign_read_part(c->cx, text, &campaign->part, &campaign->n_part) : HF_OK;
}

hf_status cli_campaign_read(const cli *c, cli_campaign *out) {
    hf_campaign *campaign = &out->campaign;
    int is_sampled, is_random, is_relation;
    uint64_t threads;
    HF_TRY(read_word(c, "method", "exhaustive", "sampled", &is_sampled));
    HF_TRY(read_word(c, "order", "component", "random", &is_random));
    HF_TRY(read_word(c, "judge", "fast", "relation", &is_relation));
    HF_TRY(cli_number(c, "threads", 1, 1024, 0, &threads));
    HF_TRY(cli_number(c, "samples", 0, UINT64_MAX, 10000, &campaign->samples));
    HF_TRY(cli_number(c, "seed", 0, UINT64_MAX, 1, &campaign->seed));
    HF_TRY(read_part(c, campaign));
    if (!is_sampled && cli_has(c, "samples")) {
        HF_FAIL(c->cx, HF_EINVAL, "--samples goes with --method sampled");
    }
    campaign->method = is_sampled ? HF_METHOD_SAMPLED : HF_METHOD_EXHAUSTIVE;
    campaign->order = is_random ? HF_ORDER_RANDOM : HF_ORDER_COMPONENT;
    campaign->use_relation = is_relation;
    campaign->threads = (uint32_t)threads;
    return HF_OK;
}

hf_status cli_campaign_open(const cli *c, const cli_network *net, cli_campaign *out) {
    const char *faults;
    HF_TRY(cli_require(c, "faults", &faults));
    HF_TRY(hf_campaign_parse_shares(c->cx, faults, net->universe->n_component, &out->f, &out->campaign.n_f));
    out->campaign.f = out->f;
    out->campaign.universe = net->universe;
    out->campaign.rule = &net->rule;
    HF_TRY(hf_campaign_check(c->cx, &out->campaign));
    return cli_keep_campaign(c, &out->campaign, &out->keep);
}

void cli_campaign_close(const cli *c, cli_campaign *k) {
    cli_keep_close(c, &k->keep);
    hf_release(hf_context_allocator(c->cx), k->f);
}

hf_status cli_campaign_run(const cli *c, cli_campaign *k, hf_result **result) {
    cli_meter meter;
    cli_meter_init(&meter, cli_has(c, "quiet"), "");
    cli_catch_signals(c->cx);
    k->campaign.progress = cli_meter_show;
    k->campaign.progress_user = &meter;
    const hf_status status = hf_campaign_run(c->cx, &k->campaign, result);
    cli_meter_end(&meter);
    if (status == HF_ESTOP) {
        cli_keep_stopped(c, &k->keep);
    }
    return status;
}

void cli_json_decimal(hf_json *object, const char *key, hf_u128 value) {
    char text[40];
    hf_print_decimal(value, text);
    hf_json_set(object, key, hf_json_text(text));
}

void cli_campaign_json(const cli *c, const hf_campaign *campaign, hf_json *spec) {
    const bool is_sampled = campaign->method == HF_METHOD_SAMPLED;
    hf_json_set(spec, "method", hf_json_text(hf_method_name(campaign->method)));
    hf_json_set(spec, "samples", is_sampled ? hf_json_integer((int64_t)campaign->samples) : hf_json_null());
    cli_json_decimal(spec, "seed", campaign->seed);
    hf_json_set(spec, "part", cli_has(c, "part") ? hf_json_text(cli_value(c, "part")) : hf_json_null());
    if (cli_has(c, "accept")) {
        hf_json_set(spec, "accept", hf_json_text(cli_value(c, "accept")));
    }
}
