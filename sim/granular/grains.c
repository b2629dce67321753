/* One step: tools, the list, contacts, the solver, motion. Groups that share no grain run side by
 * side: units, then what is between an even unit and the next, then an odd one, then the rest; a
 * group waits for those that it shares grains with, so that the bits do not depend on the number of
 * threads. */
#include "grains_bodies.h"

#include "flush_mode.h"
#include "granular_inputs.h"
#include "point/contact.h"
#include "status.h"

#include <limits.h>
#ifdef _OPENMP
#  include <omp.h>
#endif
#include <stdio.h>
#include <string.h>

/* --- who runs when ---------------------------------------------------------------------------- */

enum {
  PHASES = 4,
  FIRST_ITERATION = 2, /* turns before it: contacts, impulses to begin with */
  TURNS_UNDER_WAY = 4
};

/* Group number k of a phase, or NULL past its last. */
static group *phase_group(const grains *g, int phase, int k) {
  const int n_units = g->n_groups / 2;
  const int index = phase == 0   ? k
                    : phase == 3 ? 2 * n_units - 1 + k
                                 : n_units + 2 * k + (phase - 1);
  const int end = phase == 0 ? n_units : phase == 3 ? 2 * n_units : 2 * n_units - 1;
  return index < end ? &g->groups[index] : NULL;
}

static int phase_size(const grains *g, int phase) {
  int n = 0;
  while (phase_group(g, phase, n) != NULL) {
    n++;
  }
  return n;
}

typedef void (*group_fn)(const grains *g, const state *s, const group *of);

/* Called by all threads of a team together: all phases, one after the other. */
static void run_phases(const grains *g, const state *s, group_fn run) {
  for (int phase = 0; phase < PHASES; phase++) {
    const int n = phase_size(g, phase);
    if (phase == 3 && g->groups[g->n_groups - 1].n_blocks == 0) {
      continue;
    }
#pragma omp for schedule(dynamic, 1)
    for (int k = 0; k < n; k++) {
      run(g, s, phase_group(g, phase, k));
    }
  }
}

static void push(const grains *g, const state *s, const group *of) {
  g->hot->push(g, s->rows, of);
}

static void solve(const grains *g, const state *s, const group *of) {
  g->hot->solve(g, s->rows, of);
}

static void split(const grains *g, const state *s, const group *of) {
  g->hot->split(g, g->parallel, s->rows, of);
}

/* --- contacts --------------------------------------------------------------------------------- */

static void accelerate(const grains *g, const state *s, int unit) {
  for (int i = s->unit[unit]; i < s->unit[unit + 1]; i++) {
    FOR_EACH_AXIS(a) {
      s->rows[(size_t)i * GRAIN_ROW + ROW_V + (size_t)a] += g->dt * g->gravity[a];
    }
  }
}

static void find_contacts(const grains *g, const state *s, int k) {
  group *of = &g->groups[k];
  g->hot->contacts(g, s, of);
  of->n_surfaces = of->n_touches = 0;
  of->wants_touches = 0;
  if (k < s->head->n_units && g->n_parts > 0) {
    V(cq_grains_touch)(g, s, of, s->unit[k], s->unit[k + 1]);
  }
}

/* More room for a group that lacks it. */
static cq_status make_room(const grains *g, group *of) {
  CQ_TRY(V(cq_grains_reserve)(g, (void **)&of->blocks, &of->room, of->wants_blocks,
                              sizeof *of->blocks));
  CQ_TRY(V(cq_grains_reserve)(g, (void **)&of->touches, &of->touch_room, of->wants_touches,
                              sizeof *of->touches));
  return V(cq_grains_reserve)(g, (void **)&of->surfaces, &of->surface_room,
                              of->wants_touches / GRAIN_LANES + GRAIN_SURFACE,
                              sizeof *of->surfaces);
}

/* All contacts of a group: where they lack room it looks again, with more. Without memory for that
 * it has none, and its status says so. */
static void make_contacts(const grains *g, const state *s, int k) {
  group *of = &g->groups[k];
  of->status = CQ_OK;
  find_contacts(g, s, k);
  while (of->full && of->status == CQ_OK) {
#pragma omp critical(cq_grains_room)
    of->status = make_room(g, of);
    if (of->status == CQ_OK) {
      find_contacts(g, s, k);
    }
  }
  if (of->status != CQ_OK) {
    of->n_blocks = of->n_surfaces = of->n_touches = 0;
  }
}

