/* Pictures as outlines in 2D: what is bright is inside. */
#include "alloc.h"
#include "mask.h"
#include "status.h"
#include "surface_text.h"

#include <stdlib.h>
#include <strings.h>

#ifdef CQ_PNG
#  include <png.h>
#endif

enum { MOST_SIDE = 4096 };

static cq_status make_room(cq_ctx *ctx, const char *name, double width, double height,
                           cq_mask *mask) {
  CQ_CHECK(ctx, width >= 1 && height >= 1 && width <= MOST_SIDE && height <= MOST_SIDE, CQ_CONFIG,
           "%s: a picture of %.0f x %.0f pixels; 1 to %d a side are read", name, width, height,
           (int)MOST_SIDE);
  mask->width = (int)width;
  mask->height = (int)height;
  return CQ_ALLOC(ctx, mask->bright, (size_t)mask->width * (size_t)mask->height);
}

/* --- PGM -------------------------------------------------------------------------------------- */

/* The next number of a header, or of a picture in ASCII; -1: there is none. */
static double pgm_number(const char **at, const char *end) {
  while (*at < end && (**at == ' ' || (**at >= '\t' && **at <= '\r') || **at == '#')) {
    const bool comment = **at == '#';
    for ((*at)++; comment && *at < end && **at != '\n'; (*at)++) {
    }
  }
  double value = *at < end && **at >= '0' && **at <= '9' ? 0.0 : -1.0;
  for (; *at < end && **at >= '0' && **at <= '9'; (*at)++) {
    value = 10.0 * value + (**at - '0');
  }
  return value;
}

/* P2 has words, P5 one byte a pixel or two, the higher first. */
static cq_status read_pgm(cq_ctx *ctx, const char *name, const char *bytes, size_t size,
                          cq_mask *mask) {
  const char *at = bytes + 2, *end = bytes + size;
  CQ_CHECK(ctx, size > 2 && bytes[0] == 'P' && (bytes[1] == '2' || bytes[1] == '5'), CQ_CONFIG,
           "%s: not a PGM file: it begins with neither P2 nor P5", name);
  const double width = pgm_number(&at, end), height = pgm_number(&at, end);
  const double white = pgm_number(&at, end);
  CQ_CHECK(ctx, white >= 1.0 && white <= 65535.0, CQ_CONFIG,
           "%s: is cut off, or its largest value is not 1 to 65535", name);
  const double each = bytes[1] == '2' ? 2.0 : (white > 255.0 ? 2.0 : 1.0);
  CQ_CHECK(ctx, width * height * each <= (double)(end - at) + 1.0, CQ_CONFIG,
           "%s: is cut off: %.0f x %.0f pixels need %.0f bytes, and there are %td", name, width,
           height, width * height * each, end - at);
  CQ_TRY(make_room(ctx, name, width, height, mask));
  at += bytes[1] == '5';
  for (int i = 0; i < mask->width * mask->height; i++) {
    double value = -1.0;
    if (bytes[1] == '2') {
      value = pgm_number(&at, end);
    } else if (end - at >= (int)each) {
      value = (unsigned char)*at++;
      value = white > 255.0 ? 256.0 * value + (unsigned char)*at++ : value;
    }
    CQ_CHECK(ctx, value >= 0.0 && value <= white, CQ_CONFIG, "%s: pixel %d is not 0 to %.0f", name,
             i, white);
    mask->bright[i] = (float)(value / white);
  }
  return CQ_OK;
}

/* --- PNG -------------------------------------------------------------------------------------- */

#ifdef CQ_PNG
/* As 8 bits of grey; what is transparent is black. */
static cq_status take_png(cq_ctx *ctx, const char *name, png_image *image, cq_mask *mask) {
  static const png_color black = {0, 0, 0};
  unsigned char *grey = NULL;
  CQ_TRY(make_room(ctx, name, image->width, image->height, mask));
  image->format = PNG_FORMAT_GRAY;
  CQ_TRY(CQ_ALLOC(ctx, grey, PNG_IMAGE_SIZE(*image)));
  cq_status status = CQ_OK;
  if (!png_image_finish_read(image, &black, grey, 0, NULL)) {
    status = CQ_FAIL(ctx, CQ_CONFIG, "%s: %s", name, image->message);
  }
  for (int i = 0; i < mask->width * mask->height; i++) {
    mask->bright[i] = (float)grey[i] / 255.0F;
  }
  cq_free(ctx, grey);
  return status;
}

static cq_status read_png(cq_ctx *ctx, const char *name, const char *bytes, size_t size,
                          cq_mask *mask) {
  png_image image = {.version = PNG_IMAGE_VERSION};
  CQ_CHECK(ctx, png_image_begin_read_from_memory(&image, bytes, size), CQ_CONFIG, "%s: %s", name,
           image.message);
  const cq_status status = take_png(ctx, name, &image, mask);
  png_image_free(&image);
  return status;
}
#else
static cq_status read_png(cq_ctx *ctx, const char *name, const char *bytes, size_t size,
                          cq_mask *mask) {
  (void)bytes;
  (void)size;
  (void)mask;
  return CQ_FAIL(ctx, CQ_CONFIG,
                 "%s: this program was built without libpng; install libpng-dev and build it "
                 "again, or save the picture as PGM",
                 name);
}
#endif

cq_status cq_mask_parse(cq_ctx *ctx, const char *name, const char *bytes, size_t size,
                        cq_surface *surface) {
  const char *end = strrchr(name, '.');
  cq_mask mask = {0};
  *surface = (cq_surface){.dim = 2};
  cq_status status = end != NULL && strcasecmp(end, ".png") == 0
                         ? read_png(ctx, name, bytes, size, &mask)
                         : read_pgm(ctx, name, bytes, size, &mask);
  status = status == CQ_OK ? cq_mask_trace(ctx, name, &mask, surface) : status;
  cq_free(ctx, mask.bright);
  if (status != CQ_OK) {
    cq_surface_free(ctx, surface);
  }
  return status;
}

cq_status cq_mask_read(cq_ctx *ctx, const char *path, const char *where, cq_surface *surface) {
  char *bytes = NULL;
  size_t size = 0;
  *surface = (cq_surface){.dim = 2};
  cq_status status = cq_surface_bytes(ctx, path, where, &bytes, &size);
  status = status == CQ_OK ? cq_mask_parse(ctx, path, bytes, size, surface) : status;
  cq_free(ctx, bytes);
  return status;
}
