/* motion.bin: read, written again, reduced, and made ready for pictures. */
#include "fuzz.h"

#include "motion.h"
#ifdef CQ_CAIRO
#  include "render.h"
#endif

#include <stdlib.h>
#include <string.h>

static void use_names(const cq_motion *m) {
  const cq_motion_def *const def = &m->def;
  size_t length = 0;
  for (int i = 0; i < def->n_bodies; i++) {
    length += strlen(def->bodies[i]);
  }
  for (int i = 0; i < def->n_fields; i++) {
    length += strlen(def->fields[i].name) + strlen(def->fields[i].unit);
  }
  for (int i = 0; i < def->n_controls; i++) {
    length += strlen(def->controls[i].unit);
  }
  if (length >
      (size_t)CQ_MOTION_TEXT * (size_t)(def->n_bodies + 2 * def->n_fields + def->n_controls)) {
    abort();
  }
}

static void use_take(const cq_motion *m, int take) {
  cq_motion *some = NULL;
  if (cq_motion_reduce(m, take, 20000.0, &some) == CQ_OK) {
    FILE *const out = fopen("/dev/null", "wb");
    cq_motion_put(some, out);
    fclose(out);
  }
  cq_motion_free(some);
#ifdef CQ_CAIRO
  cq_render *render = NULL;
  const cq_render_def def = {
      .motion = m, .take = take, .colour = m->def.n_fields > 0 ? m->def.fields[0].name : "body"};
  if (cq_render_create(m->ctx, &def, &render) == CQ_OK) {
    cq_render_frame_at(render, 0.1);
    cq_render_destroy(render);
  }
#endif
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  cq_ctx *const ctx = fuzz_begin();
  cq_motion *m = NULL;
  const cq_status status = cq_motion_read(ctx, fuzz_file("motion.bin", data, size), &m);
  if (status == CQ_OK) {
    use_names(m);
    for (int t = 0; t < m->n_takes; t++) {
      use_take(m, t);
    }
  }
  cq_motion_free(m);
  fuzz_end(ctx, status);
  return 0;
}
