#include "joined.h"

#include "give.h"
#include "pace.h"
#include "side_by_side.h"
#include "status.h"

#include <string.h>

/* --- reading ---------------------------------------------------------------------------------- */

typedef struct forward {
  cq_ctx *ctx;
  const char *name;
} forward;

/* What an experiment's scene warns of while it is read. */
static void pass_on(void *user, cq_log_level level, const char *line) {
  const forward *f = user;
  cq_log(f->ctx, level, "experiment %s: %s", f->name, line);
}

/* One thread each where there are enough experiments for all threads. */
static int threads_each(const cq_scene *scene, int count) {
  const int threads = cq_ctx_threads(scene->ctx);
  return count >= threads && threads <= CQ_MOST_SIDE_BY_SIDE ? 1 : threads;
}

/* The scene of experiment k, in a context of its own. */
static cq_status open_one(cq_scene *scene, const cq_experiment_trees *trees, int k,
                          cq_tree_reader read) {
  cq_experiment *const e = &scene->joined->all[k];
  cq_node *tree = NULL;
  forward f = {scene->ctx, trees->all[k].keys.name};
  e->name = f.name;
  e->weight = trees->all[k].keys.weight;
  e->has = trees->all[k].has;
  CQ_TRY(cq_experiment_alone(&scene->arena, trees, k, CQ_EXPERIMENT_PART, &tree));
  e->ctx = cq_ctx_beside(scene->ctx, threads_each(scene, trees->count));
  CQ_CHECK(scene->ctx, e->ctx != NULL, CQ_MEMORY, "out of memory");
  /* the file's own scene says the same of the first one */
  cq_ctx_set_log(e->ctx, k > 0 ? pass_on : NULL, &f);
  const cq_status status = read(e->ctx, e->name, scene->folder, tree, trees->count, &e->scene);
  cq_ctx_set_log(e->ctx, NULL, NULL);
  return status == CQ_OK
             ? CQ_OK
             : CQ_FAIL(scene->ctx, status, "experiment %s: %s", e->name, cq_ctx_error(e->ctx));
}

/* Index of the file's block b among those of an experiment that has it. */
static int own_block(const cq_experiment *e, int b) {
  int own = 0;
  for (int i = 0; i < b; i++) {
    own += e->has[i];
  }
  return own;
}

/* What the first experiment does not have is borrowed from the first one that does. */
static cq_status borrow(cq_scene *scene, const cq_experiment_trees *trees) {
  const cq_joined *const joined = scene->joined;
  cq_donor *donors = NULL;
  CQ_TRY(CQ_ARENA(&scene->arena, donors, trees->n_blocks + 1));
  for (int b = 0; b < trees->n_blocks; b++) {
    int k = 0;
    while (!joined->all[k].has[b]) {
      k++;
    }
    const cq_experiment *const e = &joined->all[k];
    if (k > 0) {
      donors[b] = (cq_donor){e->scene, &e->scene->design.blocks[own_block(e, b)]};
    }
  }
  scene->donors = donors;
  return CQ_OK;
}

cq_status cq_joined_open(cq_scene *scene, const cq_experiment_trees *trees, cq_tree_reader read) {
  CQ_TRY(CQ_ARENA(&scene->arena, scene->joined, 1));
  CQ_TRY(CQ_ARENA(&scene->arena, scene->joined->all, trees->count));
  scene->joined->output = cq_node_find(trees->root, "output");
  scene->n_beside = trees->count;
  for (int k = 0; k < trees->count; k++) {
    scene->joined->count++;
    CQ_TRY(open_one(scene, trees, k, read));
  }
  return borrow(scene, trees);
}

/* --- joining ---------------------------------------------------------------------------------- */

/* Block by block: those of an experiment are the file's that it has, in the same order. */
static cq_status map_variables(cq_scene *scene, cq_experiment *e) {
  const cq_design *const own = &e->scene->design;
  CQ_TRY(CQ_ARENA(&scene->arena, e->of, own->n + 1));
  for (int b = 0; b < scene->design.n_blocks; b++) {
    const cq_block *const block = &scene->design.blocks[b];
    if (!e->has[b]) {
      continue;
    }
    const cq_block *const theirs = &own->blocks[own_block(e, b)];
    CQ_KEY_CHECK(scene->ctx, theirs->count == block->count, block->keys, variable,
                 "%s has %d variables in experiment %s and %d in another one: name the experiments "
                 "that it is for (experiments = [\"%s\"])",
                 block->name, theirs->count, e->name, block->count, e->name);
    for (int j = 0; j < theirs->count; j++) {
      e->of[theirs->first + j] = block->first + j;
    }
  }
  return CQ_OK;
}

/* "press: cube.marker_distance" */
static cq_status add_function(cq_scene *scene, int k, int index, const char *label,
                              cq_joined_function *out) {
  out->experiment = k;
  out->index = index;
  return cq_arena_text(&scene->arena, &out->label, "%s: %s", scene->joined->all[k].name, label);
}

