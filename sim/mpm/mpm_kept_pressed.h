/* A mean of a node as numbers of a state (mpm_kept.h) and as friction takes it (point/pressed.h).
 */
#ifndef CQ_MPM_KEPT_PRESSED_H
#define CQ_MPM_KEPT_PRESSED_H

#include "mpm_kept.h"
#include "point/grip.h"

static inline pressed kept_pressed(node_mean m) {
  return (pressed){K(m.sum), K(m.weight), K(m.owed)};
}

static inline node_mean kept_from(pressed p) {
  return (node_mean){(double)p.sum, (double)p.weight, (double)p.owed};
}

#endif
