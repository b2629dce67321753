/* The method of GranularGym as it is meant: a table of linked lists (Algorithm 2, cells compared),
 * and three iterations of Jacobi in which each grain gathers its impulses. Grains are those of a
 * column at rest, which has as many contacts as may be. */
#include "paper.h"

#include "alloc.h"
#include "status.h"

#include <math.h>
#include <string.h>
#include <time.h>

enum { SIDE = 10, HITS = 32, ITERATIONS = 3, TURNS = 3 };

static const float radius = 0.02f, dt = 1e-3f, gravity = 9.81f, mu = 0.5f;

double cq_bench_cpu_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --- the column ------------------------------------------------------------------------------- */

typedef struct column {
  int n, buckets;
  float (*x)[3], (*v)[3], (*dv)[3], (*dv_new)[3];
  int (*cell)[3];
  int *table, *next;
  int (*hits)[HITS], *n_hits;
} column;

static void close_column(cq_ctx *ctx, column *c) {
  void *const owned[] = {c->x,     c->v,    c->dv,   c->dv_new, c->cell,
                         c->table, c->next, c->hits, c->n_hits};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
    cq_free(ctx, owned[i]);
  }
}

/* Layers that are shifted against each other, all grains touching. */
static cq_status open_column(cq_ctx *ctx, int n, int buckets, column *c) {
  *c = (column){.n = n, .buckets = buckets};
  CQ_TRY(CQ_ALLOC(ctx, c->x, n));
  CQ_TRY(CQ_ALLOC(ctx, c->v, n));
  CQ_TRY(CQ_ALLOC(ctx, c->dv, n));
  CQ_TRY(CQ_ALLOC(ctx, c->dv_new, n));
  CQ_TRY(CQ_ALLOC(ctx, c->cell, n));
  CQ_TRY(CQ_ALLOC(ctx, c->table, buckets));
  CQ_TRY(CQ_ALLOC(ctx, c->next, n));
  CQ_TRY(CQ_ALLOC(ctx, c->hits, n));
  CQ_TRY(CQ_ALLOC(ctx, c->n_hits, n));
  const float pitch = 1.999f * radius;
  for (int i = 0; i < n; i++) {
    const int at[3] = {i % SIDE, i / SIDE % SIDE, i / (SIDE * SIDE)};
    for (int a = 0; a < 3; a++) {
      const float shift = a < 2 && at[2] % 2 == 1 ? 0.5f : 0.0f;
      c->x[i][a] = ((float)at[a] + shift) * pitch * (a == 2 ? 0.70711f : 1.0f);
    }
  }
  return CQ_OK;
}

/* --- a step ----------------------------------------------------------------------------------- */

static unsigned bucket(const column *c, const int *cell) {
  static const unsigned primes[3] = {73856093u, 19349663u, 83492791u};
  unsigned hash = 0;
  for (int a = 0; a < 3; a++) {
    hash ^= primes[a] * ((unsigned)cell[a] - 100u);
  }
  return hash % (unsigned)c->buckets;
}

static void fill_table(column *c) {
  const float inverse = 1.0f / (2.01f * radius);
  memset(c->table, -1, (size_t)c->buckets * sizeof *c->table);
  for (int i = 0; i < c->n; i++) {
    for (int a = 0; a < 3; a++) {
      c->cell[i][a] = (int)lrintf(c->x[i][a] * inverse);
    }
    const unsigned h = bucket(c, c->cell[i]);
    c->next[i] = c->table[h];
    c->table[h] = i;
  }
}

/* The impulse of contact i j on grain i, whose masses are equal. */
static inline void apply(const column *c, int i, int j, float *sum) {
  float n[3], rate[3], square = 0.0f, along = 0.0f, across = 0.0f;
  for (int a = 0; a < 3; a++) {
    n[a] = c->x[i][a] - c->x[j][a];
    square += n[a] * n[a];
  }
  const float inverse = 1.0f / sqrtf(square), gap = square * inverse - 2.0f * radius;
  for (int a = 0; a < 3; a++) {
    n[a] *= inverse;
    rate[a] = c->v[i][a] + c->dv[i][a] - c->v[j][a] - c->dv[j][a];
    along += rate[a] * n[a];
  }
  for (int a = 0; a < 3; a++) {
    rate[a] -= along * n[a];
    across += rate[a] * rate[a];
  }
  const float bias = 0.02f * gap / dt, pn = fmaxf(-0.25f * (along + bias), 0.0f);
  const float most = mu * pn, length = 0.25f * sqrtf(across);
  const float scale = length > most ? most / length : 1.0f;
  for (int a = 0; a < 3; a++) {
    sum[a] += pn * n[a] - 0.25f * scale * rate[a];
  }
}

typedef enum schedule { ONE_LOOP, TWO_LOOPS_FUSED, TWO_LOOPS_SPLIT } schedule;

