/* Heuristic gradients of the motion of rigid bodies, by the forward mode (host_loop.h): what a
 * change of the inputs changes of the bodies, while the fluid moves as it did.
 *
 * `rigid`: what the fluid does to a body stays the same, too.
 * `local`: it changes with the body's velocity (DiffFR, eq. 14 and 15). In a sweep that is not
 *   clamped a sample b with g = V_b grad W takes the impulse -a g (g . dv_b) more from particle i,
 *     a = dt^2 gain_i V_i / (1 + dt^2 gain_i/rho_i all_i . g),
 *   where the divisor is what the particle gives way; g of the same sample stands on both sides, as
 *   in the paper. Neighbours of i, and where bodies are, do not count.
 * `complete`: where they are does (fluid_complete.c).
 * Contacts between bodies are constant forces in all. */
#ifndef CQ_FLUID_TANGENT_H
#define CQ_FLUID_TANGENT_H

#include "fluid_bodies.h"
#include "rigid_tangent.h"

/* a body in one direction */
typedef struct fluid_direction {
  heft heft;
  twist goal;
  vec center; /* at the start */
  motion now;
} fluid_direction;

typedef struct fluid_damping {
  scalar m[CQ_TWIST][CQ_TWIST];
} fluid_damping;

/* a body in a state, as a direction moves its particles */
typedef struct fluid_carried {
  const fluid_direction *d;
  motion now;
  mat R, dR;
} fluid_carried;

struct fluid_tangents {
  int n;
  bool local, exact;   /* exact: bodies are a part of what fluid_forward.c moves */
  bool complete, slip; /* complete is local, too; slip: with a density as DiffFR's code has it */
  bool due;            /* they move in the next step */
  const double *directions; /* [n][layout.total], the caller's */
  const double *dw;         /* [n][n_drives] of the step in work, the caller's */
  fluid_direction *of;      /* [n][n_bodies] */
  pin_change *pin;          /* [n][n_pins] */
  fluid_damping *damping;   /* [n_bodies] impulse of the fluid by a velocity of the body, negated */
  wrench *placed;           /* [n_bodies] impulse by where they are, in a direction */
  fluid_carried *carried;   /* [n_bodies] of an observation */
  int *number;              /* [n_particles] among those of the fluid */
};

/* what direction k changes of the thrust of a body */
static inline vec fluid_thrust_change(const fluid *c, int k, int body) {
  const double *dw = c->tangents->dw + (size_t)k * (size_t)c->model->n_drives;
  vec sum = vec_zero();
  for (int i = 0; i < c->model->n_drives; i++) {
    const cq_fluid_thrust *thrust = &c->own->thrusts[i];
    FOR_AXES(a) {
      sum.v[a] += thrust->body == body ? K(dw[i] * thrust->direction[a]) : K(0);
    }
  }
  return sum;
}

/* what a particle's pressure gives way by, where g of a sample pushes it alone */
static inline scalar fluid_gives_way(const fluid *c, int i, vec g) {
  const scalar least = K(0.1);
  scalar along = K(0);
  FOR_AXES(a) {
    along += g.v[a] * c->all[(size_t)i * CQ_AXES + (size_t)a];
  }
  const scalar r = K(1) + c->dt * c->dt * c->gain[i] * c->light[i] * along;
  return r > least ? r : least;
}

cq_status V(cq_fluid_tangent_begin)(void *work, int n, const double *directions);
cq_status V(cq_fluid_tangent_step)(void *work, int step, const void *state, const double *w,
                                   const double *dw);
bool V(cq_fluid_cut_tangents)(void *work, int step);
void V(cq_fluid_observe_tangent)(void *work, int direction, int k, const void *state,
                                 const double *z, double *dz);
/* Moves the directions through a step from time t that is done but for the motion of its bodies. */
void V(cq_fluid_move_tangents)(fluid *c, double t);
/* Impulses [n_bodies] that the fluid gives bodies more in direction k, by where they are then. */
void V(cq_fluid_change_places)(const fluid *c, int k, wrench *sum);
void V(cq_fluid_free_tangents)(fluid *c);
/* Pins in a direction (fluid_pins.c): at the start; as a step begins; after bodies were pushed.
 * pulled [n_pins] is what they did then, NULL: all that they did in the step. */
void V(cq_fluid_begin_pin_tangents)(const fluid *c, int direction);
void V(cq_fluid_place_pin_tangents)(const fluid *c, int direction);
void V(cq_fluid_pull_pin_tangents)(const fluid *c, int direction, const fluid_pulled *pulled);

#endif
