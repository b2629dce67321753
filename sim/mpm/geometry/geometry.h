/* Every geometry of geometry_list.h behind one call. A geometry <name> is a header <name>.h, which
 * C, C++ and CUDA compile, with
 *   cq_geometry_<name>                               what it is made of, in double
 *   int <name>_holds(geometry, dim, x, normal)       does a wall of it hold a node at x [m]?
 *   CQ_GEOMETRY_KEYS_<name>(K)                       OBSTACLE: the keys of that struct in a file,
 *     K(name, field, type, unit, range, fallback, words, help), as in problems/schema_table.h
 * normal [dim] is the unit normal pointing away from the wall, where it holds. Which nodes are held
 * is decided in double in every variant, from positions that are whole numbers of cells. */
#ifndef CQ_GEOMETRY_GEOMETRY_H
#define CQ_GEOMETRY_GEOMETRY_H

#include "geometry/ball.h"
#include "geometry/box.h"
#include "geometry/domain.h"
#include "geometry/half_space.h"
#include "geometry/height_field.h"

typedef enum cq_geometry_kind {
#define CQ_GEOMETRY(name, role) CQ_GEOMETRY_##name,
#include "geometry/geometry_list.h"
#undef CQ_GEOMETRY
  CQ_N_GEOMETRIES
} cq_geometry_kind;

typedef struct cq_geometry {
  cq_geometry_kind kind;
  union {
#define CQ_GEOMETRY(name, role) cq_geometry_##name name;
#include "geometry/geometry_list.h"
#undef CQ_GEOMETRY
  };
} cq_geometry;

CQ_FN int geometry_holds(const cq_geometry *g, int dim, const double *x, double *normal) {
  switch (g->kind) {
#define CQ_GEOMETRY(name, role)                                                                    \
case CQ_GEOMETRY_##name:                                                                           \
  return name##_holds(&g->name, dim, x, normal);
#include "geometry/geometry_list.h"
#undef CQ_GEOMETRY
  default:
    return 0;
  }
}

/* may it stand in the middle of a line of nodes? */
CQ_FN int geometry_is_obstacle(const cq_geometry *g) {
  enum { WALL, OBSTACLE };
  switch (g->kind) {
#define CQ_GEOMETRY(name, role)                                                                    \
case CQ_GEOMETRY_##name:                                                                           \
  return role;
#include "geometry/geometry_list.h"
#undef CQ_GEOMETRY
  default:
    return 0;
  }
}

#endif
