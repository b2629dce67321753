/* The problem file as structs: validated, defaults filled in.
 *
 * Structs, rows of the schema, help text and defaults all come from schema_table.h, and from the
 * tables of the engines (own_structs.h); a key's name in a file is the name of its field. */
#ifndef CQ_PROBLEMS_SCHEMA_H
#define CQ_PROBLEMS_SCHEMA_H

#include "tree.h"

#include "shape_keys.h"
#include "terms/terms.h"

/* Index 0 ... of the words of a key, in the order of the lists. */
typedef enum cq_term_kind {
#define CQ_TERM(name, belongs, when, ...) CQ_TERM_##name,
#include "term_list.h"
#undef CQ_TERM
  CQ_N_TERMS
} cq_term_kind;

enum {
  CQ_SAMPLING_LATTICE,
  CQ_SAMPLING_RANDOM,
  CQ_SAMPLING_POINTS,
  CQ_SAMPLING_JITTERED,
  CQ_SAMPLING_BLUE_NOISE
};
enum { CQ_GROUP_BY_SHAPE, CQ_GROUP_BY_NUMBER };
enum { CQ_PART_ADD, CQ_PART_SUBTRACT };
enum { CQ_DEVICE_CPU, CQ_DEVICE_CUDA, CQ_DEVICE_AUTO };
enum { CQ_PRECISION_DOUBLE, CQ_PRECISION_FLOAT };
enum { CQ_ON_TEAR_REPORT, CQ_ON_TEAR_FAIL };
enum { CQ_PER_BODY, CQ_PER_GROUP, CQ_PER_PARTICLE, CQ_PER_PATCH };
enum { CQ_INTERPOLATION_CONSTANT, CQ_INTERPOLATION_LINEAR, CQ_INTERPOLATION_PATH };
enum { CQ_MIRROR_NONE }; /* then the axes */
enum { CQ_TRANSFORM_IDENTITY, CQ_TRANSFORM_LOG, CQ_TRANSFORM_TANH };
enum { CQ_SCENARIOS_LIST, CQ_SCENARIOS_GRID, CQ_SCENARIOS_RANDOM };
enum { CQ_COMBINE_MEAN, CQ_COMBINE_WORST, CQ_COMBINE_BATCH };
enum { CQ_JACOBIAN_AUTO, CQ_JACOBIAN_DIFFERENCES, CQ_JACOBIAN_ADJOINT };
enum {
  CQ_READ_POSITION,
  CQ_READ_VELOCITY,
  CQ_READ_TARGET,
  CQ_READ_CONSTANT,
  CQ_READ_CLOCK,
  CQ_READ_TURN, /* from here on of rigid bodies */
  CQ_READ_SPIN,
  CQ_READ_FORCE,
  CQ_READ_TORQUE
};
enum { CQ_CAMERA_ORTHOGRAPHIC, CQ_CAMERA_PERSPECTIVE };
enum { CQ_WHEN_END, CQ_WHEN_RUNNING, CQ_WHEN_AT, CQ_WHEN_WINDOW };

/* A list of sections. */
typedef struct cq_items {
  int count;
  void *items;
} cq_items;
#define CQ_STORE_PARTS(key)  cq_items key;       /* of cq_part_keys */
#define CQ_STORE_VALUES(key) const cq_node *key; /* of any kind; NULL: not given */

typedef struct cq_shape_keys {
#define CQ_SHAPE_FIELD(owner, key, type, unit, range, fallback, only, words, help)                 \
  CQ_STORE_##type(key)
  CQ_SHAPE_KEY_LIST(CQ_SHAPE_FIELD, , )
#undef CQ_SHAPE_FIELD
} cq_shape_keys;

/* cq_<struct>_keys for each SECTION of the table. Each begins as cq_any_keys: `node` is where the
 * section is written, `of_engine` the struct of the keys that the engine of the file has in it,
 * which begins with such a node, too; NULL: it has none. */
typedef struct cq_any_keys {
  const cq_node *node;
  void *of_engine;
} cq_any_keys;
#define SECTION(name)                                                                              \
  typedef struct cq_##name##_keys {                                                                \
    const cq_node *node;                                                                           \
    void *of_engine;
#define KEY(owner, key, type, unit, range, fallback, only, words, help) CQ_STORE_##type(key)
#define SHAPE_KEYS(owner, only)                                         cq_shape_keys form;
#define END(name)                                                                                  \
  CQ_EXTRA_##name                                                                                  \
  }                                                                                                \
  cq_##name##_keys;
#define CQ_EXTRA_problem
#define CQ_EXTRA_simulation
#define CQ_EXTRA_material
#define CQ_EXTRA_body
#define CQ_EXTRA_part
#define CQ_EXTRA_group
#define CQ_EXTRA_domain
#define CQ_EXTRA_half_space
#define CQ_EXTRA_height_field
#define CQ_EXTRA_obstacle
#define CQ_EXTRA_contact
#define CQ_EXTRA_camera
#define CQ_EXTRA_actuator
#define CQ_EXTRA_launch
#define CQ_EXTRA_controller
#define CQ_EXTRA_input
#define CQ_EXTRA_block
#define CQ_EXTRA_experiment
#define CQ_EXTRA_scenarios
#define CQ_EXTRA_vary
#define CQ_EXTRA_stage
#define CQ_EXTRA_optimizer
#define CQ_EXTRA_output
/* the keys of one kind of term */
#define CQ_EXTRA_term                                                                              \
  int when;                                                                                        \
  cq_term_own own;

