/* A setting to the field of a struct: types, ranges, words. */
#include "schema_words.h"
#include "status.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* where a value is read and what it has to be */
typedef struct target {
  const cq_config *config;
  const cq_key_row *row;
  const cq_node *node;
} target;

static cq_ctx *context(const target *t) {
  return t->config->arena->ctx;
}

static cq_status wrong(const target *t, const char *wanted) {
  const char *unit = t->row->unit;
  return CQ_FAIL(context(t), CQ_CONFIG, "%s: %s must be %s%s%s%s", cq_node_where(t->node).text,
                 cq_node_path(t->node).text, wanted, unit[0] != '\0' ? " [" : "", unit,
                 unit[0] != '\0' ? "]" : "");
}

/* Which word was meant, or all that there are. */
static cq_status wrong_word(const target *t) {
  const bool is_text = t->node->type == CQ_NODE_TEXT && t->node->text[0] != '\0';
  cq_nearest nearest = cq_nearest_begin(is_text ? t->node->text : "?");
  cq_words_offer_all(&nearest, t->row->words);
  if (is_text && cq_nearest_found(&nearest)) {
    return CQ_FAIL(context(t), CQ_CONFIG, "%s: %s = \"%s\" is not known; %s",
                   cq_node_where(t->node).text, cq_node_path(t->node).text, t->node->text,
                   cq_nearest_text(&nearest));
  }
  const cq_words_list list = cq_words_quoted(t->row->words);
  char wanted[sizeof list.text + 8];
  snprintf(wanted, sizeof wanted, "one of %s", list.text);
  return wrong(t, wanted);
}

/* "1/120" */
static bool parse_fraction(const char *text, double *value) {
  char *end = NULL;
  const double above = strtod(text, &end);
  if (end == text || *end != '/') {
    return false;
  }
  const char *rest = end + 1;
  const double below = strtod(rest, &end);
  *value = above / below;
  return end != rest && *end == '\0' && isfinite(*value);
}

static cq_status check_range(const target *t, const cq_node *node, double value) {
  const cq_range *range = t->row->range;
  if (value >= range->least && value <= range->largest) {
    return CQ_OK;
  }
  char number[32], most[40] = "";
  if (node->type == CQ_NODE_INT) {
    snprintf(number, sizeof number, "%lld", node->integer);
  } else {
    cq_number_text(value, number);
  }
  if (value > range->largest && range->text[0] == '>') { /* the text has no largest one */
    snprintf(most, sizeof most, "at most %.15g", range->largest);
  }
  return CQ_FAIL(context(t), CQ_CONFIG, "%s: %s = %s is out of range: must be %s%s%s",
                 cq_node_where(node).text, cq_node_path(node).text, number,
                 most[0] != '\0' ? most : range->text, t->row->unit[0] != '\0' ? " " : "",
                 t->row->unit);
}

static cq_status read_number(const target *t, const cq_node *node, double *value) {
  const target at = {t->config, t->row, node};
  if (node->type == CQ_NODE_TEXT && t->row->words[0] != '\0' &&
      cq_word_index(t->row->words, node->text) >= 0) {
    *value = INFINITY;
    return CQ_OK;
  }
  if (node->type == CQ_NODE_INT || node->type == CQ_NODE_NUMBER) {
    *value = node->number;
  } else if (node->type != CQ_NODE_TEXT || !parse_fraction(node->text, value)) {
    return wrong(&at, "a number (or a fraction in quotes, \"1/120\")");
  }
  return check_range(t, node, *value);
}

static cq_status read_int(const target *t, const cq_node *node, int *value) {
  const target at = {t->config, t->row, node};
  const bool too_large = node->type == CQ_NODE_NUMBER && fabs(node->number) >= 0x1p63;
  if (node->type != CQ_NODE_INT && !too_large) {
    return wrong(&at, "an integer");
  }
  CQ_TRY(check_range(t, node, node->number));
  if (too_large || node->integer > INT_MAX || node->integer <= INT_MIN) {
    return wrong(&at, "an integer of 32 bits");
  }
  *value = (int)node->integer;
  return CQ_OK;
}

/* Any integer that is not negative: clocks count nanoseconds. */
static cq_status read_seed(const target *t, long long *value) {
  if (t->node->type != CQ_NODE_INT || t->node->integer < 0) {
    char wanted[64];
    snprintf(wanted, sizeof wanted, "an integer from 0 to %lld", LLONG_MAX);
    return wrong(t, wanted);
  }
  *value = t->node->integer;
  return CQ_OK;
}

/* exactly count numbers */
static cq_status read_list(const target *t, int count, double *values) {
  if (t->node->type != CQ_NODE_LIST || cq_node_count(t->node) != count) {
    char wanted[64];
    snprintf(wanted, sizeof wanted, "a list of %d numbers", count);
    return wrong(t, wanted);
  }
  for (const cq_node *n = t->node->child; n != NULL; n = n->next) {
    CQ_TRY(read_number(t, n, values++));
  }
  return CQ_OK;
}

