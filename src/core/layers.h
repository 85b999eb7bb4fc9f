/** \file
 *  Layers of ways: each layer holds dependencies between vertices without a cycle.
 *
 *  A dependency has a number that all layers share, so that what is known of it in 64 layers is two words: where it lies, and
 *  where it would close a cycle for good, as layers only fill. Most ways are placed by these words alone. Where they do not say,
 *  the dependency is put into the layer's topological order, by the two-way search of [haeupler2012, section 3].
 *
 *  What has been put can be kept. What is put later is then taken back at once, as often as asked. */
#ifndef HOLDFAST_SRC_CORE_LAYERS_H
#define HOLDFAST_SRC_CORE_LAYERS_H

#include <holdfast/core/context.h>

enum { HF_LAYERS_MAX = 64 };

/** A dependency; layer l is bit l. */
typedef struct hf_layer_edge {
    uint32_t from, to;
    uint32_t next_out, next_in; /**< number + 1 of the next one from `from`, to `to`; 0: none */
    uint64_t laid;              /**< layers that have it */
    uint64_t refused;           /**< layers in which it would close a cycle, whatever else comes */
    uint64_t kept_laid, kept_refused;
} hf_layer_edge;

/** A topological order as a list of all vertices, with labels that rise along it. Place n_vertex stands for both ends. */
typedef struct hf_layer_order {
    uint64_t *label;
    uint32_t *next, *previous;
} hf_layer_order;

/** Vertices that one direction of a search has met. */
typedef struct hf_layer_front {
    uint32_t *heap, *done; /**< to be gone on from; gone on from, in that order */
    uint32_t n_heap, n_done;
} hf_layer_front;

typedef struct hf_layer_set {
    uint32_t n_vertex, n_edge, n_layer;
    uint32_t *out, *in; /**< n_vertex: number + 1 of the first dependency from it, to it */
    hf_layer_edge *edge;
    size_t room;
    hf_layer_order order[HF_LAYERS_MAX];
    hf_layer_front ahead, back;
    uint64_t *mark, now; /**< of searches: 2 now: met from behind, 2 now + 1: met ahead */
    uint32_t *changed;   /**< dependencies with other words than were kept; NULL: nothing is kept */
    uint32_t n_changed;
    size_t room_changed;
    uint64_t changed_layers; /**< layers that have more than was kept */
} hf_layer_set;

/** No layers yet, in the arena. \return HF_ENOMEM */
hf_status hf_layers_init(hf_context *cx, uint32_t n_vertex, hf_layer_set *out);
/** The number of the dependency of `to` on `from`; a new one lies in no layer. Time O(dependencies from `from`). \return
 * HF_ENOMEM */
hf_status hf_layers_edge(hf_context *cx, hf_layer_set *set, uint32_t from, uint32_t to, uint32_t *edge);
/** Put a way of `n` dependencies on the lowest layer where they close no cycle; a new layer if there is none. What layer that is
 *  depends on the ways put so far and on nothing else.
 *  \param[out] layer HF_NONE: none of HF_LAYERS_MAX takes it \return HF_ENOMEM
 *  Time O(n) where the words tell; else O(sqrt(m)) dependencies on average over the m that are laid, times a logarithm. */
hf_status hf_layers_put(hf_context *cx, hf_layer_set *set, const uint32_t *edges, uint32_t n, uint32_t *layer);
/** The same for a way whose dependencies from `n_new` on are a way that was put on layer `least`: the layers below refuse that
 *  already, and always will, as they only grow. \param[in] n_new n, and least 0: nothing of it was put */
hf_status hf_layers_extend(hf_context *cx, hf_layer_set *set, const uint32_t *edges, uint32_t n, uint32_t n_new, uint32_t least,
                           uint32_t *layer);
/** Keep what has been put so far. \return HF_ENOMEM */
hf_status hf_layers_keep(hf_context *cx, hf_layer_set *set);
/** Take back what was put since. Numbers of dependencies stay, and so does what a layer as it was kept refuses. Time O(what
 * changed) */
void hf_layers_take_back(hf_layer_set *set);

#endif
