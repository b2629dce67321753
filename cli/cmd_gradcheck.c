/* cqopt gradcheck: every gradient of a problem against finite differences. */
#include "cqopt/cqopt.h"

#include "alloc.h"
#include "grades.h"
#include "health.h"
#include "options.h"
#include "plural.h"
#include "session.h"
#include "status.h"
#include "style.h"

#include <math.h>
#include <string.h>

typedef struct check {
  const char *function;
  cq_block_info block;
  int which; /* -1: the objective */
  double tolerance;
  cq_gradcheck result;
  char reason[200]; /* why the block does not act; "" */
} check;

/* What a gradient of zero means, by the differences. */
static void print_zero(FILE *out, const check *c) {
  if (c->result.flat) {
    fprintf(out, "  all slopes are zero%s: these variables do not act on this function here%s%s\n",
            c->result.gradient_norm > 0.0 ? " to rounding" : "", c->reason[0] != '\0' ? ": " : "",
            c->reason);
  } else {
    fprintf(out,
            "  the gradient is zero and differences are not: these variables act, and here is a "
            "maximum, a minimum, a saddle or a kink\n");
  }
}

/* The table of a block, a row for each length of step. */
static void print_check(FILE *out, const cli_style *style, void *user) {
  const check *const c = user;
  const cq_gradcheck *const r = &c->result;
  fprintf(out, "\n%s%s by %s%s%s%s%s (%d variable%s): |g| = %.6g, slope %.10g\n", style->bold,
          c->function, c->block.name, c->block.unit[0] != '\0' ? " [" : "", c->block.unit,
          c->block.unit[0] != '\0' ? "]" : "", style->end, c->block.count,
          cq_plural(c->block.count), r->gradient_norm, r->analytic);
  fprintf(out, "  %8s  %12s  %18s  %18s\n", "eps", "agreement", "slope below", "slope above");
  for (int i = 0; i < CQ_GRADCHECK_ROWS; i++) {
    const cq_gradcheck_row *const row = &r->rows[i];
    fprintf(out, "  %8.0e  %12.3e  %18.10g  %18.10g\n", row->eps, row->agreement, row->slope_minus,
            row->slope_plus);
  }
  fprintf(out, "  best %.3e: %s%s%s (tolerance %.3g)\n", r->best,
          r->passed ? style->good : style->bad, r->passed ? "passed" : "FAILED", style->end,
          c->tolerance);
  if (r->flat || r->gradient_norm == 0.0) {
    print_zero(out, c);
  } else if (r->stationary) {
    fprintf(out, "  a stationary point: the slopes below and above are opposite and shrink with "
                 "eps, and the gradient is less than they are\n");
  }
}

/* One block alone is asked about. A check is whole without the answer. */
static void find_reason(cli_session *session, check *c, unsigned char *acts) {
  cq_ctx *const ctx = session->ctx;
  const cq_problem *const problem = cq_scene_problem(session->scene);
  const bool was_clean = cq_ctx_status(ctx) == CQ_OK;
  cq_inactive found[2] = {{.struct_size = sizeof found[0]}};
  int count = 0;
  memset(acts, 1, (size_t)problem->n);
  memset(acts + c->block.first, 0, (size_t)c->block.count);
  cli_folder_deafen(&session->folder, true);
  const cq_status status =
      cq_scene_inactive(session->scene, 0, problem->start, acts, c->which, 2, found, &count);
  cli_folder_deafen(&session->folder, false);
  if (status != CQ_OK && was_clean) {
    cq_ctx_clear_error(ctx);
  }
  if (count > 0) {
    snprintf(c->reason, sizeof c->reason, "%s", found[0].reason);
  }
}

static cq_status add_reason(cli_session *session, check *c) {
  unsigned char *acts = NULL;
  CQ_TRY(CQ_ALLOC(session->ctx, acts, cq_scene_problem(session->scene)->n));
  find_reason(session, c, acts);
  cq_free(session->ctx, acts);
  return CQ_OK;
}

