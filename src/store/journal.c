/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A campaign's journal in the store: batches out of it and into it. */
#include <inttypes.h>
#include <string.h>

#include "src/core/print.h"
#include "src/store/batch_text.h"
#include "src/store/schema.h"

typedef struct journal {
    hf_journal base;
    hf_allocator allocator;
    hf_store *store;
    const hf_campaign *campaign;
    char *key;
    int64_t campaign_id, run_id; /* 0: not in the store yet */
    hf_sql_statement *insert;
} journal;

/* What stands in the place of the criterion. */
static const char *question_name(const hf_campaign *c) { return c->question ? c->question->key : c->criterion->name; }

hf_status hf_store_key(hf_context *cx, const hf_campaign *c, char **out) {
    hf_text text;
    hf_text_init(cx, &text);
    hf_text_print(&text, "%s|%s|%s|%s|%s|%s|%" PRIu64 "|%" PRIu64 "|%s|%s|%s", c->question ? c->question->key : "tolerance",
                  c->universe->topo->spec, c->rule->spec, c->universe->spec, question_name(c), hf_method_name(c->method),
                  c->method == HF_METHOD_SAMPLED ? c->samples : 0,
                  c->method == HF_METHOD_SAMPLED || c->order == HF_ORDER_RANDOM ? c->seed : 0, hf_order_name(c->order),
                  c->use_relation ? "relation" : "judge", hf_program_version());
    hf_status status = hf_text_check(cx, &text);
    if (status == HF_OK) {
        status = hf_duplicate(cx, text.data, out);
    }
    hf_text_free(&text);
    return status;
}

static hf_status find_campaign(hf_context *cx, journal *j) {
    hf_sql_statement *s;
    bool row;
    HF_TRY(hf_sql_prepare(cx, j->store->sql, "SELECT id FROM campaign WHERE key=?1", &s));
    hf_sql_bind_text(s, 1, j->key);
    const hf_status status = hf_sql_step(cx, s, &row);
    j->campaign_id = status == HF_OK && row ? hf_sql_int(s, 0) : 0;
    hf_sql_finalize(s);
    return status;
}

