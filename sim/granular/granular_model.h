/* What the engine knows of a model beside what all engines do: cq_model.own. */
#ifndef CQ_GRANULAR_MODEL_H
#define CQ_GRANULAR_MODEL_H

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

typedef struct cq_granular_model {
  cq_granular_solver solver;
  int iterations;                /* a step, at least 1 */
  bool warm;                     /* begins with the impulses of the step before */
  bool spins;                    /* grains may turn */
  double damping;                /* paper: gamma, by which it multiplies a neighbour's velocity */
  int n_materials;               /* at most CQ_MOST_GRAIN_MATERIALS */
  const unsigned char *material; /* [n_particles]; NULL: all are of material 0 */
  const cq_granular_pair *pairs; /* [n_materials][n_materials], symmetric; NULL: all mean */
  const cq_tool *tools;          /* [n_boundaries] what grains touch beside each other */
} cq_granular_model;

static inline const cq_granular_model *cq_granular_of(const cq_model *model) {
  return (const cq_granular_model *)model->own;
}

#ifdef __cplusplus
}
#endif

#endif
