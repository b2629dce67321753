/* cqopt help: the commands, one of them, the problem file's schema, the algorithms, or whatever a
 * word means in a problem file. */
#include "cqopt/cqopt.h"

#include "nearest.h"
#include "options.h"
#include "status.h"
#include "text.h"
#include "wrap.h"

#include <string.h>

/* A word of the schema, or a section. */
typedef struct asked {
  cq_ctx *ctx;
  const char *word;
} asked;

static cq_status section_text(const void *of, char *text, size_t *size) {
  const asked *const a = of;
  return cq_schema_text(a->ctx, a->word, text, size);
}

static cq_status word_text(const void *of, char *text, size_t *size) {
  const asked *const a = of;
  return cq_schema_word(a->ctx, a->word, text, size);
}

/* Whether there was something to print; that there is not is no error yet. */
static bool print_schema(cq_ctx *ctx, cli_text_fn fn, const char *word) {
  const asked a = {ctx, word};
  const bool printed = cli_text_print(ctx, fn, &a, stdout) == CQ_OK;
  if (!printed) {
    cq_ctx_clear_error(ctx);
  }
  return printed;
}

static cq_status help_schema(cq_ctx *ctx, const char *section) {
  if (print_schema(ctx, section_text, section)) {
    return CQ_OK;
  }
  cq_nearest nearest = cq_nearest_begin(section);
  for (int i = 0; cq_schema_section(i) != NULL; i++) {
    cq_nearest_offer(&nearest, cq_schema_section(i));
  }
  return CQ_FAIL(ctx, CQ_USAGE, "a problem file has no section \"%s\"; %s", section,
                 cq_nearest_text(&nearest));
}

void cli_optimizers_print(FILE *out) {
  for (int i = 0; cq_optimizer_name(i) != NULL; i++) {
    fprintf(out, "%-27s %s\n", cq_optimizer_name(i), cq_optimizer_help(i));
  }
}

/* "  label      text" */
static void print_fact(const char *label, const char *text) {
  enum { INDENT = 14 };
  cq_wrap(stdout, printf("  %-*s", INDENT - 2, label), INDENT, text);
  printf("\n");
}

static const char *gradient_text(const cq_optimizer_facts *facts) {
  return !facts->needs_gradient        ? "not used: nothing can be verified, give a target"
         : facts->needs_exact_gradient ? "needed, exact"
                                       : "needed; a heuristic one will do";
}

static const char *constraints_text(const cq_optimizer_facts *facts) {
  return facts->box          ? facts->equality ? "a box: finite bounds; inequalities, equalities"
                                               : "a box: finite bounds of every variable"
         : facts->equality   ? "bounds, inequalities, equalities"
         : facts->inequality ? "bounds, inequalities"
         : facts->bounds     ? "bounds alone"
                             : "none";
}

/* All that is known of a method, and nothing where nothing is. */
static void print_algorithm(int i) {
  const cq_optimizer_facts facts = cq_optimizer_facts_of(i);
  printf("\n%s\n", cq_optimizer_name(i));
  print_fact("what", cq_optimizer_help(i));
  if (facts.missing != NULL) {
    printf("  %-12s%s was not found when cqopt was built\n", "missing", facts.missing);
  }
  print_fact("gradient", gradient_text(&facts));
  print_fact("takes", constraints_text(&facts));
  if (facts.good_n != NULL) {
    print_fact("variables", facts.good_n);
  }
  if (facts.use != NULL) {
    print_fact("when", facts.use);
  }
  if (facts.traps != NULL) {
    print_fact("beware", facts.traps);
  }
}

/* Prints the method that a name means, if it means one. */
static bool print_named(const char *name) {
  const char *const known = cq_optimizer_canonical(name);
  for (int i = 0; known != NULL && cq_optimizer_name(i) != NULL; i++) {
    if (strcmp(cq_optimizer_name(i), known) == 0) {
      print_algorithm(i);
      return true;
    }
  }
  return false;
}

