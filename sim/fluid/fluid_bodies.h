/* The rigid bodies of a workspace: what they weigh, how they move, what pushes them. */
#ifndef CQ_FLUID_BODIES_H
#define CQ_FLUID_BODIES_H

#include "fluid_cpu.h"
#include "pin.h"
#include "point/body.h"
#include "point/penalty.h"

#include <math.h>
#include <string.h>

/* What a pin did to the twists of its bodies. */
typedef struct fluid_pulled {
  vec impulse;
  twist after[2];
} fluid_pulled;

typedef struct fluid_pin {
  pin at;
  fluid_pulled last;
  vec total; /* of the impulses of this step */
} fluid_pin;

struct fluid_bodies {
  fluid_body *body; /* [n_bodies] */
  fluid_pin *pin;   /* [n_pins] */
  scalar *arm0;     /* [n_particles][CQ_DIM] of their particles in their frames */
};

enum { CQ_BODY_NUMBERS = CQ_POSE + CQ_TWIST + CQ_TWIST }; /* in a state: pose, twist, wrench */

/* what a body weighs and how it moves, from the inputs; places its samples */
cq_status V(cq_fluid_take_bodies)(fluid *c, const double *inputs);
void V(cq_fluid_load_bodies)(fluid *c, const fluid_state *in);
void V(cq_fluid_store_bodies)(const fluid *c, const fluid_state *out);
/* Where the samples of bodies are now. */
void V(cq_fluid_place_samples)(fluid *c);
/* At the beginning of a step at time t: which ones are free, and how driven ones move in it. */
void V(cq_fluid_drive_bodies)(fluid *c, double t);
/* What drives w accelerate bodies by. */
void V(cq_fluid_thrust)(fluid *c, const double *w);
/* Weights of touches, and their part of the diagonal. */
void V(cq_fluid_weigh_touches)(fluid *c);
/* Pushes bodies by gravity and thrusts. */
void V(cq_fluid_pull_bodies)(fluid *c);
/* Pushes bodies by gravity, thrusts, contacts, and drags of the fluid. */
void V(cq_fluid_load_forces)(fluid *c);
/* Pushes bodies by what pressures have changed in a sweep. */
void V(cq_fluid_push_bodies)(fluid *c);
void V(cq_fluid_move_bodies)(fluid *c);
/* Pins as the bodies stand when the step begins; what they do after bodies were pushed. */
void V(cq_fluid_place_pins)(fluid *c);
void V(cq_fluid_pull_pins)(fluid *c);
/* what they did to a body in this step */
wrench V(cq_fluid_pin_wrench)(const fluid *c, int body);
/* Impulses of bodies and walls on each other in a step (fluid_contact.c). */
void V(cq_fluid_touch_bodies)(fluid *c);
/* Sample s of body a and those of b (-1: walls) that may touch it: others [n], good for the call.
 */
typedef void fluid_meeting_fn(fluid *c, int a, int b, int s, const int *others, int n, void *user);
void V(cq_fluid_each_meeting)(fluid *c, fluid_meeting_fn *each, void *user);
contact_law V(cq_fluid_contact_law)(const fluid *c);
/* The wall whose friction a sample of body a and another have; -1: that of bodies. */
int V(cq_fluid_friction_wall)(const fluid *c, int a, int other);

/* Sorts the particles of a step and the samples and makes the lists of all chunks, in rooms that
 * grow until they hold them. */
cq_status V(cq_fluid_find_near)(fluid *c, const fluid_state *in);

/* The body that a group is of, for its own quantities; -1: none. */
int V(cq_fluid_body_of)(const fluid *c, const cq_group *group);
/* Adds what is wanted of turn and spin to a row of z, and what a change d of the motion changes of
 * it; adds to the adjoint of the motion (fluid_turns.c). */
void V(cq_fluid_add_turns)(motion now, const int *place, double *z);
void V(cq_fluid_add_turns_tangent)(motion now, motion d, const int *place, double *dz);
void V(cq_fluid_add_turns_adjoint)(motion now, const int *place, const double *dz, motion *d);

/* the impulse of its weight and thrust */
static inline wrench fluid_pull(const fluid *c, const fluid_body *b) {
  wrench r = wrench_zero();
  FOR_AXES(a) {
    r.f.v[a] = c->dt * b->heft.mass * (c->gravity[a] + b->thrust.v[a]);
  }
  return r;
}

/* of a body in a state */
static inline motion fluid_motion(const fluid_state *s, int body) {
  motion now;
  memcpy(&now, s->bodies + (size_t)body * CQ_BODY_NUMBERS, sizeof now);
  return now;
}

/* of a cube of this volume about its centre, for a mass of 1 */
static inline scalar cube_moment(scalar volume) {
  return (CQ_DIM == 2 ? volume : (scalar)cbrt((double)(volume * volume))) * K(1.0 / 6.0);
}

/* The part of its velocity that a hand gives a body in the step from time t; -1: it has let go, or
 * there is none. */
static inline scalar fluid_hand(const fluid *c, const cq_fluid_body *body, double t) {
  const double reached = body->release > 0.0 ? (t + c->part) / body->release : 1.0;
  const bool waits = !body->driven && advance_waits(t, c->part, body->release);
  return waits ? K(reached < 1.0 ? reached : 1.0) : K(-1);
}

#endif
