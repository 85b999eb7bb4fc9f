/* SPDX-License-Identifier: GPL-3.0-or-later */
/* holdfast reliability: survival, time to failure, availability and loss of terminals from tallies and failure rates. */
#include <inttypes.h>
#include <string.h>

#include "src/cli/commands.h"
#include "src/cli/reliability.h"
#include "src/core/hash.h"

enum { TALLY_LIMIT = 16 << 20 };

/* ---- where the tally comes from ---- */

static hf_status read_tally(reliability *r) {
    static const char *const others[] = {"topology", "routing", "universe",  "only",  "criterion", "faults", "method", "samples",
                                         "seed",     "threads", "terminals", "store", "again",     "accept", NULL};
    const cli *c = r->c;
    const char *path = cli_value(c, "tally");
    for (size_t i = 0; others[i]; i++) {
        if (cli_has(c, others[i])) {
            HF_FAIL(c->cx, HF_EINVAL, "--tally gives the tally and --%s belongs to a campaign; give one of them", others[i]);
        }
    }
    HF_TRY(hf_text_load(c->cx, path, TALLY_LIMIT, &r->file));
    return hf_tally_parse(c->cx, path, r->file.data ? r->file.data : "", r->file.size, &r->tally);
}

/* By the name of the universe, as a tally holds no more. */
static bool may_fail_switches(const char *universe) {
    return strstr(universe, "switches") || strstr(universe, "chips") || strstr(universe, "groups");
}

/* Without the routing's file at hand nothing is claimed. */
static void find_monotone(reliability *r) {
    hf_criterion criterion;
    const char *name = r->tally.routing;
    r->is_monotone = false;
    if (hf_criterion_init(r->c->cx, r->tally.criterion, &criterion) != HF_OK) {
        return;
    }
    for (size_t i = 0; i < hf_routing_count(); i++) {
        const hf_routing *routing = hf_routing_at(i);
        const size_t size = strlen(routing->name);
        if (strncmp(routing->name, name, size) == 0 && (name[size] == ':' || !name[size])) {
            r->is_monotone = hf_reliability_is_monotone(routing, &criterion, may_fail_switches(r->tally.universe));
        }
    }
}

static hf_status judge(hf_context *cx, void *user, const hf_universe *universe, const hf_rule *rule, hf_judge **out) {
    const reliability *r = user;
    return hf_reliability_judge_new(cx, universe, rule, &r->criterion, r->class_of, r->n_class, cli_has(r->c, "terminals"), out);
}

/* Only as many compositions as a tally can tell apart. */
static hf_status check_compositions(const reliability *r) {
    const hf_campaign *campaign = &r->run.campaign;
    uint32_t failed[HF_RELIABILITY_CLASSES];
    if (r->n_class > 1 && campaign->method == HF_METHOD_SAMPLED) {
        HF_FAIL(r->c->cx, HF_EINVAL, "components with different rates or repairs need all sets of a size, not --method sampled");
    }
    for (size_t i = 0; i < campaign->n_f; i++) {
        if (r->n_class > 1 && hf_reliability_composition(campaign->f[i], r->n_class, HF_EXTRAS, failed)) {
            HF_FAIL(r->c->cx, HF_ERANGE,
                    "%" PRIu32 " faults among components of %zu rates have more than %d compositions; need fewer faults, "
                    "or one rate for all",
                    campaign->f[i], r->n_class, HF_EXTRAS);
        }
    }
    return HF_OK;
}

/* Names the classes by their components: with the same classes the same work serves all rates. */
static hf_status make_key(const reliability *r, const char **out) {
    uint64_t hash = HF_HASH_START;
    char *key;
    for (uint32_t i = 0; i < r->net.universe->n_component; i++) {
        hash = hf_hash_number(hash, r->class_of[i], sizeof r->class_of[i]);
    }
    HF_TRY(hf_scratch_print(r->c->cx, &key, "reliability:%s,%zu#%016" PRIx64 "%s", r->criterion.spec, r->n_class, hash,
                            cli_has(r->c, "terminals") ? ",terminals" : ""));
    *out = key;
    return HF_OK;
}

