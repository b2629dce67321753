/* trajectory.h5: what is written is read back, nothing torn is left, bad files are refused. */
#include "trajectory.h"

#include "alloc.h"
#include "fresh.h"
#include "test.h"

#include <dirent.h>
#include <hdf5.h>
#include <sys/stat.h>
#include <unistd.h>

enum { N = 40000, FRAMES = 3 }; /* more than a chunk of a matrix */

static const char *const bodies[] = {"left", "the right one"};
static int body[N];
static double values[9 * N], back[9 * N];

static const cq_trajectory_field fields[] = {{"x", "m", 3, false},
                                             {"F", "1", 9, false},
                                             {"stiffness", "Pa", 1, true},
                                             {"u", "Pa", 2, false}};

static cq_trajectory_def make_def(bool double_precision) {
  for (int p = 0; p < N; p++) {
    body[p] = p >= N / 3;
  }
  return (cq_trajectory_def){.problem = "two",
                             .title = "a title with <signs> & \"quotes\"",
                             .dimension = 2,
                             .n_particles = N,
                             .n_bodies = 2,
                             .bodies = bodies,
                             .body = body,
                             .n_fields = 4,
                             .fields = fields,
                             .double_precision = double_precision};
}

static double value_of(int field, int frame, int i) {
  return 1.0 / 3.0 + field * 10.0 + frame * 0.25 + i * 1e-4;
}

static const double *fill(int field, int frame) {
  for (int i = 0; i < N * fields[field].components; i++) {
    values[i] = value_of(field, frame, i);
  }
  return values;
}

/* all frames; field u afterwards, as controls are known later than states */
static cq_status write_all(cq_ctx *ctx, const cq_trajectory_def *def, bool keep) {
  cq_trajectory_writer *w = NULL;
  cq_status status = cq_trajectory_create(ctx, "record.d", def, &w);
  status = status == CQ_OK ? cq_trajectory_put(w, 2, 0, fill(2, 0)) : status;
  for (int k = 0; k < FRAMES && status == CQ_OK; k++) {
    status = cq_trajectory_frame(w, 10 * k, 0.1 * k);
    for (int i = 0; i < 2 && status == CQ_OK; i++) {
      status = cq_trajectory_put(w, i, k, fill(i, k));
    }
  }
  for (int k = 0; k < FRAMES && status == CQ_OK; k++) {
    status = cq_trajectory_put(w, 3, k, fill(3, k));
  }
  const cq_status closed = cq_trajectory_close(w, keep);
  return status != CQ_OK ? status : closed;
}

static void check_fields(cq_trajectory *t, double tolerance) {
  for (int i = 0; i < 4; i++) {
    const int j = cq_trajectory_find(t, fields[i].name);
    CHECK(j >= 0);
    CHECK_STR(t->def.fields[j].unit, fields[i].unit);
    CHECK(t->def.fields[j].components == fields[i].components);
    CHECK(t->def.fields[j].fixed == fields[i].fixed);
    for (int k = 0; k < FRAMES; k++) {
      double worst = 0.0;
      CHECK(cq_trajectory_read(t, j, k, back) == CQ_OK);
      for (int n = 0; n < N * fields[i].components; n++) {
        const double wanted = value_of(i, fields[i].fixed ? 0 : k, n);
        worst = fmax(worst, fabs(back[n] - wanted) / wanted);
      }
      CHECK_MSG(worst <= tolerance, "%s, frame %d: off by %g", fields[i].name, k, worst);
    }
  }
}

static int count_temporaries(void) {
  DIR *const dir = opendir("record.d");
  int count = 0;
  for (const struct dirent *e; dir != NULL && (e = readdir(dir)) != NULL;) {
    count += cq_fresh_is_temporary(e->d_name);
  }
  closedir(dir);
  return count;
}

