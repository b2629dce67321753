/* Arms that cannot reach: chains of hinges at a body that stands, by the lengths between them. */
#include "rigid_read.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* How near to its first joint, and how far from it, the end of a chain can be. */
typedef struct arm {
  int first;              /* the link that hangs at what stands */
  double origin[3];       /* of its joint [m] */
  double length, longest; /* of all pieces together, and of one [m] */
} arm;

static double apart(int dim, const double *a, const double *b) {
  double square = 0.0;
  for (int k = 0; k < dim; k++) {
    square += (a[k] - b[k]) * (a[k] - b[k]);
  }
  return sqrt(square);
}

static void add_piece(arm *a, double length) {
  a->length += length;
  a->longest = fmax(a->longest, length);
}

/* The arm whose last link is body i, to its centre of mass. False: body i is on none, or on one
 * that slides, or that hangs at what moves itself or is let go. */
static bool arm_of(const cq_rigids *rigids, int i, arm *a) {
  double at[3] = {0.0, 0.0, 0.0};
  memcpy(at, rigids->bodies[i].inertia.center, (size_t)rigids->dim * sizeof *at);
  *a = (arm){.first = -1};
  for (; rigids->bodies[i].joint != NULL; i = rigids->bodies[i].parent) {
    const cq_rigid *link = &rigids->bodies[i], *base = &rigids->bodies[link->parent];
    if (link->joint->kind != JOINT_HINGE || isfinite(link->release)) {
      return false;
    }
    for (int k = 0; k < rigids->dim; k++) {
      a->origin[k] = base->inertia.center[k] + link->joint->anchor[k];
    }
    add_piece(a, apart(rigids->dim, a->origin, at));
    memcpy(at, a->origin, sizeof at);
    a->first = i;
  }
  return a->first >= 0 && rigids->bodies[i].motion == CQ_RIGID_FIXED;
}

/* A centre of mass that should be where the arm never has it. */
static cq_status check_targets(const cq_scene *scene, const cq_rigids *rigids,
                               const cq_items *terms) {
  const cq_term_keys *keys = terms->items;
  for (int t = 0; t < terms->count; t++) {
    arm a;
    int i = rigids->n - 1;
    while (i >= 0 && (keys[t].term != CQ_TERM_distance || keys[t].body == NULL ||
                      strcmp(rigids->bodies[i].name, keys[t].body) != 0)) {
      i--;
    }
    if (i < 0 || !arm_of(rigids, i, &a)) {
      continue;
    }
    const double away = apart(rigids->dim, a.origin, keys[t].own.distance.target);
    const double least = fmax(0.0, 2.0 * a.longest - a.length), slack = 1e-9 * a.length;
    if (away > a.length + slack || away < least - slack) {
      return cq_config_fail(
          scene->ctx, keys[t].node, "target",
          "\"%s\" cannot reach it: it is %.4g m from the joint of \"%s\", and the "
          "links let its centre come to %.4g to %.4g m from there; move the "
          "target or the arm, or make links longer",
          keys[t].body, away, rigids->bodies[a.first].name, least, a.length);
    }
  }
  return CQ_OK;
}

/* Nothing that it could move starts where the arm comes. What falls may come there, so that this is
 * a warning. */
static void warn_of_nothing_near(const cq_scene *scene, const cq_rigids *rigids, int i,
                                 int n_soft) {
  const size_t dim = (size_t)rigids->dim;
  double nearest = INFINITY;
  arm a;
  bool is_last = true;
  for (int k = i + 1; k < rigids->n; k++) {
    is_last = is_last && !(rigids->bodies[k].joint != NULL && rigids->bodies[k].parent == i);
    n_soft = rigids->bodies[k].motion == CQ_RIGID_FREE ? 0 : n_soft;
  }
  for (int k = 0; k < i; k++) {
    n_soft = rigids->bodies[k].motion == CQ_RIGID_FREE ? 0 : n_soft;
  }
  if (!is_last || n_soft == 0 || !arm_of(rigids, i, &a)) {
    return;
  }
  for (int p = 0; p < n_soft; p++) {
    nearest = fmin(nearest, apart(rigids->dim, a.origin, scene->x + (size_t)p * dim));
  }
  const double reach = a.length + rigids->bodies[i].reach;
  if (nearest > reach + 0.1 * scene->model.length) {
    cq_log(
        scene->ctx, CQ_LOG_WARNING,
        "%s: the arm with \"%s\" reaches %.4g m from the joint of \"%s\", and what it could move "
        "begins %.4g m from there",
        cq_node_where(cq_node_find(scene->config.root, "bodies")).text, rigids->bodies[i].name,
        reach, rigids->bodies[a.first].name, nearest);
  }
}

cq_status cq_rigid_check_reach(const cq_scene *scene, const cq_rigids *rigids, int n_soft) {
  CQ_TRY(check_targets(scene, rigids, &scene->config.objective));
  CQ_TRY(check_targets(scene, rigids, &scene->config.constraints));
  for (int i = 0; i < rigids->n; i++) {
    warn_of_nothing_near(scene, rigids, i, n_soft);
  }
  return CQ_OK;
}
