/* Bodies that cannot work are named before a run. */
#include "rigid_world.h"

/* a ground, a ball on it, a driven box; all well */
static void begin(world *w) {
  world_begin(w, 2, 9.81, 1e-3);
  world_add(w, world_ground(), CQ_RIGID_FIXED, 0.5, 0.0, 0.0, 0.0);
  world_add(w, world_ball(0.1), CQ_RIGID_FREE, 0.5, 0.0, 0.1, 0.0);
  world_add(w, world_box(0.2, 0.2, 0.0), CQ_RIGID_DRIVEN, 0.5, 0.5, 0.2, 0.0);
  w->bodies[0].name = "ground";
  w->bodies[1].name = "ball";
  w->bodies[2].name = "tool";
  w->bodies[2].drive = (drive){.n_controls = 1, .component = {0}};
}

/* it is refused, with this in the message; "" if it is not */
static void refused(world *w, const char *with) {
  const cq_status status = cq_rigids_check(w->ctx, &w->r, &w->step, 1e-9);
  CHECK(status == (with[0] == '\0' ? CQ_OK : CQ_CONFIG));
  CHECK_MSG(strstr(cq_ctx_error(w->ctx), with) != NULL, "\"%s\" is not in: %s", with,
            cq_ctx_error(w->ctx));
  world_end(w);
}

static void test_states(void) {
  world w;
  begin(&w);
  refused(&w, "");
  begin(&w);
  world_pose(&w, 1)[1] = 0.097;
  refused(&w, "\"ball\" and \"ground\" overlap by 0.003 m");
  begin(&w);
  w.mass[1] = 0.0;
  refused(&w, "\"ball\": its mass must be above 0");
  begin(&w);
  w.friction[0] = -0.5;
  refused(&w, "\"ground\": its friction");
  begin(&w);
  w.bodies[1].ground = -1.0;
  refused(&w, "\"ball\": the ground cannot slow it by -1 m/s^2");
  begin(&w);
  w.bodies[1].ground = 1.0;
  w.r.dim = 3;
  refused(&w, "\"ball\": friction of the ground is for scenes in a plane");
  begin(&w);
  w.bodies[0].motion = CQ_RIGID_FREE;
  refused(&w, "\"ground\" has no end");
}

static void test_drives(void) {
  const double times[] = {0.0, 1.0, 1.0}, knots[9] = {0.0};
  const track late = {.n_knots = 3, .times = times, .knots = knots};
  const track none = {.n_knots = 0};
  const joint slides = {JOINT_SLIDER, {0.0}, {2.0, 0.0, 0.0}, {0.0}};
  world w;
  begin(&w);
  w.bodies[2].drive.n_controls = 0;
  refused(&w, "\"tool\" is driven by nothing");
  begin(&w);
  w.bodies[2].drive.component[0] = 3;
  refused(&w, "component 4 of its motion, which has 3");
  begin(&w);
  w.bodies[2].track = &late;
  refused(&w, "knot 3 of its track is at 1 s, which is not after");
  begin(&w);
  w.bodies[2].track = &none;
  refused(&w, "has no knots");
  begin(&w);
  w.bodies[2].joint = &slides;
  refused(&w, "axis of its joint");
  begin(&w);
  w.bodies[2].joint = &slides;
  w.bodies[2].parent = 1;
  refused(&w, "\"tool\" must hang at a body before it");
}

int main(int argc, char **argv) {
  (void)argc, (void)argv;
  RUN(test_states);
  RUN(test_drives);
  return TEST_RESULT();
}
