#include "machine.h"

#include "cqopt/device.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The first processor's name; they are alike. */
static void read_cpu(char *text, size_t size) {
  snprintf(text, size, "unknown");
  FILE *const file = fopen("/proc/cpuinfo", "r");
  if (file == NULL) {
    return;
  }
  char line[256];
  while (fgets(line, sizeof line, file) != NULL) {
    const char *const colon = strchr(line, ':');
    if (strncmp(line, "model name", 10) == 0 && colon != NULL) {
      const char *const model = colon + 1 + strspn(colon + 1, " ");
      snprintf(text, size, "%.*s", (int)strcspn(model, "\n"), model);
      break;
    }
  }
  fclose(file);
}

cli_machine cli_machine_query(void) {
  cli_machine machine = {.cores = sysconf(_SC_NPROCESSORS_ONLN)};
  struct utsname name;
  read_cpu(machine.cpu, sizeof machine.cpu);
  if (uname(&name) < 0) {
    snprintf(machine.system, sizeof machine.system, "unknown");
    snprintf(machine.host, sizeof machine.host, "unknown");
    return machine;
  }
  snprintf(machine.system, sizeof machine.system, "%.32s %.48s %.32s", name.sysname, name.release,
           name.machine);
  snprintf(machine.host, sizeof machine.host, "%.64s", name.nodename);
  return machine;
}

cli_device cli_device_of(const cq_scene *scene) {
  cli_device device = {.word = cq_scene_information(scene).device};
  cq_about_device card = {.struct_size = sizeof card, .name = "unknown"};
  device.is_gpu = strcmp(device.word, "cuda") == 0;
  if (device.is_gpu) {
    cq_device_info(NULL, 0, &card);
    snprintf(device.name, sizeof device.name, "%s", card.name);
    snprintf(device.level, sizeof device.level, "%d.%d", card.major, card.minor);
  } else {
    snprintf(device.name, sizeof device.name, "%s", cli_machine_query().cpu);
    snprintf(device.level, sizeof device.level, "%s", cq_simd_level());
  }
  return device;
}

long long cli_machine_peak_bytes(void) {
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? 1024LL * usage.ru_maxrss : 0;
}
