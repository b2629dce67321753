/* What the reference loops and the fast engine share. Scalar, once a variant. */
#include "mpm_common.h"

#include "actuation/drive.h"
#include "actuators.h"
#include "mpm_inputs.h"
#include "point/check.h"
#include "point/von_mises.h"
#include "status.h"

#include <stdio.h>
#include <string.h>

/* What the nodes need of a model, in the numbers of the variant. */
cq_status V(cq_mpm_grid_model)(cq_ctx *ctx, const cq_model *model, grid_model *g) {
  const cq_mpm_model *own = cq_mpm_of(model);
  g->n_walls = cq_mpm_n_walls(model);
  CQ_CHECK(ctx, g->n_walls <= CQ_MAX_BOUNDARIES, CQ_CONFIG,
           "%d boundaries; at most %d are possible", g->n_walls, CQ_MAX_BOUNDARIES);
  g->dt = K(model->dt);
  g->cell = own->cell;
  g->epsilon = K(own->contact_epsilon);
  FOR_AXES(a) {
    g->count[a] = own->grid[a];
  }
  for (int i = 0; i < g->n_walls; i++) {
    g->kind[i] = own->boundaries[i].kind;
  }
  if (own->friction_time > 0.0) {
    g->press = (pressing){K(model->dt / own->friction_time), K(model->dt / own->friction_slip)};
  }
  CQ_TRY(V(cq_mpm_find_mirrors)(ctx, own, g));
  return V(cq_mpm_find_walls)(ctx, own, g);
}

/* Frictions of walls come first; what is behind them is of rigid bodies, and not read. */
static size_t grid_frictions(const cq_layout *layout) {
  const size_t n = layout->count[CQ_INPUT_friction];
  return n < CQ_MAX_BOUNDARIES ? n : CQ_MAX_BOUNDARIES;
}

void V(cq_mpm_grid_inputs)(const cq_layout *layout, const double *inputs, grid_inputs *in) {
  const size_t *at = layout->offset;
  FOR_AXES(a) {
    in->gravity.v[a] = K(inputs[at[CQ_INPUT_gravity] + (size_t)a]);
  }
  in->damping = K(inputs[at[CQ_INPUT_damping]]);
  for (size_t i = 0; i < grid_frictions(layout); i++) {
    in->friction[i] = K(inputs[at[CQ_INPUT_friction] + i]);
  }
}

void V(cq_mpm_put_grid_sums)(const cq_layout *layout, const double *sums, double *gradient) {
  const size_t *at = layout->offset;
  memcpy(gradient + at[CQ_INPUT_gravity], sums, CQ_DIM * sizeof *gradient);
  gradient[at[CQ_INPUT_damping]] = sums[CQ_DIM];
  memset(gradient + at[CQ_INPUT_friction], 0, layout->count[CQ_INPUT_friction] * sizeof *gradient);
  memcpy(gradient + at[CQ_INPUT_friction], sums + CQ_DIM + 1,
         grid_frictions(layout) * sizeof *gradient);
}

/* An actuator in the numbers of the variant. */
actuator V(cq_mpm_actuator)(const cq_actuator *from) {
  actuator a;
  a.kind = from->kind;
  a.first_control = from->first_control;
  a.n_controls = from->n_controls;
  a.first_drive = from->first_drive;
  a.n_drives = from->n_drives;
  a.first_z = from->first_z;
  a.along = from->along;
  a.ground = from->ground;
  a.stiffness = K(from->stiffness);
  a.from = from->from;
  a.until = from->until;
  a.acts = 0.0;
  FOR_AXES(i) {
    a.force[i] = from->direction[i];
    FOR_AXES(j) {
      a.direction[i][j] = K(from->direction[i * CQ_DIM + j]);
    }
  }
  return a;
}

static actuator in_step(const cq_model *model, const cq_actuator *from, int step) {
  return push_in_step(V(cq_mpm_actuator)(from), model->dt, step);
}

