/* Contact between bodies of material (mpm_between.h). */
#include "mpm_between.h"

#include "alloc.h"
#include "mpm_fields.h"
#include "mpm_inputs.h"
#include "mpm_kept_pressed.h"
#include "mpm_means.h"
#include "point/between.h"
#include "status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct pair {
  int field[2], contact; /* -1: the two are one */
} pair;

/* dL of one seed */
typedef struct between_adjoint_sums {
  double *numbers;  /* [n][CQ_BETWEEN_NUMBERS] of the state where the sweep is */
  double *impulse;  /* [n][3] in the step */
  double *friction; /* [n] */
  double *full;     /* [n_fields] */
  kept_adjoint means;
} between_adjoint_sums;

struct between {
  cq_ctx *ctx;
  const cq_model *model;
  const cq_mpm_model *own;
  const cq_layout *layout;
  int n, n_pairs; /* contacts, pairs */
  pair *pairs;
  double *friction; /* [n] */
  cq_mpm_fields fields;
  double *inputs;  /* [layout->total] of the last upload */
  double *impulse; /* [n][3] in the step */
  cq_between_touch *touches;
  int n_touches, room_touches;
  kept_means means;
  int n_adjoints;
  between_adjoint_sums *adjoints;
};

/* --- creation -------------------------------------------------------------------------------- */

static int contact_of(const cq_mpm_model *own, int a, int b) {
  for (int i = 0; i < own->n_contacts; i++) {
    const int *f = own->contacts[i].field;
    if ((f[0] == a && f[1] == b) || (f[0] == b && f[1] == a)) {
      return i;
    }
  }
  return -1;
}

/* Pairs that are one first, then contacts in the order of the file. */
static void list_pairs(between *b) {
  const cq_mpm_model *own = b->own;
  for (int i = 0; i < own->n_fields; i++) {
    for (int k = i + 1; k < own->n_fields; k++) {
      if (contact_of(own, i, k) < 0) {
        b->pairs[b->n_pairs++] = (pair){{i, k}, -1};
      }
    }
  }
  for (int i = 0; i < own->n_contacts; i++) {
    const int *f = own->contacts[i].field;
    b->pairs[b->n_pairs++] = (pair){{f[0], f[1]}, i};
  }
}

static bool remembers(const between *b, const pair *p) {
  return p->contact >= 0 && b->own->contacts[p->contact].friction_time > 0.0;
}

static int particles_of(const between *b, int field) {
  int n = 0;
  for (int p = 0; p < cq_mpm_n_soft(b->model); p++) {
    n += b->own->field[p] == field;
  }
  return n;
}

/* Room for the means of contacts: nodes that two compact bodies share are fewer than the smaller
 * one has particles, but for a very small one. */
static cq_status create_means(between *b) {
  int room = 0;
  for (int i = 0; i < b->n_pairs; i++) {
    const int *f = b->pairs[i].field;
    const int n[2] = {particles_of(b, f[0]), particles_of(b, f[1])};
    room += remembers(b, &b->pairs[i]) ? (n[0] < n[1] ? n[0] : n[1]) + CQ_KEPT_FEW : 0;
  }
  return kept_create(b->ctx, &b->means, room);
}

static cq_status allocate(between *b) {
  const int fields = b->own->n_fields;
  CQ_TRY(CQ_ALLOC(b->ctx, b->pairs, fields * (fields - 1) / 2));
  CQ_TRY(CQ_ALLOC(b->ctx, b->friction, b->n));
  CQ_TRY(cq_mpm_fields_create(b->ctx, b->model, b->layout, &b->fields));
  CQ_TRY(CQ_ALLOC(b->ctx, b->inputs, b->layout->total));
  return CQ_ALLOC(b->ctx, b->impulse, b->n * 3);
}

/* What contacts are, and room for a step; frictions and densities come with an upload. */
cq_status WIDE(cq_between_create)(cq_ctx *ctx, const cq_model *model, const cq_layout *layout,
                                  between **out) {
  *out = NULL;
  if (cq_mpm_of(model)->n_fields < 2) {
    return CQ_OK;
  }
  between *b = NULL;
  CQ_TRY(CQ_ALLOC(ctx, b, 1));
  b->ctx = ctx;
  b->model = model;
  b->own = cq_mpm_of(model);
  b->layout = layout;
  b->n = b->own->n_contacts;
  cq_status status = allocate(b);
  if (status == CQ_OK) {
    list_pairs(b);
    status = create_means(b);
  }
  if (status != CQ_OK) {
    WIDE(cq_between_destroy)(b);
    return status;
  }
  *out = b;
  return CQ_OK;
}

