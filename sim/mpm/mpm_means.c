/* Mean pressures at walls as rows, and back. Scalar, once a variant. */
#include "mpm_means.h"

#include "mpm_common.h"
#include "mpm_kept_pressed.h"

#include <math.h>

static int fields_of(const cq_mpm_model *own) {
  return own->n_fields > 0 ? own->n_fields : 1;
}

/* The planes that a field's particles reach: elsewhere a state has what was there long ago
 * (mpm_pressed.h). */
static void find_planes(const cq_model *model, const grid_model *g, int field, const double *x,
                        int *first, int *end) {
  const cq_mpm_model *own = cq_mpm_of(model);
  *first = g->count[0];
  *end = 0;
  for (int p = 0; p < cq_mpm_n_soft(model); p++) {
    if (own->n_fields == 0 || own->field[p] == field) {
      const int base = (int)floor(x[(size_t)p * CQ_DIM] / own->cell - 0.5);
      *first = base < *first ? base : *first;
      *end = base + 3 > *end ? base + 3 : *end;
    }
  }
}

/* Those of the nodes of a line. */
static void put_line(const cq_model *model, const grid_model *g, int field, int line, int *index,
                     const pressed *means, cq_means *out) {
  for (int i = g->line[line]; i < g->line[line + 1]; i++) {
    index[CQ_LAST] = g->held[i].k;
    for (int k = g->held[i].first; k < g->held[i + 1].first; k++) {
      const contact *at = &g->contacts[k];
      if (at->slot >= 0 && means[at->slot].weight > K(0)) {
        mean_put(model, at->wall, field, index, kept_from(means[at->slot]), out);
      }
    }
  }
}

void V(cq_mpm_put_means)(const cq_model *model, const grid_model *g, const pressed *means,
                         const double *x, cq_means *out) {
  const int second[CQ_DIM] = {1};
  const int across = (int)grid_line_of(g, second); /* lines of a plane */
  int first, end, index[3] = {0};
  for (int f = 0; f < fields_of(cq_mpm_of(model)) && g->n_slots > 0; f++) {
    find_planes(model, g, f, x, &first, &end);
    for (int line = first * across; line < end * across; line++) {
      index[0] = line / across;
      index[1] = line % across; /* in 2D the last axis */
      put_line(model, g, f, line, index, means + (size_t)f * (size_t)g->n_slots, out);
    }
  }
}

void V(cq_mpm_take_means)(const cq_model *model, const grid_model *g, pressed *means) {
  const double *row = model->means;
  for (int i = 0; i < model->n_means; i++, row += CQ_MEAN_NUMBERS) {
    const contact *contacts = NULL;
    int index[CQ_DIM];
    FOR_AXES(a) {
      index[a] = mean_index(cq_mpm_of(model), row, a);
    }
    const int n = grid_contacts(g, index, &contacts);
    for (int k = 0; k < n; k++) {
      if (contacts[k].wall == (int)row[CQ_MEAN_wall] && contacts[k].slot >= 0) {
        pressed *own = means + (size_t)row[CQ_MEAN_field] * (size_t)g->n_slots;
        own[contacts[k].slot] = kept_pressed(mean_of(model, row));
      }
    }
  }
}
