/* How large a time step may be. */
#ifndef CQ_MPM_STABLE_DT_H
#define CQ_MPM_STABLE_DT_H

#ifdef __cplusplus
extern "C" {
#endif

/* Modulus of longitudinal waves in a material [Pa]: lambda + 2 mu, or a liquid's bulk modulus. */
double cq_wave_modulus(int material, double youngs_modulus, double poisson_ratio);

/* Largest stable time step [s], of the stiffest material with the lightest density: where
 *   modulus dt^2 + 4 viscosity dt = density (0.9 cell)^2,
 * modulus that of waves with what actuators add. Without viscosity, sound crosses 0.9 cells. The
 * other term is the step of a damped oscillator, x' = x + dt v', v' = v - dt (k x + c v), which
 * ends at 2 c dt + k dt^2 = 4, for the mode of the grid where k dt^2 = 4 is that distance; its c is
 * k 2 viscosity/modulus. */
double cq_stable_dt(double cell, double modulus, double viscosity, double density);

#ifdef __cplusplus
}
#endif

#endif
