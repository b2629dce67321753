/* The design of another scene as a start of this one: the inputs that it gives there are wanted
 * here, and the variables of each block come as near to them as they can. */
#include "alloc.h"
#include "control.h"
#include "scene.h"
#include "status.h"

#include <math.h>
#include <string.h>

typedef struct fit {
  const cq_scene *scene, *other;
  double *wanted; /* [layout.total], then the slots of the poses; NAN: `other` has no such thing */
  double *theirs; /* inputs of the other scene */
  double *x;      /* [n of other] */
  double *controls;   /* [steps of other][n_controls] */
  double *sum, *step; /* [n] work */
  char why[192];      /* a reason with numbers */
} fit;

static const cq_body *twin_of(const fit *f, const cq_body *body) {
  for (int b = 0; b < f->other->config.bodies.count; b++) {
    const cq_body *twin = &f->other->bodies[b];
    if (strcmp(twin->keys->name, body->keys->name) == 0) {
      return twin;
    }
  }
  return NULL;
}

/* Particles by their number in the body of the same name. */
static void want_body(fit *f, const cq_body *body) {
  const cq_layout *mine = &f->scene->layout, *other = &f->other->layout;
  const cq_body *twin = twin_of(f, body);
  if (twin == NULL) {
    return;
  }
  for (int i = 0; i < mine->n && twin->count == body->count; i++) {
    const int j = cq_layout_find(other, mine->inputs[i].name);
    if (mine->inputs[i].of == CQ_OF_PARTICLE && j >= 0) {
      const size_t each = mine->count[i] / (size_t)f->scene->model.n_particles;
      memcpy(f->wanted + mine->offset[i] + (size_t)body->first * each,
             f->theirs + other->offset[j] + (size_t)twin->first * each,
             (size_t)body->count * each * sizeof(double));
    }
  }
  memcpy(f->wanted + mine->total + (size_t)(body - f->scene->bodies) * CQ_POSE_SLOTS,
         f->other->design.poses.slots + (size_t)(twin - f->other->bodies) * CQ_POSE_SLOTS,
         CQ_POSE_SLOTS * sizeof(double));
}

static double duration(const cq_scene *scene) {
  return scene->model.steps * scene->model.dt;
}

/* Step of the other scene, which runs as long, in whose middle or at whose side time t is. */
static int step_at(const fit *f, double t) {
  return (int)fmin(fmax(t / f->other->model.dt, 0.0), f->other->model.steps - 1);
}

/* The control points of a spline by its slope where pieces meet, which is at the end of a row. */
static void want_path(fit *f, double *theta) {
  const cq_controller *c = &f->scene->model.controller;
  const int n = c->n_controls;
  const double dt = f->scene->model.dt;
  for (int j = 0; j < c->n_parameters; j++) {
    const double slope = f->controls[step_at(f, (j / n + 1) * c->hold * dt) * n + j % n];
    theta[j] = (j >= n ? theta[j - n] : 0.0) + c->hold * dt * slope;
  }
}

/* A row that is held gets the mean of what it is held for; one of a line the value at its time. */
static void want_table(fit *f, double *theta) {
  const cq_controller *c = &f->scene->model.controller;
  const int n = c->n_controls, rows = c->n_parameters / n, steps = f->scene->model.steps;
  const double dt = f->scene->model.dt;
  if (c->joined == OPEN_LOOP_PATH) {
    want_path(f, theta);
    return;
  }
  for (int r = 0; r < rows; r++) {
    const int first = r * c->hold,
              last = c->joined == OPEN_LOOP_LINEAR ? first : (int)fmin(first + c->hold, steps) - 1;
    for (int i = 0; i < n; i++) {
      double sum = 0.0;
      for (int k = first; k <= last; k++) {
        sum += f->controls[step_at(f, (k + 0.5) * dt) * n + i];
      }
      theta[r * n + i] = sum / (last - first + 1);
    }
  }
}

static bool same_controls(const cq_scene *a, const cq_scene *b) {
  bool same = a->model.controller.kind == b->model.controller.kind &&
              a->model.n_controls == b->model.n_controls;
  for (int i = 0; same && i < a->model.n_controls; i++) {
    same = strcmp(a->controls[i].name, b->controls[i].name) == 0;
  }
  return same;
}

static bool same_parameters(const cq_scene *a, const cq_scene *b) {
  bool same = a->model.controller.n_parameters == b->model.controller.n_parameters;
  for (int j = 0; same && j < a->model.controller.n_parameters; j++) {
    char mine[96], theirs[96];
    cq_scene_parameter(a, j, mine, sizeof mine);
    cq_scene_parameter(b, j, theirs, sizeof theirs);
    same = strcmp(mine, theirs) == 0;
  }
  return same;
}

