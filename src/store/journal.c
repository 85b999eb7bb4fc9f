/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  A campaign's journal in the store: batches out of it and into it. */
#include <inttypes.h>
#include <stdio.h>
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
static const char *inquiry_name(const hf_campaign *c) { return c->inquiry ? c->inquiry->key : c->criterion->spec; }

static const char *rule_name(const hf_campaign *c) { return c->rule ? c->rule->spec : "none"; }

/* "sampled", "sampled,stage" */
static hf_status method_text(hf_context *cx, const hf_campaign *c, char **out) {
    return hf_scratch_print(cx, out, "%s%s%s", hf_method_name(c->method), c->strata ? "," : "", c->strata ? c->strata->by : "");
}

hf_status hf_store_key(hf_context *cx, const hf_campaign *c, char **out) {
    hf_text text;
    char *method;
    HF_TRY(method_text(cx, c, &method));
    hf_text_init(cx, &text);
    hf_text_print(&text, "%s|%s|%s|%s|%s|%s|%" PRIu64 "|%" PRIu64 "|%s|%s%s|%s", c->inquiry ? c->inquiry->key : "tolerance",
                  c->universe->topo->spec, rule_name(c), c->universe->spec, inquiry_name(c), method,
                  c->method == HF_METHOD_SAMPLED ? c->samples : 0,
                  c->method == HF_METHOD_SAMPLED || c->order == HF_ORDER_RANDOM ? c->seed : 0, hf_order_name(c->order),
                  c->use_relation ? "relation" : "judge", c->verdicts ? ",verdicts" : "", hf_build_code());
    hf_status status = hf_text_check(cx, &text);
    if (status == HF_OK) {
        status = hf_duplicate(cx, text.data, out);
    }
    hf_text_free(&text);
    return status;
}

static hf_status fail_damaged(hf_context *cx, const journal *j, const char *what, int64_t campaign, int64_t f) {
    HF_FAIL(cx, HF_ESTORE,
            "store \"%s\": %s of campaign=%" PRId64 ", f=%" PRId64
            " is damaged; `holdfast store verify` tells all; restore a copy or"
            " name another file with --store",
            j->store->path, what, campaign, f);
}

/* \param[out] id 0: there is none */
static hf_status find_campaign(hf_context *cx, const hf_store *store, const char *key, int64_t *id) {
    hf_sql_statement *s;
    bool row;
    HF_TRY(hf_sql_prepare(cx, store->sql,
                          "SELECT id, " HF_STORE_IS_SOUND("campaign", HF_STORE_CAMPAIGN) " FROM campaign WHERE key=?1", &s));
    hf_sql_bind_text(s, 1, key);
    hf_status status = hf_sql_step(cx, s, &row);
    *id = status == HF_OK && row ? hf_sql_int(s, 0) : 0;
    if (status == HF_OK && row && !hf_sql_int(s, 1)) {
        status =
            hf_context_fail(cx, HF_ESTORE, __FILE__, __LINE__,
                            "store \"%s\": campaign id=%" PRId64 " is damaged; `holdfast store verify` tells all; restore a copy"
                            " or name another file with --store",
                            store->path, *id);
    }
    hf_sql_finalize(s);
    return status;
}

/* Inside of a transaction: nobody else takes it. */
static hf_status next_id(hf_context *cx, const journal *j, const char *table, int64_t *id) {
    char sql[80];
    (void)snprintf(sql, sizeof sql, "SELECT coalesce(max(id), 0) + 1 FROM %s", table);
    return hf_sql_query_int(cx, j->store->sql, sql, id);
}

static hf_status insert_campaign(hf_context *cx, journal *j) {
    const hf_campaign *c = j->campaign;
    char samples[24], seed[24], *method;
    HF_TRY(method_text(cx, c, &method));
    hf_print_decimal(c->method == HF_METHOD_SAMPLED ? c->samples : 0, samples);
    hf_print_decimal(c->seed, seed);
    const char *const value[] = {j->key,
                                 c->universe->topo->spec,
                                 rule_name(c),
                                 c->universe->spec,
                                 inquiry_name(c),
                                 method,
                                 hf_order_name(c->order),
                                 samples,
                                 seed,
                                 hf_build_version(),
                                 hf_build_code()};
    hf_sql_statement *s;
    bool row;
    HF_TRY(find_campaign(cx, j->store, j->key, &j->campaign_id)); /* another program may have begun it since we looked */
    if (j->campaign_id != 0) {
        return HF_OK;
    }
    HF_TRY(next_id(cx, j, "campaign", &j->campaign_id));
    HF_TRY(hf_sql_prepare(cx, j->store->sql,
                          HF_STORE_PUT("INSERT", "campaign", "?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12"), &s));
    hf_sql_bind_int(s, 1, j->campaign_id);
    for (int i = 0; i < (int)(sizeof value / sizeof *value); i++) {
        hf_sql_bind_text(s, i + 2, value[i]);
    }
    const hf_status status = hf_sql_step(cx, s, &row);
    hf_sql_finalize(s);
    return status;
}

