/* Which cell each particle is in: the active box, and the list of particles by cell, a stable
 * counting sort over the box. */
#include "mpm_cpu.h"

#include "status.h"

#include <string.h>
#ifdef _OPENMP
#  include <omp.h>
#endif

/* A particle moves at most one cell a step, and rounding may make that two. */
enum { MARGIN = 2 };

void V(cq_cpu_key_box)(cpu *c, const cpu_box *box) {
  FOR_AXES(a) {
    const int low = box->low[a] - MARGIN, high = box->low[a] + box->size[a] - 3 + MARGIN;
    c->key_low[a] = low > 0 ? low : 0;
    c->key_size[a] = (high < c->g.count[a] ? high : c->g.count[a]) - c->key_low[a] + 1;
  }
}

static cpu_box found_box(const cpu *c) {
  cpu_box box;
  FOR_AXES(a) {
    int low = c->g.count[a], high = 0;
    for (int k = 0; k < c->n_chunks; k++) {
      low = c->found[k].low[a] < low ? c->found[k].low[a] : low;
      high = c->found[k].high[a] > high ? c->found[k].high[a] : high;
    }
    low = low <= high ? low : high; /* there are no particles */
    box.low[a] = low;
    box.size[a] = high - low + 3;
  }
  box.n_blocks = (box.size[0] - 2 + CQ_BLOCK - 1) / CQ_BLOCK;
  return box;
}

/* Each thread counts a range of particles; a cell's places go to the threads in their order, so the
 * list does not depend on how many there are. */
static void count_keys(const cpu *c, int first, int end, int *counts) {
  for (int p = first; p < end; p++) {
    counts[c->key[p]]++;
  }
}

static void place_keys(const cpu *c, int first, int end, int *counts, int *order) {
  for (int p = first; p < end; p++) {
    order[counts[c->key[p]]++] = p;
  }
}

/* counts [threads][cells] to the first place of each; blocks begin at start */
static void sum_counts(const cpu *c, int threads, size_t cells, const cpu_box *box, int *start) {
  size_t plane = 1;
  for (int a = 1; a < CQ_DIM; a++) {
    plane *= (size_t)c->key_size[a];
  }
  int sum = 0;
  for (int i = 0; i < c->key_size[0]; i++) {
    const int from_low = c->key_low[0] + i - box->low[0];
    if (from_low >= 0 && from_low % CQ_BLOCK == 0 && from_low / CQ_BLOCK < box->n_blocks) {
      start[from_low / CQ_BLOCK] = sum;
    }
    for (size_t k = (size_t)i * plane; k < ((size_t)i + 1) * plane; k++) {
      for (int t = 0; t < threads; t++) {
        int *count = &c->counts[(size_t)t * cells + k];
        const int here = *count;
        *count = sum;
        sum += here;
      }
    }
  }
  start[box->n_blocks] = sum;
}

cq_status V(cq_cpu_sort)(cpu *c, const cpu_state *state) {
  const cpu_box box = found_box(c);
  const int threads = c->n < CQ_SORT_SERIAL_BELOW ? 1 : c->threads;
  size_t cells = 1;
  FOR_AXES(a) {
    cells *= (size_t)c->key_size[a];
  }
  CQ_TRY(V(cq_cpu_reserve)(c, (void **)&c->counts, &c->counts_capacity, (size_t)threads * cells,
                           sizeof *c->counts));
  state->head->box = box;
  state->head->has_nodes = 0;
  memset(c->counts, 0, (size_t)threads * cells * sizeof *c->counts);
  if (threads == 1) { /* opening a team for one thread would cost a small scene a few percent */
    count_keys(c, 0, c->n, c->counts);
    sum_counts(c, 1, cells, &box, state->start);
    place_keys(c, 0, c->n, c->counts, state->order);
    return CQ_OK;
  }
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int t = 0; t < threads; t++) {
    count_keys(c, (int)((long long)c->n * t / threads), (int)((long long)c->n * (t + 1) / threads),
               c->counts + (size_t)t * cells);
  }
  sum_counts(c, threads, cells, &box, state->start);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int t = 0; t < threads; t++) {
    place_keys(c, (int)((long long)c->n * t / threads), (int)((long long)c->n * (t + 1) / threads),
               c->counts + (size_t)t * cells, state->order);
  }
  return CQ_OK;
}

cq_status V(cq_cpu_take_box)(cpu *c, const cpu_box *box) {
  c->box = *box;
  c->plane = 1;
  for (int a = 1; a < CQ_DIM; a++) {
    c->plane *= (size_t)box->size[a];
  }
  for (int r = 0; r < CQ_ROWS; r++) {
#if CQ_DIM == 2
    c->row[r] = r * box->size[1] * CQ_QUAD;
#else
    c->row[r] = (r / 3 * box->size[1] + r % 3) * box->size[2] * CQ_QUAD;
#endif
  }
  /* a quad more for rows of 16 lanes, and whole cache lines */
  c->block_stride = ((CQ_BLOCK + 2) * c->plane + 1) * CQ_QUAD;
  c->block_stride = (c->block_stride + 15) / 16 * 16;
  return CQ_OK;
}
