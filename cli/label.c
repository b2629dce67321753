#include "label.h"

#include "style.h"

#include <string.h>

static bool begins_character(char c) {
  return ((unsigned char)c & 0xC0) != 0x80;
}

int cli_columns(const char *text) {
  int columns = 0;
  for (; *text != '\0'; text++) {
    columns += begins_character(*text);
  }
  return columns;
}

/* where character n of text begins */
static const char *character(const char *text, int n) {
  for (; *text != '\0'; text++) {
    n -= begins_character(*text);
    if (n < 0) {
      break;
    }
  }
  return text;
}

void cli_label_cut(const char *label, int most, char *text, size_t size) {
  const int columns = cli_columns(label), tail = (most - 2) / 2, head = most - 2 - tail;
  if (columns <= most) {
    snprintf(text, size, "%s", label);
    return;
  }
  snprintf(text, size, "%.*s..%s", (int)(character(label, head) - label), label,
           character(label, columns - tail));
}

void cli_label_put(FILE *out, int indent, int width, const char *label) {
  char text[4 * CLI_SCREEN + 1];
  cli_label_cut(label, CLI_SCREEN - indent, text, sizeof text);
  const int columns = cli_columns(text);
  fprintf(out, "%*s%s", indent, "", text);
  if (columns > width) {
    fprintf(out, "\n%*s", indent + width, "");
  } else {
    fprintf(out, "%*s", width - columns, "");
  }
}
