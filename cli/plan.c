#include "plan.h"

#include "alloc.h"
#include "hash.h"
#include "nearest.h"
#include "status.h"
#include "table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_CELLS = 10000 };

/* --- values --- */

static char *value_at(const cli_plan *p, int cell, int factor) {
  return p->values[(size_t)cell * (size_t)p->n_factors + (size_t)factor];
}

const char *cli_plan_value(const cli_plan *p, int cell, int factor) {
  return value_at(p, cell, factor);
}

/* Room for another cell, without values. */
static cq_status grow(cq_ctx *ctx, cli_plan *p, int cells) {
  const size_t count = (size_t)(cells + 1) * (size_t)p->n_factors;
  CQ_CHECK(ctx, cells < MOST_CELLS, CQ_USAGE, "a study has at most %d settings", (int)MOST_CELLS);
  void *const more = realloc(p->values, count * sizeof *p->values);
  CQ_CHECK(ctx, more != NULL, CQ_MEMORY, "out of memory");
  p->values = more;
  for (int k = 0; k < p->n_factors; k++) {
    value_at(p, cells, k)[0] = '\0';
  }
  return CQ_OK;
}

/* Whether it has a value where those before it have theirs. */
static bool applies(const cli_plan *p, int cell, int factor) {
  const cli_factor *const f = &p->factors[factor];
  return f->of < 0 || strcmp(value_at(p, cell, f->of), f->when) == 0;
}

/* --- cells --- */

/* the key's last words: "density" of materials.[0].density */
static const char *short_key(const char *key) {
  const char *const dot = strrchr(key, '.');
  return dot != NULL && dot[1] != '[' ? dot + 1 : key;
}

static uint64_t add_hash(uint64_t hash, const char *text) {
  return hash * 31 + cq_hash(text, strlen(text));
}

/* What a cell is called: its values, or, where these are too long, a hash of them; a sample by its
 * number, which is its place in the sequence. */
static void name_cell(const cli_plan *p, int cell, bool fits, cli_variant *v) {
  if (p->sampled) {
    snprintf(v->folder, CLI_LABEL, "sample-%04d", cell + 1);
  } else if (fits) {
    cli_variant_name(v);
  } else {
    uint64_t hash = 0;
    for (int k = 0; k < p->n_factors; k++) {
      hash = add_hash(hash, value_at(p, cell, k));
    }
    snprintf(v->folder, CLI_LABEL, "settings-%016" PRIx64, hash);
  }
}

/* The settings of a cell, and a label made of them. */
static cq_status make_cell(cq_ctx *ctx, cli_plan *p, int cell) {
  cli_variant v = {.n_sets = 0};
  size_t used = 0;
  for (int k = 0; k < p->n_factors; k++) {
    const char *const value = value_at(p, cell, k);
    char set[2 * CLI_SETTING];
    if (value[0] == '\0') {
      continue;
    }
    if (used < CLI_LABEL) {
      used += (size_t)snprintf(v.label + used, CLI_LABEL - used, "%s%s=%s", used > 0 ? ", " : "",
                               short_key(p->factors[k].key), value);
    }
    snprintf(set, sizeof set, "%s=%s", p->factors[k].key, value);
    CQ_TRY(cli_variant_set(ctx, &v, "", set));
  }
  name_cell(p, cell, used < CLI_LABEL, &v);
  return cli_variants_add(ctx, &p->cells, &v);
}

/* --- a grid --- */

/* Counts up, the last factor fastest; false: all combinations were there. */
static bool next_place(const cli_plan *p, int *place) {
  for (int k = p->n_factors - 1; k >= 0; k--) {
    if (++place[k] < p->factors[k].count) {
      return true;
    }
    place[k] = 0;
  }
  return false;
}

/* The values at a place; false: a factor without a value there has another place, too, and one
 * of them is enough. */
