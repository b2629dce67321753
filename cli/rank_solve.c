/* cqopt solve as one of several ranks, but the first. */
#include "multistart.h"
#include "open.h"
#include "ranks.h"
#include "ranks_hello.h"
#include "run_read.h"
#include "status.h"
#include "wire.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef struct rank {
  cli_session session;
  cli_share *share;
  cli_hello hello;
  const char *folder;
  bool resumes;
  time_t began;
  int socket; /* to rank 0; -1: there is nothing to do */
  char *room; /* [room_size] of what it says */
  size_t room_size, size;
} rank;

/* --- the way to rank 0 -------------------------------------------------------------------------
 */

/* Says who it is; *refused: what is wrong with that, or "". False: nobody who knows the word. */
static bool greet(rank *r, const char *address, int port) {
  r->socket = cli_wire_connect(address, port);
  if (r->socket < 0) {
    return false;
  }
  const bool heard = cli_wire_send(r->socket, &r->hello, sizeof r->hello) &&
                     cli_wire_receive(r->socket, cli_share_patience(), CLI_WIRE_MOST, &r->room,
                                      &r->room_size, &r->size);
  if (!heard) {
    close(r->socket);
    r->socket = -1;
  }
  return heard;
}

/* By the file in the folder, which may be one that a killed process has left. */
static bool find(rank *r) {
  char path[CLI_PATH], host[72], address[64];
  int port = 0;
  bool found = false;
  snprintf(path, sizeof path, "%s/" CLI_RANKS_FILE, r->folder);
  FILE *const file = cq_open_read(path);
  if (file != NULL && fscanf(file, "%32s %d %71s", r->hello.token, &port, host) == 3) {
    while (!found && fscanf(file, "%63s", address) == 1) {
      found = greet(r, address, port);
    }
  }
  if (file != NULL) {
    fclose(file);
  }
  return found;
}

/* Whether rank 0 has done it all already. A run that goes on had an end before, too. */
static bool has_ended(const rank *r) {
  char *json = NULL, status[32] = "running", path[CLI_PATH];
  struct stat info;
  snprintf(path, sizeof path, "%s/run.json", r->folder);
  if (stat(path, &info) != 0 || (r->resumes && info.st_mtime < r->began)) {
    return false;
  }
  if (cli_run_read(r->session.ctx, r->folder, &json) == CQ_OK) {
    cli_run_member(json, "status", status, sizeof status);
  } else {
    cq_ctx_clear_error(r->session.ctx); /* it is being written */
  }
  free(json);
  return strcmp(status, "running") != 0 && strcmp(status, "-") != 0;
}

/* Until rank 0 has begun, or ended. */
static cq_status meet(rank *r) {
  enum { MOST_WAIT = 100000000 };
  struct timespec a_moment = {.tv_nsec = MOST_WAIT / 32};
  const int patience = cli_share_patience();
  cq_ctx *const ctx = r->session.ctx;
  CQ_TRY(cli_hello_make(&r->session, r->share, &r->hello));
  while (!find(r)) {
    if (has_ended(r)) {
      return CQ_OK;
    }
    CQ_CHECK(ctx, time(NULL) - r->began < patience, CQ_IO,
             "rank %d of %d: nobody has been met in %s for %d s: rank 0 has another folder, or "
             "another file system, or has ended",
             r->share->place, r->share->of, r->folder, patience);
    nanosleep(&a_moment, NULL);
    a_moment.tv_nsec += a_moment.tv_nsec < MOST_WAIT ? a_moment.tv_nsec : 0;
  }
  CQ_CHECK(ctx, r->size == 0, CQ_CONFIG, "rank %d of %d on %s: %s", r->share->place, r->share->of,
           r->hello.host, r->room);
  return CQ_OK;
}

/* --- what it does there ------------------------------------------------------------------------
 */

static cq_status gone(const rank *r) {
  return CQ_FAIL(r->session.ctx, CQ_IO,
                 "rank %d of %d: rank 0 is gone; the same command with --resume %s goes on",
                 r->share->place, r->share->of, r->folder);
}

/* Runs that rank 0 asks for, until it says farewell; one that fails has an empty answer. */
static cq_status evaluate(rank *r) {
  cq_ctx *const ctx = r->session.ctx;
  while (cli_wire_receive(r->socket, 0, CLI_WIRE_MOST, &r->room, &r->room_size, &r->size)) {
    const void *answer = NULL;
    size_t n = 0;
    if (r->size == 0) {
      return CQ_OK;
    }
    if (cq_scene_help(r->session.scene, r->room, r->size, &answer, &n) != CQ_OK) {
      cq_ctx_clear_error(ctx);
      n = 0;
    }
    if (!cli_wire_send(r->socket, n > 0 ? answer : "", n)) {
      break;
    }
  }
  return gone(r);
}

static bool is_over(void *user) {
  const rank *const r = user;
  return cli_wire_has_news(r->socket);
}

/* Starts that nobody has, until rank 0 says farewell. */
static cq_status run_starts(rank *r) {
  cli_session *const session = &r->session;
  CQ_TRY(cli_folder_reopen(&session->folder, r->folder));
  CQ_TRY(cli_multistart_help(session, r->share, is_over, r));
  return cli_wire_receive(r->socket, 0, CLI_WIRE_MOST, &r->room, &r->room_size, &r->size) &&
                 r->size == 0
             ? CQ_OK
             : gone(r);
}

static cq_status work(rank *r) {
  bool multistart = false;
  CQ_TRY(meet(r));
  if (r->socket < 0) {
    return CQ_OK;
  }
  CQ_TRY(cli_multistart_wanted(&r->session, &multistart));
  return multistart ? run_starts(r) : evaluate(r);
}

/* What rank 0 says, too, is said once. */
static cq_status said_by_first(cq_ctx *ctx, cq_status status) {
  cq_ctx_clear_error(ctx);
  return status;
}

/* Loads the problem as rank 0 does, finds it, and works for it until it is sent home. */
cq_status cli_rank_solve(cq_ctx *ctx, const cli_options *options, cli_share *share) {
  cli_options silent = *options;
  rank r = {.share = share,
            .socket = -1,
            .resumes = options->resume != NULL,
            .began = time(NULL),
            .folder = options->resume != NULL ? options->resume : options->output};
  silent.quiet = true;
  cq_status status =
      cli_session_open(ctx, &silent, "solve", SESSION_DESIGN | SESSION_OPTIMIZER, &r.session);
  if (status != CQ_OK) {
    return said_by_first(ctx, status);
  }
  if (cli_ranks_want(&r.session, share) != CQ_OK) {
    status = said_by_first(ctx, CQ_USAGE);
  } else {
    status = work(&r);
  }
  if (r.socket >= 0) {
    close(r.socket);
  }
  free(r.room);
  return cli_session_close(&r.session, status);
}
