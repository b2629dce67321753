/* Where the nominal operations of the bench come from: the naive loops run with a number that
 * counts additions, multiplications, divisions and roots. CQ_DIM is 2 or 3. */
#include <cmath>

static long long operations;

struct counted {
  double value;
  counted() = default;
  counted(double a) : value(a) {
  }
  explicit operator double() const {
    return value;
  }
  explicit operator int() const {
    return (int)value;
  }
  counted operator-() const {
    return counted(-value);
  }
  counted &operator+=(counted b) {
    return operations++, value += b.value, *this;
  }
  counted &operator-=(counted b) {
    return operations++, value -= b.value, *this;
  }
};

static inline counted operator+(counted a, counted b) {
  return a += b;
}
static inline counted operator-(counted a, counted b) {
  return a -= b;
}
static inline counted operator*(counted a, counted b) {
  return operations++, counted(a.value * b.value);
}
static inline counted operator/(counted a, counted b) {
  return operations++, counted(a.value / b.value);
}
static inline bool operator<(counted a, counted b) {
  return a.value < b.value;
}
static inline bool operator>(counted a, counted b) {
  return a.value > b.value;
}

typedef counted scalar;
static inline scalar scalar_sqrt(scalar a) {
  return operations++, counted(std::sqrt(a.value));
}
#define CQ_NAIVE_SCALAR
#define SCALAR_EPSILON 1.1920929e-07
#define CQ_LEVEL       counted
#include "naive.c"

extern "C" {
#include "cases.h"
#include "scene.h"
}
#include "test.h"

#include <vector>

/* operations of a pass a particle, in the middle of a body of n particles an edge */
static double measure(int pass) {
  const int n = CQ_DIM == 3 ? 16 : 40;
  cq_ctx *const ctx = cq_ctx_create(1, 1);
  cq_bench_scene_def def = {};
  def.dim = CQ_DIM;
  def.bits = 64;
  def.steps = 1;
  for (int a = 0; a < 3; a++) {
    def.edge[a] = n;
    def.grid[a] = 60;
  }
  cq_bench_scene scene;
  CHECK(cq_bench_scene_make(ctx, &def, &scene) == CQ_OK);
  const cq_naive_config c = cq_bench_naive_config(&scene);
  const size_t nodes = CQ_DIM == 3 ? 60 * 60 * 60 : 60 * 60;
  std::vector<particle> states(2 * (size_t)c.n), adjoint((size_t)c.n);
  std::vector<node> grid(nodes), dgrid(nodes);
  load(&c, scene.inputs, states.data());
  for (int step = 0; step < 10; step++) { /* until F is no longer the identity */
    operations = 0;
    forward(&c, &states[(size_t)(step % 2 * c.n)], &states[(size_t)((step + 1) % 2 * c.n)],
            grid.data());
  }
  if (pass == CQ_BACKWARD) {
    load(&c, scene.inputs, adjoint.data());
    operations = 0;
    backward(&c, &states[(size_t)c.n], &states[0], adjoint.data(), grid.data(), dgrid.data());
  }
  const double count = (double)operations / c.n;
  cq_bench_scene_destroy(&scene);
  cq_ctx_destroy(ctx);
  return count;
}

/* The nominal counts are rounded, and leave out what the plain loop back works out twice. */
static void nominal_counts() {
  for (int pass = 0; pass < CQ_N_PASSES; pass++) {
    const double counted = measure(pass), nominal = cq_bench_operations(CQ_DIM, pass);
    printf("     %dD %-8s %.0f operations counted, %.0f nominal\n", CQ_DIM, cq_pass_names[pass],
           counted, nominal);
    CHECK_NEAR(nominal / counted, 1.0, 0.12);
  }
}

int main() {
  RUN(nominal_counts);
  return TEST_RESULT();
}
