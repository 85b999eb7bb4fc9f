/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Fault sets: from component indices, once per set of a campaign, and from names. All memory is the arena's. */
#include <holdfast/fault.h>

#include <string.h>

#include <holdfast/core/bitset.h>
#include <holdfast/core/random.h>

#include "src/core/lines.h"
#include "src/core/sort.h"
#include "src/fault/failure.h"

/* The number of faults stands in the upper 24 bits of the purpose, so that sizes of one seed draw from different streams. */
void hf_fault_sample(uint64_t seed, uint32_t m, uint32_t f, uint64_t i, uint32_t *set) {
    hf_random r;
    hf_random_init(&r, seed, (hf_purpose)((uint32_t)HF_PURPOSE_SAMPLE | f << 8), i);
    hf_random_subset(&r, m, f, set);
}

/** A fault set while it is filled. */
typedef struct filler {
    uint32_t *channel, n_channel;
    uint64_t *channel_set, *switch_set;
} filler;

static hf_status prepare(hf_context *cx, const hf_topology *topo, size_t n_channel, filler *out) {
    HF_TRY(hf_scratch(cx, n_channel, sizeof *out->channel, (void **)&out->channel));
    HF_TRY(hf_scratch(cx, hf_words(topo->n_channel), sizeof *out->channel_set, (void **)&out->channel_set));
    HF_TRY(hf_scratch(cx, hf_words(topo->n_switch), sizeof *out->switch_set, (void **)&out->switch_set));
    out->n_channel = 0;
    return HF_OK;
}

static void fail_channel(filler *f, uint32_t channel) {
    if (!hf_bit_test(f->channel_set, channel)) {
        hf_bit_set(f->channel_set, channel);
        f->channel[f->n_channel++] = channel;
    }
}

static void fail_component(filler *f, const hf_universe *u, uint32_t component) {
    for (uint32_t i = u->channel_begin[component]; i < u->channel_begin[component + 1]; i++) {
        fail_channel(f, u->channel[i]);
    }
    for (uint32_t i = u->switch_begin[component]; i < u->switch_begin[component + 1]; i++) {
        hf_bit_set(f->switch_set, u->switch_list[i]);
    }
}

hf_status hf_fault_set_make(hf_context *cx, const hf_universe *universe, const uint32_t *component, uint32_t f,
                            hf_fault_set *out) {
    const hf_universe *u = universe;
    size_t room = 0;
    for (uint32_t i = 0; i < f; i++) {
        if (component[i] >= u->n_component) {
            HF_FAIL(cx, HF_EINVAL, "component %u is not in the fault universe \"%s\"; need a number below %u", component[i],
                    u->spec, u->n_component);
        }
        room += u->channel_begin[component[i] + 1] - u->channel_begin[component[i]];
    }
    uint32_t *own;
    filler fill;
    HF_TRY(hf_scratch(cx, f, sizeof *own, (void **)&own));
    HF_TRY(prepare(cx, u->topo, room, &fill));
    for (uint32_t i = 0; i < f; i++) {
        own[i] = component[i];
        fail_component(&fill, u, component[i]);
    }
    *out = (hf_fault_set){.topo = u->topo,
                          .universe = u,
                          .n_component = f,
                          .component = own,
                          .n_channel = fill.n_channel,
                          .channel = fill.channel,
                          .channel_set = fill.channel_set,
                          .switch_set = fill.switch_set};
    return HF_OK;
}

hf_status hf_no_faults(hf_context *cx, const hf_topology *topo, hf_fault_set *out) {
    void *channels, *switches;
    HF_TRY(hf_scratch(cx, hf_words(topo->n_channel), sizeof(uint64_t), &channels));
    HF_TRY(hf_scratch(cx, hf_words(topo->n_switch), sizeof(uint64_t), &switches));
    *out = (hf_fault_set){.topo = topo, .channel_set = channels, .switch_set = switches};
    return HF_OK;
}

/* ---- from names ---- */

/** The next name of a list, of one line or several. */
static bool next_name(hf_lines *r, hf_slice *out) {
    while (!hf_lines_name(r, ',', out)) {
        if (!hf_lines_next(r)) {
            return false;
        }
    }
    return true;
}

static hf_status refuse_terminal(hf_context *cx, const hf_topology *topo, uint32_t terminal, hf_slice name) {
    char link[HF_NAME_SIZE] = "no link";
    const uint32_t node = topo->n_switch + terminal;
    if (topo->out_begin[node] < topo->out_begin[node + 1]) {
        hf_topology_link_name(topo, topo->link[topo->out_list[topo->out_begin[node]]], link, sizeof link);
    }
    HF_FAIL(cx, HF_EINVAL, "\"%.*s\" is a terminal; what can fail is its link, %s", HF_SLICE(name), link);
}

