/** \file
 *  Certificates of deadlock and freedom from it as files: their reader. It knows the form, refuses whatever is missing, unknown
 *  or out of range, and judges nothing; holdfast-check does that, and holdfast simulate --replay puts the packets in place. */
#ifndef HOLDFAST_SRC_ANALYSIS_DEADLOCK_CERTIFICATE_H
#define HOLDFAST_SRC_ANALYSIS_DEADLOCK_CERTIFICATE_H

#include <holdfast/analysis/deadlock.h>

#include "src/bridge/json.h"

/** What a file says. Texts and lists are borrowed from its JSON. */
typedef struct hf_certificate {
    hf_context *cx;
    const char *file;
    bool is_simulation; /**< holdfast simulate wrote it */
    const char *version;
    /* spec */
    const char *topology, *routing, *universe, *failed; /**< the last two may be NULL */
    hf_switching switching;
    const char *flow;
    bool choose_once;
    hf_timing timing;
    /* certificate */
    hf_deadlock_answer answer;
    hf_deadlock_method method; /**< if not of a simulation */
    bool has_serves, serves;
    uint32_t n_vc;
    bool has_escape, is_declared;
    uint64_t escape_vcs;
    const hf_json *conditions, *numbers, *blocked; /**< NULL: null */
} hf_certificate;

/** The method of a deadlock that a simulation came into. */
extern const char hf_method_simulation[];

/** Read all but the packets and numbers. \return HF_EINVAL that names file, place and what would be right */
hf_status hf_certificate_read(hf_context *cx, const char *file, const hf_json *root, hf_certificate *out);
/** What it is about, made anew: names in the file must be those that the program writes. */
typedef struct hf_certificate_net {
    hf_topology *topo;
    hf_universe *universe; /**< NULL: none */
    hf_rule rule;
    bool has_rule;
    hf_fault_set faults;
    hf_plan plan;
    hf_flow_control control;
} hf_certificate_net;
/** Free with hf_certificate_net_free(), also after a failure. `net` is zero before. */
hf_status hf_certificate_open(const hf_certificate *c, hf_certificate_net *net);
void hf_certificate_net_free(hf_certificate_net *net);
/** One number for each resource, -1: none. \param[out] number in the arena */
hf_status hf_certificate_numbers(const hf_certificate *c, const hf_certificate_net *net, int64_t **number);
/** Packet i of `blocked`; arrays in the arena. */
hf_status hf_certificate_packet(const hf_certificate *c, const hf_certificate_net *net, size_t i, hf_blocked *out);

#endif