static bool fails_switches(const hf_universe *u) { return u->switch_begin[u->n_component] > 0; }

/* The plain campaign where it is enough: what `holdfast tolerance` has kept serves too. */
static hf_status run_campaign(reliability *r, hf_inquiry *inquiry, hf_result **result) {
    const cli *c = r->c;
    hf_campaign *campaign = &r->run.campaign;
    r->is_composed = r->n_class > 1 || cli_has(c, "terminals");
    HF_TRY(cli_campaign_read(c, &r->run));
    HF_TRY(hf_criterion_init(c->cx, cli_value_or(c, "criterion", "all-pairs"), &r->criterion));
    campaign->criterion = &r->criterion;
    r->is_monotone = hf_reliability_is_monotone(r->net.rule.routing, campaign->criterion, fails_switches(r->net.universe));
    if (r->is_composed) {
        HF_TRY(make_key(r, &inquiry->key));
        campaign->criterion = NULL;
        campaign->inquiry = inquiry;
    }
    HF_TRY(cli_campaign_open(c, &r->net, &r->run));
    HF_TRY(check_compositions(r));
    return cli_campaign_run(c, &r->run, result);
}

static hf_status open_network(reliability *r) {
    const cli *c = r->c;
    const char *topology, *routing;
    HF_TRY(cli_require(c, "topology", &topology));
    HF_TRY(cli_require(c, "routing", &routing));
    return cli_network_open(c, topology, routing, cli_value_or(c, "universe", "channels"), cli_value(c, "only"), &r->net);
}

/* ---- work ---- */

static hf_status rows_of_tally(reliability *r, hf_reliability_row **row, size_t *n) {
    const hf_tally_file *t = &r->tally;
    for (size_t i = 0; i < t->n_row; i++) {
        r->n_sampled += !t->row[i].is_exact;
    }
    HF_TRY(hf_scratch(r->c->cx, t->n_row, sizeof **row, (void **)row));
    for (size_t i = 0; i < t->n_row; i++) {
        (*row)[i] = hf_reliability_row_of(&t->row[i], hf_reliability_confidence(r->n_sampled));
    }
    *n = t->n_row;
    return HF_OK;
}

static hf_status rows_of_campaign(reliability *r, hf_reliability_row **row, size_t *n) {
    hf_inquiry inquiry = {.user = r, .judge = judge};
    hf_result *result = NULL;
    hf_status status = run_campaign(r, &inquiry, &result);
    for (size_t i = 0; status == HF_OK && i < result->n_row; i++) {
        r->n_sampled += !result->row[i].is_exact;
        r->f_known = result->row[i].is_exact ? result->row[i].f : r->f_known;
    }
    if (status == HF_OK) {
        status = hf_result_reliability(r->c->cx, result, r->class, r->n_class, r->is_composed, reliability_terminals(r), row, n);
    }
    r->run.campaign.inquiry = NULL;
    hf_result_free(result);
    return status;
}

/* The ways to the sets that the campaign counted, where the shares of the sets leave the time to failure open. */
static hf_status walk(reliability *r, hf_reliability *model) {
    hf_context *cx = r->c->cx;
    const hf_reliability_sets sets = {
        .universe = r->net.universe,
        .rule = &r->net.rule,
        .criterion = &r->criterion,
        .class_of = r->class_of,
        .threads = r->run.campaign.threads,
    };
    HF_TRY(hf_reliability_walk(cx, model, &sets, r->f_known, &r->f_walked));
    r->is_walked = true;
    return hf_reliability_mttf(cx, model, &r->mttf);
}

static hf_status evaluate(reliability *r, hf_reliability *model) {
    hf_context *cx = r->c->cx;
    HF_TRY(hf_reliability_integral(cx, model, &r->integral));
    HF_TRY(hf_reliability_mttf(cx, model, &r->mttf));
    if (r->net.topo && !r->is_monotone && !reliability_is_one(&r->mttf)) {
        HF_TRY(walk(r, model));
    }
    HF_TRY(reliability_times(r));
    HF_TRY(hf_scratch(cx, r->n_time, sizeof *r->at, (void **)&r->at));
    for (size_t i = 0; i < r->n_time; i++) {
        HF_TRY(hf_reliability_at(cx, model, r->hours[i], &r->at[i]));
    }
    return r->has_repair ? hf_reliability_steady(cx, model, &r->steady) : HF_OK;
}

