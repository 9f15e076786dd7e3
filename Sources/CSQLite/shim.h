#pragma once
#include <sqlite3.h>

// Only the parts that Swift cannot import: SQLITE_TRANSIENT is a cast, and sqlite3_config and sqlite3_db_config are
// variadic, and the interface of FTS5 is passed as a typed pointer.

static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, text, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

// Turns off features that our statements do not need and that a crafted file could abuse: writable schemas, functions
// called from the schema, and strings in double quotes.
static inline int csqlite_harden(sqlite3 *connection) {
    int code = sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
    if (code == SQLITE_OK) code = sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
    if (code == SQLITE_OK) code = sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
    if (code == SQLITE_OK) code = sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)0);
    return code;
}

// Keeps the WAL when the last connection closes, instead of checkpointing and removing it.
static inline int csqlite_keep_wal(sqlite3 *connection, int keeps) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keeps, (int *)0);
}

// Turns off the statistics of memory usage, which take a lock in each allocation. Call this before the first
// connection.
static inline int csqlite_configure(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

// Finds the interface of FTS5, which SQLite passes as a typed pointer. It stays NULL without FTS5.
static inline int csqlite_fts5(sqlite3 *connection, fts5_api **interface) {
    sqlite3_stmt *statement = 0;
    int code = sqlite3_prepare_v2(connection, "SELECT fts5(?1)", -1, &statement, 0);
    if (code == SQLITE_OK) code = sqlite3_bind_pointer(statement, 1, interface, "fts5_api_ptr", 0);
    if (code == SQLITE_OK) sqlite3_step(statement);
    sqlite3_finalize(statement);
    return code;
}
