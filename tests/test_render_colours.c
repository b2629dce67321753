/* Colour maps, the camera, sizes and colours of particles, spheres. */
#include "camera.h"
#include "paint.h"
#include "splat.h"
#include "test.h"

static cq_ctx *ctx;

/* --- colours --- */

static double luminance(cq_colour c) {
  return 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b;
}

static void check_colour(cq_colour a, unsigned rgb) {
  const cq_colour b = cq_colour_of(rgb);
  CHECK_NEAR(a.r, b.r, 1e-12);
  CHECK_NEAR(a.g, b.g, 1e-12);
  CHECK_NEAR(a.b, b.b, 1e-12);
}

static void test_maps(void) {
  const int viridis = cq_palette_find("viridis"), coolwarm = cq_palette_find("coolwarm");
  CHECK(viridis >= 0 && coolwarm >= 0 && cq_palette_find("magma") >= 0);
  CHECK(cq_palette_find("jet") == -1);
  check_colour(cq_palette_at(viridis, 0.0), 0x440154);
  check_colour(cq_palette_at(viridis, 1.0), 0xfde725);
  check_colour(cq_palette_at(viridis, 7.0), 0xfde725);
  check_colour(cq_palette_at(viridis, -1.0), 0x440154);
  check_colour(cq_palette_at(coolwarm, 0.5), 0xdddddd);
  check_colour(cq_palette_at(coolwarm, (double)NAN), 0xdddddd);
  /* between two stops: half of each */
  check_colour(cq_palette_at(cq_palette_find("gray"), 1.0 / 16.0), 0x2c2c2c);
}

/* From little to much they get lighter all the way; of two signs the middle is the lightest. */
static void test_lightness(void) {
  for (int map = 0; cq_palette_name(map) != NULL; map++) {
    const bool has_signs = strcmp(cq_palette_name(map), "coolwarm") == 0;
    for (int i = 1; i <= 100; i++) {
      const double before = luminance(cq_palette_at(map, (i - 1) / 100.0));
      const double after = luminance(cq_palette_at(map, i / 100.0));
      CHECK_MSG(has_signs && i > 50 ? after < before : after > before, "%s at %d %%",
                cq_palette_name(map), i);
    }
  }
}

static void test_hues(void) {
  for (int i = 0; i < CQ_HUES; i++) {
    for (int j = 0; j < i; j++) {
      const cq_colour a = cq_palette_hue(i), b = cq_palette_hue(j);
      CHECK_MSG(fabs(a.r - b.r) + fabs(a.g - b.g) + fabs(a.b - b.b) > 0.2, "hues %d and %d", i, j);
    }
  }
}

/* --- the camera --- */

static void test_camera_axes(void) {
  for (int azimuth = -350; azimuth <= 350; azimuth += 70) {
    for (int elevation = -90; elevation <= 90; elevation += 30) {
      const cq_camera c = cq_camera_at(azimuth, elevation);
      for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3, d = (a + 2) % 3;
        CHECK_NEAR(c.right[b] * c.up[d] - c.right[d] * c.up[b], c.toward[a], 1e-14);
        CHECK_NEAR(c.up[b] * c.toward[d] - c.up[d] * c.toward[b], c.right[a], 1e-14);
      }
      CHECK(c.up[1] > -1e-15); /* y is never upside down */
    }
  }
}

static void test_camera_views(void) {
  double azimuth = 0.0, elevation = 0.0, turned[3];
  const double x[3] = {1.0, 2.0, 3.0};
  const struct {
    const char *text;
    double right, up, toward;
  } views[] = {{"z", 1.0, 2.0, 3.0},
               {"x", -3.0, 2.0, 1.0},
               {"y", 1.0, -3.0, 2.0},
               {"-90,0", 3.0, 2.0, -1.0}};
  for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
    CHECK(cq_camera_parse(views[i].text, &azimuth, &elevation));
    const cq_camera c = cq_camera_at(azimuth, elevation);
    cq_camera_turn(&c, x, turned);
    CHECK_NEAR(turned[0], views[i].right, 1e-14);
    CHECK_NEAR(turned[1], views[i].up, 1e-14);
    CHECK_NEAR(turned[2], views[i].toward, 1e-14);
  }
  const char *const wrong[] = {"", "w", "30", "30,", "30,20,1", "30,91", "400,0", "xy", ",20"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    CHECK_MSG(!cq_camera_parse(wrong[i], &azimuth, &elevation), "\"%s\"", wrong[i]);
  }
}

