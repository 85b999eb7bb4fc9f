/* SPDX-License-Identifier: GPL-3.0-or-later */
/* YAML of studies. libcyaml fills plain structs but does not say on which line a key stands, so the events of libyaml are
 * walked first: that walk checks the keys and notes their lines. */
#include "src/bridge/cyaml.h"

#include <inttypes.h>
#include <string.h>

#include <cyaml/cyaml.h>
#include <yaml.h>

#include <holdfast/spec.h>

#include "src/core/lines.h"

typedef struct key_info {
    const char *name;
    unsigned where;
} key_info;
static const key_info keys[] = {
#define KEY_INFO(name, key, where) [HF_YAML_##name] = {key, where},
    HF_YAML_KEYS(KEY_INFO)
#undef KEY_INFO
};

const char *hf_yaml_key_name(hf_yaml_key key) { return keys[key].name; }
bool hf_yaml_key_fits(hf_yaml_key key, unsigned where) { return (keys[key].where & where) != 0; }

/* ---- the walk over events ---- */

typedef struct walk {
    hf_context *cx;
    const char *file;
    yaml_parser_t parser;
    hf_yaml_document *out;
} walk;

/* A copy of the event's text is not needed: what matters is taken before the event is dropped. */
typedef struct event {
    yaml_event_type_t type;
    uint32_t line;
    char text[64]; /* start of a scalar */
    size_t size;
} event;

static hf_status next(walk *w, event *out) {
    yaml_event_t e;
    if (!yaml_parser_parse(&w->parser, &e)) {
        if (w->parser.error == YAML_MEMORY_ERROR) {
            HF_FAIL(w->cx, HF_ENOMEM, "out of memory while reading %s", w->file);
        }
        const char *why = w->parser.problem ? w->parser.problem : "not YAML";
        HF_FAIL(w->cx, HF_EINVAL, "%s, line %zu: %s", w->file, w->parser.problem_mark.line + 1, why);
    }
    *out = (event){.type = e.type, .line = (uint32_t)e.start_mark.line + 1};
    bool has_zero = false;
    if (e.type == YAML_SCALAR_EVENT) {
        out->size = e.data.scalar.length;
        const size_t n = out->size < sizeof out->text - 1 ? out->size : sizeof out->text - 1;
        memcpy(out->text, e.data.scalar.value, n);
        has_zero = memchr(e.data.scalar.value, 0, out->size) != NULL;
    }
    yaml_event_delete(&e);
    if (has_zero) {
        HF_FAIL(w->cx, HF_EINVAL, "%s, line %" PRIu32 ": a text holds a zero byte", w->file, out->line);
    }
    return HF_OK;
}

static hf_status find_key(walk *w, const event *e, unsigned where, hf_yaml_key *out) {
    const char *near[HF_YAML_KEY_COUNT + 1];
    size_t n = 0;
    for (size_t i = 0; i < HF_YAML_KEY_COUNT; i++) {
        if (!(keys[i].where & where)) {
            continue;
        }
        if (hf_slice_is((hf_slice){e->text, e->size}, keys[i].name)) {
            *out = (hf_yaml_key)i;
            return HF_OK;
        }
        near[n++] = keys[i].name;
    }
    near[n] = NULL;
    const char *meant = hf_spec_nearest(e->text, strlen(e->text), near);
    const char *place = where & HF_YAML_IN_TOP         ? "of a study or an exploration"
                        : where == HF_YAML_IN_DEFAULTS ? "of defaults"
                        : where == HF_YAML_IN_DESIGN   ? "of a design"
                                                       : "of a cell";
    if (meant) {
        HF_FAIL(w->cx, HF_EINVAL, "%s, line %" PRIu32 ": \"%s\" is no key %s; did you mean \"%s\"?", w->file, e->line, e->text,
                place, meant);
    }
    HF_FAIL(w->cx, HF_EINVAL, "%s, line %" PRIu32 ": \"%s\" is no key %s (docs/studies.md lists the keys)", w->file, e->line,
            e->text, place);
}

