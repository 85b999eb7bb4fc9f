/** \file
 *  A network as a file tells it, before it becomes a topology; and the readers of the file formats.
 *
 *  A reader takes a text in memory, adds nodes and links in any order and refuses what it cannot make sense of with file, line
 *  and value. Names are borrowed from the text, or live in the arena. */
#ifndef HOLDFAST_SRC_TOPOLOGY_MULTISTAGE_DRAFT_H
#define HOLDFAST_SRC_TOPOLOGY_MULTISTAGE_DRAFT_H

#include "src/core/names.h"
#include "src/topology/topology.h"

typedef struct hf_draft_node {
    hf_slice label;
    bool is_terminal;
    uint8_t lmc;                   /**< the node has 2^lmc LIDs */
    uint32_t lid;                  /**< the first of them, 0: none */
    uint64_t node_guid, port_guid; /**< 0: none */
} hf_draft_node;

/** From node `a` to node `b`; a port HF_NONE gets the next free number. */
typedef struct hf_draft_link {
    uint32_t a, a_port, b, b_port;
    uint32_t latency; /**< cycles, HF_NONE: not given */
    uint32_t line;    /**< where it was read, 0: not known */
    bool both_ways;
    uint32_t rate_mbps; /**< 0: not given */
    uint32_t delay_ns;  /**< HF_NONE: not given */
    uint32_t flow;      /**< HF_LINK_BUBBLE_*: the ends from which the link keeps bubbles */
} hf_draft_link;

/** Does an edge list begin with names of columns? Numbers of the words of the parameter "header". */
typedef enum hf_header { HF_HEADER_AUTO, HF_HEADER_YES, HF_HEADER_NO } hf_header;

typedef struct hf_draft {
    hf_allocator allocator;
    const char *file; /**< for messages */
    uint32_t n_node, n_link;
    hf_draft_node *node;
    hf_draft_link *link;
    size_t node_capacity, link_capacity;
    const char *format;   /**< it was read as; NULL: not said */
    hf_header header;     /**< what is asked for; of edge lists */
    hf_slice header_line; /**< what was read as names of columns; of size 0: nothing */
    uint32_t n_self_loop; /**< links of a node with itself, which are left out */
    uint32_t self_loop;   /**< the line of the first, 0: not known */
} hf_draft;

void hf_draft_init(hf_context *cx, const char *file, hf_draft *draft);
void hf_draft_free(hf_draft *draft);
hf_status hf_draft_add_node(hf_context *cx, hf_draft *draft, const hf_draft_node *node);
/** Add a link, or count it where it joins a node with itself. */
hf_status hf_draft_add_link(hf_context *cx, hf_draft *draft, const hf_draft_link *link);
/** Give every switch `terminals` terminals, if the draft has none yet. */
hf_status hf_draft_add_terminals(hf_context *cx, hf_draft *draft, uint32_t terminals);
/** Read flow control: "credit", "bubble", the words of the ends `a` and `b` as in "bubble/credit", or the number of its bits.
 *  \return is it one? */
bool hf_draft_read_flow(hf_slice text, uint32_t *flow);
/** Two one-way links between the same ports, or without ports, that lead to and fro become one link of both ways, in the place of
 *  the first. Time O(n log n). */
hf_status hf_draft_join_opposites(hf_context *cx, hf_draft *draft);
/** Number the nodes and links and build the topology: switches and terminals keep the order of the draft, links between
 *  switches come first. \return HF_EINVAL if there is no switch, a terminal hangs on none, or two links meet at one port */
hf_status hf_draft_build(hf_context *cx, hf_draft *draft, const hf_topology_kind *kind, const hf_args *args, hf_topology **out);

/* ---- readers: the text must outlive the draft ---- */

/** Any of them. \param[in] format its number in the parameter "format" of topology "file", 0: by content */
hf_status hf_draft_read(hf_context *cx, const char *data, size_t size, unsigned format, hf_draft *draft);
/** Lines "router R node N router S [latency] ...": a link is bidirectional once it is given. Routers and nodes are ordered by
 *  number. */
hf_status hf_read_anynet(hf_context *cx, const char *data, size_t size, hf_draft *draft);
/** A topology file of HPCC or SimAI: counts, the numbers of the switches, then links with rate, delay and error rate. Every link
 * of a host is a terminal. */
hf_status hf_read_hpcc(hf_context *cx, const char *data, size_t size, hf_draft *draft);
/** Is it such a file? \param[in] r at the first line that says something; it is not moved */
bool hf_is_hpcc(hf_lines r);
/** A topology file of htsim: tiers, radices, bundles; see src/topology/read/htsim.c. */
hf_status hf_read_htsim(hf_context *cx, const char *data, size_t size, hf_draft *draft);
/** Does such a file begin with this word? */
bool hf_is_htsim(hf_slice word);
/** Descriptors of meshes as text of protocol buffers; see src/topology/read/meshes.c. */
hf_status hf_read_meshes(hf_context *cx, const char *data, size_t size, hf_draft *draft);
/** Does such a file begin with this word? */
bool hf_is_meshes(hf_slice word);
/** The output of ibnetdiscover, or a net of ibsim. Every connected port of a channel adapter is a terminal. */
hf_status hf_read_ibnet(hf_context *cx, const char *data, size_t size, hf_draft *draft);
/** A pair of names a line: a bidirectional link between two switches; see src/topology/read/edges.c. */
hf_status hf_read_edges(hf_context *cx, const char *data, size_t size, hf_draft *draft);
/** GraphML; see src/topology/read/graphml.c. */
hf_status hf_read_graphml(hf_context *cx, const char *data, size_t size, hf_draft *draft);
/** JSON of nodes and links, as node_link_data() of networkx gives it; see src/topology/read/node_link.c. */
hf_status hf_read_node_link(hf_context *cx, const char *data, size_t size, hf_draft *draft);

#endif
