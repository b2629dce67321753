/* Data files that differ from scenario to scenario. */
#ifndef CQ_PROBLEMS_SCENARIO_FILES_H
#define CQ_PROBLEMS_SCENARIO_FILES_H

#include "scene.h"

/* Puts what is in such files into the settings, in the place of their names, as is done with every
 * file that a scene names: `vary` has the lists that they are read into then. */
cq_status cq_scenario_files_read(cq_scene *scene);

#endif
