/* cqopt/file.h: a problem file, loaded: what it says, its design and functions, its values.
 *
 * Rules of this header, run.h and solve.h. Objects are opaque; create and destroy come in pairs,
 * and destroy takes NULL. A context outlives its files; destroy runs before their file (a file that
 * is destroyed first lives on, unusable, until its last run is). Numbers go in and out through the
 * caller's arrays with their lengths. A `const char *` lives as long as the object it came from.
 * A struct that is filled begins with struct_size, which the caller sets to the sizeof of it: later
 * versions only add fields. Every call begins with a clean context: after one that failed,
 * cq_ctx_error has its sentence. CQ_USAGE: the call is wrong (NULL, a length, an index, the order).
 * One context is for one thread at a time; several contexts side by side are safe. Nothing here
 * writes to stdout or stderr, handles signals or ends the process. */
#ifndef CQOPT_FILE_H
#define CQOPT_FILE_H

#include "cqopt/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A problem file that was read. */
typedef struct cq_file cq_file;

/* Loads a built-in problem by its name, or a file by its path (a name that is not built in and
 * exists as a file); sets [n_sets] are "path=value" as of --set. On failure *out is NULL: CQ_CONFIG
 * with file, line, key and what to do, or CQ_IO when the file cannot be read. */
CQ_API cq_status cq_file_load(cq_ctx *ctx, const char *name_or_path, const char *const *sets,
                              int n_sets, cq_file **out);
/* The same of text. name is what messages call it; files that it names are looked for from folder
 * (NULL: "."). */
CQ_API cq_status cq_file_parse(cq_ctx *ctx, const char *text, const char *name, const char *folder,
                               const char *const *sets, int n_sets, cq_file **out);
/* NULL is allowed. A file lives on inside until its last run is gone; calls with it are CQ_USAGE.
 */
CQ_API void cq_file_destroy(cq_file *file);
/* The same file for the functions of problem.h; it belongs to the file. NULL of NULL. */
CQ_API cq_scene *cq_file_scene(cq_file *file);

/* What a file is. Texts belong to the file. */
typedef struct cq_about_file {
  size_t struct_size;
  const char *name, *title;
  int dimension, bits; /* 2 or 3; 32 or 64 */
  int particles, steps, controls;
  int blocks, variables;
  int terms, inequalities, equalities; /* of the objective; constraints, in this order */
  double time_step;                    /* [s] */
  cq_gradient_kind gradient;
  const char *engine, *device;
} cq_about_file;
/* Fills *out, whose struct_size the caller has set, as that of all such structs. */
CQ_API cq_status cq_file_info(const cq_file *file, cq_about_file *out);

/* Texts go to text [*size], with a 0 at their end; *size becomes the bytes that are needed, which
 * is all that happens where text is NULL. CQ_USAGE, and text is cut, where *size was too small. */
/* The value of a key, "simulation.steps", as the resolved file has it. */
CQ_API cq_status cq_file_get(const cq_file *file, const char *path, char *text, size_t *size);
/* The file with every default and override filled in. */
CQ_API cq_status cq_file_resolved(const cq_file *file, char *text, size_t *size);
/* Its size, materials, variables, memory, in several lines. */
CQ_API cq_status cq_file_describe(const cq_file *file, char *text, size_t *size);
/* The schema: every section, key, type, unit, range, default and meaning, in 80 columns; or a
 * section as a whole, by its path ("optimizer", "boundaries.domain") or a part of one; NULL: all.
 */
CQ_API cq_status cq_schema_text(cq_ctx *ctx, const char *section, char *text, size_t *size);
/* What the schema says of a word: a section, a key, or a value of one such as "ball", with the keys
 * that go with it; "terms" stands for the values of the key term. CQ_CONFIG where it is none. */
CQ_API cq_status cq_schema_word(cq_ctx *ctx, const char *word, char *text, size_t *size);
/* A hash of what decides the bits of a run: every key but stop rules, memory and output, where its
 * value is not the default, in any order. Without the optimizer: of the simulation and the design
 * alone, on any device. CQ_MEMORY; 0 then. */
CQ_API cq_status cq_file_hash(const cq_file *file, bool with_optimizer, uint64_t *hash);

/* A block of the design: consecutive variables of one kind. */
typedef struct cq_about_block {
  size_t struct_size;
  const char *name, *unit, *variable; /* "A.density", "kg/m^2", "density" */
  int first, count, components;
  bool of_particles;
} cq_about_block;
/* Block i; CQ_USAGE past the last one. */
CQ_API cq_status cq_file_block(const cq_file *file, int i, cq_about_block *out);

