/* SPDX-License-Identifier: GPL-3.0-or-later */
/* holdfast show: one fault set, what it does to a plan, and a drawing of it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/bitset.h>

#include "src/cli/commands.h"
#include "src/cli/show_fewest.h"

enum { REGISTER_MAX = 4096, LISTED_TERMINALS = 2048 };

typedef struct victim {
    uint32_t sw, port, destination;
} victim;

typedef struct scene {
    const cli *c;
    cli_network net;
    hf_fault_set faults;
    hf_plan plan;
    hf_verdict verdict;
    const hf_criterion *criterion;
    const char **failed; /* names, in the arena */
    size_t n_failed;
    victim *victim; /* heap */
    size_t n_victim, victim_capacity;
    hf_status collecting;
    uint64_t limit, only_switch;
    bool is_summary; /* too many terminals to list pairs and victims: a judge tells the verdict and the numbers */
    hf_measure measure;
    hf_sacrifice fewest; /* with --fewest */
} scene;

/* ---- making the scene ---- */

static void take_victim(void *user, uint32_t sw, uint32_t port, uint32_t destination) {
    scene *s = user;
    if (s->n_victim == s->victim_capacity && s->collecting == HF_OK) {
        s->victim_capacity = 2 * s->victim_capacity + 64;
        s->collecting = hf_resize(s->c->cx, s->victim_capacity, sizeof *s->victim, (void **)&s->victim);
    }
    if (s->collecting == HF_OK) {
        s->victim[s->n_victim++] = (victim){sw, port, destination};
    }
}

/* Is a switch at either end of the channel down as a whole? */
static bool at_failed_switch(const scene *s, uint32_t channel) {
    const uint32_t end[] = {s->net.topo->from[channel], s->net.topo->to[channel]};
    for (size_t i = 0; i < 2; i++) {
        if (end[i] < s->net.topo->n_switch && hf_bit_test(s->faults.switch_set, end[i])) {
            return true;
        }
    }
    return false;
}

static hf_status keep_name(scene *s, const char *name) {
    char *copy;
    HF_TRY(hf_scratch_print(s->c->cx, &copy, "%s", name));
    s->failed[s->n_failed++] = copy;
    return HF_OK;
}

/* Names without a universe: failed switches, then links whose channels have all failed, then single channels. */
static hf_status name_plain(scene *s) {
    const hf_topology *topo = s->net.topo;
    char name[80];
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        if (hf_bit_test(s->faults.switch_set, v)) {
            hf_topology_node_name(topo, v, name, sizeof name);
            HF_TRY(keep_name(s, name));
        }
    }
    for (uint32_t i = 0; i < s->faults.n_channel; i++) {
        const uint32_t c = s->faults.channel[i], reverse = topo->reverse[c];
        const bool is_link = reverse != HF_NONE && hf_bit_test(s->faults.channel_set, reverse);
        if (at_failed_switch(s, c) || (is_link && c > reverse)) {
            continue;
        }
        if (is_link) {
            hf_topology_link_name(topo, topo->link[c], name, sizeof name);
        } else {
            hf_topology_channel_name(topo, c, name, sizeof name);
        }
        HF_TRY(keep_name(s, name));
    }
    return HF_OK;
}

/* Names of what has failed, as components of the universe where there is one. */
static hf_status name_failed(scene *s) {
    const hf_universe *u = s->faults.universe;
    const size_t room = u ? s->faults.n_component : (size_t)s->faults.n_channel + s->net.topo->n_switch;
    HF_TRY(hf_scratch(s->c->cx, room, sizeof *s->failed, (void **)&s->failed));
    if (!u) {
        return name_plain(s);
    }
    for (uint32_t i = 0; i < s->faults.n_component; i++) {
        char name[80];
        hf_universe_name(u, s->faults.component[i], name, sizeof name);
        HF_TRY(keep_name(s, name));
    }
    return HF_OK;
}

