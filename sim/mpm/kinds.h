/* The kinds an MPM model is made of, from the list headers: one enum each. */
#ifndef CQ_MPM_KINDS_H
#define CQ_MPM_KINDS_H

typedef enum cq_material_kind {
#define CQ_MATERIAL(name, inversion_ok, phase) CQ_MATERIAL_##name,
#include "material/material_list.h"
#undef CQ_MATERIAL
  CQ_N_MATERIALS
} cq_material_kind;

/* A liquid's F is settled each step (material_settle). */
static inline int cq_material_is_liquid(int kind) {
  enum { SOLID, LIQUID };
  static const int liquid[CQ_N_MATERIALS] = {
#define CQ_MATERIAL(name, inversion_ok, phase) phase,
#include "material/material_list.h"
#undef CQ_MATERIAL
  };
  return liquid[kind];
}

typedef enum cq_boundary_kind {
#define CQ_BOUNDARY(name) CQ_BOUNDARY_##name,
#include "boundary/boundary_list.h"
#undef CQ_BOUNDARY
  CQ_N_BOUNDARIES
} cq_boundary_kind;

enum { CQ_MAX_BOUNDARIES = 32 };

typedef enum cq_actuation_kind {
#define CQ_ACTUATION(name, in_2d, in_3d) CQ_ACTUATION_##name,
#include "actuation/actuation_list.h"
#undef CQ_ACTUATION
  CQ_N_ACTUATIONS
} cq_actuation_kind;

/* how many controls an actuator of a kind has */
static inline int cq_actuation_controls(cq_actuation_kind kind, int dim) {
  static const int counts[CQ_N_ACTUATIONS][2] = {
#define CQ_ACTUATION(name, in_2d, in_3d) {in_2d, in_3d},
#include "actuation/actuation_list.h"
#undef CQ_ACTUATION
  };
  return counts[kind][dim - 2];
}

#endif
