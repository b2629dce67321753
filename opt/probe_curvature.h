/* The part of a probe that goes by curvature (probe.h): what the gradients of the end of r and of
 * the last points of the run tell of it (ritz.h), and the directions that it asks to be tried. */
#ifndef CQ_OPT_PROBE_CURVATURE_H
#define CQ_OPT_PROBE_CURVATURE_H

#include "look.h"

/* k->h := H r, and k->ritz := the span of r and the ways to recent points. False where the end of r
 * has no gradient that counts. */
bool cq_curvature_gather(cq_look *k, const cq_found *ahead);
/* After that: whether the residual is small by a curvature alone that is not found around the
 * point, one across a kink. */
bool cq_curvature_is_bent(const cq_look *k);
/* After that: probes where the curvature along some direction may speak against the point. */
void cq_curvature_check(cq_look *k);

#endif
