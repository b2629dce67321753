/* Values at several x, simulated side by side before anybody asks for each (cq_problem.ahead). */
#ifndef CQ_PROBLEMS_AHEAD_H
#define CQ_PROBLEMS_AHEAD_H

#include "scene.h"

typedef struct cq_ahead cq_ahead;

/* cq_problem.ahead of a scene; the first call makes *ahead, which is NULL before: one thread a
 * simulation, each on a copy of the scene that keeps no states. Does nothing where there is one
 * thread or no room for two copies; an x that fails is left for eval, whose failure the user is
 * told of. */
void cq_ahead_run(cq_scene *scene, cq_ahead **ahead, int count, const double *x);
/* Numbers that a run gives: f, c, residuals. */
int cq_ahead_outputs(const cq_scene *scene);
/* Those at every x, values [count][outputs], on copies alone, of which there is one at least: what
 * the scene itself knows of its last run stays. *failed: the first x that failed, -1: none. The
 * status of a stop that was asked for. */
cq_status cq_ahead_values(cq_scene *scene, cq_ahead **ahead, int count, const double *x,
                          double *values, int *failed);
/* As a helper: all numbers at x of a run on the one copy, which has all threads; *row [*n] belongs
 * to *ahead. False: it failed. */
cq_status cq_ahead_help(cq_scene *scene, cq_ahead **ahead, const double *x, const double **row,
                        int *n, bool *known);
/* f, c and the terms' values at x, if they are there; ahead may be NULL. */
bool cq_ahead_answers(cq_ahead *ahead, const double *x, double *f, double *c);
void cq_ahead_statistics(const cq_ahead *ahead, cq_scene_stats *stats, long long *failures);
void cq_ahead_destroy(cq_ahead *ahead);

#endif
