/* How a driven body is moved: what stands in a model, for 2D and 3D alike. A track gives its pose
 * as a function of time (track.h), controls its twist (drive.h) or the rate of a joint by which it
 * hangs at another body (linkage.h). */
#ifndef CQ_RIGID_DRIVEN_H
#define CQ_RIGID_DRIVEN_H

#include "wide.h"

typedef struct track_sway {
  wide amplitude[3]; /* A [m] */
  wide angle;        /* B [rad] */
  double frequency;  /* [Hz] */
  double phase;      /* [rad] */
} track_sway;

/* What a design may change stands in arrays of `wide`; nothing is owned. */
typedef struct track {
  int n_knots;         /* at least one */
  const double *times; /* [n_knots], increasing [s] */
  const wide *knots;   /* [n_knots][numbers of a pose] */
  wide velocity[3];    /* [m/s] */
  wide rate;           /* [rad/s] */
  double axis[3];      /* 3D: of length 1, in the body's frame */
  int n_sways;
  const track_sway *sways;
} track;

/* where its gradient is added to */
typedef struct track_gradient {
  wide *knots; /* [n_knots][numbers of a pose] */
  wide velocity[3];
  wide rate;
  track_sway *sways; /* [n_sways], their amplitudes and angles */
} track_gradient;

/* Control k is component `component[k]` of the twist: first those of the velocity, then of the
 * spin. */
typedef struct drive {
  int own;        /* along the axes of the body (a vehicle), not of the world */
  int n_controls; /* at most 6; in 2D 3 */
  int component[6];
} drive;

typedef enum joint_kind { JOINT_HINGE, JOINT_SLIDER } joint_kind;

/* Vectors in the frame of the body before, whose origin is its centre of mass; `arm` is in the
 * link's. At s = 0 both frames have the same axes. */
typedef struct joint {
  joint_kind kind;
  double anchor[3]; /* [m] */
  double axis[3];   /* of length 1; 2D: hinges have none */
  double arm[3];    /* from the anchor to the link's centre of mass [m] */
} joint;

#endif
