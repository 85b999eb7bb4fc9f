/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The packets of a deadlock, as tables: where each is and what it waits for, and what let them come to that. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "src/core/print.h"
#include "src/question/tables.h"
#include "src/question/verify.h"

/* ---- packets ---- */

/* The class, and which consumer waits for what. */
static hf_status put_class(const verify *v, const hf_blocked *b) {
    const hf_classes *classes = v->scene->rule.classes;
    char *text = NULL, at[HF_NAME_SIZE], to[HF_NAME_SIZE];
    if (b->answer != HF_NONE) {
        hf_topology_terminal_name(v->scene->topo, b->destination, at, sizeof at);
        hf_topology_terminal_name(v->scene->topo, b->answer_to, to, sizeof to);
        HF_TRY(hf_scratch_print(v->cx, &text, "%s, to send %s to %s", at, classes->of[b->answer].name, to));
    }
    hf_report_cell(v->answer, hf_cell_word(classes->of[b->class].name));
    hf_report_cell(v->answer, hf_cell_word(text));
    return HF_OK;
}

static hf_status put_packets(const verify *v, const verify_row *row, char **note) {
    const hf_deadlock *d = row->deadlock;
    for (uint32_t i = 0; i < d->n_blocked; i++) {
        hf_report_cell(v->answer, hf_cell_count(row->f));
        HF_TRY(hf_asked_blocked(v->answer, v->scene->topo, d->n_vc, &d->blocked[i]));
        HF_TRY(v->scene->rule.classes ? put_class(v, &d->blocked[i]) : HF_OK);
    }
    char of[32] = "";
    if (!v->is_single) {
        (void)snprintf(of, sizeof of, "f=%" PRIu32 ", ", row->f);
    }
    return hf_asked_note(v->cx, note, "%sthe deadlock: %" PRIu32 " packet%s, %s", of, d->n_blocked, hf_plural(d->n_blocked),
                         d->is_smallest ? "no deadlock holds fewer channels" : "not proved to be the smallest");
}

/* ---- in words ---- */

/* Without which of its turns no cycle is left; going straight on is none. */
static hf_status note_breaking(const verify *v, const hf_turn *turn, uint32_t n, char **note) {
    char *text = NULL;
    for (uint32_t i = 0; i < n; i++) {
        if (!turn[i].leaves_cycle && strcmp(turn[i].from, turn[i].to) != 0) {
            HF_TRY(hf_scratch_print(v->cx, &text, "%s%s%s to %s", text ? text : "", text ? ", or without " : "", turn[i].from,
                                    turn[i].to));
        }
    }
    return text ? hf_asked_note(v->cx, note, "no cycle would be left without %s%s", text,
                                v->scene->rule.classes ? "" : "; --repair tells whether packets arrive then")
                : HF_OK;
}

/* Why the escape that the rule declares does not help. */
static hf_status note_escape(const verify *v, char **note) {
    const hf_deadlock *d = v->row->deadlock;
    const hf_escape_fault *fault = d->escape_fault;
    char *text = NULL, name[HF_NAME_SIZE];
    if (!fault || fault->is_all) {
        return HF_OK;
    }
    if (fault->is_missing) {
        return hf_asked_note(v->cx, note, "the declared escape is not offered wherever packets can be");
    }
    for (uint32_t i = 0; i < fault->n_cycle; i++) {
        hf_resource_name(v->scene->topo, d->n_vc, fault->cycle[i], name, sizeof name);
        HF_TRY(hf_scratch_print(v->cx, &text, "%s%s%s", text ? text : "", text ? ", " : "", name));
    }
    const char *over = v->scene->rule.classes ? "extended dependencies; those of answers count"
                                              : "extended dependencies, over hops that are no escape";
    return hf_asked_note(v->cx, note, "the declared escape has a cycle of %s%s", text ? "its own: " : over, text ? text : "");
}

/* The turns of the deadlock, and what would break it. */
static hf_status note_words(const verify *v, char **note) {
    hf_turn turn[HF_TURNS];
    uint32_t n;
    char *text = NULL;
    HF_TRY(hf_deadlock_turns(v->cx, v->row->plan, v->row->deadlock, turn, &n));
    for (uint32_t i = 0; i < n; i++) {
        HF_TRY(hf_scratch_print(v->cx, &text, "%s%s%s to %s", text ? text : "", text ? ", " : "", turn[i].from, turn[i].to));
    }
    HF_TRY(text ? hf_asked_note(v->cx, note, "in words: %s", text) : HF_OK);
    HF_TRY(note_breaking(v, turn, n, note));
    return note_escape(v, note);
}

/* ---- rings that bubbles do not keep from filling up ---- */

