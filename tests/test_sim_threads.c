/* How many threads a process takes by itself: affinity, control groups of both versions, variables;
 * the least wins. The files of the system are made in a folder. */
#define _DEFAULT_SOURCE /* mkdtemp */
#include "test.h"
#include "threads.h"

#include <sys/stat.h>
#include <unistd.h>

static const char *omp, *limit, *slurm;

static const char *variable(const char *name) {
  return strcmp(name, "OMP_NUM_THREADS") == 0       ? omp
         : strcmp(name, "OMP_THREAD_LIMIT") == 0    ? limit
         : strcmp(name, "SLURM_CPUS_PER_TASK") == 0 ? slurm
                                                    : NULL;
}

static void put(const char *path, const char *text) {
  char part[256];
  for (const char *slash = strchr(path, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
    snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
    mkdir(part, 0777);
  }
  FILE *const file = fopen(path, "w");
  CHECK(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

static int count(const char *root, int cores, int affinity, const char *text) {
  const cq_thread_sources sources = {
      .cores = cores, .affinity = affinity, .root = root, .variable = variable};
  const cq_thread_rule rule = cq_threads_by(&sources);
  CHECK_MSG(strstr(rule.text, text) != NULL, "%d by \"%s\", not \"%s\"", rule.count, rule.text,
            text);
  return rule.count;
}

static void test_variables(void) {
  CHECK(count("none", 8, 8, "all cores") == 8);
  CHECK(count("none", 8, 3, "affinity mask: 3 of 8") == 3);
  CHECK(count("none", 0, 0, "one core") == 1);
  omp = "4,2";
  CHECK(count("none", 8, 8, "OMP_NUM_THREADS=4") == 4);
  CHECK(count("none", 8, 3, "affinity") == 3);
  slurm = "2";
  CHECK(count("none", 8, 3, "SLURM_CPUS_PER_TASK=2") == 2);
  limit = "1";
  CHECK(count("none", 8, 3, "OMP_THREAD_LIMIT=1") == 1);
  omp = "many", slurm = "0", limit = "-3";
  CHECK(count("none", 8, 8, "all cores") == 8);
  omp = "64", slurm = "4x", limit = "";
  CHECK(count("none", 8, 8, "all cores") == 8);
  omp = slurm = limit = NULL;
}

/* 1.5 cores in the group above, 3 in the own one; a place that is not the usual one */
static void test_version_2(void) {
  put("v2/proc/self/cgroup", "0::/job/step\n");
  put("v2/proc/self/mountinfo", "31 23 0:28 / /proc rw - proc proc rw\n"
                                "32 31 0:29 / /groups rw,nosuid shared:4 - cgroup2 cgroup2 rw\n");
  put("v2/groups/job/step/cpu.max", "300000 100000\n");
  CHECK(count("v2", 8, 8, "control group: 3 cores") == 3);
  put("v2/groups/job/cpu.max", "150000 100000\n");
  CHECK(count("v2", 8, 8, "control group: 1.5 cores") == 2);
  put("v2/groups/cpu.max", "50000 100000\n");
  CHECK(count("v2", 8, 8, "0.5 cores") == 1);
  put("v2/groups/cpu.max", "max 100000\n");
  put("v2/groups/job/cpu.max", "max 100000\n");
  put("v2/groups/job/step/cpu.max", "max 100000\n");
  CHECK(count("v2", 8, 8, "all cores") == 8);
}

/* A container sees its group as the root of what is mounted, and may be in one below. */
static void test_version_1(void) {
  put("v1/proc/self/cgroup", "9:cpuset:/x\n4:cpuacct,cpu:/docker/ab/inner\n0::/\n");
  put("v1/proc/self/mountinfo",
      "32 31 0:29 /docker/ab /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
      "33 31 0:30 /docker/ab /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpuacct,cpu\n");
  put("v1/sys/fs/cgroup/cpu,cpuacct/inner/cpu.cfs_quota_us", "-1\n");
  put("v1/sys/fs/cgroup/cpu,cpuacct/inner/cpu.cfs_period_us", "100000\n");
  CHECK(count("v1", 8, 8, "all cores") == 8);
  put("v1/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "200000\n");
  put("v1/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  CHECK(count("v1", 8, 8, "control group: 2 cores") == 2);
  put("v1/sys/fs/cgroup/cpu,cpuacct/inner/cpu.cfs_quota_us", "100000\n");
  CHECK(count("v1", 8, 8, "control group: 1 core") == 1);
  put("v1/proc/self/cgroup", "4:cpuacct,cpu:/../../elsewhere\n"); /* out of sight: its root */
  CHECK(count("v1", 8, 8, "control group: 2 cores") == 2);
}

static void test_this_process(void) {
  cq_ctx *const ctx = cq_ctx_create(0, 1);
  CHECK(cq_threads_available().count >= 1);
  CHECK(cq_ctx_threads(ctx) == cq_threads_available().count);
  cq_ctx_set_threads(ctx, 77); /* a number that is given wins */
  CHECK(cq_ctx_threads(ctx) == 77);
  cq_ctx_destroy(ctx);
}

int main(void) {
  char folder[] = "/tmp/cq_threads_XXXXXX";
  CHECK(mkdtemp(folder) != NULL && chdir(folder) == 0);
  RUN(test_variables);
  RUN(test_version_2);
  RUN(test_version_1);
  RUN(test_this_process);
  CHECK(chdir("/") == 0);
  char command[64];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  CHECK(system(command) == 0);
  return TEST_RESULT();
}