static void comes_back(void) {
  for (int d = 0; d < 2; d++) {
    cq_ctx *ctx = cq_ctx_create(1, 1);
    const cq_trajectory_def def = make_def(d == 1);
    cq_trajectory *t = NULL;
    CHECK_MSG(write_all(ctx, &def, true) == CQ_OK, "%s", cq_ctx_error(ctx));
    CHECK(count_temporaries() == 0);
    CHECK_MSG(cq_trajectory_open(ctx, "record.d/trajectory.h5", &t) == CQ_OK, "%s",
              cq_ctx_error(ctx));
    if (t != NULL) {
      CHECK(t->n_frames == FRAMES && t->step[2] == 20 && t->time[1] == 0.1);
      CHECK(t->def.n_particles == N && t->def.dimension == 2 && t->def.n_fields == 4);
      CHECK_STR(t->def.problem, "two");
      CHECK_STR(t->def.title, def.title);
      CHECK(t->def.n_bodies == 2);
      CHECK_STR(t->def.bodies[1], "the right one");
      CHECK(t->def.body[0] == 0 && t->def.body[N / 3] == 1);
      check_fields(t, d == 1 ? 0.0 : 6e-8);
      CHECK(cq_trajectory_find(t, "y") == -1);
      CHECK(cq_trajectory_read(t, 0, FRAMES, back) == CQ_USAGE);
    }
    cq_trajectory_free(t);
    CHECK(cq_ctx_bytes(ctx) == 0);
    cq_ctx_destroy(ctx);
  }
}

static long size_of(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 ? (long)info.st_size : -1;
}

/* zeros take no room: chunks go through deflate */
static void is_compressed(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  const cq_trajectory_def def = make_def(false);
  cq_trajectory_writer *w = NULL;
  memset(values, 0, sizeof values);
  CHECK(cq_trajectory_create(ctx, "record.d", &def, &w) == CQ_OK);
  for (int k = 0; k < FRAMES; k++) {
    CHECK(cq_trajectory_frame(w, k, k) == CQ_OK);
    CHECK(cq_trajectory_put(w, 1, k, values) == CQ_OK);
  }
  CHECK(cq_trajectory_close(w, true) == CQ_OK);
  CHECK(cq_trajectory_bytes(&def, FRAMES) == 4.0 * N * (FRAMES * (3 + 9 + 2) + 1));
  CHECK_MSG(size_of("record.d/trajectory.h5") < 600000, "%ld bytes",
            size_of("record.d/trajectory.h5"));
  cq_ctx_destroy(ctx);
}