/* The constraints of all that are inequalities, or equalities. */
static cq_status add_constraints(cq_scene *scene, bool equalities) {
  cq_joined *const joined = scene->joined;
  for (int k = 0; k < joined->count; k++) {
    const cq_objective *const o = &joined->all[k].scene->objective;
    const int first = equalities ? o->n_inequality : 0;
    const int end = equalities ? o->n_functions - 1 : o->n_inequality;
    for (int i = first; i < end; i++) {
      joined->size[joined->n_constraints] = o->size[i];
      CQ_TRY(add_function(scene, k, i, o->functions[1 + i].terms->label,
                          &joined->constraints[joined->n_constraints++]));
    }
  }
  return CQ_OK;
}

/* Terms and constraints of the file, as tables have them. */
static cq_status list_functions(cq_scene *scene) {
  cq_joined *const joined = scene->joined;
  int terms = 0, constraints = 0;
  for (int k = 0; k < joined->count; k++) {
    terms += joined->all[k].scene->objective.functions[0].n_terms;
    constraints += joined->all[k].scene->objective.n_functions - 1;
  }
  CQ_TRY(CQ_ARENA(&scene->arena, joined->terms, terms + 1));
  CQ_TRY(CQ_ARENA(&scene->arena, joined->constraints, constraints + 1));
  CQ_TRY(CQ_ARENA(&scene->arena, joined->size, constraints + 1));
  for (int k = 0; k < joined->count; k++) {
    const cq_function *const f = &joined->all[k].scene->objective.functions[0];
    for (int i = 0; i < f->n_terms; i++) {
      CQ_TRY(add_function(scene, k, i, f->terms[i].label, &joined->terms[joined->n_terms++]));
    }
  }
  CQ_TRY(add_constraints(scene, false));
  joined->n_inequality = joined->n_constraints;
  return add_constraints(scene, true);
}

cq_status cq_joined_connect(cq_scene *scene) {
  for (int k = 0; k < scene->joined->count; k++) {
    CQ_TRY(map_variables(scene, &scene->joined->all[k]));
  }
  return list_functions(scene);
}

/* --- telling ---------------------------------------------------------------------------------- */

int cq_scene_experiment_count(const cq_scene *scene) {
  return scene->joined != NULL ? scene->joined->count : 0;
}

cq_status cq_scene_get_experiment(const cq_scene *scene, int i, cq_experiment_info *out) {
  CQ_CHECK(scene->ctx, i >= 0 && i < cq_scene_experiment_count(scene), CQ_USAGE,
           "there is no experiment %d", i);
  const cq_experiment *const e = &scene->joined->all[i];
  const cq_experiment_info info = {.name = e->name,
                                   .weight = e->weight,
                                   .terms = e->scene->objective.functions[0].n_terms,
                                   .variables = e->scene->design.n,
                                   .residuals = e->scene->n_residuals,
                                   .particles = e->scene->model.n_particles,
                                   .steps = e->scene->model.steps};
  return CQ_GIVE(scene->ctx, out, info);
}

/* --- writing ---------------------------------------------------------------------------------- */

static cq_status copy_section(cq_arena *arena, const cq_node *node, cq_node *to) {
  cq_node *copy = NULL;
  return node != NULL && node->type != CQ_NODE_UNSET ? cq_node_copy(arena, node, to, &copy) : CQ_OK;
}

/* An element of the list, with the sections of its scene. */
static cq_status add_element(cq_arena *arena, const cq_experiment *e, cq_node *list) {
  static const char *const of_file[] = {"design", "optimizer", "scenarios", "experiments"};
  cq_node *element = NULL, *name = NULL, *weight = NULL;
  CQ_TRY(cq_node_add(arena, list, NULL, CQ_NODE_GROUP, &element));
  CQ_TRY(cq_node_add(arena, element, "name", CQ_NODE_TEXT, &name));
  CQ_TRY(cq_node_add(arena, element, "weight", CQ_NODE_NUMBER, &weight));
  name->text = e->name;
  weight->number = e->weight;
  for (const cq_node *n = e->scene->config.root->child; n != NULL; n = n->next) {
    bool shared = false;
    for (size_t i = 0; i < sizeof of_file / sizeof *of_file; i++) {
      shared = shared || strcmp(n->name, of_file[i]) == 0;
    }
    CQ_TRY(shared ? CQ_OK : copy_section(arena, n, element));
  }
  return CQ_OK;
}

static cq_status make_tree(cq_arena *arena, const cq_scene *scene, cq_node *root) {
  const cq_node *const own = scene->config.root;
  cq_node *list = NULL;
  CQ_TRY(copy_section(arena, cq_node_find(own, "problem"), root));
  CQ_TRY(copy_section(arena, cq_node_find(own, "design"), root));
  CQ_TRY(cq_node_add(arena, root, "experiments", CQ_NODE_LIST, &list));
  for (int k = 0; k < scene->joined->count; k++) {
    CQ_TRY(add_element(arena, &scene->joined->all[k], list));
  }
  CQ_TRY(copy_section(arena, cq_node_find(own, "optimizer"), root));
  return copy_section(arena, scene->joined->output, root);
}

cq_status cq_joined_write(const cq_scene *scene, FILE *out) {
  cq_arena arena = {.ctx = scene->ctx};
  cq_node root = {.type = CQ_NODE_GROUP, .origin = ""};
  const cq_status status = make_tree(&arena, scene, &root);
  if (status == CQ_OK) {
    cq_tree_write(&root, out);
  }
  cq_arena_release(&arena);
  return status;
}
