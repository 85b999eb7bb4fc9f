/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading a groups file. */
#include <string.h>

#include "src/fault/universe.h"

enum { NAME_LIMIT = 63 };

typedef struct reader {
    hf_context *cx;
    const hf_topology *topo;
    const char *file;
    unsigned line;
    hf_group_list *out;
} reader;

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == ','; }
static bool is_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
}

static hf_status add_member(reader *r, const char *text, size_t size) {
    hf_group_list *g = r->out;
    char type;
    uint32_t id;
    const hf_status status = hf_topology_parse_name(r->cx, r->topo, text, size, &type, &id);
    if (status != HF_OK) {
        hf_context_prefix(r->cx, "%s, line %u: ", r->file, r->line);
        return status;
    }
    if (type == 't') {
        HF_FAIL(r->cx, HF_EINVAL, "%s, line %u: \"%.*s\" is a terminal; a group holds switches, links and channels", r->file,
                r->line, (int)size, text);
    }
    if (g->n_member == g->member_capacity) {
        g->member_capacity = 2 * g->member_capacity + 16;
        HF_TRY(hf_resize(r->cx, g->member_capacity, sizeof *g->member, (void **)&g->member));
    }
    const hf_component_type as = type == 's' ? HF_COMPONENT_SWITCH : type == 'l' ? HF_COMPONENT_LINK : HF_COMPONENT_CHANNEL;
    g->member[g->n_member++] = (hf_component){as, id};
    return HF_OK;
}

static hf_status add_name(reader *r, const char *text, size_t size) {
    hf_group_list *g = r->out;
    for (uint32_t i = 0; i < g->count; i++) {
        if (strlen(g->name[i]) == size && memcmp(g->name[i], text, size) == 0) {
            HF_FAIL(r->cx, HF_EINVAL, "%s, line %u: group \"%.*s\" is there twice", r->file, r->line, (int)size, text);
        }
    }
    if (g->count == g->capacity) {
        g->capacity = 2 * g->capacity + 16;
        HF_TRY(hf_resize(r->cx, g->capacity, sizeof *g->name, (void **)&g->name));
        HF_TRY(hf_resize(r->cx, g->capacity + 1, sizeof *g->begin, (void **)&g->begin));
    }
    char *name;
    HF_TRY(hf_allocate(r->cx, size + 1, 1, (void **)&name));
    memcpy(name, text, size);
    g->begin[g->count] = g->n_member;
    g->name[g->count++] = name;
    return HF_OK;
}

static hf_status read_line(reader *r, const char *at, const char *end) {
    const char *comment = memchr(at, '#', (size_t)(end - at));
    end = comment ? comment : end;
    while (at < end && is_blank(*at)) {
        at++;
    }
    if (at == end) {
        return HF_OK;
    }
    const char *name = at;
    while (at < end && is_name(*at)) {
        at++;
    }
    const size_t name_size = (size_t)(at - name);
    if (name_size == 0 || name_size > NAME_LIMIT || at == end || *at != ':') {
        HF_FAIL(
            r->cx, HF_EINVAL,
            "%s, line %u: need \"NAME: member member ...\", the name of letters, digits, '-', '_' and '.', at most %d of them",
            r->file, r->line, NAME_LIMIT);
    }
    HF_TRY(add_name(r, name, name_size));
    const uint32_t before = r->out->n_member;
    for (at++; at < end;) {
        const char *word = at;
        while (at < end && !is_blank(*at)) {
            at++;
        }
        if (at > word) {
            HF_TRY(add_member(r, word, (size_t)(at - word)));
        }
        while (at < end && is_blank(*at)) {
            at++;
        }
    }
    if (r->out->n_member == before) {
        HF_FAIL(r->cx, HF_EINVAL, "%s, line %u: group \"%.*s\" has no members", r->file, r->line, (int)name_size, name);
    }
    return HF_OK;
}

hf_status hf_groups_parse(hf_context *cx, const hf_topology *topo, const char *file, const char *data, size_t size,
                          hf_group_list *out) {
    *out = (hf_group_list){0};
    reader r = {cx, topo, file, 0, out};
    for (const char *at = data, *end = data + size; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;
        r.line++;
        HF_TRY(read_line(&r, at, stop));
        at = newline ? newline + 1 : end;
    }
    if (out->count == 0) {
        HF_FAIL(cx, HF_EINVAL, "%s: no group in it; need lines \"NAME: member member ...\"", file);
    }
    out->begin[out->count] = out->n_member;
    return HF_OK;
}

void hf_group_list_free(const hf_allocator *allocator, hf_group_list *groups) {
    for (uint32_t i = 0; groups->name && i < groups->count; i++) {
        hf_release(allocator, groups->name[i]);
    }
    hf_release(allocator, groups->name);
    hf_release(allocator, groups->begin);
    hf_release(allocator, groups->member);
    *groups = (hf_group_list){0};
}

uint64_t hf_groups_hash(const char *data, size_t size) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ (unsigned char)data[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}
