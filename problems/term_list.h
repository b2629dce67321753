/* CQ_TERM(name, what it measures, default of `when`). The term is terms/<name>.h, which
 * terms/terms.h includes. It measures
 *   SCENE    the controls
 *   BODY     a set of particles, `body`
 *   PAIR     two sets, `body` and `to`
 *   MARKERS  points of a set, at the times when they were seen; it has no `when` */
CQ_TERM(distance, BODY, "end")
CQ_TERM(distance_between, PAIR, "end")
CQ_TERM(mean_position, BODY, "end")
CQ_TERM(height, BODY, "end")
CQ_TERM(mean_square_velocity, BODY, "end")
CQ_TERM(marker_distance, MARKERS, "")
CQ_TERM(actuation_cost, SCENE, "running")
CQ_TERM(actuation_rate, SCENE, "running")
