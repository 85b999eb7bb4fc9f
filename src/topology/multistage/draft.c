/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Drafts: lists of nodes and links that grow. */
#include "src/topology/multistage/draft.h"

#include "src/core/grow.h"
#include "src/core/number.h"
#include "src/core/registry.h"

void hf_draft_init(hf_context *cx, const char *file, hf_draft *draft) {
    *draft = (hf_draft){.allocator = *hf_context_allocator(cx), .file = file};
}

void hf_draft_free(hf_draft *draft) {
    hf_release(&draft->allocator, draft->node);
    hf_release(&draft->allocator, draft->link);
    *draft = (hf_draft){.allocator = draft->allocator};
}

hf_status hf_draft_add_node(hf_context *cx, hf_draft *draft, const hf_draft_node *node) {
    HF_GROW(cx, draft->node, draft->n_node, draft->node_capacity);
    draft->node[draft->n_node++] = *node;
    return HF_OK;
}

bool hf_draft_read_flow(hf_slice text, uint32_t *flow) {
    static const char *const words[] = {"credit", "bubble/credit", "credit/bubble", "bubble", NULL}; /* by the bits */
    uint64_t number = hf_words_find(words, text);
    number = hf_slice_is(text, "credit/credit") ? 0 : hf_slice_is(text, "bubble/bubble") ? 3 : number;
    if (number > 3 && !(hf_slice_number(text, 10, &number) && number <= 3)) {
        return false;
    }
    *flow = (uint32_t)number;
    return true;
}

hf_status hf_draft_add_link(hf_context *cx, hf_draft *draft, const hf_draft_link *link) {
    if (link->a == link->b) {
        draft->self_loop = draft->n_self_loop++ ? draft->self_loop : link->line;
        return HF_OK;
    }
    HF_GROW(cx, draft->link, draft->n_link, draft->link_capacity);
    draft->link[draft->n_link++] = *link;
    return HF_OK;
}

hf_status hf_draft_add_terminals(hf_context *cx, hf_draft *draft, uint32_t terminals) {
    const uint32_t n_node = draft->n_node;
    for (uint32_t v = 0; v < n_node; v++) {
        if (draft->node[v].is_terminal) {
            return HF_OK;
        }
    }
    for (uint32_t v = 0; v < n_node; v++) {
        for (uint32_t i = 0; i < terminals; i++) {
            const uint32_t terminal = draft->n_node;
            HF_TRY(hf_draft_add_node(cx, draft, &(hf_draft_node){.is_terminal = true}));
            HF_TRY(hf_draft_add_link(cx, draft,
                                     &(hf_draft_link){.a = terminal,
                                                      .a_port = HF_NONE,
                                                      .b = v,
                                                      .b_port = HF_NONE,
                                                      .latency = HF_NONE,
                                                      .delay_ns = HF_NONE,
                                                      .both_ways = true}));
        }
    }
    return HF_OK;
}
