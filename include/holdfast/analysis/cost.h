/** \file
 *  Cost of a network beside that of a fat-tree, and the memory of its switches.
 *
 *  Switch: c_S = n_p (c_b + c_cr + c_po) + c_r + c_sf + c_clo. Links: c_L = n_l c_cn + l_l c_ml. The number of links and the
 *  length of cables are those of the reference tree times n_l and l_l; l_l of a RUFT is over the tree of its own k and n,
 *  whatever the reference. Source: [gomez2010, 5.4.1, equations 5.1 and 5.2]. */
#ifndef HOLDFAST_COST_H
#define HOLDFAST_COST_H

#include <holdfast/analysis/load.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Columns of table 5.1. RUFT's cables to the terminals have no length, or half of all a tree's cables and half as much again; or
 *  all cables are as long as where the racks stand has it, which is ours: hf_cost_place(). */
typedef enum hf_cost_column {
    HF_COST_ADAPTIVE,
    HF_COST_DETERMINISTIC,
    HF_COST_RUFT_IDEAL,
    HF_COST_RUFT_WORST,
    HF_COST_RUFT_PLACED,
    HF_COST_COLUMNS
} hf_cost_column;
const char *hf_cost_column_name(hf_cost_column column);

/** The parameters of the cost of a switch and of the links, by the symbols of equations 5.1 and 5.2. */
typedef enum hf_cost_parameter {
    HF_COST_N_P, /**< ports of a switch over those of the reference */
    HF_COST_C_B,
    HF_COST_C_CR,
    HF_COST_C_PO,
    HF_COST_C_R,
    HF_COST_C_SF,
    HF_COST_C_CLO,
    HF_COST_N_L, /**< links over those of the reference */
    HF_COST_C_CN,
    HF_COST_L_L, /**< length of cables over that of the reference; of a RUFT over that of its own tree */
    HF_COST_C_ML,
    HF_COST_PARAMETERS
} hf_cost_parameter;

/** A parameter that is counted from the topology. */
#define HF_COST_COUNTED UINT64_MAX
/** Parameters in millionths. */
enum { HF_COST_UNIT = 1000000 };
typedef struct hf_cost_table {
    uint64_t value[HF_COST_COLUMNS][HF_COST_PARAMETERS];
    hf_fraction placed; /**< l_l of a RUFT whose racks have places, where it is counted */
} hf_cost_table;
/** Table 5.1; numbers of ports and links are counted. */
void hf_cost_defaults(hf_cost_table *out);
/** Take parameters from a text: lines "COLUMN PARAMETER VALUE", such as "ruft-worst l_l 1.1"; "*" is every column, # starts a
 *  comment. \param[in] file for messages, which name the line */
hf_status hf_cost_parse(hf_context *cx, const char *file, const char *data, size_t size, hf_cost_table *table);

/** How racks stand: side by side, or row by row on a square floor. */
typedef enum hf_cost_floor { HF_COST_ROW, HF_COST_SQUARE } hf_cost_floor;
/** Length of the cables of a RUFT over that of its tree, each direction for itself. Rack i of k^(n-1) has leaf switch i with its
 *  terminals, and switch i of every other stage. A cable inside of a rack has length 1, one to a rack d away 1 + d, along rows
 *  and columns. So [gomez2010, 6.2] asks for it. Time n k^n. \return HF_ERANGE beyond 2^32 cables */
hf_status hf_cost_place(hf_context *cx, uint32_t k, uint32_t n, hf_cost_floor floor, hf_fraction *out);

/** What switches and links cost, and their sum. */
typedef struct hf_cost {
    hf_fraction switches, links; /**< c_S times the switches over those of the reference; c_L */
    hf_fraction total;
} hf_cost;
/** Cost of a topology. \param[in] reference a k-ary n-tree whose switches, links and cables count as 1; its ports are n_p. Both
 * may be outlines. \return HF_EINVAL for a reference without switches or links, or that is a RUFT; HF_ERANGE if 128 bits do not
 * do
 */
hf_status hf_cost_find(hf_context *cx, const hf_cost_table *table, hf_cost_column column, const hf_topology *topo,
                       const hf_topology *reference, hf_cost *out);
/** a / b; both known, b not 0. \return HF_ERANGE if 128 bits do not do */
hf_status hf_fraction_ratio(hf_context *cx, hf_fraction a, hf_fraction b, hf_fraction *out);
/** Is a rule adaptive on the network without faults: is a packet anywhere offered more than one channel? Several virtual channels
 * of one channel are no choice of a way. Time none where the rule says it, else as one walk over the relation, at most. */
hf_status hf_rule_is_adaptive(hf_context *cx, const hf_topology *topo, const hf_rule *rule, bool *out);
/** The column of a network: by its family and whether the rule is adaptive on it. */
hf_status hf_cost_column_of(hf_context *cx, const hf_topology *topo, const hf_rule *rule, bool is_worst, hf_cost_column *out);
/** The reference of a topology as an outline: the k-ary n-tree itself, or that of the same k and n. \return HF_ENOTSUP for other
 * families */
hf_status hf_cost_reference(hf_context *cx, const hf_topology *topo, hf_topology **out);

/** Memory of a switch for routing. Source: [gomez2010, 3.4.5 and 4.3.5]. */
typedef enum hf_memory_kind {
    HF_MEMORY_TABLE,          /**< deterministic table: N (log N + log 2k) */
    HF_MEMORY_ADAPTIVE_TABLE, /**< N (log N + k log 2k) */
    HF_MEMORY_FT2EI,          /**< 2k (2 + intervals) log N */
    HF_MEMORY_FIR,            /**< 2k (3 log N + 2k) */
} hf_memory_kind;
/** Bits of a switch with 2k ports among N terminals. \param[in] whole logarithms are rounded up, as registers are whole */
double hf_memory_bits(hf_memory_kind kind, double n_terminal, uint32_t k, uint32_t intervals, bool whole);

#ifdef __cplusplus
}
#endif
#endif