static int axis_index(const target *t) {
  if (t->node->type != CQ_NODE_TEXT || cq_word_index(t->row->words, "axis") != 0) {
    return -1;
  }
  const int axis = cq_word_index("x|y|z", t->node->text);
  return axis < t->config->dim ? axis : -1;
}

/* a word that is no axis makes [0] INFINITY */
static cq_status read_point(const target *t, double *point) {
  const int axis = axis_index(t);
  point[0] = 0.0;
  point[1] = 0.0;
  point[2] = 0.0;
  if (axis >= 0) {
    point[axis] = 1.0;
    return CQ_OK;
  }
  if (t->node->type == CQ_NODE_TEXT && cq_word_index(t->row->words, t->node->text) > 0) {
    point[0] = INFINITY;
    return CQ_OK;
  }
  return read_list(t, t->config->dim, point);
}

/* an axis or a vector e gives e e^T */
static cq_status read_tensor(const target *t, double *tensor) {
  const int dim = t->config->dim;
  double e[3] = {0};
  if (axis_index(t) < 0 && cq_node_count(t->node) == dim * dim) {
    CQ_TRY(read_list(t, dim * dim, tensor));
    for (int i = 0; i < dim * dim; i++) {
      if (tensor[i] != tensor[i % dim * dim + i / dim]) {
        return wrong(t, "a symmetric matrix");
      }
    }
    return CQ_OK;
  }
  CQ_TRY(read_point(t, e));
  const double square = e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
  if (!(square > 0.0)) {
    return wrong(t, "a vector that is not zero");
  }
  for (int i = 0; i < dim * dim; i++) {
    tensor[i] = e[i / dim] * e[i % dim] / square;
  }
  return CQ_OK;
}

/* An integer for all axes, or one each. */
static cq_status read_axes(const target *t, int *axes) {
  const int dim = t->config->dim;
  if (t->node->type != CQ_NODE_LIST) {
    CQ_TRY(read_int(t, t->node, &axes[0]));
    axes[1] = axes[0];
    axes[2] = axes[0];
    return CQ_OK;
  }
  if (cq_node_count(t->node) != dim) {
    return wrong(t, dim == 2 ? "an integer or a list of 2" : "an integer or a list of 3");
  }
  int a = 0;
  for (const cq_node *n = t->node->child; n != NULL; n = n->next) {
    CQ_TRY(read_int(t, n, &axes[a++]));
  }
  return CQ_OK;
}

static cq_status read_numbers(const target *t, cq_numbers *numbers) {
  const bool is_list = t->node->type == CQ_NODE_LIST;
  const int count = is_list ? cq_node_count(t->node) : 1;
  if (count == 0) {
    return wrong(t, "a number or a list of numbers");
  }
  double *values = NULL;
  CQ_TRY(CQ_ARENA(t->config->arena, values, count));
  *numbers = (cq_numbers){count, values};
  if (!is_list) {
    return read_number(t, t->node, values);
  }
  return read_list(t, count, values);
}

/* A text, or a list of them. */
static cq_status read_texts(const target *t, cq_texts *texts) {
  const bool is_list = t->node->type == CQ_NODE_LIST;
  const cq_node *node = is_list ? t->node->child : t->node;
  const char **values = NULL;
  texts->count = is_list ? cq_node_count(t->node) : 1;
  CQ_TRY(CQ_ARENA(t->config->arena, values, texts->count));
  texts->values = values;
  for (int i = 0; i < texts->count; i++) {
    values[i] = node->text;
    if (node->type != CQ_NODE_TEXT) {
      return wrong(t, "text in quotes, or a list of texts");
    }
    node = node->next;
  }
  return CQ_OK;
}

/* Rows of numbers, all of one length. */
static cq_status read_table(const target *t, cq_table *table) {
  const cq_node *first = t->node->type == CQ_NODE_LIST ? t->node->child : NULL;
  const int rows = cq_node_count(t->node), columns = first != NULL ? cq_node_count(first) : 0;
  double *values = NULL;
  if (t->node->type == CQ_NODE_LIST && rows == 0) {
    *table = (cq_table){0};
    return CQ_OK;
  }
  if (columns == 0) {
    return wrong(t, "a list of rows of numbers, [[1, 2], [3, 4]]");
  }
  CQ_TRY(CQ_ARENA(t->config->arena, values, (size_t)rows * (size_t)columns));
  *table = (cq_table){rows, columns, values};
  for (const cq_node *n = first; n != NULL; n = n->next) {
    const target row = {t->config, t->row, n};
    CQ_TRY(read_list(&row, columns, values));
    values += columns;
  }
  return CQ_OK;
}

