/* cqopt/base.h: statuses and the context every other call works in.
 *
 * Units are SI throughout (m, kg, s, Pa). Functions return a cq_status; the first error of a run is
 * kept with its text in the context. No function of the library calls exit(). */
#ifndef CQOPT_BASE_H
#define CQOPT_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
/* what the library exports */
#  define CQ_API __attribute__((visibility("default")))
/* a function whose arguments the compiler checks: places of format and of the first of them */
#  define CQ_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#  define CQ_API
#  define CQ_PRINTF(fmt, args)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* X(name, exit code of the program, what it says). The exit codes are those of docs/design.md.
 * Those with 5 are what a simulation may end by, whatever engine it is; the engine's message says
 * more. Numbers stand in records: new ones go to the end. */
#define CQ_STATUS_LIST(X)                                                                          \
  X(OK, 0, "ok")                                                                                   \
  X(USAGE, 1, "wrong use")                                                                         \
  X(CONFIG, 1, "wrong problem file")                                                               \
  X(IO, 2, "input or output failed")                                                               \
  X(BUDGET, 3, "stopped by a budget")                                                              \
  X(INFEASIBLE, 4, "no feasible point")                                                            \
  X(NONFINITE, 5, "a value is not finite")                                                         \
  X(OUT_OF_ROOM, 5, "a particle left the room")                                                    \
  X(DEFORMED, 5, "a particle is deformed too far")                                                 \
  X(TOO_FAST, 5, "a particle is too fast")                                                         \
  X(TEARS, 5, "a body tears")                                                                      \
  X(OPTIMIZER, 6, "the optimizer failed")                                                          \
  X(NOT_STATIONARY, 6, "stopped where it is not stationary")                                       \
  X(FLAT, 6, "the objective does not depend on the design here")                                   \
  X(TORN, 6, "a body is torn")                                                                     \
  X(VERIFICATION, 7, "verification failed")                                                        \
  X(MEMORY, 8, "out of memory")                                                                    \
  X(DEVICE, 8, "device not available")                                                             \
  X(INTERRUPTED, 130, "stopped by SIGINT")                                                         \
  X(TERMINATED, 143, "stopped by SIGTERM")                                                         \
  X(SOLVER, 5, "an inner solve did not converge")                                                  \
  X(NEIGHBOURS, 5, "a list of neighbours is full")

/* An entry of the list as one of the enum. */
#define CQ_STATUS_ENUM(name, exit_code, text) CQ_##name,
/* How a call ended: CQ_OK, CQ_USAGE, ... */
typedef enum cq_status {
  CQ_STATUS_LIST(CQ_STATUS_ENUM)
#undef CQ_STATUS_ENUM
      CQ_N_STATUSES
} cq_status;

/* "stopped by a budget": what CQ_STATUS_LIST says. */
CQ_API const char *cq_status_text(cq_status status);
/* "BUDGET": the name in CQ_STATUS_LIST */
CQ_API const char *cq_status_name(cq_status status);
/* The exit code of the program. */
CQ_API int cq_status_exit_code(cq_status status);
/* True for failures of one simulation (another design may succeed), false for everything else. */
CQ_API bool cq_status_is_numeric(cq_status status);

enum { CQ_MOST_TALLIES = 4 }; /* things that an engine counts in a run: half of them, at most */

/* What a gradient is. Methods that search along it or build models from it are refused on a
 * heuristic one. */
typedef enum cq_gradient_kind {
  CQ_GRADIENT_EXACT_REVERSE,
  CQ_GRADIENT_EXACT_TANGENT,
  CQ_GRADIENT_HEURISTIC,
  CQ_GRADIENT_DIFFERENCE,
  CQ_GRADIENT_NONE
} cq_gradient_kind;

/* What a line of the log is worth. */
typedef enum cq_log_level { CQ_LOG_INFO, CQ_LOG_WARNING, CQ_LOG_ERROR } cq_log_level;

/* The context of a run: first error, log sink, threads, seed, stop request, memory accounting.
 * One a run; not shared between threads that call the library at the same time. Functions of a
 * context do nothing with NULL, which is CQ_USAGE and 0 where they return something. */
typedef struct cq_ctx cq_ctx;

/* Takes a line of the log, without its end. */
typedef void (*cq_log_fn)(void *user, cq_log_level level, const char *line);

/* Hears how many steps simulations have made so far, and how many adjoints of steps or steps of
 * derivatives: thousands of times a second, from any thread, but never two at a time. */
typedef void (*cq_pace_fn)(void *user, long long forward, long long backward);

/* Returns NULL when out of memory. threads <= 0: as many as the affinity mask, the quota of the
 * control group, OMP_NUM_THREADS and SLURM_CPUS_PER_TASK leave of the cores. */
CQ_API cq_ctx *cq_ctx_create(int threads, uint64_t seed);
/* What was made with it must be gone. NULL is allowed. */
CQ_API void cq_ctx_destroy(cq_ctx *ctx);
/* Who hears the log; NULL: nobody, as at first. */
CQ_API void cq_ctx_set_log(cq_ctx *ctx, cq_log_fn fn, void *user);
/* Who hears of steps, counted from now on; NULL: nobody, as at first. Steps on a device are told by
 * engines that make them one by one, and those of designs that are simulated ahead are not. */
CQ_API void cq_ctx_set_pace(cq_ctx *ctx, cq_pace_fn fn, void *user);
/* How many threads work, at least 1. */
CQ_API int cq_ctx_threads(const cq_ctx *ctx);
/* As for cq_ctx_create. */
CQ_API void cq_ctx_set_threads(cq_ctx *ctx, int threads);
/* The seed of all that is random. */
CQ_API uint64_t cq_ctx_seed(const cq_ctx *ctx);
/* Before a file is loaded. */
CQ_API void cq_ctx_set_seed(cq_ctx *ctx, uint64_t seed);
/* Text of the first error since the last clear; "" when there was none. */
CQ_API const char *cq_ctx_error(const cq_ctx *ctx);
/* Its status; CQ_OK when there was none. */
CQ_API cq_status cq_ctx_status(const cq_ctx *ctx);
/* Forgets it, so that the next one is kept. */
CQ_API void cq_ctx_clear_error(cq_ctx *ctx);
/* Bytes the library holds through this context. */
CQ_API size_t cq_ctx_bytes(const cq_ctx *ctx);
/* Async-signal-safe: asks a running optimization to stop after the evaluation in flight with
 * CQ_INTERRUPTED or CQ_TERMINATED. CQ_OK takes that back. */
CQ_API void cq_ctx_request_stop(cq_ctx *ctx, cq_status why);
/* What was asked for; CQ_OK: nothing. */
CQ_API cq_status cq_ctx_stop_requested(const cq_ctx *ctx);

/* Name of the SIMD level simulations run at, "avx512", "avx2" or "sse2": the widest this machine
 * has, or the one the environment variable CQ_SIMD names. NULL when that is unknown or not
 * available here; creating a simulation fails then, and says so. Results have the same bits at one
 * level of one build only. Static; never freed. */
CQ_API const char *cq_simd_level(void);

#ifdef __cplusplus
}
#endif
#endif
