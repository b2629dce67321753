/* Exact derivatives of a step, forwards (fluid_forward.c) and backwards (fluid_backward.c): what is
 * recorded of it, and the sums over neighbours that both take. The number of sweeps is fixed; where
 * a pressure was clamped, it stays 0.
 *
 * A sweep is symmetric in pairs of particles: with masses and volumes taken out, what it makes of
 * adjoints are the same sums over neighbours as it makes of velocities and pressures. So the
 * adjoint only gathers, too, and its bits do not depend on threads. What the sweeps of a step say
 * of places is added up pair by pair after the last one. */
#ifndef CQ_FLUID_LINEAR_H_
#define CQ_FLUID_LINEAR_H_

#include "fluid_bodies.h"
#include "fluid_linear_hot.h"
#include "flush_mode.h"
#include "host_loop.h"

/* A body in the step. */
typedef struct linear_body {
  motion begin; /* driven, before it is pushed */
  motion loose; /* between the solvers, before gravity and drags */
  motion meets; /* before contacts */
  motion end;   /* before it moves */
  mat R;
  wrench weight, drag, contact; /* impulses; weight: and thrust */
} linear_body;

struct linear_bodies {
  linear_body *of;      /* [n_bodies] */
  wrench *sum;          /* [n_sweeps][n_bodies] impulses of a sweep */
  fluid_pulled *pulled; /* [n_sweeps + 1][n_pins] after each sweep, and after the other forces */
};

/* Samples are where A (placed - from) + to has them; A = M inverse, M the moments of particles. */
typedef struct linear_fit {
  vec from;
  mat inverse;
} linear_fit;

/* A call for each chunk k, shared by threads; it is a statement. */
#define EACH_CHUNK(c, k, call)                                                                     \
  _Pragma("omp parallel for schedule(static) num_threads(c->threads) if (c->threads > 1)") for (   \
      int k = 0; k < (c)->n_chunks; k++) {                                                         \
    const unsigned mode = flush_begin();                                                           \
    call;                                                                                          \
    flush_end(mode);                                                                               \
  }

/* A direction of the inputs moves what is placed at p by to + A (p - from). */
typedef struct linear_moved {
  vec to;
  mat A;
} linear_moved;

static inline const fluid_pulled *linear_pulled(const fluid *c, int stage) {
  return c->linear->bodies->pulled + stage * c->own->n_pins;
}

linear_moved V(cq_fluid_linear_moved)(const fluid *c, const cq_fluid_body *body,
                                      const linear_fit *fit, const double *direction);
linear_fit V(cq_fluid_linear_fit)(const fluid *c, const cq_fluid_body *body);
/* from the centre of a fit to a point as it is placed */
vec V(cq_fluid_linear_arm)(const linear_fit *f, const double *point);
/* s and o see each other; g: gradient of W by sample s, as the run begins */
typedef void linear_sample_fn(void *user, int s, int o, vec g);
void V(cq_fluid_linear_samples)(const fluid *c, const cq_fluid_body *body, linear_sample_fn *pair,
                                void *user);

/* Makes the step from a state once more, driven by w, keeping what its derivatives need; the
 * workspace has its lists then, and c->v the velocities it ends with. */
cq_status V(cq_fluid_record_step)(fluid *c, const fluid_state *in, const double *w);
/* c->linear, made if need be. */
cq_status V(cq_fluid_open_linear)(fluid *c);
void V(cq_fluid_free_linear)(fluid *c);
cq_status V(cq_fluid_forward_begin)(fluid *c, int n, const double *directions);
/* All directions through the step from a state, before it is made; w, dw: host_loop.h. */
cq_status V(cq_fluid_forward_step)(fluid *c, const void *state, const double *w, const double *dw);
/* What a direction changes of particle i of the fluid. */
void V(cq_fluid_forward_point)(const fluid *c, int direction, int i, vec *dx, vec *dv);
void V(cq_fluid_forward_free)(fluid *c);
void V(cq_fluid_backward_free)(fluid *c);
/* host_loop.h */
cq_status V(cq_fluid_adjoint_begin)(void *work, int n_seeds, const cq_seed *seeds,
                                    const void *last);
void V(cq_fluid_observe_adjoint)(void *work, int seed, int k, const void *state, const double *z,
                                 const double *dz);
cq_status V(cq_fluid_step_adjoint)(void *work, int step, const void *state, const double *w,
                                   double *dw);
void V(cq_fluid_adjoint_norms)(const void *work, int seed, cq_adjoint_norms *norms);
cq_status V(cq_fluid_contacts)(const void *work, cq_contacts *contacts);
void V(cq_fluid_adjoint_end)(void *work, int seed, double *gradient);

#endif
