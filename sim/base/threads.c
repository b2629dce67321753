#ifndef _GNU_SOURCE
#  define _GNU_SOURCE /* sched_getaffinity */
#endif
#include "threads.h"

#include "plural.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH = 2048, LINE = 2 * PATH };

static void lower(cq_thread_rule *rule, int count, const char *text) {
  if (count > 0 && count < rule->count) {
    rule->count = count;
    snprintf(rule->text, sizeof rule->text, "%s", text);
  }
}

/* --- control groups --- */

/* Where the groups of one kind are: their file system's place, and which group that is. */
typedef struct groups {
  bool v2;
  char place[PATH], root[PATH];
} groups;

static bool has_word(const char *list, const char *word) {
  const size_t length = strlen(word);
  for (const char *at = strstr(list, word); at != NULL; at = strstr(at + 1, word)) {
    const bool begins = at == list || at[-1] == ',';
    if (begins && strchr(",\n", at[length]) != NULL) { /* or the end */
      return true;
    }
  }
  return false;
}

/* 36 35 98:0 /root /place options - kind source options */
static bool find_groups(const char *under, groups *g) {
  char path[PATH], line[LINE], kind[32], options[512];
  bool found = false;
  snprintf(path, sizeof path, "%s/proc/self/mountinfo", under);
  FILE *const file = fopen(path, "re");
  while (file != NULL && !found && fgets(line, sizeof line, file) != NULL) {
    const char *const tail = strstr(line, " - ");
    found = tail != NULL && sscanf(tail, " - %31s %*s %511s", kind, options) == 2 &&
            sscanf(line, "%*s %*s %*s %2047s %2047s", g->root, g->place) == 2 &&
            (g->v2 ? strcmp(kind, "cgroup2") == 0
                   : strcmp(kind, "cgroup") == 0 && has_word(options, "cpu"));
  }
  if (file != NULL) {
    fclose(file);
  }
  return found;
}

/* the group of this process: 0::/group of version 2, or 4:cpu,cpuacct:/group */
static bool find_own(const char *under, bool v2, char group[PATH]) {
  char path[PATH], line[LINE];
  bool found = false;
  snprintf(path, sizeof path, "%s/proc/self/cgroup", under);
  FILE *const file = fopen(path, "re");
  while (file != NULL && !found && fgets(line, sizeof line, file) != NULL) {
    char *const kind = strchr(line, ':'), *const name = kind != NULL ? strchr(kind + 1, ':') : NULL;
    if (name != NULL) {
      *name = '\0';
      found = v2 ? strncmp(line, "0:", 2) == 0 && kind[1] == '\0' : has_word(kind + 1, "cpu");
      snprintf(group, PATH, "%.*s", (int)strcspn(name + 1, "\n"), name + 1);
    }
  }
  if (file != NULL) {
    fclose(file);
  }
  return found;
}

/* how many there are, of two at most */
static int read_numbers(const char *path, double numbers[2]) {
  FILE *const file = fopen(path, "re");
  const int n = file != NULL ? fscanf(file, "%lf %lf", &numbers[0], &numbers[1]) : 0;
  if (file != NULL) {
    fclose(file);
  }
  return n;
}

/* cores that the group in the folder may use; INFINITY: as many as there are ("max", or -1) */
static double quota_of(const groups *g, const char *folder) {
  char path[LINE + 32];
  double quota[2] = {0, 0}, period[2] = {0, 0};
  snprintf(path, sizeof path, "%s/%s", folder, g->v2 ? "cpu.max" : "cpu.cfs_quota_us");
  read_numbers(path, quota);
  if (!g->v2) {
    snprintf(path, sizeof path, "%s/cpu.cfs_period_us", folder);
    read_numbers(path, period);
  }
  const double whole = g->v2 ? quota[1] : period[0];
  return quota[0] > 0 && whole > 0 ? quota[0] / whole : INFINITY;
}

/* A group has no more than any group above it. */
static void take_quota(const char *under, bool v2, cq_thread_rule *rule) {
  groups g = {.v2 = v2};
  char group[PATH], folder[LINE], text[160];
  if (!find_own(under, v2, group) || !find_groups(under, &g)) {
    return;
  }
  const size_t root = strcmp(g.root, "/") == 0 ? 0 : strlen(g.root);
  const bool below = strncmp(group, g.root, root) == 0 && strstr(group, "..") == NULL;
  const char *const inner = below ? group + root : "";
  const int top = snprintf(folder, sizeof folder, "%.1000s%.1000s", under, g.place);
  snprintf(folder + top, sizeof folder - (size_t)top, "%s%s", inner[0] == '/' ? "" : "/", inner);
  while (true) {
    const double cores = quota_of(&g, folder);
    if (cores < 1e6) {
      snprintf(text, sizeof text, "the quota of its control group: %.4g core%s", cores,
               cq_plural(cores));
      lower(rule, (int)fmax(1.0, ceil(cores - 1e-9)), text);
    }
    char *const last = strrchr(folder + top, '/');
    if (last == NULL) {
      return;
    }
    *last = '\0';
  }
}

/* --- variables --- */

/* OMP_NUM_THREADS may be a list, of nested levels: the first is ours */
static void take_variable(const cq_thread_sources *s, const char *name, cq_thread_rule *rule) {
  const char *const value = s->variable(name);
  char *end = NULL, text[160];
  const long count = value != NULL ? strtol(value, &end, 10) : 0;
  if (count > 0 && count < 1000000 && strspn(end, " ") == strcspn(end, ",")) {
    snprintf(text, sizeof text, "%s=%ld", name, count);
    lower(rule, (int)count, text);
  }
}

cq_thread_rule cq_threads_by(const cq_thread_sources *s) {
  static const char *const variables[] = {"OMP_NUM_THREADS", "OMP_THREAD_LIMIT",
                                          "SLURM_CPUS_PER_TASK"};
  cq_thread_rule rule = {.count = s->cores > 0 ? s->cores : 1};
  char text[160];
  snprintf(rule.text, sizeof rule.text, "%s", s->cores > 1 ? "all cores" : "one core");
  snprintf(text, sizeof text, "the affinity mask: %d of %d cores", s->affinity, rule.count);
  lower(&rule, s->affinity, text);
  take_quota(s->root, true, &rule);
  take_quota(s->root, false, &rule);
  for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
    take_variable(s, variables[i], &rule);
  }
  return rule;
}

/* 0: unknown. The mask of a machine of many cores may be larger than cpu_set_t. */
static int affinity(void) {
  enum { MOST = 1 << 16 };
  int count = 0;
  for (int cores = CPU_SETSIZE; cores <= MOST && count == 0; cores *= 4) {
    cpu_set_t *const set = CPU_ALLOC((size_t)cores);
    const size_t size = CPU_ALLOC_SIZE((size_t)cores);
    if (set != NULL && sched_getaffinity(0, size, set) == 0) {
      count = CPU_COUNT_S(size, set);
    }
    CPU_FREE(set);
  }
  return count;
}

static const char *variable(const char *name) {
  return getenv(name);
}

cq_thread_rule cq_threads_available(void) {
  const cq_thread_sources sources = {.cores = (int)sysconf(_SC_NPROCESSORS_ONLN),
                                     .affinity = affinity(),
                                     .root = "",
                                     .variable = variable};
  return cq_threads_by(&sources);
}
