#include "rigid_read.h"

#include "status.h"

#include <math.h>
#include <string.h>

static const double rounding_error = 1e-9;
enum { MOST_LOOKS = 400 }; /* times at which a track is looked at */

/* --- bodies ----------------------------------------------------------------------------------- */

/* One pass for soft bodies, one for rigid ones, into an array of positions in the new order. */
cq_status cq_rigid_sort(cq_scene *scene, int *n_soft) {
  const size_t dim = (size_t)scene->config.dim;
  double *x = NULL;
  int n = 0;
  CQ_TRY(CQ_ARENA(&scene->arena, x, (size_t)scene->model.n_particles * dim));
  for (int rigid = 0; rigid < 2; rigid++) {
    *n_soft = rigid == 1 ? n : 0;
    for (int b = 0; b < scene->config.bodies.count; b++) {
      cq_body *body = &scene->bodies[b];
      if (body->rigid != (rigid == 1)) {
        continue;
      }
      body->first = n;
      n += body->count;
      body->x =
          memcpy(x + (size_t)body->first * dim, body->x, (size_t)body->count * dim * sizeof *x);
    }
  }
  scene->x = x;
  return CQ_OK;
}

/* The skin is copied, so that the scene's arena owns all of the body and nobody has to free it. */
cq_status cq_rigid_shape(cq_scene *scene, const cq_shape *shape, double pitch, double rounding,
                         cq_rigid *rigid) {
  double *x = NULL, *radius = NULL;
  CQ_TRY(cq_rigid_make(scene->ctx, shape, pitch, rounding, rigid));
  const cq_skin skin = rigid->skin;
  const size_t n = (size_t)skin.n;
  cq_status status = CQ_ARENA(&scene->arena, x, n * (size_t)shape->dim + 1);
  status = status != CQ_OK ? status : CQ_ARENA(&scene->arena, radius, n + 1);
  if (status == CQ_OK && n > 0) {
    memcpy(x, skin.x, n * (size_t)shape->dim * sizeof *x);
    memcpy(radius, skin.radius, n * sizeof *radius);
  }
  cq_rigid_free(scene->ctx, rigid);
  rigid->skin = (cq_skin){skin.n, x, radius};
  return status;
}

double cq_rigid_mass(const cq_body *body, const cq_rigid *rigid) {
  double mass = 0.0, volume = 0.0;
  for (size_t p = 0; p < (size_t)body->count; p++) {
    mass += cq_body_density(body, p) * cq_body_volume(body, p);
    volume += cq_body_volume(body, p);
  }
  return mass / volume * rigid->inertia.volume;
}

cq_status cq_rigid_refuse_keys(const cq_scene *scene, const cq_body *body, const char *const *words,
                               size_t n) {
  static const char *const shared[] = {"motion", "friction", "rolling",   "restitution", "release",
                                       "track",  "sway",     "sway_axis", "belt"};
  const size_t n_shared = sizeof shared / sizeof *shared;
  for (size_t i = 0; i < n_shared + n; i++) {
    const char *word = i < n_shared ? shared[i] : words[i - n_shared];
    if (cq_node_find(body->keys->node, word) != NULL) {
      return cq_config_fail(scene->ctx, body->keys->node, word,
                            "is of rigid bodies; the material \"%s\" is not rigid",
                            body->material->name);
    }
  }
  return CQ_OK;
}

/* A limit and a release are named only where there is one. */
void cq_rigid_describe(const cq_rigid *rigid, FILE *out) {
  static const char *const motions[] = {
      [CQ_RIGID_FIXED] = "fixed", [CQ_RIGID_DRIVEN] = "driven", [CQ_RIGID_FREE] = "free"};
  fprintf(out, "rigid, %s", motions[rigid->motion]);
  if (cq_rigid_limited(rigid)) {
    fputs(" by at most", out);
    if (isfinite(rigid->max_force)) {
      fprintf(out, " %g N", rigid->max_force);
    }
    if (isfinite(rigid->max_torque)) {
      fprintf(out, "%s %g N m", isfinite(rigid->max_force) ? "," : "", rigid->max_torque);
    }
  }
  if (rigid->motion == CQ_RIGID_DRIVEN && isfinite(rigid->release)) {
    fprintf(out, ", released at %g s", rigid->release);
  }
}

