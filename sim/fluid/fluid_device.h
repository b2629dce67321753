/* What the fluid engine asks of a device: the particles' part of a step. Rigid bodies are pushed
 * there, but driven and moved on the host. One table a variant; sizes and units as in fluid_cpu.h,
 * pointers are the host's. */
#ifndef CQ_FLUID_DEVICE_H
#define CQ_FLUID_DEVICE_H

#include "cqopt/base.h"
#include "point/body.h"
#include "point/kernel.h"
#include "point/sweep.h"

#ifdef __cplusplus
extern "C" {
#endif

/* of a model; n: particles of the fluid */
typedef struct fluid_sizes {
  int n, n_samples, n_wall_samples, n_bodies;
} fluid_sizes;

/* What does not change in a run. */
typedef struct fluid_run {
  kernel spline;
  scalar gravity[CQ_DIM], room_low[CQ_DIM], room_high[CQ_DIM];
  scalar xsph, surface_tension;
  bool viscous, sticky, warm_start;
  const scalar *volume, *density, *viscosity; /* [n] */
  const double *wakes, *freed;                /* [n], or NULL */
  const scalar *sample_x;                     /* [n_samples][CQ_DIM] at the start */
  const scalar *sample_x0;                    /* of bodies in their frames */
  const scalar *sample_volume;                /* [n_samples] */
  const int *sample_body;                     /* [n_samples] */
  const unsigned char *sticky_samples;        /* [n_samples], or NULL */
} fluid_run;

/* What a step has led to: the first particle of the state that no step can go on from (INT_MAX:
 * none), and how many are out of the room. */
typedef struct fluid_end {
  int first_bad, outside;
} fluid_end;

/* In this order: create; begin; then for each step take (where the device has not got the state),
 * prepare, solve, force, release, solve, advance. All fail with CQ_DEVICE or CQ_MEMORY. */
typedef struct fluid_device {
  cq_status (*create)(cq_ctx *ctx, const fluid_sizes *sizes, void **device);
  void (*destroy)(void *device);
  cq_status (*begin)(void *device, const fluid_run *run);
  cq_status (*take)(void *device, const scalar *x, const scalar *v, const scalar *pressure);
  /* Of a step of dt from time t [s]: sorts, finds neighbours, and what bodies [n_bodies] are to
   * particles. */
  cq_status (*prepare)(void *device, double t, double dt, const fluid_body *bodies);
  cq_status (*solve)(void *device, bool density, fluid_solve *s);
  /* Forces on particles; bodies come back, `sum` what the fluid's viscosity does to them. */
  cq_status (*force)(void *device, fluid_body *bodies);
  /* The bodies, after all other forces. */
  cq_status (*release)(void *device, const fluid_body *bodies);
  /* The end of the step: bodies before they move, and the state, which the device keeps, too. */
  cq_status (*advance)(void *device, fluid_body *bodies, scalar *x, scalar *v, scalar *pressure,
                       fluid_end *end);
} fluid_device;

#ifdef __cplusplus
}
#endif

#endif
