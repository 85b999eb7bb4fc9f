/** \file
 *  Writers of drawings and graph files. All write into a growing text that the caller frees with hf_text_free(). */
#ifndef HOLDFAST_FORMAT_H
#define HOLDFAST_FORMAT_H

#include <holdfast/core/text.h>
#include <holdfast/fault.h>
#include <holdfast/topology.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Graphviz DOT. */
hf_status hf_format_dot(hf_context *cx, const hf_topology *topo, hf_text *out);
/** GraphML with node and edge attributes (name, kind, coordinates, ports). */
hf_status hf_format_graphml(hf_context *cx, const hf_topology *topo, hf_text *out);
/** JSON of nodes and links, as networkx reads it with node_link_graph(): names, kinds, places, ports, attributes. */
hf_status hf_format_node_link(hf_context *cx, const hf_topology *topo, hf_text *out);
/** A network for the BookSim simulator: a line a router, "router 0 node 0 router 1 15". Attribute "latency" is written where
 * there is one. \return HF_EINVAL if a link has one direction, a terminal several links or a switch none */
hf_status hf_format_anynet(hf_context *cx, const hf_topology *topo, hf_text *out);
/** A topology file of the HPCC simulator (ns-3): counts, the numbers of the switches, links with rate and delay (100 Gbit/s and
 *  1 us where the network says none). A terminal is a host; those that a file calls NAME/P1, NAME/P2 are one again. Hosts come
 *  first, unless all nodes are called by numbers. \return HF_EINVAL if a link has one direction */
hf_status hf_format_hpcc(hf_context *cx, const hf_topology *topo, hf_text *out);
/** The same with the first line of SimAI, which wants servers: groups of hosts, one behind the other, with an inner switch each
 *  that leads to them alone. \return HF_EINVAL for another network */
hf_status hf_format_simai(hf_context *cx, const hf_topology *topo, hf_text *out);
/** A topology file of htsim: tiers, radices, bundles, rates and delays. \return HF_EINVAL, with the reason, for what is not one
 * of its fat-trees up to the order of switches above the first tier */
hf_status hf_format_htsim(hf_context *cx, const hf_topology *topo, hf_text *out);
/** A net of ibsim: a block a node with its ports, which count from 1; GUIDs where they are known. \return HF_EINVAL if a link has
 *  one direction or a port would be above 254 */
hf_status hf_format_ibsim(hf_context *cx, const hf_topology *topo, hf_text *out);
/** The wiring of a multipath network, as topology "multipath-wiring" reads it back: a line with family and shape, then a line of
 *  outputs for every router before the last stage and for every endpoint. \return HF_EINVAL for a network of another family */
hf_status hf_format_wiring(hf_context *cx, const hf_topology *topo, hf_text *out);

/** Any of them by name, see src/format/networks.def. \return HF_ENOENT if it is none of these */
hf_status hf_format_network(hf_context *cx, const hf_topology *topo, const char *name, hf_text *out);

/** What to mark in a drawing; each may be NULL. */
typedef struct hf_marks {
    const hf_fault_set *faults;    /**< failed links and switches */
    const uint64_t *victim_node;   /**< n_node bits: marked as victims */
    const uint64_t *cut_terminal;  /**< n_terminal bits: cut off from the others */
    const uint64_t *lost_terminal; /**< n_terminal bits: in another unserved pair */
    const char *title;
    const uint64_t *held;       /**< n_channel bits: channels that blocked packets hold */
    const uint64_t *ring_link;  /**< n_link bits: drawn thick, links of a ring round a fault */
    const uint64_t *off_switch; /**< n_switch bits: taken out of service though they have not failed */
    const uint32_t (*area)[4];  /**< n_area quadrangles between switches, filled: a fault region */
    size_t n_area;
    const uint64_t *path_channel; /**< n_channel bits: drawn bold, channels on the paths of a pair */
    const uint64_t *path_node;    /**< n_node bits: nodes on those paths */
    const uint64_t *tree_link;    /**< n_link bits: drawn broad, links of a tree */
    const uint64_t *root_switch;  /**< n_switch bits: roots of trees */
    const uint32_t *tour;         /**< n_channel: which hop of a ring the channel is, from 1; 0: none. Numbered arrows */
    const char *const *note;      /**< n_channel: what stands where the channel leaves, NULL: nothing */
    bool is_north_first;          /**< a grid's rows are numbered from the north: row 0 at the top */
} hf_marks;
/** Graphviz DOT with failures dashed in red and the paths of a pair bold; other marks are left out.
 *  \param[in] marks NULL: none   \return HF_EINVAL if the faults are of another topology. */
