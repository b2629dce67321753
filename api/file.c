/* A file: loading it, and what it says as text. */
#include "api.h"

#include "alloc.h"
#include "schema_text.h"

#include <string.h>

cq_status cq_api_wrap(cq_ctx *ctx, cq_scene *scene, cq_file **out) {
  cq_file *file = NULL;
  const cq_status status = CQ_ALLOC(ctx, file, 1);
  if (status != CQ_OK) {
    cq_scene_destroy(scene);
    return status;
  }
  *file = (cq_file){.ctx = ctx, .scene = scene};
  *out = file;
  return CQ_OK;
}

/* What both ways of loading want. */
static cq_status check_sets(cq_ctx *ctx, const char *text, const char *const *sets, int n_sets,
                            cq_file **out) {
  CQ_CHECK(ctx, out != NULL, CQ_USAGE, "there is nowhere to put the file");
  *out = NULL;
  CQ_CHECK(ctx, text != NULL, CQ_USAGE, "the name or text of the file is missing");
  CQ_CHECK(ctx, n_sets == 0 || (n_sets > 0 && sets != NULL), CQ_USAGE, "there are no sets");
  for (int i = 0; i < n_sets; i++) {
    CQ_CHECK(ctx, sets[i] != NULL, CQ_USAGE, "set %d is NULL", i);
  }
  return CQ_OK;
}

cq_status cq_file_load(cq_ctx *ctx, const char *name_or_path, const char *const *sets, int n_sets,
                       cq_file **out) {
  cq_scene *scene = NULL;
  CQ_TRY(cq_api_begin_ctx(ctx));
  CQ_TRY(check_sets(ctx, name_or_path, sets, n_sets, out));
  CQ_TRY(cq_scene_load(ctx, name_or_path, sets, n_sets, &scene));
  return cq_api_wrap(ctx, scene, out);
}

cq_status cq_file_parse(cq_ctx *ctx, const char *text, const char *name, const char *folder,
                        const char *const *sets, int n_sets, cq_file **out) {
  cq_scene *scene = NULL;
  CQ_TRY(cq_api_begin_ctx(ctx));
  CQ_TRY(check_sets(ctx, text, sets, n_sets, out));
  CQ_CHECK(ctx, name != NULL, CQ_USAGE, "the name of the text is missing");
  const char *const from = folder != NULL ? folder : ".";
  CQ_TRY(cq_scene_load_text(ctx, name, from, text, sets, n_sets, &scene));
  return cq_api_wrap(ctx, scene, out);
}

void cq_file_destroy(cq_file *file) {
  if (file != NULL && !file->destroyed) {
    file->destroyed = true;
    cq_api_leave(file);
  }
}

cq_scene *cq_file_scene(cq_file *file) {
  return file != NULL ? file->scene : NULL;
}

/* What a file is. */
cq_status cq_file_info(const cq_file *file, cq_about_file *out) {
  CQ_TRY(cq_api_begin(file));
  const cq_scene *const scene = file->scene;
  const cq_problem *const problem = cq_scene_problem(scene);
  const cq_scene_info info = cq_scene_information(scene);
  const cq_about_file about = {.name = cq_scene_name(scene),
                               .title = cq_scene_title(scene),
                               .dimension = info.dimension,
                               .bits = info.bits,
                               .particles = info.particles,
                               .steps = info.steps,
                               .controls = scene->model.n_controls,
                               .blocks = cq_scene_block_count(scene),
                               .variables = problem->n,
                               .terms = cq_scene_term_count(scene),
                               .inequalities = problem->n_inequality,
                               .equalities = problem->n_equality,
                               .time_step = info.time_step,
                               .gradient = problem->gradient,
                               .engine = scene->model.engine,
                               .device = info.device};
  return CQ_GIVE(file->ctx, out, about);
}

/* --- texts --------------------------------------------------------------------------------------
 */

static cq_status write_node(const void *node, FILE *out) {
  cq_value_write(node, out);
  return CQ_OK;
}

cq_status cq_file_get(const cq_file *file, const char *path, char *text, size_t *size) {
  cq_node *node = NULL;
  CQ_TRY(cq_api_begin(file));
  CQ_CHECK(file->ctx, path != NULL, CQ_USAGE, "the path of the key is missing");
  CQ_TRY(cq_tree_find(&file->scene->arena, file->scene->config.root, path, &node));
  CQ_CHECK(file->ctx, node != NULL, CQ_CONFIG, "%s has no key %s", cq_scene_name(file->scene),
           path);
  return cq_api_text(file->ctx, write_node, node, text, size);
}

static cq_status write_config(const void *scene, FILE *out) {
  return cq_scene_write_config(scene, out);
}

cq_status cq_file_resolved(const cq_file *file, char *text, size_t *size) {
  CQ_TRY(cq_api_begin(file));
  return cq_api_text(file->ctx, write_config, file->scene, text, size);
}

static cq_status write_description(const void *scene, FILE *out) {
  return cq_scene_describe(scene, out);
}

cq_status cq_file_describe(const cq_file *file, char *text, size_t *size) {
  CQ_TRY(cq_api_begin(file));
  return cq_api_text(file->ctx, write_description, file->scene, text, size);
}

typedef struct part {
  cq_ctx *ctx;
  const char *section;
} part;

static cq_status write_schema(const void *user, FILE *out) {
  const part *const p = user;
  CQ_CHECK(p->ctx, cq_schema_print(out, p->section), CQ_CONFIG, "the schema has no section %s",
           p->section);
  return CQ_OK;
}

cq_status cq_schema_text(cq_ctx *ctx, const char *section, char *text, size_t *size) {
  CQ_TRY(cq_api_begin_ctx(ctx));
  const part p = {ctx, section};
  return cq_api_text(ctx, write_schema, &p, text, size);
}

static cq_status write_word(const void *user, FILE *out) {
  const part *const p = user;
  CQ_CHECK(p->ctx, cq_schema_explain(out, p->section), CQ_CONFIG, "the schema does not know \"%s\"",
           p->section);
  return CQ_OK;
}

cq_status cq_schema_word(cq_ctx *ctx, const char *word, char *text, size_t *size) {
  CQ_TRY(cq_api_begin_ctx(ctx));
  CQ_CHECK(ctx, word != NULL, CQ_USAGE, "the word is missing");
  const part p = {ctx, word};
  return cq_api_text(ctx, write_word, &p, text, size);
}

cq_status cq_file_hash(const cq_file *file, bool with_optimizer, uint64_t *hash) {
  CQ_TRY(cq_api_begin(file));
  CQ_CHECK(file->ctx, hash != NULL, CQ_USAGE, "there is nowhere to put the hash");
  return cq_scene_config_hash(file->scene, with_optimizer, hash);
}
