/* What the engine of springs says of itself. */
#include "spring.h"

#include <math.h>

static const cq_input inputs[CQ_N_SPRING_INPUTS] = {
    {"x", "m", CQ_OF_PARTICLE, {2, 3}, .state = true, .recorded = true, .parity = CQ_PARITY_VECTOR},
    {"v",
     "m/s",
     CQ_OF_PARTICLE,
     {2, 3},
     .state = true,
     .recorded = true,
     .parity = CQ_PARITY_VECTOR},
    {"youngs_modulus",
     "N/m",
     CQ_OF_PARTICLE,
     {1, 1},
     .recorded = true,
     .usual = CQ_USUAL_START,
     .bounds = {.below = INFINITY, .lower_text = "a stiffness needs a lower bound > 0"}},
    {"density",
     "kg/m^dim",
     CQ_OF_PARTICLE,
     {1, 1},
     .usual = CQ_USUAL_START,
     .bounds = {.lower_text = "a density needs a lower bound > 0"}},
    {"volume",
     "m^dim",
     CQ_OF_PARTICLE,
     {1, 1},
     .usual = CQ_USUAL_START,
     .bounds = {.lower_text = "a volume needs a lower bound > 0"}},
    {"gravity",
     "m/s^2",
     CQ_OF_SCENE,
     {2, 3},
     .usual = CQ_USUAL_ACCELERATION,
     .parity = CQ_PARITY_VECTOR},
    {"damping",
     "1/s",
     CQ_OF_SCENE,
     {1, 1},
     .usual = CQ_USUAL_RATE,
     .bounds = {.may_equal = true, .lower_text = "damping needs a lower bound >= 0"}},
    {"friction", "1", CQ_OF_WALL, {1, 1}, .usual = CQ_USUAL_ONE},
    {"theta", "controller", CQ_OF_CONTROLLER, {1, 1}, .usual = CQ_USUAL_ONE},
};

/* The last but one leaves out that springs turn. */
static const cq_gradient_word gradients[] = {{"exact", CQ_GRADIENT_EXACT_REVERSE},
                                             {"tangent", CQ_GRADIENT_EXACT_TANGENT},
                                             {"straight", CQ_GRADIENT_HEURISTIC},
                                             {"none", CQ_GRADIENT_NONE},
                                             {NULL, CQ_GRADIENT_NONE}};

const cq_engine_type cq_engine_spring = {
    .name = "spring",
    .gradients = gradients,
    .n_inputs = CQ_N_SPRING_INPUTS,
    .inputs = inputs,
    .find = cq_spring_find,
};
