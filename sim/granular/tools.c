#include "tools.h"

#include "point/tool.h"

#include <math.h>
#include <string.h>

cq_tool_pose cq_tool_start(const cq_tool *tool) {
  cq_tool_pose pose = {.turn = {1.0, 0.0, 0.0, 0.0}};
  memcpy(pose.x, tool->origin, sizeof pose.x);
  return pose;
}

void cq_tool_set(int dim, const double *pose, const double *twist, cq_tool_pose *to) {
  memcpy(to->x, pose, (size_t)dim * sizeof *pose);
  memcpy(to->v, twist, (size_t)dim * sizeof *twist);
  if (dim == 2) {
    to->turn[0] = cos(0.5 * pose[2]);
    to->turn[3] = sin(0.5 * pose[2]);
    to->w[2] = twist[2];
    return;
  }
  memcpy(to->turn, pose + 3, sizeof to->turn);
  memcpy(to->w, twist + 3, sizeof to->w);
}

void cq_tool_drive(const cq_tool *tool, int dim, const double *w, cq_tool_pose *pose) {
  memset(pose->v, 0, sizeof pose->v);
  memset(pose->w, 0, sizeof pose->w);
  for (int a = 0; a < dim; a++) {
    pose->v[a] = tool->linear[a] >= 0 ? w[tool->linear[a]] : 0.0;
  }
  for (int a = dim == 2 ? 2 : 0; a < 3; a++) {
    pose->w[a] = tool->angular[a] >= 0 ? w[tool->angular[a]] : 0.0;
  }
}

/* By the exponential of its spin, so that a constant one is exact. */
void cq_tool_move(int dim, double dt, cq_tool_pose *pose) {
  for (int a = 0; a < dim; a++) {
    pose->x[a] += dt * pose->v[a];
  }
  const double *w = pose->w;
  const double rate = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
  if (!(rate > 0.0)) {
    return;
  }
  const double half = 0.5 * rate * dt, s = sin(half) / rate;
  const double q[4] = {cos(half), s * w[0], s * w[1], s * w[2]};
  const double p[4] = {pose->turn[0], pose->turn[1], pose->turn[2], pose->turn[3]};
  double qxp[3];
  cq_tool_cross(q + 1, p + 1, qxp);
  pose->turn[0] = q[0] * p[0] - q[1] * p[1] - q[2] * p[2] - q[3] * p[3];
  for (int a = 0; a < 3; a++) {
    pose->turn[a + 1] = q[0] * p[a + 1] + p[0] * q[a + 1] + qxp[a];
  }
}

static bool is_plane(const cq_shape *part) {
  return part->kind == CQ_SHAPE_half_space && !part->turn.is;
}

static bool is_bounded(const cq_shape *part) {
  static const bool bounded[CQ_N_SHAPES] = {
#define BOUNDED                true
#define UNBOUNDED              false
#define CQ_SHAPE(name, extent) [CQ_SHAPE_##name] = extent,
#include "shape_list.h"
#undef CQ_SHAPE
#undef BOUNDED
#undef UNBOUNDED
  };
  return bounded[part->kind];
}

void cq_tool_point(const cq_tool_pose *pose, const double *arm, double *x) {
  tool_turn(pose->turn, 1.0, arm, x);
  for (int a = 0; a < 3; a++) {
    x[a] += pose->x[a];
  }
}

void cq_tool_turned(const cq_tool_pose *pose, double *turned) {
  const double *q = pose->turn, sign = q[0] < 0.0 ? -1.0 : 1.0;
  const double sine = sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  const double stretch = sine > 0.0 ? 2.0 * atan2(sine, sign * q[0]) / sine : 2.0;
  for (int a = 0; a < 3; a++) {
    turned[a] = sign * stretch * q[1 + a];
  }
}

/* where a point of the tool at its start is now */
static void moved(const cq_tool *tool, const cq_tool_pose *pose, const double *x, double *now) {
  double apart[3];
  for (int a = 0; a < 3; a++) {
    apart[a] = x[a] - tool->origin[a];
  }
  cq_tool_point(pose, apart, now);
}

void cq_tool_map(const cq_tool *tool, const cq_tool_pose *pose, double *map) {
  for (int c = 0; c < 3; c++) {
    const double axis[3] = {c == 0, c == 1, c == 2};
    double column[3];
    tool_turn(pose->turn, 1.0, axis, column);
    for (int r = 0; r < 3; r++) {
      map[4 * r + c] = column[r];
    }
  }
  cq_map_bring(map, tool->origin, pose->x);
}

/* A plane as it stands, of other shapes the ball and the box around them. */
cq_tool_place cq_tool_placed(const cq_tool *tool, const cq_shape *part, const cq_tool_pose *pose,
                             int dim) {
  cq_tool_place place = {.radius = 0.0};
  double local[3] = {0}, now[3];
  if (is_plane(part)) {
    place.is_plane = true;
    tool_turn(pose->turn, 1.0, part->normal, place.normal);
    moved(tool, pose, part->center, now);
    for (int a = 0; a < dim; a++) {
      place.offset += place.normal[a] * now[a];
    }
    return place;
  }
  double low[3] = {0}, size[3] = {0}, square = 0.0;
  if (!is_bounded(part)) {
    place.radius = INFINITY;
    for (int a = 0; a < dim; a++) {
      place.low[a] = -INFINITY;
      place.high[a] = INFINITY;
    }
    return place;
  }
  cq_shape_bounds(part, low, size);
  for (int a = 0; a < dim; a++) {
    local[a] = low[a] + 0.5 * size[a];
    square += 0.25 * size[a] * size[a];
    place.low[a] = low[a];
    place.high[a] = low[a] + size[a];
  }
  moved(tool, pose, local, place.center);
  place.radius = sqrt(square);
  return place;
}

/* Asked in the frame of the tool, where its shape does not move. */
bool cq_tool_touches(const cq_tool *tool, const cq_shape *part, const cq_tool_place *place,
                     const cq_tool_pose *pose, int dim, const double *x, double reach,
                     cq_tool_touch *touch) {
  double local[3], normal[3] = {0};
  if (is_plane(part)) {
    return tool_meets_plane(place, dim, x, reach, touch);
  }
  if (!tool_nears_bounds(place, pose, tool->origin, dim, x, reach, local)) {
    return false;
  }
  touch->distance = cq_shape_distance(part, local);
  if (!(touch->distance < reach)) {
    return false;
  }
  cq_shape_normal(part, local, normal);
  tool_turn(pose->turn, 1.0, normal, touch->normal);
  return true;
}

void cq_tool_velocity(const cq_tool_pose *pose, int dim, const double *x, double *v) {
  tool_velocity(pose, dim, x, v);
}
