/* The forms of test_opt_adversary.c: functions, bounds, starts and the local minima within them. */
#ifndef CQ_TESTS_OPT_ADVERSARY_FORMS_H
#define CQ_TESTS_OPT_ADVERSARY_FORMS_H

#include "test_opt_adversary_functions.h"

#include <stdio.h>
#include <stdlib.h>

#define ADV_TEN(v) v, v, v, v, v, v, v, v, v, v
#define BOX(v)                                                                                     \
  {ADV_TEN(-(v))}, {                                                                               \
    ADV_TEN(v)                                                                                     \
  }
/* clang-format off */
static const adv_form adv_forms[] = {
    {"quadratic 1", 5, 0, 0, BOX(5), {ADV_TEN(2)}, 1, {0}, 1, f_quadratic, 1, NULL},
    {"quadratic 1e2", 5, 0, 0, BOX(5), {ADV_TEN(2)}, 10, {0}, 1, f_quadratic, 1e2, NULL},
    {"quadratic 1e4", 5, 0, 0, BOX(5), {ADV_TEN(2)}, 1e2, {0}, 1, f_quadratic, 1e4, NULL},
    {"quadratic 1e6", 5, 0, 0, BOX(5), {ADV_TEN(2)}, 1e3, {0}, 1, f_quadratic, 1e6, NULL},
    {"cut quadratic", 5, 0, 0, BOX(0.5), {ADV_TEN(0.1)}, 1, {0.0449}, 1, f_quadratic, 1, NULL},
    {"coupled 10", 10, 0, 0, BOX(5), {ADV_TEN(-1)}, 10, {0}, 1, f_coupled, 10, NULL},
    {"coupled 1e3", 10, 0, 0, BOX(5), {ADV_TEN(-1)}, 100, {0}, 1, f_coupled, 1e3, NULL},
    {"exp wall", 2, 0, 0, BOX(4), {2, -3}, 1, {0}, 1, f_exp_wall, 0, NULL},
    {"cosh", 2, 0, 0, BOX(20), {3, -2}, 12, {2}, 1, f_cosh, 5, NULL},
    {"exp slope", 1, 0, 0, BOX(5), {0.5}, 50, {1}, 1, f_exp_slope, 10, NULL},
    {"quartic 2", 2, 0, 0, BOX(2000), {2, 2}, 1, {0}, 1, f_power_2, 4, NULL},
    {"quartic 10", 10, 0, 0, BOX(2000), {ADV_TEN(2)}, 1, {0}, 1, f_power_10, 4, NULL},
    {"sixth 2", 2, 0, 0, BOX(2000), {2, 2}, 1, {0}, 1, f_power_2, 6, NULL},
    {"eighth 2", 2, 0, 0, BOX(2000), {2, 2}, 1, {0}, 1, f_power_2, 8, NULL},
    {"far 1e6", 2, 0, 0, BOX(2e6), {3, 1e6}, 1, {0}, 1, f_far, 1e6, NULL},
    {"himmelblau", 2, 0, 0, BOX(6), {0, 0}, 30, {0}, 1, f_himmelblau, 0, NULL},
    {"camel", 2, 0, 0, {-3, -2}, {3, 2}, {1, 1}, 4,
     {-1.0316284535, -0.2154638244, 2.1042503103}, 3, f_camel, 0, NULL},
    {"roth", 2, 0, 0, BOX(20), {0.5, -2}, 10, {0, 48.9842536792}, 2, f_roth, 0, NULL},
    {"wood", 4, 0, 0, BOX(10), {-3, -1, -3, -1}, 10, {0}, 1, f_wood, 0, NULL},
    {"powell", 4, 0, 0, BOX(10), {3, -1, 0, 1}, 10, {0}, 1, f_powell, 0, NULL},
    {"powell bad", 2, 0, 0, {0, 0}, {20, 20}, {0, 1}, 1, {0}, 1, f_powell_bad, 0, NULL},
    {"log", 2, 0, 0, {-5, -5}, {10, 10}, {5, 1}, 0.5, {1}, 1, f_log, 0, NULL},
    {"linear", 2, 0, 0, {0, 0}, {1, 1}, {0.4, 0.6}, 1, {0}, 1, f_linear, 0, NULL},
    {"constant", 2, 0, 0, BOX(2), {0.3, 0.4}, 1, {0}, 0, f_constant, 3, NULL},
    {"zero", 2, 0, 0, BOX(2), {0.3, 0.4}, 1, {0}, 0, f_constant, 0, NULL},
    {"one of ten", 10, 0, 0, BOX(2), {ADV_TEN(1)}, 1, {0}, 1, f_part, 1, NULL},
    {"five of ten", 10, 0, 0, BOX(2), {ADV_TEN(1)}, 1, {0}, 1, f_part, 5, NULL},
    {"hat", 2, 0, 0, BOX(10), {4, 3}, 1, {0}, 1, f_hat, 0, NULL},
    {"dip", 2, 0, 0, BOX(50), {7, 0}, 0.6, {-1}, 1, f_dip, 0, NULL},
    {"saturated", 2, 0, 0, BOX(3), {-2, -2}, 1, {0}, 1, f_saturated, 20, NULL},
    {"half saturated", 2, 0, 0, BOX(3), {-2, -2}, 1, {0}, 1, f_half_saturated, 20, NULL},
    {"logistic", 1, 0, 0, {-3}, {9}, {8}, 1, {6.14417460e-06}, 1, f_logistic, 4, NULL},
    {"stairs", 2, 0, 0, BOX(5), {2.6, 1.4}, 1, {0}, 1, f_stairs, 0, NULL},
    {"saddle 2", 2, 0, 0, BOX(1), {0, 0}, 1, {-1}, 1, f_saddle, 2, NULL},
    {"saddle 3", 3, 0, 0, BOX(1), {0, 0, 0}, 1, {-1}, 1, f_saddle, 3, NULL},
    {"saddle 10", 10, 0, 0, BOX(1), {0}, 1, {-1}, 1, f_saddle, 10, NULL},
    {"saddle well 2", 2, 0, 0, BOX(2), {1, 0}, 1, {-0.25}, 1, f_saddle_well, 2, NULL},
    {"saddle well 3", 3, 0, 0, BOX(2), {1, -1, 0}, 1, {-0.25}, 1, f_saddle_well, 3, NULL},
    {"saddle well 10", 10, 0, 0, BOX(2), {1, 1, 1, 1, 1, 1, 1, 1, 1, 0}, 1, {-0.25}, 1,
     f_saddle_well, 10, NULL},
    {"product 2", 2, 0, 0, BOX(1), {0, 0}, 1, {-1}, 1, f_product_2, 0, NULL},
    {"product 3", 3, 0, 0, BOX(1), {0, 0, 0}, 1, {-1}, 1, f_product_3, 0, NULL},
    {"monkey", 2, 0, 0, BOX(1), {0, 0}, 1, {-2, -1}, 2, f_monkey, 0, NULL},
    {"hyperbola", 2, 0, 0, BOX(3), {0, 0}, 1, {0}, 1, f_hyperbola, 0, NULL},
    {"hill 1", 1, 0, 0, {-1}, {2}, {0}, 1, {-4, -1}, 2, f_hill, 1, NULL},
    {"hill 5", 5, 0, 0, BOX(1), {0}, 1, {-5}, 1, f_hill, 5, NULL},
    {"bump", 2, 0, 0, BOX(1), {0, 0}, 1, {3.3546263e-4}, 1, f_bump, 4, NULL},
    {"waves", 2, 0, 0, BOX(4), {3.141592653589793, 3.141592653589793}, 1,
     {0, 1.6536436209, 3.3072872417}, 3, f_waves, 0, NULL},
    {"cubic", 2, 0, 0, BOX(1), {0, 0.5}, 1, {-1}, 1, f_inflection, 3, NULL},
    {"quintic", 2, 0, 0, BOX(1), {0, 0.5}, 1, {-1}, 1, f_inflection, 5, NULL},
    {"shelf", 1, 0, 0, {-2}, {6}, {3.141592653589793}, 3, {-2.9092974268}, 1, f_shelf, 0, NULL},
    {"fourth", 2, 0, 0, BOX(2), {1, 0}, 1, {0}, 1, f_inflection, 4, NULL},
    {"ravine", 2, 0, 0, BOX(3), {2, 2}, 1, {0}, 1, f_ravine, 0, NULL},
    {"abs", 3, 0, 0, BOX(5), {2, 2, 2}, 2, {0}, 1, f_abs, 0, NULL},
    {"abs^1.5", 1, 0, 0, BOX(5), {2}, 1, {0}, 1, f_abs_power, 1.5, NULL},
    {"abs^1.1", 1, 0, 0, BOX(5), {2}, 1, {0}, 1, f_abs_power, 1.1, NULL},
    {"largest", 2, 0, 0, BOX(5), {2, -3}, 1, {0}, 1, f_largest, 0, NULL},
    {"gutter", 2, 0, 0, BOX(1), {0.5, -0.5}, 1, {-1}, 1, f_gutter, 10, NULL},
    {"bent gutter", 2, 0, 0, BOX(3), {-1, 1.5}, 1, {0}, 1, f_bent_gutter, 10, NULL},
    {"largest of 3", 2, 0, 0, BOX(5), {1, -0.1}, 1, {1.9522244939}, 1, f_largest_of_3, 0, NULL},
    {"roof", 2, 0, 0, BOX(1), {0, 0.5}, 1, {-1}, 1, f_roof, 0, NULL},
    {"tutorial", 2, 2, 0, {-INFINITY, 1e-9}, {INFINITY, INFINITY}, {1.234, 5.678}, 0.5,
     {0.5443310540}, 1, f_tutorial, 0, NULL},
    {"wall", 1, 1, 0, BOX(10), {5}, 1, {1}, 1, f_wall, 0, NULL},
    {"disc 21", 2, 1, 0, BOX(27), {0.13, 0}, 40, {412.09}, 1, f_disc, 21.3, NULL},
    {"disc 2", 2, 1, 0, BOX(5), {0.3, 0.2}, 2, {1}, 1, f_disc, 2, NULL},
    {"inner disc", 2, 1, 0, BOX(5), {-0.9, 0.2}, 1, {0}, 1, f_disc, 0.4, NULL},
    {"edge 2", 2, 0, 1, BOX(5), {0.3, 0.2}, 2, {1}, 1, f_disc, 2, NULL},
    {"rest", 2, 1, 0, BOX(1), {0, 0}, 1, {0.0270898300}, 1, f_rest, 0.5, NULL},
    {"rest, equal", 2, 0, 1, BOX(1), {0, 0}, 1, {0.0270898300}, 1, f_rest, 0.5, NULL},
    {"rest 1", 1, 1, 0, BOX(1), {0}, 1, {0.04, 0.64}, 2, f_rest_1, 0.5, NULL},
    {"cusp", 2, 1, 0, {0, 0}, {2, 2}, {0.2, 0.1}, 10, {-1}, 1, f_cusp, 0, NULL},
    {"circle sum", 2, 0, 1, BOX(2), {1, 1}, 2, {-2}, 1, f_circle_sum, 0, NULL},
    {"disc hill", 2, 1, 0, BOX(2), {1, 0}, 1, {-2}, 1, f_disc_hill, 0, NULL},
    {"line saddle", 2, 0, 1, BOX(1), {0, 0}, 1, {-1}, 1, f_line_saddle, 0, NULL},
    {"exp fence", 2, 1, 0, BOX(3), {2, 2}, 1, {1}, 1, f_exp_fence, 10, NULL},
    {"twice", 2, 0, 2, BOX(1), {-0.5, -0.5}, 1, {0.01}, 1, f_twice, 2, NULL},
    {"three of two", 2, 0, 3, BOX(1), {-0.5, -0.5}, 1, {0.1125}, 1, f_three_of_two, 0, NULL},
    {"circle twice", 2, 0, 2, BOX(2), {0.3, 0.5}, 2, {1}, 1, f_circle_twice, 3, NULL},
    {"contradiction", 2, 0, 2, BOX(1), {-0.5, -0.5}, 1, {0}, 0, f_contradiction, 0.1, NULL},
    {"empty", 2, 2, 0, BOX(1), {-0.5, -0.5}, 1, {0}, 0, f_empty, 0.3, NULL},
    {"thrice", 2, 3, 0, BOX(2), {-0.5, 0.5}, 1, {0.5}, 1, f_thrice, 2, NULL},
    {"crossing", 2, 0, 2, BOX(2), {0.9, 0.1}, 1, {-0.7071067812, 0.7071067812}, 2, f_crossing, 0,
     NULL},
    {"stiff", 1, 1, 0, {0.05}, {10}, {1}, 1, {0}, 1, f_stiff, 0, NULL},
    {"low", 2, 1, 0, {1, 1}, {100, 100}, {20, 20}, 1, {0}, 1, f_low, 1, NULL},
};
/* clang-format on */

