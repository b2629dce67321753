/* Which optimizers there are, and what they are called, here and elsewhere. */
#include "give.h"
#include "method.h"
#include "nearest.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const cq_optimizer *const optimizers[] = {
#define CQ_OPTIMIZER(name) &cq_optimizer_##name,
#include "optimizer_list.h"
#undef CQ_OPTIMIZER
};

enum { N_OPTIMIZERS = (int)(sizeof optimizers / sizeof optimizers[0]) };

/* In any case, with hyphens, underscores and blanks or without. `same`: the word means this method,
 * and a file may say it; else the method is what comes near, and is proposed. */
static const struct {
  const char *word, *name;
  bool same;
} words[] = {
    {"slsqp", "LD_SLSQP", true},
    {"mma", "LD_MMA", true},
    {"ccsa", "LD_CCSAQ", true},
    {"ccsaq", "LD_CCSAQ", true},
    {"lbfgs", "LD_LBFGS", true},
    {"lbfgsb", "LD_LBFGS", true},
    {"bfgs", "LD_LBFGS", false},
    {"auglag", "AUGLAG_LBFGS", false},
    {"augmented_lagrangian", "AUGLAG_LBFGS", false},
    {"cobyla", "LN_COBYLA", true},
    {"neldermead", "LN_NELDERMEAD", true},
    {"simplex", "LN_NELDERMEAD", false},
    {"gd", "gradient_descent", true},
    {"sgd", "gradient_descent", false},
    {"adamw", "adam", false},
    {"cma", "cmaes", true},
    {"sepcma", "sep_cmaes", true},
    {"ipopcma", "ipop_cmaes", true},
    {"bipopcma", "bipop_cmaes", true},
    {"1+1es", "one_plus_one_es", true},
    {"(1+1)es", "one_plus_one_es", true},
    {"random", "random_search", true},
    {"bobyqa", "LN_BOBYQA", true},
    {"newuoa", "LN_NEWUOA_BOUND", true},
    {"sbplx", "LN_SBPLX", true},
    {"subplex", "LN_SBPLX", true},
    {"praxis", "LN_PRAXIS", true},
    {"powell", "LN_PRAXIS", false},
    {"var1", "LD_VAR1", true},
    {"var2", "LD_VAR2", true},
    {"tnewton", "LD_TNEWTON", true},
    {"tnc", "LD_TNEWTON", false},
    {"newton", "LD_TNEWTON", false},
    {"newton_cg", "LD_TNEWTON", false},
    {"mlsl", "GD_MLSL_LDS", false},
    {"crs", "GN_CRS2_LM", true},
    {"crs2", "GN_CRS2_LM", true},
    {"direct", "GN_DIRECT", true},
    {"directl", "GN_DIRECT_L", true},
    {"isres", "GN_ISRES", true},
    {"genetic", "GN_ISRES", false},
    {"differential_evolution", "GN_ISRES", false},
    {"esch", "GN_ESCH", true},
};

enum { N_WORDS = sizeof words / sizeof words[0] };

const cq_optimizer *cq_optimizer_at(int i) {
  return i >= 0 && i < N_OPTIMIZERS ? optimizers[i] : NULL;
}

const char *cq_optimizer_name(int i) {
  return i >= 0 && i < N_OPTIMIZERS ? optimizers[i]->name : NULL;
}

const char *cq_optimizer_help(int i) {
  return i >= 0 && i < N_OPTIMIZERS ? optimizers[i]->help : NULL;
}

/* What of a method is public. */
cq_status cq_optimizer_get_facts(int i, cq_optimizer_facts *out) {
  if (i < 0 || i >= N_OPTIMIZERS) {
    return CQ_USAGE;
  }
  const cq_optimizer *o = optimizers[i];
  const cq_optimizer_facts facts = {.needs_gradient = o->needs_gradient,
                                    .needs_exact_gradient = o->needs_exact_gradient,
                                    .needs_residuals = o->needs_residuals,
                                    .bounds = o->handles_bounds,
                                    .inequality = o->handles_inequality,
                                    .equality = o->handles_equality,
                                    .box = o->needs_box,
                                    .least_n = o->least_n,
                                    .most_n = o->most_n,
                                    .good_n = o->good_n,
                                    .use = o->use,
                                    .traps = o->traps,
                                    .missing = o->missing};
  return CQ_GIVE(NULL, out, facts);
}

static const char automatic[] = "auto";

bool cq_optimizer_is_auto(const char *name) {
  return name != NULL && cq_same_word(name, automatic);
}

/* The listed name, or a word that means the same method. */
const char *cq_optimizer_canonical(const char *name) {
  if (name == NULL) {
    return NULL;
  }
  if (cq_optimizer_is_auto(name)) {
    return automatic;
  }
  for (int i = 0; cq_optimizer_name(i) != NULL; i++) {
    if (cq_same_word(cq_optimizer_name(i), name)) {
      return cq_optimizer_name(i);
    }
  }
  for (int i = 0; i < N_WORDS; i++) {
    if (words[i].same && cq_same_word(words[i].word, name)) {
      return words[i].name;
    }
  }
  return NULL;
}

const cq_optimizer *cq_optimizer_find(const char *name) {
  const char *const known = cq_optimizer_canonical(name);
  for (int i = 0; known != NULL && i < N_OPTIMIZERS; i++) {
    if (strcmp(optimizers[i]->name, known) == 0) {
      return optimizers[i];
    }
  }
  return NULL;
}

const char *cq_optimizer_word(int i, const char **name) {
  *name = i >= 0 && i < N_WORDS ? words[i].name : NULL;
  return *name != NULL ? words[i].word : NULL;
}

void cq_optimizer_suggest(const char *wrong, char *text, size_t size) {
  cq_nearest nearest = cq_nearest_begin(wrong != NULL ? wrong : "");
  cq_nearest_offer(&nearest, automatic);
  for (int i = 0; cq_optimizer_name(i) != NULL; i++) {
    cq_nearest_offer(&nearest, cq_optimizer_name(i));
  }
  for (int i = 0; i < N_WORDS; i++) {
    cq_nearest_offer_as(&nearest, words[i].word, words[i].name);
  }
  snprintf(text, size, "%s", cq_nearest_text_or(&nearest, "'cqopt list optimizers' names them"));
}
