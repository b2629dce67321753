/* Going on in the files of a run that was interrupted. */
#include "alloc.h"
#include "open.h"
#include "status.h"
#include "text_file.h"
#include "trace_file.h"
#include "trace_format.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct mend {
  cq_trace *trace;
  const char *dir;
  const cq_trace_def *def;
  cq_trace_past *past;
  char *text; /* of history.csv; by malloc */
  size_t size;
  long long good; /* its whole rows, in bytes */
  int rows;
} mend;

/* Saves what lies behind `keep` bytes of the file in dir/name, then cuts it off. The file is left
 * alone when it cannot be saved. */
static cq_status cut(const mend *m, const char *path, int file, long long keep, const char *name) {
  char *torn = NULL, buffer[1 << 14];
  CQ_TRY(cq_trace_join(m->trace->ctx, m->dir, name, &torn));
  const int out = cq_open(torn, O_WRONLY | O_CREAT | O_APPEND);
  bool good = out >= 0;
  for (long long at = keep; good;) {
    const ssize_t got = pread(file, buffer, sizeof buffer, at);
    good = got >= 0 && write(out, buffer, (size_t)got) == got;
    if (got <= 0) {
      break;
    }
    at += got;
  }
  good = good && fsync(out) == 0;
  cq_status status = good ? CQ_OK : cq_trace_error(m->trace, "save a torn tail in", torn);
  if (out >= 0) {
    close(out);
  }
  if (status == CQ_OK && ftruncate(file, keep) != 0) {
    status = cq_trace_error(m->trace, "cut the torn tail of", path);
  }
  if (status == CQ_OK) {
    cq_log(m->trace->ctx, CQ_LOG_WARNING, "the torn end of %s is now in %s", path, torn);
  }
  cq_free(m->trace->ctx, torn);
  return status;
}

static cq_status check_kind(const mend *m, const cq_trace_info *info) {
  const cq_trace *t = m->trace;
  CQ_CHECK(t->ctx,
           info->n == t->n && info->n_constraints == t->m && info->n_extra == t->k &&
               info->n_parts == t->p,
           CQ_CONFIG,
           "%s is the record of another problem: %d variables, %d constraints, %d terms, %d parts, "
           "not %d, %d, %d and %d",
           t->bin_path, info->n, info->n_constraints, info->n_extra, info->n_parts, t->n, t->m,
           t->k, t->p);
  return CQ_OK;
}

/* Reads all records; those that history.csv lacks go to `missing`, or nowhere when it is NULL. */
static cq_status read_records(const mend *m, FILE *missing, cq_trace_info *info) {
  cq_trace_reader *reader = NULL;
  CQ_TRY(cq_trace_open(m->trace->ctx, m->trace->bin_path, &reader));
  *info = (cq_trace_info){.struct_size = sizeof *info};
  cq_status status = cq_trace_reader_info(reader, info);
  status = status == CQ_OK ? check_kind(m, info) : status;
  const cq_evaluation *e = NULL;
  for (int i = 0; status == CQ_OK && (status = cq_trace_next(reader, &e)) == CQ_OK && e != NULL;
       i++) {
    if (missing != NULL && i >= m->rows) {
      cq_trace_put_row(e, missing);
    }
  }
  status = status == CQ_OK ? cq_trace_reader_info(reader, info) : status;
  cq_trace_close(reader);
  return status;
}

static cq_status mend_bin(mend *m) {
  cq_trace *t = m->trace;
  cq_trace_info info;
  CQ_TRY(read_records(m, NULL, &info));
  if (info.torn) {
    CQ_TRY(cut(m, t->bin_path, t->bin, info.bytes, "evals.torn"));
  }
  t->bytes = info.bytes;
  m->past->records = info.records;
  if (lseek(t->bin, info.bytes, SEEK_SET) < 0) {
    return cq_trace_error(t, "seek in", t->bin_path);
  }
  return CQ_OK;
}

/* The whole file, by pread: the place in it stays where rows are appended. */
static cq_status read_csv(mend *m, int file) {
  struct stat info;
  if (fstat(file, &info) != 0) {
    return cq_trace_error(m->trace, "read", m->trace->csv_path);
  }
  m->text = calloc((size_t)info.st_size + 1, 1);
  CQ_CHECK(m->trace->ctx, m->text != NULL, CQ_MEMORY, "out of memory");
  while (m->size < (size_t)info.st_size) {
    const ssize_t got =
        pread(file, m->text + m->size, (size_t)info.st_size - m->size, (off_t)m->size);
    if (got <= 0) {
      return cq_trace_error(m->trace, "read", m->trace->csv_path);
    }
    m->size += (size_t)got;
  }
  return CQ_OK;
}

/* the last two fields of the row that ends before `end` */
static void add_seconds(cq_trace_past *past, const char *row, const char *end) {
  const char *comma[2] = {NULL, NULL};
  for (const char *c = row; c < end; c++) {
    if (*c == ',') {
      comma[0] = comma[1];
      comma[1] = c;
    }
  }
  if (comma[0] == NULL) {
    return;
  }
  const double seconds = strtod(comma[0] + 1, NULL), elapsed = strtod(comma[1] + 1, NULL);
  past->eval_seconds += isfinite(seconds) ? seconds : 0;
  past->elapsed = isfinite(elapsed) ? elapsed : past->elapsed;
}

/* Counts the whole rows that have a record. */
static void scan_rows(mend *m, size_t heading) {
  m->good = (long long)heading;
  const char *row = m->text + heading, *end = NULL;
  while (m->rows < m->past->records && (end = strchr(row, '\n')) != NULL) {
    add_seconds(m->past, row, end);
    m->rows++;
    row = end + 1;
    m->good = row - m->text;
  }
}

