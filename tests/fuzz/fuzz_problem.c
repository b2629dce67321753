/* A problem file, as far as the scene that is built of it. */
#include "fuzz.h"

#include "scene.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  cq_ctx *const ctx = fuzz_begin();
  cq_scene *scene = NULL;
  char *const text = calloc(size + 1, 1);
  if (text != NULL) {
    memcpy(text, data, size);
    const cq_status status = cq_scene_load_text(ctx, "fuzz", fuzz_folder(), text, NULL, 0, &scene);
    uint64_t hash = 0;
    if (status == CQ_OK) {
      cq_scene_config_hash(scene, true, &hash);
    }
    cq_scene_destroy(scene);
    fuzz_end(ctx, status);
    free(text);
  }
  return 0;
}