static void test_camera_fit(void) {
  const double low[2] = {-1.0, 2.0}, high[2] = {3.0, 3.0};
  const cq_box box = {10.0, 20.0, 400.0, 300.0};
  cq_camera c = cq_camera_at(0.0, 0.0);
  double at[3];
  cq_camera_fit(&c, low, high, box);
  CHECK_NEAR(c.scale, 100.0, 1e-12);
  cq_camera_project(&c, (const double[3]){-1.0, 2.0, 0.5}, at);
  CHECK_NEAR(at[0], 10.0, 1e-12);
  CHECK_NEAR(at[1], 220.0, 1e-12); /* the lower one of 2 to 3, in the middle of 20 to 320 */
  CHECK_NEAR(at[2], 50.0, 1e-12);
  cq_camera_project(&c, (const double[3]){3.0, 3.0, 0.0}, at);
  CHECK_NEAR(at[0], 410.0, 1e-12);
  CHECK_NEAR(at[1], 120.0, 1e-12);
}

/* --- particles --- */

/* A motion of one frame: a field and a fixed field, all of body 0 but the second half of `two`. */
static cq_motion *make_motion(int dimension, int n, bool two) {
  const cq_motion_def def = {.dimension = dimension,
                             .n_total = n,
                             .n_kept = n,
                             .n_bodies = two ? 2 : 1,
                             .n_fields = 1,
                             .n_fixed = 1};
  cq_motion *motion = NULL;
  cq_motion_take *take = NULL;
  CHECK(cq_motion_create(ctx, &def, &motion) == CQ_OK);
  CHECK(cq_motion_add(motion, 1, 0, &take) == CQ_OK);
  take->n_frames = 1;
  for (int k = 0; k < n; k++) {
    motion->def.body[k] = two && k >= n / 2;
  }
  snprintf(motion->def.fields[0].name, CQ_MOTION_TEXT, "actuation");
  snprintf(motion->def.fields[0].unit, CQ_MOTION_TEXT, "of max");
  snprintf(motion->def.fixed[0].name, CQ_MOTION_TEXT, "youngs_modulus");
  snprintf(motion->def.fixed[0].unit, CQ_MOTION_TEXT, "Pa");
  return motion;
}

/* Puts particles first ... on a lattice of so many each way; returns how many. */
static int put_lattice(float *x, int dimension, const int *counts, double spacing, double at) {
  const int deep = dimension == 3 ? counts[2] : 1;
  int n = 0;
  for (int k = 0; k < deep; k++) {
    for (int j = 0; j < counts[1]; j++) {
      for (int i = 0; i < counts[0]; i++, n++) {
        const int place[3] = {i, j, k};
        for (int a = 0; a < dimension; a++) {
          x[n * dimension + a] = (float)(at + (place[a] + 0.5) * spacing);
        }
      }
    }
  }
  return n;
}

static void test_radii(void) {
  const double pi = acos(-1.0), swell = 1.25;
  const int counts[3] = {23, 14, 9};
  double radii[2];
  /* two bodies of other spacings */
  cq_motion *motion = make_motion(2, 2 * 23 * 14, true);
  float *const x = motion->takes[0].x;
  const int n = put_lattice(x, 2, counts, 0.01, 0.3);
  put_lattice(x + (size_t)2 * (size_t)n, 2, counts, 0.02, 3.0);
  CHECK(cq_paint_radii(motion, 0, radii) == CQ_OK);
  CHECK_NEAR(radii[0], swell * 0.01 / sqrt(pi), 0.03 * swell * 0.01 / sqrt(pi));
  CHECK_NEAR(radii[1], 2.0 * radii[0], 1e-3 * radii[0]);
  /* three times as wide as high: half the diagonal of a cell */
  for (int k = 0; k < n; k++) {
    x[2 * k] *= 3.0F;
  }
  CHECK(cq_paint_radii(motion, 0, radii) == CQ_OK);
  CHECK_NEAR(radii[0], 0.5 * hypot(0.03, 0.01), 1e-3 * 0.01);
  cq_motion_free(motion);
  /* in space */
  motion = make_motion(3, 23 * 14 * 9, false);
  put_lattice(motion->takes[0].x, 3, counts, 0.1, -1.0);
  CHECK(cq_paint_radii(motion, 0, radii) == CQ_OK);
  CHECK_NEAR(radii[0], swell * 0.1 * cbrt(0.75 / pi), 0.03 * swell * 0.1 * cbrt(0.75 / pi));
  cq_motion_free(motion);
  /* scattered: the room of a particle is that of all over their number */
  enum { SCATTERED = 2000 };
  motion = make_motion(2, SCATTERED, false);
  uint32_t state = 1;
  for (int i = 0; i < 2 * SCATTERED; i++) {
    state = 1664525U * state + 1013904223U;
    motion->takes[0].x[i] = (float)(state >> 8) / 16777216.0F;
  }
  CHECK(cq_paint_radii(motion, 0, radii) == CQ_OK);
  CHECK_NEAR(radii[0], swell / sqrt(pi * SCATTERED), 0.15 * swell / sqrt(pi * SCATTERED));
  cq_motion_free(motion);
  /* balls far from each other are as large as they are, but where some have been left out */
  motion = make_motion(2, 8, false);
  snprintf(motion->def.fixed[0].name, CQ_MOTION_TEXT, "radius");
  for (int k = 0; k < 8; k++) {
    motion->takes[0].x[2 * k] = 0.1F * (float)k;
    motion->takes[0].fixed[k] = k % 2 == 0 ? 0.004F : 0.006F;
  }
  CHECK(cq_paint_radii(motion, 0, radii) == CQ_OK);
  CHECK_NEAR(radii[0], 0.005, 1e-9);
  motion->def.n_total = 16;
  CHECK(cq_paint_radii(motion, 0, radii) == CQ_OK && radii[0] > 0.05);
  cq_motion_free(motion);
  /* a single particle, and two, have some size */
  for (int few = 1; few <= 2; few++) {
    motion = make_motion(2, few, false);
    CHECK(cq_paint_radii(motion, 0, radii) == CQ_OK && radii[0] > 0.0);
    cq_motion_free(motion);
  }
}

