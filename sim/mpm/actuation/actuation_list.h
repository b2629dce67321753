/* CQ_ACTUATION(name, controls of an actuator in 2D, in 3D) */
CQ_ACTUATION(muscle, 1, 1)
CQ_ACTUATION(stress, 3, 6)
