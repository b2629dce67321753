/* Code that nothing can interrupt, NLopt's and IPOPT's, in a thread of its own.
 *
 * It computes there and no more. What it calls back runs on the thread that waits for it, which is
 * the caller's: evaluations, records and logs see one thread, and code that is given up has never
 * held anything that is not its own. */
#ifndef CQ_OPT_APART_H
#define CQ_OPT_APART_H

#include "cqopt/base.h"

/* Freed by cq_apart_destroy or, when a job was given up, by its thread, if that ever ends. */
typedef struct cq_apart cq_apart;

typedef struct cq_apart_job {
  void (*run)(void *job);
  /* of a job that was given up and has come back after all, on its thread */
  void (*dispose)(void *job);
  void *job;
  /* Asked now and then while run has not called for silence [s]: true gives it up. */
  bool (*gives_up)(void *watch, double silence);
  void *watch;
} cq_apart_job;

/* CQ_MEMORY when no thread can be made. */
cq_status cq_apart_create(cq_ctx *ctx, cq_apart **out);
/* Runs a job there and serves its calls here. False: it was given up. The apart and the job are
 * its thread's own then, and must not be touched. */
bool cq_apart_run(cq_apart *apart, const cq_apart_job *job);
/* For a job: call(user) on the thread of cq_apart_run. False: the job has been given up, call was
 * not made, and nothing but the job's own memory may be touched any more. */
bool cq_apart_call(cq_apart *apart, void (*call)(void *user), void *user);
void cq_apart_destroy(cq_apart *apart);

#endif
