/* cqopt/problem.h: a problem file, loaded: scene, design variables, objective and constraints.
 *
 * A struct that is filled begins with struct_size, as in file.h. Nothing here clears a failure that
 * is pending in the context: the first sentence is kept.
 *
 * A problem file is libconfig text (docs/problem-file.md). Loading validates every key against one
 * schema, builds the simulator's model and checks it before the first step. */
#ifndef CQOPT_PROBLEM_H
#define CQOPT_PROBLEM_H

#include "cqopt/optimizer.h"

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A problem file that cq_file_load has loaded (cq_file_scene). */
typedef struct cq_scene cq_scene;

/* problem.name of the file, by default the name of the file or of the built-in problem. */
CQ_API const char *cq_scene_name(const cq_scene *scene);
/* "my.cfg:12", where a section such as "design" is written; the file alone when it has none. */
CQ_API void cq_scene_section_place(const cq_scene *scene, const char *section, char *text,
                                   size_t size);
/* The title of the file; "" where it has none. */
CQ_API const char *cq_scene_title(const cq_scene *scene);

/* What a scene is, and what the file asks of a caller. */
typedef struct cq_scene_info {
  size_t struct_size;
  int dimension, bits; /* 2 or 3; 32 or 64 */
  const char *device;  /* "cpu" or "cuda": simulation.device, where "auto" has been decided */
  int particles, steps;
  double time_step;       /* [s] */
  int frames;             /* of a recorded run, after its start */
  int starts, workers;    /* of optimizer; a caller's to act on */
  bool verify_refined;    /* optimizer.verify_refined; a caller's to act on, too */
  bool report;            /* output.report; the same */
  double torn_share;      /* simulation.torn_share; the same */
  double expected;        /* what a solve takes by the file [s]; NAN: it does not say */
  size_t memory;          /* most that stored states may take [bytes] */
  bool memory_is_auto;    /* that is half of what was free */
  const char *error_bars; /* "auto", "yes" or "no": optimizer.error_bars; a caller's to act on */
} cq_scene_info;
/* Filled from the file. */
CQ_API cq_status cq_scene_get_info(const cq_scene *scene, cq_scene_info *out);

/* Stages of the file: settings under which it is to be solved first, one after the other, each from
 * the best design of the one before. They are loaded by "stages=1", ... among the sets of
 * cq_file_load, the file without them by "stages=unset". */
CQ_API int cq_scene_stage_count(const cq_scene *scene);
/* "simulation.steps=200, ..." of stage i, cut to size. CQ_USAGE past the last one. */
CQ_API cq_status cq_scene_stage_settings(const cq_scene *scene, int i, char *text, size_t size);

/* What an evaluation takes, before the first one: of all scenarios or experiments that it has. */
typedef struct cq_plan {
  size_t struct_size;
  long long steps;    /* of its forward runs */
  long long replayed; /* that a gradient by an adjoint sweep runs again, as states are not stored */
  int timed;          /* steps that were timed from the start of the design, of each experiment */
  double seconds;     /* of the forward runs, one after the other, at that pace; NAN: not known */
} cq_plan;
/* timed: so many steps are made at most, to time them; 0: none. */
CQ_API cq_status cq_scene_get_plan(cq_scene *scene, int timed, cq_plan *out);

/* The design problem, owned by the scene. n is 0 when there is no design. Its x is what the
 * optimizer changes: with a transform, not the value that the file speaks of (cq_scene_user_value).
 */
CQ_API const cq_problem *cq_scene_problem(const cq_scene *scene);
/* The settings of the file's optimizer, owned by the scene; "auto" is decided. */
CQ_API const cq_optimizer_def *cq_scene_optimizer(const cq_scene *scene);
enum { CQ_HASH_VERSION = 2 }; /* of how a hash is made: others cannot be compared */
/* CQ_CONFIG when the assignment "path=value" changes such a key. */
CQ_API cq_status cq_scene_may_change(cq_ctx *ctx, const char *assignment, bool with_optimizer);
/* The path of the i-th setting that decides when a run ends and what its end is called, or NULL
 * past the last; its value as text of a problem file goes to value, "" where that is the default.
 */
