/* Points and tracks of a problem file, in CSV. */
#include "fuzz.h"

#include "csv.h"
#include "tree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static cq_status read_table(cq_arena *arena, const char *path) {
  static const cq_csv_column columns[] = {{"time", "s", false, 0.0},
                                          {"id", "", false, 0.0},
                                          {"x", "m", true, 0.0},
                                          {"y", "m", true, NAN},
                                          {"weight", "", false, 1.0}};
  static const cq_csv_form many = {.number = 1, .first = 2, .end = 4, .also = "marker"};
  enum { N_COLUMNS = sizeof columns / sizeof *columns };
  char text[300];
  cq_node *root = NULL;
  cq_table table = {0};
  snprintf(text, sizeof text, "points = \"%s\";", path);
  cq_status status = cq_tree_parse(arena, text, "fuzz.cfg", &root);
  status = status == CQ_OK
               ? cq_csv_read_form(arena, root, "points", ".", 2, columns, N_COLUMNS, &many, &table)
               : status;
  for (int i = 0; status == CQ_OK && i < table.rows * N_COLUMNS; i++) {
    if (!isfinite(table.values[i])) {
      abort();
    }
  }
  return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  cq_ctx *const ctx = fuzz_begin();
  cq_arena arena = {.ctx = ctx};
  const cq_status status = read_table(&arena, fuzz_file("points.csv", data, size));
  cq_arena_release(&arena);
  fuzz_end(ctx, status);
  return 0;
}
