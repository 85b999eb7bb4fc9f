/** \file
 *  The keys of studies, and the cells of a file: its grids and defaults are expanded, and what stands under each key is a text.
 *  What the texts mean is decided elsewhere. */
#ifndef HOLDFAST_SRC_STUDY_KEYS_H
#define HOLDFAST_SRC_STUDY_KEYS_H

#include <holdfast/core/context.h>

/** Where a key may stand. */
enum {
    HF_IN_STUDY = 1u << 0, /**< at the top */
    HF_IN_CELL = 1u << 1,  /**< in a cell, a group of cells, or the defaults */
    HF_IN_FRONT = 1u << 2, /**< in the front at the top */
    HF_IN_PIVOT = 1u << 3, /**< in the pivot at the top */
    HF_IN_PLOT = 1u << 4   /**< in a plot at the top */
};

/** X(NAME, key, where): the one list of keys. */
#define HF_STUDY_KEYS(X)                                                                                                         \
    X(SCHEMA, "schema", HF_IN_STUDY)                                                                                             \
    X(NAME, "name", HF_IN_STUDY)                                                                                                 \
    X(TITLE, "title", HF_IN_STUDY | HF_IN_PLOT)                                                                                  \
    X(SOURCE, "source", HF_IN_STUDY)                                                                                             \
    X(ABOUT, "about", HF_IN_STUDY)                                                                                               \
    X(X_AXIS, "x-axis", HF_IN_STUDY | HF_IN_PLOT)                                                                                \
    X(Y_AXIS, "y-axis", HF_IN_STUDY | HF_IN_PLOT)                                                                                \
    X(AXES, "axes", HF_IN_STUDY | HF_IN_PLOT)                                                                                    \
    X(DEFAULTS, "defaults", HF_IN_STUDY)                                                                                         \
    X(FRONT, "front", HF_IN_STUDY)                                                                                               \
    X(LEAST, "least", HF_IN_FRONT)                                                                                               \
    X(MOST, "most", HF_IN_FRONT)                                                                                                 \
    X(LIMITS, "limits", HF_IN_FRONT)                                                                                             \
    X(PIVOT, "pivot", HF_IN_STUDY)                                                                                               \
    X(ROWS, "rows", HF_IN_PIVOT)                                                                                                 \
    X(ACROSS, "across", HF_IN_PIVOT)                                                                                             \
    X(FIGURES, "cell", HF_IN_PIVOT)                                                                                              \
    X(WHERE, "where", HF_IN_PIVOT)                                                                                               \
    X(PLOT, "plot", HF_IN_STUDY)                                                                                                 \
    X(PLOT_Y, "y", HF_IN_PLOT)                                                                                                   \
    X(SERIES, "series", HF_IN_PLOT)                                                                                              \
    X(PANEL, "panel", HF_IN_PLOT)                                                                                                \
    X(X_OF, "x-of", HF_IN_PLOT)                                                                                                  \
    X(Y_OF, "y-of", HF_IN_PLOT)                                                                                                  \
    X(NAMES, "names", HF_IN_STUDY | HF_IN_CELL)                                                                                  \
    X(CELLS, "cells", HF_IN_STUDY | HF_IN_CELL)                                                                                  \
    X(GRID, "grid", HF_IN_CELL)                                                                                                  \
    X(EXCEPT, "except", HF_IN_CELL)                                                                                              \
    X(SKIP, "skip", HF_IN_CELL)                                                                                                  \
    X(LABEL, "label", HF_IN_CELL)                                                                                                \
    X(ID, "id", HF_IN_CELL)                                                                                                      \
    X(KIND, "kind", HF_IN_CELL)                                                                                                  \
    X(ASK, "ask", HF_IN_CELL)                                                                                                    \
    X(COLUMN, "column", HF_IN_CELL)                                                                                              \
    X(TABLE, "table", HF_IN_CELL)                                                                                                \
    X(ROW, "row", HF_IN_CELL)                                                                                                    \
    X(SHOW, "show", HF_IN_CELL)                                                                                                  \
    X(FAULTS, "faults", HF_IN_CELL)                                                                                              \
    X(TOPOLOGY, "topology", HF_IN_CELL)                                                                                          \
    X(ROUTING, "routing", HF_IN_CELL)                                                                                            \
    X(UNIVERSE, "universe", HF_IN_CELL)                                                                                          \
    X(CRITERION, "criterion", HF_IN_CELL)                                                                                        \
    X(METHOD, "method", HF_IN_CELL)                                                                                              \
    X(SAMPLES, "samples", HF_IN_CELL)                                                                                            \
    X(SETS, "sets", HF_IN_CELL)                                                                                                  \
    X(RUNS, "runs", HF_IN_CELL)                                                                                                  \
    X(SEED, "seed", HF_IN_CELL)                                                                                                  \
    X(ROUTER, "router", HF_IN_CELL)                                                                                              \
    X(MEASURE, "measure", HF_IN_CELL)                                                                                            \
    X(LOAD, "load", HF_IN_CELL)                                                                                                  \
    X(BURST, "burst", HF_IN_CELL)                                                                                                \
    X(BARRIER, "barrier", HF_IN_CELL)                                                                                            \
    X(TRACE, "trace", HF_IN_CELL)                                                                                                \
    X(PROGRAM, "program", HF_IN_CELL)                                                                                            \
    X(FAILED, "failed", HF_IN_CELL)                                                                                              \
    X(OF, "of", HF_IN_CELL)                                                                                                      \
    X(AGAINST, "against", HF_IN_CELL)                                                                                            \
    X(TAKE, "take", HF_IN_CELL)                                                                                                  \
    X(HOLDS, "holds", HF_IN_CELL)                                                                                                \
    X(MTBF_HOURS, "mtbf-hours", HF_IN_CELL)                                                                                      \
    X(DOWN_CYCLES, "down-cycles", HF_IN_CELL)                                                                                    \
    X(CLOCK_MHZ, "clock-mhz", HF_IN_CELL)                                                                                        \
    X(CURVE, "curve", HF_IN_CELL)                                                                                                \
    X(CURVE_X, "x", HF_IN_CELL | HF_IN_PLOT)                                                                                     \
    X(TRAFFIC, "traffic", HF_IN_CELL)                                                                                            \
    X(PUBLISHED, "published", HF_IN_CELL)                                                                                        \
    X(CITATION, "citation", HF_IN_CELL)                                                                                          \
    X(REMARK, "remark", HF_IN_CELL)                                                                                              \
    X(NOT_COMPUTABLE, "not-computable", HF_IN_CELL)

