#include "options.h"

#include "cqopt/problem.h"
#include "nearest.h"
#include "status.h"
#include "style.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* reads the option's value (NULL when it takes none) into its field, or whatever it stands for;
 * false: not a good value */
typedef bool (*option_fn)(cli_options *options, void *field, const char *value);

static bool take_text(cli_options *options, void *field, const char *value) {
  (void)options;
  *(const char **)field = value;
  return value[0] != '\0';
}

static bool take_flag(cli_options *options, void *field, const char *value) {
  (void)options, (void)value;
  *(bool *)field = true;
  return true;
}

/* 1 ... 1000000 */
static bool take_count(cli_options *options, void *field, const char *value) {
  (void)options;
  char *end = NULL;
  errno = 0;
  const long count = strtol(value, &end, 10);
  *(int *)field = (int)count;
  return errno == 0 && end != value && *end == '\0' && count >= 1 && count <= 1000000;
}

static bool take_seeds(cli_options *options, void *field, const char *value) {
  return take_count(options, field, value) && *(int *)field <= 9999;
}

static bool take_number(cli_options *options, void *field, const char *value) {
  (void)options;
  char *end = NULL;
  *(double *)field = strtod(value, &end);
  return end != value && *end == '\0' && isfinite(*(double *)field);
}

static bool take_positive(cli_options *options, void *field, const char *value) {
  return take_number(options, field, value) && *(double *)field > 0.0 && *(double *)field < 1e12;
}

static bool take_fraction(cli_options *options, void *field, const char *value) {
  return take_positive(options, field, value) && *(double *)field < 1.0;
}

static bool take_one_or_more(cli_options *options, void *field, const char *value) {
  return take_positive(options, field, value) && *(double *)field >= 1.0;
}

static bool take_target(cli_options *options, void *field, const char *value) {
  options->has_target = true;
  return take_number(options, field, value);
}

static bool take_state(cli_options *options, void *field, const char *value) {
  options->has_state = true;
  return take_number(options, field, value) && *(double *)field >= 0.0;
}

static bool is_assignment(const char *value) {
  return strchr(value, '=') != NULL && value[0] != '=';
}

static bool take_set(cli_options *options, void *field, const char *value) {
  (void)field;
  options->sets[options->n_sets++] = value;
  return is_assignment(value);
}

static bool take_vary(cli_options *options, void *field, const char *value) {
  (void)field;
  options->vary[options->n_vary++] = value;
  return is_assignment(value);
}

static bool take_metric(cli_options *options, void *field, const char *value) {
  (void)field;
  options->metrics[options->n_metrics++] = value;
  return value[0] != '\0';
}

static const char *const progress_modes[] = {"auto", "bar", "plain", "none", NULL};
static const char *const formats[] = {"json", "csv", NULL};
static const char *const devices[] = {"cpu", "cuda", "auto", NULL};
static const char *const budget_units[] = {"simulations", "evaluations", "seconds", NULL};
static const char *const problem_sets[] = {"test", NULL};
static const char *const takes_of_run[] = {"first", "best", "last", NULL};
static const char *const colour_maps[] = {"viridis", "magma", "coolwarm", "gray", NULL};

/* which of the words it is; -1: none */
static int find_word(const char *const *words, const char *value) {
  for (int i = 0; words[i] != NULL; i++) {
    if (cq_same_word(words[i], value)) {
      return i;
    }
  }
  return -1;
}

static bool take_progress(cli_options *options, void *field, const char *value) {
  (void)field;
  const int i = find_word(progress_modes, value);
  options->progress = (cli_progress_mode)i;
  return i >= 0;
}

static bool take_format(cli_options *options, void *field, const char *value) {
  (void)field;
  const int i = find_word(formats, value);
  options->format = (cli_format)i;
  return i >= 0;
}

static bool take_seed(cli_options *options, void *field, const char *value) {
  char *end = NULL;
  (void)field;
  errno = 0;
  options->seed = strtoull(value, &end, 10);
  snprintf(options->seed_set, sizeof options->seed_set, "optimizer.seed=%s", value);
  options->sets[options->n_sets++] = options->seed_set;
  return errno == 0 && strlen(value) < 20 && isdigit((unsigned char)value[0]) && *end == '\0' &&
         options->seed <= INT64_MAX;
}

