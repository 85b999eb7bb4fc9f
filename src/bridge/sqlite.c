/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  SQLite behind hf_status. */
#include "src/bridge/sqlite.h"

#include <sqlite3.h>
#include <string.h>

#include "src/core/hash.h"

struct hf_sql {
    sqlite3 *db;
    char *path;
    hf_allocator allocator;
};

struct hf_sql_statement {
    sqlite3_stmt *handle;
    hf_sql *sql;
    int bound; /* first failure while binding */
};

enum { BUSY_MS = 10000 };

static const char *advice(int code) {
    if (code == SQLITE_READONLY_ROLLBACK) {
        return "; a run was killed while it wrote: make file and folder writable, so that its half-written work can be taken "
               "back";
    }
    switch (code & 0xff) {
    case SQLITE_NOTADB:
    case SQLITE_FORMAT:
        return "; it is not a holdfast store: name another file with --store";
    case SQLITE_FULL:
        return "; free some space and run again: finished work is kept";
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return "; make file and folder writable, or use --store none";
    case SQLITE_CANTOPEN:
        return "; check that the folder exists and may be written, or use --store none";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return "; another program is writing to it: wait, or name another file with --store";
    case SQLITE_CORRUPT:
        return "; the file is damaged: restore a copy or name another file with --store";
    default:
        return "";
    }
}

static hf_status fail(hf_context *cx, const hf_sql *sql, int code) {
    HF_FAIL(cx, HF_ESTORE, "store \"%s\": %s%s", sql->path, sql->db ? sqlite3_errmsg(sql->db) : sqlite3_errstr(code),
            advice(code));
}

/* ---- checksums of rows ---- */

static uint64_t hash_number(uint64_t hash, uint64_t number) { return hf_hash_number(hash, number, sizeof number); }

static uint64_t hash_value(uint64_t hash, sqlite3_value *value) {
    const int type = sqlite3_value_type(value);
    hash = hash_number(hash, (uint64_t)type);
    if (type == SQLITE_INTEGER) {
        return hash_number(hash, (uint64_t)sqlite3_value_int64(value));
    }
    if (type == SQLITE_FLOAT) {
        const double real = sqlite3_value_double(value);
        uint64_t bits;
        memcpy(&bits, &real, sizeof bits);
        return hash_number(hash, bits);
    }
    const void *bytes = sqlite3_value_blob(value);
    const size_t size = (size_t)sqlite3_value_bytes(value);
    return hf_hash_more(hash_number(hash, size), bytes, size);
}

static void checksum(sqlite3_context *call, int n, sqlite3_value **value) {
    uint64_t hash = HF_HASH_START;
    for (int i = 0; i < n; i++) {
        hash = hash_value(hash, value[i]);
    }
    sqlite3_result_int64(call, (sqlite3_int64)hash);
}

/* ---- opening ---- */

static int open_file(hf_sql *sql, int flags) {
    const int code = sqlite3_open_v2(sql->path, &sql->db, flags, NULL);
    if (code != SQLITE_OK) {
        return code;
    }
    sqlite3_busy_timeout(sql->db, BUSY_MS);
    sqlite3_extended_result_codes(sql->db, 1);
    return sqlite3_create_function(sql->db, "holdfast_checksum", -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, NULL,
                                   checksum, NULL, NULL);
}

/* What a killed program was writing is taken back by who may write only. */
static int open_to_read(hf_sql *sql) {
    static const char look[] = "PRAGMA cell_size_check=1; SELECT count(*) FROM sqlite_master";
    int code = open_file(sql, SQLITE_OPEN_READONLY);
    code = code == SQLITE_OK ? sqlite3_exec(sql->db, look, NULL, NULL, NULL) : code;
    if (code != SQLITE_READONLY_ROLLBACK) {
        return code;
    }
    sqlite3_close(sql->db);
    code = open_file(sql, SQLITE_OPEN_READWRITE);
    code = code == SQLITE_OK ? sqlite3_exec(sql->db, look, NULL, NULL, NULL) : code;
    return code == SQLITE_OK ? sqlite3_exec(sql->db, "PRAGMA query_only=1", NULL, NULL, NULL) : code;
}

