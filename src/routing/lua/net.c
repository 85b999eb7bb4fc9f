/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The methods of "net". Ids are those of names: switch 3 is s3, terminal 3 is t3; channels have numbers. */
#include "src/routing/lua/net.h"

#include <string.h>

#include "src/topology/search.h"

static const hf_topology *topo_of(void *user) { return ((const hf_lua_net *)user)->topo; }

static bool joins_switches(const hf_topology *topo, uint32_t channel) {
    return !hf_topology_is_terminal(topo, topo->from[channel]) && !hf_topology_is_terminal(topo, topo->to[channel]);
}

/* family() -> "mesh", spec() -> "mesh:dims=4x4" */
static void family(hf_call *call, void *user) { hf_call_give_text(call, topo_of(user)->kind->name); }

static void spec(hf_call *call, void *user) { hf_call_give_text(call, topo_of(user)->spec); }

/* ---- coordinates ---- */

/* coord(switch) -> list, coord(switch, i) -> number; i from 1 */
static void coord(hf_call *call, void *user) {
    const hf_topology *topo = topo_of(user);
    uint32_t sw, i;
    if (!hf_call_take(call, "a switch", topo->n_switch, &sw)) {
        return;
    }
    const uint32_t *row = topo->coord + (size_t)sw * topo->n_coord;
    if (!hf_call_has_more(call)) {
        hf_call_give_list(call, row, topo->n_coord);
    } else if (hf_call_take(call, "the number of a coordinate", topo->n_coord + 1, &i) && i > 0) {
        hf_call_give(call, row[i - 1]);
    }
}

/* size(i) -> number of values of coordinate i */
static void size_of(hf_call *call, void *user) {
    const hf_lua_net *net = user;
    uint32_t i;
    if (hf_call_take(call, "the number of a coordinate", net->topo->n_coord + 1, &i) && i > 0) {
        hf_call_give(call, net->size[i - 1]);
    }
}

/* switch_at(x, y, ...) -> switch or nil */
static void switch_at(hf_call *call, void *user) {
    const hf_lua_net *net = user;
    const hf_topology *topo = net->topo;
    for (uint32_t i = 0; i < topo->n_coord; i++) {
        if (!hf_call_take(call, "a coordinate", HF_NONE, &net->list[i])) {
            return;
        }
    }
    for (uint32_t v = 0; topo->n_coord > 0 && v < topo->n_switch; v++) {
        if (memcmp(topo->coord + (size_t)v * topo->n_coord, net->list, topo->n_coord * sizeof *net->list) == 0) {
            hf_call_give(call, v);
            return;
        }
    }
}

/* attribute(name, switch) -> number or nil */
static void attribute(hf_call *call, void *user) {
    const hf_topology *topo = topo_of(user);
    const char *name;
    uint32_t sw;
    if (!hf_call_take_text(call, "the name of an attribute", &name) || !hf_call_take(call, "a switch", topo->n_switch, &sw)) {
        return;
    }
    const hf_attribute *a = hf_topology_attribute(topo, name);
    if (a && a->of_switch[sw] != HF_NONE) {
        hf_call_give(call, a->of_switch[sw]);
    }
}

/* ---- switches and terminals ---- */

/* What a channel of a switch counts for in a list, HF_NONE: it does not. */
typedef uint32_t listed(const hf_topology *topo, uint32_t c);

/* One list of what the channels of a switch count for, by port. */
static void give_listed(hf_call *call, const hf_lua_net *net, listed *of) {
    const hf_topology *topo = net->topo;
    uint32_t sw, n = 0;
    if (!hf_call_take(call, "a switch", topo->n_switch, &sw)) {
        return;
    }
    for (uint32_t i = topo->out_begin[sw]; i < topo->out_begin[sw + 1]; i++) {
        const uint32_t item = of(topo, topo->out_list[i]);
        if (item != HF_NONE) {
            net->list[n++] = item;
        }
    }
    hf_call_give_list(call, net->list, n);
}

/* channels(switch) -> those to other switches */
static uint32_t itself(const hf_topology *topo, uint32_t c) { return joins_switches(topo, c) ? c : HF_NONE; }
static void channels(hf_call *call, void *user) { give_listed(call, user, itself); }