CQ_API const char *cq_scene_stop_setting(const cq_scene *scene, int i, char *value, size_t size);
/* A hash of these. */
CQ_API uint64_t cq_scene_stop_hash(const cq_scene *scene);
/* Design blocks: consecutive variables of one kind. */
typedef struct cq_block_info {
  size_t struct_size;
  const char *name; /* as in the file: "A.density" */
  const char *unit;
  int first, count;
  const char *variable; /* its kind: "density" */
  int components;       /* variables an element (a row of controls, a vector), one after another */
  bool of_particles;    /* an input that particles have, spread over them */
  double row_seconds;   /* a table of controls: from a row to the next [s]; else NAN */
} cq_block_info;
/* How many there are. */
CQ_API int cq_scene_block_count(const cq_scene *scene);
/* Block i; CQ_USAGE past the last one. */
CQ_API cq_status cq_scene_get_block(const cq_scene *scene, int i, cq_block_info *out);
/* What a block of_particles does to particles[n] at x (as of cq_problem): values [n], the input in
 * the units of the file, the length of a vector; and from a gradient [problem->n] (NULL: not)
 * slopes [n], the mean of |gradient| over the variables that drive the particle, by their weights.
 * NAN for a particle that it does not drive. */
CQ_API cq_status cq_scene_block_map(const cq_scene *scene, int i, const double *x,
                                    const double *gradient, int n, const int *particles,
                                    double *values, double *slopes);
/* Writes a label such as "A.density" or "A.initial_velocity[1]" of variable i. */
CQ_API void cq_scene_variable_label(const cq_scene *scene, int i, char *text, size_t size);

/* Variable i in the units of the file, as in every table. */
typedef struct cq_variable_info {
  size_t struct_size;
  const char *unit;
  double start, lower, upper;
} cq_variable_info;
/* i from 0 to the problem's n - 1; CQ_USAGE past it. */
CQ_API cq_status cq_scene_get_variable(const cq_scene *scene, int i, cq_variable_info *out);
/* What variable i of the problem's x means in these units. */
CQ_API double cq_scene_user_value(const cq_scene *scene, int i, double x);
/* And back. */
CQ_API double cq_scene_optimizer_value(const cq_scene *scene, int i, double value);
/* d(value in these units)/dx at x: 1 without a transform. */
CQ_API double cq_scene_user_slope(const cq_scene *scene, int i, double x);

/* What a picture of the scene shows beside particles, as points, lines, polygons and balls. */
typedef enum cq_form {
  CQ_FORM_LINE,
  CQ_FORM_POLYGON,
  CQ_FORM_BALL,
  CQ_FORM_POINT,
  CQ_FORM_PLANE /* a polygon far beyond the room, of a half-space that moves: to be cut off there */
} cq_form;
/* A thing to draw. */
typedef struct cq_drawing {
  cq_form form;
  /* "room": its outline. "domain": the room between the walls of the domain (in 3D a face of it).
   * "wall": a wall, cut off at the room (in 3D a piece of its surface). "target": where a term
   * wants a centre of mass. "track": where a marker was seen. */
  const char *role;
  const char *name; /* of the wall or term, as messages call it */
  int n;
  const double (*points)[3]; /* [n] m, the third 0 in 2D; of a ball its centre */
  double radius;             /* of a ball */
  double time;               /* of a track [s]; else NAN */
  bool moves; /* of a wall: this is where it starts; a film says by its name where it goes */
} cq_drawing;
/* Draws one. */
typedef void (*cq_draw_fn)(void *user, const cq_drawing *drawing);
/* Calls draw for each, the room first; a drawing is valid during the call. */
CQ_API void cq_scene_draw(const cq_scene *scene, cq_draw_fn draw, void *user);

/* The objective is a weighted sum of so many terms; constraints are terms with bounds. */
CQ_API int cq_scene_term_count(const cq_scene *scene);
/* "A.distance", or the label that the file gives; several terms may have one label. */
CQ_API const char *cq_scene_term_label(const cq_scene *scene, int i);
/* The same of constraint i, inequalities before equalities. */
CQ_API const char *cq_scene_constraint_label(const cq_scene *scene, int i);
/* Constraint i as the file has it: <= bound, >= bound or = bound, and the value of its term where
 * its c of cq_problem is c. */
