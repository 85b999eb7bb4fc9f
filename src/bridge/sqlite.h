/** \file
 *  SQLite: a thin layer that turns its failures into hf_status. Only src/bridge/sqlite.c sees sqlite3.h. */
#ifndef HOLDFAST_SRC_BRIDGE_SQLITE_H
#define HOLDFAST_SRC_BRIDGE_SQLITE_H

#include <holdfast/core/context.h>

typedef struct hf_sql hf_sql;                     /**< an open file */
typedef struct hf_sql_statement hf_sql_statement; /**< a prepared statement */

/** Open. \param[in] write create the file if it is missing. Waits up to 10 s for other users. What a killed program left half
 * written is taken back, also where the file is only to be read. \return HF_ESTORE with file and reason.
 *
 * Statements may call holdfast_checksum(name, value, ...): a hash over the name and over type and bytes of every value. */
hf_status hf_sql_open(hf_context *cx, const char *path, bool write, hf_sql **out);
void hf_sql_close(hf_sql *sql);
/** Run statements without parameters and results. */
hf_status hf_sql_exec(hf_context *cx, hf_sql *sql, const char *text);
/** Prepare one statement. Free with hf_sql_finalize(). */
hf_status hf_sql_prepare(hf_context *cx, hf_sql *sql, const char *text, hf_sql_statement **out);
/** Bind parameter i (from 1); texts are copied. Failures show at the next step. */
void hf_sql_bind_text(hf_sql_statement *statement, int i, const char *text);
void hf_sql_bind_int(hf_sql_statement *statement, int i, int64_t value);
void hf_sql_bind_real(hf_sql_statement *statement, int i, double value);
/** Step. \param[out] row whether there is a row to read; when there is none the statement is reset for the next use. */
hf_status hf_sql_step(hf_context *cx, hf_sql_statement *statement, bool *row);
/** Columns (from 0) of the present row; texts are borrowed until the next step and never NULL. */
const char *hf_sql_text(hf_sql_statement *statement, int column);
int64_t hf_sql_int(hf_sql_statement *statement, int column);
double hf_sql_real(hf_sql_statement *statement, int column);
/** Reset in the middle of the rows. */
void hf_sql_reset(hf_sql_statement *statement);
void hf_sql_finalize(hf_sql_statement *statement);
/** One integer from a query without parameters. */
hf_status hf_sql_query_int(hf_context *cx, hf_sql *sql, const char *text, int64_t *out);

#endif
