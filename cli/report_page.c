/* The page: its template with style, scripts, data and motions put in. */
#include "report.h"

#include "fresh.h"
#include "page.h"
#include "status.h"
#include "text_file.h"
#include "utf8.h"

#include <stdlib.h>
#include <string.h>

typedef struct page {
  cq_ctx *ctx;
  FILE *out;
  const cli_report_def *def;
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
  const char *title = p->def->title;
  for (char c[5]; cq_utf8_next(&title, c) > 0;) {
    fputs(*c == '<' ? "&lt;" : *c == '&' ? "&amp;" : c, p->out);
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
  cq_json json = cq_json_begin(out);
  cq_json_text(&json, "title", p->def->title);
  cq_json_raw(&json, "whole", p->def->whole);
  cq_json_raw(&json, "table", p->def->table);
  cq_json_open(&json, "runs", '[');
  for (int i = 0; i < p->def->n; i++) {
    CQ_TRY(cli_report_json(p->ctx, &p->def->runs[i], i, &json));
  }
  cq_json_shut(&json, '[');
  cq_json_end(&json);
  return CQ_OK;
}

static cq_status put_data(const page *p) {
  cq_text_file data;
  CQ_TRY(cq_text_begin(p->ctx, &data));
  cq_status status = write_json(p, data.out);
  const cq_status ended = cq_text_end(p->ctx, &data);
  status = status == CQ_OK ? ended : status;
  if (status == CQ_OK) {
    put_escaped(p->out, data.text);
  }
  free(data.text);
  return status;
}

static void put_base64(FILE *out, const unsigned char *bytes, size_t n) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < n; i += 3) {
    const unsigned b0 = bytes[i], b1 = i + 1 < n ? bytes[i + 1] : 0U;
    const unsigned b2 = i + 2 < n ? bytes[i + 2] : 0U;
    fputc(digits[b0 >> 2], out);
    fputc(digits[(b0 & 3U) << 4 | b1 >> 4], out);
    fputc(i + 1 < n ? digits[(b1 & 15U) << 2 | b2 >> 6] : '=', out);
    fputc(i + 2 < n ? digits[b2 & 63U] : '=', out);
  }
}

/* motion.bin as text */
static cq_status put_motion(const page *p, int i) {
  cq_text_file data;
  CQ_TRY(cq_text_begin(p->ctx, &data));
  cq_status status = cq_motion_put(p->def->runs[i].motion, data.out);
  const cq_status ended = cq_text_end(p->ctx, &data);
  status = status == CQ_OK ? ended : status;
  if (status == CQ_OK) {
    fprintf(p->out, "<script type=\"text/plain\" id=\"motion-%d\">", i);
    put_base64(p->out, (const unsigned char *)data.text, data.size);
    fputs("</script>\n", p->out);
  }
  free(data.text);
  return status;
}

static cq_status put_motions(const page *p) {
  for (int i = 0; i < p->def->n; i++) {
    if (p->def->runs[i].motion != NULL) {
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

/* The page with each mark replaced by what it stands for. */
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

cq_status cli_report_page(cq_ctx *ctx, const char *path, const cli_report_def *def) {
  cq_fresh fresh;
  CQ_TRY(cq_fresh_begin(ctx, path, &fresh));
  const page p = {ctx, fresh.out, def};
  return cq_fresh_end(&fresh, fill(&p));
}
