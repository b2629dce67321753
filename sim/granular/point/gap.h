/* What the gap between two surfaces asks of the speed at which it changes. */
#ifndef CQ_GRANULAR_GAP_H
#define CQ_GRANULAR_GAP_H

#include "variant.h"

#define GAP_MARGIN 0.05 /* of both radii: nearer ones are contacts before they touch */
/* Of the smaller radius: a penetration that nothing is done about. Beds at rest end a little
 * deeper, by what the iterations leave undone, and are not to be deeper than a hundredth. */
#define GAP_SLOP 0.0095
#define GAP_MEND 0.2 /* of the rest of a penetration is mended in a step */

/* c_n + bias >= 0: an open gap may close in this step but no more, a penetration beyond the slop
 * opens slowly, and what hits faster than `above` goes back with the part `bounce` of its speed. */
CQ_FN real gap_bias(real gap, real slop, real rate, real bounce, scalar dt, scalar inverse_dt,
                    scalar above) {
  const real zero = real_splat(K(0));
  const real inside = K(GAP_MEND) * (gap + slop) * inverse_dt;
  const real mend = real_select(inside < zero, inside, zero);
  const real bias = real_select(gap > zero, gap * inverse_dt, mend);
  const real back = bounce * rate;
  const truth hits = truth_and(rate < zero - above, gap + rate * dt < zero);
  return real_select(truth_and(hits, back < bias), back, bias);
}

#endif
