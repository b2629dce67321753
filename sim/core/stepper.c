#include "stepper.h"

#include "alloc.h"
#include "engine.h"
#include "map.h"
#include "status.h"

#include <string.h>

struct cq_stepper {
  cq_ctx *ctx;
  const cq_model *model;
  const cq_engine *engine;
  cq_gradient_kind gradient;
  void *target; /* the engine's object */
  cq_layout layout;
  cq_z_rows rows; /* of the layout */
  cq_history history;
  unsigned char *given; /* [steps] of the history */
  double *inputs;
  bool keeps, failed;
  int first, at; /* states: where it began, and where it is */
  int swept;     /* the state that a sweep has come to; -1: there is none */
  int apart;     /* states from one that is kept to the next */
  /* [present, those of a piece that runs again, then those that are kept]: one mapping, memory
   * where it is first used */
  char *states;
  int n_piece, n_slots, n_used;
  size_t state_bytes;
};

static void *piece(const cq_stepper *s, int i) {
  return s->states + (size_t)(1 + i) * s->state_bytes;
}

static void *slot(const cq_stepper *s, int i) {
  return piece(s, s->n_piece + i);
}

static size_t mapped(const cq_stepper *s) {
  return (size_t)(1 + s->n_piece + s->n_slots) * s->state_bytes;
}

/* Where state k is, which is the present one or one that is kept. */
static void *state_at(const cq_stepper *s, int k) {
  const int from_first = k - s->first;
  return s->keeps && from_first % s->apart == 0 ? slot(s, from_first / s->apart) : s->states;
}

/* --- making -------------------------------------------------------------------------------------
 */

static cq_status find_engine(cq_stepper *s) {
  const cq_engine_type *type = cq_engine_type_of(s->model->engine);
  CQ_CHECK(s->ctx, type != NULL, CQ_CONFIG, "unknown engine \"%s\"", s->model->engine);
  const cq_gradient_word *word = cq_engine_gradient(type, s->model->gradient);
  CQ_CHECK(s->ctx, word != NULL, CQ_CONFIG, "the engine \"%s\" has no gradient \"%s\"", type->name,
           s->model->gradient);
  CQ_TRY(type->find(s->ctx, s->model, &s->engine));
  CQ_CHECK(s->ctx, s->engine->states_open == NULL && s->engine->settle == NULL, CQ_DEVICE,
           "runs step by step are on the CPU alone: set simulation.device = \"cpu\"");
  s->gradient = cq_engine_grade(word, s->model->horizon);
  return CQ_OK;
}

/* The least distance of kept states that the budget has room for. */
static cq_status choose_slots(cq_stepper *s) {
  const size_t budget = s->model->memory;
  const int steps = s->model->steps;
  s->apart = 1;
  s->n_slots = steps + 1;
  while (budget > 0 && mapped(s) > budget && s->apart <= s->n_slots) {
    s->apart++;
    s->n_piece = s->apart;
    s->n_slots = steps / s->apart + 1;
  }
  CQ_CHECK(s->ctx, budget == 0 || mapped(s) <= budget, CQ_MEMORY,
           "a memory budget of %zu bytes is too small for the states of %zu bytes that a run of %d "
           "steps keeps: raise simulation.memory, or keep none",
           budget, s->state_bytes, steps);
  return CQ_OK;
}

/* Counts kept states up to i as used. */
static cq_status open_slot(cq_stepper *s, int i) {
  while (s->n_used < i + 1) {
    CQ_TRY(cq_map_use(s->ctx, s->state_bytes));
    s->n_used++;
  }
  return CQ_OK;
}

/* The engine, the history, the inputs and the first states. */
static cq_status create_parts(cq_stepper *s) {
  cq_ctx *ctx = s->ctx;
  const cq_model *model = s->model;
  const size_t steps = (size_t)model->steps, n_u = steps * (size_t)model->n_controls;
  CQ_TRY(find_engine(s));
  CQ_TRY(cq_z_rows_make(ctx, model, &s->rows));
  s->layout.rows = &s->rows;
  CQ_TRY(s->engine->create(ctx, model, &s->layout, &s->target));
  s->state_bytes = s->engine->state_bytes(s->target);
  if (s->keeps) {
    CQ_TRY(choose_slots(s));
  }
  CQ_TRY(cq_map(ctx, (void **)&s->states, mapped(s)));
  CQ_TRY(CQ_ALLOC(ctx, s->history.z, s->rows.begin[steps + 1]));
  CQ_TRY(CQ_ALLOC(ctx, s->history.u, n_u));
  CQ_TRY(CQ_ALLOC(ctx, s->given, steps));
  s->history.given = s->given;
  return CQ_ALLOC(ctx, s->inputs, s->layout.total);
}

