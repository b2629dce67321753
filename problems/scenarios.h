/* Scenarios: one design judged in several settings of the same problem file. Each is a scene of its
 * own, loaded with other values of a few keys. */
#ifndef CQ_PROBLEMS_SCENARIOS_H
#define CQ_PROBLEMS_SCENARIOS_H

#include "far.h"

typedef struct cq_scenarios cq_scenarios;

/* Makes the problem of a scene that of its scenarios. To be destroyed whatever it returns; its
 * memory is the scene's. */
cq_status cq_scenarios_begin(cq_scene *scene, cq_problem *problem, cq_scenarios **out);
void cq_scenarios_destroy(cq_scenarios *scenarios);
/* What scenario k sets, "path=value, path=value". CQ_MEMORY; text is "" then. */
cq_status cq_scenarios_settings_text(const cq_scenarios *scenarios, int k, char *text, size_t size);
/* As a helper: answers what is asked of one of them, at x as of the file. */
cq_status cq_scenarios_help(cq_scenarios *scenarios, const cq_far_request *request, const double *x,
                            const void **answer, size_t *size);
/* Value of objective term i in scenario k at the x evaluated last. */
double cq_scenarios_term_in(const cq_scenarios *scenarios, int k, int i);
/* Combined value of objective term i at the x evaluated last. */
double cq_scenarios_term(const cq_scenarios *scenarios, int i);
/* What residual i of r is of (residuals.h). */
bool cq_scenarios_tell(const cq_scenarios *scenarios, int i, const double *r,
                       cq_residual_info *out);
/* The fastest growth in any of them. */
cq_gradient_health cq_scenarios_health(const cq_scenarios *scenarios);
/* The worst tear in any of them at x, each in a run of its own. */
cq_status cq_scenarios_tear(cq_scenarios *scenarios, int level, const double *x, cq_tear *tear);
/* Adds what the scenes of the scenarios did. */
void cq_scenarios_statistics(const cq_scenarios *scenarios, cq_scene_stats *stats,
                             long long *failures);

#endif
