/* The kernel table of one variant (dimension x precision): what mpm.c drives. There are two tables
 * a variant, of the fast engine and of the reference loops. */
#ifndef CQ_MPM_KERNELS_H
#define CQ_MPM_KERNELS_H

#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cq_mpm_kernels {
  size_t (*state_bytes)(const void *work);
  cq_status (*create)(cq_ctx *ctx, const cq_model *model, const cq_layout *layout, void **work);
  void (*destroy)(void *work);
  /* Parameters and state 0 from the inputs. Fails like a step when a particle is invalid. */
  cq_status (*upload)(void *work, const double *inputs, void *state);
  /* What drives the actuators, w [n_drives], from controls u and the observation z at the beginning
   * of a step; and its adjoint, which adds to du and dz. */
  void (*drive)(const cq_model *model, const double *u, const double *z, double *w);
  void (*drive_adjoint)(const cq_model *model, const double *u, const double *z, const double *dw,
                        double *du, double *dz);
  /* One step driven by w. `step` is for messages. `count` adds to the tally. What a state
   * stands for does not change; where in is not out, what the step found out about it may be kept
   * beside it for the adjoint. */
  cq_status (*step)(void *work, int step, void *in, void *out, const double *w, bool count);
  void (*observe)(void *work, const void *state, double *z);
  void (*download)(const void *work, const void *state, double *out);
  void (*von_mises)(const cq_model *model, const cq_layout *layout, const double *inputs,
                    const double *state, double *out);

  /* Adjoint slabs and accumulators for n_seeds, zeroed, with the seeds' terminal adjoints. */
  cq_status (*adjoint_begin)(void *work, int n_seeds, const cq_seed *seeds);
  /* Adds the pull-back of dz [n_z] at a state to the adjoint of one seed. */
  void (*observe_adjoint)(void *work, int seed, const void *state, const double *z,
                          const double *dz);
  /* Adjoint of the step from `state`: the slabs go from its end to its beginning, parameters are
   * accumulated, dw [n_seeds][n_drives] is overwritten. */
  cq_status (*step_adjoint)(void *work, int step, const void *state, const double *w, double *dw);
  void (*adjoint_norms)(const void *work, int seed, cq_adjoint_norms *norms);
  /* engine.h */
  cq_status (*contacts)(const void *work, cq_contacts *contacts);
  /* Gradient of one seed but for theta: gradient [layout.total]. */
  void (*adjoint_end)(void *work, int seed, double *gradient);

  const cq_failure *(*failure)(const void *work);
  cq_tally *(*tally)(void *work);
} cq_mpm_kernels;

extern const cq_mpm_kernels cq_mpm_cpu_2d_f32, cq_mpm_ref_2d_f32;
extern const cq_mpm_kernels cq_mpm_cpu_2d_f64, cq_mpm_ref_2d_f64;
extern const cq_mpm_kernels cq_mpm_cpu_3d_f32, cq_mpm_ref_3d_f32;
extern const cq_mpm_kernels cq_mpm_cpu_3d_f64, cq_mpm_ref_3d_f64;

#ifdef __cplusplus
}
#endif

#endif
