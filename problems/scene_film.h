/* Takes of a scene's motion for pictures: what scene_simulate.c tells a cq_film. */
#ifndef CQ_PROBLEMS_SCENE_FILM_H
#define CQ_PROBLEMS_SCENE_FILM_H

#include "motion.h"
#include "scene.h"

enum { CQ_FILM_FRAMES = 50, CQ_FILM_SAMPLES = 256, CQ_FILM_POINTS = 64 };

/* A point that is followed: the centre of mass of particles, or with shares a sum of them. */
typedef struct cq_followed {
  int count;
  const int *particles;
  const double *shares;
} cq_followed;

struct cq_film {
  const cq_scene *scene;
  cq_motion *motion;
  cq_followed points[CQ_FILM_POINTS];
  int strain, actuation; /* which of a frame's fields, after the speed; -1: not there */
  /* of the take at hand */
  const cq_scene *run;
  const double *inputs;
  cq_motion_take *take;
  int n_states, stride, next;    /* states that were recorded; every stride-th is a frame */
  int steps[CQ_FILM_FRAMES + 2]; /* of the frames */
};

/* Begins a take of a run of n_states recorded states from inputs, which are borrowed till its end.
 * scene: the film's own, or the same in smaller time steps. */
cq_status cq_film_begin(cq_film *film, const cq_scene *scene, const double *inputs, int n_states);
/* The next recorded state: layout of the states in the inputs. Some of them become frames. maps: of
 * the walls (cq_sim_walls). */
void cq_film_state(cq_film *film, int step, const double *state, const double *maps);
/* Ends the take: u [steps][n_controls] of the run, of which the first `made` steps were made. note:
 * how it ended before its end, or "". */
void cq_film_end(cq_film *film, const double *u, int made, const char *note);

#endif