/* Gravity, then the contacts of all groups. */
static void make_all_contacts(const grains *g, const state *s) {
  const unsigned mode = flush_begin();
#pragma omp for schedule(dynamic, 1)
  for (int u = 0; u < s->head->n_units; u++) {
    accelerate(g, s, u);
  }
#pragma omp for schedule(dynamic, 1)
  for (int k = 0; k < g->n_groups; k++) {
    make_contacts(g, s, k);
  }
  flush_end(mode);
}

static bool alone(const grains *g, const state *s) {
  return g->threads == 1 || s->head->n_units == 1;
}

/* Do groups find their contacts in their turns (iterate)? Else they are found before. */
static bool in_turns(const grains *g) {
  const group *rest = &g->groups[g->n_groups - 1];
  return g->bodies == NULL && g->own->solver == CQ_GRANULAR_NCP && rest->first == rest->last;
}

static cq_status contacts_status(const grains *g) {
  for (int k = 0; k < g->n_groups; k++) {
    CQ_TRY(g->groups[k].status);
  }
  return CQ_OK;
}

static cq_status contacts(grains *g, const state *s) {
  if (in_turns(g)) {
    make_contacts(g, s, g->n_groups - 1); /* none: no turn is its */
    return CQ_OK;
  }
  if (alone(g, s)) {
    make_all_contacts(g, s);
  } else {
#pragma omp parallel num_threads(g->threads)
    make_all_contacts(g, s);
  }
  return contacts_status(g);
}

/* --- masses that are split between contacts ----------------------------------------------------
 */

static void count_touching(const grains *g, const block *b, bool surface) {
  for (int l = 0; l < GRAIN_LANES; l++) {
    if (b->slot[l] >= 0) {
      g->touching[b->i[l]] += K(1);
      if (!surface) {
        g->touching[b->j[l]] += K(1);
      }
    }
  }
}

/* In each contact a grain has the part of its mass that it has of its contacts. */
static void lighten(const grains *g, const state *s, block *b, bool surface) {
  for (int l = 0; l < GRAIN_LANES; l++) {
    if (b->slot[l] < 0) {
      continue;
    }
    const scalar *i = s->rows + (size_t)b->i[l] * GRAIN_ROW;
    scalar mass = g->touching[b->i[l]] * i[ROW_IM], turn = g->touching[b->i[l]] * i[ROW_II];
    if (!surface) {
      const scalar *j = s->rows + (size_t)b->j[l] * GRAIN_ROW;
      mass += g->touching[b->j[l]] * j[ROW_IM];
      turn += g->touching[b->j[l]] * j[ROW_II];
    }
    b->kn[l] = contact_inverse(mass);
    b->kt[l] = contact_inverse(mass + b->arm[l] * b->arm[l] * turn);
    b->kr[l] = contact_inverse(turn);
  }
}

/* Counts the contacts of every grain, then shares its mass between them. */
static void split_masses(const grains *g, const state *s) {
  memset(g->touching, 0, (size_t)g->n * sizeof *g->touching);
  for (int pass = 0; pass < 2; pass++) {
    for (int k = 0; k < g->n_groups; k++) {
      const group *of = &g->groups[k];
      for (int i = 0; i < of->n_blocks; i++) {
        if (pass == 0) {
          count_touching(g, &of->blocks[i], false);
        } else {
          lighten(g, s, &of->blocks[i], false);
        }
      }
      for (int i = 0; i < of->n_surfaces; i++) {
        if (pass == 0) {
          count_touching(g, &of->surfaces[i].b, true);
        } else {
          lighten(g, s, &of->surfaces[i].b, true);
        }
      }
    }
  }
}

/* --- the solver ------------------------------------------------------------------------------- */

static void copy_unit(const grains *g, const state *s, const group *of) {
  const int u = (int)(of - g->groups);
  const size_t first = (size_t)s->unit[u] * GRAIN_ROW;
  const size_t n = (size_t)(s->unit[u + 1] - s->unit[u]) * GRAIN_ROW;
  memcpy(g->parallel + first, s->rows + first, n * sizeof *s->rows);
}

