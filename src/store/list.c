/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What the store holds, row by row; nothing is shown unless all of it is sound. */
#include <inttypes.h>
#include <string.h>

#include "src/core/number.h"
#include "src/core/print.h"
#include "src/store/batch_text.h"
#include "src/store/schema.h"

/* Sums over the batches of one row. */
typedef struct row_sums {
    hf_tally tally;
    hf_text names; /* of the lowest witness */
    uint32_t f;
} row_sums;

static hf_status add_batch(hf_context *cx, hf_sql_statement *s, uint32_t *witness, row_sums *sums) {
    hf_tally tally = {.witness = witness};
    HF_TRY(hf_batch_parse(cx, hf_sql_text(s, 0), sums->f, &tally));
    hf_tally_merge(&sums->tally, &tally, sums->f);
    if (tally.has_witness && memcmp(sums->tally.witness, witness, sums->f * sizeof *witness) == 0) {
        sums->names.size = 0;
        hf_text_print(&sums->names, "%s", hf_sql_text(s, 1));
    }
    return HF_OK;
}

static hf_status sum_row(hf_context *cx, hf_store *store, int64_t campaign, row_sums *sums) {
    hf_sql_statement *statement;
    HF_TRY(hf_sql_prepare(cx, store->sql, "SELECT tally, witness FROM batch WHERE campaign=?1 AND f=?2 ORDER BY lo", &statement));
    hf_sql_bind_int(statement, 1, campaign);
    hf_sql_bind_int(statement, 2, sums->f);
    const hf_mark mark = hf_scratch_mark(cx);
    uint32_t *witness = NULL;
    hf_status status = hf_scratch(cx, 2 * (size_t)sums->f, sizeof *witness, (void **)&witness);
    bool row = false;
    sums->tally.witness = status == HF_OK ? witness + sums->f : NULL;
    while (status == HF_OK && (status = hf_sql_step(cx, statement, &row)) == HF_OK && row) {
        status = add_batch(cx, statement, witness, sums);
    }
    sums->tally.witness = NULL;
    hf_scratch_reset(cx, mark);
    hf_sql_finalize(statement);
    return status;
}

static const char each_sql[] =
    "SELECT c.topology, c.routing, c.universe, c.criterion, c.method, c.ord, c.samples, c.seed, c.version, c.id, b.f,"
    " coalesce(r.total, 0), coalesce(r.population, ''), coalesce(r.lost_paths, ''), coalesce(u.commit_id, ''),"
    " coalesce(u.compiler, ''), coalesce(u.threads, 0), coalesce(r.wall_s, 0), coalesce(r.finished, ''), c.code"
    " FROM (SELECT DISTINCT campaign, f FROM batch) b JOIN campaign c ON c.id = b.campaign"
    " LEFT JOIN row r ON r.campaign = b.campaign AND r.f = b.f LEFT JOIN run u ON u.id = r.run"
    " ORDER BY c.topology, c.routing, c.universe, c.criterion, c.method, c.samples, c.seed, c.ord, c.version, c.id, b.f";

/* A number that was stored as text; 0 where none stands. */
static uint64_t number_in(hf_sql_statement *s, int column) {
    uint64_t number;
    return hf_read_number(hf_sql_text(s, column), 0, UINT64_MAX, &number) ? number : 0;
}

static hf_status tell_row(hf_context *cx, hf_sql_statement *s, const row_sums *sums,
                          hf_status (*each)(hf_context *cx, void *user, const hf_store_row *row), void *user) {
    HF_TRY(hf_text_check(cx, &sums->names));
    char sets[48], bad[48], victims[48], lost[48];
    hf_print_decimal(sums->tally.sets, sets);
    hf_print_decimal(sums->tally.not_tolerated, bad);
    hf_print_decimal(sums->tally.victims_sum, victims);
    hf_print_decimal(sums->tally.lost_paths_sum, lost);
    const bool is_complete = hf_sql_int(s, 11) > 0 && (uint64_t)hf_sql_int(s, 11) == sums->tally.sets;
    const hf_store_row row = {.topology = hf_sql_text(s, 0),
                              .routing = hf_sql_text(s, 1),
                              .universe = hf_sql_text(s, 2),
                              .criterion = hf_sql_text(s, 3),
                              .method = hf_sql_text(s, 4),
                              .order = hf_sql_text(s, 5),
                              .samples = number_in(s, 6),
                              .seed = number_in(s, 7),
                              .f = sums->f,
                              .sets = sets,
                              .not_tolerated = bad,
                              .victims_sum = hf_tally_has_victims(&sums->tally) ? victims : "",
                              .lost_paths_sum = is_complete ? hf_sql_text(s, 13) : "",
                              .victims_max = sums->tally.victims_max,
                              .population = hf_sql_text(s, 12),
                              .is_complete = is_complete,
                              .witness = sums->names.data ? sums->names.data : "",
                              .version = hf_sql_text(s, 8),
                              .commit = hf_sql_text(s, 14),
                              .compiler = hf_sql_text(s, 15),
                              .threads = (uint32_t)hf_sql_int(s, 16),
                              .wall_s = hf_sql_real(s, 17),
                              .finished = hf_sql_text(s, 18),
                              .code = hf_sql_text(s, 19)};
    return each(cx, user, &row);
}

static hf_status each_row(hf_context *cx, hf_store *store, hf_sql_statement *s,
                          hf_status (*each)(hf_context *cx, void *user, const hf_store_row *row), void *user) {
    row_sums sums = {.f = (uint32_t)hf_sql_int(s, 10)};
    hf_text_init(cx, &sums.names);
    hf_status status = sum_row(cx, store, hf_sql_int(s, 9), &sums);
    status = status == HF_OK ? tell_row(cx, s, &sums, each, user) : status;
    hf_text_free(&sums.names);
    return status;
}

hf_status hf_store_each(hf_context *cx, hf_store *store, hf_status (*each)(hf_context *cx, void *user, const hf_store_row *row),
                        void *user) {
    hf_sql_statement *statement;
    HF_TRY(hf_store_expect_sound(cx, store));
    HF_TRY(hf_sql_prepare(cx, store->sql, each_sql, &statement));
    hf_status status;
    bool row = false;
    while ((status = hf_sql_step(cx, statement, &row)) == HF_OK && row) {
        status = each_row(cx, store, statement, each, user);
        if (status != HF_OK) {
            break;
        }
    }
    hf_sql_finalize(statement);
    return status;
}
