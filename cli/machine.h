/* What a run ran on. */
#ifndef CQ_CLI_MACHINE_H
#define CQ_CLI_MACHINE_H

#include <stddef.h>

typedef struct cli_machine {
  char cpu[128];    /* model, "unknown" where the system does not say */
  char system[128]; /* kernel and architecture */
  char host[72];
  long cores;
} cli_machine;

cli_machine cli_machine_query(void);
/* Largest resident memory of this process so far [bytes]; 0 when unknown. */
long long cli_machine_peak_bytes(void);

#endif
