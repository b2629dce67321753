/* The inside of a loaded problem file. */
#ifndef CQ_PROBLEMS_SCENE_H
#define CQ_PROBLEMS_SCENE_H

#include "cqopt/problem.h"
#include "design.h"
#include "growth.h"
#include "objective.h"
#include "schema.h"
#include "shapes.h"
#include "sim.h"

#include <stdio.h>

typedef struct cq_task cq_task;
typedef struct cq_engine_part cq_engine_part;
typedef struct cq_scene_camera cq_scene_camera; /* cameras.h */

/* what a point of a file may have of its own; the last is an input of the engine (cq_engine_part)
 */
enum { CQ_OWN_DENSITY, CQ_OWN_GROUP, CQ_OWN_INPUT, CQ_MOST_PROPERTIES };

typedef struct cq_body {
  const cq_body_keys *keys;
  const cq_material_keys *material;
  cq_shape shape;      /* its dimension alone, when it is made of points */
  double shape_volume; /* NAN: not known */
  cq_lattice lattice;  /* sampling = "lattice" */
  uint64_t seed;       /* sampling = "random" */
  cq_table points;     /* sampling = "points" */
  double spacing;      /* distance of its particles; 0: random */
  int first, count;    /* its particles */
  bool flows;          /* its particles part from each other: it cannot tear */
  bool rigid;          /* its particles keep their distances */
  bool holds;          /* others may reach into it: that is how it holds them */
  bool cut;            /* it has no particles where its shape is in others: they were left out */
  bool unmoved;        /* nothing it meets moves it: two such bodies may overlap, as at joints */
  double density;
  double volume;            /* of a particle */
  const double *volumes;    /* [count] of each; NULL: they have the same */
  int n_properties;         /* 0: its particles have those of the body */
  const double *properties; /* [count][n_properties] of each */
  double *x;                /* where its particles start, in scene->x */
  double center[3];         /* what it spins about */
} cq_body;

static inline double cq_body_volume(const cq_body *body, size_t particle) {
  return body->volumes != NULL ? body->volumes[particle] : body->volume;
}

/* A property of a particle, or that of the body. */
static inline double cq_body_own(const cq_body *body, size_t particle, int property,
                                 double of_body) {
  const size_t n = (size_t)body->n_properties;
  return property < (int)n ? body->properties[particle * n + (size_t)property] : of_body;
}

static inline double cq_body_density(const cq_body *body, size_t particle) {
  return cq_body_own(body, particle, CQ_OWN_DENSITY, body->density);
}

/* Particles that have a name: those of a body, of a group, or all, "*". */
typedef struct cq_set {
  const char *name;
  int count;
  const int *particles; /* ascending */
} cq_set;

struct cq_json;
/* The part of a controller that a scene needs, controllers/<name>.c. configure sets n_parameters
 * and what is the controller's own; parameter says where parameter j starts, spread > 0 being the
 * deviation of the random ones (NAN: its own default), and writes what distinguishes it. write_c
 * and write_json write its part of what other programs get of it (controllers/export.h), with the
 * parameters theta; NULL: there is nothing to control. */
typedef struct cq_controller_type {
  bool reads_inputs;
  cq_status (*configure)(cq_scene *scene, cq_controller *controller);
  double (*parameter)(const cq_scene *scene, int j, double spread, cq_rng *rng, char *label,
                      size_t size);
  void (*write_c)(const cq_scene *scene, const double *theta, FILE *out);
  void (*write_json)(const cq_scene *scene, const double *theta, struct cq_json *json);
} cq_controller_type;

#define CQ_CONTROLLER(name) extern const cq_controller_type cq_controller_##name;
#include "controller_list.h"
#undef CQ_CONTROLLER
const cq_controller_type *cq_scene_controller_type(const cq_scene *scene);
/* Where parameter j starts; writes what distinguishes it. */
double cq_scene_parameter(const cq_scene *scene, int j, char *label, size_t size);

/* Where a wall is written, and its coefficient of friction, if its condition has one. Where bodies
 * meet rigid ones, those are walls, too. */
typedef struct cq_wall {
  const cq_node *node;
  const char *name; /* NULL: its path, "half_spaces.[0]" */
  double friction;
  bool has_friction;
  bool moves; /* and has no particles: pictures move what draw_wall draws of it */
  int n_shapes;
  const cq_shape *shapes; /* [n_shapes] what cameras see of it, where it starts */
  cq_knots knots;
  const struct track *track; /* that they are of; NULL: none */
} cq_wall;

