/* Stacks and the switch between them. */
#ifndef CQ_SHIM_FIBER_H
#define CQ_SHIM_FIBER_H

#include <cstddef>

#ifndef __x86_64__
#  include <ucontext.h>
#endif

/* The host's own stack is one, too: an empty fiber {} that is left first. */
struct fiber {
#ifdef __x86_64__
  void *sp = nullptr;
#else
  ucontext_t context = {};
#endif
  void *stack = nullptr; /* its lowest address, above a guard page */
  size_t bytes = 0;
  void *asan = nullptr; /* ASan's record of a fiber that will go on */
};

/* Gives a fiber a stack if it has none, and makes it begin with `entry`, which never returns. */
void fiber_start(fiber &f, void (*entry)());
/* From the fiber that runs to another, until somebody switches back; `for_good`: nobody will. */
void fiber_switch(fiber &from, fiber &to, bool for_good);
/* the first call of an entry */
void fiber_entered();

#endif
