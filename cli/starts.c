#include "starts.h"

#include "open.h"
#include "run_read.h"
#include "solve_process.h"
#include "status.h"
#include "table.h"
#include "whole.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static double number_of(const char *json, const char *name) {
  char text[64], *end = NULL;
  cli_run_member(json, name, text, sizeof text);
  const double value = strtod(text, &end);
  return end != text ? value : NAN;
}

static int count_of(const char *json, const char *name) {
  const double value = number_of(json, name);
  return value > 0 ? cq_whole(value, 0) : 0;
}

static void read_result(const char *json, cli_start *start) {
  start->exit_code = cq_whole(number_of(json, "exit_code"), -1);
  start->f = number_of(json, "f");
  start->f_mean = number_of(json, "f_mean");
  start->f_deviation = number_of(json, "f_deviation");
  start->f_worst = number_of(json, "f_worst");
  start->violation = number_of(json, "violation");
  start->kkt_residual = number_of(json, "kkt_residual");
  start->seconds = number_of(json, "seconds");
  start->evaluations = count_of(json, "evaluations");
  start->simulations = count_of(json, "simulations");
  start->gradients = count_of(json, "gradients");
  start->failures = count_of(json, "failures");
  start->recovered = count_of(json, "recovered");
  cli_run_member(json, "status", start->status, sizeof start->status);
  cli_run_member(json, "stop_hash", start->stop_hash, sizeof start->stop_hash);
  cli_run_member(json, "reason", start->reason, sizeof start->reason);
}

/* the f of its first evaluation */
static double first_value(cq_ctx *ctx, const char *folder) {
  char path[CLI_PATH];
  cli_table table;
  double f = NAN;
  snprintf(path, sizeof path, "%.1260s/history.csv", folder);
  if (access(path, R_OK) == 0 && cli_table_open(ctx, path, &table) == CQ_OK) {
    f = cli_table_next(&table) ? cli_table_number(&table, cli_table_column(&table, "f")) : NAN;
    cli_table_close(&table);
  }
  return f;
}

/* A start that has left no run.json is one that waits. */
void cli_start_read(cq_ctx *ctx, const char *run, int number, const char *name, cli_start *start) {
  char folder[CLI_PATH], *json = NULL;
  *start = (cli_start){.number = number,
                       .status = "waiting",
                       .exit_code = -1,
                       .f_start = NAN,
                       .f = NAN,
                       .f_mean = NAN,
                       .f_deviation = NAN,
                       .f_worst = NAN,
                       .violation = NAN,
                       .kkt_residual = NAN,
                       .seconds = NAN};
  snprintf(start->folder, sizeof start->folder, "%s", name);
  snprintf(folder, sizeof folder, "%.960s/%s", run, start->folder);
  if (!cli_solve_goes_on(folder) || cli_run_read(ctx, folder, &json) != CQ_OK) {
    return;
  }
  read_result(json, start);
  start->f_start = first_value(ctx, folder);
  free(json);
}

static const char *signal_name(int number, char text[24]) {
  static const struct {
    int number;
    const char *name;
  } names[] = {{SIGKILL, "SIGKILL"}, {SIGSEGV, "SIGSEGV"}, {SIGABRT, "SIGABRT"},
               {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},   {SIGILL, "SIGILL"},
               {SIGHUP, "SIGHUP"},   {SIGQUIT, "SIGQUIT"}, {SIGXCPU, "SIGXCPU"}};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (names[i].number == number) {
      return names[i].name;
    }
  }
  snprintf(text, 24, "signal %d", number);
  return text;
}

static void note_signal(cli_start *start, int number) {
  char text[24];
  if (number == SIGINT || number == SIGTERM) {
    const cq_status status = number == SIGINT ? CQ_INTERRUPTED : CQ_TERMINATED;
    start->exit_code = cq_status_exit_code(status);
    snprintf(start->status, sizeof start->status, "%s", cq_status_name(status));
    snprintf(start->reason, sizeof start->reason, "%s", cq_status_text(status));
    return;
  }
  start->exit_code = cq_status_exit_code(CQ_OPTIMIZER);
  snprintf(start->status, sizeof start->status, "%s", signal_name(number, text));
  snprintf(start->reason, sizeof start->reason, "its process was ended by %s%s",
           signal_name(number, text), number == SIGKILL ? ": out of memory, or kill -9" : "");
}