static hf_status add_row(walk *w, uint32_t at) {
    hf_yaml_document *d = w->out;
    const size_t rows = (size_t)d->n_row + 1;
    HF_TRY(hf_resize(w->cx, rows * HF_YAML_KEY_COUNT, sizeof *d->line, (void **)&d->line));
    HF_TRY(hf_resize(w->cx, rows, sizeof *d->at, (void **)&d->at));
    memset(d->line + (rows - 1) * HF_YAML_KEY_COUNT, 0, HF_YAML_KEY_COUNT * sizeof *d->line);
    d->at[rows - 1] = at;
    d->n_row++;
    return HF_OK;
}

static hf_status expect(walk *w, const event *e, yaml_event_type_t type, const char *key, const char *what) {
    if (e->type != type) {
        HF_FAIL(w->cx, HF_EINVAL, "%s, line %" PRIu32 ", key \"%s\": need %s here", w->file, e->line, key, what);
    }
    return HF_OK;
}

/* The next key of a mapping into `row`. \param[out] key HF_YAML_KEY_COUNT at the end of the mapping. */
static hf_status next_key(walk *w, uint32_t row, unsigned where, hf_yaml_key *key) {
    event e;
    HF_TRY(next(w, &e));
    *key = HF_YAML_KEY_COUNT;
    if (e.type == YAML_MAPPING_END_EVENT) {
        return HF_OK;
    }
    if (e.type != YAML_SCALAR_EVENT) {
        HF_FAIL(w->cx, HF_EINVAL, "%s, line %" PRIu32 ": need a key here", w->file, e.line);
    }
    HF_TRY(find_key(w, &e, where, key));
    uint32_t *line = &w->out->line[(size_t)row * HF_YAML_KEY_COUNT + *key];
    if (*line) {
        HF_FAIL(w->cx, HF_EINVAL, "%s, line %" PRIu32 ": key \"%s\" stands here a second time; the first is in line %" PRIu32,
                w->file, e.line, keys[*key].name, *line);
    }
    *line = e.line;
    return HF_OK;
}

/* A mapping whose values are texts; its start has been read. */
static hf_status walk_texts(walk *w, uint32_t row, unsigned where) {
    for (;;) {
        hf_yaml_key key;
        event e;
        HF_TRY(next_key(w, row, where, &key));
        if (key == HF_YAML_KEY_COUNT) {
            return HF_OK;
        }
        HF_TRY(next(w, &e));
        HF_TRY(expect(w, &e, YAML_SCALAR_EVENT, keys[key].name, "a number or a text"));
    }
}

/* The cells of a study, or the designs of an exploration. */
static hf_status walk_list(walk *w, const char *key, const char *what, unsigned where) {
    for (;;) {
        event e;
        HF_TRY(next(w, &e));
        if (e.type == YAML_SEQUENCE_END_EVENT) {
            return HF_OK;
        }
        HF_TRY(expect(w, &e, YAML_MAPPING_START_EVENT, key, what));
        HF_TRY(add_row(w, e.line));
        HF_TRY(walk_texts(w, w->out->n_row - 1, where));
    }
}

static hf_status walk_study(walk *w) {
    for (;;) {
        hf_yaml_key key;
        event e;
        HF_TRY(next_key(w, 0, HF_YAML_IN_TOP | HF_YAML_IN_EXPLORATION, &key));
        if (key == HF_YAML_KEY_COUNT) {
            return HF_OK;
        }
        HF_TRY(next(w, &e));
        if (key == HF_YAML_DEFAULTS) {
            HF_TRY(expect(w, &e, YAML_MAPPING_START_EVENT, "defaults", "keys with values"));
            w->out->at[1] = e.line;
            HF_TRY(walk_texts(w, 1, HF_YAML_IN_DEFAULTS));
        } else if (key == HF_YAML_CELLS) {
            HF_TRY(expect(w, &e, YAML_SEQUENCE_START_EVENT, "cells", "a list of cells"));
            HF_TRY(walk_list(w, "cells", "a cell (\"- label: ...\")", HF_YAML_IN_CELL));
        } else if (key == HF_YAML_DESIGNS) {
            HF_TRY(expect(w, &e, YAML_SEQUENCE_START_EVENT, "designs", "a list of designs"));
            HF_TRY(walk_list(w, "designs", "a design (\"- topology: ...\")", HF_YAML_IN_DESIGN));
        } else {
            HF_TRY(expect(w, &e, YAML_SCALAR_EVENT, keys[key].name, "a number or a text"));
        }
    }
}

