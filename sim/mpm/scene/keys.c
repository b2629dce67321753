/* The keys of a problem file that are MPM's, with their words and ranges. */
#include "mpm_scene.h"

#define CQ_MATERIAL(name, inversion_ok, phase) "|" #name
static const char cq_material_words[] =
#include "material/material_list.h"
    "|rigid";
/* all but rigid ones */
static const char cq_soft[] = "model="
#include "material/material_list.h"
    ;
/* the keys of a solid and those of a liquid */
#define CQ_WORD_IF_SOLID_SOLID(name)   "|" name
#define CQ_WORD_IF_SOLID_LIQUID(name)  ""
#define CQ_WORD_IF_LIQUID_SOLID(name)  ""
#define CQ_WORD_IF_LIQUID_LIQUID(name) "|" name
#undef CQ_MATERIAL
#define CQ_MATERIAL(name, inversion_ok, phase) CQ_WORD_IF_SOLID_##phase(#name)
static const char cq_solids[] = "model="
#include "material/material_list.h"
    ;
#undef CQ_MATERIAL
#define CQ_MATERIAL(name, inversion_ok, phase) CQ_WORD_IF_LIQUID_##phase(#name)
static const char cq_liquids[] = "model="
#include "material/material_list.h"
    ;
#undef CQ_MATERIAL
#define CQ_BOUNDARY(name) "|" #name
static const char cq_wall_words[] = "none"
#include "boundary/boundary_list.h"
    ;
static const char cq_wall_words_only[] =
#include "boundary/boundary_list.h"
    ;
#undef CQ_BOUNDARY
#define CQ_ACTUATION(name, ...) "|" #name
static const char cq_actuation_words[] =
#include "actuation/actuation_list.h"
    "|drive";
#undef CQ_ACTUATION
/* all that have controls */
#define CQ_WORD_IF_SAME(name)                "|" name
#define CQ_WORD_IF_OWN(name)                 "|" name
#define CQ_WORD_IF_PLACED(name)              "|" name
#define CQ_WORD_IF_SEEN(name)                "|" name
#define CQ_WORD_IF_WEIGHED(name)             ""
#define CQ_ACTUATION(name, acts, drive, ...) CQ_WORD_IF_##drive(#name)
static const char cq_controlled[] = "model="
#include "actuation/actuation_list.h"
                                    "|drive";
#undef CQ_ACTUATION

static const cq_range cq_range_POISSON = {-0.999999, 0.499999, "above -1 and below 0.5"};
static const cq_range cq_range_GRID = {4.0, 4096.0, "4 to 4096"};
static const cq_range cq_range_LAYERS = {0.0, 1024.0, "0 to 1024"};

#define OWN_ROWS cq_mpm_rows
#include "own_rows.h"

const cq_also_called cq_mpm_also_called[] = {
    {"E", "youngs_modulus"},
    {"elastic_modulus", "youngs_modulus"},
    {"stiffness", "youngs_modulus"},
    {"nu", "poisson_ratio"},
    {"poissons_ratio", "poisson_ratio"},
    {"K", "bulk_modulus"},
    {"dx", "cell"},
    {"cell_size", "cell"},
    {"resolution", "grid"},
    {"n_grid", "grid"},
    {"stvk", "st_venant_kirchhoff"},
    {"corotated", "fixed_corotated"},
    {"fluid", "liquid"},
    {"water", "liquid"},
    {"stick", "sticky"},
    {"no_slip", "sticky"},
    {"free_slip", "slip"},
    {"frictional", "separate"},
    {"contact", "separate"},
    {"pressure", "pneumatic"},
    {"tendon", "cable"},
    {"type", "model"},
    {NULL, NULL},
};
