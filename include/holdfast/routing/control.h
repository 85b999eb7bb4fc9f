/** \file
 *  Flow control by link: on which channels a buffer of a ring keeps a bubble [puente2004], and which count credits alone. */
#ifndef HOLDFAST_ROUTING_CONTROL_H
#define HOLDFAST_ROUTING_CONTROL_H

#include <holdfast/topology.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Flow control of all channels of a network. Lives in the arena. */
typedef struct hf_flow_control {
    const char *spec;      /**< canonical */
    bool bubble;           /**< some channel keeps bubbles: a packet comes onto a ring over it only where two fit */
    const uint64_t *plain; /**< n_channel bits: channels that keep none; NULL: all of them keep bubbles, or none does */
} hf_flow_control;

/** Read "credit", "bubble", "bubble:WHERE,...": only there, "credit:WHERE,...": everywhere else, or "file": as the attribute
 * "flow" of the links of the network's file says. WHERE is a direction of a grid (x, x+, y-), a universe of links or channels
 *  ("links:stage=1", "groups:PATH"), or the name of a link, a channel or a switch.
 *  \return HF_EINVAL or HF_ENOENT that names the word and what would be right */
hf_status hf_flow_control_read(hf_context *cx, const hf_topology *topo, const char *text, hf_flow_control *out);
/** May it ask for bubbles? For who has no network yet. */
bool hf_flow_control_may_bubble(const char *text);
/** Does this channel keep bubbles? \param[in] plain as above */
static inline bool hf_flow_control_keeps(const uint64_t *plain, uint32_t channel) {
    return !plain || !((plain[channel >> 6] >> (channel & 63)) & 1);
}

/** Of a parameter that takes it. */
#define HF_FLOW_CONTROL_HELP                                                                                                     \
    "flow control: credit, bubble on the rings that the routing declares, bubble:LINKS or credit:LINKS on these "                \
    "alone (x+, links:stage=1, s0:1>s1:0), or file"

#ifdef __cplusplus
}
#endif
#endif
