/* Files with meshes: the same body from every format, and what is wrong with damaged ones. */
#include "mesh.h"
#include "mesh_maker.h"

#include <stdarg.h>

enum { ROOM = 400000 };

static cq_ctx *ctx;
static char text[ROOM + 1];
static size_t size;

static void put(const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  size += (size_t)vsnprintf(text + size, ROOM - size, fmt, args);
  va_end(args);
}

static void put_bytes(const void *bytes, size_t n) {
  memcpy(text + size, bytes, n);
  size += n;
  text[size] = '\0';
}

/* a number of so many bytes, the lowest first or last */
static void put_ordered(const void *number, size_t n, bool big) {
  for (size_t i = 0; i < n; i++) {
    put_bytes((const char *)number + (big ? n - 1 - i : i), 1);
  }
}

static void put_floats(const double *x) {
  for (int a = 0; a < 3; a++) {
    const float number = (float)x[a];
    put_bytes(&number, sizeof number);
  }
}

static void begin(void) {
  size = 0;
}

static void stl_binary(const cq_surface *s) {
  const uint32_t n = (uint32_t)s->n_faces;
  const double normal[3] = {0, 0, 1};
  begin();
  put("%-80s", "solid, but a binary one all the same");
  put_bytes(&n, 4);
  for (int f = 0; f < s->n_faces; f++) {
    put_floats(normal);
    for (int k = 0; k < 3; k++) {
      put_floats(s->vertices + 3 * s->faces[3 * f + k]);
    }
    put_bytes("\0", 2);
  }
}

static void stl_ascii(const cq_surface *s) {
  begin();
  put("solid part of a robot\r\n");
  for (int f = 0; f < s->n_faces; f++) {
    put("  facet normal 0 0 1\r\n    outer loop\r\n");
    for (int k = 0; k < 3; k++) {
      const double *x = s->vertices + 3 * s->faces[3 * f + k];
      put("      VERTEX %.17g %.17g %.17g\r\n", x[0], x[1], x[2]);
    }
    put("    endloop\r\n  endfacet\r\n");
  }
  put("endsolid part of a robot\r\n");
}

static void obj(const cq_surface *s) {
  begin();
  put("# a part\nmtllib none.mtl\no part\nvn 0 0 1\nvt 0 0\n");
  for (int i = 0; i < s->n_vertices; i++) {
    const double *x = s->vertices + 3 * i;
    put("v %.17g %.17g %.17g 1.0\n", x[0], x[1], x[2]);
  }
  for (int f = 0; f < s->n_faces; f++) {
    const int *v = s->faces + 3 * f;
    put("f %d/1/1 %d//1 %d # and so on\n", v[0] + 1, v[1] - s->n_vertices, v[2] + 1);
  }
}

static void ply_head(const cq_surface *s, const char *format) {
  begin();
  put("ply\nformat %s 1.0\ncomment by hand\nelement vertex %d\nproperty double x\nproperty float "
      "quality\nproperty double z\nproperty float64 y\nproperty list uchar short more\n"
      "element face %d\nproperty uchar red\nproperty list uchar int vertex_indices\nelement edge "
      "1\nproperty int a\nend_header\n",
      format, s->n_vertices, s->n_faces);
}

static void ply_ascii(const cq_surface *s) {
  ply_head(s, "ascii");
  for (int i = 0; i < s->n_vertices; i++) {
    const double *x = s->vertices + 3 * i;
    put("%.17g 0.5 %.17g %.17g 2 7 8\n", x[0], x[2], x[1]);
  }
  for (int f = 0; f < s->n_faces; f++) {
    put("255 3 %d %d %d\n", s->faces[3 * f], s->faces[3 * f + 1], s->faces[3 * f + 2]);
  }
  put("12\n");
}