/* what is not kept leaves what was there before, and no other file */
static void leaves_nothing(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  const cq_trajectory_def def = make_def(false);
  CHECK(write_all(ctx, &def, true) == CQ_OK);
  const long before = size_of("record.d/trajectory.h5");
  cq_trajectory_writer *w = NULL;
  CHECK(cq_trajectory_create(ctx, "record.d", &def, &w) == CQ_OK);
  CHECK(count_temporaries() == 1);
  CHECK(cq_trajectory_close(w, false) == CQ_OK);
  CHECK(count_temporaries() == 0);
  CHECK(size_of("record.d/trajectory.h5") == before);
  CHECK(cq_trajectory_create(ctx, "record.d/nowhere", &def, &w) == CQ_IO);
  CHECK_MSG(strstr(cq_ctx_error(ctx),
                   "record.d/nowhere/trajectory.h5: No such file or directory") != NULL,
            "%s", cq_ctx_error(ctx));
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

/* every allocation may fail */
static void survives_short_memory(void) {
  const cq_trajectory_def def = make_def(false);
  int failed = 0;
  for (int n = 1; n < 20; n++) {
    cq_ctx *ctx = cq_ctx_create(1, 1);
    cq_trajectory *t = NULL;
    cq_alloc_fail_nth(ctx, n);
    const cq_status written = write_all(ctx, &def, true);
    const cq_status status =
        written == CQ_OK ? cq_trajectory_open(ctx, "record.d/trajectory.h5", &t) : written;
    failed += status == CQ_MEMORY;
    CHECK(status == CQ_OK || status == CQ_MEMORY);
    cq_trajectory_free(t);
    CHECK(cq_ctx_bytes(ctx) == 0);
    cq_ctx_destroy(ctx);
    if (status == CQ_OK) {
      break;
    }
  }
  CHECK_MSG(failed >= 8, "%d failed", failed);
}

static void refused(const char *text, size_t length) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_trajectory *t = NULL;
  FILE *file = fopen("record.d/bad.h5", "w");
  fwrite(text, 1, length, file);
  fclose(file);
  CHECK(cq_trajectory_open(ctx, "record.d/bad.h5", &t) == CQ_IO && t == NULL);
  CHECK_MSG(strstr(cq_ctx_error(ctx), "record.d/bad.h5: cannot read") != NULL, "%s",
            cq_ctx_error(ctx));
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

/* no HDF5, nothing, and a file that is cut off */
static void refuses_bad_files(void) {
  static char text[1 << 22];
  FILE *file = fopen("record.d/trajectory.h5", "r");
  const size_t length = fread(text, 1, sizeof text, file);
  fclose(file);
  CHECK(length > 100000 && length < sizeof text);
  refused("step,particle\n", 14);
  refused("", 0);
  refused(text, length / 2);
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_trajectory *t = NULL;
  CHECK(cq_trajectory_open(ctx, "record.d/none.h5", &t) == CQ_IO);
  CHECK_MSG(strstr(cq_ctx_error(ctx), "No such file or directory") != NULL, "%s",
            cq_ctx_error(ctx));
  cq_ctx_destroy(ctx);
}

static herr_t count_errors(hid_t stack, void *user) {
  (void)stack;
  ++*(int *)user;
  return 0;
}

/* A program that listens to errors of HDF5 hears its own, none of ours. */
static void leaves_errors_to_others(void) {
  int errors = 0;
  H5E_auto2_t before = NULL;
  void *user = NULL;
  H5Eget_auto2(H5E_DEFAULT, &before, &user);
  H5Eset_auto2(H5E_DEFAULT, count_errors, &errors);
  refused("no file of HDF5", 15);
  CHECK(errors == 0);
  CHECK(H5Fopen("record.d/none.h5", H5F_ACC_RDONLY, H5P_DEFAULT) < 0 && errors == 1);
  H5Eset_auto2(H5E_DEFAULT, before, user);
}

/* Images stand in a group of their camera, which readers of fields pass over. */
static void keeps_images(void) {
  enum { WIDE = 3, HIGH = 2 };
  static const cq_recorded_camera cameras[] = {{"top", WIDE, HIGH}, {"ego", 1, 1}};
  double image[WIDE * HIGH] = {0.5, 1.0, 1.5, 2.0, 2.5, 3.0}, found[WIDE * HIGH] = {0.0};
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_trajectory_def def = make_def(false);
  cq_trajectory_writer *w = NULL;
  cq_trajectory *t = NULL;
  def.n_cameras = 2;
  def.cameras = cameras;
  CHECK(cq_trajectory_create(ctx, "record.d", &def, &w) == CQ_OK);
  CHECK(cq_trajectory_put(w, 2, 0, fill(2, 0)) == CQ_OK);
  for (int k = 0; k < 2; k++) {
    image[5] += k;
    CHECK(cq_trajectory_frame(w, k, 0.1 * k) == CQ_OK);
    for (int i = 0; i < 4; i++) {
      CHECK(i == 2 || cq_trajectory_put(w, i, k, fill(i, k)) == CQ_OK);
    }
    CHECK(cq_trajectory_look(w, 0, k, image) == CQ_OK &&
          cq_trajectory_look(w, 1, k, image) == CQ_OK);
  }
  CHECK(cq_trajectory_close(w, true) == CQ_OK);
  const hid_t file = H5Fopen("record.d/trajectory.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t set = H5Dopen2(file, "cameras/top/0001", H5P_DEFAULT);
  const hid_t space = H5Dget_space(set);
  hsize_t size[2] = {0, 0};
  CHECK(H5Sget_simple_extent_ndims(space) == 2 &&
        H5Sget_simple_extent_dims(space, size, NULL) == 2);
  CHECK(size[0] == HIGH && size[1] == WIDE);
  CHECK(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, found) >= 0);
  CHECK(memcmp(found, image, sizeof image) == 0);
  H5Sclose(space);
  H5Dclose(set);
  H5Fclose(file);
  CHECK_MSG(cq_trajectory_open(ctx, "record.d/trajectory.h5", &t) == CQ_OK, "%s",
            cq_ctx_error(ctx));
  CHECK(t->def.n_fields == 4);
  cq_trajectory_free(t);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

int main(void) {
  mkdir("record.d", 0777);
  RUN(keeps_images);
  RUN(comes_back);
  RUN(is_compressed);
  RUN(leaves_nothing);
  RUN(survives_short_memory);
  RUN(refuses_bad_files);
  RUN(leaves_errors_to_others);
  return TEST_RESULT();
}
