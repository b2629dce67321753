#include "clock.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

static void format_now(const char *format, char text[CLI_STAMP]) {
  const time_t now = time(NULL);
  struct tm utc;
  if (gmtime_r(&now, &utc) == NULL || strftime(text, CLI_STAMP, format, &utc) == 0) {
    snprintf(text, CLI_STAMP, "unknown");
  }
}

void cli_clock_iso(char text[CLI_STAMP]) {
  format_now("%Y-%m-%dT%H:%M:%SZ", text);
}

void cli_clock_compact(char text[CLI_STAMP]) {
  format_now("%Y%m%dT%H%M%SZ", text);
}

void cli_clock_duration(double seconds, char text[CLI_STAMP]) {
  const long whole = isfinite(seconds) && seconds < 1e9 ? lround(seconds) : -1;
  if (whole < 0) {
    snprintf(text, CLI_STAMP, "-");
  } else if (seconds < 9.995) {
    snprintf(text, CLI_STAMP, "%.2f s", seconds);
  } else if (whole < 60) {
    snprintf(text, CLI_STAMP, "%ld s", whole);
  } else if (whole < 3600) {
    snprintf(text, CLI_STAMP, "%ld min %02ld s", whole / 60, whole % 60);
  } else {
    snprintf(text, CLI_STAMP, "%ld h %02ld min", whole / 3600, whole / 60 % 60);
  }
}

void cli_clock_short(double seconds, char text[CLI_STAMP]) {
  const long whole = isfinite(seconds) && seconds < 1e9 ? lround(seconds) : -1;
  if (whole < 60) {
    cli_clock_duration(seconds, text);
  } else if (whole < 3600) {
    snprintf(text, CLI_STAMP, "%ldm %02lds", whole / 60, whole % 60);
  } else if (whole < 100 * 3600) {
    snprintf(text, CLI_STAMP, "%ldh %02ldm", whole / 3600, whole / 60 % 60);
  } else {
    snprintf(text, CLI_STAMP, "%ldd %02ldh", whole / 86400, whole / 3600 % 24);
  }
}
