/* Text that others will read as UTF-8, whatever bytes it was given with. */
#ifndef CQ_BASE_UTF8_H
#define CQ_BASE_UTF8_H

#include <stddef.h>

/* Bytes of the character at text, 1 to 4; 0: they are not UTF-8 (nor is the end of the text). */
static inline int cq_utf8_length(const char *text) {
  const unsigned char *const b = (const unsigned char *)text;
  const int length = b[0] == 0      ? 0
                     : b[0] < 0x80  ? 1
                     : b[0] < 0xc2  ? 0
                     : b[0] < 0xe0  ? 2
                     : b[0] < 0xf0  ? 3
                     : b[0] <= 0xf4 ? 4
                                    : 0;
  for (int i = 1; i < length; i++) {
    if ((b[i] & 0xc0U) != 0x80) {
      return 0;
    }
  }
  /* written longer than need be, half of a pair of UTF-16, beyond the last character */
  const int wrong = (b[0] == 0xe0 && b[1] < 0xa0) || (b[0] == 0xed && b[1] >= 0xa0) ||
                    (b[0] == 0xf0 && b[1] < 0x90) || (b[0] == 0xf4 && b[1] >= 0x90);
  return length > 2 && wrong ? 0 : length;
}

/* what stands for a byte that is none */
#define CQ_UTF8_UNKNOWN "\xef\xbf\xbd"

/* Takes the next character of *text to `character`, CQ_UTF8_UNKNOWN for a byte that is none, and
 * moves on behind it. 0 at the end. */
static inline int cq_utf8_next(const char **text, char character[5]) {
  const int length = cq_utf8_length(*text);
  const char *from = length > 0 ? *text : CQ_UTF8_UNKNOWN;
  const int bytes = length > 0 ? length : 3;
  if (**text == '\0') {
    return 0;
  }
  for (int i = 0; i < bytes; i++) {
    character[i] = from[i];
  }
  character[bytes] = '\0';
  *text += length > 0 ? length : 1;
  return bytes;
}

/* Copies text, whole characters only, as far as it fits. */
static inline void cq_utf8_copy(const char *text, char *out, size_t size) {
  char character[5];
  size_t used = 0;
  for (int n; (n = cq_utf8_next(&text, character)) > 0 && used + (size_t)n < size;) {
    for (int i = 0; i < n; i++) {
      out[used++] = character[i];
    }
  }
  out[used] = '\0';
}

#endif
