#include "design_table.h"

#include "label.h"

#include <math.h>
#include <string.h>

/* variables that are told one by one: in all, of a block beside large ones; blocks that are told */
enum { FEW = 12, SMALL = 4, MOST_BLOCKS = 6, N_COLUMNS = 4, DEEPER = 4 };

static void take_row(const cli_design_table *t, int i, double row[N_COLUMNS]) {
  const cq_variable_info info = cq_scene_variable(t->scene, i);
  row[0] = t->start[i];
  row[1] = t->best[i];
  row[2] = info.lower;
  row[3] = info.upper;
}

static void put_row(FILE *out, int indent, const char *label, const double row[N_COLUMNS]) {
  fputc('\n', out);
  cli_label_put(out, indent, CLI_LABEL_COLUMN + 2 - indent, label);
  for (int c = 0; c < N_COLUMNS; c++) {
    fprintf(out, isfinite(row[c]) ? " %12.5e" : " %12g", row[c]);
  }
}

static void put_variables(FILE *out, const cli_design_table *t, int first, int count) {
  for (int i = first; i < first + count; i++) {
    char label[128];
    double row[N_COLUMNS];
    cq_scene_variable_label(t->scene, i, label, sizeof label);
    take_row(t, i, row);
    put_row(out, 2, label, row);
  }
}

/* what a block is like as a whole */
typedef struct extent {
  double least[N_COLUMNS], mean[N_COLUMNS], largest[N_COLUMNS];
  int at_bound;
  int moved; /* the variable that moved most; -1: none did */
} extent;

/* What the variables of a block are from and to, at the start, at the best design and in bounds. */
static extent measure(const cli_design_table *t, const cq_block_info *block) {
  extent e = {.moved = -1};
  double most = 0.0;
  for (int i = block->first; i < block->first + block->count; i++) {
    double row[N_COLUMNS];
    take_row(t, i, row);
    for (int c = 0; c < N_COLUMNS; c++) {
      e.least[c] = i == block->first ? row[c] : fmin(e.least[c], row[c]);
      e.largest[c] = i == block->first ? row[c] : fmax(e.largest[c], row[c]);
      e.mean[c] += row[c] / block->count;
    }
    e.at_bound += row[1] <= row[2] || row[1] >= row[3];
    if (fabs(row[1] - row[0]) > most) {
      most = fabs(row[1] - row[0]);
      e.moved = i;
    }
  }
  return e;
}

/* A block as a whole, and the one of its variables that says most. */
static void put_block(FILE *out, const cli_style *style, const cli_design_table *t,
                      const cq_block_info *block) {
  const extent e = measure(t, block);
  const bool has_unit = block->unit[0] != '\0' && strcmp(block->unit, "1") != 0;
  fprintf(out, "\n  %s%s%s%s: %d variables", block->name, has_unit ? " [" : "",
          has_unit ? block->unit : "", has_unit ? "]" : "", block->count);
  if (e.at_bound > 0) {
    fprintf(out, ", %s%d at a bound%s", style->fair, e.at_bound, style->end);
  }
  put_row(out, DEEPER, "least", e.least);
  put_row(out, DEEPER, "mean", e.mean);
  put_row(out, DEEPER, "largest", e.largest);
  if (e.moved >= 0) {
    char label[128], text[160];
    double row[N_COLUMNS];
    cq_scene_variable_label(t->scene, e.moved, label, sizeof label);
    const char *const own = label + strlen(block->name);
    snprintf(text, sizeof text, "moved most: %s", own + (own[0] == '.'));
    take_row(t, e.moved, row);
    put_row(out, DEEPER, text, row);
  }
}

/* Small blocks stand between large ones variable by variable. */
void cli_design_print(FILE *out, const cli_style *style, const cli_design_table *t) {
  const int n = cq_scene_problem(t->scene)->n, blocks = cq_scene_block_count(t->scene);
  fprintf(out, "\n%s%-*s %12s %12s %12s %12s%s", style->bold, CLI_LABEL_COLUMN + 2, t->heading,
          "start", "best", "lower", "upper", style->end);
  if (n <= FEW) {
    put_variables(out, t, 0, n);
    fputc('\n', out);
    return;
  }
  for (int i = 0; i < blocks && i < MOST_BLOCKS; i++) {
    const cq_block_info block = cq_scene_block(t->scene, i);
    if (block.count <= SMALL) {
      put_variables(out, t, block.first, block.count);
    } else {
      put_block(out, style, t, &block);
    }
  }
  fprintf(out, "\n  %s", style->dim);
  if (blocks > MOST_BLOCKS) {
    fprintf(out, "and %d more blocks; ", blocks - MOST_BLOCKS);
  }
  fprintf(out, "every variable is in design.csv%s\n", style->end);
}
