/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  GraphML by igraph. Debian's igraph is not thread-safe: its error handler, its table of attribute functions and its stack of
 *  things to free are global. So one thread at a time is in here, with our handlers put in and the former ones put back after. */
#include "src/bridge/igraph.h"

#include <igraph/igraph.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { REASON_SIZE = 256 };

struct hf_igraph {
    igraph_t graph;
    bool is_directed;
    hf_allocator allocator;
};

/* State of igraph's, not ours, hence at file scope: the lock on it, and what its error handler, which takes no argument of ours,
 * was told first. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char reason[REASON_SIZE];

static void take_reason(const char *text, const char *file, int line, igraph_error_t code) {
    (void)file;
    (void)line;
    if (reason[0] == 0) { /* the first one says most */
        (void)snprintf(reason, sizeof reason, "%s", text ? text : igraph_strerror(code));
        reason[strcspn(reason, "\n")] = 0;
    }
    IGRAPH_FINALLY_FREE();
}

static void ignore_warning(const char *text, const char *file, int line) {
    (void)text;
    (void)file;
    (void)line;
}

/* What was set before. */
typedef struct hooks {
    igraph_error_handler_t *error;
    igraph_warning_handler_t *warning;
    igraph_attribute_table_t *table;
} hooks;

static hooks put_hooks(void) {
    (void)pthread_mutex_lock(&lock);
    reason[0] = 0;
    return (hooks){igraph_set_error_handler(take_reason), igraph_set_warning_handler(ignore_warning),
                   igraph_set_attribute_table(&igraph_cattribute_table)};
}

static void restore_hooks(hooks h) {
    igraph_set_error_handler(h.error);
    igraph_set_warning_handler(h.warning);
    igraph_set_attribute_table(h.table);
    (void)pthread_mutex_unlock(&lock);
}

static hf_status refuse(hf_context *cx, const char *file, igraph_error_t code) {
    if (code == IGRAPH_ENOMEM) {
        HF_FAIL(cx, HF_ENOMEM, "%s: out of memory while reading GraphML", file);
    }
    const bool has_line = strncmp(reason, "Line ", 5) == 0;
    HF_FAIL(cx, HF_EINVAL, "%s%s%s; need GraphML", file, has_line ? ", line " : ": ", reason + (has_line ? 5 : 0));
}

/* igraph forgets which end of an undirected edge is the source, and ports belong to ends: so every graph is read as a directed
 * one. \return whether it was said to be directed */
static bool make_directed(char *data) {
    bool is_directed = true;
    for (char *at = data; (at = strstr(at, "edgedefault")) != NULL;) {
        char *value = at + strlen("edgedefault");
        value += strspn(value, " \t\r\n=");
        if (strncmp(value, "\"undirected\"", 12) == 0 || strncmp(value, "'undirected'", 12) == 0) {
            const char quote = *value;
            (void)snprintf(value, 12, "%cdirected%c ", quote, quote);
            value[11] = ' ';
            is_directed = false;
        }
        at = value;
    }
    return is_directed;
}

/* Read into g->graph, which is initialised on success. */
static hf_status read_graph(hf_context *cx, const char *file, char *data, size_t size, hf_igraph *g) {
    g->is_directed = make_directed(data);
    FILE *stream = size > 0 ? fmemopen(data, size, "r") : NULL;
    if (!stream) {
        HF_FAIL(cx, size > 0 ? HF_ENOMEM : HF_EINVAL, "%s: %s", file,
                size > 0 ? "out of memory while reading GraphML" : "the file is empty; need GraphML");
    }
    const hooks before = put_hooks();
    const igraph_error_t code = igraph_read_graph_graphml(&g->graph, stream, 0);
    const hf_status status = code == IGRAPH_SUCCESS ? HF_OK : refuse(cx, file, code);
    restore_hooks(before);
    (void)fclose(stream);
    return status;
}

