/* Pictures of a motion: stills, contact sheets and films.
 *
 * A picture is some frames of one take side by side, all of them in the same frame, colours and
 * scale, with a time over each, and below them a length, a legend and in 3D the axes. A still is a
 * sheet of one. Equal arguments give equal bits in PNG and PDF on one machine, and in
 * SVG as the first picture of a process (cairo counts its surfaces). */
#ifndef CQ_RENDER_RENDER_H
#define CQ_RENDER_RENDER_H

#include "motion.h"

#include "cqopt/problem.h"

/* Something beside particles; a cq_drawing that lasts. */
typedef struct cq_prop {
  cq_form form;
  char role[16];
  int n;
  double (*points)[3];  /* [n] m */
  double radius;        /* of a ball [m] */
  double time;          /* of a track [s]; else NAN */
  cq_motion_text mover; /* what it moves as in the motion, which may not have it: then it is not
                           drawn; "": it stands */
} cq_prop;

typedef struct cq_render_def {
  const cq_motion *motion;
  int take;
  const cq_prop *props; /* [n_props] */
  int n_props;
  const char *colour;        /* a name of cq_paint_name */
  const char *map;           /* of cq_palette_name; NULL: the one that suits */
  const double *range;       /* [2] what the ends of the map mean; NULL: from the values */
  const char *title;         /* NULL: none */
  const char *cut;           /* a body of particles in 3D of which the far half is drawn; NULL */
  bool dark;                 /* light on dark */
  double azimuth, elevation; /* of the eye in 3D [degrees], see camera.h */
  int width, height;         /* [px]; 0: as suits */
  int columns;               /* of a sheet; 0: as suits */
} cq_render_def;

typedef struct cq_render cq_render;

/* Borrows what def points to. CQ_CONFIG when the motion does not have the colour; CQ_MEMORY. */
cq_status cq_render_create(cq_ctx *ctx, const cq_render_def *def, cq_render **out);
void cq_render_destroy(cq_render *render); /* NULL is allowed */

/* Ending i of a file of pictures, of a still or of a film: ".png". NULL past the last. */
const char *cq_render_ending(int i, bool of_film);
/* Whether a path ends so. */
bool cq_render_ends(const char *path, bool of_film);

/* The recorded frame nearest to a time [s]. */
int cq_render_frame_at(const cq_render *render, double time);
/* Writes frames [n] side by side into one file, in one step. CQ_USAGE when there is no room for
 * them in the size; CQ_IO with path and reason. */
cq_status cq_render_file(cq_render *render, int n, const int *frames, const char *path);
/* Writes frames [n] one after the other as a film, through ffmpeg. CQ_DEVICE when it is not
 * installed, and CQ_IO when it fails. */
cq_status cq_render_film(cq_render *render, int n, const int *frames, double per_second,
                         const char *path);

#endif
