/* Scenarios: one design judged in several settings of the same problem file. Each is a scene of its
 * own, loaded with other values of a few keys. */
#ifndef CQ_PROBLEMS_SCENARIOS_H
#define CQ_PROBLEMS_SCENARIOS_H

#include "scene.h"

/* How many there are; 0 when the file has none. Checks the keys. */
cq_status cq_scenarios_count(cq_scene *scene, int *count);
/* The settings "path=value" of scenario k, one for each of `scenarios.vary`. */
cq_status cq_scenario_settings(cq_scene *scene, int k, const char **sets);

/* Makes the scene's problem that of its scenarios. */
cq_status cq_scenarios_build(cq_scene *scene);
void cq_scenarios_destroy(cq_scenarios *scenarios);
/* In how many parts simulation.memory is shared: one for each scene. */
int cq_scenarios_shares(const cq_scenarios *scenarios);
/* Combined value of objective term i at the x evaluated last. */
double cq_scenarios_term(const cq_scenarios *scenarios, int i);
/* The fastest growth in any of them. */
cq_gradient_health cq_scenarios_health(const cq_scenarios *scenarios);
/* The worst tear in any of them at x, each in a run of its own. */
cq_status cq_scenarios_tear(cq_scenarios *scenarios, int level, const double *x, cq_tear *tear);
/* Adds what the scenes of the scenarios did. */
void cq_scenarios_statistics(const cq_scenarios *scenarios, cq_scene_stats *stats,
                             long long *failures);

#endif
