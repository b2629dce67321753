/* Messages between processes, over TCP: some bytes with their number before them. */
#ifndef CQ_CLI_WIRE_H
#define CQ_CLI_WIRE_H

#include <stdbool.h>
#include <stddef.h>

/* Listens at a port that is free; here: for this machine alone. The socket, or -1 with errno. */
int cli_wire_listen(bool here, int *port);
/* The next one that connects, or -1: the socket was shut down. */
int cli_wire_accept(int listening);
/* Connects to an address such as "10.0.0.7"; -1: nobody answers there within a few seconds. */
int cli_wire_connect(const char *address, int port);
/* The IPv4 addresses of this machine, the one that only it sees first, one on a line. */
void cli_wire_addresses(char *text, size_t size);

/* False: the other one is gone. */
bool cli_wire_send(int socket, const void *data, size_t size);
enum { CLI_WIRE_MOST = 1 << 30 };
/* The next message, into *room [*room_size], which grows by realloc. False: the other one is gone,
 * says more than `most` bytes, or for `seconds` has said nothing; 0: waits as long as it takes. */
bool cli_wire_receive(int socket, int seconds, size_t most, char **room, size_t *room_size,
                      size_t *size);
/* Whether the other one has said something that is not received yet, or has closed. */
bool cli_wire_has_news(int socket);
/* Whether the other one has closed, or its process has ended. */
bool cli_wire_is_closed(int socket);

#endif
