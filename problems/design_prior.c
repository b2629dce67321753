/* What is thought of a field beforehand: neighbours on its lattice are alike. */
#include "scene.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* Which element of a block this patch or node of the lattice is; -1: it has no particles. */
static int find_element(const cq_block *block, int patch) {
  int low = 0, high = block->count / block->components - 1;
  while (low <= high) {
    const int middle = (low + high) / 2;
    if (block->elements[middle] == patch) {
      return middle;
    }
    if (block->elements[middle] < patch) {
      low = middle + 1;
    } else {
      high = middle - 1;
    }
  }
  return -1;
}

/* Index of a patch along an axis of the lattice, and how far its next one there is in the numbers
 * of patches. */
static int index_along(const cq_block_keys *keys, int dim, int patch, int axis, int *stride) {
  *stride = 1;
  for (int a = dim - 1; a > axis; a--) {
    *stride *= keys->patches[a];
  }
  return patch / *stride % keys->patches[axis];
}

/* The pairs of neighbours of a block into prior, or with NULL how many there are. */
static int link_block(const cq_scene *scene, const cq_block *block, const char *label,
                      cq_prior *prior) {
  const int dim = scene->config.dim;
  int pairs = 0;
  for (int e = 0; e < block->count / block->components; e++) {
    for (int a = 0; a < dim; a++) {
      int stride = 0;
      const int patch = block->elements[e];
      const int index = index_along(block->keys, dim, patch, a, &stride);
      const int next =
          index + 1 < block->keys->patches[a] ? find_element(block, patch + stride) : -1;
      for (int c = 0; c < block->components && next >= 0; c++, pairs++) {
        if (prior != NULL) {
          prior->pairs[prior->n++] = (cq_pair){.a = block->first + e * block->components + c,
                                               .b = block->first + next * block->components + c,
                                               .deviation = block->keys->smoothness,
                                               .label = label};
        }
      }
    }
  }
  return pairs;
}

static bool is_smooth(const cq_block *block) {
  return !isnan(block->keys->smoothness) && block->elements != NULL;
}

cq_status cq_design_link_prior(cq_scene *scene, cq_design *design) {
  int pairs = 0;
  if (scene->n_beside > 0 && scene->joined == NULL) {
    return CQ_OK; /* of experiments it counts once, for the file as a whole */
  }
  for (int i = 0; i < design->n_blocks; i++) {
    const cq_block *block = &design->blocks[i];
    pairs += is_smooth(block) ? link_block(scene, block, NULL, NULL) : 0;
  }
  CQ_TRY(CQ_ARENA(&scene->arena, design->prior.pairs, pairs));
  for (int i = 0; i < design->n_blocks; i++) {
    const char *label = NULL;
    if (is_smooth(&design->blocks[i])) {
      CQ_TRY(cq_arena_text(&scene->arena, &label, "smoothness of %s", design->blocks[i].name));
      link_block(scene, &design->blocks[i], label, &design->prior);
    }
  }
  return CQ_OK;
}

void cq_prior_residuals(const cq_prior *prior, const double *x, double *r) {
  for (int i = 0; i < prior->n; i++) {
    const cq_pair *p = &prior->pairs[i];
    r[i] = (x[p->b] - x[p->a]) / p->deviation;
  }
}

double cq_prior_value(const cq_prior *prior, const double *x) {
  double sum = 0.0;
  for (int i = 0; i < prior->n; i++) {
    const cq_pair *p = &prior->pairs[i];
    const double r = (x[p->b] - x[p->a]) / p->deviation;
    sum += r * r;
  }
  return sum;
}

void cq_prior_slope(const cq_prior *prior, const double *x, double *grad) {
  for (int i = 0; i < prior->n; i++) {
    const cq_pair *p = &prior->pairs[i];
    const double slope = 2.0 * (x[p->b] - x[p->a]) / (p->deviation * p->deviation);
    grad[p->b] += slope;
    grad[p->a] -= slope;
  }
}

void cq_prior_jacobian(const cq_prior *prior, int n, double *jac) {
  memset(jac, 0, (size_t)prior->n * (size_t)n * sizeof *jac);
  for (int i = 0; i < prior->n; i++) {
    const cq_pair *p = &prior->pairs[i];
    jac[(size_t)i * (size_t)n + (size_t)p->b] = 1.0 / p->deviation;
    jac[(size_t)i * (size_t)n + (size_t)p->a] = -1.0 / p->deviation;
  }
}

void cq_prior_pull(const cq_prior *prior, const double *w, double *grad) {
  for (int i = 0; i < prior->n; i++) {
    const cq_pair *p = &prior->pairs[i];
    grad[p->b] += w[i] / p->deviation;
    grad[p->a] -= w[i] / p->deviation;
  }
}

void cq_prior_tell(const cq_prior *prior, int i, double r, double factor, cq_residual_info *out) {
  const cq_pair *p = &prior->pairs[i];
  out->term = p->label;
  out->marker = out->time = NAN;
  out->component = -1;
  out->measured = 0.0;
  out->simulated = factor * r * p->deviation;
  out->weight = 1.0 / (p->deviation * p->deviation);
}
