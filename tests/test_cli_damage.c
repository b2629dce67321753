/* trajectory.h5 whose values are not of the kind, number or size that readers expect: each is
 * refused with a sentence that names it. */
#include "render_run.h"

#include "alloc.h"
#include "small_trajectory.h"
#include "test.h"

#include <hdf5.h>
#include <sys/stat.h>

enum { N = SMALL_PARTICLES, FRAMES = SMALL_FRAMES };

static const char path[] = "damage.d/trajectory.h5";
static const cq_trajectory_field right_fields[] = {
    {"x", "m", 3, false}, {"v", "m/s", 3, false}, {"F", "1", 9, false}};

static void write_file(cq_ctx *ctx, const cq_trajectory_field *fields, int n_fields, double value) {
  CHECK(small_trajectory_write(ctx, "damage.d", fields, n_fields, value) == CQ_OK);
}

static void read_says(cq_ctx *ctx, const char *what, const char *sentence) {
  cq_motion *motion = NULL;
  const cq_status status = cli_render_trajectory(ctx, path, &motion);
  CHECK_MSG(status == CQ_IO && motion == NULL, "%s: status %d", what, (int)status);
  CHECK_MSG(strstr(cq_ctx_error(ctx), path) != NULL && strstr(cq_ctx_error(ctx), sentence) != NULL,
            "%s: \"%s\" does not say \"%s\"", what, cq_ctx_error(ctx), sentence);
  cq_motion_free(motion);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

/* --- attributes --- */

static hid_t opened(void) {
  return H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
}

/* Puts count values of a type in the place of an attribute. */
static void replace(const char *object, const char *name, hid_t type, hsize_t count,
                    const void *values) {
  const hid_t file = opened(), at = H5Oopen(file, object, H5P_DEFAULT);
  const hid_t space = count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, NULL);
  CHECK(H5Adelete(at, name) >= 0);
  const hid_t attribute = H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  CHECK(H5Awrite(attribute, type, values) >= 0);
  H5Aclose(attribute);
  H5Sclose(space);
  H5Oclose(at);
  H5Fclose(file);
}

static void refuses_attribute(const char *object, const char *name, hid_t type, hsize_t count,
                              const void *values, const char *sentence) {
  cq_ctx *const ctx = cq_ctx_create(1, 1);
  write_file(ctx, right_fields, 3, 0.25);
  replace(object, name, type, count, values);
  read_says(ctx, name, sentence);
}

static void refuses_arrays(void) {
  static int numbers[1000];
  static char letters[1000 * 16];
  static const char *pointers[1] = {"title"};
  const char *const texts[] = {"problem", "title"};
  const hid_t text = H5Tcopy(H5T_C_S1), pointer = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, 16);
  H5Tset_cset(text, H5T_CSET_UTF8);
  H5Tset_size(pointer, H5T_VARIABLE);
  memset(letters, 'a', sizeof letters);
  for (int i = 0; i < 2; i++) {
    char sentence[64];
    snprintf(sentence, sizeof sentence, "the attribute %s is not one text", texts[i]);
    refuses_attribute("/", texts[i], text, 1000, letters, sentence);
    refuses_attribute("/", texts[i], H5T_NATIVE_INT, 1, numbers, sentence);
    refuses_attribute("/", texts[i], pointer, 1, pointers, sentence);
  }
  refuses_attribute("/frames/0000/x", "unit", text, 1000, letters, "unit is not one text");
  refuses_attribute("/", "dimension", H5T_NATIVE_INT, 1000, numbers, "dimension is not one int");
  refuses_attribute("/", "dimension", text, 1, letters, "dimension is not one int");
  refuses_attribute("/", "cqopt_trajectory", H5T_NATIVE_INT, 1000, numbers,
                    "cqopt_trajectory is not one int");
  H5Tclose(text);
  H5Tclose(pointer);
}

static void refuses_dimensions(void) {
  static const int wrong[] = {1000, 4, 1, 0, -1, -2147483647};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    char sentence[64];
    snprintf(sentence, sizeof sentence, "dimension = %d must be 2 or 3", wrong[i]);
    refuses_attribute("/", "dimension", H5T_NATIVE_INT, 1, &wrong[i], sentence);
  }
}