static void free_adjoints(between *b) {
  for (int s = 0; s < b->n_adjoints; s++) {
    cq_free(b->ctx, b->adjoints[s].numbers);
    cq_free(b->ctx, b->adjoints[s].impulse);
    cq_free(b->ctx, b->adjoints[s].friction);
    cq_free(b->ctx, b->adjoints[s].full);
    kept_adjoint_free(b->ctx, &b->adjoints[s].means);
  }
  cq_free(b->ctx, b->adjoints);
  b->adjoints = NULL;
  b->n_adjoints = 0;
}

/* Also of one that was begun alone. */
void WIDE(cq_between_destroy)(between *b) {
  if (b == NULL) {
    return;
  }
  cq_ctx *ctx = b->ctx;
  free_adjoints(b);
  cq_free(ctx, b->pairs);
  cq_free(ctx, b->friction);
  cq_mpm_fields_free(ctx, &b->fields);
  cq_free(ctx, b->inputs);
  cq_free(ctx, b->impulse);
  cq_free(ctx, b->touches);
  kept_free(ctx, &b->means);
  cq_free(ctx, b);
}

static size_t means_at(const between *b) {
  return (size_t)b->n * CQ_BETWEEN_NUMBERS;
}

size_t WIDE(cq_between_numbers)(const between *b) {
  return b != NULL ? means_at(b) + kept_numbers(&b->means) : 0;
}

/* contacts are the last pairs, in their order */
static double key_of(const between *b, int contact, const int *index) {
  double key = contact;
  FOR_AXES(a) {
    key = key * b->own->grid[a] + index[a];
  }
  return key;
}

static int by_key(const void *a, const void *b) {
  const double left = ((const kept_mean *)a)->key, right = ((const kept_mean *)b)->key;
  return (left > right) - (left < right);
}

/* Rows of walls are not meant. */
static void take_means(between *b, double *state) {
  const double *row = b->model->means;
  kept_begin(&b->means, state);
  for (int i = 0; i < b->model->n_means; i++, row += CQ_MEAN_NUMBERS) {
    int index[CQ_DIM];
    FOR_AXES(a) {
      index[a] = mean_index(b->own, row, a);
    }
    const int contact = (int)row[CQ_MEAN_wall] - cq_mpm_n_walls(b->model);
    if (contact >= 0) {
      kept_keep(&b->means, key_of(b, contact, index), mean_of(b->model, row));
    }
  }
  if (b->means.n > 0) {
    qsort(b->means.after, (size_t)b->means.n, sizeof *b->means.after, by_key);
  }
  kept_end(&b->means, state);
}

void WIDE(cq_between_put_means)(const between *b, const double *state, cq_means *out) {
  const double *means = b != NULL ? state + means_at(b) : NULL;
  for (int i = 0; b != NULL && b->means.room > 0 && i < (int)means[0]; i++) {
    const kept_mean *mean = (const kept_mean *)(means + 1) + i;
    double rest = mean->key;
    int index[3] = {0};
    for (int a = CQ_DIM - 1; a >= 0; a--) {
      index[a] = (int)fmod(rest, b->own->grid[a]);
      rest = floor(rest / b->own->grid[a]);
    }
    mean_put(b->model, cq_mpm_n_walls(b->model) + (int)rest, 0, index, mean->of, out);
  }
}

static const double *input(const between *b, const double *inputs, int which) {
  return inputs + b->layout->offset[which];
}

void WIDE(cq_between_upload)(between *b, const double *inputs, double *state) {
  if (b == NULL) {
    return;
  }
  memcpy(b->inputs, inputs, b->layout->total * sizeof *inputs);
  memset(state, 0, WIDE(cq_between_numbers)(b) * sizeof *state);
  take_means(b, state + means_at(b));
  for (int i = 0; i < b->n; i++) {
    b->friction[i] = input(b, inputs, CQ_INPUT_friction)[b->own->contacts[i].wall];
  }
  cq_mpm_fields_take(&b->fields, inputs);
}

/* --- a step ---------------------------------------------------------------------------------- */

