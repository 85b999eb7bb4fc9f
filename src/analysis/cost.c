/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Cost by equations 5.1 and 5.2 with the parameters of table 5.1, as exact fractions; memory of switches. */
#include <holdfast/analysis/cost.h>

#include <math.h>
#include <string.h>

#include "src/analysis/load/load.h"
#include "src/analysis/paths/walk.h"
#include "src/core/lines.h"
#include "src/core/number.h"
#include "src/core/registry.h"

static const char *const column_name[] = {"adaptive", "deterministic", "ruft-ideal", "ruft-worst", "ruft-placed", NULL};
static const char *const parameter_name[] = {"n_p",   "c_b", "c_cr", "c_po", "c_r",  "c_sf",
                                             "c_clo", "n_l", "c_cn", "l_l",  "c_ml", NULL};
/** Largest parameter. */
#define VALUE_MAX UINT64_C(1000000000000)

const char *hf_cost_column_name(hf_cost_column column) { return column_name[column]; }

void hf_cost_defaults(hf_cost_table *out) {
    for (unsigned c = 0; c < HF_COST_COLUMNS; c++) {
        for (unsigned p = 0; p < HF_COST_PARAMETERS; p++) {
            out->value[c][p] = HF_COST_UNIT;
        }
        out->value[c][HF_COST_N_P] = out->value[c][HF_COST_N_L] = out->value[c][HF_COST_L_L] = HF_COST_COUNTED;
        out->value[c][HF_COST_C_SF] = c == HF_COST_ADAPTIVE ? HF_COST_UNIT : 0;
    }
    for (unsigned c = HF_COST_RUFT_IDEAL; c <= HF_COST_RUFT_PLACED; c++) {
        out->value[c][HF_COST_C_R] = HF_COST_UNIT * 6 / 10;
    }
    out->placed = (hf_fraction){1, 1};
    out->value[HF_COST_RUFT_IDEAL][HF_COST_L_L] = HF_COST_UNIT / 2;
    out->value[HF_COST_RUFT_WORST][HF_COST_L_L] = HF_COST_UNIT * 5 / 4;
}

/* ---- parameters from a file ---- */

static hf_status find_word(hf_lines *r, const char *what, const char *const *names, size_t *out) {
    hf_slice word = {"", 0};
    (void)hf_lines_word(r, &word);
    if (hf_words_need(r->cx, what, names, word, out) != HF_OK) {
        return hf_lines_prefix(r, HF_EINVAL);
    }
    return HF_OK;
}

/* A number with at most six digits behind the point, in millionths. */
static hf_status read_value(hf_lines *r, uint64_t *out) {
    hf_slice word = {"", 0};
    (void)hf_lines_word(r, &word);
    hf_slice at = word;
    uint64_t value;
    if (!hf_take_scaled(&at, 6, &value) || at.size > 0 || value > VALUE_MAX) {
        HF_LINE_FAIL(r, HF_EINVAL, "\"%.*s\" is not right; need a number from 0 to 1000000 with at most six decimals",
                     HF_SLICE(word));
    }
    *out = value;
    return HF_OK;
}

static hf_status read_line(hf_lines *r, hf_cost_table *table) {
    static const char *const columns[] = {"adaptive", "deterministic", "ruft-ideal", "ruft-worst", "ruft-placed", "*", NULL};
    size_t column, parameter;
    uint64_t value;
    HF_TRY(find_word(r, "column", columns, &column));
    HF_TRY(find_word(r, "parameter", parameter_name, &parameter));
    HF_TRY(read_value(r, &value));
    HF_TRY(hf_lines_end(r, "COLUMN PARAMETER VALUE"));
    for (size_t c = 0; c < HF_COST_COLUMNS; c++) {
        if (column == c || column == HF_COST_COLUMNS) {
            table->value[c][parameter] = value;
        }
    }
    return HF_OK;
}

hf_status hf_cost_parse(hf_context *cx, const char *file, const char *data, size_t size, hf_cost_table *table) {
    hf_lines r;
    hf_lines_start(cx, file, data, size, &r);
    while (hf_lines_next_text(&r)) {
        HF_TRY(read_line(&r, table));
    }
    return HF_OK;
}