/* only the words of simulation.device */
static bool take_device(cli_options *options, void *field, const char *value) {
  (void)field;
  const int i = find_word(devices, value);
  if (i >= 0) {
    snprintf(options->device_set, sizeof options->device_set, "simulation.device=%s", devices[i]);
    options->sets[options->n_sets++] = options->device_set;
  }
  return i >= 0;
}

/* WIDTHxHEIGHT in pixels */
static bool take_size(cli_options *options, void *field, const char *value) {
  char more = '\0';
  (void)field;
  return sscanf(value, "%5dx%5d%c", &options->width, &options->height, &more) == 2 &&
         options->width >= 64 && options->height >= 64 && options->width <= 16384 &&
         options->height <= 16384;
}

static bool take_range(cli_options *options, void *field, const char *value) {
  char more = '\0';
  (void)field;
  options->has_range = true;
  return sscanf(value, "%lf:%lf%c", &options->range[0], &options->range[1], &more) == 2 &&
         options->range[0] < options->range[1];
}

#define FIELD(name) offsetof(cli_options, name)

enum { ANY_COMMAND = 0 };

static const struct option_row {
  const char *name, *value; /* value NULL: takes none */
  unsigned groups;          /* of the subcommands that take it; ANY_COMMAND */
  option_fn take;
  size_t field; /* offset in cli_options */
  const char *help, *wanted;
} option_rows[] = {
    {"--set", "KEY=VALUE", OPTIONS_SETS, take_set, 0,
     "override a key of the problem file (may be repeated)",
     "KEY=VALUE, such as optimizer.max_evaluations=50"},
    {"--output", "DIR", OPTIONS_FOLDER, take_text, FIELD(output),
     "the run folder, new or empty (default: a new one below ./results); compare and study go on "
     "in "
     "one of theirs",
     "a folder"},
    {"--output", "FILE", OPTIONS_REPORT, take_text, FIELD(file),
     "the page (default: report.html in the run folder, of several runs in this folder)", "a file"},
    {"--output", "FILE", OPTIONS_EXPORT, take_text, FIELD(file),
     "FILE.c or FILE.json (default: controller.c and controller.json, in the run folder or here), "
     "of a state FILE.csv (state.csv)",
     "a file"},
    {"--state", "TIME", OPTIONS_EXPORT, take_state, FIELD(state),
     "the state of the particles at this time instead, which simulation.start_file takes",
     "a time in s"},
    {"--x", "COLUMN", OPTIONS_PLOT, take_text, FIELD(x),
     "of runs evaluations (default), simulations, cost or time; of a table its first column",
     "a column"},
    {"--y", "COLUMN", OPTIONS_PLOT, take_text, FIELD(y),
     "of runs objective (default), best, or a column of history.csv, such as violation, "
     "gradient_norm, a term or a constraint; of a table one of its columns",
     "a column"},
    {"--log", NULL, OPTIONS_PLOT, take_flag, FIELD(log), "a logarithmic axis of y", ""},
    {"--where", "COLUMN=VALUE", OPTIONS_PLOT, take_set, 0,
     "only these rows of a table (may be repeated), such as unit=simulations of curves.csv",
     "COLUMN=VALUE"},
    {"--output", "FILE", OPTIONS_PLOT, take_text, FIELD(file),
     "the picture, .svg or .png (default: plot.svg); its gnuplot script .gp stays beside it",
     "a file"},
    {"--no-motion", NULL, OPTIONS_REPORT, take_flag, FIELD(no_motion),
     "simulate nothing: without motion.bin the page has no players", ""},
    {"--start", "PATH", OPTIONS_START, take_text, FIELD(start),
     "begin at the best design of a run folder or of a table like its design.csv",
     "a run folder or a design.csv"},
    {"--design", "PATH", OPTIONS_DESIGN, take_text, FIELD(start),
     "the best design of a run folder, or of a table like its design.csv, instead of the start",
     "a run folder or a design.csv"},
    {"--resume", "DIR", OPTIONS_RESUME, take_text, FIELD(resume),
     "go on with an interrupted run in its folder, instead of PROBLEM", "a run folder"},
    {"--allow-diverge", NULL, OPTIONS_RESUME, take_flag, FIELD(allow_diverge),
     "with --resume: on another build, machine or optimizer, from the best design", ""},
    {"--by", "NAMES", OPTIONS_PROFILE, take_text, FIELD(by),
     "up to 4 variables that are held at values around the best one, the others fitted again "
     "(default: all of up to 4)",
     "names of variables, such as beam.youngs_modulus"},
    {"--points", "N", OPTIONS_PROFILE, take_count, FIELD(points),
     "values on either side (default: 6)", "a number from 1 on"},
    {"--reach", "X", OPTIONS_PROFILE, take_positive, FIELD(reach),
     "how far they go, in standard errors (default: 3)", "a positive number"},
    {"--bootstrap", "N", OPTIONS_PROFILE, take_count, FIELD(bootstrap),
     "fit N sets of data that are drawn: the best simulation with new errors",
     "a number from 1 on"},
    {"--threads", "N", OPTIONS_SETS | OPTIONS_BENCH | OPTIONS_REPORT | OPTIONS_PROFILE, take_count,
     FIELD(threads), "threads (default: all cores, or those it is limited to; see 'cqopt doctor')",
     "a number from 1 on"},
    {"--device", "DEVICE", OPTIONS_SETS | OPTIONS_BENCH, take_device, 0,
     "cpu, cuda or auto, which is cuda where there is a device: simulation.device",
     "cpu, cuda or auto"},
    {"--seed", "N", OPTIONS_SETS | OPTIONS_PROFILE, take_seed, 0, "seed of everything random",
     "an integer from 0 to 9223372036854775807"},
    {"--at", "FILE", OPTIONS_EVALUATE, take_text, FIELD(at),
     "the designs, - for the standard input: a row of names and a row of values for each, rows or "
     "one column of values alone, or a table like design.csv or its run folder (default: the "
     "start)",
     "a file, or -"},
    {"--gradient", NULL, OPTIONS_EVALUATE, take_flag, FIELD(gradient),
     "print the gradients of objective and constraints, too", ""},
    {"--format", "FORMAT", OPTIONS_EVALUATE, take_format, 0, "json (default) or csv",
     "json or csv"},
    {"--frames", "N", OPTIONS_FRAMES, take_count, FIELD(frames),
     "even times at which the particles are written (default: output.frames)",
     "a number from 1 on"},
    {"--tolerance", "X", OPTIONS_TOLERANCE, take_fraction, FIELD(tolerance),
     "largest disagreement that passes (default: 1e-5, in single precision 1e-2)",
     "a number between 0 and 1"},
    {"--grades", NULL, OPTIONS_GRADES, take_flag, FIELD(grades),
     "compare all gradients that the engine has with each other instead, over parts of the run",
     ""},
    {"--progress", "MODE", OPTIONS_RESUME, take_progress, 0,
     "bar: a line that is rewritten; plain: a line an evaluation; none: the summary alone; auto "
     "(default): bar on a terminal, else plain",
     "auto, bar, plain or none"},
    {"--quiet", NULL, OPTIONS_FOLDER, take_flag, FIELD(quiet),
     "print errors and one line on the outcome", ""},
    {"--runs", NULL, OPTIONS_LIST, take_flag, FIELD(runs),
     "the runs below FOLDER (default: ./results), the newest first", ""},
    {"--case", "NAME", OPTIONS_BENCH, take_text, FIELD(only),
     "only the cases whose names begin so, such as 3d_f32 (default: all)",
     "the beginning of a case's name"},
    {"--quick", NULL, OPTIONS_BENCH, take_flag, FIELD(quick),
     "a few cases and repetitions, in less than 20 seconds", ""},
    {"--csv", NULL, OPTIONS_BENCH, take_flag, FIELD(csv),
     "print a row for every number, for programs", ""},
    {"--with", "METHODS", OPTIONS_COMPARE, take_text, FIELD(with),
     "what is compared: LD_SLSQP,\"adam(learning_rate=0.01)\",...; keys are those of optimizer",
     "a list of methods, such as LD_SLSQP,adam"},
    {"--problem-set", "test", OPTIONS_COMPARE, take_text, FIELD(problem_set),
     "closed-form functions instead of PROBLEM, solved in seconds", "the name of a set, test"},
    {"--budget", "N", OPTIONS_BATCH, take_positive, FIELD(budget),
     "what each run of compare may spend, or a study in all: it begins no more runs then",
     "a positive number"},
    {"--budget-in", "UNIT", OPTIONS_BATCH, take_text, FIELD(budget_in),
     "simulations (default; a gradient counts what it costs), evaluations or seconds",
     "simulations, evaluations or seconds"},
    {"--target", "VALUE", OPTIONS_COMPARE, take_target, FIELD(target),
     "an objective this low is a success (default: the file's, or 1 % from the best)", "a number"},
    {"--gradient-cost", "X", OPTIONS_COMPARE, take_one_or_more, FIELD(gradient_cost),
     "of a value with its gradient, in simulations (default: is measured)", "a number from 1 on"},
    {"--vary", "KEY=A,B,...", OPTIONS_STUDY, take_vary, 0,
     "what varies (may be repeated): values, where commas in brackets do not separate, or a range "
     "LOW:HIGH of numbers, LOW:HIGH:log, :integer; behind either \" if KEY=VALUE\" of one before "
     "it",
     "KEY=VALUE,VALUE,..., such as optimizer.learning_rate=0.01,0.1, or KEY=LOW:HIGH"},
    {"--plan", "PLAN", OPTIONS_STUDY, take_text, FIELD(plan),
     "grid (default): all combinations; sobol (default with --samples), halton, latin_hypercube or "
     "random: samples; or a table with a heading of keys and a row for each setting",
     "grid, sobol, halton, latin_hypercube, random or a file"},
    {"--samples", "N", OPTIONS_STUDY, take_count, FIELD(samples),
     "how many settings are drawn; more of them later add to those that are there",
     "a number from 1 on"},
    {"--metric", "NAME", OPTIONS_STUDY, take_metric, 0,
     "a column of the table (may be repeated), the first one of the picture: f (default), "
     "violation, verified, evaluations, simulations, seconds, ..., or a term or constraint of the "
     "problem at its best design",
     "a column of study.csv"},
    {"--axis", "KEY", OPTIONS_STUDY, take_text, FIELD(axis),
     "against what the picture shows it (default: the first --vary)", "a key of --vary"},
    {"--seeds", "N", OPTIONS_BATCH, take_seeds, FIELD(seeds),
     "runs of each, from as many starts (compare: 10, study: 1)", "a number from 1 to 9999"},
    {"--replicates", "N", OPTIONS_STUDY, take_seeds, FIELD(seeds), "another word for --seeds",
     "a number from 1 to 9999"},
    {"--workers", "N", OPTIONS_BATCH, take_count, FIELD(workers),
     "runs at a time (default: one a thread)", "a number from 1 on"},
    {"--shard", "I/N", OPTIONS_BATCH, take_text, FIELD(shard),
     "do the I-th of N parts, in a folder that all of them share: an element of a job array",
     "a share such as 3/20"},
    {"--collect", NULL, OPTIONS_BATCH, take_flag, FIELD(collect),
     "run nothing and make the tables of the runs that are there", ""},
    {"--output", "PATH", OPTIONS_RENDER, take_text, FIELD(picture),
     "a .png, .svg or .pdf, a film .mp4 or .gif, or with --frames a folder (default: render.png in "
     "the run folder, or PROBLEM.png)",
     "a file or a folder"},
    {"--time", "T", OPTIONS_RENDER, take_text, FIELD(time),
     "the time of a still [s], or last (default)", "a time in seconds, or last"},
    {"--sheet", "N", OPTIONS_RENDER, take_count, FIELD(sheet),
     "N frames side by side, from the first to the last", "a number from 1 on"},
    {"--columns", "N", OPTIONS_RENDER, take_count, FIELD(columns), "columns of the sheet",
     "a number from 1 on"},
    {"--frames", "N", OPTIONS_RENDER, take_count, FIELD(frames),
     "frames of a film, or pictures in a folder (default of a film: those that were recorded)",
     "a number from 1 on"},
    {"--fps", "X", OPTIONS_RENDER, take_positive, FIELD(per_second),
     "frames of a film a second (default: 25)", "a positive number"},
    {"--take", "NAME", OPTIONS_RENDER, take_text, FIELD(take),
     "of a run: the motion of its first, best (default) or last design", "first, best or last"},
    {"--color", "NAME", OPTIONS_RENDER, take_text, FIELD(colour),
     "body (default) or a field: speed, density, ... (one that is not there shows all)",
     "the name of a field"},
    {"--map", "NAME", OPTIONS_RENDER, take_text, FIELD(map),
     "viridis, magma, coolwarm or gray (default: viridis, of both signs coolwarm)",
     "the name of a colour map"},
    {"--range", "A:B", OPTIONS_RENDER, take_range, 0,
     "what the ends of the map mean (default: the least and the largest value)",
     "two numbers, such as 0:1.5"},
    {"--view", "VIEW", OPTIONS_RENDER, take_text, FIELD(view),
     "the eye in 3D: AZIMUTH,ELEVATION in degrees (default: 30,20), or along x, y or z",
     "AZIMUTH,ELEVATION, x, y or z"},
    {"--size", "WxH", OPTIONS_RENDER, take_size, 0,
     "pixels (default: 1200 wide, as high as it takes)", "WIDTHxHEIGHT from 64x64 to 16384x16384"},
    {"--title", "TEXT", OPTIONS_RENDER, take_text, FIELD(title), "a line above (default: none)",
     "a text"},
    {"--cut", "BODY", OPTIONS_RENDER, take_text, FIELD(cut),
     "in 3D: only the far half of this body, so that what is in it shows", "the name of a body"},
    {"--dark", NULL, OPTIONS_RENDER, take_flag, FIELD(dark), "on a dark ground", ""},
    {"--help", NULL, ANY_COMMAND, take_flag, FIELD(help), "explain the command", ""},
};

