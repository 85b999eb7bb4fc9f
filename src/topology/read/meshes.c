/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Descriptors of meshes as text of protocol buffers, as TT-Metal's fabric takes them:
 *
 *      mesh_descriptors {
 *        name: "M0"
 *        device_topology { dims: [ 2, 4 ] dim_types: [ LINE, RING ] }
 *        channels { count: 2 }                       links side by side
 *        express_connections { src: 0 dst: 5 }
 *      }
 *      top_level_instance { mesh { mesh_descriptor: "M0" mesh_id: 0 } }
 *
 *  or of several meshes:
 *
 *      graph_descriptors {
 *        name: "G0"
 *        instances { mesh { mesh_descriptor: "M0" mesh_id: 0 } }
 *        instances { mesh { mesh_descriptor: "M0" mesh_id: 1 } }
 *        connections {
 *          nodes { mesh { mesh_id: 0 device_id: 3 } } nodes { mesh { mesh_id: 1 device_id: 0 } } channels { count: 2 }
 *        }
 *      }
 *      top_level_instance { graph { graph_descriptor: "G0" graph_id: 0 } }
 *
 *  Device i of mesh m is the switch MmDi, the last dimension fastest. A ring of two is a line. Connections must name devices:
 *  between whole meshes a file leaves it to who builds them. Other fields are passed over. */
#include "src/core/grow.h"
#include "src/core/number.h"
#include "src/topology/multistage/draft.h"

enum { DEPTH_MAX = 16, DIMS_MAX = 8, DEVICES_MAX = 1 << 16, LINKS_MAX = 1 << 20, COUNT_MAX = 256 };

/** A field: a word or number, or a message with fields of its own. */
typedef struct field {
    hf_slice name, value;
    bool is_message;
    uint32_t line, child, next; /* 1 + number of the first within, and of the one behind; 0: none */
} field;

typedef struct meshes {
    hf_context *cx;
    hf_lines lines;
    hf_draft *draft;
    field *field;
    size_t room;
    uint32_t n;
} meshes;

static const field *at(const meshes *m, uint32_t i) { return i ? &m->field[i - 1] : NULL; }

/* ---- text ---- */

static bool is_mark(char c) { return strchr("{}[]:,;", c) != NULL && c; }

/* The next word, mark or text in quotes. \return false: the file is over */
static bool take(hf_lines *r, hf_slice *out) {
    hf_lines_blanks(r);
    while (r->at == r->end) {
        if (!hf_lines_next_text(r)) {
            return false;
        }
        hf_lines_blanks(r);
    }
    const char *start = r->at++;
    if (*start == '"') {
        while (r->at < r->end && *r->at != '"') {
            r->at++;
        }
        *out = (hf_slice){start + 1, (size_t)(r->at - start - 1)};
        r->at += r->at < r->end;
        return true;
    }
    while (!is_mark(*start) && r->at < r->end && !is_mark(*r->at) && *r->at != ' ' && *r->at != '\t' && *r->at != '"') {
        r->at++;
    }
    *out = (hf_slice){start, (size_t)(r->at - start)};
    return true;
}

static bool next_is(hf_lines *r, char mark) {
    hf_lines ahead = *r;
    hf_slice word;
    if (!take(&ahead, &word) || !hf_slice_same(word, (hf_slice){&mark, 1})) {
        return false;
    }
    *r = ahead;
    return true;
}

/* A field behind the `last` of its message, or the first. */
static hf_status add_field(meshes *m, hf_slice name, uint32_t within, uint32_t *last) {
    HF_GROW_SCRATCH(m->cx, m->field, m->n, m->room);
    m->field[m->n++] = (field){.name = name, .line = m->lines.line};
    if (*last) {
        m->field[*last - 1].next = m->n;
    } else if (within) {
        m->field[within - 1].child = m->n;
    }
    *last = m->n;
    return HF_OK;
}

static hf_status refuse(const meshes *m, const char *need) {
    HF_LINE_FAIL(&m->lines, HF_EINVAL, "need %s, as in name: \"M0\", dims: [ 2, 4 ] or mesh { ... }", need);
}

static hf_status read_scalar(meshes *m, hf_slice *out) {
    return take(&m->lines, out) && !(out->size == 1 && is_mark(*out->text)) ? HF_OK : refuse(m, "a value");
}

