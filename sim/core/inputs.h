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
typedef enum cq_of { CQ_OF_PARTICLE, CQ_OF_WALL, CQ_OF_SCENE, CQ_OF_CONTROLLER } cq_of;

typedef struct cq_input {
  const char *name, *unit; /* "density", "kg/m^dim" */
  cq_of of;
  int numbers[2]; /* of one, in 2D and in 3D: those of a particle stand side by side */
  bool state;     /* changes with time; such blocks come first */
} cq_input;

enum { CQ_MOST_INPUTS = 32, CQ_MOST_STATES = 8 }; /* of an engine */

/* Where each block stands. */
typedef struct cq_layout {
  int n, n_states;        /* blocks, and those of them that are states */
  const cq_input *inputs; /* [n] static */
  size_t offset[CQ_MOST_INPUTS], count[CQ_MOST_INPUTS];
  size_t total;
  size_t state_total; /* of the blocks that are states */
  int n_z;            /* length of an observation: n_groups * cq_group_z_size(dim) */
} cq_layout;

#define CQ_NO_INPUT SIZE_MAX

/* The block of this name; -1: the engine has none. */
int cq_layout_find(const cq_layout *layout, const char *name);
/* Where it begins, or CQ_NO_INPUT. Every engine has x, v, density, volume, gravity, friction and
 * theta. */
size_t cq_layout_offset(const cq_layout *layout, const char *name);
/* The block that number `place` of the vector stands in; -1: it is past the end. */
int cq_layout_at(const cq_layout *layout, size_t place);

#ifdef __cplusplus
}
#endif

#endif
