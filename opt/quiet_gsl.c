#include "quiet_gsl.h"

#include <gsl/gsl_errno.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n_inside;
static gsl_error_handler_t *before;

void cq_quiet_gsl_begin(void) {
  pthread_mutex_lock(&lock);
  if (n_inside++ == 0) {
    before = gsl_set_error_handler_off();
  }
  pthread_mutex_unlock(&lock);
}

void cq_quiet_gsl_end(void) {
  pthread_mutex_lock(&lock);
  if (--n_inside == 0) {
    gsl_set_error_handler(before);
  }
  pthread_mutex_unlock(&lock);
}