void WIDE(cq_between_begin)(between *b, const double *state) {
  b->n_touches = 0;
  kept_begin(&b->means, state + means_at(b));
  memset(b->impulse, 0, (size_t)b->n * 3 * sizeof *b->impulse);
}

int WIDE(cq_between_pairs)(const between *b) {
  return b->n_pairs;
}

void WIDE(cq_between_fields)(const between *b, int which, int field[2]) {
  memcpy(field, b->pairs[which].field, sizeof b->pairs[which].field);
}

/* Whose surface says which way is apart: that of a body much larger than the other, else both. */
static void weigh(const between *b, const pair *p, scalar weight[2]) {
  const double *room = b->fields.room;
  for (int i = 0; i < 2; i++) {
    const bool small = cq_mpm_is_much_larger(room[p->field[1 - i]], room[p->field[i]]);
    weight[i] = small ? 0.0 : 1.0;
  }
}

static between_law law_of(const between *b, const pair *p) {
  between_law l = {.fused = p->contact < 0};
  if (!l.fused) {
    const cq_mpm_contact *contact = &b->own->contacts[p->contact];
    l.held.kind = contact->kind;
    l.held.epsilon = b->own->contact_epsilon;
    l.held.remembers = remembers(b, p);
    if (l.held.remembers) {
      l.held.press.share = b->model->dt / contact->friction_time;
      l.held.press.slip = b->model->dt / contact->friction_slip;
    }
    l.friction = b->friction[p->contact];
    l.full[0] = b->fields.full[p->field[0]];
    l.full[1] = b->fields.full[p->field[1]];
    weigh(b, p, l.weight);
  }
  return l;
}

static between_node node_of(const cq_between_node *from, node_mean before) {
  between_node n = {.before = kept_pressed(before)};
  for (int i = 0; i < 2; i++) {
    n.mass[i] = from->mass[i];
    FOR_AXES(a) {
      n.momentum[i].v[a] = from->momentum[i][a];
      n.slope[i].v[a] = from->slope[i][a];
    }
  }
  return n;
}

static cq_status reserve_touch(between *b) {
  if (b->n_touches < b->room_touches) {
    return CQ_OK;
  }
  cq_between_touch *more = NULL;
  const int room = 2 * b->room_touches + 64;
  CQ_TRY(CQ_ALLOC(b->ctx, more, room));
  if (b->n_touches > 0) {
    memcpy(more, b->touches, (size_t)b->n_touches * sizeof *more);
  }
  cq_free(b->ctx, b->touches);
  b->touches = more;
  b->room_touches = room;
  return CQ_OK;
}

/* Finds the impulse at a node that two fields share, and keeps what its adjoint needs. */
cq_status WIDE(cq_between_meet)(between *b, int which, const int *index,
                                const cq_between_node *node, double impulse[3], bool *acts) {
  const pair *p = &b->pairs[which];
  const between_law l = law_of(b, p);
  const double key = key_of(b, p->contact, index);
  kept_place place = {.from = -1, .to = -1};
  if (l.held.remembers) {
    place = kept_take(&b->means, key);
  }
  const between_node n = node_of(node, place.before);
  *acts = l.fused || between_acts(&l, &n);
  if (!*acts) {
    return CQ_OK;
  }
  pressed after;
  const vec given = between_impulse(&l, &n, &after);
  if (l.held.remembers) {
    place.to = kept_keep(&b->means, key, kept_from(after));
  }
  CQ_TRY(reserve_touch(b));
  cq_between_touch *t = &b->touches[b->n_touches++];
  *t = (cq_between_touch){.pair = which, .before = *node, .mean = place};
  FOR_AXES(a) {
    t->index[a] = index[a];
    impulse[a] = given.v[a];
    if (!l.fused) {
      b->impulse[p->contact * 3 + a] += given.v[a];
    }
  }
  return CQ_OK;
}

void WIDE(cq_between_end)(const between *b, const double *state, double *next) {
  if (b == NULL) {
    return;
  }
  kept_end(&b->means, next + means_at(b));
  for (int i = 0; i < b->n; i++) {
    for (int a = 0; a < 3; a++) {
      const int at = i * CQ_BETWEEN_NUMBERS + a;
      next[at] = b->impulse[i * 3 + a] / b->model->dt;
      next[at + 3] = state[at + 3] + b->impulse[i * 3 + a];
    }
  }
}

/* --- adjoint --------------------------------------------------------------------------------- */

