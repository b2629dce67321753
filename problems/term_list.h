/* CQ_TERM(name, what it measures, default of `when`). The term is terms/<name>.h, which
 * terms/terms.h includes. It measures SCENE: the controls alone; BODY: means and mass of a group of
 * particles; or one more quantity of the group, VOLUME, ENERGY or STRESS (observed.h). A STRESS
 * term has a key `exponent`. */
CQ_TERM(distance, BODY, "end")
CQ_TERM(mean_position, BODY, "end")
CQ_TERM(mean_square_velocity, BODY, "end")
CQ_TERM(kinetic_energy, BODY, "end")
CQ_TERM(elastic_energy, ENERGY, "end")
CQ_TERM(relative_volume, VOLUME, "end")
CQ_TERM(peak_stress, STRESS, "end")
CQ_TERM(actuation_cost, SCENE, "running")
