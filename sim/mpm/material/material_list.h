/* CQ_MATERIAL(name, does it stay defined for det F <= 0, phase). SOLID: of a Young's modulus and
 * Poisson's ratio, F follows the flow. LIQUID: of a bulk modulus, each step settles F first. */
CQ_MATERIAL(fixed_corotated, 1, SOLID)
CQ_MATERIAL(neo_hookean, 0, SOLID)
CQ_MATERIAL(st_venant_kirchhoff, 1, SOLID)
CQ_MATERIAL(hencky, 0, SOLID)
CQ_MATERIAL(liquid, 0, LIQUID)
