// Every physics, controller and term header, instantiated in one kernel: it must compile.
#include "control.h"
#include "point/g2p.h"
#include "point/observe.h"
#include "terms/terms.h"

__global__ void every_header(const grid_model *g, const grid_inputs *in, const transfer *t,
                             particle *particles, substance *substances, driver *drivers,
                             node *nodes, vec *velocity, grid_memory memory, grid_inputs *din,
                             real *dcontrols) {
  const int p = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  int base[CQ_DIM];
  FOR_AXES(a) {
    base[a] = spline_base(particles[p].x.v[a], t->inv_dx);
  }
  const stencil s = spline_stencil(particles[p].x, base, t->dx, t->inv_dx);
  const packet r = p2g_packet(t, drivers[p], substances[p], particles[p]);
  packet dr = r;
  gathered sum;
  sum.v = vec_zero();
  sum.B = mat_zero();
  const gathered dg = g2p_gathered_adjoint(t, particles[p].F, &particles[p]);
  FOR_STENCIL(k) {
    int offset[CQ_DIM];
    spline_offset(k, offset);
    const vec dpos = spline_dpos(&s, offset), gradient = spline_weight_gradient(&s, offset);
    const real weight = spline_weight(&s, offset);
    nodes[k] = p2g_node(&r, weight, dpos);
    velocity[k] = grid_velocity(g, in, grid_decay(g, in), offset, grid_mean_velocity(nodes[k]),
                                nodes[k].mass, memory);
    g2p_node(&sum, weight, dpos, velocity[k]);
    const vec dv = g2p_node_velocity_adjoint(&dg, weight, dpos);
    const vec du = grid_velocity_adjoint(g, in, grid_decay(g, in), offset, velocity[k],
                                         nodes[k].mass, dv, memory, din, &nodes[k].mass);
    p2g_node_adjoint(&r, dv, weight, gradient, dpos, du, dv, &dr, &particles[p].x);
    g2p_node_position_adjoint(&dg, gradient, dpos, velocity[k], &particles[p].x);
  }
  particles[p].x = vec_add(g2p_offset_adjoint(&dg, &sum), p2g_offset_adjoint(&r, &dr));
  particle d = g2p_particle(t, particles[p], &sum);
  p2g_packet_adjoint(t, drivers[p], substances[p], particles[p], dr, &d, &substances[p], dcontrols);
  particles[p] = d;
}

__global__ void every_wide_header(const cq_controller *c, const request *r, const subject *one,
                                  subject_adjoint *d, wide *theta, wide *z, wide *u, wide *dz,
                                  wide *room) {
  observation o = observe_nothing();
  observe_add(&o, r, one);
  observe_merge(&o, r, &o);
  observe_result(&o, r, z);
  *d = observe_adjoint(r, one, o.total, z, dz);
  control_eval(c, theta, z, 0, u, room);
  control_adjoint(c, theta, z, 0, u, theta, dz, room);
}