/* [ 2, 4 ]: a field for each. */
static hf_status read_list(meshes *m, hf_slice name, uint32_t within, uint32_t *last) {
    for (bool is_first = true; !next_is(&m->lines, ']'); is_first = false) {
        if (!is_first && !next_is(&m->lines, ',')) {
            return refuse(m, "a comma or ]");
        }
        HF_TRY(add_field(m, name, within, last));
        HF_TRY(read_scalar(m, &m->field[m->n - 1].value));
    }
    return HF_OK;
}

static hf_status end_of_file(const meshes *m, uint32_t within) {
    if (within) {
        HF_LINE_FAIL(&m->lines, HF_EINVAL, "the message that begins on line %" PRIu32 " has no end", m->field[within - 1].line);
    }
    return HF_OK;
}

/* Fields up to the end of their message. \param[in] within its number, 0: the file */
static hf_status read_fields(meshes *m, uint32_t within, uint32_t depth) {
    uint32_t last = 0;
    hf_slice name;
    while (!(within && next_is(&m->lines, '}'))) {
        if (!take(&m->lines, &name)) {
            return end_of_file(m, within);
        }
        if (is_mark(*name.text) || depth > DEPTH_MAX) {
            return refuse(m, depth > DEPTH_MAX ? "messages less deep in one another" : "the name of a field");
        }
        const bool has_colon = next_is(&m->lines, ':');
        if (has_colon && next_is(&m->lines, '[')) {
            HF_TRY(read_list(m, name, within, &last));
            continue;
        }
        HF_TRY(add_field(m, name, within, &last));
        const uint32_t made = m->n;
        m->field[made - 1].is_message = next_is(&m->lines, '{');
        HF_TRY(m->field[made - 1].is_message ? read_fields(m, made, depth + 1)
               : has_colon                   ? read_scalar(m, &m->field[made - 1].value)
                                             : refuse(m, "a colon or {"));
        (void)(next_is(&m->lines, ',') || next_is(&m->lines, ';'));
    }
    return HF_OK;
}

/* ---- what it says ---- */

/* The next field of a name behind `after`, or the first within a message; NULL: there is none. */
static const field *find(const meshes *m, const field *within, const field *after, const char *name) {
    const field *f = after ? at(m, after->next) : within ? at(m, within->child) : at(m, m->n > 0);
    while (f && !hf_slice_is(f->name, name)) {
        f = at(m, f->next);
    }
    return f;
}

#define FIELD_FAIL(m, f, code, format, ...)                                                                                      \
    HF_FAIL((m)->cx, (code), "%s, line %" PRIu32 ": " format, (m)->draft->file, (f)->line, __VA_ARGS__)

/* A number of a field, which is `usual` where it is not there (HF_NONE: it must be). */
static hf_status number_of(const meshes *m, const field *within, const char *name, uint32_t usual, uint32_t high, uint32_t *out) {
    const field *f = find(m, within, NULL, name);
    uint64_t value = usual;
    if (f ? !hf_slice_number(f->value, 10, &value) || value > high : usual == HF_NONE) {
        FIELD_FAIL(m, f ? f : within, HF_EINVAL, "%.*s needs %s, a number up to %" PRIu32, HF_SLICE(within->name), name, high);
    }
    *out = (uint32_t)value;
    return HF_OK;
}

/* count of channels { count: 2 } */
static hf_status count_of(const meshes *m, const field *within, uint32_t usual, uint32_t *out) {
    const field *channels = find(m, within, NULL, "channels");
    *out = usual;
    return channels ? number_of(m, channels, "count", usual, COUNT_MAX, out) : HF_OK;
}

/* The message of a list whose field `name` has the value. */
static const field *named(const meshes *m, const char *list, hf_slice value) {
    for (const field *f = find(m, NULL, NULL, list); f; f = find(m, NULL, f, list)) {
        const field *name = find(m, f, NULL, "name");
        if (name && hf_slice_same(name->value, value)) {
            return f;
        }
    }
    return NULL;
}

static hf_status descriptor_of(const meshes *m, const field *instance, const char *key, const char *list, const field **out) {
    const field *name = find(m, instance, NULL, key);
    *out = name ? named(m, list, name->value) : NULL;
    if (!*out) {
        FIELD_FAIL(m, name ? name : instance, HF_ENOENT, "%s \"%.*s\" is not described; need the name of one of %s", key,
                   name ? hf_slice_shown(name->value) : 0, name ? name->value.text : "", list);
    }
    return HF_OK;
}

/* ---- a mesh ---- */

typedef struct shape {
    uint32_t n, size[DIMS_MAX], links, devices;
    bool is_ring[DIMS_MAX];
} shape;