/* What an actuator acts on, and its controls. */
typedef struct cq_acting {
  const cq_set *set;
  int first_control, n_controls;
} cq_acting;

/* A control: u[i]. */
typedef struct cq_control {
  const char *name, *unit;
  const cq_actuator_keys *actuator;
  bool one_sided; /* it does not go below the one of an idle actuator */
} cq_control;

/* An experiment of a file that has several: a scene of its own, in a context of its own. */
typedef struct cq_experiment {
  const char *name;
  double weight;
  cq_ctx *ctx;
  cq_scene *scene; /* its design: those blocks of the file's that it takes part in */
  const bool *has; /* [blocks of the file] which these are */
  int *of;         /* [scene->design.n] its variables among those of the file */
} cq_experiment;

/* A term or constraint of the file among those of its experiments. */
typedef struct cq_joined_function {
  int experiment, index; /* of the experiment's own terms, or constraints */
  const char *label;
} cq_joined_function;

/* All experiments of a file. */
typedef struct cq_joined {
  int count;
  cq_experiment *all;
  const cq_node *output; /* what the file itself says of it; NULL: nothing */
  int n_terms, n_constraints, n_inequality;
  cq_joined_function *terms, *constraints; /* inequalities of all, then equalities */
  double *size;                            /* [n_constraints] as of cq_problem */
} cq_joined;

/* Where a block of the design comes from that is about nothing in this scene. */
typedef struct cq_donor {
  const cq_scene *scene; /* NULL: it is about something here */
  const cq_block *block;
} cq_donor;

enum { CQ_MOST_REFINED = 3 }; /* time steps are halved this often at most */

/* How the residuals' derivatives are made (jacobian.h). */
typedef struct cq_jacobian {
  bool by_sweeps;  /* adjoint ones, a seed a residual; else differences */
  double cost;     /* [forward runs] */
  int measured;    /* residuals that a run gives */
  const char *way; /* in words */
} cq_jacobian;

struct cq_scene {
  cq_ctx *ctx;
  cq_arena arena;
  cq_config config;
  const char *folder; /* of the problem file */
  cq_body *bodies;    /* config.bodies.count */
  double *x;          /* [n_particles][dim] where the particles start */
  cq_set *sets;       /* [n_sets] "*", the bodies, the groups */
  int n_sets;
  /* what is observed, in the order it was asked for: sets, and channels, those wanted always first
   */
  cq_group *groups;
  int n_groups, groups_room;
  cq_channel *channels;
  int n_channels, channels_room;
  cq_control *controls;
  cq_acting *acting;              /* [model.n_actuators] */
  double *u_min, *u_max, *u_rest; /* [n_controls] bounds, and what an idle actuator has */
  double *u_middle, *u_strength;  /* [n_controls] of the bounds: half their sum, half of what is
                                     between them */
  const cq_engine_part *part;
  void *own;      /* the part's */
  cq_wall *walls; /* [model.n_boundaries] */
  int n_cameras;
  cq_scene_camera *cameras;
  const char **features; /* [controller.n_features] names of what the controller reads */
  cq_model model;
  cq_layout layout;
  double *inputs;           /* of the scene before any design */
  double *current;          /* inputs at the x evaluated last */
  const double *difference; /* [design.n] steps of a gradient that is made of differences; */
  cq_gradient_kind differences_are; /* NULL: it is made otherwise. What they are worth */
  double difference_part;           /* their steps, in parts of what variables may change by */
  cq_design design;
  double stable_dt;          /* the largest stable time step over the bounds of the design */
  const cq_body *stable_for; /* whose it is; NULL: the engine knows no limit */
  cq_objective objective;
  int n_residuals;              /* of an objective that is a sum of squares; else 0, */
  const char *no_residuals;     /* and why, for messages */
  const double *residual_steps; /* [design.n] of the residuals' derivatives, as differences */
  cq_jacobian jacobian;
  double *gradients;     /* [functions][layout.total] */
  cq_growth_fit *growth; /* [objective.n_seeds] of the adjoints of the last sweep */
  cq_sim *sim;
  long long simulations, failures, gradient_sweeps;
  cq_tear tear;      /* of the last recorded run */
  int torn_step;     /* where the last evaluation failed since a body tears; -1 */
  int n_scenarios;   /* in the file */
  int n_judged;      /* those in which an x is evaluated: all of them, or a batch */
  int n_beside;      /* experiments that share the memory with this scene */
  cq_joined *joined; /* of a file with experiments: this scene is the first of them, with the design
                        of all; NULL: there are none */
  const cq_donor *donors; /* [blocks of the file]; NULL: all blocks are about this scene */
  cq_task *task; /* what an optimizer gets (task.h), freed with it; NULL: a copy has none */
  cq_scene *refined[CQ_MOST_REFINED]; /* the same in smaller steps, where that was needed */
  const cq_scene *evaluated;          /* this scene, or the refined one that was evaluated last */
  const cq_helpers *helpers;          /* of the file's own scene; NULL: none */
  char *answer; /* [answer_room] as a helper, to what was asked last (far.h) */
  size_t answer_room;
};

