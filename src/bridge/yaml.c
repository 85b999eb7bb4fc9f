/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  YAML as a tree, made of the events of libyaml. What it knows beside texts, lists and mappings (anchors, tags, several
 *  documents) is refused: a study says a thing twice by a grid or by defaults. */
#include "src/bridge/yaml.h"

#include <string.h>

#include <yaml.h>

#include "src/core/grow.h"
#include "src/core/lines.h"

enum { DEPTH_MOST = 32, NODES_MOST = 200000, KEYS_MOST = 256 };

typedef struct reader {
    hf_context *cx;
    const char *file;
    yaml_parser_t parser;
    uint32_t depth, n_node;
} reader;

#define FAIL_IN(r, line, status, ...)                                                                                            \
    do {                                                                                                                         \
        const hf_status failed = hf_context_fail((r)->cx, (status), __FILE__, __LINE__, __VA_ARGS__);                            \
        hf_context_prefix((r)->cx, "%s, line %" PRIu32 ": ", (r)->file, (uint32_t)(line));                                       \
        return failed;                                                                                                           \
    } while (0)

/* The caller deletes the event, after a failure too. */
static hf_status next(reader *r, yaml_event_t *out) {
    memset(out, 0, sizeof *out);
    if (yaml_parser_parse(&r->parser, out)) {
        return HF_OK;
    }
    if (r->parser.error == YAML_MEMORY_ERROR) {
        HF_FAIL(r->cx, HF_ENOMEM, "out of memory while reading %s", r->file);
    }
    FAIL_IN(r, r->parser.problem_mark.line + 1, HF_EINVAL, "%s", r->parser.problem ? r->parser.problem : "not YAML");
}

static hf_status take_text(reader *r, const yaml_event_t *e, hf_yaml_node *out) {
    const size_t size = e->data.scalar.length;
    const char *text = (const char *)e->data.scalar.value;
    char *copy;
    if (memchr(text, 0, size)) {
        FAIL_IN(r, out->line, HF_EINVAL, "a text holds a zero byte");
    }
    HF_TRY(hf_scratch(r->cx, size + 1, 1, (void **)&copy));
    memcpy(copy, text, size);
    out->type = HF_YAML_TEXT;
    out->text = copy;
    out->is_null = e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE && (strcmp(copy, "~") == 0 || strcmp(copy, "null") == 0);
    return HF_OK;
}

/* Anchor and tag of an event; of an alias the anchor is its name. */
static bool has_mark(const yaml_event_t *e) {
    switch (e->type) {
    case YAML_SCALAR_EVENT:
        return e->data.scalar.anchor || e->data.scalar.tag;
    case YAML_SEQUENCE_START_EVENT:
        return e->data.sequence_start.anchor || e->data.sequence_start.tag;
    case YAML_MAPPING_START_EVENT:
        return e->data.mapping_start.anchor || e->data.mapping_start.tag;
    default:
        return e->type == YAML_ALIAS_EVENT;
    }
}

static hf_status read_node(reader *r, const yaml_event_t *e, hf_yaml_node *out);

static hf_status read_key(reader *r, const yaml_event_t *e, const hf_yaml_node *mapping, hf_yaml_node *out) {
    const uint32_t line = (uint32_t)e->start_mark.line + 1;
    if (e->type != YAML_SCALAR_EVENT || has_mark(e)) {
        FAIL_IN(r, line, HF_EINVAL, "need a key here; a text that begins with a brace stands in quotes");
    }
    HF_TRY(read_node(r, e, out));
    const hf_yaml_node *first = hf_yaml_find(mapping, out->text);
    if (first) {
        FAIL_IN(r, line, HF_EINVAL, "key \"%.80s\" stands here a second time; the first is in line %" PRIu32, out->text,
                first->line);
    }
    if (mapping->n_item == KEYS_MOST) {
        FAIL_IN(r, line, HF_ERANGE, "more than %d keys in one mapping", KEYS_MOST);
    }
    return HF_OK;
}

