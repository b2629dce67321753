/* CQ_ACTUATION(name) */
CQ_ACTUATION(muscle)
CQ_ACTUATION(stress)
