/* Inputs as named blocks: every number that a design may change, in one flat vector of doubles.
 * Which blocks there are, and in what order, says the engine (engine.h); what they are called is
 * what designs, records and messages know. A gradient has the same layout. */
#ifndef CQ_CORE_INPUTS_H
#define CQ_CORE_INPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a block has numbers of. */
typedef enum cq_of {
  CQ_OF_PARTICLE,
  CQ_OF_WALL,
  CQ_OF_SCENE,
  CQ_OF_CONTROLLER,
  CQ_OF_KNOT /* of the tracks of driven bodies, one track after the other */
} cq_of;

/* How a mirror image along an axis changes the components of what is designed. */
typedef enum cq_parity {
  CQ_PARITY_SCALAR, /* not at all */
  CQ_PARITY_VECTOR, /* its component along the axis is negated */
  CQ_PARITY_AXIAL   /* the others are: rotations */
} cq_parity;

/* What a usual change of a design variable is: its start, or what the scene says where that is
 * more. */
typedef enum cq_usual {
  CQ_USUAL_BOUNDS, /* its bounds, however wide */
  CQ_USUAL_START,  /* nothing: the start alone */
  CQ_USUAL_ONE,
  CQ_USUAL_PLACE, /* by the scene alone: it does not matter how far from the origin it is */
  CQ_USUAL_SPEED,
  CQ_USUAL_ACCELERATION,
  CQ_USUAL_RATE
} cq_usual;

/* What a number must stay between, strictly, where there is a text that says what is wrong. */
typedef struct cq_bounds {
  double above, below;
  bool may_equal; /* above is allowed, too */
  const char *lower_text, *upper_text;
} cq_bounds;

typedef struct cq_input {
  const char *name, *unit; /* "density", "kg/m^dim" */
  cq_of of;
  int numbers[2]; /* of one, in 2D and in 3D: those of a particle stand side by side */
  bool state;     /* changes with time; such blocks come first */
  bool recorded; /* of particles: a field of records and pictures; a matrix of plane strain in 2D */
  bool designed; /* a design block of this name sets it: OF_PARTICLE by `per`, or OF_SCENE */
  bool deformation; /* the deformation gradient of a particle: 1 at rest, and turned with a body */
  bool elastic;     /* acts in what is deformed, and nowhere else */
  cq_parity parity;
  cq_usual usual;
  cq_bounds bounds;
} cq_input;

enum { CQ_MOST_INPUTS = 32, CQ_MOST_STATES = 8 }; /* of an engine */

/* Where each block stands. */
typedef struct cq_layout {
  int n, n_states;        /* blocks, and those of them that are states */
  const cq_input *inputs; /* [n] static */
  size_t offset[CQ_MOST_INPUTS], count[CQ_MOST_INPUTS];
  size_t total;
  size_t state_total;           /* of the blocks that are states */
  const struct cq_z_rows *rows; /* of z (channels.h), where a simulator has made them */
} cq_layout;

#define CQ_NO_INPUT SIZE_MAX

/* The block of this name; -1: the engine has none. */
int cq_layout_find(const cq_layout *layout, const char *name);
/* Where it begins, or CQ_NO_INPUT. Every engine has x, v, density, volume, gravity, friction and
 * theta. */
size_t cq_layout_offset(const cq_layout *layout, const char *name);
/* Where the deformation gradients begin, or CQ_NO_INPUT. */
size_t cq_layout_deformation(const cq_layout *layout);
/* The block that number `place` of the vector stands in; -1: it is past the end. */
int cq_layout_at(const cq_layout *layout, size_t place);

#ifdef __cplusplus
}
#endif

#endif
