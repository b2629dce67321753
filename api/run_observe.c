/* What is observed of a run: quantities of bodies, groups and all particles, and of walls and tools
 * where the engine has some, at every state. */
#include "run.h"

#include "engine.h"
#include "engine_part.h"

#include <string.h>

static const cq_quantity shared[CQ_N_SHARED_QUANTITIES] = {
    [CQ_Q_POSITION] = {"position", "m", false},
    [CQ_Q_VELOCITY] = {"velocity", "m/s", false},
    [CQ_Q_SQUARE] = {"mean_square_speed", "m^2/s^2", false},
    [CQ_Q_MASS] = {"mass", "kg", false},
};

static const cq_quantity *quantity_of(const cq_engine_type *type, int which) {
  return which < CQ_N_SHARED_QUANTITIES ? &shared[which]
                                        : &type->quantities[which - CQ_N_SHARED_QUANTITIES];
}

/* Those of a set, whose group is given; channels go to the end of the model's. */
static void list_set(cq_run *run, const cq_engine_type *type, const cq_set *set, int group,
                     int n_quantities, cq_channel *channels) {
  for (int q = 0; q < n_quantities; q++) {
    const cq_quantity *const quantity = quantity_of(type, q);
    if (!quantity->by_parameter) {
      channels[run->model.n_channels++] = (cq_channel){.group = group, .quantity = q};
      run->observables[run->n_observables++] = (cq_observable){
          set, quantity->name, quantity->unit, group, q, cq_quantity_numbers(run->model.dim, q)};
    }
  }
}

static bool own_column(const cq_scene *scene, int i, cq_own_column *column) {
  return scene->part->column != NULL && scene->part->column(scene, i, column);
}

/* Is it listed with its set already? Not what walls and tools do, and what needs a parameter. */
static bool is_of_set(const cq_engine_type *type, const cq_own_column *column) {
  return column->of != NULL && column->of->count > 0 &&
         !quantity_of(type, column->quantity)->by_parameter;
}

static int count_own(const cq_scene *scene, const cq_engine_type *type) {
  cq_own_column column;
  int n = 0;
  for (int i = 0; own_column(scene, i, &column); i++) {
    n += !is_of_set(type, &column);
  }
  return n;
}

/* The set of a column, or one without particles that has the name of what it is of. */
static cq_status set_of(cq_run *run, const cq_own_column *column, const cq_set **out) {
  const char *const dot = strrchr(column->name, '.');
  cq_set *set = NULL;
  *out = column->of;
  if (column->of == NULL || column->of->count == 0) {
    CQ_TRY(CQ_ARENA(&run->arena, set, 1));
    CQ_TRY(cq_arena_text(&run->arena, &set->name, "%.*s", (int)(dot - column->name), column->name));
    *out = set;
  }
  return CQ_OK;
}

/* What pushes walls, tools and rigid bodies, and how they move: a group each, behind those of
 * sets. */
static cq_status list_own(cq_run *run, const cq_engine_type *type, cq_group *groups,
                          cq_channel *channels) {
  cq_own_column column;
  for (int i = 0; own_column(run->file->scene, i, &column); i++) {
    const cq_set *set = NULL;
    const int group = run->model.n_groups;
    if (is_of_set(type, &column)) {
      continue;
    }
    const cq_quantity *const quantity = quantity_of(type, column.quantity);
    CQ_TRY(set_of(run, &column, &set));
    groups[run->model.n_groups++] =
        (cq_group){.count = set->count, .particles = set->particles, .parameter = column.parameter};
    channels[run->model.n_channels++] = (cq_channel){.group = group, .quantity = column.quantity};
    run->observables[run->n_observables++] =
        (cq_observable){set, quantity->name, quantity->unit, group, column.quantity, 1};
  }
  return CQ_OK;
}

/* A group for each set, after the scene's; channels, too: controllers look for theirs among the
 * first ones, and the objective finds its own. One may stand twice: that is what it costs. */
cq_status cq_run_list_observables(cq_run *run) {
  const cq_scene *const scene = run->file->scene;
  const cq_engine_type *const type = cq_engine_type_of(scene->model.engine);
  const int n_quantities = CQ_N_SHARED_QUANTITIES + type->n_quantities;
  const int n_own = count_own(scene, type);
  const size_t n = (size_t)scene->n_sets * (size_t)n_quantities + (size_t)n_own;
  cq_group *groups = NULL;
  cq_channel *channels = NULL;
  CQ_TRY(CQ_ARENA(&run->arena, groups, scene->model.n_groups + scene->n_sets + n_own));
  CQ_TRY(CQ_ARENA(&run->arena, channels, (size_t)scene->model.n_channels + n));
  CQ_TRY(CQ_ARENA(&run->arena, run->observables, n));
  if (scene->model.n_groups > 0) {
    memcpy(groups, scene->model.groups, (size_t)scene->model.n_groups * sizeof *groups);
  }
  if (scene->model.n_channels > 0) {
    memcpy(channels, scene->model.channels, (size_t)scene->model.n_channels * sizeof *channels);
  }
  for (int i = 0; i < scene->n_sets; i++) {
    const cq_set *const set = &scene->sets[i];
    const int group = scene->model.n_groups + i;
    groups[group] = (cq_group){.count = set->count, .particles = set->particles};
    list_set(run, type, set, group, n_quantities, channels);
  }
  run->model.n_groups += scene->n_sets;
  CQ_TRY(list_own(run, type, groups, channels));
  run->model.groups = groups;
  run->model.channels = channels;
  run->model.n_seeds = 1;
  return CQ_OK;
}

void cq_run_observable_name(const cq_observable *o, char *text, size_t size) {
  snprintf(text, size, "%s.%s", o->set->name, o->quantity);
}

cq_status cq_run_place(const cq_run *run, int observable, int step, const void *array, size_t n,
                       size_t *place) {
  CQ_TRY(cq_api_index(run->ctx, "observable", observable, run->n_observables));
  const cq_observable *const o = &run->observables[observable];
  const int first = cq_stepper_first(run->stepper), at = cq_stepper_step(run->stepper);
  CQ_CHECK(run->ctx, step >= first && step <= at, CQ_USAGE,
           "state %d is not among %d ... %d of the run", step, first, at);
  CQ_TRY(cq_api_length(run->ctx, o->quantity, array, n, (size_t)o->numbers));
  *place = cq_z_at(cq_stepper_layout(run->stepper)->rows, step, o->group, o->which);
  return CQ_OK;
}

cq_status cq_run_observe(cq_run *run, int observable, int step, double *out, size_t n) {
  size_t place = 0;
  CQ_TRY(cq_run_begin_reset(run));
  CQ_TRY(cq_run_place(run, observable, step, out, n, &place));
  memcpy(out, cq_stepper_observations(run->stepper) + place, n * sizeof *out);
  return CQ_OK;
}
