/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Joining stores: what several machines or runs have kept, in one new file. Each store is looked at whole before anything is
 *  taken from it, and none is written to. The new file is made beside its place and renamed, so that it is there whole or not at
 *  all. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/store/schema.h"

typedef struct merging {
    hf_context *cx;
    hf_store *to; /* the new file; the store that is taken up is attached as "part" */
    const char *const *path;
    const char *accept; /* "" if none */
} merging;

/* What is told of a row, and by what it is known: `kin` has id and key of a campaign in both files. */
#define CAMPAIGN(c) "'campaign ' || " c ".key"
#define BATCH "'batch f=' || p.f || ', ranks ' || p.lo || ' to ' || p.hi || ' of ' || k.key"
#define ROW "'row f=' || p.f || ' of ' || k.key"
#define NOTE "'note ' || p.key"
#define OF_KIN(table) " FROM part." table " AS p JOIN kin AS k ON k.theirs = p.campaign "

static const char prepare_sql[] = "CREATE TEMP TABLE came (what TEXT PRIMARY KEY, file INTEGER) WITHOUT ROWID";

/* The same campaign by programs of two codes: their batches would never meet. */
static const char codes_sql[] = "SELECT " CAMPAIGN("m") ", " CAMPAIGN(
    "p") ", p.code, m.code FROM part.campaign AS p JOIN main.campaign AS m"
         " ON substr(p.key, 1, length(p.key) - length(p.code)) = substr(m.key, 1, length(m.key) - length(m.code))"
         " WHERE p.key NOT IN (SELECT key FROM main.campaign) AND instr(?1, p.code) = 0 AND instr(?1, m.code) = 0 LIMIT 1";

/* Ids are given anew, and with them checksums. Runs that are alike in everything are one. */
static const char kin_sql[] =
    "DROP TABLE IF EXISTS temp.fresh; DROP TABLE IF EXISTS temp.kin; DROP TABLE IF EXISTS temp.fresh_run;"
    "DROP TABLE IF EXISTS temp.kin_run;"
    "CREATE TEMP TABLE fresh AS SELECT (SELECT coalesce(max(id), 0) FROM main.campaign) + row_number() OVER (ORDER BY id) AS id,"
    " key, topology, routing, universe, criterion, method, ord, samples, seed, version, code FROM part.campaign"
    " WHERE key NOT IN (SELECT key FROM main.campaign);" HF_STORE_PUT(
        "INSERT", "campaign",
        HF_STORE_CAMPAIGN) " FROM fresh;"
                           "CREATE TEMP TABLE kin AS SELECT p.id AS theirs, m.id AS ours, p.key FROM part.campaign AS p JOIN "
                           "main.campaign AS m USING (key);"
                           "CREATE TEMP TABLE fresh_run AS SELECT (SELECT coalesce(max(id), 0) FROM main.run) + row_number() "
                           "OVER () AS id, * FROM"
                           " (SELECT k.ours AS campaign, p.commit_id, p.compiler, p.threads, p.started" OF_KIN(
                               "run") " EXCEPT SELECT campaign, commit_id, compiler, threads, started FROM "
                                      "main.run);" HF_STORE_PUT("INSERT", "run",
                                                                HF_STORE_RUN) " FROM fresh_run;"
                                                                              "CREATE TEMP TABLE kin_run AS SELECT p.id AS "
                                                                              "theirs, min(m.id) AS ours" OF_KIN(
                                                                                  "run") "JOIN main.run AS m ON (m.campaign, "
                                                                                         "m.commit_id, m.compiler, m.threads, "
                                                                                         "m.started)"
                                                                                         " = (k.ours, p.commit_id, p.compiler, "
                                                                                         "p.threads, p.started) GROUP BY p.id";

static const char contradictions_sql[] = "SELECT " BATCH OF_KIN(
    "batch") "JOIN main.batch AS m ON m.campaign = k.ours AND m.f = p.f AND m.lo = p.lo AND m.hi = p.hi"
             " WHERE (m.sets, m.tally, m.witness) <> (p.sets, p.tally, p.witness)"
             " UNION ALL SELECT " ROW OF_KIN(
                 "row") "JOIN main.row AS m ON m.campaign = k.ours AND m.f = p.f"
                        " WHERE (m.total, m.population) <> (p.total, p.population)"
                        " OR (m.lost_paths <> p.lost_paths AND m.lost_paths <> '' AND p.lost_paths <> '')"
                        " UNION ALL SELECT " NOTE
                        " FROM part.note AS p JOIN main.note AS m USING (key) WHERE m.value <> p.value LIMIT 1";

