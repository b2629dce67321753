/* How large the particles of a motion are drawn, and in which colours. Needs no drawing library. */
#ifndef CQ_RENDER_PAINT_H
#define CQ_RENDER_PAINT_H

#include "motion.h"
#include "palette.h"

enum { CQ_PAINT_LEVELS = 256 };

typedef struct cq_paint {
  bool by_body;
  bool fixed; /* the same in every frame */
  int index;  /* of the field */
  int map;
  double low, high; /* what the ends of the map mean */
  double unit;      /* what the label names, in that of the motion: 1000 for kPa */
  char label[128];  /* "pressure [kPa]" */
} cq_paint;

/* What a motion can be coloured by, "body" and its fields: name i, or NULL past the last. */
const char *cq_paint_name(const cq_motion *motion, int i);
/* Colours of a take by such a name, in any case. map NULL: the one that suits; range [2] NULL: that
 * of the values in the take, about 0 when they have both signs. CQ_CONFIG when the motion does not
 * have it. */
cq_status cq_paint_make(const cq_motion *motion, int take, const char *name, const char *map,
                        const double *range, cq_paint *out);
/* Of particle k at a frame: a body's number, or a level of the map. */
int cq_paint_level(const cq_paint *paint, const cq_motion *motion, int take, int frame, int k);
cq_colour cq_paint_colour(const cq_paint *paint, int level);

/* The radius [m] with which particles of each body are drawn: radii [bodies]. Balls that all are
 * kept have their own. Others cover their body in the first frame: theirs is at least 1.25 times
 * that of the area (in 3D the volume) that a particle has to itself, and leaves no gaps in a
 * lattice of unequal spacings. Thinned particles are larger. CQ_MEMORY. */
cq_status cq_paint_radii(const cq_motion *motion, int take, double *radii);
/* A number as a legend has it, three digits: "0.125", "12000", "3.2e+07"; with a true minus sign.
 */
void cq_paint_number(double value, char *text, size_t size);

#endif
