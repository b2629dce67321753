/* What acts on nodes of the fast engine once all have their velocities. Mirrors come last, so that
 * nothing crosses them. */
#include "mpm_cpu.h"

void V(cq_cpu_more)(cpu *c) {
  if (c->bodies != NULL) {
    V(cq_cpu_meet)(c);
  }
  if (c->g.mirrors) {
    V(cq_cpu_mirror)(c);
  }
}

void V(cq_cpu_more_adjoint)(cpu *c, int seed, int step) {
  if (c->g.mirrors) {
    V(cq_cpu_mirror_adjoint)(c);
  }
  if (c->bodies != NULL) {
    V(cq_cpu_meet_adjoint)(c, seed, step);
  }
}

/* A node may be of both: its fourth number is made once, and loses both masses. */
void V(cq_cpu_more_masses)(cpu *c) {
  if (c->bodies != NULL) {
    V(cq_cpu_meet_changed)(c);
  }
  if (c->g.mirrors) {
    V(cq_cpu_mirror_changed)(c);
    V(cq_cpu_mirror_masses)(c);
  }
  if (c->bodies != NULL) {
    V(cq_cpu_meet_masses)(c);
  }
}
