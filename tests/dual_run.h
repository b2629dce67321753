/* A whole run in dual numbers: the same physics headers, loops of its own. Independent of the
 * engine's sorting, threads, memo and adjoints, so that agreement with it means something. */
#ifndef CQ_TESTS_DUAL_RUN_H
#define CQ_TESTS_DUAL_RUN_H

#include "dual.h"
#include "mpm_inputs.h"
#include "mpm_walls.h"

#include <algorithm>
#include <map>
#include <vector>

#include "sim.h"

#include "actuation/drive.h"
#include "control.h"
#include "point/g2p.h"
#include "point/observe.h"

struct DualRun {
  const cq_model &model;
  const cq_mpm_model &own;
  cq_layout layout;
  std::vector<Dual> inputs;
  transfer t;
  grid_model g;
  grid_inputs in;
  std::vector<actuator> actuators;
  std::vector<particle> particles;
  std::vector<int> line; /* of g */
  std::vector<held_node> held;
  std::vector<contact> contacts;
  std::vector<pressed> means; /* of the state */
  std::vector<Dual> z, u;     /* histories, as the engine's */
  std::vector<Dual> given;    /* [steps][n_controls] from outside; empty: the controller's */
  std::vector<Dual> state;    /* the last one, in the inputs' layout */
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_z_rows rows;

  /* at every node */
  void find_walls() {
    const int last = g.count[CQ_LAST], across = CQ_DIM == 2 ? 1 : g.count[1];
    contact found[CQ_MAX_BOUNDARIES];
    for (int i = 0; i < g.count[0] * across * last; i++) {
      int index[CQ_DIM] = {i / last / across, i / last % across};
      index[CQ_LAST] = i % last;
      if (index[CQ_LAST] == 0) {
        line.push_back((int)held.size());
      }
      const int n = walls_at(own.boundaries, g.n_walls, g.cell, index, found);
      if (n > 0) {
        held.push_back({index[CQ_LAST], (int)contacts.size()});
      }
      for (int k = 0; k < n; k++) {
        found[k].slot = wall_remembers(&own, &found[k], index) ? g.n_slots++ : -1;
      }
      contacts.insert(contacts.end(), found, found + n);
    }
    line.push_back((int)held.size());
    held.push_back({0, (int)contacts.size()});
    g.line = line.data();
    g.held = held.data();
    g.contacts = contacts.data();
  }

  explicit DualRun(const cq_model &m) : model(m), own(*cq_mpm_of(&m)), layout(cq_model_layout(&m)) {
    (void)cq_z_rows_make(ctx, &m, &rows);
    t = transfer_make(m.dt, own.cell, own.transfer == CQ_TRANSFER_APIC);
    g.dt = m.dt;
    g.cell = own.cell;
    g.epsilon = own.contact_epsilon;
    g.n_walls = m.n_boundaries;
    for (int a = 0; a < CQ_DIM; a++) {
      g.count[a] = own.grid[a];
    }
    for (int i = 0; i < m.n_boundaries; i++) {
      g.kind[i] = own.boundaries[i].kind;
    }
    g.n_slots = 0;
    g.press = {m.dt / own.friction_time, m.dt / own.friction_slip};
    find_walls();
    for (int i = 0; i < m.n_actuators; i++) {
      actuator a;
      a.kind = own.actuators[i].kind;
      a.first_control = own.actuators[i].first_control;
      a.n_controls = own.actuators[i].n_controls;
      a.first_drive = own.actuators[i].first_drive;
      a.n_drives = own.actuators[i].n_drives;
      a.first_z = own.actuators[i].first_z;
      a.along = own.actuators[i].along;
      a.ground = own.actuators[i].ground;
      a.stiffness = own.actuators[i].stiffness;
      std::copy_n(own.actuators[i].direction, CQ_DIM, a.force);
      a.from = own.actuators[i].from;
      a.until = own.actuators[i].until;
      for (int k = 0; k < CQ_DIM * CQ_DIM; k++) {
        a.direction[k / CQ_DIM][k % CQ_DIM] = own.actuators[i].direction[k];
      }
      actuators.push_back(a);
    }
  }

  DualRun(const DualRun &) = delete;
  ~DualRun() {
    cq_z_rows_free(ctx, &rows);
    cq_ctx_destroy(ctx);
  }

  Dual input(int which, size_t i) const {
    return inputs[layout.offset[which] + i];
  }

  substance substance_of(int p) const {
    substance s;
    s.E = input(CQ_INPUT_youngs_modulus, (size_t)p);
    s.nu = input(CQ_INPUT_poisson_ratio, (size_t)p);
    s.density = input(CQ_INPUT_density, (size_t)p);
    s.volume = input(CQ_INPUT_volume, (size_t)p);
    return s;
  }