/* --- motions ---------------------------------------------------------------------------------- */

/* Keys of a motion that does not drive the body. */
static cq_status check_not_driven(const cq_scene *scene, const cq_body *body,
                                  const cq_motion_keys *keys, const char *word) {
  const char *name = body->keys->name;
  const char *key = keys->track.track->rows > 0  ? "track"
                    : keys->track.sway->rows > 0 ? "sway"
                    : isnan(keys->release)       ? NULL
                                                 : "release";
  if (key != NULL) {
    return cq_config_fail(scene->ctx, keys->node, key,
                          "%s a body with motion = \"driven\"; \"%s\" is %s",
                          strcmp(key, "release") == 0 ? "is of" : "moves", name, word);
  }
  CQ_KEY_CHECK(scene->ctx, keys->by == NULL, keys->by, body,
               "\"%s\" is %s; set its motion = \"driven\", or take the actuator out", name, word);
  return CQ_OK;
}

/* What only a driven body has is refused for the other two, so that no key is passed over. */
cq_status cq_rigid_motion_of(const cq_scene *scene, const cq_body *body, const cq_motion_keys *keys,
                             cq_rigid *rigid) {
  switch (keys->motion) {
  case CQ_MOTION_DRIVEN:
    rigid->motion = CQ_RIGID_DRIVEN;
    rigid->release = isnan(keys->release) ? INFINITY : keys->release;
    return CQ_OK;
  case CQ_MOTION_FIXED:
    rigid->motion = CQ_RIGID_FIXED;
    CQ_TRY(check_not_driven(scene, body, keys, "fixed"));
    CQ_KEY_CHECK(scene->ctx, !cq_track_given(&keys->track, scene->config.dim), body->keys, velocity,
                 "\"%s\" is fixed, and has no velocity and no spin", body->keys->name);
    return CQ_OK;
  default:
    rigid->motion = CQ_RIGID_FREE;
    return check_not_driven(scene, body, keys, "free");
  }
}

cq_status cq_rigid_take_track(cq_scene *scene, const cq_track_keys *keys, cq_rigid *rigid,
                              const double **moved) {
  track *t = NULL;
  CQ_TRY(CQ_ARENA(&scene->arena, t, 1));
  CQ_TRY(cq_track_read(scene, keys, rigid->inertia.center, t, moved));
  rigid->track = t;
  return CQ_OK;
}

/* There has to be exactly one driver: both none and two are errors of the file. */
cq_status cq_rigid_driver_of(cq_scene *scene, const cq_body *body, const cq_motion_keys *keys,
                             cq_rigid *rigid, const double **moved) {
  const char *name = body->keys->name;
  const bool given = cq_track_given(&keys->track, scene->config.dim);
  if (!given && keys->by == NULL) {
    return cq_config_fail(
        scene->ctx, keys->node, "motion",
        "nothing drives \"%s\": give it a track, a sway, a velocity or a spin, an "
        "actuator with model = \"drive\", or motion = \"fixed\"",
        name);
  }
  CQ_KEY_CHECK(scene->ctx, !given || keys->by == NULL, keys->by, body,
               "\"%s\" has a track, a sway, a velocity or a spin; take those out, or the actuator",
               name);
  return given ? cq_rigid_take_track(scene, &keys->track, rigid, moved) : CQ_OK;
}

const cq_actuator_keys *cq_rigid_drive_of(const cq_scene *scene, const char *name,
                                          bool (*drives)(const cq_actuator_keys *actuator)) {
  const cq_actuator_keys *all = scene->config.actuators.items;
  for (int i = 0; i < scene->config.actuators.count; i++) {
    if (drives(&all[i]) && strcmp(all[i].body, name) == 0) {
      return &all[i];
    }
  }
  return NULL;
}

