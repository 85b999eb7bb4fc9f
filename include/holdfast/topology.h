/** \file
 *  Topologies: the immutable network of terminals, switches, links and channels.
 *
 *  Node ids: switches are [0, n_switch), terminal t is node n_switch + t. Link ids: links between switches come first, [0,
 *  n_switch_link), ordered by (stage or dimension, switch, port) as the family says; terminal links follow in the order of
 *  terminals: those that lead in, then those that only lead out. Channel ids: first all forward channels in link order (for
 *  trees: the up channels; for terminal links: terminal to switch, but for one-way links out), then all backward channels in
 *  link order. A unidirectional link has only its forward channel. Port numbers are the family's own; a port has at most one
 *  outgoing and one incoming channel. */
#ifndef HOLDFAST_TOPOLOGY_H
#define HOLDFAST_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <holdfast/core/spec.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hf_topology hf_topology;

/** A named number per switch and per link, for filters and for reports: "stage". HF_NONE where it does not apply. */
typedef struct hf_attribute {
    const char *name;
    const char *help;
    const uint32_t *of_switch; /**< n_switch */
    const uint32_t *of_link;   /**< n_link */
} hf_attribute;

/** Where a node stands in a drawing, in grid units; y grows upwards. */
typedef struct hf_position {
    double x, y;
} hf_position;

/** What a network has; UINT64_MAX where it does not fit. */
typedef struct hf_topology_counts {
    uint64_t n_switch, n_terminal, n_switch_link, n_terminal_link, n_channel;
    uint64_t ends_most; /**< channels that leave or enter the switch that has most */
} hf_topology_counts;

/** Shapes that families share, see src/topology/grid/grid.h. */
struct hf_grid;
/** src/topology/tree/tree.h */
struct hf_xgft;
/** Descriptor of a family; one per file in src/topology, listed in list.def. */
typedef struct hf_topology_kind {
    const char *name;    /**< token in specs: [a-z0-9-]+, never reused */
    const char *summary; /**< one line */
    const char *source;  /**< key of the paper, with section */
    const char *claims;  /**< closed forms, one line for `holdfast describe` */
    const hf_param *params;
    /** NULL, or its shape as a grid, src/topology/grid/grid.h, or as a generalised fat-tree, src/topology/tree/tree.h. */
    void (*grid)(const hf_args *args, struct hf_grid *out);
    void (*tree)(const hf_args *args, struct hf_xgft *out);
    /** Build. \param[in] args parsed against params. \param[out] out free with hf_topology_free(). \return HF_ERANGE with the
     * figure if it would not fit. */
    hf_status (*build)(hf_context *cx, const hf_args *args, hf_topology **out);
    /** NULL, or what build() will make, in closed form. */
    void (*counts)(const hf_args *args, hf_topology_counts *out);
    /** Position of a node (switch or terminal) in the field's usual drawing. */
    hf_position (*place)(const hf_topology *topo, uint32_t node);
    /** The largest number of hops between two terminals over shortest paths in closed form, HF_NONE if there is none. Channels
     * counted, terminal channels included. */
    uint32_t (*diameter)(const hf_topology *topo);
    /** NULL, or the mean over ordered pairs of distinct terminals of the shortest distance, in channels, in closed form. */
    double (*mean_distance)(const hf_topology *topo);
    /** A k-ary n-tree without its way down [gomez2010, 5.2]: switches choose by the lowest digit first, and the links of the last
     * stage go back to the terminals. */
    bool is_reduced_tree;
} hf_topology_kind;

