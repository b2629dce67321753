/* What the fluid engine says of itself. */
#include "fluid_inputs.h"

#include <math.h>

#define INPUT(name, unit, of, in_2d, in_3d, ...)                                                   \
  [CQ_FLUID_##name] = {#name, unit, CQ_OF_##of, {in_2d, in_3d}, __VA_ARGS__}

const cq_input cq_fluid_inputs[CQ_N_FLUID_INPUTS] = {
    INPUT(x, "m", PARTICLE, 2, 3, .state = true, .recorded = true, .parity = CQ_PARITY_VECTOR),
    INPUT(v, "m/s", PARTICLE, 2, 3, .state = true, .recorded = true, .parity = CQ_PARITY_VECTOR),
    /* of the last step; 0 for particles of bodies */
    INPUT(pressure, "Pa", PARTICLE, 1, 1, .state = true, .recorded = true),
    INPUT(density, "kg/m^dim", PARTICLE, 1, 1, .recorded = true, .usual = CQ_USUAL_START,
          .bounds = {.lower_text = "a density needs a lower bound > 0"}),
    INPUT(volume, "m^dim", PARTICLE, 1, 1, .usual = CQ_USUAL_START,
          .bounds = {.lower_text = "a volume needs a lower bound > 0"}),
    INPUT(viscosity, "Pa s", PARTICLE, 1, 1, .usual = CQ_USUAL_START,
          .bounds = {.may_equal = true,
                     .below = INFINITY,
                     .lower_text = "a viscosity needs a lower bound >= 0",
                     .upper_text = "a viscosity needs an upper bound (the time step is checked at "
                                   "the largest)"}),
    INPUT(gravity, "m/s^2", SCENE, 2, 3, .usual = CQ_USUAL_ACCELERATION,
          .parity = CQ_PARITY_VECTOR),
    INPUT(friction, "1", WALL, 1, 1, .usual = CQ_USUAL_ONE,
          .bounds = {.may_equal = true, .lower_text = "friction needs a lower bound >= 0"}),
    INPUT(theta, "controller", CONTROLLER, 1, 1, .usual = CQ_USUAL_ONE),
};

static const cq_quantity quantities[CQ_N_FLUID_QUANTITIES] = {
    {"force_x", "N", true, true},     {"force_y", "N", true, true},
    {"force_z", "N", true, true},     {"torque_x", "N m", true, true},
    {"torque_y", "N m", true, true},  {"torque_z", "N m", true, true},
    {"turn_x", "rad", true, false},   {"turn_y", "rad", true, false},
    {"turn_z", "rad", true, false},   {"spin_x", "rad/s", true, false},
    {"spin_y", "rad/s", true, false}, {"spin_z", "rad/s", true, false}};

/* rigid particles have 1 */
static const cq_field_type fields[] = {{"relative_density", "1", 1}};

/* differences are the usual ones: long runs are chaotic, and what is exact there leads nowhere */
static const cq_gradient_word gradients[] = {{"difference", CQ_GRADIENT_DIFFERENCE},
                                             {"exact", CQ_GRADIENT_EXACT_REVERSE},
                                             {"tangent", CQ_GRADIENT_EXACT_TANGENT},
                                             {"rigid", CQ_GRADIENT_HEURISTIC},
                                             {"local", CQ_GRADIENT_HEURISTIC},
                                             {"complete", CQ_GRADIENT_HEURISTIC},
                                             {"complete_published", CQ_GRADIENT_HEURISTIC},
                                             {NULL, CQ_GRADIENT_NONE}};

static const char *const tallies[CQ_N_FLUID_TALLIES] = {
    [CQ_TALLY_SWEEPS] = "sweeps of the density solver",
    [CQ_TALLY_DIVERGENCE] = "sweeps of the divergence solver",
    [CQ_TALLY_ERROR] = "ppm of density error, the largest mean of a step",
    [CQ_TALLY_OUTSIDE] = "particles outside of the room at once",
    [CQ_TALLY_PARTS] = "parts of all steps together, by simulation.cfl",
    [CQ_TALLY_MOST_PARTS] = "parts of one step at most",
};

const cq_engine_type cq_engine_fluid = {
    .name = "fluid",
    .gradients = gradients,
    .light = true,
    .repeats = 8,
    .n_inputs = CQ_N_FLUID_INPUTS,
    .inputs = cq_fluid_inputs,
    .n_quantities = CQ_N_FLUID_QUANTITIES,
    .quantities = quantities,
    .n_fields = sizeof fields / sizeof *fields,
    .fields = fields,
    .n_tallies = CQ_N_FLUID_TALLIES,
    .tallies = tallies,
    .find = cq_fluid_find,
};
