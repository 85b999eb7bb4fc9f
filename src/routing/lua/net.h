/** \file
 *  What a rule in Lua sees of the network: the fields and methods of "net", documented in docs/lua.md. */
#ifndef HOLDFAST_SRC_ROUTING_LUA_NET_H
#define HOLDFAST_SRC_ROUTING_LUA_NET_H

#include <holdfast/fault.h>

#include "src/bridge/lua.h"

/** A network for one state. */
typedef struct hf_lua_net {
    hf_context *cx; /**< the arena holds the lists */
    const hf_topology *topo;
    const hf_fault_set *faults; /**< NULL: none */
    hf_lua_field field[8];
    uint32_t *list;      /**< scratch of n_port_max or n_coord entries */
    uint32_t *size;      /**< n_coord: how many values a coordinate has */
    uint32_t **distance; /**< 2 rows of n_switch: distances to a switch, of all and of healthy channels; NULL: not yet known */
    uint32_t *queue;     /**< n_switch */
    bool was_asked;      /**< for what faults have a say in */
} hf_lua_net;

/** \param[in] cx its arena holds the net */
hf_status hf_lua_net_init(hf_context *cx, const hf_topology *topo, const hf_fault_set *faults, hf_lua_net *net);
extern const hf_lua_method hf_lua_net_methods[];

#endif
