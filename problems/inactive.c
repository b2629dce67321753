/* Variables that change nothing, and why. */
#include "inactive.h"
#include "block_kinds.h"

#include "alloc.h"
#include "give.h"
#include "open_loop.h"
#include "status.h"
#include "task.h"

#include <math.h>
#include <string.h>

enum { MOST_PROBES = 6 };

/* --- what terms look at ------------------------------------------------------------------------
 */

static bool is_asked(int which, int function) {
  return which == CQ_ALL_FUNCTIONS || which + 1 == function;
}

static void add_term(const cq_scene *scene, const cq_term *term, cq_scope *scope) {
  scope->n_terms++;
  scope->of_state = scope->of_state || term->n_sets > 0;
  scope->mass_only = scope->mass_only && term->kind == CQ_TERM_mass;
  for (int i = 0; i < term->n_instants; i++) {
    const int state = term->instants[i].step + (term->instants[i].ahead > 0.0);
    scope->last = state > scope->last ? state : scope->last;
  }
  for (int s = 0; s < term->n_sets; s++) {
    const cq_group *group = &scene->groups[term->sets[s]];
    for (int i = 0; i < group->count; i++) {
      scope->seen[group->particles[i]] = 1;
    }
  }
}

static void find_scope(const cq_scene *scene, int which, cq_scope *scope) {
  const cq_objective *o = &scene->objective;
  scope->mass_only = true;
  for (int i = 0; i < o->n_functions; i++) {
    const cq_function *function = &o->functions[i];
    for (int j = 0; j < function->n_terms && is_asked(which, i); j++) {
      if (function->terms[j].weight != 0.0) {
        add_term(scene, &function->terms[j], scope);
      }
    }
  }
}

/* --- what variables drive ----------------------------------------------------------------------
 */

static void drive_set(cq_idle *idle, const cq_set *set) {
  for (int i = 0; set != NULL && i < set->count; i++) {
    idle->driven[set->particles[i]] = 1;
  }
}

/* The particles of a control's actuator. */
static void drive_control(const cq_scene *scene, cq_idle *idle, int control) {
  for (int a = 0; a < scene->model.n_actuators; a++) {
    const cq_acting *acting = &scene->acting[a];
    const int behind = control - acting->first_control;
    if (control < 0 || (behind >= 0 && behind < acting->n_controls)) {
      drive_set(idle, acting->set);
    }
  }
}

static void drive_body(cq_idle *idle, const cq_body *body) {
  memset(idle->driven + body->first, 1, (size_t)body->count);
}

static void drive_launched(const cq_scene *scene, cq_idle *idle) {
  const cq_launches *launches = &scene->design.launches;
  for (int i = 0; i < launches->n; i++) {
    drive_body(idle, &scene->bodies[launches->slot[i] / CQ_POSE_SLOTS]);
  }
}

/* Marks the particles that a row acts on first: its own, or all where it is of the scene. */
static void drive_target(const cq_scene *scene, cq_idle *idle, size_t target) {
  const cq_layout *layout = &scene->layout;
  const size_t n = (size_t)scene->model.n_particles;
  if (target >= scene->design.first_calibration) {
    memset(idle->driven, 1, n);
    return;
  }
  if (target >= layout->total) { /* a slot of a pose */
    drive_body(idle, &scene->bodies[(target - layout->total) / CQ_POSE_SLOTS]);
    return;
  }
  const int k = cq_layout_at(layout, target);
  const size_t place = target - layout->offset[k];
  if (layout->inputs[k].of == CQ_OF_CONTROLLER) {
    const bool table = scene->model.controller.kind == CQ_CONTROLLER_open_loop;
    drive_control(scene, idle, table ? (int)(place % (size_t)scene->model.n_controls) : -1);
    drive_launched(scene, idle);
  } else if (layout->inputs[k].of == CQ_OF_PARTICLE) {
    idle->driven[place / (layout->count[k] / n)] = 1;
  } else { /* of the scene or a wall: whatever is there */
    memset(idle->driven, 1, n);
  }
}

/* Rows of which every variable is in the group. group [block->count] */
static void find_driven(const cq_scene *scene, const unsigned char *group, cq_idle *idle) {
  const cq_rows *rows = &idle->block->rows;
  memset(idle->driven, 0, (size_t)scene->model.n_particles);
  for (size_t i = 0; i < rows->count; i++) {
    bool all = true;
    for (size_t k = rows->first[i]; k < rows->first[i + 1]; k++) {
      all = all && (rows->weight[k] == 0.0 || group[rows->variable[k]]);
    }
    if (all) {
      drive_target(scene, idle, rows->target[i]);
    }
  }
  idle->n_driven = 0;
  for (int p = 0; p < scene->model.n_particles; p++) {
    idle->n_driven += idle->driven[p];
  }
}