/** The immutable network. Ids: switches, then terminals; forward channels in link order, then backward ones. */
struct hf_topology {
    const hf_topology_kind *kind;
    char *spec; /**< canonical */
    hf_args args;
    hf_allocator allocator;
    uint32_t n_switch, n_terminal, n_node;
    uint32_t n_switch_link; /**< links between switches */
    uint32_t n_link, n_channel;
    uint32_t n_port_max; /**< 1 + the largest port number of a switch */
    /* per channel, n_channel entries each */
    uint32_t *from, *to;           /**< node ids */
    uint32_t *from_port, *to_port; /**< port numbers at the two nodes */
    uint32_t *link;
    uint32_t *reverse; /**< the other channel of the link, HF_NONE if unidirectional */
    /* per link, n_link entries each */
    uint32_t *forward, *backward; /**< channel ids; backward may be HF_NONE */
    /* adjacency: channels that leave / enter node v, by port: list[begin[v] .. begin[v + 1] - 1] */
    uint32_t *out_begin, *out_list, *in_begin, *in_list;
    uint32_t *terminal_switch; /**< n_terminal: the switch that its first link leads to */
    /* coordinates of switches: n_switch rows of n_coord digits, most significant first */
    uint32_t n_coord;
    const char *const *coord_name;
    uint32_t *coord;
    size_t n_attribute;
    hf_attribute *attribute;
    /* what a file says of nodes, n_node entries each; NULL where the topology is not from such a file */
    uint8_t *naming;    /**< how hf_topology_node_name() calls a node: hf_naming */
    uint32_t *by_label; /**< the n_label nodes that have a label, in the order of labels */
    uint32_t n_label;
    char **label;         /**< the file's own names; an entry may be NULL */
    uint32_t *lid_base;   /**< InfiniBand: the first of its 2^lmc local identifiers, 0: none */
    uint8_t *lmc;         /**< InfiniBand: local identifier mask count */
    uint64_t *node_guid;  /**< InfiniBand: of the switch or adapter */
    uint64_t *port_guid;  /**< InfiniBand: of the port; of a switch as its node's */
    const char *format;   /**< what a file was read as, such as "edges"; NULL: it is from none */
    char *header;         /**< the line of an edge list that was read as names of columns, NULL if none was */
    uint32_t n_self_loop; /**< links of a node with itself in the file, which are left out */
    uint32_t self_loop;   /**< the line of the first of them, 0: not known */
};

/** Terminals are the nodes behind the switches. */
static inline bool hf_topology_is_terminal(const hf_topology *topo, uint32_t node) { return node >= topo->n_switch; }
/** Is every terminal left where it is entered, by one channel each way? Then links between switches part only terminals whose
 *  switches they part. Time O(terminals) */
bool hf_topology_has_plain_terminals(const hf_topology *topo);

/** Has every link two channels? */
static inline bool hf_topology_is_bidirectional(const hf_topology *topo) { return topo->n_channel == 2 * topo->n_link; }

/** The families that are built in, by name; hf_topology_kind_find(): NULL if none is called like the `size` bytes of `name`. */
size_t hf_topology_count(void);
const hf_topology_kind *hf_topology_kind_at(size_t i);
const hf_topology_kind *hf_topology_kind_find(const char *name, size_t size);

/** Build from a spec. \return HF_OK; HF_ENOENT unknown family; HF_EINVAL, HF_ERANGE wrong parameters; HF_ENOMEM. Free with
 * hf_topology_free(). */
hf_status hf_topology_new(hf_context *cx, const char *spec, hf_topology **out);
/** The same for those who only count: where the family has closed forms, kind, spec, args and the numbers of switches, terminals,
 * links and channels are there, and no array is. Memory O(1) then. */
hf_status hf_topology_outline(hf_context *cx, const char *spec, hf_topology **out);
static inline bool hf_topology_is_outline(const hf_topology *topo) { return topo->out_begin == NULL; }
/** Channels that leave or enter the switch that has most; of an outline too. */
uint64_t hf_topology_ends_most(const hf_topology *topo);
void hf_topology_free(hf_topology *topo);

/** The outgoing channel of `node` at `port`, HF_NONE if none; by searching, and at once where there are no gaps below the
 * port. */
