/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Programs through the kernel: a block is activated when all messages that target it are there, and sends its own at their
 *  offsets. Source: [brown2002, 3.2 to 3.4]. The kernel stands for the network without losses of its section 4.5. */
#include <holdfast/protocol.h>

#include "src/kernel/player.h"

typedef struct run {
    const hf_program *program;
    uint32_t *missing; /**< by block: signals still to come */
    uint64_t end;      /**< of the work of the blocks activated so far */
    uint32_t open;     /**< messages not yet delivered */
} run;

static hf_status activate(hf_player *p, run *g, uint32_t block) {
    const hf_program_block *b = &g->program->blocks[block];
    const uint64_t now = p->k->counts.cycle;
    g->end = now + b->time > g->end ? now + b->time : g->end;
    for (uint32_t i = b->first; i != HF_NONE; i = g->program->messages[i].next) {
        const hf_program_message *m = &g->program->messages[i];
        HF_TRY(hf_player_post(p, &(hf_message){now + m->offset, b->node, m->destination, m->size ? m->size : 1}, i));
    }
    return HF_OK;
}

static hf_status happens(hf_player *p, void *driver, uint32_t message, hf_post_end end) {
    run *g = driver;
    if (end == HF_POST_STARTED) {
        return HF_OK;
    }
    p->has_ended = end == HF_POST_LOST;
    g->open -= end == HF_POST_DELIVERED;
    const uint32_t target = g->program->messages[message].target;
    return end == HF_POST_DELIVERED && target != HF_NONE && --g->missing[target] == 0 ? activate(p, g, target) : HF_OK;
}

static hf_status start(hf_player *p, run *g) {
    HF_TRY(hf_scratch(p->k->cx, g->program->n_block, sizeof *g->missing, (void **)&g->missing));
    for (uint32_t b = 0; b < g->program->n_block; b++) {
        g->missing[b] = g->program->blocks[b].n_signal;
    }
    for (uint32_t b = 0; b < g->program->n_block; b++) {
        if (g->program->blocks[b].n_signal == 0) {
            HF_TRY(activate(p, g, b));
        }
    }
    return HF_OK;
}

hf_status hf_play_program(hf_context *cx, const hf_play *play, const hf_program *program, hf_play_result *out) {
    run g = {.program = program, .open = program->n_message};
    hf_player *p;
    if (!program->is_finished) {
        HF_FAIL(cx, HF_EINVAL, "the trace is not finished; need hf_program_finish() before it is played");
    }
    if (program->n_node > play->plan->topo->n_terminal) {
        HF_FAIL(cx, HF_EINVAL, "the program runs on %u nodes, %s has %u terminals", program->n_node, play->plan->topo->spec,
                play->plan->topo->n_terminal);
    }
    HF_TRY(hf_player_new(cx, play, out, &p));
    p->happens = happens;
    p->driver = &g;
    HF_TRY(start(p, &g));
    HF_TRY(hf_player_run(p));
    if (out->is_complete && !p->has_ended && g.open > 0) {
        HF_FAIL(cx, HF_EINVAL, "the program waits for a signal that nobody sends: %u messages are left", g.open);
    }
    out->is_complete = out->is_complete && g.open == 0;
    out->cycles = out->is_complete && g.end > out->cycles ? g.end : out->cycles;
    return HF_OK;
}
