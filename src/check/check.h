/** \file
 *  holdfast-check: reads what `holdfast verify --certificate` wrote and confirms it from the routing relation alone. It shares
 * the topologies and the relation with holdfast, and none of the code that decides. Everything here is slow and obvious on
 * purpose. */
#ifndef HOLDFAST_SRC_CHECK_CHECK_H
#define HOLDFAST_SRC_CHECK_CHECK_H

#include <holdfast/deadlock.h>

#include "src/bridge/json.h"

typedef struct check {
    hf_context *cx;
    const char *file;
    hf_topology *topo;
    hf_universe *universe;
    hf_rule rule;
    bool has_rule;
    hf_fault_set faults;
    hf_plan plan;
    const hf_json *spec, *certificate;
    int64_t *number; /* by resource, -1: not used */
    uint32_t n_resource;
    const char *verdict, *method;
    bool escape_declared;
    uint64_t escape_vcs;
    bool refuted;
    char why[512];
} check;

/** One place where a packet can be: it came in by `in` (injected: HF_HOP_INJECTION) and may go on by `hop`. */
typedef struct place {
    hf_hop in;
    uint32_t at;
    size_t n_hop;
    hf_hop *hop;
} place;

/** Note the first thing that is wrong. */
__attribute__((format(printf, 2, 3))) void check_refute(check *c, const char *format, ...);
/** Resource of a hop. */
static inline uint32_t check_resource(const check *c, hf_hop hop) { return hop.channel * c->plan.n_vc + hop.vc; }
/** All places where packets for `destination` can be; in the arena. */
hf_status check_places(check *c, uint32_t destination, place **places, size_t *count);
/** Hops at a place over healthy channels; room for plan.max_hops. */
size_t check_hops(const check *c, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops);

hf_status check_free(check *c);
hf_status check_deadlock(check *c);

/** Check a certificate in memory. \param[in,out] c cx and file (for messages) are set, all else is zero; `refuted` and `why` tell
 *  the outcome, `verdict` is a constant text. \return HF_EINVAL where it is no certificate, and what making the plan returns */
hf_status check_certificate(check *c, const char *data, size_t size);

#endif