uint32_t hf_topology_search_channel_at(const hf_topology *topo, uint32_t node, uint32_t port);
static inline uint32_t hf_topology_channel_at(const hf_topology *topo, uint32_t node, uint32_t port) {
    const uint32_t begin = topo->out_begin[node];
    if (port < topo->out_begin[node + 1] - begin && topo->from_port[topo->out_list[begin + port]] == port) {
        return topo->out_list[begin + port];
    }
    return hf_topology_search_channel_at(topo, node, port);
}
const hf_attribute *hf_topology_attribute(const hf_topology *topo, const char *name);

/** How a node is called: by number (s18, t5), by the label that its file gives it and no other node, or, where the number is the
 *  label of some node, by the number behind a mark (=s18). */
typedef enum hf_naming { HF_NAMED_BY_NUMBER, HF_NAMED_BY_LABEL, HF_NAMED_BY_MARK } hf_naming;
/** Room for any name, the final 0 included. A label of more than HF_LABEL_MAX bytes, that is not UTF-8, or has control
 *  characters, quotes or backslashes, is not used as a name. */
enum { HF_LABEL_MAX = 64, HF_NAME_SIZE = 176 };
/** Find the labels of a topology that has some, in `label`. Families that read files call it. Time O(n_node log n_node). */
hf_status hf_topology_index_labels(hf_context *cx, hf_topology *topo);
/** The nodes with a label. \param[out] first one of them, by_label[first]  \return how many there are. Time O(log n_label). */
uint32_t hf_topology_find_label(const hf_topology *topo, const char *text, size_t size, uint32_t *first);

/** Names: switch "s18", terminal "t5", link "s8:3-s18:0" (lower end first), channel "s8:3>s18:0" (node:port > node:port); in the
 *  place of s18 and t5 the label of a file, in quotes where it has other characters than letters, digits, _ . / + - ( and ).
 *  Written with a final 0 into `text` of `size` bytes (HF_NAME_SIZE is always enough). */
void hf_topology_node_name(const hf_topology *topo, uint32_t node, char *text, size_t size);
static inline void hf_topology_terminal_name(const hf_topology *topo, uint32_t terminal, char *text, size_t size) {
    hf_topology_node_name(topo, topo->n_switch + terminal, text, size);
}
/** The name without quotes, for drawings and graph files. */
void hf_topology_node_text(const hf_topology *topo, uint32_t node, char *text, size_t size);
void hf_topology_link_name(const hf_topology *topo, uint32_t link, char *text, size_t size);
void hf_topology_channel_name(const hf_topology *topo, uint32_t channel, char *text, size_t size);
/** Read a name back. \param[out] type 's','t','l' or 'c'; id: switch, terminal, link or channel. A link may
 *  be named from either end. Also accepted: "s8:3" (the link at that port) and "s8:3>" (the channel that leaves there). In the
 *  place of s8 or t5 the file's own label, with quotes or without, which goes before a number that reads alike; "=s8" is always
 *  the number, and "0x10c9" a GUID.
 *  \return HF_EINVAL malformed, HF_ENOENT well-formed but not there; the message says what is there instead. */
hf_status hf_topology_parse_name(hf_context *cx, const hf_topology *topo, const char *text, size_t size, char *type,
                                 uint32_t *id);

/** Figures that `holdfast topology` prints, by breadth-first search over the fault-free network; where that would take
 * very long, by the closed forms of the family. Terminals do not forward. */
typedef struct hf_topology_figures {
    uint32_t degree_min, degree_max; /**< ports in use of a switch, terminal links included */
    uint32_t diameter; /**< longest shortest path between two terminals, channels, terminal channels included; HF_NONE where not
                          every pair has a path */
    double mean_distance;       /**< over ordered pairs of distinct terminals, channels; NAN where not every pair has a path */
    uint32_t n_part;            /**< parts of the network that no link joins, whatever its direction */
    uint64_t n_pair_apart;      /**< ordered pairs of distinct terminals without a path */
    bool is_bidirectional;      /**< every link has two channels */
    bool is_strongly_connected; /**< between terminals: no pair is apart */
} hf_topology_figures;
hf_status hf_topology_measure(hf_context *cx, const hf_topology *topo, hf_topology_figures *out);

