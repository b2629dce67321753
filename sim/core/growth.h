/* How an adjoint grows backward in time: a straight line through the logarithms of its norms. In a
 * chaotic motion it grows exponentially, and then no gradient tells where a long way leads. */
#ifndef CQ_CORE_GROWTH_H
#define CQ_CORE_GROWTH_H

#ifdef __cplusplus
extern "C" {
#endif

/* Sums of a least-squares fit. Start with zeros. */
typedef struct cq_growth_fit {
  int n;
  double sum_t, sum_y, sum_tt, sum_ty;
} cq_growth_fit;

/* Adds the adjoint at `before` [s] before the end of a run of `duration` [s], whose norms of dL/dx
 * and dL/dv are given. Its norm is that of both, a second in the latter counting as 1/duration: in
 * free flight, where dL/dv grows by dL/dx a second, it stays what it is but for a factor sqrt(2).
 * An adjoint of zero is left out.
 */
void cq_growth_add(cq_growth_fit *fit, double before, double duration, double dx, double dv);
/* Rate of the exponential [1/s]; NAN with fewer than three adjoints. */
double cq_growth_rate(const cq_growth_fit *fit);

#ifdef __cplusplus
}
#endif

#endif
