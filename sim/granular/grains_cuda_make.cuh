/* A list: cells and pairs on the device, colours on the host, which go through the pairs one after
 * the other. */
#ifndef CQ_GRAINS_CUDA_MAKE_CUH
#define CQ_GRAINS_CUDA_MAKE_CUH

#include "grains_cuda_object.cuh"

/* Asks whether the list of the state holds; the answer is in `out` after the next wait. */
static cq_status ask_list(cuda *c) {
  CQ_TRY(clear(c, c->w.out, sizeof *c->w.out, "a step"));
  CQ_LAUNCH(c, c->n_chunks, sum_motion, (int)MOTION_WAY);
  CQ_LAUNCH(c, 1, mean_motion, c->n_chunks);
  CQ_FOR_GRAINS(c, check_list);
  return to_host(c, &c->out, c->w.out, sizeof c->out, "a step");
}

/* Cells for grains with this much of the slack they want. */
static cq_status choose_cells(cuda *c, double scale, cells *chosen) {
  extent all;
  CQ_TRY(clear(c, c->w.out, sizeof *c->w.out, "a list"));
  CQ_LAUNCH(c, c->n_chunks, sum_motion, (int)MOTION_VELOCITY);
  CQ_LAUNCH(c, 1, mean_motion, c->n_chunks);
  CQ_FOR_GRAINS(c, want_slack, scale);
  CQ_LAUNCH(c, c->n_chunks, take_slack, scale);
  CQ_LAUNCH(c, 1, whole_extent, c->n_chunks);
  CQ_TRY(to_host(c, &all, c->w.extents + c->n_chunks, sizeof all, "a list"));
  CQ_TRY(wait(c, "a list (CQ_CUDA_WAIT=1 names the kernel)"));
  const int axis = c->w.cyclic;
  *chosen = cells_choose(&all, c->w.n, axis, axis < 0 ? 0.0 : (double)c->w.low[axis],
                         (double)c->w.period);
  return CQ_OK;
}

/* Puts an array of the state, of so many bytes a grain, into the order of the cells. */
static cq_status sort_array(cuda *c, void *array, size_t bytes) {
  const size_t words = bytes / sizeof(unsigned);
  const unsigned *from = (const unsigned *)array;
  CQ_LAUNCH(c, blocks_for((size_t)c->w.n * words), reorder, from, (int)words);
  return within(c, array, c->w.scratch, (size_t)c->w.n * bytes, "a list");
}

/* A stable counting sort by cells. */
static cq_status sort_grains(cuda *c, const cells &by) {
  const world *w = &c->w;
  const int n_cells = cells_total(&by);
  CQ_TRY(clear(c, w->start, ((size_t)n_cells + 1) * sizeof(int), "a list"));
  CQ_TRY(clear(c, w->cursor, (size_t)n_cells * sizeof(int), "a list"));
  CQ_FOR_GRAINS(c, count_cells, by);
  CQ_TRY(scan(c, w->start, n_cells + 1));
  CQ_FOR_GRAINS(c, fill_cells);
  CQ_FOR_GRAINS(c, order_cells);
  CQ_TRY(sort_array(c, w->place, GRAIN_PLACE * sizeof(scalar)));
  CQ_TRY(sort_array(c, w->listed, GRAIN_PLACE * sizeof(scalar)));
  CQ_TRY(sort_array(c, w->rows, GRAIN_ROW * sizeof(scalar)));
  CQ_TRY(sort_array(c, w->id, sizeof(int)));
  CQ_TRY(sort_array(c, w->laps, sizeof(int)));
  CQ_TRY(sort_array(c, w->was, sizeof(int)));
  CQ_TRY(sort_array(c, w->touches, GRAIN_SURFACE * sizeof(int)));
  return sort_array(c, w->touch, GRAIN_SURFACE * GRAIN_P * sizeof(scalar));
}

