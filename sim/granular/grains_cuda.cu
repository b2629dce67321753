/* The granular engine on a CUDA device, one variant. Grains stay on the device; tools and bodies,
 * which are few, are worked on by the host, as are the colours of a list. A step waits twice: for
 * whether its list still holds, and for what pushed the tools. docs/cuda.md is the map. */
#include "grains_cuda_make.cuh"
#include "granular_kernels.h"

#include <stdlib.h>

/* --- life ------------------------------------------------------------------------------------- */

static size_t state_bytes(const void *work) {
  return ((const cuda *)work)->bytes;
}

static void destroy(void *work) {
  cuda *c = (cuda *)work;
  cq_ctx *ctx = c->ctx;
  if (c->stream != NULL) {
    (void)cudaStreamSynchronize(c->stream);
  }
  free_all(&c->memory, OF_STATES);
  free_all(&c->memory, OF_ENGINE);
  if (c->stream != NULL) {
    (void)cudaStreamDestroy(c->stream);
  }
  if (c->g != NULL) {
    V(cq_grains_destroy)(c->g);
  }
  cq_free(ctx, c->mirror);
  cq_free(ctx, c);
}

/* A shape, no composite, with all it points to. */
static cq_status give_simple(cuda *c, const cq_shape *from, cq_shape *shape) {
  buffers *b = &c->memory;
  *shape = *from;
  shape->parts = NULL;
  shape->mesh = NULL;
  if (from->n_points > 0) {
    CQ_TRY(give(b, OF_ENGINE, &shape->points, from->points,
                (size_t)from->n_points * (size_t)from->dim, "points of a shape"));
  }
  if (from->kind == CQ_SHAPE_height_field) {
    CQ_TRY(give(b, OF_ENGINE, &shape->curve.pieces, from->curve.pieces, (size_t)from->curve.n + 1,
                "a height field"));
  }
  if (from->kind == CQ_SHAPE_mesh) {
    cq_sdf grid = *from->sdf;
    const size_t n = (size_t)grid.count[0] * (size_t)grid.count[1] * (size_t)grid.count[2];
    CQ_TRY(give(b, OF_ENGINE, &grid.values, from->sdf->values, n, "distances of a mesh"));
    CQ_TRY(give(b, OF_ENGINE, &shape->sdf, &grid, 1, "distances of a mesh"));
  }
  return CQ_OK;
}

/* A shape with all it points to. */
static cq_status give_shape(cuda *c, const cq_shape *from, cq_shape *shape) {
  cq_part *all = NULL;
  cq_status status = CQ_OK;
  CQ_TRY(give_simple(c, from, shape));
  if (from->n_parts == 0) {
    return CQ_OK;
  }
  CQ_TRY(CQ_ALLOC(c->ctx, all, from->n_parts));
  for (int k = 0; k < from->n_parts && status == CQ_OK; k++) {
    all[k].subtract = from->parts[k].subtract;
    status = give_simple(c, &from->parts[k].shape, &all[k].shape);
  }
  status = status != CQ_OK ? status
                           : give(&c->memory, OF_ENGINE, &shape->parts, all, (size_t)from->n_parts,
                                  "parts of a shape");
  cq_free(c->ctx, all);
  return status;
}

/* Parts and their shapes; `parts` and `shapes` have room for all. */
static cq_status give_parts(cuda *c, part *parts, cq_shape *shapes) {
  const grains *g = c->g;
  for (int k = 0; k < g->n_parts; k++) {
    parts[k].tool = g->part_tool[k];
    memcpy(parts[k].origin, g->own->tools[g->part_tool[k]].origin, sizeof parts[k].origin);
    CQ_TRY(give_shape(c, g->part[k], &shapes[k]));
  }
  CQ_TRY(give(&c->memory, OF_ENGINE, &c->w.parts, parts, (size_t)g->n_parts, "tools"));
  return give(&c->memory, OF_ENGINE, &c->w.shapes, shapes, (size_t)g->n_parts, "shapes of tools");
}

