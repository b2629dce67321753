/* One cell of a CSV file: quoted where RFC 4180 asks for it. */
#ifndef CQ_BASE_CSV_H
#define CQ_BASE_CSV_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

/* The shortest text that reads back as the same number; nothing when it is not finite. */
static inline void cq_csv_number(FILE *out, double value) {
  char text[32] = "";
  for (int digits = 15; digits <= 17 && isfinite(value); digits++) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (strtod(text, NULL) == value) {
      break;
    }
  }
  fputs(text, out);
}

#endif
