#include "ranks.h"

#include "alloc.h"
#include "ranks_hello.h"
#include "status.h"
#include "wire.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HELLO_SECONDS = 10 };

typedef enum peer_state { PEER_AWAITED, PEER_HERE, PEER_GONE } peer_state;

/* Another rank. The thread that deals with it has its socket, all else is under the lock. */
typedef struct peer {
  int socket;
  peer_state state;
  bool told; /* of its state, in the log */
  char host[72], refused[CLI_WHY];
  char *room; /* [room_size] of its answers */
  size_t room_size;
} peer;

struct cli_ranks {
  cli_session *session;
  cli_hello own;
  int listening, port;
  bool here; /* all of them are on this machine */
  pthread_t door;
  bool has_door;
  pthread_mutex_t lock;
  int n_peers;
  peer *peers; /* [n_peers] rank 1, 2, ... */
  cq_helpers helpers;
};

/* --- who comes ---------------------------------------------------------------------------------
 */

/* What is wrong with the one that has come, as cli_hello_judge; a place that is taken stays with
 * whom it has. */
static void judge(cli_ranks *r, const cli_hello *hello, char why[CLI_WHY]) {
  cli_hello_judge(&r->own, hello, why);
  if (why[0] == '\0') {
    pthread_mutex_lock(&r->lock);
    if (r->peers[hello->rank - 1].state == PEER_HERE) {
      snprintf(why, CLI_WHY, "another process is rank %d already", hello->rank);
    }
    pthread_mutex_unlock(&r->lock);
  }
}

static void welcome(cli_ranks *r, const cli_hello *hello, int socket) {
  peer *const p = &r->peers[hello->rank - 1];
  pthread_mutex_lock(&r->lock);
  p->socket = socket;
  p->state = PEER_HERE;
  p->told = false;
  snprintf(p->host, sizeof p->host, "%.71s", hello->host);
  pthread_mutex_unlock(&r->lock);
}

static void refuse(cli_ranks *r, const cli_hello *hello, const char *why) {
  if (hello->rank >= 1 && hello->rank < r->own.of) {
    peer *const p = &r->peers[hello->rank - 1];
    pthread_mutex_lock(&r->lock);
    snprintf(p->refused, sizeof p->refused, "%s", why);
    p->told = false;
    pthread_mutex_unlock(&r->lock);
  }
}

/* Whoever does not know the word hears nothing. */
static void greet(cli_ranks *r, int socket) {
  cli_hello hello;
  char *text = NULL, why[CLI_WHY];
  size_t room = 0, size = 0;
  bool stays = false;
  if (cli_wire_receive(socket, HELLO_SECONDS, sizeof hello, &text, &room, &size) &&
      size == sizeof hello) {
    memcpy(&hello, text, sizeof hello);
    if (memcmp(hello.token, r->own.token, sizeof hello.token) == 0) {
      judge(r, &hello, why);
      stays = cli_wire_send(socket, why, strlen(why)) && why[0] == '\0';
      if (stays) {
        welcome(r, &hello, socket);
      } else {
        refuse(r, &hello, why);
      }
    }
  }
  free(text);
  if (!stays) {
    close(socket);
  }
}

static void *keep_door(void *data) {
  cli_ranks *const r = data;
  for (int socket = cli_wire_accept(r->listening); socket >= 0;
       socket = cli_wire_accept(r->listening)) {
    greet(r, socket);
  }
  return NULL;
}

/* --- what they do ------------------------------------------------------------------------------
 */

/* Into the log, by the thread that has the context. */
static void tell(cli_ranks *r, int i) {
  peer *const p = &r->peers[i];
  cq_ctx *const ctx = r->session->ctx;
  if (p->told) {
    return;
  }
  p->told = true;
  if (p->refused[0] != '\0') {
    cq_log(ctx, CQ_LOG_WARNING, "rank %d of %d is refused: %s", i + 1, r->own.of, p->refused);
    p->refused[0] = '\0';
  } else if (p->state == PEER_HERE) {
    cq_log(ctx, CQ_LOG_INFO, "rank %d of %d on %s takes part", i + 1, r->own.of, p->host);
  } else if (p->state == PEER_GONE) {
    cq_log(ctx, CQ_LOG_WARNING, "rank %d of %d on %s is gone; what it had is done again", i + 1,
           r->own.of, p->host);
  }
}

/* with the lock */
static void lose(peer *p) {
  close(p->socket);
  p->state = PEER_GONE;
  p->told = false;
}

static bool is_here(void *user, int i) {
  cli_ranks *const r = user;
  peer *const p = &r->peers[i];
  pthread_mutex_lock(&r->lock);
  if (p->state == PEER_HERE && cli_wire_is_closed(p->socket)) {
    lose(p);
  }
  tell(r, i);
  const bool here = p->state == PEER_HERE;
  pthread_mutex_unlock(&r->lock);
  return here;
}

/* An answer of more bytes than there is room for is none. */
static bool ask(void *user, int i, const void *request, size_t size, void *answer, size_t *n) {
  cli_ranks *const r = user;
  peer *const p = &r->peers[i];
  size_t got = 0;
  pthread_mutex_lock(&r->lock);
  const int socket = p->socket;
  pthread_mutex_unlock(&r->lock);
  const bool answered = cli_wire_send(socket, request, size) &&
                        cli_wire_receive(socket, 0, CLI_WIRE_MOST, &p->room, &p->room_size, &got) &&
                        got <= *n;
  if (!answered) {
    pthread_mutex_lock(&r->lock);
    if (p->state == PEER_HERE && p->socket == socket) {
      lose(p);
    }
    pthread_mutex_unlock(&r->lock);
    return false;
  }
  if (got > 0) {
    memcpy(answer, p->room, got);
  }
  *n = got;
  return true;
}