/* Components of `universe` that make up the fault set, in its order. */
static hf_status as_components(const scene *s, const hf_universe *universe, uint32_t *component, uint32_t *count) {
    *count = 0;
    if (s->faults.universe) {
        *count = s->faults.n_component;
        memcpy(component, s->faults.component, *count * sizeof *component);
        return HF_OK;
    }
    for (uint32_t i = 0; i < s->faults.n_channel; i++) {
        for (uint32_t c = 0; c < universe->n_component; c++) {
            if (universe->component[c].id == s->faults.channel[i]) {
                component[(*count)++] = c;
            }
        }
    }
    if (*count != s->faults.n_channel) {
        HF_FAIL(s->c->cx, HF_EINVAL, "a network of more than %d terminals needs --universe here, with what has failed in it",
                LISTED_TERMINALS);
    }
    return HF_OK;
}

static hf_status judge_set(scene *s, const hf_universe *universe, hf_judge *judge) {
    uint32_t *component, count;
    HF_TRY(hf_scratch(s->c->cx, (size_t)s->faults.n_channel + s->faults.n_component, sizeof *component, (void **)&component));
    HF_TRY(as_components(s, universe, component, &count));
    for (uint32_t i = 0; i < count; i++) {
        HF_TRY(judge->ops->push(s->c->cx, judge, component[i]));
    }
    HF_TRY(judge->ops->read(s->c->cx, judge, &s->measure));
    s->verdict.tolerated = s->measure.tolerated;
    return HF_OK;
}

static hf_status summarize(scene *s) {
    hf_universe *channels = NULL;
    hf_judge *judge = NULL;
    hf_status status;
    const hf_universe *universe = s->net.universe;
    if (!universe) {
        HF_TRY(hf_universe_new(s->c->cx, s->net.topo, "channels", NULL, &channels));
        universe = channels;
    }
    HF_TRY_DONE(hf_judge_new(s->c->cx, universe, &s->net.rule, s->criterion, &judge));
    HF_TRY_DONE(judge_set(s, universe, judge));
done:
    hf_judge_free(judge);
    hf_universe_free(channels);
    return status;
}

static hf_status open_scene(scene *s) {
    static const char *const of_routing[] = {"registers", "criterion", "switch"};
    const cli *c = s->c;
    const char *topology;
    char *names;
    HF_TRY(cli_require(c, "topology", &topology));
    HF_TRY(cli_belong(c, of_routing, sizeof of_routing / sizeof *of_routing, "routing", NULL));
    HF_TRY(cli_number(c, "limit", 0, UINT32_MAX, 20, &s->limit));
    HF_TRY(hf_criterion_find(c->cx, cli_value_or(c, "criterion", "all-pairs"), &s->criterion));
    HF_TRY(cli_network_open(c, topology, cli_value(c, "routing"), cli_value(c, "universe"), NULL, &s->net));
    HF_TRY(cli_number(c, "switch", 0, s->net.topo->n_switch - 1, UINT64_MAX, &s->only_switch));
    HF_TRY(cli_fault_names(c, "faults", &names));
    HF_TRY(hf_fault_set_parse(c->cx, s->net.topo, s->net.universe, names, &s->faults));
    HF_TRY(name_failed(s));
    if (cli_has(c, "fewest")) {
        HF_TRY(show_fewest_find(c, &s->faults, &s->fewest));
    }
    if (!s->net.has_rule) {
        return HF_OK;
    }
    HF_TRY(hf_plan_make(c->cx, &s->net.rule, &s->faults, &s->plan));
    s->is_summary = s->net.topo->n_terminal > LISTED_TERMINALS;
    if (s->is_summary) {
        return summarize(s);
    }
    HF_TRY(hf_tolerance_judge(c->cx, &s->plan, s->criterion, true, &s->verdict));
    HF_TRY(hf_tolerance_victims(c->cx, &s->net.rule, &s->plan, take_victim, s));
    return s->collecting;
}

static void close_scene(scene *s) {
    hf_release(hf_context_allocator(s->c->cx), s->victim);
    cli_network_free(&s->net);
}

/* ---- registers, for text and JSON ---- */

