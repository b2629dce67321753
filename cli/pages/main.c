/* cqopt_pages VERSION DATE FOLDER: writes man pages and completions into the folder, when cqopt is
 * built. */
#include "pages.h"

#include <stdlib.h>

/* A file of the folder, open, or the end. */
static FILE *begin(const char *folder, const char *name) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *const out = fopen(path, "w");
  if (out == NULL) {
    perror(path);
    exit(1);
  }
  return out;
}

static void end(FILE *out) {
  if (ferror(out) || fclose(out) != 0) {
    perror("cqopt_pages");
    exit(1);
  }
}

int main(int argc, char **argv) {
  const cli_command *command = NULL;
  if (argc != 4) {
    fprintf(stderr, "usage: cqopt_pages VERSION DATE FOLDER\n");
    return 1;
  }
  const pages_version version = {argv[1], argv[2]};
  const char *const folder = argv[3];
  FILE *out = begin(folder, "cqopt.1");
  pages_man(out, NULL, &version);
  end(out);
  for (int i = 0; (command = cli_command_at(i)) != NULL; i++) {
    char name[64];
    snprintf(name, sizeof name, "cqopt-%s.1", command->name);
    out = begin(folder, name);
    pages_man(out, command, &version);
    end(out);
  }
  out = begin(folder, "tables.bash");
  pages_bash(out);
  end(out);
  out = begin(folder, "_cqopt");
  pages_zsh(out);
  end(out);
  return 0;
}
