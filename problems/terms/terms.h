/* Every term of term_list.h. */
#ifndef CQ_TERMS_TERMS_H
#define CQ_TERMS_TERMS_H

#include "terms/actuation_cost.h"
#include "terms/actuation_rate.h"
#include "terms/box_distance.h"
#include "terms/distance.h"
#include "terms/distance_between.h"
#include "terms/elastic_energy.h"
#include "terms/force.h"
#include "terms/force_curve.h"
#include "terms/height.h"
#include "terms/impulse.h"
#include "terms/kinetic_energy.h"
#include "terms/marker_distance.h"
#include "terms/mass.h"
#include "terms/mean_position.h"
#include "terms/mean_square_velocity.h"
#include "terms/peak_stress.h"
#include "terms/periodic.h"
#include "terms/profile.h"
#include "terms/relative_volume.h"
#include "terms/share_in.h"
#include "terms/spin.h"
#include "terms/tool_work.h"
#include "terms/torque.h"
#include "terms/turn.h"
#include "terms/unevenness.h"

#endif
