#include "block.h"

#include <cstdarg>
#include <cstdio>
#include <deque>
#include <vector>

#include "cq_shim.h"
#include "fiber.h"

uint3 threadIdx, blockIdx;
dim3 blockDim, gridDim;

/* the linker's names of the section of __shared__; none if there is no such variable */
extern char __start_cq_shim_shared[] __attribute__((weak, visibility("hidden")));
extern char __stop_cq_shim_shared[] __attribute__((weak, visibility("hidden")));

namespace {

/* threads that wait together: a warp, or the block */
struct group {
  unsigned first, size, arrived;
};
struct warp {
  group all;
  /* by turns: who reads a value of one round cannot be overtaken by more than one */
  unsigned long long value[2][32];
};
struct thread {
  fiber *on;         /* null: not begun */
  const char *waits; /* at which kind of barrier, and where; null: does not wait */
  cq_shim_site at;
  uint3 index;
  unsigned round;
  bool done;
};

struct {
  const cq_shim_kernel *kernel;
  std::vector<thread> threads;
  std::vector<warp> warps;
  group block;
  std::vector<unsigned> ready; /* may run; the next is at the end */
  unsigned current, done;
  bool ahead; /* whoever may go on goes on at once, so that warps run far ahead of others */
  std::deque<fiber> fibers; /* all there are, and those without a thread */
  std::vector<fiber *> idle;
  fiber host;
} now;

bool seeded;
unsigned seed;
unsigned long long random_state;

unsigned draw(unsigned n) { /* 0 .. n-1; xorshift64* */
  random_state ^= random_state >> 12;
  random_state ^= random_state << 25;
  random_state ^= random_state >> 27;
  return (unsigned)((random_state * 2685821657736338717ull >> 32) % n);
}

/* the last n of `order` in a drawn order; in order, the last one first, with seed 0 */
void shuffle(std::vector<unsigned> &order, size_t n) {
  for (size_t i = order.size(); seed && n > 1; n--, i--)
    std::swap(order[i - 1], order[i - 1 - draw((unsigned)n)]);
}

/* Texts, not addresses: copies of one literal need not be merged. */
bool same_text(const char *a, const char *b) {
  return a == b || (a && b && strcmp(a, b) == 0);
}
bool same_place(const thread &a, const thread &b) {
  return a.at.line == b.at.line && same_text(a.waits, b.waits) && same_text(a.at.file, b.at.file);
}

void report_threads() {
  for (size_t first = 0, i = 1; i <= now.threads.size(); i++) {
    const thread &t = now.threads[first];
    if (i < now.threads.size() && t.done == now.threads[i].done &&
        (t.done || same_place(t, now.threads[i])))
      continue;
    fprintf(stderr, "  threads %zu-%zu: ", first, i - 1);
    if (t.done)
      fprintf(stderr, "ended\n");
    else if (t.waits)
      fprintf(stderr, "wait in %s at %s:%d (%s)\n", t.waits, t.at.file, t.at.line, t.at.function);
    else
      fprintf(stderr, "run\n");
    first = i;
  }
}

[[noreturn]] __attribute__((format(printf, 1, 2))) void fail(const char *format, ...) {
  va_list args;
  va_start(args, format);
  fprintf(stderr, "cuda shim: ");
  vfprintf(stderr, format, args);
  va_end(args);
  const cq_shim_site &from = now.kernel->from;
  fprintf(stderr, "\n  kernel launched at %s:%d (%s), block %u,%u,%u of %u,%u,%u, seed %u\n",
          from.file, from.line, from.function, blockIdx.x, blockIdx.y, blockIdx.z, gridDim.x,
          gridDim.y, gridDim.z, seed);
  report_threads();
  abort();
}

void become(unsigned thread) {
  now.current = thread;
  threadIdx = now.threads[thread].index;
}

/* the next that may run */
bool choose(unsigned *next) {
  if (now.ready.empty())
    return false;
  if (seed && !now.ahead)
    std::swap(now.ready.back(), now.ready[draw((unsigned)now.ready.size())]);
  *next = now.ready.back();
  now.ready.pop_back();
  return true;
}

/* A fiber's life: it runs threads that have not begun, until a thread that waited on another fiber
 * is next. So kernels without barriers need one fiber. Its own frame, which is never left, must not
 * have marks of ASan's. */
__attribute__((no_sanitize_address)) void live() {
  fiber_entered();
  fiber *self = now.threads[now.current].on;
  for (;;) {
    now.kernel->body();
    now.threads[now.current].done = true;
    now.done++;
    unsigned next;
    fiber *to = &now.host;
    if (choose(&next)) {
      become(next);
      thread &t = now.threads[next];
      if (!t.on) {
        t.on = self;
        continue;
      }
      to = t.on;
    } else if (now.done < now.threads.size()) {
      fail("deadlock: threads have ended without the barrier that others wait at");
    }
    now.idle.push_back(self);
    fiber_switch(*self, *to, true);
  }
}

/* the fiber of a thread, a fresh one if it has not begun */
fiber &fiber_of(thread &t) {
  if (!t.on) {
    if (now.idle.empty())
      now.idle.push_back(&now.fibers.emplace_back());
    t.on = now.idle.back();
    now.idle.pop_back();
    fiber_start(*t.on, live);
  }
  return *t.on;
}

/* Returns when all threads of the group have called it. */
void wait(group &g, const char *what, cq_shim_site at) {
  thread &self = now.threads[now.current];
  self.waits = what;
  self.at = at;
  if (++g.arrived == g.size) {
    for (unsigned i = g.size; i-- > 0;) {
      if (!same_place(self, now.threads[g.first + i]))
        fail("threads wait for each other at different barriers");
      now.ready.push_back(g.first + i);
    }
    for (unsigned i = 0; i < g.size; i++)
      now.threads[g.first + i].waits = nullptr;
    g.arrived = 0;
    shuffle(now.ready, g.size);
  }
  unsigned next;
  if (!choose(&next))
    fail("deadlock: all threads wait, at barriers that others never reach");
  fiber &from = *self.on;
  become(next);
  fiber &to = fiber_of(now.threads[next]);
  if (&from != &to)
    fiber_switch(from, to, false);
}

#ifdef __SANITIZE_ADDRESS__
/* ASan has marks between the variables, which memset must not touch. */
__attribute__((no_sanitize_address)) void fill_shared() {
  for (volatile char *p = __start_cq_shim_shared; p < __stop_cq_shim_shared; p++)
    *p = (char)0xff;
}
#else
void fill_shared() {
  memset(__start_cq_shim_shared, 0xff, (size_t)(__stop_cq_shim_shared - __start_cq_shim_shared));
}
#endif

void run_block(unsigned number) {
  const dim3 &d = blockDim;
  blockIdx = {number % gridDim.x, number / gridDim.x % gridDim.y, number / gridDim.x / gridDim.y};
  const unsigned n = d.x * d.y * d.z;
  now.threads.assign(n, thread{});
  now.warps.resize((n + 31) / 32);
  now.block = {0, n, 0};
  now.done = 0;
  now.ahead = seed && draw(2);
  for (unsigned i = n; i-- > 0;) {
    now.threads[i].index = {i % d.x, i / d.x % d.y, i / d.x / d.y};
    now.ready.push_back(i);
  }
  for (unsigned w = 0; w < now.warps.size(); w++) {
    now.warps[w].all = {32 * w, n - 32 * w < 32 ? n - 32 * w : 32, 0};
    memset(now.warps[w].value, 0xff, sizeof now.warps[w].value);
  }
  shuffle(now.ready, n);
  fill_shared();
  unsigned first;
  choose(&first);
  become(first);
  fiber_switch(now.host, fiber_of(now.threads[first]), false);
}

} // namespace

