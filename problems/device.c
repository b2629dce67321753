/* What a scene runs on. */
#include "devices.h"
#include "scene.h"
#include "status.h"

cq_status cq_scene_take_device(cq_scene *scene) {
  cq_simulation_keys *keys = &scene->config.simulation;
  const char *problem = keys->device != CQ_DEVICE_CPU ? cq_cuda_look().problem : NULL;
  CQ_CHECK(scene->ctx, keys->device != CQ_DEVICE_CUDA || problem == NULL, CQ_DEVICE,
           "no CUDA device: %s", problem);
  const bool cuda = keys->device != CQ_DEVICE_CPU && problem == NULL;
  keys->device = cuda ? CQ_DEVICE_CUDA : CQ_DEVICE_CPU;
  scene->model.device = cuda ? CQ_ON_CUDA : CQ_ON_CPU;
  return cq_config_complete(&scene->arena, keys->node, "device", CQ_NODE_TEXT, 0,
                            cuda ? "cuda" : "cpu");
}