/* what is checked, before it is */
static void print_kind(FILE *out, const cli_style *style, void *user) {
  const cli_session *const session = user;
  const cq_gradient_kind kind = cq_scene_problem(session->scene)->gradient;
  fprintf(out, "\n%sGradient%s  %s", style->bold, style->end, cq_gradient_kind_name(kind));
  fputs(
      kind == CQ_GRADIENT_HEURISTIC
          ? ": not the derivative of the values, and not expected to pass\n"
      : kind == CQ_GRADIENT_DIFFERENCE
          ? ": made of the same values, by steps of simulation.difference_step; what is checked is "
            "the length of the steps\n"
          : "\n",
      out);
}

static cq_status check_one(cli_session *session, check *c, bool *passed) {
  cq_ctx *const ctx = session->ctx;
  const cq_problem *const problem = cq_scene_problem(session->scene);
  CQ_TRY(cq_gradcheck_block(ctx, problem, problem->start, c->which, c->block.first, c->block.count,
                            c->tolerance, &c->result));
  if (c->result.gradient_norm == 0.0) {
    CQ_TRY(add_reason(session, c));
  }
  CQ_TRY(cli_style_report(ctx, session->has_folder ? &session->folder : NULL,
                          session->options->quiet, print_check, c));
  *passed = c->result.passed;
  return CQ_OK;
}

/* what differences need small steps for */
static void print_growth(FILE *out, const cli_style *style, void *user) {
  const cli_session *const session = user;
  const cq_gradient_health health = cq_scene_gradient_health(session->scene);
  if (!isnan(health.rate)) {
    fprintf(out, "\n%sGradient%s  ", style->bold, style->end);
    cli_health_print_growth(out, style, session->scene, &health);
    fputc('\n', out);
  }
}

/* Every function by every block of the design: where an error is, is half of what it is. */
static cq_status check_all(cli_session *session) {
  const cq_scene *const scene = session->scene;
  const cq_problem *const problem = cq_scene_problem(scene);
  const int n_constraints = problem->n_inequality + problem->n_equality;
  double tolerance = session->options->tolerance;
  if (tolerance == 0.0) {
    tolerance = cq_scene_information(scene).bits == 32 ? 1e-2 : 1e-5;
  }
  CQ_TRY(cli_style_report(session->ctx, session->has_folder ? &session->folder : NULL,
                          session->options->quiet, print_kind, session));
  int checks = 0, failed = 0;
  for (int which = -1; which < n_constraints; which++) {
    for (int b = 0; b < cq_scene_block_count(scene); b++) {
      check c = {.function = which < 0 ? "objective" : cq_scene_constraint_label(scene, which),
                 .block = cq_scene_block(scene, b),
                 .which = which,
                 .tolerance = tolerance};
      bool passed = false;
      CQ_TRY(check_one(session, &c, &passed));
      checks++;
      failed += !passed;
    }
  }
  CQ_TRY(cli_style_report(session->ctx, session->has_folder ? &session->folder : NULL,
                          session->options->quiet, print_growth, session));
  printf("%s%s: %d of %d gradient%s agree%s with differences to %.3g\n",
         session->options->quiet ? "" : "\n", cq_scene_name(scene), checks - failed, checks,
         cq_plural(checks), checks == 1 ? "s" : "", tolerance);
  return failed > 0 ? CQ_VERIFICATION : CQ_OK;
}

cq_status cmd_gradcheck(cq_ctx *ctx, const cli_options *options) {
  cli_session session;
  const unsigned folder = options->output != NULL ? SESSION_FOLDER : 0;
  CQ_TRY(cli_session_open(ctx, options, "gradcheck", SESSION_DESIGN | SESSION_GRADIENT | folder,
                          &session));
  cq_status status = cli_session_begin(&session);
  if (status == CQ_OK) {
    status = options->grades ? cli_grades_print(&session) : check_all(&session);
  }
  return cli_session_close(&session, status);
}
