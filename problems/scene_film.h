/* Takes of a scene's motion for pictures: what scene_simulate.c tells a cq_film. */
#ifndef CQ_PROBLEMS_SCENE_FILM_H
#define CQ_PROBLEMS_SCENE_FILM_H

#include "motion.h"
#include "scene.h"

/* Begins a take of a run of n_states recorded states from inputs, which are borrowed till its end.
 * scene: the film's own, or the same in smaller time steps. */
cq_status cq_film_begin(cq_film *film, const cq_scene *scene, const double *inputs, int n_states);
/* The next recorded state: layout of x, v, F, C in the inputs. Some of them become frames. */
void cq_film_state(cq_film *film, int step, const double *state);
/* Ends the take: u [steps][n_controls] of the run, of which the first `made` steps were made. note:
 * how it ended before its end, or "". */
void cq_film_end(cq_film *film, const double *u, int made, const char *note);

#endif
