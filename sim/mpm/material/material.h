/* Every material of material_list.h behind one call. A material <name> is a header <name>.h with
 *
 *   real <name>_energy(lame, mat F)                         energy density Psi per reference volume
 *                                                           [Pa]
 *   mat  <name>_pk1(lame, mat F)                            P = dPsi/dF, first Piola-Kirchhoff
 *                                                           stress
 *   mat  <name>_adjoint(lame, mat F, mat dP, lame *dl)      pull-back of P: eq. (70), second term
 *   real <name>_out_of_plane(lame, mat F)                   2D: P_33, the stretch out of the plane
 *                                                           being 1
 *   mat  <name>_out_of_plane_adjoint(lame, mat F, real dP33, lame *dl)    its pull-back
 *
 * and, where its phase is LIQUID,
 *
 *   mat  <name>_settle(mat F)                               what the next step takes for F
 *   mat  <name>_settle_adjoint(mat F, mat d)                its pull-back
 *
 * Adjoints return dL/dF and add dL/d(mu, lambda) to *dl. Psi is linear in mu and lambda. */
#ifndef CQ_MATERIAL_MATERIAL_H
#define CQ_MATERIAL_MATERIAL_H

#include "kinds.h"
#include "material/fixed_corotated.h"
#include "material/hencky.h"
#include "material/liquid.h"
#include "material/neo_hookean.h"
#include "material/st_venant_kirchhoff.h"

CQ_FN real material_energy(int kind, lame l, mat F) {
  switch (kind) {
#define CQ_MATERIAL(name, inversion_ok, phase)                                                     \
case CQ_MATERIAL_##name:                                                                           \
  return name##_energy(l, F);
#include "material/material_list.h"
#undef CQ_MATERIAL
  default:
    return real_splat(K(0));
  }
}

CQ_FN mat material_pk1(int kind, lame l, mat F) {
  switch (kind) {
#define CQ_MATERIAL(name, inversion_ok, phase)                                                     \
case CQ_MATERIAL_##name:                                                                           \
  return name##_pk1(l, F);
#include "material/material_list.h"
#undef CQ_MATERIAL
  default:
    return mat_zero();
  }
}

CQ_FN mat material_adjoint(int kind, lame l, mat F, mat dP, lame *dl) {
  switch (kind) {
#define CQ_MATERIAL(name, inversion_ok, phase)                                                     \
case CQ_MATERIAL_##name:                                                                           \
  return name##_adjoint(l, F, dP, dl);
#include "material/material_list.h"
#undef CQ_MATERIAL
  default:
    return mat_zero();
  }
}

CQ_FN real material_out_of_plane(int kind, lame l, mat F) {
  switch (kind) {
#define CQ_MATERIAL(name, inversion_ok, phase)                                                     \
case CQ_MATERIAL_##name:                                                                           \
  return name##_out_of_plane(l, F);
#include "material/material_list.h"
#undef CQ_MATERIAL
  default:
    return real_splat(K(0));
  }
}

CQ_FN mat material_out_of_plane_adjoint(int kind, lame l, mat F, real dP33, lame *dl) {
  switch (kind) {
#define CQ_MATERIAL(name, inversion_ok, phase)                                                     \
case CQ_MATERIAL_##name:                                                                           \
  return name##_out_of_plane_adjoint(l, F, dP33, dl);
#include "material/material_list.h"
#undef CQ_MATERIAL
  default:
    return mat_zero();
  }
}

/* F at the beginning of a step. A return mapping, or nothing: it comes before everything that reads
 * F, so that its adjoint is the last thing in that of the step. */
CQ_FN mat material_settle(int kind, mat F) {
  switch (kind) {
#define CQ_SETTLE_SOLID(name)  F
#define CQ_SETTLE_LIQUID(name) name##_settle(F)
#define CQ_MATERIAL(name, inversion_ok, phase)                                                     \
case CQ_MATERIAL_##name:                                                                           \
  return CQ_SETTLE_##phase(name);
#include "material/material_list.h"
#undef CQ_MATERIAL
  default:
    return F;
  }
}

/* d: of the settled F */
CQ_FN mat material_settle_adjoint(int kind, mat F, mat d) {
  (void)F;
  switch (kind) {
#define CQ_SETTLE_ADJOINT_SOLID(name)  d
#define CQ_SETTLE_ADJOINT_LIQUID(name) name##_settle_adjoint(F, d)
#define CQ_MATERIAL(name, inversion_ok, phase)                                                     \
case CQ_MATERIAL_##name:                                                                           \
  return CQ_SETTLE_ADJOINT_##phase(name);
#include "material/material_list.h"
#undef CQ_MATERIAL
  default:
    return d;
  }
}

/* whether det F <= 0 is within the material's domain */
CQ_FN int material_survives_inversion(int kind) {
  switch (kind) {
#define CQ_MATERIAL(name, inversion_ok, phase)                                                     \
case CQ_MATERIAL_##name:                                                                           \
  return inversion_ok;
#include "material/material_list.h"
#undef CQ_MATERIAL
  default:
    return 0;
  }
}

#endif
