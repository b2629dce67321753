/* Design variables: blocks that map slices of x to inputs of the simulator, and gradients back.
 *
 *   x  --transform-->  values, in the units of the file
 *      --rows-->       inputs, or the slots of a pose: target = base + sum of weight * value
 *      --poses-->      positions, velocities, ... of bodies whose place or size is designed
 * (pose.h). In between, parameters of a controller that launches bodies set slots (launches.h).
 *
 * Calibrations (objective.h) are targets, too: no inputs, so that they change nothing in a run.
 *
 * The rows of a block are a sparse matrix. With one weight 1 a row they say which variable drives
 * which input; interpolation, filters and ties are weights. No target has two rows. */
#ifndef CQ_PROBLEMS_DESIGN_H
#define CQ_PROBLEMS_DESIGN_H

#include "cqopt/problem.h"
#include "inputs.h"
#include "launches.h"
#include "objective.h"
#include "pose.h"
#include "schema.h"

typedef struct cq_set cq_set;
typedef struct cq_block_kind cq_block_kind;

/* Row i: target[i] = base[i] + sum over k in [first[i], first[i + 1]) of weight[k] *
 * value[variable[k]]. */
typedef struct cq_rows {
  size_t count;
  size_t *target; /* index in the inputs; past their end, a slot of the poses; past those, a
                     calibration */
  double *base;
  size_t *first; /* [count + 1] */
  int *variable; /* index in the block */
  double *weight;
} cq_rows;

/* The knots of a track, which are in the input `track`. */
typedef struct cq_knots {
  int first, n;        /* n 0: there is no track */
  const double *times; /* [n] s */
  const double *moved; /* [n][numbers] how far they are from where the file has what they move */
} cq_knots;

typedef struct cq_block {
  const cq_block_keys *keys;
  const struct cq_donor
      *from; /* the experiment that it is about, in place of this scene, or NULL */
  const cq_block_kind *kind;
  const cq_input *input;   /* that has the name of the block; NULL: none */
  cq_usual usual;          /* of its kind or its input, */
  const cq_bounds *bounds; /* and what its rows must stay between */
  const cq_set *set;       /* its particles; NULL: of the whole scene */
  const cq_body *body;     /* whose particles they are, if they are a body */
  const cq_knots *knots;   /* that it designs; NULL: none */
  const char *name, *unit;
  int first, count; /* its variables in x */
  cq_rows rows;
  int components;      /* variables an element, one after the other */
  const int *elements; /* index of each particle, group or patch that has variables; NULL: one */
  double *start, *lower, *upper; /* [count] in the units of the file */
  double *scale;                 /* [count] of the optimizer's variables */
} cq_block;

/* Two variables that are alike: (x_b - x_a) / deviation is a residual of the objective. */
typedef struct cq_pair {
  int a, b;
  double deviation;
  const char *label;
} cq_pair;
typedef struct cq_prior {
  int n;
  cq_pair *pairs; /* [n] */
} cq_prior;

typedef struct cq_design {
  cq_prior prior; /* by the key smoothness of its blocks */
  int n_blocks, n;
  cq_block *blocks;
  double *start, *lower, *upper, *scale; /* [n] of the optimizer's variables */
  size_t n_inputs;
  cq_poses poses;
  cq_launches launches; /* the controller sets slots of the poses, too */
  double *values;       /* [n] work */
  size_t first_calibration;
  double *calibration; /* the objective's */
} cq_design;

/* A kind of block stands in blocks/<name>.c, or is that of an input (design_input.c). link reserves
 * rows and fills them, with the start and bounds that hold when the file gives none. Unit, usual
 * change and bounds of a block that is called as an input is are those of the input; bounds are
 * checked on what the rows may set, over the bounds of the design. label, or NULL, writes what
 * distinguishes variable j of the block. */
typedef struct cq_block_type {
  const char *unit;
  cq_usual usual;
  cq_status (*link)(cq_scene *scene, cq_block *block);
  void (*label)(const cq_scene *scene, const cq_block *block, int j, char *text, size_t size);
  cq_bounds bounds;
} cq_block_type;

#define CQ_BLOCK(name, belongs) extern const cq_block_type cq_block_##name;
#include "block_list.h"
#undef CQ_BLOCK
extern const cq_block_type cq_block_of_input;

/* The pairs of neighbours on the lattices of blocks that are smooth. */
cq_status cq_design_link_prior(cq_scene *scene, cq_design *design);
/* The sum of their squares at x, and what it adds to a gradient [n of the design]; the residuals r
 * [n]; what residual i with the value factor * r is of. */
double cq_prior_value(const cq_prior *prior, const double *x);
void cq_prior_slope(const cq_prior *prior, const double *x, double *grad);
void cq_prior_residuals(const cq_prior *prior, const double *x, double *r);
/* jac [prior->n][n] */
void cq_prior_jacobian(const cq_prior *prior, int n, double *jac);
/* Adds J^T w, w [prior->n], to grad [n]. */
void cq_prior_pull(const cq_prior *prior, const double *w, double *grad);
void cq_prior_tell(const cq_prior *prior, int i, double r, double factor, cq_residual_info *out);

