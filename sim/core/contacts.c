#include "contacts.h"

#include "alloc.h"
#include "status.h"

#include <string.h>

cq_status cq_contacts_add(cq_contacts *contacts, size_t node, uint64_t states) {
  if (contacts->n == contacts->room) {
    const size_t room = 2 * contacts->room + 64;
    cq_touched *nodes = NULL;
    CQ_TRY(CQ_ALLOC(contacts->ctx, nodes, room));
    if (contacts->n > 0) {
      memcpy(nodes, contacts->nodes, contacts->n * sizeof *nodes);
    }
    cq_free(contacts->ctx, contacts->nodes);
    contacts->nodes = nodes;
    contacts->room = room;
  }
  contacts->nodes[contacts->n++] = (cq_touched){node, states};
  return CQ_OK;
}

void cq_contacts_free(cq_contacts *contacts) {
  cq_free(contacts->ctx, contacts->nodes);
  contacts->nodes = NULL;
  contacts->n = contacts->room = 0;
}

cq_contact_count cq_contacts_compare(const cq_contacts *now, const cq_contacts *next) {
  cq_contact_count count = {0, 0};
  for (size_t i = 0, j = 0; i < now->n; i++) {
    const cq_touched *const here = &now->nodes[i];
    count.pressing += here->states != 0;
    while (j < next->n && next->nodes[j].node < here->node) {
      j++;
    }
    count.switched +=
        j < next->n && next->nodes[j].node == here->node && next->nodes[j].states != here->states;
  }
  return count;
}