static cq_status make_tools(cuda *c) {
  world *w = &c->w;
  buffers *b = &c->memory;
  part *parts = NULL;
  cq_shape *shapes = NULL;
  cq_status status = CQ_ALLOC(c->ctx, parts, w->n_parts);
  status = status != CQ_OK ? status : CQ_ALLOC(c->ctx, shapes, w->n_parts);
  status = status != CQ_OK ? status : give_parts(c, parts, shapes);
  cq_free(c->ctx, parts);
  cq_free(c->ctx, shapes);
  CQ_TRY(status);
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, c->placed_on_device, w->n_parts));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, c->poses_on_device, w->n_tools));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, c->speed_on_device, w->n_tools));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, c->friction_on_device, w->n_tools));
  w->placed = c->placed_on_device;
  w->poses = c->poses_on_device;
  w->speed = c->speed_on_device;
  w->wall_friction = c->friction_on_device;
  return CQ_TAKE(b, OF_ENGINE, w->wrench, 6 * (size_t)w->n_tools);
}

/* What there is of grains and of particles. */
static cq_status make_grains(cuda *c) {
  world *w = &c->w;
  buffers *b = &c->memory;
  const size_t n = (size_t)w->n;
  const cq_granular_model *own = c->g->own;
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, c->share_on_device, 4 * n));
  w->share = c->share_on_device;
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->grain_share, 4 * n));
  if (own->pairs != NULL && own->material != NULL) {
    CQ_TRY(give(b, OF_ENGINE, &w->kind_of, own->material, n, "materials"));
    CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->kind, n));
  }
  if (own->pairs != NULL) {
    CQ_TRY(give(b, OF_ENGINE, &w->pairs, own->pairs,
                (size_t)w->n_materials * (size_t)w->n_materials, "pairs of materials"));
  }
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->meets, n * GRAIN_SURFACE));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->mean, CQ_DIM));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->out, 1));
  const size_t sums = 6 * (size_t)w->n_tools > CQ_DIM ? 6 * (size_t)w->n_tools : CQ_DIM;
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->sums, sums * (size_t)c->n_chunks));
  if (own->solver == CQ_GRANULAR_PAPER) {
    CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->dv, n * CQ_DIM));
  }
  return CQ_OK;
}

/* What there is of pairs, and what lists are made in. */
static cq_status make_lists(cuda *c) {
  world *w = &c->w;
  buffers *b = &c->memory;
  const size_t n = (size_t)w->n, pairs = w->pair_room, most_cells = 4 * n + 64;
  const size_t words = GRAIN_SURFACE * GRAIN_P > GRAIN_ROW ? GRAIN_SURFACE * GRAIN_P : GRAIN_ROW;
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->contacts, GRAIN_CONTACT * pairs));
  if (c->g->own->solver == CQ_GRANULAR_JACOBI) {
    CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->change, 2 * GRAIN_CHANGE * pairs));
  }
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->first, n + 1));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->around, 2 * pairs));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->key, n));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->start, most_cells + 1));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->cursor, most_cells));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->who, n));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->order, n));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->was, n));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->count, n + 1));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->found_a, pairs));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->found_b, pairs));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->carried, GRAIN_P * pairs));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->scratch, n * words * (sizeof(scalar) / sizeof(unsigned))));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, w->extents, c->n_chunks + 1));
  return CQ_TAKE(b, OF_ENGINE, w->totals, chunks_of(most_cells + 1));
}

/* The numbers of the model that no design changes. */
static void size_world(cuda *c) {
  const grains *g = c->g;
  world *w = &c->w;
  w->n = g->n;
  w->n_parts = g->n_parts;
  w->n_tools = g->model->n_boundaries;
  w->n_materials = g->own->n_materials;
  w->cyclic = g->cyclic;
  w->iterations = g->own->iterations;
  w->pair_room = g->pair_room;
  w->warm = g->own->warm;
  w->dt = g->dt;
  w->inverse_dt = g->inverse_dt;
  w->period = g->period;
  w->time_step = g->model->dt;
  FOR_AXES(a) {
    w->low[a] = g->low[a];
    w->high[a] = g->high[a];
  }
  c->n_chunks = chunks_of((size_t)w->n);
}

static cq_status set_up(cuda *c, const cq_model *model, const cq_layout *layout) {
  void *work = NULL;
  CQ_TRY(V(cq_grains_create)(c->ctx, model, layout, &work));
  c->g = (grains *)work;
  CQ_TRY(cq_alloc(c->ctx, &c->mirror, 1, V(cq_grains_state_bytes)(c->g)));
  c->s = V(cq_grains_view)(c->g, c->mirror);
  CQ_CUDA_TRY(c->ctx, cudaStreamCreateWithFlags(&c->stream, cudaStreamNonBlocking),
              "creating a stream");
  c->memory.ctx = c->ctx;
  c->memory.stream = c->stream;
  const char *value = getenv("CQ_CUDA_WAIT");
  c->waits = value != NULL && strcmp(value, "1") == 0;
  size_world(c);
  char *poses_at, *bodies_at;
  c->bytes = lay_out(c, NULL, &poses_at, &bodies_at);
  CQ_TRY(make_tools(c));
  CQ_TRY(make_grains(c));
  return make_lists(c);
}