static bool take_place(cli_plan *p, int cell, const int *place) {
  for (int k = 0; k < p->n_factors; k++) {
    const bool has_value = applies(p, cell, k);
    if (!has_value && place[k] > 0) {
      return false;
    }
    snprintf(value_at(p, cell, k), CLI_SETTING, "%s",
             has_value ? p->factors[k].values[place[k]] : "");
  }
  return true;
}

static cq_status make_grid(cq_ctx *ctx, cli_plan *p) {
  int *place = NULL;
  for (int k = 0; k < p->n_factors; k++) {
    CQ_CHECK(ctx, p->factors[k].count > 0, CQ_USAGE,
             "--vary: %s has a range, and a grid wants values; say how many samples: --samples 40",
             p->factors[k].key);
  }
  CQ_TRY(CQ_ALLOC(ctx, place, p->n_factors));
  cq_status status = grow(ctx, p, 0);
  for (bool more = true; more && status == CQ_OK; more = next_place(p, place)) {
    if (take_place(p, p->cells.count, place)) {
      status = make_cell(ctx, p, p->cells.count);
      status = status == CQ_OK ? grow(ctx, p, p->cells.count) : status;
    }
  }
  cq_free(ctx, place);
  return status;
}

/* --- samples --- */

static cq_status make_samples(cq_ctx *ctx, const cli_plan_def *def, const char *sampling,
                              cli_plan *p) {
  const int n = p->n_factors;
  double *u = NULL;
  CQ_CHECK(ctx, def->samples > 0, CQ_USAGE, "--plan %s wants to know how many: --samples 40",
           sampling);
  CQ_CHECK(ctx, def->samples <= MOST_CELLS, CQ_USAGE, "a study has at most %d settings",
           (int)MOST_CELLS);
  p->sampled = true;
  CQ_TRY(CQ_ALLOC(ctx, u, (size_t)def->samples * (size_t)n));
  cq_status status = cli_sampling_draw(ctx, sampling, def->seed, def->samples, n, u);
  for (int cell = 0; cell < def->samples && status == CQ_OK; cell++) {
    status = grow(ctx, p, cell);
    for (int k = 0; k < n && status == CQ_OK; k++) {
      if (applies(p, cell, k)) {
        cli_factor_value(&p->factors[k], u[(size_t)cell * (size_t)n + (size_t)k],
                         value_at(p, cell, k));
      }
    }
    status = status == CQ_OK ? make_cell(ctx, p, cell) : status;
  }
  cq_free(ctx, u);
  return status;
}

/* --- rows of a table --- */

static cq_status read_heading(cq_ctx *ctx, const char *path, const cli_table *table, cli_plan *p) {
  char key[CLI_LABEL];
  while (cli_table_heading(table, p->n_factors, key, sizeof key)) {
    p->n_factors++;
  }
  CQ_CHECK(ctx, p->n_factors > 0, CQ_USAGE, "%s: the heading names no keys", path);
  CQ_TRY(CQ_ALLOC(ctx, p->factors, p->n_factors));
  for (int k = 0; k < p->n_factors; k++) {
    p->factors[k] = (cli_factor){.of = -1};
    cli_table_heading(table, k, p->factors[k].key, CLI_LABEL);
  }
  return CQ_OK;
}

static cq_status read_rows(cq_ctx *ctx, const char *path, cli_table *table, cli_plan *p) {
  while (cli_table_next(table)) {
    CQ_TRY(grow(ctx, p, p->cells.count));
    bool any = false;
    for (int k = 0; k < p->n_factors; k++) {
      char *const value = value_at(p, p->cells.count, k);
      cli_table_text(table, k, value, CLI_SETTING);
      any = any || value[0] != '\0';
    }
    CQ_CHECK(ctx, any, CQ_USAGE, "%s: row %d has no value", path, p->cells.count + 1);
    CQ_TRY(make_cell(ctx, p, p->cells.count));
  }
  CQ_CHECK(ctx, p->cells.count > 0, CQ_USAGE, "%s: there are no rows below the heading", path);
  return CQ_OK;
}

