/* Which nodes walls act on in a step: where that changes from step to step, a gradient has a kink.
 */
#ifndef CQ_CORE_CONTACTS_H
#define CQ_CORE_CONTACTS_H

#include "cqopt/base.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A node of the grid that particles reach and walls hold. */
typedef struct cq_touched {
  size_t node;     /* its number in the whole grid */
  uint64_t states; /* two bits a wall: CQ_CONTACT_... of kinds.h */
} cq_touched;

/* Those of one step, in the order of their numbers. */
typedef struct cq_contacts {
  cq_ctx *ctx;
  cq_touched *nodes;
  size_t n, room;
} cq_contacts;

/* Nodes that press against a wall, and those that particles reach in both steps and that are in
 * another state than in the step after. */
typedef struct cq_contact_count {
  int pressing, switched;
} cq_contact_count;

cq_status cq_contacts_add(cq_contacts *contacts, size_t node, uint64_t states);
void cq_contacts_free(cq_contacts *contacts);
/* next: of the step after, empty where there is none */
cq_contact_count cq_contacts_compare(const cq_contacts *now, const cq_contacts *next);

#ifdef __cplusplus
}
#endif

#endif