/* Why the controller cannot be that of the other scene; NULL: it can. */
static const char *want_controller(fit *f) {
  const cq_scene *other = f->other;
  const cq_model *model = &other->model;
  const double *theirs = f->theirs + cq_layout_offset(&other->layout, "theta");
  double *theta = f->wanted + cq_layout_offset(&f->scene->layout, "theta");
  if (!same_controls(f->scene, other)) {
    return "has other controls, or another type of controller";
  }
  if (model->controller.kind != CQ_CONTROLLER_open_loop) {
    if (!same_parameters(f->scene, other)) {
      return "has a controller with other parameters";
    }
    memcpy(theta, theirs, (size_t)model->controller.n_parameters * sizeof *theta);
    return NULL;
  }
  if (fabs(duration(other) - duration(f->scene)) > 1e-6 * duration(f->scene)) {
    snprintf(f->why, sizeof f->why,
             "is a table of controls for %g s, and here are %g s: keep that time, or take a "
             "controller that goes on, by the state or a clock",
             duration(other), duration(f->scene));
    return f->why;
  }
  double room[CQ_CONTROL_ROOM];
  for (int k = 0; k < model->steps; k++) {
    control_eval(&model->controller, theirs, NULL, k, f->controls + k * model->n_controls, room);
  }
  want_table(f, theta);
  return NULL;
}

/* Of the scene, its walls and its tracks, if there are as many. */
static void want_scene(fit *f) {
  const cq_layout *mine = &f->scene->layout, *other = &f->other->layout;
  for (int i = 0; i < mine->n; i++) {
    const cq_of of = mine->inputs[i].of;
    const int j = cq_layout_find(other, mine->inputs[i].name);
    if ((of == CQ_OF_SCENE || of == CQ_OF_WALL || of == CQ_OF_KNOT) && j >= 0 &&
        mine->count[i] == other->count[j]) {
      memcpy(f->wanted + mine->offset[i], f->theirs + other->offset[j],
             mine->count[i] * sizeof(double));
    }
  }
}

/* Refuses a block that the other scene says nothing of. */
static cq_status check_block(const fit *f, const cq_block *block, const char *no_controls) {
  const cq_layout *layout = &f->scene->layout;
  const char *why = "has no such wall";
  for (size_t i = 0; i < block->rows.count; i++) {
    const size_t target = block->rows.target[i];
    if (!isnan(f->wanted[target])) {
      continue;
    }
    const int input = cq_layout_at(layout, target); /* -1: a slot of a pose */
    if (input >= 0 && layout->inputs[input].of == CQ_OF_CONTROLLER) {
      why = no_controls;
    } else if (input >= 0 && layout->inputs[input].of == CQ_OF_KNOT) {
      why = "has other tracks";
    } else if (input < 0 || layout->inputs[input].of == CQ_OF_PARTICLE) {
      why = "has no body of that name and as many particles";
    }
    return CQ_FAIL(f->scene->ctx, CQ_CONFIG,
                   "%s of %s cannot be taken from a design of %s, which %s", block->name,
                   cq_scene_name(f->scene), cq_scene_name(f->other), why);
  }
  return CQ_OK;
}

/* What row i lacks of what is wanted. */
static double missing(const fit *f, const cq_block *block, size_t i, const double *values,
                      double *weight) {
  const cq_rows *rows = &block->rows;
  double lacks = f->wanted[rows->target[i]] - rows->base[i];
  *weight = 0.0;
  for (size_t k = rows->first[i]; k < rows->first[i + 1]; k++) {
    lacks -= rows->weight[k] * values[rows->variable[k]];
    *weight += fabs(rows->weight[k]);
  }
  return lacks;
}

/* Least squares within the bounds by simultaneous algebraic reconstruction (Andersen and Kak 1984):
 * what rows lack goes back to their variables, by weight. Once is exact where each row has one
 * variable, and more often is deconvolution of a filter. */
static void sweep(fit *f, const cq_block *block, double *values) {
  const cq_rows *rows = &block->rows;
  memset(f->sum, 0, (size_t)block->count * sizeof *f->sum);
  memset(f->step, 0, (size_t)block->count * sizeof *f->step);
  for (size_t i = 0; i < rows->count; i++) {
    double weight;
    const double lacks = missing(f, block, i, values, &weight);
    for (size_t k = rows->first[i]; k < rows->first[i + 1]; k++) {
      f->step[rows->variable[k]] += rows->weight[k] * lacks / weight;
      f->sum[rows->variable[k]] += fabs(rows->weight[k]);
    }
  }
  for (int j = 0; j < block->count; j++) {
    const double value = values[j] + (f->sum[j] > 0.0 ? f->step[j] / f->sum[j] : 0.0);
    values[j] = fmin(fmax(value, block->lower[j]), block->upper[j]);
  }
}