static hf_status read_dims(const meshes *m, const field *topology, shape *s) {
    uint64_t devices = 1;
    for (const field *f = find(m, topology, NULL, "dims"); f; f = find(m, topology, f, "dims")) {
        uint64_t size;
        if (s->n == DIMS_MAX || !hf_slice_number(f->value, 10, &size) || size == 0 || (devices *= size) > DEVICES_MAX) {
            FIELD_FAIL(m, f, HF_EINVAL, "\"%.*s\" is not right; need up to %d dims, of up to %d devices together",
                       HF_SLICE(f->value), DIMS_MAX, DEVICES_MAX);
        }
        s->size[s->n++] = (uint32_t)size;
    }
    s->devices = (uint32_t)devices;
    uint32_t i = 0;
    for (const field *f = find(m, topology, NULL, "dim_types"); f; f = find(m, topology, f, "dim_types"), i++) {
        if (i == s->n || (!hf_slice_is(f->value, "RING") && !hf_slice_is(f->value, "LINE"))) {
            FIELD_FAIL(m, f, HF_EINVAL, "\"%.*s\" is not right; need LINE or RING for each of %" PRIu32 " dims",
                       HF_SLICE(f->value), s->n);
        }
        s->is_ring[i] = hf_slice_is(f->value, "RING") && s->size[i] > 2;
    }
    return HF_OK;
}

static hf_status read_shape(const meshes *m, const field *mesh, shape *s) {
    const field *topology = find(m, mesh, NULL, "device_topology");
    *s = (shape){0};
    if (!topology || !find(m, topology, NULL, "dims")) {
        FIELD_FAIL(m, mesh, HF_EINVAL, "a mesh needs %s", "device_topology { dims: [ ... ] }");
    }
    HF_TRY(read_dims(m, topology, s));
    return count_of(m, mesh, 1, &s->links);
}

static hf_status join(const meshes *m, const field *why, uint32_t a, uint32_t b, uint32_t links) {
    const hf_draft_link link = {.a = a,
                                .a_port = HF_NONE,
                                .b = b,
                                .b_port = HF_NONE,
                                .latency = HF_NONE,
                                .delay_ns = HF_NONE,
                                .line = why->line,
                                .both_ways = true};
    for (uint32_t i = 0; i < links; i++) {
        if (m->draft->n_link == LINKS_MAX) {
            FIELD_FAIL(m, why, HF_ERANGE, "more than %d links are too many", LINKS_MAX);
        }
        HF_TRY(hf_draft_add_link(m->cx, m->draft, &link));
    }
    return HF_OK;
}

static hf_status join_dims(const meshes *m, const field *mesh, const shape *s, uint32_t first) {
    for (uint32_t v = 0; v < s->devices; v++) {
        for (uint32_t d = s->n, stride = 1; d-- > 0; stride *= s->size[d]) {
            const uint32_t place = v / stride % s->size[d];
            const bool is_last = place + 1 == s->size[d];
            if (!is_last || s->is_ring[d]) {
                HF_TRY(join(m, mesh, first + v, is_last ? first + v - place * stride : first + v + stride, s->links));
            }
        }
    }
    return HF_OK;
}

static hf_status join_express(const meshes *m, const field *mesh, const shape *s, uint32_t first) {
    for (const field *f = find(m, mesh, NULL, "express_connections"); f; f = find(m, mesh, f, "express_connections")) {
        uint32_t a, b;
        HF_TRY(number_of(m, f, "src", HF_NONE, s->devices - 1, &a));
        HF_TRY(number_of(m, f, "dst", HF_NONE, s->devices - 1, &b));
        HF_TRY(join(m, f, first + a, first + b, s->links));
    }
    return HF_OK;
}

/** The meshes that there are. */
typedef struct placed {
    uint32_t id, first, devices;
} placed;

static hf_status add_mesh(const meshes *m, const field *instance, placed *out) {
    const field *mesh;
    shape s;
    HF_TRY(descriptor_of(m, instance, "mesh_descriptor", "mesh_descriptors", &mesh));
    HF_TRY(number_of(m, instance, "mesh_id", 0, UINT32_MAX - 1, &out->id));
    HF_TRY(read_shape(m, mesh, &s));
    out->first = m->draft->n_node;
    out->devices = s.devices;
    if (out->first + s.devices > DEVICES_MAX) {
        FIELD_FAIL(m, instance, HF_ERANGE, "more than %d devices are too many", DEVICES_MAX);
    }
    for (uint32_t v = 0; v < s.devices; v++) {
        char *label;
        HF_TRY(hf_scratch_print(m->cx, &label, "M%" PRIu32 "D%" PRIu32, out->id, v));
        HF_TRY(hf_draft_add_node(m->cx, m->draft, &(hf_draft_node){.label = hf_slice_of(label)}));
    }
    HF_TRY(join_dims(m, mesh, &s, out->first));
    return join_express(m, mesh, &s, out->first);
}

