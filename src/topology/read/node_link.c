/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  JSON of nodes and links, as node_link_data() of networkx gives it:
 *
 *      {"directed": false, "nodes": [{"id": "a"}, {"id": 7, "kind": "terminal"}], "links": [{"source": "a", "target": 7}]}
 *
 *  "links" may be called "edges". An id is a text, a whole number, or a list of these (a tuple: (0, 1)), and is the name. All
 *  that is looked at besides: of a node "kind", or else "type", terminal or host, switch or router (the default); of a link
 *  "source_port" and "target_port", "latency" in cycles, "rate" in Mbit/s, "delay" in ns, "flow" (control), and "both_ways".
 *  Links of directed graphs are read as those of GraphML. What holdfast writes comes back as the same network. */
#include <string.h>

#include "src/bridge/json.h"
#include "src/core/registry.h"
#include "src/topology/multistage/draft.h"

enum { PORT_MAX = 65535, NUMBER_MAX = 1000000000, PARTS_MAX = 16 };

typedef struct node_link {
    hf_context *cx;
    hf_draft *draft;
    hf_names names;
    const hf_json *root;
    bool is_directed;
} node_link;

/* ---- ids ---- */

/* `out` stays NULL where the value is neither a text nor a whole number. */
static hf_status print_plain(hf_context *cx, const hf_json *value, const char *before, char **out) {
    const char *text = hf_json_string(value);
    int64_t number;
    *out = NULL;
    if (text) {
        return hf_scratch_print(cx, out, "%s%s", before, text);
    }
    return hf_json_whole(value, &number) ? hf_scratch_print(cx, out, "%s%" PRId64, before, number) : HF_OK;
}

/* The name that an id is, in the arena; NULL if it is none. */
static hf_status print_id(hf_context *cx, const hf_json *id, char **out) {
    const size_t n = hf_json_count(id);
    if (n == 0) {
        return print_plain(cx, id, "", out);
    }
    *out = NULL;
    for (size_t i = 0; i < n && n <= PARTS_MAX; i++) {
        char *before;
        HF_TRY(hf_scratch_print(cx, &before, "%s%s", i ? *out : "(", i ? ", " : ""));
        HF_TRY(print_plain(cx, hf_json_at(id, i), before, out));
        if (!*out) {
            return HF_OK;
        }
    }
    return *out ? hf_scratch_print(cx, out, "%s)", *out) : HF_OK;
}

static hf_status read_id(const node_link *r, const hf_json *entry, const char *list, size_t i, const char *key, hf_slice *out) {
    char *text;
    HF_TRY(print_id(r->cx, hf_json_get(entry, key), &text));
    if (!text || !*text) {
        HF_FAIL(r->cx, HF_EINVAL, "%s: %s[%zu] has no \"%s\" that is a text or a whole number", r->draft->file, list, i, key);
    }
    *out = hf_slice_of(text);
    return HF_OK;
}

/* ---- nodes ---- */

/* Texts of the tree go with it. */
static hf_status keep(hf_context *cx, const char *text, const char **out) {
    char *copy;
    HF_TRY(hf_scratch_print(cx, &copy, "%s", text));
    *out = copy;
    return HF_OK;
}

static hf_status read_kind(const node_link *r, const hf_json *entry, hf_slice name, bool *is_terminal) {
    static const char *const terminals[] = {"terminal", "host", NULL}, *const switches[] = {"switch", "router", NULL};
    const char *kind = hf_json_string(hf_json_get(entry, "kind")), *type = hf_json_string(hf_json_get(entry, "type"));
    const hf_slice word = hf_slice_of(kind ? kind : type ? type : "switch");
    *is_terminal = terminals[hf_words_find(terminals, word)] != NULL;
    if (kind && !*is_terminal && !switches[hf_words_find(switches, word)]) {
        const char *shown;
        HF_TRY(keep(r->cx, kind, &shown));
        HF_FAIL(r->cx, HF_EINVAL, "%s: node \"%.*s\" is of kind \"%.60s\"; need terminal, host, switch or router", r->draft->file,
                HF_SLICE(name), shown);
    }
    return HF_OK;
}

static hf_status add_node(node_link *r, const hf_json *entry, size_t i) {
    hf_draft_node node = {.is_terminal = false};
    uint32_t id;
    HF_TRY(read_id(r, entry, "nodes", i, "id", &node.label));
    HF_TRY(hf_names_add(r->cx, &r->names, node.label, &id));
    if (id != r->draft->n_node) {
        HF_FAIL(r->cx, HF_EINVAL, "%s: two nodes have the id \"%.*s\"; need an id for each", r->draft->file,
                HF_SLICE(node.label));
    }
    HF_TRY(read_kind(r, entry, node.label, &node.is_terminal));
    return hf_draft_add_node(r->cx, r->draft, &node);
}

/* ---- links ---- */

