#define _DEFAULT_SOURCE /* mmap without a file, madvise */
#include "alloc.h"
#include "pace.h"
#include "status.h"
#include "threads.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Steps that were made, and who hears of them. */
typedef struct pace {
  cq_pace_fn fn;
  void *user;
  atomic_llong made[2]; /* forward, backward */
  atomic_bool busy;     /* it is being told */
} pace;

struct cq_ctx {
  int threads;
  uint64_t seed;
  cq_log_fn log;
  void *log_user;
  cq_status status;
  char error[1024];
  size_t bytes;
  int fail_countdown;
  atomic_int stop; /* written by signal handlers: lock-free */
  pace own;
  pace *pace; /* its own, or that of the context it works beside */
};

static const struct {
  int exit_code;
  const char *name, *text;
} statuses[] = {
#define CQ_STATUS_ROW(name, exit_code, text) {exit_code, #name, text},
    CQ_STATUS_LIST(CQ_STATUS_ROW)
#undef CQ_STATUS_ROW
};

static bool is_known(cq_status status) {
  return (unsigned)status < CQ_N_STATUSES;
}

const char *cq_status_text(cq_status status) {
  return is_known(status) ? statuses[status].text : "no status";
}

const char *cq_status_name(cq_status status) {
  return is_known(status) ? statuses[status].name : "";
}

int cq_status_exit_code(cq_status status) {
  return is_known(status) ? statuses[status].exit_code : 1;
}

bool cq_status_is_numeric(cq_status status) {
  return is_known(status) && statuses[status].exit_code == 5;
}

cq_ctx *cq_ctx_create(int threads, uint64_t seed) {
  cq_ctx *ctx = calloc(1, sizeof *ctx);
  if (ctx != NULL) {
    cq_ctx_set_threads(ctx, threads);
    ctx->seed = seed;
    ctx->pace = &ctx->own;
  }
  return ctx;
}

cq_ctx *cq_ctx_beside(cq_ctx *owner, int threads) {
  cq_ctx *const ctx = cq_ctx_create(threads, owner->seed);
  if (ctx != NULL) {
    ctx->pace = owner->pace;
  }
  return ctx;
}

void cq_ctx_destroy(cq_ctx *ctx) {
  free(ctx);
}

void cq_ctx_set_log(cq_ctx *ctx, cq_log_fn fn, void *user) {
  if (ctx != NULL) {
    ctx->log = fn;
    ctx->log_user = user;
  }
}

void cq_ctx_set_pace(cq_ctx *ctx, cq_pace_fn fn, void *user) {
  if (ctx != NULL) {
    ctx->pace->fn = fn;
    ctx->pace->user = user;
    atomic_store(&ctx->pace->made[0], 0);
    atomic_store(&ctx->pace->made[1], 0);
  }
}

/* Whoever comes while it is told leaves it at the count. */
void cq_stepped(cq_ctx *ctx, bool backward) {
  pace *const p = ctx->pace;
  if (p->fn == NULL) {
    return;
  }
  atomic_fetch_add(&p->made[backward], 1);
  if (!atomic_exchange(&p->busy, true)) {
    p->fn(p->user, atomic_load(&p->made[0]), atomic_load(&p->made[1]));
    atomic_store(&p->busy, false);
  }
}

int cq_ctx_threads(const cq_ctx *ctx) {
  return ctx != NULL ? ctx->threads : 0;
}

void cq_ctx_set_threads(cq_ctx *ctx, int threads) {
  if (ctx != NULL) {
    ctx->threads = threads > 0 ? threads : cq_threads_available().count;
  }
}

uint64_t cq_ctx_seed(const cq_ctx *ctx) {
  return ctx != NULL ? ctx->seed : 0;
}

void cq_ctx_set_seed(cq_ctx *ctx, uint64_t seed) {
  if (ctx != NULL) {
    ctx->seed = seed;
  }
}

const char *cq_ctx_error(const cq_ctx *ctx) {
  return ctx != NULL ? ctx->error : "there is no context";
}

cq_status cq_ctx_status(const cq_ctx *ctx) {
  return ctx != NULL ? ctx->status : CQ_USAGE;
}

void cq_ctx_clear_error(cq_ctx *ctx) {
  if (ctx != NULL) {
    ctx->status = CQ_OK;
    ctx->error[0] = '\0';
  }
}

size_t cq_ctx_bytes(const cq_ctx *ctx) {
  return ctx != NULL ? ctx->bytes : 0;
}

