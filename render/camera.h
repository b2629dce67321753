/* Where a point of a scene is in a picture: orthographic, y up. Needs no drawing library. */
#ifndef CQ_RENDER_CAMERA_H
#define CQ_RENDER_CAMERA_H

#include <stdbool.h>

/* A part of the picture [px], from its upper left corner. */
typedef struct cq_box {
  double x, y, width, height;
} cq_box;

typedef struct cq_camera {
  double right[3], up[3], toward[3]; /* unit vectors of the picture; toward the eye */
  double azimuth, elevation;         /* [degrees] of the eye */
  double scale;                      /* [px/m] */
  double x, y;                       /* [px] of the scene's origin */
} cq_camera;

/* The eye at an angle about y, from the side of +z (0) over that of +x (90), and an angle above the
 * ground. (0, 0) looks at the plane of x and y, as in 2D. */
cq_camera cq_camera_at(double azimuth, double elevation);
/* "AZIMUTH,ELEVATION" [degrees], or the axis to look along: "x", "y" (from above) or "z". */
bool cq_camera_parse(const char *text, double *azimuth, double *elevation);

/* Right, up and toward the eye of a point [m]. */
void cq_camera_turn(const cq_camera *camera, const double x[3], double out[3]);
/* Shows what is right and up between low and high [m] in the middle of a box, as large as it can.
 */
void cq_camera_fit(cq_camera *camera, const double low[2], const double high[2], cq_box box);
/* Pixel (x to the right, y down) and depth toward the eye [px]. */
void cq_camera_project(const cq_camera *camera, const double x[3], double out[3]);

#endif