/* Numbers of every size, the lowest byte first or last. */
static void ply_binary(const cq_surface *s, bool big) {
  const float quality = 0.5F;
  const int16_t more = 7;
  const int edge = 12;
  ply_head(s, big ? "binary_big_endian" : "binary_little_endian");
  for (int i = 0; i < s->n_vertices; i++) {
    const double *x = s->vertices + 3 * i;
    put_ordered(&x[0], 8, big);
    put_ordered(&quality, 4, big);
    put_ordered(&x[2], 8, big);
    put_ordered(&x[1], 8, big);
    put_bytes("\1", 1);
    put_ordered(&more, 2, big);
  }
  for (int f = 0; f < s->n_faces; f++) {
    put_bytes("\377\3", 2);
    for (int k = 0; k < 3; k++) {
      put_ordered(&s->faces[3 * f + k], 4, big);
    }
  }
  put_ordered(&edge, 4, big);
}

static void ply_little(const cq_surface *s) {
  ply_binary(s, false);
}

static void ply_big(const cq_surface *s) {
  ply_binary(s, true);
}

static const struct {
  const char *name;
  void (*write)(const cq_surface *s);
  bool exact; /* numbers keep their bits */
} formats[] = {{"part.stl", stl_binary, false}, {"part.STL", stl_ascii, true},
               {"part.obj", obj, true},         {"part.ply", ply_ascii, true},
               {"part.ply", ply_little, true},  {"part.ply", ply_big, true}};

/* A gear from each format is the gear. */
static void every_format(void) {
  cq_surface s = maker_gear(ctx, 5, 0.7, 1.0, 0.3);
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    cq_surface read;
    int turned = 1;
    formats[i].write(&s);
    CHECK_MSG(cq_surface_parse(ctx, formats[i].name, text, size, &read) == CQ_OK, "%s",
              cq_ctx_error(ctx));
    CHECK_MSG(cq_surface_mend(ctx, formats[i].name, &read, &turned) == CQ_OK, "%s",
              cq_ctx_error(ctx));
    CHECK(turned == 0 && read.n_vertices == s.n_vertices && read.n_faces == s.n_faces);
    for (int k = 0; k < 3 * read.n_faces; k++) {
      const double *a = read.vertices + 3 * read.faces[k], *b = s.vertices + 3 * s.faces[k];
      for (int axis = 0; axis < 3; axis++) {
        CHECK_NEAR(a[axis], b[axis], formats[i].exact ? 0.0 : 1e-7);
      }
    }
    cq_surface_free(ctx, &read);
    cq_ctx_clear_error(ctx);
  }
  cq_surface_free(ctx, &s);
}

/* polygons become triangles */
static void polygons(void) {
  cq_surface s;
  int turned = 1;
  begin();
  put("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
      "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n");
  CHECK(cq_surface_parse(ctx, "cube.obj", text, size, &s) == CQ_OK);
  CHECK(cq_surface_mend(ctx, "cube.obj", &s, &turned) == CQ_OK);
  CHECK(s.n_faces == 12 && turned == 0);
  cq_surface_free(ctx, &s);
}

static void refuse(const char *name, const char *words) {
  cq_surface s;
  CHECK_MSG(cq_surface_parse(ctx, name, text, size, &s) != CQ_OK, "%s: %s was read", name, words);
  CHECK_MSG(strstr(cq_ctx_error(ctx), words) != NULL, "\"%s\" is not in \"%s\"", words,
            cq_ctx_error(ctx));
  CHECK(strchr(cq_ctx_error(ctx), '\n') == NULL);
  CHECK(s.vertices == NULL && s.faces == NULL);
  cq_ctx_clear_error(ctx);
}

static void refuse_text(const char *name, const char *content, const char *words) {
  begin();
  put("%s", content);
  refuse(name, words);
}

