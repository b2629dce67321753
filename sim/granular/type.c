/* What the granular engine says of itself. */
#include "granular_inputs.h"

#include <math.h>

#define NOT_NEGATIVE(what)                                                                         \
  { .may_equal = true, .lower_text = what " needs a lower bound >= 0" }
#define INPUT(name, unit, of, in_2d, in_3d, ...)                                                   \
  [CQ_GRAIN_##name] = {#name, unit, CQ_OF_##of, {in_2d, in_3d}, __VA_ARGS__}

static const cq_input inputs[CQ_N_GRAIN_INPUTS] = {
    INPUT(x, "m", PARTICLE, 2, 3, .state = true, .recorded = true, .parity = CQ_PARITY_VECTOR),
    INPUT(v, "m/s", PARTICLE, 2, 3, .state = true, .recorded = true, .parity = CQ_PARITY_VECTOR),
    INPUT(spin, "rad/s", PARTICLE, 1, 3, .state = true, .recorded = true,
          .parity = CQ_PARITY_AXIAL),
    INPUT(density, "kg/m^dim", PARTICLE, 1, 1, .recorded = true, .usual = CQ_USUAL_START,
          .bounds = {.lower_text = "a density needs a lower bound > 0"}),
    INPUT(volume, "m^dim", PARTICLE, 1, 1, .usual = CQ_USUAL_START,
          .bounds = {.lower_text = "a volume needs a lower bound > 0"}),
    INPUT(grain_friction, "1", PARTICLE, 1, 1, .designed = true, .usual = CQ_USUAL_ONE,
          .bounds = NOT_NEGATIVE("a friction of grains")),
    INPUT(rolling_friction, "1", PARTICLE, 1, 1, .designed = true, .usual = CQ_USUAL_ONE,
          .bounds = NOT_NEGATIVE("a rolling friction")),
    INPUT(restitution, "1", PARTICLE, 1, 1, .designed = true, .usual = CQ_USUAL_ONE,
          .bounds = {.may_equal = true,
                     .below = 1.0 + 1e-12,
                     .lower_text = "a restitution needs a lower bound >= 0",
                     .upper_text = "a restitution needs an upper bound <= 1"}),
    INPUT(cohesion, "N/m^(3-dim)", PARTICLE, 1, 1, .designed = true, .usual = CQ_USUAL_START,
          .bounds = NOT_NEGATIVE("a cohesion")),
    INPUT(gravity, "m/s^2", SCENE, 2, 3, .usual = CQ_USUAL_ACCELERATION,
          .parity = CQ_PARITY_VECTOR),
    INPUT(friction, "1", WALL, 1, 1, .usual = CQ_USUAL_ONE, .bounds = NOT_NEGATIVE("friction")),
    INPUT(track, "m, rad", KNOT, 3, 6, .usual = CQ_USUAL_ONE),
    INPUT(theta, "controller", CONTROLLER, 1, 1, .usual = CQ_USUAL_ONE),
};

static const cq_gradient_word gradients[] = {{"none", CQ_GRADIENT_NONE}, {NULL, CQ_GRADIENT_NONE}};

/* from the forces on they are of a wall or a rigid body (granular_inputs.h) */
static const cq_quantity quantities[] = {
    {"unevenness", "1", false, true}, {"share_in", "1", true, true},
    {"force_x", "N", true, true},     {"force_y", "N", true, true},
    {"force_z", "N", true, true},     {"torque_x", "N m", true, true},
    {"torque_y", "N m", true, true},  {"torque_z", "N m", true, true},
    {"turn_x", "rad", true, true},    {"turn_y", "rad", true, true},
    {"turn_z", "rad", true, true},    {"spin_x", "rad/s", true, true},
    {"spin_y", "rad/s", true, true},  {"spin_z", "rad/s", true, true},
    {"work", "J", false, true}};

static const char *const tallies[CQ_N_GRAIN_TALLIES] = {
    [CQ_GRAIN_CONTACTS] = "contact-steps",
    [CQ_GRAIN_LISTS] = "lists of neighbours",
    [CQ_GRAIN_PENETRATION] = "millionths of a radius of the deepest penetration",
    [CQ_GRAIN_JAMS] = "jammed steps of tools",
};

const cq_engine_type cq_engine_granular = {
    .name = "granular",
    .gradients = gradients,
    .no_gradient = "the exact tangent of a run of grains grows a thousandfold in 50 steps, so that "
                   "it says nothing of where a design should go",
    .roughness = 0.05,
    .repeats = 5,
    .n_quantities = sizeof quantities / sizeof *quantities,
    .quantities = quantities,
    .n_inputs = CQ_N_GRAIN_INPUTS,
    .inputs = inputs,
    .n_tallies = CQ_N_GRAIN_TALLIES,
    .tallies = tallies,
    .find = cq_granular_find,
};
