/** \file
 *  YAML of studies by libcyaml and libyaml: only src/bridge/cyaml.c sees their headers.
 *  A study is one mapping of texts with a mapping of defaults and a list of cells, an exploration one with a list of designs;
 * what the texts mean is decided elsewhere. */
#ifndef HOLDFAST_SRC_BRIDGE_CYAML_H
#define HOLDFAST_SRC_BRIDGE_CYAML_H

#include <holdfast/context.h>

/** Where a key may stand. */
enum {
    HF_YAML_IN_TOP = 1u << 0, /**< top of a study */
    HF_YAML_IN_DEFAULTS = 1u << 1,
    HF_YAML_IN_CELL = 1u << 2,
    HF_YAML_IN_EXPLORATION = 1u << 3, /**< top of an exploration */
    HF_YAML_IN_DESIGN = 1u << 4
};

/** X(NAME, key, where): the one list of keys. */
#define HF_YAML_KEYS(X)                                                                                                          \
    X(SCHEMA, "schema", HF_YAML_IN_TOP | HF_YAML_IN_EXPLORATION)                                                                 \
    X(NAME, "name", HF_YAML_IN_TOP | HF_YAML_IN_EXPLORATION)                                                                     \
    X(TITLE, "title", HF_YAML_IN_TOP | HF_YAML_IN_EXPLORATION)                                                                   \
    X(SOURCE, "source", HF_YAML_IN_TOP)                                                                                          \
    X(ABOUT, "about", HF_YAML_IN_TOP | HF_YAML_IN_EXPLORATION)                                                                   \
    X(DEFAULTS, "defaults", HF_YAML_IN_TOP)                                                                                      \
    X(DESIGNS, "designs", HF_YAML_IN_EXPLORATION)                                                                                \
    X(TERMINALS, "terminals", HF_YAML_IN_EXPLORATION)                                                                            \
    X(TOLERANCE, "tolerance", HF_YAML_IN_EXPLORATION)                                                                            \
    X(COST, "cost", HF_YAML_IN_EXPLORATION)                                                                                      \
    X(DEADLOCK, "deadlock", HF_YAML_IN_EXPLORATION)                                                                              \
    X(REFERENCE, "reference", HF_YAML_IN_EXPLORATION)                                                                            \
    X(FAULTS, "faults", HF_YAML_IN_EXPLORATION)                                                                                  \
    X(SETS, "sets", HF_YAML_IN_EXPLORATION)                                                                                      \
    X(CELLS, "cells", HF_YAML_IN_TOP)                                                                                            \
    X(TOPOLOGY, "topology", HF_YAML_IN_DEFAULTS | HF_YAML_IN_CELL | HF_YAML_IN_DESIGN)                                           \
    X(ROUTING, "routing", HF_YAML_IN_DEFAULTS | HF_YAML_IN_CELL | HF_YAML_IN_DESIGN)                                             \
    X(UNIVERSE, "universe", HF_YAML_IN_DEFAULTS | HF_YAML_IN_CELL | HF_YAML_IN_EXPLORATION)                                      \
    X(CRITERION, "criterion", HF_YAML_IN_DEFAULTS | HF_YAML_IN_CELL | HF_YAML_IN_EXPLORATION)                                    \
    X(METHOD, "method", HF_YAML_IN_DEFAULTS | HF_YAML_IN_CELL)                                                                   \
    X(SAMPLES, "samples", HF_YAML_IN_DEFAULTS | HF_YAML_IN_CELL)                                                                 \
    X(SEED, "seed", HF_YAML_IN_DEFAULTS | HF_YAML_IN_CELL | HF_YAML_IN_EXPLORATION)                                              \
    X(ROUTER, "router", HF_YAML_IN_DEFAULTS | HF_YAML_IN_CELL)                                                                   \
    X(MEASURE, "measure", HF_YAML_IN_DEFAULTS | HF_YAML_IN_CELL)                                                                 \
    X(REPAIR, "repair", HF_YAML_IN_DEFAULTS | HF_YAML_IN_CELL)                                                                   \
    X(LOAD, "load", HF_YAML_IN_DEFAULTS | HF_YAML_IN_CELL)                                                                       \
    X(BURST, "burst", HF_YAML_IN_DEFAULTS | HF_YAML_IN_CELL)                                                                     \
    X(BARRIER, "barrier", HF_YAML_IN_DEFAULTS | HF_YAML_IN_CELL)                                                                 \
    X(TRACE, "trace", HF_YAML_IN_DEFAULTS | HF_YAML_IN_CELL)                                                                     \
    X(PROGRAM, "program", HF_YAML_IN_CELL)                                                                                       \
    X(OVER, "over", HF_YAML_IN_CELL)                                                                                             \
    X(ID, "id", HF_YAML_IN_CELL)                                                                                                 \
    X(FAILED, "failed", HF_YAML_IN_CELL)                                                                                         \
    X(OF, "of", HF_YAML_IN_CELL)                                                                                                 \
    X(AGAINST, "against", HF_YAML_IN_CELL)                                                                                       \
    X(HOLDS, "holds", HF_YAML_IN_CELL)                                                                                           \
    X(MTBF_HOURS, "mtbf-hours", HF_YAML_IN_CELL)                                                                                 \
    X(DOWN_CYCLES, "down-cycles", HF_YAML_IN_DEFAULTS | HF_YAML_IN_CELL)                                                         \
    X(CLOCK_MHZ, "clock-mhz", HF_YAML_IN_DEFAULTS | HF_YAML_IN_CELL)                                                             \
    X(CURVE, "curve", HF_YAML_IN_DEFAULTS | HF_YAML_IN_CELL)                                                                     \
    X(CURVE_X, "x", HF_YAML_IN_CELL)                                                                                             \
    X(X_AXIS, "x-axis", HF_YAML_IN_TOP)                                                                                          \
    X(Y_AXIS, "y-axis", HF_YAML_IN_TOP)                                                                                          \
    X(AXES, "axes", HF_YAML_IN_TOP)                                                                                              \
    X(LABEL, "label", HF_YAML_IN_CELL)                                                                                           \
    X(KIND, "kind", HF_YAML_IN_CELL)                                                                                             \
    X(F, "f", HF_YAML_IN_CELL)                                                                                                   \
    X(TRAFFIC, "traffic", HF_YAML_IN_DEFAULTS | HF_YAML_IN_CELL | HF_YAML_IN_EXPLORATION)                                        \
    X(STAGE, "stage", HF_YAML_IN_CELL)                                                                                           \
    X(BY, "by", HF_YAML_IN_CELL)                                                                                                 \
    X(ASK, "ask", HF_YAML_IN_CELL)                                                                                               \
    X(COLUMN, "column", HF_YAML_IN_CELL)                                                                                         \
    X(ROW, "row", HF_YAML_IN_CELL)                                                                                               \
    X(SHOW, "show", HF_YAML_IN_CELL)                                                                                             \
    X(PUBLISHED, "published", HF_YAML_IN_CELL)                                                                                   \
    X(CITATION, "citation", HF_YAML_IN_CELL)                                                                                     \
    X(REMARK, "remark", HF_YAML_IN_CELL)                                                                                         \
    X(NOT_COMPUTABLE, "not-computable", HF_YAML_IN_CELL)

