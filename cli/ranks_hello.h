/* How ranks of a solve find rank 0, and what they say to it first. */
#ifndef CQ_CLI_RANKS_HELLO_H
#define CQ_CLI_RANKS_HELLO_H

#include "session.h"
#include "share.h"

enum { CLI_TOKEN = 33, CLI_WHY = 384 };

/* The file in the run folder: a word that nobody else knows, a port, and addresses. */
#define CLI_RANKS_FILE "ranks"

typedef struct cli_hello {
  char token[CLI_TOKEN];
  int rank, of;
  char build[64], level[40], host[72]; /* level: what decides the bits beside the build */
  uint64_t settings;                   /* cq_file_hash, with the optimizer */
} cli_hello;

cq_status cli_hello_make(const cli_session *session, const cli_share *share, cli_hello *hello);
/* What is wrong with the one that has come, as it will be told; "": nothing. */
void cli_hello_judge(const cli_hello *own, const cli_hello *other, char text[CLI_WHY]);

#endif