typedef struct cq_constraint_info {
  size_t struct_size;
  const char *relation; /* "<=", ">=", "=" */
  double bound, value;
} cq_constraint_info;
/* Of the constraint i where the problem's c[i] is c; CQ_USAGE past the last one. */
CQ_API cq_status cq_scene_get_constraint(const cq_scene *scene, int i, double c,
                                         cq_constraint_info *out);
/* Weighted value of objective term i at the x evaluated last; with scenarios their mean, or that of
 * the worst. */
CQ_API double cq_scene_term_value(const cq_scene *scene, int i);

/* A residual of an objective that is a sum of squares, in the units of the file. */
typedef struct cq_residual_info {
  size_t struct_size;
  const char *term; /* label of its term */
  double marker;    /* number of a marker in its tracks; NAN: it is of none */
  int component;    /* 0, 1, 2: x, y, z, of a camera its pixels; -1: a number without axes */
  int scenario;     /* -1: there are none */
  double time;      /* [s] since the start of the run; NAN: of no time */
  double measured, simulated; /* where it should be, where it is */
  double weight;              /* the residual is sqrt(weight) (simulated - measured); an outlier's
                                 is what a loss leaves of it */
} cq_residual_info;
/* Residual i of those r [n_residuals] that the problem has; CQ_USAGE past the last one. */
CQ_API cq_status cq_scene_get_residual(const cq_scene *scene, int i, const double *r,
                                       cq_residual_info *out);

/* Scenarios: the settings in which one design is judged. */
typedef struct cq_scenarios_info {
  size_t struct_size;
  int count;           /* 0: there are none */
  int evaluated;       /* at each x: all of them, or a batch that is drawn anew */
  const char *combine; /* "mean", "worst" or "batch" */
} cq_scenarios_info;
/* count is 0 where the file has none. */
CQ_API cq_status cq_scene_get_scenarios(const cq_scene *scene, cq_scenarios_info *out);
/* What scenario k sets, "path=value, path=value". CQ_MEMORY; text is "" then. */
CQ_API cq_status cq_scene_scenario_settings(const cq_scene *scene, int k, char *text, size_t size);
/* Experiments: scenes with terms of their own that share one design. Particles, steps, drawings and
 * motions of such a file are those of the first one; cq_file_experiment_alone has the others. */
typedef struct cq_experiment_info {
  size_t struct_size;
  const char *name;
  double weight;
  int terms;     /* of the objective, in the order of the experiments */
  int variables; /* of the design that change something in it */
  int residuals; /* of its objective; 0: it is no sum of squares */
  int particles, steps;
} cq_experiment_info;
/* How many there are; 0: the file is one scene. */
CQ_API int cq_scene_experiment_count(const cq_scene *scene);
/* Experiment i; CQ_USAGE past the last one. */
CQ_API cq_status cq_scene_get_experiment(const cq_scene *scene, int i, cq_experiment_info *out);
/* What the record of a solve keeps of an evaluation beside f (cq_evaluation.extra): the weighted
 * terms, where there are several, then those of each scenario, unless these are others every time
 * or too many for anybody to read. */
CQ_API int cq_scene_recorded_count(const cq_scene *scene);
/* What value i of these is called: "work", "scenario 2: work". */
CQ_API void cq_scene_recorded_label(const cq_scene *scene, int i, char *text, size_t size);
/* Value i at the x evaluated last. */
CQ_API double cq_scene_recorded_value(const cq_scene *scene, int i);

/* Writes the controller at x (NULL: the start) for other programs: to a path that ends in .json its
 * numbers, in .c a function without dependencies, which gives the controls of the simulation bit by
 * bit. CQ_CONFIG where there is none, CQ_USAGE for other endings, CQ_IO. */
CQ_API cq_status cq_scene_export_controller(cq_scene *scene, const double *x, const char *path);
/* Writes the state of the run at x (NULL: the start) at a time [s], which is that of a whole step,
 * as a table for simulation.start_file: a row a particle, of all that changes of it, to the last
 * bit, and a second table of the means that a state has beside particles. CQ_USAGE for other times,
 * CQ_CONFIG where rigid bodies have a state, too, CQ_IO; what a run that fails before that time
 * ends with. */
CQ_API cq_status cq_scene_export_state(cq_scene *scene, const double *x, double time,
                                       const char *path);