/* One sentence each. */
static void damaged(void) {
  const uint32_t many = 1000000000;
  const double low[3] = {0, 0, 0}, high[3] = {1, 1, 1};
  cq_surface s = maker_box(ctx, low, high);
  stl_binary(&s);
  size -= 7;
  refuse("a.stl", "a.stl: not an STL file, or cut off: a binary one of 12 triangles");
  stl_binary(&s);
  text[0] = 'b';
  memcpy(text + 80, &many, 4);
  refuse("a.stl", "a binary one of 1000000000 triangles, as it says, has 50000000084 bytes, and "
                  "this one 684");
  stl_ascii(&s);
  size = (size_t)(strstr(text + size / 2, "  facet") - text); /* between two facets */
  text[size] = '\0';
  refuse("a.stl", "a.stl: is cut off: it does not end by endsolid");
  ply_little(&s);
  size -= 30;
  refuse("a.ply", "a.ply: is cut off");
  ply_ascii(&s);
  size -= 20;
  refuse("a.ply", "a.ply: is cut off");
  cq_surface_free(ctx, &s);
  refuse_text("a.step", "", "ends in .stl, .obj or .ply");
  refuse_text("a.stl", "", "it has 0 bytes");
  refuse_text("a.stl", "solid\nfacet\nouter loop\nvertex 0 0 nan\n",
              "a.stl:4: \"nan\" is not a number");
  refuse_text("a.stl", "solid\nfacet\nvertex 0 0 1,5\n",
              "a.stl:3: \"1,5\" is not a number; write a");
  refuse_text("a.stl", "solid\nfacet\nvertex 0 0\n", "a.stl:3: 3 numbers are needed, not 2");
  refuse_text("a.stl", "solid\nfacet\nvertex 0 0 0\nendfacet\n", "must have 3 corners, not 1");
  refuse_text("a.stl", "solid\nfacet\nvertex 0 0 0\n", "is cut off: it does not end by endsolid");
  refuse_text("a.stl", "solid\nendsolid\n", "a.stl: has no faces");
  refuse_text("a.stl", "solid\nwhat\n", "a.stl:2: \"what\" is no word of an STL file");
  refuse_text("a.obj", "v 0 0 0\nf 1 2 3\n", "a.obj:2: \"2\" is no vertex; there are 1 before");
  refuse_text("a.obj", "v 0 0 0\nf 1 1\n", "a.obj:2: a face of 2 vertices");
  refuse_text("a.obj", "v 0 0 0\nf 99999999999999999999 1 1\n", "is no vertex");
  refuse_text("a.obj", "v 0 0 1e999\n", "a.obj:1: \"1e999\" is not a number to calculate with");
  refuse_text("a.obj", "cstype bezier\ncurv 0 1 1 2\n", "a.obj:2: curved surfaces");
  refuse_text("a.ply", "plx\n", "not a PLY file");
  refuse_text("a.ply", "ply\nformat binary 1.0\n", "a.ply:2: unknown format \"binary\"");
  refuse_text("a.ply",
              "ply\nformat ascii 1.0\nelement vertex 1000000000\nproperty float x\n"
              "property float y\nproperty float z\nend_header\n0 0 0\n",
              "a.ply: is cut off: what its header says follows has 6000000000 bytes or more, and "
              "there are 6");
  refuse_text("a.ply", "ply\nformat ascii 1.0\nelement vertex 1000000000\nend_header\n",
              "no properties has the element \"vertex\"");
  refuse_text("a.ply", "ply\nformat ascii 1.0\nelement vertex -1\n",
              "the number of elements is \"-1\"");
  refuse_text("a.ply", "ply\nformat ascii 1.0\nproperty float x\n", "before the first element");
  refuse_text("a.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n1\n",
              "vertices have no x, y and z");
  refuse_text("a.ply",
              "ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int "
              "vertex_indices\nend_header\n2 0 1\n",
              "a face of 2 vertices");
  refuse_text("a.ply",
              "ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int "
              "vertex_index\nend_header\n3 0 1 -1\n",
              "a face has a vertex -1");
  refuse_text("a.ply", "ply\nformat ascii 1.0\n", "the header has no line \"end_header\"");
}

/* --- pictures --- */

static const cq_mesh *mask_mesh(const char *name, void **memory) {
  static const double still[3] = {0, 0, 0};
  const cq_mesh *mesh = NULL;
  cq_surface s;
  int turned;
  CHECK_MSG(cq_mask_parse(ctx, name, text, size, &s) == CQ_OK, "%s", cq_ctx_error(ctx));
  CHECK_MSG(cq_surface_mend(ctx, name, &s, &turned) == CQ_OK, "%s", cq_ctx_error(ctx));
  CHECK(cq_alloc(ctx, memory, cq_mesh_bytes(&s), 1) == CQ_OK);
  CHECK(cq_mesh_make(ctx, &s, 1.0, still, *memory, &mesh) == CQ_OK);
  cq_surface_free(ctx, &s);
  return mesh;
}

