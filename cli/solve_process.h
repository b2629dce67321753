/* The command line of a 'cqopt solve' in a process of its own, anew or going on in its folder. */
#ifndef CQ_CLI_SOLVE_PROCESS_H
#define CQ_CLI_SOLVE_PROCESS_H

#include "folder.h"

#include "cqopt/problem.h"

#include <sys/types.h>

typedef struct cli_solve_process {
  const char *problem, *folder, *start; /* start NULL: the problem's own */
  const char *const *sets;              /* [n_sets] when it begins */
  int n_sets;
  const char *const *later_sets; /* [n_later_sets] when it goes on */
  int n_later_sets;
  bool allow_diverge;
  const char *memory; /* another setting, at both times; "": none */
  int threads;
} cli_solve_process;

enum { CLI_MEMORY_SET = 64 };

/* The setting that gives each of so many processes side by side its part of the memory; "" where
 * the problem says how much. */
void cli_solve_share_memory(const cq_scene *scene, int workers, char set[CLI_MEMORY_SET]);
/* Whether there is a run in the folder that goes on. */
bool cli_solve_goes_on(const char *folder);
/* Starts it; what it has to say goes to the file `errors`. */
cq_status cli_solve_start(cq_ctx *ctx, const cli_solve_process *process, const char *errors,
                          pid_t *pid);

#endif
