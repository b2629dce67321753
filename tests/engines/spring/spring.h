/* Point masses on linear springs: the smallest engine that has everything an engine may have. */
#ifndef CQ_SPRING_H
#define CQ_SPRING_H

#include "engine.h"

/* A spring pulls with k (length - rest (1 - w)), k the mean of its ends' stiffness and w what
 * drives its actuator, if both ends have the same one. */
typedef struct cq_spring {
  int ends[2];
  double rest;  /* [m] */
  int actuator; /* -1: none */
} cq_spring;

/* cq_model.own */
typedef struct cq_spring_model {
  int n_springs;
  const cq_spring *springs;
  double floor; /* [N/m] pushes up what is below y = 0 */
} cq_spring_model;

/* The inputs, in the order of the layout. */
enum {
  CQ_SPRING_X,
  CQ_SPRING_V,
  CQ_SPRING_E,
  CQ_SPRING_DENSITY,
  CQ_SPRING_VOLUME,
  CQ_SPRING_GRAVITY,
  CQ_SPRING_DAMPING,
  CQ_SPRING_FRICTION,
  CQ_SPRING_THETA,
  CQ_N_SPRING_INPUTS
};

cq_status cq_spring_find(cq_ctx *ctx, const cq_model *model, const cq_engine **engine);

#endif
