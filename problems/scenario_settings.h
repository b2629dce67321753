/* What a file says of its scenarios. */
#ifndef CQ_PROBLEMS_SCENARIO_SETTINGS_H
#define CQ_PROBLEMS_SCENARIO_SETTINGS_H

#include "scene.h"

enum { CQ_MOST_VARIED = 30 }; /* settings that differ from scenario to scenario */

/* How many there are; 0 when the file has none. Checks the keys. */
cq_status cq_scenarios_count(cq_scene *scene, int *count);
/* Takes scene->n_scenarios and n_judged from the file, whose objective is read. */
cq_status cq_scenarios_read(cq_scene *scene);
/* Whether a key of `vary` is one by which a data file was named whose numbers are in the settings
 * now; the section and the key in it. */
cq_status cq_vary_file(cq_scene *scene, const cq_vary_keys *keys, cq_node **section,
                       const char **key, bool *found);
/* Element i of its values. */
const cq_node *cq_vary_value(const cq_vary_keys *keys, int i);
/* The settings "path=value" of scenario k, one for each of `scenarios.vary` and then those of what
 * moves along: sets [CQ_MOST_VARIED]. */
int cq_scenario_settings_count(const cq_scene *scene);
cq_status cq_scenario_settings(cq_scene *scene, int k, const char **sets);

#endif