hf_status hf_sql_open(hf_context *cx, const char *path, bool write, hf_sql **out) {
    hf_sql *sql;
    HF_TRY(hf_allocate(cx, 1, sizeof *sql, (void **)&sql));
    sql->allocator = *hf_context_allocator(cx);
    hf_status status = hf_duplicate(cx, path, &sql->path);
    if (status == HF_OK) {
        const int code = write ? open_file(sql, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) : open_to_read(sql);
        status = code == SQLITE_OK ? HF_OK : fail(cx, sql, code);
    }
    if (status != HF_OK) {
        hf_sql_close(sql);
        return status;
    }
    *out = sql;
    return HF_OK;
}

void hf_sql_close(hf_sql *sql) {
    if (sql) {
        const hf_allocator allocator = sql->allocator;
        sqlite3_close(sql->db);
        hf_release(&allocator, sql->path);
        hf_release(&allocator, sql);
    }
}

hf_status hf_sql_exec(hf_context *cx, hf_sql *sql, const char *text) {
    const int code = sqlite3_exec(sql->db, text, NULL, NULL, NULL);
    return code == SQLITE_OK ? HF_OK : fail(cx, sql, code);
}

hf_status hf_sql_prepare(hf_context *cx, hf_sql *sql, const char *text, hf_sql_statement **out) {
    hf_sql_statement *statement;
    *out = NULL;
    HF_TRY(hf_allocate(cx, 1, sizeof *statement, (void **)&statement));
    statement->sql = sql;
    const int code = sqlite3_prepare_v2(sql->db, text, -1, &statement->handle, NULL);
    if (code != SQLITE_OK) {
        hf_sql_finalize(statement);
        return fail(cx, sql, code);
    }
    *out = statement;
    return HF_OK;
}

static void note(hf_sql_statement *statement, int code) {
    statement->bound = statement->bound == SQLITE_OK ? code : statement->bound;
}

void hf_sql_bind_text(hf_sql_statement *statement, int i, const char *text) {
    note(statement, sqlite3_bind_text(statement->handle, i, text, -1, SQLITE_TRANSIENT));
}
void hf_sql_bind_int(hf_sql_statement *statement, int i, int64_t value) {
    note(statement, sqlite3_bind_int64(statement->handle, i, value));
}
void hf_sql_bind_real(hf_sql_statement *statement, int i, double value) {
    note(statement, sqlite3_bind_double(statement->handle, i, value));
}

hf_status hf_sql_step(hf_context *cx, hf_sql_statement *statement, bool *row) {
    const int code = statement->bound != SQLITE_OK ? statement->bound : sqlite3_step(statement->handle);
    *row = code == SQLITE_ROW;
    if (code == SQLITE_ROW) {
        return HF_OK;
    }
    const hf_status status = code == SQLITE_DONE ? HF_OK : fail(cx, statement->sql, code);
    hf_sql_reset(statement);
    return status;
}

const char *hf_sql_text(hf_sql_statement *statement, int column) {
    const unsigned char *text = sqlite3_column_text(statement->handle, column);
    return text ? (const char *)text : "";
}
int64_t hf_sql_int(hf_sql_statement *statement, int column) { return sqlite3_column_int64(statement->handle, column); }
double hf_sql_real(hf_sql_statement *statement, int column) { return sqlite3_column_double(statement->handle, column); }

void hf_sql_reset(hf_sql_statement *statement) {
    statement->bound = SQLITE_OK;
    sqlite3_reset(statement->handle);
}

void hf_sql_finalize(hf_sql_statement *statement) {
    if (statement) {
        const hf_allocator allocator = statement->sql->allocator;
        sqlite3_finalize(statement->handle);
        hf_release(&allocator, statement);
    }
}

hf_status hf_sql_query_int(hf_context *cx, hf_sql *sql, const char *text, int64_t *out) {
    hf_sql_statement *statement;
    bool row;
    HF_TRY(hf_sql_prepare(cx, sql, text, &statement));
    const hf_status status = hf_sql_step(cx, statement, &row);
    *out = status == HF_OK && row ? hf_sql_int(statement, 0) : 0;
    hf_sql_finalize(statement);
    return status;
}
