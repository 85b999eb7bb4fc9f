/** \file
 *  What a rule in Lua sees of the network: the fields and methods of "net", documented in docs/lua.md. */
#ifndef HOLDFAST_SRC_ROUTING_LUA_NET_H
#define HOLDFAST_SRC_ROUTING_LUA_NET_H

#include <holdfast/fault.h>

#include "src/core/call.h"

/** A network for one state. */
typedef struct hf_lua_net {
    hf_context *cx; /**< the arena holds the lists */
    const hf_topology *topo;
    const hf_fault_set *faults; /**< NULL: none */
    hf_call_field field[8];
    uint32_t *list;      /**< scratch of n_port_max or n_coord entries */
    uint32_t *size;      /**< n_coord: how many values a coordinate has */
    uint32_t **distance; /**< 2 rows of n_switch: distances to a switch, of all and of healthy channels; NULL: not yet known */
    uint32_t *queue;     /**< n_switch */
    bool was_asked;      /**< for what faults have a say in */
} hf_lua_net;

/** What has failed, as plan() is told. */
typedef struct hf_lua_failed {
    uint32_t *channels, n_channel, *switches, n_switch;
} hf_lua_failed;
/** In the arena. */
hf_status hf_lua_list_failed(hf_context *cx, const hf_fault_set *faults, const hf_topology *topo, hf_lua_failed *out);

/** \param[in] cx its arena holds the net */
hf_status hf_lua_net_init(hf_context *cx, const hf_topology *topo, const hf_fault_set *faults, hf_lua_net *net);
extern const hf_call_method hf_lua_net_methods[];

#endif