/* Registers of port `port` of switch `sw`: at most REGISTER_MAX of them. */
static size_t registers_of(const scene *s, uint32_t sw, uint32_t port, hf_register *out) {
    const size_t n = s->plan.routing->registers ? s->plan.routing->registers(&s->plan, sw, port, out, REGISTER_MAX) : 0;
    return n < REGISTER_MAX ? n : REGISTER_MAX;
}

typedef struct register_walk {
    const scene *s;
    bool all; /* every register; else only exclusions */
    void (*each)(void *user, uint32_t sw, uint32_t port, const hf_register *r);
    void *user;
} register_walk;

static hf_status walk_registers(const register_walk *w) {
    const scene *s = w->s;
    hf_register *list;
    HF_TRY(hf_scratch(s->c->cx, REGISTER_MAX, sizeof *list, (void **)&list));
    for (uint32_t sw = 0; sw < s->net.topo->n_switch; sw++) {
        if (s->only_switch != UINT64_MAX && s->only_switch != sw) {
            continue;
        }
        for (uint32_t port = 0; port < s->net.topo->n_port_max; port++) {
            const size_t n = hf_topology_channel_at(s->net.topo, sw, port) == HF_NONE ? 0 : registers_of(s, sw, port, list);
            for (size_t i = 0; i < n; i++) {
                if (w->all || strcmp(list[i].name, "exclusion") == 0) {
                    w->each(w->user, sw, port, &list[i]);
                }
            }
        }
    }
    return HF_OK;
}

/* ---- text ---- */

/* Where registers are printed, and how many bits destinations and ports take. */
typedef struct register_page {
    hf_text *out;
    uint32_t destination_bits, port_bits;
} register_page;

static void print_bits(hf_text *out, uint32_t value, uint32_t n) {
    for (uint32_t i = n; i-- > 0;) {
        hf_text_print(out, "%d", (int)(value >> i & 1));
    }
    hf_text_print(out, "\n");
}

static void print_register(void *user, uint32_t sw, uint32_t port, const hf_register *r) {
    const register_page *page = user;
    const bool is_mask = strcmp(r->name, "MR") == 0;
    if (is_mask || strcmp(r->name, "RRR") == 0) {
        hf_text_print(page->out, "  s%" PRIu32 " port %" PRIu32 "  %s  ", sw, port, r->name);
        print_bits(page->out, r->value.lo, is_mask ? page->destination_bits : page->port_bits);
        return;
    }
    hf_text_print(page->out, "  s%" PRIu32 " port %" PRIu32 "  %s %" PRIu32 "  [%" PRIu32 "..%" PRIu32 "]\n", sw, port, r->name,
                  r->index, r->value.lo, r->value.hi);
}

static void print_failed(const scene *s, hf_text *out) {
    hf_text_print(out, "failed: %s", s->n_failed ? "" : "nothing");
    for (size_t i = 0; i < s->n_failed; i++) {
        hf_text_print(out, "%s%s", i ? ", " : "", s->failed[i]);
    }
    hf_text_print(out, "\n");
}

/* "s8 port 3: 8..11" for runs of destinations. */
static void print_victims(const scene *s, hf_text *out) {
    hf_text_print(out, "victims: %zu (switch, port, destination)\n", s->n_victim);
    uint64_t lines = 0;
    for (size_t i = 0; i < s->n_victim && lines < s->limit; lines++) {
        const victim v = s->victim[i];
        size_t end = i + 1;
        while (end < s->n_victim && s->victim[end].sw == v.sw && s->victim[end].port == v.port &&
               s->victim[end].destination == s->victim[end - 1].destination + 1) {
            end++;
        }
        hf_text_print(out, "  s%" PRIu32 " port %" PRIu32 "  t%" PRIu32, v.sw, v.port, v.destination);
        if (end - i > 1) {
            hf_text_print(out, "..t%" PRIu32, s->victim[end - 1].destination);
        }
        hf_text_print(out, "\n");
        i = end;
        if (lines + 1 == s->limit && i < s->n_victim) {
            hf_text_print(out, "  ... (more with --limit)\n");
        }
    }
}

static bool bad_pair(const scene *s, uint32_t from, uint32_t to) {
    return hf_bit_test(s->verdict.bad_pair, (size_t)from * s->net.topo->n_terminal + to);
}