/* the last line of what the process said */
static void read_error(const char *errors, cli_start *start) {
  static const char prefix[] = "cqopt: ";
  char line[512] = "";
  FILE *const file = cq_open_read(errors);
  while (file != NULL && fgets(line, sizeof line, file) != NULL) {
  }
  if (file != NULL) {
    fclose(file);
  }
  line[strcspn(line, "\n")] = '\0';
  const bool ours = strncmp(line, prefix, sizeof prefix - 1) == 0;
  snprintf(start->reason, sizeof start->reason, "%.255s", line + (ours ? sizeof prefix - 1 : 0));
}

static void read_end(cli_start *start, int wait_status, const char *errors) {
  if (WIFSIGNALED(wait_status)) {
    note_signal(start, WTERMSIG(wait_status));
    return;
  }
  const cq_status status = cli_status_of_exit(WEXITSTATUS(wait_status));
  start->exit_code = cq_status_exit_code(status);
  snprintf(start->status, sizeof start->status, "%s", cq_status_name(status));
  read_error(errors, start);
}

void cli_start_note_end(cq_ctx *ctx, const char *run, const char *errors, int wait_status,
                        cli_start *start) {
  char folder[CLI_START_FOLDER];
  snprintf(folder, sizeof folder, "%s", start->folder);
  cli_start_read(ctx, run, start->number, folder, start);
  const bool told = start->exit_code >= 0 &&
                    (WIFSIGNALED(wait_status) || WEXITSTATUS(wait_status) == start->exit_code);
  if (!told) {
    read_end(start, wait_status, errors);
  } else {
    unlink(errors); /* its folder says it all */
  }
}

bool cli_start_is_open(const cli_starts *starts, const cli_start *start) {
  if (starts->stop_hash[0] != '\0' && start->stop_hash[0] != '\0' &&
      strcmp(starts->stop_hash, start->stop_hash) != 0) {
    return true;
  }
  switch (start->exit_code) {
  case -1:  /* it waits, or was cut off */
  case 2:   /* a full disk */
  case 8:   /* too little memory */
  case 130: /* stopped */
  case 143:
    return true;
  default: /* ended, or by a signal of its own */
    return cli_status_find(start->status) < 0;
  }
}

static bool is_feasible(const cli_starts *s, const cli_start *start) {
  return !isnan(start->f) && start->violation <= s->constraint_tolerance;
}

/* What a start ended with, the better the less. */
typedef enum rank { WHOLE, TORN, INFEASIBLE, NO_POINT } rank;

static rank rank_of(const cli_starts *s, const cli_start *start) {
  if (isnan(start->f)) {
    return NO_POINT;
  }
  if (!is_feasible(s, start)) {
    return INFEASIBLE;
  }
  return strcmp(start->status, cq_status_name(CQ_TORN)) == 0 ? TORN : WHOLE;
}

/* of the feasible ones of the best rank */
/* What a start is worth: not its luckiest run, where that is known. */
static double value_of(const cli_start *start) {
  return isnan(start->f_mean) ? start->f : start->f_mean;
}

static double least_value(const cli_starts *s, rank *of) {
  double least = INFINITY;
  *of = NO_POINT;
  for (int i = 0; i < s->count; i++) {
    const rank own = rank_of(s, &s->starts[i]);
    least = own < *of ? INFINITY : least;
    *of = own < *of ? own : *of;
    least = own == *of && own <= TORN ? fmin(least, value_of(&s->starts[i])) : least;
  }
  return least;
}

static double size_at_starts(const cli_starts *s) {
  double size = 0.0;
  for (int i = 0; i < s->count; i++) {
    size = fmax(size, fabs(s->starts[i].f_start)); /* fmax ignores NAN */
  }
  return size;
}

/* Values of f this near to the least are the same: a millionth of it, or of what f was at the
 * starts a millionth of a millionth, for optima at zero. */
static double same_value(const cli_starts *s, double least) {
  return fmax(1e-6 * fabs(least), 1e-12 * size_at_starts(s));
}

/* Values of f further apart than this are of different optima: a thousandth of them, which no
 * method with the default tolerance misses by, or, for optima at zero, a millionth of what f was at
 * the starts. */