static hf_status read_end(const node_link *r, const hf_json *entry, const char *list, size_t i, const char *key, uint32_t *node) {
    hf_slice name;
    HF_TRY(read_id(r, entry, list, i, key, &name));
    *node = hf_names_find(&r->names, name);
    if (*node == HF_NONE) {
        HF_FAIL(r->cx, HF_EINVAL, "%s: %s[%zu] has the %s \"%.*s\", which is not the id of a node", r->draft->file, list, i, key,
                HF_SLICE(name));
    }
    return HF_OK;
}

/* A whole number of a link; `none` where it has none. */
static hf_status read_number(const node_link *r, const hf_json *entry, const hf_draft_link *link, const char *key, uint32_t high,
                             uint32_t none, uint32_t *out) {
    const hf_json *value = hf_json_get(entry, key);
    double number;
    *out = none;
    if (!value || hf_json_is_null(value)) {
        return HF_OK;
    }
    if (!hf_json_number(value, &number) || !(number >= 0 && number <= high) || number != (uint32_t)number) {
        HF_FAIL(r->cx, HF_EINVAL, "%s: the link from \"%.*s\" to \"%.*s\" has a %s that is no whole number from 0 to %" PRIu32,
                r->draft->file, HF_SLICE(r->names.name[link->a]), HF_SLICE(r->names.name[link->b]), key, high);
    }
    *out = (uint32_t)number;
    return HF_OK;
}

/* Words, or the number that holdfast writes. */
static hf_status read_flow(const node_link *r, const hf_json *entry, const hf_draft_link *link, uint32_t *out) {
    const hf_json *value = hf_json_get(entry, "flow");
    const char *text = value ? hf_json_string(value) : NULL;
    if (!text) {
        return read_number(r, entry, link, "flow", 3, 0, out);
    }
    if (!hf_draft_read_flow(hf_slice_of(text), out)) {
        HF_FAIL(r->cx, HF_EINVAL,
                "%s: the link from \"%.*s\" to \"%.*s\" has the flow \"%.60s\"; need credit, bubble, or both as in "
                "bubble/credit, source first",
                r->draft->file, HF_SLICE(r->names.name[link->a]), HF_SLICE(r->names.name[link->b]), text);
    }
    return HF_OK;
}

static hf_status add_link(node_link *r, const hf_json *entry, const char *list, size_t i) {
    hf_draft_link link = {.both_ways = !r->is_directed};
    HF_TRY(read_end(r, entry, list, i, "source", &link.a));
    HF_TRY(read_end(r, entry, list, i, "target", &link.b));
    HF_TRY(read_number(r, entry, &link, "source_port", PORT_MAX, HF_NONE, &link.a_port));
    HF_TRY(read_number(r, entry, &link, "target_port", PORT_MAX, HF_NONE, &link.b_port));
    HF_TRY(read_number(r, entry, &link, "latency", NUMBER_MAX, HF_NONE, &link.latency));
    HF_TRY(read_number(r, entry, &link, "rate", UINT32_MAX - 1, 0, &link.rate_mbps));
    HF_TRY(read_number(r, entry, &link, "delay", UINT32_MAX - 1, HF_NONE, &link.delay_ns));
    HF_TRY(read_flow(r, entry, &link, &link.flow));
    (void)hf_json_truth(hf_json_get(entry, "both_ways"), &link.both_ways);
    return hf_draft_add_link(r->cx, r->draft, &link);
}

/* ---- the document ---- */

static hf_status read_all(node_link *r) {
    const hf_json *nodes = hf_json_get(r->root, "nodes"), *edges = hf_json_get(r->root, "edges");
    const char *list = edges ? "edges" : "links";
    const hf_json *links = edges ? edges : hf_json_get(r->root, "links");
    if (!nodes || !links || hf_json_string(nodes) || hf_json_string(links)) {
        HF_FAIL(r->cx, HF_EINVAL,
                "%s: need an object with the lists \"nodes\" and \"links\" or \"edges\", as node_link_data() of "
                "networkx gives it",
                r->draft->file);
    }
    (void)hf_json_truth(hf_json_get(r->root, "directed"), &r->is_directed);
    for (size_t i = 0; i < hf_json_count(nodes); i++) {
        HF_TRY(add_node(r, hf_json_at(nodes, i), i));
    }
    for (size_t i = 0; i < hf_json_count(links); i++) {
        HF_TRY(add_link(r, hf_json_at(links, i), list, i));
    }
    return hf_draft_join_opposites(r->cx, r->draft);
}

hf_status hf_read_node_link(hf_context *cx, const char *data, size_t size, hf_draft *draft) {
    node_link r = {.cx = cx, .draft = draft};
    hf_json *root;
    HF_TRY(hf_json_parse(cx, draft->file, data, size, &root));
    r.root = root;
    hf_names_init(cx, &r.names);
    const hf_status status = read_all(&r);
    hf_names_free(&r.names);
    hf_json_free(root);
    return status;
}
