#include "signals.h"

#include <signal.h>
#include <string.h>

/* the handler's context: the one thing it can be told */
static cq_ctx *volatile signal_ctx;
static volatile sig_atomic_t signal_count;

static void on_signal(int number) {
  enum { PATIENCE = 3 };
  if (++signal_count >= PATIENCE) {
    signal(number, SIG_DFL);
    raise(number);
    return;
  }
  cq_ctx_request_stop(signal_ctx, number == SIGINT ? CQ_INTERRUPTED : CQ_TERMINATED);
}

static void install(void (*handler)(int)) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

void cli_signals_begin(cq_ctx *ctx) {
  signal_ctx = ctx;
  signal_count = 0;
  install(on_signal);
  /* a reader of the screen that goes away must not take the run with it */
  signal(SIGPIPE, SIG_IGN);
}

void cli_signals_end(void) {
  install(SIG_DFL);
  signal_ctx = NULL;
}
