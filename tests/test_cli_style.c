/* Labels and sentences on a screen of 80 columns. */
#include "label.h"
#include "style.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

static void check_cut(const char *label, int most, const char *wanted) {
  char text[64];
  cli_label_cut(label, most, text, sizeof text);
  CHECK_MSG(strcmp(text, wanted) == 0, "'%s' in %d columns is '%s'", label, most, text);
}

static void test_cuts(void) {
  check_cut("short", 12, "short");
  check_cut("twelve_chars", 12, "twelve_chars");
  check_cut("controller.m_fl_00.torso.x", 12, "contr..rso.x");
  check_cut("controller.m_fl_00.torso.y", 11, "contr..so.y");
  /* characters, not bytes */
  check_cut("m\xc3\xa9nage_\xc3\xa0_trois_\xc3\xa9", 8, "m\xc3\xa9n..s_\xc3\xa9");
}

typedef struct printed {
  char *text;
  size_t size;
} printed;

static void check_label(int width, const char *label, const char *wanted) {
  printed p = {.size = 0};
  FILE *const out = open_memstream(&p.text, &p.size);
  cli_label_put(out, 2, width, label);
  fputs("|", out);
  fclose(out);
  CHECK_MSG(strcmp(p.text, wanted) == 0, "'%s' is '%s'", label, p.text);
  free(p.text);
}

static void test_labels(void) {
  check_label(6, "abc", "  abc   |");
  check_label(6, "abcdef", "  abcdef|");
  check_label(6, "abcdefg", "  abcdefg\n        |");
  check_label(6, "\xc3\xa9", "  \xc3\xa9     |");
}

static void check_wrap(const char *text, const char *wanted) {
  printed p = {.size = 0};
  FILE *const out = open_memstream(&p.text, &p.size);
  cli_style_wrap(out, 2, text);
  fclose(out);
  CHECK_MSG(strcmp(p.text, wanted) == 0, "'%s'", p.text);
  free(p.text);
}

#define SIXTY "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

static void test_wraps(void) {
  check_wrap(SIXTY " short enough", SIXTY " short enough");
  check_wrap(SIXTY " that is too long here", SIXTY " that is too long\n  here");
  /* a value stays with its unit, and with its name */
  check_wrap(SIXTY " it took some 0.00120 s", SIXTY " it took\n  some 0.00120 s");
  check_wrap(SIXTY " and the violation 1e-3", SIXTY " and the\n  violation 1e-3");
  check_wrap(SIXTY " violation \033[32m-1.5\033[0m (<= 1)",
             SIXTY "\n  violation \033[32m-1.5\033[0m (<= 1)");
  /* a list of counts goes on after a comma */
  check_wrap(SIXTY " 3 gradients, 100 failed", SIXTY " 3 gradients,\n  100 failed");
  /* numbers alone have to break somewhere */
  check_wrap(SIXTY " 111 222 333 444 555 666", SIXTY " 111 222 333 444 555\n  666");
}

int main(void) {
  RUN(test_cuts);
  RUN(test_labels);
  RUN(test_wraps);
  return TEST_RESULT();
}
