/* The cases of test_opt_adversary.c, by kind. */
#ifndef CQ_TESTS_OPT_ADVERSARY_CASES_H
#define CQ_TESTS_OPT_ADVERSARY_CASES_H

#include "test_opt_adversary_forms.h"

#include <stdio.h>
#include <stdlib.h>

enum { ADV_MOST = 800 };

static adv_case adv_cases[ADV_MOST];
static int adv_count;

#define COUNT_OF(list) ((int)(sizeof(list) / sizeof *(list)))

static adv_case *add(const char *kind, const char *form) {
  if (adv_count == ADV_MOST) {
    printf("more than %d cases\n", ADV_MOST);
    abort();
  }
  adv_case *a = &adv_cases[adv_count++];
  *a = (adv_case){.kind = kind, .form = adv_find(form)};
  snprintf(a->name, sizeof a->name, "%s", form);
  return a;
}

static adv_case *named(adv_case *a, const char *what, double value) {
  const size_t used = strlen(a->name);
  snprintf(a->name + used, sizeof a->name - used, "; %s %g", what, value);
  return a;
}

/* start: all variables begin there */
static adv_case *from_all(adv_case *a, double start) {
  a->from = true;
  for (int i = 0; i < a->form.n; i++) {
    a->start[i] = start;
  }
  return named(a, "from", start);
}

/* two variables; where there are more, they take turns */
static adv_case *from(adv_case *a, double first, double second) {
  a->from = true;
  for (int i = 0; i < a->form.n; i++) {
    a->start[i] = i % 2 == 0 ? first : second;
  }
  return named(named(a, "from", first), "and", second);
}

static adv_case *within(adv_case *a, double lower, double upper) {
  a->lower = lower;
  a->upper = upper;
  return named(a, "bounds to", upper);
}

static adv_case *scaled(adv_case *a, double scale) {
  a->scale = scale;
  return named(a, "scale", scale);
}

static adv_case *times(adv_case *a, double factor) {
  a->factor = factor;
  return named(a, "f times", factor);
}

static adv_case *weighed(adv_case *a, double factor) {
  a->c_factor = factor;
  return named(a, "c times", factor);
}

/* methods without a gradient take part, too */
static adv_case *for_all(adv_case *a) {
  a->no_gradient = true;
  return a;
}

static void huge_starts(void) {
  static const char kind[] = "huge_start";
  const double far[] = {10, 100, 1000};
  for_all(add(kind, "exp wall"));
  from(add(kind, "exp wall"), 4, 4);
  from(add(kind, "exp wall"), 1.5, -3);
  from(add(kind, "exp wall"), -4, -4);
  from(within(add(kind, "rosenbrock"), -2000, 2000), -1000, 1000);
  from(within(add(kind, "rosenbrock"), -2000, 2000), 1000, -1000);
  from(within(add(kind, "rosenbrock"), -2e4, 2e4), -1e4, 1e4);
  from(within(add(kind, "rosenbrock"), -INFINITY, INFINITY), 100, 100);
  for (int k = 0; k < COUNT_OF(far); k++) {
    from_all(add(kind, "quartic 2"), far[k]);
    from_all(add(kind, "quartic 10"), far[k]);
    from_all(add(kind, "sixth 2"), far[k]);
    from(add(kind, "eighth 2"), far[k], -far[k] / 3);
    from(within(add(kind, "powell"), -2000, 2000), far[k], -far[k]);
    from(within(add(kind, "wood"), -2000, 2000), -far[k], far[k] / 2);
  }
  add(kind, "far 1e6");
  from(add(kind, "far 1e6"), 1000, 1e6);
  from(add(kind, "far 1e6"), 1000, 0);
  from_all(add(kind, "cosh"), 3);
  from(add(kind, "cosh"), 8, -8);
  from(add(kind, "cosh"), 20, 0.1);
  from_all(add(kind, "exp slope"), 2);
  from_all(add(kind, "exp slope"), 4);
  from(within(add(kind, "himmelblau"), -2000, 2000), 1000, 500);
  from(within(add(kind, "roth"), -200, 200), 150, 150);
}

