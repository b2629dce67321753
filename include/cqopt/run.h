/* cqopt/run.h: one simulation of a file, step by step, with controls by the file or from outside,
 * and vector-Jacobian products of what was observed. The rules are those of file.h. */
#ifndef CQOPT_RUN_H
#define CQOPT_RUN_H

#include "cqopt/file.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One simulation, step by step. */
typedef struct cq_run cq_run;

/* What a run is for. */
enum {
  CQ_RUN_KEEP = 1 /* states are kept for cq_run_pull, within simulation.memory */
};

/* A run borrows its file, of which there may be several. It must be reset before its first step.
 * CQ_DEVICE where the file is not on the CPU. */
CQ_API cq_status cq_run_create(cq_file *file, unsigned what, cq_run **out);
/* NULL is allowed. */
CQ_API void cq_run_destroy(cq_run *run);

/* To state 0 of the design x [n] (NULL: the start). Seeds are gone then. */
CQ_API cq_status cq_run_reset(cq_run *run, const double *x, int n);
/* So many steps. u NULL (n is 0): by the controller of the file; else [n]: the controls of all
 * these steps, which are held, or a row for each step, [steps][controls]. CQ_USAGE beyond the last
 * step of the file, or outside the bounds of a control. A numeric failure ends the run until it is
 * reset. */
CQ_API cq_status cq_run_advance(cq_run *run, int steps, const double *u, size_t n);
/* The state it is at, 0 after a reset; -1 of NULL. */
CQ_API int cq_run_step(const cq_run *run);

/* A control. */
typedef struct cq_about_control {
  size_t struct_size;
  const char *name, *unit;
  double lower, upper, rest; /* rest: of an idle actuator */
} cq_about_control;
/* Control i; CQ_USAGE past the last one. */
CQ_API cq_status cq_run_control(const cq_run *run, int i, cq_about_control *out);
/* The controls [n] of a step that was made. */
CQ_API cq_status cq_run_read_controls(cq_run *run, int step, double *u, size_t n);

/* What a run has lists of. */
typedef enum cq_list {
  CQ_OBSERVABLES, /* of bodies, groups and all particles "*": "finger.position"; and what
                     observations.csv has of walls: "obstacles.[0].force_x" */
  CQ_FIELDS,      /* numbers of every particle: "x" */
  CQ_INPUTS,      /* what a run starts from: "youngs_modulus" */
  CQ_IMAGES       /* depth images of the file's cameras, by their names: [high][wide] */
} cq_list;
/* An entry of a list. */
typedef struct cq_about_array {
  size_t struct_size;
  char name[128];
  const char *unit;
  int rank; /* 1 or 2: [particles][components] */
  size_t shape[4];
  size_t numbers; /* in all */
} cq_about_array;
/* Entry i of a list; CQ_USAGE past its end. */
CQ_API cq_status cq_run_describe(const cq_run *run, cq_list list, int i, cq_about_array *out);
/* The entry of this name; -1: there is none. */
CQ_API int cq_run_find(const cq_run *run, cq_list list, const char *name);

/* An observable [n] at a state from the first one to the present. */
CQ_API cq_status cq_run_observe(cq_run *run, int observable, int step, double *out, size_t n);
/* A field [n] at the present state; vectors have three components, in 2D too. */
CQ_API cq_status cq_run_read(cq_run *run, int field, double *out, size_t n);
/* A depth image [n], [high][wide] from the upper left pixel on, at the present state: how far what
 * is seen is from the camera along the way it looks [m], `far` of the camera where nothing is. It
 * has no gradient: it cannot be seeded. */
CQ_API cq_status cq_run_look(cq_run *run, int image, double *out, size_t n);
/* An input [n] as the run has it. */
CQ_API cq_status cq_run_read_input(cq_run *run, int input, double *out, size_t n);
/* Another one [n], after a reset and before the first step. */
CQ_API cq_status cq_run_write(cq_run *run, int input, const double *values, size_t n);

/* The present state with all it started from, as bytes: *size becomes how many, which is all that
 * happens where bytes is NULL. CQ_USAGE where *size was too small. */
CQ_API cq_status cq_run_save(cq_run *run, void *bytes, size_t *size);
/* Goes on from such a state, of the same file in the same build; a pull goes back to it. CQ_CONFIG
 * where it is of something else or damaged. */
CQ_API cq_status cq_run_load(cq_run *run, const void *bytes, size_t size);

/* Adds d [n], dL/d(observable), at a state from the first one to the present. */
CQ_API cq_status cq_run_seed(cq_run *run, int observable, int step, const double *d, size_t n);
/* Forgets all seeds. */
CQ_API cq_status cq_run_clear_seeds(cq_run *run);

/* What the terms of the file's objective [n] earn after state `from` and up to the present one,
 * weighted; from -1: from the start on. At the end of a run they are what an evaluation has, and
 * parts of a run add up to it, so that they are rewards of actions (their negatives, f is
 * minimised). */
CQ_API cq_status cq_run_earned(cq_run *run, int from, double *terms, size_t n);
/* Adds weight times one of these to what is pulled, on its way through the controls, too. */
CQ_API cq_status cq_run_seed_earned(cq_run *run, int term, int from, double weight);
/* Back from the present state to the first: dL by all that the run depends on. It may go on, and be
 * pulled again. Needs CQ_RUN_KEEP, and an engine with exact gradients by a reverse sweep: CQ_CONFIG
 * where there is none. */
CQ_API cq_status cq_run_pull(cq_run *run);
/* The same in parts, for controllers outside that read what is observed: back to state `step`
 * alone, from the present state or from where the last of these calls has come to. dL/du of the
 * steps on the way can be read then, and what the controller makes of it be seeded at states up to
 * `step`, before the next call. Seeds are used up as the sweep passes; it ends at the first state,
 * where the other gradients are. Steps, resets, cq_run_clear_seeds and cq_run_pull give it up. */
CQ_API cq_status cq_run_pull_to(cq_run *run, int step);
/* What cq_run_gradient has beside inputs. Controls: [steps that were made][controls], 0 where the
 * controller of the file had a step. Design: by the optimizer's x [variables], where the run came
 * from a reset and no input was written. */
enum { CQ_GRADIENT_CONTROLS = -1, CQ_GRADIENT_DESIGN = -2 };
/* dL/d(input) [n] of the last pull. Inputs that are states ("x", "v", ...) are those of the state
 * it went back to. */
CQ_API cq_status cq_run_gradient(cq_run *run, int input, double *out, size_t n);

#ifdef __cplusplus
}
#endif
#endif
