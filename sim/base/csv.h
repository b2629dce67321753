/* One cell of a CSV file: quoted where RFC 4180 asks for it. */
#ifndef CQ_BASE_CSV_H
#define CQ_BASE_CSV_H

#include <stdio.h>
#include <string.h>

static inline void cq_csv_text(FILE *out, const char *text) {
  if (strpbrk(text, ",\"\r\n") == NULL) {
    fputs(text, out);
    return;
  }
  fputc('"', out);
  for (const char *p = text; *p != '\0'; p++) {
    if (*p == '"') {
      fputc('"', out);
    }
    fputc(*p, out);
  }
  fputc('"', out);
}

#endif
