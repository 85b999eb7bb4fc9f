/** \file
 *  Writers of drawings and graph files. All write into a growing text that the caller frees with hf_text_free(). */
#ifndef HOLDFAST_FORMAT_H
#define HOLDFAST_FORMAT_H

#include <holdfast/fault.h>
#include <holdfast/text.h>
#include <holdfast/topology.h>

#ifdef __cplusplus
extern "C" {
#endif

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
    const uint64_t *held;       /**< n_channel bits: channels that blocked packets hold */
    const uint64_t *ring_link;  /**< n_link bits: drawn thick, links of a ring round a fault */
    const uint64_t *off_switch; /**< n_switch bits: taken out of service though they have not failed */
    const uint32_t (*area)[4];  /**< n_area quadrangles between switches, filled: a fault region */
    size_t n_area;
} hf_marks;
/** SVG in the field's usual way: stages of a fat-tree in rows, a mesh as a grid. Deterministic bytes.
 *  \param[in] marks NULL: none   \return HF_ERANGE above 20,000 links; HF_EINVAL if the faults are of another topology. */
hf_status hf_format_svg(hf_context *cx, const hf_topology *topo, const hf_marks *marks, hf_text *out);

#ifdef __cplusplus
}
#endif
#endif