void cq_shim_block_barrier(const char *what, cq_shim_site at) {
  wait(now.block, what, at);
}

cq_shim_warp cq_shim_exchange(unsigned mask, unsigned long long mine, const char *what,
                              cq_shim_site at) {
  warp &w = now.warps[now.current / 32];
  const unsigned lane = now.current % 32, turn = now.threads[now.current].round++ % 2;
  if (mask != ~0u)
    fail("%s at %s:%d (%s) has mask 0x%x: only whole warps (0xffffffff) are supported", what,
         at.file, at.line, at.function, mask);
  w.value[turn][lane] = mine;
  wait(w.all, what, at);
  return {w.value[turn], (int)lane, (int)w.all.size};
}

void cq_shim_set_seed(unsigned value) {
  seeded = true;
  seed = value;
  random_state = value * 0x9e3779b97f4a7c15ull | 1;
}

void cq_shim_run(const cq_shim_kernel &kernel) {
  if (!seeded) {
    const char *text = getenv("CQ_SHIM_SEED");
    cq_shim_set_seed(text ? (unsigned)strtoul(text, nullptr, 10) : 1);
  }
  now.kernel = &kernel;
  blockDim = kernel.block;
  gridDim = kernel.grid;
  static std::vector<unsigned> blocks;
  blocks.clear();
  for (unsigned i = 0; i < gridDim.x * gridDim.y * gridDim.z; i++)
    blocks.push_back(i);
  shuffle(blocks, blocks.size());
  for (unsigned block : blocks)
    run_block(block);
}