/* The impulses of a group's blocks, for the next step. */
static void keep_impulses(const grains *g, const state *s, int k) {
  const group *of = &g->groups[k];
  memset(s->impulse + (size_t)of->first * GRAIN_IMPULSE, 0,
         (size_t)(of->last - of->first) * GRAIN_IMPULSE * sizeof *s->impulse);
  for (int n = 0; n < of->n_blocks; n++) {
    const block *b = &of->blocks[n];
    for (int l = 0; l < GRAIN_LANES && b->slot[l] >= 0; l++) {
      scalar *to = s->impulse + (size_t)b->slot[l] * GRAIN_IMPULSE;
      for (int i = 0; i < 1 + CQ_DIM + GRAIN_SPINS; i++) {
        to[i] = b->p[i][l];
      }
    }
  }
}

static void do_group(const grains *g, const state *s, int index, int k);

/* What is to be done before turn k of a group: those that it shares grains with, which come
 * before it in the order of run_phases. */
static void do_before(const grains *g, const state *s, int index, int k) {
  const int n_units = s->head->n_units, u = index - n_units;
  if (u < 0) {
    for (int other = index - 1; other <= index; other++) {
      if (other >= 0 && other + 1 < n_units) {
        do_group(g, s, n_units + other, k - 1);
      }
    }
    return;
  }
  do_group(g, s, u, k);
  do_group(g, s, u + 1, k);
  for (int other = u - 1; u % 2 == 1 && other <= u + 1 && other + 1 < n_units; other += 2) {
    do_group(g, s, n_units + other, k);
  }
}

/* Turn k of a group: its contacts, which need the velocities that no impulse of this step has
 * changed yet, the impulses to begin with, then the iterations; what is left of the last one is
 * kept while it is still in a cache. */
static void take_turn(const grains *g, const state *s, int index, int k) {
  if (k == 0) {
    if (index < s->head->n_units) {
      accelerate(g, s, index);
    }
    make_contacts(g, s, index);
  } else if (k >= FIRST_ITERATION) {
    solve(g, s, &g->groups[index]);
  } else if (g->own->warm) {
    push(g, s, &g->groups[index]);
  }
  if (g->own->warm && k == FIRST_ITERATION + g->own->iterations - 1) {
    keep_impulses(g, s, index);
  }
}

/* Turn k of a group, unless another thread has it. What has to come before and nobody has begun,
 * because its thread is not running, is done here, so that a thread waits only for what another one
 * is at. */
static void do_group(const grains *g, const state *s, int index, int k) {
  group *of = &g->groups[index];
  if (k < 0 || cq_turn_is_over(&of->turns, k)) {
    return;
  }
  do_before(g, s, index, k);
  if (!cq_turn_take(&of->turns, k)) {
    cq_turn_await(&of->turns, k);
    return;
  }
  take_turn(g, s, index, k);
  cq_turn_end(&of->turns, k);
}

/* Units 2 p and 2 p + 1 and what is between them, then (side) the pair of units on that side and
 * these. */
static void do_pair(const grains *g, const state *s, int p, int side, int k) {
  const int n_units = s->head->n_units, other = 2 * p + side;
  do_group(g, s, 2 * p, k);
  if (2 * p + 1 < n_units) {
    do_group(g, s, 2 * p + 1, k);
    do_group(g, s, n_units + 2 * p, k);
  }
  if (side != 0 && other >= 0 && other + 1 < n_units) {
    do_group(g, s, n_units + other, k);
  }
}

/* Turns first .. first + n - 1 of a part of the pairs of units. They are not gone through one after
 * the other: turn first + k is at pair t - k, one behind the turn before, so that what they share
 * is still in a cache. Neighbouring threads begin at the same end of their parts, so that neither
 * waits for the other to come near. The bits are those of run_phases, since each group comes after
 * the same ones that it shares grains with. */
