#include "nearest.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 63 };

static int least(int a, int b) {
  return a < b ? a : b;
}

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

void cq_nearest_offer(cq_nearest *nearest, const char *name) {
  int distance = cq_edit_distance(nearest->wrong, name);
  distance = distance > 1 && is_related(nearest->wrong, name) ? 1 : distance;
  if (distance < nearest->distance) {
    nearest->distance = distance;
    snprintf(nearest->best, sizeof nearest->best, "%s", name);
  }
  const size_t used = strlen(nearest->all);
  snprintf(nearest->all + used, sizeof nearest->all - used, "%s%s", used > 0 ? ", " : "", name);
}

const char *cq_nearest_text(cq_nearest *nearest) {
  const int allowed = 1 + (int)strlen(nearest->wrong) / 3;
  if (nearest->distance <= allowed) {
    snprintf(nearest->text, sizeof nearest->text, "did you mean \"%s\"?", nearest->best);
  } else {
    snprintf(nearest->text, sizeof nearest->text, "known are: %s", nearest->all);
  }
  return nearest->text;
}
