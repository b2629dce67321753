#include "camera.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

cq_camera cq_camera_at(double azimuth, double elevation) {
  const double degree = acos(-1.0) / 180.0;
  const double ca = cos(azimuth * degree), sa = sin(azimuth * degree);
  const double ce = cos(elevation * degree), se = sin(elevation * degree);
  return (cq_camera){.right = {ca, 0.0, -sa},
                     .up = {-sa * se, ce, -ca * se},
                     .toward = {sa * ce, se, ca * ce},
                     .azimuth = azimuth,
                     .elevation = elevation,
                     .scale = 1.0};
}

/* An axis is a name for two angles. The test of the range also refuses NAN, which strtod reads. */
bool cq_camera_parse(const char *text, double *azimuth, double *elevation) {
  static const struct {
    const char *name;
    double azimuth, elevation;
  } axes[] = {{"x", 90.0, 0.0}, {"y", 0.0, 90.0}, {"z", 0.0, 0.0}};
  for (int i = 0; i < 3; i++) {
    if (strcmp(text, axes[i].name) == 0) {
      *azimuth = axes[i].azimuth;
      *elevation = axes[i].elevation;
      return true;
    }
  }
  char *comma = NULL, *end = NULL;
  *azimuth = strtod(text, &comma);
  if (comma == text || *comma != ',') {
    return false;
  }
  *elevation = strtod(comma + 1, &end);
  return end != comma + 1 && *end == '\0' && fabs(*azimuth) <= 360.0 && fabs(*elevation) <= 90.0;
}

void cq_camera_turn(const cq_camera *camera, const double x[3], double out[3]) {
  const double *const axes[] = {camera->right, camera->up, camera->toward};
  for (int i = 0; i < 3; i++) {
    out[i] = axes[i][0] * x[0] + axes[i][1] * x[1] + axes[i][2] * x[2];
  }
}

void cq_camera_fit(cq_camera *camera, const double low[2], const double high[2], cq_box box) {
  camera->scale = fmin(box.width / (high[0] - low[0]), box.height / (high[1] - low[1]));
  camera->x = box.x + 0.5 * box.width - 0.5 * (low[0] + high[0]) * camera->scale;
  camera->y = box.y + 0.5 * box.height + 0.5 * (low[1] + high[1]) * camera->scale;
}

void cq_camera_project(const cq_camera *camera, const double x[3], double out[3]) {
  double turned[3];
  cq_camera_turn(camera, x, turned);
  out[0] = camera->x + turned[0] * camera->scale;
  out[1] = camera->y - turned[1] * camera->scale;
  out[2] = turned[2] * camera->scale;
}