/* ---- the equations ---- */

static hf_fraction part(hf_u128 p, hf_u128 q) { return hf_fraction_of(p, q); }

/* In the least terms on the way, too. \param[in,out] fits false: 128 bits did not do, and the result means nothing */
static hf_fraction product(hf_fraction a, hf_fraction b, bool *fits) {
    const hf_fraction x = part(a.p, b.q), y = part(b.p, a.q);
    hf_fraction out;
    *fits = *fits && !__builtin_mul_overflow(x.p, y.p, &out.p) && !__builtin_mul_overflow(x.q, y.q, &out.q);
    return *fits ? out : part(1, 1);
}

static hf_fraction sum(hf_fraction a, hf_fraction b, bool *fits) {
    const hf_fraction q = part(a.q, b.q);
    hf_u128 x, y, above, below;
    *fits = *fits && !__builtin_mul_overflow(a.p, q.q, &x) && !__builtin_mul_overflow(b.p, q.p, &y) &&
            !__builtin_mul_overflow(a.q, q.q, &below) && !__builtin_add_overflow(x, y, &above);
    return *fits ? part(above, below) : part(1, 1);
}

hf_status hf_fraction_ratio(hf_context *cx, hf_fraction a, hf_fraction b, hf_fraction *out) {
    bool fits = true;
    *out = product(a, (hf_fraction){b.q, b.p}, &fits);
    if (!fits) {
        HF_FAIL(cx, HF_ERANGE, "a ratio of costs needs more than 128 bits; parameters with fewer digits will do");
    }
    return HF_OK;
}

static hf_fraction value_of(const uint64_t *value, hf_cost_parameter p, hf_fraction counted) {
    return value[p] == HF_COST_COUNTED ? counted : part(value[p], HF_COST_UNIT);
}

static hf_fraction sum_of(const uint64_t *value, hf_cost_parameter a, hf_cost_parameter b, hf_cost_parameter c) {
    return part((hf_u128)value[a] + value[b] + value[c], HF_COST_UNIT);
}

/* Lengths of RUFT are over those of the tree of its own k and n. */
static hf_status find_length_unit(hf_context *cx, const hf_topology *topo, const hf_topology *reference, hf_fraction *out) {
    hf_topology *own;
    *out = part(1, 1);
    if (topo->kind->is_reduced_tree) {
        HF_TRY(hf_cost_reference(cx, topo, &own));
        *out = part(own->n_channel, reference->n_channel);
        hf_topology_free(own);
    }
    return HF_OK;
}

hf_status hf_cost_find(hf_context *cx, const hf_cost_table *table, hf_cost_column column, const hf_topology *topo,
                       const hf_topology *reference, hf_cost *out) {
    /* a port with both directions counts as one, and each end as half of one */
    const uint64_t *value = table->value[column], ends = hf_topology_ends_most(topo),
                   reference_ends = hf_topology_ends_most(reference);
    if (!reference_ends || !reference->n_switch || !reference->n_channel) {
        HF_FAIL(cx, HF_EINVAL, "reference \"%s\" has no switches or no links", reference->spec);
    }
    if (reference->kind->is_reduced_tree) {
        HF_FAIL(cx, HF_EINVAL, "reference \"%s\" has cables of a RUFT; need a tree, such as kary-tree:k=4,n=2", reference->spec);
    }
    bool fits = true;
    const bool is_placed = column == HF_COST_RUFT_PLACED, is_counted = value[HF_COST_L_L] == HF_COST_COUNTED && !is_placed;
    hf_fraction unit = part(1, 1);
    HF_TRY(is_counted ? HF_OK : find_length_unit(cx, topo, reference, &unit));
    const hf_fraction ports = part(reference_ends, 2), factor = value_of(value, HF_COST_N_P, part(ends, reference_ends)),
                      links = value_of(value, HF_COST_N_L, part(topo->n_channel, reference->n_channel)),
                      lengths = product(value_of(value, HF_COST_L_L, is_placed ? table->placed : links), unit, &fits),
                      buffers = sum_of(value, HF_COST_C_B, HF_COST_C_CR, HF_COST_C_PO),
                      rest = sum_of(value, HF_COST_C_R, HF_COST_C_SF, HF_COST_C_CLO),
                      one = sum(product(product(ports, factor, &fits), buffers, &fits), rest, &fits);
    out->switches = product(one, part(topo->n_switch, reference->n_switch), &fits);
    out->links = sum(product(links, part(value[HF_COST_C_CN], HF_COST_UNIT), &fits),
                     product(lengths, part(value[HF_COST_C_ML], HF_COST_UNIT), &fits), &fits);
    out->total = sum(out->switches, out->links, &fits);
    if (!fits) {
        HF_FAIL(cx, HF_ERANGE, "the cost of \"%s\" beside \"%s\" needs more than 128 bits; parameters with fewer digits will do",
                topo->spec, reference->spec);
    }
    return HF_OK;
}