/* The heading there should be, in memory of malloc. */
static cq_status make_heading(const mend *m, char **out, size_t *size) {
  cq_text_file file;
  CQ_TRY(cq_text_begin(m->trace->ctx, &file));
  cq_trace_put_columns(m->def, file.out);
  CQ_TRY(cq_text_end(m->trace->ctx, &file));
  *out = file.text;
  *size = file.size;
  return CQ_OK;
}

/* A CSV that is empty, or torn in its heading, is begun anew. */
static cq_status find_good_part(mend *m, int file) {
  char *heading = NULL;
  size_t size = 0;
  CQ_TRY(read_csv(m, file));
  CQ_TRY(make_heading(m, &heading, &size));
  const bool whole = m->size >= size && memcmp(m->text, heading, size) == 0;
  const bool torn = m->size < size && memcmp(m->text, heading, m->size) == 0;
  free(heading);
  CQ_CHECK(m->trace->ctx, whole || torn, CQ_CONFIG,
           "%s has other columns than this run would write; move it away and it is written anew",
           m->trace->csv_path);
  if (whole) {
    scan_rows(m, size);
  }
  return CQ_OK;
}

/* The rows must be those of the records, seconds aside. */
static cq_status check_row(const mend *m, const char *row, const char *wanted) {
  size_t size = strlen(wanted);
  for (int commas = 0; commas < 2;) {
    commas += wanted[--size] == ',';
  }
  CQ_CHECK(m->trace->ctx, strncmp(row, wanted, size) == 0, CQ_CONFIG,
           "%s is of another run than %s; move it away and it is written anew", m->trace->csv_path,
           m->trace->bin_path);
  return CQ_OK;
}

static cq_status check_rows(const mend *m, cq_trace_reader *reader, cq_text_file *wanted) {
  const cq_evaluation *e = NULL;
  const char *row = strchr(m->text, '\n') + 1;
  for (int i = 0; i < m->rows; i++) {
    CQ_TRY(cq_trace_next(reader, &e));
    cq_trace_put_row(e, wanted->out);
    CQ_TRY(cq_text_take(m->trace->ctx, wanted));
    CQ_TRY(check_row(m, row, wanted->text));
    row = strchr(row, '\n') + 1;
  }
  return CQ_OK;
}

/* The rows that are kept must be those that the records make. */
static cq_status check_history(const mend *m) {
  cq_text_file wanted;
  cq_trace_reader *reader = NULL;
  if (m->rows == 0) {
    return CQ_OK;
  }
  CQ_TRY(cq_trace_open(m->trace->ctx, m->trace->bin_path, &reader));
  cq_status status = cq_text_begin(m->trace->ctx, &wanted);
  if (status == CQ_OK) {
    status = check_rows(m, reader, &wanted);
    const cq_status ended = cq_text_end(m->trace->ctx, &wanted);
    status = status == CQ_OK ? ended : status;
    free(wanted.text);
  }
  cq_trace_close(reader);
  return status;
}

/* Keeps the good rows, puts a torn end aside, and writes the rows that the records have beyond
 * them. */
static cq_status mend_csv(mend *m) {
  cq_trace *t = m->trace;
  const int file = cq_open(t->csv_path, O_RDWR | O_CREAT | O_APPEND);
  if (file < 0) {
    return cq_trace_error(t, "open", t->csv_path);
  }
  cq_status status = find_good_part(m, file);
  status = status == CQ_OK ? check_history(m) : status;
  if (status == CQ_OK && (size_t)m->good < m->size) {
    status = cut(m, t->csv_path, file, m->good, "history.torn");
  }
  t->csv = status == CQ_OK ? fdopen(file, "ab") : NULL;
  if (t->csv == NULL) {
    close(file);
    return status != CQ_OK ? status : cq_trace_error(t, "open", t->csv_path);
  }
  if (m->good == 0) {
    cq_trace_put_columns(m->def, t->csv);
  }
  cq_trace_info info;
  CQ_TRY(read_records(m, t->csv, &info));
  return fflush(t->csv) == 0 ? CQ_OK : cq_trace_error(t, "write", t->csv_path);
}

/* a run that died before its first evaluation, or a folder of something else */
static cq_status nothing_to_go_on(const mend *m, const char *why) {
  return CQ_FAIL(m->trace->ctx, CQ_IO,
                 "%s %s: there is nothing to go on from; solve %s/problem.cfg in a new folder",
                 m->trace->bin_path, why, m->dir);
}

/* The records first, under their lock: the table is mended by them. */
static cq_status open_files(mend *m) {
  cq_trace *t = m->trace;
  struct stat info;
  t->bin = cq_open(t->bin_path, O_RDWR);
  if (t->bin < 0) {
    return errno == ENOENT ? nothing_to_go_on(m, "is missing")
                           : cq_trace_error(t, "open", t->bin_path);
  }
  CQ_TRY(cq_trace_lock(t));
  if (fstat(t->bin, &info) != 0) {
    return cq_trace_error(t, "read", t->bin_path);
  }
  if (info.st_size < (off_t)sizeof(cq_trace_header)) {
    return nothing_to_go_on(m, "has not even a header");
  }
  CQ_TRY(mend_bin(m));
  return mend_csv(m);
}

cq_status cq_trace_append(cq_ctx *ctx, const char *dir, const cq_trace_def *def, cq_trace **out,
                          cq_trace_past *past) {
  *past = (cq_trace_past){.records = 0};
  CQ_TRY(cq_trace_begin(ctx, dir, def, out));
  mend m = {.trace = *out, .dir = dir, .def = def, .past = past};
  const cq_status status = open_files(&m);
  free(m.text);
  if (status != CQ_OK) {
    cq_trace_destroy(*out);
    *out = NULL;
  }
  return status;
}