cq_status cq_stepper_create(cq_ctx *ctx, const cq_model *model, bool keeps, cq_stepper **out) {
  *out = NULL;
  cq_stepper *s = NULL;
  CQ_TRY(CQ_ALLOC(ctx, s, 1));
  s->ctx = ctx;
  s->model = model;
  s->keeps = keeps;
  s->swept = -1;
  s->failed = true; /* until it is reset */
  s->layout = cq_model_layout(model);
  const cq_status status = create_parts(s);
  if (status != CQ_OK) {
    cq_stepper_destroy(s);
    return status;
  }
  *out = s;
  return CQ_OK;
}

/* What is there of it, if creation failed half way. */
void cq_stepper_destroy(cq_stepper *s) {
  if (s == NULL) {
    return;
  }
  cq_ctx *ctx = s->ctx;
  cq_unmap(s->states, mapped(s));
  cq_map_return(ctx, (size_t)s->n_used * s->state_bytes);
  if (s->target != NULL) {
    s->engine->destroy(s->target);
  }
  cq_z_rows_free(ctx, &s->rows);
  cq_free(ctx, s->history.z);
  cq_free(ctx, s->history.u);
  cq_free(ctx, s->given);
  cq_free(ctx, s->inputs);
  cq_free(ctx, s);
}

/* --- forward ------------------------------------------------------------------------------------
 */

const cq_layout *cq_stepper_layout(const cq_stepper *s) {
  return &s->layout;
}

/* The engine takes the inputs, and writes state 0 to where a run begins that begins at `first`. */
static cq_status upload(cq_stepper *s, int first) {
  s->first = s->at = first;
  s->swept = -1;
  s->failed = true;
  if (s->keeps) {
    CQ_TRY(open_slot(s, 0));
  }
  return s->engine->upload(s->target, s->inputs, state_at(s, first));
}

cq_status cq_stepper_reset(cq_stepper *s, const double *inputs) {
  memcpy(s->inputs, inputs, s->layout.total * sizeof *inputs);
  memset(s->history.z, 0, s->rows.begin[s->model->steps + 1] * sizeof(double));
  memset(s->given, 0, (size_t)s->model->steps);
  CQ_TRY(upload(s, 0));
  void *state = state_at(s, 0);
  CQ_TRY(s->engine->run_segment(s->target, 0, 0, state, state, 0, &s->history, true));
  s->failed = false;
  return CQ_OK;
}

/* Writes the controls of the next steps, or leaves them to the controller. */
static void give_controls(cq_stepper *s, int steps, const double *u, int n_u) {
  const size_t n = (size_t)s->model->n_controls;
  memset(s->given + s->at, u != NULL, (size_t)steps);
  for (int k = 0; u != NULL && k < steps; k++) {
    const double *from = u + (size_t)(n_u == 1 ? 0 : k) * n;
    memcpy(s->history.u + (size_t)(s->at + k) * n, from, n * sizeof *u);
  }
}

/* Steps in one call of the engine: to `last`, or to the next state that is kept, if not all are. */
static cq_status run_piece(cq_stepper *s, int last) {
  int next = last;
  size_t apart = 0;
  if (s->keeps && s->apart > 1) {
    const int kept = s->first + ((s->at - s->first) / s->apart + 1) * s->apart;
    next = kept < last ? kept : last;
  } else if (s->keeps) {
    apart = s->state_bytes;
  }
  void *out = s->states;
  if (s->keeps) {
    CQ_TRY(open_slot(s, (next - s->first) / s->apart));
    out = apart > 0 ? state_at(s, s->at + 1) : state_at(s, next);
  }
  CQ_TRY(s->engine->run_segment(s->target, s->at, next, state_at(s, s->at), out, apart, &s->history,
                                true));
  s->at = next;
  return CQ_OK;
}

cq_status cq_stepper_advance(cq_stepper *s, int steps, const double *u, int n_u) {
  CQ_CHECK(s->ctx, !s->failed, CQ_USAGE, "the run has failed, or was not begun: reset it");
  const int last = s->at + steps;
  s->swept = -1;
  give_controls(s, steps, u, n_u);
  cq_status status = CQ_OK;
  while (s->at < last && status == CQ_OK) {
    status = run_piece(s, last);
  }
  s->failed = status != CQ_OK;
  return status;
}

