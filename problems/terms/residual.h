/* Terms that are sums of squares, written as what is squared. Such a term has a line in
 * problems/residual_list.h, keys of CQ_RESIDUAL_KEYS, and in place of a value and its adjoint
 *
 *   cq_<name>_count(in)                          of vectors d of residuals
 *   cq_<name>_numbers(in)                        residuals in each, 3 at most
 *   cq_<name>_weight(in, k)                      of |d_k|^2 in the term's value
 *   cq_<name>_residual(keys, in, k, d)           d_k, what is simulated less what was measured
 *   cq_<name>_measured(keys, in, k, a)           component a of the latter
 *   cq_<name>_residual_adjoint(in, k, factor, v, dz)
 *                                                adds factor * v^T d(d_k)/dz to dz
 *
 * of which CQ_TERM_OF_RESIDUALS(name) makes both: the value is the weighted sum of losses of d_k.
 */
#ifndef CQ_TERMS_RESIDUAL_H
#define CQ_TERMS_RESIDUAL_H

#include "length.h"

/* words of the key loss, in this order */
enum { CQ_LOSS_SQUARES, CQ_LOSS_HUBER, CQ_LOSS_CAUCHY };

/* unit: of what is measured */
#define CQ_RESIDUAL_KEYS(K, name, unit)                                                            \
  K(name, deviation, NUMBER, unit, POSITIVE, NONE, "", "",                                         \
    "standard deviation of a measured number (of weight 1): the term is then chi-square, the "     \
    "sum of the squares in units of it")                                                           \
  K(name, loss, WORD, "", ANY, "squares", "", "squares|huber|cauchy",                              \
    "what outliers count: their square; huber: their distance beyond loss_size; cauchy: the "      \
    "logarithm of the square")                                                                     \
  K(name, loss_size, NUMBER, unit, POSITIVE, NONE, "", "",                                         \
    "distance from which a sample is an outlier; by default 1.345 (huber) or 2.385 (cauchy) "      \
    "times deviation")

/* loss(|d|^2), which is |d|^2 near 0. size: in->loss_size */
CQ_FN wide cq_loss_value(const wide *d, int dim, int squared, int loss, double size) {
  const wide square = cq_length_value(d, dim, 1);
  const double limit = size * size;
  if (loss == CQ_LOSS_HUBER && square > limit) {
    return 2.0 * size * cq_wide_sqrt(square) - limit;
  }
  return loss == CQ_LOSS_CAUCHY ? limit * cq_wide_log(1.0 + square / limit)
                                : cq_length_value(d, dim, squared);
}

/* d(loss)/d(d[a]) = factor * d[a] */
CQ_FN wide cq_loss_factor(const wide *d, int dim, int squared, int loss, double size) {
  const wide square = cq_length_value(d, dim, 1);
  const double limit = size * size;
  if (loss == CQ_LOSS_HUBER && square > limit) {
    return 2.0 * size / cq_wide_sqrt(square);
  }
  return loss == CQ_LOSS_CAUCHY ? 2.0 / (1.0 + square / limit) : cq_length_factor(d, dim, squared);
}

#define CQ_TERM_OF_RESIDUALS(name)                                                                 \
  CQ_FN wide cq_##name##_value(const cq_term_##name *keys, const cq_term_in *in) {                 \
    const int n = cq_##name##_numbers(in);                                                         \
    wide sum = 0.0;                                                                                \
    for (int k = 0; k < cq_##name##_count(in); k++) {                                              \
      wide d[3] = {0.0, 0.0, 0.0};                                                                 \
      cq_##name##_residual(keys, in, k, d);                                                        \
      sum = sum + cq_##name##_weight(in, k) *                                                      \
                      cq_loss_value(d, n, keys->squared, keys->loss, in->loss_size);               \
    }                                                                                              \
    return sum;                                                                                    \
  }                                                                                                \
  CQ_FN void cq_##name##_adjoint(const cq_term_##name *keys, const cq_term_in *in, wide seed,      \
                                 wide *dz, wide *du) {                                             \
    const int n = cq_##name##_numbers(in);                                                         \
    (void)du;                                                                                      \
    for (int k = 0; k < cq_##name##_count(in); k++) {                                              \
      wide d[3] = {0.0, 0.0, 0.0};                                                                 \
      cq_##name##_residual(keys, in, k, d);                                                        \
      const wide slope = cq_loss_factor(d, n, keys->squared, keys->loss, in->loss_size);           \
      cq_##name##_residual_adjoint(in, k, seed *cq_##name##_weight(in, k) * slope, d, dz);         \
    }                                                                                              \
  }

#endif
