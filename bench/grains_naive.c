/* The loops of grains_naive.h, of one precision (CQ_BITS) at one SIMD level (CQ_LEVEL). */
#include "grains_naive.h"

#include <math.h>
#include <string.h>

#if CQ_BITS == 32
typedef float number;
#  define ROOT sqrtf
#else
typedef double number;
#  define ROOT sqrt
#endif
#define NAME_(bits, level) cq_naive_grains_f##bits##_##level
#define NAME(bits, level)  NAME_(bits, level)

typedef struct grain {
  number v[3], w[3], im, ii;
} grain;

typedef struct contact {
  int i, j;
  number n[3], arm, kn, kt, kr, bias, friction, roll;
  number pn, pt[3], pr[3];
} contact;

static void cross(const number *a, const number *b, number *c) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

/* A contact of two grains that lie beside each other. */
static void load_contact(const cq_naive_bed *bed, contact *c, int i, int j) {
  double n[3], square = 0.0;
  for (int a = 0; a < 3; a++) {
    n[a] = bed->x[3 * i + a] - bed->x[3 * j + a];
    square += n[a] * n[a];
  }
  const double distance = sqrt(square), gap = distance - 2.0 * bed->radius;
  const double turn = 5.0 / (bed->mass * bed->radius * bed->radius), m = 2.0 / bed->mass;
  memset(c, 0, sizeof *c);
  c->i = i;
  c->j = j;
  for (int a = 0; a < 3; a++) {
    c->n[a] = (number)(n[a] / distance);
  }
  c->arm = (number)(0.5 * distance);
  c->kn = (number)(1.0 / m);
  c->kt = (number)(1.0 / (m + 0.25 * square * turn));
  c->kr = (number)(1.0 / turn);
  c->bias = (number)(gap > 0.0 ? gap / bed->dt : 0.0);
  c->friction = (number)bed->friction;
  c->roll = (number)(bed->rolling * bed->radius);
}

/* Fills the structs; a step of gravity is added to the velocities, for the contacts to bear. */
static void load(const cq_naive_bed *bed, void *to, void *found) {
  grain *grains = to;
  contact *contacts = found;
  for (int i = 0; i < bed->n; i++) {
    for (int a = 0; a < 3; a++) {
      grains[i].v[a] = (number)bed->v[3 * i + a];
      grains[i].w[a] = (number)bed->spin[3 * i + a];
    }
    grains[i].v[2] -= (number)(9.81 * bed->dt);
    grains[i].im = (number)(1.0 / bed->mass);
    grains[i].ii = (number)(2.5 / (bed->mass * bed->radius * bed->radius));
  }
  for (int k = 0; k < bed->n_pairs; k++) {
    load_contact(bed, &contacts[k], bed->first[k], bed->second[k]);
  }
}

/* the vector p, no longer than `most` */
static void shorten(number *p, number most) {
  const number square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
  if (square > most * most) {
    const number scale = most / ROOT(square);
    for (int a = 0; a < 3; a++) {
      p[a] *= scale;
    }
  }
}

/* Normal, friction, rolling friction: what the engine does, for one contact. */
static void solve(contact *c, grain *i, grain *j) {
  number sum[3], rate[3], turn[3], along = 0, d[3], twist[3];
  for (int a = 0; a < 3; a++) {
    sum[a] = i->w[a] + j->w[a];
    rate[a] = i->v[a] - j->v[a];
    along += rate[a] * c->n[a];
  }
  cross(sum, c->n, turn);
  const number wanted = c->pn - c->kn * (along + c->bias);
  const number pn = wanted > 0 ? wanted : 0;
  number pt[3], pr[3];
  for (int a = 0; a < 3; a++) {
    pt[a] = c->pt[a] - c->kt * (rate[a] - c->arm * turn[a] - along * c->n[a]);
  }
  shorten(pt, c->friction * pn);
  for (int a = 0; a < 3; a++) {
    d[a] = pt[a] - c->pt[a];
  }
  cross(c->n, d, twist);
  for (int a = 0; a < 3; a++) {
    const number push = (pn - c->pn) * c->n[a] + d[a];
    i->v[a] += i->im * push;
    j->v[a] -= j->im * push;
    i->w[a] -= i->ii * c->arm * twist[a];
    j->w[a] -= j->ii * c->arm * twist[a];
    c->pt[a] = pt[a];
  }
  c->pn = pn;
  for (int a = 0; a < 3; a++) {
    pr[a] = c->pr[a] - c->kr * (i->w[a] - j->w[a]);
  }
  shorten(pr, c->roll * pn);
  for (int a = 0; a < 3; a++) {
    const number more = pr[a] - c->pr[a];
    i->w[a] += i->ii * more;
    j->w[a] -= j->ii * more;
    c->pr[a] = pr[a];
  }
}

static void iterate(const cq_naive_bed *bed, void *to, void *found) {
  grain *grains = to;
  contact *contacts = found;
  for (int k = 0; k < bed->n_pairs; k++) {
    solve(&contacts[k], &grains[contacts[k].i], &grains[contacts[k].j]);
  }
}

extern const cq_naive_grains NAME(CQ_BITS, CQ_LEVEL);
const cq_naive_grains NAME(CQ_BITS, CQ_LEVEL) = {sizeof(grain), sizeof(contact), load, iterate};
