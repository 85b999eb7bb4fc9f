/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results store: opening, listing, verifying. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/core/print.h"
#include "src/store/batch_text.h"
#include "src/store/schema.h"

/* ---- opening ---- */

/* Make the folders of `path`. */
static hf_status make_folder(hf_context *cx, const char *path) {
    char *copy;
    HF_TRY(hf_duplicate(cx, path, &copy));
    hf_status status = HF_OK;
    for (char *slash = strchr(copy + 1, '/'); slash && status == HF_OK; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        if (mkdir(copy, 0777) != 0 && errno != EEXIST) {
            status = hf_context_fail(cx, HF_ESTORE, __FILE__, __LINE__, "store \"%s\": folder \"%s\" cannot be made: %s", path,
                                     copy, strerror(errno));
        }
        *slash = '/';
    }
    hf_release(hf_context_allocator(cx), copy);
    return status;
}

/* What is there must be a plain file that its owner lets be written; root would be let past by the system. */
static hf_status check_file(hf_context *cx, const char *path, bool write, bool *exists) {
    struct stat about;
    *exists = stat(path, &about) == 0;
    if (!*exists && !write) {
        HF_FAIL(cx, HF_ESTORE, "store \"%s\" cannot be read: %s", path, strerror(errno));
    }
    if (*exists && !S_ISREG(about.st_mode)) {
        HF_FAIL(cx, HF_ESTORE, "store \"%s\" is not a plain file; name another one with --store", path);
    }
    if (*exists && write && (about.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0) {
        HF_FAIL(cx, HF_ESTORE, "store \"%s\" is read-only; make it writable, or use --store none", path);
    }
    return HF_OK;
}

hf_status hf_store_open(hf_context *cx, const char *path, hf_store_mode mode, hf_store **out) {
    const bool write = mode == HF_STORE_WRITE;
    bool exists;
    HF_TRY(check_file(cx, path, write, &exists));
    if (!exists) {
        HF_TRY(make_folder(cx, path));
    }
    hf_store *store;
    HF_TRY(hf_allocate(cx, 1, sizeof *store, (void **)&store));
    store->allocator = *hf_context_allocator(cx);
    store->is_writable = write;
    hf_status status;
    HF_TRY_DONE(hf_duplicate(cx, path, &store->path));
    HF_TRY_DONE(hf_sql_open(cx, path, write, &store->sql));
    HF_TRY_DONE(hf_schema_prepare(cx, store));
    *out = store;
    return HF_OK;
done:
    hf_store_close(store);
    return status;
}

void hf_store_close(hf_store *store) {
    if (store) {
        const hf_allocator allocator = store->allocator;
        hf_sql_close(store->sql);
        hf_release(&allocator, store->path);
        hf_release(&allocator, store);
    }
}

/* ---- listing ---- */

/* Sums over the batches of one row. */
typedef struct row_sums {
    uint64_t sets;
    hf_tally tally;
    hf_text names; /* of the lowest witness */
    uint32_t *lowest;
    uint32_t f;
} row_sums;

static bool is_lower(const uint32_t *a, const uint32_t *b, uint32_t f) {
    for (uint32_t i = 0; i < f; i++) {
        if (a[i] != b[i]) {
            return a[i] < b[i];
        }
    }
    return false;
}

static hf_status sum_row(hf_context *cx, hf_store *store, int64_t campaign, row_sums *sums) {
    hf_sql_statement *statement;
    HF_TRY(hf_sql_prepare(cx, store->sql, "SELECT tally, witness FROM batch WHERE campaign=?1 AND f=?2 ORDER BY lo", &statement));
    hf_sql_bind_int(statement, 1, campaign);
    hf_sql_bind_int(statement, 2, sums->f);
    const hf_mark mark = hf_scratch_mark(cx);
    uint32_t *witness;
    hf_status status = hf_scratch(cx, 2 * (size_t)sums->f, sizeof *witness, (void **)&witness);
    bool row = false, has = false;
    uint32_t *lowest = status == HF_OK ? witness + sums->f : NULL;
    while (status == HF_OK && (status = hf_sql_step(cx, statement, &row)) == HF_OK && row) {
        hf_tally tally = {.witness = witness};
        status = hf_batch_parse(cx, hf_sql_text(statement, 0), sums->f, &tally);
        if (status == HF_OK) {
            if (tally.has_witness && (!has || is_lower(witness, lowest, sums->f))) {
                memcpy(lowest, witness, sums->f * sizeof *witness);
                sums->names.size = 0;
                hf_text_print(&sums->names, "%s", hf_sql_text(statement, 1));
                has = true;
            }
            tally.has_witness = false;
            hf_tally_merge(&sums->tally, &tally, sums->f);
        }
    }
    hf_scratch_reset(cx, mark);
    hf_sql_finalize(statement);
    return status;
}

static const char each_sql[] =
    "SELECT c.topology, c.routing, c.universe, c.criterion, c.method, c.ord, c.samples, c.seed, c.version, c.id, b.f,"
    " coalesce(r.total, 0), coalesce(r.population, ''), coalesce(r.lost_paths, ''), coalesce(u.commit_id, ''),"
    " coalesce(u.compiler, ''), coalesce(u.threads, 0), coalesce(r.wall_s, 0), coalesce(r.finished, '')"
    " FROM (SELECT DISTINCT campaign, f FROM batch) b JOIN campaign c ON c.id = b.campaign"
    " LEFT JOIN row r ON r.campaign = b.campaign AND r.f = b.f LEFT JOIN run u ON u.id = r.run"
    " ORDER BY c.topology, c.routing, c.universe, c.criterion, c.method, c.samples, c.seed, c.ord, c.version, c.id, b.f";

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
                              .samples = strtoull(hf_sql_text(s, 6), NULL, 10),
                              .seed = strtoull(hf_sql_text(s, 7), NULL, 10),
                              .f = sums->f,
                              .sets = sets,
                              .not_tolerated = bad,
                              .victims_sum = victims,
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
                              .finished = hf_sql_text(s, 18)};
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