/* --- reasons -----------------------------------------------------------------------------------
 */

/* What the file alone tells. */
static bool settled_by_file(const cq_scope *scope, const cq_idle *idle, char *text, size_t size) {
  const cq_block_type *const type = idle->block->kind->type;
  const bool controls = type == &cq_block_actuation || type == &cq_block_controller;
  text[0] = '\0';
  if (scope->n_terms == 0) {
    snprintf(text, size, "every term has weight 0");
  } else if (scope->mass_only) {
    snprintf(text, size, "only masses are measured");
  } else if (!scope->of_state && !controls) {
    snprintf(text, size, "only the controls are measured");
  } else if (scope->last == 0) {
    snprintf(text, size, "the terms look at the start alone, at 0 s");
  }
  return text[0] != '\0';
}

/* A row of a table of controls that begins to act after the last state that counts. */
static bool is_late(const cq_scene *scene, const cq_scope *scope, const cq_block *block, int j) {
  const cq_controller *c = &scene->model.controller;
  const int row = j / block->components;
  return block->kind->type == &cq_block_actuation && scope->n_terms > 0 &&
         (c->joined == OPEN_LOOP_LINEAR ? (row - 1) * c->hold + 1 : row * c->hold) >= scope->last;
}

/* --- the question ------------------------------------------------------------------------------
 */

/* All that is needed to answer it. */
typedef struct inquiry {
  cq_scene *scene; /* a copy that keeps no states */
  const double *x;
  const unsigned char *acts;
  int which, probes;
  cq_scope scope;
  cq_idle idle;
  cq_witness witness;
  bool has_witness;
  double *moved, *before, *after; /* [n]; [functions] f and c */
  unsigned char *group;           /* [n] of a block, by its variables */
} inquiry;

static cq_status evaluate(const inquiry *q, const double *x, double *values) {
  const cq_problem *p = cq_scene_problem(q->scene);
  const bool constrained = q->scene->objective.n_functions > 1;
  return p->eval(p->data, x, values, constrained ? values + 1 : NULL, NULL, NULL);
}

/* Beyond what rounding explains. */
static bool differs(const inquiry *q) {
  const double rounding = q->scene->model.bits == 64 ? 1e-13 : 1e-6;
  for (int i = 0; i < q->scene->objective.n_functions; i++) {
    const double size = fmax(fabs(q->before[i]), fabs(q->after[i]));
    if (is_asked(q->which, i) && fabs(q->after[i] - q->before[i]) > rounding * size) {
      return true;
    }
  }
  return false;
}

/* Without a slope a variable may act all the same, at a maximum, a saddle or an exact optimum: a
 * tenth of a scale away it shows. */
static cq_status probe(inquiry *q, bool *act) {
  const cq_design *d = &q->scene->design;
  const cq_block *block = q->idle.block;
  *act = false;
  if (q->probes++ >= MOST_PROBES) {
    return CQ_OK;
  }
  memcpy(q->moved, q->x, (size_t)d->n * sizeof *q->moved);
  for (int j = block->first; j < block->first + block->count; j++) {
    const double step = q->group[j - block->first] ? 0.1 * d->scale[j] : 0.0;
    q->moved[j] += q->x[j] + step <= d->upper[j] ? step : -step;
    q->moved[j] = fmin(fmax(q->moved[j], d->lower[j]), d->upper[j]);
  }
  const cq_status status = evaluate(q, q->moved, q->after);
  if (cq_status_is_numeric(status)) { /* it says nothing, then */
    cq_ctx_clear_error(q->scene->ctx);
    return CQ_OK;
  }
  *act = status == CQ_OK && differs(q);
  return status;
}

/* A run is looked at once, when something asks for it. */
static cq_status look(inquiry *q) {
  if (q->has_witness) {
    return CQ_OK;
  }
  cq_scene_take_design(q->scene, q->x, q->scene->current);
  q->has_witness = true;
  return cq_witness_run(q->scene, &q->witness);
}

static cq_status find_reason(inquiry *q, cq_inactive *out) {
  if (settled_by_file(&q->scope, &q->idle, out->reason, sizeof out->reason)) {
    return CQ_OK;
  }
  CQ_TRY(look(q));
  if (!cq_witness_reason(&q->witness, &q->scope, &q->idle, out->reason, sizeof out->reason,
                         &out->expected)) {
    out->reason[0] = '\0';
  }
  return CQ_OK;
}

/* Why a variable of a block without a slope may have none: rows that act too late, drives that meet
 * nothing while the row acts, or another reason, the same for all others. */