/* neighbours(switch) -> where its channels lead */
static uint32_t other_end(const hf_topology *topo, uint32_t c) { return joins_switches(topo, c) ? topo->to[c] : HF_NONE; }
static void neighbours(hf_call *call, void *user) { give_listed(call, user, other_end); }

/* terminals(switch) -> list */
static uint32_t terminal_of(const hf_topology *topo, uint32_t c) {
    return hf_topology_is_terminal(topo, topo->to[c]) ? topo->to[c] - topo->n_switch : HF_NONE;
}
static void terminals(hf_call *call, void *user) { give_listed(call, user, terminal_of); }

/* The first channel out of the network, and into it, of a terminal. */
static uint32_t way_out(const hf_topology *topo, uint32_t t) { return topo->in_list[topo->in_begin[topo->n_switch + t]]; }
static uint32_t way_in(const hf_topology *topo, uint32_t t) { return topo->out_list[topo->out_begin[topo->n_switch + t]]; }

/* switch_of(terminal) -> the switch that leads to it */
static void switch_of(hf_call *call, void *user) {
    const hf_topology *topo = topo_of(user);
    uint32_t t;
    if (hf_call_take(call, "a terminal", topo->n_terminal, &t)) {
        hf_call_give(call, topo->from[way_out(topo, t)]);
    }
}

/* eject(terminal) -> channel from its switch, inject(terminal) -> channel to a switch */
static void eject(hf_call *call, void *user) {
    const hf_topology *topo = topo_of(user);
    uint32_t t;
    if (hf_call_take(call, "a terminal", topo->n_terminal, &t)) {
        hf_call_give(call, way_out(topo, t));
    }
}

static void inject(hf_call *call, void *user) {
    const hf_topology *topo = topo_of(user);
    uint32_t t;
    if (hf_call_take(call, "a terminal", topo->n_terminal, &t)) {
        hf_call_give(call, way_in(topo, t));
    }
}

/* channel_to(a, b) -> the first channel from switch a to switch b, or nil */
static void channel_to(hf_call *call, void *user) {
    const hf_topology *topo = topo_of(user);
    uint32_t a, b;
    if (hf_call_take(call, "a switch", topo->n_switch, &a) && hf_call_take(call, "a switch", topo->n_switch, &b)) {
        for (uint32_t i = topo->out_begin[a]; i < topo->out_begin[a + 1]; i++) {
            if (topo->to[topo->out_list[i]] == b) {
                hf_call_give(call, topo->out_list[i]);
                return;
            }
        }
    }
}

/* channel(switch, port) -> channel or nil */
static void channel(hf_call *call, void *user) {
    const hf_topology *topo = topo_of(user);
    uint32_t sw, port;
    if (!hf_call_take(call, "a switch", topo->n_switch, &sw) || !hf_call_take(call, "a port", HF_NONE, &port)) {
        return;
    }
    const uint32_t c = hf_topology_channel_at(topo, sw, port);
    if (c != HF_NONE) {
        hf_call_give(call, c);
    }
}

/* ---- channels ---- */

static bool take_channel(hf_call *call, const hf_topology *topo, uint32_t *c) {
    return hf_call_take(call, "a channel", topo->n_channel, c);
}

/* from(channel), to(channel) -> switch, nil if it is a terminal */
static void from(hf_call *call, void *user) {
    const hf_topology *topo = topo_of(user);
    uint32_t c;
    if (take_channel(call, topo, &c) && !hf_topology_is_terminal(topo, topo->from[c])) {
        hf_call_give(call, topo->from[c]);
    }
}

static void to(hf_call *call, void *user) {
    const hf_topology *topo = topo_of(user);
    uint32_t c;
    if (take_channel(call, topo, &c) && !hf_topology_is_terminal(topo, topo->to[c])) {
        hf_call_give(call, topo->to[c]);
    }
}

/* from_port(channel), to_port(channel) -> port */
static void from_port(hf_call *call, void *user) {
    const hf_topology *topo = topo_of(user);
    uint32_t c;
    if (take_channel(call, topo, &c)) {
        hf_call_give(call, topo->from_port[c]);
    }
}

static void to_port(hf_call *call, void *user) {
    const hf_topology *topo = topo_of(user);
    uint32_t c;
    if (take_channel(call, topo, &c)) {
        hf_call_give(call, topo->to_port[c]);
    }
}