/** The index of a plain component, HF_NONE if the universe does not hold it. */
static uint32_t find_plain(const hf_universe *u, hf_component_type type, uint32_t id) {
    for (uint32_t i = 0; i < u->n_component; i++) {
        if (u->component[i].type == type && u->component[i].id == id) {
            return i;
        }
    }
    return HF_NONE;
}

static uint32_t find_group(const hf_universe *u, hf_slice name) {
    for (uint32_t i = 0; i < u->n_component; i++) {
        if (u->component[i].type == HF_COMPONENT_GROUP && hf_slice_is(name, u->group_name[u->component[i].id])) {
            return i;
        }
    }
    return HF_NONE;
}

/** The component of the universe that the user may have meant: a link for a channel of it, a channel for its link; else the
 *  first one. */
static uint32_t find_near(const hf_universe *u, char type, uint32_t id) {
    uint32_t near = HF_NONE;
    if (type == 'c') {
        near = find_plain(u, HF_COMPONENT_LINK, u->topo->link[id]);
    } else if (type == 'l') {
        near = find_plain(u, HF_COMPONENT_CHANNEL, u->topo->forward[id]);
    }
    return near == HF_NONE ? 0 : near;
}

static hf_status refuse_stranger(hf_context *cx, const hf_universe *u, char type, uint32_t id, hf_slice name) {
    char near[HF_NAME_SIZE];
    hf_universe_name(u, find_near(u, type, id), near, sizeof near);
    HF_FAIL(cx, HF_ENOENT, "\"%.*s\" is not in the fault universe \"%s\" of \"%s\"; write a component of it, such as %s",
            HF_SLICE(name), u->spec, u->topo->spec, near);
}

static hf_status find_component(hf_context *cx, const hf_universe *u, hf_slice name, uint32_t *out) {
    *out = find_group(u, name);
    if (*out != HF_NONE) {
        return HF_OK;
    }
    char type;
    uint32_t id;
    HF_TRY(hf_failure_parse(cx, u->topo, name, &type, &id));
    if (type != 't') {
        *out = find_plain(u, type == 's' ? HF_COMPONENT_SWITCH : type == 'l' ? HF_COMPONENT_LINK : HF_COMPONENT_CHANNEL, id);
    }
    return *out == HF_NONE ? refuse_stranger(cx, u, type, id, name) : HF_OK;
}

static hf_status parse_in_universe(hf_context *cx, const hf_universe *u, const char *text, hf_fault_set *out) {
    uint32_t *component, f = 0;
    hf_lines r;
    hf_slice name;
    HF_TRY(hf_scratch(cx, strlen(text) / 2 + 1, sizeof *component, (void **)&component));
    hf_lines_start(cx, "", text, strlen(text), &r);
    for (; next_name(&r, &name); f++) {
        HF_TRY(find_component(cx, u, name, &component[f]));
        for (uint32_t i = 0; i < f; i++) {
            if (component[i] == component[f]) {
                HF_FAIL(cx, HF_EINVAL, "\"%.*s\" is in the fault set twice", HF_SLICE(name));
            }
        }
    }
    if (f > 1) {
        hf_sort_numbers(component, f);
    }
    return hf_fault_set_make(cx, u, component, f, out);
}

static void fail_switch(filler *f, const hf_topology *topo, uint32_t sw) {
    hf_bit_set(f->switch_set, sw);
    for (uint32_t i = topo->out_begin[sw]; i < topo->out_begin[sw + 1]; i++) {
        fail_channel(f, topo->out_list[i]);
    }
    for (uint32_t i = topo->in_begin[sw]; i < topo->in_begin[sw + 1]; i++) {
        fail_channel(f, topo->in_list[i]);
    }
}

static hf_status fail_name(hf_context *cx, const hf_topology *topo, hf_slice name, filler *f) {
    char type;
    uint32_t id;
    HF_TRY(hf_failure_parse(cx, topo, name, &type, &id));
    switch (type) {
    case 's':
        fail_switch(f, topo, id);
        return HF_OK;
    case 'c':
        fail_channel(f, id);
        return HF_OK;
    case 'l':
        fail_channel(f, topo->forward[id]);
        if (topo->backward[id] != HF_NONE) {
            fail_channel(f, topo->backward[id]);
        }
        return HF_OK;
    default:
        return refuse_terminal(cx, topo, id, name);
    }
}

