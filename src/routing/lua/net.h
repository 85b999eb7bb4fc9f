/** \file
 *  What a rule in Lua sees of the network: the fields and methods of "net", documented in docs/lua.md. */
#ifndef HOLDFAST_SRC_ROUTING_LUA_NET_H
#define HOLDFAST_SRC_ROUTING_LUA_NET_H

#include <holdfast/core/bitset.h>
#include <holdfast/fault.h>

#include "src/core/call.h"

/** A question about faults: of what kind in the upper two bits, of what in twice 31 bits. */
typedef uint64_t hf_lua_query;
enum { HF_LUA_FAILED = 0, HF_LUA_SWITCH_FAILED = 1, HF_LUA_HEALTHY_DISTANCE = 2 };
static inline hf_lua_query hf_lua_query_of(uint64_t kind, uint64_t a, uint64_t b) { return kind << 62 | a << 31 | b; }
static inline uint32_t hf_lua_query_kind(hf_lua_query q) { return (uint32_t)(q >> 62); }
static inline uint32_t hf_lua_query_a(hf_lua_query q) { return (uint32_t)(q >> 31) & 0x7fffffffu; }
static inline uint32_t hf_lua_query_b(hf_lua_query q) { return (uint32_t)q & 0x7fffffffu; }
/** Are there more answers than yes and no? */
static inline bool hf_lua_query_has_many(hf_lua_query q) { return hf_lua_query_kind(q) == HF_LUA_HEALTHY_DISTANCE; }

/** The questions of one call and what the network answered, each once, in their order. */
enum { HF_LUA_TRACE_MOST = 1024 };
typedef struct hf_lua_trace {
    struct {
        hf_lua_query query;
        uint32_t value;
    } item[HF_LUA_TRACE_MOST];
    uint32_t n;
    bool is_over; /**< there were more */
} hf_lua_trace;

/** A network for one state. */
typedef struct hf_lua_net {
    hf_context *cx; /**< the arena holds the lists */
    const hf_topology *topo;
    const hf_fault_set *faults; /**< NULL: none */
    hf_call_field field[8];
    uint32_t *list;      /**< scratch of n_port_max or n_coord entries */
    uint32_t *size;      /**< n_coord: how many values a coordinate has */
    uint32_t **distance; /**< 2 rows of n_switch: distances to a switch, of all and of healthy channels; NULL: not yet known */
    bool has_rows;       /**< some of healthy channels are */
    uint32_t *queue;     /**< n_switch */
    bool was_asked;      /**< for what faults have a say in */
    hf_lua_trace *trace; /**< NULL, or: what it is asked goes in here, too */
    hf_status failure;   /**< of hf_lua_net_answer() */
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
/** Under other faults from now on. What was in the arena for those before is forgotten. */
void hf_lua_net_turn(hf_lua_net *net, const hf_fault_set *faults);
/** Hops of every switch to switch b over healthy channels, n_switch entries; NULL: no memory, see `failure`. Where faults
 *  change none of them, the row without faults, if that is known. */
const uint32_t *hf_lua_net_row(hf_lua_net *net, uint32_t b, bool only_healthy);
uint32_t hf_lua_net_distance(hf_lua_net *net, uint32_t a, uint32_t b);

/** What the network says to a question: 0 or 1; hops, HF_NONE: no way. */
static inline uint32_t hf_lua_net_answer(hf_lua_net *net, hf_lua_query q) {
    const uint32_t kind = hf_lua_query_kind(q);
    if (kind == HF_LUA_HEALTHY_DISTANCE) {
        return hf_lua_net_distance(net, hf_lua_query_a(q), hf_lua_query_b(q));
    }
    const hf_fault_set *f = net->faults;
    return f && hf_bit_test(kind == HF_LUA_FAILED ? f->channel_set : f->switch_set, hf_lua_query_a(q));
}

#endif