/* What a recorded run writes into its folder. */
enum {
  /* observations.csv: time, then centre of mass, mean velocity and mean square velocity of every
   * body at every state; particles.csv: step, particle, body, position, velocity
   * and the first number that particles keep, at the frames */
  CQ_RECORD_TABLES = 1,
  /* trajectory.h5 and trajectory.xdmf (record/trajectory.h): the fields of output.fields */
  CQ_RECORD_TRAJECTORY = 2
};
/* Runs the scene once at x (NULL: the start), in steps of dt / 2^level, and writes what happened
 * into dir, at n_frames + 1 even times (0: those of the file). A run that fails numerically leaves
 * what it had till then. */
CQ_API cq_status cq_scene_simulate(cq_scene *scene, int level, const double *x, const char *dir,
                                   int n_frames, unsigned what);
/* A body that comes apart in a run: particles of it that lost their neighbours at a recorded time
 * (problems/bonds.h). */
typedef struct cq_tear {
  size_t struct_size;
  const char *body;   /* the one that lost the largest share; NULL: all are whole */
  double share;       /* of its particles, at the recorded time at which they were most */
  double time, since; /* [s] that time; the first one at which it had lost any */
  int others;         /* further bodies that lost some */
  int scenario;       /* in which; -1: there are none */
} cq_tear;
/* Of the last run of cq_scene_simulate or cq_scene_film. */
CQ_API cq_status cq_scene_get_tear(const cq_scene *scene, cq_tear *out);
/* Of the design x of an evaluation, which one of these has just run in steps of dt / 2^level; with
 * scenarios each of them is run instead. */
CQ_API cq_status cq_scene_find_tear(cq_scene *scene, int level, int evaluation, const double *x,
                                    cq_tear *tear);
/* How dL/d(state) grows backward in time, on its way from the end of a run to its start: a straight
 * line through the logarithms of its norms (docs/adjoint.md). */
typedef struct cq_gradient_health {
  size_t struct_size;
  int function;  /* 0: the objective, 1 + i: constraint i; the one that grows fastest */
  double rate;   /* [1/s]; NAN: not known */
  double growth; /* over the run: exp(rate * its time) */
} cq_gradient_health;
/* Of the gradient that was evaluated last; with scenarios the fastest growth in any of them. */
CQ_API cq_status cq_scene_get_gradient_health(const cq_scene *scene, cq_gradient_health *out);

/* Word i of simulation.gradient that the engine has, the best first, and what it is worth; NULL:
 * there are no more. The problem may lack what one needs: it is refused when a file is loaded with
 * it. */
CQ_API const char *cq_scene_gradient_word(const cq_scene *scene, int i, cq_gradient_kind *kind);
/* The heuristic to take where an exact gradient has outgrown its use, as runs are chaotic: the
 * first of the list; NULL: there is none. */
CQ_API const char *cq_scene_gradient_instead(const cq_scene *scene);
/* The steps of a gradient by differences, in parts of what variables may change by; NAN: it is not
 * one. */
CQ_API double cq_scene_difference_step(const cq_scene *scene);

/* Variables of a block that change nothing. */
typedef struct cq_inactive {
  size_t struct_size;
  int block, first, count; /* so many of block; the first of them, as a variable of the problem */
  bool expected;    /* as it should be: rows of a table of controls after the last time that counts,
                       or while what they drive meets nothing, the part of a field that is in a
                       clamp */
  char reason[200]; /* why, as a clause; "": not found */
} cq_inactive;
enum { CQ_ALL_FUNCTIONS = -2 };
/* Of the variables whose gradient was zero wherever it was looked at (acts [n of cq_problem] is 0),
 * those that change function `which` (-1: the objective, else constraint; CQ_ALL_FUNCTIONS: any)
 * neither when they are moved from x, by a tenth of their scale: at a maximum, a saddle or an exact
 * optimum a variable has no slope and acts. In steps of dt / 2^level. Simulates up to 8 times on
 * another scene of the same file, only if there are any. out [room], *count of them. Errors are
 * those of the simulation, and CQ_MEMORY. struct_size of the first one is that of all. */
CQ_API cq_status cq_scene_inactive(cq_scene *scene, int level, const double *x,
                                   const unsigned char *acts, int which, int room, cq_inactive *out,
                                   int *count);

/* Contacts with walls during a run. A contact changes where a site that particles reach (a node of
 * a grid, a pair of particles) presses in one of two steps, one after the other, and not in the
 * other, or slides and holds. */