  void load() {
    particles.resize((size_t)model.n_particles);
    for (size_t p = 0; p < particles.size(); p++) {
      particle &q = particles[p];
      for (int a = 0; a < CQ_DIM; a++) {
        q.x.v[a] = input(CQ_INPUT_x, p * CQ_DIM + (size_t)a);
        q.v.v[a] = input(CQ_INPUT_v, p * CQ_DIM + (size_t)a);
        for (int b = 0; b < CQ_DIM; b++) {
          const size_t k = (p * CQ_DIM + (size_t)a) * CQ_DIM + (size_t)b;
          q.F.m[a][b] = input(CQ_INPUT_F, k);
          q.C.m[a][b] = input(CQ_INPUT_C, k);
        }
      }
    }
    for (int a = 0; a < CQ_DIM; a++) {
      in.gravity.v[a] = input(CQ_INPUT_gravity, (size_t)a);
    }
    in.damping = input(CQ_INPUT_damping, 0);
    means.assign((size_t)g.n_slots, pressed{0.0, 0.0, 0.0});
    for (int i = 0; i < model.n_boundaries; i++) {
      in.friction[i] = input(CQ_INPUT_friction, (size_t)i);
    }
  }

  void observe(int step) {
    int n = 0;
    const cq_view *views = cq_z_views(&rows, step, &n);
    for (int k = 0; k < n; k++) {
      const cq_group &group = model.groups[views[k].group];
      const request wanted = {views[k], group.parameter};
      observation o = observe_nothing();
      for (int i = 0; i < group.count; i++) {
        const int p = group.particles[i];
        const subject one = {particles[(size_t)p], substance_of(p), own.material[p]};
        observe_add(&o, &wanted, &one);
      }
      observe_result(&o, &wanted, row(step));
    }
  }

  Dual *row(int step) {
    return z.data() + rows.begin[step];
  }

  typedef std::vector<int> Index;

  void step_once(const Dual *drives) {
    std::map<Index, node> nodes;
    std::map<Index, vec> velocity;
    std::vector<stencil> stencils(particles.size());
    std::vector<Index> bases(particles.size(), Index(CQ_DIM));
    for (size_t p = 0; p < particles.size(); p++) {
      particle &q = particles[p];
      q.F = material_settle(own.material[p], q.F);
      for (int a = 0; a < CQ_DIM; a++) {
        bases[p][(size_t)a] = (int)std::floor(q.x.v[a].v / own.cell - 0.5);
      }
      stencils[p] = spline_stencil(q.x, bases[p].data(), t.dx, t.inv_dx);
      driver d;
      d.material = own.material[p];
      d.viscosity = own.viscosity != nullptr ? own.viscosity[p] : 0.0;
      const int a = model.actuator[p];
      d.a = a < 0 ? nullptr : &actuators[(size_t)a];
      d.w = a < 0 ? nullptr : drives + actuators[(size_t)a].first_drive;
      packet r = p2g_packet(&t, d, substance_of((int)p), q);
      if (d.a != nullptr) { /* a push as momentum; the engine changes the velocity instead */
        r.momentum = vec_axpy(r.momentum, t.dt * r.mass, actuation_acceleration(d.a, d.w, q.x));
      }
      each_node(p, stencils[p], bases[p], [&](const Index &i, Dual w, vec dpos) {
        const node add = p2g_node(&r, w, dpos);
        if (nodes.find(i) == nodes.end()) {
          nodes[i].mass = 0.0;
          nodes[i].momentum = vec_zero();
        }
        nodes[i].mass = nodes[i].mass + add.mass;
        nodes[i].momentum = vec_add(nodes[i].momentum, add.momentum);
      });
    }
    for (size_t i = 0; i < actuators.size(); i++) {
      if (actuators[i].kind == CQ_ACTUATION_cable) {
        pull(own.actuators[i], drives[actuators[i].first_drive], stencils, bases, nodes);
      }
    }
    const Dual decay = grid_decay(&g, &in);
    std::vector<pressed> after(means.size(), pressed{0.0, 0.0, 0.0});
    const grid_memory memory = {means.data(), after.data(), nullptr, nullptr};
    for (auto &entry : nodes) {
      velocity[entry.first] =
          grid_velocity(&g, &in, decay, entry.first.data(), grid_mean_velocity(entry.second),
                        entry.second.mass, memory);
    }
    means = after;
    for (int i = 0; i < model.n_boundaries; i++) {
      cq_mpm_plane planes[6];
      const int n = own.boundaries[i].mirror ? cq_mpm_planes(&own.boundaries[i].shape, planes) : 0;
      for (int k = 0; k < n; k++) {
        mirror(planes[k], nodes, velocity);
      }
    }
    for (size_t p = 0; p < particles.size(); p++) {
      gathered sum;
      sum.v = vec_zero();
      sum.B = mat_zero();
      each_node(p, stencils[p], bases[p],
                [&](const Index &i, Dual w, vec dpos) { g2p_node(&sum, w, dpos, velocity[i]); });
      particles[p] = g2p_particle(&t, particles[p], &sum);
    }
  }

