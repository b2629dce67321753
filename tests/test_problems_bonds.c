/* Which particles are lost of lattices that are stretched, cut and crumbled by hand. */
#include "alloc.h"
#include "bonds.h"
#include "rng.h"
#include "test.h"

enum { ROOM = 3 * 4096 };

/* Particles in units of a cell. */
typedef struct cloud {
  int dim, count;
  double rest[ROOM], now[ROOM];
} cloud;

static cloud lattice(int dim, int nx, int ny, int nz, double spacing) {
  cloud c = {.dim = dim};
  for (int i = 0; i < nx; i++) {
    for (int j = 0; j < ny; j++) {
      for (int k = 0; k < nz; k++) {
        const double at[3] = {i * spacing, j * spacing, k * spacing};
        memcpy(c.rest + c.count++ * dim, at, (size_t)dim * sizeof *at);
      }
    }
  }
  memcpy(c.now, c.rest, sizeof c.now);
  return c;
}

static int lost(const cloud *c) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_bonds bonds;
  CHECK(cq_bonds_create(ctx, c->dim, 1.0, c->rest, c->count, &bonds) == CQ_OK);
  CHECK_MSG(bonds.first[c->count] <= 64 * c->count, "%d bonds", bonds.first[c->count]);
  CHECK(cq_bonds_lost(&bonds, c->rest) == 0);
  const int n = cq_bonds_lost(&bonds, c->now);
  CHECK_MSG(cq_bonds_lost(&bonds, c->now) == n, "it depends on what was looked at before");
  cq_bonds_destroy(&bonds);
  CHECK_MSG(cq_ctx_bytes(ctx) == 0, "%zu bytes leaked", cq_ctx_bytes(ctx));
  cq_ctx_destroy(ctx);
  return n;
}

/* now = F rest, F row by row */
static void deform(cloud *c, const double F[9]) {
  for (int i = 0; i < c->count; i++) {
    for (int a = 0; a < c->dim; a++) {
      double sum = 0.0;
      for (int b = 0; b < c->dim; b++) {
        sum += F[3 * a + b] * c->rest[i * c->dim + b];
      }
      c->now[i * c->dim + a] = sum;
    }
  }
}

/* whatever is stretched, sheared, pressed and turned as a whole stays whole */
static void test_whole(void) {
  static const double maps[][9] = {
      {1.54, 0, 0, 0, 1, 0, 0, 0, 1},       {1, 0, 0, 0, 2, 0, 0, 0, 2},
      {0.3, 0, 0, 0, 0.3, 0, 0, 0, 0.3},    {1, 1, 0, 0, 1, 0, 0, 0, 1},
      {0, -1, 0, 1, 0, 0, 0, 0, 1},         {0.6, -0.8, 0, 0.8, 0.6, 0, 0, 0, 1},
      {1.2, -1.6, 0, 0.4, 0.3, 0, 0, 0, 1},
  };
  static cloud clouds[8];
  cq_rng rng = cq_rng_seed(7);
  clouds[0] = lattice(2, 20, 8, 1, 0.5);
  clouds[1] = lattice(2, 20, 8, 1, 0.75);
  clouds[2] = lattice(2, 20, 8, 1, 1.0);
  clouds[3] = lattice(2, 20, 8, 1, 1.0 / 3.0);
  clouds[4] = lattice(3, 10, 6, 6, 0.5);
  clouds[5] = lattice(3, 10, 6, 6, 1.0);
  clouds[6] = lattice(2, 20, 20, 1, 0.5);
  clouds[7] = lattice(3, 10, 10, 10, 0.5);
  for (int i = 6; i < 8; i++) { /* at random, some in crowds and some alone */
    for (int k = 0; k < clouds[i].count * clouds[i].dim; k++) {
      clouds[i].rest[k] = 5.0 * cq_rng_uniform(&rng);
    }
  }
  for (size_t i = 0; i < 8; i++) {
    for (size_t m = 0; m < sizeof maps / sizeof *maps; m++) {
      deform(&clouds[i], maps[m]);
      CHECK_MSG(lost(&clouds[i]) == 0, "cloud %zu, map %zu: %d", i, m, lost(&clouds[i]));
    }
  }
  /* half a cell apart, more than twice as well; what is a cell and a half apart is not joined */
  deform(&clouds[0], (const double[9]){2.95, 0, 0, 0, 1, 0, 0, 0, 1});
  CHECK(lost(&clouds[0]) == 0);
  deform(&clouds[0], (const double[9]){3.4, 0, 0, 0, 1, 0, 0, 0, 1});
  CHECK_MSG(lost(&clouds[0]) == 160, "%d", lost(&clouds[0]));
}

