/* Completion for bash: the tables as functions of the shell, which those of complete.bash ask. */
#include "pages.h"

#include "cqopt/cqopt.h"

/* A function that prints names. */
static void begin_names(FILE *out, const char *function) {
  fprintf(out, "%s() {\n  echo '", function);
}

static void end_names(FILE *out) {
  fputs("'\n}\n\n", out);
}

/* What stands for @problem, @methods and @commands: lists that are known when this is built. */
static void put_names(FILE *out) {
  const cli_command *command = NULL;
  begin_names(out, "_cqopt_problems");
  for (int i = 0; cq_builtin_name(i) != NULL; i++) {
    fprintf(out, "%s ", cq_builtin_name(i));
  }
  end_names(out);
  begin_names(out, "_cqopt_methods");
  for (int i = 0; cq_optimizer_name(i) != NULL; i++) {
    fprintf(out, "%s ", cq_optimizer_name(i));
  }
  end_names(out);
  begin_names(out, "_cqopt_commands");
  for (int i = 0; (command = cli_command_at(i)) != NULL; i++) {
    fprintf(out, "%s ", command->name);
  }
  end_names(out);
}

/* What completes a word of such a kind: words, and flags for files. */
static void put_kind(FILE *out, pages_kind kind, const char *word) {
  static const char *const texts[] = {
      [PAGES_NOTHING] = "",        [PAGES_PROBLEM] = " @problem", [PAGES_FILE] = " @file",
      [PAGES_FOLDER] = " @folder", [PAGES_METHODS] = " @methods", [PAGES_COMMAND] = " @commands"};
  fprintf(out, "%s%s", kind == PAGES_WORD ? " " : texts[kind], kind == PAGES_WORD ? word : "");
}

static void put_options(FILE *out) {
  const cli_command *command = NULL;
  cli_option option;
  fputs("# the options of a command\n_cqopt_options() {\n  case $1 in\n", out);
  for (int i = 0; (command = cli_command_at(i)) != NULL; i++) {
    fprintf(out, "    %s) echo '", command->name);
    for (int k = 0; cli_option_at(command, k, &option); k++) {
      fprintf(out, "%s%s", k > 0 ? " " : "", option.name);
    }
    fputs("' ;;\n", out);
  }
  fputs("  esac\n}\n\n", out);
}

/* Only options that take a value; what cannot be guessed is there with nothing. */
static void put_values(FILE *out) {
  const cli_command *command = NULL;
  cli_option option;
  fputs("# what the value of an option of a command may be; false where it takes none\n"
        "_cqopt_values() {\n  case \"$1 $2\" in\n",
        out);
  for (int i = 0; (command = cli_command_at(i)) != NULL; i++) {
    for (int k = 0; cli_option_at(command, k, &option); k++) {
      if (option.value == NULL) {
        continue;
      }
      fprintf(out, "    '%s %s') echo '", command->name, option.name);
      for (int w = 0; option.words != NULL && option.words[w] != NULL; w++) {
        fprintf(out, " %s", option.words[w]);
      }
      put_kind(out, option.words != NULL ? PAGES_NOTHING : pages_kind_of(option.value), "");
      fputs("' ;;\n", out);
    }
  }
  fputs("    *) return 1 ;;\n  esac\n}\n\n", out);
}

static void put_arguments(FILE *out) {
  const cli_command *command = NULL;
  fputs("# what the arguments of a command may be\n_cqopt_arguments() {\n  case $1 in\n", out);
  for (int i = 0; (command = cli_command_at(i)) != NULL; i++) {
    const char *rest = command->arguments;
    char word[64];
    fprintf(out, "    %s) echo '", command->name);
    while (pages_next_word(&rest, word, sizeof word)) {
      put_kind(out, pages_kind_of(word), word);
    }
    fputs("' ;;\n", out);
  }
  fputs("  esac\n}\n\n", out);
}

void pages_bash(FILE *out) {
  fputs("# bash completion of cqopt, made from its tables when it was built\n\n", out);
  put_names(out);
  put_options(out);
  put_values(out);
  put_arguments(out);
}