/* reverse(channel) -> channel or nil */
static void reverse(hf_call *call, void *user) {
    const hf_topology *topo = topo_of(user);
    uint32_t c;
    if (take_channel(call, topo, &c) && topo->reverse[c] != HF_NONE) {
        hf_call_give(call, topo->reverse[c]);
    }
}

/* name(channel) -> "s8:3>s18:0" */
static void name(hf_call *call, void *user) {
    const hf_topology *topo = topo_of(user);
    uint32_t c;
    if (take_channel(call, topo, &c)) {
        hf_topology_channel_name(topo, c, call->text, sizeof call->text);
        hf_call_give_text(call, call->text);
    }
}

/* label(switch) -> the file's name of it, or nil */
static void label(hf_call *call, void *user) {
    const hf_topology *topo = topo_of(user);
    uint32_t sw;
    if (hf_call_take(call, "a switch", topo->n_switch, &sw) && topo->label && topo->label[sw]) {
        hf_call_give_text(call, topo->label[sw]);
    }
}

/* ---- faults and distances ---- */

/* Ask the network, and note it. */
static uint32_t ask(hf_lua_net *net, hf_lua_query query) {
    const uint32_t value = hf_lua_net_answer(net, query);
    hf_lua_trace *t = net->trace;
    net->was_asked = true;
    for (uint32_t i = 0; t && i < t->n; i++) {
        if (t->item[i].query == query) {
            return value;
        }
    }
    if (t && t->n < HF_LUA_TRACE_MOST) {
        t->item[t->n].query = query;
        t->item[t->n++].value = value;
    } else if (t) {
        t->is_over = true;
    }
    return value;
}

/* failed(channel), switch_failed(switch) -> boolean */
static void failed(hf_call *call, void *user) {
    hf_lua_net *net = user;
    uint32_t c;
    if (take_channel(call, net->topo, &c)) {
        hf_call_give_truth(call, ask(net, hf_lua_query_of(HF_LUA_FAILED, c, 0)));
    }
}

static void switch_failed(hf_call *call, void *user) {
    hf_lua_net *net = user;
    uint32_t sw;
    if (hf_call_take(call, "a switch", net->topo->n_switch, &sw)) {
        hf_call_give_truth(call, ask(net, hf_lua_query_of(HF_LUA_SWITCH_FAILED, sw, 0)));
    }
}

/* Does a healthy channel lead from a switch to one that is nearer, by a row without faults? */
static bool has_way_on(const hf_lua_net *net, const uint32_t *row, uint32_t sw) {
    const hf_topology *topo = net->topo;
    for (uint32_t i = topo->out_begin[sw]; i < topo->out_begin[sw + 1]; i++) {
        const uint32_t c = topo->out_list[i];
        if (joins_switches(topo, c) && row[topo->to[c]] + 1 == row[sw] && !hf_bit_test(net->faults->channel_set, c)) {
            return true;
        }
    }
    return false;
}

/* Do faults make a row without faults another? Not if each switch has a channel left to one that is nearer. */
static bool is_touched(const hf_lua_net *net, const uint32_t *row) {
    const hf_topology *topo = net->topo;
    const hf_fault_set *f = net->faults;
    for (uint32_t i = 0; f && i < f->n_channel; i++) {
        const uint32_t c = f->channel[i];
        const bool is_on = joins_switches(topo, c) && row[topo->to[c]] != HF_NONE && row[topo->from[c]] == row[topo->to[c]] + 1;
        if (is_on && !has_way_on(net, row, topo->from[c])) {
            return true;
        }
    }
    return false;
}

const uint32_t *hf_lua_net_row(hf_lua_net *net, uint32_t b, bool only_healthy) {
    const uint32_t n = net->topo->n_switch;
    uint32_t **row = &net->distance[(only_healthy ? n : 0) + b];
    if (*row) {
        return *row;
    }
    net->has_rows |= only_healthy;
    if (only_healthy && net->distance[b] && !is_touched(net, net->distance[b])) {
        return *row = net->distance[b];
    }
    net->failure = hf_scratch(net->cx, n, sizeof **row, (void **)row);
    if (net->failure == HF_OK) {
        const uint64_t *gone = only_healthy && net->faults ? net->faults->channel_set : NULL;
        hf_switch_distances(net->topo, gone, b, true, net->queue, *row);
    }
    return *row;
}