static inline const cq_scene *cq_scene_latest(const cq_scene *scene) {
  return scene->evaluated != NULL ? scene->evaluated : scene;
}

/* Weighted value of objective term i of this scene alone. */
static inline double cq_scene_own_term(const cq_scene *scene, int i) {
  return cq_scene_latest(scene)->objective.functions[0].terms[i].value;
}

/* In how many parts simulation.memory is shared: one for the scene of each scenario or experiment,
 * and one for the file's own, which `simulate` runs. */
static inline int cq_scene_shares(const cq_scene *scene) {
  return scene->n_judged + scene->n_beside + 1;
}

/* The scene of a file or built-in problem, and of libconfig text; `folder` is where the files are
 * that sets name. It can be simulated and evaluated, and has no task. */
cq_status cq_scene_read(cq_ctx *ctx, const char *name_or_path, const char *const *sets, int n_sets,
                        cq_scene **out);
cq_status cq_scene_read_text(cq_ctx *ctx, const char *name, const char *folder, const char *text,
                             const char *const *sets, int n_sets, cq_scene **out);
/* The same of the text of a copy of `like`, whose design is also what experiments lend it. */
cq_status cq_scene_read_like(cq_ctx *ctx, const cq_scene *like, const char *text,
                             const char *const *sets, int n_sets, cq_scene **out);
/* NULL is allowed. */
void cq_scene_free(cq_scene *scene);
/* Loads a built-in problem by name, or a file by path (a name that is not built in and exists as a
 * file). sets holds n_sets strings "path=value" that override keys of the file. On failure *out is
 * NULL and the context's text names file, line, key and what to do: CQ_CONFIG, or CQ_IO when the
 * file cannot be read. */
cq_status cq_scene_load(cq_ctx *ctx, const char *name_or_path, const char *const *sets, int n_sets,
                        cq_scene **out);
/* NULL is allowed. */
void cq_scene_destroy(cq_scene *scene);
/* cq_scene_load of text (task.c). */
cq_status cq_scene_load_text(cq_ctx *ctx, const char *name, const char *folder, const char *text,
                             const char *const *sets, int n_sets, cq_scene **out);
/* The file with every default and override filled in; loading it again gives the same scene. */
cq_status cq_scene_write_config(const cq_scene *scene, FILE *out);
/* Several lines: size of the scene, materials, time step against the stable one, variables,
 * constraints, memory plan. For the terminal and log.txt. */
cq_status cq_scene_describe(const cq_scene *scene, FILE *out);
/* Makes values [n], in the units of the file and inside the bounds, the start of the problem and of
 * the file that is written. Scales stay what they are. */
cq_status cq_scene_set_start(cq_scene *scene, const double *values);
/* As cq_file_hash. */
cq_status cq_scene_config_hash(const cq_scene *scene, bool with_optimizer, uint64_t *hash);
/* As cq_file_fit. */
cq_status cq_scene_fit_design(const cq_scene *scene, const cq_scene *other, const double *values,
                              double *fitted);
/* Weighted value of objective term i in scenario k at the x evaluated last; not of a batch. */
double cq_scene_scenario_term(const cq_scene *scene, int k, int i);
/* What the keys of its section say; lists are those of the keys. */
cq_optimizer_def cq_optimizer_of(const cq_optimizer_keys *keys);
/* Puts the listed name of the optimizer in place of what the file calls it, there and in the tree.
 * CQ_CONFIG with its place where there is none of this name. */
cq_status cq_optimizer_take_name(cq_arena *arena, cq_optimizer_keys *keys);
/* The same file with other settings: a scene without a task. */
cq_status cq_scene_variation(cq_ctx *ctx, const cq_scene *scene, const char *const *sets,
                             int n_sets, cq_scene **out);
/* Puts the design x into inputs that are those of the scene without one (scene_jitter.c), with
 * particles moved as simulation.start_jitter says. */