/* The values of those that take words; the last four are checked elsewhere. */
static const struct {
  const char *name;
  const char *const *words;
} option_words[] = {
    {"--progress", progress_modes}, {"--format", formats},           {"--device", devices},
    {"--budget-in", budget_units},  {"--problem-set", problem_sets}, {"--take", takes_of_run},
    {"--map", colour_maps},
};

/* What options are called elsewhere. */
static const struct {
  unsigned groups;
  const char *word, *name;
} other_options[] = {
    {OPTIONS_FOLDER | OPTIONS_REPORT | OPTIONS_RENDER | OPTIONS_PLOT, "-o", "--output"},
    {OPTIONS_EXPORT, "-o", "--output"},
    {OPTIONS_SETS, "-s", "--set"},
    {OPTIONS_SETS, "-D", "--set"},
    {OPTIONS_SETS | OPTIONS_BENCH, "--gpu", "--device cuda"},
    {OPTIONS_SETS | OPTIONS_BENCH, "--cuda", "--device cuda"},
    {OPTIONS_SETS | OPTIONS_BENCH, "-j", "--threads"},
    {OPTIONS_BATCH, "--jobs", "--workers"},
    {OPTIONS_FOLDER, "-q", "--quiet"},
    {OPTIONS_FOLDER, "--silent", "--quiet"},
    {OPTIONS_RESUME, "--continue", "--resume"},
    {OPTIONS_RESUME, "--verbose", "--progress plain"},
    {OPTIONS_RESUME, "-v", "--progress plain"},
};

