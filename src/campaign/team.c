/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What programs that share a row say to each other. All of them are the same program on machines of one kind, so tallies travel
 *  as they lie in memory. A message bears the number of its row: what comes late is of a row that has ended. */
#include "src/campaign/team.h"

#include <string.h>

typedef enum kind { ASK, BRING, LEAVE, GIVE, HALT } kind;

typedef struct head {
    kind kind;
    uint32_t row;
    hf_status status;
    uint64_t lo, hi;
} head;

/* ---- tallies ---- */

static size_t tally_size(const hf_team_row *t) {
    return sizeof(hf_tally) + (1 + HF_NOTES) * (size_t)t->f * sizeof(uint32_t) + t->like->n_quantity * sizeof(hf_quantity);
}

static void pack(const hf_team_row *t, const hf_tally *tally, char *out) {
    const size_t set = (size_t)t->f * sizeof(uint32_t);
    memcpy(out, tally, sizeof *tally);
    if (tally->has_witness) {
        memcpy(out + sizeof *tally, tally->witness, set);
    }
    if (tally->has_noted) {
        memcpy(out + sizeof *tally + set, tally->noted, HF_NOTES * set);
    }
    if (t->like->n_quantity) {
        memcpy(out + sizeof *tally + (1 + HF_NOTES) * set, tally->quantity, t->like->n_quantity * sizeof *tally->quantity);
    }
}

/* Into a tally that has room. */
static void unpack(const hf_team_row *t, const char *data, hf_tally *out) {
    const size_t set = (size_t)t->f * sizeof(uint32_t);
    const hf_tally room = *out;
    memcpy(out, data, sizeof *out);
    out->witness = room.witness;
    out->noted = room.noted;
    out->quantity = room.quantity;
    if (set > 0) {
        memcpy(out->witness, data + sizeof *out, (1 + HF_NOTES) * set); /* they stand in one block */
    }
    if (t->like->n_quantity) {
        memcpy(out->quantity, data + sizeof *out + (1 + HF_NOTES) * set, t->like->n_quantity * sizeof *out->quantity);
    }
}

/* ---- messages ---- */

/* \param[in] size of what follows the head */
static hf_status say(hf_context *cx, const hf_team_row *t, uint32_t to, head h, const char *data, size_t size) {
    char *message;
    const hf_mark mark = hf_scratch_mark(cx);
    HF_TRY(hf_scratch(cx, sizeof h + size, 1, (void **)&message));
    h.row = t->team->row;
    memcpy(message, &h, sizeof h);
    if (size > 0) {
        memcpy(message + sizeof h, data, size);
    }
    const hf_status status = t->team->send(cx, t->team->user, to, message, sizeof h + size);
    hf_scratch_reset(cx, mark);
    return status;
}

/* The next message of this row. \param[out] data what follows the head, valid until the next call; NULL: there is none */
static hf_status hear(hf_context *cx, const hf_team_row *t, bool waits, uint32_t *from, head *h, const char **data) {
    const void *message;
    size_t size;
    do {
        *data = NULL;
        HF_TRY(t->team->receive(cx, t->team->user, waits, from, &message, &size));
        if (size < sizeof *h) {
            return HF_OK;
        }
        memcpy(h, message, sizeof *h);
        *data = (const char *)message + sizeof *h;
    } while (h->row != t->team->row);
    return HF_OK;
}

/* ---- all ---- */

hf_status hf_team_begin(hf_context *cx, hf_team_row *t, hf_range_list *todo, hf_tally *tally) {
    uint64_t n = todo->count;
    if (!t->team) {
        return HF_OK;
    }
    t->team->row++;
    t->n_left = t->team->n_rank - 1;
    HF_TRY(t->team->share(cx, t->team->user, &n, sizeof n));
    if (n == HF_TEAM_NO_MORE) {
        t->team->has_ended = true;
        HF_FAIL(cx, HF_ESTOP, "rank 0 has ended the job");
    }
    for (uint64_t i = 0; i < n; i++) {
        hf_range range = hf_team_follows(t) ? (hf_range){0, 0} : todo->item[i];
        HF_TRY(t->team->share(cx, t->team->user, &range, sizeof range));
        HF_TRY(hf_team_follows(t) ? hf_range_add(cx, todo, range.lo, range.hi) : HF_OK);
    }
    return hf_team_end(cx, t, tally, HF_OK);
}

