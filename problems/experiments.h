/* The problem of a file with experiments: one design, and the weighted sum of their objectives. */
#ifndef CQ_PROBLEMS_EXPERIMENTS_H
#define CQ_PROBLEMS_EXPERIMENTS_H

#include "far.h"

typedef struct cq_experiments cq_experiments;

/* Makes the problem of a scene that of its experiments. To be destroyed whatever it returns; its
 * memory is the scene's. */
cq_status cq_experiments_begin(cq_scene *scene, cq_problem *problem, cq_experiments **out);
/* Takes what the problem of experiment k alone says of its gradient and residuals. */
cq_status cq_experiments_add(cq_experiments *experiments, int k, const cq_problem *own,
                             cq_problem *problem);
/* The same of what the file has beside them. */
void cq_experiments_end(const cq_experiments *experiments, cq_problem *problem);
/* What residual i of r is of. */
bool cq_experiments_tell(const cq_experiments *experiments, int i, const double *r,
                         cq_residual_info *out);
void cq_experiments_destroy(cq_experiments *experiments);
/* Value of term i of the file at the x evaluated last, weighted. */
double cq_experiments_term(const cq_experiments *experiments, int i);
/* As a helper: answers what is asked of one of them, at x [n] as of the experiment. */
cq_status cq_experiments_help(cq_experiments *experiments, const cq_far_request *request,
                              const double *x, int n, const void **answer, size_t *size);
/* f, and c, in steps of each experiment's own / 2^level. */
cq_status cq_experiments_values(cq_experiments *experiments, int level, const double *x, double *f,
                                double *c);
/* The fastest growth in any of them. */
cq_gradient_health cq_experiments_health(const cq_experiments *experiments);
/* The worst tear in any of them at x, each in a run of its own. */
cq_status cq_experiments_tear(cq_experiments *experiments, int level, const double *x,
                              cq_tear *tear);
/* Adds what their scenes did. */
void cq_experiments_statistics(const cq_experiments *experiments, cq_scene_stats *stats,
                               long long *failures);

#endif
