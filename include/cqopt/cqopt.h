/* cqopt/cqopt.h: everything. */
#ifndef CQOPT_CQOPT_H
#define CQOPT_CQOPT_H

#include "cqopt/base.h"
#include "cqopt/device.h"
#include "cqopt/file.h"
#include "cqopt/optimizer.h"
#include "cqopt/problem.h"
#include "cqopt/run.h"
#include "cqopt/solve.h"
#include "cqopt/trace.h"
#include "cqopt/uncertainty.h"
#include "cqopt/version.h"

#endif
