#include "channels.h"

#include "alloc.h"
#include "engine.h"
#include "status.h"

#include <string.h>

static bool is_wanted(const cq_channel *channel, int state) {
  return channel->at == NULL || channel->at[state] != 0;
}

static cq_status check(cq_ctx *ctx, const cq_model *model) {
  const cq_engine_type *type = cq_engine_type_of(model->engine);
  const int n = CQ_N_SHARED_QUANTITIES + (type != NULL ? type->n_quantities : 0);
  for (int i = 0; i < model->n_channels; i++) {
    const cq_channel *c = &model->channels[i];
    CQ_CHECK(ctx,
             c->group >= 0 && c->group < model->n_groups && c->quantity >= 0 && c->quantity < n,
             CQ_USAGE, "channel %d: there is no quantity %d of group %d", i, c->quantity, c->group);
  }
  return CQ_OK;
}

/* Parts the states of each class by whether `at` marks them. renamed [2 n_states] */
static void split(int n_states, const unsigned char *at, cq_z_rows *rows, int *renamed) {
  int n = 0;
  memset(renamed, -1, 2 * (size_t)rows->n_classes * sizeof *renamed);
  for (int k = 0; k < n_states; k++) {
    int *name = &renamed[2 * rows->class_of[k] + (at[k] != 0)];
    if (*name < 0) {
      *name = n++;
    }
    rows->class_of[k] = *name;
  }
  rows->n_classes = n;
}

/* Terms ask for all of their channels at the same states. */
static void find_classes(const cq_model *model, cq_z_rows *rows, int *renamed) {
  const unsigned char *last = NULL;
  rows->n_classes = 1;
  for (int i = 0; i < model->n_channels; i++) {
    const unsigned char *at = model->channels[i].at;
    if (at != NULL && at != last) {
      split(model->steps + 1, at, rows, renamed);
      last = at;
    }
  }
}

/* The views of a class, one of whose states is `state`, from `views` on (NULL: they are only
 * counted). view_of [n_groups] */
static int make_views(const cq_model *model, int state, int *view_of, cq_view *views, int *length) {
  int n = 0;
  memset(view_of, -1, (size_t)model->n_groups * sizeof *view_of);
  for (int i = 0; i < model->n_channels; i++) {
    if (is_wanted(&model->channels[i], state)) {
      view_of[model->channels[i].group] = 0;
    }
  }
  for (int g = 0; g < model->n_groups; g++) {
    if (view_of[g] == 0) {
      view_of[g] = n++;
      if (views != NULL) {
        memset(&views[n - 1], -1, sizeof *views);
        views[n - 1].group = g;
      }
    }
  }
  *length = 0;
  for (int i = 0; views != NULL && i < model->n_channels; i++) {
    const cq_channel *c = &model->channels[i];
    int *place = is_wanted(c, state) ? &views[view_of[c->group]].place[c->quantity] : NULL;
    if (place != NULL && *place < 0) {
      *place = *length;
      *length += cq_quantity_numbers(model->dim, c->quantity);
    }
  }
  return n;
}

/* Views and lengths of all classes. state_of [n_classes] a state of each */
static cq_status fill(cq_ctx *ctx, const cq_model *model, const int *state_of, int *view_of,
                      int *length, cq_z_rows *rows) {
  CQ_TRY(CQ_ALLOC(ctx, rows->first, rows->n_classes + 1));
  for (int c = 0; c < rows->n_classes; c++) {
    rows->first[c + 1] = rows->first[c] + make_views(model, state_of[c], view_of, NULL, &length[c]);
  }
  CQ_TRY(CQ_ALLOC(ctx, rows->views, rows->first[rows->n_classes] + 1));
  for (int c = 0; c < rows->n_classes; c++) {
    make_views(model, state_of[c], view_of, rows->views + rows->first[c], &length[c]);
    rows->longest = length[c] > rows->longest ? length[c] : rows->longest;
  }
  for (int k = 0; k <= model->steps; k++) {
    rows->begin[k + 1] = rows->begin[k] + (size_t)length[rows->class_of[k]];
  }
  return CQ_OK;
}

cq_status cq_z_rows_make(cq_ctx *ctx, const cq_model *model, cq_z_rows *rows) {
  const size_t n_states = (size_t)model->steps + 1;
  int *room = NULL, *view_of = NULL;
  *rows = (cq_z_rows){0};
  CQ_TRY(check(ctx, model));
  cq_status status = CQ_ALLOC(ctx, rows->class_of, n_states);
  status = status != CQ_OK ? status : CQ_ALLOC(ctx, rows->begin, n_states + 1);
  status = status != CQ_OK ? status : CQ_ALLOC(ctx, room, 2 * n_states);
  status = status != CQ_OK ? status : CQ_ALLOC(ctx, view_of, model->n_groups);
  if (status == CQ_OK) {
    find_classes(model, rows, room);
    for (int k = model->steps; k >= 0; k--) {
      room[rows->class_of[k]] = k;
    }
    status = fill(ctx, model, room, view_of, room + n_states, rows);
  }
  cq_free(ctx, room);
  cq_free(ctx, view_of);
  return status;
}

void cq_z_rows_free(cq_ctx *ctx, cq_z_rows *rows) {
  cq_free(ctx, rows->class_of);
  cq_free(ctx, rows->begin);
  cq_free(ctx, rows->first);
  cq_free(ctx, rows->views);
  *rows = (cq_z_rows){0};
}
