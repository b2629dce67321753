/* What records and pictures have of each particle: one list of a scene, made of its engine's. */
#ifndef CQ_PROBLEMS_RECORDS_H
#define CQ_PROBLEMS_RECORDS_H

#include "scene.h"

typedef enum cq_record_source {
  CQ_RECORD_STATE,    /* a block of the inputs that is a state */
  CQ_RECORD_INPUT,    /* one that is not: the same in every frame */
  CQ_RECORD_RADIUS,   /* [m] of a ball, in every frame the same; 0: it is a part of a rigid body */
  CQ_RECORD_CONTROLS, /* of the actuator that drives the particle; 0 where there is none */
  CQ_RECORD_FIELD     /* a field of the engine */
} cq_record_source;

typedef struct cq_record {
  cq_record_source source;
  int index; /* of the block or the field */
  const char *name, *unit;
  int components; /* with three axes in 2D, too: 1 a scalar, 3 a vector, 9 a matrix */
} cq_record;

enum { CQ_MOST_RECORDS = 40 };

/* The same in every frame. */
static inline bool cq_record_is_fixed(const cq_record *record) {
  return record->source == CQ_RECORD_INPUT || record->source == CQ_RECORD_RADIUS;
}

/* A number that a particle keeps. */
static inline bool cq_record_is_kept(const cq_record *record) {
  return cq_record_is_fixed(record) && record->components == 1;
}

/* All of them, the positions first: records [CQ_MOST_RECORDS]; returns their number. */
int cq_scene_records(const cq_scene *scene, cq_record *records);
/* CQ_CONFIG where output.fields names one that there is not. */
cq_status cq_scene_check_records(const cq_scene *scene);
/* Numbers of all particles at a state on the host, out [n_particles][components]. state is not read
 * for what is fixed, the controls u of a step for CQ_RECORD_CONTROLS alone. */
void cq_record_take(const cq_record *record, const cq_scene *scene, const cq_sim *sim,
                    const double *inputs, const double *state, const double *u, double *out);

#endif
