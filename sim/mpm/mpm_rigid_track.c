/* Tracks of driven bodies: their knots are inputs, place and turn, where a track has poses. One
 * dimension, in double. */
#include "mpm_rigid_bodies.h"

#include "mpm_inputs.h"
#include "track.h"

#include "turn_numbers.h"

#include <string.h>

enum { NUMBERS = CQ_DIM == 2 ? 3 : 6 }; /* of a knot in the inputs */

static bool has_knots(const bodies *b, int i) {
  return b->body[i].track != NULL && b->own->rigid[i].first_knot >= 0;
}

static const double *knot_input(const bodies *b, int i, int k) {
  return b->inputs + b->layout->offset[CQ_INPUT_track] +
         (size_t)(b->own->rigid[i].first_knot + k) * NUMBERS;
}

/* Tracks without inputs have the knots of the model. */
void WIDE(cq_bodies_take_knots)(bodies *b) {
  for (int i = 0; i < b->n; i++) {
    const track *t = b->body[i].track;
    double *to = b->knots + (size_t)b->first_knot[i] * CQ_POSE;
    if (has_knots(b, i)) {
      cq_rigid_knots(CQ_DIM, t->n_knots, knot_input(b, i, 0), to);
    }
  }
}

void WIDE(cq_bodies_put_knots)(const bodies *b, const bodies_adjoint *a, double *gradient) {
  const size_t at = b->layout->offset[CQ_INPUT_track];
  memset(gradient + at, 0, b->layout->count[CQ_INPUT_track] * sizeof *gradient);
  for (int i = 0; i < b->n; i++) {
    for (int k = 0; has_knots(b, i) && k < b->body[i].track->n_knots; k++) {
      const size_t knot = (size_t)(b->first_knot[i] + k) * CQ_POSE;
      double *to = gradient + at + (size_t)(b->own->rigid[i].first_knot + k) * NUMBERS;
      memcpy(to, a->knots + knot, CQ_DIM * sizeof *to);
      turn_of_vector_adjoint(knot_input(b, i, k) + CQ_DIM, b->knots + knot + CQ_DIM,
                             a->knots + knot + CQ_DIM, to + CQ_DIM);
    }
  }
}

void WIDE(cq_bodies_track)(const bodies *b, int i, double *place, double *moves) {
  pose p;
  twist t;
  track_at(b->body[i].track, 0.0, &p, &t);
  memcpy(place, &p, sizeof p);
  memcpy(moves, &t, sizeof t);
}

void WIDE(cq_bodies_track_adjoint)(const bodies *b, int i, const double *dpose,
                                   const double *dtwist, bodies_adjoint *a) {
  track_adjoint(b->body[i].track, 0.0, pose_read(dpose), twist_read(dtwist), &a->tracks[i]);
}
