/* What rows are made of: types, ranges, words. */
#include "schema_rows.h"

#include <string.h>

const char cq_required[] = "required";

#define CQ_RANGE_ROW(name, least, largest, text)                                                   \
  const cq_range cq_range_##name = {least, largest, text};
CQ_RANGE_LIST(CQ_RANGE_ROW)
#undef CQ_RANGE_ROW

const char *const cq_type_text[] = {
#define CQ_TYPE_ROW(name, text) text,
    CQ_TYPE_LIST(CQ_TYPE_ROW)
#undef CQ_TYPE_ROW
};

const char *cq_word(const char *words, int i, int *length) {
  words += *words == '|';
  for (; i > 0 && *words != '\0'; i--) {
    words += strcspn(words, "|");
    words += *words == '|';
  }
  *length = (int)strcspn(words, "|");
  return words;
}

int cq_word_index(const char *words, const char *text) {
  const int wanted = (int)strlen(text);
  int length = 0;
  for (int i = 0;; i++) {
    const char *word = cq_word(words, i, &length);
    if (length == 0) {
      return -1;
    }
    if (length == wanted && memcmp(word, text, (size_t)length) == 0) {
      return i;
    }
  }
}
