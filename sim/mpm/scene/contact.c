/* Contacts of the file: which bodies meet with friction, so that they have masses and momenta of
 * their own on the grid (mpm_between.h). */
#include "mpm_scene.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* The body `name` of a contact, one of material. */
static cq_status find_body(cq_scene *scene, const cq_contact_keys *keys, const char *name,
                           int *index) {
  const cq_body *body = NULL;
  CQ_TRY(cq_scene_find_body(scene, keys->node, "between", name, &body));
  CQ_KEY_CHECK(scene->ctx, !body->rigid, keys, between,
               "\"%s\" is rigid: its friction is the key friction of the body itself", name);
  *index = (int)(body - scene->bodies);
  return CQ_OK;
}

/* Its two bodies, which no contact before has, too; pairs [index][2]. */
static cq_status read_between(cq_scene *scene, int index, int (*pairs)[2]) {
  const cq_contact_keys *all = scene->config.contacts.items, *keys = &all[index];
  const cq_texts *names = &keys->between;
  int *pair = pairs[index];
  CQ_KEY_CHECK(scene->ctx, names->count == 2, keys, between, "names two bodies, not %d",
               names->count);
  for (int i = 0; i < 2; i++) {
    CQ_TRY(find_body(scene, keys, names->values[i], &pair[i]));
  }
  CQ_KEY_CHECK(scene->ctx, pair[0] != pair[1], keys, between,
               "\"%s\" does not meet itself; name two bodies", names->values[0]);
  for (int i = 0; i < index; i++) {
    const bool same = (pairs[i][0] == pair[0] && pairs[i][1] == pair[1]) ||
                      (pairs[i][0] == pair[1] && pairs[i][1] == pair[0]);
    CQ_KEY_CHECK(scene->ctx, !same, keys, between,
                 "\"%s\" and \"%s\" have a contact already, %s; leave one of the two out",
                 names->values[0], names->values[1], cq_node_path(all[i].node).text);
  }
  return CQ_OK;
}

/* Numbers the fields: the bodies that contacts name in the order of the file, after what all other
 * bodies are together. */
static cq_status number_fields(cq_scene *scene, int (*pairs)[2]) {
  cq_mpm_model *own = &cq_mpm_scene_of(scene)->model;
  int *field = NULL, *of_body = NULL;
  const int bodies = scene->config.bodies.count;
  CQ_TRY(CQ_ARENA(&scene->arena, of_body, bodies));
  CQ_TRY(CQ_ARENA(&scene->arena, field, scene->model.n_particles));
  bool others = false;
  for (int b = 0; b < bodies; b++) {
    bool named = false;
    for (int i = 0; i < own->n_contacts; i++) {
      named = named || pairs[i][0] == b || pairs[i][1] == b;
    }
    of_body[b] = named ? 1 : 0;
    others = others || (!named && !scene->bodies[b].rigid);
  }
  own->n_fields = others;
  for (int b = 0; b < bodies; b++) {
    of_body[b] = of_body[b] > 0 ? own->n_fields++ : 0;
    for (int p = 0; p < scene->bodies[b].count; p++) {
      field[scene->bodies[b].first + p] = of_body[b];
    }
  }
  own->field = field;
  cq_mpm_contact *contacts = cq_mpm_scene_of(scene)->contacts;
  for (int i = 0; i < own->n_contacts; i++) {
    contacts[i].field[0] = of_body[pairs[i][0]];
    contacts[i].field[1] = of_body[pairs[i][1]];
  }
  return CQ_OK;
}

/* Which fields are one body of a solid. */
static cq_status find_single(cq_scene *scene) {
  cq_mpm_model *own = &cq_mpm_scene_of(scene)->model;
  unsigned char *single = NULL, *taken = NULL;
  const int fields = own->n_fields > 1 ? own->n_fields : 1;
  CQ_TRY(CQ_ARENA(&scene->arena, single, fields));
  CQ_TRY(CQ_ARENA(&scene->arena, taken, fields));
  for (int b = 0; b < scene->config.bodies.count; b++) {
    const cq_body *body = &scene->bodies[b];
    if (!body->rigid && body->count > 0) {
      const int f = own->field != NULL ? own->field[body->first] : 0;
      single[f] = !taken[f] && !body->flows;
      taken[f] = 1;
    }
  }
  own->single = single;
  return CQ_OK;
}

/* Its friction is that of a wall more, which is nowhere. */
static cq_status name_wall(cq_scene *scene, const cq_contact_keys *keys, cq_mpm_contact *contact) {
  const bool holds = isinf(keys->friction);
  const char *name = NULL;
  CQ_TRY(cq_arena_text(&scene->arena, &name, "%s", cq_node_path(keys->node).text));
  contact->kind = holds ? CQ_BOUNDARY_separate_stick : CQ_BOUNDARY_separate;
  contact->wall = scene->model.n_boundaries++;
  scene->walls[contact->wall] = (cq_wall){.node = keys->node,
                                          .name = name,
                                          .friction = holds ? 0.0 : keys->friction,
                                          .has_friction = !holds};
  return CQ_OK;
}

/* Contacts of the file as walls of the model, behind all others; and the fields of their bodies. */
cq_status cq_mpm_read_contacts(cq_scene *scene) {
  cq_mpm_scene *own = cq_mpm_scene_of(scene);
  const cq_contact_keys *keys = scene->config.contacts.items;
  const int n = scene->config.contacts.count, walls = scene->model.n_boundaries;
  int(*pairs)[2] = NULL;
  cq_wall *all = NULL;
  if (n == 0) {
    return find_single(scene);
  }
  CQ_TRY(CQ_ARENA(&scene->arena, pairs, n));
  CQ_TRY(CQ_ARENA(&scene->arena, own->contacts, n));
  CQ_TRY(CQ_ARENA(&scene->arena, all, walls + n));
  memcpy(all, scene->walls, (size_t)walls * sizeof *all);
  scene->walls = all;
  own->model.n_contacts = n;
  own->model.contacts = own->contacts;
  for (int i = 0; i < n; i++) {
    CQ_TRY(read_between(scene, i, pairs));
    CQ_TRY(name_wall(scene, &keys[i], &own->contacts[i]));
  }
  CQ_TRY(number_fields(scene, pairs));
  return find_single(scene);
}
