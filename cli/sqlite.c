#include "sqlite.h"

#include "status.h"

#ifndef CQ_SQLITE

cq_status cli_sqlite_write(cli_folder *folder, const char *name, const char *const *csv, int n) {
  (void)folder, (void)name, (void)csv, (void)n;
  return CQ_OK;
}

#else

#  include "alloc.h"
#  include "table.h"

#  include <errno.h>
#  include <sqlite3.h>
#  include <stdlib.h>
#  include <string.h>

enum { FIELD = 1024 };

typedef enum kind { WHOLE, NUMBER, TEXT } kind;

static const char *const kind_names[] = {"INTEGER", "REAL", "TEXT"};

typedef struct job {
  cq_ctx *ctx;
  const char *name; /* of the file, for messages */
  sqlite3 *db;
} job;

static cq_status check(const job *j, int code) {
  CQ_CHECK(j->ctx, code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW, CQ_IO, "%s: %s",
           j->name, sqlite3_errmsg(j->db));
  return CQ_OK;
}

static cq_status run(const job *j, const char *sql) {
  return check(j, sqlite3_exec(j->db, sql, NULL, NULL, NULL));
}

static int count_columns(const cli_table *table) {
  char text[FIELD];
  int n = 0;
  while (cli_table_heading(table, n, text, sizeof text)) {
    n++;
  }
  return n;
}

static kind kind_of(const char *text) {
  char *end = NULL;
  errno = 0;
  strtoll(text, &end, 10);
  if (*end == '\0' && errno == 0) {
    return WHOLE;
  }
  strtod(text, &end);
  return *end == '\0' ? NUMBER : TEXT;
}

/* What all fields of a column are; an empty one may be anything. */
static void find_kinds(cli_table *table, int n, kind *kinds) {
  char text[FIELD];
  while (cli_table_next(table)) {
    for (int i = 0; i < n; i++) {
      cli_table_text(table, i, text, sizeof text);
      const kind found = text[0] != '\0' ? kind_of(text) : WHOLE;
      kinds[i] = found > kinds[i] ? found : kinds[i];
    }
  }
}

/* The name of column i, in quotes, unlike those before it. */
static void add_column(const cli_table *table, int i, kind is, sqlite3_str *sql) {
  char name[FIELD], other[FIELD];
  int same = 1;
  cli_table_heading(table, i, name, sizeof name);
  for (int k = 0; k < i; k++) {
    cli_table_heading(table, k, other, sizeof other);
    same += sqlite3_stricmp(name, other) == 0;
  }
  sqlite3_str_appendf(sql, "%s\"%w", i > 0 ? ", " : "", name);
  if (same > 1) {
    sqlite3_str_appendf(sql, "_%d", same);
  }
  sqlite3_str_appendf(sql, "\" %s", kind_names[is]);
}

/* CREATE TABLE and INSERT of a table with these columns; for sqlite3_free. */
static char *create_text(const cli_table *table, const char *name, int n, const kind *kinds) {
  sqlite3_str *const sql = sqlite3_str_new(NULL);
  sqlite3_str_appendf(sql, "CREATE TABLE \"%w\" (", name);
  for (int i = 0; i < n; i++) {
    add_column(table, i, kinds[i], sql);
  }
  sqlite3_str_appendall(sql, ")");
  return sqlite3_str_finish(sql);
}

static char *insert_text(const char *name, int n) {
  sqlite3_str *const sql = sqlite3_str_new(NULL);
  sqlite3_str_appendf(sql, "INSERT INTO \"%w\" VALUES (", name);
  for (int i = 0; i < n; i++) {
    sqlite3_str_appendall(sql, i > 0 ? ", ?" : "?");
  }
  sqlite3_str_appendall(sql, ")");
  return sqlite3_str_finish(sql);
}

static int bind(sqlite3_stmt *row, int i, kind is, const char *text) {
  if (text[0] == '\0') {
    return sqlite3_bind_null(row, i);
  }
  if (is == TEXT) {
    return sqlite3_bind_text(row, i, text, -1, SQLITE_TRANSIENT);
  }
  return is == WHOLE ? sqlite3_bind_int64(row, i, strtoll(text, NULL, 10))
                     : sqlite3_bind_double(row, i, strtod(text, NULL));
}

static cq_status insert_rows(const job *j, cli_table *table, int n, const kind *kinds,
                             sqlite3_stmt *row) {
  char text[FIELD];
  while (cli_table_next(table)) {
    for (int i = 0; i < n; i++) {
      cli_table_text(table, i, text, sizeof text);
      CQ_TRY(check(j, bind(row, i + 1, kinds[i], text)));
    }
    CQ_TRY(check(j, sqlite3_step(row)));
    CQ_TRY(check(j, sqlite3_reset(row)));
  }
  return CQ_OK;
}

static cq_status fill(const job *j, cli_table *table, const char *name, int n, const kind *kinds) {
  char *const create = create_text(table, name, n, kinds), *const insert = insert_text(name, n);
  sqlite3_stmt *row = NULL;
  cq_status status = create != NULL && insert != NULL
                         ? run(j, create)
                         : CQ_FAIL(j->ctx, CQ_MEMORY, "%s: out of memory", j->name);
  status = status == CQ_OK ? check(j, sqlite3_prepare_v2(j->db, insert, -1, &row, NULL)) : status;
  status = status == CQ_OK ? insert_rows(j, table, n, kinds, row) : status;
  sqlite3_finalize(row);
  sqlite3_free(create);
  sqlite3_free(insert);
  return status;
}

/* A table of the database from a file: read once for its kinds, and once for its rows. */
static cq_status add_table(const job *j, const char *path, const char *csv) {
  char name[64];
  cli_table table;
  kind *kinds = NULL;
  snprintf(name, sizeof name, "%.*s", (int)strcspn(csv, "."), csv);
  CQ_TRY(cli_table_open(j->ctx, path, &table));
  const int n = count_columns(&table);
  cq_status status = CQ_ALLOC(j->ctx, kinds, n);
  if (status == CQ_OK) {
    find_kinds(&table, n, kinds);
  }
  cli_table_close(&table);
  status = status == CQ_OK ? cli_table_open(j->ctx, path, &table) : status;
  if (status == CQ_OK) {
    status = fill(j, &table, name, n, kinds);
    cli_table_close(&table);
  }
  cq_free(j->ctx, kinds);
  return status;
}

static cq_status write_database(void *user, FILE *out) {
  const job *const j = user;
  sqlite3_int64 size = 0;
  unsigned char *const bytes = sqlite3_serialize(j->db, "main", &size, 0);
  CQ_CHECK(j->ctx, bytes != NULL, CQ_MEMORY, "%s: out of memory", j->name);
  fwrite(bytes, 1, (size_t)size, out); /* an error shows when it is closed */
  sqlite3_free(bytes);
  return CQ_OK;
}

/* In memory, and to the disk in one step. */
cq_status cli_sqlite_write(cli_folder *folder, const char *name, const char *const *csv, int n) {
  char path[CLI_PATH];
  job j = {.ctx = folder->ctx, .name = name};
  cq_status status = check(&j, sqlite3_open(":memory:", &j.db));
  status = status == CQ_OK ? run(&j, "BEGIN") : status;
  for (int i = 0; i < n && status == CQ_OK; i++) {
    cli_folder_path(folder, csv[i], path, sizeof path);
    status = add_table(&j, path, csv[i]);
  }
  status = status == CQ_OK ? run(&j, "COMMIT") : status;
  status = status == CQ_OK ? cli_folder_write(folder, name, write_database, &j) : status;
  sqlite3_close(j.db);
  return status;
}

#endif
