/* What the engine knows of a model beside what all engines do: cq_model.own. */
#ifndef CQ_GRANULAR_MODEL_H
#define CQ_GRANULAR_MODEL_H

#include "bodies.h"
#include "model.h"
#include "tools.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cq_granular_solver {
  CQ_GRANULAR_NCP,    /* projected Gauss-Seidel on accumulated impulses */
  CQ_GRANULAR_JACOBI, /* the same equations, all contacts at once, masses split between them */
  CQ_GRANULAR_PAPER   /* Algorithm 1 of GranularGym as it is printed, to compare with */
} cq_granular_solver;

/* What a pair of materials has in place of the mean of the two; NAN: the mean. */
typedef struct cq_granular_pair {
  double friction, rolling_friction, restitution, cohesion;
} cq_granular_pair;

enum { CQ_MOST_GRAIN_MATERIALS = 64 };

/* What a rigid body is beside sim/rigid: the tool that grains meet, whose origin is its centre. The
 * room is a tool of several, one a side. */
typedef struct cq_granular_rigid {
  int tool;
  int first, count; /* its particles, after the grains */
  int first_knot;   /* of its track, in the input track */
  int control[6];   /* drives, of its drive.n_controls */
} cq_granular_rigid;

typedef struct cq_granular_model {
  cq_granular_solver solver;
  int iterations;                /* a step, at least 1 */
  bool hashed;                   /* cells are looked up in a hash table, to compare with */
  bool warm;                     /* begins with the impulses of the step before */
  bool spins;                    /* grains may turn */
  int cyclic;                    /* 1 + the axis along which the room has no end; 0: none */
  double damping;                /* paper: gamma, by which it multiplies a neighbour's velocity */
  int n_materials;               /* at most CQ_MOST_GRAIN_MATERIALS */
  const unsigned char *material; /* [n_particles]; NULL: all are of material 0 */
  const cq_granular_pair *pairs; /* [n_materials][n_materials], symmetric; NULL: all mean */
  const double (*boxes)[2][3];   /* corners of boxes that quantities are about */
  const cq_tool *tools;          /* [n_boundaries] what grains touch beside each other */
  /* Rigid bodies, all tools among them, with contacts by impulses; NULL: tools are driven by what
   * they say themselves, all particles are grains, and nothing below is read. */
  const cq_rigids *rigids;
  const cq_granular_rigid *rigid; /* [rigids->n] */
  int n_grains;                   /* particles from there on are carried by bodies */
  const double *placed; /* [n_particles - n_grains][dim] where they are while nothing has moved */
} cq_granular_model;

static inline int cq_granular_n_grains(const cq_model *model) {
  const cq_granular_model *own = (const cq_granular_model *)model->own;
  return own->rigids != NULL ? own->n_grains : model->n_particles;
}

static inline const cq_granular_model *cq_granular_of(const cq_model *model) {
  return (const cq_granular_model *)model->own;
}

#ifdef __cplusplus
}
#endif

#endif