void cq_ctx_request_stop(cq_ctx *ctx, cq_status why) {
  if (ctx != NULL) {
    atomic_store(&ctx->stop, (int)why);
  }
}

cq_status cq_ctx_stop_requested(const cq_ctx *ctx) {
  return ctx != NULL ? (cq_status)atomic_load(&ctx->stop) : CQ_USAGE;
}

cq_status cq_fail(cq_ctx *ctx, cq_status code, const char *fmt, ...) {
  if (ctx != NULL && ctx->status == CQ_OK) {
    va_list args;
    va_start(args, fmt);
    vsnprintf(ctx->error, sizeof ctx->error, fmt, args);
    va_end(args);
    ctx->status = code;
  }
  return code;
}

void cq_log(cq_ctx *ctx, cq_log_level level, const char *fmt, ...) {
  if (ctx->log == NULL) {
    return;
  }
  char line[1024];
  va_list args;
  va_start(args, fmt);
  vsnprintf(line, sizeof line, fmt, args);
  va_end(args);
  ctx->log(ctx->log_user, level, line);
}

/* every block carries its size in front, so that frees can be accounted */
enum { HEADER = 64, LARGE_PAGE = 2 << 20 };

static bool forced_failure(cq_ctx *ctx) {
  return ctx->fail_countdown > 0 && --ctx->fail_countdown == 0;
}

static void ask_for_large_pages(void *block, size_t bytes) {
#ifdef MADV_HUGEPAGE
  (void)madvise(block, bytes, MADV_HUGEPAGE); /* advice: nothing is lost where it is not taken */
#else
  (void)block;
  (void)bytes;
#endif
}

/* The size stands before what is handed out; large blocks begin at a large page. */
cq_status cq_alloc(cq_ctx *ctx, void **out, size_t count, size_t size) {
  *out = NULL;
  const bool forced = forced_failure(ctx);
  size_t bytes = 0;
  if (forced || __builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX - 2 * LARGE_PAGE) {
    return CQ_FAIL(ctx, CQ_MEMORY, "out of memory (%zu x %zu bytes)", count, size);
  }
  const bool large = bytes >= 2 * LARGE_PAGE;
  const size_t alignment = large ? LARGE_PAGE : HEADER;
  const size_t rounded = (bytes + HEADER + alignment - 1) / alignment * alignment;
  char *block = aligned_alloc(alignment, rounded);
  if (block == NULL) {
    return CQ_FAIL(ctx, CQ_MEMORY, "out of memory (%zu MiB asked for, %zu MiB held)", bytes >> 20,
                   ctx->bytes >> 20);
  }
  if (large) {
    ask_for_large_pages(block, rounded);
  }
  memset(block, 0, bytes + HEADER);
  memcpy(block, &bytes, sizeof bytes);
  ctx->bytes += bytes;
  *out = block + HEADER;
  return CQ_OK;
}

void cq_free(cq_ctx *ctx, void *pointer) {
  if (pointer == NULL) {
    return;
  }
  char *block = (char *)pointer - HEADER;
  size_t bytes = 0;
  memcpy(&bytes, block, sizeof bytes);
  ctx->bytes -= bytes;
  free(block);
}

static size_t whole_pages(size_t bytes) {
  return (bytes + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
}

cq_status cq_map(cq_ctx *ctx, void **out, size_t bytes) {
  *out = NULL;
  void *block = MAP_FAILED;
  if (!forced_failure(ctx) && bytes <= SIZE_MAX - LARGE_PAGE) {
    block = mmap(NULL, whole_pages(bytes), PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  }
  if (block == MAP_FAILED) {
    return CQ_FAIL(ctx, CQ_MEMORY, "out of address space (%zu MiB asked for)", bytes >> 20);
  }
  ask_for_large_pages(block, whole_pages(bytes));
  *out = block;
  return CQ_OK;
}

void cq_unmap(void *pointer, size_t bytes) {
  if (pointer != NULL) {
    munmap(pointer, whole_pages(bytes));
  }
}

cq_status cq_map_use(cq_ctx *ctx, size_t bytes) {
  CQ_CHECK(ctx, !forced_failure(ctx), CQ_MEMORY, "out of memory (%zu bytes)", bytes);
  ctx->bytes += bytes;
  return CQ_OK;
}

void cq_map_return(cq_ctx *ctx, size_t bytes) {
  ctx->bytes -= bytes;
}

void cq_alloc_fail_nth(cq_ctx *ctx, int n) {
  ctx->fail_countdown = n;
}
