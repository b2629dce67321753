/* Colours: maps from numbers to colours, and the hues of bodies. Needs no drawing library. */
#ifndef CQ_RENDER_PALETTE_H
#define CQ_RENDER_PALETTE_H

typedef struct cq_colour {
  double r, g, b; /* 0 ... 1 */
} cq_colour;

/* Map i, or NULL past the last. */
const char *cq_palette_name(int i);
/* Index of a map, or -1. */
int cq_palette_find(const char *name);
/* The colour of t in [0, 1] (what is outside counts as the end; NAN as the middle). */
cq_colour cq_palette_at(int map, double t);

enum { CQ_HUES = 8 };
/* Distinct colours, in turn: they can be told apart on white and on dark, and by most colour-blind
 * eyes. */
cq_colour cq_palette_hue(int i);

/* "#rrggbb" as a number. */
cq_colour cq_colour_of(unsigned rgb);
/* From a to b by a share t. */
cq_colour cq_colour_mix(cq_colour a, cq_colour b, double t);

#endif