static void run_turns(const grains *g, const state *s, int part, int parts, int first, int n) {
  const int n_pairs = (s->head->n_units + 1) / 2;
  const int begin = (int)((long long)n_pairs * part / parts);
  const int size = (int)((long long)n_pairs * (part + 1) / parts) - begin;
  const bool back = part % 2 == 0 && parts > 1;
  for (int t = 0; size > 0 && t < size + n - 1; t++) {
    for (int k = t < size ? 0 : t - size + 1; k < n && k <= t; k++) {
      const int p = t - k;
      if (!back) {
        do_pair(g, s, begin + p, -1, first + k);
        continue;
      }
      do_pair(g, s, begin + size - 1 - p, p > 0 ? 1 : 0, first + k);
      if (p == size - 1 && begin > 0) { /* the end towards the thread before */
        do_group(g, s, s->head->n_units + 2 * begin - 1, first + k);
      }
    }
  }
}

/* Pairs of units with all turns under way would be more than the last cache has room for. */
static void run_part(const grains *g, const state *s, int part, int parts) {
  const int n = FIRST_ITERATION + g->own->iterations;
  for (int first = 0; first < n; first += TURNS_UNDER_WAY) {
    const int left = n - first;
    run_turns(g, s, part, parts, first, left < TURNS_UNDER_WAY ? left : TURNS_UNDER_WAY);
  }
}

/* Each thread of the team takes its part, then what is left of the others. */
static void run_parts(const grains *g, const state *s) {
  int part = 0, parts = 1;
#ifdef _OPENMP
  part = omp_get_thread_num();
  parts = omp_get_num_threads();
#endif
  for (int k = 0; k < parts; k++) {
    run_part(g, s, (part + k) % parts, parts);
  }
#pragma omp barrier
}

/* The impulses to begin with, then all iterations. */
static void iterate(const grains *g, const state *s) {
  if (g->own->warm) {
    run_phases(g, s, push);
#pragma omp single
    V(cq_grains_bodies_push)(g, s);
  }
  for (int k = 0; k < g->own->iterations; k++) {
    if (g->own->solver == CQ_GRANULAR_JACOBI) {
#pragma omp for schedule(dynamic, 1)
      for (int u = 0; u < s->head->n_units; u++) {
        copy_unit(g, s, &g->groups[u]);
      }
      run_phases(g, s, split);
    } else {
      run_phases(g, s, solve);
    }
    if (g->bodies != NULL) {
#pragma omp single
      V(cq_grains_bodies_solve)(g, s);
    }
  }
}

/* Moves the grains of a unit; the first of them that is nowhere, or outside the room, by its
 * number as a particle. */
static int move(const grains *g, const state *s, int unit) {
  int bad = INT_MAX;
  for (int i = s->unit[unit]; i < s->unit[unit + 1]; i++) {
    scalar *place = s->place + (size_t)i * GRAIN_PLACE;
    const scalar *row = s->rows + (size_t)i * GRAIN_ROW;
    bool in = true;
    FOR_EACH_AXIS(a) {
      place[a] += g->dt * row[ROW_V + a];
      in = in && (a == g->cyclic ? place[a] - place[a] == K(0)
                                 : place[a] >= g->low[a] && place[a] <= g->high[a]);
    }
    for (int k = 0; k < GRAIN_SPINS; k++) {
      in = in && row[ROW_W + k] - row[ROW_W + k] == K(0);
    }
    bad = !in && s->id[i] < bad ? s->id[i] : bad;
  }
  return bad;
}

/* What all threads of a team do together. */
static void run_step(grains *g, const state *s, int *bad) {
  const unsigned mode = flush_begin();
  const bool turns = in_turns(g);
  if (turns) {
    run_parts(g, s);
  } else if (g->own->solver == CQ_GRANULAR_PAPER) {
#pragma omp single
    V(cq_grains_paper)(g, s);
  } else {
    iterate(g, s);
  }
  if (g->own->warm && !turns) {
#pragma omp for schedule(dynamic, 1) nowait
    for (int k = 0; k < g->n_groups; k++) {
      keep_impulses(g, s, k);
    }
  }
  int worst = INT_MAX;
#pragma omp for schedule(dynamic, 1)
  for (int u = 0; u < s->head->n_units; u++) {
    const int found = move(g, s, u);
    worst = found < worst ? found : worst;
  }
#pragma omp critical(cq_grains_worst)
  *bad = worst < *bad ? worst : *bad;
  flush_end(mode);
}

/* --- words and counts ------------------------------------------------------------------------- */

