#include "contacts.h"

#include "alloc.h"
#include "status.h"

#include <string.h>

cq_status cq_contacts_add(cq_contacts *contacts, size_t site, uint64_t states) {
  if (contacts->n == contacts->room) {
    const size_t room = 2 * contacts->room + 64;
    cq_touched *sites = NULL;
    CQ_TRY(CQ_ALLOC(contacts->ctx, sites, room));
    if (contacts->n > 0) {
      memcpy(sites, contacts->sites, contacts->n * sizeof *sites);
    }
    cq_free(contacts->ctx, contacts->sites);
    contacts->sites = sites;
    contacts->room = room;
  }
  contacts->sites[contacts->n++] = (cq_touched){site, states};
  return CQ_OK;
}

void cq_contacts_free(cq_contacts *contacts) {
  cq_free(contacts->ctx, contacts->sites);
  contacts->sites = NULL;
  contacts->n = contacts->room = 0;
}

cq_contact_count cq_contacts_compare(const cq_contacts *now, const cq_contacts *next) {
  cq_contact_count count = {0, 0};
  for (size_t i = 0, j = 0; i < now->n; i++) {
    const cq_touched *const here = &now->sites[i];
    count.pressing += here->states != 0;
    while (j < next->n && next->sites[j].site < here->site) {
      j++;
    }
    count.switched +=
        j < next->n && next->sites[j].site == here->site && next->sites[j].states != here->states;
  }
  return count;
}
