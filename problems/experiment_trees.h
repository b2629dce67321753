/* Experiments of a problem file as trees: each is a complete scene, and all share the design of the
 * file. */
#ifndef CQ_PROBLEMS_EXPERIMENT_TREES_H
#define CQ_PROBLEMS_EXPERIMENT_TREES_H

#include "schema.h"

enum { CQ_MOST_EXPERIMENTS = 64 };

typedef struct cq_experiment_tree {
  cq_experiment_keys keys;
  cq_node *own; /* its sections, those of the file that it includes among them */
  bool *has;    /* [blocks of the file's design] those that it takes part in */
} cq_experiment_tree;

typedef struct cq_experiment_trees {
  cq_node *root; /* of the file */
  int count, n_blocks;
  cq_experiment_tree *all;
} cq_experiment_trees;

/* Whether a file has any. */
bool cq_experiments_given(const cq_node *root);
/* Puts what the files hold that experiments include in the place of their names: settings of the
 * command line may change all of it then. For those that have no such names any more it does
 * nothing. */
cq_status cq_experiments_open(cq_arena *arena, cq_node *root, const char *folder);
/* Reads and checks the list; sections go from its elements to `own`. */
cq_status cq_experiments_split(cq_arena *arena, cq_node *root, cq_experiment_trees *out);
/* The tree of one: what the file says beside its experiments, then what the experiment says. */
typedef enum cq_experiment_use {
  CQ_EXPERIMENT_PART, /* as one of several, with its part of the design */
  CQ_EXPERIMENT_FILE, /* the same as a file of its own, with the file's optimizer */
  CQ_EXPERIMENT_ALL   /* with the whole design */
} cq_experiment_use;
cq_status cq_experiment_alone(cq_arena *arena, const cq_experiment_trees *trees, int k,
                              cq_experiment_use use, cq_node **out);
/* The index of the one called `name`; CQ_CONFIG with `where` where there is none. */
cq_status cq_experiments_find(cq_ctx *ctx, const cq_experiment_trees *trees, const char *where,
                              const char *name, int *k);

#endif