enum { N_OPTIONS = sizeof option_rows / sizeof option_rows[0] };

static const cli_command commands[] = {
#define CQ_COMMAND(name, arguments, least, most, groups, help)                                     \
  {#name, arguments, least, most, groups, help},
#include "cmd_list.h"
#undef CQ_COMMAND
};

const cli_command *cli_command_at(int i) {
  return i < (int)(sizeof commands / sizeof commands[0]) ? &commands[i] : NULL;
}

/* what commands are called elsewhere */
static const char *const other_commands[][2] = {
    {"run", "solve"},       {"optimize", "solve"},  {"optimise", "solve"}, {"sim", "simulate"},
    {"check", "gradcheck"}, {"benchmark", "bench"}, {"info", "show"},      {"init", "new"},
    {"sweep", "study"},     {"grid", "study"}};

cq_status cli_command_find(cq_ctx *ctx, const char *name, const cli_command **out) {
  cq_nearest nearest = cq_nearest_begin(name);
  for (int i = 0; (*out = cli_command_at(i)) != NULL; i++) {
    if (strcmp((*out)->name, name) == 0) {
      return CQ_OK;
    }
    cq_nearest_offer(&nearest, (*out)->name);
  }
  for (size_t i = 0; i < sizeof other_commands / sizeof other_commands[0]; i++) {
    cq_nearest_offer_as(&nearest, other_commands[i][0], other_commands[i][1]);
  }
  return CQ_FAIL(ctx, CQ_USAGE, "unknown command \"%s\"; %s", name, cq_nearest_text(&nearest));
}

static bool takes(const cli_command *command, const struct option_row *row) {
  return row->groups == ANY_COMMAND || (command->groups & row->groups) != 0;
}

static const char *const *words_of(const char *name) {
  for (size_t i = 0; i < sizeof option_words / sizeof option_words[0]; i++) {
    if (strcmp(option_words[i].name, name) == 0) {
      return option_words[i].words;
    }
  }
  return NULL;
}

bool cli_option_at(const cli_command *command, int i, cli_option *option) {
  for (int k = 0; k < N_OPTIONS; k++) {
    const struct option_row *const row = &option_rows[k];
    if (takes(command, row) && i-- == 0) {
      *option = (cli_option){row->name, row->value, row->help, words_of(row->name)};
      return true;
    }
  }
  return false;
}

/* A key that was given as if it were an option: --max-evaluations. */
static cq_status unknown_option(cq_ctx *ctx, const cli_command *command, const char *name,
                                cq_nearest *nearest) {
  char path[128];
  const bool is_key = (command->groups & OPTIONS_SETS) != 0 && strncmp(name, "--", 2) == 0 &&
                      cq_schema_key(name + 2, path, sizeof path);
  const bool is_misspelt = nearest->distance <= 2; /* an option, by a letter */
  CQ_CHECK(ctx, !is_key || is_misspelt, CQ_USAGE, "unknown option \"%s\"; write --set %s=VALUE",
           name, path);
  return CQ_FAIL(ctx, CQ_USAGE, "unknown option \"%s\"; %s", name, cq_nearest_text(nearest));
}

/* the row of the option that begins arg, which may go on with =VALUE */
static cq_status find_option(cq_ctx *ctx, const cli_command *command, const char *arg,
                             const struct option_row **out) {
  const char *const equals = strchr(arg, '=');
  const size_t length = equals != NULL ? (size_t)(equals - arg) : strlen(arg);
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), arg);
  cq_nearest nearest = cq_nearest_begin(name);
  for (int i = 0; i < N_OPTIONS; i++) {
    const struct option_row *const row = &option_rows[i];
    if (takes(command, row)) {
      cq_nearest_offer(&nearest, row->name);
    }
    if (strcmp(row->name, name) != 0 && !(row->field == FIELD(help) && strcmp(name, "-h") == 0)) {
      continue;
    }
    *out = row;
    if (takes(command, row)) {
      return CQ_OK;
    }
  }
  CQ_CHECK(ctx, *out == NULL, CQ_USAGE, "'cqopt %s' takes no %s", command->name, name);
  for (size_t i = 0; i < sizeof other_options / sizeof other_options[0]; i++) {
    if ((command->groups & other_options[i].groups) != 0) {
      cq_nearest_offer_as(&nearest, other_options[i].word, other_options[i].name);
    }
  }
  return unknown_option(ctx, command, name, &nearest);
}