static void test_levels(void) {
  cq_motion *const motion = make_motion(2, 3, false);
  cq_motion_take *const take = &motion->takes[0];
  const float actuation[3] = {-0.2F, 0.0F, 0.1F}, modulus[3] = {4e4F, 1e5F, 4e5F};
  cq_paint paint;
  memcpy(take->fields, actuation, sizeof actuation);
  memcpy(take->fixed, modulus, sizeof modulus);
  CHECK(cq_paint_make(motion, 0, "actuation", NULL, NULL, &paint) == CQ_OK);
  CHECK_STR(paint.label, "actuation [of max]");
  CHECK_STR(cq_palette_name(paint.map), "coolwarm");
  CHECK_NEAR(paint.low, -0.2, 1e-7);
  CHECK_NEAR(paint.high, 0.2, 1e-7); /* 0 is in the middle */
  CHECK(cq_paint_level(&paint, motion, 0, 0, 0) == 0);
  CHECK(cq_paint_level(&paint, motion, 0, 0, 1) == 128);
  CHECK(cq_paint_level(&paint, motion, 0, 0, 2) == 191);
  CHECK(cq_paint_make(motion, 0, "youngs_modulus", "magma", NULL, &paint) == CQ_OK);
  CHECK_STR(paint.label, "youngs modulus [kPa]");
  CHECK_STR(cq_palette_name(paint.map), "magma");
  CHECK_NEAR(paint.high / paint.unit, 400.0, 1e-9);
  CHECK(cq_paint_level(&paint, motion, 0, 0, 2) == CQ_PAINT_LEVELS - 1);
  const double range[2] = {1e5, 2e5};
  CHECK(cq_paint_make(motion, 0, "youngs_modulus", NULL, range, &paint) == CQ_OK);
  CHECK(cq_paint_level(&paint, motion, 0, 0, 0) == 0);
  CHECK(cq_paint_level(&paint, motion, 0, 0, 1) == 0);
  CHECK(cq_paint_level(&paint, motion, 0, 0, 2) == CQ_PAINT_LEVELS - 1);
  CHECK(cq_paint_make(motion, 0, "speed", NULL, NULL, &paint) == CQ_CONFIG);
  CHECK_STR(cq_ctx_error(ctx), "this motion has no speed to colour it by; known are: "
                               "body, actuation, youngs_modulus");
  cq_ctx_clear_error(ctx);
  cq_motion_free(motion);
}

