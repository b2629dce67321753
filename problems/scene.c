/* Loading a problem file. */
#include "cameras.h"
#include "engine_part.h"
#include "jacobian.h"
#include "joined.h"
#include "records.h"
#include "scenario_settings.h"

#include "alloc.h"
#include "builtin.h"
#include "give.h"
#include "nearest.h"
#include "stages.h"
#include "status.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* What a name stands for: the text, how messages call it, where it includes from. */
typedef struct source {
  const char *text, *label, *folder, *stem;
  cq_node *tree;        /* in place of the text; NULL: it is read */
  const cq_scene *like; /* whose copy it is, NULL: none */
  int beside;           /* of an experiment: how many there are */
} source;

/* The name of a file as a name of a problem, which has fewer letters. */
static void make_name(char *stem) {
  for (char *c = stem; *c != '\0'; c++) {
    const bool begins = c == stem && (*c == '.' || *c == '-');
    if (begins || (!isalnum((unsigned char)*c) && strchr("_-.", *c) == NULL)) {
      *c = '_';
    }
  }
}

static cq_status split_path(cq_arena *arena, const char *path, source *s) {
  const char *slash = strrchr(path, '/');
  const char *name = slash != NULL ? slash + 1 : path;
  const char *dot = strrchr(name, '.');
  const size_t length = dot != NULL && dot != name ? (size_t)(dot - name) : strlen(name);
  s->label = path;
  char stem[256]; /* no file has a longer name */
  snprintf(stem, sizeof stem, "%.*s", (int)length, name);
  make_name(stem);
  CQ_TRY(cq_arena_text(arena, &s->stem, "%s", stem));
  if (slash == NULL) {
    s->folder = ".";
    return CQ_OK;
  }
  return cq_arena_text(arena, &s->folder, "%.*s", (int)(slash - path) + (slash == path), path);
}

/* Neither a file nor a built-in problem: which one was meant? */
static cq_status no_file(cq_ctx *ctx, const char *path) {
  const char *const why = strerror(errno);
  char with_ending[1024];
  cq_nearest nearest = cq_nearest_begin(path);
  for (const cq_builtin *b = cq_builtin_data; b->name != NULL; b++) {
    cq_nearest_offer(&nearest, b->name);
  }
  snprintf(with_ending, sizeof with_ending, "%s.cfg", path);
  CQ_CHECK(ctx, strlen(path) + 5 > sizeof with_ending || access(with_ending, F_OK) != 0, CQ_IO,
           "cannot read %s: %s; did you mean \"%s\"?", path, why, with_ending);
  return CQ_FAIL(ctx, CQ_IO,
                 "cannot read %s: %s; there is no built-in problem of that name either; %s", path,
                 why, cq_nearest_text_or(&nearest, "'cqopt list' names them"));
}

/* Takes the text of a problem file; where there is none, says what may have been meant. */
static cq_status open_file(cq_arena *arena, const char *path, source *s) {
  CQ_TRY(split_path(arena, path, s));
  if (access(path, F_OK) != 0) {
    return no_file(arena->ctx, path);
  }
  char *text = NULL;
  CQ_TRY(cq_file_text(arena, path, "", CQ_MOST_TEXT, &text));
  s->text = text;
  return CQ_OK;
}

static cq_status find_source(cq_arena *arena, const char *name, source *s) {
  const cq_builtin *b = cq_builtin_find(name);
  if (b == NULL) {
    return open_file(arena, name, s);
  }
  s->text = b->text;
  s->stem = b->name;
  return cq_arena_text(arena, &s->label, "%s.cfg", b->name);
}

/* The file's seed becomes the run's, or the run's is written into the file. */
static cq_status take_seed(cq_scene *scene) {
  const cq_optimizer_keys *keys = &scene->config.optimizer;
  const uint64_t seed = cq_ctx_seed(scene->ctx);
  if (keys->seed >= 0) {
    cq_ctx_set_seed(scene->ctx, (uint64_t)keys->seed);
    return CQ_OK;
  }
  if (seed > INT64_MAX) {
    return CQ_OK;
  }
  return cq_config_complete(&scene->arena, keys->node, "seed", CQ_NODE_INT, (long long)seed, NULL);
}

/* What of a list a set asks for, "press" of "experiments=press", or NULL. */
static cq_status chosen(cq_arena *arena, const char *set, const char *list, const char **name) {
  const size_t length = strlen(list);
  const char *const value = set + length + 1;
  *name = NULL;
  if (strncmp(set, list, length) != 0 || set[length] != '=' || strchr("([", *value) != NULL ||
      strcmp(value, "unset") == 0) {
    return CQ_OK;
  }
  const size_t quote = *value == '"' && value[1] != '\0';
  return cq_arena_text(arena, name, "%.*s", (int)(strlen(value) - 2 * quote), value + quote);
}