/* reads the option at argv[*at] and moves *at to the last word it used */
static cq_status parse_option(cq_ctx *ctx, const cli_command *command, int argc, char **argv,
                              int *at, cli_options *options) {
  const struct option_row *row = NULL;
  CQ_TRY(find_option(ctx, command, argv[*at], &row));
  const char *const equals = strchr(argv[*at], '=');
  const char *value = equals != NULL ? equals + 1 : NULL;
  if (row->value == NULL) {
    CQ_CHECK(ctx, value == NULL, CQ_USAGE, "option %s takes no value", row->name);
  } else if (value == NULL) {
    CQ_CHECK(ctx, *at + 1 < argc, CQ_USAGE, "option %s wants %s", row->name, row->wanted);
    value = argv[++*at];
  }
  CQ_CHECK(ctx, row->take(options, (char *)options + row->field, value), CQ_USAGE,
           "option %s wants %s, not '%s'", row->name, row->wanted, value);
  return CQ_OK;
}

/* Options may stand anywhere; what is none is an argument. */
cq_status cli_options_parse(cq_ctx *ctx, const cli_command *command, int argc, char **argv,
                            cli_options *options) {
  options->argc = argc;
  options->argv = argv;
  for (int i = 2; i < argc; i++) {
    if (argv[i][0] == '-' && argv[i][1] != '\0') {
      CQ_TRY(parse_option(ctx, command, argc, argv, &i, options));
      continue;
    }
    CQ_CHECK(ctx,
             options->n_arguments < command->most || !is_assignment(argv[i]) ||
                 (command->groups & OPTIONS_SETS) == 0,
             CQ_USAGE, "'%s' is no argument of %s; write --set %s", argv[i], command->name,
             argv[i]);
    CQ_CHECK(ctx, options->n_arguments < command->most, CQ_USAGE,
             "'%s' is one argument too many for %s", argv[i], command->name);
    options->arguments[options->n_arguments++] = argv[i];
  }
  options->argument = options->n_arguments > 0 ? options->arguments[0] : NULL;
  options->second = options->n_arguments > 1 ? options->arguments[1] : NULL;
  CQ_CHECK(ctx,
           options->help || options->resume != NULL || options->problem_set != NULL ||
               options->n_arguments >= command->least,
           CQ_USAGE, "'cqopt %s' wants %s; 'cqopt list' names the built-in problems", command->name,
           command->arguments);
  return CQ_OK;
}

