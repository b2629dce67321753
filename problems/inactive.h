/* Why variables change nothing: what the terms look at (scope), and what bodies and controls did in
 * a run (witness). */
#ifndef CQ_PROBLEMS_INACTIVE_H
#define CQ_PROBLEMS_INACTIVE_H

#include "scene.h"

/* What the functions that are asked about look at; terms of weight 0 look at nothing. */
typedef struct cq_scope {
  int n_terms;              /* that have a weight */
  bool of_state, mass_only; /* some measure particles; all measure masses */
  int last;                 /* the last state that counts */
  unsigned char *seen;      /* [n_particles] is measured */
} cq_scope;

/* A group of variables of a block. */
typedef struct cq_idle {
  const cq_block *block;
  bool whole;            /* all variables of the block */
  unsigned char *driven; /* [n_particles] whose inputs they alone decide, or their actuators' */
  int n_driven;
} cq_idle;

/* What was seen of a run. Pairs of bodies are [n_bodies][n_bodies]. */
typedef struct cq_witness {
  cq_scene *scene;
  int n_bodies; /* 0: there are too many to look at their pairs */
  double *nearest;
  int *nearest_at, *met_at; /* states; met_at -1: never within reach */
  double *low, *high;       /* [n_bodies][dim] work */
  unsigned char *deformed;  /* [n_particles] */
  double least_drive;       /* least |u - middle| / strength of all controls and steps */
  /* what drives and tracks move (inactive_drives.c), by its number as a wall */
  unsigned char *driven; /* [n_boundaries] a variable drives it */
  unsigned char *near;   /* [n_boundaries][steps + 1] of those: something that it can move is within
                            reach; NULL: nothing is driven */
  double *maps;          /* [n_boundaries][CQ_MAP] work */
  struct cq_movers *movers;
} cq_witness;

/* Bodies act on each other within this many lengths of the model (MPM: where they share nodes). */
enum { CQ_REACH = 3 };
/* Pairs of more bodies are not looked at. */
enum { CQ_WITNESSED_BODIES = 32 };

/* Runs the scene with its current inputs. Free it in any case. */
cq_status cq_witness_run(cq_scene *scene, cq_witness *witness);
void cq_witness_free(cq_witness *witness);
/* The boxes around bodies, by the places x of particles; and then, of two bodies, what they are
 * apart at least, and their distance, if it is below `most`. */
void cq_witness_bounds(cq_witness *witness, const double *x);
double cq_witness_gap(const cq_witness *witness, int i, int j);
cq_status cq_witness_distance(const cq_witness *witness, const double *x, int i, int j, double most,
                              double *distance);

/* Parts of the witness' run. */
cq_status cq_drives_begin(cq_witness *witness);
cq_status cq_drives_look(cq_witness *witness, int step, const double *x);
void cq_drives_free(cq_witness *witness);
/* Whether what variable j of a block drives was near nothing while the variable acts. */
bool cq_drives_alone(const cq_witness *witness, const cq_block *block, int j);
/* The reason that is, of the variables in the group [block->count], as a clause; returns whether
 * each of them drives something that is near something at another time. */
bool cq_drives_reason(const cq_witness *witness, const cq_block *block, const unsigned char *group,
                      char *text, size_t size);
/* A reason that the run shows, as a clause, into text; false: it shows none. *expected: as it
 * should be. */
bool cq_witness_reason(const cq_witness *witness, const cq_scope *scope, const cq_idle *idle,
                       char *text, size_t size, bool *expected);

#endif
