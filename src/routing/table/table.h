/** \file
 *  Forwarding tables read from files, and their readers.
 *
 *  A table is made for one topology. InfiniBand tables go by LID: every LID of a terminal is a slot, the slots of a terminal
 *  stand side by side, and LIDs of switches have none. Tables of holdfast's own go by row. */
#ifndef HOLDFAST_SRC_ROUTING_TABLE_TABLE_H
#define HOLDFAST_SRC_ROUTING_TABLE_TABLE_H

#include <holdfast/routing.h>

#include "src/core/lines.h"

enum {
    HF_LID_COUNT = 65536,
    HF_SL_COUNT = 16,
    HF_VL_DROP = 15,
    HF_PORT_NONE = 255,
    HF_CSV_VC_MAX = 255,
    HF_CSV_TAG_MAX = 65535,
    HF_PLANES = 8,
    HF_PORT_WORDS = 4
};

/** Ports 0 to 254 of a switch, as bits. */
typedef struct hf_port_set {
    uint64_t bit[HF_PORT_WORDS];
} hf_port_set;

/** A row of our own format: at a node, for a packet from `in_port` and `in_vc` (HF_NONE: any). */
typedef struct hf_forwarding_row {
    uint32_t node, destination;
    uint32_t in_port, in_vc;
    uint32_t channel, vc;
    uint32_t source, in_tag; /**< HF_NONE: any */
    uint32_t out_tag;        /**< HF_NONE: as it came */
} hf_forwarding_row;

typedef struct hf_forwarding {
    hf_allocator allocator;
    const hf_topology *topo; /**< borrowed */
    char *named[4];          /**< "PATH#hash" of table, sl, sl2vl, rings */
    uint32_t *ring;          /**< as hf_rings_take() */
    uint32_t n_vc, max_hops;
    /* by LID */
    uint32_t n_slot;
    uint32_t *slot_begin;   /**< n_terminal + 1 */
    uint32_t *slot_of_lid;  /**< HF_LID_COUNT, HF_NONE: no terminal's */
    uint8_t *is_switch_lid; /**< HF_LID_COUNT */
    uint8_t *port;          /**< n_switch rows of n_slot: output port, HF_PORT_NONE: none */
    uint32_t plane;         /**< which is read of the tables of a switch (PLFT), where a file has several */
    uint32_t *group;        /**< NULL: none; n_switch rows of n_slot: 0, or 1 and the ports in `set` that a packet chooses from */
    hf_port_set *set;       /**< n_set */
    size_t n_set, set_room;
    uint8_t *sl;          /**< NULL: 0; or n_terminal rows of n_slot: service level from a source */
    uint8_t *switch_vl;   /**< NULL: VL = SL; or by switch, in port, out port (n_port each), SL */
    uint8_t *terminal_vl; /**< the same for terminals, n_terminal rows of HF_SL_COUNT */
    uint32_t n_port;
    /* by row; the tag of a hop is that of the rows, and n_tag times the source where rows ask for it */
    uint32_t n_tag;
    bool sees_source;
    uint32_t n_row;
    size_t row_capacity;
    hf_forwarding_row *row; /**< by destination, then by node */
    uint32_t *row_begin;    /**< destination * n_node + node -> row; n_terminal * n_node + 1 */
} hf_forwarding;

/** Number the LIDs of the terminals and make an empty table by LID. \return HF_EINVAL if the topology has no LIDs, or two
 * terminals share one */
hf_status hf_forwarding_start_lids(hf_context *cx, const char *file, hf_forwarding *table);

/** The switch with a GUID. \return HF_NONE if there is none. */
uint32_t hf_forwarding_switch(const hf_topology *topo, uint64_t guid);

/** opensm-lfts.dump, and what dump_fts and ibroute print. */
hf_status hf_read_lfts(hf_lines *lines, hf_forwarding *table);
/** opensm.fdbs, ibdiagnet2.fdbs */
hf_status hf_read_fdbs(hf_lines *lines, hf_forwarding *table);
/** ibdiagnet2.far: the same with adaptive routing. */
hf_status hf_read_far(hf_lines *lines, hf_forwarding *table);
/** Our own: "switch,in-port,in-vc,destination,out-port,out-vc", and perhaps "source", "in-tag", "out-tag". */
hf_status hf_read_csv(hf_lines *lines, hf_forwarding *table);
/** Service levels of paths, in the two forms that ibdmchk reads. */
hf_status hf_read_sl(hf_lines *lines, hf_forwarding *table);
/** SL to VL tables: opensm-sl2vl.dump, and the form that ibdmchk reads. */
hf_status hf_read_sl2vl(hf_lines *lines, hf_forwarding *table);

void hf_forwarding_init(hf_context *cx, const hf_topology *topo, hf_forwarding *table);
void hf_forwarding_release(hf_forwarding *table);
/** All is read: how many VCs and hops there are. */
void hf_forwarding_finish(hf_forwarding *table);
/** The relation of a table, as hf_plan_route(). */
size_t hf_forwarding_route(const hf_forwarding *table, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops);

#endif
