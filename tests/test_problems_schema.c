/* What a wrong problem file is told. */
#include "engine_part.h"
#include "nearest.h"
#include "schema_text.h"
#include "test_problems_scene.h"

static void refused(const char *from, const char *to, const char *message) {
  char text[16384];
  snprintf(text, sizeof text, "%s", test_edit(TEST_SCENE, from, to));
  test_refused(text, NULL, message);
}

static void edit_distances(void) {
  CHECK(cq_edit_distance("density", "density") == 0);
  CHECK(cq_edit_distance("densty", "density") == 1);
  CHECK(cq_edit_distance("denisty", "density") == 1);
  CHECK(cq_edit_distance("", "abc") == 3);
  CHECK(cq_edit_distance("kitten", "sitting") == 3);
}

static void unknown_keys(void) {
  refused("density = 2", "densty = 2",
          "my.cfg:14: unknown key \"densty\" in bodies.[2]; did you mean \"density\"?");
  refused("cell = 0.05", "cel = 0.05",
          "my.cfg:3: unknown key \"cel\" in simulation; did you mean \"cell\"?");
  refused("actuators:", "actuatrs:",
          "my.cfg:17: unknown section \"actuatrs\"; did you mean \"actuators\"?");
  refused("domain:", "domian:",
          "my.cfg:16: unknown section \"boundaries.domian\"; did you mean \"domain\"?");
  refused("hold = 7", "zzzzzz = 7",
          "my.cfg:18: unknown key \"zzzzzz\" in controller; known are: type, hold, interpolation");
}

static void keys_of_another_choice(void) {
  refused("radius = 0.1", "radius = 0.1; low = [0, 0]",
          "my.cfg:13: \"low\" in bodies.[2] has a meaning only with shape = \"box\", \"mesh\"");
  refused("squared = false", "squared = false; above = 1",
          "my.cfg:27: \"above\" in objective.[0] has a meaning only with term = \"height\"");
  refused("squared = false", "squared = false; direction = \"x\"",
          "my.cfg:27: \"direction\" in objective.[0] has no meaning with term = \"distance\"");
}

static void wrong_types(void) {
  refused("cell = 0.05", "cell = \"small\"",
          "my.cfg:3: simulation.cell must be a number (or a fraction in quotes, \"1/120\") [m]");
  refused("steps = 40", "steps = 40.5", "my.cfg:4: simulation.steps must be an integer");
  refused("gravity = [0, -2]", "gravity = [0, -2, 1]",
          "my.cfg:4: simulation.gravity must be a list of 2 numbers [m/s^2]");
  refused("name = \"soft\"", "name = 5", "my.cfg:7: materials.[0].name must be text in quotes");
  refused("shape = \"ball\"", "shape = \"dodecahedron\"",
          "my.cfg:13: bodies.[2].shape must be one of \"box\", \"ball\", \"polygon\", \"capsule\", "
          "\"composite\", \"mesh\", \"gear\"");
  refused("squared = false", "squared = 1",
          "my.cfg:27: objective.[0].squared must be true or false");
  refused(
      "16 MiB", "16 apples",
      "my.cfg:5: simulation.memory must be a size such as \"256 MiB\" or \"2 GiB\", or \"auto\"");
  refused("name = \"A\"", "name = \"a,b\"",
          "my.cfg:9: bodies.[0].name must be made of letters, digits, _ - .");
  refused("actuators: ( {", "actuators: { a: {",
          "my.cfg:17: syntax error (text needs quotes, elements of a list a comma between them and "
          "none at the end)");
  refused("problem: { title = \"test\"; }", "problem: ( )",
          "my.cfg:1: problem must be a group { ... }");
}

/* Words of other programs, and keys of other sections. */
static void words_from_elsewhere(void) {
  refused("shape = \"ball\"", "shape = \"sphere\"",
          "my.cfg:13: bodies.[2].shape = \"sphere\" is not known; did you mean \"ball\"?");
  refused("term = \"mean_position\"", "term = \"position\"",
          "my.cfg:29: objective.[2].term = \"position\" is not known; did you mean "
          "\"mean_position\"?");
  refused("term = \"mean_position\"", "term = \"energy\"",
          "my.cfg:29: objective.[2].term = \"energy\" is not known; did you mean one of "
          "\"kinetic_energy\", \"elastic_energy\"?");
  refused("cell = 0.05", "dx = 0.05",
          "my.cfg:3: unknown key \"dx\" in simulation; did you mean \"cell\"?");
  refused("cell = 0.05", "Cell = 0.05",
          "my.cfg:3: unknown key \"Cell\" in simulation; did you mean \"cell\"?");
  refused("cell = 0.05", "normal = 1",
          "my.cfg:3: unknown key \"normal\" in simulation; it is a key of "
          "boundaries.half_spaces");
  refused("cell = 0.05", "lower = 1",
          "my.cfg:3: unknown key \"lower\" in simulation; it is a key of design, objective and "
          "constraints");
  refused("cell = 0.05", "wheels = 4",
          "my.cfg:3: unknown key \"wheels\" in simulation; 'cqopt help simulation' lists its "
          "keys");
  refused("actuators:", "cell:", "my.cfg:17: unknown section \"cell\"; it is a key of simulation");
  refused("actuators:", "half_spaces:",
          "my.cfg:17: unknown section \"half_spaces\"; it is a section within another one, "
          "boundaries.half_spaces");
  refused("term = \"distance\"; ", "",
          "my.cfg:27: objective.[0] needs \"term\" (word): what is measured; add  term = ...;  to "
          "objective.[0]");
}

