#include "csv_read.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

char *cq_skip_mark(char *text) {
  return strncmp(text, "\xef\xbb\xbf", 3) == 0 ? text + 3 : text;
}

char cq_csv_separator(const char *heading) {
  bool quoted = false;
  for (; *heading != '\0'; heading++) {
    quoted = quoted != (*heading == '"');
    if (!quoted && strchr(",;\t", *heading) != NULL) {
      return *heading;
    }
  }
  return ',';
}

/* Without the quotes around it; "" inside stands for one. */
static void take_quotes_off(char *field) {
  const size_t length = strlen(field);
  if (length < 2 || field[0] != '"' || field[length - 1] != '"') {
    return;
  }
  field[length - 1] = '\0';
  char *to = field;
  for (const char *from = field + 1; *from != '\0'; from++) {
    from += from[0] == '"' && from[1] == '"';
    *to++ = *from;
  }
  *to = '\0';
}

/* Without blanks around it. */
static char *trim(char *text) {
  text += strspn(text, " \t\r");
  char *end = text + strlen(text);
  while (end > text && strchr(" \t\r", end[-1]) != NULL) {
    end--;
  }
  *end = '\0';
  return text;
}

char *cq_csv_next_field(char **line, char separator) {
  if (*line == NULL) {
    return NULL;
  }
  char *end = *line;
  for (bool quoted = false; *end != '\0' && (quoted || *end != separator); end++) {
    quoted = quoted != (*end == '"');
  }
  char *field = *line;
  *line = *end != '\0' ? end + 1 : NULL;
  *end = '\0';
  field = trim(field);
  take_quotes_off(field);
  return trim(field);
}

char *cq_csv_split_name(char *name) {
  char *open = strpbrk(name, "[("), *unit = name + strlen(name);
  if (open != NULL && open > name && unit[-1] == (*open == '[' ? ']' : ')')) {
    unit[-1] = '\0';
    unit = trim(open + 1);
    *open = '\0';
  }
  trim(name);
  for (char *c = name; *c != '\0'; c++) {
    *c = (char)tolower((unsigned char)*c);
  }
  return unit;
}