typedef enum kind { LATE, ALONE, OTHERS, KINDS } kind;

static kind kind_of(const inquiry *q, const cq_block *block, int j) {
  return is_late(q->scene, &q->scope, block, j)                     ? LATE
         : q->has_witness && cq_drives_alone(&q->witness, block, j) ? ALONE
                                                                    : OTHERS;
}

/* Those of block b that are of a kind: into the group. */
static void gather(inquiry *q, int b, kind wanted, cq_inactive *out) {
  const cq_block *block = &q->scene->design.blocks[b];
  const cq_design *d = &q->scene->design;
  *out = (cq_inactive){.block = b, .expected = wanted == LATE};
  for (int j = block->count - 1; j >= 0; j--) {
    const int i = block->first + j;
    q->group[j] = !q->acts[i] && d->lower[i] < d->upper[i] && kind_of(q, block, j) == wanted;
    out->count += q->group[j];
    out->first = q->group[j] ? i : out->first;
  }
  q->idle.block = block;
  q->idle.whole = out->count == block->count;
}

/* Variables of a block without a slope: is there a reason, or do they act after all? */
static cq_status examine(inquiry *q, int b, kind wanted, cq_inactive *out, bool *found) {
  gather(q, b, wanted, out);
  *found = out->count > 0;
  if (*found && wanted == LATE) {
    snprintf(out->reason, sizeof out->reason, "the last time that counts, %.4g s, is before them",
             q->scope.last * q->scene->model.dt);
    return CQ_OK;
  }
  if (!*found) {
    return CQ_OK;
  }
  bool act = false;
  CQ_TRY(probe(q, &act));
  *found = !act;
  if (*found && wanted == ALONE) {
    out->expected =
        cq_drives_reason(&q->witness, q->idle.block, q->group, out->reason, sizeof out->reason);
  } else if (*found) {
    find_driven(q->scene, q->group, &q->idle);
    return find_reason(q, out);
  }
  return CQ_OK;
}

/* Has the block variables without a slope that may be of drives or tracks? */
static bool may_be_alone(const inquiry *q, const cq_block *block) {
  const cq_design *d = &q->scene->design;
  bool may = false;
  for (int i = block->first; i < block->first + block->count; i++) {
    may = may || (!q->acts[i] && d->lower[i] < d->upper[i] &&
                  !is_late(q->scene, &q->scope, block, i - block->first));
  }
  return may && (block->kind->type == &cq_block_actuation || block->knots != NULL);
}

/* Block by block, until there is no more room for answers. */
static cq_status inquire(inquiry *q, int room, cq_inactive *out, int *count) {
  static const kind order[KINDS] = {OTHERS, ALONE, LATE};
  cq_ctx *ctx = q->scene->ctx;
  const size_t n = (size_t)q->scene->design.n, particles = (size_t)q->scene->model.n_particles;
  CQ_TRY(CQ_ALLOC(ctx, q->scope.seen, particles));
  CQ_TRY(CQ_ALLOC(ctx, q->idle.driven, particles));
  CQ_TRY(CQ_ALLOC(ctx, q->moved, n));
  CQ_TRY(CQ_ALLOC(ctx, q->group, n));
  CQ_TRY(CQ_ALLOC(ctx, q->before, q->scene->objective.n_functions));
  CQ_TRY(CQ_ALLOC(ctx, q->after, q->scene->objective.n_functions));
  find_scope(q->scene, q->which, &q->scope);
  CQ_TRY(evaluate(q, q->x, q->before));
  for (int b = 0; b < q->scene->design.n_blocks; b++) {
    if (may_be_alone(q, &q->scene->design.blocks[b])) {
      CQ_TRY(look(q));
    }
    for (int k = 0; k < KINDS && *count < room; k++) {
      bool found = false;
      CQ_TRY(examine(q, b, order[k], &out[*count], &found));
      *count += found;
    }
  }
  return CQ_OK;
}

static bool all_act(const cq_scene *scene, const unsigned char *acts) {
  for (int i = 0; i < scene->design.n; i++) {
    if (!acts[i] && scene->design.lower[i] < scene->design.upper[i]) {
      return false;
    }
  }
  return true;
}

/* To the caller's array, whose elements have the size that the first one says. */
static cq_status give(cq_ctx *ctx, const cq_inactive *found, int count, cq_inactive *out) {
  const size_t size = count > 0 ? out->struct_size : 0;
  for (int i = 0; i < count; i++) {
    char *const to = (char *)out + (size_t)i * size;
    memcpy(to, &size, sizeof size);
    CQ_TRY(CQ_GIVE(ctx, to, found[i]));
  }
  return CQ_OK;
}

