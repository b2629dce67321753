/* What the MPM engine says of itself. */
#include "mpm_inputs.h"

const cq_input cq_mpm_inputs[CQ_N_INPUTS] = {
    [CQ_INPUT_x] = {"x", "m", CQ_OF_PARTICLE, {2, 3}, .state = true},
    [CQ_INPUT_v] = {"v", "m/s", CQ_OF_PARTICLE, {2, 3}, .state = true},
    [CQ_INPUT_F] = {"F", "1", CQ_OF_PARTICLE, {4, 9}, .state = true},
    [CQ_INPUT_C] = {"C", "1/s", CQ_OF_PARTICLE, {4, 9}, .state = true},
    [CQ_INPUT_youngs_modulus] = {"youngs_modulus", "Pa", CQ_OF_PARTICLE, {1, 1}},
    [CQ_INPUT_poisson_ratio] = {"poisson_ratio", "1", CQ_OF_PARTICLE, {1, 1}},
    [CQ_INPUT_density] = {"density", "kg/m^dim", CQ_OF_PARTICLE, {1, 1}},
    [CQ_INPUT_volume] = {"volume", "m^dim", CQ_OF_PARTICLE, {1, 1}},
    [CQ_INPUT_gravity] = {"gravity", "m/s^2", CQ_OF_SCENE, {2, 3}},
    [CQ_INPUT_damping] = {"damping", "1/s", CQ_OF_SCENE, {1, 1}},
    [CQ_INPUT_friction] = {"friction", "1", CQ_OF_WALL, {1, 1}},
    [CQ_INPUT_theta] = {"theta", "controller", CQ_OF_CONTROLLER, {1, 1}},
};

/* von Mises stress of the material of every particle, without that of actuators */
static const cq_field_type fields[] = {{"von_mises", "Pa", 1}};

static const char *const tallies[CQ_N_TALLIES] = {
    [CQ_TALLY_INVERTED] = "inverted particle-steps",
    [CQ_TALLY_CLAMPED] = "of them without a rotation",
};

const cq_engine_type cq_engine_mpm = {
    .name = "mpm",
    .n_inputs = CQ_N_INPUTS,
    .inputs = cq_mpm_inputs,
    .n_fields = sizeof fields / sizeof *fields,
    .fields = fields,
    .n_tallies = CQ_N_TALLIES,
    .tallies = tallies,
    .find = cq_mpm_find,
};
