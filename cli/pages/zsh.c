/* Completion for zsh: specifications for _arguments. */
#include "pages.h"

#include "cqopt/cqopt.h"

#include <string.h>

/* Inside of '...' and of [...]: what either would take for its end. */
static void put_help(FILE *out, const char *text) {
  for (; *text != '\0'; text++) {
    if (*text == '\'') {
      fputs("'\\''", out);
    } else {
      fprintf(out, strchr("[]:\\", *text) != NULL ? "\\%c" : "%c", *text);
    }
  }
}

static const char *action(pages_kind kind) {
  static const char *const texts[] = {[PAGES_NOTHING] = " ",
                                      [PAGES_WORD] = " ",
                                      [PAGES_PROBLEM] = "_cqopt_problems",
                                      [PAGES_FILE] = "_files",
                                      [PAGES_FOLDER] = "_files -/",
                                      [PAGES_METHODS] = "_cqopt_methods",
                                      [PAGES_COMMAND] = "_cqopt_commands"};
  return texts[kind];
}

/* --set=[override ...]:KEY=VALUE: */
static void put_option(FILE *out, const cli_option *option) {
  const bool repeated = strstr(option->help, "may be repeated") != NULL;
  fprintf(out, " \\\n        '%s%s%s[", repeated ? "*" : "", option->name,
          option->value != NULL ? "=" : "");
  put_help(out, option->help);
  fputc(']', out);
  if (option->value != NULL) {
    fputc(':', out);
    put_help(out, option->value);
    fputc(':', out);
    if (option->words != NULL) {
      for (int i = 0; option->words[i] != NULL; i++) {
        fprintf(out, "%s%s", i == 0 ? "(" : " ", option->words[i]);
      }
      fputc(')', out);
    } else {
      fputs(action(pages_kind_of(option->value)), out);
    }
  }
  fputc('\'', out);
}

/* One specification for all arguments: whatever the words of the table stand for, or are. */
static void put_arguments(FILE *out, const cli_command *command) {
  const char *rest = command->arguments;
  char word[64];
  if (command->most == 0) {
    return;
  }
  fputs(" \\\n        '*:argument:{", out);
  while (pages_next_word(&rest, word, sizeof word)) {
    const pages_kind kind = pages_kind_of(word);
    if (kind == PAGES_WORD) {
      fprintf(out, " compadd -- %s;", word);
    } else if (kind != PAGES_NOTHING) {
      fprintf(out, " %s;", action(kind));
    }
  }
  fputs(" }'", out);
}

static void put_commands(FILE *out) {
  const cli_command *command = NULL;
  fputs("_cqopt_commands() {\n  local -a commands=(\n", out);
  for (int i = 0; (command = cli_command_at(i)) != NULL; i++) {
    fprintf(out, "    '%s:", command->name);
    put_help(out, command->help);
    fputs("'\n", out);
  }
  fputs("  )\n  _describe command commands\n}\n\n", out);
}

static void put_names(FILE *out) {
  fputs("_cqopt_problems() {\n  compadd --", out);
  for (int i = 0; cq_builtin_name(i) != NULL; i++) {
    fprintf(out, " %s", cq_builtin_name(i));
  }
  fputs("\n  _files -g '*.cfg'\n}\n\n_cqopt_methods() {\n  compadd --", out);
  for (int i = 0; cq_optimizer_name(i) != NULL; i++) {
    fprintf(out, " %s", cq_optimizer_name(i));
  }
  fputs("\n}\n\n", out);
}

/* The first word is a command; _arguments with that command's specifications does the rest. */
void pages_zsh(FILE *out) {
  const cli_command *command = NULL;
  fputs("#compdef cqopt\n# zsh completion of cqopt, made from its tables when it was built\n\n",
        out);
  put_commands(out);
  put_names(out);
  fputs("_cqopt() {\n  if (( CURRENT == 2 )); then\n    _cqopt_commands\n    return\n  fi\n"
        "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n",
        out);
  for (int i = 0; (command = cli_command_at(i)) != NULL; i++) {
    cli_option option;
    fprintf(out, "    %s)\n      _arguments", command->name);
    for (int k = 0; cli_option_at(command, k, &option); k++) {
      put_option(out, &option);
    }
    put_arguments(out, command);
    fputs(" ;;\n", out);
  }
  fputs("  esac\n}\n\n_cqopt \"$@\"\n", out);
}
