/* The inside of a scene that MPM simulates: cq_scene.own. */
#ifndef CQ_MPM_SCENE_H
#define CQ_MPM_SCENE_H

#include "bodies.h"
#include "engine_part.h"
#include "mpm_model.h"
#include "rigid_read.h"
#include "scene.h"

#define OWN_TABLE         "scene/mpm_keys.h"
#define OWN_KEYS(section) cq_mpm_##section##_keys
#include "own_structs.h"

enum { CQ_WALL_NONE };                    /* then the kinds of boundary_list.h in their order */
enum { CQ_MODEL_RIGID = CQ_N_MATERIALS }; /* of material.model, after those of material_list.h */
enum { CQ_RIGID_CONTACT_SPRINGS, CQ_RIGID_CONTACT_IMPULSES };

/* What a body is made of; a liquid's E and nu are those of its bulk modulus. */
typedef struct cq_mpm_body {
  double youngs_modulus, poisson_ratio;
} cq_mpm_body;

/* An obstacle or a half-space that moves, or whose surface does: a rigid body without particles. */
typedef struct cq_mpm_mover {
  const cq_node *node;
  const char *name;
  cq_boundary_kind kind;
  double friction; /* INFINITY: kinds that hold */
  cq_shape shape;
  cq_track_keys motion;
  const double *belt; /* [3] NAN: none */
} cq_mpm_mover;

typedef struct cq_mpm_scene {
  cq_mpm_model model; /* model.own of the scene */
  cq_boundary boundaries[CQ_MAX_BOUNDARIES];
  cq_mpm_body *bodies; /* [config.bodies.count] */
  int *rigid_of;       /* [config.bodies.count] its index in rigids; -1: it is soft */
  int n_rigid;         /* bodies of the file that are rigid */
  int n_movers;
  cq_mpm_mover *movers;
  cq_rigids rigids;       /* walls, movers, then bodies of the file; index i has scene->walls[i] */
  cq_rigid *rigid;        /* [rigids.n] */
  cq_mpm_rigid *meetings; /* [rigids.n] model.rigid */
  cq_mpm_contact *contacts; /* [config.contacts.count] */
  const double **moved;     /* [rigids.n] of each that has a track, its knots (tracks.h) */
} cq_mpm_scene;

static inline cq_mpm_scene *cq_mpm_scene_of(const cq_scene *scene) {
  return (cq_mpm_scene *)scene->own;
}

/* engine_part.h */
extern const cq_engine_keys cq_mpm_rows[];
extern const cq_also_called cq_mpm_also_called[];
cq_status cq_mpm_point_default(const cq_scene *scene, const cq_body *body, bool is_given,
                               double *value);
cq_status cq_mpm_read_bodies(cq_scene *scene);
cq_status cq_mpm_read_walls(cq_scene *scene);
/* May a design change frictions? */
bool cq_mpm_designs_friction(const cq_scene *scene);
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
/* Which slip walls are mirrors, by where the inputs have the bodies. */
void cq_mpm_find_mirrors(const cq_scene *scene, const double *inputs);
/* Over which time and distance friction takes the mean of the pressure (friction_time.c).
 */
void cq_mpm_find_friction_time(const cq_scene *scene, const double *inputs);
/* means.c. Refuses simulation.start_means that this scene cannot have. */
cq_status cq_mpm_check_means(const cq_scene *scene);
/* Places and F of the inputs, after simulation.relax steps. */
cq_status cq_mpm_relax(const cq_scene *scene, double *inputs);
/* Warns of bodies that start inside walls. */
void cq_mpm_check_walls(const cq_scene *scene);
/* rigids.c. Moves the particles of rigid bodies behind all others. */
cq_status cq_mpm_sort_bodies(cq_scene *scene);
static inline bool cq_mpm_is_rigid(const cq_body *body) {
  const cq_mpm_material_keys *material = body->material->of_engine;
  return material->model == CQ_MODEL_RIGID;
}
/* What rigid bodies, walls and movers are to each other and to material, when the walls are known;
 * nothing where nothing is rigid. */
cq_status cq_mpm_make_rigids(cq_scene *scene);
/* contact.c. Contacts of the file, whose frictions stand behind those of all walls. */
cq_status cq_mpm_read_contacts(cq_scene *scene);
/* Knots of tracks and friction of walls as rigid bodies have them, in the inputs. */
void cq_mpm_fill_rigids(const cq_scene *scene, double *inputs);
/* rigid_check.c. Refuses what cannot work: bodies that overlap at the start, tracks that do not
 * begin where the body is or leave the room, designs of what a rigid body has not. */
cq_status cq_mpm_check_rigids(cq_scene *scene);
/* drives.c. The actuator of the file that drives a body or wall of this name; NULL: none does. */
const cq_actuator_keys *cq_mpm_drive_of(const cq_scene *scene, const char *name);
/* pushed.c (engine_part.h) */
cq_status cq_mpm_pushed(const cq_scene *scene, const cq_node *section, const char *key,
                        const char *name, const char *of, cq_group *group);
/* How many controls it has, its controls, and the body that takes them. */
cq_status cq_mpm_read_drive(cq_scene *scene, const cq_actuator_keys *keys,
                            const cq_actuator *actuator, const cq_set **set);
/* The points of a cable; anchors them to the particles of a set. */
cq_status cq_mpm_read_cable(cq_scene *scene, const cq_actuator_keys *keys, const cq_set *set,
                            cq_actuator *cable);

#endif
