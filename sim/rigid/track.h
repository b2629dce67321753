/* Motion that is given: the pose and the twist of a driven body as functions of time.
 *
 * Between knots each number of the pose is a cubic whose slope at a knot is that of the parabola
 * through the knot and its neighbours (Catmull and Rom's spline for uneven times). At the first
 * knot and at the last the slope is 0, and beyond them the pose stays: so poses are continuous
 * together with their twists for all times, and a knot moves the four pieces around it alone.
 * Quaternions are interpolated as four numbers and scaled to length 1 then; signs of neighbours
 * have to agree (track_align). On top come a steady motion and sinusoids: x = knots(t) + velocity t
 * + sum of A sin(2 pi f t + phase), turned in its own frame about `axis` by rate t + sum of B sin(2
 * pi f t + phase). One knot is a place. In double. */
#ifndef CQ_RIGID_TRACK_H
#define CQ_RIGID_TRACK_H

#include "driven.h"
#include "rigid_pose.h"

/* value and slope at a time are sums over at most four knots, from `first` on */
typedef struct track_weights {
  int first, n;
  double value[4], slope[4];
} track_weights;

/* adds `s` times the slope at knot i to the weights w of knots from `first` on */
CQ_FN void track_slope(const track *t, int i, double s, int first, double *w) {
  if (i == 0 || i == t->n_knots - 1) {
    return;
  }
  const double before = t->times[i] - t->times[i - 1], after = t->times[i + 1] - t->times[i];
  const double chord_before = after / (before + after) / before;
  const double chord_after = before / (before + after) / after;
  w[i - 1 - first] += -s * chord_before;
  w[i - first] += s * (chord_before - chord_after);
  w[i + 1 - first] += s * chord_after;
}

/* Hermite's cubic of the piece that the time is in; before the first knot and after the last, that
 * knot. */
CQ_FN track_weights track_weights_at(const track *t, double time) {
  track_weights w = {0, 1, {1.0, 0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 0.0}};
  const int last = t->n_knots - 1;
  if (last == 0 || !(time > t->times[0])) {
    return w;
  }
  if (time >= t->times[last]) {
    w.first = last;
    return w;
  }
  int i = 0, above = last;
  while (above - i > 1) {
    const int middle = (i + above) / 2;
    if (time < t->times[middle]) {
      above = middle;
    } else {
      i = middle;
    }
  }
  const double h = t->times[i + 1] - t->times[i], s = (time - t->times[i]) / h, r = 1.0 - s;
  w.first = i > 0 ? i - 1 : 0;
  w.n = (i + 2 <= last ? i + 2 : last) - w.first + 1;
  const int at = i - w.first;
  w.value[0] = 0.0;
  w.value[at] += r * r * (1.0 + 2.0 * s);
  w.value[at + 1] += s * s * (1.0 + 2.0 * r);
  w.slope[at] -= 6.0 * s * r / h;
  w.slope[at + 1] += 6.0 * s * r / h;
  track_slope(t, i, h * s * r * r, w.first, w.value);
  track_slope(t, i, r * (r - 2.0 * s), w.first, w.slope);
  track_slope(t, i + 1, -h * s * s * r, w.first, w.value);
  track_slope(t, i + 1, s * (s - 2.0 * r), w.first, w.slope);
  return w;
}

/* the numbers of the pose by the knots alone, and their rates */
CQ_FN void track_knots(const track *t, const track_weights *w, wide *y, wide *rate) {
  for (int j = 0; j < CQ_POSE; j++) {
    y[j] = 0.0;
    rate[j] = 0.0;
    for (int k = 0; k < w->n; k++) {
      const wide knot = t->knots[(w->first + k) * CQ_POSE + j];
      y[j] = y[j] + w->value[k] * knot;
      rate[j] = rate[j] + w->slope[k] * knot;
    }
  }
}

/* steady motion and sinusoids: what is added to the place and to the turn, and their rates */
typedef struct track_extra {
  wide x[CQ_DIM], v[CQ_DIM], angle, spin;
} track_extra;

CQ_FN double track_phase(const track_sway *s, double time) {
  return 6.283185307179586 * s->frequency * time + s->phase;
}

