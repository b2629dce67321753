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

typedef struct cq_controller {
  cq_controller_kind kind;
  int n_controls;
  int n_parameters; /* length of theta */
  int hold;         /* open_loop: steps from a row of the table to the next */
  int linear;       /* open_loop: linear between rows; else a row is held */
} cq_controller;

#endif
