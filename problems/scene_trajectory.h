/* trajectory.h5 of a recorded run. */
#ifndef CQ_PROBLEMS_SCENE_TRAJECTORY_H
#define CQ_PROBLEMS_SCENE_TRAJECTORY_H

#include "cameras.h"
#include "records.h"
#include "scene.h"
#include "scene_cover.h"
#include "scene_movers.h"
#include "trajectory.h"

typedef struct cq_scene_trajectory {
  const cq_scene *scene;
  const cq_sim *sim;
  const double *inputs; /* of the run */
  cq_trajectory_def def;
  cq_trajectory_field fields[CQ_MOST_RECORDS];
  cq_record records[CQ_MOST_RECORDS]; /* what each field is */
  const char **bodies;
  int *body;
  cq_cover cover;
  cq_movers movers;
  double *buffer; /* [n_particles][most components] */
  cq_recorded_camera *cameras;
  double *radii, *image; /* of what cameras see: [n_particles], [most pixels] */
  cq_trajectory_writer *writer;
  int *frame_steps; /* [n_frames] */
  int n_frames;
} cq_scene_trajectory;

/* The fields that a scene's output has. */
void cq_scene_trajectory_fields(const cq_scene *scene, cq_scene_trajectory *t);
/* Begins <dir>/trajectory.h5 of at most n_frames frames of a run of sim from inputs, both borrowed.
 * To be ended whatever it returns. */
cq_status cq_scene_trajectory_begin(const cq_scene *scene, const cq_sim *sim, const double *inputs,
                                    const char *dir, int n_frames, cq_scene_trajectory *t);
/* A frame: the state at a step, layout of the states in the inputs, and maps of the walls
 * (cq_sim_walls). */
cq_status cq_scene_trajectory_frame(cq_scene_trajectory *t, int step, const double *state,
                                    const double *maps);
/* Ends it, with the controls of the run, u [steps][n_controls]; keep: the files are left. */
cq_status cq_scene_trajectory_end(cq_scene_trajectory *t, const double *u, bool keep);

#endif
