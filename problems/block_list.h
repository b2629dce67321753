/* CQ_BLOCK(name, BODY or SCENE: what it belongs to). The block is blocks/<name>.c. */
CQ_BLOCK(initial_velocity, BODY)
CQ_BLOCK(density, BODY)
CQ_BLOCK(youngs_modulus, BODY)
CQ_BLOCK(actuation, SCENE)
CQ_BLOCK(poisson_ratio, BODY)
CQ_BLOCK(controller, SCENE)
