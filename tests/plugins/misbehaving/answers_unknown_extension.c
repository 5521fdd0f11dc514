/* SPDX-License-Identifier: Apache-2.0
 * Answers every id with its only interface. The host would call a table of another type.
 */
#include "misbehaving.h"

static const void *extension(void *self, const char *id) {
  (void)self;
  (void)id;
  return &hello_source;
}

MISBEHAVING("skh.source/1", "answers_unknown_extension", NULL, &hello_source, &hello_create,
            &hello_destroy, &extension);
