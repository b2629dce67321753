/* Objective and constraints: functions of the observations z and the controls u of a run.
 *
 * Function 0 is the objective, a weighted sum of terms. Functions 1, 2, ... are the constraints,
 * one term each, inequalities (<= 0) before equalities (= 0). The value of a term is a weighted sum
 * over instants. */
#ifndef CQ_PROBLEMS_OBJECTIVE_H
#define CQ_PROBLEMS_OBJECTIVE_H

#include "cqopt/problem.h"
#include "schema.h"
#include "sim.h"

typedef struct cq_set cq_set;

/* A time at which a term is measured: ahead of state `step` by a part of a step. */
typedef struct cq_instant {
  int step;
  double ahead; /* 0 <= ahead < 1 */
  double share; /* of the value here in the term's value */
  int first_marker, n_markers;
  bool fixed; /* a time_offset does not move it */
} cq_instant;

/* Numbers between the scene and what was measured of it, which a design may have: of each term of
 * markers, in this order. */
typedef enum cq_calibrates {
  CQ_CALIBRATES_TIME,    /* s */
  CQ_CALIBRATES_TURN,    /* rad, 1 or 3 */
  CQ_CALIBRATES_SHIFT,   /* m, dim */
  CQ_CALIBRATES_MARKERS, /* m, dim a marker */
  CQ_N_CALIBRATES
} cq_calibrates;

typedef struct cq_calibration {
  bool of[CQ_N_CALIBRATES]; /* a block designs it; else it is 0 */
  int at[CQ_N_CALIBRATES];  /* where it begins in the term's numbers */
  int first, count;         /* these among the objective's; 0: none */
  double earliest, latest;  /* bounds of the time */
  int n_ids;
  const double *ids; /* [n_ids] of the markers, ascending */
} cq_calibration;

/* A quantity, and where it stands in a term's z of a set. */
typedef struct cq_column {
  int quantity, first, count;
} cq_column;

typedef struct cq_term {
  cq_term_kind kind;
  const cq_term_keys *keys;
  int n_sets;     /* 0: does not depend on the state */
  int *sets;      /* [n_sets] observed groups of the model */
  double *radius; /* [n_sets] of PARTICLES: half their width; NULL */
  double period;  /* [s] of CYCLE: it sees its sets as they were so long before, too; 0 */
  int n_columns;  /* what it sees of each */
  cq_column columns[CQ_N_SHARED_QUANTITIES + 3];
  int n_instants;
  cq_instant *instants;
  cq_marker *markers; /* by instants */
  cq_calibration calibration;
  cq_sight sight;
  bool is_seen; /* by that; else the markers' coordinates are what was measured */
  double weight;
  double loss_size; /* cq_term_in */
  const char *label;
  double value; /* weighted, of the last evaluation */
} cq_term;

typedef struct cq_function {
  int n_terms;
  cq_term *terms;
  double constant; /* added to the weighted sum */
  double *dz, *du; /* of its seed: rows of z, [steps][n_controls]; NULL: it reads none of them */
  double *dp;      /* [n_calibration] */
} cq_function;

typedef struct cq_objective {
  const cq_model *model;
  const cq_z_rows *rows; /* of the simulator's z */
  const double *u_max;
  int n_functions, n_inequality, n_equality;
  double *size; /* [n_functions - 1] of the constraints (cq_problem.constraint_size) */
  cq_function *functions;
  cq_seed *seeds; /* [n_functions]: the n_seeds that need an adjoint sweep come first */
  int *seeded;    /* [n_functions] index of the function's seed */
  int n_seeds;
  bool has_room; /* cq_objective_make_room() */
  int n_calibration;
  double *calibration; /* [n_calibration] at the design that was applied last */
  /* what a term sees at an instant, and its adjoint: [most sets][CQ_Z_SIZE], a period before the
   * same once more, and its calibration,
   * [2][n_controls] */
  double *term_z, *term_dz, *term_u, *term_du;
} cq_objective;

