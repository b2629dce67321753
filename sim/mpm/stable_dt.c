#include "stable_dt.h"

#include "kinds.h"

#include <math.h>

double cq_wave_modulus(int material, double youngs_modulus, double poisson_ratio) {
  const double nu = poisson_ratio;
  if (cq_material_is_liquid(material)) {
    return youngs_modulus / (3.0 * (1.0 - 2.0 * nu));
  }
  return youngs_modulus * (1.0 - nu) / ((1.0 + nu) * (1.0 - 2.0 * nu));
}

double cq_stable_dt(double cell, double modulus, double viscosity, double density) {
  const double way = 0.9 * cell, c2 = modulus / density, n = 2.0 * viscosity / density;
  return way * way / (n + sqrt(n * n + c2 * way * way));
}
