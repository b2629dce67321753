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
  cq_far_kind kind;
} work;

static void evaluate(void *user, int worker, int i) {
  const work *w = user;
  cq_slot *p = &w->slots->all[i];
  (void)worker;
  p->is_far = false;
  p->status = cq_differences_evaluate(p->scene, &p->beside, w->level, p->x, &p->f, p->c,
                                      w->gradient ? p->grad : NULL, w->gradient ? p->jac : NULL);
}

static void take_residuals(void *user, int worker, int i) {
  const work *w = user;
  cq_slot *p = &w->slots->all[i];
  (void)worker;
  p->is_far = false;
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

/* --- with helpers ----------------------------------------------------------------------------- */

enum { MOST_PARTS = 6 };

/* What an evaluation leaves: of the scene that it is of, and in the slot. */
static int list_parts(cq_slot *p, const cq_far_request *q, cq_far_part *out) {
  const size_t n = (size_t)p->scene->design.n, number = sizeof(double);
  const size_t m = (size_t)(p->scene->objective.n_functions - 1);
  const size_t terms = (size_t)p->scene->objective.functions[0].n_terms;
  const size_t residuals = (size_t)p->scene->n_residuals;
  int k = 0;
  out[k++] = (cq_far_part){&p->f, number};
  if (q->kind == CQ_FAR_RESIDUALS) {
    out[k++] = (cq_far_part){p->r, residuals * number};
    out[k++] = (cq_far_part){p->r_jac, q->derivatives ? residuals * n * number : 0};
  } else {
    out[k++] = (cq_far_part){p->c, m * number};
    if (q->derivatives) {
      out[k++] = (cq_far_part){p->grad, n * number};
      out[k++] = (cq_far_part){p->jac, m * n * number};
    }
  }
  out[k++] = (cq_far_part){p->far_terms, terms * number};
  out[k++] = (cq_far_part){&p->far_health, sizeof p->far_health};
  return k;
}

static cq_status make_residual_room(cq_slots *slots, cq_slot *p) {
  const size_t m = (size_t)p->scene->n_residuals, n = (size_t)p->scene->design.n;
  if (p->r_jac == NULL) {
    CQ_TRY(CQ_ARENA(&slots->owner->arena, p->r, m));
    CQ_TRY(CQ_ARENA(&slots->owner->arena, p->r_jac, m * n));
  }
  return CQ_OK;
}

static cq_status make_far_room(cq_slots *slots, cq_slot *p) {
  const int terms = p->scene->objective.functions[0].n_terms;
  return p->far_terms != NULL ? CQ_OK
                              : CQ_ARENA(&slots->owner->arena, p->far_terms, (size_t)terms + 1);
}

static cq_far_end evaluate_far(void *user, int helper, int i) {
  const work *w = user;
  cq_slots *const slots = w->slots;
  cq_slot *const p = &slots->all[i];
  cq_far_part parts[MOST_PARTS];
  const cq_far_request request = {
      .kind = w->kind, .item = i, .which = p->which, .level = w->level, .derivatives = w->gradient};
  const cq_far_end end =
      cq_far_ask(slots->owner, slots->helpers[helper], &request, p->scene->design.n, p->x, parts,
                 list_parts(p, &request, parts), &p->far_work);
  if (end == CQ_FAR_DONE) {
    p->status = CQ_OK;
    p->is_far = true;
  }
  return end;
}

cq_status cq_slots_help(cq_slots *slots, const cq_far_request *request, const void **answer,
                        size_t *size) {
  cq_slot *const p = &slots->all[request->item];
  cq_far_part parts[MOST_PARTS];
  cq_far_work before = {.failures = 0}, now = {.failures = 0};
  work w = {.slots = slots, .level = request->level, .gradient = request->derivatives};
  CQ_TRY(make_far_room(slots, p));
  CQ_TRY(request->kind == CQ_FAR_RESIDUALS ? make_residual_room(slots, p) : CQ_OK);
  cq_slot_statistics(p, &before.stats, &before.failures);
  (request->kind == CQ_FAR_RESIDUALS ? take_residuals : evaluate)(&w, 0, request->item);
  cq_slot_statistics(p, &now.stats, &now.failures);
  if (p->status != CQ_OK) {
    return CQ_FAIL(slots->owner->ctx, p->status, "%s: %s", p->name, cq_ctx_error(p->ctx));
  }
  for (int k = 0; k < p->scene->objective.functions[0].n_terms; k++) {
    p->far_terms[k] = cq_scene_own_term(p->scene, k);
  }
  p->far_health = cq_scene_own_health(p->scene);
  const cq_far_work did = cq_far_since(&now, &before);
  return cq_far_answer(slots->owner, &did, parts, list_parts(p, request, parts), answer, size);
}

double cq_slot_term(const cq_slot *slot, int i) {
  return slot->is_far ? slot->far_terms[i] : cq_scene_own_term(slot->scene, i);
}

/* --- all of them ------------------------------------------------------------------------------ */

static double length_of(const cq_slot *p) {
  return (double)p->scene->model.n_particles * p->scene->model.steps;
}

/* Insertion: there are few of them, and mostly in order. */
static void sort(cq_slots *slots) {
  for (int i = 0; i < slots->count; i++) {
    int k = i;
    for (; k > 0 && length_of(&slots->all[slots->order[k - 1]]) < length_of(&slots->all[i]); k--) {
      slots->order[k] = slots->order[k - 1];
    }
    slots->order[k] = i;
  }
}

/* Room for those that take part; returns in *n how many helpers do. */
static cq_status call_helpers(cq_slots *slots, int *n) {
  cq_arena *const arena = &slots->owner->arena;
  *n = 0;
  if (slots->owner->helpers == NULL) {
    return CQ_OK;
  }
  if (slots->helpers == NULL) {
    CQ_TRY(CQ_ARENA(arena, slots->helpers, CQ_MOST_HELPERS));
    CQ_TRY(CQ_ARENA(arena, slots->order, slots->count));
  }
  sort(slots);
  for (int i = 0; i < slots->count; i++) {
    CQ_TRY(make_far_room(slots, &slots->all[i]));
  }
  *n = cq_far_here(slots->owner, slots->helpers);
  return CQ_OK;
}

static cq_status run(work w, void (*task)(void *user, int worker, int i)) {
  cq_slots *const slots = w.slots;
  cq_dealing dealing = {.count = slots->count,
                        .workers = slots->threads,
                        .task = task,
                        .far = evaluate_far,
                        .user = &w};
  if (task != watch) {
    CQ_TRY(call_helpers(slots, &dealing.helpers));
    dealing.order = slots->order;
  }
  cq_deal(&dealing);
  return first_failure(slots);
}

cq_status cq_slots_evaluate(cq_slots *slots, int level, bool gradient) {
  return run((work){slots, level, gradient, CQ_FAR_FUNCTIONS}, evaluate);
}

cq_status cq_slots_residuals(cq_slots *slots, int level, bool derivatives) {
  for (int i = 0; i < slots->count; i++) {
    CQ_TRY(make_residual_room(slots, &slots->all[i]));
  }
  return run((work){slots, level, derivatives, CQ_FAR_RESIDUALS}, take_residuals);
}

cq_status cq_slots_watch(cq_slots *slots, int level) {
  return run((work){.slots = slots, .level = level}, watch);
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
    const cq_slot *p = &slots->all[i];
    const cq_gradient_health own = p->is_far          ? p->far_health
                                   : p->scene != NULL ? cq_scene_own_health(p->scene)
                                                      : worst;
    if (!isnan(own.rate) && !(own.rate <= worst.rate)) {
      worst = own;
      *of = i;
    }
  }
  return worst;
}

void cq_slot_statistics(const cq_slot *slot, cq_scene_stats *stats, long long *failures) {
  cq_scene_add_work(slot->scene, stats, failures);
  cq_far_add(&slot->far_work, stats, failures);
  cq_differences_statistics(&slot->beside, stats, failures);
}

void cq_slots_statistics(const cq_slots *slots, cq_scene_stats *stats, long long *failures) {
  for (int i = 0; i < slots->count; i++) {
    cq_slot_statistics(&slots->all[i], stats, failures);
  }
}
