/* How large particles are drawn: as large as they are, or by how close they stand to each other at
 * first. */
#include "paint.h"

#include "alloc.h"
#include "status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 256, NEAREST = 26 };

/* The neighbours of a particle in its body. */
typedef struct surroundings {
  int count;
  double squared[NEAREST]; /* [count] distances, ascending */
  double steps[NEAREST][3];
} surroundings;

/* Keeps a neighbour, if it is among the nearest `most`. */
static void insert(surroundings *s, int most, const double step[3]) {
  const double squared = step[0] * step[0] + step[1] * step[1] + step[2] * step[2];
  if (s->count == most && squared >= s->squared[most - 1]) {
    return;
  }
  int at = s->count < most ? s->count++ : most - 1;
  for (; at > 0 && s->squared[at - 1] > squared; at--) {
    s->squared[at] = s->squared[at - 1];
    memcpy(s->steps[at], s->steps[at - 1], sizeof s->steps[at]);
  }
  s->squared[at] = squared;
  memcpy(s->steps[at], step, sizeof s->steps[at]);
}

/* The volume (area) of a ball up to the k-th neighbour has k particles in it, on average; so have
 * all of them together, where a lattice's shells even out. These numbers of neighbours end a shell
 * of a square and a cubic lattice, and give the room of their cells to 3 %. */
static double room_of(const surroundings *s, int dimension) {
  const double pi = acos(-1.0);
  double volumes = 0.0, counts = 0.0;
  for (int k = 0; k < s->count; k++) {
    volumes += dimension == 3 ? 4.0 / 3.0 * pi * pow(s->squared[k], 1.5) : pi * s->squared[k];
    counts += k + 1;
  }
  return counts > 0.0 ? volumes / counts : 0.0;
}

static double cosine(const surroundings *s, int i, int j) {
  double dot = 0.0;
  for (int a = 0; a < 3; a++) {
    dot += s->steps[i][a] * s->steps[j][a];
  }
  return dot / sqrt(fmax(s->squared[i] * s->squared[j], 1e-300));
}

/* Half the diagonal of a lattice's cell: between the nearest neighbour and the nearest one across
 * that direction, of three in space the two that are farther. */
static double cover_of(const surroundings *s, int dimension) {
  int across[3] = {0, 0, 0}, found = 1;
  for (int k = 1; k < s->count && found < dimension; k++) {
    bool is_across = true;
    for (int i = 0; i < found; i++) {
      is_across = is_across && fabs(cosine(s, across[i], k)) < 0.5;
    }
    if (is_across) {
      across[found++] = k;
    }
  }
  return found < 2 ? 0.0
                   : 0.5 * sqrt(s->squared[across[found - 1]] + s->squared[across[found - 2]]);
}

static int ascending(const void *a, const void *b) {
  const double p = *(const double *)a, q = *(const double *)b;
  return (p > q) - (p < q);
}

/* Of the particles members [n] of a body. */
static double radius_of(int dimension, const float *x, int n, const int *members) {
  const double pi = acos(-1.0), swell = 1.25;
  const int most = dimension == 3 ? 26 : 20, every = 1 + (n - 1) / SAMPLES;
  double rooms[SAMPLES], covers[SAMPLES];
  int count = 0;
  for (int i = 0; i < n; i += every) {
    surroundings s = {.count = 0};
    for (int j = 0; j < n; j++) {
      double step[3] = {0.0, 0.0, 0.0};
      for (int a = 0; a < dimension; a++) {
        step[a] = (double)x[members[j] * dimension + a] - (double)x[members[i] * dimension + a];
      }
      if (j != i) {
        insert(&s, most, step);
      }
    }
    rooms[count] = room_of(&s, dimension);
    covers[count++] = cover_of(&s, dimension);
  }
  qsort(rooms, (size_t)count, sizeof *rooms, ascending);
  qsort(covers, (size_t)count, sizeof *covers, ascending);
  const double room = rooms[count / 4]; /* at its rim a body has fewer neighbours than inside */
  const double radius = dimension == 3 ? cbrt(0.75 * room / pi) : sqrt(room / pi);
  return fmax(fmax(swell * radius, covers[count / 2]), 1e-6);
}

/* The mean of what the members of a body keep as their radius; 0: they do not, or stand for others
 * that were left out. */
static double kept_radius(const cq_motion *motion, int take, int n, const int *members) {
  const cq_motion_def *const def = &motion->def;
  for (int i = 0; i < def->n_fixed && def->n_kept == def->n_total; i++) {
    if (strcmp(def->fixed[i].name, "radius") == 0) {
      const float *const radii = motion->takes[take].fixed + (size_t)i * (size_t)def->n_kept;
      double sum = 0.0;
      for (int k = 0; k < n; k++) {
        sum += (double)radii[members[k]];
      }
      return sum / n;
    }
  }
  return 0.0;
}

/* Body by body: neighbours across a contact would say nothing about a body's own spacing. */
cq_status cq_paint_radii(const cq_motion *motion, int take, double *radii) {
  const cq_motion_def *const def = &motion->def;
  int *members = NULL;
  CQ_TRY(CQ_ALLOC(motion->ctx, members, def->n_kept));
  for (int b = 0; b < def->n_bodies; b++) {
    int n = 0;
    for (int k = 0; k < def->n_kept; k++) {
      if (def->body[k] == b) {
        members[n++] = k;
      }
    }
    radii[b] = n > 0 ? kept_radius(motion, take, n, members) : 0.0;
    if (n > 0 && radii[b] == 0.0) {
      radii[b] = radius_of(def->dimension, motion->takes[take].x, n, members);
    }
  }
  cq_free(motion->ctx, members);
  return CQ_OK;
}