void V(cq_mpm_drive)(const cq_model *model, int step, const double *u, const double *z, double *w) {
  for (int i = 0; i < model->n_actuators; i++) {
    const actuator a = in_step(model, &cq_mpm_of(model)->actuators[i], step);
    actuation_drive(&a, u, z, w);
  }
}

void V(cq_mpm_drive_adjoint)(const cq_model *model, int step, const double *u, const double *z,
                             const double *dw, double *du, double *dz) {
  for (int i = 0; i < model->n_actuators; i++) {
    const actuator a = in_step(model, &cq_mpm_of(model)->actuators[i], step);
    actuation_drive_adjoint(&a, u, z, dw, du, dz);
  }
}

#if CQ_BITS == 64
double V(cq_mpm_actuator_bound)(const cq_actuator *from, const double *u) {
  const actuator a = V(cq_mpm_actuator)(from);
  return actuation_bound(&a, u);
}
#endif

/* There is one field, the von Mises stress. */
void V(cq_mpm_field)(const cq_model *model, const cq_layout *layout, int field,
                     const double *inputs, const double *state, double *out) {
  const unsigned char *material = cq_mpm_of(model)->material;
  const double *F = state + layout->offset[CQ_INPUT_F];
  (void)field;
  const int n = cq_mpm_n_soft(model);
  memset(out + n, 0, (size_t)(model->n_particles - n) * sizeof *out);
  for (int p = 0; p < n; p++) {
    const lame l = lame_parameters(K(inputs[layout->offset[CQ_INPUT_youngs_modulus] + (size_t)p]),
                                   K(inputs[layout->offset[CQ_INPUT_poisson_ratio] + (size_t)p]));
    mat m;
    FOR_AXES(i) {
      FOR_AXES(j) {
        m.m[i][j] = K(*F++);
      }
    }
    out[p] = (double)von_mises(material[p], l, m);
  }
}

/* Walls act one after the other, as in the step; two bits each say which branch they are in. */
cq_status V(cq_mpm_touch)(const grid_model *g, const grid_inputs *in, real decay, const int *index,
                          vec u, real mass, grid_memory memory, cq_contacts *contacts) {
  const contact *held = NULL;
  const int n = grid_contacts(g, index, &held);
  vec v = grid_free_velocity(g, in, decay, u);
  uint64_t states = 0;
  for (int i = 0; i < n; i++) {
    const int w = held[i].wall;
    if (held[i].touch > K(0) && !(grid_share(&held[i], mass) > K(0))) {
      continue; /* it takes no share of the condition */
    }
    states |= (uint64_t)grid_state(g, in, &held[i], mass, v, memory) << (2 * w);
    v = grid_wall(g, in, &held[i], mass, v, memory);
  }
  const size_t number = grid_line_of(g, index) * (size_t)g->count[CQ_LAST] + (size_t)index[CQ_LAST];
  return n > 0 ? cq_contacts_add(contacts, number, states) : CQ_OK;
}

void V(cq_mpm_add_squares)(particle d, cq_adjoint_norms *squares) {
  FOR_AXES(a) {
    squares->of[CQ_INPUT_x] += (double)d.x.v[a] * (double)d.x.v[a];
    squares->of[CQ_INPUT_v] += (double)d.v.v[a] * (double)d.v.v[a];
    FOR_AXES(b) {
      squares->of[CQ_INPUT_F] += (double)d.F.m[a][b] * (double)d.F.m[a][b];
      squares->of[CQ_INPUT_C] += (double)d.C.m[a][b] * (double)d.C.m[a][b];
    }
  }
}

void V(cq_mpm_take_roots)(cq_adjoint_norms *squares) {
  for (int i = CQ_INPUT_x; i <= CQ_INPUT_C; i++) {
    squares->of[i] = sqrt(squares->of[i]);
  }
}

