/* A state of all particles as a table, in which runs begin and which `export --state` writes. */
#ifndef CQ_PROBLEMS_SCENE_START_H
#define CQ_PROBLEMS_SCENE_START_H

#include "csv.h"
#include "scene.h"

enum { CQ_MOST_STATE_COLUMNS = 9 * CQ_MOST_STATES };

/* Behind the rows of particles a file may have those of means (cq_engine_type.means). */
#define CQ_MEANS_PART "means"

/* All that changes of a particle, in the order of the blocks: columns [CQ_MOST_STATE_COLUMNS],
 * their names in the scene's arena. */
cq_status cq_start_columns(cq_scene *scene, cq_csv_column *columns, int *count);
/* Those of means. */
void cq_start_mean_columns(const cq_scene *scene, cq_csv_column *columns, int *count);
/* Where a block has the numbers of a particle, and how many. */
size_t cq_start_place(const cq_scene *scene, int block, size_t particle, size_t *count);
/* The state of rigid bodies is no particle's. */
bool cq_start_has_rigid(const cq_scene *scene);

/* Puts the state that the file begins in, if it has one, into the inputs of the scene without a
 * design; then refuses a design of what the state says. CQ_CONFIG, CQ_IO. */
cq_status cq_start_read(cq_scene *scene, double *inputs);
cq_status cq_start_check(const cq_scene *scene);

#endif
