/** \file
 *  Writers of drawings and graph files. All write into a growing text that the caller frees with hf_text_free(). */
#ifndef HOLDFAST_FORMAT_H
#define HOLDFAST_FORMAT_H

#include <holdfast/fault.h>
#include <holdfast/topology.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A growing text. After a failed append the text stays as it was and `failed` is set: append freely, ask once. */
typedef struct hf_text {
    char *data; /**< final 0 kept; NULL until the first append */
    size_t size, capacity;
    bool failed;
    hf_allocator allocator;
} hf_text;
void hf_text_init(hf_context *cx, hf_text *text);
__attribute__((format(printf, 2, 3))) void hf_text_print(hf_text *text, const char *format, ...);
void hf_text_append(hf_text *text, const char *data, size_t size);
/** Append `data` escaped for XML text and attributes. */
void hf_text_xml(hf_text *text, const char *data);
void hf_text_free(hf_text *text);
/** HF_OK, or HF_ENOMEM with a message when an append failed. */
hf_status hf_text_check(hf_context *cx, const hf_text *text);
/** Write to PATH by a temporary file beside it, fsync and rename: never half-written. "-" is not special. */
hf_status hf_text_save(hf_context *cx, const hf_text *text, const char *path);
/** Read a whole file (at most `limit` bytes) into the text. \return HF_ENOENT, HF_EIO, HF_ERANGE. */
hf_status hf_text_load(hf_context *cx, const char *path, size_t limit, hf_text *text);

/** Graphviz DOT. */
hf_status hf_format_dot(hf_context *cx, const hf_topology *topo, hf_text *out);
/** GraphML with node and edge attributes (name, kind, coordinates, ports). */
hf_status hf_format_graphml(hf_context *cx, const hf_topology *topo, hf_text *out);

/** What to mark in a drawing; each may be NULL. */
typedef struct hf_marks {
    const hf_fault_set *faults;    /**< failed links and switches */
    const uint64_t *victim_node;   /**< n_node bits: marked as victims */
    const uint64_t *lost_terminal; /**< n_terminal bits: in an unserved pair */
    const char *title;
} hf_marks;
/** SVG in the field's usual way: stages of a fat-tree in rows, a mesh as a grid. Deterministic bytes.
 *  \param[in] marks NULL: none   \return HF_ERANGE above 20,000 links; HF_EINVAL if the faults are of another topology. */
hf_status hf_format_svg(hf_context *cx, const hf_topology *topo, const hf_marks *marks, hf_text *out);

#ifdef __cplusplus
}
#endif
#endif