static hf_status parse_plain(hf_context *cx, const hf_topology *topo, const char *text, hf_fault_set *out) {
    filler f;
    hf_lines r;
    hf_slice name;
    HF_TRY(prepare(cx, topo, topo->n_channel, &f));
    hf_lines_start(cx, "", text, strlen(text), &r);
    while (next_name(&r, &name)) {
        HF_TRY(fail_name(cx, topo, name, &f));
    }
    if (f.n_channel > 1) {
        hf_sort_numbers(f.channel, f.n_channel);
    }
    *out = (hf_fault_set){
        .topo = topo, .n_channel = f.n_channel, .channel = f.channel, .channel_set = f.channel_set, .switch_set = f.switch_set};
    return HF_OK;
}

enum { WITNESS_LIMIT = 16 << 20 };

/* The first line that is no comment; of a connection matrix of htsim its lines of failures, each a name in quotes. */
static void read_names(hf_lines *lines, hf_text *out) {
    hf_slice first = {"", 0};
    bool has_first = false;
    while (hf_lines_next(lines)) {
        const hf_slice line = hf_lines_rest(lines);
        if (hf_failure_is(line)) {
            hf_text_print(out, "%s\"%.*s\"", out->size ? "," : "", (int)line.size, line.text);
        } else if (!has_first && !hf_slice_begins(line, "#")) {
            first = line;
            has_first = true;
        }
    }
    if (out->size == 0) {
        hf_text_print(out, "%.*s", (int)first.size, first.text);
    }
}

hf_status hf_fault_names_load(hf_context *cx, const char *text, char **out) {
    if (text[0] != '@') {
        return hf_scratch_print(cx, out, "%s", text);
    }
    hf_text file, names;
    hf_text_init(cx, &file);
    hf_text_init(cx, &names);
    hf_status status = hf_text_load(cx, text + 1, WITNESS_LIMIT, &file);
    if (status == HF_OK) {
        hf_lines lines;
        hf_lines_start(cx, text + 1, file.data ? file.data : "", file.size, &lines);
        read_names(&lines, &names);
        status = hf_text_check(cx, &names);
    }
    status = status == HF_OK ? hf_scratch_print(cx, out, "%s", names.data ? names.data : "") : status;
    hf_text_free(&names);
    hf_text_free(&file);
    return status;
}

hf_status hf_fault_set_parse(hf_context *cx, const hf_topology *topo, const hf_universe *universe, const char *text,
                             hf_fault_set *out) {
    return universe ? parse_in_universe(cx, universe, text, out) : parse_plain(cx, topo, text, out);
}

/* ---- and back ---- */

static void put_name(const char *name, hf_text *out) { hf_text_print(out, "%s%s", out->size ? "," : "", name); }

static bool is_of_failed_switch(const hf_fault_set *f, uint32_t link) {
    const hf_topology *topo = f->topo;
    const uint32_t end[] = {topo->from[topo->forward[link]], topo->to[topo->forward[link]]};
    for (int i = 0; i < 2; i++) {
        if (end[i] < topo->n_switch && hf_bit_test(f->switch_set, end[i])) {
            return true;
        }
    }
    return false;
}

static void put_links(const hf_fault_set *f, hf_text *out) {
    const hf_topology *topo = f->topo;
    char name[HF_NAME_SIZE];
    for (uint32_t link = 0; link < topo->n_link; link++) {
        const uint32_t c[] = {topo->forward[link], topo->backward[link]};
        const bool failed[] = {hf_bit_test(f->channel_set, c[0]), c[1] != HF_NONE && hf_bit_test(f->channel_set, c[1])};
        if ((!failed[0] && !failed[1]) || is_of_failed_switch(f, link)) {
            continue;
        }
        if (failed[0] && (failed[1] || c[1] == HF_NONE)) {
            hf_topology_link_name(topo, link, name, sizeof name);
        } else {
            hf_topology_channel_name(topo, c[failed[1]], name, sizeof name);
        }
        put_name(name, out);
    }
}

void hf_fault_set_names(const hf_fault_set *faults, hf_text *out) {
    char name[HF_NAME_SIZE];
    for (uint32_t i = 0; i < faults->n_component; i++) {
        hf_universe_name(faults->universe, faults->component[i], name, sizeof name);
        put_name(name, out);
    }
    if (faults->universe) {
        return;
    }
    for (uint32_t sw = 0; sw < faults->topo->n_switch; sw++) {
        if (hf_bit_test(faults->switch_set, sw)) {
            hf_topology_node_name(faults->topo, sw, name, sizeof name);
            put_name(name, out);
        }
    }
    put_links(faults, out);
}
