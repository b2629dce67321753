/* What moves and has no particles: maps, planes cut off at a room, motion.bin, trajectory.h5. */
#include "cut.h"
#include "damaged_motion.h"
#include "motion.h"
#include "test.h"
#include "trajectory.h"

#include "alloc.h"

#include <sys/stat.h>
#include <unistd.h>

enum { FRAMES = 3, TAKES = 2, MOVERS = 2, KEPT = 4 };

static double number(int take, int frame, int mover, int k) {
  return 1.0 / 3.0 + 100.0 * take + 10.0 * frame + mover + 0.01 * k;
}

/* --- maps and cutting --- */

static void maps(void) {
  /* a quarter turn about z, then the point (1, 0, 2) goes to (3, 4, 5) */
  double map[CQ_MAP] = {0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0}, at[3], stay[CQ_MAP];
  cq_map_bring(map, (const double[3]){1.0, 0.0, 2.0}, (const double[3]){3.0, 4.0, 5.0});
  cq_map_point(map, (const double[3]){2.0, 0.0, 2.0}, at);
  CHECK(at[0] == 3.0 && at[1] == 5.0 && at[2] == 5.0);
  cq_map_stay(stay);
  cq_map_point(stay, at, at);
  CHECK(at[0] == 3.0 && at[1] == 5.0 && at[2] == 5.0);
}

static double area(int n, double (*p)[3]) {
  double twice = 0.0;
  for (int i = 0; i < n; i++) {
    const double *const q = p[(i + 1) % n];
    twice += p[i][0] * q[1] - p[i][1] * q[0];
  }
  return 0.5 * fabs(twice);
}

static void cutting(void) {
  static const double low[3] = {0.0, 0.0, 0.0}, high[3] = {2.0, 1.0, 1.0};
  double plane[10][3] = {{-9, 0.25, 0}, {9, 0.25, 0}, {9, -9, 0}, {-9, -9, 0}};
  int n = cq_cut_to_box(plane, 4, 10, 2, low, high);
  CHECK(n == 4);
  CHECK_NEAR(area(n, plane), 0.5, 1e-12);
  double whole[10][3] = {{-9, -9, 0}, {9, -9, 0}, {9, 9, 0}, {-9, 9, 0}};
  n = cq_cut_to_box(whole, 4, 10, 2, low, high);
  CHECK_NEAR(area(n, whole), 2.0, 1e-12);
  double away[10][3] = {{3, 0, 0}, {4, 0, 0}, {4, 1, 0}};
  CHECK(cq_cut_to_box(away, 3, 10, 2, low, high) == 0);
  /* x + y + z = 1.5 in the unit cube is a hexagon: all corners are of the plane and of the cube */
  static const double one[3] = {1.0, 1.0, 1.0};
  double across[10][3] = {
      {9.5, -9.5, 1.5}, {9.5, 9.5, -17.5}, {-9.5, 9.5, 1.5}, {-9.5, -9.5, 20.5}};
  n = cq_cut_to_box(across, 4, 10, 3, low, one);
  CHECK_MSG(n == 6, "%d corners", n);
  for (int i = 0; i < n; i++) {
    CHECK_NEAR(across[i][0] + across[i][1] + across[i][2], 1.5, 1e-12);
    for (int a = 0; a < 3; a++) {
      CHECK(across[i][a] > -1e-12 && across[i][a] < 1.0 + 1e-12);
    }
  }
}

/* --- motion.bin --- */

static cq_motion *make_motion(cq_ctx *ctx, int movers) {
  const cq_motion_def def = {.dimension = 2,
                             .n_total = KEPT,
                             .n_kept = KEPT,
                             .n_bodies = 1,
                             .size = {1.0, 1.0, 0.0},
                             .n_movers = movers};
  cq_motion *m = NULL;
  CHECK(cq_motion_create(ctx, &def, &m) == CQ_OK);
  for (int p = 0; p < KEPT; p++) {
    m->def.particle[p] = p;
  }
  for (int i = 0; i < movers; i++) {
    snprintf(m->def.movers[i], CQ_MOTION_TEXT, "obstacles.[%d]", i);
  }
  for (int t = 0; t < TAKES; t++) {
    cq_motion_take *take = NULL;
    CHECK(cq_motion_add(m, FRAMES, 0, &take) == CQ_OK);
    for (int k = 0; k < FRAMES - t; k++) {
      take->time[take->n_frames++] = 0.1 * k;
      for (int i = 0; i < movers * CQ_MAP; i++) {
        take->maps[k * movers * CQ_MAP + i] = number(t, k, i / CQ_MAP, i % CQ_MAP);
      }
    }
  }
  cq_motion_label(m, "best", 1);
  return m;
}

static void check_maps(const cq_motion *m, int take, int as) {
  CHECK(m->def.n_movers == MOVERS && m->takes[take].n_frames == FRAMES - as);
  for (int k = 0; k < FRAMES - as; k++) {
    for (int i = 0; i < MOVERS; i++) {
      char name[32];
      snprintf(name, sizeof name, "obstacles.[%d]", i);
      const double *const map = cq_motion_map(m, take, k, name);
      CHECK(map != NULL && map[0] == number(as, k, i, 0) && map[11] == number(as, k, i, 11));
    }
  }
  CHECK(cq_motion_map(m, take, 0, "obstacles.[2]") == NULL);
}

static unsigned version_of(const char *path) {
  unsigned head[3] = {0};
  FILE *file = fopen(path, "rb");
  CHECK(file != NULL && fread(head, sizeof *head, 3, file) == 3);
  fclose(file);
  return head[2];
}

