/* CQ_BLOCK(name, what it belongs to), with its file blocks/<name>.c:
 *   FIELD  a number (or vector) a particle, which `per` spreads over a body or group
 *   BODY   a body as a whole
 *   PART   something else that has a name: a boundary, an actuator
 *   SCENE  everything */
CQ_BLOCK(initial_position, FIELD)
CQ_BLOCK(initial_velocity, FIELD)
CQ_BLOCK(youngs_modulus, FIELD)
CQ_BLOCK(poisson_ratio, FIELD)
CQ_BLOCK(density, FIELD)
CQ_BLOCK(volume, FIELD)
CQ_BLOCK(center, BODY)
CQ_BLOCK(size, BODY)
CQ_BLOCK(rotation, BODY)
CQ_BLOCK(spin, BODY)
CQ_BLOCK(friction, PART)
CQ_BLOCK(actuation, PART)
CQ_BLOCK(gravity, SCENE)
CQ_BLOCK(damping, SCENE)
CQ_BLOCK(controller, SCENE)