hf_status hf_format_dot_marked(hf_context *cx, const hf_topology *topo, const hf_marks *marks, hf_text *out);
/** SVG in the field's usual way: stages of a fat-tree in rows, a mesh as a grid. Deterministic bytes.
 *  \param[in] marks NULL: none   \return HF_ERANGE above 20,000 links; HF_EINVAL if the faults are of another topology. */
hf_status hf_format_svg(hf_context *cx, const hf_topology *topo, const hf_marks *marks, hf_text *out);

/** A point of a plot. It has an interval, from low to high, where low < high. */
typedef struct hf_plot_point {
    double x, y;
    double low, high;  /**< ends of the interval, in y; equal: none */
    const char *label; /**< beside the point; NULL: none */
} hf_plot_point;
/** Points of one colour and mark, in the order in which lines join them. Series of one name look alike, in all panels, and are
 * one entry of the legend. */
typedef struct hf_plot_series {
    const char *name;  /**< in the legend; NULL: not named there */
    const char *panel; /**< the panel that it stands in, by its title; NULL: of a plot without panels */
    const hf_plot_point *point;
    size_t n_point;
    bool is_joined;    /**< joined by lines; intervals are a band then */
    bool is_steps;     /**< joined by stairs: level up to the next point's x, then its y */
    bool is_pale;      /**< small and grey: the background of what matters */
    bool is_published; /**< hollow marks: what somebody else found for the same */
} hf_plot_series;
typedef struct hf_plot_axis {
    const char *label; /**< with the unit: "latency (cycles)" */
    bool is_log;       /**< points that are not above 0 are left out */
    bool has_zero;     /**< linear: the axis includes 0 */
    bool is_free;      /**< logarithmic where the values span more than three decades, a tenth of them below a
                            hundredth of the largest */
    const char *const
        *name; /**< n_name, of x: what stands at 0, 1, ... in the place of numbers; series stand side by side there */
    size_t n_name;
} hf_plot_axis;
typedef struct hf_plot {
    const char *title;
    hf_plot_axis x, y;
    const hf_plot_series *series;
    size_t n_series;
} hf_plot;
/** How a plot is written. */
typedef enum hf_plot_form {
    HF_PLOT_SVG,
    HF_PLOT_JSON, /**< its data, for who draws it (docs/json.md) */
    HF_PLOT_TEX,  /**< LaTeX with pgfplots, data included: compiles by itself, and stands in a document by \\input{} */
    HF_PLOT_TEXT  /**< characters for a terminal, 80 columns at most unless labels are longer: marks without lines, intervals and
                     labels, the panels one below the other; where marks fall together, that of the first series is seen */
} hf_plot_form;
/** Series of points with axes, legend and panels side by side, for a column of a paper (one panel) or its whole width. Axes end
 * where the data end. Deterministic bytes. Points that are not finite are left out, and a joined line is broken there; without
 * any point the picture says so. \return HF_ERANGE above 100,000 points; HF_ENOMEM. */
hf_status hf_format_plot(hf_context *cx, const hf_plot *plot, hf_plot_form form, hf_text *out);

#ifdef __cplusplus
}
#endif
#endif
