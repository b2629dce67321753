/* Which states of a recorded run are written. */
#include "scene.h"

#include <math.h>

/* Frames after the start: so many, or as the file has it; each is at another state. */
int cq_scene_frame_count(const cq_scene *scene, int wanted) {
  const cq_output_keys *const keys = &scene->config.output;
  const int steps = scene->model.steps;
  double count = wanted > 0 ? wanted : keys->frames;
  if (wanted <= 0 && !isnan(keys->interval)) {
    count = ceil(steps * scene->model.dt / keys->interval * (1.0 - 1e-12));
  }
  return count < steps ? (int)count : steps;
}

/* frame i is at the state nearest to its time */
static int frame_step(const cq_scene *scene, int wanted, int frame, int n) {
  const long long steps = scene->model.steps;
  const double interval = scene->config.output.interval;
  if (wanted > 0 || isnan(interval)) {
    return (int)((2 * steps * frame + n) / (2LL * n));
  }
  const double nearest = round(frame * interval / scene->model.dt);
  return frame < n && nearest < (double)steps ? (int)nearest : (int)steps;
}

int cq_scene_frame_steps(const cq_scene *scene, int wanted, int *steps) {
  const int n = cq_scene_frame_count(scene, wanted);
  int count = 0;
  for (int i = 0; i <= n; i++) {
    const int step = frame_step(scene, wanted, i, n);
    if (i == 0 || step > steps[count - 1]) {
      steps[count++] = step;
    }
  }
  return count;
}