static void test_numbers(void) {
  static const struct {
    double value;
    const char *text;
  } rows[] = {{0.0, "0"},         {0.12345, "0.123"}, {1234.0, "1230"},
              {99940.0, "99900"}, {4e5, "4e+05"},     {-0.5, "\342\210\2220.5"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[32];
    cq_paint_number(rows[i].value, text, sizeof text);
    CHECK_STR(text, rows[i].text);
  }
}

/* --- spheres --- */

enum { SIDE = 40 };

static uint32_t pixel_at(const uint32_t *pixels, int x, int y) {
  return pixels[y * SIDE + x];
}

static void test_spheres(void) {
  static uint32_t pixels[SIDE * SIDE];
  const cq_colour red = {1.0, 0.0, 0.0}, green = {0.0, 1.0, 0.0};
  /* the green one is behind the red one, and drawn after it; one lies outside */
  const cq_splat splats[] = {{15.0, 15.0, 5.0, 8.0, 32.0, 0.5, red},
                             {20.0, 15.0, -20.0, 8.0, (double)NAN, 0.5, green},
                             {-50.0, 500.0, 0.0, 8.0, 700.0, 0.5, green}};
  const cq_splats all = {.n = 3, .splats = splats};
  CHECK(cq_splat_draw(ctx, &all, 32.0, 0.2, SIDE, SIDE, 4 * SIDE, (unsigned char *)pixels) ==
        CQ_OK);
  const uint32_t front = pixel_at(pixels, 18, 15), back = pixel_at(pixels, 26, 15);
  CHECK(front >> 24 == 255 && (front & 0xffffU) == 0 && (front >> 16 & 255U) > 100);
  CHECK(back >> 24 == 255 && (back >> 16 & 255U) == 0 && (back >> 8 & 255U) > 60);
  CHECK(pixel_at(pixels, 38, 2) == 0);
  /* the lamp is above on the left */
  CHECK((pixel_at(pixels, 12, 10) >> 16 & 255U) > (pixel_at(pixels, 18, 21) >> 16 & 255U) + 60U);
  /* a shadow is black, and as dark as it was told to be */
  CHECK(pixel_at(pixels, 15, 32) == (uint32_t)(0.2 * 255.0 + 0.5) << 24);
  CHECK(pixel_at(pixels, 15, 37) == 0);
}

/* Two triangles, the green one behind the red one, which faces the lamp on its left side alone; and
 * a sphere in front of both. */
static void test_triangles(void) {
  static uint32_t pixels[SIDE * SIDE];
  const cq_colour red = {1.0, 0.0, 0.0}, green = {0.0, 1.0, 0.0}, blue = {0.0, 0.0, 1.0};
  const double none = (double)NAN;
  const cq_corner faces[2][3] = {{{2.0, 2.0, 5.0, 38.0, {-0.6, 0.0, 0.8}, red},
                                  {2.0, 30.0, 5.0, 33.0, {-0.6, 0.0, 0.8}, red},
                                  {30.0, 30.0, 5.0, 34.0, {0.8, 0.0, 0.6}, red}},
                                 {{2.0, 2.0, -9.0, none, {0.0, 0.0, 1.0}, green},
                                  {30.0, 30.0, -9.0, none, {0.0, 0.0, 1.0}, green},
                                  {30.0, 2.0, 20.0, none, {0.0, 0.0, 1.0}, green}}};
  const cq_splat ball = {6.0, 20.0, 8.0, 3.0, none, 0.5, blue};
  const cq_splats all = {1, 2, &ball, faces};
  CHECK(cq_splat_draw(ctx, &all, 100.0, 0.2, SIDE, SIDE, 4 * SIDE, (unsigned char *)pixels) ==
        CQ_OK);
  const uint32_t left = pixel_at(pixels, 3, 12), right = pixel_at(pixels, 26, 28);
  CHECK(left >> 24 == 255 && (left & 0xffffU) == 0 && right >> 24 == 255);
  CHECK((left >> 16 & 255U) > (right >> 16 & 255U) + 60U);
  CHECK((pixel_at(pixels, 28, 8) >> 8 & 255U) > 100 && (pixel_at(pixels, 28, 8) >> 16 & 255U) == 0);
  CHECK((pixel_at(pixels, 6, 20) & 255U) > 100 && pixel_at(pixels, 6, 20) << 8 >> 16 == 0);
  CHECK(pixel_at(pixels, 36, 20) == 0);
  /* of one that has it there is a shadow, below */
  CHECK(pixel_at(pixels, 10, 35) == (uint32_t)(0.2 * 255.0 + 0.5) << 24);
  /* no pixel within both is left open where they meet */
  for (int i = 4; i < 28; i++) {
    CHECK(pixel_at(pixels, i, i) >> 24 == 255);
  }
}

int main(void) {
  ctx = cq_ctx_create(1, 1);
  RUN(test_maps);
  RUN(test_lightness);
  RUN(test_hues);
  RUN(test_camera_axes);
  RUN(test_camera_views);
  RUN(test_camera_fit);
  RUN(test_radii);
  RUN(test_levels);
  RUN(test_numbers);
  RUN(test_spheres);
  RUN(test_triangles);
  cq_ctx_destroy(ctx);
  return TEST_RESULT();
}