int cq_stepper_step(const cq_stepper *s) {
  return s->at;
}

int cq_stepper_first(const cq_stepper *s) {
  return s->first;
}

bool cq_stepper_has_failed(const cq_stepper *s) {
  return s->failed;
}

const cq_failure *cq_stepper_failure(const cq_stepper *s) {
  return s->engine->failure(s->target);
}

const double *cq_stepper_observations(const cq_stepper *s) {
  return s->history.z;
}

const double *cq_stepper_controls(const cq_stepper *s) {
  return s->history.u;
}

const double *cq_stepper_inputs(const cq_stepper *s) {
  return s->inputs;
}

void cq_stepper_state(const cq_stepper *s, double *state) {
  s->engine->download(s->target, state_at(s, s->at), state);
}

void cq_stepper_field(const cq_stepper *s, int field, const double *state, double *out) {
  s->engine->field(s->target, field, s->inputs, state, out);
}

void cq_stepper_walls(const cq_stepper *s, double *maps) {
  for (int i = 0; i < s->model->n_boundaries; i++) {
    cq_map_stay(maps + (size_t)i * CQ_MAP);
  }
  if (s->engine->walls != NULL) {
    s->engine->walls(s->target, state_at(s, s->at), maps);
  }
}

/* --- backward -----------------------------------------------------------------------------------
 */

/* Steps last-1 .. first, whose states are all kept. */
static cq_status pull_all(cq_stepper *s, int first, int last) {
  return s->engine->backward_segment(s->target, first, last, slot(s, last - 1 - s->first),
                                     last - first > 1 ? s->state_bytes : 0);
}

/* Steps last-1 .. first after the kept state `from`: those in between run again. */
static cq_status pull_piece(cq_stepper *s, int from, int first, int last) {
  const int n = last - 1 - from, begin = first > from ? first : from + 1;
  if (n > 0) {
    CQ_TRY(s->engine->run_segment(s->target, from, last - 1, state_at(s, from), piece(s, 0),
                                  n > 1 ? s->state_bytes : 0, &s->history, false));
  }
  if (begin < last) {
    CQ_TRY(s->engine->backward_segment(s->target, begin, last, piece(s, n - 1),
                                       last - begin > 1 ? s->state_bytes : 0));
  }
  return first > from
             ? CQ_OK
             : s->engine->backward_segment(s->target, from, from + 1, state_at(s, from), 0);
}

/* The kept state that step `last` - 1 is run from. */
static int kept_before(const cq_stepper *s, int last) {
  return s->first + (last - 1 - s->first) / s->apart * s->apart;
}

static cq_status sweep(cq_stepper *s, int first, int last) {
  if (s->apart == 1) {
    return pull_all(s, first, last);
  }
  while (last > first) {
    const int from = kept_before(s, last), begin = from > first ? from : first;
    CQ_TRY(pull_piece(s, from, begin, last));
    last = begin;
  }
  return CQ_OK;
}

/* dL/du of a step is 0 until the sweep has passed it; a sweep before this one is given up. */
cq_status cq_stepper_pull_begin(cq_stepper *s, const cq_seed *seed, double *du) {
  CQ_CHECK(s->ctx, s->gradient == CQ_GRADIENT_EXACT_REVERSE, CQ_CONFIG,
           "simulation.engine = \"%s\" has no exact sweep backward with this simulation.gradient: "
           "nothing can be pulled, compare runs instead",
           s->engine->name);
  CQ_CHECK(s->ctx, s->keeps, CQ_USAGE, "this run keeps no states to go back by");
  CQ_CHECK(s->ctx, !s->failed && s->at > s->first, CQ_USAGE,
           "a sweep backward needs a step that succeeded before it");
  memset(du, 0, (size_t)s->model->steps * (size_t)s->model->n_controls * sizeof *du);
  s->swept = -1;
  s->history.end = s->at;
  s->history.du = du;
  CQ_TRY(s->engine->backward_begin(s->target, 1, seed, &s->history, state_at(s, s->at)));
  s->swept = s->at;
  return CQ_OK;
}

/* The state that a sweep is at, for the seeds that were added there: kept, or made again. */
static cq_status swept_state(cq_stepper *s, const void **state) {
  const int k = s->swept, from = kept_before(s, k + 1);
  *state = state_at(s, from);
  if (from < k) {
    CQ_TRY(s->engine->run_segment(s->target, from, k, state_at(s, from), piece(s, 0), 0,
                                  &s->history, false));
    *state = piece(s, 0);
  }
  return CQ_OK;
}

