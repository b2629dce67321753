/* Steps in parts (fluid_parts.c). */
#ifndef CQ_FLUID_PARTS_H
#define CQ_FLUID_PARTS_H

#include "fluid_cpu.h"

/* cq_host_steps.step, of c->part seconds */
typedef cq_status fluid_one_step(void *work, int step, void *from, void *to, const double *w,
                                 bool count);

/* A step of the model: one, or where own->cfl is above 0 as many as it takes. */
cq_status V(cq_fluid_in_parts)(fluid *c, fluid_one_step *one, int step, void *from, void *to,
                               const double *w, bool count);

#endif