hf_status hf_igraph_read_graphml(hf_context *cx, const char *file, const char *data, size_t size, hf_igraph **out) {
    hf_igraph *g;
    char *copy = NULL;
    HF_TRY(hf_allocate(cx, 1, sizeof *g, (void **)&g));
    g->allocator = *hf_context_allocator(cx);
    hf_status status = hf_allocate(cx, size + 1, 1, (void **)&copy);
    if (status == HF_OK) {
        memcpy(copy, data ? data : "", size);
        status = read_graph(cx, file, copy, size, g);
    }
    hf_release(&g->allocator, copy);
    if (status != HF_OK) {
        hf_release(&g->allocator, g);
        return status;
    }
    if (igraph_vcount(&g->graph) >= HF_NONE / 4 || igraph_ecount(&g->graph) >= HF_NONE / 4) {
        hf_igraph_free(g);
        HF_FAIL(cx, HF_ERANGE, "%s: the graph is too large; need fewer than 2^30 nodes and edges", file);
    }
    *out = g;
    return HF_OK;
}

void hf_igraph_free(hf_igraph *graph) {
    if (!graph) {
        return;
    }
    const hf_allocator allocator = graph->allocator;
    const hooks before = put_hooks();
    igraph_destroy(&graph->graph);
    restore_hooks(before);
    hf_release(&allocator, graph);
}

uint32_t hf_igraph_n_node(const hf_igraph *graph) { return (uint32_t)igraph_vcount(&graph->graph); }

uint32_t hf_igraph_n_edge(const hf_igraph *graph) { return (uint32_t)igraph_ecount(&graph->graph); }

bool hf_igraph_is_directed(const hf_igraph *graph) { return graph->is_directed; }

void hf_igraph_edge(const hf_igraph *graph, uint32_t edge, uint32_t *from, uint32_t *to) {
    *from = (uint32_t)IGRAPH_FROM(&graph->graph, edge);
    *to = (uint32_t)IGRAPH_TO(&graph->graph, edge);
}

/* The type of an attribute; unspecified if it is not there. */
static igraph_attribute_type_t type_of(const igraph_t *graph, igraph_attribute_elemtype_t element, const char *name) {
    igraph_attribute_type_t type = IGRAPH_ATTRIBUTE_UNSPECIFIED;
    if (igraph_cattribute_has_attr(graph, element, name)) {
        (void)igraph_cattribute_table.gettype(graph, &type, element, name);
    }
    return type;
}

const char *hf_igraph_node_text(const hf_igraph *graph, const char *name, uint32_t node) {
    const hooks before = put_hooks();
    const bool is_text = type_of(&graph->graph, IGRAPH_ATTRIBUTE_VERTEX, name) == IGRAPH_ATTRIBUTE_STRING;
    const char *text = is_text ? igraph_cattribute_VAS(&graph->graph, name, node) : NULL;
    restore_hooks(before);
    return text;
}

const char *hf_igraph_edge_text(const hf_igraph *graph, const char *name, uint32_t edge) {
    const hooks before = put_hooks();
    const bool is_text = type_of(&graph->graph, IGRAPH_ATTRIBUTE_EDGE, name) == IGRAPH_ATTRIBUTE_STRING;
    const char *text = is_text ? igraph_cattribute_EAS(&graph->graph, name, edge) : NULL;
    restore_hooks(before);
    return text;
}

bool hf_igraph_edge_number(const hf_igraph *graph, const char *name, uint32_t edge, double *out) {
    const hooks before = put_hooks();
    const igraph_attribute_type_t type = type_of(&graph->graph, IGRAPH_ATTRIBUTE_EDGE, name);
    if (type == IGRAPH_ATTRIBUTE_NUMERIC) {
        *out = igraph_cattribute_EAN(&graph->graph, name, edge);
    } else if (type == IGRAPH_ATTRIBUTE_BOOLEAN) {
        *out = igraph_cattribute_EAB(&graph->graph, name, edge) ? 1 : 0;
    } else {
        *out = NAN;
    }
    restore_hooks(before);
    return !isnan(*out);
}

/* ---- feedback arc sets ---- */