/* --- fields and lists --- */

static void refuses_components(void) {
  static const struct {
    cq_trajectory_field field;
    const char *sentence;
  } wrong[] = {{{"v", "m/s", 1, false}, "the field v has 1 numbers a particle, not 3"},
               {{"v", "m/s", 9, false}, "the field v has 9 numbers a particle, not 3"},
               {{"v", "m/s", 3, true}, "the field v is not of the frames"}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    cq_ctx *const ctx = cq_ctx_create(1, 1);
    const cq_trajectory_field fields[] = {right_fields[0], wrong[i].field};
    write_file(ctx, fields, 2, 0.25);
    read_says(ctx, wrong[i].field.name, wrong[i].sentence);
  }
}

static void refuses_places(void) {
  static const double wrong[] = {(double)NAN, INFINITY};
  for (int i = 0; i < 2; i++) {
    cq_ctx *const ctx = cq_ctx_create(1, 1);
    write_file(ctx, right_fields, 1, wrong[i]);
    read_says(ctx, "x", "the position of particle 0 in frame 0 is not a number");
  }
}

/* Overwrites the numbers of a list. */
static void overwrite(const char *name, hid_t type, const void *values) {
  const hid_t file = opened(), list = H5Dopen2(file, name, H5P_DEFAULT);
  CHECK(H5Dwrite(list, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  H5Dclose(list);
  H5Fclose(file);
}

static void refuses_lists(void) {
  static const double back[FRAMES] = {1.0, 0.0}, none[FRAMES] = {0.0, (double)NAN};
  static const int far[N] = {0, 0, 7}, below[N] = {-1};
  cq_ctx *ctx = cq_ctx_create(1, 1);
  write_file(ctx, right_fields, 3, 0.25);
  overwrite("time", H5T_NATIVE_DOUBLE, back);
  read_says(ctx, "time", "/time does not ascend");
  ctx = cq_ctx_create(1, 1);
  write_file(ctx, right_fields, 3, 0.25);
  overwrite("time", H5T_NATIVE_DOUBLE, none);
  read_says(ctx, "time", "/time does not ascend");
  for (int i = 0; i < 2; i++) {
    ctx = cq_ctx_create(1, 1);
    write_file(ctx, right_fields, 3, 0.25);
    overwrite("body", H5T_NATIVE_INT, i == 0 ? far : below);
    read_says(ctx, "body", "/body names a body that is not in /bodies");
  }
}

/* A list that takes no room in the file, and would take all memory. */
static void refuses_claims(void) {
  cq_ctx *const ctx = cq_ctx_create(1, 1);
  const hsize_t many = 2000000000;
  write_file(ctx, right_fields, 3, 0.25);
  const hid_t file = opened(), space = H5Screate_simple(1, &many, NULL);
  CHECK(H5Ldelete(file, "time", H5P_DEFAULT) >= 0);
  H5Dclose(H5Dcreate2(file, "time", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Sclose(space);
  H5Fclose(file);
  read_says(ctx, "time", "time claims to be larger than what the file has of it");
}

static void takes_what_is_right(void) {
  cq_ctx *const ctx = cq_ctx_create(1, 1);
  cq_motion *motion = NULL;
  write_file(ctx, right_fields, 3, 0.25);
  CHECK_MSG(cli_render_trajectory(ctx, path, &motion) == CQ_OK, "%s", cq_ctx_error(ctx));
  CHECK(motion->def.n_fields == 2 && motion->def.n_kept == N && motion->takes[0].n_frames == 2);
  cq_motion_free(motion);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

int main(void) {
  mkdir("damage.d", 0777);
  RUN(takes_what_is_right);
  RUN(refuses_arrays);
  RUN(refuses_dimensions);
  RUN(refuses_components);
  RUN(refuses_places);
  RUN(refuses_lists);
  RUN(refuses_claims);
  return TEST_RESULT();
}