/* x_2 >= 1e-9 */
static void tutorial(void) {
  static const double starts[][2] = {{-2.9, 0.003}, {2.9, 0.02},  {0.1, 9.9},   {-1.5, 5},
                                     {1.7, 0.5},    {-0.2, 1e-3}, {0.33, 2e-3}, {2.99, 9.5},
                                     {30, 1},       {-30, 1},     {300, 1e4},   {-1000, 1e6}};
  for (int k = 0; k < COUNT_OF(starts); k++) {
    from(add("tutorial", "tutorial"), starts[k][0], starts[k][1]);
  }
}

static void units(void) {
  static const char *const forms[] = {"quadratic 1e2", "rosenbrock", "exp wall",
                                      "hs43",          "hs71",       "saddle well 2"};
  const double factors[] = {1e-8, 1e-4, 1e4, 1e8}, wrong[] = {1e-6, 1e-3, 1e3, 1e6},
               constants[] = {1e3, 1e6, -1e6};
  for (int i = 0; i < COUNT_OF(forms); i++) {
    for (int k = 0; k < COUNT_OF(factors); k++) {
      times(add("f_unit", forms[i]), factors[k]);
      adv_case *right = named(add("x_unit_known", forms[i]), "x times", factors[k]);
      right->x_unit = right->scale = factors[k];
      named(add("x_unit_unknown", forms[i]), "x times", factors[k])->x_unit = factors[k];
      scaled(add("wrong_scale", forms[i]), wrong[k]);
    }
    for (int k = 0; k < COUNT_OF(constants); k++) {
      named(add("constant", forms[i]), "f plus", constants[k])->constant = constants[k];
    }
    adv_case *uneven = named(add("x_unit_unknown", forms[i]), "x times and over", 1e3);
    uneven->x_unit = 1e3;
    uneven->uneven = true;
    adv_case *small = times(named(add("constant", forms[i]), "f plus", 1e6), 1e-2);
    small->constant = 1e6;
  }
}

static void plateaus(void) {
  static const char kind[] = "plateau";
  for_all(add(kind, "constant"));
  add(kind, "zero");
  times(add(kind, "constant"), 1e8);
  from_all(add(kind, "constant"), 2);
  add(kind, "one of ten");
  add(kind, "five of ten");
  for_all(add(kind, "hat"));
  from(add(kind, "hat"), 1, 0);
  from(add(kind, "hat"), 0.6, 0.6);
  for_all(add(kind, "dip"));
  from(add(kind, "dip"), 3, 3);
  from(add(kind, "dip"), 40, 40);
  from(add(kind, "dip"), 2, -2);
  from(add(kind, "dip"), 5, 0);
  for_all(add(kind, "saturated"));
  from(add(kind, "saturated"), 0.9, -1)->weak = 1;
  from(add(kind, "saturated"), 0.1, 0.1)->weak = 1;
  add(kind, "half saturated")->weak = 1;
  from(add(kind, "half saturated"), -2, 0.57)->weak = 1;
  from(add(kind, "half saturated"), 0.2, 2)->weak = 1;
  add(kind, "logistic");
  from_all(add(kind, "logistic"), 9);
  from_all(add(kind, "logistic"), 4);
  from_all(add(kind, "logistic"), 2.5);
  for_all(add(kind, "stairs"));
  from(add(kind, "stairs"), -4.1, 4.9);
}

static void saddles(void) {
  static const char kind[] = "saddle";
  static const char *const exact[] = {"saddle 3",  "saddle 10",   "product 2",
                                      "product 3", "monkey",      "hyperbola",
                                      "disc hill", "line saddle", "circle sum"};
  static const char *const reached[] = {"saddle well 2", "saddle well 3", "saddle well 10"};
  for_all(add(kind, "saddle 2"));
  for (int i = 0; i < COUNT_OF(exact); i++) {
    add(kind, exact[i]);
    times(add(kind, exact[i]), 1e-6);
  }
  for (int i = 0; i < COUNT_OF(reached); i++) {
    add(kind, reached[i]);
    from_all(add(kind, reached[i]), 0);
    times(add(kind, reached[i]), 1e6);
  }
  from(add(kind, "saddle 2"), 1, 0);
  from(add(kind, "saddle 2"), 0.5, 1e-12);
  from_all(add(kind, "saddle 2"), 1e-9);
  from(add(kind, "hyperbola"), 1, -1);
  from(add(kind, "camel"), 0, 0);
  add(kind, "wood");
  from(add(kind, "monkey"), 0.5, 0);
  from(add(kind, "edge 2"), -1, 0);
  from(add(kind, "edge 2"), -0.5, 0);
  from(add(kind, "disc hill"), 0.2, 0);
  from(add(kind, "disc hill"), 0, 0);
  from_all(add(kind, "circle sum"), 0.3);
}

