/* The scenes of a file with experiments. */
#ifndef CQ_PROBLEMS_JOINED_H
#define CQ_PROBLEMS_JOINED_H

#include "experiment_trees.h"
#include "scene.h"

/* Makes the scene of a tree: in ctx, one of `beside` that share the memory with another one. */
typedef cq_status (*cq_tree_reader)(cq_ctx *ctx, const char *name, const char *folder,
                                    cq_node *tree, int beside, cq_scene **out);

/* Reads all experiments of a file into scene->joined, and what scene lends of them (donors). */
cq_status cq_joined_open(cq_scene *scene, const cq_experiment_trees *trees, cq_tree_reader read);
/* Once the scene has its design: whose variables are whose; and the terms of all. */
cq_status cq_joined_connect(cq_scene *scene);
/* The file, with every experiment written out in it. */
cq_status cq_joined_write(const cq_scene *scene, FILE *out);

#endif
