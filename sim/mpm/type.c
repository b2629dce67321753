/* What the MPM engine says of itself. */
#include "kinds.h"
#include "mpm_inputs.h"
#include "mpm_means.h"

#include <math.h>

#define RATIO_TEXT "a Poisson's ratio needs bounds above -1 and below 0.5"
#define INPUT(name, unit, of, in_2d, in_3d, ...)                                                   \
  [CQ_INPUT_##name] = {#name, unit, CQ_OF_##of, {in_2d, in_3d}, __VA_ARGS__}

const cq_input cq_mpm_inputs[CQ_N_INPUTS] = {
    INPUT(x, "m", PARTICLE, 2, 3, .state = true, .recorded = true, .parity = CQ_PARITY_VECTOR),
    INPUT(v, "m/s", PARTICLE, 2, 3, .state = true, .recorded = true, .parity = CQ_PARITY_VECTOR),
    INPUT(F, "1", PARTICLE, 4, 9, .state = true, .recorded = true, .deformation = true),
    INPUT(C, "1/s", PARTICLE, 4, 9, .state = true),
    INPUT(youngs_modulus, "Pa", PARTICLE, 1, 1, .recorded = true, .designed = true, .elastic = true,
          .usual = CQ_USUAL_START,
          .bounds = {.above = 0.0,
                     .below = INFINITY,
                     .lower_text = "a Young's modulus needs a lower bound > 0",
                     .upper_text = "a Young's modulus needs an upper bound (the time step is "
                                   "checked at the stiffest)"}),
    INPUT(poisson_ratio, "1", PARTICLE, 1, 1, .designed = true, .elastic = true,
          .usual = CQ_USUAL_BOUNDS, .bounds = {-1.0, 0.5, false, RATIO_TEXT, RATIO_TEXT}),
    INPUT(density, "kg/m^dim", PARTICLE, 1, 1, .recorded = true, .designed = true,
          .usual = CQ_USUAL_START,
          .bounds = {.lower_text = "a density needs a lower bound > 0 (the time step is checked at "
                                   "the lightest)"}),
    INPUT(volume, "m^dim", PARTICLE, 1, 1, .designed = true, .usual = CQ_USUAL_START,
          .bounds = {.lower_text = "a volume needs a lower bound > 0"}),
    INPUT(gravity, "m/s^2", SCENE, 2, 3, .designed = true, .usual = CQ_USUAL_ACCELERATION,
          .parity = CQ_PARITY_VECTOR),
    INPUT(damping, "1/s", SCENE, 1, 1, .designed = true, .usual = CQ_USUAL_RATE,
          .bounds = {.may_equal = true, .lower_text = "damping needs a lower bound >= 0"}),
    INPUT(friction, "1", WALL, 1, 1, .usual = CQ_USUAL_ONE,
          .bounds = {.may_equal = true, .lower_text = "friction needs a lower bound >= 0"}),
    INPUT(track, "m, rad", KNOT, 3, 6, .usual = CQ_USUAL_ONE),
    INPUT(theta, "controller", CONTROLLER, 1, 1, .usual = CQ_USUAL_ONE),
};

/* von Mises stress of the material of every particle, without that of actuators */
static const cq_field_type fields[] = {{"von_mises", "Pa", 1}};

/* mean pressures of friction (mpm_means.h) */
static const cq_field_type means[CQ_MEAN_NUMBERS] = {
    [CQ_MEAN_wall] = {"wall", "1", 1},     [CQ_MEAN_field] = {"field", "1", 1},
    [CQ_MEAN_place] = {"x", "m", 1},       [CQ_MEAN_place + 1] = {"y", "m", 1},
    [CQ_MEAN_place + 2] = {"z", "m", 1},   [CQ_MEAN_sum] = {"sum", "kg m/s", 1},
    [CQ_MEAN_weight] = {"weight", "1", 1}, [CQ_MEAN_owed] = {"owed", "kg m/s", 1},
    [CQ_MEAN_step] = {"step", "s", 1},
};

static const cq_quantity quantities[] = {
    [CQ_Q_VOLUME - CQ_N_SHARED_QUANTITIES] = {"relative_volume", "1", false},
    [CQ_Q_ENERGY - CQ_N_SHARED_QUANTITIES] = {"elastic_energy", "J", false},
    [CQ_Q_STRESS - CQ_N_SHARED_QUANTITIES] = {"stress_norm", "Pa", true},
#define OF_BODY(first, name, unit)                                                                 \
  [first - CQ_N_SHARED_QUANTITIES] = {name "_x", unit, false},                                     \
           [first + 1 - CQ_N_SHARED_QUANTITIES] = {name "_y", unit, false},                        \
           [first + 2 - CQ_N_SHARED_QUANTITIES] = {name "_z", unit, false}
    OF_BODY(CQ_Q_TURN, "turn", "rad"),
    OF_BODY(CQ_Q_SPIN, "spin", "rad/s"),
    OF_BODY(CQ_Q_FORCE, "force", "N"),
    OF_BODY(CQ_Q_TORQUE, "torque", "N m"),
    OF_BODY(CQ_Q_IMPULSE, "impulse", "N s"),
};

static const char *const tallies[CQ_N_TALLIES] = {
    [CQ_TALLY_INVERTED] = "inverted particle-steps",
    [CQ_TALLY_CLAMPED] = "of them without a rotation",
};

static const cq_gradient_word gradients[] = {
    {"exact", CQ_GRADIENT_EXACT_REVERSE}, {"none", CQ_GRADIENT_NONE}, {NULL, CQ_GRADIENT_NONE}};

const cq_engine_type cq_engine_mpm = {
    .name = "mpm",
    .gradients = gradients,
    .n_inputs = CQ_N_INPUTS,
    .inputs = cq_mpm_inputs,
    .n_quantities = sizeof quantities / sizeof *quantities,
    .quantities = quantities,
    .n_fields = sizeof fields / sizeof *fields,
    .fields = fields,
    .n_means = CQ_MEAN_NUMBERS,
    .means = means,
    .n_tallies = CQ_N_TALLIES,
    .tallies = tallies,
    .find = cq_mpm_find,
};