/* Variable i. Values are in the units of the file; scale is of the optimizer's x. */
typedef struct cq_about_variable {
  size_t struct_size;
  char label[128];
  const char *unit;
  int block;
  double start, lower, upper, scale;
} cq_about_variable;
/* CQ_USAGE past the last one. */
CQ_API cq_status cq_file_variable(const cq_file *file, int i, cq_about_variable *out);

/* A term of the objective, or a constraint: they are numbered in this order. */
typedef struct cq_about_function {
  size_t struct_size;
  const char *label;
  const char *relation; /* "<=", ">=" or "=" of a constraint, NULL of a term */
  double bound;         /* of a constraint */
} cq_about_function;
/* CQ_USAGE past the last one. */
CQ_API cq_status cq_file_function(const cq_file *file, int i, cq_about_function *out);

/* Experiment i of a file that has several (problem.h) as a file of its own, as `experiments=NAME`
 * among the sets of cq_file_load makes it; its design starts where that of this file is at x [n]
 * (NULL: its start). */
CQ_API cq_status cq_file_experiment_alone(cq_file *file, int i, const double *x, int n,
                                          cq_file **out);

/* The optimizer's x [n] is what the functions below take. With a transform it is not the value in
 * the units of the file: these go from one to the other. */
CQ_API cq_status cq_file_to_values(const cq_file *file, const double *x, double *values, int n);
/* The way back. CQ_CONFIG where a value has no x. */
CQ_API cq_status cq_file_from_values(const cq_file *file, const double *values, double *x, int n);
/* x where the design starts. */
CQ_API cq_status cq_file_start(const cq_file *file, double *x, int n);
/* Starts for several solves, x [count][variables], n numbers in all: as cq_draw_starts. */
CQ_API cq_status cq_file_draw_starts(const cq_file *file, uint64_t seed, int count, double *x,
                                     size_t n);
/* d(value in the units of the file)/dx of each variable at x: 1 without a transform. */
CQ_API cq_status cq_file_slopes(const cq_file *file, const double *x, double *slopes, int n);
/* Makes values [n], in the units of the file and inside the bounds, the start of the problem and of
 * the file that is written. Scales stay what they are. */
CQ_API cq_status cq_file_set_start(cq_file *file, const double *values, int n);
/* The design `values` [n_values of other] of another file as a start of this one: fitted [n],
 * within the bounds. Both are in the units of the files. What the other file gives there is what
 * the design here gives too, or comes as near to as it can (a warning says how near): a field of
 * patches becomes one of particles, a table of controls one of other rows. Particles are matched by
 * body and number. CQ_CONFIG when a block has no counterpart. */
CQ_API cq_status cq_file_fit(const cq_file *file, const cq_file *other, const double *values,
                             int n_values, double *fitted, int n);

/* An evaluation. Arrays are the caller's, with their lengths; NULL: not wanted. */
typedef struct cq_answer {
  size_t struct_size;
  cq_status status;    /* filled: CQ_OK, or how the simulation failed; numbers are NAN then */
  double f, violation; /* filled; the violation is the largest, as constraints are declared */
  double *c;           /* [n_c] c[inequalities] <= 0, c[equalities] = 0 */
  double *terms;       /* [n_terms] of the objective, weighted */
  double *grad;        /* [n_grad] df/dx */
  double *jac;         /* [n_jac] dc/dx, row-major, inequalities before equalities */
  int n_c, n_terms, n_grad, n_jac;
  /* the samples of a batch of scenarios follow from this number, 1, 2, ... alone; 0: as 1 */
  int evaluation;
  bool retry;     /* after a failure again in smaller steps, where the file's optimizer does so */
  int refinement; /* filled: the steps were simulation.time_step / 2^refinement */
  char *reason;   /* [n_reason] the sentence of a failure; "" */
  int n_reason;
  /* values in steps of simulation.time_step / 2^level on a copy of the scene, to tell how much of
   * them the steps made; 0: in the steps of the file. No terms, and no gradient. CQ_MEMORY where
   * there is no room for it */
  int level;
} cq_answer;
/* At x [n] (NULL: the start). Returns answer->status, or what was wrong with the call. CQ_CONFIG
 * where a gradient is wanted and there is none. */
CQ_API cq_status cq_file_evaluate(cq_file *file, const double *x, int n, cq_answer *out);
/* At x [count][n], into out [count]: values side by side on all cores, gradients one after the
 * other, each on all cores. A design that fails says so in its answer; CQ_OK then. The bits are
 * those of cq_file_evaluate. */
CQ_API cq_status cq_file_evaluate_many(cq_file *file, const double *x, int count, int n,
                                       cq_answer *out);

#ifdef __cplusplus
}
#endif
#endif
