/* The motions that a page shows: runs of the first, the best and the last design of a record. */
#include "report.h"

#include "status.h"
#include "tear.h"

#include <string.h>

typedef struct filming {
  cq_ctx *ctx;
  cq_scene *scene;
  cq_film *film;
  const char *to;
  cli_folder *log;
  cq_tear *tear; /* of the best one; NULL: it does not matter */
} filming;

/* A run as a take. A design that fails is shown till then. */
static cq_status take(const filming *f, const cli_design *d, unsigned what, const char *label,
                      bool *taken) {
  const bool was_clean = cq_ctx_status(f->ctx) == CQ_OK;
  if (f->log != NULL) {
    cli_folder_deafen(f->log, true);
  }
  const cq_status status = cq_scene_film(f->scene, d->refinement, d->x, f->to, 0, what, f->film);
  if (f->log != NULL) {
    cli_folder_deafen(f->log, false);
  }
  *taken = status == CQ_OK || (cq_status_is_numeric(status) && d->status != CQ_OK);
  if (status == CQ_OK || status == CQ_IO) {
    return status;
  }
  if (!*taken) {
    const char *const error = was_clean ? cq_ctx_error(f->ctx) : "";
    cq_log(f->ctx, CQ_LOG_WARNING, "no motion of the %s design: %s", label,
           error[0] != '\0' ? error : cq_status_text(status));
  }
  if (was_clean) {
    cq_ctx_clear_error(f->ctx);
  }
  return CQ_OK;
}

static bool same(const cli_evals *e, const cli_design *a, const cli_design *b) {
  return a->refinement == b->refinement && memcmp(a->x, b->x, (size_t)e->n * sizeof *a->x) == 0;
}

/* A take for each of the three designs; one that is the same as another gets its name and no run.
 */
static cq_status take_all(const filming *f, const cli_evals *e, unsigned what, bool ends,
                          bool *recorded) {
  const struct {
    const char *label;
    const cli_design *design;
  } all[] = {{"best", &e->best}, {"first", &e->first}, {"last", &e->last}};
  bool done[3] = {e->best.index == 0, !ends, !ends};
  for (int i = 0; i < 3 && cq_ctx_stop_requested(f->ctx) == CQ_OK; i++) {
    bool taken = false;
    if (done[i]) {
      continue;
    }
    CQ_TRY(take(f, all[i].design, i == 0 ? what : 0, all[i].label, &taken));
    if (i == 0 && f->tear != NULL) {
      cli_tear_find(f->ctx, f->scene, all[i].design, f->log, f->tear);
    }
    *recorded = i == 0 ? taken : *recorded;
    for (int j = i; j < 3 && taken; j++) {
      if (j == i || (!done[j] && same(e, all[i].design, all[j].design))) {
        cq_film_label(f->film, all[j].label);
        done[j] = true;
      }
    }
  }
  return CQ_OK;
}

cq_status cli_report_film(cq_ctx *ctx, cq_scene *scene, const cli_evals *e, cli_folder *log,
                          const char *to, unsigned what, bool ends, bool *recorded, cq_tear *tear) {
  filming f = {.ctx = ctx, .scene = scene, .to = to, .log = log, .tear = tear};
  *recorded = false;
  CQ_TRY(cq_film_create(scene, &f.film));
  cq_status status = take_all(&f, e, what, ends, recorded);
  if (status == CQ_OK && cq_ctx_stop_requested(ctx) == CQ_OK) {
    status = cq_film_write(f.film, to);
  }
  cq_film_destroy(f.film);
  return status;
}