/* The methods, after a table for whoever does not know any. */
static cq_status help_algorithms(cq_ctx *ctx, const char *name) {
  if (name != NULL && !print_named(name)) {
    char text[200];
    cq_optimizer_suggest(name, text, sizeof text);
    return CQ_FAIL(ctx, CQ_USAGE, "there is no optimizer \"%s\"; %s", name, text);
  }
  if (name != NULL) {
    return CQ_OK;
  }
  printf("Values of optimizer.name. cqopt verifies every success itself; a claim that does\n"
         "not verify is answered by a restart (optimizer.restarts). Without a name it is\n"
         "LD_SLSQP up to 300 variables, sqp above. Names may be in any case, and short:\n"
         "slsqp, lbfgs, cma-es.\n"
         "\n"
         "  constraints, up to 300 variables      LD_SLSQP\n"
         "  constraints, more variables           sqp; IPOPT; with inequalities LD_MMA\n"
         "  bounds alone                          LD_LBFGS or sqp; LD_SLSQP up to 300\n"
         "  no gradient, up to 10 variables       LN_COBYLA; bounds alone: LN_NELDERMEAD\n"
         "  no gradient, smooth, bounds alone     LN_BOBYQA\n"
         "  several minima, bounds alone          GD_MLSL_LDS or optimizer.starts\n"
         "  several minima, no gradient           GN_CRS2_LM; with constraints GN_ISRES\n"
         "  published learning rates              gradient_descent, adam\n"
         "\n"
         "Without a gradient nothing can be verified: such a run ends with exit code 0 at\n"
         "an optimizer.target alone, else with 3. What searches a box ends by a budget.\n");
  for (int i = 0; cq_optimizer_name(i) != NULL; i++) {
    print_algorithm(i);
  }
  return CQ_OK;
}

static const struct {
  const char *name;
  cq_status (*print)(cq_ctx *ctx, const char *of); /* of NULL: all of it */
} topics[] = {{"schema", help_schema},
              {"algorithms", help_algorithms},
              {"optimizers", help_algorithms},
              {"methods", help_algorithms}};

static bool print_builtin(const char *name) {
  for (int i = 0; cq_builtin_name(i) != NULL; i++) {
    if (cq_same_word(cq_builtin_name(i), name)) {
      const char *const known = cq_builtin_name(i);
      printf("\nbuilt-in problem %s: %s\n  cqopt show %s prints it, cqopt solve %s solves it.\n",
             known, cq_builtin_title(i), known, known);
      return true;
    }
  }
  return false;
}

/* A word of problem files, a method, a built-in problem; one word may be several of them. */
static bool print_word(cq_ctx *ctx, const char *word) {
  const bool method = print_named(word);
  const bool builtin = print_builtin(word);
  const bool schema = print_schema(ctx, word_text, word);
  if (schema && cq_same_word(word, "optimizer")) {
    printf("\n'cqopt help algorithms' describes the methods.\n");
  }
  return method || builtin || schema;
}

/* Which of all words that help knows was meant. */
static cq_status no_help(cq_ctx *ctx, const char *word) {
  char near[64];
  const char *name = NULL, *also = NULL;
  const int distance = cq_schema_nearest(word, near, sizeof near);
  cq_nearest nearest = cq_nearest_begin(word);
  for (size_t i = 0; i < sizeof topics / sizeof topics[0]; i++) {
    cq_nearest_offer(&nearest, topics[i].name);
  }
  for (int i = 0; cli_command_at(i) != NULL; i++) {
    cq_nearest_offer(&nearest, cli_command_at(i)->name);
  }
  for (int i = 0; cq_optimizer_name(i) != NULL; i++) {
    cq_nearest_offer(&nearest, cq_optimizer_name(i));
  }
  for (int i = 0; (also = cq_optimizer_word(i, &name)) != NULL; i++) {
    cq_nearest_offer_as(&nearest, also, name);
  }
  for (int i = 0; cq_builtin_name(i) != NULL; i++) {
    cq_nearest_offer(&nearest, cq_builtin_name(i));
  }
  cq_nearest_offer_at(&nearest, near, distance);
  return CQ_FAIL(ctx, CQ_USAGE, "no help on \"%s\"; %s", word,
                 cq_nearest_text_or(&nearest, "'cqopt help' and 'cqopt help schema' name what "
                                              "there is"));
}

/* A topic, a command, or any word that something knows. */
cq_status cmd_help(cq_ctx *ctx, const cli_options *options) {
  const char *const topic = options->argument;
  if (topic == NULL) {
    cli_usage_print(stdout, NULL);
    return CQ_OK;
  }
  for (size_t i = 0; i < sizeof topics / sizeof topics[0]; i++) {
    if (cq_same_word(topic, topics[i].name)) {
      return topics[i].print(ctx, options->second);
    }
  }
  CQ_CHECK(ctx, options->second == NULL, CQ_USAGE, "'%s' is one argument too many for help %s",
           options->second, topic);
  const cli_command *command = NULL;
  for (int i = 0; (command = cli_command_at(i)) != NULL; i++) {
    if (cq_same_word(topic, command->name)) {
      cli_usage_print(stdout, command);
      return CQ_OK;
    }
  }
  return print_word(ctx, topic) ? CQ_OK : no_help(ctx, topic);
}
