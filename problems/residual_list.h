/* CQ_RESIDUAL_TERM(name): the terms of term_list.h that are sums of squares (terms/residual.h). */
CQ_RESIDUAL_TERM(distance)
CQ_RESIDUAL_TERM(distance_between)
CQ_RESIDUAL_TERM(marker_distance)
CQ_RESIDUAL_TERM(force_curve)
