/* What is made of the tables of commands and options beside `cqopt help`: man pages, and completion
 * for shells. Used when cqopt is built; the program has nothing of it. */
#ifndef CQ_CLI_PAGES_H
#define CQ_CLI_PAGES_H

#include "options.h"

typedef struct pages_version {
  const char *number, *date; /* "0.2.0", "2026-11-28" */
} pages_version;
/* cqopt-COMMAND(1); command NULL: cqopt(1). */
void pages_man(FILE *out, const cli_command *command, const pages_version *version);
void pages_bash(FILE *out);
void pages_zsh(FILE *out);

/* What the word of an argument or of an option's value stands for. */
typedef enum pages_kind {
  PAGES_NOTHING, /* nobody can guess: a number, a name */
  PAGES_WORD,    /* itself */
  PAGES_PROBLEM, /* a built-in name, or a .cfg */
  PAGES_FILE,
  PAGES_FOLDER,
  PAGES_METHODS,
  PAGES_COMMAND
} pages_kind;

/* Of "PROBLEM", "RUN-FOLDER", "FILE.csv", "schema", ... */
pages_kind pages_kind_of(const char *word);
/* The next word of cli_command.arguments into word; false past the last. */
bool pages_next_word(const char **arguments, char *word, size_t size);

#endif