cq_status cq_stepper_pull_to(cq_stepper *s, int step) {
  const int from = s->swept;
  CQ_CHECK(s->ctx, from >= 0, CQ_USAGE, "there is no sweep that could go on");
  CQ_CHECK(s->ctx, step >= s->first && step <= from, CQ_USAGE,
           "a sweep cannot go from state %d to %d: the run began at %d", from, step, s->first);
  if (from < s->at) { /* at the present state they have been taken */
    const void *state = NULL;
    CQ_TRY(swept_state(s, &state));
    s->engine->backward_seed(s->target, from, state);
  }
  s->swept = -1; /* where it fails */
  CQ_TRY(sweep(s, step, from));
  s->swept = step;
  return CQ_OK;
}

cq_status cq_stepper_pull_end(cq_stepper *s, double *gradient) {
  CQ_CHECK(s->ctx, s->swept == s->first, CQ_USAGE, "the sweep is not at the first state");
  s->swept = -1;
  return s->engine->backward_end(s->target, gradient);
}

void cq_stepper_pull_drop(cq_stepper *s) {
  s->swept = -1;
}

int cq_stepper_swept(const cq_stepper *s) {
  return s->swept;
}

/* One seed from the present state to the first. */
cq_status cq_stepper_pull(cq_stepper *s, const cq_seed *seed, double *gradient, double *du) {
  CQ_TRY(cq_stepper_pull_begin(s, seed, du));
  CQ_TRY(cq_stepper_pull_to(s, s->first));
  return cq_stepper_pull_end(s, gradient);
}

/* --- states as bytes ----------------------------------------------------------------------------
 */

static size_t input_bytes(const cq_stepper *s) {
  return s->layout.total * sizeof(double);
}

static size_t row_bytes(const cq_stepper *s, int k) {
  return (s->rows.begin[k + 1] - s->rows.begin[k]) * sizeof(double);
}

/* The controls of the two steps before a state: what looks at their change reads so many. */
enum { BEFORE = 2 };

static size_t control_bytes(const cq_stepper *s) {
  return (size_t)s->model->n_controls * sizeof(double);
}

/* Where they stand among the controls: so many rows before state k, as far as there are steps. */
static double *before(const cq_stepper *s, int k, size_t *bytes) {
  const int rows = k < BEFORE ? k : BEFORE;
  *bytes = (size_t)rows * control_bytes(s);
  return s->history.u + (size_t)(k - rows) * (size_t)s->model->n_controls;
}

/* inputs, controls of the steps before, room for a row of z, the state */
size_t cq_stepper_bytes(const cq_stepper *s) {
  return input_bytes(s) + BEFORE * control_bytes(s) + (size_t)s->rows.longest * sizeof(double) +
         s->state_bytes;
}

void cq_stepper_save(const cq_stepper *s, void *bytes) {
  size_t n_before = 0;
  const double *const u = before(s, s->at, &n_before);
  char *const controls = (char *)bytes + input_bytes(s);
  char *const z = controls + BEFORE * control_bytes(s);
  memset(controls, 0, (size_t)(z - controls) + (size_t)s->rows.longest * sizeof(double));
  memcpy(bytes, s->inputs, input_bytes(s));
  memcpy(controls, u, n_before);
  memcpy(z, s->history.z + s->rows.begin[s->at], row_bytes(s, s->at));
  memcpy(z + (size_t)s->rows.longest * sizeof(double), state_at(s, s->at), s->state_bytes);
}

/* The inputs first: by them the engine orders its particles. */
cq_status cq_stepper_load(cq_stepper *s, int step, const void *bytes) {
  size_t n_before = 0;
  double *const u = before(s, step, &n_before);
  const char *const controls = (const char *)bytes + input_bytes(s);
  const char *const z = controls + BEFORE * control_bytes(s);
  memcpy(s->inputs, bytes, input_bytes(s));
  memset(s->given, 0, (size_t)s->model->steps);
  CQ_TRY(upload(s, step));
  memcpy(u, controls, n_before);
  memcpy(s->history.z + s->rows.begin[step], z, row_bytes(s, step));
  memcpy(state_at(s, step), z + (size_t)s->rows.longest * sizeof(double), s->state_bytes);
  s->failed = false;
  return CQ_OK;
}
