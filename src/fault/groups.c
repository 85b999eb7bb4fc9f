/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Reading a groups file: a line a group, "NAME: member member ...", blanks or commas between members, # starts a comment. */
#include "src/fault/universe.h"

#include <stdlib.h>
#include <string.h>

#include "src/core/grow.h"
#include "src/core/lines.h"

typedef struct reader {
    hf_lines lines;
    const hf_topology *topo;
    hf_group_list *out;
} reader;

static bool is_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
}

/* ---- members ---- */

static hf_status append_member(reader *r, hf_component_type type, uint32_t id) {
    hf_group_list *g = r->out;
    HF_GROW(r->lines.cx, g->member, g->n_member, g->member_capacity);
    g->member[g->n_member++] = (hf_component){type, id};
    return HF_OK;
}

/** The links of a terminal, in the order of its ports; those that only lead to it come last. */
static hf_status append_terminal(reader *r, uint32_t terminal) {
    const hf_topology *topo = r->topo;
    const uint32_t node = topo->n_switch + terminal;
    for (uint32_t i = topo->out_begin[node]; i < topo->out_begin[node + 1]; i++) {
        HF_TRY(append_member(r, HF_COMPONENT_LINK, topo->link[topo->out_list[i]]));
    }
    for (uint32_t i = topo->in_begin[node]; i < topo->in_begin[node + 1]; i++) {
        if (topo->reverse[topo->in_list[i]] == HF_NONE) {
            HF_TRY(append_member(r, HF_COMPONENT_LINK, topo->link[topo->in_list[i]]));
        }
    }
    return HF_OK;
}

static hf_status read_member(reader *r, hf_slice name) {
    char type;
    uint32_t id;
    const hf_status status = hf_topology_parse_name(r->lines.cx, r->topo, name.text, name.size, &type, &id);
    if (status != HF_OK) {
        return hf_lines_prefix(&r->lines, status);
    }
    switch (type) {
    case 's':
        return append_member(r, HF_COMPONENT_SWITCH, id);
    case 'l':
        return append_member(r, HF_COMPONENT_LINK, id);
    case 'c':
        return append_member(r, HF_COMPONENT_CHANNEL, id);
    default:
        return append_terminal(r, id);
    }
}

static void component_name(const hf_topology *topo, hf_component c, char *text, size_t size) {
    if (c.type == HF_COMPONENT_SWITCH) {
        hf_topology_node_name(topo, c.id, text, size);
    } else if (c.type == HF_COMPONENT_LINK) {
        hf_topology_link_name(topo, c.id, text, size);
    } else {
        hf_topology_channel_name(topo, c.id, text, size);
    }
}

/** Sort the members of the last group and refuse repetitions. */
static hf_status settle_members(reader *r) {
    hf_group_list *g = r->out;
    const uint32_t n = g->n_member - g->begin[g->count - 1];
    if (n == 0) {
        HF_LINE_FAIL(&r->lines, HF_EINVAL, "group \"%s\" has no members", g->name[g->count - 1]);
    }
    hf_component *member = g->member + g->begin[g->count - 1];
    qsort(member, n, sizeof *member, hf_component_compare);
    for (uint32_t i = 1; i < n; i++) {
        if (hf_component_compare(&member[i - 1], &member[i]) == 0) {
            char name[HF_NAME_SIZE];
            component_name(r->topo, member[i], name, sizeof name);
            HF_LINE_FAIL(&r->lines, HF_EINVAL, "%s is in group \"%s\" twice", name, g->name[g->count - 1]);
        }
    }
    g->begin[g->count] = g->n_member;
    return HF_OK;
}

/* ---- groups ---- */

static hf_status grow_groups(reader *r) {
    hf_group_list *g = r->out;
    if (g->count == g->capacity) {
        const size_t capacity = 2 * g->capacity + 16;
        HF_TRY(hf_resize(r->lines.cx, capacity, sizeof *g->name, (void **)&g->name));
        HF_TRY(hf_resize(r->lines.cx, capacity + 1, sizeof *g->begin, (void **)&g->begin));
        g->capacity = capacity;
    }
    return HF_OK;
}

static hf_status add_group(reader *r, hf_slice text) {
    hf_group_list *g = r->out;
    for (uint32_t i = 0; i < g->count; i++) {
        if (hf_slice_is(text, g->name[i])) {
            HF_LINE_FAIL(&r->lines, HF_EINVAL, "group \"%s\" is there already; give it another name", g->name[i]);
        }
    }
    HF_TRY(grow_groups(r));
    char *name;
    HF_TRY(hf_allocate(r->lines.cx, text.size + 1, 1, (void **)&name));
    memcpy(name, text.text, text.size);
    g->begin[g->count] = g->n_member;
    g->name[g->count++] = name;
    return HF_OK;
}

/** "NAME:", up to the first member. */
static hf_status read_name(reader *r) {
    hf_lines *lines = &r->lines;
    const hf_slice whole = hf_lines_rest(lines);
    hf_slice name = {.text = whole.text};
    while (name.size < whole.size && is_name(name.text[name.size])) {
        name.size++;
    }
    lines->at += name.size;
    if (name.size == 0 || !hf_lines_skip(lines, ':')) {
        HF_LINE_FAIL(lines, HF_EINVAL,
                     "\"%.*s\" is not a group; write NAME: member member ..., the name of letters, digits, - _ and .",
                     HF_SLICE(whole));
    }
    if (name.size > HF_GROUP_NAME_MAX) {
        HF_LINE_FAIL(lines, HF_EINVAL, "the name \"%.*s...\" is longer than %d letters", 20, name.text, HF_GROUP_NAME_MAX);
    }
    return add_group(r, name);
}

static hf_status read_line(reader *r) {
    hf_slice name;
    HF_TRY(read_name(r));
    while (hf_lines_item(&r->lines, ',', &name)) {
        HF_TRY(read_member(r, name));
    }
    return settle_members(r);
}

hf_status hf_groups_parse(hf_context *cx, const hf_topology *topo, const char *file, const char *data, size_t size,
                          hf_group_list *groups) {
    reader r = {.topo = topo, .out = groups};
    const uint32_t before = groups->count;
    hf_lines_start(cx, file, data, size, &r.lines);
    while (hf_lines_next_text(&r.lines)) {
        HF_TRY(read_line(&r));
    }
    if (groups->count == before) {
        HF_FAIL(cx, HF_EINVAL, "%s: no group in it; write lines NAME: member member ...", file);
    }
    return HF_OK;
}

void hf_groups_free(const hf_allocator *allocator, hf_group_list *groups) {
    for (uint32_t i = 0; groups->name && i < groups->count; i++) {
        hf_release(allocator, groups->name[i]);
    }
    hf_release(allocator, groups->name);
    hf_release(allocator, groups->begin);
    hf_release(allocator, groups->member);
    *groups = (hf_group_list){0};
}
