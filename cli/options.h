/* The command line: one table of subcommands (cmd_list.h), one of options (options.c). */
#ifndef CQ_CLI_OPTIONS_H
#define CQ_CLI_OPTIONS_H

#include "cqopt/base.h"

#include <stdio.h>

/* groups of options that a subcommand takes */
enum {
  OPTIONS_SETS = 1,
  OPTIONS_FOLDER = 2,
  OPTIONS_FRAMES = 4,
  OPTIONS_TOLERANCE = 8,
  OPTIONS_RESUME = 16,
  OPTIONS_START = 32,
  OPTIONS_BENCH = 64,
  OPTIONS_DESIGN = 128,
  OPTIONS_BATCH = 256,
  OPTIONS_COMPARE = 512,
  OPTIONS_STUDY = 1024,
  OPTIONS_REPORT = 2048,
  OPTIONS_RENDER = 4096,
  OPTIONS_LIST = 8192,
  OPTIONS_PLOT = 16384,
  OPTIONS_EVALUATE = 32768,
  OPTIONS_PROFILE = 65536,
  OPTIONS_EXPORT = 131072,
  OPTIONS_GRADES = 262144,
  OPTIONS_RUN = OPTIONS_SETS | OPTIONS_FOLDER,
};

/* what a solve shows while it runs: a live line on a terminal and plain lines elsewhere; a live
 * line, plain lines or nothing wherever it is */
typedef enum cli_progress_mode {
  CLI_PROGRESS_AUTO,
  CLI_PROGRESS_BAR,
  CLI_PROGRESS_PLAIN,
  CLI_PROGRESS_NONE
} cli_progress_mode;

/* what evaluate prints */
typedef enum cli_format { CLI_FORMAT_JSON, CLI_FORMAT_CSV } cli_format;

typedef struct cli_options {
  const char *argument;   /* the positional one, or NULL */
  const char *second;     /* and the one after it */
  const char **arguments; /* [n_arguments] all of them; the caller makes room for argc */
  int n_arguments;
  const char **sets; /* [n_sets] "path=value"; the caller makes room for argc */
  int n_sets;
  const char *output; /* NULL: a new folder below ./results */
  int threads;        /* 0: all cores */
  uint64_t seed;
  char device_set[32]; /* --device as one of sets */
  char seed_set[48];   /* the seed as one of sets; "": not given */
  const char *resume;  /* NULL: the folder of a run to go on with */
  bool allow_diverge;
  const char *start; /* a design; NULL: where the problem file starts */
  cli_progress_mode progress;
  bool quiet;
  bool runs; /* of list */
  bool help;
  double tolerance;        /* of gradcheck; 0: by precision */
  double state;            /* of export: its time [s], when has_state */
  bool grades;             /* of gradcheck: gradients against each other */
  int frames;              /* of simulate; 0: as in the problem file */
  const char *only;        /* of bench: the cases, NULL: all */
  bool quick, csv;         /* of bench */
  const char *shard;       /* of compare and study: "3/20"; NULL: all of it */
  bool collect;            /* runs nothing */
  int seeds, workers;      /* of compare and study; 0: by default */
  const char *problem_set; /* NULL: the argument is the problem */
  const char *with;        /* of compare: the methods */
  double budget;           /* 0: not given */
  const char *budget_in;   /* NULL: simulations */
  double target;           /* when has_target */
  bool has_target, has_state;
  double gradient_cost; /* 0: is measured */
  const char **vary;    /* [n_vary] of study; the caller makes room for argc */
  int n_vary;
  const char *plan;     /* NULL: a grid, or with samples sobol */
  int samples;          /* 0: not given */
  const char **metrics; /* [n_metrics] of its table; the caller makes room for argc */
  int n_metrics;
  const char *axis;  /* of its picture; NULL: the first that varies */
  const char *file;  /* of report, beside the run by default, and of plot */
  const char *x, *y; /* of plot; NULL: by default */
  bool log;
  bool no_motion;
  const char *by;        /* of profile: names of variables; NULL: all of a few */
  int points, bootstrap; /* 0: by default, none */
  double reach;          /* 0: by default */
  const char *at;        /* of evaluate: the designs; NULL: the start */
  bool gradient;
  cli_format format;
  /* of render; NULL, 0: not given */
  const char *picture, *time, *take, *colour, *map, *view, *cut, *title;
  int sheet, columns, width, height;
  double per_second, range[2];
  bool has_range, dark;
  int argc; /* the whole command line, for the record */
  char **argv;
} cli_options;

typedef struct cli_command {
  const char *name, *arguments;
  int least, most;
  unsigned groups;
  const char *help;
} cli_command;

/* An option, for help, man pages and completion. */
typedef struct cli_option {
  const char *name, *value; /* value NULL: takes none */
  const char *help;
  const char *const *words; /* all values it takes, then NULL; NULL: they are no words */
} cli_option;
/* Option i that a command takes; false past the last. */
bool cli_option_at(const cli_command *command, int i, cli_option *option);

/* Command i of cmd_list.h, or NULL past the end. */
const cli_command *cli_command_at(int i);
/* CQ_USAGE with the nearest known word in ctx when there is no such command. */
cq_status cli_command_find(cq_ctx *ctx, const char *name, const cli_command **out);

/* Reads argv[2...]. CQ_USAGE with one line in ctx. */
cq_status cli_options_parse(cq_ctx *ctx, const cli_command *command, int argc, char **argv,
                            cli_options *options);
/* Prints usage and options of a command; NULL: of the program. */
void cli_usage_print(FILE *out, const cli_command *command);
/* The optimizers, one line each. */
void cli_optimizers_print(FILE *out);

#define CQ_COMMAND(name, arguments, least, most, groups, help)                                     \
  cq_status cmd_##name(cq_ctx *ctx, const cli_options *options);
#include "cmd_list.h"
#undef CQ_COMMAND

#endif
