/* A controller maps (observation z, parameters theta, step) to controls u. Evaluation and adjoint
 * stand in one header per controller, controllers/<name>.h, that CUDA compiles too. */
#ifndef CQ_CONTROLLERS_CONTROLLER_H
#define CQ_CONTROLLERS_CONTROLLER_H

typedef enum cq_controller_kind {
#define CQ_CONTROLLER(name) CQ_CONTROLLER_##name,
#include "controller_list.h"
#undef CQ_CONTROLLER
  CQ_N_CONTROLLERS
} cq_controller_kind;

typedef enum cq_feature_kind {
  CQ_FEATURE_OBSERVED,
  CQ_FEATURE_CONSTANT,
  CQ_FEATURE_CLOCK
} cq_feature_kind;

/* One number that a feedback controller reads: scale (z[index] - center), scale (value - center),
 * or scale (sin(rate t + phase) - center). */
typedef struct cq_feature {
  cq_feature_kind kind;
  int index;
  double value;
  double rate, phase; /* [rad/s], [rad] */
  double center, scale;
} cq_feature;

typedef enum cq_activation { CQ_ACTIVATION_TANH, CQ_ACTIVATION_RELU } cq_activation;

enum { CQ_MOST_FEATURES = 512, CQ_MOST_UNITS = 512, CQ_MOST_CONTROLS = 512, CQ_MOST_LAYERS = 4 };
enum { CQ_CONTROL_ROOM = (CQ_MOST_LAYERS + 4) * CQ_MOST_FEATURES };

typedef struct cq_controller {
  cq_controller_kind kind;
  int n_controls;
  int n_parameters; /* length of theta */
  int hold;         /* open_loop: steps from a row of the table to the next */
  int joined;       /* open_loop: how rows are joined, an open_loop_joined of open_loop.h */
  double dt;        /* t = step dt [s] */
  int n_features;   /* at most CQ_MOST_FEATURES */
  const cq_feature *features;
  /* [n_controls] unless open_loop: u is between middle - strength and middle + strength */
  const double *middle, *strength;
  int n_layers;              /* mlp: hidden layers */
  int units[CQ_MOST_LAYERS]; /* of each, at most CQ_MOST_UNITS */
  cq_activation activation;
  double rate; /* sinusoid: [rad/s], where a run begins if it is learned */
  int learns_rate;
} cq_controller;

#endif
