/* PLY, ASCII and binary: a header that says which elements follow, and their properties. */
#include "status.h"
#include "surface_text.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { UNKNOWN, ASCII, LITTLE, BIG }; /* formats */
enum { MOST_ELEMENTS = 16, MOST_PROPERTIES = 64, NAME = 32 };

typedef enum kind { I8, U8, I16, U16, I32, U32, F32, F64, N_KINDS } kind;
static const size_t kind_size[N_KINDS] = {1, 1, 2, 2, 4, 4, 4, 8};
static const struct {
  const char *name;
  kind is;
} kind_names[] = {{"char", I8},   {"uchar", U8},   {"short", I16},   {"ushort", U16},
                  {"int", I32},   {"uint", U32},   {"float", F32},   {"double", F64},
                  {"int8", I8},   {"uint8", U8},   {"int16", I16},   {"uint16", U16},
                  {"int32", I32}, {"uint32", U32}, {"float32", F32}, {"float64", F64}};

typedef struct property {
  char name[NAME];
  kind count, of; /* count: of a list */
  bool is_list;
} property;

typedef struct element {
  char name[NAME];
  long long count;
  int n;
  property properties[MOST_PROPERTIES];
} element;

typedef struct ply {
  cq_surface_text *t;
  int format;
  int n;
  element elements[MOST_ELEMENTS];
} ply;

#define PLY_CHECK(p, cond, ...)                                                                    \
  do {                                                                                             \
    if (!(cond)) {                                                                                 \
      return fail((p)->t, __VA_ARGS__);                                                            \
    }                                                                                              \
  } while (0)

static cq_status fail(cq_surface_text *t, const char *what, const char *word) {
  return CQ_FAIL(t->ctx, CQ_CONFIG, "%s:%d: %s \"%.30s\"", t->name, t->line, what, word);
}

static bool find_kind(const char *word, kind *is) {
  for (size_t i = 0; i < sizeof kind_names / sizeof *kind_names; i++) {
    if (strcmp(word, kind_names[i].name) == 0) {
      *is = kind_names[i].is;
      return true;
    }
  }
  return false;
}

static cq_status read_format(ply *p) {
  char word[CQ_SURFACE_WORD];
  static const char *const names[] = {"", "ascii", "binary_little_endian", "binary_big_endian"};
  cq_surface_word(p->t, word);
  for (int i = ASCII; i <= BIG; i++) {
    p->format = strcmp(word, names[i]) == 0 ? i : p->format;
  }
  PLY_CHECK(p, p->format != UNKNOWN, "unknown format", word);
  return CQ_OK;
}

static cq_status read_element(ply *p) {
  char word[CQ_SURFACE_WORD], *end = NULL;
  element *e = &p->elements[p->n];
  PLY_CHECK(p, cq_surface_word(p->t, word) && strlen(word) < NAME, "an element needs a name", word);
  PLY_CHECK(p, p->n < MOST_ELEMENTS, "there are too many elements before", word);
  memcpy(e->name, word, strlen(word) + 1);
  cq_surface_word(p->t, word);
  e->count = strtoll(word, &end, 10);
  PLY_CHECK(p, end != word && *end == '\0' && e->count >= 0, "the number of elements is", word);
  p->n++;
  return CQ_OK;
}

/* "property float x", "property list uchar int vertex_indices" */
static cq_status read_property(ply *p) {
  char word[CQ_SURFACE_WORD];
  element *e = &p->elements[p->n - 1];
  property *q = &e->properties[e->n];
  cq_surface_word(p->t, word);
  PLY_CHECK(p, e->n < MOST_PROPERTIES, "the element has too many properties before", word);
  q->is_list = strcmp(word, "list") == 0;
  if (q->is_list) {
    cq_surface_word(p->t, word);
    PLY_CHECK(p, find_kind(word, &q->count) && q->count < F32, "unknown type of a length", word);
    cq_surface_word(p->t, word);
  }
  PLY_CHECK(p, find_kind(word, &q->of), "unknown type", word);
  PLY_CHECK(p, cq_surface_word(p->t, word), "a property needs a name", word);
  memcpy(q->name, word, strlen(word) < NAME ? strlen(word) + 1 : NAME - 1);
  e->n++;
  return CQ_OK;
}

/* Up to the line end_header. */
static cq_status read_header(ply *p) {
  char word[CQ_SURFACE_WORD];
  bool open = cq_surface_line(p->t) && cq_surface_word(p->t, word);
  PLY_CHECK(p, open && strcmp(word, "ply") == 0, "not a PLY file: it does not begin with", "ply");
  while ((open = cq_surface_line(p->t))) {
    if (!cq_surface_word(p->t, word) || strcmp(word, "comment") == 0 ||
        strcmp(word, "obj_info") == 0) {
      continue;
    }
    if (strcmp(word, "end_header") == 0) {
      break;
    }
    if (strcmp(word, "format") == 0) {
      CQ_TRY(read_format(p));
    } else if (strcmp(word, "element") == 0) {
      CQ_TRY(read_element(p));
    } else {
      PLY_CHECK(p, strcmp(word, "property") == 0, "no word of a header:", word);
      PLY_CHECK(p, p->n > 0, "before the first element:", word);
      CQ_TRY(read_property(p));
    }
  }
  PLY_CHECK(p, open, "is cut off: the header has no line", "end_header");
  PLY_CHECK(p, p->format != UNKNOWN, "the header has no line", "format");
  return CQ_OK;
}

/* What claims to follow must fit into the rest of the file: a number takes a byte, in ASCII its
 * blank, too. */
