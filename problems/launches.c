#include "launches.h"

#include "control.h"

#include <string.h>

void cq_launches_apply(const cq_launches *l, const double *theta, double *slots) {
  if (l->n > 0) {
    control_eval(l->controller, theta, NULL, 0, l->u, l->room);
  }
  for (int i = 0; i < l->n; i++) {
    slots[l->slot[i]] = l->u[l->first + i];
  }
}

/* d_parameters of what l->u has as du. */
static void adjoint(const cq_launches *l, const double *theta) {
  memset(l->d_parameters, 0, (size_t)l->controller->n_parameters * sizeof *l->d_parameters);
  control_adjoint(l->controller, theta, NULL, 0, l->u, l->d_parameters, NULL, l->room);
}

void cq_launches_pull(const cq_launches *l, const double *theta, const double *d_slots) {
  if (l->n == 0) {
    return;
  }
  memset(l->u, 0, (size_t)l->controller->n_controls * sizeof *l->u);
  for (int i = 0; i < l->n; i++) {
    l->u[l->first + i] = d_slots[l->slot[i]];
  }
  adjoint(l, theta);
}

void cq_launches_push(const cq_launches *l, const double *theta, const double *d_theta,
                      double *d_slots) {
  for (int i = 0; i < l->n; i++) {
    memset(l->u, 0, (size_t)l->controller->n_controls * sizeof *l->u);
    l->u[l->first + i] = 1.0;
    adjoint(l, theta);
    for (int j = 0; j < l->controller->n_parameters; j++) {
      d_slots[l->slot[i]] += l->d_parameters[j] * d_theta[j];
    }
  }
}

void cq_launches_range(const cq_launches *l, double *low, double *high) {
  for (int i = 0; i < l->n; i++) {
    const double middle = l->controller->middle[l->first + i];
    const double strength = l->controller->strength[l->first + i];
    low[l->slot[i]] = middle - strength;
    high[l->slot[i]] = middle + strength;
  }
}