static cq_status make_rows(cq_ctx *ctx, const cli_plan_def *def, cli_plan *p) {
  cli_table table;
  CQ_CHECK(ctx, def->n_vary == 0 && def->samples == 0, CQ_USAGE,
           "--plan %s has all settings in its rows: leave out --vary and --samples", def->plan);
  CQ_TRY(cli_table_open(ctx, def->plan, &table));
  cq_status status = read_heading(ctx, def->plan, &table, p);
  status = status == CQ_OK ? read_rows(ctx, def->plan, &table, p) : status;
  cli_table_close(&table);
  return status;
}

/* --- all of them --- */

static const char grid[] = "grid";

/* The word of a plan; NULL: it is a file. */
static cq_status find_plan(cq_ctx *ctx, const cli_plan_def *def, const char **word) {
  cq_nearest nearest = cq_nearest_begin(def->plan != NULL ? def->plan : "");
  const char *name = grid;
  *word = def->plan == NULL ? (def->samples > 0 ? "sobol" : grid) : NULL;
  for (int i = -1; *word == NULL && name != NULL; name = cli_sampling_name(++i)) {
    *word = strcmp(name, def->plan) == 0 ? name : NULL;
    cq_nearest_offer(&nearest, name);
  }
  CQ_CHECK(ctx, *word != NULL || access(def->plan, R_OK) == 0, CQ_USAGE,
           "--plan: \"%s\" is no file and no plan; %s", def->plan, cq_nearest_text(&nearest));
  return CQ_OK;
}

static cq_status read_factors(cq_ctx *ctx, const cli_plan_def *def, cli_plan *p) {
  CQ_CHECK(ctx, def->n_vary > 0, CQ_USAGE,
           "'cqopt study' wants what varies: --vary optimizer.learning_rate=0.01,0.1");
  CQ_TRY(CQ_ALLOC(ctx, p->factors, def->n_vary));
  for (; p->n_factors < def->n_vary; p->n_factors++) {
    cli_factor *const f = &p->factors[p->n_factors];
    const cq_status status =
        cli_factor_parse(ctx, def->vary[p->n_factors], p->factors, p->n_factors, f);
    if (status != CQ_OK) {
      cli_factor_free(f);
      return status;
    }
  }
  return CQ_OK;
}

cq_status cli_plan_make(cq_ctx *ctx, const cli_plan_def *def, cli_plan *out) {
  const char *word = NULL;
  *out = (cli_plan){.n_factors = 0};
  CQ_TRY(find_plan(ctx, def, &word));
  if (word == NULL) {
    return make_rows(ctx, def, out);
  }
  CQ_TRY(read_factors(ctx, def, out));
  if (word != grid) {
    return make_samples(ctx, def, word, out);
  }
  CQ_CHECK(ctx, def->samples == 0, CQ_USAGE, "--plan grid has all combinations, not --samples");
  return make_grid(ctx, out);
}

void cli_plan_free(cq_ctx *ctx, cli_plan *p) {
  for (int k = 0; k < p->n_factors; k++) {
    cli_factor_free(&p->factors[k]);
  }
  cq_free(ctx, p->factors);
  free(p->values);
  free(p->cells.items);
}

/* Samples are numbered, so that all of what they are drawn from has to stay; of other plans the
 * keys, whose values name the runs. */
void cli_plan_describe(const cli_plan_def *def, const cli_plan *p, char *text, size_t size) {
  size_t used = 0;
  text[0] = '\0';
  if (p->sampled) {
    uint64_t hash = 0;
    for (int k = 0; k < def->n_vary; k++) {
      hash = add_hash(hash, def->vary[k]);
    }
    used = (size_t)snprintf(text, size, "%s %016" PRIx64 " of ",
                            def->plan != NULL ? def->plan : "sobol", hash);
  }
  for (int k = 0; k < p->n_factors && used < size; k++) {
    used +=
        (size_t)snprintf(text + used, size - used, "%s%s", k > 0 ? ", " : "", p->factors[k].key);
  }
}
