/* Surfaces of what moves and has no particles, obstacles, half-spaces and tools, for files of
 * motion: triangles, in 2D segments, in numbers that are the same at all times. */
#ifndef CQ_PROBLEMS_SCENE_MOVERS_H
#define CQ_PROBLEMS_SCENE_MOVERS_H

#include "scene.h"
#include "trajectory.h"

typedef struct cq_mover_part cq_mover_part;

/* Of zeros: nothing moves. */
typedef struct cq_movers {
  const cq_scene *scene;
  cq_moving moving; /* for the file; its arrays are those below */
  const char **names;
  char (*texts)[64]; /* [moving.n] */
  int *faces, *mover;
  int n_parts;
  cq_mover_part *parts; /* what was drawn */
  double (*drawn)[3];   /* [moving.n_vertices] where the file has it */
  double (*now)[3];     /* the same, at the frame */
  double *maps;         /* [moving.n][CQ_MAP] at the frame */
} cq_movers;

/* CQ_MEMORY; to be freed in any case. */
cq_status cq_movers_make(const cq_scene *scene, cq_movers *out);
/* `now` and `maps` by the maps of all walls (cq_sim_walls). */
void cq_movers_place(cq_movers *movers, const double *walls);
void cq_movers_free(cq_movers *movers);

#endif
