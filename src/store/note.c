/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Notes: finished pieces of work that are no campaigns, by key. */
#include <string.h>
#include <time.h>

#include "src/store/schema.h"

void hf_store_now(char *text, size_t size) {
    const time_t now = time(NULL);
    struct tm parts;
    if (!gmtime_r(&now, &parts) || strftime(text, size, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0) {
        text[0] = 0;
    }
}

static hf_status insert_note(hf_context *cx, hf_store *store, const char *key, const char *value) {
    hf_sql_statement *s;
    bool row;
    char now[32];
    hf_store_now(now, sizeof now);
    HF_TRY(hf_sql_prepare(cx, store->sql, HF_STORE_PUT("INSERT OR REPLACE", "note", "?1, ?2, ?3, ?4, ?5"), &s));
    hf_sql_bind_text(s, 1, key);
    hf_sql_bind_text(s, 2, value);
    hf_sql_bind_text(s, 3, hf_build_commit());
    hf_sql_bind_text(s, 4, hf_build_compiler());
    hf_sql_bind_text(s, 5, now);
    const hf_status status = hf_sql_step(cx, s, &row);
    hf_sql_finalize(s);
    return status;
}

hf_status hf_store_note(hf_context *cx, hf_store *store, const char *key, const char *value) {
    HF_TRY(hf_store_begin(cx, store));
    const hf_status status = insert_note(cx, store, key, value);
    if (status != HF_OK) {
        hf_store_rollback(cx, store);
        return status;
    }
    return hf_store_commit(cx, store);
}

static hf_status take_note(hf_context *cx, const hf_store *store, hf_sql_statement *s, const char *key, char **value) {
    if (!hf_sql_int(s, 1)) {
        HF_FAIL(cx, HF_ESTORE, "store \"%s\": the note \"%.200s\" is damaged; run `holdfast store verify`", store->path, key);
    }
    return hf_scratch_print(cx, value, "%s", hf_sql_text(s, 0));
}

static hf_status look_up(hf_context *cx, const hf_store *store, const char *key, char **value) {
    hf_sql_statement *s;
    bool row;
    *value = NULL;
    HF_TRY(
        hf_sql_prepare(cx, store->sql, "SELECT value, " HF_STORE_IS_SOUND("note", HF_STORE_NOTE) " FROM note WHERE key=?1", &s));
    hf_sql_bind_text(s, 1, key);
    hf_status status = hf_sql_step(cx, s, &row);
    if (status == HF_OK && row) {
        status = take_note(cx, store, s, key, value);
    }
    hf_sql_finalize(s);
    return status;
}

/* The note as a program of another code wrote it: its key names that one. */
static hf_status look_up_accepted(hf_context *cx, hf_store *store, const char *key, char **value) {
    const char *at = strstr(key, hf_build_code()), *code;
    for (size_t i = 0; at && !*value && (code = hf_store_accepts(store, i)); i++) {
        char *other;
        HF_TRY(hf_scratch_print(cx, &other, "%.*s%.*s%s", (int)(at - key), key, HF_STORE_CODE, code, at + HF_STORE_CODE));
        HF_TRY(look_up(cx, store, other, value));
    }
    store->n_accepted += *value != NULL;
    return HF_OK;
}

hf_status hf_store_recall(hf_context *cx, hf_store *store, const char *key, char **value, bool *is_accepted) {
    *is_accepted = false;
    HF_TRY(look_up(cx, store, key, value));
    if (!*value) {
        HF_TRY(look_up_accepted(cx, store, key, value));
        *is_accepted = *value != NULL;
    }
    return HF_OK;
}
