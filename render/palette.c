#include "palette.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { STOPS = 9 };

/* Nine even steps of each, with straight lines between them: nobody sees the difference to the maps
 * of 256 colours. viridis and magma: Smith and van der Walt (2015); coolwarm: Moreland (2009). The
 * ends of gray are neither black nor white, so that they show on either ground. */
static const struct {
  const char *name;
  unsigned stops[STOPS];
} maps[] = {
    {"viridis",
     {0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c, 0x28ae80, 0x5ec962, 0xaddc30, 0xfde725}},
    {"magma",
     {0x000004, 0x1d1147, 0x51127c, 0x822681, 0xb73779, 0xe75263, 0xfb8761, 0xfec287, 0xfcfdbf}},
    {"coolwarm",
     {0x3b4cc0, 0x6282ea, 0x8db0fe, 0xb8d0f9, 0xdddddd, 0xf5c4ad, 0xf49a7b, 0xde614d, 0xb40426}},
    {"gray",
     {0x202020, 0x383838, 0x505050, 0x686868, 0x808080, 0x989898, 0xb0b0b0, 0xc8c8c8, 0xe0e0e0}},
};

const char *cq_palette_name(int i) {
  return i < (int)(sizeof maps / sizeof *maps) ? maps[i].name : NULL;
}

int cq_palette_find(const char *name) {
  for (int i = 0; cq_palette_name(i) != NULL; i++) {
    if (strcmp(cq_palette_name(i), name) == 0) {
      return i;
    }
  }
  return -1;
}

cq_colour cq_colour_of(unsigned rgb) {
  return (cq_colour){(double)(rgb >> 16 & 255U) / 255.0, (double)(rgb >> 8 & 255U) / 255.0,
                     (double)(rgb & 255U) / 255.0};
}

cq_colour cq_colour_mix(cq_colour a, cq_colour b, double t) {
  return (cq_colour){a.r + t * (b.r - a.r), a.g + t * (b.g - a.g), a.b + t * (b.b - a.b)};
}

cq_colour cq_palette_at(int map, double t) {
  const double at = (isnan(t) ? 0.5 : fmin(fmax(t, 0.0), 1.0)) * (STOPS - 1);
  const int i = at < STOPS - 1 ? (int)at : STOPS - 2;
  return cq_colour_mix(cq_colour_of(maps[map].stops[i]), cq_colour_of(maps[map].stops[i + 1]),
                       at - i);
}

cq_colour cq_palette_hue(int i) {
  static const unsigned hues[CQ_HUES] = {0x2f7ed8, 0xe0752d, 0x2a9d6f, 0xb656b0,
                                         0xc9a227, 0xd1495b, 0x4aa9c9, 0x8a6d5b};
  return cq_colour_of(hues[i % CQ_HUES]);
}