int cq_rigid_keep_knots(cq_scene *scene, int wall, const cq_rigid *rigid, const double *moved) {
  const int first = scene->model.n_knots;
  if (rigid->track == NULL) {
    return -1;
  }
  scene->walls[wall].knots = (cq_knots){first, rigid->track->n_knots, rigid->track->times, moved};
  scene->walls[wall].track = rigid->track;
  scene->model.n_knots += rigid->track->n_knots;
  return first;
}

/* --- drives ----------------------------------------------------------------------------------- */

int cq_rigid_component(int dim, const char *text) {
  static const char *const in_2d[] = {"x", "y", "turn"};
  static const char *const in_3d[] = {"x", "y", "z", "turn x", "turn y", "turn z"};
  for (int c = 0; c < (dim == 2 ? 3 : 6); c++) {
    if (strcmp(text, dim == 2 ? in_2d[c] : in_3d[c]) == 0) {
      return c;
    }
  }
  return -1;
}

/* Control i of the actuator: which component it is, its bounds, its name. */
static cq_status read_control(cq_scene *scene, const cq_actuator_keys *actuator,
                              const cq_drive_keys *keys, int i, int u, cq_rigid *body) {
  const char *way = keys->controls[i];
  const int c = body->joint == NULL                 ? cq_rigid_component(scene->config.dim, way)
                : body->joint->kind == JOINT_SLIDER ? 0
                                                    : scene->config.dim;
  if (c < 0) {
    return cq_config_fail(scene->ctx, keys->node, "controls", "\"%s\" is no way to move: %s", way,
                          scene->config.dim == 2 ? "\"x\", \"y\" or \"turn\""
                                                 : "\"x\" to \"turn z\"");
  }
  for (int k = 0; k < i; k++) {
    if (body->drive.component[k] == c) {
      return cq_config_fail(scene->ctx, keys->node, "controls", "\"%s\" is there twice", way);
    }
  }
  body->drive.component[i] = c;
  const bool turns = c >= scene->config.dim, own_max = turns && !isnan(keys->max_turn);
  const double max = own_max ? keys->max_turn : keys->max;
  scene->u_max[u] = max;
  scene->u_min[u] = own_max || isnan(keys->min) ? -max : keys->min;
  scene->u_middle[u] = 0.5 * (scene->u_min[u] + max);
  scene->u_strength[u] = 0.5 * (max - scene->u_min[u]);
  scene->controls[u].actuator = actuator;
  scene->controls[u].unit = turns ? "rad/s" : "m/s";
  scene->controls[u].name = actuator->name;
  return keys->n_controls == 1
             ? CQ_OK
             : cq_arena_text(&scene->arena, &scene->controls[u].name, "%s.%s", actuator->name, way);
}

/* A joint has one control, and no other way to move. */
static cq_status check_joint(const cq_scene *scene, const cq_actuator_keys *actuator,
                             const cq_drive_keys *keys, const cq_rigid *body) {
  const bool drives = keys->n_controls == 1 && strcmp(keys->controls[0], "joint") == 0;
  if (body->joint != NULL && !drives) {
    return cq_config_fail(scene->ctx, keys->node, "controls",
                          "\"%s\" hangs at a joint, whose rate is what it is driven by: \"joint\"",
                          actuator->body);
  }
  if (body->joint == NULL && drives) {
    return cq_config_fail(scene->ctx, keys->node, "controls",
                          "\"%s\" has no joint; give it one, or take other controls",
                          actuator->body);
  }
  CQ_KEY_CHECK(scene->ctx, body->joint == NULL || keys->frame == CQ_FRAME_WORLD, keys, frame,
               "is of velocities; \"%s\" moves by its joint", actuator->body);
  return CQ_OK;
}

