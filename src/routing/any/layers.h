/** \file
 *  Layers of ways: each layer holds dependencies between channels without a cycle. */
#ifndef HOLDFAST_SRC_ROUTING_ANY_LAYERS_H
#define HOLDFAST_SRC_ROUTING_ANY_LAYERS_H

#include "src/routing/any/goals.h"

enum { HF_LAYERS_MAX = 64 };

typedef struct hf_layer_set {
    const hf_topology *topo;
    uint32_t n_layer;
    uint32_t degree;              /**< slots of a channel: places among the channels that leave its end */
    uint32_t *place;              /**< n_channel: place among those that leave its beginning */
    uint8_t *edge[HF_LAYERS_MAX]; /**< n_channel rows of `degree`: is there that dependency? */
    uint32_t *stamp, now, *stack; /**< of searches, n_channel each */
} hf_layer_set;

hf_status hf_layers_init(hf_context *cx, const hf_topology *topo, hf_layer_set *out);
/** Put a way of `n` channels on the lowest layer where its dependencies close no cycle; a new layer if there is none.
 *  \return HF_ERANGE for more than HF_LAYERS_MAX */
hf_status hf_layers_put(hf_context *cx, hf_layer_set *layers, const uint32_t *way, uint32_t n, uint32_t *layer);

#endif