/* What fails halfway is given back here, and *work stays NULL. */
static cq_status create(cq_ctx *ctx, const cq_model *model, const cq_layout *layout, void **work) {
  cuda *c = NULL;
  *work = NULL;
  CQ_TRY(CQ_ALLOC(ctx, c, 1));
  c->ctx = ctx;
  const cq_status status = set_up(c, model, layout);
  if (status != CQ_OK) {
    destroy(c);
    return status;
  }
  *work = c;
  return CQ_OK;
}

/* --- inputs ----------------------------------------------------------------------------------- */

/* What a design may change. */
static cq_status give_parameters(cuda *c) {
  const grains *g = c->g;
  world *w = &c->w;
  w->rolls = g->rolls;
  w->smallest = g->smallest;
  w->bounce_above = g->bounce_above;
  w->paper.dt = g->dt;
  w->paper.inverse_dt = g->inverse_dt;
  w->paper.damping = K(g->own->damping);
  FOR_AXES(a) {
    w->gravity[a] = w->paper.gravity[a] = g->gravity[a];
  }
  CQ_TRY(to_device(c, c->share_on_device, g->share, 4 * (size_t)w->n * sizeof(scalar), "inputs"));
  return to_device(c, c->friction_on_device, g->wall_friction, (size_t)w->n_tools * sizeof(double),
                   "inputs");
}

/* The grains of the mirror become a state without pairs or touches. */
static cq_status give_grains(cuda *c, void *slab) {
  const size_t n = (size_t)c->w.n;
  char *poses_at, *bodies_at;
  lay_out(c, (char *)slab, &poses_at, &bodies_at);
  c->head.n_pairs = c->w.n_pairs = 0;
  c->head.stamp = 0;
  c->stamp = -1;
  CQ_TRY(clear(c, slab, c->bytes, "the first state"));
  CQ_TRY(to_device(c, c->w.place, c->s.place, n * GRAIN_PLACE * sizeof(scalar), "grains"));
  CQ_TRY(to_device(c, c->w.rows, c->s.rows, n * GRAIN_ROW * sizeof(scalar), "grains"));
  CQ_TRY(to_device(c, c->w.id, c->s.id, n * sizeof(int), "grains"));
  CQ_TRY(to_device(c, c->w.laps, c->s.laps, n * sizeof(int), "grains"));
  CQ_CUDA_TRY(c->ctx,
              cudaMemsetAsync(c->w.touches, 0xff, n * GRAIN_SURFACE * sizeof(int), c->stream),
              "grains");
  return keep_state(c);
}

/* The CPU's engine checks the inputs and makes its state of them, in the mirror. */
static cq_status upload(void *work, const double *inputs, void *slab) {
  cuda *c = (cuda *)work;
  CQ_TRY(c->trouble);
  c->failed = CQ_OK;
  c->stopped = NULL;
  CQ_TRY(wait(c, "an upload"));
  const cq_status valid = V(cq_grains_upload)(c->g, inputs, c->mirror);
  CQ_TRY(give_grains(c, slab)); /* also where it is the state that stopped the run */
  if (valid != CQ_OK) {
    CQ_TRY(wait(c, "an upload"));
    return valid;
  }
  c->s.head->n_units = 1;
  c->s.unit[0] = 0;
  c->s.unit[1] = c->w.n;
  CQ_TRY(give_parameters(c));
  CQ_TRY(make_list(c, -1));
  CQ_TRY(keep_state(c));
  return wait(c, "an upload (CQ_CUDA_WAIT=1 names the kernel)");
}

/* --- a step ----------------------------------------------------------------------------------- */