typedef struct cq_contact_summary {
  size_t struct_size;
  int steps;
  int spells;    /* times without a break in which something presses */
  int pressing;  /* steps in which something presses */
  int switching; /* steps before a change */
  long long switches;
} cq_contact_summary;
/* Whether the file asks for adjoint.csv, and has something to differentiate. */
CQ_API bool cq_scene_wants_adjoint(const cq_scene *scene);
/* Runs the scene at x (NULL: the start), in steps of dt / 2^level, and back, and writes to path as
 * CSV, for every state: step, time, sites that press and that change, and for every function the
 * norms over all particles of dL by each block of the state. Of scenarios it is the scene as the
 * file has it. */
CQ_API cq_status cq_scene_write_adjoint(cq_scene *scene, int level, const double *x,
                                        const char *path, cq_contact_summary *contacts);

/* Takes of a scene's motions for pictures and pages, kept in memory until they are written as
 * motion.bin (record/motion.h): up to 4 of them, of some thousand particles at some fifty of the
 * recorded times. It borrows the scene. */
typedef struct cq_film cq_film;
/* An empty one; CQ_MEMORY. */
CQ_API cq_status cq_film_create(cq_scene *scene, cq_film **out);
CQ_API void cq_film_destroy(cq_film *film); /* NULL is allowed */
/* The run of cq_scene_simulate, which becomes a take of the film, too (NULL: not). dir is not used
 * when `what` is 0. */
CQ_API cq_status cq_scene_film(cq_scene *scene, int level, const double *x, const char *dir,
                               int n_frames, unsigned what, cq_film *film);
/* Names the last take; it may have several names. */
CQ_API void cq_film_label(cq_film *film, const char *label);
/* Writes <dir>/motion.bin. */
CQ_API cq_status cq_film_write(const cq_film *film, const char *dir);
/* Frames after the start of such a run: at most one a step. */
CQ_API int cq_scene_frame_count(const cq_scene *scene, int n_frames);
/* Whether the file asks for a trajectory, and it is not above its limit (a warning then). */
CQ_API bool cq_scene_wants_trajectory(const cq_scene *scene, int n_frames);
/* f and c that an evaluation had at x (as of cq_problem), in steps of dt / 2^level, level >= 1, on
 * another scene made of the same file, which keeps no states and is given up. CQ_MEMORY, with the
 * amounts, when there is no room for it. */
CQ_API cq_status cq_scene_evaluate_finer(cq_scene *scene, int level, int evaluation,
                                         const double *x, double *f, double *c);
/* After a failed evaluation: writes the state at which it stopped to path as CSV. */
CQ_API cq_status cq_scene_write_failed_state(cq_scene *scene, const char *path);

/* Settings of an optimizer without a problem. */
typedef struct cq_optimizer_settings cq_optimizer_settings;
/* n_sets strings "optimizer.key=value" over the defaults of a problem file. CQ_CONFIG with key and
 * what to do; *out is NULL then. */
CQ_API cq_status cq_optimizer_settings_read(cq_ctx *ctx, const char *const *sets, int n_sets,
                                            cq_optimizer_settings **out);
/* They belong to the settings. */
CQ_API const cq_optimizer_def *cq_optimizer_settings_def(const cq_optimizer_settings *settings);
/* NULL is allowed. */
CQ_API void cq_optimizer_settings_free(cq_optimizer_settings *settings);

/* What an engine counted in the last run: words of the engine and their number. */
typedef struct cq_counted {
  const char *what; /* NULL: no more */
  long long count;
} cq_counted;

/* Counters of the simulator, for summaries. */
typedef struct cq_scene_stats {
  size_t struct_size;
  long long simulations, gradients;
  double forward_seconds, backward_seconds;
  cq_counted tally[CQ_MOST_TALLIES];
  double failed_fraction; /* failed simulations / simulations */
  int memo_states;
  size_t memo_bytes;
  cq_counted more[CQ_MOST_TALLIES]; /* what tally has no room for */
} cq_scene_stats;
/* Since the scene was loaded. */
CQ_API cq_status cq_scene_get_statistics(const cq_scene *scene, cq_scene_stats *out);

/* Other processes that have loaded the same file and take on evaluations of it: designs of a
 * generation, runs of differences, scenarios, experiments. The bits are the same without them. */