/* ---- where racks stand ---- */

static uint64_t apart(uint32_t a, uint32_t b) { return a > b ? a - b : b - a; }

/* Racks between, along rows and columns of `side` racks. */
static uint64_t rack_distance(uint32_t a, uint32_t b, uint32_t side) {
    return apart(a / side, b / side) + apart(a % side, b % side);
}

/* Over all links between stages of the tree: up port j of switch o of stage s leads to the one whose digit s is j. */
static uint64_t between_stages(uint32_t k, uint32_t n, uint32_t width, uint32_t side) {
    uint64_t all = 0;
    for (uint32_t weight = 1, s = 0; s + 1 < n; s++, weight *= k) {
        for (uint32_t o = 0; o < width; o++) {
            const uint32_t base = o - o / weight % k * weight;
            for (uint32_t j = 0; j < k; j++) {
                all += rack_distance(o, base + j * weight, side);
            }
        }
    }
    return all;
}

hf_status hf_cost_place(hf_context *cx, uint32_t k, uint32_t n, hf_cost_floor floor, hf_fraction *out) {
    uint64_t width = 1, terminals = k;
    for (uint32_t s = 1; s < n && terminals <= UINT32_MAX; s++) {
        width *= k;
        terminals *= k;
    }
    if (terminals > UINT32_MAX / n) {
        HF_FAIL(cx, HF_ERANGE, "a tree with k=%u and n=%u has too many cables to place; need 2^32 at most", k, n);
    }
    const uint32_t side = floor == HF_COST_ROW ? (uint32_t)width : (uint32_t)ceil(sqrt((double)width));
    const uint64_t stages = between_stages(k, n, (uint32_t)width, side);
    uint64_t back = 0; /* from the last stage to the terminals */
    for (uint32_t t = 0; t < terminals; t++) {
        back += rack_distance(t % (uint32_t)width, t / k, side);
    }
    *out = part((hf_u128)(n + 1) * terminals + stages + back, 2 * ((hf_u128)n * terminals + stages));
    return HF_OK;
}

/* ---- the column ---- */

enum { SOURCES_FIRST = 16 };

static bool has_several(const hf_hop *hops, size_t count) {
    size_t i = 1;
    while (i < count && hops[i].channel == hops[0].channel) {
        i++;
    }
    return i < count;
}

/* Does a packet have a choice on the way of its first hops? Most rules that have one show it there, and need no walk of all. */
static hf_status has_choice_ahead(hf_context *cx, const hf_plan *plan, uint32_t source, uint32_t destination, hf_hop *hops,
                                  bool *out) {
    const hf_topology *topo = plan->topo;
    hf_hop in = HF_HOP_INJECTION;
    uint32_t at = topo->n_switch + source;
    for (uint32_t steps = 0; steps < topo->n_node && (at < topo->n_switch || steps == 0) && !*out; steps++) {
        size_t count;
        HF_TRY(hf_plan_read(cx, plan, at, in, destination, hops, &count));
        *out = has_several(hops, count);
        if (count == 0) {
            break;
        }
        in = hops[0];
        at = topo->to[in.channel];
    }
    return HF_OK;
}

static bool offers_choice(const hf_walk *walk, const hf_plan *plan, hf_hop *hops) {
    for (uint32_t s = 0; s < walk->n_state; s++) {
        const size_t count = s == walk->destination ? 0 : hf_plan_route(plan, walk->at[s], walk->in[s], walk->destination, hops);
        if (has_several(hops, count)) {
            return true;
        }
    }
    return false;
}

