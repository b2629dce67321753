/* Filtered fields: the value of a particle is the mean over the particles q of its body or group
 * within the radius R, with weights V_q (1 - |x_p - x_q|/R), as they start without a design. So a
 * constant field stays constant, and values stay within their bounds. */
#include "alloc.h"
#include "near.h"
#include "scene.h"
#include "status.h"

#include <math.h>

/* the row of one particle, collected */
typedef struct collector {
  const cq_scene *scene;
  const cq_field *field;
  cq_near near;
  double radius; /* [m] */
  int begin;     /* of the member whose particles `near` has */
  int *found;    /* [field->count] */
  int *place;    /* [n_elements] where an element stands in the row, or -1 */
  int n;         /* the row */
  int *element;  /* [n_elements] */
  double *weight;
} collector;

static void collect_neighbour(collector *c, int q, double weight) {
  const cq_field *field = c->field;
  for (int k = q * field->stride; k < (q + 1) * field->stride; k++) {
    if (field->weight[k] == 0.0) {
      continue;
    }
    const int e = field->element[k];
    if (c->place[e] < 0) {
      c->place[e] = c->n;
      c->element[c->n] = e;
      c->weight[c->n++] = 0.0;
    }
    c->weight[c->place[e]] += weight * field->weight[k];
  }
}

/* The weights of the elements around particle i: a cone times the volume of the neighbours. */
static void collect(collector *c, int i) {
  const cq_field *field = c->field;
  const size_t dim = (size_t)c->scene->config.dim;
  const double *volume = c->scene->inputs + cq_layout_offset(&c->scene->layout, "volume");
  const double *x = c->scene->x + (size_t)field->particle[i] * dim;
  const int n_near = cq_near_find(&c->near, x, c->radius, field->count, c->found);
  double total = 0.0;
  c->n = 0;
  for (int k = 0; k < n_near; k++) {
    const int q = c->begin + c->found[k];
    const double *other = c->scene->x + (size_t)field->particle[q] * dim;
    double square = 0.0;
    for (size_t a = 0; a < dim; a++) {
      square += (x[a] - other[a]) * (x[a] - other[a]);
    }
    const double weight = volume[field->particle[q]] * fmax(1.0 - sqrt(square) / c->radius, 0.0);
    total += weight;
    collect_neighbour(c, q, weight);
  }
  for (int k = 0; k < c->n; k++) {
    c->weight[k] /= total;
    c->place[c->element[k]] = -1;
  }
}

/* Counts the weights of every row into out->first[i + 1], or writes them where first says. */
static cq_status sweep(collector *c, bool write, cq_filtered *out) {
  const cq_field *field = c->field;
  for (int i = 0; i < field->count; i++) {
    if (i == 0 || field->member[i] != field->member[i - 1]) {
      int end = i;
      while (end < field->count && field->member[end] == field->member[i]) {
        end++;
      }
      cq_near_destroy(&c->near);
      c->begin = i;
      CQ_TRY(cq_near_create(c->scene->ctx, c->scene->config.dim, c->scene->x, field->particle + i,
                            end - i, c->radius, &c->near));
    }
    collect(c, i);
    for (int k = 0; k < c->n && write; k++) {
      out->element[out->first[i] + (size_t)k] = c->element[k];
      out->weight[out->first[i] + (size_t)k] = c->weight[k];
    }
    out->first[i + 1] = out->first[i] + (size_t)c->n;
  }
  return CQ_OK;
}

static cq_status filter(collector *c, cq_filtered *out) {
  const cq_field *field = c->field;
  CQ_TRY(CQ_ALLOC(c->scene->ctx, c->found, field->count));
  CQ_TRY(CQ_ALLOC(c->scene->ctx, c->place, field->n_elements));
  CQ_TRY(CQ_ALLOC(c->scene->ctx, c->element, field->n_elements));
  CQ_TRY(CQ_ALLOC(c->scene->ctx, c->weight, field->n_elements));
  for (int e = 0; e < field->n_elements; e++) {
    c->place[e] = -1;
  }
  CQ_TRY(CQ_ALLOC(c->scene->ctx, out->first, field->count + 1));
  CQ_TRY(sweep(c, false, out));
  CQ_TRY(CQ_ALLOC(c->scene->ctx, out->element, out->first[field->count]));
  CQ_TRY(CQ_ALLOC(c->scene->ctx, out->weight, out->first[field->count]));
  return sweep(c, true, out);
}

cq_status cq_field_filter(cq_scene *scene, const cq_field *field, double radius, cq_filtered *out) {
  collector c = {.scene = scene, .field = field, .near = {.ctx = scene->ctx}, .radius = radius};
  const cq_status status = filter(&c, out);
  cq_near_destroy(&c.near);
  cq_free(scene->ctx, c.found);
  cq_free(scene->ctx, c.place);
  cq_free(scene->ctx, c.element);
  cq_free(scene->ctx, c.weight);
  return status;
}

void cq_filtered_free(cq_ctx *ctx, cq_filtered *filtered) {
  cq_free(ctx, filtered->first);
  cq_free(ctx, filtered->element);
  cq_free(ctx, filtered->weight);
  *filtered = (cq_filtered){.first = NULL};
}
