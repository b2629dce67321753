#include "nearest.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 63 };

static int least(int a, int b) {
  return a < b ? a : b;
}

/* Damerau and Levenshtein: changed, missing, added letters, and two neighbours that have changed
 * places. */
int cq_edit_distance(const char *a, const char *b) {
  const int n = (int)strlen(a), m = (int)strlen(b);
  if (n > LONGEST || m > LONGEST) {
    return LONGEST;
  }
  int d[LONGEST + 1][LONGEST + 1];
  for (int i = 0; i <= n; i++) {
    for (int j = 0; j <= m; j++) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      const int change = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      d[i][j] = least(change, least(d[i - 1][j], d[i][j - 1]) + 1);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[n][m];
}

static const char *skip_marks(const char *s) {
  return s + strspn(s, "-_ ");
}

static int lower(char c) {
  return tolower((unsigned char)c);
}

bool cq_same_word(const char *a, const char *b) {
  for (a = skip_marks(a), b = skip_marks(b); *a != '\0' && lower(*a) == lower(*b);
       a = skip_marks(a + 1), b = skip_marks(b + 1)) {
  }
  return *a == '\0' && *b == '\0';
}

cq_nearest cq_nearest_begin(const char *wrong) {
  return (cq_nearest){.wrong = wrong, .distance = INT_MAX};
}

/* One name holds the other, or they begin alike: "SLSQP" and "LD_SLSQP", "max_evals" and
 * "max_evaluations". */
static bool is_related(const char *a, const char *b) {
  enum { SHORTEST = 4 };
  const size_t n = strlen(a);
  size_t common = 0;
  while (a[common] != '\0' && a[common] == b[common]) {
    common++;
  }
  return n >= SHORTEST && (strstr(b, a) != NULL || (common >= SHORTEST && 3 * common >= 2 * n));
}

enum { KNOWN = 0, SAME = 1, EDIT = 2, RELATED = 3 };

static void to_lower(const char *from, char to[LONGEST + 1]) {
  int n = 0;
  for (; from[n] != '\0' && n < LONGEST; n++) {
    to[n] = (char)lower(from[n]);
  }
  to[n] = '\0';
}

/* How far a name is from what was written; less is nearer. */
static int distance_of(const char *wrong, const char *name) {
  char a[LONGEST + 1], b[LONGEST + 1];
  if (strcmp(wrong, name) == 0) {
    return KNOWN;
  }
  if (cq_same_word(wrong, name)) {
    return SAME;
  }
  if (strlen(wrong) > LONGEST || strlen(name) > LONGEST) {
    return EDIT * LONGEST;
  }
  to_lower(wrong, a);
  to_lower(name, b);
  const int edits = cq_edit_distance(a, b);
  return edits > 1 && is_related(a, b) ? RELATED : EDIT * edits;
}

/* Adds a name that is as near as the best one, unless it is there. */
static void add_equal(cq_nearest *nearest, const char *name) {
  char quoted[70];
  snprintf(quoted, sizeof quoted, ", \"%.63s\"", name);
  const size_t used = strlen(nearest->equal);
  if (strcmp(nearest->best, name) != 0 && strstr(nearest->equal, quoted) == NULL &&
      used + strlen(quoted) < sizeof nearest->equal) {
    memcpy(nearest->equal + used, quoted, strlen(quoted) + 1);
  }
}

void cq_nearest_offer_at(cq_nearest *nearest, const char *name, int distance) {
  if (distance < nearest->distance) {
    nearest->distance = distance;
    nearest->equal[0] = '\0';
    snprintf(nearest->best, sizeof nearest->best, "%s", name);
  } else if (distance == nearest->distance && (distance == SAME || distance == RELATED)) {
    add_equal(nearest, name);
  }
}

void cq_nearest_offer_as(cq_nearest *nearest, const char *word, const char *name) {
  const int distance = distance_of(nearest->wrong, word);
  cq_nearest_offer_at(nearest, name, distance > SAME ? distance : SAME);
}

void cq_nearest_offer(cq_nearest *nearest, const char *name) {
  static const char more[] = ", ...";
  cq_nearest_offer_at(nearest, name, distance_of(nearest->wrong, name));
  const size_t used = strlen(nearest->all);
  if (nearest->cut) {
    return;
  }
  nearest->cut = used + strlen(name) + 2 * sizeof more > sizeof nearest->all;
  snprintf(nearest->all + used, sizeof nearest->all - used, "%s%s",
           nearest->cut ? more : (used > 0 ? ", " : ""), nearest->cut ? "" : name);
}

bool cq_nearest_found(const cq_nearest *nearest) {
  const int edits = 1 + ((int)strlen(nearest->wrong) - 1) / 4;
  return nearest->distance <= (edits > 1 ? EDIT * edits : RELATED);
}

const char *cq_nearest_text(cq_nearest *nearest) {
  if (cq_nearest_found(nearest)) {
    snprintf(nearest->text, sizeof nearest->text, "did you mean %s\"%s\"%s?",
             nearest->equal[0] != '\0' ? "one of " : "", nearest->best, nearest->equal);
  } else {
    snprintf(nearest->text, sizeof nearest->text, "known are: %s", nearest->all);
  }
  return nearest->text;
}

const char *cq_nearest_text_or(cq_nearest *nearest, const char *where) {
  enum { LINE = 160 };
  if (cq_nearest_found(nearest) || strlen(nearest->all) <= LINE) {
    return cq_nearest_text(nearest);
  }
  snprintf(nearest->text, sizeof nearest->text, "%s", where);
  return nearest->text;
}