static igraph_error_t find_feedback(uint32_t n_node, const igraph_vector_int_t *ends, igraph_vector_int_t *found) {
    igraph_t graph;
    igraph_error_t code = igraph_create(&graph, ends, (igraph_integer_t)n_node, IGRAPH_DIRECTED);
    if (code == IGRAPH_SUCCESS) {
        code = igraph_feedback_arc_set(&graph, found, NULL, IGRAPH_FAS_APPROX_EADES);
        igraph_destroy(&graph);
    }
    return code;
}

static igraph_error_t mark_feedback(uint32_t n_node, uint32_t n_edge, const uint32_t *from, const uint32_t *to,
                                    uint8_t *is_back) {
    igraph_vector_int_t ends, found;
    igraph_error_t code = igraph_vector_int_init(&ends, 2 * (igraph_integer_t)n_edge);
    if (code != IGRAPH_SUCCESS) {
        return code;
    }
    code = igraph_vector_int_init(&found, 0);
    if (code == IGRAPH_SUCCESS) {
        for (uint32_t e = 0; e < n_edge; e++) {
            VECTOR(ends)[2 * (size_t)e] = (igraph_integer_t)from[e];
            VECTOR(ends)[2 * (size_t)e + 1] = (igraph_integer_t)to[e];
        }
        code = find_feedback(n_node, &ends, &found);
        for (igraph_integer_t i = 0; code == IGRAPH_SUCCESS && i < igraph_vector_int_size(&found); i++) {
            is_back[VECTOR(found)[i]] = 1;
        }
        igraph_vector_int_destroy(&found);
    }
    igraph_vector_int_destroy(&ends);
    return code;
}

hf_status hf_igraph_feedback(hf_context *cx, uint32_t n_node, uint32_t n_edge, const uint32_t *from, const uint32_t *to,
                             uint8_t *is_back) {
    memset(is_back, 0, n_edge);
    const hooks h = put_hooks();
    const igraph_error_t code = mark_feedback(n_node, n_edge, from, to, is_back);
    restore_hooks(h);
    if (code != IGRAPH_SUCCESS) {
        HF_FAIL(cx, code == IGRAPH_ENOMEM ? HF_ENOMEM : HF_EINVAL, "igraph finds no feedback arc set of %u edges: %s", n_edge,
                igraph_strerror(code));
    }
    return HF_OK;
}

/* ---- symmetry ---- */

static hf_status symmetry_status(hf_context *cx, igraph_error_t code) {
    if (code != IGRAPH_SUCCESS) {
        HF_FAIL(cx, code == IGRAPH_ENOMEM ? HF_ENOMEM : HF_EINVAL, "igraph finds no symmetries: %s", igraph_strerror(code));
    }
    return HF_OK;
}

static igraph_error_t fill(igraph_vector_int_t *to, const uint32_t *from, size_t n) {
    const igraph_error_t code = igraph_vector_int_init(to, (igraph_integer_t)n);
    for (size_t i = 0; i < n && code == IGRAPH_SUCCESS; i++) {
        VECTOR(*to)[i] = (igraph_integer_t)from[i];
    }
    return code;
}

static igraph_error_t make(uint32_t n_node, uint32_t n_edge, const uint32_t *ends, igraph_t *out) {
    igraph_vector_int_t list;
    igraph_error_t code = fill(&list, ends, 2 * (size_t)n_edge);
    if (code == IGRAPH_SUCCESS) {
        code = igraph_create(out, &list, (igraph_integer_t)n_node, IGRAPH_UNDIRECTED);
        igraph_vector_int_destroy(&list);
    }
    return code;
}

hf_status hf_igraph_new(hf_context *cx, uint32_t n_node, uint32_t n_edge, const uint32_t *ends, hf_igraph **out) {
    hf_igraph *g;
    HF_TRY(hf_allocate(cx, 1, sizeof *g, (void **)&g));
    g->allocator = *hf_context_allocator(cx);
    const hooks h = put_hooks();
    const igraph_error_t code = make(n_node, n_edge, ends, &g->graph);
    restore_hooks(h);
    if (code != IGRAPH_SUCCESS) {
        hf_release(&g->allocator, g);
        return symmetry_status(cx, code);
    }
    *out = g;
    return HF_OK;
}

