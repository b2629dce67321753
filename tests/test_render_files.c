/* Files of pictures: pixels of known particles, sizes, endings, equal bits, errors. */
#include "picture.h"

#include "alloc.h"
#include "test.h"

#include <unistd.h>

enum { COUNT = 8, FRAMES = 3, WIDTH = 640, HEIGHT = 320 };

static cq_ctx *ctx;
static cq_motion *motion;
static double room[4][3] = {{0.1, 0.1, 0.0}, {0.9, 0.1, 0.0}, {0.9, 0.9, 0.0}, {0.1, 0.9, 0.0}};
static double cross[1][3] = {{0.62, 0.5, 0.0}};
static const cq_prop props[] = {
    {.form = CQ_FORM_POLYGON, .role = "domain", .n = 4, .points = room, .time = (double)NAN},
    {.form = CQ_FORM_POINT, .role = "target", .n = 1, .points = cross, .time = (double)NAN}};

/* Two squares of COUNT x COUNT particles that move apart, near the ground. */
static void make_motion(int dimension) {
  const int n = 2 * COUNT * COUNT;
  const cq_motion_def def = {
      .dimension = dimension, .n_total = n, .n_kept = n, .n_bodies = 2, .n_fields = 1};
  cq_motion_take *take = NULL;
  CHECK(cq_motion_create(ctx, &def, &motion) == CQ_OK);
  CHECK(cq_motion_add(motion, FRAMES, 0, &take) == CQ_OK);
  snprintf(motion->def.bodies[0], CQ_MOTION_TEXT, "left");
  snprintf(motion->def.bodies[1], CQ_MOTION_TEXT, "right");
  snprintf(motion->def.fields[0].name, CQ_MOTION_TEXT, "speed");
  snprintf(motion->def.fields[0].unit, CQ_MOTION_TEXT, "m/s");
  for (int frame = 0; frame < FRAMES; frame++) {
    take->time[take->n_frames++] = 0.5 * frame;
    for (int k = 0; k < n; k++) {
      const int body = k / (COUNT * COUNT), i = k % COUNT, j = k / COUNT % COUNT;
      float *const x = take->x + (size_t)(frame * n + k) * (size_t)dimension;
      motion->def.body[k] = body;
      x[0] = (float)(body == 0 ? 0.3 - 0.05 * frame + 0.02 * i : 0.5 + 0.05 * frame + 0.02 * i);
      x[1] = (float)(0.15 + 0.02 * j);
      if (dimension == 3) {
        x[2] = 0.3F;
      }
      take->fields[frame * n + k] = (float)i;
    }
  }
}

static cq_render_def usual(void) {
  return (cq_render_def){.motion = motion,
                         .props = props,
                         .n_props = 2,
                         .colour = "body",
                         .width = WIDTH,
                         .height = HEIGHT};
}

static cq_render *create(const cq_render_def *def) {
  cq_render *render = NULL;
  CHECK(cq_render_create(ctx, def, &render) == CQ_OK);
  return render;
}

static uint32_t pixel_of(cairo_surface_t *image, double x, double y) {
  const unsigned char *const row =
      cairo_image_surface_get_data(image) + (int)y * cairo_image_surface_get_stride(image);
  uint32_t value;
  memcpy(&value, row + 4 * (int)x, sizeof value);
  return value & 0xffffffU;
}

static uint32_t rgb_of(cq_colour c) {
  return (uint32_t)lround(255.0 * c.r) << 16 | (uint32_t)lround(255.0 * c.g) << 8 |
         (uint32_t)lround(255.0 * c.b);
}

/* Where x is in panel i of a sheet of n. */
static void find(const cq_render *render, int n, int i, const double x[3], double at[3]) {
  cq_layout layout;
  CHECK(cq_sheet_plan(render, n, &layout) == CQ_OK);
  cq_camera camera = render->camera;
  cq_box panel = layout.first;
  panel.x += i % layout.columns * layout.step[0];
  panel.y += i / layout.columns * layout.step[1];
  cq_camera_fit(&camera, render->low, render->high, panel);
  cq_camera_project(&camera, x, at);
}

static uint32_t colour_at(const cq_render *render, cairo_surface_t *image, int n, int i,
                          const double x[3]) {
  double at[3];
  find(render, n, i, x, at);
  return pixel_of(image, at[0], at[1]);
}

static void test_still(void) {
  make_motion(2);
  const cq_render_def def = usual();
  cq_render *const render = create(&def);
  const int frame = cq_render_frame_at(render, 0.6);
  CHECK(frame == 1);
  CHECK(cq_render_file(render, 1, &frame, "still.png") == CQ_OK);
  cairo_surface_t *const image = cairo_image_surface_create_from_png("still.png");
  CHECK(cairo_image_surface_get_width(image) == WIDTH);
  CHECK(cairo_image_surface_get_height(image) == HEIGHT);
  for (int k = 0; k < 2 * COUNT * COUNT; k++) {
    double x[3];
    cq_picture_place(render, frame, k, x);
    CHECK_MSG(colour_at(render, image, 1, 0, x) == rgb_of(cq_palette_hue(motion->def.body[k])),
              "particle %d", k);
  }
  /* between the two, on the target and in the ground */
  CHECK(colour_at(render, image, 1, 0, (const double[3]){0.48, 0.2, 0.0}) == 0xffffff);
  CHECK(colour_at(render, image, 1, 0, cross[0]) == rgb_of(render->inks.accent));
  CHECK(colour_at(render, image, 1, 0, (const double[3]){0.48, 0.09, 0.0}) ==
        rgb_of(render->inks.wall));
  CHECK(pixel_of(image, 1, 1) == 0xffffff);
  cairo_surface_destroy(image);
  cq_render_destroy(render);
  cq_motion_free(motion);
}

