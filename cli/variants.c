#include "variants.h"

#include "alloc.h"
#include "status.h"

#include "cqopt/optimizer.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* where the item ends; NULL: brackets or quotes stay open, or were never opened */
static const char *item_end(const char *text) {
  int depth = 0;
  bool quoted = false;
  for (; *text != '\0' && (quoted || depth > 0 || *text != ','); text++) {
    quoted = quoted != (*text == '"');
    depth += quoted ? 0 : (strchr("([{", *text) != NULL) - (strchr(")]}", *text) != NULL);
    if (depth < 0) {
      return NULL;
    }
  }
  return depth == 0 && !quoted ? text : NULL;
}

/* Up to a comma outside of brackets and quotes, without the blanks around it. */
bool cli_list_next(cq_ctx *ctx, const char *what, const char **list, char *item, size_t size,
                   cq_status *status) {
  if (*status != CQ_OK || *list == NULL) {
    return false;
  }
  const char *from = *list, *const end = item_end(from);
  if (end == NULL) {
    *status = CQ_FAIL(ctx, CQ_USAGE, "%s: brackets or quotes do not match in '%s'", what, from);
    return false;
  }
  const char *to = end;
  from += strspn(from, " ");
  while (to > from && to[-1] == ' ') {
    to--;
  }
  const size_t length = (size_t)(to - from);
  if (length == 0 || length >= size) {
    *status = CQ_FAIL(ctx, CQ_USAGE, "%s: an item of the list is %s", what,
                      length == 0 ? "empty" : "too long");
    return false;
  }
  snprintf(item, size, "%.*s", (int)length, from);
  *list = *end == ',' ? end + 1 : NULL;
  return true;
}

/* the label as the name of a folder */
void cli_variant_name(cli_variant *v) {
  size_t used = 0;
  for (const char *c = v->label; *c != '\0'; c++) {
    const bool plain = isalnum((unsigned char)*c) || strchr("._-+", *c) != NULL;
    if (plain || (used > 0 && v->folder[used - 1] != '_')) {
      v->folder[used++] = plain ? *c : '_';
    }
  }
  while (used > 0 && v->folder[used - 1] == '_') {
    used--;
  }
  v->folder[used] = '\0';
}

cq_status cli_variants_add(cq_ctx *ctx, cli_variants *all, const cli_variant *v) {
  for (int i = 0; i < all->count; i++) {
    CQ_CHECK(ctx, strcmp(all->items[i].folder, v->folder) != 0, CQ_USAGE,
             strcmp(all->items[i].label, v->label) == 0 ? "%s is given twice"
                                                        : "%s and %s have one name as a folder",
             v->label, all->items[i].label);
  }
  cli_variant *const more = realloc(all->items, ((size_t)all->count + 1) * sizeof *more);
  CQ_CHECK(ctx, more != NULL, CQ_MEMORY, "out of memory");
  all->items = more;
  all->items[all->count++] = *v;
  return CQ_OK;
}

cq_status cli_variant_set(cq_ctx *ctx, cli_variant *v, const char *prefix, const char *assignment) {
  CQ_CHECK(ctx, v->n_sets < CLI_MOST_SETTINGS, CQ_USAGE, "%s has too many settings", v->label);
  const int length = snprintf(v->sets[v->n_sets++], CLI_SETTING, "%s%s", prefix, assignment);
  CQ_CHECK(ctx, length < CLI_SETTING, CQ_USAGE, "%s: a setting is too long", v->label);
  return CQ_OK;
}

/* "learning_rate=0.01, clip=1" */
static cq_status add_settings(cq_ctx *ctx, cli_variant *v, const char *list) {
  char item[CLI_SETTING];
  cq_status status = CQ_OK;
  while (cli_list_next(ctx, v->label, &list, item, sizeof item, &status)) {
    CQ_CHECK(ctx, strcspn(item, "=") > 0 && strchr(item, '=') != NULL, CQ_USAGE,
             "%s: '%s' is no setting; write KEY=VALUE, such as learning_rate=0.01", v->label, item);
    CQ_TRY(cli_variant_set(ctx, v, "optimizer.", item));
  }
  return status;
}

/* a label is a field of CSV files, and gnuplot reads none with commas */
static void replace_commas(char *label) {
  for (char *c = strchr(label, ','); c != NULL; c = strchr(c, ',')) {
    *c = ';';
  }
}

/* "adam(learning_rate=0.1)": the method and its settings, and a label that names both. */
static cq_status read_method(cq_ctx *ctx, const char *text, cli_variant *v) {
  char name[CLI_LABEL], inside[CLI_LABEL] = "", set[CLI_LABEL + 8];
  const size_t length = strcspn(text, "( "), whole = strlen(text);
  const char *const open = text + length + strspn(text + length, " ");
  snprintf(name, sizeof name, "%.*s", (int)length, text);
  const char *const known = cq_optimizer_canonical(name);
  if (known != NULL) {
    snprintf(name, sizeof name, "%s", known);
  }
  snprintf(v->label, sizeof v->label, "%s%s", name, text + length);
  replace_commas(v->label);
  CQ_CHECK(ctx, length > 0 && (*open == '\0' || (*open == '(' && text[whole - 1] == ')')), CQ_USAGE,
           "--with: '%s' is no method with settings; write NAME or NAME(KEY=VALUE, ...)", text);
  cli_variant_name(v);
  snprintf(set, sizeof set, "name=%s", name);
  CQ_TRY(cli_variant_set(ctx, v, "optimizer.", set));
  if (*open == '\0') {
    return CQ_OK;
  }
  snprintf(inside, sizeof inside, "%.*s", (int)(text + whole - 1 - (open + 1)), open + 1);
  return add_settings(ctx, v, inside);
}

cq_status cli_methods_parse(cq_ctx *ctx, const char *list, cli_variants *out) {
  char item[CLI_LABEL];
  cq_status status = CQ_OK;
  *out = (cli_variants){.count = 0};
  while (cli_list_next(ctx, "--with", &list, item, sizeof item, &status)) {
    cli_variant v = {.n_sets = 0};
    CQ_TRY(read_method(ctx, item, &v));
    CQ_TRY(cli_variants_add(ctx, out, &v));
  }
  return status;
}

static const char problem_axis[] = "problem=";

static bool is_problem(const char *set) {
  return strncmp(set, problem_axis, strlen(problem_axis)) == 0;
}

const char *cli_variant_problem(const cli_variant *variant) {
  for (int i = 0; i < variant->n_sets; i++) {
    if (is_problem(variant->sets[i])) {
      return variant->sets[i] + strlen(problem_axis);
    }
  }
  return NULL;
}

/* The settings of the command line, then the variant's but for the problem, then more. */
cq_status cli_variant_sets(cq_ctx *ctx, const cli_options *options, const cli_variant *variant,
                           const char *const *more, int n_more, const char ***sets, int *n) {
  CQ_TRY(CQ_ALLOC(ctx, *sets, options->n_sets + variant->n_sets + n_more));
  *n = 0;
  for (int i = 0; i < options->n_sets; i++) {
    (*sets)[(*n)++] = options->sets[i];
  }
  for (int i = 0; i < variant->n_sets; i++) {
    if (!is_problem(variant->sets[i])) {
      (*sets)[(*n)++] = variant->sets[i];
    }
  }
  for (int i = 0; i < n_more; i++) {
    (*sets)[(*n)++] = more[i];
  }
  return CQ_OK;
}
