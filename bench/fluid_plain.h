/* Seconds of one core that a sweep takes a particle, as plain loops: n points of a lattice, two
 * radii apart. */
#ifndef CQ_BENCH_FLUID_PLAIN_H
#define CQ_BENCH_FLUID_PLAIN_H

double fluid_plain_2d_f32(int n, const double *x, double radius, double dt, int sweeps);
double fluid_plain_2d_f64(int n, const double *x, double radius, double dt, int sweeps);
double fluid_plain_3d_f32(int n, const double *x, double radius, double dt, int sweeps);
double fluid_plain_3d_f64(int n, const double *x, double radius, double dt, int sweeps);

#endif
