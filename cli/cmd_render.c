/* cqopt render: pictures of a motion, where the program was built with cairo. */
#include "cqopt/cqopt.h"

#include "options.h"
#include "status.h"

#ifdef CQ_CAIRO
#  include "render_wanted.h"

cq_status cmd_render(cq_ctx *ctx, const cli_options *options) {
  return cli_render(ctx, options);
}

#else

cq_status cmd_render(cq_ctx *ctx, const cli_options *options) {
  (void)options;
  return CQ_FAIL(ctx, CQ_DEVICE,
                 "this cqopt draws nothing: cairo was not found when it was built; install it "
                 "(Debian: apt install libcairo2-dev) and build again");
}

#endif