void cq_scene_take_design(const cq_scene *scene, const double *x, double *inputs);
/* f, c [constraints] and, if they are not NULL, their gradients at x, as of cq_problem, of this
 * scene alone; in its own steps, and in those of dt / 2^level. */
cq_status cq_scene_evaluate(cq_scene *scene, const double *x, double *f, double *c, double *grad,
                            double *jac);
/* A run at x, unless the last one was of the same inputs. */
cq_status cq_scene_run(cq_scene *scene, const double *x);
/* The residuals r [n_residuals] of the run at x that the scene has just made: of terms, then of
 * what is thought of the design beforehand. What residual i of factor * r is of; i < n_residuals.
 */
void cq_scene_take_residuals(const cq_scene *scene, const double *x, double *r);
bool cq_scene_tell_residual(const cq_scene *scene, int i, const double *r, double factor,
                            cq_residual_info *out);
cq_status cq_scene_evaluate_at(cq_scene *scene, int level, const double *x, double *f, double *c,
                               double *grad, double *jac);
/* Adds what `scene` (NULL: nothing) did, in smaller steps too. */
void cq_scene_add_work(const cq_scene *scene, cq_scene_stats *stats, long long *failures);
/* cq_scene_gradient_health of this scene alone. */
cq_gradient_health cq_scene_own_health(const cq_scene *scene);
/* The scene in steps of dt / 2^level that this one keeps for that. */
cq_status cq_scene_refined(cq_scene *scene, int level, cq_scene **out);
/* The states of a recorded run that are written into steps [cq_scene_frame_count() + 1], the first
 * and the last one among them; returns their number. */
int cq_scene_frame_steps(const cq_scene *scene, int wanted, int *steps);
/* Runs at x and back, for no gradient but what the sweep shows. */
cq_status cq_scene_sweep(cq_scene *scene, const double *x, const cq_watch *watch);
/* Starts the fits of scene->growth anew, and feeds them. */
cq_watch cq_scene_watch_growth(cq_scene *scene);
/* A scene in steps of dt / 2^level that has room for few stored states: for runs without gradients.
 * CQ_MEMORY when there is no room for it. */
cq_status cq_scene_make_finer(cq_scene *scene, int level, cq_scene **out);
/* simulation.memory for runs in steps of dt / 2^level that keep no states, padding and what is
 * beside states included; what a scene with so much takes: inputs are held four times, by the scene
 * and its simulator, and the rest is small. */
size_t cq_scene_few_states(const cq_scene *scene, int level);
size_t cq_scene_lean_bytes(const cq_scene *scene, size_t states);

/* Steps of loading, in this order. */
/* "auto" becomes cuda or cpu, in the settings too. CQ_DEVICE where cuda is wanted and none is here.
 */
cq_status cq_scene_take_device(cq_scene *scene);
/* The model but for what is in it: time, room, precision, memory. */
cq_status cq_scene_read_simulation(cq_scene *scene);
cq_status cq_scene_read_bodies(cq_scene *scene);
cq_status cq_scene_read_sets(cq_scene *scene);
/* The controls of launches, behind those of actuators; once there is a layout, what they read
 * (launches.h). */
cq_status cq_scene_read_launches(cq_scene *scene);
cq_status cq_scene_link_launches(cq_scene *scene);
cq_status cq_scene_read_controller(cq_scene *scene);
cq_status cq_scene_read_inputs(cq_scene *scene, cq_controller *controller);
cq_status cq_scene_build_model(cq_scene *scene);
cq_status cq_scene_preflight(cq_scene *scene);
/* Returns status, the end of a run; its engine may add a cause to the error (engine_part.h). */
cq_status cq_scene_explain(const cq_scene *scene, const cq_failure *failure, cq_status status);
/* Warns of bodies that overlap. */
cq_status cq_scene_check_overlap(cq_scene *scene);
/* Warns of launches without bounds, and of turns that start without a spin. */
void cq_scene_warn_of_launches(cq_scene *scene);
/* Room for what evaluations leave. */
cq_status cq_scene_prepare_evaluation(cq_scene *scene);

/* The body called `name`, which is the value of key in section; CQ_CONFIG when there is none. */
cq_status cq_scene_find_body(cq_scene *scene, const cq_node *section, const char *key,
                             const char *name, const cq_body **out);
/* The body or group called `name`, or "*"; CQ_CONFIG when there is none. */
cq_status cq_scene_find_set(cq_scene *scene, const cq_node *section, const char *key,
                            const char *name, const cq_set **out);