cq_status WIDE(cq_between_adjoint_begin)(between *b, int n_seeds) {
  if (b == NULL) {
    return CQ_OK;
  }
  free_adjoints(b);
  CQ_TRY(CQ_ALLOC(b->ctx, b->adjoints, n_seeds));
  b->n_adjoints = n_seeds;
  for (int s = 0; s < n_seeds; s++) { /* CQ_ALLOC clears */
    between_adjoint_sums *a = &b->adjoints[s];
    CQ_TRY(CQ_ALLOC(b->ctx, a->numbers, b->n * CQ_BETWEEN_NUMBERS));
    CQ_TRY(CQ_ALLOC(b->ctx, a->impulse, b->n * 3));
    CQ_TRY(CQ_ALLOC(b->ctx, a->friction, b->n));
    CQ_TRY(CQ_ALLOC(b->ctx, a->full, b->own->n_fields));
    CQ_TRY(kept_adjoint_create(b->ctx, &b->means, &a->means));
  }
  return CQ_OK;
}

/* The force is of this step alone; the sum of impulses goes on. */
void WIDE(cq_between_step_adjoint)(between *b, int seed) {
  between_adjoint_sums *s = &b->adjoints[seed];
  kept_adjoint_begin(&b->means, &s->means);
  for (int i = 0; i < b->n; i++) {
    for (int a = 0; a < 3; a++) {
      double *due = &s->numbers[i * CQ_BETWEEN_NUMBERS + a];
      s->impulse[i * 3 + a] = due[0] / b->model->dt + due[3];
      due[0] = 0.0;
    }
  }
}

int WIDE(cq_between_n_touches)(const between *b) {
  return b->n_touches;
}

const cq_between_touch *WIDE(cq_between_touched)(const between *b, int i) {
  return &b->touches[i];
}

/* What is due to the impulse is due by the momenta that it changed, and by the numbers of its
 * contact. */
cq_between_give WIDE(cq_between_give)(between *b, int seed, int i, double dmomentum[2][3]) {
  between_adjoint_sums *sums = &b->adjoints[seed];
  const cq_between_touch *t = &b->touches[i];
  const pair *p = &b->pairs[t->pair];
  const between_law l = law_of(b, p);
  const between_node n = node_of(&t->before, t->mean.before);
  const pressed dafter = kept_pressed(kept_due(&sums->means, t->mean));
  cq_between_give give = {.mass = {0.0}};
  vec di;
  FOR_AXES(a) {
    di.v[a] = dmomentum[1][a] - dmomentum[0][a];
    di.v[a] += l.fused ? 0.0 : sums->impulse[p->contact * 3 + a];
  }
  const between_due d = between_adjoint(&l, &n, di, &dafter);
  kept_give(&sums->means, t->mean, kept_from(d.before));
  for (int k = 0; k < 2; k++) {
    give.mass[k] = d.mass[k];
    FOR_AXES(a) {
      give.momentum[k][a] = (k == 0 ? d.relative.v[a] : -d.relative.v[a]) / n.mass[k];
      give.slope[k][a] = d.slope[k].v[a];
    }
    sums->full[p->field[k]] += d.full[k];
  }
  if (!l.fused) {
    sums->friction[p->contact] += d.friction;
  }
  return give;
}

void WIDE(cq_between_adjoint_end)(const between *b, int seed, double *gradient) {
  if (b == NULL) {
    return;
  }
  const between_adjoint_sums *s = &b->adjoints[seed];
  const size_t *at = b->layout->offset;
  for (int i = 0; i < b->n; i++) {
    gradient[at[CQ_INPUT_friction] + (size_t)b->own->contacts[i].wall] += s->friction[i];
  }
  cq_mpm_fields_adjoint(&b->fields, b->inputs, s->full, gradient);
}

int WIDE(cq_between_of_group)(const between *b, const cq_group *group) {
  for (int i = 0; b != NULL && group->count == 0 && i < b->n; i++) {
    if ((int)group->parameter == 1 + b->own->contacts[i].wall) {
      return i;
    }
  }
  return -1;
}

void WIDE(cq_between_due)(between *b, int seed, int contact, const double due[CQ_BETWEEN_NUMBERS]) {
  double *to = b->adjoints[seed].numbers + contact * CQ_BETWEEN_NUMBERS;
  for (int k = 0; k < CQ_BETWEEN_NUMBERS; k++) {
    to[k] += due[k];
  }
}
