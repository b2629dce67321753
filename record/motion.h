/* Motions for pictures: motion.bin, small enough to travel inside a page.
 *
 * Some takes of one scene (the motions of its first, best and last design), each of the same few
 * thousand particles at some fifty times, in few bits: 16 a coordinate, 8 a field. trajectory.h5
 * has everything; this is what a screen shows. Layout, in the byte order of the machine, every
 * section padded with zeros to a multiple of 8 bytes:
 *
 *   head      char[8] "cqmotion"; uint32: version (1; 2 with a surface, 3 with what
 *             moves), byte order mark 0x01020304, then the counts
 *             dimension D, particles of the scene, particles kept N, bodies B, fields K, fixed
 *             fields S, points P, controls U, takes M, labels L
 *   box       float64 low[3], size[3]: what a coordinate of 0 and of 65535 means [m]
 *   texts     char[48] each, null-terminated: names [B], then (name, unit) [K], [S], names [P],
 *             (name, unit) [U], then labels [L]
 *   labels    uint32 [L]: the take that each label names; equal motions are stored once
 *   particle  uint32 [N]: which particles they are, ascending
 *   body      uint32 [N]
 *   range     float32 [K][2]: what a field's 0 and 255 mean, over all takes
 *   and for each take
 *   counts    uint32: frames T, samples of controls C; char[48]: how it ended, "" at its end
 *   time      float64 [T], [s]
 *   fixed     float32 [S][N], the same in every frame
 *   points    float32 [T][P][D]: centres and markers that terms look at [m]
 *   sampled   float64 [C], [s]: when the controls are sampled
 *   controls  float32 [C][U]
 *   x         uint16 [T][N][D]
 *   fields    uint8 [K][T][N]
 * and from version 2 on, at the end, the surface (cover.h), carried by particles that are kept
 *   counts    uint32: vertices V, faces S, carriers of a vertex (16), 0
 *   faces     uint32 [S][D]
 *   carriers  uint32 [V][16]
 *   weights   float32 [V][16]
 * and in version 3, where the surface may have no vertices, what moves and has no particles:
 * obstacles, half-spaces and tools, which a page has drawn where the file has them
 *   counts    uint32: movers M, 0
 *   names     char[48] [M]: of the drawings that move so
 *   and for each take
 *   maps      float64 [T][M][3][4]: where a point of the drawing is (map.h) */
#ifndef CQ_RECORD_MOTION_H
#define CQ_RECORD_MOTION_H

#include "cover.h"
#include "map.h"

#include "cqopt/base.h"

#include <stdio.h>

enum { CQ_MOTION_VERSION = 3, CQ_MOTION_TEXT = 48, CQ_MOTION_TAKES = 4 };

typedef char cq_motion_text[CQ_MOTION_TEXT];

typedef struct cq_motion_field {
  cq_motion_text name, unit;
} cq_motion_field;

/* What all takes share. */
typedef struct cq_motion_def {
  int dimension;
  int n_total; /* particles of the scene */
  int n_kept, n_bodies, n_fields, n_fixed, n_points, n_controls, n_movers;
  double low[3], size[3]; /* [m] all particles are in this box */
  int *particle, *body;   /* [n_kept] */
  cq_motion_text *bodies; /* [n_bodies] */
  cq_motion_field *fields, *fixed, *controls;
  cq_motion_text *points;
  cq_motion_text *movers; /* [n_movers] */
} cq_motion_def;

/* A motion, in full numbers; arrays owned by the cq_motion. */
typedef struct cq_motion_take {
  int n_frames, n_samples; /* written, of those there is room for */
  double *time;            /* [n_frames] s */
  float *fixed;            /* [n_fixed][n_kept] */
  float *points;           /* [n_frames][n_points][dimension] */
  double *sampled;         /* [n_samples] s */
  float *controls;         /* [n_samples][n_controls] */
  float *x;                /* [n_frames][n_kept][dimension] */
  float *fields;           /* [n_frames][n_fields][n_kept] */
  double *maps;            /* [n_frames][n_movers][CQ_MAP] */
  cq_motion_text note;     /* how it ended before its end, or "" */
} cq_motion_take;

typedef struct cq_motion {
  cq_ctx *ctx;
  cq_motion_def def; /* arrays owned */
  int n_takes, n_labels;
  cq_motion_take takes[CQ_MOTION_TAKES];
  cq_motion_text labels[CQ_MOTION_TAKES];
  int labelled[CQ_MOTION_TAKES]; /* the take of each label */
  cq_cover cover;                /* of zeros: there is none */
} cq_motion;

/* An empty motion with room for the arrays of def, of which the counts alone are read: the caller
 * fills (*out)->def. */
cq_status cq_motion_create(cq_ctx *ctx, const cq_motion_def *def, cq_motion **out);
void cq_motion_free(cq_motion *motion); /* NULL is allowed */
/* Another take with room for so many frames and samples; valid as long as the motion. On failure
 * there is none. */
cq_status cq_motion_add(cq_motion *motion, int frames, int samples, cq_motion_take **out);
/* Labels a take. */
void cq_motion_label(cq_motion *motion, const char *label, int take);
/* The take of a label, or -1. */
int cq_motion_find(const cq_motion *motion, const char *label);

/* Where what is drawn by this name has come to at a frame: a map (map.h); NULL: no mover. */
const double *cq_motion_map(const cq_motion *motion, int take, int frame, const char *name);
/* Where the vertices of the cover are at a frame of a take: out [vertices][3]. CQ_MEMORY. */
cq_status cq_motion_cover(const cq_motion *motion, int take, int frame, double *out);
/* Whether each body is drawn as a surface: covered [bodies]. */
void cq_motion_covered(const cq_motion *motion, bool *covered);

/* The field "strain": the norm of Green's strain (F^T F - 1)/2 of F [dim][dim]. */
double cq_motion_strain(const double *F, int dim);

/* Bytes of a file of so many takes like this. */
double cq_motion_bytes(const cq_motion_def *def, int takes, int frames, int samples);
/* Most particles a file of at most `bytes` can have; def->n_kept is not read. */
int cq_motion_room(const cq_motion_def *def, int takes, int frames, int samples, double bytes);
/* Which particles to keep: all of them, if there is room; else those that are marked and, of every
 * body, an even share of the others. body [n] ascends. kept [room]: ascending; returns how many.
 */
int cq_motion_choose(int n, const int *body, const unsigned char *marked, int room, int *kept);

/* One take, with as many of its particles as there is room for in a file of so many bytes: those
 * that carry the surface, and evenly of every body. Where they are too many there is no surface. */
cq_status cq_motion_reduce(const cq_motion *from, int take, double bytes, cq_motion **out);

/* Writes the bytes of a file; a stream that fails shows it (ferror). CQ_MEMORY. */
cq_status cq_motion_put(const cq_motion *motion, FILE *out);
/* Writes the file in one step. CQ_IO with path and reason. */
cq_status cq_motion_write(const cq_motion *motion, const char *path);
/* Reads it back, with the numbers that its bits stand for. CQ_IO when it cannot be read, is none or
 * is damaged; *out is NULL then. */
cq_status cq_motion_read(cq_ctx *ctx, const char *path, cq_motion **out);

#endif
