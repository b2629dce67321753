/* The present state of a run as bytes: a head that says what they are, and what a stepper saves. */
#include "run.h"

#include "cqopt/version.h"
#include "hash.h"

#include <string.h>

typedef struct head {
  char magic[8];
  char version[16], level[16];
  uint64_t config, bytes, sum; /* sum: of what follows the head */
  int32_t step, more;          /* more: numbers of the longest row of z */
} head;

static cq_status make_head(const cq_run *run, head *h) {
  memset(h, 0, sizeof *h);
  memcpy(h->magic, "cqstate", 8);
  snprintf(h->version, sizeof h->version, "%s", cq_version());
  snprintf(h->level, sizeof h->level, "%s", cq_simd_level());
  h->bytes = cq_stepper_bytes(run->stepper);
  h->more = cq_stepper_layout(run->stepper)->rows->longest;
  return cq_scene_config_hash(run->file->scene, false, &h->config);
}

/* The present state with a head that says what it is of. */
cq_status cq_run_save(cq_run *run, void *bytes, size_t *size) {
  head h;
  CQ_TRY(cq_run_begin_reset(run));
  CQ_CHECK(run->ctx, size != NULL, CQ_USAGE, "the size of the state is missing");
  CQ_TRY(make_head(run, &h));
  const size_t room = *size, needed = sizeof h + h.bytes;
  *size = needed;
  if (bytes == NULL) {
    return CQ_OK;
  }
  CQ_CHECK(run->ctx, room >= needed, CQ_USAGE, "the state needs %zu bytes, there was room for %zu",
           needed, room);
  char *const rest = (char *)bytes + sizeof h;
  cq_stepper_save(run->stepper, rest);
  h.step = cq_stepper_step(run->stepper);
  h.sum = cq_hash(rest, h.bytes);
  memcpy(bytes, &h, sizeof h);
  return CQ_OK;
}

/* Is it of this file, at this level of this version, and whole? */
static cq_status check_head(const cq_run *run, const head *h, const char *rest, size_t size) {
  head mine;
  CQ_TRY(make_head(run, &mine));
  const bool same = memcmp(h->magic, mine.magic, sizeof mine.magic) == 0 &&
                    memcmp(h->version, mine.version, sizeof mine.version) == 0 &&
                    memcmp(h->level, mine.level, sizeof mine.level) == 0 &&
                    h->config == mine.config && h->bytes == mine.bytes && h->more == mine.more;
  CQ_CHECK(run->ctx, same, CQ_CONFIG,
           "the state is of another file, another version of the library or another SIMD level");
  CQ_CHECK(run->ctx,
           size == sizeof *h + h->bytes && h->sum == cq_hash(rest, h->bytes) && h->step >= 0 &&
               h->step <= run->model.steps,
           CQ_CONFIG, "the state is damaged");
  return CQ_OK;
}

cq_status cq_run_load(cq_run *run, const void *bytes, size_t size) {
  head h;
  CQ_TRY(cq_run_begin(run));
  CQ_CHECK(run->ctx, bytes != NULL && size >= sizeof h, CQ_USAGE, "there is no state");
  const char *const rest = (const char *)bytes + sizeof h;
  memcpy(&h, bytes, sizeof h);
  CQ_TRY(check_head(run, &h, rest, size));
  CQ_TRY(cq_stepper_load(run->stepper, h.step, rest));
  run->sized = run->sees = false;
  run->written = true; /* it is not known of which design it is */
  run->pulled_from = -1;
  return run->seeds != NULL ? cq_run_clear_seeds(run) : CQ_OK;
}
