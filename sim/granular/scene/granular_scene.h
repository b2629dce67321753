/* The inside of a scene of grains: cq_scene.own. */
#ifndef CQ_GRANULAR_SCENE_H
#define CQ_GRANULAR_SCENE_H

#include "engine_part.h"
#include "granular_model.h"
#include "scene.h"

#define OWN_TABLE         "scene/granular_keys.h"
#define OWN_KEYS(section) cq_granular_##section##_keys
#include "own_structs.h"

enum { CQ_MOST_TOOLS = 64 };

/* words of its keys, in their order */
enum { CQ_SOLVER_NCP, CQ_SOLVER_JACOBI, CQ_SOLVER_PAPER };
enum { CQ_WARM_START_AUTO, CQ_WARM_START_ON, CQ_WARM_START_OFF };
enum { CQ_PACKING_CUBIC, CQ_PACKING_STAGGERED };

typedef struct cq_granular_scene {
  cq_granular_model model; /* model.own of the scene */
  cq_tool tools[CQ_MOST_TOOLS];
} cq_granular_scene;

static inline cq_granular_scene *cq_granular_scene_of(const cq_scene *scene) {
  return (cq_granular_scene *)scene->own;
}

/* The axis that gravity is most along; without gravity y. */
int cq_granular_up(const cq_scene *scene);

/* engine_part.h */
extern const cq_engine_keys cq_granular_rows[];
cq_status cq_granular_read_bodies(cq_scene *scene);
cq_status cq_granular_read_walls(cq_scene *scene);
cq_status cq_granular_read_actuators(cq_scene *scene);
cq_status cq_granular_preflight(cq_scene *scene, const double *least, const double *largest,
                                const double *away);
bool cq_granular_holds(const cq_scene *scene, size_t particle);
void cq_granular_draw_wall(const cq_artist *artist, int wall);

#endif
