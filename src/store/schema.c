/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Identity, version and migration of the store's file. Step i takes a file from schema i to i + 1; a new file takes all of them,
 * so there is one description of every table. Schema 1 had no provenance of runs and no figures of finished rows,
 * schema 2 no notes. */
#include "src/store/schema.h"

#include <inttypes.h>
#include <stdio.h>

static const char *const steps[HF_STORE_SCHEMA] = {
    ("CREATE TABLE campaign (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, topology TEXT NOT NULL, routing TEXT NOT NULL,"
     " universe TEXT NOT NULL, criterion TEXT NOT NULL, method TEXT NOT NULL, ord TEXT NOT NULL, samples TEXT NOT NULL,"
     " seed TEXT NOT NULL, version TEXT NOT NULL);"
     "CREATE TABLE batch (campaign INTEGER NOT NULL REFERENCES campaign(id), f INTEGER NOT NULL, lo INTEGER NOT NULL,"
     " hi INTEGER NOT NULL, sets INTEGER NOT NULL, tally TEXT NOT NULL, witness TEXT NOT NULL, checksum INTEGER NOT NULL,"
     " PRIMARY KEY (campaign, f, lo)) WITHOUT ROWID;"),
    ("CREATE TABLE run (id INTEGER PRIMARY KEY, campaign INTEGER NOT NULL REFERENCES campaign(id), commit_id TEXT NOT NULL,"
     " compiler TEXT NOT NULL, threads INTEGER NOT NULL, started TEXT NOT NULL);"
     "CREATE TABLE row (campaign INTEGER NOT NULL REFERENCES campaign(id), f INTEGER NOT NULL, total INTEGER NOT NULL,"
     " population TEXT NOT NULL, lost_paths TEXT NOT NULL, run INTEGER NOT NULL REFERENCES run(id), wall_s REAL NOT NULL,"
     " finished TEXT NOT NULL, PRIMARY KEY (campaign, f)) WITHOUT ROWID;"),
    "CREATE TABLE note (key TEXT PRIMARY KEY, value TEXT NOT NULL, checksum INTEGER NOT NULL, commit_id TEXT NOT NULL,"
    " compiler TEXT NOT NULL, finished TEXT NOT NULL) WITHOUT ROWID;",
};

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

int64_t hf_store_checksum(const char *text) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (const char *c = text; *c; c++) {
        hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
    }
    return (int64_t)(hash >> 1);
}

static hf_status migrate(hf_context *cx, hf_store *store, int64_t from) {
    HF_TRY(hf_store_begin(cx, store));
    hf_status status = HF_OK;
    for (int64_t i = from; i < HF_STORE_SCHEMA && status == HF_OK; i++) {
        status = hf_sql_exec(cx, store->sql, steps[i]);
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

hf_status hf_schema_prepare(hf_context *cx, hf_store *store) {
    int64_t application, version, tables;
    HF_TRY(hf_sql_query_int(cx, store->sql, "PRAGMA application_id", &application));
    HF_TRY(hf_sql_query_int(cx, store->sql, "PRAGMA user_version", &version));
    HF_TRY(hf_sql_query_int(cx, store->sql, "SELECT count(*) FROM sqlite_master", &tables));
    const bool is_new = tables == 0 && application == 0 && version == 0;
    if (!is_new && application != HF_STORE_APPLICATION) {
        HF_FAIL(cx, HF_ESTORE, "store \"%s\" is an SQLite file of another program; name another file with --store", store->path);
    }
    if (version > HF_STORE_SCHEMA || version < 0) {
        HF_FAIL(cx, HF_ESTORE,
                "store \"%s\" has schema %" PRId64
                ", this program knows up to %d; use a newer holdfast or another file with --store",
                store->path, version, HF_STORE_SCHEMA);
    }
    if (version == HF_STORE_SCHEMA) {
        return HF_OK;
    }
    if (!store->is_writable) {
        HF_FAIL(cx, HF_ESTORE, "store \"%s\" has schema %" PRId64 "; run a campaign with it once to bring it to schema %d",
                store->path, version, HF_STORE_SCHEMA);
    }
    return migrate(cx, store, version);
}
