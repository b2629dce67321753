/* Grid nodes meet rigid bodies: what happens to both in a step, and its adjoint. In doubles,
 * whatever the precision of an engine, and on one thread in the order of bodies and nodes, so that
 * the bits are the same everywhere; no engine is seen here.
 *
 * A pass: cq_mpm_meet_begin, cq_mpm_meet_add for every node that may be near, cq_mpm_meet_run; then
 * the nodes have their new velocities, and wrenches say what the bodies got. Bodies act one after
 * the other; one that is FIXED or DRIVEN moves as it is told, and the twist of a FREE one is found
 * together with the impulses (implicitly), so that bodies lighter than what they touch do not
 * overshoot. What the nodes lose the bodies get, to rounding.
 *
 *   CQ_TRY(cq_mpm_meet_begin(ctx, &m));
 *   for nodes with mass, that no sticky wall holds, in the box of cq_mpm_meet_box:
 *     CQ_TRY(cq_mpm_meet_add(ctx, &m, &node));
 *   for i < m.n_nodes that lean: set m.nodes[i].slope
 *   cq_mpm_meet_run(&m);
 *   for i < m.n_nodes: m.nodes[i].v is the velocity of node m.nodes[i].id
 *   step.wrench = m.wrench, and cq_rigids_step goes on from there.
 *
 * The adjoint takes the same struct after cq_mpm_meet_run, and any number of seeds. */
#ifndef CQ_MPM_MEET_H
#define CQ_MPM_MEET_H

#include "bodies.h"
#include "mpm_fields.h"
#include "mpm_kept.h"
#include "mpm_model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* a node that meets at least one body */
typedef struct cq_mpm_meet_node {
  size_t id;  /* the caller's */
  int field;  /* of its material */
  double key; /* of its means, without the body's part */
  double x[3], v[3], mass;
  /* what comes of it */
  bool leans;      /* to one of the bodies it has the normal of the material (point/lean.h): */
  double slope[3]; /* gradient of the masses there; the caller's, before cq_mpm_meet_run [kg/m] */
} cq_mpm_meet_node;

typedef struct cq_mpm_meet_touch cq_mpm_meet_touch; /* of a node and a body */

typedef struct cq_mpm_meet {
  /* the caller's, before cq_mpm_meet_begin; what they point to is not copied */
  const cq_rigids *rigids;
  const cq_mpm_rigid *rigid;   /* [rigids.n] meets, kind (separate_stick: with friction 10) */
  double cell, epsilon;        /* of the grid; as walls have it [m, m^2/s^2] */
  const cq_rigid_step *step;   /* time, dt, mass, friction, gravity are read, no more */
  const cq_placed *at;         /* [rigids.n] by cq_rigids_place of the same step */
  const cq_mpm_fields *fields; /* taken; NULL: no node leans */
  kept_means means;            /* of friction, by body and node; begun and ended by the caller */
  double keys;                 /* those of nodes are less */
  /* what comes of it; memory is kept from pass to pass until cq_mpm_meet_free */
  int n_nodes;
  cq_mpm_meet_node *nodes; /* in the order they were added */
  double *wrench;          /* [rigids.n][cq_rigid_twist_size] mean of the step, about the centres of
                              mass; 0 for what meets nothing [N, N m] */
  double *twist;           /* the same shape: how bodies moved while they met */
  int unsettled; /* bodies whose twist was not found: their nodes are moved by a little more than
                    the condition asks for, and the adjoint does not know of that */
  /* inside */
  int n_touches, room_nodes, room_touches;
  cq_mpm_meet_touch *touches;
  int *first, *last; /* [rigids.n] touch of a body; -1: none */
} cq_mpm_meet;

/* dL/d(what a pass gives), and where derivatives go. All but velocity are added to. */
typedef struct cq_mpm_meet_due {
  const double *wrench; /* [n][twist] dL/d(wrench) */
  double *velocity;     /* [n_nodes][dim] dL/dv after in, dL/dv before out */
  double *mass;         /* [n_nodes] of the nodes */
  double *slope;        /* [n_nodes][dim] of those that lean; not read where none does */
  double *full;         /* [fields->n] */
  cq_placed *at;        /* [n] to cq_rigids_place_adjoint */
  double *body_mass;    /* [n]; NULL: not wanted, as the next two */
  double *friction;     /* [n] */
  double *gravity;      /* [dim] */
  kept_adjoint *means;  /* begun; NULL where there are none */
} cq_mpm_meet_due;

/* Forgets the nodes of the pass before. CQ_MEMORY. */
cq_status cq_mpm_meet_begin(cq_ctx *ctx, cq_mpm_meet *m);
/* Nodes outside of low[dim] .. high[dim] meet nothing; false: there is no such node at all. Bodies
 * without bounds give -INFINITY, INFINITY. */
bool cq_mpm_meet_box(const cq_mpm_meet *m, double *low, double *high);
/* Takes a copy of the node into the pass if a body has a share in it. Keys grow, whole numbers
 * below m->keys; they are not looked at where there are no means. CQ_MEMORY. */
cq_status cq_mpm_meet_add(cq_ctx *ctx, cq_mpm_meet *m, const cq_mpm_meet_node *node);
void cq_mpm_meet_run(cq_mpm_meet *m);
void cq_mpm_meet_adjoint(const cq_mpm_meet *m, cq_mpm_meet_due *d);
void cq_mpm_meet_free(cq_ctx *ctx, cq_mpm_meet *m);

#ifdef __cplusplus
}
#endif

#endif