/* A batch that cuts what is there stays out: no rank counts twice, and the next run computes what then lacks. A row that knows
 * its lost paths is a whole one; else the last run stands for all. */
static const char take_sql[] = HF_STORE_PUT("INSERT", "batch", "k.ours, p.f, p.lo, p.hi, p.sets, p.tally, p.witness") OF_KIN(
    "batch") "WHERE p.lo >= coalesce((SELECT m.hi FROM main.batch AS m WHERE m.campaign = k.ours AND m.f = p.f AND m.lo < p.hi"
             " ORDER BY m.lo DESC LIMIT 1), 0);" HF_STORE_PUT(
                 "INSERT OR REPLACE", "row", "k.ours, p.f, p.total, p.population, p.lost_paths, q.ours, p.wall_s, p.finished")
                 OF_KIN(
                     "row") "JOIN kin_run AS q ON q.theirs = p.run LEFT JOIN main.row AS m ON m.campaign = k.ours AND m.f = p.f"
                            " WHERE m.f IS NULL OR (p.lost_paths <> '', p.finished) > (m.lost_paths <> '', m.finished);"
                            "INSERT INTO note SELECT * FROM part.note WHERE key NOT IN (SELECT key FROM main.note)";

static const char came_sql[] = "INSERT OR IGNORE INTO came SELECT what, ?1 FROM (SELECT " CAMPAIGN(
    "k") " AS what FROM kin AS k"
         " UNION ALL SELECT " BATCH OF_KIN("batch") " UNION ALL SELECT " ROW OF_KIN("row") " UNION ALL SELECT " NOTE
                                                                                           " FROM part.note AS p)";

/* ---- what does not fit ---- */

/* The first of the stores in which a row stands. */
static hf_status find_file(const merging *m, const char *what, const char **path) {
    hf_sql_statement *s;
    bool row;
    HF_TRY(hf_sql_prepare(m->cx, m->to->sql, "SELECT file FROM came WHERE what = ?1", &s));
    hf_sql_bind_text(s, 1, what);
    const hf_status status = hf_sql_step(m->cx, s, &row);
    *path = m->path[status == HF_OK && row ? hf_sql_int(s, 0) : 0];
    hf_sql_finalize(s);
    return status;
}

static hf_status refuse_codes(const merging *m, size_t i, hf_sql_statement *s) {
    const char *other;
    HF_TRY(find_file(m, hf_sql_text(s, 0), &other));
    HF_FAIL(
        m->cx, HF_ESTORE,
        "stores \"%s\" and \"%s\" do not join: programs of code %s and %s computed %s; --accept %s keeps both beside each other",
        other, m->path[i], hf_sql_text(s, 3), hf_sql_text(s, 2), hf_sql_text(s, 1), hf_sql_text(s, 2));
}

static hf_status refuse_contradiction(const merging *m, size_t i, hf_sql_statement *s) {
    const char *other;
    HF_TRY(find_file(m, hf_sql_text(s, 0), &other));
    HF_FAIL(m->cx, HF_ESTORE, "stores \"%s\" and \"%s\" contradict each other: they hold different figures for %s", other,
            m->path[i], hf_sql_text(s, 0));
}

/* Refuse what a query finds. */
static hf_status expect_none(const merging *m, size_t i, const char *sql, bool has_codes,
                             hf_status (*refuse)(const merging *m, size_t i, hf_sql_statement *s)) {
    hf_sql_statement *s;
    bool row;
    HF_TRY(hf_sql_prepare(m->cx, m->to->sql, sql, &s));
    if (has_codes) {
        hf_sql_bind_text(s, 1, m->accept);
    }
    hf_status status = hf_sql_step(m->cx, s, &row);
    status = status == HF_OK && row ? refuse(m, i, s) : status;
    hf_sql_finalize(s);
    return status;
}

/* ---- one store ---- */

static hf_status expect_sound(hf_context *cx, const char *path) {
    hf_store *store;
    HF_TRY(hf_store_open(cx, path, HF_STORE_READ, &store));
    const hf_status status = hf_store_expect_sound(cx, store);
    hf_store_close(store);
    return status;
}

static hf_status attach(const merging *m, const char *path) {
    hf_sql_statement *s;
    bool row;
    HF_TRY(hf_sql_prepare(m->cx, m->to->sql, "ATTACH ?1 AS part", &s));
    hf_sql_bind_text(s, 1, path);
    const hf_status status = hf_sql_step(m->cx, s, &row);
    hf_sql_finalize(s);
    return status;
}

