/* What a scene runs on. */
#include "devices.h"
#include "scene.h"
#include "status.h"

cq_status cq_scene_take_device(cq_scene *scene) {
  cq_simulation_keys *keys = &scene->config.simulation;
  const bool either = keys->device == CQ_DEVICE_AUTO && cq_cuda_look().problem == NULL;
  const bool cuda = keys->device == CQ_DEVICE_CUDA || either;
  if (cuda) {
    CQ_TRY(cq_cuda_check(scene->ctx));
  }
  keys->device = cuda ? CQ_DEVICE_CUDA : CQ_DEVICE_CPU;
  scene->model.device = cuda ? CQ_ON_CUDA : CQ_ON_CPU;
  return cq_config_complete(&scene->arena, keys->node, "device", CQ_NODE_TEXT, 0,
                            cuda ? "cuda" : "cpu");
}