CQ_FN void track_extra_add(track_extra *e, const track_sway *s, double time) {
  const double phase = track_phase(s, time), wave = sin(phase);
  const double slope = 6.283185307179586 * s->frequency * cos(phase);
  FOR_AXES(a) {
    e->x[a] = e->x[a] + wave * s->amplitude[a];
    e->v[a] = e->v[a] + slope * s->amplitude[a];
  }
  e->angle = e->angle + wave * s->angle;
  e->spin = e->spin + slope * s->angle;
}

CQ_FN track_extra track_extra_at(const track *t, double time) {
  track_extra e;
  FOR_AXES(a) {
    e.x[a] = time * t->velocity[a];
    e.v[a] = t->velocity[a];
  }
  e.angle = time * t->rate;
  e.spin = t->rate;
  for (int k = 0; k < t->n_sways; k++) {
    track_extra_add(&e, &t->sways[k], time);
  }
  return e;
}

/* linear, so that the same factors bring d back */
CQ_FN void track_extra_adjoint(const track *t, double time, const track_extra *d,
                               track_gradient *g) {
  FOR_AXES(a) {
    g->velocity[a] = g->velocity[a] + time * d->x[a] + d->v[a];
  }
  g->rate = g->rate + time * d->angle + d->spin;
  for (int k = 0; k < t->n_sways; k++) {
    const track_sway *s = &t->sways[k];
    const double phase = track_phase(s, time), wave = sin(phase);
    const double slope = 6.283185307179586 * s->frequency * cos(phase);
    FOR_AXES(a) {
      g->sways[k].amplitude[a] = g->sways[k].amplitude[a] + wave * d->x[a] + slope * d->v[a];
    }
    g->sways[k].angle = g->sways[k].angle + wave * d->angle + slope * d->spin;
  }
}

#if CQ_DIM == 2

/* orientation and spin of the numbers y and their rates, turned by `angle` at the rate `spin` */
CQ_FN void track_turned(const track *t, const wide *y, const wide *rate, const track_extra *e,
                        turn *q, spin *w) {
  (void)t;
  q->q[0] = (real)(y[CQ_DIM] + e->angle);
  w->w[0] = (real)(rate[CQ_DIM] + e->spin);
}

CQ_FN void track_turned_adjoint(const track *t, const wide *y, const wide *rate,
                                const track_extra *e, turn dq, spin dw, wide *dy, wide *drate,
                                track_extra *de) {
  (void)t;
  (void)y;
  (void)rate;
  (void)e;
  dy[CQ_DIM] = dq.q[0];
  drate[CQ_DIM] = dw.w[0];
  de->angle = dq.q[0];
  de->spin = dw.w[0];
}

#else

CQ_FN turn track_quaternion(const wide *y) {
  turn r;
  for (int i = 0; i < CQ_TURN; i++) {
    r.q[i] = (real)y[CQ_DIM + i];
  }
  return r;
}

/* the turn about the axis */
CQ_FN turn track_about(const track *t, wide angle, vec *axis) {
  FOR_AXES(a) {
    axis->v[a] = real_splat((scalar)t->axis[a]);
  }
  return turn_of((real)cq_wide_cos(0.5 * angle), vec_scale((real)cq_wide_sin(0.5 * angle), *axis));
}

/* spin of a quaternion r, of any length, that changes at the rate p: 2 p r^-1 */
CQ_FN vec track_spin(turn r, turn p) {
  return vec_scale(K(2) / turn_dot(r, r), turn_axial(turn_after(p, turn_conjugate(r))));
}

CQ_FN void track_turned(const track *t, const wide *y, const wide *rate, const track_extra *e,
                        turn *q, spin *w) {
  const turn r = track_quaternion(y), p = track_quaternion(rate);
  vec axis;
  const turn about = track_about(t, e->angle, &axis);
  *q = turn_after(turn_unit(r), about);
  const vec own = mat_vec(turn_matrix(r), axis);
  *w = vec_spin(vec_axpy(track_spin(r, p), (real)e->spin, own));
}