static hf_status remember(const merging *m, size_t i) {
    hf_sql_statement *s;
    bool row;
    HF_TRY(hf_sql_prepare(m->cx, m->to->sql, came_sql, &s));
    hf_sql_bind_int(s, 1, (int64_t)i);
    const hf_status status = hf_sql_step(m->cx, s, &row);
    hf_sql_finalize(s);
    return status;
}

static hf_status take(const merging *m, size_t i) {
    HF_TRY(expect_none(m, i, codes_sql, true, refuse_codes));
    HF_TRY(hf_sql_exec(m->cx, m->to->sql, kin_sql));
    HF_TRY(expect_none(m, i, contradictions_sql, false, refuse_contradiction));
    HF_TRY(hf_sql_exec(m->cx, m->to->sql, take_sql));
    return remember(m, i);
}

static hf_status add_part(const merging *m, size_t i) {
    if (hf_context_stopped(m->cx)) {
        HF_FAIL(m->cx, HF_ESTOP, "stopped");
    }
    HF_TRY(expect_sound(m->cx, m->path[i]));
    HF_TRY(attach(m, m->path[i]));
    HF_TRY(hf_store_begin(m->cx, m->to));
    HF_TRY(take(m, i));
    HF_TRY(hf_store_commit(m->cx, m->to));
    return hf_sql_exec(m->cx, m->to->sql, "DETACH part");
}

/* ---- all of them ---- */

static hf_status count(const merging *m, hf_store_merged *out) {
    hf_sql *sql = m->to->sql;
    HF_TRY(hf_sql_query_int(m->cx, sql, "SELECT count(*) FROM campaign", &out->n_campaign));
    HF_TRY(hf_sql_query_int(m->cx, sql, "SELECT count(*) FROM note", &out->n_note));
    HF_TRY(hf_sql_query_int(m->cx, sql, "SELECT count(*) FROM (SELECT DISTINCT campaign, f FROM batch)", &out->n_row));
    return hf_sql_query_int(m->cx, sql,
                            "SELECT count(*) FROM row WHERE total = (SELECT sum(sets) FROM batch"
                            " WHERE batch.campaign = row.campaign AND batch.f = row.f)",
                            &out->n_complete);
}

static hf_status fill(merging *m, size_t n, const char *file, hf_store_merged *out) {
    HF_TRY(hf_store_open(m->cx, file, HF_STORE_WRITE, &m->to));
    hf_status status = hf_sql_exec(m->cx, m->to->sql, prepare_sql);
    for (size_t i = 0; i < n && status == HF_OK; i++) {
        status = add_part(m, i);
    }
    status = status == HF_OK ? count(m, out) : status;
    hf_store_close(m->to);
    return status;
}

static hf_status check_place(hf_context *cx, const char *into, const char *journal) {
    struct stat about;
    if (stat(into, &about) == 0 || stat(journal, &about) == 0) {
        HF_FAIL(cx, HF_ESTORE, "\"%s\" is there already; name a new file with --into", stat(into, &about) == 0 ? into : journal);
    }
    return hf_store_check_writable(cx, into);
}

static hf_status merge(hf_context *cx, merging *m, size_t n, const char *into, hf_store_merged *out) {
    char *file, *journal, *new_journal;
    HF_TRY(hf_scratch_print(cx, &journal, "%s-journal", into));
    HF_TRY(hf_scratch_print(cx, &file, "%s.%ld.new", into, (long)getpid()));
    HF_TRY(hf_scratch_print(cx, &new_journal, "%s-journal", file));
    HF_TRY(check_place(cx, into, journal));
    (void)unlink(file); /* of a killed program that had our number */
    (void)unlink(new_journal);
    hf_status status = fill(m, n, file, out);
    if (status == HF_OK && rename(file, into) != 0) {
        status = hf_context_fail(cx, HF_ESTORE, __FILE__, __LINE__, "store \"%s\" cannot be made: %s", into, strerror(errno));
    }
    if (status != HF_OK) {
        (void)unlink(file);
        (void)unlink(new_journal);
    }
    return status;
}

hf_status hf_store_merge(hf_context *cx, const char *const *path, size_t n, const char *accept, const char *into,
                         hf_store_merged *out) {
    merging m = {.cx = cx, .path = path, .accept = accept ? accept : ""};
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = merge(cx, &m, n, into, out);
    hf_scratch_reset(cx, mark);
    return status;
}
