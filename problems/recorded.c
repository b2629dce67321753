/* What the record of a solve keeps of an evaluation beside f and the constraints. */
#include "scene.h"

#include <stdio.h>
#include <string.h>

enum { MOST_VALUES = 256 }; /* so many scenarios' terms that somebody reads them */

/* Terms of scenarios are kept one by one unless they change from one evaluation to the next. */
static int kept_scenarios(const cq_scene *scene) {
  const cq_scenarios_info info = cq_scene_scenarios(scene);
  const long long values = (long long)info.count * cq_scene_term_count(scene);
  return strcmp(info.combine, "batch") != 0 && values <= MOST_VALUES ? info.count : 0;
}

/* The only term is f itself. */
static int first_of(const cq_scene *scene) {
  return cq_scene_term_count(scene) == 1;
}

int cq_scene_recorded_count(const cq_scene *scene) {
  return cq_scene_term_count(scene) * (1 + kept_scenarios(scene)) - first_of(scene);
}

/* "work", or of a scenario "scenario 2: work". */
void cq_scene_recorded_label(const cq_scene *scene, int i, char *text, size_t size) {
  const int terms = cq_scene_term_count(scene), at = i + first_of(scene);
  const char *const term = cq_scene_term_label(scene, at % terms);
  if (at < terms) {
    snprintf(text, size, "%s", term);
  } else if (terms == 1) {
    snprintf(text, size, "scenario %d", at / terms - 1);
  } else {
    snprintf(text, size, "scenario %d: %s", at / terms - 1, term);
  }
}

double cq_scene_recorded_value(const cq_scene *scene, int i) {
  const int terms = cq_scene_term_count(scene), at = i + first_of(scene);
  return at < terms ? cq_scene_term_value(scene, at)
                    : cq_scene_scenario_term(scene, at / terms - 1, at % terms);
}