static double other_value(const cli_starts *s, double f) {
  return fmax(1e-3 * fabs(f), 1e-6 * size_at_starts(s));
}

/* that have a shorter word in tables */
static const struct {
  cq_status status;
  const char *word;
} short_words[] = {{CQ_NOT_STATIONARY, "not stationary"}, {CQ_FLAT, "the objective is flat"}};

const char *cli_start_word(const cli_start *start) {
  static const char at_target[] = "target reached";
  const int status = cli_status_find(start->status);
  if (status == CQ_OK) {
    return strncmp(start->reason, at_target, sizeof at_target - 1) == 0 ? at_target : CLI_VERIFIED;
  }
  for (size_t i = 0; i < sizeof short_words / sizeof short_words[0]; i++) {
    if (status == (int)short_words[i].status) {
      return short_words[i].word;
    }
  }
  return status >= 0 ? cq_status_text((cq_status)status) : start->status;
}

static bool is_optimum(const cli_starts *s, const cli_start *start) {
  return is_feasible(s, start) && cli_status_find(start->status) == CQ_OK &&
         strcmp(cli_start_word(start), CLI_VERIFIED) == 0;
}

/* The least f of an optimum that is above `below`; INFINITY: there is none. */
static double next_optimum(const cli_starts *s, double below) {
  double least = INFINITY;
  for (int i = 0; i < s->count; i++) {
    const cli_start *const start = &s->starts[i];
    least = is_optimum(s, start) && value_of(start) > below ? fmin(least, value_of(start)) : least;
  }
  return least;
}

static int count_optima(const cli_starts *s) {
  int n = 0;
  for (double f = next_optimum(s, -INFINITY); isfinite(f); n++) {
    f = next_optimum(s, f + other_value(s, f));
  }
  return n;
}

/* THE RULE. A feasible start goes before one that is not, and one whose bodies are whole before one
 * that tore them. Of the feasible ones those count whose f, the mean of the re-runs where there are
 * some, is the least, or the same; of these a verified one goes first, then the lower f, then the
 * lower number. Where none is feasible the least violation counts. */
static bool goes_before(const cli_starts *s, const cli_start *a, const cli_start *b, double limit) {
  const rank of_a = rank_of(s, a), of_b = rank_of(s, b);
  if (of_a != of_b) {
    return of_a < of_b;
  }
  if (of_a == INFEASIBLE) {
    return a->violation < b->violation;
  }
  const bool a_same = value_of(a) <= limit, b_same = value_of(b) <= limit;
  if (a_same && b_same && (a->exit_code == 0) != (b->exit_code == 0)) {
    return a->exit_code == 0;
  }
  return value_of(a) < value_of(b);
}

static double limit_of(const cli_starts *s, rank *of) {
  const double least = least_value(s, of);
  return isfinite(least) ? least + same_value(s, least) : least;
}

/* Counts, and the best by the rule above. */
void cli_starts_judge(cli_starts *s) {
  rank best = NO_POINT;
  const double limit = limit_of(s, &best);
  s->best = -1;
  s->ended = s->verified = s->at_best = 0;
  for (int i = 0; i < s->count; i++) {
    const cli_start *const start = &s->starts[i];
    s->ended += !cli_start_is_open(s, start);
    s->verified += start->exit_code == 0;
    s->at_best += best <= TORN && rank_of(s, start) == best && value_of(start) <= limit;
    if (!isnan(start->f) && (s->best < 0 || goes_before(s, start, &s->starts[s->best], limit))) {
      s->best = i;
    }
  }
  s->optima = count_optima(s);
}

int cli_starts_failed(const cli_starts *s) {
  for (int i = 0; i < s->count; i++) {
    const int status = cli_status_find(s->starts[i].status);
    if (status == CQ_IO || status == CQ_MEMORY || status == CQ_DEVICE) {
      return i;
    }
  }
  return -1;
}

void cli_starts_rank(const cli_starts *s, int *order) {
  rank best = NO_POINT;
  const double limit = limit_of(s, &best);
  for (int i = 0; i < s->count; i++) {
    int at = i;
    while (at > 0 && goes_before(s, &s->starts[i], &s->starts[order[at - 1]], limit)) {
      order[at] = order[at - 1];
      at--;
    }
    order[at] = i;
  }
}
