#include "share.h"

#include "build_id.h"
#include "hash.h"
#include "open.h"
#include "status.h"
#include "threads.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What launchers tell the processes they start: OpenMPI, MPICH and its kin, srun (the number of
 * tasks of a step: of a batch script alone there is none). */
static const struct {
  const char *rank, *size, *here;
} launchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"},
    {"PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS"},
    {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_LOCAL_SIZE"},
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_STEP_TASKS_PER_NODE"}}; /* "4(x2),3" */

enum { N_LAUNCHERS = sizeof launchers / sizeof launchers[0] };

static int number_of(const char *name) {
  const char *const text = getenv(name);
  return text != NULL ? atoi(text) : -1;
}

/* Of the launcher that has started this one among several; -1: none has. */
static int find_launcher(int *rank, int *size) {
  for (int i = 0; i < N_LAUNCHERS; i++) {
    *rank = number_of(launchers[i].rank);
    *size = number_of(launchers[i].size);
    if (*rank >= 0 && *size > 1 && *rank < *size) {
      return i;
    }
  }
  return -1;
}

bool cli_share_ranks(int *rank, int *size) {
  return find_launcher(rank, size) >= 0;
}

int cli_share_ranks_here(void) {
  int rank = 0, size = 0;
  const int i = find_launcher(&rank, &size);
  const int here = i >= 0 ? number_of(launchers[i].here) : 1;
  return here > 1 ? here : 1;
}

int cli_share_patience(void) {
  const int seconds = number_of("CQ_RANK_SECONDS");
  return seconds > 0 ? seconds : 60;
}

int cli_share_threads(void) {
  const cq_thread_rule rule = cq_threads_available();
  const bool dealt_out = strncmp(rule.text, "all cores", 9) != 0 &&
                         strncmp(rule.text, "the quota", 9) != 0 && rule.count > 1;
  const int each = rule.count / cli_share_ranks_here();
  return dealt_out ? 0 : each > 1 ? each : 1;
}

void cli_share_forget_ranks(void) {
  for (int i = 0; i < N_LAUNCHERS; i++) {
    unsetenv(launchers[i].rank);
    unsetenv(launchers[i].size);
  }
}

static cq_status read_shard(cq_ctx *ctx, const char *text, cli_share *share) {
  char more = '\0';
  CQ_CHECK(ctx,
           sscanf(text, "%9d/%9d%c", &share->place, &share->of, &more) == 2 && share->place >= 1 &&
               share->place <= share->of,
           CQ_USAGE, "--shard: \"%s\" is no share; write 3/20 for the third of twenty", text);
  share->place--;
  return CQ_OK;
}

cq_status cli_share_read(cq_ctx *ctx, const cli_options *o, cli_share *share) {
  *share = (cli_share){.claims = -1, .collects = o->collect};
  CQ_CHECK(ctx, !o->collect || o->shard == NULL, CQ_USAGE,
           "--collect runs nothing: leave out --shard");
  if (o->shard != NULL) {
    CQ_TRY(read_shard(ctx, o->shard, share));
  } else if (!o->collect) {
    share->ranks = cli_share_ranks(&share->place, &share->of);
    share->of = share->ranks ? share->of : 0;
  }
  CQ_CHECK(ctx, (share->of == 0 && !o->collect) || o->output != NULL, CQ_USAGE,
           "%s wants the folder that all of them share: --output DIR",
           o->collect     ? "--collect"
           : share->ranks ? "one of several ranks"
                          : "--shard");
  return CQ_OK;
}

cq_status cli_share_read_solve(cq_ctx *ctx, const cli_options *o, cli_share *share) {
  *share = (cli_share){.claims = -1};
  share->ranks = cli_share_ranks(&share->place, &share->of);
  share->of = share->ranks ? share->of : 0;
  CQ_CHECK(ctx, share->of == 0 || o->output != NULL || o->resume != NULL, CQ_USAGE,
           "one of several ranks wants the folder that all of them share: --output DIR");
  return CQ_OK;
}

/* Locks are by bytes: names have those below, and this one is of what computes. */
static const off_t NAMES = (off_t)1 << 40;

static bool lock_byte(const cli_share *share, off_t byte, short type, int how) {
  struct flock at = {.l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
  return fcntl(share->claims, how, &at) == 0;
}

/* Those that work side by side are one build at one SIMD level, or runs would get the bits of
 * whoever had them: the first one writes which, and the others find that it is theirs. */
static cq_status agree(cq_ctx *ctx, const char *folder, const cli_share *share) {
  char own[96] = "", other[96] = "";
  const char *const level = cq_simd_level(); /* NULL: what CQ_SIMD says, nobody has */
  snprintf(own, sizeof own, "%s, %s", CQ_BUILD_ID, level != NULL ? level : "none");
  if (lock_byte(share, NAMES, F_WRLCK, F_SETLK)) {
    const bool written = pwrite(share->claims, own, sizeof own, 0) == (ssize_t)sizeof own;
    CQ_CHECK(ctx, written && lock_byte(share, NAMES, F_RDLCK, F_SETLK), CQ_IO, "%s/claims: %s",
             folder, strerror(errno));
    return CQ_OK;
  }
  const bool is_read = lock_byte(share, NAMES, F_RDLCK, F_SETLKW) &&
                       pread(share->claims, other, sizeof other - 1, 0) > 0;
  CQ_CHECK(
      ctx, !is_read || strcmp(own, other) == 0, CQ_CONFIG,
      "%s: another process that shares it is cqopt %s, and this one is %s; start the same build "
      "everywhere, at one SIMD level (CQ_SIMD)",
      folder, other, own);
  return CQ_OK;
}

cq_status cli_share_open(cq_ctx *ctx, const char *folder, cli_share *share) {
  char path[4096];
  if (share->of == 0 || share->claims >= 0) {
    return CQ_OK;
  }
  snprintf(path, sizeof path, "%s/claims", folder);
  share->claims = cq_open(path, O_RDWR | O_CREAT);
  CQ_CHECK(ctx, share->claims >= 0, CQ_IO, "%s: %s", path, cq_open_error(errno));
  return agree(ctx, folder, share);
}

bool cli_share_is_used(const char *folder) {
  char path[4096];
  struct flock any = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = NAMES, .l_len = 1};
  snprintf(path, sizeof path, "%s/claims", folder);
  const int claims = cq_open(path, O_RDONLY);
  const bool used = claims >= 0 && fcntl(claims, F_GETLK, &any) == 0 && any.l_type != F_UNLCK;
  if (claims >= 0) {
    close(claims);
  }
  return used;
}

void cli_share_close(cli_share *share) {
  if (share->claims >= 0) {
    close(share->claims);
    share->claims = -1;
  }
}

typedef struct job {
  double work;
  int index;
} job;

static int compare_jobs(const void *a, const void *b) {
  const job *const p = a, *const q = b;
  return p->work != q->work ? (p->work < q->work) - (p->work > q->work)
                            : (p->index > q->index) - (p->index < q->index);
}

void cli_share_longest_first(const double *work, int n, int *order) {
  job *const jobs = calloc((size_t)n, sizeof *jobs);
  for (int i = 0; i < n; i++) {
    order[i] = i;
    if (jobs != NULL) {
      jobs[i] = (job){work[i], i};
    }
  }
  if (jobs != NULL) { /* without memory they come as they are */
    qsort(jobs, (size_t)n, sizeof *jobs, compare_jobs);
    for (int i = 0; i < n; i++) {
      order[i] = jobs[i].index;
    }
  }
  free(jobs);
}

bool cli_share_wants(const cli_share *share, int i) {
  return !share->collects && (share->of == 0 || share->ranks || i % share->of == share->place);
}

/* Locks a byte that the name stands for, or lets go of it. Locks of this kind are also known to
 * other machines that have the folder. */
static bool lock(const cli_share *share, const char *name, short type) {
  const off_t byte = (off_t)(cq_hash(name, strlen(name)) % (uint64_t)NAMES);
  return share->claims < 0 || lock_byte(share, byte, type, F_SETLK);
}

bool cli_share_claim(const cli_share *share, const char *name) {
  return lock(share, name, F_WRLCK);
}

bool cli_share_makes_tables(const cli_share *share, const char *status) {
  return share->of == 0 || (cli_share_claim(share, "tables") && strcmp(status, "OK") != 0);
}

void cli_share_release(const cli_share *share, const char *name) {
  lock(share, name, F_UNLCK);
}

void cli_share_name(const cli_share *share, char text[32]) {
  if (share->of == 0) {
    text[0] = '\0';
  } else if (share->ranks) {
    snprintf(text, 32, "rank %d of %d", share->place, share->of);
  } else {
    snprintf(text, 32, "shard %d/%d", share->place + 1, share->of);
  }
}
