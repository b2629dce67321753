/* cqopt/cqopt.h: everything. */
#ifndef CQOPT_CQOPT_H
#define CQOPT_CQOPT_H

#include "cqopt/base.h"
#include "cqopt/optimizer.h"
#include "cqopt/problem.h"

#endif
