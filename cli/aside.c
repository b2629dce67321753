#include "aside.h"

#include "status.h"

/* Two runs more, if the budget allows: in steps of half the size it takes twice the time. */
bool cli_aside_exceeds_time(const cli_outcome *o) {
  const double budget = cq_scene_optimizer(o->scene)->max_time;
  const cq_scene_stats stats = cq_scene_statistics(o->scene);
  const double one =
      stats.simulations > 0 ? stats.forward_seconds / (double)stats.simulations : 0.0;
  return budget > 0.0 && o->result.seconds + 2.0 * one > budget;
}

void cli_aside_take_error(cq_ctx *ctx, bool was_clean, cq_status status, char text[256]) {
  const char *const error = was_clean ? cq_ctx_error(ctx) : "";
  snprintf(text, 256, "%.250s", error[0] != '\0' ? error : cq_status_text(status));
  if (was_clean) {
    cq_ctx_clear_error(ctx);
  }
}
