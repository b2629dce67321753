/* What a file says of its scenarios. */
#ifndef CQ_PROBLEMS_SCENARIO_SETTINGS_H
#define CQ_PROBLEMS_SCENARIO_SETTINGS_H

#include "scene.h"

enum { CQ_MOST_VARIED = 30 }; /* settings that differ from scenario to scenario */

/* How many there are; 0 when the file has none. Checks the keys. */
cq_status cq_scenarios_count(cq_scene *scene, int *count);
/* Takes scene->n_scenarios and n_judged from the file, whose objective is read. */
cq_status cq_scenarios_read(cq_scene *scene);
/* The settings "path=value" of scenario k, one for each of `scenarios.vary`: sets
 * [CQ_MOST_VARIED]. */
cq_status cq_scenario_settings(cq_scene *scene, int k, const char **sets);

#endif
