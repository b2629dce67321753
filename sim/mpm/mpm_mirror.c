/* Planes in which bodies are mirrored, as images of nodes; and the walk over these. */
#include "mpm_mirror.h"

#include "alloc.h"
#include "mirror_cells.h"
#include "mpm_common.h"
#include "status.h"

#include <string.h>

/* Nodes near a plane get their images along its axis. */
static cq_status add_plane(cq_ctx *ctx, const cq_mpm_plane *plane, const grid_model *g,
                           int *mirror) {
  const double at = plane->at / g->cell, sum = nearbyint(2.0 * at);
  CQ_CHECK(ctx, fabs(2.0 * at - sum) < 1e-6, CQ_CONFIG,
           "a plane across %c at %g m mirrors bodies, and has to go through nodes or half way "
           "between them",
           "xyz"[plane->axis], plane -> at);
  const int count = g->count[plane->axis];
  for (int k = 0; k < count; k++) {
    const double image = sum - k;
    if (fabs(k - at) > CQ_MIRROR_CELLS || image < 0.0 || image >= count) {
      continue;
    }
    CQ_CHECK(ctx, mirror[k] < 0, CQ_CONFIG,
             "planes across %c that mirror bodies are less than %g cells apart", "xyz"[plane->axis],
             2.0 * CQ_MIRROR_CELLS);
    mirror[k] = (int)image;
  }
  return CQ_OK;
}

static cq_status open_axis(cq_ctx *ctx, grid_model *g, int axis, int **mirror) {
  *mirror = (int *)(uintptr_t)g->mirror[axis];
  if (*mirror == NULL) {
    CQ_TRY(CQ_ALLOC(ctx, *mirror, g->count[axis]));
    g->mirror[axis] = *mirror;
    for (int k = 0; k < g->count[axis]; k++) {
      (*mirror)[k] = -1;
    }
  }
  g->mirrors = true;
  return CQ_OK;
}

cq_status V(cq_mpm_find_mirrors)(cq_ctx *ctx, const cq_mpm_model *own, grid_model *g) {
  for (int i = 0; i < g->n_walls; i++) {
    cq_mpm_plane planes[6];
    const int n = own->boundaries[i].mirror ? cq_mpm_planes(&own->boundaries[i].shape, planes) : 0;
    for (int k = 0; k < n; k++) {
      int *mirror = NULL;
      CQ_TRY(open_axis(ctx, g, planes[k].axis, &mirror));
      CQ_TRY(add_plane(ctx, &planes[k], g, mirror));
    }
  }
  return CQ_OK;
}

/* the image of a node along an axis, or -1 */
static int image_along(const grid_model *g, int axis, int k) {
  return g->mirror[axis] != NULL ? g->mirror[axis][k] : -1;
}

/* All images of the node at `index`, which is the first of them. */
static void find_images(const grid_model *g, const int *index, image_nodes *out) {
  out->n = 1;
  out->on = out->across[0] = 0;
  memcpy(out->index[0], index, sizeof out->index[0]);
  FOR_AXES(a) {
    const int image = image_along(g, a, index[a]), n = out->n;
    out->on |= image == index[a] ? 1u << a : 0u;
    for (int j = 0; j < n && image > index[a]; j++) {
      memcpy(out->index[out->n], out->index[j], sizeof out->index[j]);
      out->index[out->n][a] = image;
      out->across[out->n++] = out->across[j] | 1u << a;
    }
  }
}

/* Is the node looked at from the layers of `axis`? The first axis that has a plane near counts, and
 * of images the one with the lowest numbers. */
static bool is_first(const grid_model *g, const int *index, int axis) {
  bool first = true;
  FOR_AXES(a) {
    const int image = image_along(g, a, index[a]);
    first = first && (image < 0 || (a >= axis && image >= index[a]));
  }
  return first;
}

/* The box with the images of its nodes. */
typedef struct range {
  int first[CQ_DIM], end[CQ_DIM];
} range;

static range widened(const grid_model *g, const int *low, const int *size) {
  range r;
  FOR_AXES(a) {
    r.first[a] = low[a];
    r.end[a] = low[a] + size[a];
    for (int k = low[a]; k < low[a] + size[a]; k++) {
      const int image = image_along(g, a, k);
      r.first[a] = image >= 0 && image < r.first[a] ? image : r.first[a];
      r.end[a] = image >= r.end[a] ? image + 1 : r.end[a];
    }
  }
  return r;
}

/* The nodes of a layer across an axis. */
static void walk_layer(const grid_model *g, range r, int axis, int k, image_action *act,
                       void *work) {
  int index[CQ_DIM];
  r.first[axis] = k;
  r.end[axis] = k + 1;
  memcpy(index, r.first, sizeof index);
  for (int a = CQ_LAST; a >= 0;) {
    if (is_first(g, index, axis)) {
      image_nodes nodes;
      find_images(g, index, &nodes);
      act(work, &nodes);
    }
    for (a = CQ_LAST; a >= 0 && ++index[a] == r.end[a]; a--) {
      index[a] = r.first[a];
    }
  }
}

void V(cq_mpm_each_image)(const grid_model *g, const int *low, const int *size, image_action *act,
                          void *work) {
  const range r = widened(g, low, size);
  FOR_AXES(a) {
    for (int k = r.first[a]; k < r.end[a]; k++) {
      if (image_along(g, a, k) >= k) {
        walk_layer(g, r, a, k, act, work);
      }
    }
  }
}
