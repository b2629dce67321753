/* Files with meshes and pictures, in every format, and what is made of them. */
#include "fuzz.h"

#include "alloc.h"
#include "mesh.h"
#include "surface.h"

#include <stdio.h>
#include <stdlib.h>

/* The surface that was read encloses something, and says so of points. */
static cq_status use(cq_ctx *ctx, cq_surface *surface) {
  static const double still[3] = {0.0, 0.0, 0.0};
  cq_shape shape = {.kind = CQ_SHAPE_mesh, .dim = surface->dim};
  void *memory = NULL;
  int turned = 0;
  cq_status status = cq_surface_mend(ctx, "fuzz", surface, &turned);
  if (status != CQ_OK) {
    return status;
  }
  status = cq_alloc(ctx, &memory, cq_mesh_bytes(surface), 1);
  status = status == CQ_OK ? cq_mesh_make(ctx, surface, 1.0, still, memory, &shape.mesh) : status;
  for (int i = 0; status == CQ_OK && i < 8; i++) {
    double x[3] = {0.0}, n[3] = {0.0};
    for (int a = 0; a < 3; a++) {
      const double part = i >> a & 1 ? 0.75 : 0.25;
      x[a] = shape.mesh->low[a] + part * (shape.mesh->high[a] - shape.mesh->low[a]);
    }
    cq_shape_normal(&shape, x, n);
    if (isnan(cq_shape_distance(&shape, x)) || isnan(n[0] + n[1] + n[2])) {
      abort();
    }
  }
  cq_free(ctx, memory);
  return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const names[] = {"mesh.stl", "mesh.obj", "mesh.ply", "mask.pgm", "mask.png"};
  for (int i = 0; i < 5; i++) {
    cq_ctx *const ctx = fuzz_begin();
    cq_surface surface;
    const char *const path = fuzz_file(names[i], data, size);
    cq_status status = (i < 3 ? cq_surface_read : cq_mask_read)(ctx, path, "", &surface);
    if (status == CQ_OK) {
      status = use(ctx, &surface);
      cq_surface_free(ctx, &surface);
    }
    fuzz_end(ctx, status);
  }
  return 0;
}
