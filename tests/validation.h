/* What the tests against outside numbers share: boxes of particles, energies, periods, tables. 2D,
 * double precision. */
#ifndef CQ_TESTS_VALIDATION_H
#define CQ_TESTS_VALIDATION_H

#define CQ_DIM  2
#define CQ_BITS 64
#include "material/material.h"
#include "mpm_inputs.h"
#include "scene_builder.h"
#include "validation_table.h"
#include "walls.h"

static const double validation_pi = 3.14159265358979323846;

/* A half-space whose last node along its normal is i holds a body that goes on behind it at
 * i - 0.1515 cells: where the straight line of displacements is 0 in the bar of least strain energy
 * when nodes up to i are fixed and gradients are those of MLS, with many particles. With two a
 * cell it is 0.150 to 0.156, by where they are. */
static const double validation_held = 0.1515;

/* States of these small bodies are run again rather than kept: nobody asks for a gradient. */
static const size_t validation_memory = (size_t)8 << 20;

/* columns x rows particles from `first` on, `spacing` apart; `low` is the corner of the box. Their
 * volumes are set, too. */
static inline void validation_box(scene *s, int first, const double *low, int columns, int rows,
                                  double spacing) {
  for (int p = 0; p < columns * rows; p++) {
    double *x = scene_at(s, CQ_INPUT_x) + 2 * (first + p);
    x[0] = low[0] + spacing * (0.5 + p % columns);
    x[1] = low[1] + spacing * (0.5 + p / columns);
    scene_at(s, CQ_INPUT_volume)[first + p] = spacing * spacing;
  }
}

static inline void validation_material(scene *s, cq_material_kind kind, double youngs_modulus,
                                       double poisson_ratio, double density) {
  memset(s->material, kind, (size_t)s->model.n_particles);
  scene_set_all(s, CQ_INPUT_youngs_modulus, youngs_modulus);
  scene_set_all(s, CQ_INPUT_poisson_ratio, poisson_ratio);
  scene_set_all(s, CQ_INPUT_density, density);
}

/* of a state [J per metre of depth] */
typedef struct energies {
  double kinetic; /* with the part of APIC's C, cell^2/8 m |C|^2 */
  double strain;
  double weight; /* - m g . x */
} energies;

static inline double energies_total(energies e) {
  return e.kinetic + e.strain + e.weight;
}

static inline energies validation_energies(scene *s, const double *state) {
  energies e = {0.0, 0.0, 0.0};
  const double *gravity = scene_at(s, CQ_INPUT_gravity);
  for (int p = 0; p < s->model.n_particles; p++) {
    const double *x = state + 2 * p, *v = state + s->layout.offset[CQ_INPUT_v] + 2 * p;
    const double *C = state + s->layout.offset[CQ_INPUT_C] + 4 * p;
    const double *f = state + s->layout.offset[CQ_INPUT_F] + 4 * p;
    const double volume = scene_at(s, CQ_INPUT_volume)[p];
    const double mass = volume * scene_at(s, CQ_INPUT_density)[p];
    const double spin = C[0] * C[0] + C[1] * C[1] + C[2] * C[2] + C[3] * C[3];
    const lame l = lame_parameters(scene_at(s, CQ_INPUT_youngs_modulus)[p],
                                   scene_at(s, CQ_INPUT_poisson_ratio)[p]);
    const mat F = {{{f[0], f[1]}, {f[2], f[3]}}};
    e.kinetic += 0.5 * mass * (v[0] * v[0] + v[1] * v[1] + 0.25 * s->mpm.cell * s->mpm.cell * spin);
    e.strain += volume * material_energy(s->material[p], l, F);
    e.weight -= mass * (gravity[0] * x[0] + gravity[1] * x[1]);
  }
  return e;
}

/* The last state becomes the first one of the next run. */
static inline void validation_continue(scene *s) {
  memcpy(s->inputs, s->state, s->layout.state_total * sizeof(double));
}

/* An oscillation, sampled at equal times. */
typedef struct oscillation {
  int crossings;   /* zeros found */
  double period;   /* in samples, from the first zero to the last */
  double loss;     /* of amplitude a period: 1 - exp(-decrement) between first and last extremum */
  double extremum; /* the first one after a zero */
} oscillation;

static inline oscillation validation_oscillation(const double *q, int n) {
  oscillation o = {0};
  double first = 0.0, last = 0.0, first_peak = 0.0, last_peak = 0.0;
  int peaks = 0;
  for (int i = 1; i + 1 < n; i++) {
    if ((q[i - 1] < 0.0) != (q[i] < 0.0)) {
      last = i - 1 + q[i - 1] / (q[i - 1] - q[i]);
      first = o.crossings++ == 0 ? last : first;
    }
    const bool is_peak = fabs(q[i]) > fabs(q[i - 1]) && fabs(q[i]) >= fabs(q[i + 1]);
    if (is_peak && o.crossings > peaks) { /* one for each zero */
      const double slope = 0.5 * (q[i + 1] - q[i - 1]), bend = q[i + 1] - 2.0 * q[i] + q[i - 1];
      last_peak = fabs(q[i] - 0.5 * slope * slope / bend);
      first_peak = peaks == 0 ? last_peak : first_peak;
      o.extremum = peaks == 0 ? q[i] - 0.5 * slope * slope / bend : o.extremum;
      peaks = o.crossings;
    }
  }
  o.period = o.crossings > 1 ? 2.0 * (last - first) / (o.crossings - 1) : NAN;
  o.loss = peaks > 1 ? 1.0 - pow(last_peak / first_peak, 2.0 / (peaks - 1)) : NAN;
  return o;
}

#endif