static cq_status check_counts(const ply *p) {
  double least = 0.0;
  for (int i = 0; i < p->n; i++) {
    const element *e = &p->elements[i];
    double size = 0.0;
    for (int k = 0; k < e->n; k++) {
      const property *q = &e->properties[k];
      size += p->format == ASCII ? 2.0 : (double)kind_size[q->is_list ? q->count : q->of];
    }
    PLY_CHECK(p, e->n > 0 || e->count == 0, "no properties has the element", e->name);
    least += size * (double)e->count;
  }
  CQ_CHECK(p->t->ctx, least <= (double)(p->t->end - p->t->at) + 2.0, CQ_CONFIG,
           "%s: is cut off: what its header says follows has %.0f bytes or more, and there are %td",
           p->t->name, least, p->t->end - p->t->at);
  return CQ_OK;
}

static cq_status cut_off(const ply *p) {
  return CQ_FAIL(p->t->ctx, CQ_CONFIG, "%s: is cut off: it ends before the last element",
                 p->t->name);
}

/* The next number of binary data. */
static cq_status read_binary(ply *p, kind is, double *value) {
  unsigned char b[8];
  uint64_t bits = 0;
  const size_t n = kind_size[is];
  if ((size_t)(p->t->end - p->t->at) < n) {
    return cut_off(p);
  }
  memcpy(b, p->t->at, n);
  p->t->at += n;
  for (size_t i = 0; i < n; i++) {
    bits |= (uint64_t)b[p->format == LITTLE ? i : n - 1 - i] << (8 * i);
  }
  const uint32_t low = (uint32_t)bits;
  float single;
  switch (is) {
  case F32:
    memcpy(&single, &low, sizeof single);
    *value = single;
    break;
  case F64:
    memcpy(value, &bits, sizeof *value);
    break;
  case I8:
    *value = (int8_t)bits;
    break;
  case I16:
    *value = (int16_t)bits;
    break;
  case I32:
    *value = (int32_t)bits;
    break;
  default:
    *value = (double)bits;
  }
  return CQ_OK;
}

/* ASCII: elements are words, wherever lines end. */
static cq_status read_number(ply *p, kind is, double *value) {
  char word[CQ_SURFACE_WORD], *end = NULL;
  if (p->format != ASCII) {
    return read_binary(p, is, value);
  }
  while (p->t->rest == NULL || !cq_surface_word(p->t, word)) {
    if (!cq_surface_line(p->t)) {
      return cut_off(p);
    }
  }
  *value = strtod(word, &end);
  PLY_CHECK(p, *end == '\0', "not a number:", word);
  return CQ_OK;
}

/* A list is the corners of a face, or passed over. */
static cq_status read_list(ply *p, const property *q, bool is_face) {
  double n = 0.0, value = 0.0;
  int corner[3];
  CQ_TRY(read_number(p, q->count, &n));
  CQ_CHECK(p->t->ctx, n >= (is_face ? 3.0 : 0.0) && n == floor(n), CQ_CONFIG,
           "%s: a face of %g vertices", p->t->name, n);
  for (double i = 0.0; i < n; i += 1.0) {
    CQ_TRY(read_number(p, q->of, &value));
    if (!is_face) {
      continue;
    }
    CQ_CHECK(p->t->ctx, value >= 0.0 && value < 2147483647.0, CQ_CONFIG,
             "%s: a face has a vertex %g", p->t->name, value);
    corner[i < 2.0 ? (int)i : 2] = (int)value;
    if (i >= 2.0) {
      CQ_TRY(cq_surface_face(p->t, corner));
      corner[1] = corner[2];
    }
  }
  return CQ_OK;
}

static int axis_of(const property *q) {
  return !q->is_list && q->name[1] == '\0' && q->name[0] >= 'x' && q->name[0] <= 'z'
             ? q->name[0] - 'x'
             : -1;
}

/* Vertices and faces are taken, everything else is passed over. */
static cq_status read_elements(ply *p, const element *e) {
  const bool is_vertex = strcmp(e->name, "vertex") == 0, is_face = strcmp(e->name, "face") == 0;
  int axes = 0, lists = 0;
  for (int k = 0; k < e->n; k++) {
    axes |= axis_of(&e->properties[k]) >= 0 ? 1 << axis_of(&e->properties[k]) : 0;
    lists += strncmp(e->properties[k].name, "vertex_ind", 10) == 0;
  }
  CQ_CHECK(p->t->ctx, !is_vertex || axes == 7, CQ_CONFIG, "%s: vertices have no x, y and z",
           p->t->name);
  CQ_CHECK(p->t->ctx, !is_face || lists == 1, CQ_CONFIG, "%s: faces have no list vertex_indices",
           p->t->name);
  for (long long i = 0; i < e->count; i++) {
    double x[3] = {0.0, 0.0, 0.0}, value = 0.0;
    for (int k = 0; k < e->n; k++) {
      const property *q = &e->properties[k];
      if (q->is_list) {
        CQ_TRY(read_list(p, q, is_face && strncmp(q->name, "vertex_ind", 10) == 0));
        continue;
      }
      CQ_TRY(read_number(p, q->of, &value));
      if (axis_of(q) >= 0) {
        x[axis_of(q)] = value;
      }
    }
    if (is_vertex) {
      CQ_TRY(cq_surface_vertex(p->t, x));
    }
  }
  return CQ_OK;
}

cq_status cq_surface_read_ply(cq_surface_text *t) {
  ply p = {.t = t};
  CQ_TRY(read_header(&p));
  CQ_TRY(check_counts(&p));
  t->rest = NULL;
  for (int i = 0; i < p.n; i++) {
    CQ_TRY(read_elements(&p, &p.elements[i]));
  }
  return CQ_OK;
}
