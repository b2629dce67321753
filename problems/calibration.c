/* Blocks of what is between the scene and a term's samples. */
#include "nearest.h"
#include "scene.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* The term with this label, NULL: the only one of markers. */
static cq_status find_term(const cq_scene *scene, const cq_block *block, const char *key,
                           const char *label, const cq_term **out) {
  const cq_objective *o = &scene->objective;
  cq_nearest nearest = cq_nearest_begin(label != NULL ? label : "");
  int n = 0;
  for (int i = 0; i < o->n_functions; i++) {
    for (int j = 0; j < o->functions[i].n_terms; j++) {
      const cq_term *term = &o->functions[i].terms[j];
      if (cq_term_measures(term->kind) != CQ_MEASURES_MARKERS) {
        continue;
      }
      cq_nearest_offer(&nearest, term->label);
      if (label == NULL || strcmp(term->label, label) == 0) {
        *out = term;
        n++;
      }
    }
  }
  if (n != 1 && label != NULL) {
    return cq_config_fail(scene->ctx, block->keys->node, key,
                          n == 0 ? "no marker_distance term is called \"%s\"; %s"
                                 : "several terms are called \"%s\": give them labels",
                          label, cq_nearest_text(&nearest));
  }
  CQ_CHECK(scene->ctx, n == 1, CQ_CONFIG,
           n == 0 ? "%s: %s needs a marker_distance term"
                  : "%s: %s: there are several marker_distance terms: say which, term = \"label\"",
           cq_node_where(block->keys->node).text, cq_node_path(block->keys->node).text);
  return CQ_OK;
}

static int numbers_of(const cq_term *term, cq_calibrates kind, int dim) {
  const int of[CQ_N_CALIBRATES] = {1, dim == 2 ? 1 : 3, dim, dim * term->calibration.n_ids};
  return of[kind];
}

/* Index of a marker of a term; -1: it has none of this id. */
static int find_marker(const cq_term *term, double id) {
  for (int i = 0; i < term->calibration.n_ids; i++) {
    if (term->calibration.ids[i] == id) {
      return i;
    }
  }
  return -1;
}

/* Rows of all variables for a term; one that is tied has the same markers, or some of them. */
static void add_rows(const cq_scene *scene, cq_block *block, cq_calibrates kind,
                     const cq_term *owner, const cq_term *term, double factor) {
  const int dim = scene->config.dim;
  const size_t first = scene->design.first_calibration + (size_t)term->calibration.first +
                       (size_t)term->calibration.at[kind];
  for (int j = 0; j < block->count; j++) {
    int at = j;
    if (kind == CQ_CALIBRATES_MARKERS) {
      const int marker = find_marker(term, owner->calibration.ids[j / dim]);
      if (marker < 0) {
        continue;
      }
      at = marker * dim + j % dim;
    }
    cq_block_row(block, first + (size_t)at, 0.0);
    cq_block_add(block, j, factor);
  }
}

/* They start at 0. A marker may be off by as much as it may be from the nearest particle. */
cq_status cq_block_calibration(cq_scene *scene, cq_block *block, cq_calibrates kind) {
  const cq_texts *tie = &block->keys->tie;
  const int dim = scene->config.dim;
  const cq_term *owner = NULL;
  CQ_TRY(find_term(scene, block, "term", block->keys->term, &owner));
  const int n = numbers_of(owner, kind, dim);
  const size_t rows = (size_t)n * (1 + (size_t)tie->count);
  CQ_TRY(cq_block_reserve(scene, block, n, rows, rows));
  block->components = kind == CQ_CALIBRATES_MARKERS ? dim : n;
  add_rows(scene, block, kind, owner, owner, 1.0);
  for (int t = 0; t < tie->count; t++) {
    const cq_term *term = NULL;
    CQ_TRY(find_term(scene, block, "tie", tie->values[t], &term));
    add_rows(scene, block, kind, owner, term, cq_block_factor(block, t, CQ_PARITY_SCALAR, 0));
  }
  for (int j = 0; j < n && kind == CQ_CALIBRATES_MARKERS; j++) {
    block->lower[j] = -scene->model.length;
    block->upper[j] = scene->model.length;
  }
  return CQ_OK;
}

void cq_label_marker(const cq_scene *scene, const cq_block *block, int j, char *text, size_t size) {
  const cq_term *term = NULL;
  if (find_term(scene, block, "term", block->keys->term, &term) == CQ_OK) {
    snprintf(text, size, "[%g].%c", term->calibration.ids[j / block->components],
             "xyz"[j % block->components]);
  }
}
