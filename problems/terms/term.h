/* What a term of the objective or of a constraint sees. A term <name> is a leaf header <name>.h
 * that C, C++ and CUDA compile, with
 *
 *   CQ_TERM_ABOUT_<name>     what it measures, in at most 56 letters, for cqopt help
 *   CQ_TERM_KEYS_<name>(K)   its keys in a problem file, rows as in schema_table.h
 *   cq_term_<name>           a struct of those keys
 *   cq_<name>_value(keys, in)                    the value at one state
 *   cq_<name>_adjoint(keys, in, seed, dz, du)    adds seed * dvalue/dz to dz and dvalue/du to du,
 *                                                which are laid out as z and u
 *
 * or, where it is a sum of squares, what is squared (residual.h).
 * Only + - * /, comparisons, cq_wide_sqrt, cq_wide_log and cq_wide_pow touch a `wide`: a test makes
 * it a dual number. */
#ifndef CQ_PROBLEMS_TERM_H
#define CQ_PROBLEMS_TERM_H

#include "observed.h"
#include "wide.h"

/* the storage of a key, by type */
typedef struct cq_numbers {
  int count; /* 0: not given */
  const double *values;
} cq_numbers;

typedef struct cq_texts {
  int count; /* 0: not given */
  const char *const *values;
} cq_texts;
/* rows of numbers, all of one length */
typedef struct cq_table {
  int rows, columns; /* 0: not given */
  const double *values;
} cq_table;

#define CQ_STORE_FLAG(key)    int key;
#define CQ_STORE_INT(key)     int key;         /* INT_MIN: not given */
#define CQ_STORE_SEED(key)    long long key;   /* -1: not given */
#define CQ_STORE_WORD(key)    int key;         /* index among the words; -1: not given */
#define CQ_STORE_NUMBER(key)  double key;      /* NAN: not given; INFINITY: "infinite" */
#define CQ_STORE_BYTES(key)   double key;      /* INFINITY: "auto" */
#define CQ_STORE_TEXT(key)    const char *key; /* NULL: not given */
#define CQ_STORE_NAME(key)    const char *key; /* the same, of letters, digits, _ - . */
#define CQ_STORE_POINT(key)   double key[3];   /* [0] NAN: not given */
#define CQ_STORE_TENSOR(key)  double key[9];   /* dim x dim, row-major */
#define CQ_STORE_AXES(key)    int key[3];      /* one an axis; [0] INT_MIN: not given */
#define CQ_STORE_NUMBERS(key) cq_numbers key;
#define CQ_STORE_TEXTS(key)   cq_texts key;
#define CQ_STORE_TABLE(key)   cq_table key;

#define CQ_TERM_FIELD(term, key, type, unit, range, fallback, only, words, help)                   \
  CQ_STORE_##type(key)

/* A sample: a material point that was seen, the weighted sum of the mean positions of some of the
 * term's sets; or, without sets, a number of a body that was measured. */
typedef struct cq_marker {
  int n;               /* sets it hangs on */
  const int *set;      /* [n] */
  const double *share; /* [n] their sum is 1 */
  const double *slope; /* [n][dim] of the shares by the place of the point in the body at rest; */
  int offset;          /* how far that is from where it hangs, in in->p; -1: not at all */
  const double *target;
  double id;     /* in its tracks */
  double weight; /* those of all markers and times sum to 1, but where deviations are given */
} cq_marker;

/* What is between the scene and what was measured of its points (sight.h). */
typedef struct cq_sight {
  const double *camera; /* [3][4]; NULL: coordinates are measured */
  int turn, shift;      /* of the scene in the frame of the samples: where in in->p; -1: none */
  double about[3];      /* what it is turned about */
} cq_sight;

/* What is seen at one time. A time between two states gives the observations between them,
 * linearly. z holds the observations of the term's sets, one after the other (observed.h has
 * their layout): one set for BODY, the two of PAIR, one a particle of PARTICLES and of CYCLE, for
 * which the same sets follow as they were a period before, those that markers hang on, none for
 * SCENE. u holds the controls of the step that led here, then those of the step
 * before it; at the first step both are the same. */
typedef struct cq_term_in {
  int dim;
  double dt; /* [s] */
  int n_sets, z_size;
  const wide *z;        /* [sets][z_size]; of CYCLE [2][sets][z_size] */
  const double *radius; /* [n_sets] of PARTICLES: half their width [m] */
  int n_controls;
  const wide *u;       /* [2][n_controls] */
  const double *u_max; /* [n_controls] */
  int n_markers;
  const cq_marker *markers; /* seen at this time */
  const cq_sight *sight;    /* of its markers */
  const wide *p;            /* its calibration numbers, which stand in z behind the sets */
  double loss_size;         /* of the key loss (residual.h); NAN: it needs none */
} cq_term_in;

#endif
