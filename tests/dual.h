/* Dual numbers a + b e, e^2 = 0, as the `real` and `wide` of the physics headers: running them
 * gives a value and the exact derivative along one direction. Include before any physics header. */
#ifndef CQ_TESTS_DUAL_H
#define CQ_TESTS_DUAL_H

#include <cmath>

struct Dual {
  double v, d;
  Dual() = default;
  Dual(double value) : v(value), d(0.0) {
  }
  Dual(double value, double derivative) : v(value), d(derivative) {
  }
};

inline Dual operator-(Dual a) {
  return Dual(-a.v, -a.d);
}
inline Dual operator+(Dual a, Dual b) {
  return Dual(a.v + b.v, a.d + b.d);
}
inline Dual operator-(Dual a, Dual b) {
  return Dual(a.v - b.v, a.d - b.d);
}
inline Dual operator*(Dual a, Dual b) {
  return Dual(a.v * b.v, a.d * b.v + a.v * b.d);
}
inline Dual operator/(Dual a, Dual b) {
  const double q = a.v / b.v;
  return Dual(q, (a.d - q * b.d) / b.v);
}
inline bool operator<(Dual a, Dual b) {
  return a.v < b.v;
}
inline bool operator>(Dual a, Dual b) {
  return a.v > b.v;
}
inline bool operator<=(Dual a, Dual b) {
  return a.v <= b.v;
}
inline bool operator>=(Dual a, Dual b) {
  return a.v >= b.v;
}

typedef Dual real;
typedef int truth;
typedef Dual wide;
#define CQ_REAL_DEFINED
#define CQ_WIDE_DEFINED

inline Dual real_sqrt(Dual a) {
  const double s = std::sqrt(a.v);
  return Dual(s, a.d / (2.0 * s));
}
inline Dual real_log(Dual a) {
  return Dual(std::log(a.v), a.d / a.v);
}
inline Dual real_exp(Dual a) {
  const double e = std::exp(a.v);
  return Dual(e, e * a.d);
}
inline Dual real_select(truth condition, Dual yes, Dual no) {
  return condition ? yes : no;
}
inline truth truth_not(truth condition) {
  return !condition;
}
inline truth truth_and(truth a, truth b) {
  return a && b;
}
inline int real_all(truth condition) {
  return condition;
}
inline Dual real_splat(double a) {
  return Dual(a);
}
inline Dual real_rounded(Dual a) {
  return a;
}
inline Dual cq_wide_sqrt(Dual a) {
  return real_sqrt(a);
}
inline Dual cq_wide_log(Dual a) {
  return real_log(a);
}
inline Dual cq_wide_pow(Dual a, double exponent) {
  return Dual(std::pow(a.v, exponent), exponent * std::pow(a.v, exponent - 1.0) * a.d);
}
inline Dual cq_wide_tanh(Dual a) {
  const double t = std::tanh(a.v);
  return Dual(t, (1.0 - t * t) * a.d);
}
inline Dual cq_wide_sin(Dual a) {
  return Dual(std::sin(a.v), std::cos(a.v) * a.d);
}
inline Dual cq_wide_cos(Dual a) {
  return Dual(std::cos(a.v), -std::sin(a.v) * a.d);
}
inline double cq_wide_number(Dual a) {
  return a.v;
}

#endif