/* The body whose particles are the set, or NULL. */
const cq_body *cq_set_body(const cq_scene *scene, const cq_set *set);
/* What boundary i is called, of its own or by its place in the file, as messages and tables have
 * it; room: for the text. */
const char *cq_scene_wall_name(const cq_scene *scene, int i, cq_place *room);
/* Index in the model of the boundary called `name`: "domain", "half_spaces.[0]". */
cq_status cq_scene_find_wall(cq_scene *scene, const cq_node *section, const char *key,
                             const char *name, int *out);
/* The same without an error: -1 where there is none; and the boundary itself, or NULL. */
int cq_scene_wall_called(const cq_scene *scene, const char *name);
const cq_wall *cq_scene_wall(const cq_scene *scene, const char *name);
/* scene_rigid.c. What is observed of a rigid body, or of an obstacle where the engine does: `of` is
 * "turn", "spin", "force" or "torque". The engine's quantities, *n of them: the components, in 2D
 * one but for forces. CQ_CONFIG with `key` where it does not observe them or has no such gradient.
 */
cq_status cq_scene_rigid_quantities(const cq_scene *scene, const cq_node *section, const char *key,
                                    const char *of, int quantities[3], int *n);
/* The observed group that has them, of what is called `name`; CQ_CONFIG where that is not rigid. */
cq_status cq_scene_rigid_group(cq_scene *scene, const cq_node *section, const char *key,
                               const char *name, const char *of, int *group);
/* How many particles a body has, and where: then they are placed in body->x. */
cq_status cq_body_read_particles(cq_scene *scene, cq_body *body);
cq_status cq_body_place(cq_ctx *ctx, cq_body *body);
/* The observed group of a set, or of a particle; the first call for it enters it. A set has a group
 * for each parameter of an engine's quantity that is asked for; 0: of none. */
cq_status cq_scene_group(cq_scene *scene, const cq_set *set, double parameter, int *group);
/* The same of a group as it is: without particles it is told by its parameter alone. */
cq_status cq_scene_share_group(cq_scene *scene, cq_group wanted, int *group);
cq_status cq_scene_particle_group(cq_scene *scene, int particle, int *group);
/* A new group of a particle, which is not looked for among those there are. */
cq_status cq_scene_own_group(cq_scene *scene, const int *particle, int *group);
/* Asks for a quantity of a group at the states that `at` marks. */
cq_status cq_scene_want(cq_scene *scene, int group, int quantity, const unsigned char *at);
/* Asks for one of a set at all states, before anything is asked for at some: it begins at *place of
 * every row of z. */
cq_status cq_scene_want_always(cq_scene *scene, const cq_set *set, int quantity, int *place);
cq_status cq_scene_want_of_group_always(cq_scene *scene, int group, int quantity, int *place);
/* What the points of a body have of their own, "1" or "1..3"; what the body has where they have
 * none. */
void cq_body_describe_property(const cq_body *body, int property, double of_body, FILE *out);
/* The shape that the keys of a section say. */
cq_status cq_scene_read_shape(cq_scene *scene, const cq_node *section, const cq_shape_keys *keys,
                              cq_shape *shape);
/* The same of one whose key `shape` is mesh, not turned yet. */
cq_status cq_scene_read_mesh(cq_scene *scene, const cq_node *section, const cq_shape_keys *keys,
                             cq_shape *shape);
/* The shapes of sections that are walls alone. */
cq_status cq_scene_read_half_space(cq_scene *scene, const cq_half_space_keys *keys,
                                   cq_shape *shape);
cq_status cq_scene_read_height_field(cq_scene *scene, const cq_height_field_keys *keys,
                                     cq_shape *shape);
/* Room for what the actuators of the file act on: model.n_actuators, and model.actuator,
 * *of_particle [n_particles], by which no particle has one yet. CQ_CONFIG: two have one name. */
cq_status cq_scene_make_actuators(cq_scene *scene, int **of_particle);
/* Room for model.n_controls controls, and their bounds. */
cq_status cq_scene_make_controls(cq_scene *scene);
/* x mirrored at a plane across an axis (-1: not), then shifted */
typedef struct cq_move {
  int axis;
  double at, shift[3];
} cq_move;
/* A shape elsewhere, with copies of what it points to. */
cq_status cq_scene_move_shape(cq_scene *scene, const cq_move *move, const cq_shape *from,
                              cq_shape *to);

#endif
