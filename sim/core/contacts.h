/* What is in contact in a step: where that changes from step to step, a gradient has a kink. A site
 * is what an engine finds contacts at, a node of a grid or a pair of particles. */
#ifndef CQ_CORE_CONTACTS_H
#define CQ_CORE_CONTACTS_H

#include "cqopt/base.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A site that particles reach. */
typedef struct cq_touched {
  size_t site;     /* its number, the same in every step */
  uint64_t states; /* what it is in contact with and how, as the engine counts; 0: with nothing */
} cq_touched;

/* Those of one step, in the order of their numbers. */
typedef struct cq_contacts {
  cq_ctx *ctx;
  cq_touched *sites;
  size_t n, room;
} cq_contacts;

/* Sites that are in contact, and those that particles reach in both steps and that are in
 * another state than in the step after. */
typedef struct cq_contact_count {
  int pressing, switched;
} cq_contact_count;

cq_status cq_contacts_add(cq_contacts *contacts, size_t site, uint64_t states);
void cq_contacts_free(cq_contacts *contacts);
/* next: of the step after, empty where there is none */
cq_contact_count cq_contacts_compare(const cq_contacts *now, const cq_contacts *next);

#ifdef __cplusplus
}
#endif

#endif
