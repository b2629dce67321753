/* What trajectory.h5 has of each particle: CQ_RECORD(name, unit, components, fixed). components: 1
 * scalar, 3 vector, 9 matrix, 0 as many as an actuator has controls; fixed: the same in every
 * frame. To add one: a line here and record_<name>() in scene_trajectory.c. */
CQ_RECORD(x, "m", 3, false)
CQ_RECORD(v, "m/s", 3, false)
CQ_RECORD(F, "1", 9, false)
CQ_RECORD(youngs_modulus, "Pa", 1, true)
CQ_RECORD(density, "kg/m^dim", 1, true)
CQ_RECORD(actuation, "Pa", 0, false)
CQ_RECORD(von_mises, "Pa", 1, false)