/* Destinations that `from` cannot safely reach, as runs. */
static void print_bad_row(const scene *s, uint32_t from, hf_text *out) {
    const uint32_t n = s->net.topo->n_terminal;
    hf_text_print(out, "  t%" PRIu32 " to", from);
    for (uint32_t to = 0; to < n; to++) {
        uint32_t end = to;
        while (end < n && bad_pair(s, from, end)) {
            end++;
        }
        if (end > to) {
            hf_text_print(out, " t%" PRIu32, to);
            if (end - to > 1) {
                hf_text_print(out, "..t%" PRIu32, end - 1);
            }
            to = end;
        }
    }
    hf_text_print(out, "\n");
}

static void print_pairs(const scene *s, hf_text *out) {
    const uint32_t n = s->net.topo->n_terminal;
    hf_text_print(
        out, "%s under %s: %" PRIu64 " of %" PRIu64 " pairs of terminals have no healthy path, %" PRIu64 " can meet a fault\n",
        s->verdict.tolerated ? "tolerated" : "not tolerated", s->criterion->name, s->verdict.unserved, s->verdict.pairs,
        s->verdict.unsafe);
    uint64_t lines = 0;
    for (uint32_t from = 0; from < n; from++) {
        bool any = false;
        for (uint32_t to = 0; to < n && !any; to++) {
            any = bad_pair(s, from, to);
        }
        if (any && lines++ < s->limit) {
            print_bad_row(s, from, out);
        }
    }
    if (lines > s->limit) {
        hf_text_print(out, "  ... and %" PRIu64 " more senders (--limit)\n", lines - s->limit);
    }
}

static void print_summary(const scene *s, hf_text *out) {
    hf_text_print(out, "%s under %s; pairs are listed up to %d terminals\n", s->verdict.tolerated ? "tolerated" : "not tolerated",
                  s->criterion->name, LISTED_TERMINALS);
    hf_text_print(out, "victims: %" PRIu64 " (switch, port, destination)\nlost paths: %" PRIu64 "\n", s->measure.victims,
                  s->measure.lost_paths);
}

static hf_status print_text(const scene *s) {
    hf_text out;
    hf_text_init(s->c->cx, &out);
    hf_text_print(&out, "%s%s%s\n", s->net.topo->spec, s->net.has_rule ? ", " : "", s->net.has_rule ? s->net.rule.spec : "");
    print_failed(s, &out);
    hf_status status = HF_OK;
    if (s->net.has_rule && s->plan.routing->describe_faults) {
        status = s->plan.routing->describe_faults(s->c->cx, &s->plan, &out);
    }
    if (cli_has(s->c, "fewest")) {
        show_fewest_print(&s->faults, &s->fewest, &out);
    }
    if (s->net.has_rule) {
        if (s->is_summary) {
            print_summary(s, &out);
        } else {
            print_pairs(s, &out);
            print_victims(s, &out);
        }
        if (s->plan.routing->registers) {
            const bool all = cli_has(s->c, "registers");
            hf_text_print(&out, all ? "registers:\n" : "exclusion registers:\n");
            const size_t before = out.size;
            register_page page = {&out, 1, s->net.topo->n_port_max};
            while (page.destination_bits < 32 && (s->net.topo->n_terminal - 1) >> page.destination_bits) {
                page.destination_bits++;
            }
            const register_walk walk = {s, all, print_register, &page};
            status = walk_registers(&walk);
            if (out.size == before) {
                hf_text_print(&out, "  none\n");
            }
        } else if (cli_has(s->c, "registers") && s->plan.routing->describe_plan) {
            const uint32_t only = s->only_switch == UINT64_MAX ? HF_NONE : (uint32_t)s->only_switch;
            status = s->plan.routing->describe_plan(s->c->cx, &s->plan, only, &out);
        } else if (cli_has(s->c, "registers")) {
            hf_text_print(&out, "registers: %s has none\n", s->plan.routing->name);
        }
    }
    status = status == HF_OK ? cli_put(s->c, &out) : status;
    hf_text_free(&out);
    return status;
}

/* ---- JSON ---- */