/* --- whether there is anything to do -------------------------------------------------------------
 */

cq_status cli_ranks_want(const cli_session *session, const cli_share *share) {
  const cq_scene *const scene = session->scene;
  CQ_CHECK(session->ctx,
           share->of == 0 || cq_scene_information(scene).starts > 1 ||
               cq_scene_needs_helpers(scene),
           CQ_USAGE,
           "%d ranks were started, and %s leaves them nothing to share: it has one start "
           "(optimizer.starts), no scenarios or experiments, and %s asks for one design after the "
           "other; start it once, without mpirun",
           share->of, cq_scene_name(scene), cq_scene_optimizer(scene)->name);
  return CQ_OK;
}

cq_status cli_ranks_check(cq_ctx *ctx, const cli_options *options, const cli_share *share) {
  cli_session session;
  cli_options silent = *options;
  silent.quiet = true;
  if (share->of == 0) {
    return CQ_OK;
  }
  CQ_TRY(cli_session_open(ctx, &silent, "solve", SESSION_DESIGN | SESSION_OPTIMIZER, &session));
  return cli_session_close(&session, cli_ranks_want(&session, share));
}

/* --- beginning and end -------------------------------------------------------------------------
 */

static cq_status write_address(void *user, FILE *out) {
  const cli_ranks *const r = user;
  fchmod(fileno(out), S_IRUSR | S_IWUSR); /* the word is for the other ranks alone */
  char addresses[1024] = "127.0.0.1\n";
  if (!r->here) {
    cli_wire_addresses(addresses, sizeof addresses);
  }
  fprintf(out, "%s %d %s\n%s", r->own.token, r->port, r->own.host, addresses);
  return CQ_OK;
}

static cq_status make_token(cq_ctx *ctx, char token[CLI_TOKEN]) {
  unsigned char bytes[(CLI_TOKEN - 1) / 2];
  CQ_CHECK(ctx, getrandom(bytes, sizeof bytes, 0) == (ssize_t)sizeof bytes, CQ_IO,
           "no random numbers: %s", strerror(errno));
  for (size_t i = 0; i < sizeof bytes; i++) {
    snprintf(token + 2 * i, 3, "%02x", bytes[i]);
  }
  return CQ_OK;
}

static cq_status open_door(cli_ranks *r) {
  cq_ctx *const ctx = r->session->ctx;
  r->listening = cli_wire_listen(r->here, &r->port);
  CQ_CHECK(ctx, r->listening >= 0, CQ_IO, "no port for the other ranks: %s", strerror(errno));
  CQ_TRY(make_token(ctx, r->own.token));
  r->has_door = pthread_create(&r->door, NULL, keep_door, r) == 0;
  CQ_CHECK(ctx, r->has_door, CQ_MEMORY, "no thread for the other ranks");
  return cli_folder_write(&r->session->folder, CLI_RANKS_FILE, write_address, r);
}

/* A door for those that come, and helpers of the scene once they are here. */
cq_status cli_ranks_begin(cli_session *session, const cli_share *share, bool evaluate,
                          cli_ranks **out) {
  cq_ctx *const ctx = session->ctx;
  *out = NULL;
  if (share->of == 0) {
    return CQ_OK;
  }
  cli_ranks *r = NULL;
  CQ_TRY(CQ_ALLOC(ctx, r, 1));
  *out = r;
  r->session = session;
  r->listening = -1;
  r->here = cli_share_ranks_here() == share->of;
  pthread_mutex_init(&r->lock, NULL);
  CQ_TRY(CQ_ALLOC(ctx, r->peers, share->of));
  r->n_peers = share->of - 1;
  CQ_TRY(cli_hello_make(session, share, &r->own));
  CQ_TRY(open_door(r));
  r->helpers = (cq_helpers){.count = r->n_peers, .is_here = is_here, .ask = ask, .user = r};
  if (evaluate) {
    cq_scene_set_helpers(session->scene, &r->helpers);
  }
  return CQ_OK;
}

void cli_ranks_look(cli_ranks *r) {
  for (int i = 0; r != NULL && i < r->n_peers; i++) {
    is_here(r, i);
  }
}

/* An empty message is a farewell; the address stays only where the process was killed. */
void cli_ranks_end(cli_ranks *r) {
  char path[CLI_PATH];
  if (r == NULL) {
    return;
  }
  cq_ctx *const ctx = r->session->ctx;
  cq_scene_set_helpers(r->session->scene, NULL);
  cli_folder_path(&r->session->folder, CLI_RANKS_FILE, path, sizeof path);
  unlink(path);
  if (r->listening >= 0) {
    shutdown(r->listening, SHUT_RDWR);
  }
  if (r->has_door) {
    pthread_join(r->door, NULL);
  }
  if (r->listening >= 0) {
    close(r->listening);
  }
  for (int i = 0; i < r->n_peers; i++) {
    tell(r, i);
    if (r->peers[i].state == PEER_AWAITED) {
      cq_log(ctx, CQ_LOG_WARNING,
             "rank %d of %d has not come: it was late, or has another folder than %s", i + 1,
             r->own.of, r->session->folder.path);
    }
    if (r->peers[i].state == PEER_HERE) {
      cli_wire_send(r->peers[i].socket, "", 0);
      close(r->peers[i].socket);
    }
    free(r->peers[i].room);
  }
  pthread_mutex_destroy(&r->lock);
  cq_free(ctx, r->peers);
  cq_free(ctx, r);
}