cq_status V(cq_grains_gone)(grains *g, const state *s, int step, int particle) {
  const scalar *place = s->place + (size_t)g->slot[particle] * GRAIN_PLACE;
  cq_failure *f = &g->failure;
  char where[96] = "";
  size_t used = 0;
  *f = (cq_failure){.status = CQ_OUT_OF_ROOM, .step = step, .particle = particle};
  FOR_EACH_AXIS(a) {
    f->position[a] = (double)place[a];
    used += (size_t)snprintf(where + used, sizeof where - used, "%s%.6g", a > 0 ? ", " : "",
                             (double)place[a]);
    if (place[a] - place[a] != K(0)) {
      f->status = CQ_NONFINITE;
      f->value = (double)place[a];
    }
  }
  if (f->status == CQ_NONFINITE) {
    return CQ_FAIL(g->ctx, CQ_NONFINITE,
                   "step %d: particle %d at (%s) m has a value that is not finite; lower "
                   "simulation.time_step",
                   step, particle, where);
  }
  return CQ_FAIL(g->ctx, CQ_OUT_OF_ROOM,
                 "step %d: particle %d at (%s) m left the room; put a wall in its way, or enlarge "
                 "the room",
                 step, particle, where);
}

/* Do grains move the tool in this step? */
static bool yields(const grains *g, int t) {
  return g->bodies != NULL && g->bodies->moves[t];
}

/* Of what pushes a tool. Of one that this moves by its mean velocity: that of an impulse is its
 * work then. */
static double power_of(const grains *g, const state *s, int t) {
  const cq_tool_pose *pose = &s->poses[t];
  const double *f = g->wrench + 6 * (size_t)t, *before = g->tool_twist + 6 * (size_t)t;
  const double part = yields(g, t) ? 0.5 : 0.0;
  double sum = 0.0;
  for (int a = 0; a < 3; a++) {
    sum += f[a] * (before[a] + part * (pose->v[a] - before[a]));
    sum += f[3 + a] * (before[3 + a] + part * (pose->w[a] - before[3 + a]));
  }
  return sum;
}

/* What pushed the tools goes to the state; returns how many are jammed. A tool that nothing limits
 * jams grains against a wall: its force is then what the iterations make it. A single step with a
 * large one is a hit. */
static int keep_wrenches(const grains *g, const state *s) {
  int jams = 0;
  for (int t = 0; t < g->model->n_boundaries; t++) {
    const double *f = g->wrench + 6 * (size_t)t;
    const bool hard = g->weight > 0.0 && !yields(g, t) && g->tool_speed[t] > 0.0 &&
                      f[0] * f[0] + f[1] * f[1] + f[2] * f[2] > 100.0 * g->weight * g->weight;
    jams += hard && s->poses[t].pressed;
    s->poses[t].pressed = hard;
    memcpy(s->poses[t].wrench, f, sizeof s->poses[t].wrench);
    s->poses[t].work -= g->model->dt * power_of(g, s, t);
  }
  return jams;
}

static void take_counts(grains *g, const state *s, int jams) {
  long long *of = g->tally.of;
  scalar deepest = K(0);
  for (int k = 0; k < g->n_groups; k++) {
    of[CQ_GRAIN_CONTACTS] += g->groups[k].n_contacts;
    deepest = g->groups[k].deepest > deepest ? g->groups[k].deepest : deepest;
  }
  of[CQ_GRAIN_CONTACTS] += s->head->n_touches;
  of[CQ_GRAIN_JAMS] += jams;
  const long long depth = (long long)(1e6 * (double)deepest);
  of[CQ_GRAIN_PENETRATION] = depth > of[CQ_GRAIN_PENETRATION] ? depth : of[CQ_GRAIN_PENETRATION];
}

/* --- a step ----------------------------------------------------------------------------------- */

static void keep_twist(const grains *g, const state *s, int t) {
  memcpy(g->tool_twist + 6 * (size_t)t, s->poses[t].v, 3 * sizeof *g->tool_twist);
  memcpy(g->tool_twist + 6 * (size_t)t + 3, s->poses[t].w, 3 * sizeof *g->tool_twist);
}

