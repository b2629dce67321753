/* Length of a vector, or its square, as terms of distances take it. The gradient of a length does
 * not exist at 0; zero, an element of the subdifferential, is taken. */
#ifndef CQ_TERMS_LENGTH_H
#define CQ_TERMS_LENGTH_H

#include "term.h"

CQ_FN wide cq_length_value(const wide *d, int dim, int squared) {
  wide square = 0.0;
  for (int a = 0; a < dim; a++) {
    square = square + d[a] * d[a];
  }
  return squared || !(square > 0.0) ? square : cq_wide_sqrt(square);
}

/* d(value)/d(d[a]) = factor * d[a] */
CQ_FN wide cq_length_factor(const wide *d, int dim, int squared) {
  if (squared) {
    return 2.0;
  }
  const wide length = cq_length_value(d, dim, 0);
  return length > 0.0 ? 1.0 / length : length;
}

#endif