typedef enum hf_yaml_key {
#define HF_YAML_ENUM(name, key, where) HF_YAML_##name,
    HF_YAML_KEYS(HF_YAML_ENUM)
#undef HF_YAML_ENUM
        HF_YAML_KEY_COUNT
} hf_yaml_key;
const char *hf_yaml_key_name(hf_yaml_key key);
/** May the key stand in such a place? \param[in] where HF_YAML_IN_* */
bool hf_yaml_key_fits(hf_yaml_key key, unsigned where);

/** The texts of a mapping by key; NULL where the key is not there. */
typedef struct hf_yaml_map {
    char *value[HF_YAML_KEY_COUNT];
} hf_yaml_map;

typedef struct hf_yaml_study {
    hf_yaml_map top;
    hf_yaml_map *defaults; /**< NULL if not there */
    hf_yaml_map *cell;     /**< n_cell */
    uint32_t n_cell;
    hf_yaml_map *design; /**< n_design, of an exploration */
    uint32_t n_design;
} hf_yaml_study;

/** A study's texts and the line of every key. */
typedef struct hf_yaml_document {
    hf_yaml_study *study;
    uint32_t n_row;
    uint32_t *line; /**< n_row x HF_YAML_KEY_COUNT lines from 1, 0 if not there: row 0 the top, 1 the defaults, 2 + i cell or
                       design i */
    uint32_t *at;   /**< n_row: first line of each mapping */
    hf_allocator allocator;
} hf_yaml_document;

/** Parse a study or an exploration: keys of both are taken at the top, so the caller asks which are there. \param[in] file for
 * messages. \return HF_EINVAL (broken YAML, unknown, repeated or misplaced key, a list where a text should be) with file, line
 * and key; HF_ENOMEM. Free with hf_yaml_free(). */
hf_status hf_yaml_parse(hf_context *cx, const char *file, const char *data, size_t size, hf_yaml_document *out);
void hf_yaml_free(hf_yaml_document *document);

#endif