static igraph_error_t find_group(const igraph_t *graph, const uint32_t *colour, igraph_vector_int_list_t *found,
                                 igraph_bliss_info_t *info) {
    igraph_vector_int_t colours;
    igraph_error_t code = fill(&colours, colour, (size_t)igraph_vcount(graph));
    if (code == IGRAPH_SUCCESS) {
        code = igraph_automorphism_group(graph, &colours, found, IGRAPH_BLISS_FL, info);
        igraph_vector_int_destroy(&colours);
    }
    return code;
}

static hf_status copy_group(hf_context *cx, const igraph_vector_int_list_t *found, uint32_t n_node, uint32_t **generator,
                            size_t *n) {
    *n = (size_t)igraph_vector_int_list_size(found);
    HF_TRY(hf_scratch(cx, *n * n_node + 1, sizeof **generator, (void **)generator));
    for (size_t i = 0; i < *n; i++) {
        const igraph_vector_int_t *one = igraph_vector_int_list_get_ptr(found, (igraph_integer_t)i);
        for (uint32_t v = 0; v < n_node; v++) {
            (*generator)[i * n_node + v] = (uint32_t)VECTOR(*one)[v];
        }
    }
    return HF_OK;
}

static hf_status copy_order(hf_context *cx, const char *digits, char **order) {
    const size_t size = strlen(digits) + 1;
    HF_TRY(hf_allocate(cx, size, 1, (void **)order));
    memcpy(*order, digits, size);
    return HF_OK;
}

hf_status hf_igraph_automorphisms(hf_context *cx, const hf_igraph *graph, const uint32_t *colour, uint32_t **generator, size_t *n,
                                  char **order) {
    igraph_vector_int_list_t found;
    igraph_bliss_info_t info = {0};
    const hooks h = put_hooks();
    igraph_error_t code = igraph_vector_int_list_init(&found, 0);
    hf_status status = HF_OK;
    if (code == IGRAPH_SUCCESS) {
        code = find_group(&graph->graph, colour, &found, &info);
        if (code == IGRAPH_SUCCESS) {
            status = copy_group(cx, &found, hf_igraph_n_node(graph), generator, n);
        }
        if (code == IGRAPH_SUCCESS && status == HF_OK && order) {
            status = copy_order(cx, info.group_size, order);
        }
        igraph_free(info.group_size);
        igraph_vector_int_list_destroy(&found);
    }
    restore_hooks(h);
    return status == HF_OK ? symmetry_status(cx, code) : status;
}

static igraph_error_t find_labels(const igraph_t *graph, const igraph_vector_int_t *colours, uint32_t *label) {
    igraph_vector_int_t labels;
    igraph_error_t code = igraph_vector_int_init(&labels, 0);
    if (code == IGRAPH_SUCCESS) {
        code = igraph_canonical_permutation(graph, colours, &labels, IGRAPH_BLISS_FL, NULL);
        for (igraph_integer_t v = 0; code == IGRAPH_SUCCESS && v < igraph_vector_int_size(&labels); v++) {
            label[v] = (uint32_t)VECTOR(labels)[v];
        }
        igraph_vector_int_destroy(&labels);
    }
    return code;
}

hf_status hf_igraph_canonical(hf_context *cx, const hf_igraph *graph, const uint32_t *colour, uint32_t *label) {
    igraph_vector_int_t colours;
    const hooks h = put_hooks();
    igraph_error_t code = fill(&colours, colour, (size_t)igraph_vcount(&graph->graph));
    if (code == IGRAPH_SUCCESS) {
        code = find_labels(&graph->graph, &colours, label);
        igraph_vector_int_destroy(&colours);
    }
    restore_hooks(h);
    return symmetry_status(cx, code);
}
