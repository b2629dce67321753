/* cqopt/solve.h: optimizing, of a file or of any function. The rules are those of file.h. */
#ifndef CQOPT_SOLVE_H
#define CQOPT_SOLVE_H

#include "cqopt/file.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Settings of a method: the keys of section optimizer of a problem file. */
typedef struct cq_settings cq_settings;
/* The defaults. */
CQ_API cq_status cq_settings_create(cq_ctx *ctx, cq_settings **out);
/* NULL is allowed. */
CQ_API void cq_settings_destroy(cq_settings *settings);
/* "name=LD_MMA", "max_evaluations=100". CQ_CONFIG with the key and what to do; nothing is changed
 * then. */
CQ_API cq_status cq_settings_set(cq_settings *settings, const char *assignment);

/* How an optimization ended; cq_result says what its fields mean. */
typedef struct cq_outcome {
  size_t struct_size;
  cq_status status;
  char reason[256];
  bool has_point, reached_target;
  double f, violation, kkt_residual;
  int best_index, evaluations, simulations, gradients, failures;
  double seconds;
  int replayed, probes, recovered;
  double eval_seconds;
  int repeats, repeats_failed;
  double f_mean, f_deviation, f_worst;
} cq_outcome;

/* f at x [n], c [m] of constraints, and where grad is not NULL grad [n] and jac [m][n], row-major.
 * CQ_NONFINITE, or another status of a simulation, concerns this x alone; others end the run. */
typedef cq_status (*cq_function_fn)(void *user, const double *x, double *f, double *c, double *grad,
                                    double *jac);
/* What cq_minimise minimises. */
typedef struct cq_function_def {
  size_t struct_size;
  int n, n_inequality, n_equality; /* c[inequalities] <= 0, then c[equalities] = 0 */
  const double *lower, *upper;     /* [n], or NULL: no bounds */
  const double *start;             /* [n] */
  const double *scale;             /* [n] > 0, a typical change of each; NULL: 1 */
  cq_function_fn function;
  bool has_gradient; /* the function fills grad and jac */
  void *user;
} cq_function_def;

/* Minimises any function by a method of the settings (NULL: the defaults). x [n] gets the best
 * point. record (NULL: none) is called once an evaluation. Returns out->status. */
CQ_API cq_status cq_minimise(cq_ctx *ctx, const cq_function_def *def, const cq_settings *settings,
                             cq_record_fn record, void *user, double *x, int n, cq_outcome *out);

/* Optimizes a file from its start, by its own optimizer; x [n] gets the best point. folder (NULL:
 * none) is made, or is empty: it gets problem.cfg, evals.bin and history.csv, whose records are
 * those of the program, run.json and design.csv. record as above. Returns out->status. */
CQ_API cq_status cq_file_solve(cq_file *file, const char *folder, cq_record_fn record, void *user,
                               double *x, int n, cq_outcome *out);

/* A solve in pieces, for callers who keep more of a folder than cq_file_solve does, or go on in it.
 */
typedef struct cq_solve cq_solve;
/* How it begins. */
enum {
  /* with the record that is in the folder: what it says is taken instead of evaluating, and the run
   * goes on where it ends with the bits of one that was never interrupted. cq_file_may_resume says
   * whether it can. */
  CQ_SOLVE_RESUME = 1,
  /* with the above: not by its steps, but from its best design, with its counts, for a machine,
   * build or method whose steps would be other ones */
  CQ_SOLVE_DIVERGE = 2
};
/* CQ_CONFIG unless run.json of the folder is of this file, but for stop rules
 * (cq_scene_may_change), and of steps that this machine takes, too; with CQ_SOLVE_DIVERGE unless it
 * is of the same simulation and design. CQ_IO where there is none. */
CQ_API cq_status cq_file_may_resume(const cq_file *file, const char *folder, unsigned how);
/* Opens the record, evals.bin and history.csv of folder (NULL: there is none), which is made or has
 * neither. No other process can record there until it is closed. CQ_IO; CQ_CONFIG where the record
 * is of another problem. The file lives on inside until the solve is closed. */
CQ_API cq_status cq_solve_create(cq_file *file, const char *folder, unsigned how, cq_solve **out);
/* Closes the record and frees all. CQ_IO where something could not be written. NULL is allowed. */
CQ_API cq_status cq_solve_close(cq_solve *solve);
/* As cq_file_solve, once; record is called for evaluations of the past, too, which are replayed,
 * and gets as extra what is recorded. A record that goes on behind the end of the run (its budget
 * was larger) may have a better design: then x and out are of that. */
CQ_API cq_status cq_solve_run(cq_solve *solve, cq_record_fn record, void *user, double *x, int n,
                              cq_outcome *out);
/* The least-squares multipliers [n] of the constraints at the best point; after the run, whose
 * sentence stays in the context. */
CQ_API cq_status cq_solve_multipliers(const cq_solve *solve, double *multipliers, int n);

/* cq_file_solve once more in the folder of such a run, as its file says now: it goes on where its
 * record ends. how: CQ_SOLVE_DIVERGE, or 0. */
CQ_API cq_status cq_file_resume(cq_file *file, const char *folder, unsigned how,
                                cq_record_fn record, void *user, double *x, int n, cq_outcome *out);

/* For whoever writes a run.json that says more than that of cq_file_solve: members of it, a line
 * each, as text (file.h). Of a file: what decides the bits of a run and what it is judged by, as
 * cq_file_may_resume wants them. A failure that is pending in the context stays. */
CQ_API cq_status cq_file_facts(const cq_file *file, char *text, size_t *size);
/* Of how a solve ended, with the multipliers [n] of its constraints. */
CQ_API cq_status cq_outcome_facts(const cq_outcome *outcome, const double *multipliers, int n,
                                  char *text, size_t *size);

/* One run at x [n] (NULL: the start), which folder (made where it is missing) gets the record of,
 * with so many frames (0: those of the file); what: CQ_RECORD_TABLES, CQ_RECORD_TRAJECTORY. Of a
 * run that fails there is what it had till then. */
CQ_API cq_status cq_file_simulate(cq_file *file, const double *x, int n, const char *folder,
                                  int frames, unsigned what);

/* Checks the gradient at x [n] (NULL: the start), by blocks: function -1 is the objective, others
 * are constraints. agreement [n_blocks] gets the best agreement of each (0 is best; NAN: no
 * difference could be made), at the file's precision. */
CQ_API cq_status cq_file_gradcheck(cq_file *file, const double *x, int n, int function,
                                   double *agreement, int n_blocks);

#ifdef __cplusplus
}
#endif
#endif
