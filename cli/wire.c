#define _GNU_SOURCE /* getifaddrs, keep-alive */
#include "wire.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* Answers are waited for, so small packets go at once; a machine that is gone is noticed in half a
 * minute, however long a simulation takes. */
static void prepare(int socket) {
  static const struct {
    int level, name, value;
  } options[] = {{IPPROTO_TCP, TCP_NODELAY, 1},   {SOL_SOCKET, SO_KEEPALIVE, 1},
                 {IPPROTO_TCP, TCP_KEEPIDLE, 10}, {IPPROTO_TCP, TCP_KEEPINTVL, 5},
                 {IPPROTO_TCP, TCP_KEEPCNT, 4},   {IPPROTO_TCP, TCP_USER_TIMEOUT, 30000}};
  for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
    setsockopt(socket, options[i].level, options[i].name, &options[i].value, sizeof(int));
  }
}

/* At a port that the system chooses. */
int cli_wire_listen(bool here, int *port) {
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_addr.s_addr = htonl(here ? INADDR_LOOPBACK : INADDR_ANY)};
  socklen_t size = sizeof address;
  const int listening = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listening >= 0 && (bind(listening, (const struct sockaddr *)&address, size) != 0 ||
                         listen(listening, SOMAXCONN) != 0 ||
                         getsockname(listening, (struct sockaddr *)&address, &size) != 0)) {
    const int error = errno;
    close(listening);
    errno = error;
    return -1;
  }
  *port = ntohs(address.sin_port);
  return listening;
}

int cli_wire_accept(int listening) {
  int accepted = -1;
  do {
    accepted = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
  } while (accepted < 0 && (errno == EINTR || errno == ECONNABORTED));
  if (accepted >= 0) {
    prepare(accepted);
  }
  return accepted;
}

int cli_wire_connect(const char *address, int port) {
  static const struct timeval patience = {.tv_sec = 3};
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  const int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (made < 0) {
    return -1;
  }
  setsockopt(made, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience); /* of connect, too */
  if (inet_pton(AF_INET, address, &to.sin_addr) != 1 ||
      connect(made, (const struct sockaddr *)&to, sizeof to) != 0) {
    close(made);
    return -1;
  }
  static const struct timeval none = {.tv_sec = 0};
  setsockopt(made, SOL_SOCKET, SO_SNDTIMEO, &none, sizeof none);
  prepare(made);
  return made;
}

/* Of this machine, one a line: other machines try them in turn. */
void cli_wire_addresses(char *text, size_t size) {
  struct ifaddrs *all = NULL;
  size_t used = (size_t)snprintf(text, size, "127.0.0.1\n");
  if (getifaddrs(&all) != 0) {
    return;
  }
  for (const struct ifaddrs *i = all; i != NULL; i = i->ifa_next) {
    char name[INET_ADDRSTRLEN];
    if (i->ifa_addr == NULL || i->ifa_addr->sa_family != AF_INET ||
        (i->ifa_flags & IFF_LOOPBACK) != 0 || size - used < sizeof name + 1) {
      continue;
    }
    struct sockaddr_in at;
    memcpy(&at, i->ifa_addr, sizeof at);
    if (inet_ntop(AF_INET, &at.sin_addr, name, sizeof name) != NULL) {
      used += (size_t)snprintf(text + used, size - used, "%s\n", name);
    }
  }
  freeifaddrs(all);
}

static bool send_all(int socket, const char *data, size_t size) {
  while (size > 0) {
    const ssize_t sent = send(socket, data, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) {
      continue;
    }
    if (sent <= 0) {
      return false;
    }
    data += sent;
    size -= (size_t)sent;
  }
  return true;
}

bool cli_wire_send(int socket, const void *data, size_t size) {
  const uint64_t head = size;
  return send_all(socket, (const char *)&head, sizeof head) && send_all(socket, data, size);
}

/* seconds 0: without an end */
static bool receive_all(int socket, int seconds, char *data, size_t size) {
  while (size > 0) {
    struct pollfd ready = {.fd = socket, .events = POLLIN};
    const int found = poll(&ready, 1, seconds > 0 ? seconds * 1000 : -1);
    if (found < 0 && errno == EINTR) {
      continue;
    }
    const ssize_t got = found > 0 ? recv(socket, data, size, 0) : 0;
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      return false;
    }
    data += got;
    size -= (size_t)got;
  }
  return true;
}

bool cli_wire_receive(int socket, int seconds, size_t most, char **room, size_t *room_size,
                      size_t *size) {
  uint64_t head = 0;
  if (!receive_all(socket, seconds, (char *)&head, sizeof head) || head > most) {
    return false;
  }
  if (head + 1 > *room_size) {
    char *const more = realloc(*room, (size_t)head + 1);
    if (more == NULL) {
      return false;
    }
    *room = more;
    *room_size = (size_t)head + 1;
  }
  *size = (size_t)head;
  (*room)[head] = '\0'; /* it may be a text */
  return receive_all(socket, seconds, *room, (size_t)head);
}

bool cli_wire_is_closed(int socket) {
  char byte = 0;
  const ssize_t got = recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return got == 0 || (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

bool cli_wire_has_news(int socket) {
  char byte = 0;
  return cli_wire_is_closed(socket) || recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}