enum { ADV_FORMS = (int)(sizeof adv_forms / sizeof adv_forms[0]) };

/* Of opt/closed_form.c; the HS problems used have one minimum each. A thousandth of f is what their
 * literature calls solved. */
static adv_form adv_known(const cq_closed_form *known) {
  adv_form form = {.name = known->name,
                   .n = known->n,
                   .n_inequality = known->n_inequality,
                   .n_equality = known->n_equality,
                   .unit = fmax(1, fabs(known->f)),
                   .minima = {known->f},
                   .n_minima = 1,
                   .known = known};
  memcpy(form.lower, known->lower, sizeof form.lower);
  memcpy(form.upper, known->upper, sizeof form.upper);
  memcpy(form.start, known->start, sizeof form.start);
  if (strcmp(form.name, "rosenbrock_10") == 0) {
    form.minima[form.n_minima++] = 3.98657912;
  }
  return form;
}

static adv_form adv_find(const char *name) {
  for (int i = 0; i < ADV_FORMS; i++) {
    if (strcmp(adv_forms[i].name, name) == 0) {
      return adv_forms[i];
    }
  }
  for (int i = 0; i < CQ_N_CLOSED_FORMS; i++) {
    if (strcmp(cq_closed_forms[i].name, name) == 0) {
      return adv_known(&cq_closed_forms[i]);
    }
  }
  printf("there is no form %s\n", name);
  abort();
}

#endif