typedef enum hf_study_key {
#define HF_KEY_ENUM(name, key, where) HF_KEY_##name,
    HF_STUDY_KEYS(HF_KEY_ENUM)
#undef HF_KEY_ENUM
        HF_KEY_COUNT
} hf_study_key;
const char *hf_study_key_name(hf_study_key key);
/** \param[in] has_grids of schema 2, so that the keys of grids may stand there. \return HF_EINVAL with the nearest key */
hf_status hf_study_key_find(hf_context *cx, const char *name, unsigned where, bool has_grids, hf_study_key *out);

/** A name of grids or of `names`, and what it stands for in a cell. */
typedef struct hf_study_variable {
    const char *name, *value;               /**< value NULL: none */
    const struct hf_study_variable *before; /**< the one bound before it; NULL: it is the first */
} hf_study_variable;

/** The texts of a cell or of the top and its front, by key. */
typedef struct hf_study_texts {
    const char *value[HF_KEY_COUNT]; /**< NULL: not there */
    uint32_t line[HF_KEY_COUNT];     /**< where it is said; 0: nowhere */
    uint8_t level[HF_KEY_COUNT];     /**< by whom: 1 defaults, 2 and on groups from outside in, `depth` the cell itself */
    uint8_t depth;
    uint32_t at;                       /**< line of the entry */
    const char *point;                 /**< of the grids around it: "k=4, rule=destro"; "" without */
    const hf_study_variable *variable; /**< the last of those that can be named there; NULL: there are none */
} hf_study_texts;

/** Does the cell itself say it, not a group around it nor the defaults? */
static inline bool hf_study_says(const hf_study_texts *texts, hf_study_key key) {
    return texts->value[key] && texts->level[key] == texts->depth;
}

/** A file. */
typedef struct hf_study_document {
    hf_context *memory;   /**< everything lives in its arena */
    hf_study_texts top;   /**< but for lists and mappings */
    hf_study_texts *plot; /**< n_plot */
    size_t n_plot;
    hf_study_texts *cell; /**< n_cell */
    size_t n_cell;
} hf_study_document;

/** Read a study. \param[in] file for messages. \return HF_EINVAL (broken YAML; unknown, repeated or misplaced keys; grids that do
 * not fit) with file, line and key; HF_ERANGE: more cells or texts than a study may have. Free with hf_study_document_free(),
 * after a failure too. */
hf_status hf_study_document_read(hf_context *cx, const char *file, const char *data, size_t size, hf_study_document *out);
void hf_study_document_free(hf_study_document *document);

#endif