/* What is read is what was written, in whole and reduced; without movers the file is as before. */
static void in_a_motion(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_motion *m = make_motion(ctx, MOVERS), *back = NULL, *one = NULL;
  struct stat file;
  CHECK(cq_motion_write(m, "movers.bin") == CQ_OK && version_of("movers.bin") == 3);
  CHECK_MSG(cq_motion_read(ctx, "movers.bin", &back) == CQ_OK, "%s", cq_ctx_error(ctx));
  CHECK(stat("movers.bin", &file) == 0);
  CHECK(cq_motion_bytes(&m->def, TAKES, FRAMES, 0) >= (double)file.st_size);
  check_maps(back, 0, 0);
  check_maps(back, 1, 1);
  CHECK(cq_motion_reduce(back, 1, 1e6, &one) == CQ_OK);
  check_maps(one, 0, 1);
  cq_motion_free(one);
  cq_motion_free(back);
  cq_motion_free(m);
  m = make_motion(ctx, 0);
  CHECK(cq_motion_write(m, "none.bin") == CQ_OK && version_of("none.bin") == 1);
  CHECK(cq_motion_read(ctx, "none.bin", &back) == CQ_OK && back->def.n_movers == 0);
  CHECK(cq_motion_map(back, 0, 0, "obstacles.[0]") == NULL);
  cq_motion_free(back);
  cq_motion_free(m);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

/* Torn files are refused, and so are changed bytes unless they are but other numbers or letters. */
static void damaged(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_motion *m = make_motion(ctx, MOVERS);
  CHECK(cq_motion_write(m, "movers.bin") == CQ_OK);
  cq_motion_free(m);
  check_damaged(ctx, "movers.bin",
                8 + MOVERS * 48 + (FRAMES + FRAMES - 1) * MOVERS * CQ_MAP * 8); /* the movers */
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

/* --- trajectory.h5 --- */

static void write_trajectory(cq_ctx *ctx, const cq_moving *moving) {
  static const char *const bodies[] = {"cube"};
  static const int body[KEPT];
  static const double x[KEPT][3];
  static const cq_trajectory_field fields[] = {{"x", "m", 3, false}};
  const cq_trajectory_def def = {.problem = "cube",
                                 .title = "a cube",
                                 .dimension = 2,
                                 .n_particles = KEPT,
                                 .n_bodies = 1,
                                 .bodies = bodies,
                                 .body = body,
                                 .n_fields = 1,
                                 .fields = fields,
                                 .moving = moving};
  cq_trajectory_writer *w = NULL;
  CHECK(cq_trajectory_create(ctx, "movers.d", &def, &w) == CQ_OK);
  for (int k = 0; k < FRAMES; k++) {
    double map[MOVERS * CQ_MAP];
    const double vertices[3][3] = {{k, 0, 0}, {k, 1, 0}, {k + 0.5, 1, 0}};
    for (int i = 0; i < MOVERS * CQ_MAP; i++) {
      map[i] = number(0, k, i / CQ_MAP, i % CQ_MAP);
    }
    CHECK(cq_trajectory_frame(w, k, 0.1 * k) == CQ_OK && cq_trajectory_put(w, 0, k, x[0]) == CQ_OK);
    CHECK(moving == NULL || cq_trajectory_move(w, k, map, vertices[0]) == CQ_OK);
  }
  CHECK(cq_trajectory_close(w, true) == CQ_OK);
}

static bool xdmf_has(const char *word) {
  static char text[1 << 14];
  FILE *file = fopen("movers.d/trajectory.xdmf", "r");
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  return strstr(text, word) != NULL;
}

/* The reader finds names and maps, and no field that is none; XDMF has a block of segments. */
static void in_a_trajectory(void) {
  static const char *const names[MOVERS] = {"obstacles.[0]", "half_spaces.[0]"};
  static const int faces[] = {0, 1, 1, 2}, mover[] = {0, 0, 1};
  static const cq_moving moving = {MOVERS, names, 3, 2, faces, mover};
  cq_ctx *ctx = cq_ctx_create(1, 1);
  mkdir("movers.d", 0777);
  for (int moves = 0; moves < 2; moves++) {
    cq_trajectory *t = NULL;
    write_trajectory(ctx, moves == 1 ? &moving : NULL);
    CHECK_MSG(cq_trajectory_open(ctx, "movers.d/trajectory.h5", &t) == CQ_OK, "%s",
              cq_ctx_error(ctx));
    CHECK(t->def.n_fields == 1 && (t->def.moving != NULL) == (moves == 1));
    CHECK(xdmf_has("<Grid Name=\"movers\"") == (moves == 1));
    CHECK(xdmf_has("NodesPerElement=\"2\" NumberOfElements=\"2\"") == (moves == 1));
    CHECK(xdmf_has("Dimensions=\"3 3\">trajectory.h5:/movers/0002/x") == (moves == 1));
    if (moves == 1) {
      double map[MOVERS * CQ_MAP];
      CHECK(t->def.moving->n == MOVERS);
      CHECK_STR(t->def.moving->names[1], names[1]);
      CHECK(cq_trajectory_maps(t, 2, map) == CQ_OK);
      CHECK(map[0] == number(0, 2, 0, 0) && map[2 * CQ_MAP - 1] == number(0, 2, 1, CQ_MAP - 1));
      CHECK(cq_trajectory_maps(t, FRAMES, map) == CQ_IO);
      cq_ctx_clear_error(ctx);
    }
    cq_trajectory_free(t);
  }
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

int main(void) {
  RUN(maps);
  RUN(cutting);
  RUN(in_a_motion);
  RUN(damaged);
  RUN(in_a_trajectory);
  return TEST_RESULT();
}