/* Where tools are in this step. */
static cq_status give_tools(cuda *c) {
  const grains *g = c->g;
  const size_t n_tools = (size_t)c->w.n_tools;
  CQ_TRY(to_device(c, c->placed_on_device, g->placed, (size_t)g->n_parts * sizeof *g->placed,
                   "tools"));
  CQ_TRY(to_device(c, c->poses_on_device, c->s.poses, poses_bytes(c), "tools"));
  return to_device(c, c->speed_on_device, g->tool_speed, n_tools * sizeof(double), "tools");
}

static cq_status solve_ncp(cuda *c) {
  const group *all = &c->g->groups[0];
  for (int k = 0; k < c->w.iterations; k++) {
    int first = 0;
    for (int hue = 0; hue < all->n_colours; hue++) {
      const int last = c->g->colour_end[all->colour + hue];
      CQ_LAUNCH(c, blocks_for((size_t)(last - first)), solve_pairs, first, last);
      first = last;
    }
    CQ_FOR_GRAINS(c, solve_touches);
  }
  return CQ_OK;
}

static cq_status solve_jacobi(cuda *c) {
  CQ_FOR_PAIRS(c, share_pairs);
  CQ_FOR_GRAINS(c, share_touches);
  return CQ_OK;
}

static cq_status solve(cuda *c) {
  const cq_granular_solver solver = c->g->own->solver;
  if (solver == CQ_GRANULAR_PAPER) {
    CQ_FOR_GRAINS(c, paper);
    CQ_FOR_GRAINS(c, add_paper);
    return CQ_OK;
  }
  if (solver == CQ_GRANULAR_JACOBI) {
    CQ_TRY(solve_jacobi(c));
  }
  if (c->w.warm) {
    CQ_FOR_GRAINS(c, push);
  }
  if (solver == CQ_GRANULAR_NCP) {
    return solve_ncp(c);
  }
  for (int k = 0; k < c->w.iterations; k++) {
    CQ_FOR_PAIRS(c, split_pairs);
    CQ_FOR_GRAINS(c, split_grains);
  }
  return CQ_OK;
}

/* Contacts, the solver, motion, what pushed the tools; waits for it. */
static cq_status run_step(cuda *c) {
  CQ_TRY(clear(c, c->w.out, sizeof *c->w.out, "a step"));
  CQ_FOR_GRAINS(c, meet_tools);
  CQ_FOR_PAIRS(c, meet_grains);
  CQ_TRY(solve(c));
  CQ_FOR_GRAINS(c, move);
  CQ_LAUNCH(c, c->n_chunks * c->w.n_tools, wrench_chunks);
  CQ_LAUNCH(c, c->w.n_tools, wrench_tools, c->n_chunks);
  CQ_TRY(to_host(c, &c->out, c->w.out, sizeof c->out, "a step"));
  CQ_TRY(
      to_host(c, c->g->wrench, c->w.wrench, 6 * (size_t)c->w.n_tools * sizeof(double), "a step"));
  return wait(c, "a step (CQ_CUDA_WAIT=1 names the kernel)");
}

static void take_counts(cuda *c, int jams) {
  long long *of = c->g->tally.of;
  const long long depth = (long long)c->out.deepest;
  of[CQ_GRAIN_CONTACTS] += (long long)(c->out.contacts + c->out.touches);
  of[CQ_GRAIN_JAMS] += jams;
  of[CQ_GRAIN_PENETRATION] = depth > of[CQ_GRAIN_PENETRATION] ? depth : of[CQ_GRAIN_PENETRATION];
}

/* A step from a state to itself. */
static cq_status step_in_place(cuda *c, int step, void *slab, const double *w, bool count) {
  grains *g = c->g;
  int jams = 0;
  CQ_TRY(take_state(c, slab));
  CQ_TRY(ask_list(c));
  CQ_TRY(wait(c, "a step (CQ_CUDA_WAIT=1 names the kernel)"));
  c->w.n_pairs = c->head.n_pairs;
  CQ_TRY(V(cq_grains_tools_begin)(g, step, &c->s, w));
  CQ_TRY(give_tools(c));
  if (c->out.ends) {
    g->tally.of[CQ_GRAIN_LISTS]++;
    CQ_TRY(make_list(c, step));
  }
  CQ_TRY(take_list(c));
  CQ_TRY(run_step(c));
  CQ_TRY(V(cq_grains_tools_end)(g, step, &c->s, &jams));
  CQ_TRY(keep_state(c));
  if (count) {
    take_counts(c, jams);
  }
  if (c->out.bad == 0) {
    return CQ_OK;
  }
  CQ_TRY(look_at(c, slab));
  return V(cq_grains_gone)(g, &c->s, step, c->w.n - c->out.bad);
}

