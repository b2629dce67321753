/* A gradient of a long run: the cube lands, and stored states stay within a budget; on a device all
 * of them are kept. */
#include "cases.h"
#include "runs.h"
#include "status.h"

#include <sys/resource.h>

static double peak_bytes(void) {
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? 1024.0 * (double)usage.ru_maxrss : 0.0;
}

static void add(cq_bench *bench, const char *name, const char *quantity, const char *unit,
                double value, double at_most) {
  cq_metrics_add(&bench->metrics, (cq_metric){.scene = name,
                                              .pass = "gradient",
                                              .quantity = quantity,
                                              .unit = unit,
                                              .value = value,
                                              .sense = CQ_BAR_AT_MOST,
                                              .bar = at_most});
}

/* One run forward and back: its times, the steps that were run again, and the memory of states. */
static cq_status measure(cq_bench *bench, const cq_bench_long *c, cq_engine_run *run) {
  const char *const name = c->name;
  double forward = 0.0, backward = 0.0;
  CQ_TRY(cq_engine_run_forward(run, &forward));
  CQ_TRY(cq_engine_run_backward(run, &backward));
  const cq_sim_stats *const stats = cq_sim_statistics(run->sim);
  const double particle_steps = (double)run->scene.model.n_particles * run->scene.model.steps;
  add(bench, name, "steps", "", run->scene.model.steps, 0.0);
  add(bench, name, "forward", "s", forward, 0.0);
  add(bench, name, "backward", "s", backward, 0.0);
  add(bench, name, "time", "ns", 1e9 * (forward + backward) / particle_steps, 0.0);
  add(bench, name, "replayed", "%", 100.0 * (double)stats->steps_replayed / run->scene.model.steps,
      0.0);
  add(bench, name, "states", "", stats->memo_states, 0.0);
  if (bench->on_cuda) {
    add(bench, name, "states_memory", "GiB", (double)stats->memo_bytes / 0x1p30, 0.0);
  } else {
    add(bench, name, "process_memory", "GiB", peak_bytes() / 0x1p30, c->limit);
  }
  return CQ_OK;
}

/* A quick run has few steps and a smaller budget: on a CPU it cannot keep all its states either. */
cq_status cq_bench_gradient(cq_bench *bench, const cq_bench_long *c) {
  const size_t memory = (size_t)c->memory[bench->quick] << 20;
  const cq_bench_scene_def def = {.dim = 3,
                                  .bits = 32,
                                  .edge = {c->edge[0], c->edge[1], c->edge[2]},
                                  .grid = {c->grid[0], c->grid[1], c->grid[2]},
                                  .steps = bench->quick ? 20 : 1000,
                                  .floor = true,
                                  .device = bench->on_cuda ? CQ_ON_CUDA : CQ_ON_CPU,
                                  .memory = bench->on_cuda ? 0 : memory};
  cq_engine_run run;
  CQ_TRY(cq_engine_run_open(bench->ctx, &def, &run));
  const cq_status status = measure(bench, c, &run);
  cq_engine_run_close(&run);
  return status;
}