/* Each panel has its own frame, and all of them the same scale. */
static void test_sheet(void) {
  make_motion(2);
  cq_render_def def = usual();
  const int frames[FRAMES] = {0, 1, 2};
  def.colour = "speed";
  def.dark = true;
  def.title = "apart";
  cq_render *const render = create(&def);
  CHECK(cq_render_file(render, FRAMES, frames, "sheet.png") == CQ_OK);
  cairo_surface_t *const image = cairo_image_surface_create_from_png("sheet.png");
  for (int i = 0; i < FRAMES; i++) {
    const int k = COUNT * COUNT + COUNT * 3 + COUNT - 1; /* on the right, of the highest speed */
    double x[3];
    cq_picture_place(render, frames[i], k, x);
    CHECK(colour_at(render, image, FRAMES, i, x) == 0xfde725);
  }
  CHECK(pixel_of(image, 1, 1) == rgb_of(render->inks.ground));
  CHECK(pixel_of(image, 1, 1) != 0xffffff);
  cairo_surface_destroy(image);
  cq_render_destroy(render);
  cq_motion_free(motion);
}

/* Along x one body hides the other. */
static void test_space(void) {
  make_motion(3);
  cq_render_def def = usual();
  const int frame = 0;
  for (int seen = 0; seen < 2; seen++) {
    def.azimuth = seen == 1 ? 90.0 : -90.0;
    cq_render *const render = create(&def);
    CHECK(cq_render_file(render, 1, &frame, "space.png") == CQ_OK);
    cairo_surface_t *const image = cairo_image_surface_create_from_png("space.png");
    double x[3];
    for (int body = 0; body < 2; body++) {
      cq_picture_place(render, frame, body * COUNT * COUNT + COUNT * COUNT / 2 + 3, x);
      const uint32_t rgb = colour_at(render, image, 1, 0, x);
      const cq_colour hue = cq_palette_hue(seen);
      const double light = (double)(rgb >> 16) / (255.0 * hue.r);
      CHECK_MSG(light > 0.3 && light <= 1.02, "body %d: %06x", body, rgb);
      CHECK_NEAR((double)(rgb >> 8 & 255U), 255.0 * light * hue.g, 4.0);
      CHECK_NEAR((double)(rgb & 255U), 255.0 * light * hue.b, 4.0);
    }
    cairo_surface_destroy(image);
    cq_render_destroy(render);
  }
  cq_motion_free(motion);
}

/* What moves is where its map has it; a plane ends at the room; what the motion does not know is
 * not drawn. */
static void test_movers(void) {
  enum { MOVERS = 2 };
  double box[4][3] = {{0.3, 0.5, 0.0}, {0.4, 0.5, 0.0}, {0.4, 0.6, 0.0}, {0.3, 0.6, 0.0}};
  double far[4][3] = {{-9.0, 0.0, 0.0}, {9.0, 0.0, 0.0}, {9.0, -9.0, 0.0}, {-9.0, -9.0, 0.0}};
  double all[4][3] = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {1.0, 1.0, 0.0}, {0.0, 1.0, 0.0}};
  const cq_prop moving[] = {
      {.form = CQ_FORM_POLYGON, .role = "room", .n = 4, .points = all},
      {.form = CQ_FORM_POLYGON, .role = "wall", .n = 4, .points = box, .mover = "box"},
      {.form = CQ_FORM_PLANE, .role = "wall", .n = 4, .points = far, .mover = "plane"},
      {.form = CQ_FORM_POLYGON, .role = "wall", .n = 4, .points = box, .mover = "unknown"}};
  make_motion(2);
  motion->def.n_movers = MOVERS;
  cq_free(ctx, motion->def.movers);
  cq_free(ctx, motion->takes[0].maps);
  CHECK(CQ_ALLOC(ctx, motion->def.movers, MOVERS) == CQ_OK);
  CHECK(CQ_ALLOC(ctx, motion->takes[0].maps, FRAMES * MOVERS * CQ_MAP) == CQ_OK);
  snprintf(motion->def.movers[0], CQ_MOTION_TEXT, "box");
  snprintf(motion->def.movers[1], CQ_MOTION_TEXT, "plane");
  for (int k = 0; k < FRAMES; k++) {
    double *const map = motion->takes[0].maps + k * MOVERS * CQ_MAP;
    cq_map_stay(map);
    cq_map_stay(map + CQ_MAP);
    map[3] = 0.2 * k;           /* along x */
    map[CQ_MAP + 7] = 0.06 * k; /* up */
  }
  cq_render_def def = usual();
  def.props = moving;
  def.n_props = 4;
  cq_render *const render = create(&def);
  const uint32_t wall = rgb_of(render->inks.wall);
  const int frames[] = {0, 2};
  CHECK(cq_render_file(render, 2, frames, "moving.png") == CQ_OK);
  cairo_surface_t *const image = cairo_image_surface_create_from_png("moving.png");
  for (int i = 0; i < 2; i++) {
    CHECK(colour_at(render, image, 2, i, (const double[3]){0.35 + 0.4 * i, 0.55, 0.0}) == wall);
    CHECK(colour_at(render, image, 2, i, (const double[3]){0.75 - 0.4 * i, 0.55, 0.0}) == 0xffffff);
    /* the plane is up to 0.12 in the second one */
    CHECK((colour_at(render, image, 2, i, (const double[3]){0.6, 0.1, 0.0}) == wall) == (i == 1));
  }
  CHECK(render->low[1] >= 0.0 && render->high[1] < 0.7 && render->high[0] < 0.9);
  cairo_surface_destroy(image);
  cq_render_destroy(render);
  cq_motion_free(motion);
}