static void push_register(void *user, uint32_t sw, uint32_t port, const hf_register *r) {
    hf_json *o = hf_json_object();
    char name[32];
    snprintf(name, sizeof name, "s%" PRIu32, sw);
    hf_json_set(o, "switch", hf_json_text(name));
    hf_json_set(o, "port", hf_json_integer(port));
    hf_json_set(o, "register", hf_json_text(r->name));
    hf_json_set(o, "index", hf_json_integer(r->index));
    hf_json_set(o, "low", hf_json_integer(r->value.lo));
    hf_json_set(o, "high", hf_json_integer(r->value.hi));
    hf_json_push(user, o);
}

static hf_json *json_victims(const scene *s) {
    hf_json *list = hf_json_array();
    for (size_t i = 0; i < s->n_victim; i++) {
        hf_json *o = hf_json_object();
        char name[32];
        snprintf(name, sizeof name, "s%" PRIu32, s->victim[i].sw);
        hf_json_set(o, "switch", hf_json_text(name));
        hf_json_set(o, "port", hf_json_integer(s->victim[i].port));
        snprintf(name, sizeof name, "t%" PRIu32, s->victim[i].destination);
        hf_json_set(o, "destination", hf_json_text(name));
        hf_json_push(list, o);
    }
    return list;
}

static hf_json *json_pairs(const scene *s) {
    hf_json *list = hf_json_array();
    for (uint32_t from = 0; from < s->net.topo->n_terminal; from++) {
        for (uint32_t to = 0; to < s->net.topo->n_terminal; to++) {
            if (bad_pair(s, from, to)) {
                char name[32];
                hf_json *pair = hf_json_array();
                snprintf(name, sizeof name, "t%" PRIu32, from);
                hf_json_push(pair, hf_json_text(name));
                snprintf(name, sizeof name, "t%" PRIu32, to);
                hf_json_push(pair, hf_json_text(name));
                hf_json_push(list, pair);
            }
        }
    }
    return list;
}

static void json_measures(const scene *s, hf_json *row) {
    if (s->is_summary) {
        hf_json_set(row, "victims_sum", hf_json_integer((int64_t)s->measure.victims));
        hf_json_set(row, "lost_paths_sum", hf_json_integer((int64_t)s->measure.lost_paths));
        return;
    }
    hf_json_set(row, "pairs", hf_json_integer((int64_t)s->verdict.pairs));
    hf_json_set(row, "unserved", hf_json_integer((int64_t)s->verdict.unserved));
    hf_json_set(row, "unsafe", hf_json_integer((int64_t)s->verdict.unsafe));
    hf_json_set(row, "bad_pairs", json_pairs(s));
    hf_json_set(row, "victims", json_victims(s));
}

static hf_status print_json(const scene *s) {
    hf_json *root = cli_json(s->c), *spec = hf_json_object(), *rows = hf_json_array(), *row = hf_json_object(),
            *failed = hf_json_array();
    hf_status status = HF_OK;
    hf_json_set(spec, "topology", hf_json_text(s->net.topo->spec));
    hf_json_set(spec, "routing", s->net.has_rule ? hf_json_text(s->net.rule.spec) : hf_json_null());
    hf_json_set(spec, "universe", s->net.universe ? hf_json_text(s->net.universe->spec) : hf_json_null());
    hf_json_set(spec, "criterion", hf_json_text(s->criterion->name));
    hf_json_set(root, "spec", spec);
    for (size_t i = 0; i < s->n_failed; i++) {
        hf_json_push(failed, hf_json_text(s->failed[i]));
    }
    hf_json_set(row, "failed", failed);
    if (cli_has(s->c, "fewest")) {
        hf_json_set(row, "fewest", show_fewest_json(&s->faults, &s->fewest));
    }
    if (s->net.has_rule) {
        hf_json *registers = hf_json_array();
        const register_walk walk = {s, cli_has(s->c, "registers"), push_register, registers};
        hf_json_set(row, "tolerated", hf_json_boolean(s->verdict.tolerated));
        json_measures(s, row);
        status = walk_registers(&walk);
        hf_json_set(row, "registers", registers);
    }
    hf_json_push(rows, row);
    hf_json_set(root, "rows", rows);
    if (status != HF_OK) {
        hf_json_free(root);
        return status;
    }
    return cli_put_json(s->c, root);
}