/* How tools move in this step, and where their parts are. Where there are bodies, these say it. */
static void drive_tools(grains *g, const state *s, const double *w) {
  for (int t = 0; t < g->model->n_boundaries; t++) {
    cq_tool_pose *pose = &s->poses[t];
    if (g->bodies == NULL) {
      cq_tool_drive(&g->own->tools[t], CQ_DIM, w, pose);
    }
    if (!yields(g, t)) {
      keep_twist(g, s, t);
    }
    double v = 0.0, turning = 0.0, size = 0.0;
    for (int a = 0; a < 3; a++) {
      v += pose->v[a] * pose->v[a];
      turning += pose->w[a] * pose->w[a];
      size += a < CQ_DIM ? ((double)g->high[a] - (double)g->low[a]) *
                               ((double)g->high[a] - (double)g->low[a])
                         : 0.0;
    }
    g->tool_speed[t] = sqrt(v) + (turning > 0.0 ? sqrt(turning * size) : 0.0);
  }
  for (int k = 0; k < g->n_parts; k++) {
    g->placed[k] = cq_tool_placed(&g->own->tools[g->part_tool[k]], g->part[k],
                                  &s->poses[g->part_tool[k]], CQ_DIM);
  }
}

cq_status V(cq_grains_tools_begin)(grains *g, int step, const state *s, const double *w) {
  for (int t = 0; t < g->model->n_boundaries; t++) {
    keep_twist(g, s, t);
  }
  CQ_TRY(V(cq_grains_bodies_begin)(g, step, s, w));
  drive_tools(g, s, w);
  return CQ_OK;
}

cq_status V(cq_grains_tools_end)(grains *g, int step, const state *s, int *jams) {
  for (int t = 0; g->bodies == NULL && t < g->model->n_boundaries; t++) {
    cq_tool_move(CQ_DIM, g->model->dt, &s->poses[t]);
  }
  CQ_TRY(V(cq_grains_bodies_end)(g, step, s));
  *jams = keep_wrenches(g, s);
  return CQ_OK;
}

/* A step, from `in` to `out`, which may be the same. */
static cq_status grains_step(void *work, int step, void *in, void *out, const double *w,
                             bool count) {
  grains *g = work;
  if (in != out) {
    V(cq_grains_copy)(g, in, out);
  }
  const state s = V(cq_grains_view)(g, out);
  const cq_tally before = g->tally;
  int bad = INT_MAX;
  CQ_TRY(V(cq_grains_tools_begin)(g, step, &s, w));
  CQ_TRY(V(cq_grains_take_list)(g, step, &s));
  CQ_TRY(contacts(g, &s));
  CQ_TRY(V(cq_grains_bodies_meet)(g, &s));
  if (g->own->solver == CQ_GRANULAR_JACOBI) {
    split_masses(g, &s);
  }
  for (int k = 0; k < g->n_groups; k++) {
    g->groups[k].turns = (cq_turns){0, 0};
  }
  if (alone(g, &s)) {
    run_step(g, &s, &bad);
  } else {
#pragma omp parallel num_threads(g->threads)
    run_step(g, &s, &bad);
  }
  CQ_TRY(contacts_status(g));
  CQ_TRY(V(cq_grains_keep_touches)(g, step, &s));
  int jams = 0;
  CQ_TRY(V(cq_grains_tools_end)(g, step, &s, &jams));
  if (count) {
    take_counts(g, &s, jams);
  } else {
    g->tally = before;
  }
  return bad == INT_MAX ? CQ_OK : V(cq_grains_gone)(g, &s, step, bad);
}

/* Controls drive tools as they are. */
static void drive_by(const cq_model *model, int step, const double *u, const double *z, double *w) {
  (void)step;
  (void)z;
  if (model->n_drives > 0) {
    memcpy(w, u, (size_t)model->n_drives * sizeof *w);
  }
}

static const cq_failure *failure(const void *work) {
  return &((const grains *)work)->failure;
}

static cq_tally *tally(void *work) {
  return &((grains *)work)->tally;
}

const cq_host_steps V(cq_grains) = {
    .state_bytes = V(cq_grains_state_bytes),
    .create = V(cq_grains_create),
    .destroy = V(cq_grains_destroy),
    .upload = V(cq_grains_upload),
    .drive = drive_by,
    .step = grains_step,
    .observe = V(cq_grains_observe),
    .download = V(cq_grains_download),
    .walls = V(cq_grains_walls),
    .failure = failure,
    .tally = tally,
};
