#include "wrap.h"

#include <string.h>

/* Word by word; a word that is wider than a line is not broken and sticks out. */
int cq_wrap(FILE *out, int column, int margin, const char *text) {
  int begin = column; /* of the line: no blank before its first word */
  while (*text != '\0') {
    const int word = (int)strcspn(text, " ");
    const int blank = column > begin ? 1 : 0;
    if (column > margin && column + blank + word > CQ_COLUMNS) {
      fprintf(out, "\n%*s", margin, "");
      column = begin = margin;
    } else {
      column += fprintf(out, "%*s", blank, "");
    }
    column += fprintf(out, "%.*s", word, text);
    text += word + strspn(text + word, " ");
  }
  return column;
}
