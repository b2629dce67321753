/* What an engine is to a problem file: one constant, cq_part_<name>, in sim/<name>/scene/part.c.
 * The reader calls its functions in this order, and knows no more of it. */
#ifndef CQ_PROBLEMS_ENGINE_PART_H
#define CQ_PROBLEMS_ENGINE_PART_H

#include "cqopt/problem.h"

#include <stdio.h>

typedef struct cq_artist cq_artist;
typedef struct cq_body cq_body;
typedef struct cq_set cq_set;
typedef struct cq_group cq_group;
typedef struct cq_node cq_node;
typedef struct cq_failure cq_failure;
typedef struct cq_engine_keys cq_engine_keys;
typedef struct cq_also_called {
  const char *word, *name;
} cq_also_called;

/* A quantity of the engine's own, of a set (NULL: all particles; it may be empty) and a parameter
 * of cq_group. */
typedef struct cq_own_column {
  char name[160];
  int quantity;
  const cq_set *of;
  double parameter;
} cq_own_column;

typedef struct cq_engine_part {
  const char *name; /* of the engine */
  /* The keys that it alone has, own_rows.h: `of_engine` of a section. */
  const cq_engine_keys *keys;
  bool balls; /* its particles are balls (2D: discs) of their volume, not parts of a continuum */
  /* What its keys and words are called elsewhere, as also_called.h; ends with word NULL. NULL:
   * none. */
  const cq_also_called *also_called;
  /* Its settings: scene->own, model.own, room and length. */
  cq_status (*read)(cq_scene *scene);
  /* The input > 0 that points of a file may have each, beside a density and a group; NULL: there is
   * none. Its value for a body by the body's keys, for points that have none; CQ_CONFIG where
   * points of that body cannot have it, and they are given it. */
  const char *point_input;
  cq_status (*point_default)(const cq_scene *scene, const cq_body *body, bool given, double *value);
  /* What the bodies are made of; their particles are placed. */
  cq_status (*read_bodies)(cq_scene *scene);
  /* scene->walls and model.n_boundaries; scene->acting and the controls. */
  cq_status (*read_walls)(cq_scene *scene);
  cq_status (*read_actuators)(cq_scene *scene);
  /* The inputs that it alone has, before any design; all others are 0 or filled in, and may be
   * mended. */
  cq_status (*fill)(const cq_scene *scene, double *inputs);
  /* What can be known to fail, or not to be meant, within the bounds of the inputs and of how far
   * controls [n_controls] are from rest. */
  cq_status (*preflight)(cq_scene *scene, const double *least, const double *largest,
                         const double *away);
  /* Returns status, how a run ended; the error may get a cause that the scene shows. NULL: none. */
  cq_status (*explain)(const cq_scene *scene, const cq_failure *failure, cq_status status);
  /* Do walls alone decide how the particle begins to move, at scene->current? */
  bool (*holds)(const cq_scene *scene, size_t particle);
  /* Are the scene's contacts between bodies read, with the walls? */
  bool reads_contacts;
  /* A line about the room, and the end of a line about a body. */
  void (*describe)(const cq_scene *scene, FILE *out);
  void (*describe_body)(const cq_scene *scene, const cq_body *body, FILE *out);
  void (*draw_wall)(const cq_artist *artist, int wall);
  /* What has turn, spin, force or torque (`of`) without being a set of particles, as obstacles: its
   * group, told by a parameter > 0. It leaves count -1 where nothing of the kind is called `name`,
   * and fails with `key` where that has not got it. NULL: there are none. */
  cq_status (*pushed)(const cq_scene *scene, const cq_node *section, const char *key,
                      const char *name, const char *of, cq_group *group);
  /* Keeps a box, [2][3] its corners, and says by which parameter > 0 of a group its quantities that
   * are of what is in a box know it. NULL: it has no such quantity. */
  cq_status (*box)(cq_scene *scene, const double box[2][3], double *parameter);
  /* Columns of observations.csv beside those of sets, number i; false: there are no more. NULL:
   * none. */
  bool (*column)(const cq_scene *scene, int i, cq_own_column *column);
} cq_engine_part;

#define CQ_ENGINE(name) extern const cq_engine_part cq_part_##name;
#include "engine_list.h"
#undef CQ_ENGINE

/* For `column`: number i where each rigid body has n columns, of these quantities. */
bool cq_column_of_rigid(const cq_scene *scene, int i, const int *quantities, int n,
                        cq_own_column *column);

/* The part of the engine of this name, or NULL. */
const cq_engine_part *cq_engine_part_of(const char *name);
/* Part i of the list; NULL: there are no more. */
const cq_engine_part *cq_engine_part_at(int i);

#endif
