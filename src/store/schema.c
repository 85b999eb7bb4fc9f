/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Identity, version and tables of the store's file. Every row of every table ends in a checksum over its other columns: what
 *  reads a row asks for it, and verify.c walks all tables that are there. */
#include "src/store/schema.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* As SQLite keeps them: what stands in the file must be the same texts. */
static const struct {
    const char *name, *make;
} tables[] = {
    {"campaign",
     "campaign (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, topology TEXT NOT NULL,"
     " routing TEXT NOT NULL, universe TEXT NOT NULL, criterion TEXT NOT NULL, method TEXT NOT NULL, ord TEXT NOT NULL,"
     " samples TEXT NOT NULL, seed TEXT NOT NULL, version TEXT NOT NULL, code TEXT NOT NULL,"
     " checksum INTEGER NOT NULL)"},
    {"batch", "batch (campaign INTEGER NOT NULL REFERENCES campaign(id), f INTEGER NOT NULL, lo INTEGER NOT NULL,"
              " hi INTEGER NOT NULL, sets INTEGER NOT NULL, tally TEXT NOT NULL, witness TEXT NOT NULL,"
              " checksum INTEGER NOT NULL, PRIMARY KEY (campaign, f, lo)) WITHOUT ROWID"},
    {"run", "run (id INTEGER PRIMARY KEY, campaign INTEGER NOT NULL REFERENCES campaign(id), commit_id TEXT NOT NULL,"
            " compiler TEXT NOT NULL, threads INTEGER NOT NULL, started TEXT NOT NULL, checksum INTEGER NOT NULL)"},
    {"row", "row (campaign INTEGER NOT NULL REFERENCES campaign(id), f INTEGER NOT NULL, total INTEGER NOT NULL,"
            " population TEXT NOT NULL, lost_paths TEXT NOT NULL, run INTEGER NOT NULL REFERENCES run(id), wall_s REAL NOT NULL,"
            " finished TEXT NOT NULL, checksum INTEGER NOT NULL, PRIMARY KEY (campaign, f)) WITHOUT ROWID"},
    {"note", "note (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL, commit_id TEXT NOT NULL,"
             " compiler TEXT NOT NULL, finished TEXT NOT NULL, checksum INTEGER NOT NULL) WITHOUT ROWID"},
};
enum { N_TABLE = sizeof tables / sizeof *tables };

hf_status hf_store_begin(hf_context *cx, hf_store *store) {
    if (!store->in_transaction) {
        HF_TRY(hf_sql_exec(cx, store->sql, "BEGIN IMMEDIATE"));
        store->in_transaction = true;
    }
    return HF_OK;
}

hf_status hf_store_commit(hf_context *cx, hf_store *store) {
    if (!store->in_transaction) {
        return HF_OK;
    }
    const hf_status status = hf_sql_exec(cx, store->sql, "COMMIT");
    if (status != HF_OK) {
        hf_store_rollback(cx, store);
        return status;
    }
    store->in_transaction = false;
    return HF_OK;
}

/* Keeps the message of the failure that led here. */
void hf_store_rollback(hf_context *cx, hf_store *store) {
    if (store->in_transaction) {
        hf_context *quiet = hf_context_new(hf_context_allocator(cx));
        if (quiet) {
            (void)hf_sql_exec(quiet, store->sql, "ROLLBACK");
            hf_context_free(quiet);
        }
        store->in_transaction = false;
    }
}

static hf_status make_tables(hf_context *cx, hf_store *store) {
    HF_TRY(hf_store_begin(cx, store));
    hf_status status = HF_OK;
    for (size_t i = 0; i < N_TABLE && status == HF_OK; i++) {
        char text[1024]; /* another program may have made them since we looked */
        snprintf(text, sizeof text, "CREATE TABLE IF NOT EXISTS %s", tables[i].make);
        status = hf_sql_exec(cx, store->sql, text);
    }
    char text[128];
    snprintf(text, sizeof text, "PRAGMA application_id=%d; PRAGMA user_version=%d", HF_STORE_APPLICATION, HF_STORE_SCHEMA);
    if (status == HF_OK) {
        status = hf_sql_exec(cx, store->sql, text);
    }
    if (status != HF_OK) {
        hf_store_rollback(cx, store);
        return status;
    }
    return hf_store_commit(cx, store);
}

static hf_status check_tables(hf_context *cx, hf_store *store) {
    hf_sql_statement *s;
    HF_TRY(hf_sql_prepare(cx, store->sql,
                          "SELECT replace(sql, 'CREATE TABLE ', '') FROM sqlite_master WHERE type='table' AND name=?1", &s));
    hf_status status = HF_OK;
    for (size_t i = 0; i < N_TABLE && status == HF_OK; i++) {
        bool row;
        hf_sql_reset(s);
        hf_sql_bind_text(s, 1, tables[i].name);
        status = hf_sql_step(cx, s, &row);
        if (status == HF_OK && (!row || strcmp(hf_sql_text(s, 0), tables[i].make) != 0)) {
            status = hf_context_fail(cx, HF_ESTORE, __FILE__, __LINE__,
                                     "store \"%s\" is damaged: its table \"%s\" is not as holdfast makes it; restore a copy or"
                                     " name another file with --store",
                                     store->path, tables[i].name);
        }
    }
    hf_sql_finalize(s);
    return status;
}

hf_status hf_schema_prepare(hf_context *cx, hf_store *store) {
    int64_t application, version, n_table;
    HF_TRY(hf_sql_query_int(cx, store->sql, "PRAGMA application_id", &application));
    HF_TRY(hf_sql_query_int(cx, store->sql, "PRAGMA user_version", &version));
    HF_TRY(hf_sql_query_int(cx, store->sql, "SELECT count(*) FROM sqlite_master", &n_table));
    const bool is_new = n_table == 0 && application == 0 && version == 0;
    if (!is_new && application != HF_STORE_APPLICATION) {
        HF_FAIL(cx, HF_ESTORE, "store \"%s\" is an SQLite file of another program; name another file with --store", store->path);
    }
    if (!is_new && version != HF_STORE_SCHEMA) {
        HF_FAIL(cx, HF_ESTORE,
                "store \"%s\" has schema %" PRId64 ", of %s holdfast; this one keeps schema %d: name another file"
                " with --store",
                store->path, version, version > HF_STORE_SCHEMA ? "a newer" : "an older", HF_STORE_SCHEMA);
    }
    if (!is_new) {
        return check_tables(cx, store);
    }
    if (!store->is_writable) {
        HF_FAIL(cx, HF_ESTORE, "store \"%s\" is empty: no campaign was run with it", store->path);
    }
    return make_tables(cx, store);
}
