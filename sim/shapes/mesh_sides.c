#include "mesh_sides.h"

#include "alloc.h"
#include "plural.h"
#include "status.h"

#include <stdio.h>
#include <stdlib.h>

/* a side by its vertices, the lower one being where it is listed */
typedef struct side {
  int high, index;
} side;

static int compare(const void *a, const void *b) {
  const side *p = a, *q = b;
  return p->high != q->high ? (p->high > q->high) - (p->high < q->high)
                            : (p->index > q->index) - (p->index < q->index);
}

cq_point_text cq_point_words(const double *x, int dim) {
  cq_point_text words;
  snprintf(words.text, sizeof words.text, dim == 2 ? "(%g, %g)" : "(%g, %g, %g)", x[0], x[1],
           x[dim - 1]);
  return words;
}

static void ends(const cq_surface *s, int index, int *low, int *high) {
  const int *face = s->faces + index / s->dim * s->dim;
  const int a = face[index % s->dim], b = s->dim == 2 ? a : face[(index + 1) % s->dim];
  *low = a < b ? a : b;
  *high = a < b ? b : a;
}

/* The sides listed by their lower vertex; those of v are list[start[v] ... start[v+1]-1]. */
static void sort(const cq_surface *s, int *start, side *list) {
  const int n = s->dim * s->n_faces;
  int low, high;
  for (int i = 0; i < n; i++) {
    ends(s, i, &low, &high);
    start[low + 1]++;
  }
  for (int v = 0; v < s->n_vertices; v++) {
    start[v + 1] += start[v];
  }
  for (int i = n - 1; i >= 0; i--) { /* moves each start to the end of the one before */
    ends(s, i, &low, &high);
    list[--start[low + 1]] = (side){high, i};
  }
  for (int v = 0; v < s->n_vertices; v++) {
    const int first = start[v + 1], end = v + 1 < s->n_vertices ? start[v + 2] : n;
    qsort(list + first, (size_t)(end - first), sizeof *list, compare);
  }
}

/* How often sides are not of two faces, and the first of them. */
typedef struct bad_sides {
  int open, crowded, first_open, first_crowded, faces;
} bad_sides;

/* Each side with the one equal to it; counts those that have none, or several. */
static bad_sides pair(const side *list, int n, const cq_surface *s, int *twins) {
  bad_sides bad = {0};
  for (int i = 0, end; i < n; i = end) {
    int low, high, other_low, other_high;
    ends(s, list[i].index, &low, &high);
    for (end = i + 1; end < n; end++) {
      ends(s, list[end].index, &other_low, &other_high);
      if (other_low != low || other_high != high) {
        break;
      }
    }
    if (end - i == 2) {
      twins[list[i].index] = list[i + 1].index;
      twins[list[i + 1].index] = list[i].index;
    } else if (end - i == 1) {
      bad.first_open = bad.open++ == 0 ? list[i].index : bad.first_open;
    } else {
      bad.faces = bad.crowded == 0 ? end - i : bad.faces;
      bad.first_crowded = bad.crowded++ == 0 ? list[i].index : bad.first_crowded;
    }
  }
  return bad;
}

/* What is wrong with the sides, and where. */
static cq_status refuse(cq_ctx *ctx, const char *name, const cq_surface *s, const bad_sides *bad) {
  int low, high;
  ends(s, bad->open > 0 ? bad->first_open : bad->first_crowded, &low, &high);
  const cq_point_text from = cq_point_words(s->vertices + (size_t)low * (size_t)s->dim, s->dim);
  const cq_point_text to = cq_point_words(s->vertices + (size_t)high * (size_t)s->dim, s->dim);
  if (s->dim == 2) {
    return CQ_FAIL(ctx, CQ_CONFIG,
                   bad->open > 0 ? "%s: the outline is open: it ends at %s; close it"
                                 : "%s: more than two edges of the outline meet at %s",
                   name, from.text);
  }
  CQ_CHECK(ctx, bad->open == 0, CQ_CONFIG,
           "%s: the surface is open: %d edge%s a face on one side alone, the first from %s to %s; "
           "close the hole",
           name, bad->open, bad->open == 1 ? " has" : "s have", from.text, to.text);
  return CQ_FAIL(ctx, CQ_CONFIG,
                 "%s: %d edge%s of more than two faces, the first, from %s to %s, of %d; an edge "
                 "has one face on each side: join bodies that touch there into one, or part them",
                 name, bad->crowded, bad->crowded == 1 ? " is one" : "s are", from.text, to.text,
                 bad->faces);
}

/* Lists the sides, pairs them, and refuses what is left. */
cq_status cq_mesh_sides(cq_ctx *ctx, const char *name, const cq_surface *s, int **twins) {
  int *start = NULL;
  side *list = NULL;
  bad_sides bad = {0};
  *twins = NULL;
  cq_status status = CQ_ALLOC(ctx, start, (size_t)s->n_vertices + 2);
  status = status == CQ_OK ? CQ_ALLOC(ctx, list, s->dim * s->n_faces) : status;
  status = status == CQ_OK ? CQ_ALLOC(ctx, *twins, s->dim * s->n_faces) : status;
  if (status == CQ_OK) {
    sort(s, start, list);
    bad = pair(list, s->dim * s->n_faces, s, *twins);
    status = bad.open + bad.crowded > 0 ? refuse(ctx, name, s, &bad) : CQ_OK;
  }
  cq_free(ctx, start);
  cq_free(ctx, list);
  if (status != CQ_OK) {
    cq_free(ctx, *twins);
    *twins = NULL;
  }
  return status;
}