static void maxima(void) {
  static const char kind[] = "maximum";
  static const char *const forms[] = {"hill 1", "hill 5", "bump", "himmelblau"};
  for_all(add(kind, "hill 1"));
  for (int i = 1; i < COUNT_OF(forms); i++) {
    add(kind, forms[i]);
  }
  add(kind, "waves");
  for (int i = 0; i < COUNT_OF(forms); i++) {
    times(add(kind, forms[i]), 1e-6);
    from_all(add(kind, forms[i]), 1e-9);
  }
  from(add(kind, "waves"), 3.141592653589793, 0.3);
  from(add(kind, "waves"), 3.1415926, -3.1415926);
  from(add(kind, "himmelblau"), -0.270845, -0.923039);
  from_all(add(kind, "bump"), 1e-4);
}

static void inflections(void) {
  static const char kind[] = "inflection";
  static const char *const forms[] = {"cubic", "quintic"};
  for (int i = 0; i < COUNT_OF(forms); i++) {
    add(kind, forms[i]);
    from(add(kind, forms[i]), 0, -1);
    from(add(kind, forms[i]), 0.8, 0.5);
    from(add(kind, forms[i]), 0.8, -0.7);
    from(add(kind, forms[i]), 1e-4, 0.5);
    times(from(add(kind, forms[i]), 0.3, 0.2), 1e4);
  }
  for_all(add(kind, "shelf"));
  from_all(add(kind, "shelf"), 6);
  from_all(add(kind, "shelf"), 3.3);
}

static void degenerate(void) {
  static const char kind[] = "degenerate_minimum";
  add(kind, "fourth");
  from(add(kind, "fourth"), 0, 0);
  from(add(kind, "fourth"), 0, 0.5);
  from(add(kind, "hyperbola"), 2, 2);
  add(kind, "ravine");
  from_all(add(kind, "ravine"), 0.5);
  for_all(add(kind, "powell"));
  from_all(add(kind, "quartic 10"), 1.5);
  add(kind, "cusp");
  from(add(kind, "cusp"), 1, 0);
  add(kind, "sixth 2");
}

static void kinks(void) {
  static const char kind[] = "kink";
  static const char *const forms[] = {"abs",    "abs^1.5",     "abs^1.1",      "largest",
                                      "gutter", "bent gutter", "largest of 3", "roof"};
  for (int i = 0; i < COUNT_OF(forms); i++) {
    adv_case *a = add(kind, forms[i]);
    a->no_gradient = i == 4;
    times(add(kind, forms[i]), 1e4);
    from_all(add(kind, forms[i]), 0.4);
  }
  from_all(add(kind, "abs^1.5"), 0.3);
  from(add(kind, "gutter"), 1, 1);
  from(add(kind, "gutter"), 0.3, 0.9);
  from(add(kind, "bent gutter"), -1, 1);
}

/* exact by their label, and not so */
static void lies(void) {
  static const char *const forms[] = {"quadratic 1", "quadratic 1e2", "rosenbrock",   "hs35",
                                      "hs43",        "abs^1.5",       "cut quadratic"};
  static const char *const words[] = {
      "",        "first zero", "last zero", "negated",      "last turned", "tripled",
      "a tenth", "shifted",    "all zero",  "rows negated", "rows zero"};
  for (int i = 0; i < COUNT_OF(forms); i++) {
    for (int lie = ADV_FIRST_ZERO; lie <= ADV_ROWS_ZERO; lie++) {
      if (lie < ADV_ROWS_NEGATED || adv_find(forms[i]).n_inequality > 0) {
        adv_case *a = named(add("lie", forms[i]), words[lie], lie);
        a->lie = (adv_lie)lie;
        a->gradient = i % 2 == 0 ? CQ_GRADIENT_EXACT_REVERSE : CQ_GRADIENT_DIFFERENCE;
        a->no_gradient = i == 0 && lie == ADV_NEGATED;
      }
    }
    const adv_lie heuristics[] = {ADV_TRUTH, ADV_SHIFTED, ADV_LAST_ZERO};
    for (int k = 0; k < COUNT_OF(heuristics); k++) {
      adv_case *a = named(add("heuristic", forms[i]), words[heuristics[k]], k);
      a->lie = heuristics[k];
      a->gradient = CQ_GRADIENT_HEURISTIC;
      a->allow_heuristic = i % 2 == 0;
    }
  }
}