  /* Plane after plane: a node and its image have the mass of both, and their mean velocity. */
  void mirror(const cq_mpm_plane &plane, std::map<Index, node> &nodes,
              std::map<Index, vec> &velocity) const {
    const size_t a = (size_t)plane.axis;
    const int sum = (int)std::lround(2.0 * plane.at / own.cell);
    const std::map<Index, node> before = nodes;
    for (const auto &entry : before) {
      Index image = entry.first;
      image[a] = sum - image[a];
      const bool second = image[a] < entry.first[a] && before.count(image) > 0;
      if (std::abs(2 * entry.first[a] - sum) > 4 || second) {
        continue; /* it is far, or has been done */
      }
      node other;
      other.mass = 0.0;
      vec turned = vec_zero();
      if (before.count(image) > 0) {
        other = before.at(image);
        turned = velocity[image];
        turned.v[a] = -turned.v[a];
      }
      const Dual m = entry.second.mass, both = m + other.mass;
      vec mean = vec_scale(
          1.0 / both, vec_add(vec_scale(m, velocity[entry.first]), vec_scale(other.mass, turned)));
      nodes[entry.first].mass = both;
      velocity[entry.first] = mean;
      if (image != entry.first) {
        mean.v[a] = -mean.v[a];
        nodes[image].mass = both;
        velocity[image] = mean;
      }
    }
  }

  /* momentum from a cable to the nodes of the particles it is anchored to */
  void pull(const cq_actuator &cable, Dual tension, const std::vector<stencil> &stencils,
            const std::vector<Index> &bases, std::map<Index, node> &nodes) {
    std::vector<vec> points((size_t)cable.n_points, vec_zero()), forces(points);
    const size_t n = points.size() * CQ_ANCHORS;
    for (size_t i = 0; i < n; i++) {
      const cq_anchor &a = cable.anchors[i];
      points[i / CQ_ANCHORS] =
          vec_axpy(points[i / CQ_ANCHORS], a.share, particles[(size_t)a.particle].x);
    }
    cable_forces(points.data(), cable.n_points, tension, 1e-3 * own.cell, forces.data());
    for (size_t i = 0; i < n; i++) {
      const size_t p = (size_t)cable.anchors[i].particle;
      const vec impulse = vec_scale(t.dt * cable.anchors[i].share, forces[i / CQ_ANCHORS]);
      each_node(p, stencils[p], bases[p], [&](const Index &k, Dual weight, vec) {
        nodes[k].momentum = vec_axpy(nodes[k].momentum, weight, impulse);
      });
    }
  }

  template <class Visit> void each_node(size_t, const stencil &s, const Index &base, Visit visit) {
    FOR_STENCIL(k) {
      int offset[CQ_DIM];
      spline_offset(k, offset);
      Index i(CQ_DIM);
      for (int a = 0; a < CQ_DIM; a++) {
        i[(size_t)a] = base[(size_t)a] + offset[a];
      }
      visit(i, spline_weight(&s, offset), spline_dpos(&s, offset));
    }
  }

  /* inputs with derivative `direction`: runs all steps and fills z, u, state */
  void run(const std::vector<double> &values, const std::vector<double> &direction) {
    inputs.resize(values.size());
    for (size_t i = 0; i < values.size(); i++) {
      inputs[i] = Dual(values[i], direction[i]);
    }
    load();
    z.assign(rows.begin[model.steps + 1], Dual(0.0));
    u.assign((size_t)model.steps * (size_t)model.n_controls, Dual(0.0));
    const Dual *theta = inputs.data() + layout.offset[CQ_INPUT_theta];
    std::vector<Dual> drives((size_t)model.n_drives), room(CQ_CONTROL_ROOM);
    observe(0);
    for (int step = 0; step < model.steps; step++) {
      Dual *controls = u.data() + step * model.n_controls;
      if (given.empty()) {
        control_eval(&model.controller, theta, row(step), step, controls, room.data());
      } else {
        std::copy_n(given.data() + step * model.n_controls, model.n_controls, controls);
      }
      for (size_t i = 0; i < actuators.size(); i++) {
        const actuator a = push_in_step(actuators[i], model.dt, step);
        actuation_drive(&a, controls, row(step), drives.data());
      }
      step_once(drives.data());
      observe(step + 1);
    }
    state.resize(layout.state_total);
    for (size_t p = 0; p < particles.size(); p++) {
      const particle &q = particles[p];
      for (int a = 0; a < CQ_DIM; a++) {
        state[layout.offset[CQ_INPUT_x] + p * CQ_DIM + (size_t)a] = q.x.v[a];
        state[layout.offset[CQ_INPUT_v] + p * CQ_DIM + (size_t)a] = q.v.v[a];
        for (int b = 0; b < CQ_DIM; b++) {
          const size_t k = (p * CQ_DIM + (size_t)a) * CQ_DIM + (size_t)b;
          state[layout.offset[CQ_INPUT_F] + k] = q.F.m[a][b];
          state[layout.offset[CQ_INPUT_C] + k] = q.C.m[a][b];
        }
      }
    }
  }
};

#endif