/* Room for a block: bounds infinite, all else zero. */
cq_status cq_block_reserve(cq_scene *scene, cq_block *block, int count, size_t n_rows,
                           size_t n_weights);
/* Begins a row; adds to the last one. */
void cq_block_row(cq_block *block, size_t target, double base);
void cq_block_add(cq_block *block, int variable, double weight);

/* Whole block of an input that particles have, by the keys per, tie, filter_radius, ... `offset`:
 * its variables are added to what the scene says, beginning with 0. */
cq_status cq_block_field(cq_scene *scene, cq_block *block, const char *input, bool offset);
/* Is it a block of an input that particles have? */
bool cq_block_is_field(const cq_block *block);
/* Slots of a pose that a block drives. */
typedef struct cq_pose_link {
  int slot, count;
  enum {
    CQ_POSE_VALUE,  /* the variables are their values */
    CQ_POSE_PLACE,  /* the same, but what ties share is the change */
    CQ_POSE_CHANGE, /* the variables are the change from what the scene says */
  } meaning;
  cq_parity parity;
  double shared; /* not 0: one variable, and the slots are that times this */
} cq_pose_link;
/* Whole block of slots of the pose of a body, and of the bodies tied to it. */
cq_status cq_block_pose(cq_scene *scene, cq_block *block, const cq_pose_link *link);
/* Factor of tie i, and 1 for i = -1, the block's own; with mirror, of a component (axis). */
double cq_block_factor(const cq_block *block, int tie, cq_parity parity, int component);
/* Whole block of the calibration of a term, and of those tied to it. */
cq_status cq_block_calibration(cq_scene *scene, cq_block *block, cq_calibrates kind);
/* "[id].x" of a variable of marker_offset */
void cq_label_marker(const cq_scene *scene, const cq_block *block, int j, char *text, size_t size);
/* What distinguishes variable j: "[3][0]", element and component, or by the kind of the block. */
void cq_block_label(const cq_scene *scene, const cq_block *block, int j, char *text, size_t size);

/* A field as weights of elements for particles: particle i of the list is driven by stride entries,
 * some of them with weight 0. */
typedef struct cq_field {
  int count, stride, n_elements;
  int *particle;  /* [count] */
  int *member;    /* [count] 0: of the block's own set; i + 1: of tie i */
  int *element;   /* [count][stride] */
  double *weight; /* [count][stride] */
} cq_field;

/* Rows of weights of the filtered field, row i at [first[i], first[i + 1]). */
typedef struct cq_filtered {
  size_t *first;
  int *element;
  double *weight;
} cq_filtered;
/* radius [m] > 0; free *out, when this fails, too */
cq_status cq_field_filter(cq_scene *scene, const cq_field *field, double radius, cq_filtered *out);
void cq_filtered_free(cq_ctx *ctx, cq_filtered *filtered);

/* A variable of the optimizer and its value in the file's units. */
double cq_transform_value(const cq_block *block, int j, double y);
double cq_transform_slope(const cq_block *block, int j, double y);
double cq_transform_inverse(const cq_block *block, int j, double value);
/* [count] The scales that hold where the file gives none. */
void cq_default_scale(const cq_scene *scene, const cq_block *block, double *scale);
/* The block's slices of start, lower, upper and scale; its keys are checked. */
cq_status cq_transform_block(cq_scene *scene, cq_block *block, double *start, double *lower,
                             double *upper);

cq_status cq_design_build(cq_scene *scene, cq_design *design);
/* Writes the designed inputs at x. */
void cq_design_apply(const cq_design *design, const double *x, double *inputs);
/* gradient [n] = J^T d(inputs), J at x. */
void cq_design_pull(const cq_design *design, const double *x, const double *d_inputs,
                    double *gradient);
/* Adds what d(calibration) gives, which both others leave out. */
void cq_design_pull_calibration(const cq_design *design, const double *x, const double *d,
                                double *gradient);
static inline bool cq_design_calibrates(const cq_design *design, const cq_block *block) {
  return block->rows.count > 0 && /* of one with experiments it has none */
         block->rows.target[0] >= design->first_calibration; /* then all of them are */
}
/* Is variable j of such a block? */
bool cq_design_variable_calibrates(const cq_design *design, int j);
/* d(inputs) = column `variable` of J at x. */
void cq_design_push(const cq_design *design, const double *x, int variable, double *d_inputs);
/* Bounds of the designed inputs over the bounds of the design, velocities and F of placed bodies
 * excepted; others are left as they are. */
void cq_design_range(const cq_design *design, double *least, double *largest);
/* Bounds of row i of a block. */
void cq_block_range(const cq_block *block, size_t i, double *least, double *largest);

#endif
