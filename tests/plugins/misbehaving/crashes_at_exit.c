/* SPDX-License-Identifier: Apache-2.0
 * create() registers an exit handler that aborts. A host must end without running it.
 */
#include "misbehaving.h"

#include <stdlib.h>

static void end(void) { abort(); }

static skh_status create(const skh_host *host, const skh_call *call, void **self) {
  static int registered;
  if (!registered) registered = atexit(&end) == 0;
  return hello_create(host, call, self);
}

MISBEHAVING_LIFE("crashes_at_exit", &create, &hello_destroy);
