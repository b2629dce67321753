/* Pages in roff, by the macros of man(7). */
#include "pages.h"

#include "cqopt/cqopt.h"

#include <ctype.h>
#include <string.h>

/* Characters that roff would take for something else. */
static void put_text(FILE *out, const char *text) {
  for (; *text != '\0'; text++) {
    switch (*text) {
    case '\\':
      fputs("\\e", out);
      break;
    case '-':
      fputs("\\-", out);
      break;
    case '\'':
      fputs("\\(aq", out);
      break;
    default:
      fputc(*text, out);
    }
  }
}

/* A clause of a table on a line of its own. */
static void put_clause(FILE *out, const char *text) {
  fputs("\\&", out); /* a line may begin with a dot */
  put_text(out, text);
  fputc('\n', out);
}

/* The same as a sentence. */
static void put_sentence(FILE *out, const char *text) {
  const size_t length = strlen(text);
  const char first[2] = {(char)toupper((unsigned char)text[0]), '\0'};
  fputs("\\&", out); /* a line may begin with a dot */
  put_text(out, first);
  put_text(out, length > 0 ? text + 1 : "");
  fputs(length > 0 && text[length - 1] == '.' ? "\n" : ".\n", out);
}

static void put_heading(FILE *out, const char *name, const pages_version *version,
                        const char *what) {
  fputs(".TH ", out);
  for (const char *c = name; *c != '\0'; c++) {
    fputc(toupper((unsigned char)*c), out);
  }
  fprintf(out, " 1 \"%s\" \"cqopt %s\" \"User Commands\"\n.SH NAME\n", version->date,
          version->number);
  put_text(out, name);
  fputs(" \\- ", out);
  put_text(out, what);
  fputc('\n', out);
}

/* Each option in bold, its value in italics, and below it the help that the program prints. */
static void put_options(FILE *out, const cli_command *command) {
  cli_option option;
  fputs(".SH OPTIONS\nThey may stand anywhere, and be written as \\fB\\-\\-option\\fR "
        "\\fIvalue\\fR or "
        "\\fB\\-\\-option=\\fR\\fIvalue\\fR.\n",
        out);
  for (int i = 0; cli_option_at(command, i, &option); i++) {
    fputs(".TP\n\\fB", out);
    put_text(out, option.name);
    fputs("\\fR", out);
    if (option.value != NULL) {
      fputs(" \\fI", out);
      put_text(out, option.value);
      fputs("\\fR", out);
    }
    fputc('\n', out);
    put_clause(out, option.help);
  }
}

/* Each exit code once, with all that it may mean. */
static void put_exit_codes(FILE *out) {
  enum { MOST = 256 };
  fputs(".SH EXIT STATUS\n", out);
  for (int code = 0; code < MOST; code++) {
    int meanings = 0;
    for (int s = 0; s < CQ_N_STATUSES; s++) {
      if (cq_status_exit_code((cq_status)s) == code) {
        if (meanings++ == 0) {
          fprintf(out, ".TP\n.B %d\n", code);
        } else {
          fputs("; ", out);
        }
        put_text(out, cq_status_text((cq_status)s));
      }
    }
    fputs(meanings > 0 ? "\n" : "", out);
  }
}

static void put_commands(FILE *out) {
  const cli_command *command = NULL;
  fputs(".SH COMMANDS\n", out);
  for (int i = 0; (command = cli_command_at(i)) != NULL; i++) {
    fprintf(out, ".TP\n.BR cqopt\\-%s (1)\n", command->name);
    put_clause(out, command->help);
  }
}

static void put_problems(FILE *out) {
  fputs(".SH BUILT-IN PROBLEMS\n", out);
  for (int i = 0; cq_builtin_name(i) != NULL; i++) {
    fputs(".TP\n.B ", out);
    put_text(out, cq_builtin_name(i));
    fputc('\n', out);
    put_clause(out, cq_builtin_title(i));
  }
}

static void put_environment(FILE *out) {
  fputs(".SH ENVIRONMENT\n"
        ".TP\n.B CQ_SIMD\nThe instructions that simulations use, sse2, avx2 or avx512, instead of "
        "the widest that the machine has.\nResults have the same bits at one level alone.\n"
        ".TP\n.B OMP_NUM_THREADS\nThe number of threads, where \\fB\\-\\-threads\\fR does not say "
        "it.\n"
        ".TP\n.B NO_COLOR\nNo colours on a terminal, if it is set.\n",
        out);
}

static void put_program(FILE *out, const pages_version *version) {
  put_heading(out, "cqopt", version, "design optimization with a differentiable simulator");
  fputs(".SH SYNOPSIS\n.B cqopt\n.I COMMAND\n.RI [ ARGUMENT ]\n.RI [ OPTIONS ]\n.br\n"
        ".B cqopt \\-\\-version\n"
        ".SH DESCRIPTION\nA problem file names a scene, design variables, an objective and "
        "constraints.\n\\fBcqopt solve\\fR runs a differentiable simulator inside an optimizer and "
        "leaves a run folder.\n\\fBcqopt help\\fR \\fIWORD\\fR explains whatever may stand in a "
        "problem file, \\fBcqopt help schema\\fR all of it, and \\fBcqopt help algorithms\\fR the "
        "optimizers.\n",
        out);
  put_commands(out);
  put_problems(out);
  put_exit_codes(out);
  put_environment(out);
}

static void put_command(FILE *out, const cli_command *command, const pages_version *version) {
  char name[64];
  snprintf(name, sizeof name, "cqopt-%s", command->name);
  put_heading(out, name, version, command->help);
  fprintf(out, ".SH SYNOPSIS\n\\fBcqopt %s\\fR", command->name);
  if (command->arguments[0] != '\0') {
    fputs(" \\fI", out);
    put_text(out, command->arguments);
    fputs("\\fR", out);
  }
  fputs(" [\\fIOPTIONS\\fR]\n.SH DESCRIPTION\n", out);
  put_sentence(out, command->help);
  put_options(out, command);
  put_exit_codes(out);
}

void pages_man(FILE *out, const cli_command *command, const pages_version *version) {
  if (command != NULL) {
    put_command(out, command, version);
    fputs(".SH SEE ALSO\n.BR cqopt (1)\n", out);
  } else {
    put_program(out, version);
    fputs(".SH SEE ALSO\n", out);
    for (int i = 0; (command = cli_command_at(i)) != NULL; i++) {
      fprintf(out, ".BR cqopt\\-%s (1)%s\n", command->name, cli_command_at(i + 1) ? "," : "");
    }
  }
}
