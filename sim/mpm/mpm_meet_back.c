/* The adjoint of a body among its nodes. Compiled once a dimension, in double. */
#include "mpm_meet_body.h"
#include "side.h"

/* dL/dv after the body has acted */
static vec due_of(const cq_mpm_meet_due *d, int node) {
  vec r;
  FOR_AXES(a) {
    r.v[a] = d->velocity[node * CQ_DIM + a];
  }
  return r;
}

/* dL/d(mean pressure) after it */
static pressed mean_due(const meet_body *y, const cq_mpm_meet_due *d, const cq_mpm_meet_touch *t) {
  return y->held.remembers ? kept_pressed(kept_due(d->means, t->mean)) : pressed_none();
}

static wrench read_wrench(const double *a) {
  wrench f;
  FOR_AXES(c) {
    f.f.v[c] = a[c];
  }
  FOR_SPINS(c) {
    f.t.w[c] = a[CQ_DIM + c];
  }
  return f;
}

/* By the theorem of implicit functions: l = K^-T dL/dt. What depends on t then gets -l.dF, which is
 * what it would get if the impulse P were due l more. Returns l. */
static wrench implicit(const meet_body *y, const cq_mpm_meet_due *d, wrench due) {
  placed dt = placed_zero();
  small_matrix K, transposed;
  double l[CQ_SMALL_SOLVE];
  FOR_TOUCHES(y, t) {
    const met at = meet_body_node(y, t);
    met unwanted = met_zero();
    const pressed dmean = mean_due(y, d, t);
    meet_adjoint(&y->held, &y->b, &at, due_of(d, t->node), due, &dmean, &dt, &unwanted);
  }
  meet_body_stiffness(y, true, &K);
  for (int r = 0; r < CQ_TWIST; r++) {
    for (int c = 0; c < CQ_TWIST; c++) {
      transposed.a[r][c] = K.a[c][r];
    }
  }
  meet_body_numbers((wrench){dt.v, dt.w}, l);
  if (!small_solve(CQ_TWIST, transposed, l)) {
    l[0] = NAN;
  }
  return read_wrench(l);
}

/* -l.dF by mass, by how the body is turned and by gravity, of H (t - t0) */
static void heft_adjoint(const meet_body *y, wrench l, const cq_mpm_meet_due *d, placed *db) {
  const cq_rigid_step *s = y->m->step;
  const spin gone = spin_axpy(y->b.w, -1.0, y->start.w);
  const spin minus = spin_scale(-1.0, l.t), own = spin_to_body(y->b.R, gone);
  spin dmomentum = spin_zero(), unwanted = spin_zero();
  heft dh = heft_zero();
  spin_to_world_adjoint(y->b.R, moment_times(y->h.I, own), minus, &db->R, &dmomentum);
  moment_add_outer(&dh.I, 1.0, dmomentum, own);
  spin_to_body_adjoint(y->b.R, gone, moment_times(y->h.I, dmomentum), &db->R, &unwanted);
  dh.mass = -vec_dot(l.f, vec_sub(y->b.v, y->start.v));
  if (d->body_mass != NULL) {
    d->body_mass[y->i] += heft_of_adjoint(&y->m->rigids->bodies[y->i], &dh);
  }
  FOR_AXES(a) {
    if (d->gravity != NULL) {
      d->gravity[a] += s->dt * y->h.mass * l.f.v[a];
    }
  }
}

static vec out_of(const cq_mpm_meet_touch *t) {
  vec n;
  FOR_AXES(a) {
    n.v[a] = t->out[a];
  }
  return n;
}

/* What is due to the share and the normal of a touch: returns what of it is to distance and normal
 * of the body's surface. */
static side lean_back(const meet_body *y, const cq_mpm_meet_touch *t, const met *at, const met *dm,
                      cq_mpm_meet_due *d) {
  const cq_mpm_meet_node *node = &y->m->nodes[t->node];
  const double length = meet_body_slope(y->m, t);
  side s = {meet_share_slope(t->gap, y->m->cell) * dm->share, dm->n};
  if (length > 0.0) {
    const vec dslope = vec_unit_adjoint(at->n, length, dm->n);
    s.n = vec_zero();
    FOR_AXES(a) {
      d->slope[t->node * CQ_DIM + a] += dslope.v[a];
    }
  }
  if (t->leans) {
    const leaning l = meet_body_leaning(y->m, node, t);
    const leaning dl = lean_share_adjoint(&l, y->m->cell, dm->share);
    d->mass[t->node] += dl.mass;
    d->full[node->field] += dl.full;
    s.gap = dl.gap;
  }
  return s;
}

/* a node and what it saw of the body; `due` is that of the sum of impulses */
static void node_adjoint(const meet_body *y, const cq_mpm_meet_touch *t, wrench due,
                         cq_mpm_meet_due *d, placed *db) {
  const met at = meet_body_node(y, t);
  const vec after = due_of(d, t->node);
  const pressed dmean = mean_due(y, d, t);
  met dm = met_zero();
  meet_adjoint(&y->held, &y->b, &at, after, due, &dmean, db, &dm);
  if (y->held.remembers) {
    kept_give(d->means, t->mean, kept_from(dm.before));
  }
  side_adjoint(&y->m->rigids->bodies[y->i], &y->b, at.x, out_of(t), lean_back(y, t, &at, &dm, d),
               db, &dm.x);
  d->mass[t->node] += dm.mass;
  if (d->friction != NULL && y->held.kind == (int)y->m->rigid[y->i].kind) {
    d->friction[y->i] += dm.friction;
  }
  FOR_AXES(a) {
    d->velocity[t->node * CQ_DIM + a] = after.v[a] + dm.v.v[a];
  }
}

static void add_placed(cq_placed *to, const placed *d) {
  const cq_placed from = placed_write(d);
  for (int a = 0; a < 3; a++) {
    to->x[a] += from.x[a];
    to->v[a] += from.v[a];
    to->w[a] += from.w[a];
    to->belt[a] += from.belt[a];
    for (int b = 0; b < 3; b++) {
      to->R[a][b] += from.R[a][b];
    }
  }
}

/* With l the derivatives by the twist t itself come out as those by t0, H l: what is left of them
 * is the twist's that the body began with. */
void V(cq_mpm_meet_back)(const cq_mpm_meet *m, int i, cq_mpm_meet_due *d) {
  if (m->first[i] < 0) {
    return;
  }
  meet_body y = meet_body_of(m, i);
  wrench due = wrench_axpy(wrench_zero(), 1.0 / m->step->dt, read_wrench(d->wrench + i * CQ_TWIST));
  placed db = placed_zero();
  if (y.is_free) {
    const wrench t = read_wrench(m->twist + i * CQ_TWIST);
    meet_body_move(&y, (twist){t.f, t.t});
    const wrench l = implicit(&y, d, due);
    heft_adjoint(&y, l, d, &db);
    due = wrench_axpy(due, 1.0, l);
  }
  FOR_TOUCHES(&y, t) {
    node_adjoint(&y, t, due, d, &db);
  }
  add_placed(&d->at[i], &db);
}