/* The variables of a block, and a warning where they cannot give what is wanted. */
static void fit_block(fit *f, const cq_block *block, double *values) {
  enum { SWEEPS = 100 };
  double largest = 0.0, size = 0.0;
  memcpy(values, block->start, (size_t)block->count * sizeof *values);
  for (int s = 0; s < SWEEPS; s++) {
    sweep(f, block, values);
  }
  for (size_t i = 0; i < block->rows.count; i++) {
    double weight;
    largest = fmax(largest, fabs(missing(f, block, i, values, &weight)));
    size = fmax(size, fabs(f->wanted[block->rows.target[i]]));
  }
  if (largest > 1e-9 * size) {
    cq_log(f->scene->ctx, CQ_LOG_WARNING,
           "%s starts up to %.3g %s from the design of %s: its bounds, its patches or its filter "
           "do not allow more",
           block->name, largest, block->unit, cq_scene_name(f->other));
  }
}

static void warn_of_lost(const fit *f) {
  const cq_design *mine = &f->scene->design, *other = &f->other->design;
  for (int b = 0; b < other->n_blocks; b++) {
    bool found = false;
    for (int i = 0; i < mine->n_blocks; i++) {
      found = found || mine->blocks[i].kind == other->blocks[b].kind;
    }
    if (!found) {
      cq_log(f->scene->ctx, CQ_LOG_WARNING, "%s, which %s designs, is not designed here and lost",
             other->blocks[b].name, cq_scene_name(f->other));
    }
  }
}

static cq_status make_room(fit *f) {
  const cq_scene *scene = f->scene, *other = f->other;
  const size_t n = scene->layout.total + (size_t)scene->design.poses.count * CQ_POSE_SLOTS;
  const size_t controls = (size_t)other->model.steps * (size_t)other->model.n_controls;
  CQ_TRY(CQ_ALLOC(scene->ctx, f->wanted, n));
  CQ_TRY(CQ_ALLOC(scene->ctx, f->theirs, other->layout.total));
  CQ_TRY(CQ_ALLOC(scene->ctx, f->x, other->design.n));
  CQ_TRY(CQ_ALLOC(scene->ctx, f->controls, controls + 1));
  CQ_TRY(CQ_ALLOC(scene->ctx, f->sum, scene->design.n));
  CQ_TRY(CQ_ALLOC(scene->ctx, f->step, scene->design.n));
  for (size_t i = 0; i < n; i++) {
    f->wanted[i] = NAN;
  }
  return CQ_OK;
}

static void apply_theirs(fit *f, const double *values) {
  for (int i = 0; i < f->other->design.n; i++) {
    f->x[i] = cq_scene_optimizer_value(f->other, i, values[i]);
  }
  memcpy(f->theirs, f->other->inputs, f->other->layout.total * sizeof(double));
  cq_design_apply(&f->other->design, f->x, f->theirs);
}

/* What the other scene has, then block by block as near to it as possible. */
static cq_status run(fit *f, const double *values, double *fitted) {
  const cq_scene *scene = f->scene;
  const cq_block *blocks = scene->design.blocks;
  CQ_TRY(make_room(f));
  apply_theirs(f, values);
  for (int b = 0; b < scene->config.bodies.count; b++) {
    want_body(f, &scene->bodies[b]);
  }
  want_scene(f);
  const char *no_controls = want_controller(f);
  for (int b = 0; b < scene->design.n_blocks; b++) {
    CQ_TRY(check_block(f, &blocks[b], no_controls));
  }
  for (int b = 0; b < scene->design.n_blocks; b++) {
    fit_block(f, &blocks[b], fitted + blocks[b].first);
  }
  warn_of_lost(f);
  return CQ_OK;
}

cq_status cq_scene_fit_design(const cq_scene *scene, const cq_scene *other, const double *values,
                              double *fitted) {
  fit f = {.scene = scene, .other = other};
  CQ_CHECK(scene->ctx, scene->config.dim == other->config.dim, CQ_CONFIG,
           "%s cannot take a design of %s, which has another dimension", cq_scene_name(scene),
           cq_scene_name(other));
  const cq_status status = run(&f, values, fitted);
  double *const all[] = {f.wanted, f.theirs, f.x, f.controls, f.sum, f.step};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    cq_free(scene->ctx, all[i]);
  }
  return status;
}
