/** \file
 *  What files of simulators ask of a network and its links, and the hosts that its terminals are. */
#ifndef HOLDFAST_SRC_FORMAT_HOSTS_H
#define HOLDFAST_SRC_FORMAT_HOSTS_H

#include <holdfast/topology.h>

/** Hosts, by number: a terminal each, or the terminals that a file calls NAME/P1, NAME/P2 ..., one behind the other, which are
 *  the ports of one. */
typedef struct hf_hosts {
    uint32_t n;
    uint32_t *first; /**< n + 1: host h is the terminals first[h] .. first[h + 1] - 1 */
    uint32_t *of;    /**< by terminal */
} hf_hosts;

/** In the arena. */
hf_status hf_hosts_make(hf_context *cx, const hf_topology *topo, hf_hosts *out);
/** The name of a host, without quotes, and, where it has several terminals, without the port. \param[out] text HF_NAME_SIZE bytes
 */
void hf_hosts_name(const hf_topology *topo, const hf_hosts *hosts, uint32_t host, char *text);
/** The port in the name of a terminal NAME/P2. \return 0: there is none */
uint32_t hf_hosts_port(const hf_topology *topo, uint32_t terminal);
/** Has every link both directions? \param[in] files for the message: "anynet files" */
hf_status hf_hosts_both_ways(hf_context *cx, const hf_topology *topo, const char *files);

/** Data rate and delay of a link, of which simulators have to be told: 100 Gbit/s and 1 us where the network says none. A rate of
 *  0 is none, a delay of 0 is one. */
uint32_t hf_hosts_rate_mbps(const hf_topology *topo, uint32_t link);
uint32_t hf_hosts_delay_ns(const hf_topology *topo, uint32_t link);

#endif
