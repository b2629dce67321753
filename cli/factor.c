#include "factor.h"

#include "status.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool take_number(const char **text, double *value) {
  char *end = NULL;
  *value = strtod(*text, &end);
  const bool taken = end != *text;
  *text = end;
  return taken;
}

/* "LOW:HIGH" and the words behind it; false: it is a value like any other. */
static bool is_range(const char *text, cli_factor *f, const char **words) {
  if (!take_number(&text, &f->low) || *text++ != ':' || !take_number(&text, &f->high)) {
    return false;
  }
  *words = text;
  return *text == ':' || *text == '\0';
}

static bool take_word(const char **text, const char *word) {
  const size_t length = strlen(word);
  const bool is_it = strncmp(*text, word, length) == 0 && strchr(":", (*text)[length]) != NULL;
  *text += is_it ? length : 0;
  return is_it;
}

static cq_status check_range(cq_ctx *ctx, const cli_factor *f) {
  CQ_CHECK(ctx, isfinite(f->low) && isfinite(f->high) && f->low < f->high, CQ_USAGE,
           "--vary: the range of %s does not rise; write LOW:HIGH", f->key);
  CQ_CHECK(ctx, !f->log || f->low > 0, CQ_USAGE,
           "--vary: a range of %s with log has to begin above 0", f->key);
  CQ_CHECK(ctx,
           !f->integer || (f->low == floor(f->low) && f->high == floor(f->high) &&
                           fabs(f->low) < 1e15 && fabs(f->high) < 1e15),
           CQ_USAGE, "--vary: a range of %s with integer wants whole numbers at its ends", f->key);
  return CQ_OK;
}

static cq_status read_range(cq_ctx *ctx, const char *words, cli_factor *f) {
  while (*words == ':') {
    words++;
    const bool is_log = take_word(&words, "log"), is_integer = take_word(&words, "integer");
    CQ_CHECK(ctx, is_log || is_integer, CQ_USAGE,
             "--vary: behind a range of %s stands \":log\", \":integer\" or both, not \":%s\"",
             f->key, words);
    f->log = f->log || is_log;
    f->integer = f->integer || is_integer;
  }
  return check_range(ctx, f);
}

static cq_status add_value(cq_ctx *ctx, cli_factor *f, const char *item) {
  void *const more = realloc(f->values, ((size_t)f->count + 1) * sizeof *f->values);
  CQ_CHECK(ctx, more != NULL, CQ_MEMORY, "out of memory");
  f->values = more;
  snprintf(f->values[f->count++], CLI_SETTING, "%s", item);
  return CQ_OK;
}

/* "A,B,..." as it is written, or the only item that is a range. */
static cq_status read_values(cq_ctx *ctx, const char *list, cli_factor *f) {
  char item[CLI_SETTING];
  const char *words = NULL;
  cq_status status = CQ_OK;
  if (is_range(list, f, &words)) {
    return read_range(ctx, words, f);
  }
  while (cli_list_next(ctx, f->key, &list, item, sizeof item, &status)) {
    CQ_CHECK(ctx, !is_range(item, f, &words), CQ_USAGE,
             "--vary: %s has a range among other values; a range stands alone", f->key);
    CQ_TRY(add_value(ctx, f, item));
  }
  return status;
}

/* " if KEY=VALUE", which only holds outside of brackets and quotes; NULL: there is none. */
static const char *find_condition(const char *text) {
  const char *found = NULL;
  for (const char *at = strstr(text, " if "); at != NULL; at = strstr(at + 1, " if ")) {
    found = strpbrk(at, ")]}\"") == NULL ? at : found;
  }
  return found;
}

static cq_status read_condition(cq_ctx *ctx, const char *text, const cli_factor *before, int n,
                                cli_factor *f) {
  const size_t length = strcspn(text, "=");
  for (int i = 0; i < n; i++) {
    if (strlen(before[i].key) == length && strncmp(before[i].key, text, length) == 0) {
      f->of = i;
    }
  }
  CQ_CHECK(ctx, text[length] == '=' && f->of >= 0, CQ_USAGE,
           "--vary: %s is there if %s, which is no KEY=VALUE of a --vary before it", f->key, text);
  snprintf(f->when, sizeof f->when, "%s", text + length + 1);
  const cli_factor *const other = &before[f->of];
  bool known = other->count == 0; /* numbers of a range are not known yet */
  for (int i = 0; i < other->count; i++) {
    known = known || strcmp(other->values[i], f->when) == 0;
  }
  CQ_CHECK(ctx, known && other->count > 0, CQ_USAGE,
           "--vary: %s is there if %s, and that is none of the values of %s", f->key, text,
           other->key);
  return CQ_OK;
}

/* The key, then what is behind "=" up to a condition. */
cq_status cli_factor_parse(cq_ctx *ctx, const char *text, const cli_factor *before, int n,
                           cli_factor *out) {
  const size_t length = strcspn(text, "=");
  char list[4096];
  *out = (cli_factor){.of = -1};
  CQ_CHECK(ctx, length > 0 && length < CLI_LABEL && text[length] == '=', CQ_USAGE,
           "--vary: '%s' does not vary; write KEY=VALUE,VALUE,...", text);
  snprintf(out->key, sizeof out->key, "%.*s", (int)length, text);
  for (int i = 0; i < n; i++) {
    CQ_CHECK(ctx, strcmp(before[i].key, out->key) != 0, CQ_USAGE, "--vary: %s is given twice",
             out->key);
  }
  const char *const condition = find_condition(text);
  const int size = snprintf(list, sizeof list, "%.*s",
                            (int)(condition != NULL ? (size_t)(condition - text) - length - 1
                                                    : strlen(text) - length - 1),
                            text + length + 1);
  CQ_CHECK(ctx, size < (int)sizeof list, CQ_USAGE, "--vary: the values of %s are too long",
           out->key);
  CQ_TRY(read_values(ctx, list, out));
  return condition != NULL ? read_condition(ctx, condition + strlen(" if "), before, n, out)
                           : CQ_OK;
}

void cli_factor_free(cli_factor *factor) {
  free(factor->values);
  factor->values = NULL;
}

/* A whole number takes as much of [0, 1) as its neighbours, with log as much as its logarithms. */
static double number_at(const cli_factor *f, double u) {
  const double high = f->high + (f->integer ? 1 : 0);
  const double value = f->log ? f->low * exp(u * log(high / f->low)) : f->low + u * (high - f->low);
  return fmin(fmax(f->integer ? floor(value) : value, f->low), f->high);
}

/* Numbers are as short as one reads them, and still inside of the range. */
void cli_factor_value(const cli_factor *f, double u, char text[CLI_SETTING]) {
  if (f->count > 0) {
    const int i = (int)(u * f->count);
    snprintf(text, CLI_SETTING, "%s", f->values[i < f->count ? i : f->count - 1]);
    return;
  }
  const double value = number_at(f, u);
  snprintf(text, CLI_SETTING, "%.*g", f->integer ? 17 : 8, value);
  const double shown = strtod(text, NULL);
  if (shown < f->low || shown > f->high) {
    snprintf(text, CLI_SETTING, "%.17g", value);
  }
}
