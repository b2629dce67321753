/* motion.bin: what is read is what was written, to the bits it has; which particles are kept. */
#include "motion.h"

#include "alloc.h"
#include "test.h"

#include <unistd.h>

enum { KEPT = 37, FRAMES = 5, SAMPLES = 3 };
static const char path[] = "motion.bin";

static const cq_motion_def counts = {.dimension = 3,
                                     .n_total = 100,
                                     .n_kept = KEPT,
                                     .n_bodies = 2,
                                     .n_fields = 2,
                                     .n_fixed = 1,
                                     .n_points = 1,
                                     .n_controls = 2,
                                     .low = {-1.0, 0.0, 2.0},
                                     .size = {3.0, 1.0, 0.5}};

static double place(int take, int frame, int particle, int axis) {
  const double part = fmod(0.17 * take + 0.31 * frame + 0.0123 * particle + 0.77 * axis, 1.0);
  return counts.low[axis] + part * counts.size[axis];
}

static double field(int take, int frame, int k, int particle) {
  return (k == 0 ? 1.0 : -40.0) + particle * 0.5 + frame + 2.0 * take;
}

static void fill_take(const cq_motion *m, cq_motion_take *take, int t) {
  take->n_frames = FRAMES - t; /* the second one ended early */
  take->n_samples = SAMPLES;
  snprintf(take->note, sizeof take->note, "%s", t > 0 ? "DEFORMED" : "");
  for (int k = 0; k < take->n_frames; k++) {
    take->time[k] = 0.1 * k;
    for (int p = 0; p < KEPT; p++) {
      for (int a = 0; a < 3; a++) {
        take->x[(k * KEPT + p) * 3 + a] = (float)place(t, k, p, a);
      }
      for (int i = 0; i < 2; i++) {
        take->fields[(k * 2 + i) * KEPT + p] = (float)field(t, k, i, p);
      }
      take->fixed[p] = (float)(t * 100 + p);
    }
    for (int a = 0; a < 3; a++) {
      take->points[3 * k + a] = (float)(k + 0.1 * a);
    }
  }
  for (int j = 0; j < SAMPLES; j++) {
    take->sampled[j] = 0.2 * j;
    for (int i = 0; i < m->def.n_controls; i++) {
      take->controls[2 * j + i] = (float)(j - i);
    }
  }
}

static cq_motion *make(cq_ctx *ctx) {
  cq_motion *m = NULL;
  cq_motion_take *take = NULL;
  CHECK(cq_motion_create(ctx, &counts, &m) == CQ_OK);
  for (int p = 0; p < KEPT; p++) {
    m->def.particle[p] = 2 * p;
    m->def.body[p] = p >= 20;
  }
  snprintf(m->def.bodies[1], CQ_MOTION_TEXT, "right");
  snprintf(m->def.fields[1].unit, CQ_MOTION_TEXT, "Pa");
  snprintf(m->def.controls[1].name, CQ_MOTION_TEXT, "leg");
  for (int t = 0; t < 2; t++) {
    CHECK(cq_motion_add(m, FRAMES, SAMPLES, &take) == CQ_OK);
    fill_take(m, take, t);
  }
  cq_motion_label(m, "first", 0);
  cq_motion_label(m, "best", 1);
  cq_motion_label(m, "last", 1);
  return m;
}