static void tiny_constraints(void) {
  static const char kind[] = "tiny_constraint";
  const double small[] = {1e-12, 1e-9, 1e-7}, speeds[] = {0, 0.066, 0.13, 0.66, 6.6, 20};
  for (int k = 0; k < COUNT_OF(small); k++) {
    weighed(add(kind, "wall"), small[k])->no_gradient = k == 1;
    weighed(from_all(add(kind, "wall"), 0.2), small[k]);
    weighed(add(kind, "edge 2"), small[k]);
  }
  weighed(add(kind, "hs12"), 1e-7);
  weighed(add(kind, "disc 2"), 1e-7);
  weighed(add(kind, "inner disc"), 1e-9);
  weighed(add(kind, "hs43"), 1e-7);
  for (int k = 0; k < COUNT_OF(speeds); k++) {
    adv_case *ball = weighed(times(from(add(kind, "disc 21"), speeds[k], 0), 1.4e-7), 2e-7);
    ball->x_unit = 7.5e-3;
    ball->scale = 0.4;
  }
}

static void no_constraint_gradient(void) {
  static const char kind[] = "no_constraint_gradient";
  static const char *const forms[] = {"rest", "rest, equal", "rest 1"};
  for (int i = 0; i < COUNT_OF(forms); i++) {
    for (int k = 0; k < 2; k++) {
      adv_case *a = add(kind, forms[i]);
      a->phases = k == 0 ? CQ_PHASES_TOGETHER : CQ_PHASES_FEASIBILITY_FIRST;
      a->no_gradient = i == 0 && k == 0;
      adv_case *off = from_all(add(kind, forms[i]), 1e-6);
      off->phases = a->phases;
      adv_case *weak = weighed(add(kind, forms[i]), 0.04);
      weak->phases = a->phases;
    }
  }
  from(add(kind, "rest"), -0.4, -0.2);
  from(add(kind, "rest, equal"), -0.447213595, -0.2236067977);
}

static void redundant(void) {
  static const char kind[] = "redundant";
  static const char *const forms[] = {"three of two", "circle twice", "contradiction", "empty",
                                      "thrice",       "crossing",     "exp fence"};
  for_all(add(kind, "twice"));
  for (int i = 0; i < COUNT_OF(forms); i++) {
    add(kind, forms[i]);
    weighed(add(kind, forms[i]), 1e3);
  }
  from(add(kind, "twice"), 0.5, 0);
  from(add(kind, "three of two"), 0.3, 0.7);
  from_all(add(kind, "crossing"), 0.8);
  from(add(kind, "circle twice"), -1, 0);
  from(add(kind, "exp fence"), 0.5, 2.5);
}

static void wide_bounds(void) {
  static const char kind[] = "wide_bounds";
  static const char *const forms[] = {"quadratic 1", "rosenbrock", "hs12",
                                      "hs43",        "wall",       "inner disc"};
  const double widths[] = {1e3, 1e6, 1e20};
  for (int k = 0; k < COUNT_OF(widths); k++) {
    const double w = widths[k];
    for (int i = 0; i < COUNT_OF(forms); i++) {
      within(add(kind, forms[i]), -w, w);
      scaled(within(add(kind, forms[i]), -w, w), 2 * w)->no_gradient = k == 1 && i == 5;
      adv_case *early = scaled(within(add(kind, forms[i]), -w, w), 2 * w);
      early->gradient_tolerance = 1e-4;
    }
    scaled(within(add(kind, "stiff"), 0.05, w), w);
    within(add(kind, "stiff"), 0.05, w);
    adv_case *early = scaled(within(add(kind, "stiff"), 0.05, w), w);
    early->gradient_tolerance = 1e-4;
    scaled(within(add(kind, "low"), 1, w), w);
    within(add(kind, "low"), 1, w);
  }
}