static hf_status find_choice(hf_context *cx, const hf_topology *topo, const hf_rule *rule, bool *out) {
    hf_fault_set none;
    hf_plan plan;
    hf_walk walk;
    hf_hop *hops;
    HF_TRY(hf_no_faults(cx, topo, &none));
    HF_TRY(hf_plan_make_plain(cx, rule, &none, &plan));
    HF_TRY(hf_scratch(cx, hf_plan_room(&plan), sizeof *hops, (void **)&hops));
    for (uint32_t s = 0; s + 1 < topo->n_terminal && s < SOURCES_FIRST && !*out; s++) {
        HF_TRY(has_choice_ahead(cx, &plan, s, topo->n_terminal - 1, hops, out));
    }
    if (*out) {
        return HF_OK;
    }
    HF_TRY(hf_walk_init(cx, topo, &walk));
    for (uint32_t d = 0; d < topo->n_terminal && plan.max_hops > 1 && !*out; d++) {
        if (hf_context_stopped(cx)) {
            HF_FAIL(cx, HF_ESTOP, "stopped while looking for choices of routing \"%s\"", rule->spec);
        }
        HF_TRY(hf_walk_explore(cx, &walk, &plan, d));
        *out = offers_choice(&walk, &plan, hops);
    }
    return HF_OK;
}

hf_status hf_rule_is_adaptive(hf_context *cx, const hf_topology *topo, const hf_rule *rule, bool *out) {
    const hf_mark mark = hf_scratch_mark(cx);
    *out = false;
    if (rule->routing->chooses) {
        *out = rule->routing->chooses(topo, &rule->args);
        return HF_OK;
    }
    const hf_status status = hf_rule_traits(rule) & HF_ROUTING_ADAPTIVE ? find_choice(cx, topo, rule, out) : HF_OK;
    hf_scratch_reset(cx, mark);
    return status;
}

hf_status hf_cost_column_of(hf_context *cx, const hf_topology *topo, const hf_rule *rule, bool is_worst, hf_cost_column *out) {
    bool is_adaptive;
    *out = is_worst ? HF_COST_RUFT_WORST : HF_COST_RUFT_IDEAL;
    if (!topo->kind->is_reduced_tree) {
        HF_TRY(hf_rule_is_adaptive(cx, topo, rule, &is_adaptive));
        *out = is_adaptive ? HF_COST_ADAPTIVE : HF_COST_DETERMINISTIC;
    }
    return HF_OK;
}

hf_status hf_cost_reference(hf_context *cx, const hf_topology *topo, hf_topology **out) {
    hf_kary_tree tree;
    char *spec;
    if (hf_kary_tree_shape(topo, &tree)) {
        return hf_topology_outline(cx, topo->spec, out);
    }
    if (!topo->kind->is_reduced_tree) {
        HF_FAIL(cx, HF_ENOTSUP,
                "topology \"%s\" has no fat-tree of its own to compare with; say which, as in "
                "--reference kary-tree:k=4,n=2",
                topo->spec);
    }
    HF_TRY(hf_scratch_print(cx, &spec, "kary-tree:k=%" PRIu64 ",n=%" PRIu64, hf_args_get(&topo->args, "k")->number,
                            hf_args_get(&topo->args, "n")->number));
    return hf_topology_outline(cx, spec, out);
}

/* ---- memory ---- */

double hf_memory_bits(hf_memory_kind kind, double n_terminal, uint32_t k, uint32_t intervals, bool whole) {
    const double ports = 2.0 * k, id = whole ? ceil(log2(n_terminal)) : log2(n_terminal),
                 port = whole ? ceil(log2(ports)) : log2(ports);
    switch (kind) {
    case HF_MEMORY_TABLE:
        return n_terminal * (id + port);
    case HF_MEMORY_ADAPTIVE_TABLE:
        return n_terminal * (id + k * port);
    case HF_MEMORY_FT2EI:
        return ports * (2.0 + intervals) * id;
    default:
        return ports * (3 * id + ports);
    }
}