/* what is beyond `first` is moved by `gap` */
static void part(cloud *c, double first, double gap) {
  memcpy(c->now, c->rest, sizeof c->now);
  for (int i = 0; i < c->count; i++) {
    c->now[i * c->dim] += c->rest[i * c->dim] > first ? gap : 0.0;
  }
}

/* a crack from above to the height `low`, which gapes by `slope` */
static void crack(cloud *c, double first, double slope, double low) {
  memcpy(c->now, c->rest, sizeof c->now);
  for (int i = 0; i < c->count; i++) {
    const double above = c->rest[i * c->dim + 1] - low;
    c->now[i * c->dim] += c->rest[i * c->dim] > first && above > 0.0 ? slope * above : 0.0;
  }
}

/* A quarter of the body is torn off: it is lost, and so is what lies at the cut. */
static void test_cut(void) {
  static cloud c;
  c = lattice(2, 20, 8, 1, 0.5);
  part(&c, 2.4, 0.9);
  CHECK_MSG(lost(&c) == 0, "%d: a gap of less than a cell", lost(&c));
  part(&c, 2.4, 1.2);
  CHECK_MSG(lost(&c) == 5 * 8 + 8, "%d", lost(&c));
  part(&c, 2.4, 30.0);
  CHECK_MSG(lost(&c) == 5 * 8 + 8, "%d", lost(&c));
  /* equal halves: one of them is lost, and the face of the other */
  part(&c, 4.9, 3.0);
  CHECK_MSG(lost(&c) == 10 * 8 + 8, "%d", lost(&c));
  /* a crack through half of it: where it gapes, a particle on each side */
  c = lattice(2, 20, 16, 1, 0.5);
  crack(&c, 2.4, 1.5, 3.5);
  CHECK_MSG(lost(&c) >= 10 && lost(&c) <= 16, "%d", lost(&c));
  /* whatever the spacing */
  const struct {
    int dim, n;
    double spacing;
    int of_a_row; /* particles */
  } more[] = {{2, 10, 1.0, 10}, {2, 10, 0.75, 10}, {2, 12, 1.0 / 3.0, 12}, {3, 8, 0.5, 64},
              {3, 8, 0.75, 64}, {3, 8, 1.0, 64},   {3, 14, 0.25, 196}};
  for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
    c = lattice(more[i].dim, more[i].n, more[i].n, more[i].dim == 3 ? more[i].n : 1,
                more[i].spacing);
    part(&c, 1.5 * more[i].spacing, 4.0);
    const int off = 2 * more[i].of_a_row;
    CHECK_MSG(lost(&c) >= off && lost(&c) <= off + 2 * more[i].of_a_row, "%d at spacing %g in %dD",
              lost(&c), more[i].spacing, more[i].dim);
  }
}

static void test_crumbs(void) {
  static cloud c;
  c = lattice(2, 12, 12, 1, 0.5);
  c.now[2 * 70] += 9.0; /* one from the middle */
  CHECK_MSG(lost(&c) == 1, "%d", lost(&c));
  c.now[0] -= 9.0; /* and a corner */
  CHECK_MSG(lost(&c) == 2, "%d", lost(&c));
  /* what was never joined may part */
  c = lattice(2, 20, 8, 1, 0.5);
  for (int i = 80; i < 160; i++) {
    c.rest[2 * i] += 3.0;
  }
  part(&c, 6.0, 7.0);
  CHECK_MSG(lost(&c) == 0, "%d", lost(&c));
  /* particles that are all at one place, or all alone */
  memset(c.rest, 0, sizeof c.rest);
  part(&c, 1.0, 1.0);
  CHECK(lost(&c) == 0);
  c = lattice(2, 8, 8, 1, 1.2);
  part(&c, 3.0, 9.0);
  CHECK(lost(&c) == 0);
}

static void test_memory(void) {
  static cloud c;
  c = lattice(2, 6, 6, 1, 0.5);
  cq_ctx *ctx = cq_ctx_create(1, 1);
  int n = 0;
  for (cq_status status = CQ_MEMORY; status != CQ_OK && n < 100; n++) {
    cq_bonds bonds;
    cq_alloc_fail_nth(ctx, n + 1);
    status = cq_bonds_create(ctx, 2, 1.0, c.rest, c.count, &bonds);
    cq_alloc_fail_nth(ctx, 0);
    CHECK(status == CQ_OK || (status == CQ_MEMORY && cq_ctx_bytes(ctx) == 0));
    cq_ctx_clear_error(ctx);
    cq_bonds_destroy(&bonds);
  }
  CHECK(n > 9 && n < 100 && cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

int main(void) {
  RUN(test_whole);
  RUN(test_cut);
  RUN(test_crumbs);
  RUN(test_memory);
  return TEST_RESULT();
}