/* Grains that touch grain i: kept in `hits`, or (NULL) applied as they are found. */
static inline int look(const column *c, int i, int *hits, float *sum) {
  int n = 0;
  for (int k = 0; k < 27; k++) {
    const int cell[3] = {c->cell[i][0] + k % 3 - 1, c->cell[i][1] + k / 3 % 3 - 1,
                         c->cell[i][2] + k / 9 - 1};
    for (int j = c->table[bucket(c, cell)]; j >= 0; j = c->next[j]) {
      float square = 0.0f;
      if (j == i || memcmp(c->cell[j], cell, sizeof cell) != 0) {
        continue;
      }
      for (int a = 0; a < 3; a++) {
        square += (c->x[i][a] - c->x[j][a]) * (c->x[i][a] - c->x[j][a]);
      }
      if (square < 4.0f * radius * radius && n < HITS) {
        if (hits == NULL) {
          apply(c, i, j, sum);
        } else {
          hits[n] = j;
        }
        n++;
      }
    }
  }
  return n;
}

static void gather(column *c, int i, schedule how) {
  float sum[3] = {0.0f, 0.0f, 0.0f};
  int own[HITS], n = how == TWO_LOOPS_SPLIT ? c->n_hits[i] : 0;
  const int *hits = how == TWO_LOOPS_SPLIT ? c->hits[i] : own;
  if (how == ONE_LOOP) {
    look(c, i, NULL, sum);
  } else if (how == TWO_LOOPS_FUSED) {
    n = look(c, i, own, sum);
  }
  for (int k = 0; k < n; k++) {
    apply(c, i, hits[k], sum);
  }
  for (int a = 0; a < 3; a++) {
    c->dv_new[i][a] = c->dv[i][a] + sum[a];
  }
}

static void step(column *c, schedule how) {
  fill_table(c);
  for (int i = 0; i < c->n; i++) {
    memset(c->dv[i], 0, sizeof c->dv[i]);
    c->dv[i][2] = i >= SIDE * SIDE ? -dt * gravity : 0.0f;
    if (how == TWO_LOOPS_SPLIT) {
      c->n_hits[i] = look(c, i, c->hits[i], NULL);
    }
  }
  for (int k = 0; k < ITERATIONS; k++) {
    for (int i = 0; i < c->n; i++) {
      gather(c, i, how);
    }
    float(*const swap)[3] = c->dv;
    c->dv = c->dv_new;
    c->dv_new = swap;
  }
}

/* Simulated seconds a second, of steps that go on from where the column stands. */
static cq_status measure(cq_ctx *ctx, int n, int buckets, schedule how, double *speed) {
  column c;
  cq_status status = open_column(ctx, n, buckets, &c);
  *speed = 0.0;
  for (int turn = 0; turn < TURNS && status == CQ_OK; turn++) {
    const double begin = cq_bench_cpu_seconds();
    int steps = 0;
    for (; steps < 3 || cq_bench_cpu_seconds() - begin < 0.05; steps++) {
      step(&c, how);
    }
    *speed = fmax(*speed, steps * (double)dt / (cq_bench_cpu_seconds() - begin));
  }
  close_column(ctx, &c);
  return status;
}

/* --- the figures ------------------------------------------------------------------------------ */

static void add(cq_bench *bench, const char *scene, const char *pass, const char *quantity,
                double value) {
  cq_metrics_add(
      &bench->metrics,
      (cq_metric){.scene = scene, .pass = pass, .quantity = quantity, .unit = "", .value = value});
}

static const struct {
  const char *name;
  int n;
} columns[] = {{"1000", 1000}, {"4000", 4000}, {"16000", 16000}};

enum { COLUMNS = sizeof columns / sizeof columns[0] };

cq_status cq_bench_paper_table(cq_bench *bench) {
  static const struct {
    const char *name;
    double size;
  } tables[] = {{"0.125", 0.125}, {"0.25", 0.25}, {"0.5", 0.5}, {"1", 1.0},
                {"2", 2.0},       {"4", 4.0},     {"8", 8.0}};
  for (int k = 0; k < COLUMNS; k++) {
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++) {
      double speed;
      CQ_TRY(measure(bench->ctx, columns[k].n, (int)(tables[t].size * columns[k].n),
                     TWO_LOOPS_SPLIT, &speed));
      add(bench, "paper_table", columns[k].name, tables[t].name, speed);
    }
  }
  return CQ_OK;
}

cq_status cq_bench_paper_schedules(cq_bench *bench) {
  static const char *const names[] = {"one_loop", "two_loops_fused", "two_loops_split"};
  for (int how = ONE_LOOP; how <= TWO_LOOPS_SPLIT; how++) {
    for (int k = 0; k < COLUMNS; k++) {
      double speed;
      CQ_TRY(measure(bench->ctx, columns[k].n, 2 * columns[k].n, (schedule)how, &speed));
      add(bench, "paper_schedules", columns[k].name, names[how], speed);
    }
  }
  return CQ_OK;
}
