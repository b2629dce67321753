/* CQ_MATERIAL(name, does it stay defined for det F <= 0) */
CQ_MATERIAL(fixed_corotated, 1)
CQ_MATERIAL(neo_hookean, 0)