/* ---- verifying ---- */

typedef struct verifier {
    uint64_t problems;
    void (*tell)(void *user, const char *problem);
    void *user;
    int64_t campaign, f, at; /* where the last batch of the row ended */
} verifier;

__attribute__((format(printf, 2, 3))) static void complain(verifier *v, const char *format, ...) {
    char text[256];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    v->problems++;
    if (v->tell) {
        v->tell(v->user, text);
    }
}

static hf_status verify_file(hf_context *cx, hf_store *store, verifier *v) {
    hf_sql_statement *statement;
    bool row = false;
    hf_status status;
    HF_TRY(hf_sql_prepare(cx, store->sql, "PRAGMA integrity_check", &statement));
    while ((status = hf_sql_step(cx, statement, &row)) == HF_OK && row) {
        if (strcmp(hf_sql_text(statement, 0), "ok") != 0) {
            complain(v, "SQLite: %s", hf_sql_text(statement, 0));
        }
    }
    hf_sql_finalize(statement);
    return status;
}

static void verify_batch(hf_context *cx, verifier *v, hf_sql_statement *s) {
    const int64_t campaign = hf_sql_int(s, 0), f = hf_sql_int(s, 1), lo = hf_sql_int(s, 2), hi = hf_sql_int(s, 3);
    const char *tally_text = hf_sql_text(s, 5);
    const bool same_row = campaign == v->campaign && f == v->f;
    if (hi <= lo || (same_row && lo < v->at)) {
        complain(v, "campaign %" PRId64 ", f=%" PRId64 ": ranks %" PRId64 "..%" PRId64 " are empty or overlap others", campaign,
                 f, lo, hi);
    }
    if (hf_store_checksum(tally_text) != hf_sql_int(s, 6)) {
        complain(v, "campaign %" PRId64 ", f=%" PRId64 ", ranks %" PRId64 "..%" PRId64 ": checksum differs", campaign, f, lo, hi);
        return;
    }
    const hf_mark mark = hf_scratch_mark(cx);
    hf_tally tally = {0};
    const bool is_read = f >= 0 && f < HF_NONE &&
                         hf_scratch(cx, (size_t)f, sizeof *tally.witness, (void **)&tally.witness) == HF_OK &&
                         hf_batch_parse(cx, tally_text, (uint32_t)f, &tally) == HF_OK;
    if (!is_read || tally.sets != (uint64_t)(hi - lo) || tally.not_tolerated > tally.sets ||
        (int64_t)tally.sets != hf_sql_int(s, 4)) {
        complain(v, "campaign %" PRId64 ", f=%" PRId64 ", ranks %" PRId64 "..%" PRId64 ": tally does not fit its range", campaign,
                 f, lo, hi);
    }
    hf_scratch_reset(cx, mark);
    v->campaign = campaign;
    v->f = f;
    v->at = hi;
}

static hf_status verify_totals(hf_context *cx, hf_store *store, verifier *v) {
    hf_sql_statement *s;
    bool row = false;
    hf_status status;
    HF_TRY(hf_sql_prepare(cx, store->sql,
                          "SELECT r.campaign, r.f, r.total, coalesce(sum(b.sets), 0) FROM row r LEFT JOIN batch b"
                          " ON b.campaign = r.campaign AND b.f = r.f GROUP BY r.campaign, r.f",
                          &s));
    while ((status = hf_sql_step(cx, s, &row)) == HF_OK && row) {
        if (hf_sql_int(s, 3) > hf_sql_int(s, 2)) {
            complain(v, "campaign %" PRId64 ", f=%" PRId64 ": more sets than the row has", hf_sql_int(s, 0), hf_sql_int(s, 1));
        }
    }
    hf_sql_finalize(s);
    return status;
}

static hf_status verify_notes(hf_context *cx, hf_store *store, verifier *v) {
    hf_sql_statement *s;
    bool row = false;
    hf_status status;
    HF_TRY(hf_sql_prepare(cx, store->sql, "SELECT key, value, checksum FROM note ORDER BY key", &s));
    while ((status = hf_sql_step(cx, s, &row)) == HF_OK && row) {
        if (hf_store_checksum(hf_sql_text(s, 1)) != hf_sql_int(s, 2)) {
            complain(v, "note \"%.160s\": checksum differs", hf_sql_text(s, 0));
        }
    }
    hf_sql_finalize(s);
    return status;
}

hf_status hf_store_verify(hf_context *cx, hf_store *store, uint64_t *problems, void (*tell)(void *user, const char *problem),
                          void *user) {
    verifier v = {0, tell, user, -1, -1, 0};
    HF_TRY(verify_file(cx, store, &v));
    hf_sql_statement *statement;
    HF_TRY(hf_sql_prepare(cx, store->sql, "SELECT campaign, f, lo, hi, sets, tally, checksum FROM batch ORDER BY campaign, f, lo",
                          &statement));
    hf_status status;
    bool row = false;
    while ((status = hf_sql_step(cx, statement, &row)) == HF_OK && row) {
        verify_batch(cx, &v, statement);
    }
    hf_sql_finalize(statement);
    HF_TRY(status);
    HF_TRY(verify_totals(cx, store, &v));
    HF_TRY(verify_notes(cx, store, &v));
    hf_context_clear(cx);
    *problems = v.problems;
    return HF_OK;
}
