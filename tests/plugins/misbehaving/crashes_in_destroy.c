/* SPDX-License-Identifier: Apache-2.0
 * destroy() aborts: the host must stop in order all the same when the plugin is in a process of its
 * own.
 */
#include "misbehaving.h"

#include <stdlib.h>

static void destroy(void *self) {
  (void)self;
  abort();
}

MISBEHAVING_LIFE("crashes_in_destroy", &hello_create, &destroy);
