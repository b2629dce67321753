/* The falling cube as the simulator takes it, and as the naive loops do. */
#ifndef CQ_BENCH_SCENE_H
#define CQ_BENCH_SCENE_H

#include "mpm_model.h"
#include "naive.h"
#include "sim.h"

typedef struct cq_bench_scene {
  cq_ctx *ctx;
  cq_model model;
  cq_mpm_model mpm; /* model.own */
  cq_layout layout;
  unsigned char *material;
  int *actuator, *particles;
  cq_group group;
  cq_channel channels[2];
  unsigned char *at; /* [steps + 1] the last state */
  cq_boundary walls;
  double *inputs;
  double *dz; /* [dim + 1] the seed: mean position, each axis, plus mean square velocity */
} cq_bench_scene;

typedef struct cq_bench_scene_def {
  int dim, bits;
  int edge[3]; /* particles along each axis */
  int grid[3];
  int steps;
  bool floor;    /* walls with friction, for runs in which the cube lands */
  size_t memory; /* of the stored states; 0: no limit */
  cq_backend device;
  cq_kernels kernels;
} cq_bench_scene_def;

cq_status cq_bench_scene_make(cq_ctx *ctx, const cq_bench_scene_def *def, cq_bench_scene *scene);
void cq_bench_scene_destroy(cq_bench_scene *scene);
/* The scene without its walls. */
cq_naive_config cq_bench_naive_config(const cq_bench_scene *scene);

#endif