/* One item of a list, or key and value of a mapping. \param[out] ends the list or mapping ends here */
static hf_status read_item(reader *r, const hf_yaml_node *parent, hf_yaml_node *out, bool *ends) {
    const bool is_mapping = parent->type == HF_YAML_MAPPING;
    hf_yaml_node key = {0};
    yaml_event_t e;
    hf_status status = next(r, &e);
    *ends = e.type == (is_mapping ? YAML_MAPPING_END_EVENT : YAML_SEQUENCE_END_EVENT);
    if (is_mapping && !*ends && status == HF_OK) {
        status = read_key(r, &e, parent, &key);
        yaml_event_delete(&e);
        status = status == HF_OK ? next(r, &e) : status;
    }
    status = status == HF_OK && !*ends ? read_node(r, &e, out) : status;
    yaml_event_delete(&e);
    if (is_mapping) {
        out->key = key.text;
        out->line = key.line;
    }
    return status;
}

static hf_status read_items(reader *r, hf_yaml_node *out) {
    size_t room = 0;
    if (++r->depth > DEPTH_MOST) {
        FAIL_IN(r, out->line, HF_ERANGE, "more than %d lists and mappings stand in each other", DEPTH_MOST);
    }
    for (;;) {
        hf_yaml_node item = {0};
        bool ends;
        HF_TRY(read_item(r, out, &item, &ends));
        if (ends) {
            r->depth--;
            return HF_OK;
        }
        HF_GROW_SCRATCH(r->cx, out->item, out->n_item, room);
        out->item[out->n_item++] = item;
    }
}

static hf_status read_node(reader *r, const yaml_event_t *e, hf_yaml_node *out) {
    *out = (hf_yaml_node){.line = (uint32_t)e->start_mark.line + 1};
    if (has_mark(e)) {
        FAIL_IN(r, out->line, HF_EINVAL, "anchors, aliases and tags are not taken; grids and defaults say a thing once");
    }
    if (++r->n_node > NODES_MOST) {
        FAIL_IN(r, out->line, HF_ERANGE, "the file has more than %d texts, lists and mappings", NODES_MOST);
    }
    if (e->type == YAML_SCALAR_EVENT) {
        return take_text(r, e, out);
    }
    out->type = e->type == YAML_SEQUENCE_START_EVENT ? HF_YAML_LIST : HF_YAML_MAPPING;
    return read_items(r, out);
}

/* The next event within the stream; the start of a document is skipped. */
static hf_status read_document(reader *r, hf_yaml_node *root) {
    hf_status status = HF_OK;
    for (bool ends = false; status == HF_OK && !ends;) {
        yaml_event_t e;
        status = next(r, &e);
        const uint32_t line = (uint32_t)e.start_mark.line + 1;
        ends = e.type == YAML_STREAM_END_EVENT;
        if (status == HF_OK && e.type == YAML_DOCUMENT_START_EVENT && root->line) {
            status = hf_context_fail(r->cx, HF_EINVAL, __FILE__, __LINE__,
                                     "%s, line %" PRIu32 ": a second document starts here; a file holds one", r->file, line);
        } else if (status == HF_OK && !ends && e.type != YAML_STREAM_START_EVENT && e.type != YAML_DOCUMENT_START_EVENT &&
                   e.type != YAML_DOCUMENT_END_EVENT) {
            status = read_node(r, &e, root);
        }
        yaml_event_delete(&e);
    }
    return status;
}

hf_status hf_yaml_read(hf_context *cx, const char *file, const char *data, size_t size, hf_yaml_node *root) {
    reader r = {.cx = cx, .file = file};
    *root = (hf_yaml_node){.text = ""};
    if (!yaml_parser_initialize(&r.parser)) {
        HF_FAIL(cx, HF_ENOMEM, "out of memory while reading %s", file);
    }
    yaml_parser_set_input_string(&r.parser, (const unsigned char *)data, size);
    const hf_status status = read_document(&r, root);
    yaml_parser_delete(&r.parser);
    return status;
}

hf_yaml_node *hf_yaml_find(const hf_yaml_node *mapping, const char *key) {
    for (uint32_t i = 0; mapping->type == HF_YAML_MAPPING && i < mapping->n_item; i++) {
        if (strcmp(mapping->item[i].key, key) == 0) {
            return &mapping->item[i];
        }
    }
    return NULL;
}
