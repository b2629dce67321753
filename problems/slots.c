#include "slots.h"

#include "alloc.h"
#include "scene_tear.h"
#include "side_by_side.h"
#include "status.h"

#include <math.h>

int cq_slots_side_by_side(const cq_ctx *ctx, int count) {
  const int threads = cq_ctx_threads(ctx);
  return count >= threads && threads <= CQ_MOST_SIDE_BY_SIDE ? threads : 1;
}

cq_status cq_slot_room(cq_slots *slots, cq_slot *slot, size_t n, size_t m) {
  cq_arena *const arena = &slots->owner->arena;
  CQ_TRY(CQ_ARENA(arena, slot->c, m));
  CQ_TRY(CQ_ARENA(arena, slot->grad, n));
  return CQ_ARENA(arena, slot->jac, m * n);
}

/* One evaluation of all of them. */
typedef struct work {
  cq_slots *slots;
  int level;
  bool gradient;
} work;

static void evaluate(void *user, int worker, int i) {
  const work *w = user;
  cq_slot *p = &w->slots->all[i];
  (void)worker;
  p->status = cq_differences_evaluate(p->scene, &p->beside, w->level, p->x, &p->f, p->c,
                                      w->gradient ? p->grad : NULL, w->gradient ? p->jac : NULL);
}

static void take_residuals(void *user, int worker, int i) {
  const work *w = user;
  cq_slot *p = &w->slots->all[i];
  (void)worker;
  p->status = cq_differences_residuals(p->scene, &p->beside, w->level, p->x, &p->f, p->r,
                                       w->gradient ? p->r_jac : NULL);
}

static void watch(void *user, int worker, int i) {
  const work *w = user;
  cq_slot *p = &w->slots->all[i];
  (void)worker;
  p->status = cq_scene_simulate(p->scene, w->level, p->x, "", 0, 0);
}

static cq_status first_failure(cq_slots *slots) {
  for (int i = 0; i < slots->count; i++) {
    cq_slot *p = &slots->all[i];
    if (p->status != CQ_OK) {
      CQ_FAIL(slots->owner->ctx, p->status, "%s: %s", p->name, cq_ctx_error(p->ctx));
      cq_ctx_clear_error(p->ctx);
      return p->status;
    }
  }
  return CQ_OK;
}

static cq_status run(cq_slots *slots, int level, bool gradient,
                     void (*task)(void *user, int worker, int i)) {
  work w = {.slots = slots, .level = level, .gradient = gradient};
  cq_side_by_side(slots->threads, slots->count, task, &w);
  return first_failure(slots);
}

cq_status cq_slots_evaluate(cq_slots *slots, int level, bool gradient) {
  return run(slots, level, gradient, evaluate);
}

cq_status cq_slots_residuals(cq_slots *slots, int level, bool derivatives) {
  for (int i = 0; i < slots->count; i++) {
    cq_slot *p = &slots->all[i];
    const size_t m = (size_t)p->scene->n_residuals, n = (size_t)p->scene->design.n;
    if (p->r_jac == NULL) {
      CQ_TRY(CQ_ARENA(&slots->owner->arena, p->r, m));
      CQ_TRY(CQ_ARENA(&slots->owner->arena, p->r_jac, m * n));
    }
  }
  return run(slots, level, derivatives, take_residuals);
}

cq_status cq_slots_watch(cq_slots *slots, int level) {
  return run(slots, level, false, watch);
}

int cq_slots_torn(const cq_slots *slots) {
  int torn = -1;
  for (int i = 0; i < slots->count; i++) {
    const double share = cq_scene_tear(slots->all[i].scene).share;
    if (share > (torn < 0 ? 0 : cq_scene_tear(slots->all[torn].scene).share)) {
      torn = i;
    }
  }
  return torn;
}

cq_gradient_health cq_slots_health(const cq_slots *slots, int *of) {
  cq_gradient_health worst = {.rate = NAN, .growth = NAN};
  *of = -1;
  for (int i = 0; i < slots->count; i++) {
    const cq_scene *scene = slots->all[i].scene;
    const cq_gradient_health own = scene != NULL ? cq_scene_own_health(scene) : worst;
    if (!isnan(own.rate) && !(own.rate <= worst.rate)) {
      worst = own;
      *of = i;
    }
  }
  return worst;
}

void cq_slot_statistics(const cq_slot *slot, cq_scene_stats *stats, long long *failures) {
  cq_scene_add_work(slot->scene, stats, failures);
  cq_differences_statistics(&slot->beside, stats, failures);
}

void cq_slots_statistics(const cq_slots *slots, cq_scene_stats *stats, long long *failures) {
  for (int i = 0; i < slots->count; i++) {
    cq_slot_statistics(&slots->all[i], stats, failures);
  }
}
