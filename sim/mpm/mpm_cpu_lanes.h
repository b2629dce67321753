/* Between the records of particles and lanes. */
#ifndef CQ_MPM_CPU_LANES_H
#define CQ_MPM_CPU_LANES_H

#include "lane_rows.h"
#include "mpm_cpu_hot.h"

#include <string.h>

/* Asks for the records of the LANES particles that begin at `first` of a list, if that goes on to
 * `end`. A whole tile asked for at once would fill the queue of misses and hold up what follows:
 * callers ask for a group of lanes at a time. Inlined, since gcc 12 drops calls of a function that
 * does nothing else. */
static inline __attribute__((always_inline)) void
prefetch_records(const scalar *records, const int *list, int first, int end) {
  if (first + LANES > end) {
    return;
  }
#pragma GCC unroll 16
  for (int i = 0; i < LANES; i++) {
    const char *at = (const char *)(records + (size_t)list[first + i] * CQ_RECORD);
#pragma GCC unroll 4
    for (size_t k = 0; k < CQ_RECORD * sizeof(scalar); k += 64) {
      __builtin_prefetch(at + k);
    }
  }
}

/* whether the lanes are one piece of the records, made of whole cache lines */
static inline bool lanes_are_lines(const scalar *records, const lanes *l) {
  if (l->count < LANES || (uintptr_t)(records + (size_t)l->index[0] * CQ_RECORD) % 64 != 0) {
    return false;
  }
  int gaps = 0;
  for (int i = 1; i < LANES; i++) {
    gaps |= l->index[i] - l->index[0] - i;
  }
  return gaps == 0;
}

/* Stores particles around the caches: what will not be read again from them need not be read into
 * them first. */
static inline void stream_particles(scalar *records, const lanes *l, const particle *q) {
  scalar lines[LANES][CQ_RECORD] __attribute__((aligned(64)));
  const lanes own = lanes_own();
  store_scalars(lines[0], &own, LANES, CQ_RECORD, CQ_RECORD, (const real *)q);
  scalar *to = records + (size_t)l->index[0] * CQ_RECORD;
#ifdef CQ_LANES_LOOP
  memcpy(to, lines, sizeof lines);
#else
  for (int k = 0; k < LANES * CQ_RECORD; k += LANES) {
    CQ_X86(stream)(to + k, CQ_X86(load)(lines[0] + k));
  }
#endif
}

/* after the last stream_particles of a piece of work */
static inline void end_stream(void) {
#ifndef CQ_LANES_LOOP
  _mm_sfence();
#endif
}

static inline particle load_particle(const scalar *records, const lanes *l) {
  particle q;
  load_scalars(records, l, CQ_RECORD, 0, CQ_RECORD, (real *)&q);
  return q;
}

static inline substance load_substance(const cpu *c, const lanes *l) {
  real r[CQ_QUAD];
  load_scalars(c->substance, l, CQ_QUAD, 0, CQ_QUAD, r);
  const substance s = {r[0], r[1], r[2], r[3]};
  return s;
}

static inline void store_quad(scalar *to, const lanes *l, int count, real a, real b, real d,
                              real e) {
  const real r[CQ_QUAD] = {a, b, d, e};
  store_scalars(to, l, count, CQ_QUAD, CQ_QUAD, r);
}

/* vec and a fourth component */
static inline void store_vec(scalar *to, const lanes *l, int count, vec v, real fourth) {
#if CQ_DIM == 2
  store_quad(to, l, count, v.v[0], v.v[1], real_splat(K(0)), fourth);
#else
  store_quad(to, l, count, v.v[0], v.v[1], v.v[2], fourth);
#endif
}

/* The whole numbers of the lanes to memory, from where they are taken one by one: the compiler
 * would take them out of the vector, which is slower. */
static inline void store_ints(int *to, truth x) {
  typedef int ints
      __attribute__((vector_size(LANES * sizeof(int)), aligned(sizeof(int)), may_alias));
  *(ints *)to = __builtin_convertvector(x, ints);
  __asm__("" : "+m"(*(ints *)to));
}

/* x/dx, rounded here. Every file finds the cell of a particle by these roundings: contracted
 * differently, x at the edge of a cell would be in one cell for the sort and in another for the
 * scatter. */
static inline real lanes_cells(real x, scalar inv_dx) {
  return real_rounded(x * inv_dx);
}

/* base node of an axis, and f = x/dx - base in [1/2, 3/2) */
static inline truth lanes_base(real x, scalar inv_dx, real *f) {
  const real s = lanes_cells(x, inv_dx);
  const truth base = __builtin_convertvector(s - K(0.5), truth);
  *f = s - __builtin_convertvector(base, real);
  return base;
}

#endif