/* sets dy, drate and de of the turn */
CQ_FN void track_turned_adjoint(const track *t, const wide *y, const wide *rate,
                                const track_extra *e, turn dq, spin dw, wide *dy, wide *drate,
                                track_extra *de) {
  const turn r = track_quaternion(y), p = track_quaternion(rate);
  const vec d = spin_vec(dw);
  vec axis;
  const turn about = track_about(t, e->angle, &axis);
  turn dunit = turn_zero(), dabout = turn_zero();
  turn_after_adjoint(turn_unit(r), about, dq, &dunit, &dabout);
  turn dr = turn_unit_adjoint(r, dunit);
  de->angle = 0.5 * (cq_wide_cos(0.5 * e->angle) * (wide)vec_dot(axis, turn_axial(dabout)) -
                     cq_wide_sin(0.5 * e->angle) * (wide)dabout.q[0]);
  de->spin = (wide)vec_dot(d, mat_vec(turn_matrix(r), axis));
  dr = turn_add(dr, turn_matrix_adjoint(r, mat_scale((real)e->spin, vec_outer(d, axis))));

  const real inverse = K(1) / turn_dot(r, r);
  const turn product = turn_of(real_splat(K(0)), vec_scale(K(2) * inverse, d));
  turn dp = turn_zero(), dback = turn_zero();
  turn_after_adjoint(p, turn_conjugate(r), product, &dp, &dback);
  dr = turn_add(dr, turn_conjugate(dback));
  const real longer = K(2) * inverse * vec_dot(track_spin(r, p), d);
  for (int i = 0; i < CQ_TURN; i++) {
    dy[CQ_DIM + i] = (wide)(dr.q[i] - longer * r.q[i]);
    drate[CQ_DIM + i] = (wide)dp.q[i];
  }
}

#endif

CQ_FN void track_at(const track *t, double time, pose *p, twist *v) {
  const track_weights w = track_weights_at(t, time);
  const track_extra e = track_extra_at(t, time);
  wide y[CQ_POSE], rate[CQ_POSE];
  track_knots(t, &w, y, rate);
  FOR_AXES(a) {
    p->x.v[a] = (real)(y[a] + e.x[a]);
    v->v.v[a] = (real)(rate[a] + e.v[a]);
  }
  track_turned(t, y, rate, &e, &p->q, &v->w);
}

/* adds to g, whose sways' frequencies and phases are not touched */
CQ_FN void track_adjoint(const track *t, double time, pose dp, twist dv, track_gradient *g) {
  const track_weights w = track_weights_at(t, time);
  const track_extra e = track_extra_at(t, time);
  wide y[CQ_POSE], rate[CQ_POSE], dy[CQ_POSE], drate[CQ_POSE];
  track_extra de;
  track_knots(t, &w, y, rate);
  track_turned_adjoint(t, y, rate, &e, dp.q, dv.w, dy, drate, &de);
  FOR_AXES(a) {
    dy[a] = de.x[a] = (wide)dp.x.v[a];
    drate[a] = de.v[a] = (wide)dv.v.v[a];
  }
  track_extra_adjoint(t, time, &de, g);
  for (int k = 0; k < w.n; k++) {
    for (int j = 0; j < CQ_POSE; j++) {
      wide *knot = &g->knots[(w.first + k) * CQ_POSE + j];
      *knot = *knot + w.value[k] * dy[j] + w.slope[k] * drate[j];
    }
  }
}

/* Quaternions q and -q are one orientation: gives each knot the sign that is nearer to the knot
 * before. Angles stay, since the way from one to the next is what they say. */
CQ_FN void track_align(int n_knots, double *knots) {
#if CQ_DIM == 3
  for (int i = 1; i < n_knots; i++) {
    double *q = knots + i * CQ_POSE + CQ_DIM, *before = q - CQ_POSE, dot = 0.0;
    for (int k = 0; k < CQ_TURN; k++) {
      dot += q[k] * before[k];
    }
    for (int k = 0; k < CQ_TURN && dot < 0.0; k++) {
      q[k] = -q[k];
    }
  }
#else
  (void)n_knots;
  (void)knots;
#endif
}

#endif