/* at the optimum and beside it, f and gradient in double and in float */
static void starts_at_the_optimum(void) {
  static const struct {
    const char *form;
    double at[5];
  } known[] = {
      {"quadratic 1", {0.7, 0.57, 0.44, 0.31, 0.18}},
      {"quadratic 1e4", {0.7, 0.57, 0.44, 0.31, 0.18}},
      {"cut quadratic", {0.5, 0.5, 0.44, 0.31, 0.18}},
      {"rosenbrock", {1, 1}},
      {"hs12", {2, 3}},
      {"hs35", {4.0 / 3, 7.0 / 9, 4.0 / 9}},
      {"hs43", {0, 1, 2, -1}},
      {"wall", {1}},
      {"edge 2", {1, 0}},
      {"linear", {0, 0}},
      {"circle sum", {-1, -1}},
      {"saddle well 2", {0, 0.70710678118654752}},
      {"exp slope", {0}},
  };
  const double beside[] = {0, 1e-12, 1e-7};
  for (int i = 0; i < COUNT_OF(known); i++) {
    for (int k = 0; k < 2 * COUNT_OF(beside); k++) {
      adv_case *a = named(add("start_at_optimum", known[i].form), "beside", beside[k / 2]);
      a->from = true;
      for (int l = 0; l < a->form.n; l++) {
        const double y = known[i].at[l] + (l % 2 == 0 ? 1 : -1) * beside[k / 2];
        a->start[l] = fmin(fmax(y, a->form.lower[l]), a->form.upper[l]);
      }
      a->rounded = k % 2 == 1;
      if (a->rounded) {
        named(a, "rounded", 1);
      }
    }
  }
}

static void constraint_weights(void) {
  static const char *const forms[] = {"hs12", "hs43", "hs71", "hs7", "disc 2", "edge 2", "rest"};
  for (double weight = 1e2; weight < 2e7; weight *= 10) {
    for (int i = 0; i < COUNT_OF(forms); i++) {
      adv_case *a = weighed(add("constraint_weight", forms[i]), weight);
      if (i == COUNT_OF(forms) - 1) {
        from(a, 0.1, 0.2);
      }
    }
  }
}

static void honest(void) {
  static const char kind[] = "honest";
  static const char *const forms[] = {
      "quadratic 1", "quadratic 1e2", "quadratic 1e4", "quadratic 1e6", "cut quadratic",
      "coupled 10",  "coupled 1e3",   "rosenbrock",    "rosenbrock_10", "sphere",
      "hs6",         "hs7",           "hs12",          "hs21",          "hs35",
      "hs43",        "hs71",          "hs76",          "linear",        "camel",
      "roth",        "powell bad",    "cosh",          "exp slope",     "wall",
      "disc 2",      "inner disc",    "edge 2",        "thrice",        "crossing",
      "stiff",       "low",           "tutorial"};
  for (int i = 0; i < COUNT_OF(forms); i++) {
    adv_case *a = add(kind, forms[i]);
    a->no_gradient = i == 0 || i == 7 || i == 15;
  }
  for (int k = 0; k < 3; k++) {
    from(add(kind, "rosenbrock"), 1.5 - k, 0.3 * k - 1);
    from(add(kind, "himmelblau"), 3 - k, 2 - 2 * k);
    from(add(kind, "roth"), 4 + k, 3 - k);
    from(add(kind, "saddle well 2"), 0.8 - k, 0.4);
    from(add(kind, "waves"), 0.8, 1.5 - k);
  }
}

/* beyond a boundary the evaluation fails */
static void failing(void) {
  const double starts[] = {9, 1.5, 0.1};
  for (int k = 0; k < COUNT_OF(starts); k++) {
    from(add("failing", "log"), starts[k], 5)->fails_below = true;
    from(add("failing", "rosenbrock"), starts[k], 2)->fails_below = true;
    adv_cases[adv_count - 1].upper = 10;
    adv_cases[adv_count - 1].lower = -10;
  }
}

static void adv_make_cases(void) {
  huge_starts();
  tutorial();
  units();
  plateaus();
  saddles();
  maxima();
  inflections();
  degenerate();
  kinks();
  lies();
  tiny_constraints();
  no_constraint_gradient();
  redundant();
  wide_bounds();
  starts_at_the_optimum();
  constraint_weights();
  honest();
  failing();
}

#endif