static hf_status insert_campaign(hf_context *cx, journal *j) {
    const hf_campaign *c = j->campaign;
    char samples[24], seed[24];
    hf_print_decimal(c->method == HF_METHOD_SAMPLED ? c->samples : 0, samples);
    hf_print_decimal(c->seed, seed);
    const char *const value[] = {j->key,
                                 c->universe->topo->spec,
                                 c->rule->spec,
                                 c->universe->spec,
                                 question_name(c),
                                 hf_method_name(c->method),
                                 hf_order_name(c->order),
                                 samples,
                                 seed,
                                 hf_program_version()};
    hf_sql_statement *s;
    bool row;
    HF_TRY(hf_sql_prepare(
        cx, j->store->sql,
        "INSERT OR IGNORE INTO campaign (key, topology, routing, universe, criterion, method, ord, samples, seed, version)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        &s));
    for (int i = 0; i < (int)(sizeof value / sizeof *value); i++) {
        hf_sql_bind_text(s, i + 1, value[i]);
    }
    const hf_status status = hf_sql_step(cx, s, &row);
    hf_sql_finalize(s);
    HF_TRY(status);
    return find_campaign(cx, j);
}

static hf_status insert_run(hf_context *cx, journal *j) {
    hf_sql_statement *s;
    bool row;
    char now[32];
    hf_store_now(now, sizeof now);
    HF_TRY(hf_sql_prepare(cx, j->store->sql,
                          "INSERT INTO run (campaign, commit_id, compiler, threads, started) VALUES (?1, ?2, ?3, ?4, ?5)", &s));
    hf_sql_bind_int(s, 1, j->campaign_id);
    hf_sql_bind_text(s, 2, hf_program_commit());
    hf_sql_bind_text(s, 3, hf_program_compiler());
    hf_sql_bind_int(s, 4, j->campaign->threads);
    hf_sql_bind_text(s, 5, now);
    const hf_status status = hf_sql_step(cx, s, &row);
    j->run_id = hf_sql_last_id(j->store->sql);
    hf_sql_finalize(s);
    return status;
}

/* The first thing that a run writes: who it is. */
static hf_status start_run(hf_context *cx, journal *j) {
    HF_TRY(hf_store_begin(cx, j->store));
    if (j->campaign_id == 0) {
        HF_TRY(insert_campaign(cx, j));
    }
    return j->run_id == 0 ? insert_run(cx, j) : HF_OK;
}

/* ---- the journal's callbacks ---- */

static hf_status load(hf_context *cx, void *user, uint32_t f,
                      hf_status (*take)(hf_context *cx, void *taker, uint64_t lo, uint64_t hi, const hf_tally *tally),
                      void *taker) {
    journal *j = user;
    if (j->campaign_id == 0) {
        return HF_OK;
    }
    hf_sql_statement *s;
    HF_TRY(hf_sql_prepare(cx, j->store->sql, "SELECT lo, hi, tally, checksum FROM batch WHERE campaign=?1 AND f=?2 ORDER BY lo",
                          &s));
    hf_sql_bind_int(s, 1, j->campaign_id);
    hf_sql_bind_int(s, 2, f);
    const hf_mark mark = hf_scratch_mark(cx);
    uint32_t *witness;
    hf_status status = hf_scratch(cx, f, sizeof *witness, (void **)&witness);
    bool row = false;
    while (status == HF_OK && (status = hf_sql_step(cx, s, &row)) == HF_OK && row) {
        hf_tally tally = {.witness = witness};
        const char *text = hf_sql_text(s, 2);
        if (hf_store_checksum(text) != hf_sql_int(s, 3)) {
            status = hf_context_fail(cx, HF_ESTORE, __FILE__, __LINE__,
                                     "store \"%s\": a batch of f=%" PRIu32 " is damaged; run `holdfast store verify`",
                                     j->store->path, f);
            break;
        }
        status = hf_batch_parse(cx, text, f, &tally);
        if (status == HF_OK) {
            status = take(cx, taker, (uint64_t)hf_sql_int(s, 0), (uint64_t)hf_sql_int(s, 1), &tally);
        }
    }
    hf_scratch_reset(cx, mark);
    hf_sql_finalize(s);
    return status;
}

static void print_names(const journal *j, const hf_tally *tally, uint32_t f, hf_text *out) {
    for (uint32_t i = 0; i < f && tally->has_witness; i++) {
        char name[80];
        hf_universe_name(j->campaign->universe, tally->witness[i], name, sizeof name);
        hf_text_print(out, "%s%s", i ? " " : "", name);
    }
    hf_text_append(out, "", 0);
}

/* A part may cut a range that is kept whole already: its share of it is then not kept again, as ranges do not overlap. */
static hf_status insert_batch(hf_context *cx, journal *j, uint32_t f, uint64_t lo, uint64_t hi, const hf_tally *tally) {
    if (!j->insert) {
        HF_TRY(hf_sql_prepare(cx, j->store->sql,
                              "INSERT OR IGNORE INTO batch (campaign, f, lo, hi, sets, tally, witness, checksum)"
                              " SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8 WHERE ?3 >= coalesce((SELECT hi FROM batch"
                              " WHERE campaign=?1 AND f=?2 AND lo<?4 ORDER BY lo DESC LIMIT 1), 0)",
                              &j->insert));
    }
    hf_text text, names;
    hf_text_init(cx, &text);
    hf_text_init(cx, &names);
    hf_batch_print(tally, f, &text);
    print_names(j, tally, f, &names);
    bool row;
    hf_status status;
    HF_TRY_DONE(hf_text_check(cx, &text));
    HF_TRY_DONE(hf_text_check(cx, &names));
    hf_sql_bind_int(j->insert, 1, j->campaign_id);
    hf_sql_bind_int(j->insert, 2, f);
    hf_sql_bind_int(j->insert, 3, (int64_t)lo);
    hf_sql_bind_int(j->insert, 4, (int64_t)hi);
    hf_sql_bind_int(j->insert, 5, (int64_t)tally->sets);
    hf_sql_bind_text(j->insert, 6, text.data);
    hf_sql_bind_text(j->insert, 7, names.data);
    hf_sql_bind_int(j->insert, 8, hf_store_checksum(text.data));
    status = hf_sql_step(cx, j->insert, &row);
done:
    hf_text_free(&text);
    hf_text_free(&names);
    return status;
}

static hf_status save(hf_context *cx, void *user, uint32_t f, uint64_t lo, uint64_t hi, const hf_tally *tally) {
    journal *j = user;
    hf_status status = start_run(cx, j);
    if (status == HF_OK) {
        status = insert_batch(cx, j, f, lo, hi, tally);
    }
    if (status != HF_OK) {
        hf_store_rollback(cx, j->store);
    }
    return status;
}

/* Nothing new, but parts that earlier runs left may now make a whole whose lost paths are known. */
static hf_status complete_row(hf_context *cx, journal *j, const hf_row *row) {
    if (!row->has_lost_paths || !row->is_whole || !row->is_complete) {
        return HF_OK;
    }
    hf_sql_statement *s;
    bool more;
    char lost[40];
    hf_print_decimal(row->tally.lost_paths_sum, lost);
    HF_TRY(hf_sql_prepare(cx, j->store->sql, "UPDATE row SET lost_paths=?3 WHERE campaign=?1 AND f=?2 AND lost_paths=''", &s));
    hf_sql_bind_int(s, 1, j->campaign_id);
    hf_sql_bind_int(s, 2, row->f);
    hf_sql_bind_text(s, 3, lost);
    const hf_status status = hf_sql_step(cx, s, &more);
    hf_sql_finalize(s);
    return status;
}

/* A part's row says how large the whole is; its sum of lost paths counts only when the whole is there. */
static hf_status finish(hf_context *cx, void *user, const hf_row *row) {
    journal *j = user;
    if (row->tally.sets == row->resumed_sets && row->resumed_sets > 0) {
        return complete_row(cx, j, row);
    }
    hf_status status = start_run(cx, j);
    hf_sql_statement *s = NULL;
    bool more;
    char lost[40] = "", now[32];
    HF_TRY_DONE(status);
    if (row->has_lost_paths && row->is_whole && row->is_complete) {
        hf_print_decimal(row->tally.lost_paths_sum, lost);
    }
    hf_store_now(now, sizeof now);
    HF_TRY_DONE(hf_sql_prepare(cx, j->store->sql,
                               "INSERT OR REPLACE INTO row (campaign, f, total, population, lost_paths, run, wall_s, finished)"
                               " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                               &s));
    hf_sql_bind_int(s, 1, j->campaign_id);
    hf_sql_bind_int(s, 2, row->f);
    hf_sql_bind_int(s, 3, (int64_t)row->total);
    hf_sql_bind_text(s, 4, row->population);
    hf_sql_bind_text(s, 5, lost);
    hf_sql_bind_int(s, 6, j->run_id);
    hf_sql_bind_real(s, 7, row->wall_s);
    hf_sql_bind_text(s, 8, now);
    HF_TRY_DONE(hf_sql_step(cx, s, &more));
done:
    hf_sql_finalize(s);
    if (status != HF_OK) {
        hf_store_rollback(cx, j->store);
        return status;
    }
    return hf_store_commit(cx, j->store);
}

static hf_status flush(hf_context *cx, void *user) { return hf_store_commit(cx, ((journal *)user)->store); }

hf_status hf_store_journal_new(hf_context *cx, hf_store *store, const hf_campaign *campaign, hf_journal **out) {
    journal *j;
    HF_TRY(hf_allocate(cx, 1, sizeof *j, (void **)&j));
    j->allocator = *hf_context_allocator(cx);
    j->store = store;
    j->campaign = campaign;
    j->base = (hf_journal){.user = j, .load = load};
    if (store->is_writable) {
        j->base.save = save;
        j->base.finish = finish;
        j->base.flush = flush;
    }
    hf_status status = hf_store_key(cx, campaign, &j->key);
    if (status == HF_OK) {
        status = find_campaign(cx, j);
    }
    if (status != HF_OK) {
        hf_store_journal_free(&j->base);
        return status;
    }
    *out = &j->base;
    return HF_OK;
}

void hf_store_journal_free(hf_journal *base) {
    if (base) {
        journal *j = (journal *)base;
        const hf_allocator allocator = j->allocator;
        hf_sql_finalize(j->insert);
        hf_release(&allocator, j->key);
        hf_release(&allocator, j);
    }
}
