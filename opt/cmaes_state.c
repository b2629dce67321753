/* The state as text: names and numbers, doubles as hexadecimal fractions. */
#include "cmaes.h"

#include "alloc.h"
#include "status.h"

#include <inttypes.h>
#include <string.h>

#define SETUP_INTS(X)    X(n) X(population) X(most_generations) X(separable) X(penalty)
#define SETUP_DOUBLES(X) X(sigma) X(x_tolerance) X(f_tolerance) X(x_relative) X(f_relative)

static void save_array(FILE *file, const char *name, const double *values, size_t count) {
  fprintf(file, "%s", name);
  for (size_t i = 0; i < count; i++) {
    fprintf(file, " %a", values[i]);
  }
  fputc('\n', file);
}

static void save_rng(FILE *file, const gsl_rng *rng) {
  const unsigned char *state = gsl_rng_state(rng);
  fprintf(file, "%s ", gsl_rng_name(rng));
  for (size_t i = 0; i < gsl_rng_size(rng); i++) {
    fprintf(file, "%02x", state[i]);
  }
  fputc('\n', file);
}

/* The lists of the header in their order, so that a new member is saved, too. */
cq_status cq_cmaes_save(const cq_cmaes *es, FILE *file) {
  fprintf(file, "cqopt-cmaes-1\nseed %" PRIu64 "\n", es->setup.seed);
#define SAVE_SETUP_INT(name)    fprintf(file, #name " %d\n", (int)es->setup.name);
#define SAVE_SETUP_DOUBLE(name) fprintf(file, #name " %a\n", es->setup.name);
#define SAVE_DOUBLE(name)       fprintf(file, #name " %a\n", es->name);
#define SAVE_COUNT(name)        fprintf(file, #name " %d\n", es->name);
#define SAVE_ARRAY(name, count) save_array(file, #name, es->name, (size_t)(count));
  SETUP_INTS(SAVE_SETUP_INT)
  SETUP_DOUBLES(SAVE_SETUP_DOUBLE)
  CQ_CMAES_DOUBLES(SAVE_DOUBLE)
  CQ_CMAES_COUNTS(SAVE_COUNT)
  CQ_CMAES_ARRAYS(SAVE_ARRAY)
  save_rng(file, es->rng);
  CQ_CHECK(es->ctx, !ferror(file), CQ_IO, "the state of CMA-ES could not be written");
  return CQ_OK;
}

static cq_status expect(cq_ctx *ctx, FILE *file, const char *name) {
  char word[32];
  CQ_CHECK(ctx, fscanf(file, "%31s", word) == 1 && strcmp(word, name) == 0, CQ_CONFIG,
           "the state of CMA-ES has no \"%s\" where it must be", name);
  return CQ_OK;
}

static cq_status load_int(cq_ctx *ctx, FILE *file, const char *name, int *value) {
  CQ_TRY(expect(ctx, file, name));
  CQ_CHECK(ctx, fscanf(file, "%d", value) == 1, CQ_CONFIG,
           "the state of CMA-ES has no number after \"%s\"", name);
  return CQ_OK;
}

static cq_status load_array(cq_ctx *ctx, FILE *file, const char *name, double *values,
                            size_t count) {
  CQ_TRY(expect(ctx, file, name));
  for (size_t i = 0; i < count; i++) {
    CQ_CHECK(ctx, fscanf(file, "%la", &values[i]) == 1, CQ_CONFIG,
             "the state of CMA-ES has no %zu numbers after \"%s\"", count, name);
  }
  return CQ_OK;
}

static cq_status load_rng(cq_ctx *ctx, FILE *file, gsl_rng *rng) {
  unsigned char *state = gsl_rng_state(rng);
  CQ_TRY(expect(ctx, file, gsl_rng_name(rng)));
  for (size_t i = 0; i < gsl_rng_size(rng); i++) {
    unsigned byte = 0;
    CQ_CHECK(ctx, fscanf(file, "%2x", &byte) == 1, CQ_CONFIG,
             "the state of CMA-ES is cut off in its random numbers");
    state[i] = (unsigned char)byte;
  }
  return CQ_OK;
}

/* What the object is made from, before its own state can be read into it. */
static cq_status load_setup(cq_ctx *ctx, FILE *file, cq_cmaes_setup *setup) {
  CQ_TRY(expect(ctx, file, "cqopt-cmaes-1"));
  CQ_TRY(expect(ctx, file, "seed"));
  CQ_CHECK(ctx, fscanf(file, "%" SCNu64, &setup->seed) == 1, CQ_CONFIG,
           "the state of CMA-ES has no seed");
  int value = 0;
#define LOAD_SETUP_INT(name)                                                                       \
  CQ_TRY(load_int(ctx, file, #name, &value));                                                      \
  setup->name = value;
#define LOAD_SETUP_DOUBLE(name) CQ_TRY(load_array(ctx, file, #name, &setup->name, 1));
  SETUP_INTS(LOAD_SETUP_INT)
  SETUP_DOUBLES(LOAD_SETUP_DOUBLE)
  CQ_CHECK(ctx, setup->n >= 1 && (setup->population == 0 || setup->population >= 4), CQ_CONFIG,
           "the state of CMA-ES is of %d variables and %d candidates", setup->n, setup->population);
  return CQ_OK;
}

static cq_status load_state(cq_cmaes *es, FILE *file) {
  cq_ctx *ctx = es->ctx;
#define LOAD_DOUBLE(name)       CQ_TRY(load_array(ctx, file, #name, &es->name, 1));
#define LOAD_COUNT(name)        CQ_TRY(load_int(ctx, file, #name, &es->name));
#define LOAD_ARRAY(name, count) CQ_TRY(load_array(ctx, file, #name, es->name, (size_t)(count)));
  CQ_CMAES_DOUBLES(LOAD_DOUBLE)
  CQ_CMAES_COUNTS(LOAD_COUNT)
  CQ_CMAES_ARRAYS(LOAD_ARRAY)
  CQ_CHECK(ctx,
           es->n_spreads >= 0 && es->n_spreads <= es->spread_room && es->n_recent >= 0 &&
               es->n_recent <= es->recent_room && es->n_long >= 0 && es->n_long <= es->long_room,
           CQ_CONFIG, "the state of CMA-ES has histories of a wrong length");
  return load_rng(ctx, file, es->rng);
}

static cq_status create(cq_ctx *ctx, const cq_cmaes_setup *setup, cq_cmaes **out) {
  const size_t n = (size_t)setup->n;
  double *zeros = NULL;
  CQ_TRY(CQ_ALLOC(ctx, zeros, n));
  const cq_status status = cq_cmaes_create(ctx, setup, zeros, zeros, zeros, zeros, out);
  cq_free(ctx, zeros);
  return status;
}

cq_status cq_cmaes_load(cq_ctx *ctx, FILE *file, cq_cmaes **out) {
  cq_cmaes_setup setup = {.n = 0};
  *out = NULL;
  CQ_TRY(load_setup(ctx, file, &setup));
  CQ_TRY(create(ctx, &setup, out));
  const cq_status status = load_state(*out, file);
  if (status != CQ_OK) {
    cq_cmaes_destroy(*out);
    *out = NULL;
  }
  return status;
}