/* A parameter that is not finite need not make the state so: a mass of NaN is no mass. */
cq_status V(cq_mpm_check_parameters)(cq_ctx *ctx, const cq_layout *layout, const double *inputs,
                                     cq_failure *failure) {
  for (int k = CQ_INPUT_youngs_modulus; k < layout->n; k++) {
    for (size_t i = 0; i < layout->count[k]; i++) {
      const double value = inputs[layout->offset[k] + i];
      if (value - value != 0.0) {
        *failure = (cq_failure){.status = CQ_NONFINITE, .value = value};
        return CQ_FAIL(ctx, CQ_NONFINITE, "input %s[%zu] is not finite (%g)",
                       layout->inputs[k].name, i, value);
      }
    }
  }
  return CQ_OK;
}

cq_status V(cq_mpm_check)(const cq_model *model, const transfer *t, int material, particle q,
                          double *value) {
  const cq_mpm_model *own = cq_mpm_of(model);
  real found = K(0);
  const cq_status status =
      particle_check(t, own->grid, own->on_inversion == CQ_INVERSION_FAIL, material, q, &found);
  *value = (double)found;
  return status;
}

static void place(const vec x, double *position, char *where, size_t size) {
  size_t used = 0;
  FOR_AXES(a) {
    position[a] = (double)x.v[a];
    used += (size_t)snprintf(where + used, size - used, "%s%.6g", a > 0 ? ", " : "", position[a]);
  }
}

cq_status V(cq_mpm_fail)(cq_ctx *ctx, const cq_model *model, const transfer *t, int step, int p,
                         particle q, cq_failure *f) {
  const int material = cq_mpm_of(model)->material[p];
  memset(f, 0, sizeof *f);
  f->status = V(cq_mpm_check)(model, t, material, q, &f->value);
  f->step = step;
  f->particle = p;
  return V(cq_mpm_word_failure)(ctx, t, material, q.x, f);
}

/* The words of each status, with what to do about it. */
cq_status V(cq_mpm_word_failure)(cq_ctx *ctx, const transfer *t, int material, vec x,
                                 cq_failure *f) {
  const int step = f->step, p = f->particle;
  char where[96] = "";
  place(x, f->position, where, sizeof where);
  switch (f->status) {
  case CQ_OUT_OF_ROOM:
    return CQ_FAIL(
        ctx, CQ_OUT_OF_ROOM,
        "step %d: particle %d at (%s) m left the grid; enlarge simulation.grid, move the "
        "body, or put a boundary in its way",
        step, p, where);
  case CQ_TOO_FAST:
    return CQ_FAIL(ctx, CQ_TOO_FAST,
                   "step %d: particle %d at (%s) m moves %.3g cells in one step (CFL); lower "
                   "simulation.time_step (cell %.3g m)",
                   step, p, where, f->value, (double)t->dx);
  case CQ_DEFORMED:
    return CQ_FAIL(ctx, CQ_DEFORMED,
                   "step %d: particle %d at (%s) m is inverted (det F = %.3g); lower "
                   "simulation.time_step or the load%s",
                   step, p, where, f->value,
                   material_survives_inversion(material)
                       ? ", or set simulation.on_inversion = \"continue\""
                       : "");
  default:
    return CQ_FAIL(ctx, CQ_NONFINITE,
                   "step %d: particle %d at (%s) m has a value that is not finite (%g); lower "
                   "simulation.time_step",
                   step, p, where, f->value);
  }
}

cq_status V(cq_mpm_fail_backward)(cq_ctx *ctx, int step, int p, vec x, cq_failure *f) {
  char where[96] = "";
  memset(f, 0, sizeof *f);
  f->status = CQ_NONFINITE;
  f->backward = true;
  f->step = step;
  f->particle = p;
  place(x, f->position, where, sizeof where);
  return CQ_FAIL(ctx, CQ_NONFINITE,
                 "adjoint of step %d: the gradient of particle %d at (%s) m is not finite", step, p,
                 where);
}
