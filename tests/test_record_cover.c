/* Surfaces that particles carry: they move as their particles do, and survive files. */
#include "alloc.h"
#include "damaged_motion.h"
#include "motion.h"
#include "test.h"
#include "trajectory.h"

#include <sys/stat.h>

enum { SIDE = 5, N = SIDE * SIDE * SIDE, VERTICES = 4, FACES = 4 };

static double lattice[N][3];
/* a corner, a place on a face, one inside, one half a spacing outside */
static const double vertices[VERTICES][3] = {
    {0.0, 0.0, 0.0}, {0.21, 0.0, 0.33}, {0.2, 0.17, 0.13}, {0.45, 0.2, 0.2}};
static const int faces[FACES][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {0, 2, 3}};

static void make_lattice(void) {
  for (int p = 0; p < N; p++) {
    lattice[p][0] = 0.1 * (p / (SIDE * SIDE));
    lattice[p][1] = 0.1 * (p / SIDE % SIDE);
    lattice[p][2] = 0.1 * (p % SIDE);
  }
}

static double square(const double *a, const double *b) {
  return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
         (a[2] - b[2]) * (a[2] - b[2]);
}

/* The nearest of the first n particles, one after the other. */
static void nearest(const double *vertex, int n, int *out) {
  bool taken[N] = {false};
  for (int k = 0; k < CQ_COVER_CARRIERS; k++) {
    int best = -1;
    for (int p = 0; p < n; p++) {
      best = !taken[p] && (best < 0 || square(lattice[p], vertex) < square(lattice[best], vertex))
                 ? p
                 : best;
    }
    taken[best] = true;
    out[k] = best;
  }
}

static cq_cover make_cover(cq_ctx *ctx, int n) {
  cq_cover cover;
  CHECK(cq_cover_create(ctx, 3, VERTICES, FACES, &cover) == CQ_OK);
  memcpy(cover.faces, faces, sizeof faces);
  for (int v = 0; v < VERTICES; v++) {
    double places[CQ_COVER_CARRIERS][3];
    int *const carriers = cover.carriers + v * CQ_COVER_CARRIERS;
    nearest(vertices[v], n, carriers);
    for (int i = 0; i < CQ_COVER_CARRIERS; i++) {
      memcpy(places[i], lattice[carriers[i]], sizeof places[i]);
    }
    cq_cover_weigh(3, CQ_COVER_CARRIERS, places[0], vertices[v],
                   cover.weights + v * CQ_COVER_CARRIERS);
  }
  return cover;
}

/* Turned, sheared and moved. */
static void map(const double *x, double *out) {
  out[0] = 0.3 * x[0] - 1.1 * x[1] + 0.2 * x[2] + 5.0;
  out[1] = 0.9 * x[0] + 0.4 * x[1] - 1.0;
  out[2] = -0.2 * x[0] + 0.1 * x[1] + 1.3 * x[2] + 2.0;
}

static void check_places(const cq_cover *cover, const double (*x)[3], bool mapped) {
  double at[VERTICES][3], wanted[3];
  cq_cover_place(cover, x[0], 3, at[0]);
  for (int v = 0; v < VERTICES; v++) {
    memcpy(wanted, vertices[v], sizeof wanted);
    if (mapped) {
      map(vertices[v], wanted);
    }
    for (int a = 0; a < 3; a++) {
      CHECK_NEAR(at[v][a], wanted[a], 5e-6);
    }
  }
}

