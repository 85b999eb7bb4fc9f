/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  holdfast show --svg: the drawing of one fault set. */
#include <inttypes.h>
#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/cli/show.h"

/* ---- who is lost ---- */

static hf_status mark_victims(const show *s, hf_marks *marks) {
    uint64_t *victims;
    HF_TRY(hf_scratch(s->c->cx, hf_words(s->net.topo->n_node), sizeof *victims, (void **)&victims));
    for (size_t i = 0; i < s->n_victim; i++) {
        hf_bit_set(victims, s->net.topo->n_switch + s->victim[i].destination);
    }
    marks->victim_node = victims;
    return HF_OK;
}

/* Ends of pairs that are lost although neither end is cut off. */
static hf_status mark_lost(const show *s, hf_marks *marks) {
    const uint32_t n = s->net.topo->n_terminal;
    uint64_t *lost;
    HF_TRY(hf_scratch(s->c->cx, hf_words(n), sizeof *lost, (void **)&lost));
    for (uint32_t from = 0; from < n; from++) {
        for (uint32_t to = 0; to < n; to++) {
            if (show_is_bad_pair(s, from, to) && !hf_bit_test(s->cut, from) && !hf_bit_test(s->cut, to)) {
                hf_bit_set(lost, from);
                hf_bit_set(lost, to);
            }
        }
    }
    marks->cut_terminal = s->cut;
    marks->lost_terminal = lost;
    return HF_OK;
}

/* ---- exclusions at ports ---- */

typedef struct notes {
    const show *s;
    const char **note; /* n_channel */
    hf_status status;
} notes;

static void add_note(void *user, uint32_t sw, uint32_t port, const hf_register *r) {
    notes *n = user;
    const char **note = &n->note[hf_topology_channel_at(n->s->net.topo, sw, port)];
    char *text;
    if (n->status == HF_OK) {
        n->status = hf_scratch_print(n->s->c->cx, &text, "%s%s[%" PRIu32 "..%" PRIu32 "]", *note ? *note : "", *note ? " " : "",
                                     r->value.lo, r->value.hi);
        *note = n->status == HF_OK ? text : NULL;
    }
}

static hf_status mark_exclusions(const show *s, hf_marks *marks) {
    notes n = {.s = s};
    HF_TRY(hf_scratch(s->c->cx, s->net.topo->n_channel, sizeof *n.note, (void **)&n.note));
    HF_TRY(show_walk_registers(&(show_registers){s, false, add_note, &n}));
    marks->note = n.note;
    return n.status;
}

static hf_status mark_plan(const show *s, hf_marks *marks) {
    HF_TRY(s->is_summary ? HF_OK : mark_lost(s, marks));
    HF_TRY(mark_victims(s, marks));
    HF_TRY(mark_exclusions(s, marks));
    return hf_plan_mark(s->c->cx, &s->plan, marks);
}

hf_status show_draw(const show *s, const char *path) {
    const bool has_rule = s->net.has_rule;
    char *title;
    HF_TRY(
        hf_scratch_print(s->c->cx, &title, "%s%s%s", s->net.topo->spec, has_rule ? ", " : "", has_rule ? s->net.rule.spec : ""));
    hf_marks marks = {.faults = &s->faults, .title = title};
    HF_TRY(has_rule ? mark_plan(s, &marks) : HF_OK);
    return cli_save_svg(s->c, s->net.topo, &marks, path);
}
