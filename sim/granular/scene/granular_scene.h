/* The inside of a scene of grains: cq_scene.own. */
#ifndef CQ_GRANULAR_SCENE_H
#define CQ_GRANULAR_SCENE_H

#include "engine_part.h"
#include "granular_model.h"
#include "rigid_read.h"
#include "scene.h"

#define OWN_TABLE         "scene/granular_keys.h"
#define OWN_KEYS(section) cq_granular_##section##_keys
#include "own_structs.h"

enum { CQ_MOST_TOOLS = 64 };

/* words of its keys, in their order */
enum { CQ_SOLVER_NCP, CQ_SOLVER_JACOBI, CQ_SOLVER_PAPER };
enum { CQ_WARM_START_AUTO, CQ_WARM_START_ON, CQ_WARM_START_OFF };
enum { CQ_BROADPHASE_SORT, CQ_BROADPHASE_HASH };
enum { CQ_MODEL_GRAIN, CQ_MODEL_RIGID };
enum { CQ_ACTUATOR_WALL, CQ_ACTUATOR_DRIVE };
enum { CQ_PACKING_CUBIC, CQ_PACKING_STAGGERED };

enum { CQ_MOST_BOXES = 64 }; /* that terms are about */

typedef struct cq_granular_scene {
  cq_granular_model model;              /* model.own of the scene */
  cq_tool tools[CQ_MOST_TOOLS];         /* walls, then rigid bodies */
  const cq_shape *whole[CQ_MOST_TOOLS]; /* the shape of each; NULL: the room */
  cq_track_keys motion[CQ_MOST_TOOLS];  /* of obstacles; without a node it has none */
  const double *belt[CQ_MOST_TOOLS];    /* [3] NAN: none */
  double boxes[CQ_MOST_BOXES][2][3];    /* of model.boxes */
  int n_boxes;
  int n_walls, n_rigid, n_moving; /* moving: obstacles by their own motion */
  cq_rigids rigids;               /* none where no body is rigid; walls, then bodies */
  cq_rigid *rigid;                /* [rigids.n] as all below */
  cq_granular_rigid *meets;
  const double **moved; /* of each that has a track, its knots (tracks.h) */
  int *wall_of;         /* its tool */
  int *rigid_of;        /* [config.bodies.count] its index in rigids; -1 */
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
/* add_tool.c. A tool that stands still, of these parts; one of this shape, in `tool`. */
cq_status cq_granular_add_parts(cq_scene *scene, const cq_node *node, double friction, int n_parts,
                                const cq_shape *parts);
cq_status cq_granular_add_tool(cq_scene *scene, const cq_node *node, double friction,
                               const cq_shape *shape, int *tool);
/* rigids.c. Is a body made of a rigid material? */
bool cq_granular_is_rigid(const cq_body *body);
/* Moves the particles of rigid bodies behind the grains; refuses keys of the other kind. */
cq_status cq_granular_sort_bodies(cq_scene *scene);
/* Rigid bodies as tools behind the walls, when these are known. */
cq_status cq_granular_make_rigids(cq_scene *scene);
/* Can contacts move it, now or after its release? */
static inline bool cq_granular_moved(const cq_rigid *rigid) {
  return rigid->motion == CQ_RIGID_FREE || cq_rigid_limited(rigid) || rigid->release < INFINITY;
}
/* The rigid body that carries the first particle of a group, or that its parameter says; -1: none,
 * or a wall. */
int cq_granular_rigid_of(const cq_scene *scene, const cq_group *group);
/* Does an actuator move the wall, or its own motion? */
bool cq_granular_wall_moves(const cq_scene *scene, int wall);
void cq_granular_drive_walls(cq_scene *scene);
cq_status cq_granular_read_drive(cq_scene *scene, const cq_actuator_keys *keys, int u);
void cq_granular_fill_rigids(const cq_scene *scene, double *inputs);
/* Where a tool is at the start of the design. */
cq_tool_pose cq_granular_start_pose(const cq_scene *scene, int tool);
cq_status cq_granular_check_rigids(const cq_scene *scene);
void cq_granular_draw_wall(const cq_artist *artist, int wall);

#endif
