#include "style.h"

#include "status.h"
#include "text_file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const cli_style plain = {"", "", "", "", "", ""};
static const cli_style coloured = {"\033[1m",  "\033[2m",  "\033[32m",
                                   "\033[33m", "\033[31m", "\033[0m"};

bool cli_style_is_terminal(FILE *out) {
  const char *const term = getenv("TERM");
  return isatty(fileno(out)) && term != NULL && strcmp(term, "dumb") != 0;
}

static const cli_style *style_for(FILE *out) {
  const char *const refused = getenv("NO_COLOR");
  const bool wanted = refused == NULL || refused[0] == '\0';
  return wanted && cli_style_is_terminal(out) ? &coloured : &plain;
}

/* the next character that is no escape sequence */
static const char *visible(const char *text) {
  while (*text == '\033') {
    text += strcspn(text, "m");
    text += *text == 'm';
  }
  return text;
}

/* Whether a line may end at the blank before `next`: a value stays with its unit and its name. */
static bool may_break(char before, const char *next) {
  next = visible(next);
  next += *next == '-';
  return !isdigit((unsigned char)before) &&
         (!isdigit((unsigned char)*next) || strchr(",;:.)", before) != NULL);
}

/* Bytes before the end of the line, its columns (neither escape sequences nor the later bytes of a
 * character of UTF-8 take one), and the blank at which to break it after `most` columns; 0: none.
 */
static size_t measure(const char *text, int most, int *columns, size_t *blank) {
  size_t any = 0, i = 0;
  char before = ' ';
  bool words = false;
  *columns = 0;
  *blank = 0;
  for (; text[i] != '\0' && text[i] != '\n'; i++) {
    if (text[i] == '\033') {
      i += strcspn(text + i, "m");
      continue;
    }
    if (text[i] == ' ' && words && (*columns <= most || any == 0)) {
      any = i;
      *blank = *columns <= most && may_break(before, text + i + 1) ? i : *blank;
    }
    words = words || text[i] != ' ';
    before = text[i];
    *columns += ((unsigned char)text[i] & 0xC0) != 0x80;
  }
  *blank = *blank > 0 ? *blank : any;
  return i;
}

/* Prints the line that text begins with and returns its end. */
static const char *wrap_line(FILE *out, const char *text, int indent) {
  const int margin = (int)strspn(text, " ") + indent;
  for (int begin = 0;; begin = margin) {
    int columns = 0;
    size_t blank = 0;
    const size_t length = measure(text, CLI_SCREEN - begin, &columns, &blank);
    if (columns <= CLI_SCREEN - begin || blank == 0) {
      fprintf(out, "%.*s", (int)length, text);
      return text + length;
    }
    fprintf(out, "%.*s\n%*s", (int)blank, text, margin, "");
    text += blank + 1;
  }
}

void cli_style_wrap(FILE *out, int indent, const char *text) {
  while (*text != '\0') {
    text = wrap_line(out, text, indent);
    if (*text == '\n') {
      fputc(*text++, out);
    }
  }
}

/* What fn writes; false: memory is short. The caller frees the text. */
static bool written_text(const cli_style *style, cli_report_fn fn, void *user, char **text) {
  cq_text_file file;
  *text = NULL;
  if (cq_text_begin(NULL, &file) != CQ_OK) {
    return false;
  }
  fn(file.out, style, user);
  const cq_status status = cq_text_end(NULL, &file);
  *text = file.text;
  return status == CQ_OK;
}

void cli_style_wrapped(FILE *out, const cli_style *style, int indent, cli_report_fn fn,
                       void *user) {
  char *text = NULL;
  if (written_text(style, fn, user, &text)) {
    cli_style_wrap(out, indent, text);
  } else {
    fn(out, style, user); /* in lines that are too long */
  }
  free(text);
}

/* The same text twice: for the screen with its style, for the log without. */
cq_status cli_style_report(cq_ctx *ctx, cli_folder *folder, bool quiet, cli_report_fn fn,
                           void *user) {
  if (!quiet) {
    fn(stdout, style_for(stdout), user);
    fflush(stdout);
  }
  if (folder == NULL) {
    return CQ_OK;
  }
  char *text = NULL;
  const bool complete = written_text(&plain, fn, user, &text);
  if (complete) {
    cli_folder_log(folder, text);
  }
  free(text);
  CQ_CHECK(ctx, complete, CQ_MEMORY, "out of memory");
  return CQ_OK;
}

const char *cli_style_of(const cli_style *style, cq_status status) {
  if (status == CQ_OK) {
    return style->good;
  }
  return status == CQ_BUDGET ? style->fair : style->bad;
}