/* how much of the pixel at (x, y) from the centre a ring covers, nearly */
static double ring(double x, double y) {
  const double r = sqrt(x * x + y * y);
  return fmax(0.0, fmin(1.0, fmin(20.0 - r, r - 8.0) + 0.5));
}

/* A ring with grey rims, one byte a pixel, two, or in words: radii 8 and 20 about (30, 25). */
static void masks(void) {
  for (int kind = 0; kind < 3; kind++) {
    void *memory = NULL;
    const int white = kind == 1 ? 1000 : 255;
    begin();
    put("P%d # made here\n60 50\n# and there\n%d\n", kind == 2 ? 2 : 5, white);
    for (int i = 0; i < 60 * 50; i++) { /* from the top */
      const int value = (int)lround(white * ring(i % 60 + 0.5 - 30, 49 - i / 60 + 0.5 - 25));
      if (kind == 2) {
        put("%d\n", value);
      } else {
        const char bytes[2] = {(char)(kind == 1 ? value >> 8 : value), (char)value};
        put_bytes(bytes, kind == 1 ? 2 : 1);
      }
    }
    const cq_mesh *mesh = mask_mesh("ring.pgm", &memory);
    const cq_mesh_moments m = cq_mesh_moments_of(mesh);
    CHECK_NEAR(m.volume, maker_pi * (400 - 64), 0.002 * maker_pi * 400);
    CHECK_NEAR(m.center[0], 30.0, 1e-3);
    CHECK_NEAR(m.center[1], 25.0, 1e-3);
    CHECK_NEAR(mesh->high[0], 50.0, 0.05);
    CHECK_NEAR(mesh->low[1], 5.0, 0.05);
    const cq_shape s = {.kind = CQ_SHAPE_mesh, .dim = 2, .mesh = mesh};
    CHECK_NEAR(cq_shape_distance(&s, (double[]){30, 25}), 8.0, 0.05);
    CHECK_NEAR(cq_shape_distance(&s, (double[]){30, 38}), -5.0, 0.05);
    cq_free(ctx, memory);
  }
}

/* Corners that touch are apart or joined, but never one point; and what reaches the border ends
 * there. */
static void checkers(void) {
  void *memory = NULL;
  begin();
  put("P2 3 3 1  1 0 1  0 1 0  1 0 1");
  const cq_mesh *mesh = mask_mesh("checkers.pgm", &memory);
  CHECK_NEAR(mesh->volume, 5 * 0.5, 0.1 + 4 * 0.5);
  CHECK(mesh->volume > 2.0 && mesh->low[0] == 0.0 && mesh->high[1] == 3.0);
  cq_free(ctx, memory);
}

static void refuse_mask(const char *name, const char *content, const char *words) {
  cq_surface s;
  begin();
  put("%s", content);
  CHECK(cq_mask_parse(ctx, name, text, size, &s) != CQ_OK && s.vertices == NULL);
  CHECK_MSG(strstr(cq_ctx_error(ctx), words) != NULL, "\"%s\" is not in \"%s\"", words,
            cq_ctx_error(ctx));
  cq_ctx_clear_error(ctx);
}

static void damaged_masks(void) {
  refuse_mask("a.pgm", "P6 1 1 1 1", "a.pgm: not a PGM file");
  refuse_mask("a.pgm", "P2 1 1", "is cut off, or its largest value");
  refuse_mask("a.pgm", "P5 1000000 1000000 255\n", "1000000 x 1000000 pixels need 1000000000000");
  refuse_mask("a.pgm", "P2 2 2 9\n1 2 3 10\n", "pixel 3 is not 0 to 9");
  refuse_mask("a.pgm", "P2 2 2 9\n1 2 3 4\n", "nothing in the picture is bright");
}

