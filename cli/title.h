/* What a problem is called where it has a heading: its title, or its name where it has none. */
#ifndef CQ_CLI_TITLE_H
#define CQ_CLI_TITLE_H

#include "cqopt/problem.h"

static inline const char *cli_title_of(const cq_scene *scene) {
  const char *const title = cq_scene_title(scene);
  return title[0] != '\0' ? title : cq_scene_name(scene);
}

#endif
