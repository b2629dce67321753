/* Contact between bodies of material: what happens at the nodes that fields share, and its adjoint.
 * In doubles in every variant, on one thread, in the order of pairs and nodes.
 *
 * A field is what has masses and momenta of its own on the grid: a body that a contact of the file
 * names, or all the others together. Each two fields are a pair: those of a contact follow its law,
 * all others are one at the nodes that they share, as bodies on one grid are. Pairs act one after
 * the other, contacts last. What each contact gave is kept in a state: CQ_BETWEEN_NUMBERS of it,
 * the force by which its first body pushed the second one, mean of the step that led there, and the
 * sum of its impulses so far, three numbers each; behind them the mean pressures of nodes
 * (mpm_kept.h), where friction goes by these.
 *
 * The engine walks over nodes (mpm_between_walk.h). */
#ifndef CQ_MPM_BETWEEN_H
#define CQ_MPM_BETWEEN_H

#include "mpm_kept.h"
#include "mpm_model.h"
#include "mpm_rigid.h"
#include "sim.h"
#include "variant.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { CQ_BETWEEN_NUMBERS = 6 };

typedef struct between between;

/* a node of two fields: before they meet */
typedef struct cq_between_node {
  double mass[2], momentum[2][3], slope[2][3];
} cq_between_node;

/* a node at which fields have met */
typedef struct cq_between_touch {
  int pair, index[3];
  cq_between_node before;
  kept_place mean;
} cq_between_touch;

/* what is due to its node, beside what was due to momenta afterwards: by the momenta, and by masses
 * at fixed velocities before, and slopes */
typedef struct cq_between_give {
  double momentum[2][3], mass[2], slope[2][3];
} cq_between_give;

/* *out is NULL where the model has one field; every function but this one and those of the walk
 * takes NULL as no contacts. */
cq_status WIDE(cq_between_create)(cq_ctx *ctx, const cq_model *model, const cq_layout *layout,
                                  between **out);
void WIDE(cq_between_destroy)(between *b);
/* of a state */
size_t WIDE(cq_between_numbers)(const between *b);
/* Frictions and densities; the numbers of state 0, with the means that the model begins with. */
void WIDE(cq_between_upload)(between *b, const double *inputs, double *state);
/* Adds the means of a state (mpm_means.h). */
void WIDE(cq_between_put_means)(const between *b, const double *state, cq_means *out);

/* A step from the numbers of a state: the pairs in their order, the nodes that they share in that
 * of the grid, each by _meet: CQ_OK and in *acts whether there is an impulse, which the first field
 * gives to the second. */
void WIDE(cq_between_begin)(between *b, const double *state);
int WIDE(cq_between_pairs)(const between *b);
void WIDE(cq_between_fields)(const between *b, int pair, int field[2]);
cq_status WIDE(cq_between_meet)(between *b, int pair, const int *index, const cq_between_node *node,
                                double impulse[3], bool *acts);
/* From the numbers of a state to those of the next, which may stand in the same place. */
void WIDE(cq_between_end)(const between *b, const double *state, double *next);

/* Of a step that has met. */
cq_status WIDE(cq_between_adjoint_begin)(between *b, int n_seeds);
void WIDE(cq_between_step_adjoint)(between *b, int seed);
int WIDE(cq_between_n_touches)(const between *b);
const cq_between_touch *WIDE(cq_between_touched)(const between *b, int i);
/* dmomentum: by the momenta after touch i, of both fields. */
cq_between_give WIDE(cq_between_give)(between *b, int seed, int i, double dmomentum[2][3]);
/* Adds to the gradient by friction, density and volume. */
void WIDE(cq_between_adjoint_end)(const between *b, int seed, double *gradient);

/* The contact that a group stands for; -1: it does not stand for one. */
int WIDE(cq_between_of_group)(const between *b, const cq_group *group);
/* Adds what is due to the numbers of a contact at the state where the sweep is. */
void WIDE(cq_between_due)(between *b, int seed, int contact, const double due[CQ_BETWEEN_NUMBERS]);

#ifdef __cplusplus
}
#endif

#endif
