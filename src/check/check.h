/** \file
 *  holdfast-check: reads what `holdfast verify --certificate` or `holdfast simulate --certificate` wrote and confirms it from the
 * routing relation alone. It shares the topologies, the relation and the reader of files with holdfast, and none of the code that
 * decides. Everything here is slow and obvious on purpose. */
#ifndef HOLDFAST_SRC_CHECK_CHECK_H
#define HOLDFAST_SRC_CHECK_CHECK_H

#include "src/analysis/deadlock/certificate.h"

/** What comes of a file that is a certificate. */
typedef enum check_outcome {
    CHECK_CONFIRMED,
    CHECK_REFUTED, /**< something in it is not so */
    CHECK_OPEN     /**< nothing in it is wrong, but it holds no proof that can be followed */
} check_outcome;

typedef struct check {
    hf_context *cx;
    const char *file;
    const char *version; /**< whose files are checked; NULL: this program's */
    hf_certificate is;   /**< what the file says */
    hf_certificate_net net;
    int64_t *number; /**< by resource, -1: not used */
    uint32_t n_resource;
    check_outcome outcome;
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
/** Note why it cannot be checked, unless something is wrong. */
__attribute__((format(printf, 2, 3))) void check_leave_open(check *c, const char *format, ...);
static inline bool check_is_refuted(const check *c) { return c->outcome == CHECK_REFUTED; }
/** Resource of a hop. */
static inline uint32_t check_resource(const check *c, hf_hop hop) { return hop.channel * c->net.plan.n_vc + hop.vc; }
/** Ring of a resource with bubbles, HF_NONE: none, or the flow control keeps no bubbles. */
uint32_t check_ring(const check *c, uint32_t resource);
/** Does the flow control keep bubbles on some ring of this plan? */
bool check_has_rings(const check *c);
/** All places where packets for `destination` can be; in the arena. */
hf_status check_places(check *c, uint32_t destination, place **places, size_t *count);
/** Hops at a place over healthy channels. \param[out] hops room for plan.max_hops \return as hf_plan_read() */
hf_status check_hops(const check *c, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops, size_t *n);

hf_status check_free(check *c);
hf_status check_deadlock(check *c);
/** Can these packets, each sent once and as long as what it holds, get where they are in lockstep? Left open if not found. */
hf_status check_lockstep(check *c, const hf_blocked *packet, uint32_t n);

/** Check a certificate in memory. \param[in,out] c cx, file (for messages) and perhaps version are set, all else is zero;
 * `outcome` and `why` tell what came of it, and of `is` the numbers and words. \return HF_EINVAL where it is no certificate, and
 * what making the plan returns */
hf_status check_certificate(check *c, const char *data, size_t size);

#endif
