/* Lists of methods with settings. */
#include "variants.h"

#include "cqopt/base.h"
#include "test.h"

static cq_ctx *ctx;

static void test_methods(void) {
  cli_variants v;
  CHECK(cli_methods_parse(ctx, "LD_SLSQP, adam(learning_rate=0.01,clip = 2) ,cmaes (w=[1, 2])",
                          &v) == CQ_OK);
  CHECK(v.count == 3);
  CHECK_STR(v.items[0].label, "LD_SLSQP");
  CHECK_STR(v.items[0].folder, "LD_SLSQP");
  CHECK(v.items[0].n_sets == 1);
  CHECK_STR(v.items[0].sets[0], "optimizer.name=LD_SLSQP");
  CHECK_STR(v.items[1].label, "adam(learning_rate=0.01;clip = 2)");
  CHECK_STR(v.items[1].folder, "adam_learning_rate_0.01_clip_2");
  CHECK(v.items[1].n_sets == 3);
  CHECK_STR(v.items[1].sets[0], "optimizer.name=adam");
  CHECK_STR(v.items[1].sets[1], "optimizer.learning_rate=0.01");
  CHECK_STR(v.items[1].sets[2], "optimizer.clip = 2");
  CHECK_STR(v.items[2].sets[0], "optimizer.name=cmaes");
  CHECK_STR(v.items[2].sets[1], "optimizer.w=[1, 2]");
  free(v.items);
}

static void refused(const char *list, const char *words) {
  cli_variants v;
  CHECK_MSG(cli_methods_parse(ctx, list, &v) == CQ_USAGE, "'%s' is taken", list);
  CHECK_MSG(strstr(cq_ctx_error(ctx), words) != NULL, "'%s': %s", list, cq_ctx_error(ctx));
  cq_ctx_clear_error(ctx);
  free(v.items);
}

static void test_wrong_methods(void) {
  refused("", "an item of the list is empty");
  refused("adam,", "an item of the list is empty");
  refused("adam,,LD_MMA", "an item of the list is empty");
  refused("adam(clip=1", "do not match");
  refused("adam)clip=1(", "do not match");
  refused("adam(\"x)", "do not match");
  refused("adam(clip)", "'clip' is no setting");
  refused("adam()", "an item of the list is empty");
  refused("(clip=1)", "is no method with settings");
  refused("adam(clip=1)x", "is no method with settings");
  refused("adam x", "is no method with settings");
  refused("adam(clip=1),adam(clip=1)", "adam(clip=1) is given twice");
  refused("adam(clip=1),adam( clip=1 )", "have one name as a folder");
}

int main(void) {
  ctx = cq_ctx_create(1, 1);
  RUN(test_methods);
  RUN(test_wrong_methods);
  cq_ctx_destroy(ctx);
  return TEST_RESULT();
}
