/* A sheet as a file, by the ending of its name. */
#include "picture.h"

#include "fresh.h"
#include "status.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef enum cq_file_kind { KIND_PNG, KIND_SVG, KIND_PDF, KINDS } cq_file_kind;

static const char *const endings[2][KINDS + 1] = {{".png", ".svg", ".pdf", NULL},
                                                  {".mp4", ".gif", NULL, NULL}};

const char *cq_render_ending(int i, bool of_film) {
  return endings[of_film][i];
}

static int kind_of(const char *path, bool of_film) {
  const char *const dot = strrchr(path, '.');
  for (int i = 0; dot != NULL && endings[of_film][i] != NULL; i++) {
    if (strcmp(dot, endings[of_film][i]) == 0) {
      return i;
    }
  }
  return -1;
}

bool cq_render_ends(const char *path, bool of_film) {
  return kind_of(path, of_film) >= 0;
}

static cairo_status_t take_bytes(void *out, const unsigned char *bytes, unsigned int n) {
  return fwrite(bytes, 1, n, out) == n ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static cairo_surface_t *make_surface(cq_file_kind kind, FILE *out, int width, int height) {
  cairo_surface_t *surface = NULL;
  switch (kind) {
  case KIND_SVG:
    surface = cairo_svg_surface_create_for_stream(take_bytes, out, width, height);
    cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX);
    return surface;
  case KIND_PDF: /* 96 pixels are 72 points */
    surface = cairo_pdf_surface_create_for_stream(take_bytes, out, 0.75 * width, 0.75 * height);
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "");
    return surface;
  default:
    return cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
  }
}

static cq_status draw(const cq_render *r, const cq_layout *layout, const int *frames,
                      cq_file_kind kind, cairo_surface_t *surface) {
  cairo_t *const cr = cairo_create(surface);
  if (kind == KIND_PDF) {
    cairo_scale(cr, 0.75, 0.75);
  }
  const cq_status status = cq_sheet_draw(r, cr, layout, frames, kind == KIND_PNG ? 1 : 2);
  cairo_destroy(cr);
  return status;
}

/* Writes what was drawn to the file, or to its end. */
static cq_status finish(const cq_fresh *fresh, cq_file_kind kind, cairo_surface_t *surface) {
  errno = 0;
  cairo_status_t status = CAIRO_STATUS_SUCCESS;
  if (kind == KIND_PNG) {
    status = cairo_surface_write_to_png_stream(surface, take_bytes, fresh->out);
  } else {
    cairo_surface_finish(surface);
  }
  status = status == CAIRO_STATUS_SUCCESS ? cairo_surface_status(surface) : status;
  CQ_CHECK(fresh->ctx, status == CAIRO_STATUS_SUCCESS, CQ_IO, "%s: %s", fresh->path,
           errno != 0 ? strerror(errno) : cairo_status_to_string(status));
  return CQ_OK;
}

static cq_status write_sheet(cq_render *r, const cq_layout *layout, const int *frames,
                             cq_file_kind kind, const cq_fresh *fresh) {
  cairo_surface_t *const surface = make_surface(kind, fresh->out, layout->width, layout->height);
  cq_status status = draw(r, layout, frames, kind, surface);
  if (status == CQ_OK) {
    status = finish(fresh, kind, surface);
  }
  cairo_surface_destroy(surface);
  return status;
}

cq_status cq_render_file(cq_render *render, int n, const int *frames, const char *path) {
  cq_fresh fresh;
  cq_layout layout = {0};
  const int kind = kind_of(path, false);
  CQ_CHECK(render->ctx, kind >= 0, CQ_USAGE, "%s: its ending is none of a picture", path);
  CQ_TRY(cq_sheet_plan(render, n, &layout));
  CQ_TRY(cq_fresh_begin(render->ctx, path, &fresh));
  return cq_fresh_end(&fresh, write_sheet(render, &layout, frames, (cq_file_kind)kind, &fresh));
}
