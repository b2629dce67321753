/* A look around a point before it is called a verified optimum: a residual is as good as the
 * gradient, the unit and the scales that it is made of, and values lie about none of them.
 *
 * At most six forward runs around the best point, within the bounds, along directions that keep the
 * active constraints to first order, and the kink of the parts that a mixture is made of (kkt.h).
 * Steps are in sizes of the variables (cq_kkt_sizes):
 *
 *   r      random, by 1e-5, or as far as f shows it, with gradient where that costs three runs at
 *          most: the curvature H r
 *   -r     the same: with r, the slope along r as values have it; where the gradient has another,
 *          a step along r that tells which is right
 *   held   away from the bounds that hold variables, by 1e-3
 *
 * and then, by the curvature that the gradients of r and of the last points of the run tell
 * (ritz.h):
 *
 *   all of it   descent along directions that the point is not settled in, by 1e-3; both ways along
 *               the direction of least curvature, by 1e-2, where that is negative, or none
 *   part of it  variables whose own curvature is negative by H r; both ways along what is conjugate
 *               to all that is known, by 1e-2. Where two directions are lacking, a gradient along
 *               each completes it; these cost more than their forward runs.
 *
 * With runs left, steepest descent of the Lagrangian by 1e-2; bounds and constraints whose room is
 * worth something do not count as held there.
 *
 * What is compared is the Lagrangian of the active constraints; a point that violates another one
 * has no say. A point refutes the claim when it is better by more than noise and, of the random
 * ones, than the residual's tolerance explains: tolerance x unit x step. A claim falls too where
 * there is a kink, where values contradict the gradient, and where the curvature nearby makes the
 * residual a large one. Where no point differs, and the gradient promises none that does, the
 * objective is flat. Probes are recorded and counted as evaluations, past a budget if need be, and
 * a resumed run repeats them. */
#ifndef CQ_OPT_PROBE_H
#define CQ_OPT_PROBE_H

#include "method.h"

/* Whether the end of a run stands: sets run->probed. True when it does not and the run should go on
 * from its best point, which is a better one or has been found to be worth another try: a verified
 * optimum that is refuted, or a point without gradient of the violated constraints where others are
 * less infeasible. */
bool cq_probe_refutes(cq_run *run);

/* Fetches a gradient near the best point where none is known that tells the curvature there; true
 * when it did. Not where a budget cut a run off at its first point. */
bool cq_probe_curvature(cq_run *run);

#endif
