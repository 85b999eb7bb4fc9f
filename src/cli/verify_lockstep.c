/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What holdfast verify says of packets in lockstep. */
#include <inttypes.h>

#include "src/cli/verify.h"

/* When a channel can be taken again, by same_step. */
static const char *const hand_over[] = {"a step after it is left", "in the step in which it is left"};
static const char *const hand_over_key[] = {"next_step", "same_step"};

static void print_search(const hf_deadlock *d, hf_text *out) {
    hf_text_print(out, "in lockstep, from the empty network:\n");
    for (int i = 0; i < 2; i++) {
        const hf_lockstep *l = &d->lockstep[i];
        hf_text_print(out, "  a channel is taken %s: %s, %" PRIu64 " states", hand_over[i], hf_deadlock_answer_name(l->answer),
                      l->n_state);
        hf_text_print(out, l->reason ? "; %s\n" : "\n", l->reason);
    }
}

/* The quick look says something only where packets do not get into the deadlock. */
static void print_remark(const hf_lockstep *l, hf_text *out) {
    const bool free[] = {l[0].answer == HF_DEADLOCK_FREE, l[1].answer == HF_DEADLOCK_FREE};
    if (free[0] || free[1]) {
        hf_text_print(out, "remark: packets in lockstep do not get into a deadlock");
        hf_text_print(out,
                      free[0] && free[1] ? "; see --timing lockstep\n" : " where a channel is taken %s; see --timing lockstep\n",
                      hand_over[free[1]]);
    }
}

void verify_print_lockstep(const verify_row *row, hf_text *out) {
    if (row->deadlock->lockstep) {
        print_search(row->deadlock, out);
    } else if (row->lockstep) {
        print_remark(row->lockstep, out);
    }
}

hf_json *verify_json_lockstep(const verify_row *row) {
    const hf_lockstep *l = row->deadlock && row->deadlock->lockstep ? row->deadlock->lockstep : row->lockstep;
    if (!l) {
        return hf_json_null();
    }
    hf_json *o = hf_json_object();
    for (int i = 0; i < 2; i++) {
        hf_json *one = hf_json_object();
        hf_json_set(one, "verdict", hf_json_text(hf_deadlock_answer_name(l[i].answer)));
        hf_json_set(one, "states", hf_json_integer((int64_t)l[i].n_state));
        hf_json_set(o, hand_over_key[i], one);
    }
    return o;
}