/* 0 has to be within the bounds of a control, because a body that is not driven stands. */
cq_status cq_rigid_drive(cq_scene *scene, const cq_actuator_keys *actuator,
                         const cq_drive_keys *keys, int u, cq_rigid *rigid) {
  CQ_TRY(check_joint(scene, actuator, keys, rigid));
  if (keys->n_controls < 1 || keys->n_controls > 6) {
    return cq_config_fail(scene->ctx, keys->node, "controls", "must be one to six ways to move");
  }
  if (!(keys->max > 0.0)) {
    return cq_config_fail(scene->ctx, keys->node, "max", "must be above 0");
  }
  if (keys->min > 0.0) {
    return cq_config_fail(scene->ctx, keys->node, "min",
                          "must be at most 0, the control of what stands");
  }
  rigid->drive = (drive){.own = keys->frame == CQ_FRAME_OWN, .n_controls = keys->n_controls};
  for (int i = 0; i < keys->n_controls; i++) {
    CQ_TRY(read_control(scene, actuator, keys, i, u + i, rigid));
  }
  return CQ_OK;
}

/* --- tracks ----------------------------------------------------------------------------------- */

static cq_status track_fails(const cq_scene *scene, const cq_node *node, const char *key,
                             const char *text) {
  return cq_config_fail(scene->ctx, node, cq_node_find(node, key) != NULL ? key : "velocity", "%s",
                        text);
}

/* At time 0 the motion has to leave a body where the file has it. */
static cq_status check_begin(const cq_scene *scene, const cq_node *node, const cq_rigid *rigid) {
  const int dim = scene->config.dim;
  double pose[7], twist[6], off = 0.0, turn = 0.0;
  char text[256];
  cq_rigid_on_track(dim, rigid->track, 0.0, pose, twist);
  for (int a = 0; a < dim; a++) {
    off = fmax(off, fabs(pose[a] - rigid->inertia.center[a]));
  }
  for (int a = dim == 2 ? 2 : 4; a < (dim == 2 ? 3 : 7); a++) {
    turn = fmax(turn, fabs(pose[a]));
  }
  if (off <= rounding_error * scene->model.length && turn <= rounding_error) {
    return CQ_OK;
  }
  snprintf(text, sizeof text,
           "at time 0 the motion has \"%s\" %g m away from where the file has it, or turned; begin "
           "with a knot of zeros at time 0, and a phase of 0",
           rigid->name, off);
  return track_fails(scene, node, rigid->track->n_sways > 0 ? "sway" : "track", text);
}

/* Nothing of it is in the room any more. */
static cq_status check_room(const cq_scene *scene, const cq_node *node, const cq_rigid *rigid,
                            const char *enlarge) {
  const double end = fmin(scene->model.steps * scene->model.dt, rigid->release);
  const int looks = scene->model.steps < MOST_LOOKS ? scene->model.steps : MOST_LOOKS;
  for (int k = 0; k <= looks && isfinite(rigid->reach); k++) {
    const double time = end * k / looks;
    double pose[7], twist[6];
    cq_rigid_on_track(scene->config.dim, rigid->track, time, pose, twist);
    for (int a = 0; a < scene->config.dim; a++) {
      const double high = scene->model.room.high[a];
      char text[256];
      if (pose[a] + rigid->reach >= 0.0 && pose[a] - rigid->reach <= high) {
        continue;
      }
      snprintf(text, sizeof text,
               "\"%s\" leaves the %s: at %.4g s its centre is at %c = %.4g m, and the %s is 0 "
               "to %.4g m; shorten its motion or enlarge simulation.%s",
               rigid->name, enlarge, time, "xyz"[a], pose[a], enlarge, high, enlarge);
      return track_fails(scene, node, "track", text);
    }
  }
  return CQ_OK;
}

cq_status cq_rigid_check_track(const cq_scene *scene, const cq_node *node, const cq_rigid *rigid,
                               const char *enlarge) {
  if (rigid->track == NULL) {
    return CQ_OK;
  }
  CQ_TRY(check_begin(scene, node, rigid));
  return check_room(scene, node, rigid, enlarge);
}

void cq_rigid_fill_track(int dim, const cq_rigid *rigid, const double *moved, double *to) {
  const int numbers = cq_track_numbers(dim);
  for (int k = 0; rigid->track != NULL && k < rigid->track->n_knots; k++) {
    memcpy(to + k * numbers, moved + k * numbers, (size_t)numbers * sizeof *to);
    for (int a = 0; a < dim; a++) {
      to[k * numbers + a] += rigid->inertia.center[a];
    }
  }
}
