/* cqopt_pages VERSION DATE FOLDER: writes man pages and completions into the folder, when cqopt is
 * built. */
#include "pages.h"

/* A file of the folder; NULL, and it is said, where it cannot be opened. */
static FILE *begin(const char *folder, const char *name) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *const out = fopen(path, "w");
  if (out == NULL) {
    perror(path);
  }
  return out;
}

static bool end(FILE *out) {
  const bool whole = ferror(out) == 0, closed = fclose(out) == 0;
  if (!whole || !closed) {
    perror("cqopt_pages");
  }
  return whole && closed;
}

/* command NULL: of the program */
static bool man(const char *folder, const cli_command *command, const pages_version *version) {
  char name[64];
  snprintf(name, sizeof name, "cqopt%s%s.1", command == NULL ? "" : "-",
           command == NULL ? "" : command->name);
  FILE *const out = begin(folder, name);
  if (out == NULL) {
    return false;
  }
  pages_man(out, command, version);
  return end(out);
}

static bool completion(const char *folder, const char *name, void (*write)(FILE *out)) {
  FILE *const out = begin(folder, name);
  if (out == NULL) {
    return false;
  }
  write(out);
  return end(out);
}

int main(int argc, char **argv) {
  const cli_command *command = NULL;
  if (argc != 4) {
    fprintf(stderr, "usage: cqopt_pages VERSION DATE FOLDER\n");
    return 1;
  }
  const pages_version version = {argv[1], argv[2]};
  const char *const folder = argv[3];
  bool done = man(folder, NULL, &version) && completion(folder, "tables.bash", pages_bash) &&
              completion(folder, "_cqopt", pages_zsh);
  for (int i = 0; done && (command = cli_command_at(i)) != NULL; i++) {
    done = man(folder, command, &version);
  }
  return done ? 0 : 1;
}
