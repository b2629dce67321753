/* CQ_TERM(name, BODY or SCENE: what it measures, default of `when`). The term is terms/<name>.h,
 * which terms/terms.h includes. */
CQ_TERM(distance, BODY, "end")
CQ_TERM(mean_position, BODY, "end")
CQ_TERM(mean_square_velocity, BODY, "end")
CQ_TERM(actuation_cost, SCENE, "running")
