/* What readers of the formats share: lines, words, numbers, and a surface that grows. */
#ifndef CQ_SHAPES_SURFACE_TEXT_H
#define CQ_SHAPES_SURFACE_TEXT_H

#include "surface.h"

enum { CQ_SURFACE_WORD = 64 };

/* Bytes, of which a line is read at a time. *end is 0. */
typedef struct cq_surface_text {
  cq_ctx *ctx;
  const char *name;
  const char *at, *end;        /* what has not been read */
  const char *rest, *line_end; /* of the line */
  int line;
  cq_surface *s;
  size_t vertex_room, face_room;
} cq_surface_text;

/* The next line; false at the end. */
bool cq_surface_line(cq_surface_text *t);
/* The next word of the line, cut off where it is too long; false at its end. */
bool cq_surface_word(cq_surface_text *t, char word[CQ_SURFACE_WORD]);
/* The next n words of the line, which are numbers. */
cq_status cq_surface_numbers(cq_surface_text *t, int n, double *values);
cq_status cq_surface_vertex(cq_surface_text *t, const double *x);
cq_status cq_surface_face(cq_surface_text *t, const int *corners);

/* All bytes of a file and a 0 behind them; the caller frees *bytes by cq_free, after a failure,
 * too. */
cq_status cq_surface_bytes(cq_ctx *ctx, const char *path, const char *where, char **bytes,
                           size_t *size);
cq_status cq_surface_read_ply(cq_surface_text *t);

#endif