typedef union cq_term_own {
#define CQ_TERM(name, belongs, when, ...) cq_term_##name name;
#include "term_list.h"
#undef CQ_TERM
} cq_term_own;

#include "schema_table.h"
#undef SECTION
#undef KEY
#undef SHAPE_KEYS
#undef END

/* X(path, struct, shape, field, what it holds). GROUP: one struct; LIST: cq_items of structs. */
#define CQ_SECTION_LIST(X)                                                                         \
  X("problem", problem, GROUP, problem, "what the problem is called")                              \
  X("simulation", simulation, GROUP, simulation, "room, time and numerics")                        \
  X("materials", material, LIST, materials, "materials")                                           \
  X("bodies", body, LIST, bodies, "bodies and the particles they are made of")                     \
  X("groups", group, LIST, groups, "named sets of particles: those that start in a shape")         \
  X("boundaries.domain", domain, GROUP, domain, "walls along the faces of the room")               \
  X("boundaries.half_spaces", half_space, LIST, half_spaces, "planes that bound the bodies")       \
  X("boundaries.height_fields", height_field, LIST, height_fields, "uneven ground")                \
  X("boundaries.obstacles", obstacle, LIST, obstacles, "what stands in the way")                   \
  X("contact", contact, LIST, contacts, "bodies that meet with friction and part freely")          \
  X("cameras", camera, LIST, cameras, "what depth images are taken by")                            \
  X("actuators", actuator, LIST, actuators, "what bodies move by")                                 \
  X("launches", launch, LIST, launches, "bodies that the controller throws as a run begins")       \
  X("controller", controller, GROUP, controller, "what drives the actuators and launches bodies")  \
  X("controller.inputs", input, LIST, inputs, "what a feedback controller reads, in this order")   \
  X("design", block, LIST, design, "blocks of design variables")                                   \
  X("objective", term, LIST, objective, "terms; their weighted sum is minimised")                  \
  X("constraints", term, LIST, constraints,                                                        \
    "terms, each with upper, lower or equals: weight*(value - bound) is constrained")              \
  X("experiments", experiment, LIST, experiments,                                                  \
    "several scenes for one design: an element has the sections of a scene, too")                  \
  X("scenarios", scenarios, GROUP, scenarios, "other settings that the same design must serve")    \
  X("scenarios.vary", vary, LIST, vary, "settings that differ from scenario to scenario")          \
  X("stages", stage, LIST, stages,                                                                 \
    "other settings to solve with first, each stage from the best design of the one before")       \
  X("optimizer", optimizer, GROUP, optimizer, "method and when it stops")                          \
  X("output", output, GROUP, output, "what is written")

#define CQ_FIELD_GROUP(name) cq_##name##_keys
#define CQ_FIELD_LIST(name)  cq_items

typedef struct cq_config {
  cq_arena *arena;
  cq_node *root;
  int dim;
#define CQ_CONFIG_FIELD(path, name, shape, field, help) CQ_FIELD_##shape(name) field;
  CQ_SECTION_LIST(CQ_CONFIG_FIELD)
#undef CQ_CONFIG_FIELD
} cq_config;

/* Validates root, adds the missing keys that have a default, and fills *config. */
cq_status cq_config_read(cq_arena *arena, cq_node *root, cq_config *config);
/* The same of a root that has the section optimizer and no other. */
cq_status cq_config_read_optimizer(cq_arena *arena, cq_node *root, cq_optimizer_keys *keys);
/* The same of an element of the list of experiments without the sections of its scene. */
cq_status cq_config_read_experiment(cq_arena *arena, cq_node *element, cq_experiment_keys *keys);
/* Puts the rows of a table under `key` in the place of the key `file`, which named them, so that
 * the written file needs no other; at the end of the section where file is NULL. */
cq_status cq_config_inline(cq_arena *arena, const cq_node *section, const char *file,
                           const char *key, const cq_table *table);
/* Fills in a key that has no fixed default, so that the written file carries it. */
cq_status cq_config_complete(cq_arena *arena, const cq_node *section, const char *key,
                             cq_node_type type, long long integer, const char *text);
/* CQ_CONFIG about a key of a section: "my.cfg:12: bodies.[0].low: ...". */
cq_status cq_config_fail(cq_ctx *ctx, const cq_node *section, const char *key, const char *fmt, ...)
    CQ_PRINTF(4, 5);

/* Text of a key in the tree. */
const char *cq_config_word(const cq_node *section, const char *key);
#define CQ_WORD(keys, key) ((void)sizeof((keys)->key), cq_config_word((keys)->node, #key))

/* keys is a pointer to a *_keys struct and key one of its fields. */
#define CQ_BAD(ctx, keys, key, ...)                                                                \
  ((void)sizeof((keys)->key), cq_config_fail((ctx), (keys)->node, #key, __VA_ARGS__))
#define CQ_KEY_CHECK(ctx, cond, keys, key, ...)                                                    \
  do {                                                                                             \
    if (!(cond)) {                                                                                 \
      return CQ_BAD(ctx, keys, key, __VA_ARGS__);                                                  \
    }                                                                                              \
  } while (0)

#endif