/* 4 x 3 grey pixels: 0 1 1 0, 0 1 1 1, 0 0 0 0 */
static void png(void) {
  static const unsigned char bytes[] = {
      0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49,
      0x48, 0x44, 0x52, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00, 0x00, 0x03, 0x08, 0x00,
      0x00, 0x00, 0x00, 0x91, 0x9f, 0xf1, 0x1a, 0x00, 0x00, 0x00, 0x13, 0x49, 0x44,
      0x41, 0x54, 0x78, 0xda, 0x63, 0x60, 0xf8, 0xff, 0x9f, 0x81, 0x01, 0x48, 0x80,
      0x48, 0x06, 0x06, 0x00, 0x2d, 0xe1, 0x04, 0xfc, 0xf5, 0xcb, 0x62, 0xd9, 0x00,
      0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};
  begin();
  put_bytes(bytes, sizeof bytes);
#ifdef CQ_PNG
  void *memory = NULL;
  const cq_mesh *mesh = mask_mesh("a.png", &memory);
  CHECK(mesh->low[0] == 1.0 && mesh->high[0] == 4.0 && mesh->low[1] == 1.0 && mesh->high[1] == 3.0);
  CHECK_NEAR(mesh->volume, 5.0, 0.6); /* corners are cut off */
  cq_free(ctx, memory);
  refuse_mask("a.png", "no picture", "a.png: ");
  begin();
  put_bytes(bytes, sizeof bytes - 20);
  cq_surface s;
  CHECK(cq_mask_parse(ctx, "a.png", text, size, &s) == CQ_CONFIG);
  cq_ctx_clear_error(ctx);
#else
  cq_surface s;
  CHECK(cq_mask_parse(ctx, "a.png", text, size, &s) == CQ_CONFIG);
  CHECK(strstr(cq_ctx_error(ctx), "install libpng-dev") != NULL);
  cq_ctx_clear_error(ctx);
#endif
}

/* Each allocation fails in turn: an error, nothing held. */
static void short_of_memory(void) {
  static const double still[3] = {0, 0, 0};
  cq_surface gear = maker_gear(ctx, 5, 0.7, 1.0, 0.3);
  const size_t held = cq_ctx_bytes(ctx);
  cq_status status = CQ_MEMORY;
  int n = 0;
  obj(&gear);
  while (status != CQ_OK && n < 100) {
    const cq_mesh *mesh = NULL;
    cq_surface s;
    void *memory = NULL;
    int turned;
    cq_alloc_fail_nth(ctx, ++n);
    status = cq_surface_parse(ctx, "gear.obj", text, size, &s);
    status = status == CQ_OK ? cq_surface_mend(ctx, "gear.obj", &s, &turned) : status;
    status = status == CQ_OK ? cq_alloc(ctx, &memory, cq_mesh_bytes(&s), 1) : status;
    status = status == CQ_OK ? cq_mesh_make(ctx, &s, 1.0, still, memory, &mesh) : status;
    CHECK(status == CQ_OK || status == CQ_MEMORY);
    cq_free(ctx, memory);
    cq_surface_free(ctx, &s);
    cq_ctx_clear_error(ctx);
    CHECK(cq_ctx_bytes(ctx) == held);
  }
  cq_alloc_fail_nth(ctx, 0);
  CHECK(n > 15 && n < 100);
  cq_surface_free(ctx, &gear);
}

static void no_files(void) {
  cq_surface s;
  CHECK(cq_surface_read(ctx, "/no/such.stl", "here: ", &s) == CQ_IO);
  CHECK(strstr(cq_ctx_error(ctx), "here: cannot read /no/such.stl: No such file") != NULL);
  cq_ctx_clear_error(ctx);
  CHECK(cq_surface_read(ctx, "/", "", &s) == CQ_IO);
  CHECK(strstr(cq_ctx_error(ctx), "it is a folder") != NULL);
  cq_ctx_clear_error(ctx);
}

int main(void) {
  ctx = cq_ctx_create(1, 1);
  RUN(every_format);
  RUN(polygons);
  RUN(damaged);
  RUN(masks);
  RUN(checkers);
  RUN(damaged_masks);
  RUN(png);
  RUN(short_of_memory);
  RUN(no_files);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
  return TEST_RESULT();
}
