#include "surface_text.h"

#include "alloc.h"
#include "status.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = INT_MAX / 64 };

bool cq_surface_line(cq_surface_text *t) {
  if (t->at >= t->end) {
    return false;
  }
  const char *end = memchr(t->at, '\n', (size_t)(t->end - t->at));
  t->rest = t->at;
  t->line_end = end != NULL ? end : t->end;
  t->at = end != NULL ? end + 1 : t->end;
  t->line++;
  return true;
}

static bool blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\0';
}

/* Words end at blanks; # begins a comment. */
bool cq_surface_word(cq_surface_text *t, char word[CQ_SURFACE_WORD]) {
  size_t n = 0;
  while (t->rest < t->line_end && blank(*t->rest)) {
    t->rest++;
  }
  if (t->rest < t->line_end && *t->rest == '#') { /* a comment, up to the end */
    t->rest = t->line_end;
  }
  for (; t->rest < t->line_end && !blank(*t->rest); t->rest++) {
    if (n + 1 < CQ_SURFACE_WORD) {
      word[n++] = *t->rest;
    }
  }
  word[n] = '\0';
  return n > 0;
}

cq_status cq_surface_numbers(cq_surface_text *t, int n, double *values) {
  char word[CQ_SURFACE_WORD], *end = NULL;
  for (int i = 0; i < n; i++) {
    CQ_CHECK(t->ctx, cq_surface_word(t, word), CQ_CONFIG, "%s:%d: %d numbers are needed, not %d",
             t->name, t->line, n, i);
    values[i] = strtod(word, &end);
    CQ_CHECK(t->ctx, *end == '\0' && fabs(values[i]) < 1e30, CQ_CONFIG,
             "%s:%d: \"%.30s\" is not a number%s", t->name, t->line, word,
             *end == ',' ? "; write a decimal point" : (*end == '\0' ? " to calculate with" : ""));
  }
  return CQ_OK;
}

/* Room for one more, by doubling. */
static cq_status make_room(cq_ctx *ctx, void **items, size_t used, size_t size, size_t *room) {
  void *more = NULL;
  if (used < *room) {
    return CQ_OK;
  }
  const size_t wanted = *room == 0 ? 1024 : 2 * *room;
  CQ_TRY(cq_alloc(ctx, &more, wanted, size));
  if (*items != NULL) {
    memcpy(more, *items, used * size);
  }
  cq_free(ctx, *items);
  *items = more;
  *room = wanted;
  return CQ_OK;
}

cq_status cq_surface_vertex(cq_surface_text *t, const double *x) {
  cq_surface *s = t->s;
  const size_t n = (size_t)s->n_vertices, size = (size_t)s->dim * sizeof *x;
  CQ_CHECK(t->ctx, s->n_vertices < MOST, CQ_CONFIG, "%s: more than %d vertices", t->name,
           (int)MOST);
  CQ_TRY(make_room(t->ctx, (void **)&s->vertices, n, size, &t->vertex_room));
  memcpy(s->vertices + n * (size_t)s->dim, x, size);
  s->n_vertices++;
  return CQ_OK;
}

cq_status cq_surface_face(cq_surface_text *t, const int *corners) {
  cq_surface *s = t->s;
  const size_t n = (size_t)s->n_faces, size = (size_t)s->dim * sizeof *corners;
  CQ_CHECK(t->ctx, s->n_faces < MOST, CQ_CONFIG, "%s: more than %d faces", t->name, (int)MOST);
  CQ_TRY(make_room(t->ctx, (void **)&s->faces, n, size, &t->face_room));
  memcpy(s->faces + n * (size_t)s->dim, corners, size);
  s->n_faces++;
  return CQ_OK;
}
