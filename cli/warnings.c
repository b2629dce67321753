#include "warnings.h"

#include "folder.h"
#include "open.h"

#include <stdlib.h>
#include <string.h>

/* lines are "<time> warning: ..." */
void cli_warnings_read(const char *folder, void (*take)(void *user, const char *line), void *user) {
  char path[CLI_PATH], *line = NULL;
  size_t size = 0;
  snprintf(path, sizeof path, "%s/log.txt", folder);
  FILE *const file = cq_open_read(path);
  while (file != NULL && getline(&line, &size, file) > 0) {
    const char *const text = strchr(line, ' ');
    if (text != NULL &&
        (strncmp(text, " warning: ", 10) == 0 || strncmp(text, " error: ", 8) == 0)) {
      line[strcspn(line, "\n")] = '\0';
      take(user, text + 1);
    }
  }
  free(line);
  if (file != NULL) {
    fclose(file);
  }
}
