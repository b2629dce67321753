/* The inside of a scene that MPM simulates: cq_scene.own. */
#ifndef CQ_MPM_SCENE_H
#define CQ_MPM_SCENE_H

#include "engine_part.h"
#include "mpm_model.h"
#include "scene.h"

#define OWN_TABLE         "scene/mpm_keys.h"
#define OWN_KEYS(section) cq_mpm_##section##_keys
#include "own_structs.h"

enum { CQ_WALL_NONE }; /* then the kinds of boundary_list.h in their order */

/* What a body is made of; a liquid's E and nu are those of its bulk modulus. */
typedef struct cq_mpm_body {
  double youngs_modulus, poisson_ratio;
} cq_mpm_body;

typedef struct cq_mpm_scene {
  cq_mpm_model model; /* model.own of the scene */
  cq_boundary boundaries[CQ_MAX_BOUNDARIES];
  cq_mpm_body *bodies; /* [config.bodies.count] */
} cq_mpm_scene;

static inline cq_mpm_scene *cq_mpm_scene_of(const cq_scene *scene) {
  return (cq_mpm_scene *)scene->own;
}

/* engine_part.h */
extern const cq_engine_keys cq_mpm_rows[];
extern const cq_also_called cq_mpm_also_called[];
cq_status cq_mpm_read_bodies(cq_scene *scene);
cq_status cq_mpm_read_walls(cq_scene *scene);
cq_status cq_mpm_read_actuators(cq_scene *scene);
cq_status cq_mpm_preflight(cq_scene *scene, const double *least, const double *largest,
                           const double *away);
bool cq_mpm_holds(const cq_scene *scene, size_t particle);
void cq_mpm_draw_wall(const cq_artist *artist, int wall);

/* Warns of bodies whose particles are more than a cell apart. */
cq_status cq_mpm_check_sparse(const cq_scene *scene);
/* The error of a run that ended by an inverted particle gets that for its cause, where the body has
 * too few particles. */
cq_status cq_mpm_explain(const cq_scene *scene, const cq_failure *failure, cq_status status);
/* Warns of bodies that start inside walls. */
void cq_mpm_check_walls(const cq_scene *scene);
/* The points of a cable; anchors them to the particles of a set. */
cq_status cq_mpm_read_cable(cq_scene *scene, const cq_actuator_keys *keys, const cq_set *set,
                            cq_actuator *cable);

#endif
