#include "sim.h"

#include "alloc.h"
#include "engine.h"
#include "map.h"
#include "memo.h"
#include "status.h"
#include "timer.h"

#include <string.h>

struct cq_sim {
  cq_ctx *ctx;
  const cq_model *model;
  const cq_engine *engine;
  const cq_gradient_word *gradient;
  void *target;
  cq_layout layout;
  cq_z_rows rows; /* of the layout */
  cq_memo *memo;
  cq_history history;
  double *inputs;
  bool has_run;    /* inputs, history and memo belong together */
  const void *end; /* the last state, or the one at which the run stopped */
  cq_sim_stats stats;
};

static cq_status find_engine(cq_sim *sim) {
  const cq_model *model = sim->model;
  const cq_engine_type *type = cq_engine_type_of(model->engine);
  CQ_CHECK(sim->ctx, type != NULL, CQ_CONFIG, "unknown engine \"%s\"", model->engine);
  sim->gradient = cq_engine_gradient(type, model->gradient);
  CQ_CHECK(sim->ctx, sim->gradient != NULL, CQ_CONFIG, "the engine \"%s\" has no gradient \"%s\"",
           type->name, model->gradient);
  return type->find(sim->ctx, model, &sim->engine);
}

/* States are kept for an adjoint sweep alone; without one there are a few, to step from and to. */
static size_t memory_of(const cq_sim *sim) {
  const size_t few = 8 * (sim->engine->state_bytes(sim->target) + 4096) + sim->stats.z_bytes;
  const size_t most = sim->model->memory;
  return cq_sim_sweeps(sim) || (most > 0 && most < few) ? most : few;
}

/* The engine's object, the memo and what a run leaves. */
static cq_status create_parts(cq_sim *sim) {
  cq_ctx *ctx = sim->ctx;
  const cq_model *model = sim->model;
  CQ_TRY(find_engine(sim));
  CQ_TRY(cq_z_rows_make(ctx, model, &sim->rows));
  const size_t steps = (size_t)model->steps, n_z = sim->rows.begin[steps + 1];
  sim->layout.rows = &sim->rows;
  sim->stats.z_bytes = (1 + (size_t)model->n_seeds) * n_z * sizeof(double);
  CQ_TRY(sim->engine->create(ctx, model, &sim->layout, &sim->target));
  CQ_TRY(cq_memo_create(ctx, sim->engine, sim->target, model->steps, memory_of(sim),
                        sim->stats.z_bytes, model->memo, &sim->memo));
  CQ_TRY(CQ_ALLOC(ctx, sim->history.z, n_z));
  CQ_TRY(CQ_ALLOC(ctx, sim->history.u, steps * (size_t)model->n_controls));
  CQ_TRY(CQ_ALLOC(ctx, sim->inputs, sim->layout.total));
  sim->stats.memo_states = cq_memo_states(sim->memo);
  sim->stats.memo_bytes = cq_memo_bytes(sim->memo);
  sim->stats.state_bytes = sim->engine->state_bytes(sim->target);
  return CQ_OK;
}

cq_status cq_sim_create(cq_ctx *ctx, const cq_model *model, cq_sim **out) {
  *out = NULL;
  cq_sim *sim = NULL;
  CQ_TRY(CQ_ALLOC(ctx, sim, 1));
  sim->ctx = ctx;
  sim->model = model;
  sim->layout = cq_model_layout(model);
  const cq_status status = create_parts(sim);
  if (status != CQ_OK) {
    cq_sim_destroy(sim);
    return status;
  }
  *out = sim;
  return CQ_OK;
}

void cq_sim_destroy(cq_sim *sim) {
  if (sim == NULL) {
    return;
  }
  cq_ctx *ctx = sim->ctx;
  cq_memo_destroy(sim->memo);
  if (sim->target != NULL) {
    sim->engine->destroy(sim->target);
  }
  cq_z_rows_free(ctx, &sim->rows);
  cq_free(ctx, sim->history.z);
  cq_free(ctx, sim->history.u);
  cq_free(ctx, sim->inputs);
  cq_free(ctx, sim);
}

const cq_layout *cq_sim_layout(const cq_sim *sim) {
  return &sim->layout;
}

/* All steps from sim->inputs; states are kept, observations recorded. */
static cq_status run_forward(cq_sim *sim) {
  const double begin = cq_now();
  sim->has_run = false;
  memset(sim->history.z, 0, sim->rows.begin[sim->model->steps + 1] * sizeof(double));
  void *first = NULL;
  CQ_TRY(cq_memo_first(sim->memo, &first));
  sim->end = first;
  cq_status status = sim->engine->upload(sim->target, sim->inputs, first);
  if (status == CQ_OK) {
    status = cq_memo_forward(sim->memo, &sim->history);
    sim->end = cq_memo_last(sim->memo);
    sim->stats.steps_forward += status == CQ_OK ? sim->model->steps : 0;
  }
  sim->has_run = status == CQ_OK;
  sim->stats.tally = sim->engine->tally(sim->target);
  sim->stats.forward_seconds += cq_now() - begin;
  return status;
}

