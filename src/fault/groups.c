/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Reading a groups file: a line a group, "NAME: member member ...", blanks or commas between members, # starts a comment. */
#include "src/fault/universe.h"

#include <stdlib.h>
#include <string.h>

#include "src/core/grow.h"

enum { SHOWN_SIZE = 80 };

/** One line while it is read. */
typedef struct reader {
    hf_context *cx;
    const hf_topology *topo;
    const char *file;
    unsigned line;
    hf_group_list *out;
    const char *at, *end;
} reader;

static int shown(size_t size) { return (int)(size < SHOWN_SIZE ? size : SHOWN_SIZE); }

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == ','; }

static bool is_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
}

static void skip_blanks(reader *r) {
    while (r->at < r->end && is_blank(*r->at)) {
        r->at++;
    }
}

/** Put file and line before the message of a failure. */
static hf_status at_line(const reader *r, hf_status status) {
    hf_context_prefix(r->cx, "%s, line %u: ", r->file, r->line);
    return status;
}

/* ---- members ---- */

static hf_status append_member(reader *r, hf_component_type type, uint32_t id) {
    hf_group_list *g = r->out;
    HF_GROW(r->cx, g->member, g->n_member, g->member_capacity);
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

static hf_status read_member(reader *r) {
    const char *start = r->at;
    while (r->at < r->end && !is_blank(*r->at)) {
        r->at++;
    }
    char type;
    uint32_t id;
    const hf_status status = hf_topology_parse_name(r->cx, r->topo, start, (size_t)(r->at - start), &type, &id);
    if (status != HF_OK) {
        return at_line(r, status);
    }
    skip_blanks(r);
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
        HF_FAIL(r->cx, HF_EINVAL, "%s, line %u: group \"%s\" has no members", r->file, r->line, g->name[g->count - 1]);
    }
    hf_component *member = g->member + g->begin[g->count - 1];
    qsort(member, n, sizeof *member, hf_component_compare);
    for (uint32_t i = 1; i < n; i++) {
        if (hf_component_compare(&member[i - 1], &member[i]) == 0) {
            char name[64];
            component_name(r->topo, member[i], name, sizeof name);
            HF_FAIL(r->cx, HF_EINVAL, "%s, line %u: %s is in group \"%s\" twice", r->file, r->line, name, g->name[g->count - 1]);
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
        HF_TRY(hf_resize(r->cx, capacity, sizeof *g->name, (void **)&g->name));
        HF_TRY(hf_resize(r->cx, capacity + 1, sizeof *g->begin, (void **)&g->begin));
        g->capacity = capacity;
    }
    return HF_OK;
}

static hf_status add_group(reader *r, const char *text, size_t size) {
    hf_group_list *g = r->out;
    for (uint32_t i = 0; i < g->count; i++) {
        if (strlen(g->name[i]) == size && memcmp(g->name[i], text, size) == 0) {
            HF_FAIL(r->cx, HF_EINVAL, "%s, line %u: group \"%s\" is there already; give it another name", r->file, r->line,
                    g->name[i]);
        }
    }
    HF_TRY(grow_groups(r));
    char *name;
    HF_TRY(hf_allocate(r->cx, size + 1, 1, (void **)&name));
    memcpy(name, text, size);
    g->begin[g->count] = g->n_member;
    g->name[g->count++] = name;
    return HF_OK;
}

/** "NAME:", up to the first member. */
static hf_status read_name(reader *r) {
    const char *start = r->at;
    while (r->at < r->end && is_name(*r->at)) {
        r->at++;
    }
    const size_t size = (size_t)(r->at - start);
    skip_blanks(r);
    if (size == 0 || r->at == r->end || *r->at != ':') {
        HF_FAIL(r->cx, HF_EINVAL,
                "%s, line %u: \"%.*s\" is not a group; write NAME: member member ..., the name of letters, digits, - _ and .",
                r->file, r->line, shown((size_t)(r->end - start)), start);
    }
    if (size > HF_GROUP_NAME_MAX) {
        HF_FAIL(r->cx, HF_EINVAL, "%s, line %u: the name \"%.*s...\" is longer than %d letters", r->file, r->line, 20, start,
                HF_GROUP_NAME_MAX);
    }
    r->at++;
    return add_group(r, start, size);
}

static hf_status read_line(reader *r) {
    const char *comment = memchr(r->at, '#', (size_t)(r->end - r->at));
    r->end = comment ? comment : r->end;
    skip_blanks(r);
    if (r->at == r->end) {
        return HF_OK;
    }
    HF_TRY(read_name(r));
    skip_blanks(r);
    while (r->at < r->end) {
        HF_TRY(read_member(r));
    }
    return settle_members(r);
}

hf_status hf_groups_parse(hf_context *cx, const hf_topology *topo, const char *file, const char *data, size_t size,
                          hf_group_list *groups) {
    reader r = {.cx = cx, .topo = topo, .file = file, .out = groups};
    const uint32_t before = groups->count;
    for (const char *at = data, *end = data + size; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        r.line++;
        r.at = at;
        r.end = newline ? newline : end;
        HF_TRY(read_line(&r));
        at = newline ? newline + 1 : end;
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