static bool holds_of_ring(const hf_deadlock *d, const uint32_t *ring_of, uint32_t ring) {
    for (uint32_t i = 0; i < d->n_blocked; i++) {
        for (uint32_t k = 0; k < d->blocked[i].n_hold; k++) {
            if (ring_of[d->blocked[i].hold[k]] == ring) {
                return true;
            }
        }
    }
    return false;
}

/* The other end of the cable: does it keep bubbles? */
static const char *other_end(const verify *v, uint32_t channel) {
    const uint32_t back = v->scene->topo->reverse[channel];
    return back == HF_NONE ? NULL : hf_flow_control_keeps(v->options.plain, back) ? "bubble" : "credit";
}

/* "2 of 4": its virtual channels that keep bubbles. */
static hf_status put_kept(const verify *v, const uint32_t *ring_of, uint32_t ring) {
    const hf_deadlock *d = v->row->deadlock;
    uint32_t n = 0, kept = 0;
    char *text;
    for (uint32_t r = 0; r < d->n_resource; r++) {
        n += ring_of[r] == ring;
        kept += ring_of[r] == ring && hf_flow_control_keeps(v->options.plain, r / d->n_vc);
    }
    HF_TRY(hf_scratch_print(v->cx, &text, "%" PRIu32 " of %" PRIu32, kept, n));
    hf_report_cell(v->answer, hf_cell_word(text));
    return HF_OK;
}

/* Where the rings of the deadlock are entered without a bubble. */
static hf_status add_gaps(const verify *v) {
    static const hf_column columns[] = {{"onto", "comes onto a ring by", NULL, HF_COLUMN_WORD, 6, 0},
                                        {"from", "from", NULL, HF_COLUMN_WORD, 6, 0},
                                        {"flow", "flow", NULL, HF_COLUMN_WORD, 6, 0},
                                        {"other_end", "the other end", NULL, HF_COLUMN_WORD, 6, 0},
                                        {"kept", "of the ring keep bubbles", NULL, HF_COLUMN_WORD, 6, 0}};
    const hf_deadlock *d = v->row->deadlock;
    uint32_t *ring_of;
    bool differs = false;
    HF_TRY(hf_scratch(v->cx, d->n_resource, sizeof *ring_of, (void **)&ring_of));
    HF_TRY(hf_plan_read_rings(v->cx, v->row->plan, ring_of));
    HF_BEGIN(v->answer, "gaps", columns);
    hf_report_flatten(v->answer);
    for (uint32_t i = 0; i < d->n_gap; i++) {
        const hf_ring_gap *gap = &d->gap[i];
        if (!holds_of_ring(d, ring_of, gap->ring)) {
            continue;
        }
        const char *other = other_end(v, gap->to / d->n_vc);
        differs |= other && strcmp(other, "bubble") == 0;
        HF_TRY(hf_asked_resources(v->answer, v->scene->topo, d->n_vc, &gap->to, 1));
        HF_TRY(hf_asked_resources(v->answer, v->scene->topo, d->n_vc, &gap->from, 1));
        hf_report_cell(v->answer, hf_cell_word("credit"));
        hf_report_cell(v->answer, hf_cell_word(other));
        HF_TRY(put_kept(v, ring_of, gap->ring));
    }
    hf_report_note(v->answer, differs ? "A ring fills up where one packet comes onto it without a bubble; of some cables here "
                                        "the other end keeps bubbles."
                                      : "A ring fills up where one packet comes onto it without a bubble.");
    return HF_OK;
}

hf_status hf_verify_packets(const verify *v) {
    static const hf_column columns[] = {{"f", "f", NULL, HF_COLUMN_COUNT, 6, 0}, HF_BLOCKED_COLUMNS},
                           of_classes[] = {{"f", "f", NULL, HF_COLUMN_COUNT, 6, 0},
                                           HF_BLOCKED_COLUMNS,
                                           {"class", "class", NULL, HF_COLUMN_WORD, 6, 0},
                                           {"consumer", "consumer that waits", NULL, HF_COLUMN_WORD, 6, 0}};
    char *note = NULL;
    for (size_t i = 0; i < v->n_row; i++) {
        if (v->row[i].deadlock && v->row[i].deadlock->n_blocked) {
            if (!note) {
                if (v->scene->rule.classes) {
                    HF_BEGIN(v->answer, "packets", of_classes);
                } else {
                    HF_BEGIN(v->answer, "packets", columns);
                }
                hf_report_flatten(v->answer);
            }
            HF_TRY(put_packets(v, &v->row[i], &note));
        }
    }
    if (note) {
        HF_TRY(v->is_single ? note_words(v, &note) : HF_OK);
        hf_report_note(v->answer, note);
    }
    if (note && v->is_single) {
        hf_report_hide(v->answer, "f");
    }
    return note && v->is_single && v->row->deadlock && v->row->deadlock->n_gap ? add_gaps(v) : HF_OK;
}
