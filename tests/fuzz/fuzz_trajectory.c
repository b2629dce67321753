/* trajectory.h5. HDF5 is not proof against bytes that are no file of its own, and what it does with
 * them is not ours to mend: so the bytes are not the file, but say what is made wrong in one that
 * the library has written. Three bytes each: what, which, how. */
#include "fuzz.h"

#include "../small_trajectory.h"
#include "render_run.h"

#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = SMALL_PARTICLES, MOST_CHANGES = 8 };

static char path[256];

static const cq_trajectory_field fields[] = {{"x", "m", 3, false},
                                             {"v", "m/s", 3, false},
                                             {"F", "1", 9, false},
                                             {"actuation", "Pa", 2, false},
                                             {"youngs_modulus", "Pa", 1, true},
                                             {"density", "kg/m^dim", 1, true}};
enum { FIELDS = sizeof fields / sizeof *fields };

/* --- changes --- */

static const char *const places[] = {"time",
                                     "step",
                                     "bodies",
                                     "body",
                                     "particle",
                                     "youngs_modulus",
                                     "density",
                                     "frames/0000/x",
                                     "frames/0000/v",
                                     "frames/0000/F",
                                     "frames/0000/actuation",
                                     "frames/0001/x",
                                     "frames/0001/F",
                                     "frames/0000",
                                     "frames/0001",
                                     "frames"};
enum { PLACES = sizeof places / sizeof *places, DATASETS = 13 };

/* by `how`: a number, a short or a long text, or a pointer to one */
static hid_t make_type(unsigned how) {
  static const size_t lengths[] = {1, 4, 128, 100000};
  if (how % 4 == 0) {
    return H5Tcopy(H5T_NATIVE_INT);
  }
  if (how % 4 == 1) {
    return H5Tcopy(H5T_NATIVE_DOUBLE);
  }
  const hid_t text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, how % 4 == 3 ? H5T_VARIABLE : lengths[how / 4 % 4]);
  /* files of ours are in UTF-8, and no other text is converted to it */
  H5Tset_cset(text, how < 8 ? H5T_CSET_ASCII : H5T_CSET_UTF8);
  if (how / 16 % 2 == 1) {
    H5Tset_strpad(text, H5T_STR_NULLPAD);
  }
  return text;
}

/* by `how`: one, none, or some in up to four axes */
static hid_t make_space(unsigned how) {
  static const hsize_t sizes[] = {0, 1, 2, 3, 6, 7, 9, 1000, 1u << 20, 1u << 31};
  enum { SIZES = sizeof sizes / sizeof *sizes };
  const hsize_t shape[4] = {sizes[how % SIZES], sizes[how / 2 % SIZES], sizes[how / 5 % 7],
                            sizes[how / 11 % 4]};
  return how % 7 == 0   ? H5Screate(H5S_SCALAR)
         : how % 7 == 1 ? H5Screate(H5S_NULL)
                        : H5Screate_simple(1 + (int)(how / 7 % 4), shape, NULL);
}

static void change_attribute(hid_t file, unsigned which, unsigned how) {
  static const char *const names[] = {"cqopt_trajectory", "dimension", "problem", "title"};
  const bool of_root = which % 8 < 4;
  const hid_t at = H5Oopen(file, of_root ? "/" : places[which / 8 % DATASETS], H5P_DEFAULT);
  const char *const name = of_root ? names[which % 4] : "unit";
  const hid_t type = make_type(which / 16), space = make_space(how);
  H5Adelete(at, name);
  if (how < 250) {
    H5Aclose(H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT));
  }
  H5Tclose(type);
  H5Sclose(space);
  H5Oclose(at);
}

static void put_integer(hid_t file, unsigned which, unsigned how) {
  static const int numbers[] = {0, 1, 2, 3, 4, -1, 1000, 0x7fffffff};
  const char *const name = which % 2 == 0 ? "dimension" : "cqopt_trajectory";
  const hid_t at = H5Aopen(file, name, H5P_DEFAULT);
  if (at >= 0 && H5Aget_storage_size(at) == sizeof(int)) {
    H5Awrite(at, H5T_NATIVE_INT, &numbers[how % 8]);
  }
  H5Aclose(at);
}

static void change_dataset(hid_t file, unsigned which, unsigned how) {
  const char *const place = places[which % PLACES];
  const hid_t type = make_type(how / 3), space = make_space(how);
  H5Ldelete(file, place, H5P_DEFAULT);
  if (which < 128) {
    H5Dclose(H5Dcreate2(file, place, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  } else if (which < 160) {
    H5Lcreate_soft(places[how % PLACES], file, place, H5P_DEFAULT, H5P_DEFAULT);
  } else if (which < 192) {
    H5Gclose(H5Gcreate2(file, place, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  }
  H5Tclose(type);
  H5Sclose(space);
}

static void change_numbers(hid_t file, unsigned which, unsigned how) {
  static const double numbers[] = {0.0, -1.0, 1e300, -1e300, 1e9, 2147483647.0, 7.0};
  double values[9 * N];
  for (int i = 0; i < 9 * N; i++) {
    values[i] = how % 8 == 7 ? (double)NAN : i % 3 == (int)(how / 8 % 3) ? numbers[how % 8] : 1.0;
  }
  const hid_t at = H5Dopen2(file, places[which % DATASETS], H5P_DEFAULT);
  const hid_t space = H5Dget_space(at);
  if (H5Sget_simple_extent_npoints(space) <= 9 * N) {
    H5Dwrite(at, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  }
  H5Sclose(space);
  H5Dclose(at);
}

static void change(hid_t file, const uint8_t *how) {
  switch (how[0] % 4) {
  case 0:
    change_attribute(file, how[1], how[2]);
    break;
  case 1:
    change_dataset(file, how[1], how[2]);
    break;
  case 2:
    change_numbers(file, how[1], how[2]);
    break;
  default:
    put_integer(file, how[1], how[2]);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  cq_ctx *const ctx = fuzz_begin();
  cq_motion *m = NULL;
  snprintf(path, sizeof path, "%s/trajectory.h5", fuzz_folder());
  small_trajectory_write(ctx, fuzz_folder(), fields, FIELDS, 0.25);
  const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  for (size_t i = 0; i + 3 <= size && i < 3 * MOST_CHANGES; i += 3) {
    change(file, data + i);
  }
  H5Fclose(file);
  const cq_status status = cli_render_trajectory(ctx, path, &m);
  cq_motion_free(m);
  fuzz_end(ctx, status);
  return 0;
}