/* Asks on a copy of the scene, so that no bit of a run depends on it. */
static cq_status ask(cq_scene *scene, int level, const double *x, const unsigned char *acts,
                     int which, int room, cq_inactive *out, int *count) {
  inquiry q = {.x = x, .acts = acts, .which = which};
  cq_ctx *ctx = scene->ctx;
  cq_inactive *found = NULL;
  *count = 0;
  if (all_act(scene, acts)) {
    return CQ_OK;
  }
  CQ_TRY(cq_task_make_finer(scene, level, &q.scene));
  cq_status status = CQ_ALLOC(ctx, found, room);
  status = status == CQ_OK ? inquire(&q, room, found, count) : status;
  status = status == CQ_OK ? give(ctx, found, *count, out) : status;
  cq_free(ctx, found);
  cq_witness_free(&q.witness);
  cq_free(ctx, q.scope.seen);
  cq_free(ctx, q.idle.driven);
  cq_free(ctx, q.moved);
  cq_free(ctx, q.group);
  cq_free(ctx, q.before);
  cq_free(ctx, q.after);
  cq_scene_destroy(q.scene);
  *count = status == CQ_OK ? *count : 0;
  return status;
}

/* Which of an experiment's functions is asked about; false: none of them. */
static bool asks(const cq_joined *joined, int k, int *which) {
  if (*which < 0) {
    return true;
  }
  const cq_joined_function *const of = &joined->constraints[*which];
  *which = of->index;
  return of->experiment == k;
}

/* The file's block that is block `own` of an experiment. */
static int block_of_file(const cq_experiment *e, int own) {
  int b = -1;
  for (int seen = -1; seen < own;) {
    seen += e->has[++b];
  }
  return b;
}

/* What the first experiment that has a variable finds of it: elsewhere it has no slope either.
 * *known [n of the file]: variables that an earlier one has. */
static cq_status ask_one(cq_scene *file, int k, int level, const double *x,
                         const unsigned char *acts, int which, int room, cq_inactive *out,
                         int *count, unsigned char *known) {
  const cq_experiment *const e = &file->joined->all[k];
  const size_t n = (size_t)e->scene->design.n, size = room > 0 ? out->struct_size : 0;
  double *own = NULL;
  unsigned char *acting = NULL;
  if (room == 0 || !asks(file->joined, k, &which)) {
    return CQ_OK;
  }
  cq_status status = CQ_ALLOC(file->ctx, own, n + 1);
  status = status == CQ_OK ? CQ_ALLOC(file->ctx, acting, n + 1) : status;
  for (size_t j = 0; status == CQ_OK && j < n; j++) {
    own[j] = x[e->of[j]];
    acting[j] = acts[e->of[j]] || known[e->of[j]];
    known[e->of[j]] = 1;
  }
  if (status == CQ_OK) {
    status = ask(e->scene, level, own, acting, which, room, out, count);
    status = status == CQ_OK ? CQ_OK : CQ_FAIL(file->ctx, status, "%s", cq_ctx_error(e->ctx));
    cq_ctx_clear_error(e->ctx);
  }
  for (int i = 0; status == CQ_OK && i < *count; i++) {
    cq_inactive *const found = (cq_inactive *)(void *)((char *)out + (size_t)i * size);
    found->block = block_of_file(e, found->block);
    found->first = e->of[found->first];
  }
  cq_free(file->ctx, own);
  cq_free(file->ctx, acting);
  return status;
}

/* Experiment by experiment. */
static cq_status ask_all(cq_scene *file, int level, const double *x, const unsigned char *acts,
                         int which, int room, cq_inactive *out, int *count) {
  const size_t size = room > 0 ? out->struct_size : 0;
  unsigned char *known = NULL;
  *count = 0;
  CQ_TRY(CQ_ALLOC(file->ctx, known, (size_t)file->design.n + 1));
  cq_status status = CQ_OK;
  for (int k = 0; k < file->joined->count && status == CQ_OK; k++) {
    cq_inactive *const next = (cq_inactive *)(void *)((char *)out + (size_t)*count * size);
    int more = 0;
    if (*count < room) {
      memcpy(next, &size, sizeof size);
    }
    status = ask_one(file, k, level, x, acts, which, room - *count, next, &more, known);
    *count += more;
  }
  cq_free(file->ctx, known);
  return status;
}

cq_status cq_scene_inactive(cq_scene *scene, int level, const double *x, const unsigned char *acts,
                            int which, int room, cq_inactive *out, int *count) {
  return scene->joined != NULL ? ask_all(scene, level, x, acts, which, room, out, count)
                               : ask(scene, level, x, acts, which, room, out, count);
}
