/* Files with triangles: STL, OBJ and PLY. What a file claims of itself is checked against its
 * length before there is room for it. */
#include "alloc.h"
#include "file_kind.h"
#include "status.h"
#include "surface.h"
#include "surface_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { STL_HEAD = 84, STL_FACET = 50, MOST_BYTES = 1 << 29 };

/* --- STL -------------------------------------------------------------------------------------- */

static uint32_t stl_count(const cq_surface_text *t) {
  const unsigned char *b = (const unsigned char *)t->at + 80;
  return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/* A head of 84 bytes with their number, then 50 bytes a triangle. */
static cq_status read_stl_binary(cq_surface_text *t) {
  const size_t size = (size_t)(t->end - t->at);
  const double n = stl_count(t);
  CQ_CHECK(t->ctx, (double)size == STL_HEAD + STL_FACET * n, CQ_CONFIG,
           "%s: not an STL file, or cut off: a binary one of %.0f triangles, as it says, has %.0f "
           "bytes, and this one %zu",
           t->name, n, STL_HEAD + STL_FACET * n, size);
  for (t->at += STL_HEAD; t->at < t->end; t->at += STL_FACET) {
    float corners[9];
    memcpy(corners, t->at + 12, sizeof corners); /* behind the normal */
    for (int i = 0; i < 3; i++) {
      CQ_TRY(
          cq_surface_vertex(t, (double[]){corners[3 * i], corners[3 * i + 1], corners[3 * i + 2]}));
    }
    CQ_TRY(cq_surface_face(
        t, (const int[]){t->s->n_vertices - 3, t->s->n_vertices - 2, t->s->n_vertices - 1}));
  }
  return CQ_OK;
}

/* A line of a facet; *corners is how many it has so far, -1 outside of one. */
static cq_status read_stl_line(cq_surface_text *t, const char *word, int *corners) {
  double x[3];
  if (strcasecmp(word, "facet") == 0) {
    CQ_CHECK(t->ctx, *corners < 0, CQ_CONFIG, "%s:%d: the facet before has no endfacet", t->name,
             t->line);
    *corners = 0;
  } else if (strcasecmp(word, "vertex") == 0) {
    CQ_CHECK(t->ctx, *corners >= 0, CQ_CONFIG, "%s:%d: a vertex outside of a facet", t->name,
             t->line);
    CQ_TRY(cq_surface_numbers(t, 3, x));
    CQ_TRY(cq_surface_vertex(t, x));
    *corners += 1;
  } else if (strcasecmp(word, "endfacet") == 0) {
    CQ_CHECK(t->ctx, *corners == 3, CQ_CONFIG, "%s:%d: a facet must have 3 corners, not %d",
             t->name, t->line, *corners < 0 ? 0 : *corners);
    const int n = t->s->n_vertices;
    CQ_TRY(cq_surface_face(t, (const int[]){n - 3, n - 2, n - 1}));
    *corners = -1;
  } else {
    CQ_CHECK(t->ctx,
             strcasecmp(word, "solid") == 0 || strcasecmp(word, "endsolid") == 0 ||
                 strcasecmp(word, "outer") == 0 || strcasecmp(word, "endloop") == 0,
             CQ_CONFIG, "%s:%d: \"%.20s\" is no word of an STL file", t->name, t->line, word);
  }
  return CQ_OK;
}

/* ASCII if it says "solid", has no byte 0 and not the length of a binary one. */
static cq_status read_stl(cq_surface_text *t) {
  char word[CQ_SURFACE_WORD];
  int corners = -1;
  bool ended = false;
  const size_t size = (size_t)(t->end - t->at);
  const bool fits = size >= STL_HEAD && (double)size == STL_HEAD + STL_FACET * (double)stl_count(t);
  if (fits || strncasecmp(t->at, "solid", 5) != 0 || memchr(t->at, '\0', size) != NULL) {
    CQ_CHECK(t->ctx, size >= STL_HEAD, CQ_CONFIG,
             "%s: not an STL file: it has %zu bytes, and does not begin with \"solid\"", t->name,
             size);
    return read_stl_binary(t);
  }
  while (cq_surface_line(t)) {
    if (cq_surface_word(t, word)) {
      CQ_TRY(read_stl_line(t, word, &corners));
      ended = strcasecmp(word, "endsolid") == 0;
    }
  }
  CQ_CHECK(t->ctx, ended && corners < 0, CQ_CONFIG, "%s: is cut off: it does not end by endsolid",
           t->name);
  return CQ_OK;
}

/* --- OBJ -------------------------------------------------------------------------------------- */

/* "3", "3/1", "3//2", "-1/..": the number of a vertex from 1, or from the last one back */
static cq_status read_obj_corner(cq_surface_text *t, const char *word, int *vertex) {
  char *end = NULL;
  errno = 0;
  const long n = strtol(word, &end, 10);
  const long from_0 = n > 0 ? n - 1 : t->s->n_vertices + n;
  CQ_CHECK(t->ctx,
           end != word && (*end == '\0' || *end == '/') && errno == 0 && n != 0 && from_0 >= 0 &&
               from_0 < t->s->n_vertices,
           CQ_CONFIG, "%s:%d: \"%.20s\" is no vertex; there are %d before this line", t->name,
           t->line, word, t->s->n_vertices);
  *vertex = (int)from_0;
  return CQ_OK;
}

static cq_status read_obj_face(cq_surface_text *t) {
  char word[CQ_SURFACE_WORD];
  int corner[3], n = 0;
  while (cq_surface_word(t, word)) {
    CQ_TRY(read_obj_corner(t, word, &corner[n < 2 ? n : 2]));
    if (++n >= 3) {
      CQ_TRY(cq_surface_face(t, corner));
      corner[1] = corner[2];
    }
  }
  CQ_CHECK(t->ctx, n >= 3, CQ_CONFIG, "%s:%d: a face of %d vertices", t->name, t->line, n);
  return CQ_OK;
}

/* Vertices and faces; the rest is passed over. */
static cq_status read_obj(cq_surface_text *t) {
  char word[CQ_SURFACE_WORD];
  double x[3];
  while (cq_surface_line(t)) {
    if (!cq_surface_word(t, word)) {
      continue;
    }
    if (strcmp(word, "v") == 0) {
      CQ_TRY(cq_surface_numbers(t, 3, x));
      CQ_TRY(cq_surface_vertex(t, x));
    } else if (strcmp(word, "f") == 0) {
      CQ_TRY(read_obj_face(t));
    } else { /* names, materials, what is for pictures; but nothing may be bent */
      CQ_CHECK(t->ctx,
               strcmp(word, "curv") != 0 && strcmp(word, "surf") != 0 && strcmp(word, "vp") != 0,
               CQ_CONFIG, "%s:%d: curved surfaces (\"%s\") are not read; export triangles", t->name,
               t->line, word);
    }
  }
  return CQ_OK;
}

/* --- files ------------------------------------------------------------------------------------ */

static const struct {
  const char *end;
  cq_status (*read)(cq_surface_text *t);
} formats[] = {{".stl", read_stl}, {".obj", read_obj}, {".ply", cq_surface_read_ply}};

enum { N_FORMATS = sizeof formats / sizeof *formats };

/* By the end of the name. */
cq_status cq_surface_parse(cq_ctx *ctx, const char *name, const char *bytes, size_t size,
                           cq_surface *surface) {
  cq_surface_text t = {.ctx = ctx, .name = name, .at = bytes, .end = bytes + size, .s = surface};
  const char *end = strrchr(name, '.');
  int i = 0;
  *surface = (cq_surface){.dim = 3};
  while (i < N_FORMATS && (end == NULL || strcasecmp(end, formats[i].end) != 0)) {
    i++;
  }
  CQ_CHECK(ctx, i < N_FORMATS, CQ_CONFIG,
           "%s: the name of a file with a mesh ends in .stl, .obj or .ply", name);
  cq_status status = formats[i].read(&t);
  if (status == CQ_OK && surface->n_faces == 0) {
    status = CQ_FAIL(ctx, CQ_CONFIG, "%s: has no faces", name);
  }
  if (status != CQ_OK) {
    cq_surface_free(ctx, surface);
  }
  return status;
}

static cq_status read_bytes(cq_ctx *ctx, FILE *file, const char *path, const char *where,
                            char **bytes, size_t *size) {
  const long length = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  CQ_CHECK(ctx, length >= 0 && fseek(file, 0, SEEK_SET) == 0, CQ_IO, "%scannot read %s: %s", where,
           path, strerror(errno));
  CQ_CHECK(ctx, length <= MOST_BYTES, CQ_CONFIG, "%s%s has %.4g MiB; at most %d MiB are read",
           where, path, (double)length / 0x1p20, MOST_BYTES >> 20);
  CQ_TRY(CQ_ALLOC(ctx, *bytes, (size_t)length + 1));
  *size = fread(*bytes, 1, (size_t)length, file);
  CQ_CHECK(ctx, !ferror(file), CQ_IO, "%scannot read %s: %s", where, path, strerror(errno));
  return CQ_OK;
}

cq_status cq_surface_bytes(cq_ctx *ctx, const char *path, const char *where, char **bytes,
                           size_t *size) {
  const char *const kind = cq_no_file(path);
  CQ_CHECK(ctx, kind == NULL, CQ_IO, "%scannot read %s: it is %s, not a file", where, path, kind);
  FILE *file = fopen(path, "rb");
  CQ_CHECK(ctx, file != NULL, CQ_IO, "%scannot read %s: %s", where, path, strerror(errno));
  const cq_status status = read_bytes(ctx, file, path, where, bytes, size);
  fclose(file);
  return status;
}

cq_status cq_surface_read(cq_ctx *ctx, const char *path, const char *where, cq_surface *surface) {
  char *bytes = NULL;
  size_t size = 0;
  *surface = (cq_surface){.dim = 3};
  cq_status status = cq_surface_bytes(ctx, path, where, &bytes, &size);
  status = status == CQ_OK ? cq_surface_parse(ctx, path, bytes, size, surface) : status;
  cq_free(ctx, bytes);
  return status;
}