/* ---- drawing ---- */

static hf_status draw(const scene *s, const char *path) {
    hf_context *cx = s->c->cx;
    const uint32_t n = s->net.topo->n_terminal;
    uint64_t *victims, *lost;
    char *title;
    HF_TRY(hf_scratch(cx, hf_words(s->net.topo->n_node), sizeof *victims, (void **)&victims));
    HF_TRY(hf_scratch(cx, hf_words(n), sizeof *lost, (void **)&lost));
    HF_TRY(hf_scratch_print(cx, &title, "%s%s%s", s->net.topo->spec, s->net.has_rule ? ", " : "",
                            s->net.has_rule ? s->net.rule.spec : ""));
    for (size_t i = 0; i < s->n_victim; i++) {
        hf_bit_set(victims, s->net.topo->n_switch + s->victim[i].destination);
    }
    for (uint32_t from = 0; s->net.has_rule && !s->is_summary && from < n; from++) {
        for (uint32_t to = 0; to < n; to++) {
            if (bad_pair(s, from, to)) {
                hf_bit_set(lost, from);
                hf_bit_set(lost, to);
            }
        }
    }
    hf_marks marks = {.faults = &s->faults, .victim_node = victims, .lost_terminal = lost, .title = title};
    if (s->net.has_rule && s->plan.routing->mark) {
        HF_TRY(s->plan.routing->mark(cx, &s->plan, &marks));
    }
    hf_text out;
    hf_text_init(cx, &out);
    hf_status status = hf_format_svg(cx, s->net.topo, &marks, &out);
    status = status == HF_OK ? hf_text_save(cx, &out, path) : status;
    hf_text_free(&out);
    return status;
}

static int run(cli *c) {
    scene s = {.c = c};
    hf_status status = open_scene(&s);
    if (status == HF_OK && cli_has(c, "svg")) {
        status = draw(&s, cli_value(c, "svg"));
    }
    if (status == HF_OK) {
        status = cli_has(c, "json") ? print_json(&s) : print_text(&s);
    }
    const bool is_no = s.net.has_rule && !s.verdict.tolerated;
    close_scene(&s);
    return status != HF_OK ? cli_fail(c, status) : is_no ? CLI_NO : CLI_DONE;
}

static const cli_option options[] = {
    {"topology", "SPEC", "the network, such as kary-tree:k=2,n=4"},
    {"faults", "NAMES", "what has failed: names separated by commas, or @FILE as written by --witness"},
    {"routing", "SPEC", "the rule whose plan is shown, such as ft2ei:intervals=1"},
    {"universe", "SPEC", "take the names from this universe (needed for groups)"},
    {"criterion", "NAME", "when the set is tolerated: all-pairs (default), connected, surviving"},
    {"registers", NULL, "print every register of every port, not only exclusions; of other routings their tables"},
    {"fewest", NULL, "meshes of two dimensions: the fewest nodes to take out of service for the faults to be solid and valid"},
    {"switch", "N", "registers of this switch only"},
    {"limit", "N", "lines a list at most (default 20)"},
    {"svg", "FILE", "draw the network with the failures, victims and lost terminals marked"},
    {"json", NULL, "print JSON (docs/json.md)"},
    {"output", "FILE", "write the text to FILE instead of standard output"},
    {0},
};

const cli_command cli_show = {
    .name = "show",
    .summary = "show one fault set: what fails, what is excluded, who is lost",
    .usage = "--topology SPEC [--faults NAMES] [--routing SPEC]",
    .about = "Names: switch s18, link s8:3-s18:0 (or s8:3), channel s8:3>s18:0 (or s8:3>, the channel that leaves there).\n"
             "With --routing the plan under these faults is judged: status 1 if the set is not tolerated.\n\n"
             "Example: holdfast show --topology kary-tree:k=2,n=4 --routing ft2ei --faults 's18:1>' --registers",
    .options = options,
    .run = run,
};
