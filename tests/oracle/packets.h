/** \file
 *  Explicit search over configurations of packets in a small network of packet switching with one buffer for each (channel,
 *  virtual channel): the slow, obvious twin of the fixpoint. And random relations to try it on. */
#ifndef HOLDFAST_TESTS_ORACLE_PACKETS_H
#define HOLDFAST_TESTS_ORACLE_PACKETS_H

#include <holdfast/analysis/deadlock.h>

typedef enum packets_answer { PACKETS_FREE, PACKETS_DEADLOCK, PACKETS_TOO_MANY } packets_answer;

/** From the empty network: inject anywhere that there is a flow, move, deliver, in every order; is a configuration reached in
 *  which some packets can never move again? Gives up after `limit` configurations. \param[in] n_tag tags are below; a packet is
 *  its destination and tag */
packets_answer packets_search(const hf_plan *plan, uint32_t n_tag, size_t limit);

/** A random relation on `topo`: at every switch, for every arrival and destination, some hops. */
typedef struct packets_relation {
    const hf_topology *topo;
    uint32_t n_vc, n_tag;
    bool spreads;   /**< packets are injected on virtual channel destination mod n_vc, else on 0; not for packets_search() */
    bool by_source; /**< the tag is the source and stays; else a hop writes it, and headers begin with 0 */
    uint64_t *mask; /**< arrival resource x n_tag x n_terminal: bits over out slots of the switch, each with every tag */
} packets_relation;
/** \param[in] hops_max most hops in one place \param[in] one_way only forward channels of links between switches */
void packets_relation_make(const hf_topology *topo, uint32_t n_vc, uint64_t seed, uint32_t hops_max, bool one_way,
                           packets_relation *out);
/** The same with headers: what is offered depends on the tag, and hops write it; or the tag is the source. */
void packets_relation_tagged(const hf_topology *topo, uint32_t n_vc, uint32_t n_tag, bool by_source, uint64_t seed,
                             uint32_t hops_max, packets_relation *out);
/** A relation without hops, to be filled by hand. */
void packets_relation_empty(const hf_topology *topo, uint32_t n_vc, packets_relation *out);
/** A packet for terminal `destination` that came from node `from` to switch `at` may go on to node `to`; on VC 0, and the first
 * of several links. */
void packets_relation_add(packets_relation *relation, uint32_t destination, uint32_t from, uint32_t at, uint32_t to);
void packets_relation_free(packets_relation *relation);
/** A plan of it; `faults` is borrowed. */
hf_plan packets_plan(const packets_relation *relation, const hf_fault_set *faults);

#endif
