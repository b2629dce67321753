/* CQ_BLOCK(name, what it belongs to), with its file blocks/<name>.c, and CQ_BLOCKS_OF_INPUTS(of):
 * here stand the inputs of the engines that are `designed`, numbers of that (inputs.h); they need
 * no file. FIELD  a number (or vector) a particle, which `per` spreads over a body or group BODY a
 * body as a whole PART   something else that has a name: a boundary, an actuator SCENE  everything
 * TERM what is between the scene and a measurement
 */
#ifndef CQ_BLOCKS_OF_INPUTS
#  define CQ_BLOCKS_OF_INPUTS(of)
#endif
CQ_BLOCK(initial_position, FIELD)
CQ_BLOCK(initial_velocity, FIELD)
CQ_BLOCKS_OF_INPUTS(PARTICLE)
CQ_BLOCK(center, BODY)
CQ_BLOCK(size, BODY)
CQ_BLOCK(rotation, BODY)
CQ_BLOCK(spin, BODY)
CQ_BLOCK(track, BODY)
CQ_BLOCK(friction, PART)
CQ_BLOCK(actuation, PART)
CQ_BLOCKS_OF_INPUTS(SCENE)
CQ_BLOCK(controller, SCENE)
CQ_BLOCK(time_offset, TERM)
CQ_BLOCK(view_rotation, TERM)
CQ_BLOCK(view_offset, TERM)
CQ_BLOCK(marker_offset, TERM)
#undef CQ_BLOCKS_OF_INPUTS