/* How many pairs there are; they are written where there is room for them. */
static cq_status count_pairs(cuda *c, const cells &by, int *n_pairs) {
  const int blocks = blocks_for((size_t)c->w.n + 1);
  CQ_LAUNCH(c, blocks, find_pairs, by, false);
  CQ_TRY(scan(c, c->w.count, c->w.n + 1));
  CQ_LAUNCH(c, blocks, find_pairs, by, true);
  CQ_TRY(to_host(c, n_pairs, c->w.count + c->w.n, sizeof *n_pairs, "a list"));
  return wait(c, "a list (CQ_CUDA_WAIT=1 names the kernel)");
}

/* The pairs of every grain, in their order, from those of the state. */
static cq_status gather_around(cuda *c) {
  const world *w = &c->w;
  CQ_TRY(clear(c, w->first, ((size_t)w->n + 1) * sizeof(int), "a list"));
  CQ_TRY(clear(c, w->key, (size_t)w->n * sizeof(int), "a list"));
  CQ_FOR_PAIRS(c, count_around);
  CQ_TRY(scan(c, w->first, w->n + 1));
  CQ_FOR_PAIRS(c, fill_around);
  CQ_FOR_GRAINS(c, order_around);
  c->stamp = c->head.stamp;
  return CQ_OK;
}

/* Colours of the n pairs at a and b, which come back sorted by them in the mirror. */
static cq_status colour(cuda *c, const int *a, const int *b, int n) {
  const size_t bytes = (size_t)n * sizeof(int);
  CQ_TRY(to_host(c, c->g->pa, a, bytes, "a list"));
  CQ_TRY(to_host(c, c->g->pb, b, bytes, "a list"));
  CQ_TRY(wait(c, "a list"));
  return V(cq_grains_make_groups)(c->g, &c->s, n);
}

/* What the workspace has of the list of a state that was made before. */
static cq_status take_list(cuda *c) {
  if (c->stamp == c->head.stamp) {
    return CQ_OK;
  }
  CQ_TRY(colour(c, c->w.a, c->w.b, c->w.n_pairs));
  return gather_around(c);
}

/* Pairs by colour, and impulses that go on with them. */
static cq_status take_pairs(cuda *c, int step, int n) {
  world *w = &c->w;
  const size_t bytes = (size_t)n * sizeof(int);
  CQ_TRY(colour(c, w->found_a, w->found_b, n));
  CQ_TRY(to_device(c, w->found_a, c->s.a, bytes, "a list"));
  CQ_TRY(to_device(c, w->found_b, c->s.b, bytes, "a list"));
  CQ_LAUNCH(c, blocks_for((size_t)n), carry, n);
  CQ_TRY(within(c, w->a, w->found_a, bytes, "a list"));
  CQ_TRY(within(c, w->b, w->found_b, bytes, "a list"));
  CQ_TRY(within(c, w->p, w->carried, GRAIN_P * w->pair_room * sizeof(scalar), "a list"));
  w->n_pairs = c->head.n_pairs = n;
  c->head.stamp = step + 2;
  return gather_around(c);
}

/* A new list; where it would be too long, with less slack. */
static cq_status make_list(cuda *c, int step) {
  static const double scales[] = {1.0, 0.3, 0.0};
  int n_pairs = 0;
  CQ_TRY(take_list(c)); /* pairs of grains, to find the impulses of the list before */
  CQ_FOR_GRAINS(c, stand_still);
  if (c->w.cyclic >= 0) {
    CQ_FOR_GRAINS(c, wrap);
  }
  for (int attempt = 0; attempt < 3; attempt++) {
    cells by;
    CQ_TRY(choose_cells(c, scales[attempt], &by));
    CQ_TRY(sort_grains(c, by));
    CQ_TRY(count_pairs(c, by, &n_pairs));
    if ((size_t)n_pairs <= c->w.pair_room) {
      return take_pairs(c, step, n_pairs);
    }
  }
  return V(cq_grains_too_many)(c->g, step, (size_t)n_pairs);
}

#endif