static hf_status walk_stream(walk *w) {
    event e;
    HF_TRY(next(w, &e)); /* start of the stream */
    HF_TRY(next(w, &e));
    if (e.type == YAML_DOCUMENT_START_EVENT) {
        HF_TRY(next(w, &e));
    }
    if (e.type != YAML_MAPPING_START_EVENT) {
        HF_FAIL(w->cx, HF_EINVAL, "%s, line %" PRIu32 ": a study is a mapping that starts with \"schema: 1\"", w->file, e.line);
    }
    HF_TRY(add_row(w, e.line));
    HF_TRY(add_row(w, e.line));
    HF_TRY(walk_study(w));
    HF_TRY(next(w, &e)); /* end of the document */
    HF_TRY(next(w, &e));
    if (e.type != YAML_STREAM_END_EVENT) {
        HF_FAIL(w->cx, HF_EINVAL, "%s, line %" PRIu32 ": a second document starts here; a file holds one study", w->file, e.line);
    }
    return HF_OK;
}

/* ---- libcyaml ---- */

enum { TEXT = CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL };
#define CELL_TEXT(key) CYAML_FIELD_STRING_PTR(keys_##key, TEXT, hf_yaml_map, value[HF_YAML_##key], 0, CYAML_UNLIMITED)
#define TOP_TEXT(key) CYAML_FIELD_STRING_PTR(keys_##key, TEXT, hf_yaml_study, top.value[HF_YAML_##key], 0, CYAML_UNLIMITED)
#define KEY_CONSTANT(name, key, where) static const char keys_##name[] = key;
HF_YAML_KEYS(KEY_CONSTANT)
#undef KEY_CONSTANT

static const cyaml_schema_field_t cell_fields[] = {CELL_TEXT(TOPOLOGY),    CELL_TEXT(ROUTING),
                                                   CELL_TEXT(UNIVERSE),    CELL_TEXT(CRITERION),
                                                   CELL_TEXT(METHOD),      CELL_TEXT(SAMPLES),
                                                   CELL_TEXT(SEED),        CELL_TEXT(LABEL),
                                                   CELL_TEXT(KIND),        CELL_TEXT(TRAFFIC),
                                                   CELL_TEXT(F),           CELL_TEXT(STAGE),
                                                   CELL_TEXT(BY),          CELL_TEXT(ASK),
                                                   CELL_TEXT(COLUMN),      CELL_TEXT(ROW),
                                                   CELL_TEXT(SHOW),        CELL_TEXT(PUBLISHED),
                                                   CELL_TEXT(CITATION),    CELL_TEXT(CURVE),
                                                   CELL_TEXT(CURVE_X),     CELL_TEXT(MTBF_HOURS),
                                                   CELL_TEXT(DOWN_CYCLES), CELL_TEXT(CLOCK_MHZ),
                                                   CELL_TEXT(REMARK),      CELL_TEXT(NOT_COMPUTABLE),
                                                   CELL_TEXT(ROUTER),      CELL_TEXT(BURST),
                                                   CELL_TEXT(MEASURE),     CELL_TEXT(LOAD),
                                                   CELL_TEXT(REPAIR),      CELL_TEXT(ID),
                                                   CELL_TEXT(FAILED),      CELL_TEXT(OF),
                                                   CELL_TEXT(AGAINST),     CELL_TEXT(HOLDS),
                                                   CELL_TEXT(BARRIER),     CELL_TEXT(TRACE),
                                                   CELL_TEXT(PROGRAM),     CELL_TEXT(OVER),
                                                   CYAML_FIELD_END};
