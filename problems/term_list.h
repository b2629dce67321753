/* CQ_TERM(name, what it measures, default of `when`, what it sees, what of the engine's own)
 * The term is terms/<name>.h, which terms/terms.h includes. It measures
 *   SCENE    the controls
 *   BODY     a set of particles, `body`
 *   PARTICLES each particle of `body` by itself
 *   CYCLE    the same, and as each was a period before (its key `period`)
 *   PAIR     two sets, `body` and `to`
 *   MARKERS  points of a set, at the times when they were seen; it has no `when`
 *   CURVE    a body, at the times of samples
 * and sees of its sets what every engine observes (sim/core/channels.h), joined by |,
 *   POSITION, VELOCITY, SQUARE, MASS; or NOTHING
 * and a quantity that an engine lists in its type; an engine without it refuses the term
 *   NONE, OWN(its name), OWN_BY(its name, the key that is its parameter), OWN_IN(its name), in the
 *   box that the keys low and high say
 *   IN_BOX  nothing, but it has such a box
 *   OF_RIGID(name): of a rigid body, name_x to name_z; in 2D, but for a force, name_z */
CQ_TERM(distance, BODY, "end", POSITION, NONE)
CQ_TERM(distance_between, PAIR, "end", POSITION, NONE)
CQ_TERM(mean_position, BODY, "end", POSITION, NONE)
CQ_TERM(height, BODY, "end", POSITION, NONE)
CQ_TERM(mean_square_velocity, BODY, "end", SQUARE, NONE)
CQ_TERM(mass, BODY, "end", MASS, NONE)
CQ_TERM(marker_distance, MARKERS, "", POSITION, NONE)
CQ_TERM(kinetic_energy, BODY, "end", SQUARE | MASS, NONE)
CQ_TERM(elastic_energy, BODY, "end", NOTHING, OWN(elastic_energy))
CQ_TERM(relative_volume, BODY, "end", NOTHING, OWN(relative_volume))
CQ_TERM(peak_stress, BODY, "end", NOTHING, OWN_BY(stress_norm, exponent))
CQ_TERM(unevenness, BODY, "end", NOTHING, OWN_BY(unevenness, columns))
CQ_TERM(share_in, BODY, "end", NOTHING, OWN_IN(share_in))
CQ_TERM(box_distance, PARTICLES, "end", POSITION | MASS, IN_BOX)
CQ_TERM(profile, PARTICLES, "end", POSITION | MASS, IN_BOX)
CQ_TERM(periodic, CYCLE, "end", POSITION | VELOCITY | MASS, NONE)
CQ_TERM(turn, BODY, "end", NOTHING, OF_RIGID(turn))
CQ_TERM(spin, BODY, "end", NOTHING, OF_RIGID(spin))
CQ_TERM(force, BODY, "end", NOTHING, OF_RIGID(force))
CQ_TERM(torque, BODY, "end", NOTHING, OF_RIGID(torque))
CQ_TERM(impulse, BODY, "end", NOTHING, OF_RIGID(impulse))
CQ_TERM(force_curve, CURVE, "", NOTHING, OF_RIGID(force))
CQ_TERM(tool_work, BODY, "end", NOTHING, OWN(work))
CQ_TERM(actuation_cost, SCENE, "running", NOTHING, NONE)
CQ_TERM(actuation_rate, SCENE, "running", NOTHING, NONE)