/* The tree of one experiment in the place of that of the file. */
static cq_status take_alone(cq_scene *scene, const char *name, cq_node **root) {
  cq_experiment_trees trees;
  int k = 0;
  CQ_CHECK(scene->ctx, cq_experiments_given(*root), CQ_CONFIG,
           "--set experiments=%s: the file has no experiments", name);
  CQ_TRY(cq_experiments_split(&scene->arena, *root, &trees));
  CQ_TRY(cq_experiments_find(scene->ctx, &trees, "--set experiments", name, &k));
  return cq_experiment_alone(&scene->arena, &trees, k, CQ_EXPERIMENT_FILE, root);
}

/* A value for a key, or a choice of one experiment or stage. */
static cq_status take_set(cq_scene *scene, const char *set, cq_node **root) {
  const char *experiment = NULL, *stage = NULL;
  CQ_TRY(chosen(&scene->arena, set, "experiments", &experiment));
  CQ_TRY(chosen(&scene->arena, set, "stages", &stage));
  return experiment != NULL ? take_alone(scene, experiment, root)
         : stage != NULL    ? cq_stage_take(&scene->arena, *root, stage)
                            : cq_tree_set(&scene->arena, *root, set);
}

/* The tree of the file with the sets in it, in their order. */
static cq_status read_tree(cq_scene *scene, const source *s, const char *const *sets, int n_sets,
                           cq_node **root) {
  CQ_TRY(cq_tree_parse_file(&scene->arena, s->text, s->label, s->folder, root));
  (*root)->line = 0;
  CQ_TRY(cq_experiments_open(&scene->arena, *root, s->folder));
  for (int i = 0; i < n_sets; i++) {
    CQ_TRY(take_set(scene, sets[i], root));
  }
  return cq_experiments_open(&scene->arena, *root, s->folder); /* those that a set has brought */
}

static cq_status read_scene(cq_ctx *ctx, const source *of, const char *name,
                            const char *const *sets, int n_sets, cq_scene **out);

static cq_status read_part(cq_ctx *ctx, const char *name, const char *folder, cq_node *tree,
                           int beside, cq_scene **out) {
  const source s = {.label = name, .folder = folder, .stem = name, .tree = tree, .beside = beside};
  return read_scene(ctx, &s, name, NULL, 0, out);
}

/* Of a file with experiments: the tree of the first one with the design of all, whose scenes are
 * read by then. */
static cq_status take_experiments(cq_scene *scene, cq_node **root) {
  cq_experiment_trees trees;
  CQ_TRY(cq_experiments_split(&scene->arena, *root, &trees));
  CQ_TRY(cq_joined_open(scene, &trees, read_part));
  return cq_experiment_alone(&scene->arena, &trees, 0, CQ_EXPERIMENT_ALL, root);
}

/* The settings, as the schema takes them. */
static cq_status read_config(cq_scene *scene, const source *s, const char *const *sets,
                             int n_sets) {
  cq_node *root = s->tree;
  if (root == NULL) {
    CQ_TRY(read_tree(scene, s, sets, n_sets, &root));
    CQ_TRY(cq_experiments_given(root) ? take_experiments(scene, &root) : CQ_OK);
  }
  CQ_TRY(cq_config_read(&scene->arena, root, &scene->config));
  CQ_TRY(cq_optimizer_take_name(&scene->arena, &scene->config.optimizer));
  cq_problem_keys *keys = &scene->config.problem;
  if (keys->name[0] == '\0') {
    keys->name = s->stem;
    CQ_TRY(cq_config_complete(&scene->arena, keys->node, "name", CQ_NODE_TEXT, 0, s->stem));
  }
  CQ_TRY(cq_scene_take_device(scene));
  return take_seed(scene);
}

/* Contacts between bodies are for engines that know of them. */
static cq_status check_contacts(const cq_scene *scene) {
  const cq_contact_keys *keys = scene->config.contacts.items;
  CQ_CHECK(scene->ctx, scene->config.contacts.count == 0 || scene->part->reads_contacts, CQ_CONFIG,
           "%s: %s: bodies of simulation.engine = \"%s\" meet by its own rules; leave it out",
           cq_node_where(keys[0].node).text, cq_node_path(keys[0].node).text, scene->part->name);
  return CQ_OK;
}

/* All of a scene, step by step; each needs what the ones before have read. */
static cq_status build(cq_scene *scene, const source *s, const char *const *sets, int n_sets) {
  scene->folder = s->folder;
  scene->n_beside = s->like != NULL ? s->like->n_beside : s->beside;
  scene->donors = s->like != NULL ? s->like->donors : NULL;
  CQ_TRY(read_config(scene, s, sets, n_sets));
  CQ_TRY(cq_scene_read_simulation(scene));
  CQ_TRY(cq_scene_read_bodies(scene));
  CQ_TRY(cq_scene_read_sets(scene));
  CQ_TRY(check_contacts(scene));
  CQ_TRY(scene->part->read_walls(scene));
  CQ_TRY(scene->part->read_actuators(scene));
  CQ_TRY(cq_scene_read_launches(scene));
  CQ_TRY(cq_scene_read_controller(scene));
  CQ_TRY(cq_scene_build_model(scene));
  CQ_TRY(cq_scene_read_cameras(scene));
  CQ_TRY(cq_scene_check_records(scene));
  CQ_TRY(cq_scene_preflight(scene));
  CQ_TRY(cq_scene_prepare_evaluation(scene));
  CQ_TRY(cq_scenarios_read(scene));
  scene->model.memory /= (size_t)cq_scene_shares(scene);
  /* here, so that a memory budget that is too small shows before the first evaluation */
  CQ_TRY(cq_sim_create(scene->ctx, &scene->model, &scene->sim));
  scene->objective.rows = cq_sim_layout(scene->sim)->rows;
  CQ_TRY(cq_jacobian_choose(scene));
  return scene->joined != NULL ? cq_joined_connect(scene) : CQ_OK;
}

