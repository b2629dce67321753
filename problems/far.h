/* Evaluations with helpers (cq_helpers): other processes that have the same file. What is asked of
 * one is a run of the file's own scene, or of a scenario or experiment; what it answers are the
 * bits that the scene here would have given. A run that fails there is not answered: it is made
 * here, where its failure is told. */
#ifndef CQ_PROBLEMS_FAR_H
#define CQ_PROBLEMS_FAR_H

#include "scene.h"
#include "side_by_side.h"

typedef enum cq_far_kind { CQ_FAR_VALUES, CQ_FAR_FUNCTIONS, CQ_FAR_RESIDUALS } cq_far_kind;

typedef struct cq_far_request {
  cq_far_kind kind;
  int item, which; /* a scenario or experiment; which scenario a batch has drawn for it */
  int level;
  bool derivatives;
  size_t n_x; /* of the numbers that follow it */
} cq_far_request;

/* What the scene did for an answer. */
typedef struct cq_far_work {
  cq_scene_stats stats;
  long long failures;
} cq_far_work;

/* A part of an answer: where it comes from, or goes to. */
typedef struct cq_far_part {
  void *at;
  size_t bytes;
} cq_far_part;

/* Those of the scene's helpers that are here: indices [CQ_MOST_HELPERS]; their number. */
int cq_far_here(const cq_scene *scene, int *helpers);
/* Asks a helper for parts [n] at x; CQ_FAR_LEFT: the run failed there. Adds to *work. */
cq_far_end cq_far_ask(const cq_scene *scene, int helper, const cq_far_request *request, int n_x,
                      const double *x, const cq_far_part *parts, int n, cq_far_work *work);
/* The other side: the request in bytes, and its x [*n_x]; false: it is none. */
bool cq_far_read(const void *bytes, size_t size, cq_far_request *request, const double **x,
                 int *n_x);
/* The answer, in room of the scene. */
cq_status cq_far_answer(cq_scene *scene, const cq_far_work *work, const cq_far_part *parts, int n,
                        const void **answer, size_t *size);
/* What stands in `now` and not yet in `before`. */
cq_far_work cq_far_since(const cq_far_work *now, const cq_far_work *before);
void cq_far_add(const cq_far_work *work, cq_scene_stats *stats, long long *failures);

#endif
