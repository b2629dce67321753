#include "ranks_hello.h"

#include "build_id.h"
#include "machine.h"
#include "status.h"

#include <string.h>

cq_status cli_hello_make(const cli_session *session, const cli_share *share, cli_hello *hello) {
  const cli_device device = cli_device_of(session->scene);
  memset(hello, 0, sizeof *hello); /* its padding is sent, too */
  hello->rank = share->place;
  hello->of = share->of;
  snprintf(hello->build, sizeof hello->build, "%s", CQ_BUILD_ID);
  snprintf(hello->level, sizeof hello->level, "%s %s", device.word, device.level);
  snprintf(hello->host, sizeof hello->host, "%s", cli_machine_query().host);
  return cq_file_hash(session->file, true, &hello->settings);
}

/* What would give other bits, or another problem, is refused. */
void cli_hello_judge(const cli_hello *own, const cli_hello *other, char text[CLI_WHY]) {
  text[0] = '\0';
  if (strcmp(own->build, other->build) != 0) {
    snprintf(text, CLI_WHY,
             "it is build %s, and rank 0 on %s is %s: start the same cqopt everywhere",
             other->build, own->host, own->build);
  } else if (strcmp(own->level, other->level) != 0) {
    snprintf(text, CLI_WHY,
             "it computes with %s, and rank 0 on %s with %s, which gives other bits: set CQ_SIMD, "
             "or take machines of one kind",
             other->level, own->host, own->level);
  } else if (own->settings != other->settings) {
    snprintf(text, CLI_WHY,
             "its problem is another one than that of rank 0 on %s: the same file and --set "
             "options are wanted everywhere",
             own->host);
  } else if (other->rank < 1 || other->rank >= own->of || other->of != own->of) {
    snprintf(text, CLI_WHY, "it is rank %d of %d, and rank 0 has %d ranks", other->rank, other->of,
             own->of);
  }
}
