/* CQ_BLOCK(name, what it belongs to), with its file blocks/<name>.c, and CQ_BLOCK_OF_INPUT(...) of
 * an input of that name, which needs none: FIELD  a number (or vector) a particle, which `per`
 * spreads over a body or group BODY   a body as a whole PART   something else that has a name: a
 * boundary, an actuator SCENE  everything */
#ifndef CQ_BLOCK_OF_INPUT
#  define CQ_BLOCK_OF_INPUT(name, belongs) CQ_BLOCK(name, belongs)
#endif
CQ_BLOCK(initial_position, FIELD)
CQ_BLOCK(initial_velocity, FIELD)
CQ_BLOCK_OF_INPUT(youngs_modulus, FIELD)
CQ_BLOCK_OF_INPUT(poisson_ratio, FIELD)
CQ_BLOCK_OF_INPUT(density, FIELD)
CQ_BLOCK_OF_INPUT(volume, FIELD)
CQ_BLOCK(center, BODY)
CQ_BLOCK(size, BODY)
CQ_BLOCK(rotation, BODY)
CQ_BLOCK(spin, BODY)
CQ_BLOCK(friction, PART)
CQ_BLOCK(actuation, PART)
CQ_BLOCK_OF_INPUT(gravity, SCENE)
CQ_BLOCK_OF_INPUT(damping, SCENE)
CQ_BLOCK(controller, SCENE)
#undef CQ_BLOCK_OF_INPUT