/* An affine motion of the particles is that of the surface. */
static void moves_with_particles(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  double moved[N][3];
  cq_cover cover = make_cover(ctx, N);
  for (int p = 0; p < N; p++) {
    map(lattice[p], moved[p]);
  }
  check_places(&cover, (const double(*)[3])lattice, false);
  check_places(&cover, (const double(*)[3])moved, true);
  for (int v = 0; v < VERTICES; v++) {
    double sum = 0.0;
    for (int i = 0; i < CQ_COVER_CARRIERS; i++) {
      sum += (double)cover.weights[v * CQ_COVER_CARRIERS + i];
    }
    CHECK_NEAR(sum, 1.0, 1e-6);
  }
  cq_cover_free(ctx, &cover);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

/* A layer of particles says nothing of what is across it, and a single one nothing at all: vertices
 * go along with them. */
static void flat_and_few(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_cover cover = make_cover(ctx, SIDE * SIDE); /* those with x = 0 */
  double at[VERTICES][3];
  float weight = 0.0F;
  cq_cover_place(&cover, lattice[0], 3, at[0]);
  CHECK_NEAR(at[1][0], 0.0, 1e-6);
  CHECK_NEAR(at[1][1], 0.0, 1e-5);
  CHECK_NEAR(at[1][2], 0.33, 1e-5);
  cq_cover_weigh(3, 1, lattice[3], vertices[2], &weight);
  CHECK(weight == 1.0F);
  cq_cover_free(ctx, &cover);
  cq_ctx_destroy(ctx);
}

static void what_is_right(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_cover cover = make_cover(ctx, N);
  CHECK(cq_cover_is_right(&cover, N));
  CHECK(!cq_cover_is_right(&cover, N / 2));
  cover.faces[5] = VERTICES;
  CHECK(!cq_cover_is_right(&cover, N));
  cover.faces[5] = 0;
  cover.weights[3] = NAN;
  CHECK(!cq_cover_is_right(&cover, N));
  cq_cover_free(ctx, &cover);
  cq_ctx_destroy(ctx);
}

/* --- motion.bin --- */

static cq_motion *make_motion(cq_ctx *ctx, bool covered) {
  const cq_motion_def def = {.dimension = 3,
                             .n_total = N,
                             .n_kept = N,
                             .n_bodies = 1,
                             .low = {-0.5, -0.5, -0.5},
                             .size = {1.0, 1.0, 1.0}};
  cq_motion *m = NULL;
  cq_motion_take *take = NULL;
  CHECK(cq_motion_create(ctx, &def, &m) == CQ_OK && cq_motion_add(m, 1, 0, &take) == CQ_OK);
  take->n_frames = 1;
  for (int p = 0; p < N; p++) {
    m->def.particle[p] = p;
    for (int a = 0; a < 3; a++) {
      take->x[3 * p + a] = (float)lattice[p][a];
    }
  }
  if (covered) {
    m->cover = make_cover(ctx, N);
  }
  return m;
}

static void check_motion(const cq_motion *m) {
  double at[VERTICES][3];
  bool covered = false;
  CHECK(m->cover.n_vertices == VERTICES && m->cover.n_faces == FACES);
  CHECK(memcmp(m->cover.faces, faces, sizeof faces) == 0);
  CHECK(cq_motion_cover(m, 0, 0, at[0]) == CQ_OK);
  for (int v = 0; v < VERTICES; v++) {
    CHECK(square(at[v], vertices[v]) < 1e-8); /* 16 bits of a metre */
  }
  cq_motion_covered(m, &covered);
  CHECK(covered);
}

static unsigned version_of(const char *path) {
  unsigned version = 0;
  FILE *file = fopen(path, "rb");
  CHECK(fseek(file, 8, SEEK_SET) == 0 && fread(&version, sizeof version, 1, file) == 1);
  fclose(file);
  return version;
}

/* With a surface and without; the second is as files of before. */
static void in_a_motion(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  for (int covered = 0; covered < 2; covered++) {
    cq_motion *m = make_motion(ctx, covered == 1), *back = NULL;
    CHECK(cq_motion_write(m, "cover.bin") == CQ_OK);
    CHECK(version_of("cover.bin") == (covered == 1 ? 2U : 1U));
    CHECK_MSG(cq_motion_read(ctx, "cover.bin", &back) == CQ_OK, "%s", cq_ctx_error(ctx));
    CHECK(covered == 1 || back->cover.n_faces == 0);
    if (covered == 1) {
      check_motion(back);
    }
    cq_motion_free(m);
    cq_motion_free(back);
  }
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

/* Fewer particles, those that carry it among them; where there is no room for these, none. */
static void of_fewer_particles(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_motion *m = make_motion(ctx, true), *some = NULL, *few = NULL;
  cq_motion_def def = m->def;
  def.n_kept = 100;
  const double bytes = cq_motion_bytes(&def, 1, 1, 0);
  CHECK(cq_motion_reduce(m, 0, bytes + cq_cover_bytes(&m->cover), &some) == CQ_OK);
  CHECK(some->def.n_kept < N);
  check_motion(some);
  def.n_kept = 5;
  CHECK(cq_motion_reduce(m, 0, cq_motion_bytes(&def, 1, 1, 0), &few) == CQ_OK);
  CHECK(few->cover.n_faces == 0 && few->def.n_kept <= 5);
  cq_motion_free(m);
  cq_motion_free(some);
  cq_motion_free(few);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

/* Torn files and changed bytes are refused, or read without harm. */
static void damaged(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_motion *m = make_motion(ctx, true);
  CHECK(cq_motion_write(m, "cover.bin") == CQ_OK);
  cq_motion_free(m);
  check_damaged(ctx, "cover.bin",
                16 + FACES * 12 + VERTICES * 8 * CQ_COVER_CARRIERS); /* the surface */
  cq_ctx_destroy(ctx);
}

/* --- trajectory.h5 --- */

static void write_trajectory(cq_ctx *ctx, const cq_cover *cover) {
  static const char *const bodies[] = {"cube"};
  static const int body[N];
  static const cq_trajectory_field fields[] = {{"x", "m", 3, false}};
  const cq_trajectory_def def = {.problem = "cube",
                                 .title = "a cube",
                                 .dimension = 3,
                                 .n_particles = N,
                                 .n_bodies = 1,
                                 .bodies = bodies,
                                 .body = body,
                                 .n_fields = 1,
                                 .fields = fields,
                                 .cover = cover};
  cq_trajectory_writer *w = NULL;
  CHECK(cq_trajectory_create(ctx, "cover.d", &def, &w) == CQ_OK);
  CHECK(cq_trajectory_frame(w, 0, 0.0) == CQ_OK && cq_trajectory_put(w, 0, 0, lattice[0]) == CQ_OK);
  CHECK(cq_trajectory_close(w, true) == CQ_OK);
  CHECK(cq_trajectory_bytes(&def, 10) ==
        4.0 * 10 * 3 * (N + (cover != NULL ? cover->n_vertices : 0)));
}

static bool xdmf_has(const char *word) {
  static char text[1 << 14];
  FILE *file = fopen("cover.d/trajectory.xdmf", "r");
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  return strstr(text, word) != NULL;
}

/* The reader finds the surface again, and no field that is none; XDMF has a block of triangles. */
static void in_a_trajectory(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_cover cover = make_cover(ctx, N);
  mkdir("cover.d", 0777);
  for (int covered = 0; covered < 2; covered++) {
    cq_trajectory *t = NULL;
    write_trajectory(ctx, covered == 1 ? &cover : NULL);
    CHECK_MSG(cq_trajectory_open(ctx, "cover.d/trajectory.h5", &t) == CQ_OK, "%s",
              cq_ctx_error(ctx));
    CHECK(t->def.n_fields == 1 && (t->def.cover != NULL) == (covered == 1));
    CHECK(xdmf_has("TopologyType=\"Triangle\" NumberOfElements=\"4\"") == (covered == 1));
    CHECK(xdmf_has("trajectory.h5:/surface/0000") == (covered == 1));
    if (covered == 1) {
      check_places(t->def.cover, (const double(*)[3])lattice, false);
    }
    cq_trajectory_free(t);
  }
  cover.faces[3] = VERTICES; /* there is none */
  write_trajectory(ctx, &cover);
  cq_trajectory *t = NULL;
  CHECK(cq_trajectory_open(ctx, "cover.d/trajectory.h5", &t) == CQ_IO && t == NULL);
  CHECK_MSG(strstr(cq_ctx_error(ctx), "trajectory.h5: /surface names a particle") != NULL, "%s",
            cq_ctx_error(ctx));
  cq_cover_free(ctx, &cover);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

int main(void) {
  make_lattice();
  RUN(moves_with_particles);
  RUN(flat_and_few);
  RUN(what_is_right);
  RUN(in_a_motion);
  RUN(of_fewer_particles);
  RUN(damaged);
  RUN(in_a_trajectory);
  return TEST_RESULT();
}