static hf_status insert_run(hf_context *cx, journal *j) {
    hf_sql_statement *s;
    bool row;
    char now[32];
    hf_store_now(now, sizeof now);
    HF_TRY(next_id(cx, j, "run", &j->run_id));
    HF_TRY(hf_sql_prepare(cx, j->store->sql, HF_STORE_PUT("INSERT", "run", "?1, ?2, ?3, ?4, ?5, ?6"), &s));
    hf_sql_bind_int(s, 1, j->run_id);
    hf_sql_bind_int(s, 2, j->campaign_id);
    hf_sql_bind_text(s, 3, hf_build_commit());
    hf_sql_bind_text(s, 4, hf_build_compiler());
    hf_sql_bind_int(s, 5, j->campaign->threads);
    hf_sql_bind_text(s, 6, now);
    const hf_status status = hf_sql_step(cx, s, &row);
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

/* Batches of a campaign, but for what a campaign of `before` has some of: ids with commas between. */
static hf_status select_batches(hf_context *cx, const journal *j, int64_t campaign, uint32_t f, const char *before,
                                hf_sql_statement **out) {
    char *sql;
    HF_TRY(hf_scratch_print(cx, &sql,
                            "SELECT lo, hi, tally, " HF_STORE_IS_SOUND(
                                "batch", HF_STORE_BATCH) " FROM batch AS b WHERE campaign=?1 AND f=?2 AND NOT EXISTS (SELECT 1 "
                                                         "FROM batch AS o WHERE o.campaign IN"
                                                         " (%s) AND o.f=?2 AND o.lo < b.hi AND o.hi > b.lo) ORDER BY lo",
                            before));
    HF_TRY(hf_sql_prepare(cx, j->store->sql, sql, out));
    hf_sql_bind_int(*out, 1, campaign);
    hf_sql_bind_int(*out, 2, f);
    return HF_OK;
}

typedef struct loading {
    journal *j;
    uint32_t f;
    hf_tally tally; /* room for one */
    hf_journal_take *take;
    void *taker;
} loading;

/* \param[in] is_accepted of other code */
static hf_status load_campaign(hf_context *cx, const loading *l, int64_t campaign, const char *before, bool is_accepted) {
    hf_sql_statement *s;
    bool row = false;
    HF_TRY(select_batches(cx, l->j, campaign, l->f, before, &s));
    hf_status status;
    while ((status = hf_sql_step(cx, s, &row)) == HF_OK && row) {
        hf_tally tally = l->tally;
        if (!hf_sql_int(s, 3)) {
            status = fail_damaged(cx, l->j, "a batch", campaign, l->f);
            break;
        }
        HF_TRY_DONE(hf_batch_parse(cx, hf_sql_text(s, 2), l->f, &tally));
        HF_TRY_DONE(l->take(cx, l->taker, (uint64_t)hf_sql_int(s, 0), (uint64_t)hf_sql_int(s, 1), &tally, is_accepted));
        l->j->store->n_accepted += is_accepted;
    }
done:
    hf_sql_finalize(s);
    return status;
}

/* What the campaign of that key has, without what those of `before` have. \param[in,out] before ids */
static hf_status load_key(hf_context *cx, const loading *l, const char *key, char **before, bool is_accepted) {
    int64_t id;
    HF_TRY(find_campaign(cx, l->j->store, key, &id));
    if (id != 0 && id != l->j->campaign_id) {
        HF_TRY(load_campaign(cx, l, id, *before, is_accepted));
        return hf_scratch_print(cx, before, "%s, %" PRId64, *before, id);
    }
    return HF_OK;
}

/* First what this program has kept, then what those have whose code is accepted. */
static hf_status load_like(hf_context *cx, const loading *l, const char *own, char **before) {
    const size_t size = strlen(own) - HF_STORE_CODE;
    const char *code;
    char *key;
    HF_TRY(load_key(cx, l, own, before, false));
    for (size_t i = 0; (code = hf_store_accepts(l->j->store, i)); i++) {
        HF_TRY(hf_scratch_print(cx, &key, "%.*s%.*s", (int)size, own, HF_STORE_CODE, code));
        HF_TRY(load_key(cx, l, key, before, true));
    }
    return HF_OK;
}

/* Verdicts are also what campaigns with measures have kept. */
static hf_status load_all(hf_context *cx, const loading *l) {
    const journal *j = l->j;
    char *before, *key;
    HF_TRY(load_campaign(cx, l, j->campaign_id, "", false));
    HF_TRY(hf_scratch_print(cx, &before, "%" PRId64, j->campaign_id));
    HF_TRY(load_like(cx, l, j->key, &before));
    if (!j->campaign->verdicts) {
        return HF_OK;
    }
    hf_campaign measured = *j->campaign;
    measured.verdicts = false;
    HF_TRY(hf_store_key(cx, &measured, &key));
    const hf_status status = load_like(cx, l, key, &before);
    hf_release(hf_context_allocator(cx), key);
    return status;
}

static hf_status load(hf_context *cx, void *user, uint32_t f, hf_journal_take *take, void *taker) {
    loading l = {.j = user, .f = f, .take = take, .taker = taker};
    const hf_mark mark = hf_scratch_mark(cx);
    l.tally.n_quantity = hf_campaign_quantities(l.j->campaign);
    hf_status status = hf_scratch(cx, (1 + HF_NOTES) * (size_t)f, sizeof *l.tally.witness, (void **)&l.tally.witness);
    status = status == HF_OK ? hf_scratch(cx, l.tally.n_quantity, sizeof *l.tally.quantity, (void **)&l.tally.quantity) : status;
    l.tally.noted = l.tally.witness ? l.tally.witness + f : NULL;
    status = status == HF_OK ? load_all(cx, &l) : status;
    hf_scratch_reset(cx, mark);
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
        HF_TRY(hf_sql_prepare(
            cx, j->store->sql,
            HF_STORE_PUT("INSERT OR IGNORE", "batch",
                         "?1, ?2, ?3, ?4, ?5, ?6, ?7") " WHERE ?3 >= coalesce((SELECT hi FROM batch"
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

/* ---- rows ---- */

/* What the store says of a row; one that is damaged is as good as none, as all of it is known again. */
typedef struct kept_row {
    bool is_finished, has_lost_paths;
} kept_row;

static hf_status find_row(hf_context *cx, const journal *j, uint32_t f, kept_row *out) {
    hf_sql_statement *s;
    bool row;
    *out = (kept_row){false, false};
    HF_TRY(hf_sql_prepare(cx, j->store->sql,
                          "SELECT finished != '', lost_paths != '' FROM row WHERE campaign=?1 AND f=?2"
                          " AND " HF_STORE_IS_SOUND("row", HF_STORE_ROW),
                          &s));
    hf_sql_bind_int(s, 1, j->campaign_id);
    hf_sql_bind_int(s, 2, f);
    const hf_status status = hf_sql_step(cx, s, &row);
    if (status == HF_OK && row) {
        *out = (kept_row){hf_sql_int(s, 0) != 0, hf_sql_int(s, 1) != 0};
    }
    hf_sql_finalize(s);
    return status;
}

/* A part's row says how large the whole is; its sum of lost paths counts only when the whole is there. */
static hf_status put_row(hf_context *cx, journal *j, const hf_row *row, bool is_finished) {
    hf_sql_statement *s;
    bool more;
    char lost[40] = "", now[32] = "";
    HF_TRY(start_run(cx, j));
    if (is_finished && row->has_lost_paths && row->is_whole) {
        hf_print_decimal(row->tally.lost_paths_sum, lost);
    }
    if (is_finished) {
        hf_store_now(now, sizeof now);
    }
    HF_TRY(hf_sql_prepare(cx, j->store->sql, HF_STORE_PUT("INSERT OR REPLACE", "row", "?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8"), &s));
    hf_sql_bind_int(s, 1, j->campaign_id);
    hf_sql_bind_int(s, 2, row->f);
    hf_sql_bind_int(s, 3, (int64_t)row->total);
    hf_sql_bind_text(s, 4, row->population);
    hf_sql_bind_text(s, 5, lost);
    hf_sql_bind_int(s, 6, j->run_id);
    hf_sql_bind_real(s, 7, row->wall_s);
    hf_sql_bind_text(s, 8, now);
    const hf_status status = hf_sql_step(cx, s, &more);
    hf_sql_finalize(s);
    return status;
}

/* Before the first batch: should the run be killed after the last, the row is known to lack its end. */
static hf_status start(hf_context *cx, void *user, const hf_row *row) {
    journal *j = user;
    const hf_status status = put_row(cx, j, row, false);
    if (status != HF_OK) {
        hf_store_rollback(cx, j->store);
    }
    return status;
}

/* Where nothing is new, a row that is there stays as it is, but for what only the whole tells: parts that earlier runs left may
 * now make one, and a run that was killed may have lacked the end alone. A row that rests on what other code computed is no row
 * of this program's: its own share of it is kept. */
static hf_status finish(hf_context *cx, void *user, const hf_row *row) {
    journal *j = user;
    kept_row kept = {false, false};
    hf_status status = j->campaign_id ? find_row(cx, j, row->f, &kept) : HF_OK;
    const bool is_new = row->tally.sets > row->resumed_sets || row->tally.sets == 0;
    const bool is_ours = row->accepted_sets == 0;
    const bool tells_more = !kept.has_lost_paths && row->has_lost_paths && row->is_whole && row->is_complete;
    if (status == HF_OK && (is_new || (is_ours && (!kept.is_finished || tells_more)))) {
        status = put_row(cx, j, row, is_ours && row->is_complete);
    }
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
        j->base.start = start;
        j->base.save = save;
        j->base.finish = finish;
        j->base.flush = flush;
    }
    hf_status status = hf_store_key(cx, campaign, &j->key);
    if (status == HF_OK) {
        status = find_campaign(cx, store, j->key, &j->campaign_id);
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
