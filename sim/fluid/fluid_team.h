/* The threads of a step of the fluid. They meet nowhere but at its end (turns.h). */
#ifndef CQ_FLUID_TEAM_H
#define CQ_FLUID_TEAM_H

#include "fluid_cpu.h"

/* A thread in a step, or in a part of it. */
typedef struct fluid_thread {
  fluid *c;
  const fluid_state *in, *out;
  fluid_solve *solve[2]; /* divergence, density */
  cq_worker worker;      /* in the passes of the moment */
  int turn;              /* the next of c->team.turns */
} fluid_thread;

cq_status V(cq_fluid_make_team)(fluid *c);
void V(cq_fluid_free_team)(fluid *c);

typedef void fluid_work(fluid_thread *me);

/* What threads do together, as one of them has it; `as` says what all of them have. The first
 * failure of a turn. */
cq_status V(cq_fluid_together)(fluid *c, const fluid_thread *as, fluid_work *work);

typedef cq_status fluid_turn(fluid *c, const fluid_thread *me);

/* The next turn, once all items are through `pass` of these passes. False: a turn has failed, and a
 * thread is to end. */
bool V(cq_fluid_take_turn)(fluid_thread *me, const cq_passes *after, int pass, fluid_turn *turn);
/* Makes it already if it can be. */
void V(cq_fluid_try_turn)(fluid_thread *me, const cq_passes *after, int pass, fluid_turn *turn);

typedef void fluid_pass(fluid_thread *me, int item);

/* The next of some passes. A chunk waits for those that its particles are near to (`near`). */
void V(cq_fluid_pass)(fluid_thread *me, const cq_passes *passes, bool near, fluid_pass *pass);

/* The particles of a step and the samples in their order (fluid_sort.c), then their lists; before a
 * team does that, one thread begins. False: a thread is to end. */
cq_status V(cq_fluid_begin_sort)(fluid *c);
bool V(cq_fluid_sort_together)(fluid_thread *me);
bool V(cq_fluid_list_together)(fluid_thread *me);

#endif