/* Without text and tree: of the built-in problem or file called name. */
static cq_status read_scene(cq_ctx *ctx, const source *of, const char *name,
                            const char *const *sets, int n_sets, cq_scene **out) {
  *out = NULL;
  cq_scene *scene = NULL;
  CQ_TRY(CQ_ALLOC(ctx, scene, 1));
  scene->ctx = ctx;
  scene->arena.ctx = ctx;
  scene->torn_step = -1;
  source s = *of;
  const bool is_here = s.text != NULL || s.tree != NULL;
  cq_status status = is_here ? CQ_OK : find_source(&scene->arena, name, &s);
  status = status == CQ_OK ? build(scene, &s, sets, n_sets) : status;
  if (status != CQ_OK) {
    cq_scene_free(scene);
    return status;
  }
  *out = scene;
  return CQ_OK;
}

cq_status cq_scene_read(cq_ctx *ctx, const char *name_or_path, const char *const *sets, int n_sets,
                        cq_scene **out) {
  const source s = {.folder = "."};
  return read_scene(ctx, &s, name_or_path, sets, n_sets, out);
}

cq_status cq_scene_read_text(cq_ctx *ctx, const char *name, const char *folder, const char *text,
                             const char *const *sets, int n_sets, cq_scene **out) {
  const source s = {.text = text, .label = name, .folder = folder, .stem = name};
  return read_scene(ctx, &s, name, sets, n_sets, out);
}

cq_status cq_scene_read_like(cq_ctx *ctx, const cq_scene *like, const char *text,
                             const char *const *sets, int n_sets, cq_scene **out) {
  const char *const name = cq_scene_name(like);
  const source s = {
      .text = text, .label = name, .folder = like->folder, .stem = name, .like = like};
  return read_scene(ctx, &s, name, sets, n_sets, out);
}

void cq_scene_free(cq_scene *scene) {
  if (scene == NULL) {
    return;
  }
  cq_ctx *ctx = scene->ctx;
  for (int i = 0; i < CQ_MOST_REFINED; i++) {
    cq_scene_free(scene->refined[i]);
  }
  for (int k = 0; scene->joined != NULL && k < scene->joined->count; k++) {
    cq_scene_free(scene->joined->all[k].scene);
    cq_ctx_destroy(scene->joined->all[k].ctx);
  }
  cq_sim_destroy(scene->sim);
  cq_arena_release(&scene->arena);
  cq_free(ctx, scene);
}

const char *cq_scene_name(const cq_scene *scene) {
  return scene->config.problem.name;
}

void cq_scene_section_place(const cq_scene *scene, const char *section, char *text, size_t size) {
  const cq_node *const node = cq_node_find(scene->config.root, section);
  snprintf(text, size, "%s", cq_node_where(node != NULL ? node : scene->config.root).text);
}

const char *cq_scene_title(const cq_scene *scene) {
  return scene->config.problem.title;
}

/* What commands say of a scene and go by. */
cq_status cq_scene_get_info(const cq_scene *scene, cq_scene_info *out) {
  const cq_model *m = &scene->model;
  const cq_scene_info info = {.dimension = m->dim,
                              .bits = m->bits,
                              .device = CQ_WORD(&scene->config.simulation, device),
                              .particles = m->n_particles,
                              .steps = m->steps,
                              .time_step = m->dt,
                              .frames = cq_scene_frame_count(scene, 0),
                              .starts = scene->config.optimizer.starts,
                              .workers = scene->config.optimizer.workers,
                              .verify_refined = scene->config.optimizer.verify_refined,
                              .report = scene->config.output.report,
                              .torn_share = scene->config.simulation.torn_share,
                              .expected = scene->config.problem.expected_time,
                              .memory = m->memory,
                              .memory_is_auto = isinf(scene->config.simulation.memory),
                              .error_bars = CQ_WORD(&scene->config.optimizer, error_bars)};
  return CQ_GIVE(scene->ctx, out, info);
}

cq_status cq_scene_write_config(const cq_scene *scene, FILE *out) {
  fprintf(out, "# %s, every default and override filled in\n", scene->config.problem.name);
  if (scene->joined != NULL) {
    CQ_TRY(cq_joined_write(scene, out));
  } else {
    cq_tree_write(scene->config.root, out);
  }
  CQ_CHECK(scene->ctx, !ferror(out), CQ_IO, "cannot write the problem file: %s", strerror(errno));
  return CQ_OK;
}
