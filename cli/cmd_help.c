/* cqopt help: the commands, one of them, the problem file's schema, the algorithms. */
#include "cqopt/cqopt.h"

#include "nearest.h"
#include "options.h"
#include "status.h"

#include <string.h>

static cq_status help_schema(cq_ctx *ctx, const char *section) {
  if (cq_schema_print(stdout, section)) {
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

/* "  label      text", wrapped at words so that no line is longer than a terminal */
static void print_fact(const char *label, const char *text) {
  enum { INDENT = 14, WIDTH = 80 };
  int column = printf("  %-*s", INDENT - 2, label);
  while (*text != '\0') {
    const int word = (int)strcspn(text, " ");
    if (column > INDENT && column + 1 + word > WIDTH) {
      printf("\n%*s", INDENT, "");
      column = INDENT;
    }
    column += printf("%s%.*s", column > INDENT ? " " : "", word, text);
    text += word + strspn(text + word, " ");
  }
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

static cq_status help_algorithms(cq_ctx *ctx, const char *name) {
  CQ_CHECK(ctx, name == NULL, CQ_USAGE, "'%s' is one argument too many for help algorithms", name);
  printf("Values of optimizer.name. cqopt verifies every success itself; a claim that does\n"
         "not verify is answered by a restart (optimizer.restarts). Without a name it is\n"
         "LD_SLSQP up to 300 variables, sqp above.\n"
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
} topics[] = {{"schema", help_schema}, {"algorithms", help_algorithms}};

cq_status cmd_help(cq_ctx *ctx, const cli_options *options) {
  const char *const topic = options->argument;
  if (topic == NULL) {
    cli_usage_print(stdout, NULL);
    return CQ_OK;
  }
  cq_nearest nearest = cq_nearest_begin(topic);
  for (size_t i = 0; i < sizeof topics / sizeof topics[0]; i++) {
    if (strcmp(topic, topics[i].name) == 0) {
      return topics[i].print(ctx, options->second);
    }
    cq_nearest_offer(&nearest, topics[i].name);
  }
  const cli_command *command = NULL;
  for (int i = 0; (command = cli_command_at(i)) != NULL; i++) {
    if (strcmp(topic, command->name) == 0) {
      CQ_CHECK(ctx, options->second == NULL, CQ_USAGE, "'%s' is one argument too many for help %s",
               options->second, topic);
      cli_usage_print(stdout, command);
      return CQ_OK;
    }
    cq_nearest_offer(&nearest, command->name);
  }
  return CQ_FAIL(ctx, CQ_USAGE, "no help on \"%s\"; %s", topic, cq_nearest_text(&nearest));
}