bool cq_sim_has_run(const cq_sim *sim, const double *inputs) {
  return sim->has_run && memcmp(inputs, sim->inputs, sim->layout.total * sizeof(double)) == 0;
}

cq_status cq_sim_forward(cq_sim *sim, const double *inputs) {
  if (cq_sim_has_run(sim, inputs)) {
    return CQ_OK;
  }
  memcpy(sim->inputs, inputs, sim->layout.total * sizeof(double));
  return run_forward(sim);
}

const double *cq_sim_observations(const cq_sim *sim) {
  return sim->history.z;
}

const double *cq_sim_controls(const cq_sim *sim) {
  return sim->history.u;
}

/* A sweep that ran steps again has used up the states of the forward run. */
static cq_status make_intact(cq_sim *sim) {
  return cq_memo_intact(sim->memo) ? CQ_OK : run_forward(sim);
}

cq_status cq_sim_final_state(cq_sim *sim, double *state) {
  CQ_CHECK(sim->ctx, sim->end != NULL, CQ_USAGE, "nothing was simulated");
  if (sim->has_run) {
    CQ_TRY(make_intact(sim));
  }
  sim->engine->download(sim->target, sim->end, state);
  return CQ_OK;
}

bool cq_sim_sweeps(const cq_sim *sim) {
  const cq_engine *e = sim->engine;
  return sim->gradient->grade == CQ_GRADIENT_EXACT_REVERSE && e->backward_begin != NULL &&
         e->backward_segment != NULL && e->backward_end != NULL && e->adjoint_norms != NULL &&
         e->contacts != NULL;
}

/* None where the engine says so, or lacks a part of what makes it, whatever it says. */
cq_gradient_kind cq_sim_gradient(const cq_sim *sim) {
  const cq_gradient_kind grade = sim->gradient->grade;
  const bool tangents = grade == CQ_GRADIENT_EXACT_TANGENT || grade == CQ_GRADIENT_HEURISTIC;
  if (cq_sim_sweeps(sim)) {
    return cq_engine_grade(sim->gradient, sim->model->horizon);
  }
  return grade == CQ_GRADIENT_EXACT_REVERSE || (tangents && sim->engine->tangent == NULL)
             ? CQ_GRADIENT_NONE
             : grade;
}

/* What is shown to a watch. */
typedef struct lookout {
  const cq_sim *sim;
  const cq_watch *watch;
  int n_seeds;
  cq_adjoint_norms *norms; /* [n_seeds] */
  cq_contacts now, next;   /* of the step from the state, and of the one after it */
  cq_contact_count counted;
} lookout;

static cq_status count_contacts(lookout *l) {
  const cq_contacts swap = l->next;
  l->next = l->now;
  l->now = swap;
  l->now.n = 0;
  CQ_TRY(l->sim->engine->contacts(l->sim->target, &l->now));
  l->counted = cq_contacts_compare(&l->now, &l->next);
  return CQ_OK;
}

static cq_status look(void *user, int state) {
  lookout *l = user;
  const bool with_contacts = l->watch->contacts && state < l->sim->model->steps;
  if (with_contacts) {
    CQ_TRY(count_contacts(l));
  }
  for (int s = 0; s < l->n_seeds; s++) {
    l->sim->engine->adjoint_norms(l->sim->target, s, &l->norms[s]);
  }
  l->watch->show(l->watch->user, state, l->norms, with_contacts ? &l->counted : NULL);
  return CQ_OK;
}

static cq_status sweep(cq_sim *sim, const cq_seed *seeds, double *gradient, lookout *l) {
  CQ_TRY(CQ_ALLOC(sim->ctx, l->norms, l->n_seeds));
  CQ_TRY(sim->engine->backward_begin(sim->target, l->n_seeds, seeds, &sim->history,
                                     cq_memo_last(sim->memo)));
  const int every = l->watch != NULL ? l->watch->every : 0;
  if (every > 0 && sim->model->steps % every == 0) {
    CQ_TRY(look(l, sim->model->steps));
  }
  CQ_TRY(cq_memo_backward(sim->memo, &sim->history, every, look, l));
  return sim->engine->backward_end(sim->target, gradient);
}