enum { LEFT = 20 }; /* columns of the options */

static void put_command(FILE *out, const cli_style *style, void *user) {
  const cli_command *const command = user;
  (void)style;
  fprintf(out, "cqopt %s%s%s%s\n  %s\n\nOptions:\n", command->name,
          command->arguments[0] != '\0' ? " " : "", command->arguments,
          command->groups != 0 ? " [OPTIONS]" : "", command->help);
  cli_option option;
  for (int i = 0; cli_option_at(command, i, &option); i++) {
    char left[48];
    snprintf(left, sizeof left, "%s %s", option.name, option.value != NULL ? option.value : "");
    fprintf(out, "  %-*s %s\n", LEFT, left, option.help);
  }
}

static void put_commands(FILE *out, const cli_style *style, void *user) {
  const cli_command *command = NULL;
  (void)style, (void)user;
  for (int i = 0; (command = cli_command_at(i)) != NULL; i++) {
    fprintf(out, "  %-10s %s\n", command->name, command->help);
  }
}

void cli_usage_print(FILE *out, const cli_command *command) {
  static const cli_style plain = {"", "", "", "", "", ""};
  if (command != NULL) {
    cli_style_wrapped(out, &plain, LEFT + 1, put_command, (void *)command);
    return;
  }
  fprintf(out, "cqopt: design optimization with a differentiable soft-body simulator\n\n"
               "usage: cqopt COMMAND [ARGUMENT] [OPTIONS]\n\n");
  cli_style_wrapped(out, &plain, 11, put_commands, NULL);
  fprintf(out, "\n'cqopt help COMMAND' explains one, 'cqopt help schema' the problem file,\n"
               "'cqopt help algorithms' the optimizers, 'cqopt help WORD' whatever may stand in\n"
               "a problem file: terms, gravity, slsqp. Start with: cqopt solve velocity_2d\n");
}
