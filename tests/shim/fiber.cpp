#include "fiber.h"

#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
#  include <sanitizer/common_interface_defs.h>
#endif

/* touched pages alone cost memory; frames under ASan are large */
static const size_t stack_bytes = 256 << 10;
static fiber *left; /* whom the last switch left */

#ifdef __x86_64__
/* swapcontext asks the kernel for the signal mask each time, some 50 times slower than this: the
 * registers that a function must keep go to the old stack and come from the new one. */
extern "C" void cq_shim_swap(void **save, void *load);
__asm__(".text\n"
        ".globl cq_shim_swap\n"
        ".hidden cq_shim_swap\n"
        ".type cq_shim_swap, @function\n"
        "cq_shim_swap:\n"
        "  pushq %rbp\n  pushq %rbx\n  pushq %r12\n  pushq %r13\n  pushq %r14\n  pushq %r15\n"
        "  movq %rsp, (%rdi)\n"
        "  movq %rsi, %rsp\n"
        "  popq %r15\n  popq %r14\n  popq %r13\n  popq %r12\n  popq %rbx\n  popq %rbp\n"
        "  ret\n"
        ".size cq_shim_swap, . - cq_shim_swap\n");

static void begin_with(fiber &f, void (*entry)()) {
  /* six registers, the address that `ret` takes, and no caller above */
  void **top = (void **)((char *)f.stack + f.bytes) - 8;
  for (int i = 0; i < 8; i++)
    top[i] = nullptr;
  top[6] = (void *)entry;
  f.sp = top;
}
static void swap(fiber &from, fiber &to) {
  cq_shim_swap(&from.sp, to.sp);
}
#else
static void begin_with(fiber &f, void (*entry)()) {
  getcontext(&f.context);
  f.context.uc_stack.ss_sp = f.stack;
  f.context.uc_stack.ss_size = f.bytes;
  makecontext(&f.context, entry, 0);
}
static void swap(fiber &from, fiber &to) {
  swapcontext(&from.context, &to.context);
}
#endif

void fiber_start(fiber &f, void (*entry)()) {
  if (!f.stack) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    void *map = mmap(nullptr, page + stack_bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED || mprotect(map, page, PROT_NONE) != 0) {
      perror("cuda shim: no stack for a thread");
      abort();
    }
    f.stack = (char *)map + page;
    f.bytes = stack_bytes;
  }
  begin_with(f, entry);
}

/* tells ASan who was left; the host's stack becomes known here */
static void arrived(fiber *self) {
#ifdef __SANITIZE_ADDRESS__
  const void *stack;
  size_t bytes;
  __sanitizer_finish_switch_fiber(self ? self->asan : nullptr, &stack, &bytes);
  left->stack = const_cast<void *>(stack);
  left->bytes = bytes;
#else
  (void)self;
#endif
}

void fiber_switch(fiber &from, fiber &to, bool for_good) {
  left = &from;
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_start_switch_fiber(for_good ? nullptr : &from.asan, to.stack, to.bytes);
#else
  (void)for_good;
#endif
  swap(from, to);
  arrived(&from);
}

void fiber_entered() {
  arrived(nullptr);
}
