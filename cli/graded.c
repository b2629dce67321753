#include "graded.h"

#include "alloc.h"
#include "aside.h"
#include "status.h"

#include <math.h>
#include <string.h>

bool cli_graded_is_exact(cq_gradient_kind kind) {
  return kind == CQ_GRADIENT_EXACT_REVERSE || kind == CQ_GRADIENT_EXACT_TANGENT;
}

/* Settings that differences alone have are left out of others. */
static bool is_kept(const char *set, const char *word) {
  static const char steps[] = "simulation.difference_step=";
  return strcmp(word, "difference") == 0 || strncmp(set, steps, sizeof steps - 1) != 0;
}

/* The problem of a session by another word: as its folder has it, or as it was asked for. */
static cq_status load(cli_session *session, const char *word, int steps, cq_file **file) {
  const cli_options *const o = session->options;
  char gradient[128], length[64], path[CLI_PATH];
  const char **sets = NULL;
  int n = 0;
  CQ_TRY(CQ_ALLOC(session->ctx, sets, o->n_sets + 2));
  cli_folder_path(&session->folder, "problem.cfg", path, sizeof path);
  for (int i = 0; i < o->n_sets && !session->has_folder; i++) {
    if (is_kept(o->sets[i], word)) {
      sets[n++] = o->sets[i];
    }
  }
  snprintf(gradient, sizeof gradient, "simulation.gradient=%s", word);
  snprintf(length, sizeof length, "simulation.steps=%d", steps);
  sets[n++] = gradient;
  if (steps > 0) {
    sets[n++] = length;
  }
  const cq_status status =
      cq_file_load(session->ctx, session->has_folder ? path : o->argument, sets, n, file);
  cq_free(session->ctx, sets);
  return status;
}

/* The gradient at x, in parts of the variables' scales. */
static cq_status evaluate(cli_session *session, const double *x, cq_scene *scene, cli_graded *out) {
  const cq_problem *const p = cq_scene_problem(scene);
  const size_t m = (size_t)(p->n_inequality + p->n_equality), n = (size_t)p->n;
  double f = NAN, *c = NULL;
  CQ_CHECK(session->ctx, p->n == cq_scene_problem(session->scene)->n, CQ_CONFIG,
           "it has other variables");
  CQ_CHECK(session->ctx, p->gradient != CQ_GRADIENT_NONE, CQ_CONFIG, "it has no gradient");
  CQ_TRY(CQ_ALLOC(session->ctx, c, m * (n + 1) + 1));
  const cq_status status = p->eval(p->data, x, &f, m > 0 ? c : NULL, out->g, m > 0 ? c + m : NULL);
  cq_free(session->ctx, c);
  CQ_TRY(status);
  out->norm = cli_scaled_norm(p, out->g);
  out->step = cq_scene_difference_step(scene);
  out->health = cq_scene_gradient_health(scene);
  for (size_t i = 0; i < n; i++) {
    out->g[i] *= p->scale != NULL ? p->scale[i] : 1.0;
  }
  CQ_CHECK(session->ctx, isfinite(out->norm), CQ_NONFINITE, "it is not finite");
  return CQ_OK;
}

/* By a copy of the problem with that word and so many steps. */
cq_status cli_graded_find(cli_session *session, const char *word, int steps, const double *x,
                          cli_graded *out) {
  const bool was_clean = cq_ctx_status(session->ctx) == CQ_OK;
  cq_file *file = NULL;
  *out = (cli_graded){.word = word, .norm = NAN, .step = NAN, .health = {.rate = NAN}};
  CQ_TRY(CQ_ALLOC(session->ctx, out->g, cq_scene_problem(session->scene)->n));
  cli_folder_deafen(&session->folder, true);
  cq_status status = load(session, word, steps, &file);
  status = status == CQ_OK ? evaluate(session, x, cq_file_scene(file), out) : status;
  cli_folder_deafen(&session->folder, false);
  out->done = status == CQ_OK;
  if (!out->done) {
    cli_aside_take_error(session->ctx, was_clean, status, out->why);
  }
  cq_file_destroy(file);
  return CQ_OK;
}

void cli_graded_free(cli_session *session, cli_graded *graded) {
  cq_free(session->ctx, graded->g);
  graded->g = NULL;
}

double cli_graded_cosine(const cli_graded *a, const cli_graded *b, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    sum += a->g[i] / a->norm * (b->g[i] / b->norm); /* NAN of a zero one */
  }
  return sum;
}

double cli_graded_ratio(const cli_graded *a, const cli_graded *b, int n) {
  double of_a = 0.0, of_b = 0.0;
  for (int i = 0; a->done && b->done && i < n; i++) {
    of_a += b->g[i] != 0.0 ? a->g[i] * a->g[i] : 0.0;
    of_b += b->g[i] * b->g[i];
  }
  return of_b > 0.0 ? sqrt(of_a / of_b) : NAN;
}