/* Reads the terms and gives model its groups and channels. */
cq_status cq_objective_build(cq_scene *scene, cq_model *model, cq_objective *objective);
/* Does a term of it see the state, or the controls? */
bool cq_function_reads(const cq_function *function, bool state);
/* Makes the seeds' dz and du, where they are not there yet; cq_objective_seed needs them. */
cq_status cq_objective_make_room(cq_scene *scene, cq_objective *objective);
/* The instants of a term with the key `when`. */
cq_status cq_term_read_when(cq_scene *scene, cq_term *term);
/* Sets, instants and markers of a term of tracks. */
cq_status cq_term_read_markers(cq_scene *scene, cq_term *term);
/* Instants and samples of a term of a curve. */
cq_status cq_term_read_curve(cq_scene *scene, cq_term *term);
/* The particles of a set, nearest first, and shares of them that make the point `place` of the
 * shape they start in: n of up to CQ_MOST_CARRIERS. *distance is that of the nearest one. */
enum { CQ_MOST_CARRIERS = 8 };
int cq_bind(const cq_scene *scene, const cq_set *of, const double *place, int *particles,
            double *shares, double *distance);
/* The same, and slopes [n][dim] of the shares by the place; 0: there are none, the particles are on
 * a line (3D: in a plane). */
int cq_bind_sliding(const cq_scene *scene, const cq_set *of, const double *place, int *particles,
                    double *shares, double *slopes, double *distance);
/* What it sees of its sets, and its calibration: numbers of term_z. */
size_t cq_term_numbers(const cq_term *term, int dim);
/* The instant that a term with a period compares with one. */
cq_instant cq_term_before(const cq_term *term, const cq_instant *at, double dt);
/* Instant at `time`, in a run of time step dt. */
cq_instant cq_instant_at(double time, double dt);

/* values [n_functions] */
void cq_objective_value(cq_objective *objective, const double *z, const double *u, double *values);
/* Weighted values of the objective's terms, as far as they are measured after state `from` and up
 * to state `to`; and what `weight` times one of them adds to dz and du. */
void cq_objective_part(const cq_objective *objective, int from, int to, const double *z,
                       const double *u, double *values);
void cq_objective_part_seed(const cq_objective *objective, int term, int from, int to,
                            double weight, const double *z, const double *u, double *dz,
                            double *du);
/* What a term sees at an instant, in room of the objective. */
cq_term_in cq_objective_gather(const cq_objective *objective, const cq_term *term,
                               const cq_instant *at, const double *z, const double *u);
/* Adds its adjoint, term_dz or term_du, to dz or du. */
void cq_objective_scatter(const cq_objective *objective, const cq_term *term, const cq_instant *at,
                          double *dz, double *du);
/* Adds the derivatives by the calibration of a term to dp [n_calibration], of the adjoint term_dz
 * at an instant that was gathered last. */
void cq_objective_pull_calibration(const cq_objective *objective, const cq_term *term, double *dp);
/* CQ_NONFINITE with the marker where a function is no number because a camera does not see it. */
cq_status cq_objective_check_seen(const cq_scene *scene, const cq_function *function,
                                  const double *z, const double *u);
/* Whether a block of the design has a kind of number of a term: its first one, or NULL. */
const cq_block_keys *cq_term_calibrated(const cq_scene *scene, const cq_term *term,
                                        cq_calibrates kind);
/* Fills the seeds. */
void cq_objective_seed(cq_objective *objective, const double *z, const double *u);

typedef enum cq_measures {
  CQ_MEASURES_SCENE,
  CQ_MEASURES_BODY,
  CQ_MEASURES_PARTICLES,
  CQ_MEASURES_CYCLE,
  CQ_MEASURES_PAIR,
  CQ_MEASURES_MARKERS,
  CQ_MEASURES_CURVE
} cq_measures;
cq_measures cq_term_measures(cq_term_kind kind);
/* 1 << CQ_Q_... of what it sees of a set; the name of a quantity of the engine's own, or NULL, and
 * its parameter, or 0. */
unsigned cq_term_quantities(cq_term_kind kind);
const char *cq_term_own_quantity(cq_term_kind kind);
bool cq_term_of_rigid(cq_term_kind kind); /* it is one of a rigid body (scene.h) */
double cq_term_parameter(cq_term_kind kind, const cq_term_own *own);
/* Whether it is of what is in a box, and its corners. */
bool cq_term_box(cq_term_kind kind, const cq_term_own *own, double box[2][3]);
const char *cq_term_kind_name(cq_term_kind kind);
/* One term at one instant. */
double cq_term_value(const cq_term *term, const cq_term_in *in);
void cq_term_adjoint(const cq_term *term, const cq_term_in *in, double seed, double *dz,
                     double *du);

#endif
