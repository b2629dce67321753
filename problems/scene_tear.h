/* Which bodies of a scene come apart in a run; liquids are no bodies in this sense. */
#ifndef CQ_PROBLEMS_SCENE_TEAR_H
#define CQ_PROBLEMS_SCENE_TEAR_H

#include "bonds.h"
#include "scene.h"

typedef struct cq_body_tear {
  double share, time, since; /* as of cq_tear; share 0: it is whole */
} cq_body_tear;

typedef struct cq_tears {
  const cq_scene *scene;
  cq_bonds *bonds;      /* [bodies]; of a liquid there are none */
  cq_body_tear *bodies; /* [bodies] */
} cq_tears;

/* Begins to look at a run from inputs, which say where bodies are at rest. To be ended whatever it
 * returns. */
cq_status cq_tears_begin(const cq_scene *scene, const double *inputs, cq_tears *tears);
void cq_tears_end(cq_tears *tears);
/* Looks at the state at a step, layout of the states in the inputs. */
void cq_tears_look(cq_tears *tears, int step, const double *state);
/* Of the body that lost most so far. */
cq_tear cq_tears_worst(const cq_tears *tears);
/* The same tear of a scene with the same bodies, by the names that `scene` has. */
cq_tear cq_tear_of(const cq_scene *scene, const cq_scene *other, cq_tear tear);

/* With on_tear = "fail": CQ_TEARS, with body, time and share, where a body of a run from
 * scene->current comes apart, or what else fails in the run. It is not run for that if it has just
 * been. */
cq_status cq_scene_refuse_tear(cq_scene *scene);

#endif