hf_status hf_team_end(hf_context *cx, hf_team_row *t, hf_tally *tally, hf_status status) {
    char *data;
    if (!t->team) {
        return status;
    }
    const hf_mark mark = hf_scratch_mark(cx);
    HF_TRY(hf_scratch(cx, tally_size(t), 1, (void **)&data));
    pack(t, tally, data);
    hf_status shared = t->team->share(cx, t->team->user, data, tally_size(t));
    shared = shared == HF_OK ? t->team->share(cx, t->team->user, &status, sizeof status) : shared;
    if (shared == HF_OK && hf_team_follows(t)) {
        unpack(t, data, tally);
    }
    hf_scratch_reset(cx, mark);
    if (shared == HF_OK && status != HF_OK && hf_team_follows(t)) {
        HF_FAIL(cx, HF_ESTOP, "rank 0 has ended the row");
    }
    return shared == HF_OK ? status : shared;
}

/* ---- those that follow ---- */

hf_status hf_team_ask(hf_context *cx, hf_team_row *t, hf_range *out, bool *has_more) {
    uint32_t from;
    const char *data;
    head h = {.kind = ASK};
    HF_TRY(say(cx, t, 0, h, NULL, 0));
    HF_TRY(hear(cx, t, true, &from, &h, &data));
    *out = (hf_range){h.lo, h.hi};
    *has_more = data && h.kind == GIVE && h.lo < h.hi;
    return HF_OK;
}

hf_status hf_team_bring(hf_context *cx, hf_team_row *t, uint64_t lo, uint64_t hi, const hf_tally *tally) {
    char *data;
    const hf_mark mark = hf_scratch_mark(cx);
    HF_TRY(hf_scratch(cx, tally_size(t), 1, (void **)&data));
    pack(t, tally, data);
    const hf_status status = say(cx, t, 0, (head){.kind = BRING, .lo = lo, .hi = hi}, data, tally_size(t));
    hf_scratch_reset(cx, mark);
    return status;
}

hf_status hf_team_leave(hf_context *cx, hf_team_row *t, hf_status status) {
    const char *text = status == HF_OK || status == HF_ESTOP ? "" : hf_context_message(cx);
    return say(cx, t, 0, (head){.kind = LEAVE, .status = status}, text, strlen(text) + 1);
}

hf_status hf_team_hears_halt(hf_context *cx, hf_team_row *t, bool *out) {
    uint32_t from;
    const char *data;
    head h;
    HF_TRY(hear(cx, t, false, &from, &h, &data));
    *out = data && h.kind == HALT;
    return HF_OK;
}

/* ---- rank 0 ---- */

hf_status hf_team_listen(hf_context *cx, hf_team_row *t, bool waits, hf_team_message *out, hf_tally *tally) {
    const char *data;
    head h = {.status = HF_OK};
    *out = (hf_team_message){.word = HF_TEAM_NOTHING, .text = ""};
    HF_TRY(hear(cx, t, waits, &out->from, &h, &data));
    if (!data) {
        return HF_OK;
    }
    out->lo = h.lo;
    out->hi = h.hi;
    out->status = h.status;
    out->word = h.kind == ASK ? HF_TEAM_ASKS : h.kind == BRING ? HF_TEAM_BRINGS : HF_TEAM_LEAVES;
    if (h.kind == BRING) {
        unpack(t, data, tally);
    } else if (h.kind == LEAVE) {
        out->text = data;
        t->n_left--;
    }
    return HF_OK;
}

hf_status hf_team_give(hf_context *cx, hf_team_row *t, uint32_t to, hf_range range) {
    return say(cx, t, to, (head){.kind = GIVE, .lo = range.lo, .hi = range.hi}, NULL, 0);
}

hf_status hf_team_halt(hf_context *cx, hf_team_row *t) {
    for (uint32_t rank = 1; !t->has_halted && rank < t->team->n_rank; rank++) {
        HF_TRY(say(cx, t, rank, (head){.kind = HALT}, NULL, 0));
    }
    t->has_halted = true;
    return HF_OK;
}