static void check_take(const cq_motion_take *take, int t) {
  double worst = 0.0, worst_field = 0.0;
  CHECK(take->n_frames == FRAMES - t && take->n_samples == SAMPLES);
  CHECK_STR(take->note, t > 0 ? "DEFORMED" : "");
  for (int k = 0; k < take->n_frames; k++) {
    CHECK(take->time[k] == 0.1 * k);
    for (int p = 0; p < KEPT; p++) {
      for (int a = 0; a < 3; a++) {
        const double off = fabs(take->x[(k * KEPT + p) * 3 + a] - place(t, k, p, a));
        worst = fmax(worst, off / counts.size[a]);
      }
      for (int i = 0; i < 2; i++) {
        worst_field =
            fmax(worst_field, fabs(take->fields[(k * 2 + i) * KEPT + p] - field(t, k, i, p)));
      }
      CHECK(take->fixed[p] == (float)(t * 100 + p));
    }
    CHECK(take->points[3 * k + 2] == (float)(k + 0.2));
  }
  CHECK(take->controls[2 * 2 + 1] == 1.0F && take->sampled[2] == 0.4);
  CHECK_MSG(worst <= 0.52 / 65535.0, "a place is off by %g of the box", worst);
  /* over both takes a field goes through 18 + 4 + 2 */
  CHECK_MSG(worst_field <= 0.51 * 24.0 / 255.0, "a field is off by %g", worst_field);
}

