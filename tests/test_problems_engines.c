/* Two engines have keys of their own in the same sections: each file has those of its own engine.
 * Made with the list of engines in tests/two_engines. */
#include "engine_part.h"
#include "schema_rows.h"
#include "schema_text.h"
#include "test_problems_scene.h"

#define OWN_TABLE         "toy_keys.h"
#define OWN_KEYS(section) cq_toy_##section##_keys
#include "own_structs.h"

static const cq_range cq_range_SWEEPS = {1.0, 50.0, "1 to 50"};
#define OWN_ROWS cq_toy_rows
extern const cq_engine_keys OWN_ROWS[];
#include "own_rows.h"

const cq_engine_part cq_part_toy = {.name = "toy", .keys = cq_toy_rows};

#define SIMULATION "simulation: { engine = \"toy\"; radius = 0.25; time_step = 0.1; steps = 3; };\n"
#define TOY                                                                                        \
  SIMULATION "materials: ( { name = \"a\"; density = 2; },\n"                                      \
             "  { name = \"b\"; density = 2; model = \"Sticky\"; cohesion = 4; } );\n"

typedef struct loaded {
  cq_ctx *ctx;
  cq_arena arena;
  cq_config config;
  char text[65536]; /* as the schema takes it, or what is wrong with it */
} loaded;

static void load(loaded *l, const char *text, const char *set) {
  cq_node *root = NULL;
  l->ctx = cq_ctx_create(1, 1);
  l->arena = (cq_arena){.ctx = l->ctx};
  CHECK(cq_tree_parse(&l->arena, text, "my.cfg", &root) == CQ_OK);
  CHECK(set == NULL || cq_tree_set(&l->arena, root, set) == CQ_OK);
  if (cq_config_read(&l->arena, root, &l->config) != CQ_OK) {
    snprintf(l->text, sizeof l->text, "%s", cq_ctx_error(l->ctx));
    return;
  }
  FILE *file = fmemopen(l->text, sizeof l->text, "w");
  cq_tree_write(root, file);
  fclose(file);
}

static void unload(loaded *l) {
  cq_arena_release(&l->arena);
  cq_ctx_destroy(l->ctx);
}

static void refused(const char *text, const char *set, const char *message) {
  static loaded l;
  load(&l, text, set);
  CHECK_STR(l.text, message);
  unload(&l);
}

static void a_file_has_the_keys_of_its_engine(void) {
  static loaded l;
  load(&l, TOY, "simulation.cell=unset");
  const cq_toy_simulation_keys *simulation = l.config.simulation.of_engine;
  const cq_material_keys *materials = l.config.materials.items;
  const cq_toy_material_keys *a = materials[0].of_engine, *b = materials[1].of_engine;
  CHECK(simulation->radius == 0.25 && simulation->sweeps == 7);
  CHECK(a->model == 0 && isnan(a->cohesion) && b->model == 1 && b->cohesion == 4.0);
  CHECK_STR(a->viscosity, "none");
  CHECK_STR(CQ_WORD(b, model), "sticky");
  CHECK(l.config.domain.of_engine == NULL);
  CHECK_MSG(strstr(l.text, "sweeps = 7") != NULL, "%s", l.text);
  CHECK_MSG(strstr(l.text, "kernels") == NULL && strstr(l.text, "layers") == NULL, "%s", l.text);
  unload(&l);
}

static void keys_of_another_engine(void) {
  refused(test_edit(TOY, "radius =", "cell = 1; radius ="), NULL,
          "my.cfg:1: simulation.cell is a key of the engine mpm; this file's engine is toy");
  refused(
      test_edit(TOY, "cohesion =", "youngs_modulus = 1; cohesion ="), NULL,
      "my.cfg:3: materials.[1].youngs_modulus is a key of the engine mpm; this file's engine is "
      "toy");
  refused(TEST_SCENE, "simulation.radius=1",
          "--set simulation.radius=1: simulation.radius is a key of the engine toy; this file's "
          "engine is mpm");
}

/* Words and ranges are those of the engine; what another one has of nearly that name is not meant.
 */
static void messages_are_about_its_own(void) {
  refused(test_edit(TOY, "cohesion =", "grid = 1; cohesion ="), NULL,
          "my.cfg:3: unknown key \"grid\" in materials.[1]; known are: name, density, model, "
          "cohesion, viscosity");
  refused(test_edit(TOY, "Sticky", "Neo-Hookean"), NULL,
          "my.cfg:3: materials.[1].model must be one of \"hard\", \"sticky\"");
  refused(test_edit(TOY, "radius =", "sweeps = 51; radius ="), NULL,
          "my.cfg:1: simulation.sweeps = 51 is out of range: must be 1 to 50");
  refused(test_edit(TOY, "radius = 0.25", "raduis = 0.25"), NULL,
          "my.cfg:1: unknown key \"raduis\" in simulation; did you mean \"radius\"?");
  refused(test_edit(TOY, " cohesion = 4;", ""), NULL,
          "my.cfg:3: materials.[1] needs \"cohesion\" (number, N): holds grains; add  cohesion = "
          "...;  to materials.[1]");
  refused(test_edit(TOY, "\"toy\"", "\"tox\""), NULL,
          "my.cfg:1: simulation.engine = \"tox\" is not known; did you mean \"toy\"?");
}

/* None is lost among the shared ones, and none has the name of a shared one. */
static void all_rows_are_there(void) {
  const cq_engine_part *part = NULL;
  for (int i = 0; (part = cq_engine_part_at(i)) != NULL; i++) {
    int wanted = 0, found = 0;
    for (const cq_engine_keys *keys = part->keys; keys->rows != NULL; keys++) {
      for (int k = 0; k < keys->n; k++) {
        wanted += keys->rows[k].key != NULL;
      }
    }
    for (const cq_key_row *row = cq_key_rows(); row->key != NULL; row++) {
      found += row->part == part;
      for (const cq_key_row *other = cq_shared_rows; other->key != NULL; other++) {
        CHECK_MSG(row->part == NULL || row->owner != other->owner ||
                      strcmp(row->key, other->key) != 0,
                  "%s has a shared key %s", part->name, row->key);
      }
    }
    CHECK_MSG(found == wanted && wanted > 0, "%s: %d of %d rows", part->name, found, wanted);
  }
}

static void the_schema_says_whose_a_key_is(void) {
  static char text[65536];
  FILE *file = fmemopen(text, sizeof text, "w");
  CHECK(cq_schema_print(file, "materials"));
  CHECK(cq_schema_print(file, "simulation"));
  fclose(file);
  CHECK_MSG(strstr(text, "number [N], >= 0; required; with every model but hard;\n") != NULL, "%s",
            text);
  CHECK(strstr(text, "number [m], > 0; required; engine mpm\n") != NULL);
  CHECK(strstr(text, "number [s], > 0; required\n") != NULL);
  CHECK(strstr(text, "word: hard, sticky; default hard; engine toy\n") != NULL);
}

int main(void) {
  RUN(a_file_has_the_keys_of_its_engine);
  RUN(keys_of_another_engine);
  RUN(messages_are_about_its_own);
  RUN(all_rows_are_there);
  RUN(the_schema_says_whose_a_key_is);
  return TEST_RESULT();
}
