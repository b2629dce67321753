/* CQ_TERM(name, what it measures, default of `when`). The term is terms/<name>.h, which
 * terms/terms.h includes. It measures
 *   SCENE    the controls
 *   BODY     a set of particles, `body`: means and mass
 *   VOLUME, ENERGY, STRESS   one more quantity of it (observed.h); STRESS has a key `exponent`
 *   PAIR     two sets, `body` and `to`
 *   MARKERS  points of a set, at the times when they were seen; it has no `when` */
CQ_TERM(distance, BODY, "end")
CQ_TERM(distance_between, PAIR, "end")
CQ_TERM(mean_position, BODY, "end")
CQ_TERM(height, BODY, "end")
CQ_TERM(mean_square_velocity, BODY, "end")
CQ_TERM(mass, BODY, "end")
CQ_TERM(marker_distance, MARKERS, "")
CQ_TERM(kinetic_energy, BODY, "end")
CQ_TERM(elastic_energy, ENERGY, "end")
CQ_TERM(relative_volume, VOLUME, "end")
CQ_TERM(peak_stress, STRESS, "end")
CQ_TERM(actuation_cost, SCENE, "running")
CQ_TERM(actuation_rate, SCENE, "running")
