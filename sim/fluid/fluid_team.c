/* The threads of a step: shares, passes, turns. */
#include "fluid_team.h"

#include "alloc.h"
#include "flush_mode.h"
#include "status.h"

#ifdef _OPENMP
#  include <omp.h>
#endif

static cq_status make_passes(fluid *c, cq_passes *p, size_t items) {
  p->n_shares = c->threads;
  CQ_TRY(CQ_ALLOC(c->ctx, p->done, items));
  return CQ_ALLOC(c->ctx, p->share, c->threads);
}

cq_status V(cq_fluid_make_team)(fluid *c) {
  const size_t chunks = fluid_chunks(c->n_all);
  CQ_TRY(make_passes(c, &c->team.sorting, (size_t)c->threads + 1));
  CQ_TRY(make_passes(c, &c->team.listing, chunks));
  CQ_TRY(make_passes(c, &c->team.sweeping, chunks));
  CQ_TRY(CQ_ALLOC(c->ctx, c->team.weight, chunks));
  CQ_TRY(CQ_ALLOC(c->ctx, c->team.low, c->threads));
  return CQ_ALLOC(c->ctx, c->team.high, c->threads);
}

void V(cq_fluid_free_team)(fluid *c) {
  fluid_team *t = &c->team;
  void *const owned[] = {t->sorting.done,  t->sorting.share, t->listing.done,
                         t->listing.share, t->sweeping.done, t->sweeping.share,
                         t->weight,        t->low,           t->high};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
    cq_free(c->ctx, owned[i]);
  }
}

static void work_as(const fluid_thread *as, int share, fluid_work *work) {
  const unsigned mode = flush_begin();
  fluid_thread me = *as;
  me.worker = (cq_worker){.share = share};
  me.turn = 0;
  work(&me);
  flush_end(mode);
}

/* Where there are fewer threads than shares, those that are there do them all. */
cq_status V(cq_fluid_together)(fluid *c, const fluid_thread *as, fluid_work *work) {
  c->team.turns = (cq_turns){0, 0};
  c->team.status = CQ_OK;
  if (c->threads == 1) {
    work_as(as, 0, work);
  } else {
#pragma omp parallel num_threads(c->threads)
    {
      int share = 0;
#ifdef _OPENMP
      share = omp_get_thread_num();
#endif
      work_as(as, share, work);
    }
  }
  return (cq_status)c->team.status;
}

static void make_turn(fluid_thread *me, fluid_turn *turn) {
  fluid_team *team = &me->c->team;
  const cq_status status = turn(me->c, me);
  if (status != CQ_OK) {
    __atomic_store_n(&team->status, (int)status, __ATOMIC_RELAXED);
  }
  cq_turn_end(&team->turns, me->turn);
}

bool V(cq_fluid_take_turn)(fluid_thread *me, const cq_passes *after, int pass, fluid_turn *turn) {
  fluid_team *team = &me->c->team;
  if (cq_turn_take(&team->turns, me->turn)) {
    cq_passes_await(after, pass);
    make_turn(me, turn);
  } else {
    cq_turn_await(&team->turns, me->turn);
  }
  me->turn++;
  return __atomic_load_n(&team->status, __ATOMIC_RELAXED) == CQ_OK;
}

void V(cq_fluid_try_turn)(fluid_thread *me, const cq_passes *after, int pass, fluid_turn *turn) {
  if (cq_passes_are_through(after, pass) && cq_turn_take(&me->c->team.turns, me->turn)) {
    make_turn(me, turn);
  }
}

void V(cq_fluid_pass)(fluid_thread *me, const cq_passes *passes, bool near, fluid_pass *pass) {
  const fluid_found *found = me->c->found;
  for (int k; (k = cq_pass_take(passes, &me->worker)) >= 0;) {
    if (near) {
      cq_pass_await(passes, &me->worker, found[k].first, found[k].last);
    }
    pass(me, k);
    cq_pass_end(passes, &me->worker, k);
  }
}
