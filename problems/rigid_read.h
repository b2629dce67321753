/* Rigid bodies of a file for any engine that has them by sim/rigid: their shapes, how they move and
 * what drives them. Errors name the key. */
#ifndef CQ_PROBLEMS_RIGID_READ_H
#define CQ_PROBLEMS_RIGID_READ_H

#include "bodies.h"
#include "scene.h"
#include "tracks.h"

/* words of rigid_keys.h */
typedef enum cq_motion_word { CQ_MOTION_FREE, CQ_MOTION_DRIVEN, CQ_MOTION_FIXED } cq_motion_word;
enum { CQ_FRAME_WORLD, CQ_FRAME_OWN };
enum { CQ_JOINT_HINGE, CQ_JOINT_SLIDER };

/* What a section says of how a body moves. */
typedef struct cq_motion_keys {
  const cq_node *node;
  int motion; /* cq_motion_word; < 0: not given */
  double release;
  cq_track_keys track;
  const cq_actuator_keys *by; /* the actuator that drives it; NULL: none does */
} cq_motion_keys;
/* Of a body, by the engine's keys of its section (CQ_RIGID_KEY_LIST, track_keys.h). */
#define CQ_MOTION_KEYS(body, own, actuator)                                                        \
  {                                                                                                \
    .node = (own)->node, .motion = (own)->motion, .release = (own)->release,                       \
    .track = {.node = (own)->node,                                                                 \
              .track = &(own)->track,                                                              \
              .sway = &(own)->sway,                                                                \
              .velocity = (body)->keys->velocity,                                                  \
              .spin = &(body)->keys->spin,                                                         \
              .sway_axis = (own)->sway_axis},                                                      \
    .by = (actuator)                                                                               \
  }

/* What a section says of the joint at which a driven body hangs. NAN: not given. */
typedef struct cq_joint_keys {
  const cq_node *node;
  int joint; /* < 0: it has none */
  const char *joint_at;
  const double *joint_point, *joint_axis; /* [3] */
} cq_joint_keys;
/* Of a body, by the engine's keys of its section (CQ_JOINT_KEY_LIST). */
#define CQ_JOINT_KEYS(own)                                                                         \
  {                                                                                                \
    .node = (own)->node, .joint = (own)->joint, .joint_at = (own)->joint_at,                       \
    .joint_point = (own)->joint_point, .joint_axis = (own)->joint_axis                             \
  }

/* What an actuator says of how it drives a body. NAN: not given. */
typedef struct cq_drive_keys {
  const cq_node *node;
  int n_controls; /* texts */
  const char *const *controls;
  int frame;
  double max, min, max_turn;
} cq_drive_keys;

/* The actuator of the file that drives the body or wall of this name, by what an engine says of
 * one; NULL: none does. */
const cq_actuator_keys *cq_rigid_drive_of(const cq_scene *scene, const char *name,
                                          bool (*drives)(const cq_actuator_keys *actuator));
/* Moves the particles of bodies with `rigid` behind all others, whose number is n_soft; bodies keep
 * their order. */
cq_status cq_rigid_sort(cq_scene *scene, int *n_soft);
/* Inertia, points of the surface and reach of a shape, in the arena of the scene. */
cq_status cq_rigid_shape(cq_scene *scene, const cq_shape *shape, double pitch, double rounding,
                         cq_rigid *rigid);
/* The mass of a rigid body as the file has it. */
double cq_rigid_mass(const cq_body *body, const cq_rigid *rigid);

/* How a body of the file moves: motion and release, and no key that says another one. */
cq_status cq_rigid_motion_of(const cq_scene *scene, const cq_body *body, const cq_motion_keys *keys,
                             cq_rigid *rigid);
/* What drives a body with motion = "driven" and no joint: its own track, whose knots are `moved`,
 * or the actuator. */
cq_status cq_rigid_driver_of(cq_scene *scene, const cq_body *body, const cq_motion_keys *keys,
                             cq_rigid *rigid, const double **moved);
/* The joint of a body whose motion is known, where its keys have one: then its actuator's one
 * control is the joint's rate, and cq_rigid_driver_of is not asked. `all` are the bodies of the
 * scene, of which `link` is one; it hangs at one before it. */
cq_status cq_rigid_joint_of(cq_scene *scene, const cq_body *body, const cq_motion_keys *motion,
                            const cq_joint_keys *keys, const cq_rigid *all, cq_rigid *link);
/* Counts the knots of the track, if there is one, behind those of other tracks, and keeps them for
 * designs of what is this boundary of the scene. Returns the first one; -1: there is no track. */
int cq_rigid_keep_knots(cq_scene *scene, int wall, const cq_rigid *rigid, const double *moved);
/* A body that is moved by its own track, about its centre of mass. */
cq_status cq_rigid_take_track(cq_scene *scene, const cq_track_keys *keys, cq_rigid *rigid,
                              const double **moved);
/* The component of a twist that a text means: "x" of the velocity, "turn x" of the spin; in 2D
 * "turn". -1: none. */
int cq_rigid_component(int dim, const char *text);
/* The controls of an actuator, the first of which is number u: what they drive, and their bounds.
 */
cq_status cq_rigid_drive(cq_scene *scene, const cq_actuator_keys *actuator,
                         const cq_drive_keys *keys, int u, cq_rigid *rigid);

/* Is the motion that the file gives where the file has the body, at time 0, and in the room all the
 * time? `enlarge` is the key of the room. */
cq_status cq_rigid_check_track(const cq_scene *scene, const cq_node *node, const cq_rigid *rigid,
                               const char *enlarge);
/* Refuses designs of what a rigid body has not; rigid_of [bodies] is the body's index in rigids,
 * -1: it is not rigid. */
cq_status cq_rigid_check_design(const cq_scene *scene, const cq_rigids *rigids, const int *rigid_of,
                                int n_soft);
/* Refuses targets out of the reach of an arm, and warns of an arm far from all of the first n_soft
 * particles. */
cq_status cq_rigid_check_reach(const cq_scene *scene, const cq_rigids *rigids, int n_soft);
/* The error of cq_rigids_check, with the place of the body that it names: body i is wall[i] of the
 * scene; NULL: i. */
cq_status cq_rigid_place_error(const cq_scene *scene, const cq_rigids *rigids, const int *wall,
                               cq_status status);
/* Refuses keys of rigid bodies in another one: those of rigid_keys.h and track_keys.h, and n of the
 * engine. */
cq_status cq_rigid_refuse_keys(const cq_scene *scene, const cq_body *body, const char *const *words,
                               size_t n);
/* The end of a line about a rigid body: how it moves. */
void cq_rigid_describe(const cq_rigid *rigid, FILE *out);
/* The knots of a track as inputs have them, at `to`. */
void cq_rigid_fill_track(int dim, const cq_rigid *rigid, const double *moved, double *to);

#endif
