/** \file
 *  The store's file: identity, schema version, migration. */
#ifndef HOLDFAST_SRC_STORE_SCHEMA_H
#define HOLDFAST_SRC_STORE_SCHEMA_H

#include <holdfast/store.h>

#include "src/bridge/sqlite.h"

struct hf_store {
    hf_sql *sql;
    char *path;
    bool is_writable;
    bool in_transaction;
    hf_allocator allocator;
};

enum { HF_STORE_APPLICATION = 0x48464153 /* "HFAS" */, HF_STORE_SCHEMA = 3 };

/** Check identity and version; when writable create or migrate, in one transaction. */
hf_status hf_schema_prepare(hf_context *cx, hf_store *store);
/** Start a transaction for writing unless one is open; end it. */
hf_status hf_store_begin(hf_context *cx, hf_store *store);
hf_status hf_store_commit(hf_context *cx, hf_store *store);
void hf_store_rollback(hf_context *cx, hf_store *store);
/** FNV-1a over a text, as the non-negative integer that batch.checksum holds. */
int64_t hf_store_checksum(const char *text);
/** The time as UTC, ISO 8601; "" if there is no clock. */
void hf_store_now(char *text, size_t size);

#endif
