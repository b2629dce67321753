/* cqopt help: the commands, one of them, the problem file's schema, the algorithms. */
#include "cqopt/cqopt.h"

#include "nearest.h"
#include "options.h"
#include "status.h"

#include <string.h>

static cq_status help_schema(void) {
  cq_schema_print(stdout);
  return CQ_OK;
}

void cli_optimizers_print(FILE *out) {
  for (int i = 0; cq_optimizer_name(i) != NULL; i++) {
    fprintf(out, "%-18s %s\n", cq_optimizer_name(i), cq_optimizer_help(i));
  }
}

static cq_status help_algorithms(void) {
  printf("Values of optimizer.name:\n\n");
  cli_optimizers_print(stdout);
  return CQ_OK;
}

static const struct {
  const char *name;
  cq_status (*print)(void);
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
      return topics[i].print();
    }
    cq_nearest_offer(&nearest, topics[i].name);
  }
  const cli_command *command = NULL;
  for (int i = 0; (command = cli_command_at(i)) != NULL; i++) {
    if (strcmp(topic, command->name) == 0) {
      cli_usage_print(stdout, command);
      return CQ_OK;
    }
    cq_nearest_offer(&nearest, command->name);
  }
  return CQ_FAIL(ctx, CQ_USAGE, "no help on \"%s\"; %s", topic, cq_nearest_text(&nearest));
}
