#include "scene.h"

static cq_status configure(cq_scene *scene, cq_controller *controller) {
  (void)scene;
  (void)controller;
  return CQ_OK;
}

const cq_controller_type cq_controller_none = {.configure = configure};
