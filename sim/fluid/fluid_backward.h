/* What the files of the adjoint share. */
#ifndef CQ_FLUID_BACKWARD_H
#define CQ_FLUID_BACKWARD_H

#include "fluid_linear.h"

/* dL by a body. */
typedef struct back_body {
  motion now;
  heft heft;
  twist goal;
  mat R; /* of the step; 0 between steps */
} back_body;

/* dL by a state and by what does not change, of one seed; fluid as in a state. */
typedef struct back_seed {
  scalar *x, *v;                        /* [n_all][CQ_DIM] */
  scalar *pressure;                     /* [n_all] of the last state, then 0 */
  scalar *volume, *density, *viscosity; /* [n_all] */
  scalar gravity[CQ_DIM];
  double *dw;                        /* [n_drives] of the step in work, the caller's */
  scalar *friction;                  /* [n_boundaries] */
  back_body *body;                   /* [n_bodies] */
  pin_change *pin;                   /* [n_pins]; arms are of all steps, the rest of one */
  scalar *arm0;                      /* [n_particles][CQ_DIM] of bodies' particles */
  scalar *sample_x0, *sample_volume; /* [n_samples][CQ_DIM] [n_samples] */
  double *mass;                      /* [n_particles] */
} back_seed;

struct fluid_backward {
  int n_seeds;
  back_seed *seed; /* [n_seeds] */
  bool stepped;    /* contacts are known */
  /* of the seed and the step in work */
  size_t touch_room;
  scalar *touch_g, *touch_t, *touch_stick; /* [touches][CQ_DIM] [touches][CQ_SPINS] [touches] */
  scalar *sample_x;                        /* [n_samples][CQ_DIM] */
  wrench *impulse;                         /* [n_bodies] dL by the one that is looked at */
  scalar *touching;                        /* [n_bodies] */
  int *mark;                               /* [n_particles] among those of the fluid */
};

/* Pins (fluid_pins.c): before the adjoint of a step; dL by the twists that they left becomes that
 * by the twists before; after the step, from pins to bodies. */
void V(cq_fluid_back_begin_pins)(const fluid *c, back_seed *s);
void V(cq_fluid_back_pins)(const fluid *c, back_seed *s, const fluid_pulled *pulled);
void V(cq_fluid_back_place_pins)(const fluid *c, back_seed *s);
/* dL/dI of an impulse on each free body, to b->impulse; what dL/d(twist) is stays. */
void V(cq_fluid_back_kick)(fluid *c, back_seed *s, int body, wrench impulse);
/* Contacts of the step, for all bodies, before the kicks by gravity and drags. */
void V(cq_fluid_back_contacts)(fluid *c, back_seed *s);
/* Drags at samples: force on the particle and impulse on the body of a touch. */
void V(cq_fluid_back_drags)(fluid *c, back_seed *s);
/* Weights of touches and what they add to the diagonals, dL by which are given. */
void V(cq_fluid_back_weights)(fluid *c, back_seed *s, const scalar *diagonal);
/* From touches to particles, samples and bodies. */
void V(cq_fluid_back_touches)(fluid *c, back_seed *s);
/* From samples to bodies, after all that meets them. */
void V(cq_fluid_back_samples)(fluid *c, back_seed *s);

#endif
