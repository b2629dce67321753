#include "growth.h"

#include <math.h>

void cq_growth_add(cq_growth_fit *fit, double before, double duration, double dx, double dv) {
  const double norm = hypot(dx, dv / duration);
  if (norm > 0.0 && isfinite(norm)) {
    const double y = log(norm);
    fit->n++;
    fit->sum_t += before;
    fit->sum_y += y;
    fit->sum_tt += before * before;
    fit->sum_ty += before * y;
  }
}

double cq_growth_rate(const cq_growth_fit *fit) {
  const double n = fit->n, variance = n * fit->sum_tt - fit->sum_t * fit->sum_t;
  return n >= 3 ? (n * fit->sum_ty - fit->sum_t * fit->sum_y) / variance : NAN;
}