/* ---- for the families: building a topology ---- */

/** Start a topology: switches and terminals, no links yet. `n_coord` digits a switch, names borrowed (static).
 *  Fails with HF_ERANGE and the figure in MiB when arrays for `n_link` links would not fit in memory_limit (4 GiB). */
hf_status hf_topology_start(hf_context *cx, const hf_topology_kind *kind, const hf_args *args, uint64_t n_switch,
                            uint64_t n_terminal, uint64_t n_switch_link, uint64_t n_terminal_link, uint32_t n_coord,
                            const char *const *coord_name, hf_topology **out);
/** Add the next link in link order, between switches first, then terminal links (a is the terminal). Forward goes from a to b. */
void hf_topology_add_link(hf_topology *topo, uint32_t a, uint32_t a_port, uint32_t b, uint32_t b_port, bool both_ways);
/** Add an attribute. \param[out] of_switch,of_link arrays to fill in, HF_NONE at first; owned by the topology. */
hf_status hf_topology_add_attribute(hf_context *cx, hf_topology *topo, const char *name, const char *help, uint32_t **of_switch,
                                    uint32_t **of_link);
/** Add the attribute "rate": the data rate of each link, Mbit/s. */
hf_status hf_topology_add_rates(hf_context *cx, hf_topology *topo, uint32_t **of_link);
/** All links added: number the channels, build the adjacency, make the canonical spec. (hf_topology_new() then hands the texts
 *  of the args over to the topology.) */
hf_status hf_topology_finish(hf_context *cx, hf_topology *topo);

/** Values of the attribute "flow" of links: bits, of the ends that keep bubbles. In a file: "credit", "bubble", or the words of
 * both ends as in "bubble/credit". */
enum { HF_LINK_BUBBLE_FORWARD = 1, HF_LINK_BUBBLE_BACKWARD = 2 };

/* ---- rates ---- */

/** How long flits take on links of different rates, by the attribute "rate". A cycle is that of the fastest link, and of those
 *  without a rate: a flit takes hf_tempo_weight() / unit of them. */
typedef struct hf_tempo {
    const uint32_t *rate, *link; /**< of links; of channels. NULL: all links are alike */
    uint32_t fastest;            /**< Mbit/s; 0: no link has a rate */
    uint64_t common, unit;       /**< a multiple of all rates, 0: weights are rounded; 1 where all are alike */
} hf_tempo;
/** \return borrows from the topology. Time O(links) */
hf_tempo hf_topology_tempo(const hf_topology *topo);
static inline uint64_t hf_tempo_weight(const hf_tempo *tempo, uint32_t channel) {
    uint64_t rate = tempo->rate ? tempo->rate[tempo->link[channel]] : 0;
    rate = rate == 0 || rate == HF_NONE ? tempo->fastest : rate;
    return !tempo->rate ? 1 : tempo->common ? tempo->common / rate : (tempo->fastest * tempo->unit + rate / 2) / rate;
}
/** Cycles that a flit takes. */
static inline double hf_tempo_cycles(const hf_tempo *tempo, uint32_t channel) {
    return (double)hf_tempo_weight(tempo, channel) / (double)tempo->unit;
}

/* ---- k-ary n-tree arithmetic, shared by the rules for it ---- */

/** Shape of a k-ary n-tree: a kary-tree, or an xgft or clos that is one, number by number. \return of hf_kary_tree_shape(): false
 *  for any other network */
typedef struct hf_kary_tree {
    uint32_t k, n;
    uint32_t width;  /**< switches a stage, k^(n-1) */
    uint32_t n_unit; /**< = width: leaf switches; each serves the k terminals unit*k .. unit*k+k-1 */
} hf_kary_tree;
bool hf_kary_tree_shape(const hf_topology *topo, hf_kary_tree *shape);

#ifdef __cplusplus
}
#endif
#endif
