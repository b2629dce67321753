/* Random rigid bodies in dual numbers, and pairings of derivatives: an adjoint is right if
 *   <seed, derivative of the result> = <adjoint by an argument, direction of the argument>, summed.
 * Include after dual.h and the headers of sim/rigid. */
#ifndef CQ_TESTS_RIGID_RANDOM_H
#define CQ_TESTS_RIGID_RANDOM_H

#include "rigid_free.h"
#include "rng.h"
#include "test.h"

static cq_rng rigid_rng = cq_rng_seed(11);

static double uniform(double size) {
  return size * (2.0 * cq_rng_uniform(&rigid_rng) - 1.0);
}

/* the numbers of a struct of reals: all of them are nothing else */
template <class T> static Dual *numbers(T &a) {
  static_assert(sizeof(T) % sizeof(Dual) == 0, "a struct of reals");
  return reinterpret_cast<Dual *>(&a);
}

template <class T> static int count(const T &) {
  return (int)(sizeof(T) / sizeof(Dual));
}

/* random values with a random direction */
template <class T> static T some(double size = 1.0) {
  T a;
  for (int i = 0; i < count(a); i++) {
    numbers(a)[i] = Dual(uniform(size), uniform(1.0));
  }
  return a;
}

/* without one: seeds */
template <class T> static T seed() {
  T a = some<T>();
  for (int i = 0; i < count(a); i++) {
    numbers(a)[i].d = 0.0;
  }
  return a;
}

template <class T> static T nothing() {
  T a;
  for (int i = 0; i < count(a); i++) {
    numbers(a)[i] = Dual(0.0);
  }
  return a;
}

/* <seed, derivative of the result> */
template <class T> static double moved(T s, T result) {
  double sum = 0.0;
  for (int i = 0; i < count(s); i++) {
    sum += numbers(s)[i].v * numbers(result)[i].d;
  }
  return sum;
}

/* <adjoint, direction of the argument> */
template <class T> static double paired(T adjoint, T argument) {
  return moved(adjoint, argument);
}

/* its direction, as values */
template <class T> static T along(T a) {
  for (int i = 0; i < count(a); i++) {
    numbers(a)[i] = Dual(numbers(a)[i].d);
  }
  return a;
}

/* how far a tangent is from the derivative that the result carries */
template <class T> static double off(T tangent, T result) {
  double most = 0.0;
  for (int i = 0; i < count(result); i++) {
    const double d = std::fabs(numbers(tangent)[i].v - numbers(result)[i].d);
    most = d > most || d != d ? d : most;
  }
  return most;
}

/* a heft with a moment that a body may have: A A^T + 1 */
[[maybe_unused]] static heft some_heft(void) {
  heft m;
  m.mass = Dual(2.0 + uniform(1.0), uniform(1.0));
  const moment a = some<moment>(0.5);
  FOR_SPINS(i) {
    FOR_SPINS(j) {
      Dual s(i == j ? 1.0 + 0.4 * i : 0.0);
      FOR_SPINS(k) {
        s = s + a.m[i][k] * a.m[j][k];
      }
      m.I.m[i][j] = s;
    }
  }
  return m;
}

/* a pose whose quaternion is anything but zero */
[[maybe_unused]] static pose some_pose(void) {
  pose p = some<pose>();
  p.q.q[0] = p.q.q[0] + Dual(1.5);
  return p;
}

static const double close_enough = 1e-12;

#endif
