/* What controllers share in the files that other programs read (cq_scene_export_controller). */
#ifndef CQ_CONTROLLERS_EXPORT_H
#define CQ_CONTROLLERS_EXPORT_H

#include "json.h"
#include "scene.h"

/* A number of C, which reads back as the same double. */
void cq_export_number(FILE *out, double value);
/* static const double name[n] = {...}; */
void cq_export_array(FILE *out, const char *name, const double *values, int n);
/* name of the function: that of the problem and _control */
void cq_export_name(const cq_scene *scene, char name[64]);
/* The function begins: `time` is there for its text, which ends before the last "}". */
void cq_export_head(const cq_scene *scene, FILE *out);
/* middle[] and strength[] of the controls */
void cq_export_ranges(FILE *out, const cq_controller *controller);

/* The controller reads features and passes them through layers: W row by row, then b, of each one
 * after the other in theta; the last gives u = middle + strength tanh(W h + b). */
typedef struct cq_layers {
  int count;
  int sizes[CQ_MOST_LAYERS + 2]; /* [count + 1] numbers that layer k reads; at last the controls */
  cq_activation activation;      /* of those before the last */
  const double *theta;
} cq_layers;
void cq_export_layers_c(const cq_scene *scene, FILE *out, const cq_layers *layers);
void cq_export_layers_json(cq_json *json, const cq_layers *layers);

#endif