uint32_t hf_lua_net_distance(hf_lua_net *net, uint32_t a, uint32_t b) {
    const uint32_t *row = hf_lua_net_row(net, b, true);
    return row ? row[a] : HF_NONE;
}

void hf_lua_net_turn(hf_lua_net *net, const hf_fault_set *faults) {
    net->faults = faults;
    net->failure = HF_OK;
    if (net->has_rows) {
        memset(net->distance + net->topo->n_switch, 0, net->topo->n_switch * sizeof *net->distance);
        net->has_rows = false;
    }
}

static void give_distance(hf_call *call, hf_lua_net *net, bool only_healthy) {
    const uint32_t n = net->topo->n_switch;
    uint32_t a, b;
    if (!hf_call_take(call, "a switch", n, &a) || !hf_call_take(call, "a switch", n, &b)) {
        return;
    }
    const bool is_new = !net->distance[(only_healthy ? n : 0) + b];
    const uint32_t *row = hf_lua_net_row(net, b, only_healthy);
    if (!row) {
        call->failure = net->failure;
        return;
    }
    call->held += is_new ? n * sizeof *row : 0;
    const uint32_t hops = only_healthy ? ask(net, hf_lua_query_of(HF_LUA_HEALTHY_DISTANCE, a, b)) : row[a];
    if (hops != HF_NONE) {
        hf_call_give(call, hops);
    }
}

/* distance(a, b) -> hops between two switches without faults, healthy_distance(a, b) -> under the faults; nil: no way */
static void distance(hf_call *call, void *user) { give_distance(call, user, false); }

static void healthy_distance(hf_call *call, void *user) { give_distance(call, user, true); }

const hf_call_method hf_lua_net_methods[] = {
    {"family", family},
    {"spec", spec},
    {"coord", coord},
    {"size", size_of},
    {"switch_at", switch_at},
    {"attribute", attribute},
    {"channels", channels},
    {"neighbours", neighbours},
    {"terminals", terminals},
    {"switch_of", switch_of},
    {"eject", eject},
    {"inject", inject},
    {"channel_to", channel_to},
    {"channel", channel},
    {"from", from},
    {"to", to},
    {"from_port", from_port},
    {"to_port", to_port},
    {"reverse", reverse},
    {"name", name},
    {"label", label},
    {"failed", failed},
    {"switch_failed", switch_failed},
    {"distance", distance},
    {"healthy_distance", healthy_distance},
    {0},
};

hf_status hf_lua_net_init(hf_context *cx, const hf_topology *topo, const hf_fault_set *faults, hf_lua_net *net) {
    *net = (hf_lua_net){
        .cx = cx,
        .topo = topo,
        .faults = faults,
        .field = {{"n_switch", topo->n_switch},
                  {"n_terminal", topo->n_terminal},
                  {"n_channel", topo->n_channel},
                  {"n_link", topo->n_link},
                  {"n_coord", topo->n_coord},
                  {0}},
    };
    uint32_t most = topo->n_coord;
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        const uint32_t n = topo->out_begin[v + 1] - topo->out_begin[v];
        most = n > most ? n : most;
    }
    HF_TRY(hf_scratch(cx, most + 1, sizeof *net->list, (void **)&net->list));
    HF_TRY(hf_scratch(cx, topo->n_coord + 1, sizeof *net->size, (void **)&net->size));
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *net->queue, (void **)&net->queue));
    HF_TRY(hf_scratch(cx, 2 * (size_t)topo->n_switch, sizeof *net->distance, (void **)&net->distance));
    for (size_t i = 0; i < (size_t)topo->n_switch * topo->n_coord; i++) {
        uint32_t *size = &net->size[i % topo->n_coord];
        *size = topo->coord[i] >= *size ? topo->coord[i] + 1 : *size;
    }
    return HF_OK;
}

hf_status hf_lua_list_failed(hf_context *cx, const hf_fault_set *faults, const hf_topology *topo, hf_lua_failed *out) {
    *out = (hf_lua_failed){0};
    HF_TRY(hf_scratch(cx, faults->n_channel + 1, sizeof *out->channels, (void **)&out->channels));
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *out->switches, (void **)&out->switches));
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        if (hf_bit_test(faults->channel_set, c)) {
            out->channels[out->n_channel++] = c;
        }
    }
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        if (hf_bit_test(faults->switch_set, v)) {
            out->switches[out->n_switch++] = v;
        }
    }
    return HF_OK;
}