typedef struct cq_helpers {
  int count;
  /* Whether helper i takes part: asked before each round, by the thread that evaluates. */
  bool (*is_here)(void *user, int helper);
  /* Carries a request to helper i, which gives it to cq_scene_help, and its answer back: *n is the
   * room for it and becomes its bytes, 0 where the run failed. False: the helper is gone, and the
   * run is made here. Called by a thread for each helper, one call at a time for each of them. */
  bool (*ask)(void *user, int helper, const void *request, size_t size, void *answer, size_t *n);
  void *user; /* is passed on to both */
} cq_helpers;
/* From now on; NULL: none. What it points to has to live as long as the scene is evaluated. */
CQ_API void cq_scene_set_helpers(cq_scene *scene, const cq_helpers *helpers);
/* The other side: makes the run that was asked for. The answer belongs to the scene until the next
 * one. CQ_USAGE: it is no request of this file and build; else how the run failed. */
CQ_API cq_status cq_scene_help(cq_scene *scene, const void *request, size_t size,
                               const void **answer, size_t *n);
/* Whether a solve has evaluations for helpers: scenarios, experiments, differences, or a method
 * that asks for several designs at once. */
CQ_API bool cq_scene_needs_helpers(const cq_scene *scene);

/* The built-in problems: name i, or NULL past the end. */
CQ_API const char *cq_builtin_name(int i);
/* Its title in one line. */
CQ_API const char *cq_builtin_title(int i);
/* Its problem file. */
CQ_API const char *cq_builtin_text(int i);
/* The path "optimizer.max_evaluations" of the key that a word means, whatever it is called
 * ("max-iter"), where one section that is no list has it. */
CQ_API bool cq_schema_key(const char *word, char *path, size_t size);
/* The word that is nearest to a wrong one, and its distance as of sim/base/nearest.h. */
CQ_API int cq_schema_nearest(const char *wrong, char *name, size_t size);
/* Path of section i, or NULL past the end. */
CQ_API const char *cq_schema_section(int i);

/* --- by value, of the size that the caller was compiled with ------------------------------------
 */

/* A function that gives a struct as a value, zeros where it cannot be filled. */
#define CQ_BY_VALUE(type, name, parameters, ...)                                                   \
  static inline type name parameters {                                                             \
    type value;                                                                                    \
    memset(&value, 0, sizeof value);                                                               \
    value.struct_size = sizeof value;                                                              \
    (void)(__VA_ARGS__);                                                                           \
    return value;                                                                                  \
  }
CQ_BY_VALUE(cq_scene_info, cq_scene_information, (const cq_scene *scene),
            cq_scene_get_info(scene, &value))
CQ_BY_VALUE(cq_block_info, cq_scene_block, (const cq_scene *scene, int i),
            cq_scene_get_block(scene, i, &value))
CQ_BY_VALUE(cq_variable_info, cq_scene_variable, (const cq_scene *scene, int i),
            cq_scene_get_variable(scene, i, &value))
CQ_BY_VALUE(cq_constraint_info, cq_scene_constraint, (const cq_scene *scene, int i, double c),
            cq_scene_get_constraint(scene, i, c, &value))
CQ_BY_VALUE(cq_scenarios_info, cq_scene_scenarios, (const cq_scene *scene),
            cq_scene_get_scenarios(scene, &value))
CQ_BY_VALUE(cq_experiment_info, cq_scene_experiment, (const cq_scene *scene, int i),
            cq_scene_get_experiment(scene, i, &value))
CQ_BY_VALUE(cq_residual_info, cq_scene_residual, (const cq_scene *scene, int i, const double *r),
            cq_scene_get_residual(scene, i, r, &value))
CQ_BY_VALUE(cq_tear, cq_scene_tear, (const cq_scene *scene), cq_scene_get_tear(scene, &value))
CQ_BY_VALUE(cq_gradient_health, cq_scene_gradient_health, (const cq_scene *scene),
            cq_scene_get_gradient_health(scene, &value))
CQ_BY_VALUE(cq_scene_stats, cq_scene_statistics, (const cq_scene *scene),
            cq_scene_get_statistics(scene, &value))
#undef CQ_BY_VALUE

#ifdef __cplusplus
}
#endif
#endif
