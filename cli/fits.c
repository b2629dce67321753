#include "fits.h"

#include "status.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Numbers in hexadecimal, which lose nothing: 1 where a fit has settled, f, its start, its end. */
static bool read_numbers(FILE *file, int count, double *numbers) {
  for (int i = 0; i < count; i++) {
    if (fscanf(file, "%la", &numbers[i]) != 1) {
      return false;
    }
  }
  return true;
}

/* Whether the numbers that follow are these. */
static bool has_numbers(FILE *file, int count, const double *wanted) {
  for (int i = 0; i < count; i++) {
    double number = 0;
    if (!read_numbers(file, 1, &number) || memcmp(&number, &wanted[i], sizeof number) != 0) {
      return false;
    }
  }
  return true;
}

/* The next fit of the file, as long as there is one and it began where this one does; from there on
 * the file is written. */
static bool recall(void *user, int n, const double *start, double *x, double *f, bool *settled) {
  cli_fits *fits = user;
  double head[2] = {0};
  if (fits->passed) {
    return false;
  }
  const long before = ftell(fits->file);
  if (read_numbers(fits->file, 2, head) && has_numbers(fits->file, n, start) &&
      read_numbers(fits->file, n, x) && fgetc(fits->file) == '\n') {
    *settled = head[0] != 0;
    *f = head[1];
    fits->known++;
    return true;
  }
  memcpy(x, start, (size_t)n * sizeof *x);
  fits->passed = true;
  fseek(fits->file, before, SEEK_SET);
  fits->failed = ftruncate(fileno(fits->file), before) != 0;
  return false;
}

static cq_status keep(void *user, int n, const double *start, const double *x, double f,
                      bool settled) {
  cli_fits *fits = user;
  fprintf(fits->file, "%d %a", settled, f);
  for (int i = 0; i < 2 * n; i++) {
    fprintf(fits->file, " %a", i < n ? start[i] : x[i - n]);
  }
  fputc('\n', fits->file);
  CQ_CHECK(fits->ctx, !fits->failed && fflush(fits->file) == 0 && !ferror(fits->file), CQ_IO,
           "cannot write %s: %s", fits->path, strerror(errno));
  return CQ_OK;
}

/* Whether the file begins with this line. */
static bool has_key(FILE *file, const char *key) {
  for (const char *p = key; *p != '\0'; p++) {
    if (fgetc(file) != *p) {
      return false;
    }
  }
  return fgetc(file) == '\n';
}

/* Fits of another key are of no use, and go. */
cq_status cli_fits_open(cq_ctx *ctx, const char *folder, const char *key, cli_fits *out) {
  *out = (cli_fits){.ctx = ctx, .memory = {.recall = recall, .keep = keep}};
  out->memory.user = out;
  snprintf(out->path, sizeof out->path, "%.1200s/fits.txt", folder);
  out->file = fopen(out->path, "r+");
  if (out->file != NULL && has_key(out->file, key)) {
    return CQ_OK;
  }
  if (out->file != NULL) {
    fclose(out->file);
  }
  out->file = fopen(out->path, "w+");
  CQ_CHECK(ctx, out->file != NULL, CQ_IO, "cannot write %s: %s", out->path, strerror(errno));
  fprintf(out->file, "%s\n", key);
  fflush(out->file);
  return CQ_OK;
}

void cli_fits_close(cli_fits *fits, bool done) {
  if (fits->file != NULL) {
    fclose(fits->file);
    fits->file = NULL;
  }
  if (done) {
    remove(fits->path);
  }
}
