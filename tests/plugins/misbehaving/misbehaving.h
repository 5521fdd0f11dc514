/* SPDX-License-Identifier: Apache-2.0
 * The frame of every plugin here: a source of one good skill, "hello", with one fault in it. The
 * file is misbehaving_<fault>.so, its plugin test.misbehaving.<fault>.
 */
#pragma once

#include "one_skill.h"

#ifndef FLAGS /* of the plugin */
#define FLAGS 0
#endif

#ifndef NEEDS_MINOR /* of the entry */
#define NEEDS_MINOR 0
#endif

#define MISBEHAVING(kind, fault, schema, ops, create, destroy, extension)                          \
  static const skh_plugin plugin = {sizeof(skh_plugin),                                            \
                                    FLAGS,                                                         \
                                    kind,                                                          \
                                    "test.misbehaving." fault,                                     \
                                    "1.0.0",                                                       \
                                    "Misbehaves, for tests",                                       \
                                    "Apache-2.0",                                                  \
                                    schema,                                                        \
                                    ops,                                                           \
                                    create,                                                        \
                                    destroy,                                                       \
                                    extension};                                                    \
  static const skh_plugin *const plugins[] = {&plugin, NULL};                                      \
  const skh_entry skh_plugin_entry_v1 = {SKH_MAGIC, sizeof(skh_entry), SKH_ABI_MINOR, NEEDS_MINOR, \
                                         plugins}

/* The fault is in list or read. */
#define MISBEHAVING_SOURCE(fault, list, read)                                                      \
  static const skh_source source = {sizeof(skh_source), 0, list, read, NULL};                      \
  MISBEHAVING("skh.source/1", fault, NULL, &source, &hello_create, &hello_destroy, NULL)

/* The fault is in create or destroy. */
#define MISBEHAVING_LIFE(fault, create, destroy)                                                   \
  MISBEHAVING("skh.source/1", fault, NULL, &hello_source, create, destroy, NULL)