/* ---- a graph of meshes ---- */

static hf_status find_end(const meshes *m, const field *node, const placed *mesh, uint32_t n, uint32_t *out) {
    const field *f = node ? find(m, node, NULL, "mesh") : NULL;
    uint32_t id, device, i = 0;
    if (!f || !find(m, f, NULL, "device_id")) {
        FIELD_FAIL(m, node, HF_ENOTSUP,
                   "a connection needs %s at both ends: between whole meshes nobody says which devices it joins",
                   "mesh { mesh_id: ... device_id: ... }");
    }
    HF_TRY(number_of(m, f, "mesh_id", HF_NONE, UINT32_MAX - 1, &id));
    while (i < n && mesh[i].id != id) {
        i++;
    }
    if (i == n) {
        FIELD_FAIL(m, f, HF_ENOENT, "mesh_id %" PRIu32 " is of no instance of the graph", id);
    }
    HF_TRY(number_of(m, f, "device_id", HF_NONE, mesh[i].devices - 1, &device));
    *out = mesh[i].first + device;
    return HF_OK;
}

static hf_status connect(const meshes *m, const field *graph, const placed *mesh, uint32_t n) {
    for (const field *f = find(m, graph, NULL, "connections"); f; f = find(m, graph, f, "connections")) {
        const field *one = find(m, f, NULL, "nodes"), *two = one ? find(m, f, one, "nodes") : NULL;
        uint32_t a, b, links;
        if (!two || find(m, f, two, "nodes")) {
            FIELD_FAIL(m, f, HF_EINVAL, "a connection has %s", "two nodes");
        }
        HF_TRY(find_end(m, one, mesh, n, &a));
        HF_TRY(find_end(m, two, mesh, n, &b));
        HF_TRY(count_of(m, f, 1, &links));
        HF_TRY(join(m, f, a, b, links));
    }
    return HF_OK;
}

static hf_status add_graph(meshes *m, const field *instance) {
    const field *graph;
    placed *mesh;
    uint32_t n = 0;
    HF_TRY(descriptor_of(m, instance, "graph_descriptor", "graph_descriptors", &graph));
    HF_TRY(hf_scratch(m->cx, m->n, sizeof *mesh, (void **)&mesh));
    for (const field *f = find(m, graph, NULL, "instances"); f; f = find(m, graph, f, "instances")) {
        const field *of = find(m, f, NULL, "mesh");
        if (!of) {
            FIELD_FAIL(m, f, HF_ENOTSUP, "only meshes are read as instances of a graph; need %s", "mesh { ... }");
        }
        HF_TRY(add_mesh(m, of, &mesh[n++]));
        for (uint32_t i = 0; i + 1 < n; i++) {
            if (mesh[i].id == mesh[n - 1].id) {
                FIELD_FAIL(m, of, HF_EINVAL, "mesh_id %" PRIu32 " is of two instances", mesh[i].id);
            }
        }
    }
    const field *whole = find(m, graph, NULL, "graph_topology");
    if (whole) {
        FIELD_FAIL(m, whole, HF_ENOTSUP, "%s does not say which devices it joins; need connections", "graph_topology");
    }
    return connect(m, graph, mesh, n);
}

static hf_status read_all(meshes *m) {
    placed only;
    HF_TRY(read_fields(m, 0, 0));
    const field *top = find(m, NULL, NULL, "top_level_instance");
    const field *mesh = top ? find(m, top, NULL, "mesh") : NULL, *graph = top ? find(m, top, NULL, "graph") : NULL;
    if (!mesh && !graph) {
        HF_FAIL(m->cx, HF_EINVAL, "%s: no top_level_instance { mesh { ... } } or { graph { ... } }", m->draft->file);
    }
    return mesh ? add_mesh(m, mesh, &only) : add_graph(m, graph);
}

hf_status hf_read_meshes(hf_context *cx, const char *data, size_t size, hf_draft *draft) {
    meshes m = {.cx = cx, .draft = draft};
    hf_lines_start(cx, draft->file, data, size, &m.lines);
    return read_all(&m);
}

bool hf_is_meshes(hf_slice word) {
    return hf_slice_begins(word, "mesh_descriptors") || hf_slice_begins(word, "graph_descriptors") ||
           hf_slice_begins(word, "top_level_instance");
}