static cq_status step_from(void *work, int step, void *in, void *out, const double *w, bool count) {
  cuda *c = (cuda *)work;
  const cq_tally before = c->g->tally;
  if (in != out) {
    CQ_TRY(within(c, out, in, c->bytes, "a step"));
  }
  const cq_status status = step_in_place(c, step, out, w, count);
  c->stopped = status != CQ_OK ? out : NULL;
  if (!count) {
    c->g->tally = before;
  }
  return status;
}

/* --- looking ---------------------------------------------------------------------------------- */

static bool can_look(const void *work, const void *slab) {
  cuda *c = (cuda *)(uintptr_t)work;
  const cq_status status = look_at(c, slab);
  c->trouble = status != CQ_OK ? status : c->trouble;
  return status == CQ_OK;
}

static void observe(void *work, int k, const void *slab, double *z) {
  cuda *c = (cuda *)work;
  if (can_look(c, slab)) {
    V(cq_grains_observe)(c->g, k, c->mirror, z);
  }
}

static void download(const void *work, const void *slab, double *out) {
  if (can_look(work, slab)) {
    const cuda *c = (const cuda *)work;
    V(cq_grains_download)(c->g, c->mirror, out);
  }
}

static void walls(const void *work, const void *slab, double *maps) {
  if (can_look(work, slab)) {
    const cuda *c = (const cuda *)work;
    V(cq_grains_walls)(c->g, c->mirror, maps);
  }
}

static const cq_failure *failure(const void *work) {
  return &((const cuda *)work)->g->failure;
}

static cq_tally *tally(void *work) {
  return &((cuda *)work)->g->tally;
}

static void drive_by(const cq_model *model, int step, const double *u, const double *z, double *w) {
  V(cq_grains).drive(model, step, u, z, w);
}

/* The order of cq_host_steps. */
static const cq_host_steps steps = {
    state_bytes, create, destroy, upload, drive_by, NULL,    step_from, observe, download,
    NULL,        walls,  NULL,    NULL,   NULL,     NULL,    NULL,      NULL,    NULL,
    NULL,        NULL,   NULL,    NULL,   NULL,     failure, tally,
};

/* --- the engine ------------------------------------------------------------------------------- */

static cuda *of_engine(const void *engine) {
  return (cuda *)cq_host_work(engine);
}

static cq_status open_engine(cq_ctx *ctx, const cq_model *model, const cq_layout *layout,
                             void **engine) {
  return cq_host_create(ctx, model, layout, &steps, engine);
}

static cq_status states_open(void *engine, int n, void **states) {
  cuda *c = of_engine(engine);
  *states = NULL;
  return take(&c->memory, OF_STATES, states, (size_t)n, c->bytes, "states");
}

static void states_close(void *engine, void *states) {
  (void)states;
  free_all(&of_engine(engine)->memory, OF_STATES);
}

/* Steps after one that failed are left out, until `settle` tells of it. */
static cq_status run_segment(void *engine, int first, int last, void *in, void *out, size_t apart,
                             cq_history *history, bool record) {
  cuda *c = of_engine(engine);
  if (c->failed == CQ_OK) {
    c->failed = cq_host_run_segment(engine, first, last, in, out, apart, history, record);
  }
  return c->trouble;
}

static cq_status settle(void *engine, int first, int last, cq_history *history, void *stopped_at) {
  (void)first;
  (void)last;
  (void)history;
  cuda *c = of_engine(engine);
  if (c->failed != CQ_OK && c->stopped != NULL && stopped_at != c->stopped) {
    CQ_TRY(within(c, stopped_at, c->stopped, c->bytes, "keeping a state"));
    CQ_TRY(wait(c, "keeping a state"));
  }
  return c->failed;
}

extern "C" const cq_engine V(cq_grains_cuda);
const cq_engine V(cq_grains_cuda) = {
    "granular",    open_engine,     cq_host_destroy, cq_host_state_bytes,
    states_open,   states_close,    cq_host_upload,  run_segment,
    settle,        nullptr,         nullptr,         nullptr,
    nullptr,       nullptr,         nullptr,         cq_host_download,
    nullptr,       cq_host_failure, cq_host_tally,   nullptr,
    cq_host_walls, nullptr,
};
