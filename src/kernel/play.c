/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Traces through the kernel: each message is posted when the one before it starts, so few wait for their cycle at once. */
#include "src/kernel/player.h"

typedef struct tape {
    const hf_messages *messages;
    size_t next;
} tape;

static hf_status post_next(hf_player *p, tape *t) {
    return t->next < t->messages->n ? hf_player_post(p, &t->messages->item[t->next++], 0) : HF_OK;
}

static hf_status happens(hf_player *p, void *driver, uint32_t user, hf_post_end end) {
    (void)user;
    return end == HF_POST_STARTED ? post_next(p, driver) : HF_OK;
}

static hf_status check(hf_context *cx, const hf_messages *messages, uint32_t n_terminal) {
    for (size_t i = 0; i < messages->n; i++) {
        const hf_message *m = &messages->item[i];
        const bool is_late = i > 0 && m->cycle < m[-1].cycle;
        if (m->source >= n_terminal || m->destination >= n_terminal || m->source == m->destination || m->flits == 0 || is_late) {
            HF_FAIL(cx, HF_EINVAL, "message %zu of the trace, from %u to %u, is not right for %u terminals", i, m->source,
                    m->destination, n_terminal);
        }
    }
    return HF_OK;
}

hf_status hf_play_messages(hf_context *cx, const hf_play *play, const hf_messages *messages, hf_play_result *out) {
    tape t = {.messages = messages};
    hf_player *p;
    HF_TRY(check(cx, messages, play->plan->topo->n_terminal));
    HF_TRY(hf_player_new(cx, play, out, &p));
    p->happens = happens;
    p->driver = &t;
    HF_TRY(post_next(p, &t));
    return hf_player_run(p);
}
