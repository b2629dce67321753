/* A recorded motion: trajectory.h5, and trajectory.xdmf, through which ParaView reads it.
 *
 * Layout of the HDF5 file. N particles in their order in the problem file, T frames:
 *
 *   /time     [T]       double, s
 *   /step     [T]       int32, the state that the frame is
 *   /bodies   [bodies]  names, UTF-8, null-terminated, of one length
 *   /body     [N]       int32, index into /bodies
 *   /particle [N]       int32, 0 ... N-1: the points of the cloud, for readers that want them named
 *   /frames/0000/<field>, /frames/0001/<field>, ...
 *                       [N], [N][3], [N][3][3] (row, column) or [N][k]: scalar, vector, matrix,
 * array
 *   /<field>            the same, of a field that does not change from frame to frame
 *   /surface/           only where bodies have one (cover.h): faces [F][3], in 2D [F][2], carriers
 *                       [V][16], weights [V][16], body [V], and the places of its vertices at the
 *                       frames, 0000 [V][3], 0001, ..., float32
 *   /movers/            only where something moves that has no particles: names [M], faces [F][3],
 *                       in 2D [F][2], mover [V], and of each frame 0000/x [V][3], 0000/map [M][12]:
 *                       where a point of the mover is, as the file draws it (map.h)
 *
 *   /cameras/           only where the file has cameras: of each a group <name> with its depth
 * images at the frames, 0000 [high][wide], 0001, ..., float32, m
 *
 * Fields are float32, or float64 where that was asked for, each with the attribute `unit`; `x` is
 * always there. Vectors and matrices have three axes in 2D too: z is 0, and in F zz is 1, which is
 * plane strain. What is larger than some pages is chunked along N and goes through shuffle and
 * deflate. Attributes of the root: `cqopt_trajectory` (version of the layout, 1), `problem`,
 * `title`, `dimension` (2 or 3). A frame is a group of its own, not a row of one large array,
 * because ParaView's Xdmf3 reader takes no part of an array.
 *
 * The files are written under other names and renamed when they are whole. */
#ifndef CQ_RECORD_TRAJECTORY_H
#define CQ_RECORD_TRAJECTORY_H

#include "cover.h"
#include "map.h"

#include "cqopt/base.h"

enum { CQ_TRAJECTORY_VERSION = 1 };

typedef struct cq_trajectory_field {
  const char *name, *unit;
  int components; /* 1: scalar, 3: vector, 9: matrix, else an array */
  bool fixed;     /* the same in every frame */
} cq_trajectory_field;

/* Surfaces of what moves and has no particles. */
typedef struct cq_moving {
  int n;
  const char *const *names; /* [n] */
  int n_vertices, n_faces;
  const int *faces; /* [n_faces][dimension] */
  const int *mover; /* [n_vertices] which one a vertex is of */
} cq_moving;

/* Depth images of a camera. */
typedef struct cq_recorded_camera {
  const char *name;
  int wide, high; /* pixels */
} cq_recorded_camera;

/* Strings and arrays are borrowed until the writer is closed. */
typedef struct cq_trajectory_def {
  const char *problem, *title;
  int dimension;
  int n_particles;
  int n_bodies;
  const char *const *bodies; /* [n_bodies] */
  const int *body;           /* [n_particles] */
  int n_fields;
  const cq_trajectory_field *fields; /* [n_fields]; one of them is x, a vector */
  bool double_precision;
  const cq_cover *cover;   /* the surface, of the particles in the file; NULL: none */
  const cq_moving *moving; /* NULL: none; of a file that is read the names alone */
  int n_cameras;
  const cq_recorded_camera *cameras; /* [n_cameras]; of a file that is read: none */
} cq_trajectory_def;

/* Bytes of the fields and the surface of n_frames frames before they are compressed. */
double cq_trajectory_bytes(const cq_trajectory_def *def, int n_frames);

/* --- writing --- */

typedef struct cq_trajectory_writer cq_trajectory_writer;

/* Begins <dir>/trajectory.h5. CQ_IO with path and reason; *out is NULL then. */
cq_status cq_trajectory_create(cq_ctx *ctx, const char *dir, const cq_trajectory_def *def,
                               cq_trajectory_writer **out);
/* Begins the next frame. */
cq_status cq_trajectory_frame(cq_trajectory_writer *writer, int step, double time);
/* Writes field i of a frame that has begun, or a fixed field (whatever the frame): values
 * [n_particles][components]. */
cq_status cq_trajectory_put(cq_trajectory_writer *writer, int i, int frame, const double *values);
/* Writes where what moves is at a frame: maps [moving->n][CQ_MAP], vertices [n_vertices][3]. */
cq_status cq_trajectory_move(cq_trajectory_writer *writer, int frame, const double *maps,
                             const double *vertices);
/* Writes what a camera sees at a frame: image [high][wide]. */
cq_status cq_trajectory_look(cq_trajectory_writer *writer, int camera, int frame,
                             const double *image);
/* Ends the writer. keep: both files are put in their place; otherwise, and on failure, neither is
 * left, but for an .h5 whose .xdmf could not be written. NULL is allowed. */
cq_status cq_trajectory_close(cq_trajectory_writer *writer, bool keep);

/* --- reading --- */

typedef struct cq_trajectory {
  cq_trajectory_def def; /* owned */
  int n_frames;
  const double *time; /* [n_frames] s */
  const int *step;    /* [n_frames] */
} cq_trajectory;

/* Opens a file. CQ_IO with path and what is missing or wrong; *out is NULL then. */
cq_status cq_trajectory_open(cq_ctx *ctx, const char *path, cq_trajectory **out);
/* Index of a field, or -1. */
int cq_trajectory_find(const cq_trajectory *trajectory, const char *name);
/* Field i at a frame (any, when it is fixed) into values [n_particles][components]. */
cq_status cq_trajectory_read(cq_trajectory *trajectory, int i, int frame, double *values);
/* Where what moves is at a frame: maps [def.moving->n][CQ_MAP]. */
cq_status cq_trajectory_maps(cq_trajectory *trajectory, int frame, double *maps);
void cq_trajectory_free(cq_trajectory *trajectory); /* NULL is allowed */

#endif
