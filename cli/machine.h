/* What a run ran on. */
#ifndef CQ_CLI_MACHINE_H
#define CQ_CLI_MACHINE_H

#include "cqopt/problem.h"

#include <stddef.h>

#ifdef __clang__
#  define CLI_COMPILER "clang " __clang_version__
#else
#  define CLI_COMPILER "gcc " __VERSION__
#endif

typedef struct cli_machine {
  char cpu[128];    /* model, "unknown" where the system does not say */
  char system[128]; /* kernel and architecture */
  char host[72];
  long cores;
} cli_machine;

cli_machine cli_machine_query(void);

/* What the simulations of a scene run on. */
typedef struct cli_device {
  const char *word; /* "cpu" or "cuda" */
  bool is_gpu;
  char name[256]; /* of the GPU; else of the CPU */
  char level[32]; /* what decides the bits: the compute capability; else the SIMD level */
} cli_device;

cli_device cli_device_of(const cq_scene *scene);
/* Largest resident memory of this process so far [bytes]; 0 when unknown. */
long long cli_machine_peak_bytes(void);

#endif