static hf_status work(reliability *r) {
    const bool has_tally = cli_has(r->c, "tally");
    hf_reliability_row *row;
    hf_reliability *model;
    size_t n;
    HF_TRY(has_tally ? read_tally(r) : open_network(r));
    HF_TRY(reliability_classes(r));
    if (has_tally) {
        find_monotone(r);
    }
    HF_TRY(has_tally ? rows_of_tally(r, &row, &n) : rows_of_campaign(r, &row, &n));
    HF_TRY(hf_reliability_new(r->c->cx, r->class, r->n_class, row, n, r->is_monotone, reliability_terminals(r), &model));
    hf_status status = evaluate(r, model);
    status = status == HF_OK ? reliability_print(r) : status;
    hf_reliability_free(model);
    return status;
}

static int run(cli *c) {
    reliability r = {.c = c};
    hf_text_init(c->cx, &r.file);
    const hf_status status = work(&r);
    cli_campaign_close(c, &r.run);
    cli_network_free(&r.net);
    hf_text_free(&r.file);
    return cli_exit(c, status, true);
}

static const cli_option options[] = {
    {"topology", "SPEC", "the network, such as kary-tree:k=4,n=3"},
    {"routing", "SPEC", "the rule, such as updown"},
    {"universe", "SPEC", "what can fail: channels (default), links, switches, links+switches ..."},
    {"only", "FILTER", "keep components with these attributes only, such as stage=1"},
    {"faults", "LIST", "numbers of faults f that are counted, such as 0..4; the others are bounded"},
    {"criterion", "SPEC", "when a set is tolerated: all-pairs (default), surviving:live=50%, connected"},
    {"tally", "FILE", "instead of a campaign: what `holdfast tolerance --json` wrote"},
    {"rate", "LIST", "failures of a component: 100FIT (in 1e9 h), 1e-7/h, 0.1/year; or links=...,switches=..."},
    {"repair", "LIST", "mean time to repair a component: 24h, 30min, 2d; or links=...,switches=..."},
    {"crews", "N", "components of a rate that are repaired at the same time (default: all)"},
    {"times", "LIST", "times without repair, such as 0..10y/1y or 100h,1000h (default: about the MTTF)"},
    {"terminals", NULL, "also find how many terminals are lost (slow: reads the relation)"},
    {"method", "NAME", "exhaustive (default) or sampled"},
    {"samples", "N", "fault sets a row when sampled (default 10000)"},
    {"seed", "N", "seed of the samples (default 1)"},
    {"threads", "T", "threads (default: all cores); the result does not depend on it"},
    CLI_KEEP_OPTIONS(""),
    {"quiet", NULL, "no progress on standard error"},
    {"csv", "FILE", "also write the rows as CSV"},
    {"svg", "FILE", "also draw R(t)"},
    {"json", NULL, "print JSON (docs/json.md)"},
    {0},
};

const cli_command cli_reliability = {
    .name = "reliability",
    .summary = "survival, time to failure and availability from failure rates",
    .usage = "--topology SPEC --routing SPEC --faults LIST --rate LIST [OPTIONS] | --tally FILE --rate LIST [OPTIONS]",
    .about =
        "Components fail independently at constant rates. The probability that the network still does its duty follows\n"
        "from the share of tolerated fault sets of each size. Sizes that were not counted are bounded, so every figure\n"
        "is a range; the range is one value where all that matters was counted exactly. Sampled tallies give ranges that\n"
        "hold together with 95%. The mean time to failure ends with the first set on the way that is not tolerated; R(t) is the\n"
        "probability that the set at time t is tolerated, and its integral the mean time in tolerated sets. They differ where a\n"
        "set may be tolerated again when more fails. Both are without repair; the availability is that of the long run with "
        "it.\n\n"
        "Example: holdfast reliability --topology kary-tree:k=4,n=3 --routing updown --universe links --faults 0..4 \\\n"
        "             --rate 500FIT --repair 24h",
    .options = options,
    .run = run,
};
