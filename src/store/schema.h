/** \file
 *  The store's file: identity, schema, checksums. */
#ifndef HOLDFAST_SRC_STORE_SCHEMA_H
#define HOLDFAST_SRC_STORE_SCHEMA_H

#include <holdfast/store.h>

#include "src/bridge/sqlite.h"

struct hf_store {
    hf_sql *sql;
    char *path;
    bool is_writable;
    bool in_transaction;
    int64_t sound_at;    /* PRAGMA data_version at which nothing was found damaged; -1: never looked */
    char *accept;        /* codes of other programs, commas between; NULL: none */
    uint64_t n_accepted; /* batches and notes that were taken over from them */
    hf_allocator allocator;
};

enum { HF_STORE_APPLICATION = 0x48464153 /* "HFAS" */, HF_STORE_SCHEMA = 4, HF_STORE_CODE = 16 };

/** The columns of the tables but for the last, `checksum`, which is over all of them in this order. */
#define HF_STORE_CAMPAIGN "id, key, topology, routing, universe, criterion, method, ord, samples, seed, version, code"
#define HF_STORE_BATCH "campaign, f, lo, hi, sets, tally, witness"
#define HF_STORE_RUN "id, campaign, commit_id, compiler, threads, started"
#define HF_STORE_ROW "campaign, f, total, population, lost_paths, run, wall_s, finished"
#define HF_STORE_NOTE "key, value, commit_id, compiler, finished"
/** A truth in SQL: the row is as it was written. */
#define HF_STORE_IS_SOUND(table, columns) "checksum IS holdfast_checksum('" table "', " columns ")"
/** Write a row of values "?1, ?2, ..." with its checksum. */
#define HF_STORE_PUT(how, table, values) how " INTO " table " SELECT " values ", holdfast_checksum('" table "', " values ")"

/** Check identity, version and tables; when writable and new make them, in one transaction. */
hf_status hf_schema_prepare(hf_context *cx, hf_store *store);
/** Start a transaction for writing unless one is open; end it. */
hf_status hf_store_begin(hf_context *cx, hf_store *store);
hf_status hf_store_commit(hf_context *cx, hf_store *store);
void hf_store_rollback(hf_context *cx, hf_store *store);
/** \return HF_ESTORE, with the first thing that is damaged, unless everything is sound */
hf_status hf_store_expect_sound(hf_context *cx, hf_store *store);
/** Code `i` of those accepted: HF_STORE_CODE characters. \return NULL: there are no more */
const char *hf_store_accepts(const hf_store *store, size_t i);
/** The time as UTC, ISO 8601; "" if there is no clock. */
void hf_store_now(char *text, size_t size);

#endif