/* "256 MiB", a number of bytes, or the word that means unlimited by the file */
static cq_status read_bytes(const target *t, double *bytes) {
  static const struct {
    const char *unit;
    double bytes;
  } units[] = {{"B", 1.0},  {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"TiB", 0x1p40},
               {"kB", 1e3}, {"MB", 1e6},     {"GB", 1e9},     {"TB", 1e12}};
  if (t->node->type != CQ_NODE_TEXT || cq_word_index(t->row->words, t->node->text) >= 0) {
    return read_number(t, t->node, bytes);
  }
  char *end = NULL;
  const double value = strtod(t->node->text, &end);
  end += strspn(end, " ");
  for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
    if (value > 0.0 && strcmp(end, units[i].unit) == 0) {
      *bytes = value * units[i].bytes;
      return check_range(t, t->node, *bytes);
    }
  }
  char wanted[80];
  snprintf(wanted, sizeof wanted, "a size such as \"256 MiB\" or \"2 GiB\", or \"%.20s\"",
           t->row->words);
  return wrong(t, wanted);
}

static cq_status read_word(const target *t, int *index) {
  *index = t->node->type == CQ_NODE_TEXT ? cq_word_index(t->row->words, t->node->text) : -1;
  return *index >= 0 ? CQ_OK : wrong_word(t);
}

/* Names stand in CSV headers, labels and paths. */
static cq_status read_name(const target *t, const char **name) {
  *name = t->node->text;
  if (t->node->type != CQ_NODE_TEXT) {
    return wrong(t, "text in quotes");
  }
  for (const char *c = *name; *c != '\0'; c++) {
    if (!isalnum((unsigned char)*c) && strchr("_-.", *c) == NULL) {
      return wrong(t, "made of letters, digits, _ - .");
    }
  }
  if (**name == '.' || **name == '-') { /* ".." is a folder, ".a" is not seen, "-a" is an option */
    return wrong(t, "begun with a letter, a digit or _");
  }
  return **name != '\0' || t->row->fallback != cq_required ? CQ_OK : wrong(t, "not empty");
}

/* Written even where it is zero: keys of different terms share their memory. */
static void store_absent(const cq_key_row *row, void *field) {
  switch (row->type) {
  case CQ_TYPE_NUMBER:
  case CQ_TYPE_BYTES:
  case CQ_TYPE_POINT:
  case CQ_TYPE_TENSOR:
    *(double *)field = NAN;
    break;
  case CQ_TYPE_INT:
  case CQ_TYPE_AXES:
    *(int *)field = INT_MIN;
    break;
  case CQ_TYPE_WORD:
    *(int *)field = -1;
    break;
  case CQ_TYPE_SEED:
    *(long long *)field = -1;
    break;
  case CQ_TYPE_FLAG:
    *(int *)field = 0;
    break;
  case CQ_TYPE_NUMBERS:
    *(cq_numbers *)field = (cq_numbers){0};
    break;
  case CQ_TYPE_TABLE:
    *(cq_table *)field = (cq_table){0};
    break;
  case CQ_TYPE_PARTS:
    *(cq_items *)field = (cq_items){0};
    break;
  default:
    *(const char **)field = NULL;
  }
}

/* By the type of the row. */
cq_status cq_key_store(const cq_config *config, const cq_key_row *row, const cq_node *node,
                       void *keys) {
  void *field = (char *)keys + row->offset;
  if (node == NULL) {
    store_absent(row, field);
    return CQ_OK;
  }
  const target t = {config, row, node};
  switch (row->type) {
  case CQ_TYPE_FLAG:
    *(int *)field = node->integer != 0;
    return node->type == CQ_NODE_FLAG ? CQ_OK : wrong(&t, "true or false");
  case CQ_TYPE_INT:
    return read_int(&t, node, field);
  case CQ_TYPE_SEED:
    return read_seed(&t, field);
  case CQ_TYPE_WORD:
    return read_word(&t, field);
  case CQ_TYPE_NUMBER:
    return read_number(&t, node, field);
  case CQ_TYPE_BYTES:
    return read_bytes(&t, field);
  case CQ_TYPE_NAME:
    return read_name(&t, field);
  case CQ_TYPE_TEXT:
    *(const char **)field = node->text;
    return node->type == CQ_NODE_TEXT ? CQ_OK : wrong(&t, "text in quotes");
  case CQ_TYPE_POINT:
    return read_point(&t, field);
  case CQ_TYPE_TENSOR:
    return read_tensor(&t, field);
  case CQ_TYPE_AXES:
    return read_axes(&t, field);
  case CQ_TYPE_TEXTS:
    return read_texts(&t, field);
  case CQ_TYPE_TABLE:
    return read_table(&t, field);
  case CQ_TYPE_VALUES:
    *(const cq_node **)field = node;
    return node->type != CQ_NODE_GROUP ? CQ_OK : wrong(&t, "a value or a list of values");
  default:
    return read_numbers(&t, field);
  }
}
