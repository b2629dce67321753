/* What the command line of a test against outside numbers asks for: the word "long" for more
 * resolution, and a folder for its tables. */
#ifndef CQ_TESTS_VALIDATION_TABLE_H
#define CQ_TESTS_VALIDATION_TABLE_H

#include "test.h"

#include <string.h>

/* What the command line asked for. */
static bool validation_long;
static const char *validation_folder;

static inline void validation_arguments(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "long") == 0) {
      validation_long = true;
    } else {
      validation_folder = argv[i];
    }
  }
}

/* The table NAME.csv in the folder of the command line, or NULL without one. */
static inline FILE *validation_table(const char *name, const char *columns) {
  if (validation_folder == NULL) {
    return NULL;
  }
  char path[512];
  snprintf(path, sizeof path, "%s/%s.csv", validation_folder, name);
  FILE *table = fopen(path, "w");
  CHECK_MSG(table != NULL, "cannot write %s", path);
  if (table != NULL) {
    fprintf(table, "%s\n", columns);
  }
  return table;
}

#define VALIDATION_ROW(table, ...)                                                                 \
  do {                                                                                             \
    if ((table) != NULL) {                                                                         \
      fprintf(table, __VA_ARGS__);                                                                 \
    }                                                                                              \
  } while (0)

static inline void validation_close(FILE *table) {
  if (table != NULL) {
    CHECK(fclose(table) == 0);
  }
}

#endif
