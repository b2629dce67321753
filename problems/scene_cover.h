/* The surface of the bodies that come from meshes, outlines, pictures and polygons, for pictures.
 */
#ifndef CQ_PROBLEMS_SCENE_COVER_H
#define CQ_PROBLEMS_SCENE_COVER_H

#include "cover.h"
#include "scene.h"

/* What a cover has at most: meshes of more faces become coarser ones, and faces wider than
 * particles are apart are divided while there is room. */
enum { CQ_COVER_FACES = 4000 };

/* Whether a body has a surface: a mesh or polygon, or parts that are nothing but these, all added;
 * not what flows. */
bool cq_body_has_cover(const cq_body *body);
/* The cover of those that have one, where they start, by particles kept [n] (ascending) of the
 * scene; carriers are indices into kept. Of zeros where there is none. CQ_MEMORY. */
cq_status cq_scene_cover(const cq_scene *scene, int n, const int *kept, cq_cover *out);
/* Bytes that it may take. */
double cq_scene_cover_bytes(const cq_scene *scene);

#endif
