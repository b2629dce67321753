/* The page: its template with style, scripts, data and motions put in. */
#include "report.h"

#include "page.h"
#include "status.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Above it, motions of further runs are left out: a page must open on a telephone. */
static const double most_motion_bytes = 9.0e6;

typedef struct page {
  cq_ctx *ctx;
  FILE *out;
  const char *title;
  int n;
  const cli_report_run *runs;
} page;

static const char *embedded(const char *name) {
  for (const cli_embedded *e = cli_page_data; e->name != NULL; e++) {
    if (strcmp(e->name, name) == 0) {
      return e->text;
    }
  }
  return "";
}

static cq_status put_html(const page *p) {
  for (const char *c = p->title; *c != '\0'; c++) {
    fputs(*c == '<' ? "&lt;" : *c == '&' ? "&amp;" : (const char[]){*c, '\0'}, p->out);
  }
  return CQ_OK;
}

static cq_status put_style(const page *p) {
  fputs(embedded("style"), p->out);
  return CQ_OK;
}

/* in the order in which they need each other */
static cq_status put_scripts(const page *p) {
  static const char *const names[] = {
#define CLI_SCRIPT(name) #name,
#include "script_list.h"
#undef CLI_SCRIPT
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    fputs(embedded(names[i]), p->out);
  }
  return CQ_OK;
}

/* no text may end the script that holds it */
static void put_escaped(FILE *out, const char *text) {
  for (; *text != '\0'; text++) {
    if (*text == '<') {
      fputs("\\u003c", out);
    } else {
      fputc(*text, out);
    }
  }
}

static cq_status write_json(const page *p, FILE *out) {
  cli_json json = cli_json_begin(out);
  cli_json_text(&json, "title", p->title);
  cli_json_open(&json, "runs", '[');
  for (int i = 0; i < p->n; i++) {
    CQ_TRY(cli_report_json(p->ctx, &p->runs[i], i, &json));
  }
  cli_json_shut(&json, '[');
  cli_json_end(&json);
  return CQ_OK;
}

static cq_status put_data(const page *p) {
  char *text = NULL;
  size_t size = 0;
  FILE *const out = open_memstream(&text, &size);
  CQ_CHECK(p->ctx, out != NULL, CQ_MEMORY, "out of memory");
  cq_status status = write_json(p, out);
  if (fclose(out) != 0 && status == CQ_OK) {
    status = CQ_FAIL(p->ctx, CQ_MEMORY, "out of memory");
  }
  if (status == CQ_OK) {
    put_escaped(p->out, text);
  }
  free(text);
  return status;
}

static void put_base64(FILE *out, const unsigned char *bytes, size_t n) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const unsigned b0 = bytes[0], b1 = n > 1 ? bytes[1] : 0U, b2 = n > 2 ? bytes[2] : 0U;
  fputc(digits[b0 >> 2], out);
  fputc(digits[(b0 & 3U) << 4 | b1 >> 4], out);
  fputc(n > 1 ? digits[(b1 & 15U) << 2 | b2 >> 6] : '=', out);
  fputc(n > 2 ? digits[b2 & 63U] : '=', out);
}

static cq_status put_motion(const page *p, int i) {
  FILE *const in = fopen(p->runs[i].motion_path, "rb");
  CQ_CHECK(p->ctx, in != NULL, CQ_IO, "%s: %s", p->runs[i].motion_path, strerror(errno));
  unsigned char bytes[3];
  fprintf(p->out, "<script type=\"text/plain\" id=\"motion-%d\">", i);
  for (size_t n = 0; (n = fread(bytes, 1, sizeof bytes, in)) > 0;) {
    put_base64(p->out, bytes, n);
  }
  fputs("</script>\n", p->out);
  fclose(in);
  return CQ_OK;
}

static cq_status put_motions(const page *p) {
  for (int i = 0; i < p->n; i++) {
    if (p->runs[i].motion != NULL) {
      CQ_TRY(put_motion(p, i));
    }
  }
  return CQ_OK;
}

static const struct {
  const char *mark;
  cq_status (*put)(const page *p);
} slots[] = {{"{{title}}", put_html},
             {"{{style}}", put_style},
             {"{{data}}", put_data},
             {"{{motions}}", put_motions},
             {"{{scripts}}", put_scripts}};

static cq_status fill(const page *p) {
  for (const char *at = embedded("page"); *at != '\0';) {
    const char *const mark = strstr(at, "{{");
    const size_t length = mark != NULL ? (size_t)(mark - at) : strlen(at);
    fwrite(at, 1, length, p->out);
    at += length;
    const size_t n_slots = sizeof slots / sizeof *slots;
    size_t i = 0;
    while (mark != NULL && i < n_slots &&
           strncmp(mark, slots[i].mark, strlen(slots[i].mark)) != 0) {
      i++;
    }
    if (mark != NULL) {
      CQ_CHECK(p->ctx, i < n_slots, CQ_USAGE, "the page has an unknown mark: %.20s", mark);
      CQ_TRY(slots[i].put(p));
      at += strlen(slots[i].mark);
    }
  }
  return CQ_OK;
}

/* As many motions as there is room for, in the order of the runs. */
static void leave_out_motions(int n, cli_report_run *runs) {
  double bytes = 0.0;
  for (int i = 0; i < n; i++) {
    FILE *const file = runs[i].motion_path != NULL ? fopen(runs[i].motion_path, "rb") : NULL;
    double size = 0.0;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0) {
      size = (double)ftell(file) * 4.0 / 3.0;
    }
    if (file != NULL) {
      fclose(file);
    }
    const bool fits = file != NULL && bytes + size <= most_motion_bytes;
    runs[i].motion = fits ? runs[i].motion : NULL;
    bytes += fits ? size : 0.0;
  }
}

cq_status cli_report_page(cq_ctx *ctx, const char *path, const char *title, int n,
                          cli_report_run *runs) {
  char temporary[4096 + 8];
  snprintf(temporary, sizeof temporary, "%s.tmp", path);
  leave_out_motions(n, runs);
  const page p = {ctx, fopen(temporary, "w"), title, n, runs};
  CQ_CHECK(ctx, p.out != NULL, CQ_IO, "%s: %s", path, strerror(errno));
  errno = 0;
  cq_status status = fill(&p);
  const bool written = !ferror(p.out) && fflush(p.out) == 0 && fsync(fileno(p.out)) == 0;
  const int error = errno;
  const bool closed = fclose(p.out) == 0;
  if (status == CQ_OK && (!written || !closed || rename(temporary, path) != 0)) {
    status = CQ_FAIL(ctx, CQ_IO, "%s: %s", path, strerror(written ? errno : error));
  }
  if (status != CQ_OK) {
    unlink(temporary);
  }
  return status;
}
