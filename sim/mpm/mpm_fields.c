/* Fields as wholes (mpm_fields.h). */
#include "mpm_fields.h"

#include "alloc.h"
#include "mpm_inputs.h"
#include "status.h"

#include <math.h>
#include <string.h>

static int field_of(const cq_mpm_fields *f, int particle) {
  const int *field = cq_mpm_of(f->model)->field;
  return field != NULL ? field[particle] : 0;
}

static size_t place_of(const cq_mpm_fields *f, int which, int particle) {
  return f->layout->offset[which] + (size_t)particle;
}

cq_status cq_mpm_fields_create(cq_ctx *ctx, const cq_model *model, const cq_layout *layout,
                               cq_mpm_fields *f) {
  const int fields = cq_mpm_of(model)->n_fields;
  *f = (cq_mpm_fields){.model = model,
                       .layout = layout,
                       .n = fields > 1 ? fields : 1,
                       .single = cq_mpm_of(model)->single};
  CQ_TRY(CQ_ALLOC(ctx, f->mass, f->n));
  CQ_TRY(CQ_ALLOC(ctx, f->room, f->n));
  return CQ_ALLOC(ctx, f->full, f->n);
}

/* Also of one that was begun alone. */
void cq_mpm_fields_free(cq_ctx *ctx, cq_mpm_fields *f) {
  cq_free(ctx, f->mass);
  cq_free(ctx, f->room);
  cq_free(ctx, f->full);
}

/* A field is as dense as its particles are together. */
void cq_mpm_fields_take(cq_mpm_fields *f, const double *inputs) {
  const cq_mpm_model *own = cq_mpm_of(f->model);
  const double cell = pow(own->cell, f->model->dim);
  memset(f->mass, 0, (size_t)f->n * sizeof *f->mass);
  memset(f->room, 0, (size_t)f->n * sizeof *f->room);
  for (int p = 0; p < cq_mpm_n_soft(f->model); p++) {
    const double volume = inputs[place_of(f, CQ_INPUT_volume, p)];
    f->mass[field_of(f, p)] += inputs[place_of(f, CQ_INPUT_density, p)] * volume;
    f->room[field_of(f, p)] += volume;
  }
  for (int i = 0; i < f->n; i++) {
    f->full[i] = f->mass[i] > 0.0 ? f->room[i] / (f->mass[i] * cell) : 0.0;
  }
}

/* full = room / (mass cell^dim), so d(full) is full (1/room - density/mass) by a volume and -full
 * volume/mass by a density. */
void cq_mpm_fields_adjoint(const cq_mpm_fields *f, const double *inputs, const double *dfull,
                           double *gradient) {
  for (int p = 0; p < cq_mpm_n_soft(f->model); p++) {
    const int i = field_of(f, p);
    const size_t density = place_of(f, CQ_INPUT_density, p);
    const size_t volume = place_of(f, CQ_INPUT_volume, p);
    const double due = dfull[i] * f->full[i];
    gradient[density] -= due * inputs[volume] / f->mass[i];
    gradient[volume] += due * (1.0 / f->room[i] - inputs[density] / f->mass[i]);
  }
}
