/* The inside of a scene that the fluid engine simulates: cq_scene.own. */
#ifndef CQ_FLUID_SCENE_H
#define CQ_FLUID_SCENE_H

#include "engine_part.h"
#include "fluid_inputs.h"
#include "fluid_model.h"
#include "samples.h"
#include "scene.h"
#include "tracks.h"

#define OWN_TABLE         "scene/fluid_keys.h"
#define OWN_KEYS(section) cq_fluid_##section##_keys
#include "own_structs.h"

enum { CQ_FLUID_MODEL_FLUID, CQ_FLUID_MODEL_RIGID }; /* words of material.model */
enum { CQ_FLUID_JOINT_HINGE, CQ_FLUID_JOINT_BALL };  /* words of body.joint */
enum { CQ_FLUID_DOMAIN_NONE, CQ_FLUID_DOMAIN_SLIP, CQ_FLUID_DOMAIN_STICKY }; /* of domain.type */

/* A half-space or an obstacle. */
typedef struct cq_fluid_tool {
  const cq_node *node;
  int type; /* word of domain.type */
  double friction;
  cq_shape shape; /* where the file has it */
  double center[3];
  track *track; /* NULL: it stands still */
  int wall;     /* that it is */
} cq_fluid_tool;

typedef struct cq_fluid_scene {
  cq_fluid_model model;       /* model.own of the scene */
  int *rigid;                 /* [config.bodies.count] its index in model.bodies; -1: fluid */
  cq_fluid_body *bodies;      /* model.bodies: those of the file, then tools */
  cq_fluid_emitter *emitters; /* model.emitters */
  cq_fluid_pin *pins;         /* model.pins */
  int n_tools;
  cq_fluid_tool *tools;
  cq_shape room;   /* of the wall that the domain is */
  int *removed;    /* [config.bodies.count] particles of fluid that were inside of rigid bodies */
  int wall_layers; /* walls that there are: 0 or 1 */
} cq_fluid_scene;

static inline cq_fluid_scene *cq_fluid_scene_of(const cq_scene *scene) {
  return (cq_fluid_scene *)scene->own;
}

/* engine_part.h */
extern const cq_engine_keys cq_fluid_rows[];
extern const cq_also_called cq_fluid_also_called[];
cq_status cq_fluid_read_bodies(cq_scene *scene);
/* Half-spaces and obstacles, before the bodies are read. */
cq_status cq_fluid_read_tools(cq_scene *scene);
cq_status cq_fluid_read_walls(cq_scene *scene);
/* Joints of rigid bodies, once all of them are read. */
cq_status cq_fluid_read_joints(cq_scene *scene);
/* Bodies that hang together stay where the file has them: designs of their places are refused. */
cq_status cq_fluid_check_joints(const cq_scene *scene);
cq_status cq_fluid_read_actuators(cq_scene *scene);
/* The fluid's places among the inputs, after simulation.relax steps. */
cq_status cq_fluid_relax(const cq_scene *scene, double *inputs);
void cq_fluid_draw_wall(const cq_artist *artist, int wall);
cq_status cq_fluid_preflight(cq_scene *scene, const double *least, const double *largest,
                             const double *away);

#endif