static const cyaml_schema_value_t cell_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, hf_yaml_map, cell_fields)};
static const cyaml_schema_field_t study_fields[] = {
    TOP_TEXT(SCHEMA),
    TOP_TEXT(NAME),
    TOP_TEXT(TITLE),
    TOP_TEXT(X_AXIS),
    TOP_TEXT(Y_AXIS),
    TOP_TEXT(AXES),
    TOP_TEXT(SOURCE),
    TOP_TEXT(ABOUT),
    TOP_TEXT(UNIVERSE),
    TOP_TEXT(CRITERION),
    TOP_TEXT(SEED),
    TOP_TEXT(TRAFFIC),
    TOP_TEXT(TERMINALS),
    TOP_TEXT(TOLERANCE),
    TOP_TEXT(COST),
    TOP_TEXT(DEADLOCK),
    TOP_TEXT(REFERENCE),
    TOP_TEXT(FAULTS),
    TOP_TEXT(SETS),
    CYAML_FIELD_MAPPING_PTR(keys_DEFAULTS, TEXT, hf_yaml_study, defaults, cell_fields),
    CYAML_FIELD_SEQUENCE_COUNT(keys_DESIGNS, TEXT, hf_yaml_study, design, n_design, &cell_schema, 0, CYAML_UNLIMITED),
    CYAML_FIELD_SEQUENCE_COUNT(keys_CELLS, TEXT, hf_yaml_study, cell, n_cell, &cell_schema, 0, CYAML_UNLIMITED),
    CYAML_FIELD_END};
static const cyaml_schema_value_t study_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, hf_yaml_study, study_fields)};

static void *resize(void *user, void *old, size_t size) {
    const hf_allocator *allocator = user;
    if (size == 0) {
        hf_release(allocator, old);
        return NULL;
    }
    return allocator->resize(allocator->user, old, size);
}

static cyaml_config_t config(hf_yaml_document *d) {
    return (cyaml_config_t){
        .mem_fn = resize, .mem_ctx = &d->allocator, .log_level = CYAML_LOG_ERROR, .flags = CYAML_CFG_NO_ALIAS};
}

static hf_status fill(hf_context *cx, const char *file, const char *data, size_t size, hf_yaml_document *d) {
    const cyaml_config_t c = config(d);
    cyaml_data_t *study = NULL;
    const cyaml_err_t error = cyaml_load_data((const uint8_t *)data, size, &c, &study_schema, &study, NULL);
    if (error == CYAML_ERR_OOM) {
        HF_FAIL(cx, HF_ENOMEM, "out of memory while reading %s", file);
    }
    if (error != CYAML_OK) {
        HF_FAIL(cx, HF_EINVAL, "%s: %s", file, cyaml_strerror(error));
    }
    d->study = study;
    return HF_OK;
}

hf_status hf_yaml_parse(hf_context *cx, const char *file, const char *data, size_t size, hf_yaml_document *out) {
    *out = (hf_yaml_document){.allocator = *hf_context_allocator(cx)};
    walk w = {.cx = cx, .file = file, .out = out};
    if (!yaml_parser_initialize(&w.parser)) {
        HF_FAIL(cx, HF_ENOMEM, "out of memory while reading %s", file);
    }
    yaml_parser_set_input_string(&w.parser, (const unsigned char *)data, size);
    hf_status status = walk_stream(&w);
    yaml_parser_delete(&w.parser);
    status = status == HF_OK ? fill(cx, file, data, size, out) : status;
    if (status != HF_OK) {
        hf_yaml_free(out);
    }
    return status;
}

void hf_yaml_free(hf_yaml_document *document) {
    const cyaml_config_t c = config(document);
    if (document->study) {
        cyaml_free(&c, &study_schema, document->study, 0);
    }
    hf_release(&document->allocator, document->line);
    hf_release(&document->allocator, document->at);
    document->study = NULL;
    document->line = document->at = NULL;
}