/* One sweep for all seeds; the run before it must be whole, or is made again. */
cq_status cq_sim_backward_watched(cq_sim *sim, int n_seeds, const cq_seed *seeds,
                                  const cq_watch *watch, double *gradient) {
  CQ_CHECK(sim->ctx, cq_sim_sweeps(sim), CQ_CONFIG,
           "simulation.engine = \"%s\" has no adjoint sweep with simulation.gradient = \"%s\"; "
           "leave out "
           "what needs one",
           sim->engine->name, sim->gradient->word);
  CQ_CHECK(sim->ctx, sim->has_run, CQ_USAGE, "an adjoint sweep needs a forward run before it");
  CQ_TRY(make_intact(sim));
  const double begin = cq_now();
  lookout l = {.sim = sim,
               .watch = watch,
               .n_seeds = n_seeds,
               .now = {.ctx = sim->ctx},
               .next = {.ctx = sim->ctx}};
  const cq_status status = sweep(sim, seeds, gradient, &l);
  cq_free(sim->ctx, l.norms);
  cq_contacts_free(&l.now);
  cq_contacts_free(&l.next);
  CQ_TRY(status);
  sim->stats.steps_backward += sim->model->steps;
  sim->stats.steps_replayed = cq_memo_replayed(sim->memo);
  sim->stats.backward_seconds += cq_now() - begin;
  return CQ_OK;
}

cq_status cq_sim_backward(cq_sim *sim, int n_seeds, const cq_seed *seeds, double *gradient) {
  return cq_sim_backward_watched(sim, n_seeds, seeds, NULL, gradient);
}

cq_status cq_sim_tangents(cq_sim *sim, int n, const double *directions, double *dz, double *du) {
  CQ_CHECK(sim->ctx, sim->engine->tangent != NULL, CQ_CONFIG,
           "simulation.engine = \"%s\" has no tangents", sim->engine->name);
  CQ_CHECK(sim->ctx, sim->has_run, CQ_USAGE, "tangents need a forward run before them");
  const double begin = cq_now();
  const size_t rows = (size_t)sim->model->steps;
  memset(dz, 0, (size_t)n * sim->rows.begin[rows + 1] * sizeof *dz);
  memset(du, 0, (size_t)n * rows * (size_t)sim->model->n_controls * sizeof *du);
  CQ_TRY(sim->engine->tangent(sim->target, sim->inputs, n, directions, &sim->history, dz, du));
  sim->stats.backward_seconds += cq_now() - begin;
  return CQ_OK;
}

const cq_failure *cq_sim_failure(const cq_sim *sim) {
  return sim->engine->failure(sim->target);
}

const cq_sim_stats *cq_sim_statistics(const cq_sim *sim) {
  return &sim->stats;
}

cq_status cq_sim_planned(const cq_sim *sim, long long *replayed) {
  return cq_memo_planned(sim->memo, replayed);
}

/* A run that keeps nothing: it stops at the states that are visited, and each comes to the host. */
cq_status cq_sim_visit(cq_sim *sim, const double *inputs, const int *states, int n_states,
                       cq_visit_fn visit, void *user) {
  memcpy(sim->inputs, inputs, sim->layout.total * sizeof(double));
  sim->has_run = false;
  void *state = NULL;
  CQ_TRY(cq_memo_first(sim->memo, &state));
  sim->end = state;
  double *host = NULL;
  CQ_TRY(CQ_ALLOC(sim->ctx, host, sim->layout.state_total));
  cq_status status = sim->engine->upload(sim->target, inputs, state);
  const int n = states != NULL ? n_states : sim->model->steps + 1;
  for (int i = 0, step = 0; i < n && status == CQ_OK; i++) {
    const int next = states != NULL ? states[i] : i;
    status =
        sim->engine->run_segment(sim->target, step, next, state, state, 0, &sim->history, true);
    if (status == CQ_OK && sim->engine->settle != NULL) {
      status = sim->engine->settle(sim->target, step, next, &sim->history, state);
    }
    if (status == CQ_OK) {
      sim->engine->download(sim->target, state, host);
      status = visit(user, next, host);
    }
    step = next;
  }
  cq_free(sim->ctx, host);
  return status;
}

void cq_sim_field(const cq_sim *sim, int field, const double *inputs, const double *state,
                  double *out) {
  sim->engine->field(sim->target, field, inputs, state, out);
}

void cq_sim_walls(const cq_sim *sim, double *maps) {
  for (int i = 0; i < sim->model->n_boundaries; i++) {
    cq_map_stay(maps + (size_t)i * CQ_MAP);
  }
  if (sim->engine->walls != NULL) {
    sim->engine->walls(sim->target, sim->end, maps);
  }
}

void cq_sim_means(const cq_sim *sim, const double *state, cq_means *out) {
  out->n = 0;
  if (sim->engine->means != NULL) {
    sim->engine->means(sim->target, sim->end, state, out);
  }
}