static void test_round_trip(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_motion *m = make(ctx), *back = NULL;
  CHECK_MSG(cq_motion_write(m, path) == CQ_OK, "%s", cq_ctx_error(ctx));
  CHECK_MSG(cq_motion_read(ctx, path, &back) == CQ_OK, "%s", cq_ctx_error(ctx));
  CHECK(back->n_takes == 2 && back->n_labels == 3);
  CHECK(cq_motion_find(back, "best") == 1 && cq_motion_find(back, "last") == 1);
  CHECK(cq_motion_find(back, "none") == -1);
  CHECK(back->def.n_total == 100 && back->def.particle[KEPT - 1] == 2 * (KEPT - 1));
  CHECK_STR(back->def.bodies[1], "right");
  CHECK_STR(back->def.fields[1].unit, "Pa");
  CHECK_STR(back->def.controls[1].name, "leg");
  for (int t = 0; t < 2; t++) {
    check_take(&back->takes[t], t);
  }
  /* the plan of sizes is no less than what was written, and not much more */
  FILE *file = fopen(path, "rb");
  fseek(file, 0, SEEK_END);
  const double size = (double)ftell(file), planned = cq_motion_bytes(&counts, 2, FRAMES, SAMPLES);
  fclose(file);
  CHECK_MSG(size <= planned && size > planned - 3000.0, "%g bytes, planned %g", size, planned);
  cq_motion_free(m);
  cq_motion_free(back);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

/* A file of one take and fewer particles. */
static void test_reduction(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_motion *m = make(ctx), *all = NULL, *some = NULL;
  CHECK(cq_motion_reduce(m, 1, 1e6, &all) == CQ_OK);
  CHECK(all->n_takes == 1 && all->n_labels == 2 && cq_motion_find(all, "best") == 0);
  CHECK(all->def.n_kept == KEPT && cq_motion_find(all, "first") == -1);
  check_take(&all->takes[0], 1);
  cq_motion_def none = counts;
  none.n_kept = 10;
  const double bytes = cq_motion_bytes(&none, 1, FRAMES - 1, SAMPLES);
  CHECK(cq_motion_reduce(m, 1, bytes, &some) == CQ_OK);
  CHECK_MSG(some->def.n_kept >= 9 && some->def.n_kept <= 10, "%d", some->def.n_kept);
  CHECK_STR(some->def.bodies[1], "right");
  for (int k = 0; k < some->def.n_kept; k++) {
    const int p = some->def.particle[k] / 2;
    CHECK(some->def.body[k] == (p >= 20));
    CHECK_NEAR(some->takes[0].x[(3 * some->def.n_kept + k) * 3 + 1], place(1, 3, p, 1), 1e-6);
    CHECK_NEAR(some->takes[0].fields[(3 * 2 + 1) * some->def.n_kept + k], field(1, 3, 1, p), 1e-5);
  }
  cq_motion_free(m);
  cq_motion_free(all);
  cq_motion_free(some);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

/* Every torn file and many damaged ones are refused, or read without harm. */
static void test_damage(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_motion *m = make(ctx);
  static unsigned char bytes[1 << 16];
  CHECK(cq_motion_write(m, path) == CQ_OK);
  cq_motion_free(m);
  FILE *file = fopen(path, "rb");
  const size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  for (size_t cut = 0; cut < 2 * size; cut += 61) {
    const bool torn = cut < size;
    file = fopen("damaged.bin", "wb");
    const size_t at = cut % size;
    bytes[at] ^= torn ? 0 : 0x5a;
    fwrite(bytes, 1, torn ? cut : size, file);
    fclose(file);
    bytes[at] ^= torn ? 0 : 0x5a;
    const cq_status status = cq_motion_read(ctx, "damaged.bin", &m);
    CHECK_MSG(!torn || status == CQ_IO, "cut after %zu bytes: %d", cut, status);
    CHECK(status == CQ_OK || (m == NULL && strstr(cq_ctx_error(ctx), "damaged.bin") != NULL));
    cq_motion_free(m);
    cq_ctx_clear_error(ctx);
  }
  CHECK(cq_motion_read(ctx, "missing.bin", &m) == CQ_IO && m == NULL);
  cq_ctx_destroy(ctx);
}

/* Writes `size` bytes over those of a good file and reads it. */
static cq_status read_changed(cq_ctx *ctx, long at, const void *bytes, size_t size, cq_motion **m) {
  cq_motion *good = make(ctx);
  CHECK(cq_motion_write(good, "damaged.bin") == CQ_OK);
  cq_motion_free(good);
  FILE *const file = fopen("damaged.bin", "r+b");
  CHECK(fseek(file, at, SEEK_SET) == 0 && fwrite(bytes, 1, size, file) == size);
  fclose(file);
  return cq_motion_read(ctx, "damaged.bin", m);
}

/* where sections begin in the file that make() gives */
enum { TOTAL = 20, LOW = 56, TEXTS = 104, N_TEXTS = 16, TAKES_AT = TEXTS + 48 * N_TEXTS };

/* Names that fill their room have no end in the file. */
static void test_names_without_end(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_motion *m = NULL;
  char full[48 * N_TEXTS];
  memset(full, 'n', sizeof full);
  CHECK_MSG(read_changed(ctx, TEXTS, full, sizeof full, &m) == CQ_OK, "%s", cq_ctx_error(ctx));
  CHECK(strlen(m->def.bodies[0]) == 47 && strlen(m->def.bodies[1]) == 47);
  CHECK(strlen(m->def.fields[1].name) == 47 && strlen(m->def.fields[1].unit) == 47);
  CHECK(strlen(m->def.fixed[0].unit) == 47 && strlen(m->def.points[0]) == 47);
  CHECK(strlen(m->def.controls[1].name) == 47 && strlen(m->labels[2]) == 47);
  cq_motion_free(m);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

/* Numbers that would be taken for places in a scene or a picture. */
static void test_wrong_numbers(void) {
  const uint32_t none = 0, many = 3000000000u, beyond = 100, no_body = 2;
  const double nan_low = (double)NAN, huge = 1e300;
  const struct {
    long at;
    const void *bytes;
    size_t size;
  } wrong[] = {{TOTAL, &none, 4},
               {TOTAL, &many, 4},
               {LOW, &nan_low, 8},
               {LOW + 24, &huge, 8},
               {TAKES_AT + 16, &beyond, 4},
               {TAKES_AT + 16 + 4 * 20, &none, 4},
               {TAKES_AT + 16 + 152, &no_body, 4}};
  cq_ctx *ctx = cq_ctx_create(1, 1);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    cq_motion *m = NULL;
    CHECK_MSG(read_changed(ctx, wrong[i].at, wrong[i].bytes, wrong[i].size, &m) == CQ_IO,
              "change %zu is taken", i);
    CHECK_MSG(strstr(cq_ctx_error(ctx), "damaged.bin is damaged") != NULL, "%s", cq_ctx_error(ctx));
    cq_motion_free(m);
    cq_ctx_clear_error(ctx);
  }
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

enum { MANY = 64000, ROOM = 5000 };
static int body[MANY], kept[MANY];
static unsigned char marked[MANY];

static int count_between(int n, int low, int high) {
  int count = 0;
  for (int i = 0; i < n; i++) {
    count += kept[i] >= low && kept[i] < high;
  }
  return count;
}

static void test_thinning(void) {
  for (int p = 0; p < MANY; p++) {
    body[p] = p >= 60000; /* a large one and a small one */
    marked[p] = p == 123 || p == 63999;
  }
  const int n = cq_motion_choose(MANY, body, marked, ROOM, kept);
  CHECK_MSG(n <= ROOM && n >= ROOM - 2, "%d of %d", n, ROOM);
  CHECK_NEAR(count_between(n, 60000, MANY), 5000.0 * 4000 / 64000, 2);
  CHECK(count_between(n, 123, 124) == 1 && count_between(n, 63999, MANY) == 1);
  for (int i = 1; i < n; i++) {
    CHECK(kept[i] > kept[i - 1]);
  }
  /* rows of 40, as of a lattice: every column of them is there, and none much more than others */
  int column[40] = {0}, least = MANY, most = 0;
  for (int i = 0; i < n; i++) {
    column[kept[i] % 40]++;
  }
  for (int c = 0; c < 40; c++) {
    least = column[c] < least ? column[c] : least;
    most = column[c] > most ? column[c] : most;
  }
  CHECK_MSG(least > 80 && most < 180, "columns have %d to %d particles", least, most);
  CHECK(cq_motion_choose(MANY, body, marked, MANY, kept) == MANY);
  memset(marked, 1, sizeof marked);
  CHECK(cq_motion_choose(MANY, body, marked, 10, kept) == 10);
}

static void test_room(void) {
  cq_motion_def def = counts;
  def.n_total = 1000000;
  def.n_kept = cq_motion_room(&def, 3, 51, 256, 5.5e6);
  CHECK(def.n_kept > 4000 && def.n_kept < 6000);
  CHECK(cq_motion_bytes(&def, 3, 51, 256) <= 5.5e6);
  def.n_kept++;
  CHECK(cq_motion_bytes(&def, 3, 51, 256) > 5.5e6);
  def.n_total = 100;
  CHECK(cq_motion_room(&def, 3, 51, 256, 5.5e6) == 100);
}

/* Out of memory anywhere leaves nothing behind. */
static void test_memory(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_motion *m = make(ctx);
  CHECK(cq_motion_write(m, path) == CQ_OK);
  cq_motion_free(m);
  cq_status status = CQ_MEMORY;
  int nth = 0;
  while (status == CQ_MEMORY && nth < 100) {
    cq_ctx_clear_error(ctx);
    cq_alloc_fail_nth(ctx, ++nth);
    status = cq_motion_read(ctx, path, &m);
    CHECK(status == CQ_OK || m == NULL);
  }
  cq_alloc_fail_nth(ctx, 0);
  CHECK(status == CQ_OK && nth > 20);
  cq_motion_free(m);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

/* A take that found no memory is not written. */
static void test_memory_of_take(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  for (int nth = 1; nth <= 7; nth++) {
    cq_motion *m = make(ctx);
    cq_motion_take *take = NULL;
    cq_alloc_fail_nth(ctx, nth);
    CHECK(cq_motion_add(m, FRAMES, SAMPLES, &take) == CQ_MEMORY && take == NULL);
    cq_ctx_clear_error(ctx);
    CHECK(m->n_takes == 2 && cq_motion_write(m, path) == CQ_OK);
    cq_motion_free(m);
  }
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

int main(void) {
  RUN(test_round_trip);
  RUN(test_reduction);
  RUN(test_damage);
  RUN(test_names_without_end);
  RUN(test_wrong_numbers);
  RUN(test_thinning);
  RUN(test_room);
  RUN(test_memory);
  RUN(test_memory_of_take);
  unlink("damaged.bin");
  return TEST_RESULT();
}