/* The bytes of a file, by malloc. */
static char *read_file(const char *path, size_t *size) {
  enum { MOST = 4 << 20 };
  char *const bytes = malloc(MOST);
  FILE *const file = fopen(path, "rb");
  CHECK(file != NULL);
  *size = file != NULL ? fread(bytes, 1, MOST, file) : 0;
  if (file != NULL) {
    fclose(file);
  }
  return bytes;
}

static void test_same_bits(void) {
  static const struct {
    const char *path, *head;
  } kinds[] = {{"same.png", "\211PNG"}, {"same.svg", "<?xml"}, {"same.pdf", "%PDF"}};
  make_motion(2);
  const cq_render_def def = usual();
  cq_render *const render = create(&def);
  const int frames[2] = {0, 2};
  for (int i = 0; i < 3; i++) {
    size_t sizes[2];
    char *bytes[2];
    for (int pass = 0; pass < 2; pass++) {
      CHECK(cq_render_ends(kinds[i].path, false));
      CHECK(cq_render_file(render, 2, frames, kinds[i].path) == CQ_OK);
      bytes[pass] = read_file(kinds[i].path, &sizes[pass]);
    }
    /* cairo numbers the surfaces of a process, and writes the numbers into SVG */
    CHECK_MSG(sizes[0] == sizes[1], "%s", kinds[i].path);
    CHECK_MSG(strstr(kinds[i].path, "svg") || memcmp(bytes[0], bytes[1], sizes[0]) == 0, "%s",
              kinds[i].path);
    CHECK(strncmp(bytes[0], kinds[i].head, strlen(kinds[i].head)) == 0);
    free(bytes[0]);
    free(bytes[1]);
  }
  cq_render_destroy(render);
  cq_motion_free(motion);
}

static void test_errors(void) {
  make_motion(2);
  cq_render_def def = usual();
  cq_render *render = create(&def);
  const int frame = 0;
  for (int i = 0; cq_render_ending(i, false) != NULL; i++) {
    char path[64];
    snprintf(path, sizeof path, "no-such-folder/a%s", cq_render_ending(i, false));
    CHECK(cq_render_file(render, 1, &frame, path) == CQ_IO);
    CHECK(strstr(cq_ctx_error(ctx), path) != NULL);
    cq_ctx_clear_error(ctx);
  }
  CHECK(!cq_render_ends("a.jpg", false) && !cq_render_ends("png", false));
  CHECK(cq_render_ends("a.gif", true) && !cq_render_ends("a.gif", false));
  cq_render_destroy(render);
  def.width = def.height = 64;
  render = create(&def);
  const int many[20] = {0};
  CHECK(cq_render_file(render, 20, many, "small.png") == CQ_USAGE);
  CHECK(strstr(cq_ctx_error(ctx), "64 x 64 pixels have no room for 20 frames") != NULL);
  CHECK(access("small.png", F_OK) != 0);
  cq_ctx_clear_error(ctx);
  cq_render_destroy(render);
  cq_motion_free(motion);
}

int main(void) {
  char folder[] = "/tmp/cqopt-render-XXXXXX";
  ctx = cq_ctx_create(1, 1);
  if (mkdtemp(folder) == NULL || chdir(folder) != 0) {
    printf("no folder\n");
    return 1;
  }
  RUN(test_still);
  RUN(test_sheet);
  RUN(test_space);
  RUN(test_movers);
  RUN(test_same_bits);
  RUN(test_errors);
  const char *const files[] = {"still.png", "sheet.png", "space.png", "moving.png",
                               "same.png",  "same.svg",  "same.pdf"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    unlink(files[i]);
  }
  CHECK(rmdir(folder) == 0); /* nothing else is left */
  cq_ctx_destroy(ctx);
  return TEST_RESULT();
}
