#include "tracks.h"

#include "status.h"

#include <math.h>
#include <string.h>

int cq_track_numbers(int dim) {
  return dim == 2 ? 3 : 6;
}

static bool is_zero(const double *v, int n) {
  for (int i = 0; i < n; i++) {
    if (v[i] != 0.0 && !isnan(v[i])) {
      return false;
    }
  }
  return true;
}

bool cq_track_given(const cq_track_keys *keys, int dim) {
  return keys->track->rows > 0 || keys->sway->rows > 0 || !is_zero(keys->velocity, dim) ||
         !is_zero(keys->spin->values, keys->spin->count);
}

/* the pose of a body at `center` that is moved by these numbers */
static void pose_of(int dim, const double *center, const double *moved, double *pose) {
  for (int a = 0; a < dim; a++) {
    pose[a] = center[a] + moved[a];
  }
  if (dim == 2) {
    pose[2] = moved[2];
    return;
  }
  const double *w = moved + 3;
  const double angle = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
  pose[3] = cos(0.5 * angle);
  for (int a = 0; a < 3; a++) {
    pose[4 + a] = angle > 0.0 ? sin(0.5 * angle) / angle * w[a] : 0.0;
  }
}

/* Quaternions q and -q are one orientation: the sign that is nearer to the knot before. */
static void align(int n, double *poses) {
  for (int i = 1; i < n; i++) {
    double *q = poses + 7 * i + 3, dot = 0.0;
    for (int k = 0; k < 4; k++) {
      dot += q[k] * q[k - 7];
    }
    for (int k = 0; k < 4 && dot < 0.0; k++) {
      q[k] = -q[k];
    }
  }
}

/* Rows of the table as times and numbers of knots. */
static cq_status read_knots(cq_scene *scene, const cq_track_keys *keys, double *times,
                            double *moved) {
  const cq_table *t = keys->track;
  const int dim = scene->config.dim, numbers = cq_track_numbers(dim);
  if (t->rows > 0 && t->columns != 1 + dim && t->columns != 1 + numbers) {
    return cq_config_fail(scene->ctx, keys->node, "track", "a row is %s, not %d numbers",
                          dim == 2 ? "[time, x, y] or [time, x, y, turn]"
                                   : "[time, x, y, z] or [time, x, y, z, and three of a turn]",
                          t->columns);
  }
  for (int i = 0; i < t->rows; i++) {
    const double *row = t->values + i * t->columns;
    if (i > 0 && !(row[0] > times[i - 1])) {
      return cq_config_fail(scene->ctx, keys->node, "track",
                            "knot %d is at %g s, which is not after the one before it, at %g s "
                            "(the first is 0)",
                            i, row[0], times[i - 1]);
    }
    times[i] = row[0];
    memcpy(moved + i * numbers, row + 1, (size_t)(t->columns - 1) * sizeof *moved);
  }
  return CQ_OK;
}

/* Rows of sines. */
static cq_status read_sways(cq_scene *scene, const cq_track_keys *keys, track_sway *sways) {
  const cq_table *t = keys->sway;
  const int dim = scene->config.dim;
  if (t->rows > 0 && t->columns != 2 + dim && t->columns != 3 + dim) {
    return cq_config_fail(scene->ctx, keys->node, "sway",
                          "a row is [frequency, x, y, %sturn] or has a phase after them, not %d "
                          "numbers",
                          dim == 2 ? "" : "z, ", t->columns);
  }
  for (int i = 0; i < t->rows; i++) {
    const double *row = t->values + i * t->columns;
    sways[i] = (track_sway){.frequency = row[0],
                            .angle = row[1 + dim],
                            .phase = t->columns > 2 + dim ? row[2 + dim] : 0.0};
    memcpy(sways[i].amplitude, row + 1, (size_t)dim * sizeof *row);
  }
  return CQ_OK;
}

/* The steady motion, and the axis of all turns that are no knots. */
static cq_status read_steady(cq_scene *scene, const cq_track_keys *keys, track *out) {
  const int dim = scene->config.dim, n_spin = dim == 2 ? 1 : 3;
  const double *spin = keys->spin->values, *given = keys->sway_axis;
  double axis[3] = {0}, length = 0.0;
  if (keys->spin->count != 0 && keys->spin->count != n_spin) {
    return cq_config_fail(scene->ctx, keys->node, "spin", "must be %s",
                          dim == 2 ? "one number in 2D" : "three numbers in 3D");
  }
  for (int a = 0; a < dim; a++) {
    out->velocity[a] = isnan(keys->velocity[0]) ? 0.0 : keys->velocity[a];
  }
  if (dim == 2) {
    out->rate = keys->spin->count > 0 ? spin[0] : 0.0;
    return CQ_OK;
  }
  const bool spins = !is_zero(spin, keys->spin->count);
  if (spins && !isnan(given[0])) {
    return cq_config_fail(scene->ctx, keys->node, "sway_axis",
                          "the turns of `sway` are about the axis of `spin`; give one of them");
  }
  for (int a = 0; a < 3; a++) {
    axis[a] = spins ? spin[a] : isnan(given[0]) ? (a == 2 ? 1.0 : 0.0) : given[a];
    length += axis[a] * axis[a];
  }
  if (!(length > 0.0)) {
    return cq_config_fail(scene->ctx, keys->node, "sway_axis", "must not be zero");
  }
  for (int a = 0; a < 3; a++) {
    out->axis[a] = axis[a] / sqrt(length);
  }
  out->rate = spins ? sqrt(length) : 0.0;
  return CQ_OK;
}

/* The knots first, then what comes on top of them. */
cq_status cq_track_read(cq_scene *scene, const cq_track_keys *keys, const double *center,
                        track *out, const double **moved) {
  const int dim = scene->config.dim, numbers = cq_track_numbers(dim), size = dim == 2 ? 3 : 7;
  const int n = keys->track->rows > 0 ? keys->track->rows : 1;
  double *times = NULL, *by = NULL, *poses = NULL;
  track_sway *sways = NULL;
  CQ_TRY(CQ_ARENA(&scene->arena, times, n));
  CQ_TRY(CQ_ARENA(&scene->arena, by, n * numbers));
  CQ_TRY(CQ_ARENA(&scene->arena, poses, n * size));
  CQ_TRY(CQ_ARENA(&scene->arena, sways, keys->sway->rows + 1));
  CQ_TRY(read_knots(scene, keys, times, by));
  CQ_TRY(read_sways(scene, keys, sways));
  for (int i = 0; i < n; i++) {
    pose_of(dim, center, by + i * numbers, poses + i * size);
  }
  if (dim == 3) {
    align(n, poses);
  }
  *out = (track){
      .n_knots = n, .times = times, .knots = poses, .n_sways = keys->sway->rows, .sways = sways};
  *moved = by;
  return read_steady(scene, keys, out);
}
