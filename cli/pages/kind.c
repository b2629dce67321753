#include "pages.h"

#include <ctype.h>
#include <string.h>

pages_kind pages_kind_of(const char *word) {
  static const struct {
    const char *begins;
    pages_kind kind;
  } kinds[] = {{"PROBLEM", PAGES_PROBLEM}, {"FILE", PAGES_FILE},      {"PATH", PAGES_FILE},
               {"DIR", PAGES_FOLDER},      {"FOLDER", PAGES_FOLDER},  {"RUN-FOLDER", PAGES_FOLDER},
               {"METHODS", PAGES_METHODS}, {"COMMAND", PAGES_COMMAND}};
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    if (strncmp(word, kinds[i].begins, strlen(kinds[i].begins)) == 0) {
      return kinds[i].kind;
    }
  }
  return islower((unsigned char)word[0]) ? PAGES_WORD : PAGES_NOTHING;
}

bool pages_next_word(const char **arguments, char *word, size_t size) {
  static const char around[] = "[]| .";
  const char *const begin = *arguments + strspn(*arguments, around);
  const size_t length = strcspn(begin, "[]| ");
  snprintf(word, size, "%.*s", (int)length, begin);
  *arguments = begin + length;
  return length > 0;
}
