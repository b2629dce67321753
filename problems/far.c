#include "far.h"

#include "alloc.h"
#include "status.h"

#include <stdlib.h>
#include <string.h>

int cq_far_here(const cq_scene *scene, int *helpers) {
  const cq_helpers *const h = scene->helpers;
  int n = 0;
  for (int i = 0; h != NULL && i < h->count && i < CQ_MOST_HELPERS; i++) {
    if (h->is_here(h->user, i)) {
      helpers[n++] = i;
    }
  }
  return n;
}

static size_t bytes_of(const cq_far_part *parts, int n) {
  size_t bytes = sizeof(cq_far_work);
  for (int i = 0; i < n; i++) {
    bytes += parts[i].bytes;
  }
  return bytes;
}

void cq_far_add(const cq_far_work *work, cq_scene_stats *stats, long long *failures) {
  stats->simulations += work->stats.simulations;
  stats->gradients += work->stats.gradients;
  stats->forward_seconds += work->stats.forward_seconds;
  stats->backward_seconds += work->stats.backward_seconds;
  *failures += work->failures;
}

cq_far_work cq_far_since(const cq_far_work *now, const cq_far_work *before) {
  return (cq_far_work){
      .stats = {.simulations = now->stats.simulations - before->stats.simulations,
                .gradients = now->stats.gradients - before->stats.gradients,
                .forward_seconds = now->stats.forward_seconds - before->stats.forward_seconds,
                .backward_seconds = now->stats.backward_seconds - before->stats.backward_seconds},
      .failures = now->failures - before->failures};
}

static void take_apart(const char *answer, const cq_far_part *parts, int n, cq_far_work *work) {
  cq_far_work did;
  memcpy(&did, answer, sizeof did);
  answer += sizeof did;
  for (int i = 0; i < n; i++) {
    if (parts[i].bytes > 0) {
      memcpy(parts[i].at, answer, parts[i].bytes);
      answer += parts[i].bytes;
    }
  }
  cq_far_add(&did, &work->stats, &work->failures);
}

/* A question is the request and x, an answer the work and the parts. */
cq_far_end cq_far_ask(const cq_scene *scene, int helper, const cq_far_request *request, int n_x,
                      const double *x, const cq_far_part *parts, int n, cq_far_work *work) {
  const cq_helpers *const h = scene->helpers;
  const size_t of_x = (size_t)n_x * sizeof *x, asked = sizeof *request + of_x;
  const size_t wanted = bytes_of(parts, n);
  size_t got = wanted;
  cq_far_request sent = *request;
  sent.n_x = (size_t)n_x;
  cq_far_end end = CQ_FAR_LEFT;
  char *const question = malloc(asked), *const answer = malloc(wanted);
  if (question != NULL && answer != NULL) {
    memcpy(question, &sent, sizeof sent);
    memcpy(question + sizeof *request, x, of_x);
    if (!h->ask(h->user, helper, question, asked, answer, &got)) {
      end = CQ_FAR_GONE;
    } else if (got == wanted) {
      take_apart(answer, parts, n, work);
      end = CQ_FAR_DONE;
    }
  }
  free(question);
  free(answer);
  return end;
}

bool cq_far_read(const void *bytes, size_t size, cq_far_request *request, const double **x,
                 int *n_x) {
  if (size < sizeof *request) {
    return false;
  }
  memcpy(request, bytes, sizeof *request);
  *x = (const double *)(const void *)((const char *)bytes + sizeof *request);
  *n_x = (int)request->n_x;
  return request->n_x <= size && size == sizeof *request + request->n_x * sizeof **x;
}

/* The work, then the parts, in memory of the scene. */
cq_status cq_far_answer(cq_scene *scene, const cq_far_work *work, const cq_far_part *parts, int n,
                        const void **answer, size_t *size) {
  const size_t bytes = bytes_of(parts, n);
  if (bytes > scene->answer_room) {
    CQ_TRY(CQ_ARENA(&scene->arena, scene->answer, bytes));
    scene->answer_room = bytes;
  }
  char *to = scene->answer;
  memcpy(to, work, sizeof *work);
  to += sizeof *work;
  for (int i = 0; i < n; i++) {
    if (parts[i].bytes > 0) {
      memcpy(to, parts[i].at, parts[i].bytes);
      to += parts[i].bytes;
    }
  }
  *answer = scene->answer;
  *size = bytes;
  return CQ_OK;
}
