/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The parameters of campaigns. */
#include <holdfast/campaign.h>

#include <string.h>

#include "src/core/number.h"

/* In the order of hf_method; what all walks take, what those take that symmetries leave alike, and tolerance. */
static const char *const walks[] = {"exhaustive", "sampled", "auto", NULL};
static const char *const walks_or_orbits[] = {"exhaustive", "sampled", "auto", "orbits", NULL};
static const char *const all_methods[] = {"exhaustive", "sampled", "auto", "orbits", "counted", "spectrum", NULL};
static const char *const orders[] = {"component", "random", NULL}, *const judges[] = {"fast", "relation", NULL};

/* Which sets are looked at, as all tables say it; of a question that can be asked of one plan it belongs to `faults`. */
#define FAULTS(among)                                                                                                            \
    .name = "faults", .type = HF_PARAM_TEXT, .unit = "list",                                                                     \
    .help = "numbers of faults f, such as 0..4,8, or shares such as 0%..30%/5%" among, HF_FIELD(hf_campaign_params, faults)
#define METHOD(among, too)                                                                                                       \
    .name = "method", .type = HF_PARAM_WORD, .fallback = "auto", .words = among, .unit = "name",                                 \
    .help = "auto (default), exhaustive" too, HF_FIELD(hf_campaign_params, method)
#define ORBITS "orbits (one set for all that symmetries make alike)"
#define SAMPLES                                                                                                                  \
    .name = "samples", .type = HF_PARAM_UINT, .fallback = "10000", .low = 1, .high = INT64_MAX, .unit = "n",                     \
    .with = "method=sampled", .help = "fault sets a row when sampled; asks for that method",                                     \
    HF_FIELD(hf_campaign_params, samples)
#define SEED(too)                                                                                                                \
    .name = "seed", .type = HF_PARAM_UINT, .fallback = "1", .high = UINT64_MAX - 1, .unit = "n",                                 \
    .help = "seed of the samples" too, HF_FIELD(hf_campaign_params, seed)
#define PART                                                                                                                     \
    .name = "part", .type = HF_PARAM_TEXT, .flags = HF_PARAM_OPTIONAL, .unit = "r/m",                                            \
    .help = "work on the R-th of M equal parts of every row only, R from 1", HF_FIELD(hf_campaign_params, part)

static const hf_param params[] = {{FAULTS("")},
                                  {METHOD(all_methods, ", sampled, counted (every f at once, no walk), " ORBITS
                                                       " or spectrum (random orders, every f from each)")},
                                  {SAMPLES},
                                  {.name = "strata",
                                   .type = HF_PARAM_TEXT,
                                   .flags = HF_PARAM_OPTIONAL,
                                   .unit = "name",
                                   .with = "method=sampled",
                                   .help = "sample in proportion from every split of the faults among classes of components: "
                                           "class (kinds of them), or an attribute such as stage; asks for that method",
                                   HF_FIELD(hf_campaign_params, strata)},
                                  {.name = "orders",
                                   .type = HF_PARAM_UINT,
                                   .low = 1,
                                   .high = INT64_MAX,
                                   .flags = HF_PARAM_OPTIONAL,
                                   .unit = "n",
                                   .with = "method=spectrum",
                                   .help = "random orders of failure of a spectrum; asks for that method (10000 unless told)",
                                   HF_FIELD(hf_campaign_params, orders)},
                                  {SEED(", orders and of --order random")},
                                  {PART},
                                  {.name = "order",
                                   .type = HF_PARAM_WORD,
                                   .fallback = "component",
                                   .words = orders,
                                   .unit = "name",
                                   .help = "order in which the components of a set fail: component (default) or random",
                                   HF_FIELD(hf_campaign_params, order)},
                                  {.name = "judge",
                                   .type = HF_PARAM_WORD,
                                   .fallback = "fast",
                                   .words = judges,
                                   .unit = "name",
                                   .help = "fast (default) or relation: judge every set from the routing relation, slowly",
                                   HF_FIELD(hf_campaign_params, use_relation)},
                                  {.name = "verdicts",
                                   .type = HF_PARAM_BOOL,
                                   .fallback = "no",
                                   .help = "only which sets are tolerated, sooner: no victims, lost paths or further measures",
                                   HF_FIELD(hf_campaign_params, verdicts)},
                                  {0}};
const hf_group hf_campaign_group = {.name = "campaign", .params = params};

#define SOME_FAULTS                                                                                                              \
    { FAULTS(": all fault sets of these sizes"), .flags = HF_PARAM_OPTIONAL, .without = "failed" }
static const hf_param params_of_some[] = {SOME_FAULTS,
                                          {METHOD(walks, " or sampled"), .with = "faults"},
                                          {SAMPLES},
                                          {SEED(""), .with = "faults"},
                                          {PART, .with = "faults"},
                                          {0}};
const hf_group hf_some_faults_group = {.name = "faults", .params = params_of_some};

static const hf_param params_of_classes[] = {SOME_FAULTS,
                                             {METHOD(walks_or_orbits, ", sampled or " ORBITS), .with = "faults"},
                                             {SAMPLES},
                                             {SEED(""), .with = "faults"},
                                             {PART, .with = "faults"},
                                             {0}};
const hf_group hf_some_classes_group = {.name = "faults", .params = params_of_classes};

static const hf_param params_of_rows[] = {{FAULTS("")}, {METHOD(walks, " or sampled")}, {SAMPLES}, {SEED("")}, {PART}, {0}};
const hf_group hf_whole_rows_group = {.name = "rows", .params = params_of_rows};

static const hf_param params_of_sets_or_orders[] = {
    {FAULTS("; with --orders: all that part an order"), .fallback = "1"},
    {METHOD(walks_or_orbits, ", sampled or " ORBITS), .without = "orders"},
    {SAMPLES, .without = "orders"},
    {SEED(" and orders")},
    {PART},
    {.name = "orders",
     .type = HF_PARAM_UINT,
     .low = 1,
     .high = INT64_MAX,
     .flags = HF_PARAM_OPTIONAL,
     .unit = "n",
     .help = "instead: in N random orders of failure, how many faults part the network",
     HF_FIELD(hf_campaign_params, orders)},
    {0}};
const hf_group hf_sets_or_orders_group = {.name = "sets", .params = params_of_sets_or_orders};

hf_status hf_campaign_read_part(hf_context *cx, const char *text, uint32_t *part, uint32_t *n_part) {
    hf_slice at = hf_slice_of(text);
    uint64_t first, parts;
    if (!hf_take_number(&at, &first) || !hf_take_text(&at, "/") || !hf_slice_number(at, 10, &parts) || first < 1 ||
        first > parts || parts > 1000000000) {
        HF_FAIL(cx, HF_EINVAL, "--part=%s is not right; need r/m with 1 <= r <= m, such as 1/4", text);
    }
    *part = (uint32_t)first;
    *n_part = (uint32_t)parts;
    return HF_OK;
}