/* Whatever a word leads to is there. */
static void other_words_lead_somewhere(void) {
  static const char *const names[] = {
#define CQ_ALSO(word, name) name,
#include "also_called.h"
#undef CQ_ALSO
  };
  char nearest[64];
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    CHECK_MSG(cq_schema_nearest(names[i], nearest, sizeof nearest) == 0, "%s", names[i]);
  }
  const cq_engine_part *part = NULL;
  for (int i = 0; (part = cq_engine_part_at(i)) != NULL; i++) {
    for (const cq_also_called *a = part->also_called; a != NULL && a->word != NULL; a++) {
      CHECK_MSG(cq_schema_nearest(a->name, nearest, sizeof nearest) == 0, "%s", a->name);
    }
  }
}

static void out_of_range(void) {
  refused("poisson_ratio = 0.3", "poisson_ratio = 0.5",
          "my.cfg:7: materials.[0].poisson_ratio = 0.5 is out of range: must be above -1 and below "
          "0.5");
  refused("cell = 0.05", "cell = -1",
          "my.cfg:3: simulation.cell = -1 is out of range: must be > 0 m");
  refused("friction = 0.4", "friction = -0.1",
          "my.cfg:16: boundaries.domain.friction = -0.1 is out of range: must be >= 0");
  refused("dimension = 2", "dimension = 4",
          "my.cfg:3: simulation.dimension = 4 is out of range: must be 2 or 3");
}

static void missing_keys(void) {
  refused("cell = 0.05;", "",
          "my.cfg:2: simulation needs \"cell\" (number, m): distance between nodes; add  cell = "
          "...;  to simulation");
  refused("target = [0.6, 0.3];", "",
          "my.cfg:27: objective.[0] needs \"target\" (one number an axis, m): where the centre of "
          "mass should be; add  target = ...;  to objective.[0]");
}

static void wrong_meaning(void) {
  refused("name = \"C\"", "name = \"A\"",
          "my.cfg:13: bodies.[2].name: two bodies are called \"A\"");
  refused("body = \"B\"; direction = \"y\"", "body = \"Bb\"; direction = \"y\"",
          "my.cfg:17: actuators.[0].body: there is no body or group \"Bb\"; did you mean \"B\"?");
  refused("size = [0.1, 0.2]", "size = [0.1, 0.2]; spacing = 0.03",
          "my.cfg:12: bodies.[1].count: give either spacing or count");
  refused("spacing = 0.025", "spacing = 0.03",
          "my.cfg:10: bodies.[0].spacing: 0.2 m is not a whole number of 0.03 m (axis x: 6.667); "
          "change size or spacing, or give count");
  refused("upper = 0.02;", "",
          "my.cfg:33: constraints.[1].term: a constraint needs one of upper, "
          "lower, equals");
  refused(
      "lower = 0.8; upper = 3", "upper = 3",
      "my.cfg:21: design.[1].lower: a density needs a lower bound > 0 (the time step is checked "
      "at the lightest)");
  refused("lower = 0.8; upper = 3", "lower = 1.5; upper = 3",
          "my.cfg:21: design.[1].start: the start 1 is outside the bounds 1.5 to 3");
  refused("start = [1, 2, 3, -2, -3, 1]", "start = [1, 2]",
          "my.cfg:24: design.[4].start: must be a number or a list of 6");
  refused("variable = \"density\"; body = \"A\"; lower = 0.8; upper = 3",
          "variable = \"initial_velocity\"; body = \"A\"",
          "my.cfg:21: design.[1].variable: A.initial_velocity is designed by an earlier block "
          "already");
}

static void the_schema_prints(void) {
  FILE *out = tmpfile();
  static char text[65536];
  CHECK(cq_schema_print(out, NULL));
  rewind(out);
  text[fread(text, 1, sizeof text - 1, out)] = '\0';
  CHECK(strstr(text, "youngs_modulus") != NULL && strstr(text, "boundaries.half_spaces") != NULL);
  CHECK(strstr(text, "  target ") != NULL);
  fclose(out);
}

int main(void) {
  RUN(edit_distances);
  RUN(unknown_keys);
  RUN(keys_of_another_choice);
  RUN(wrong_types);
  RUN(words_from_elsewhere);
  RUN(other_words_lead_somewhere);
  RUN(out_of_range);
  RUN(missing_keys);
  RUN(wrong_meaning);
  RUN(the_schema_prints);
  return TEST_RESULT();
}
